"""What the core does just now: its clock, and the vector operations that it starts. Standard library alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

from perf_ladders.tree.build import Build


def values(program: Path, what: str, cpu: int) -> dict[str, float] | None:
    """What the machine program prints; None where it cannot run."""
    command = ["taskset", "--cpu-list", str(cpu), str(program), what]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return None
    return {name: float(value) for name, value in (line.split() for line in result.stdout.splitlines())}


def clock_ghz(build: Build, cpu: int) -> float:
    found = values(next(iter(build.machine.values())), "clock", cpu)
    assert found is not None, "the lowest level runs everywhere"
    return found["clock_ghz"]


def operations_per_ns(build: Build, cpu: int) -> float:
    """The vector operations that the core starts in a nanosecond just now: what its other thread leaves."""
    found = values(next(iter(build.machine.values())), "rates", cpu)
    assert found is not None, "the lowest level runs everywhere"
    return found["all"]


def rates(build: Build, cpu: int) -> dict[str, dict[str, float]]:
    """Those of every level that runs here."""
    measured = {level: values(program, "rates", cpu) for level, program in build.machine.items()}
    return {level: found for level, found in measured.items() if found is not None}
