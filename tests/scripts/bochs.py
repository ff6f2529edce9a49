"""Checks a program on a CPU that Bochs imitates, with AVX-512, SHA and vector AES instructions. A small Linux starts
from a disc that is made here, runs the checks, and writes what they say to a serial port.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from no_network import ALONE, has_namespaces

from perf_ladders.measure.checking import ran_to_its_end
from perf_ladders.tree.paths import ROOT

_CPU = "corei7_icelake_u"
_PACKAGES = "bochs bochs-term busybox-static isolinux linux-image-cloud-amd64 syslinux-common xorriso"
_VERSION = 3  # before it, Linux refused the layout of the registers of AVX-512
_BOOT = (Path("/usr/lib/ISOLINUX/isolinux.bin"), Path("/usr/lib/syslinux/modules/bios/ldlinux.c32"))
_INIT = """#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
{ /program check --gtest_brief=1 --gtest_color=no "--gtest_filter=FILTER"; echo "exit code $?"; } >/dev/ttyS0 2>&1
/bin/busybox sleep 3  # until the port has sent all of it
/bin/busybox poweroff -f
"""
_MENU = """default check
label check
 kernel linux
 append initrd=initrd console=ttyS0 quiet mitigations=off nopku
"""
_MACHINE = """cpu: model=CPU, count=1, ips=50000000
megs: 1024
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
ata0-master: type=cdrom, path="FOLDER/disc.iso", status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev="FOLDER/said"
display_library: rfb, options="timeout=0"
log: "FOLDER/log"
panic: action=fatal
error: action=ignore
info: action=ignore
"""


def expect() -> None:
    """Skips the test where something that this takes is missing."""
    there = all(map(shutil.which, ("bochs", "busybox", "xorriso"))) and all(path.exists() for path in _BOOT)
    if not there or not _kernels() or _libraries(Path(_which("busybox"))):
        pytest.skip(f"no Bochs, or no Linux for it: apt-get install --no-install-recommends {_PACKAGES}")
    if not has_namespaces():
        pytest.skip("no network namespaces here: Bochs would serve its screen to the network")
    said = subprocess.run(["bochs", "--help"], capture_output=True, text=True, check=False)
    version = re.search(r"Bochs x86 Emulator (\d+)", said.stdout + said.stderr)
    if not version or int(version[1]) < _VERSION:
        pytest.skip(f"this Bochs is older than {_VERSION}.0, which Debian 13 has")


def failure(program: Path, without: str, folder: Path, limit_s: float) -> str:
    """What is wrong; empty if all checks pass. `without`: tests that are left out, as GoogleTest filters them."""
    _make_disc(program, _INIT.replace("FILTER", f"-{without}"), folder)
    machine = folder / "machine"
    machine.write_text(_MACHINE.replace("CPU", _CPU).replace("FOLDER", str(folder)))
    debugger = folder / "debugger"  # Debian's Bochs begins in its debugger
    debugger.write_text("c\n")
    command = [*ALONE, "bochs", "-q", "-f", machine, "-rc", debugger]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=limit_s)
    except subprocess.TimeoutExpired:
        return f"not finished after {limit_s} s"
    said = folder / "said"
    text = said.read_text("utf-8", "replace").replace("\r", "") if said.exists() else ""
    if re.search(r"^exit code 0$", text, re.MULTILINE) and ran_to_its_end(text):
        return ""
    return (text.strip() or (done.stdout + done.stderr).decode(errors="replace").strip())[-300:]


def _make_disc(program: Path, init: str, folder: Path) -> None:
    """With the program, the libraries that it loads, and the vectors that it reads, each at its place."""
    root, disc = folder / "root", folder / "disc" / "isolinux"
    for name in ("bin", "dev", "proc", "tmp"):
        (root / name).mkdir(parents=True)
    (root / "init").write_text(init)
    (root / "init").chmod(0o755)
    shutil.copy(_which("busybox"), root / "bin")
    subprocess.run(["strip", "-o", root / "program", program], check=True)
    for path in _libraries(program):
        place = root / path.relative_to("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)  # what a link leads to
    for path in sorted(ROOT.glob("tests/*/vectors")):
        shutil.copytree(path, root / path.relative_to("/"))
    disc.mkdir(parents=True)
    found = "\n".join(str(path.relative_to(root)) for path in root.rglob("*"))
    with (disc / "initrd").open("wb") as archive:
        pack = [_which("busybox"), "cpio", "-o", "-H", "newc"]
        subprocess.run(pack, cwd=root, input=found.encode(), stdout=archive, stderr=subprocess.DEVNULL, check=True)
    shutil.copy(_kernels()[-1], disc / "linux")
    for path in _BOOT:
        shutil.copy(path, disc)
    (disc / "isolinux.cfg").write_text(_MENU)
    boot = ["-b", "isolinux/isolinux.bin", "-c", "isolinux/boot.cat", "-no-emul-boot", "-boot-load-size", "4"]
    make = ["xorriso", "-as", "mkisofs", "-quiet", "-o", folder / "disc.iso", *boot, "-boot-info-table", disc.parent]
    subprocess.run(make, capture_output=True, check=True)


def _libraries(program: Path) -> list[Path]:
    """None of a program that is linked statically."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    return [Path(word) for word in re.findall(r"(/\S+)(?= \(0x)", said)]


def _kernels() -> list[Path]:
    return [path for path in sorted(Path("/boot").glob("vmlinuz-*")) if os.access(path, os.R_OK)]


def _which(name: str) -> str:
    found = shutil.which(name)
    assert found, name
    return found
