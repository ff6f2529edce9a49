"""The doctor: what it says of this machine, and of machines that it is only told of."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from conftest import needs

from perf_ladders.commands import build, doctor_cpu
from perf_ladders.commands import doctor as doctor_command
from perf_ladders.commands.findings import Report
from perf_ladders.machine import alone, topology
from perf_ladders.tree.paths import ROOT

# All that a bare system is sure to have, beside Python.
BARE = "bash cat cut dirname env id uname"
V3 = "aes avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"


def doctor(**environment):
    return subprocess.run(
        [sys.executable, "-m", "perf_ladders", "doctor"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": "scripts", "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )


def status():
    command = ["git", "status", "--short", "--ignored"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


class Told:
    """A machine told of by files and by what is on its PATH."""

    def __init__(self, folder):
        self.root, self.path = folder / "root", folder / "bin"
        self.path.mkdir()
        (self.root / "tmp").mkdir(parents=True)
        for name in BARE.split():
            (self.path / name).symlink_to(shutil.which(name))
        self.command("uname", "echo x86_64")
        self.user(0)
        self.command("g++", "echo g++ 12.2.0")  # without one header
        self.cpus(2, V3)
        self.file("etc/os-release", 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"')
        self.file("proc/sys/kernel/osrelease", "6.1.0-28-amd64")
        self.file("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB")
        self.file("proc/loadavg", "0.08 0.03 0.01 1/200 1234")

    def file(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")

    def cpus(self, number, flags):
        blocks = [f"processor\t: {cpu}\nmodel name\t: A processor\nflags\t\t: {flags}" for cpu in range(number)]
        self.file("proc/cpuinfo", "\n\n".join(blocks))

    def command(self, name, script):
        path = self.path / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def user(self, number):
        self.command("id", f"echo {number}")
        self.command("sudo", "exit 1")

    def doctor(self):
        """While a measurement runs, as it were: then the doctor does not measure, which takes seconds."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(alone, "LOCKS", self.root / "tmp")
            with alone.alone():
                done = doctor(PATH=str(self.path), DOCTOR_ROOT=str(self.root), TMPDIR=str(self.root / "other"))
        assert max(map(len, done.stdout.splitlines())) <= 80
        self.code, self.complaint = done.returncode, done.stderr
        # Sentences as they were before they were folded, and commands as the shell reads them.
        return " ".join(done.stdout.replace("\\\n", " ").split())


@pytest.fixture
def told(tmp_path):
    return Told(tmp_path)


@pytest.fixture
def debian(told):
    told.command("apt-get", "exit 1")
    return told


def test_this_machine_is_well_and_stays_as_it_is():
    before = status()
    done = doctor()
    assert status() == before
    assert done.stderr == ""
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith(("You are ready: ", "Ready but for a build"))
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "\x1b" not in done.stdout, "colour where there is no terminal"
    said = " ".join(done.stdout.split())
    assert f"pinned to CPU {topology.cpu_to_pin()}" in said
    probed = re.search(r"in \d+ of 20 contention probes", said)
    assert probed or "nothing is built" in said or "a measurement is running" in said


def test_a_bare_debian_is_told_what_to_install(debian):
    said = debian.doctor()
    for package in [
        "cmake",
        "ninja-build",
        "libgtest-dev",
        "python3",
        "valgrind",
        "linux-perf",
        "hyperfine",
        "libbotan-2-dev",
        "libssl-dev",
        "libgcrypt20-dev",
        "nettle-dev",
        "libsodium-dev",
        "libcli11-dev",
        "nlohmann-json3-dev",
        "rapidjson-dev",
        "libboost-json-dev",
        "libfmt-dev",
        "ocl-icd-opencl-dev",
        "opencl-clhpp-headers",
        "libipsec-mb-dev",
    ]:
        assert f"-> apt-get install {package}" in said
    assert "salsa20-botan, sha3-botan, xtea-botan left out -> apt-get install libbotan-2-dev" in said
    assert "hmac-sha1-ipsec-mb, hmac-sha1-ipsec-mb-sse left out -> apt-get install libipsec-mb-dev" in said
    assert said.endswith("Not ready yet, this is what to do: make setup")
    assert debian.code == 0


@needs("json-02", "json-04", "json-rapidjson")
def test_stages_that_link_a_library_go_without_it(debian):
    said = debian.doctor()
    assert "json-02 left out -> apt-get install libfmt-dev" in said
    assert "json-04, json-rapidjson left out -> apt-get install rapidjson-dev" in said


