"""The layout check: how much a time depends on where the linker puts the code."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from perf_ladders.model.measurement import VERSION, Compiler, Machine, Made
from perf_ladders.model.record import AboveZero, Count, Name, Positive, Record, WorkloadName

LAYOUT_FORMAT = "perf-ladders layout check"
Ratios = Annotated[list[AboveZero], Meta(min_length=2)]


class LayoutOfStage(Record, kw_only=True):
    """Times as fast as the first link of the program: the median of all rounds, of each of the others."""

    program: Name  # xtea-05.x86-64-v3.gcc
    workload: WorkloadName
    links: Ratios  # objects in another order, after a gap of another size
    copies: Ratios  # of the first link: what remains is the noise of the measurement


class LayoutCheck(Record, kw_only=True, omit_defaults=False):
    format: str = LAYOUT_FORMAT
    version: int = VERSION
    made: Made
    machine: Machine
    compilers: list[Compiler]
    rounds: Positive  # of each comparison
    seed: Count
    stages: list[LayoutOfStage]
