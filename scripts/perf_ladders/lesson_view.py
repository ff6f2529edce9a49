"""What the pages on statistics show: a field of contenders judged by means, by means and spread, and in blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.stats import ttest_ind_from_stats

from perf_ladders import rungs, stats
from perf_ladders.lesson import NAMES
from perf_ladders.rows import Result, ladders, pairwise, times_of

View = dict[str, Any]

_APART = (0.01, 0.05)  # by which two means may differ before somebody speaks of it


@dataclass(frozen=True)
class Mean:
    """Of rounds in one process, one after the other, as the document measures."""

    mean: float
    sd: float

    def overlaps(self, other: Mean) -> bool:
        """Within one standard deviation of each: what 'look at the spread' usually comes to."""
        return abs(self.mean - other.mean) <= self.sd + other.sd


def section(result: Result) -> View | None:
    if "lesson" not in result:
        return None
    highest = rungs.highest(result)[0]
    fields = [_field(result, level, compiler) for level, compiler in ladders(result)]
    return {
        **result["lesson"],
        "fields": fields,
        "chosen": next(found for found in fields if (found["level"], found["compiler"]) == highest),
        "identical_page": identical(result),
    }


def identical(result: Result) -> View:
    """The program against itself: how often each way of judging calls one of the two faster."""
    found = result["lesson"]["against_itself"]
    in_a_row = [(_mean(one), _mean(two)) for one, two in found["in_a_row"]]
    rounds, pairs = result["lesson"]["rounds"], _most_pairs(result)
    experiments = [_least_times(blocks, found["workload"]) for blocks in found["experiments"]]

    def in_blocks(experiment: dict[str, list[float]], floor: float, comparisons: int) -> stats.Comparison:
        return stats.compare(experiment[NAMES[0]], experiment[NAMES[1]], floor, comparisons)

    def welch(one: Mean, two: Mean) -> bool:
        test = ttest_ind_from_stats(one.mean, one.sd, rounds, two.mean, two.sd, rounds, equal_var=False)
        return bool(test.pvalue < stats.ALPHA)

    judges: list[tuple[str, Callable[[Mean, Mean], bool]]] = [
        ("the lower mean is the faster one", lambda one, two: one.mean != two.mean),
        *((f"means more than {by:.0%} apart", _apart_by(by)) for by in _APART),
        ("Welch's t-test on the rounds, at 5 %", welch),
        ("means more than their standard deviations apart", lambda one, two: not one.overlaps(two)),
    ]
    lines = [
        {"design": "one after the other", "judge": said, "share": _share([judge(*pair) for pair in in_a_row])}
        for said, judge in judges
    ]
    for said, floors, comparisons in (
        ("interval of one comparison, no floor", [0.0] * len(experiments), 1),
        (f"interval of {pairs} comparisons and floor, as on the page", [_floor(one) for one in experiments], pairs),
    ):
        verdicts = [in_blocks(one, floor, comparisons).verdict for one, floor in zip(experiments, floors, strict=True)]
        cries = [verdict in ("faster", "slower") for verdict in verdicts]
        lines.append({"design": "shuffled blocks", "judge": said, "share": _share(cries)})
    naive = [one.mean / two.mean for one, two in in_a_row]
    blocks = [in_blocks(one, 0.0, 1).ratio for one in experiments]
    return {
        "program": found["runner"],
        "workload": found["workload"],
        "experiments": len(experiments),
        "blocks": len(found["experiments"][0]),
        "in_a_row": len(in_a_row),
        "lines": lines,
        "means_apart": naive,
        "blocks_apart": blocks,
        "furthest": max(max(ratio, 1 / ratio) for ratio in naive),
        "furthest_blocks": max(max(ratio, 1 / ratio) for ratio in blocks),
    }


def _field(result: Result, level: str, compiler: str) -> View:
    """The contenders of one ladder in the order of their means, and what each way says of every two of them."""
    lesson, workload = result["lesson"], result["workloads"][0]["name"]
    runners = [one for one in ladders(result)[level, compiler] if one["kind"] != "variant"]
    means = {one["stage"]: _counted(result["latency"][one["id"]], lesson) for one in runners}
    times = times_of(result["blocks"])
    blocks = {one["stage"]: [min(block) for block in times[one["id"], workload]] for one in runners}
    judged = pairwise(result, level, compiler)
    judged |= {(second, first): _turned(found) for (first, second), found in judged.items()}
    order = sorted(means, key=lambda name: means[name].mean)
    beaten_by = Counter(base for (base, _), found in judged.items() if found.verdict == "faster")
    pairs = [_pair(first, second, means, judged[second, first]) for first, second in combinations(order, 2)]
    contenders = [
        {
            "name": name,
            "title": rungs.titles(result)[name],
            "is_stage": any(stage["name"] == name for stage in result["stages"]),
            "mean": means[name].mean,
            "sd": means[name].sd,
            "rank": place,
            "rank_in_blocks": 1 + beaten_by[name],
            "median": float(np.median(blocks[name])),
            "blocks": blocks[name],
            "cells": [None if other == name else asdict(judged[other, name]) for other in order],
        }
        for place, name in enumerate(order, 1)
    ]
    return {
        "id": f"{level}.{compiler}",
        "level": level,
        "compiler": compiler,
        "contenders": contenders,
        "pairs": pairs,
        "pair": _documents(lesson["pair"], pairs),
        "blocks": min(len(found) for found in blocks.values()),
        "least_blocks": stats.least_blocks(len(pairs)),
        "count": {outcome: [one for one in pairs if one["outcome"] == outcome] for outcome in _OUTCOME.values()},
        "by_spread": _by_spread(pairs),
    }


_OUTCOME: dict[stats.Verdict, str] = {
    "faster": "shown",
    "same": "the same",
    "unresolved": "left open",
    "slower": "the other way round",
}


def _pair(first: str, second: str, means: dict[str, Mean], judged: stats.Comparison) -> View:
    """`first` has the lower mean; `judged` says how many times faster it is in blocks."""
    return {
        "first": first,
        "second": second,
        "by_means": means[second].mean / means[first].mean,
        "overlap": means[first].overlaps(means[second]),
        "judged": asdict(judged),
        "outcome": _OUTCOME[judged.verdict],
    }


def _documents(names: Sequence[str], pairs: Sequence[View]) -> View | None:
    """The document's pair; None where one of the two was not measured on this ladder."""
    return next((one for one in pairs if {one["first"], one["second"]} == {*names}), None)


