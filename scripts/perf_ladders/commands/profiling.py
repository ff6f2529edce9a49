"""What `profile` shows of a stage: where its time goes, beside the stage that it builds on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from rich.console import Console

from perf_ladders.commands import measuring
from perf_ladders.evidence.collect import Context, callgrind_file, collect, perf_file
from perf_ladders.evidence.instructions import VALGRIND_LEVEL
from perf_ladders.machine import speed, topology
from perf_ladders.machine.alone import alone
from perf_ladders.measure.journal import Journal, kept_when_stopped
from perf_ladders.measure.runner import Plan, Runner, progress_bar, runnable, single_calls, workloads_of
from perf_ladders.model.evidence import Evidence
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.paths import LOCAL_REPORTS, shown

_PROFILED_CALLS = 200  # timed to know how long to sample


@dataclass(frozen=True)
class Profiled:
    runner: Runner
    evidence: Evidence
    call_ns: float  # the median of single calls of the first workload
    base: Profiled | None = None  # the stage that it builds on, at the same level with the same compiler

    @property
    def commands(self) -> list[str]:
        """That open the files which callgrind and perf left."""
        folder, program = measuring.PROFILES, self.runner.program
        callgrind, perf = callgrind_file(folder, program), perf_file(folder, program)
        lines = [(callgrind, f"kcachegrind {shown(callgrind)}"), (perf, f"perf report -i {shown(perf)}")]
        return [line for path, line in lines if path.exists()]


def profiled(
    case: Case, stage: Stage, builds: Sequence[Build], levels: Sequence[str] | None, console: Console
) -> list[Profiled]:
    """The evidence of one stage's programs and of its base's; callgrind's and perf's files stay in
    reports/local/profile. Without `levels` of the highest level up to which all tools see all instructions."""
    mine = measuring.programs_of(stage, builds, levels or [_profiled_level(measuring.programs_of(stage, builds, None))])
    base = case.base(stage)
    there = {(one.level, one.compiler) for one in mine}
    others = [] if base is None else [one for build in builds for one in build.programs if one.name == base.name]
    others = [one for one in runnable(others)[0] if (one.level, one.compiler) in there]
    runners = [Runner.of(program) for program in (*mine, *others)]
    plan = Plan(cpu=topology.cpu_to_pin(), calls=_PROFILED_CALLS)
    journal = Journal(LOCAL_REPORTS / f"{stage.name}.profile", plan, [], runners)
    workloads = workloads_of(runners[0].program)
    with alone(), kept_when_stopped(journal), progress_bar(console) as progress:
        call_ns = {runner.id: float(np.median(single_calls(runner, plan))) for runner in runners}
        clock = speed.clock_ghz(builds[0], plan.cpu)
        context = Context(case.symbols, workloads, call_ns, clock, plan.cpu, measuring.PROFILES)
        found = collect(runners, builds, context, journal, progress.track)
    journal.delete()
    made = [Profiled(runner, found[runner.id], call_ns[runner.id]) for runner in runners]
    bases = {(one.runner.about.level, one.runner.about.compiler): one for one in made[len(mine) :]}
    return [
        replace(one, base=bases.get((one.runner.about.level, one.runner.about.compiler))) for one in made[: len(mine)]
    ]


def _profiled_level(programs: Sequence[Program]) -> str:
    names = [one.level for one in programs]
    return VALGRIND_LEVEL if VALGRIND_LEVEL in names else names[-1]
