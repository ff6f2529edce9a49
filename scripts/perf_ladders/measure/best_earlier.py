"""Which earlier stage is the fastest on each workload? A short trial finds it for the closing stage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace

from perf_ladders.measure import pairs
from perf_ladders.measure.runner import Runner
from perf_ladders.measure.session import Session
from perf_ladders.measure.steps import MAIN, OTHERS, ladders
from perf_ladders.model.measurement import Step
from perf_ladders.sequential import FIRST_ROUNDS
from perf_ladders.tree.catalogue import Case


def with_best(
    case: Case, runners: Sequence[Runner], steps: Sequence[Step], names: Sequence[str], begun: Session
) -> list[Step]:
    """The steps, and those of each closing stage over the best earlier one on these workloads, each in the part that
    has the control. Where rounds are too few for a verdict, nothing is added."""
    rounds = begun.plan.other_rounds
    found = {(step.part, step.base, step.stage, step.of): step for step in steps}
    for ladder in ladders(case, runners) if rounds >= FIRST_ROUNDS else ():
        closing = ladder.closing.id
        trial = partial(_trial, ladder.earlier, names, begun)
        best = begun.journal.once(f"best earlier stage/{closing}", trial, dict[str, str])
        control = ladder.reference.id, ladder.control.id
        parts = {name: step.part for step in steps if (step.base, step.stage) == control for name in step.workloads}
        for base in dict.fromkeys(best.values()):
            pair = [step for step in steps if {step.base, step.stage} == {base, closing} and step.of == "time"]
            taken = {name for step in pair for name in step.workloads}
            asked = [name for name in names if best[name] == base and name not in taken]
            begun.expect(len(asked))
            for part, most in ((MAIN, begun.plan.rounds), (OTHERS, rounds)):
                if more := [name for name in asked if parts.get(name, OTHERS) == part]:
                    step = found.get((part, base, closing, "time")) or Step(
                        part=part, base=base, stage=closing, workloads=[], together=ladder.together, rounds=most
                    )
                    found[part, base, closing, "time"] = replace(step, workloads=[*step.workloads, *more])
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