def _by_spread(pairs: Sequence[View]) -> View:
    """Where standard deviations overlap, and what blocks say of those."""
    overlapping = [one for one in pairs if one["overlap"]]
    told = [one for one in overlapping if one["judged"]["verdict"] in ("faster", "slower")]
    return {"overlapping": len(overlapping), "told_in_blocks": len(told), "apart": len(pairs) - len(overlapping)}


def _counted(samples: Sequence[float], lesson: View) -> Mean:
    counted = np.asarray(samples[lesson["warm_up"] : lesson["warm_up"] + lesson["rounds"]], dtype=float)
    return Mean(float(counted.mean()), float(counted.std(ddof=1)))


def _mean(kept: View) -> Mean:
    return Mean(kept["mean_ns"], kept["sd_ns"])


def _turned(found: stats.Comparison) -> stats.Comparison:
    """The same comparison, seen from the other side."""
    opposite: dict[stats.Verdict, stats.Verdict] = {"faster": "slower", "slower": "faster"}
    low, high = (None if end is None else 1 / end for end in (found.high, found.low))
    return stats.Comparison(1 / found.ratio, low, high, opposite.get(found.verdict, found.verdict))


def _most_pairs(result: Result) -> int:
    counts = [[one["kind"] != "variant" for one in runners].count(True) for runners in ladders(result).values()]
    return max(count * (count - 1) // 2 for count in counts)


def _least_times(blocks: Sequence[View], workload: str) -> dict[str, list[float]]:
    """By the name under which the program ran: for each block the least repetition."""
    return {
        runner.split(".")[0]: [min(block) for block in times]
        for (runner, name), times in times_of(blocks).items()
        if name == workload
    }


def _floor(experiment: dict[str, list[float]]) -> float:
    return stats.floor_from(stats.compare(experiment[NAMES[0]], experiment[NAMES[2]], stats.LEAST_FLOOR, 1))


def _apart_by(share: float) -> Callable[[Mean, Mean], bool]:
    return lambda one, two: max(one.mean, two.mean) / min(one.mean, two.mean) - 1 > share


def _share(hits: list[bool]) -> View:
    return asdict(stats.share(hits))
