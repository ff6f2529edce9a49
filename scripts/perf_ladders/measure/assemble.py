"""Measures a case as it was planned, and makes one Measurement of it: all but the evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from perf_ladders import stats
from perf_ladders.machine import identity
from perf_ladders.measure import aa_test, apps, best_earlier, library_versions, pairs, rounds, whole
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.runner import MIN_MS, Plan, Runner, bench, single_calls
from perf_ladders.measure.session import Session, highest_rates, session
from perf_ladders.measure.sources import Sources
from perf_ladders.model.measurement import Calls, Compiler, Design, MeanSd, Measurement, Part, Step, Workload
from perf_ladders.model.record import LeftOut, Record
from perf_ladders.tree.build import Build
from perf_ladders.tree.case_file import Lesson
from perf_ladders.tree.catalogue import Case


class _SingleCalls(Record, kw_only=True):
    calls: Calls
    counted: MeanSd | None = None  # of those that count where a case teaches statistics


def measure(
    case: Case,
    builds: Sequence[Build],
    runners: Sequence[Runner],
    workloads: Sequence[Workload],
    steps: Sequence[Step],
    plan: Plan,
    left_out: Sequence[LeftOut],
    sources: Sources,
    journal: Journal,
    console: Console,
    tell: Callable[[str, rounds.Measured], None] | None = None,
) -> Measurement:
    """Every finished piece is on disk in `journal` before the next begins. Interrupted, the same call goes on from
    there."""
    expected = sum(len(step.workloads) for step in steps) + (2 + plan.whole_rounds) * len(runners)
    with session(journal, plan, builds[0], console, expected) as begun:
        slice_ms = _slices(runners, workloads, begun)
        steps = best_earlier.with_best(case, runners, steps, [one.name for one in workloads], begun)
        found = rounds.measured(begun, {runner.id: runner for runner in runners}, steps, slice_ms, tell)
        itself = aa_test.against_itself(case.lesson, runners, begun.build.compiler.name) if case.lesson else None
        lesson = case.lesson if plan.aa_experiments and itself else None
        calls = {runner.id: _calls(runner, lesson, begun) for runner in runners}
        clocked = {runner.id: _by_google_benchmark(runner, workloads[0].name, begun) for runner in runners}
        slowest = max(stats.median_call(one.calls) for one in calls.values())
        counted = {name: one.counted for name, one in calls.items() if one.counted}
        return Measurement(
            case=case.name,
            made=begun.made,
            machine=identity.describe(),
            compilers=[compiler(build) for build in builds],
            libraries=library_versions.versions(runners),
            design=Design(
                kind="pairs",
                seed=begun.seed,
                cpu=plan.cpu,
                repetitions=pairs.SLICES,
                steps=[*steps],
                slice_ms=slice_ms,
                links=case.links,
                calls=plan.calls,
                whole_rounds=plan.whole_rounds,
                app_rounds=plan.app_rounds,
            ),
            sources=sources.sources,
            files=sources.files,
            workloads=[*workloads],
            programs=[runner.about for runner in runners],
            left_out=[*left_out],
            rounds=found.rounds,
            pairs=found.pairs,
            slices=found.slices,
            calls={name: one.calls for name, one in calls.items()},
            benchmark=clocked,
            whole_programs=whole.measured(runners, slowest, begun),
            apps=apps.measured(case.commands if plan.app_rounds else [], runners, left_out, begun),
            rates=highest_rates(found.rates, max(rate for one in found.rounds for rate in one.operations_per_ns)),
            aa_test=aa_test.measured(lesson, itself, counted, workloads[0].name, slice_ms, begun)
            if lesson and itself
            else None,
        )


def _slices(runners: Sequence[Runner], workloads: Sequence[Workload], begun: Session) -> dict[str, float]:
    """Of the main workloads, by the last stage that runs on one core; the others take the shortest."""
    alone = [one for one in runners if one.about.kind == "stage" and not (one.program.threads or one.program.device)]
    names = [one.name for one in workloads if one.role == "main"]
    if not alone:
        return {}

    def trial() -> dict[str, float]:
        begun.describe("Choosing the length of a slice")
        return pairs.slices_for(alone[-1], names, begun.plan.cpu, np.random.default_rng(begun.seed))

    return begun.journal.once("slices", trial, dict[str, float])


def _calls(runner: Runner, lesson: Lesson | None, begun: Session) -> _SingleCalls:
    begun.describe(f"Timing single calls: {runner.id}")

    def summed_up() -> _SingleCalls:
        samples = single_calls(runner, begun.plan)
        return _SingleCalls(calls=stats.calls(samples), counted=aa_test.counted(samples, lesson) if lesson else None)

    found = begun.journal.once(f"calls/{runner.id}", summed_up, _SingleCalls)
    begun.advance()
    return found


def _by_google_benchmark(runner: Runner, workload: str, begun: Session) -> MeanSd:
    """A second clock, which knows nothing of slices."""
    begun.describe(f"Google Benchmark: {runner.id}")
    part = Part(name="Google Benchmark", workloads=[workload], blocks=1, min_ms=MIN_MS)

    def timed() -> MeanSd:
        return stats.mean_sd(bench(runner, 0, part, begun.plan).times_ns[workload])

    found = begun.journal.once(f"benchmark/{runner.id}", timed, MeanSd)
    begun.advance()
    return found


def compiler(build: Build) -> Compiler:
    return Compiler(
        name=build.compiler.name,
        version=build.compiler.version,
        command=Path(build.compiler.command).name,  # not where it lies, which may be somebody's home
        flags=build.compiler.flags,
        preset=build.preset,
        build_type=build.build_type,
        benchmark_version=build.benchmark_version,
        linker=build.linker or None,
        flags_of_level=build.flags,
    )
