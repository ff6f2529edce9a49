"""Is one program faster than another, by how much, and how sure are we? docs/method.md says why it is done this way.

Here is what all comparisons share. Here is also the older way to compare, by blocks: in each block every program ran
once, in a process of its own and in shuffled order. Two programs are compared block by block, by the logarithm of the
ratio of their times. Measurements of today compare pairs of processes in rounds: see `sequential`.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from scipy.special import bdtr, betaincinv  # scipy.stats takes a second to import, in every command

from perf_ladders.model.measurement import BINS, QUANTILES, Calls, MeanSd

ALPHA = 0.05
MIN_FLOOR = 0.01  # differences below 1 % are layout, not code
ALIKE = 0.02  # of pairs: what is called the same differs by no more
MAX_ALIKE = 0.05  # however noisy the control: what may still differ by more is not called the same

Verdict = Literal["faster", "slightly faster", "slower", "slightly slower", "same", "same code", "undecided"]
Outcome = Literal["held", "refuted", "open", "says little"]


def sign_interval(values: Sequence[float], comparisons: int = 1) -> tuple[float, float] | None:
    """The interval of the median from order statistics, exact whatever the distribution; None if there are too few.

    `comparisons` of them together hold with 95 % (Bonferroni).
    """
    ordered = sorted(values)
    rank = _rank(len(ordered), comparisons)  # scipy.stats.quantile_test gives the same, hundreds of times as slowly
    if rank < 1:
        return None
    return float(ordered[rank - 1]), float(ordered[-rank])


def min_blocks(comparisons: int) -> int:
    """The smallest number of blocks from which an interval can be given."""
    return next(n for n in range(1, 1000) if _rank(n, comparisons) >= 1)


@cache
def _rank(values: int, comparisons: int) -> int:
    """From either end, of the value at which the interval ends; 0 if there are too few values."""
    return binomial_quantile(ALPHA / (2 * comparisons), values, 0.5)


def binomial_quantile(share: float, n: int, p: float) -> int:
    """The smallest count of hits, of `n` tries with the probability `p`, that as many or fewer come with `share`."""
    return int(np.searchsorted(bdtr(np.arange(n + 1), n, p), share))


@dataclass(frozen=True)
class Comparison:
    """How many times faster the second program is: over 1 is faster. `slightly`: by under 2 %."""

    ratio: float
    low: float | None  # None: the interval has no such end yet
    high: float | None
    verdict: Verdict
    alike: float = ALIKE  # what is called the same differs by no more
    rounds: int = 0
    least_rounds: int = 0  # that can give a verdict
    confidence: float = 1 - ALPHA  # of the interval
    changed: bool = False  # the times changed while they were measured
    counts: bool = True  # False: the A/A control failed, the times changed, or the rounds are too few to judge by

    @property
    def is_faster(self) -> bool:
        return self.verdict in ("faster", "slightly faster")

    @property
    def is_slower(self) -> bool:
        return self.verdict in ("slower", "slightly slower")

    @property
    def differs(self) -> bool:
        return self.is_faster or self.is_slower

    @property
    def fails(self) -> bool:
        """Of a program and itself: it came out different, or its times changed while they were measured."""
        return self.differs or self.changed


def compare(base: Sequence[float], other: Sequence[float], floor: float | None, comparisons: int) -> Comparison:
    """`base` and `other` hold one time a block, in the same order of blocks; `floor` as from `floor_from`. None: there
    was no control, and without one there is no verdict."""
    if len(base) != len(other) or not len(base):
        raise ValueError(f"{len(base)} blocks against {len(other)}: each needs one on the other side.")
    times = np.array([base, other], dtype=float)
    if not (np.isfinite(times) & (times > 0)).all():
        raise ValueError("Times are finite and above 0; of these one is not.")
    differences = (np.log(times[0]) - np.log(times[1])).tolist()
    ratio = math.exp(statistics.median(differences))
    interval = sign_interval(differences, comparisons)
    rounds, least = len(base), min_blocks(comparisons)
    if interval is None:
        return Comparison(ratio, None, None, "undecided", rounds=rounds, least_rounds=least)
    low, high = interval
    if floor is None:
        return Comparison(
            ratio, math.exp(low), math.exp(high), "undecided", rounds=rounds, least_rounds=least, counts=False
        )
    bound, alike = math.log1p(floor), math.log1p(min(floor, MAX_ALIKE))
    verdict: Verdict = "undecided"
    if low > bound:
        verdict = "faster"
    elif high < -bound:
        verdict = "slower"
    elif -alike <= low and high <= alike:
        verdict = "same"
    margin = min(floor, MAX_ALIKE)
    return Comparison(ratio, math.exp(low), math.exp(high), verdict, margin, rounds, least)


def floor_from(control: Comparison) -> float:
    """What differences must exceed: what the control shows between a program and itself, at least 1 %."""
    if control.low is None or control.high is None:
        return MIN_FLOOR
    return max(MIN_FLOOR, control.high - 1, 1 / control.low - 1)


def floor_between(one: Sequence[float], again: Sequence[float]) -> float:
    """The same, from the times of a program and of the program again."""
    return floor_from(compare(one, again, MIN_FLOOR, 1))


def says_little(low: float, high: float) -> bool:
    """Of a predicted range: it allows a gain and a loss, or no change at all."""
    return low <= 1 <= high


def judge_prediction(comparison: Comparison, low: float, high: float) -> Outcome:
    """A range that says little can be refuted, but it cannot hold."""
    weak: Outcome = "says little" if says_little(low, high) else "open"
    if comparison.low is None or comparison.high is None or not comparison.counts:
        return weak
    if comparison.high < low or high < comparison.low:
        return "refuted"
    return "held" if weak == "open" and low <= comparison.low and comparison.high <= high else weak


def lag_one(values: Sequence[float]) -> float | None:
    """The correlation of each value with the next: far from 0, the blocks are not independent."""
    array = np.asarray(values, dtype=float)
    if len(array) < 4 or np.ptp(array) == 0:
        return None
    return float(np.corrcoef(array[:-1], array[1:])[0, 1])


@dataclass(frozen=True)
class Spread:
    """Of all repetitions of all blocks. The interval is that of the median over the blocks; it is no spread."""

    n: int
    median: float
    low: float | None
    high: float | None
    mean: float
    sd: float
    sd_within: float | None  # of repetitions inside a process; None for one
    sd_between: float | None  # of the processes' means; None for one
    minimum: float
    maximum: float


def spread(blocks: Sequence[Sequence[float]]) -> Spread:
    """`blocks` holds the repetitions of each block."""
    table = np.asarray(blocks, dtype=float)
    medians = np.median(table, axis=1).tolist()
    interval = sign_interval(medians)
    return Spread(
        n=len(table),
        median=statistics.median(medians),
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        mean=float(table.mean()),
        sd=float(table.std(ddof=1)) if table.size > 1 else 0.0,
        sd_within=float(np.sqrt(table.var(axis=1, ddof=1).mean())) if table.shape[1] > 1 else None,
        sd_between=float(table.mean(axis=1).std(ddof=1)) if len(table) > 1 else None,
        minimum=float(table.min()),
        maximum=float(table.max()),
    )


def mean_sd(samples: Sequence[float]) -> MeanSd:
    """In nanoseconds; of one value the deviation is 0."""
    values = np.asarray(samples, dtype=float)
    sd = values.std(ddof=1) if len(values) > 1 else 0.0
    return MeanSd(mean_ns=round(float(values.mean()), 2), sd_ns=round(float(sd), 2))


def calls(samples: Sequence[float]) -> Calls:
    """The single calls of a process, in nanoseconds, summed up."""
    values = np.asarray(samples, dtype=float)
    if not len(values) or not (np.isfinite(values) & (values > 0)).all():
        raise ValueError("Times of calls are finite and above 0, and there is at least one.")
    low, high = float(values.min()), float(values.max())
    places = np.zeros(len(values)) if low == high else np.log(values / low) / math.log(high / low) * BINS
    histogram = np.bincount(np.minimum(places.astype(int), BINS - 1), minlength=BINS)
    found = mean_sd(samples)
    return Calls(
        count=len(values),
        mean_ns=found.mean_ns,
        sd_ns=found.sd_ns,
        min_ns=low,
        max_ns=high,
        quantiles_ns=[round(float(value), 2) for value in np.quantile(values, QUANTILES)],
        histogram=histogram.tolist(),
    )


def median_call(found: Calls) -> float:
    return found.quantiles_ns[QUANTILES.index(0.5)]


@dataclass(frozen=True)
class Share:
    """With its exact 95 % interval (Clopper and Pearson)."""

    k: int
    n: int
    low: float
    high: float


def share(hits: Sequence[bool]) -> Share:
    k, n = sum(hits), len(hits)
    low = betaincinv(k, n - k + 1, ALPHA / 2) if k else 0
    high = betaincinv(k + 1, n - k, 1 - ALPHA / 2) if k < n else 1
    return Share(k, n, float(low), float(high))
