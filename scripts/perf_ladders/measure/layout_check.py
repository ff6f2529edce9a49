"""How much does a time depend on where the linker puts the code? Stages of different kinds are linked again and again,
with their objects in another order and behind a gap of another size, and each link is compared with the first."""

from __future__ import annotations

import math
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.machine import identity, topology
from perf_ladders.machine.alone import alone
from perf_ladders.measure import pairs, relink
from perf_ladders.measure.assemble import compiler
from perf_ladders.measure.runner import Runner, progress_bar, workloads_of
from perf_ladders.measure.session import made_now
from perf_ladders.model.layout_check import LayoutCheck, LayoutOfStage
from perf_ladders.tree import files
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.planner import LAYOUT_STAGES

LEVEL = "x86-64-v3"
LINKS, ROUNDS = 20, 20


def run(build: Build, console: Console) -> LayoutCheck:
    seed, cpu = secrets.randbelow(2**32), topology.cpu_to_pin()
    stages = [_program(build, *stage) for stage in LAYOUT_STAGES]
    found = []
    with alone(), progress_bar(console) as progress, files.scratch() as folder:
        task = progress.add_task("Layout", total=2 * LINKS * len(stages))
        for number, program in enumerate(stages):
            generator = np.random.default_rng([seed, number])
            progress.update(task, description=program.id)
            first = relink.linked(build, program, folder / "first", generator)
            name = workloads_of(program)[0].name
            slice_ms = pairs.slices_for(Runner.of(program), [name], cpu, generator)
            ratios: dict[bool, list[float]] = {False: [], True: []}
            for place in range(LINKS):
                for again in (False, True):
                    other = folder / f"other-{place}"
                    shutil.copy(first, other) if again else relink.linked(build, program, other, generator)
                    ratios[again].append(_ratio(program, (first, other), slice_ms, cpu, generator))
                    other.unlink()
                    progress.advance(task)
                    progress.refresh()
            found.append(LayoutOfStage(program=program.id, workload=name, links=ratios[False], copies=ratios[True]))
    return LayoutCheck(
        made=made_now(),
        machine=identity.describe(),
        compilers=[compiler(build)],
        rounds=ROUNDS,
        seed=seed,
        stages=found,
    )


def _program(build: Build, case: str, slug: str) -> Program:
    for one in build.programs:
        is_it = (one.case, one.kind, one.level) == (case, "stage", LEVEL) and one.source.parent.name[3:] == slug
        if is_it and not one.cannot:
            return one
    raise UserError(f"There is no program of the stage {slug} of {case} at {LEVEL} that runs here.", code=77)


def _ratio(
    program: Program, links: tuple[Path, Path], slice_ms: Mapping[str, float], cpu: int, generator: np.random.Generator
) -> float:
    """How many times as fast the second is, by the median of the rounds."""
    one, two = (Runner.of(replace(program, path=path)) for path in links)
    values = [pairs.measured(one, two, [*slice_ms], slice_ms, cpu, generator)[0].d for _ in range(ROUNDS)]
    return round(math.exp(float(np.median(values))), 6)
