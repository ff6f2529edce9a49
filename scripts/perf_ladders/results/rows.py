"""The types of what follows from a measurement: a row for each program and workload, with its comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from perf_ladders.model.measurement import Calls, Kind, MeanSd
from perf_ladders.stats import Comparison, Outcome

AFTER_TRIALS: Final = "range after trials"
Ladder = tuple[str, str]  # level and compiler


@dataclass(frozen=True)
class OfLadder:
    """What a view holds of one ladder; `id` names the ladder in pages."""

    level: str
    compiler: str

    @property
    def id(self) -> str:
        return f"{self.level}.{self.compiler}"


@dataclass(frozen=True)
class Prediction:
    low: float
    high: float
    outcome: Outcome | Literal["range after trials"]  # which is not judged
    side: str | None  # of a refuted one: more or less than predicted

    @property
    def tells(self) -> bool:
        """False for a range that allows a gain and a loss, or that was written after trials."""
        return self.outcome not in (AFTER_TRIALS, "says little")


@dataclass(frozen=True)
class WholeProgram:
    median_s: float
    vs_reference: Comparison | None
    vs_base: Comparison | None


@dataclass(frozen=True)
class Row:
    id: str  # of the program in the measurement
    stage: str  # xtea-04, xtea-00-again, xtea-00-O2, xtea-botan
    kind: Kind
    level: str
    compiler: str
    workload: str
    bytes: int
    stale: bool  # the stage has changed since it was measured
    n: int
    median_ns: float
    median_low_ns: float | None
    median_high_ns: float | None
    mean_ns: float
    sd_ns: float
    sd_within_ns: float | None
    sd_between_ns: float | None
    cv: float
    min_ns: float
    max_ns: float
    mib_s: float
    ns_byte: float
    cycles_byte: float | None  # None: it runs on several cores
    peak_share: float | None
    floor: float | None
    vs_reference: Comparison | None
    base: str | None
    vs_base: Comparison | None
    prediction: Prediction | None  # this and what follows: of the first workload alone
    calls: Calls | None
    benchmark: MeanSd | None  # of Google Benchmark
    whole_program: WholeProgram | None
    instructions_byte: float | None
    instructions_vs_base: float | None  # times fewer
    estimate_share: float | None
    disagreement: str | None

    @property
    def ladder(self) -> Ladder:
        return self.level, self.compiler

    @property
    def place(self) -> str:
        """Where a measurement holds the times that this row follows from."""
        return f"{self.id}, {self.workload}"


@dataclass(frozen=True)
class LevelComparison(OfLadder):
    """The closing stage of a level over that of the level below, with the same compiler."""

    below: str
    stage: str
    stage_below: str
    workload: str
    comparison: Comparison


@dataclass(frozen=True)
class PeerComparison:
    """The closing stage of a ladder over a library."""

    stage: str
    peer: str
    level: str
    compiler: str
    workload: str
    comparison: Comparison
