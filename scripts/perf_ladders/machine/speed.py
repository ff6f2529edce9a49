"""What the core does just now: its clock, and the vector operations that it starts. Standard library alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.tree.build import Build
from perf_ladders.tree.paths import shown


def values(program: Path, what: str, cpu: int) -> dict[str, float] | None:
    """What the machine program prints; None where it cannot run."""
    command = ["taskset", "--cpu-list", str(cpu), str(program), what]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return None
    return {name: float(value) for name, value in (line.split() for line in result.stdout.splitlines())}


def clock_ghz(build: Build, cpu: int) -> float:
    return _at_the_lowest(build, "clock", cpu)["clock_ghz"]


def operations_per_ns(build: Build, cpu: int) -> float:
    """The vector operations that the core starts in a nanosecond just now: what its other thread leaves."""
    return _at_the_lowest(build, "rates", cpu)["all"]


def _at_the_lowest(build: Build, what: str, cpu: int) -> dict[str, float]:
    """Level, which runs everywhere: it fails if its file is gone, or if this CPU is no longer ours."""
    program = next(iter(build.machine.values()))
    found = values(program, what, cpu)
    if found is None:
        raise UserError(
            f"{shown(program)} does not run on CPU {cpu}: make build PRESET={build.preset}. "
            "What was measured is kept, and the same command goes on."
        )
    return found


def rates(build: Build, cpu: int) -> dict[str, dict[str, float]]:
    """Those of every level that runs here."""
    measured = {level: values(program, "rates", cpu) for level, program in build.machine.items()}
    return {level: found for level, found in measured.items() if found is not None}