@pytest.mark.parametrize("python", ["exit 0", "exit 1", None])
def test_an_environment_of_another_python_is_not_ready(tmp_path, monkeypatch, capsys, python):
    """The system has a newer one, or none at the old place."""
    for name in ("_STAMP", "_PYTHON"):
        monkeypatch.setattr(build, name, tmp_path / name)
    (tmp_path / "_STAMP").write_text(hashlib.sha256((ROOT / "requirements.txt").read_bytes()).hexdigest())
    if python:
        (tmp_path / "_PYTHON").write_text(f"#!/bin/sh\n{python}\n")
        (tmp_path / "_PYTHON").chmod(0o755)
    report = Report()
    doctor_command._building(report, [], "clang++", {})
    is_ready = python == "exit 0"
    assert report.set_up == is_ready
    assert ("lacks  the Python environment .venv" in capsys.readouterr().out) == (not is_ready)


def test_a_measurement_with_another_tmpdir_is_not_disturbed(debian):
    assert "a measurement is running: not disturbed" in debian.doctor()


def test_who_is_not_root_is_given_sudo(debian):
    debian.user(1000)
    assert "-> sudo apt-get install valgrind" in debian.doctor()
    assert debian.code == 0


def test_without_a_compiler_it_is_named(debian):
    (debian.path / "g++").unlink()
    assert "lacks g++, needed -> apt-get install g++" in debian.doctor()


def test_setup_cannot_install_without_root_or_sudo(debian):
    debian.user(1000)
    (debian.path / "sudo").unlink()
    debian.doctor()
    assert "Not ready. Set-up cannot install these here: cmake, ninja-build," in debian.complaint
    assert debian.code == 1


def test_another_distribution_cannot_be_set_up(told):
    told.file("etc/os-release", 'ID=fedora\nPRETTY_NAME="Fedora Linux 41"')
    said = told.doctor()
    assert "no apt-get: set-up lists what is missing, and you install it" in said
    assert "-> install libgtest-dev or what your system calls it" in said
    assert "Set-up cannot install these here: cmake," in told.complaint
    assert told.code == 1


def test_ubuntu_calls_perf_otherwise(debian):
    debian.file("etc/os-release", "ID=ubuntu\nPRETTY_NAME=Ubuntu")
    assert "-> apt-get install linux-tools-generic" in debian.doctor()


def test_an_old_cmake_is_no_cmake(debian):
    debian.command("cmake", "echo cmake version 3.22.1")
    assert "lacks cmake 3.22.1: 3.24 is needed" in debian.doctor()
    assert debian.code == 1


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ("sse2", "does not run, and is not built: x86-64-v3 (AVX2) and up, without avx avx2"),
        (V3, "does not run, and is not built: x86-64-v4 (AVX-512) and up, without avx512f"),
        (f"{V3} avx512f avx512bw avx512cd avx512dq avx512vl", "runs: novec, x86-64, x86-64-v3 (AVX2), x86-64-v4"),
        (f"{V3} gfni", "features: aes gfni bmi2; not: sha_ni vaes"),
    ],
)
def test_levels(debian, flags, sentence):
    debian.cpus(2, flags)
    assert sentence in debian.doctor()


