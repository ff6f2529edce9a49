"""Measures what the page on statistics needs besides the blocks: one program against itself, in the document's way and
in ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from perf_ladders import measure
from perf_ladders.catalogue import Build, Case
from perf_ladders.measure import Design, Part, Runner, Session

IN_A_ROW = 100  # experiments in the document's way
NAMES = ("one", "other", "control")
_BLOCKS = 20  # of an experiment in ours, as in a report


def measured(
    case: Case, runners: Sequence[Runner], workload: str, design: Design, builds: Sequence[Build], begun: Session
) -> dict[str, Any]:
    """At the highest level that runs; nothing where the case teaches nothing, or is not measured as a whole."""
    if case.lesson is None or not design.lesson_experiments:
        return {}
    lesson = case.lesson
    mine = [runner.program for runner in runners if runner.name == lesson.identical]
    program = [program for program in mine if program.compiler == builds[0].compiler["name"]][-1]
    same = [Runner(program, name) for name in NAMES]
    begun.expect(2 * IN_A_ROW + design.lesson_experiments * _BLOCKS * len(same))
    calls = replace(design, latency_samples=lesson.warm_up + lesson.rounds)

    def rounds_of(runner: Runner) -> dict[str, float]:
        counted = measure.latency(runner, calls)[lesson.warm_up :]
        begun.progress.advance(begun.task)
        return {"mean_ns": float(np.mean(counted)), "sd_ns": float(np.std(counted, ddof=1))}

    begun.progress.update(begun.task, description="A program against itself, one after the other")
    in_a_row = [
        begun.journal.once(f"in a row/{number}", lambda: [rounds_of(runner) for runner in same[:2]])
        for number in range(IN_A_ROW)
    ]
    parts = [Part(f"against itself {number + 1}", [workload], _BLOCKS) for number in range(design.lesson_experiments)]
    experiments = []
    for part in parts:
        if not begun.console.is_terminal:
            begun.console.print(f"{part.name} of {len(parts)}")
        experiments.append(begun.blocks(same, part, design, builds[0], lines=False))
    found = {"runner": program.id, "workload": workload, "in_a_row": in_a_row, "experiments": experiments}
    return {"against_itself": found}
