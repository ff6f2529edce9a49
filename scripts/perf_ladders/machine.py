"""What this machine is, and which of its CPUs to measure on."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from perf_ladders.catalogue import Build

# By level: the bytes of a vector and, by kind, the vector operations started in a nanosecond.
Rates = dict[str, dict[str, float]]

_CPUS = Path("/sys/devices/system/cpu")


def _cpu_info(*keys: str) -> str | None:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in keys:
            return value.strip()
    return None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return None


def _virtual_machine() -> str:
    try:
        found = subprocess.run(
            ["systemd-detect-virt", "--vm"], capture_output=True, text=True, check=False
        ).stdout.strip()
    except FileNotFoundError:
        return "not known which" if "hypervisor" in (_cpu_info("flags") or "").split() else "no"
    return "no" if found == "none" else found


def describe() -> dict[str, Any]:
    """Shown in every report. No path, no host name."""
    system = platform.freedesktop_os_release() if Path("/etc/os-release").exists() else {}
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    numbers = [_cpu_info(key) for key in ("cpu family", "model", "stepping")]
    return {
        "cpu": _cpu_info("model name", "Model") or "not known",
        "cpu_family_model_stepping": "/".join(number for number in numbers if number) or None,
        "cpus": os.cpu_count(),
        "memory_gib": round(memory / 2**30),
        "architecture": platform.machine(),
        "system": system.get("PRETTY_NAME", "not known"),
        "kernel": platform.release(),
        "virtual_machine": _virtual_machine(),
        "core_kinds": core_kinds(),
        "governor": _read(_CPUS / "cpu0/cpufreq/scaling_governor"),
    }


def _listed(path: Path) -> set[int]:
    """CPUs as the kernel lists them: 0-7,16"""
    found: set[int] = set()
    for span in (_read(path) or "").split(","):
        first, _, last = span.partition("-")
        if first:
            found |= set(range(int(first), int(last or first) + 1))
    return found


def core_kinds() -> dict[str, list[int]]:
    """CPUs that are performance cores and those that are efficiency cores; both empty where all are alike."""
    devices = _CPUS.parent.parent
    kinds = {"performance": "cpu_core", "efficiency": "cpu_atom"}
    return {kind: sorted(_listed(devices / name / "cpus")) for kind, name in kinds.items()}


def cpu_to_pin() -> int:
    """A performance core where there are two kinds, and not the first CPU, which takes most interrupts."""
    every = sorted(os.sched_getaffinity(0))
    allowed = [cpu for cpu in every if cpu in core_kinds()["performance"]] or every

    def top_speed(cpu: int) -> int:
        return int(_read(_CPUS / f"cpu{cpu}/cpufreq/cpuinfo_max_freq") or 0)

    return max(allowed, key=lambda cpu: (top_speed(cpu), cpu))


def busy_ticks() -> int:
    """What all CPUs have worked so far, in ticks of 10 ms."""
    fields = [int(field) for field in (_read(Path("/proc/stat")) or "cpu").split("\n")[0].split()[1:9]]
    return sum(fields) - sum(fields[3:5])  # less idle and waiting for a disk


def stolen_ticks() -> int:
    """What the hypervisor has taken from all CPUs so far, in ticks of 10 ms."""
    fields = (_read(Path("/proc/stat")) or "").split("\n")[0].split()
    return int(fields[8]) if len(fields) > 8 else 0


def _values(program: Path, what: str, cpu: int) -> dict[str, float] | None:
    command = ["taskset", "--cpu-list", str(cpu), str(program), what]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return None
    return {name: float(value) for name, value in (line.split() for line in result.stdout.splitlines())}


def clock_ghz(build: Build, cpu: int) -> float:
    values = _values(next(iter(build.machine.values())), "clock", cpu)
    assert values is not None, "the lowest level runs everywhere"
    return values["clock_ghz"]


def operations_per_ns(build: Build, cpu: int) -> float:
    """The vector operations that the core starts in a nanosecond just now: what its other thread leaves."""
    values = _values(next(iter(build.machine.values())), "rates", cpu)
    assert values is not None, "the lowest level runs everywhere"
    return values["all"]


def rates(build: Build, cpu: int) -> Rates:
    """Those of every level that runs here."""
    measured = {level: _values(program, "rates", cpu) for level, program in build.machine.items()}
    return {level: values for level, values in measured.items() if values is not None}
