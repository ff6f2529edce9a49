"""What the pages on statistics show: a field of contenders judged by means, by means and spread, and in rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from perf_ladders import sequential, stats
from perf_ladders.measure.aa_test import NAMES
from perf_ladders.model.measurement import AATest, Block, MeanSd
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, OfLadder
from perf_ladders.results.times import repetitions_of
from perf_ladders.stats import Comparison, Share
from perf_ladders.tree.case_file import Lesson

_APART = (0.01, 0.05)  # by which two means may differ before somebody speaks of it
_OUTCOME: dict[stats.Verdict, str] = {
    "faster": "shown",
    "slightly faster": "shown",
    "same": "the same",
    "same code": "the same",
    "undecided": "left open",
    "slightly slower": "the other way round",
    "slower": "the other way round",
}
_OPPOSITE: dict[stats.Verdict, stats.Verdict] = {
    "faster": "slower",
    "slightly faster": "slightly slower",
    "slightly slower": "slightly faster",
    "slower": "faster",
}


@dataclass(frozen=True)
class Contender:
    name: str
    title: str
    is_stage: bool
    mean: float
    sd: float
    rank: int
    rank_in_rounds: int
    median: float
    least: list[float]  # nanoseconds, of each process
    cells: list[Comparison | None]


@dataclass(frozen=True)
class Pair:
    """`first` has the lower mean; `judged` says how many times faster it is in rounds."""

    first: str
    second: str
    by_means: float
    overlap: bool
    judged: Comparison

    @property
    def outcome(self) -> str:
        return _OUTCOME[self.judged.verdict]


@dataclass(frozen=True)
class Field(OfLadder):
    """The contenders of one ladder in the order of their means, and what each way says of every two of them."""

    contenders: list[Contender]
    pairs: list[Pair]
    pair: Pair | None  # the document's; None where one of the two was not measured on this ladder
    rounds: int
    min_rounds: int  # before which there is no verdict

    def of(self, outcome: str) -> list[Pair]:
        return [pair for pair in self.pairs if pair.outcome == outcome]

    @property
    def overlapping(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair.overlap]

    @property
    def told_in_rounds(self) -> int:
        """Of the pairs whose standard deviations overlap."""
        return sum(pair.judged.differs for pair in self.overlapping)


@dataclass(frozen=True)
class Judge:
    design: str
    judge: str
    share: Share


@dataclass(frozen=True)
class Identical:
    """The program against itself: how often each way of judging calls one of the two faster."""

    program: str
    workload: str
    experiments: int
    amount: str
    in_a_row: int
    lines: list[Judge]
    means_apart: list[float]
    rounds_apart: list[float]
    apart: float = _APART[0]  # the difference of two means that the page begins with

    @property
    def cries(self) -> Judge:
        """How often means differ by that."""
        return next(line for line in self.lines if line.judge == _more_than(self.apart))

    @property
    def furthest(self) -> float:
        return max(max(ratio, 1 / ratio) for ratio in self.means_apart)

    @property
    def furthest_rounds(self) -> float:
        return max(max(ratio, 1 / ratio) for ratio in self.rounds_apart)


@dataclass(frozen=True)
class Section:
    lesson: Lesson
    fields: list[Field]
    chosen: Field
    identical: Identical


def section(analysis: Analysis) -> Section | None:
    lesson, test = analysis.case.lesson, analysis.measurement.aa_test
    if lesson is None or test is None:
        return None
    highest = queries.highest(analysis)[0]
    fields = {ladder: _field(analysis, lesson, test, ladder) for ladder in analysis.ladders}
    return Section(lesson, list(fields.values()), fields[highest], identical(analysis, test))


def identical(analysis: Analysis, test: AATest) -> Identical:
    from scipy.stats import ttest_ind_from_stats  # takes a second to import

    in_a_row = [(one, two) for one, two in test.in_a_row]
    pairs = _max_pairs(analysis)
    experiments = [_min_times(blocks, test.workload) for blocks in test.experiments]

    def in_blocks(experiment: Mapping[str, Sequence[float]], floor: float, comparisons: int) -> Comparison:
        return stats.compare(experiment[NAMES[0]], experiment[NAMES[1]], floor, comparisons)

    def welch(one: MeanSd, two: MeanSd) -> bool:
        count = test.count
        found = ttest_ind_from_stats(one.mean_ns, one.sd_ns, count, two.mean_ns, two.sd_ns, count, equal_var=False)
        return bool(found.pvalue < stats.ALPHA)

    judges: list[tuple[str, Callable[[MeanSd, MeanSd], bool]]] = [
        ("the lower mean is the faster one", lambda one, two: one.mean_ns != two.mean_ns),
        *((_more_than(by), _apart_by(by)) for by in _APART),
        ("Welch's t-test on the rounds, at 5 %", welch),
        ("means more than their standard deviations apart", lambda one, two: not _overlap(one, two)),
    ]
    lines = [
        Judge("one after the other", said, stats.share([judge(*pair) for pair in in_a_row])) for said, judge in judges
    ]
    ways: dict[str, list[Comparison]]
    if test.rounds:
        what = f"{len(test.rounds[0])} rounds of pairs"
        ways = {
            f"the verdict of {count} comparison{'s' if count > 1 else ''}": [
                sequential.decide(one, count) for one in test.rounds
            ]
            for count in (1, pairs)
        }
    else:
        what = f"{len(test.experiments[0])} fixed blocks"
        ways = {
            "interval of one comparison, no floor": [in_blocks(one, 0.0, 1) for one in experiments],
            f"interval of {pairs} comparisons and floor": [in_blocks(one, _floor(one), pairs) for one in experiments],
        }
    for said, found in ways.items():
        lines.append(Judge(what, said, stats.share([one.differs for one in found])))
    first = next(iter(ways.values()))
    return Identical(
        program=test.program,
        workload=test.workload,
        experiments=len(first),
        amount=what,
        in_a_row=len(in_a_row),
        lines=lines,
        means_apart=[one.mean_ns / two.mean_ns for one, two in in_a_row],
        rounds_apart=[one.ratio for one in first],
    )


def _field(analysis: Analysis, lesson: Lesson, test: AATest, ladder: Ladder) -> Field:
    programs = [one for one in analysis.ladders[ladder] if one.kind != "variant" and one.id in test.calls]
    means = {analysis.name[one.id]: test.calls[one.id] for one in programs}
    least = {analysis.name[one.id]: analysis.times.least(one.id, analysis.first) for one in programs}
    judged = analysis.pairwise(ladder)
    judged |= {(second, first): _turned(found) for (first, second), found in judged.items()}
    order = sorted(means, key=lambda name: means[name].mean_ns)
    beaten_by = Counter(base for (base, _), found in judged.items() if found.is_faster)
    pairs = [_pair(first, second, means, judged[second, first]) for first, second in combinations(order, 2)]
    titles, stages = queries.titles(analysis), {stage.name for stage in analysis.stages}
    contenders = [
        Contender(
            name=name,
            title=titles[name],
            is_stage=name in stages,
            mean=means[name].mean_ns,
            sd=means[name].sd_ns,
            rank=place,
            rank_in_rounds=1 + beaten_by[name],
            median=float(np.median(least[name])),
            least=least[name],
            cells=[None if other == name else judged[other, name] for other in order],
        )
        for place, name in enumerate(order, 1)
    ]
    return Field(
        *ladder,
        contenders=contenders,
        pairs=pairs,
        pair=next((one for one in pairs if {one.first, one.second} == {*lesson.pair}), None),
        rounds=min((found.judged.rounds for found in pairs), default=0),
        min_rounds=analysis.times.min_rounds(len(pairs)),
    )


def _pair(first: str, second: str, means: Mapping[str, MeanSd], judged: Comparison) -> Pair:
    by_means = means[second].mean_ns / means[first].mean_ns
    return Pair(first, second, by_means, _overlap(means[first], means[second]), judged)


def _overlap(one: MeanSd, two: MeanSd) -> bool:
    """Within one standard deviation of each: as the spread is usually read."""
    return abs(one.mean_ns - two.mean_ns) <= one.sd_ns + two.sd_ns


def _turned(found: Comparison) -> Comparison:
    """The same comparison, seen from the other side."""
    low, high = (None if end is None else 1 / end for end in (found.high, found.low))
    return replace(
        found, ratio=1 / found.ratio, low=low, high=high, verdict=_OPPOSITE.get(found.verdict, found.verdict)
    )


def _max_pairs(analysis: Analysis) -> int:
    counts = [[one.kind != "variant" for one in programs].count(True) for programs in analysis.ladders.values()]
    return max(count * (count - 1) // 2 for count in counts)


def _min_times(blocks: Sequence[Block], workload: str) -> dict[str, list[float]]:
    """By the name under which the program ran: for each block the minimum repetition."""
    return {
        name.split(".")[0]: [min(block) for block in times]
        for (name, timed), times in repetitions_of(blocks).items()
        if timed == workload
    }


def _floor(experiment: Mapping[str, Sequence[float]]) -> float:
    return stats.floor_between(experiment[NAMES[0]], experiment[NAMES[2]])


def _more_than(share: float) -> str:
    return f"means more than {share:.0%} apart"


def _apart_by(share: float) -> Callable[[MeanSd, MeanSd], bool]:
    return lambda one, two: max(one.mean_ns, two.mean_ns) / min(one.mean_ns, two.mean_ns) - 1 > share
