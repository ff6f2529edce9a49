"""The self-check: how often the method errs."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from perf_ladders.model.measurement import VERSION, Block, Compiler, Machine, Made
from perf_ladders.model.record import AboveZero, Count, Logarithm, Name, Positive, Record, WorkloadName

SELF_CHECK_FORMAT = "perf-ladders self-check"


class SelfCheckProgram(Record, kw_only=True):
    id: Name
    name: Name
    kind: Literal["same", "control", "shorter", "less"]  # shorter: of less work, and measured in blocks as well
    work: Count = 0  # equal parts in a call; 0 in older files


class SelfCheckDesign(Record, kw_only=True):
    seed: Count
    cpu: Count
    blocks: Positive
    repetitions: Positive
    usual_repetitions: Positive
    min_ms: AboveZero


class Experiment(Record, kw_only=True):
    """All programs in the former way and in the usual one, at the same time."""

    noisy: bool = False  # beside a noisy neighbour of our own making
    blocks: list[Block]
    usual_way: Block  # each program in one process, one after the other


class Trial(Record, kw_only=True):
    """One comparison in pairs, from its first round on: of identical programs to the cap, else until it is decided."""

    noisy: bool
    workload: WorkloadName
    base: Name
    stage: Name
    # Of each round: the logarithm of how many times as fast `stage` is.
    d: Annotated[list[Logarithm], Meta(min_length=1, max_length=9_999)]
    seconds: AboveZero  # that all its rounds took


class Bias(Record, kw_only=True):
    """A program in long slices that run alone over the same in alternating slices."""

    workload: WorkloadName
    # Of each trial the logarithm of how many times as fast it is in alternating slices.
    d: Annotated[list[Logarithm], Meta(min_length=1)]


class SelfCheck(Record, kw_only=True, omit_defaults=False):
    """How often the method errs: identical programs, and one that does less work."""

    format: str = SELF_CHECK_FORMAT
    version: int = VERSION
    made: Made
    machine: Machine
    compilers: list[Compiler]
    design: SelfCheckDesign
    programs: list[SelfCheckProgram]
    experiments: list[Experiment]
    trials: list[Trial] = []
    together: Positive = 1  # comparisons of which each trial is one
    slice_ms: dict[WorkloadName, AboveZero] = {}
    biases: list[Bias] = []
