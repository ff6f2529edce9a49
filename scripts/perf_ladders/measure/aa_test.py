"""One program against itself, as the page on statistics needs it: calls in a row, as the source document compared
programs, and in pairs, as we do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from perf_ladders import stats
from perf_ladders.measure import pairs
from perf_ladders.measure.runner import Runner, single_calls
from perf_ladders.measure.session import Session
from perf_ladders.model.measurement import AATest, MeanSd
from perf_ladders.tree.case_file import Lesson

IN_A_ROW = 100  # experiments in the document's way
NAMES = ("one", "other", "control")  # of fixed blocks, which older measurements hold
_ROUNDS = 20  # of an experiment in ours


def counted(samples: Sequence[float], lesson: Lesson) -> MeanSd:
    """Of the calls that count, those after the first `warm_up`."""
    return stats.mean_sd(samples[lesson.warm_up : lesson.warm_up + lesson.rounds])


def against_itself(lesson: Lesson, runners: Sequence[Runner], compiler: str) -> Runner | None:
    """The lesson's program at the highest level that runs."""
    mine = [one for one in runners if one.about.kind == "stage" and one.program.name == lesson.identical]
    return next((one for one in reversed(mine) if one.about.compiler == compiler), None)


def measured(
    lesson: Lesson,
    runner: Runner,
    calls: dict[str, MeanSd],
    workload: str,
    slice_ms: Mapping[str, float],
    begun: Session,
) -> AATest:
    """`calls`: of every program, of its calls that count."""
    experiments = begun.plan.aa_experiments
    begun.expect(2 * IN_A_ROW + experiments)
    plan = replace(begun.plan, calls=lesson.warm_up + lesson.rounds)

    def experiment() -> list[MeanSd]:
        found = []
        for _ in range(2):
            found.append(counted(single_calls(runner, plan), lesson))
            begun.advance()
        return found

    begun.describe("A program against itself, one after the other")
    in_a_row = [begun.journal.once(f"in a row/{number}", experiment, list[MeanSd]) for number in range(IN_A_ROW)]

    def in_pairs() -> list[float]:
        generator, found = np.random.default_rng(), []
        for _ in range(_ROUNDS):
            found += [one.d for one in pairs.measured(runner, runner, [workload], slice_ms, plan.cpu, generator)]
        begun.advance()
        return found

    begun.describe("A program against itself, in pairs")
    rounds = [begun.journal.once(f"in pairs/{number}", in_pairs, list[float]) for number in range(experiments)]
    return AATest(
        program=runner.id,
        workload=workload,
        skip=lesson.warm_up,
        count=lesson.rounds,
        calls=calls,
        in_a_row=in_a_row,
        rounds=rounds,
    )
