"""Which earlier stage is the fastest at each size? The closing stage is compared with it, so a short trial finds it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace

from perf_ladders.measure import pairs
from perf_ladders.measure.runner import Runner
from perf_ladders.measure.session import Session
from perf_ladders.measure.steps import OTHERS, ladders
from perf_ladders.model.measurement import Step
from perf_ladders.sequential import FIRST_ROUNDS
from perf_ladders.tree.catalogue import Case


def with_best(
    case: Case, runners: Sequence[Runner], steps: Sequence[Step], names: Sequence[str], begun: Session
) -> list[Step]:
    """The steps, and those of each closing stage over the best earlier one on these workloads. Where rounds are too few
    for a verdict, nothing is added."""
    rounds = begun.plan.other_rounds
    found = {(step.part, step.base, step.stage, step.of): step for step in steps}
    for ladder in ladders(case, runners) if rounds >= FIRST_ROUNDS else ():
        closing = ladder.closing.id
        trial = partial(_trial, ladder.earlier, names, begun)
        best = begun.journal.once(f"best earlier/{closing}", trial, dict[str, str])
        for base in dict.fromkeys(best.values()):
            step = found.get((OTHERS, base, closing, "time")) or Step(
                part=OTHERS, base=base, stage=closing, workloads=[], together=ladder.together, rounds=rounds
            )
            asked = [name for name in names if name in step.workloads or best[name] == base]
            begun.expect(len(asked) - len(step.workloads))
            found[OTHERS, base, closing, "time"] = replace(step, workloads=asked)
    return [*found.values()]


def _trial(runners: Sequence[Runner], names: Sequence[str], begun: Session) -> dict[str, str]:
    """By workload the program with the least slice; empty where there is no earlier stage."""
    generator, cpu = np.random.default_rng(begun.seed), begun.plan.cpu
    found = {}
    for name in names if runners else ():
        begun.describe(f"Looking for the best earlier stage: {name}")
        least = {one.id: min(pairs.alone(one, name, pairs.SLICE_MS, cpu, generator)) for one in runners}
        found[name] = min(least, key=lambda one: least[one])
    return found
