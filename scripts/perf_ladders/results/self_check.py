"""What follows from the blocks of a self-check: how often each way of comparing calls identical programs different, and
how often it finds a true difference. docs/method.md shows the tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from perf_ladders import stats
from perf_ladders.model.measurement import Block
from perf_ladders.model.self_check import SelfCheck

Times = dict[str, list[list[float]]]  # by program: the repetitions of each process


@dataclass(frozen=True)
class Experiment:
    blocks: Times
    usual: Times  # each program in one process, one after the other

    def minimum(self, name: str) -> list[float]:
        return [min(block) for block in self.blocks[name]]

    def pooled(self, name: str) -> list[float]:
        return [time for block in self.blocks[name] for time in block]


@dataclass(frozen=True)
class Judgement:
    verdict: stats.Verdict
    width: float | None  # of the interval, as a share


Judge = Callable[[Experiment, str, str], Judgement]  # of two programs, by name


@dataclass(frozen=True)
class Method:
    design: str
    test: str
    judge: Judge


@dataclass(frozen=True)
class Line:
    design: str
    test: str
    alarms: stats.Share  # of pairs of identical programs: called different
    found: stats.Share  # of true differences: the right one called faster
    width: float | None  # the median interval of identical pairs, as a share


@dataclass(frozen=True)
class Facts:
    """What the table does not show, from all blocks of all experiments together."""

    blocks: int
    pairs: int  # of identical programs
    shorter: stats.Comparison  # the true difference
    apart: stats.Comparison  # the two identical programs that are furthest apart
    apart_names: tuple[str, str]


class Judged:
    """The experiments of a self-check in blocks and in the usual way, judged: of the noisy ones, or of the others."""

    def __init__(self, found: SelfCheck, noisy: bool = False) -> None:
        self._names = {one.id: one.name for one in found.programs}
        self.same = [one.name for one in found.programs if one.kind == "same"]
        (self._control,) = (one.name for one in found.programs if one.kind == "control")
        (self._shorter,) = (one.name for one in found.programs if one.kind == "shorter")
        self._experiments = [
            Experiment(self._times(one.blocks), self._times([one.usual_way]))
            for one in found.experiments
            if one.noisy == noisy
        ]

    def _times(self, blocks: Sequence[Block]) -> Times:
        found: Times = {}
        for block in blocks:
            for run in block.runs:
                (times,) = run.times_ns.values()
                found.setdefault(self._names[run.program], []).append(times)
        return found

    @cached_property
    def table(self) -> list[Line]:
        lines = []
        for method in self._methods():
            pairs = combinations(self.same, 2)
            identical = [method.judge(one, *pair) for pair in pairs for one in self._experiments]
            different = [method.judge(one, self.same[0], self._shorter) for one in self._experiments]
            widths = [judgement.width for judgement in identical if judgement.width is not None]
            lines.append(
                Line(
                    method.design,
                    method.test,
                    stats.share([judgement.verdict in ("faster", "slower") for judgement in identical]),
                    stats.share([judgement.verdict == "faster" for judgement in different]),
                    float(np.median(widths)) if widths else None,
                )
            )
        return lines

    @cached_property
    def facts(self) -> Facts:
        pairs = list(combinations(self.same, 2))
        every = {
            name: [time for one in self._experiments for time in one.minimum(name)]
            for name in (*self.same, self._shorter)
        }
        against = {pair: stats.compare(every[pair[0]], every[pair[1]], 0, len(pairs)) for pair in pairs}
        furthest = max(pairs, key=lambda pair: abs(math.log(against[pair].ratio)))
        return Facts(
            blocks=len(every[self._shorter]),
            pairs=len(pairs),
            shorter=stats.compare(every[self.same[0]], every[self._shorter], 0, 1),
            apart=against[furthest],
            apart_names=furthest,
        )

    def _methods(self) -> list[Method]:
        together = len(self.same)  # all programs but the first are compared with it, as the steps of a ladder

        def interval(
            floor: Callable[[Experiment], float], comparisons: int
        ) -> Callable[[Experiment, str, str], Judgement]:
            def judge(one: Experiment, base: str, other: str) -> Judgement:
                found = stats.compare(one.minimum(base), one.minimum(other), floor(one), comparisons)
                width = None if found.low is None or found.high is None else found.high / found.low - 1
                return Judgement(found.verdict, width)

            return judge

        def none(one: Experiment) -> float:
            return 0

        blocks, many = "fixed blocks", f"interval of {together} comparisons"
        return [
            Method(
                "one after the other",
                "Mann-Whitney on repetitions",
                lambda one, base, other: _mann_whitney(one.usual[base][0], one.usual[other][0]),
            ),
            Method(
                blocks,
                "Mann-Whitney on all repetitions",
                lambda one, base, other: _mann_whitney(one.pooled(base), one.pooled(other)),
            ),
            Method(blocks, "interval of one comparison, no floor", interval(none, 1)),
            Method(blocks, f"{many}, no floor", interval(none, together)),
            Method(blocks, f"{many} and floor", interval(self._floor, together)),
        ]

    def _floor(self, one: Experiment) -> float:
        control = stats.compare(one.minimum(self.same[0]), one.minimum(self._control), stats.MIN_FLOOR, 1)
        return stats.floor_from(control)


def _mann_whitney(base: list[float], other: list[float]) -> Judgement:
    from scipy.stats import mannwhitneyu  # takes a second to import

    if mannwhitneyu(base, other, alternative="two-sided").pvalue >= stats.ALPHA:
        return Judgement("undecided", None)
    return Judgement("faster" if np.median(other) < np.median(base) else "slower", None)
