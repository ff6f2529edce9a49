"""A test that may stop at any round: is one program faster than another by more than a threshold, or alike within one?

Each round gives one value, d = ln(time of the base) - ln(time of the other). A count of the rounds with d above a
threshold is tested against a fair coin by a sign e-process: a bet whose stake E grows only if the count leaves one
half. E is above 1 / a with a probability of at most a, at whatever round one looks, so that looking after each round
costs nothing. No distribution of d is assumed. docs/method.md says why it is done in this way.
"""

from __future__ import annotations

import math
import operator
import statistics
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, count

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaln

from perf_ladders import stats
from perf_ladders.stats import ALPHA, Comparison, Verdict

FLOOR, ALIKE = math.log1p(stats.MIN_FLOOR), math.log1p(stats.ALIKE)
FIRST_ROUNDS, CAP = 12, 60  # no verdict is given before the one; nothing undecided goes on after the other,
MOST_ROUNDS = 180  # unless more are asked for, and then up to this
SPAN_S = 5.0  # that the rounds behind a verdict span: a disturbance that outlasts it would favour one side


@cache
def evidence(hits: int, rounds: int) -> float:
    """The logarithm of E for so many hits: the average, over all coins that favour hits, of how well they bet.

    E = 2^n * 2 * B(k + 1, n - k + 1) * P(Beta(k + 1, n - k + 1) > 1/2)
    """
    a, b = hits + 1, rounds - hits + 1
    tail = float(betainc(b, a, 0.5))  # P(Beta(a, b) > 1/2), by symmetry
    if tail == 0:
        return -math.inf
    return float((rounds + 1) * math.log(2) + betaln(a, b) + math.log(tail))


def won(hits: Sequence[bool] | NDArray[np.bool_], comparisons: int) -> bool:
    """Whether the count ever reached the evidence that `comparisons` held together ask for."""
    every = hits if isinstance(hits, list) else np.asarray(hits).tolist()  # so few that arrays would be slower
    return any(map(operator.ge, accumulate(every), _least_hits(len(every), comparisons)))


@cache
def _least_hits(rounds: int, comparisons: int) -> list[int]:
    """After each round the least count that has this evidence, which grows with the count; more than all where none
    has."""
    asked = math.log(2 * comparisons / ALPHA)
    found, least = [], 0
    for n in range(1, rounds + 1):
        while least <= n and evidence(least, n) < asked:  # one more round never makes fewer hits enough
            least += 1
        found.append(least)
    return found


@cache
def fewest_rounds(comparisons: int) -> int:
    """That can give a verdict, if all of them agree."""
    return next(n for n in count(FIRST_ROUNDS) if won([True] * n, comparisons))


def above(values: Sequence[float], limit: float, comparisons: int = 1) -> bool | None:
    """Whether d lies above the limit; None while that is not decided, by the rules of every verdict."""
    d = np.asarray(values, dtype=float)
    more, less = won(d > limit, comparisons), won(d < limit, comparisons)
    return more if more != less and len(d) >= FIRST_ROUNDS else None


def decided(values: Sequence[float], comparisons: int = 1) -> bool:
    """Whether `decide` gives a verdict, without the work of an interval; it gives none where the times changed."""
    return len(values) >= FIRST_ROUNDS and _verdict(np.asarray(values, dtype=float), comparisons) != "undecided"


def decide(values: Sequence[float], comparisons: int = 1, gate: bool = True) -> Comparison:
    """`values`: d of each round, in order. Replayed, the same values give the same verdict. The interval is the
    confidence sequence: it holds at all rounds together. Where the gate is closed, for the A/A control failed, nothing
    is decided."""
    d = np.asarray(values, dtype=float)
    if not len(d):
        raise ValueError("No round was measured.")
    low, high = confidence_sequence(d, comparisons)
    changed = low > high
    counts = gate and not changed and len(d) >= FIRST_ROUNDS
    return Comparison(
        ratio=math.exp(statistics.median(d.tolist())),
        low=None if math.isinf(low) else math.exp(low),
        high=None if math.isinf(high) else math.exp(high),
        verdict=_verdict(d, comparisons) if counts else "undecided",
        rounds=len(d),
        least_rounds=fewest_rounds(comparisons),
        confidence=1 - ALPHA / comparisons,
        changed=changed,
        counts=counts,
    )


def _verdict(d: NDArray[np.float64], comparisons: int) -> Verdict:
    up, down = won(d > FLOOR, comparisons), won(d < -FLOOR, comparisons)
    below, above = won(d < ALIKE, comparisons), won(d > -ALIKE, comparisons)
    if up and down:  # the times changed
        return "undecided"
    if up:
        return "slightly faster" if below else "faster"
    if down:
        return "slightly slower" if above else "slower"
    return "same" if below and above else "undecided"


def confidence_sequence(d: NDArray[np.float64], comparisons: int) -> tuple[float, float]:
    """All medians that no round has rejected; the ends are among the values, or infinite."""
    return _lower_end(d, comparisons), -_lower_end(-d, comparisons)


def _lower_end(d: NDArray[np.float64], comparisons: int) -> float:
    """A median of at most c is rejected where d > c was won. That count only falls as c rises, so bisect for the last
    c; between two neighbouring values the count is the same, so the rejection goes up to the next value."""
    values = d.tolist()
    ordered = sorted(set(values))
    ends = [-math.inf, *ordered[:-1]]  # c just at these: all c up to the next value have this count
    left, right = 0, len(ends)
    while left < right:
        middle = (left + right) // 2
        if won([value > ends[middle] for value in values], comparisons):
            left = middle + 1
        else:
            right = middle
    return -math.inf if left == 0 else ordered[left - 1]
