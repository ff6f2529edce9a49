"""Measures latency and throughput of single instructions."""

from __future__ import annotations

import statistics
import subprocess

from perf_ladders.errors import UserError
from perf_ladders.machine import identity, processes, speed
from perf_ladders.measure.session import made_now
from perf_ladders.model.instruction_times import Instruction, InstructionTimes
from perf_ladders.tree.build import Build

_CLOCKS = 10  # readings before, and as many after
_NONE = "-"


def measured(build: Build, cpu: int) -> InstructionTimes:
    """The clock is read before and after. The median counts, for a core changes its clock by a few per cent."""
    clocks = _clocks(build, cpu)
    found = _decoded(_printed(build, "measure", cpu))
    clocks += _clocks(build, cpu)
    return InstructionTimes(
        made=made_now(),
        machine=identity.describe(),
        clock_ghz=statistics.median(clocks),
        instructions=found,
    )


def _clocks(build: Build, cpu: int) -> list[float]:
    return [speed.clock_ghz(build, cpu) for _ in range(_CLOCKS)]


def known(build: Build, cpu: int) -> list[Instruction]:
    """Those that the program can time, without times."""
    return _decoded(_printed(build, "list", cpu))


def _printed(build: Build, what: str, cpu: int) -> str:
    command = ["taskset", "--cpu-list", str(cpu), str(build.instructions), what]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        how = processes.ending(done.returncode)
        raise UserError(f"The program that times instructions {how}. {done.stderr}".strip())
    return done.stdout


def _decoded(printed: str) -> list[Instruction]:
    found = []
    for line in printed.splitlines():
        name, needs, *figures = line.split("\t")
        latency, per_ns = (None if one == _NONE else float(one) for one in figures or (_NONE, _NONE))
        found.append(Instruction(name=name, needs=needs.split(), latency_ns=latency, per_ns=per_ns))
    return found