def test_a_hybrid_cpu_measures_on_a_performance_core(debian):
    debian.cpus(4, V3)
    debian.file("sys/devices/cpu_core/cpus", "0-1")
    debian.file("sys/devices/cpu_atom/cpus", "2-3")
    for cpu, speed in enumerate([4_700_000, 4_700_000, 3_600_000, 3_600_000]):
        debian.file(f"sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_max_freq", str(speed))
    debian.file("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "0-1")
    said = debian.doctor()
    assert "performance cores are CPUs 0-1, efficiency cores 2-3" in said
    assert "pinned to CPU 1 (a performance core); it shares its core with CPU 0" in said


def test_a_laptop_on_battery(debian):
    debian.file("sys/class/power_supply/BAT0/type", "Battery")
    debian.file("sys/class/power_supply/BAT0/status", "Discharging")
    debian.file("sys/class/power_supply/AC/type", "Mains")
    debian.file("sys/class/power_supply/AC/online", "0")
    debian.file("sys/class/power_supply/mouse/type", "Battery")
    debian.file("sys/class/power_supply/mouse/scope", "Device")
    debian.file("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave")
    debian.file("sys/devices/system/cpu/intel_pstate/no_turbo", "0")
    said = debian.doctor()
    assert "on battery, the clock is held down -> plug the charger in" in said
    assert "governor: powersave" in said
    assert "tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor" in said
    assert "-> echo 1 | tee /sys/devices/system/cpu/intel_pstate/no_turbo" in said


def test_the_battery_of_a_mouse_makes_no_laptop(debian):
    debian.file("sys/class/power_supply/mouse/type", "Battery")
    debian.file("sys/class/power_supply/mouse/scope", "Device")
    debian.file("sys/class/power_supply/mouse/status", "Discharging")
    assert "battery" not in debian.doctor()


def test_wsl(debian):
    kernel = "5.15.153.1-microsoft-standard-WSL2"
    debian.file("proc/sys/kernel/osrelease", kernel)
    debian.command("perf", f"echo 'WARNING: perf not found for kernel {kernel}' >&2; exit 2")
    said = debian.doctor()
    assert "WSL 2, a virtual machine" in said
    assert f"lacks perf for kernel {kernel}" in said


@pytest.mark.parametrize(("cpu", "said"), [("(unknown)", True), ("znver4", False)])
def test_a_model_that_is_older_than_the_cpu_is_named(debian, cpu, said):
    debian.command("llvm-mca-15", f"echo '  Host CPU: {cpu}'")
    assert ("llvm-mca-15 is older than this CPU" in debian.doctor()) == said


COUNTS = "echo '12345,,cycles,100,100.00,,' >&2"
NO_COUNTERS = "echo '<not supported>,,cycles,0,100.00,,' >&2"
NO_ACCESS = "echo 'Access to performance monitoring and observability operations is limited.' >&2; exit 255"


@pytest.mark.parametrize(
    ("perf", "paranoid", "sentence"),
    [
        (COUNTS, 2, "with hardware counters"),
        (NO_COUNTERS, 2, "no hardware counters here; perf takes cpu-clock samples instead"),
        (NO_ACCESS, 4, "(perf_event_paranoid is 4); until the next start: -> sudo sysctl kernel.perf_event_paranoid=2"),
        (None, 4, "permission for perf (perf_event_paranoid is 4)"),
    ],
)
def test_perf(debian, perf, paranoid, sentence):
    debian.user(1000)
    debian.file("proc/sys/kernel/perf_event_paranoid", str(paranoid))
    if perf:
        debian.command("perf", perf)
    assert sentence in debian.doctor()


@pytest.mark.parametrize(
    ("scope", "user", "sentence"),
    [
        (1, 1000, "ok single-stepping (ptrace) of own programs is permitted"),
        (2, 0, "is permitted to root only"),
        (2, 1000, "-> sudo sysctl kernel.yama.ptrace_scope=1"),
        (3, 0, "lacks single-stepping"),
    ],
)
def test_ptrace(debian, scope, user, sentence):
    debian.user(user)
    debian.file("proc/sys/kernel/yama/ptrace_scope", str(scope))
    assert sentence in debian.doctor()


def test_the_clock_is_read_by_a_program_of_the_lowest_level(tmp_path, monkeypatch):
    """That of a higher one may not run here."""
    folder = tmp_path / "build/gcc"
    folder.mkdir(parents=True)
    for name in ("machine.x86-64-v4", "machine.x86-64", "machine.x86-64-v3"):
        (folder / name).touch()
    asked = []
    monkeypatch.setattr(doctor_cpu, "ROOT", tmp_path)
    monkeypatch.setattr(doctor_cpu.alone, "is_taken", lambda: False)
    monkeypatch.setattr(doctor_cpu.noise, "probes", lambda program, cpu: asked.append(program.name))
    doctor_cpu.noise_of(Report(), [], 0)
    assert asked == ["machine.x86-64"]


def test_a_case_counts_as_built_when_each_of_its_programs_is(tmp_path, monkeypatch):
    made = tmp_path / "made"
    made.touch()

    absent = tmp_path / "not-built"

    def program(case, number, path, kind="stage", cannot=""):
        return SimpleNamespace(case=case, name=f"{case}-{number}", number=number, path=path, kind=kind, cannot=cannot)

    programs = [
        program("xtea", "00", absent),  # at a lower level
        program("xtea", "00", made),
        program("xtea", "00", absent, cannot="This CPU lacks AVX-512."),
        program("xtea", "90", absent),  # the reader's, which does not compile
        program("xtea", "00-O2", absent, kind="variant"),
        program("json", "00", made),
        program("json", "01", absent),
    ]
    monkeypatch.setattr(doctor_command, "read_build", lambda preset: SimpleNamespace(programs=programs))
    assert doctor_command._whole_cases("gcc") == ["xtea"]


def test_a_build_folder_that_cannot_be_read_has_no_case():
    assert doctor_command._whole_cases("no-such-preset") == []
