"""What follows from the trials in pairs of a self-check: wrong verdicts, differences that were found, and how soon."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from perf_ladders import sequential, stats
from perf_ladders.model.self_check import SelfCheck, Trial
from perf_ladders.stats import Share

SOON_S = 10.0  # within which a large difference should be found


@dataclass(frozen=True)
class Line:
    """Trials of one kind."""

    noisy: bool
    workload: str
    ratio: float  # how many times as fast the second program is by its work; 1 for the same code
    moved: bool  # the same code at two addresses: where it lies may make a true difference
    wrong: Share  # the same code called different, or the slower program called faster
    found: Share | None  # called faster; None for the same code
    soon: Share | None  # called faster within SOON_S of measuring
    same: Share  # no difference over 2 %
    rounds: float | None  # until the verdict; the median of those that have one
    seconds: float | None


@dataclass(frozen=True)
class BiasLine:
    workload: str
    ratio: float  # how many times as fast a program is in alternating slices as alone
    low: float | None
    high: float | None


def lines(found: SelfCheck) -> list[Line]:
    work = {one.id: one.work for one in found.programs}
    kinds: dict[tuple[bool, str, float, bool], list[Trial]] = defaultdict(list)
    for trial in found.trials:
        ratio = work[trial.base] / work[trial.stage]
        kinds[trial.noisy, trial.workload, ratio, ratio == 1 and trial.base != trial.stage].append(trial)
    in_order = sorted(kinds, key=lambda kind: (*kind[2:], kind[0]))
    return [_line(*kind, kinds[kind], found.together) for kind in in_order]


def biases(found: SelfCheck) -> list[BiasLine]:
    every = []
    for one in found.biases:
        low, high = stats.sign_interval(one.d) or (None, None)
        ends = (None if end is None else math.exp(end) for end in (low, high))
        every.append(BiasLine(one.workload, math.exp(float(np.median(one.d))), *ends))
    return every


def _line(noisy: bool, workload: str, ratio: float, moved: bool, trials: Sequence[Trial], together: int) -> Line:
    decided = [*_decided(trials, together)]
    # A measurement ends soon after its first verdict: what later rounds of a trial say counts no more.
    verdicts = [
        sequential.decide(trial.d[:rounds], together) for trial, (rounds, _) in zip(trials, decided, strict=True)
    ]
    identical = ratio == 1
    faster = [one.is_faster for one in verdicts]
    soon = [one and seconds <= SOON_S for one, (_, seconds) in zip(faster, decided, strict=True)]
    known = [(rounds, seconds) for rounds, seconds in decided if math.isfinite(seconds)]
    return Line(
        noisy=noisy,
        workload=workload,
        ratio=ratio,
        moved=moved,
        wrong=stats.share([one.is_slower or (identical and one.is_faster) for one in verdicts]),
        found=None if identical else stats.share(faster),
        soon=None if identical else stats.share(soon),
        same=stats.share([one.verdict == "same" for one in verdicts]),
        rounds=float(np.median([rounds for rounds, _ in known])) if known else None,
        seconds=float(np.median([seconds for _, seconds in known])) if known else None,
    )


def _decided(trials: Sequence[Trial], together: int) -> Iterator[tuple[int, float]]:
    """The rounds and the seconds until the first verdict; without one all rounds, and infinitely many seconds."""
    for trial in trials:
        every = range(sequential.FIRST_ROUNDS, len(trial.d) + 1)
        first = next((count for count in every if sequential.decided(trial.d[:count], together)), None)
        yield (first or len(trial.d), trial.seconds * first / len(trial.d) if first else math.inf)
