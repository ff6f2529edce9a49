"""Which CPUs there are, which one to measure on, and how busy they are. Standard library alone."""

from __future__ import annotations

import os
from pathlib import Path

SYSTEM = Path(os.environ.get("DOCTOR_ROOT", "/"))  # so that tests of the doctor can describe other machines


def read(path: str) -> str | None:
    """Of a file below /proc, /sys or /etc; None where it is not there."""
    try:
        return (SYSTEM / path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None


def cpu_info(*keys: str) -> str | None:
    """The first value of these keys in /proc/cpuinfo."""
    for line in (read("proc/cpuinfo") or "").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in keys:
            return value.strip()
    return None


def cpu_numbers() -> str | None:
    """family/model/stepping; of Arm implementer/part/revision."""
    for keys in (("cpu family", "model", "stepping"), ("CPU implementer", "CPU part", "CPU revision")):
        numbers = [found for key in keys if (found := cpu_info(key))]
        if len(numbers) == len(keys):
            return "/".join(numbers)
    return None


def listed(text: str | None) -> list[int]:
    """CPUs as the kernel lists them: 0-7,16"""
    found: set[int] = set()
    for span in (text or "").split(","):
        first, _, last = span.partition("-")
        if first:
            found |= set(range(int(first), int(last or first) + 1))
    return sorted(found)


def core_kinds() -> dict[str, list[int]]:
    """CPUs that are performance cores and those that are efficiency cores; both empty where all are alike."""
    return {
        "performance": listed(read("sys/devices/cpu_core/cpus")),
        "efficiency": listed(read("sys/devices/cpu_atom/cpus")),
    }


def allowed_cpus() -> list[int]:
    if str(SYSTEM) == "/":
        return sorted(os.sched_getaffinity(0))
    return list(range((read("proc/cpuinfo") or "").count("processor\t")))


def top_speed(cpu: int) -> int:
    """In kHz; 0 where nothing says it."""
    return int(read(f"sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_max_freq") or 0)


def cpu_to_pin() -> int:
    """A performance core where there are two kinds, and not the first CPU, which takes most interrupts."""
    every = allowed_cpus()
    allowed = [cpu for cpu in every if cpu in core_kinds()["performance"]] or every
    return max(allowed, key=lambda cpu: (top_speed(cpu), cpu))


def busy_ticks() -> int:
    """The work of all CPUs so far, in ticks of 10 ms."""
    fields = [int(field) for field in (read("proc/stat") or "cpu").split("\n")[0].split()[1:9]]
    return sum(fields) - sum(fields[3:5])  # less idle and waiting for a disk


def stolen_ticks(cpu: int | None = None) -> int:
    """The time that the hypervisor has taken from this CPU, or from all, so far, in ticks of 10 ms."""
    name = "cpu" if cpu is None else f"cpu{cpu}"
    lines = map(str.split, (read("proc/stat") or "").splitlines())
    return next((int(fields[8]) for fields in lines if fields[0] == name and len(fields) > 8), 0)


def stolen_since(before: int, cpu: int | None = None) -> int:
    """The ticks since the counter was at `before`. It begins at 0 again where a virtual machine moves to another
    host."""
    now = stolen_ticks(cpu)
    return now - before if now >= before else now
