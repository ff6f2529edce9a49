"""Instructions beside time: could a core start so many, and do both tell the same of a step?"""

from __future__ import annotations

from perf_ladders import stats
from perf_ladders.model.evidence import Evidence
from perf_ladders.stats import Comparison

_FEWER = 1.01  # times fewer instructions are fewer: counts are exact, but entering and leaving are counted too
_FACTOR = 1.5  # time and instructions that differ by more are worth a flag
_MAX_PER_CYCLE = 12  # instructions that any core could start: a count beyond that is of something else


def plausible(evidence: Evidence | None, cycles: float | None) -> float | None:
    """Instructions a byte, where a core could start as many."""
    counted = evidence.instructions if evidence else None
    if counted is None or (cycles and counted.per_byte > _MAX_PER_CYCLE * cycles):
        return None
    return counted.per_byte


def disagreement(step: Comparison, fewer: float) -> str | None:
    """A sentence where they do not; `fewer` is how many times fewer instructions the step takes."""
    if step.verdict in ("undecided", "same code"):
        return None
    if step.verdict == "same":
        if 1 / (1 + stats.MAX_ALIKE) <= fewer <= 1 + stats.MAX_ALIKE:  # the time may differ by as much
            return None
        return f"{_times(fewer)}, and the same time"
    if (step.ratio > 1) != (fewer > 1) and not 1 / _FEWER <= fewer <= _FEWER:
        return f"{_times(fewer)}, and {step.verdict}"
    if 1 / _FEWER <= fewer <= _FEWER:
        return f"as many instructions, and {step.verdict}"
    if not 1 / _FACTOR <= step.ratio / fewer <= _FACTOR:
        return f"{_times(fewer)}, but {step.ratio:.2f} times as fast"
    return None


def _times(fewer: float) -> str:
    return f"{fewer:.2f} times fewer instructions" if fewer > 1 else f"{1 / fewer:.2f} times as many instructions"
