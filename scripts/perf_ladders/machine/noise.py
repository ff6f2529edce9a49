"""How quiet a machine is just now: contention probes. Standard library alone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from perf_ladders.machine import speed

FREE = 0.9  # of the vector operations that a core starts at its best; an idle core stays within a few per cent
MAX_BUSY = 0.1  # of the probes
_PROBES = 20


@dataclass(frozen=True)
class Probe:
    clock_ghz: float
    operations_per_ns: float


def probes(program: Path, cpu: int) -> list[Probe]:
    """By the machine program; none where it does not run."""
    found = []
    for _ in range(_PROBES):
        clock, rates = speed.values(program, "clock", cpu), speed.values(program, "rates", cpu)
        if not clock or not rates:
            return []
        found.append(Probe(clock["clock_ghz"], rates["all"]))
        time.sleep(0.05)
    return found


def shares(found: list[Probe]) -> list[float]:
    """The operations of each cycle, of the best: another program on the core leaves fewer."""
    cycles = [probe.operations_per_ns / probe.clock_ghz for probe in found]
    return [one / max(cycles) for one in cycles]
