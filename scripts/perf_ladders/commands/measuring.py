"""What commands that measure share: a case is checked, measured and looked into."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from rich.console import Console

from perf_ladders import lint, stats
from perf_ladders.errors import UserError
from perf_ladders.evidence import app_profile
from perf_ladders.evidence.collect import Context, collect
from perf_ladders.machine import identity, topology
from perf_ladders.machine.alone import WAITS, alone, expect_free
from perf_ladders.measure import machine_code, relink, steps
from perf_ladders.measure.assemble import measure
from perf_ladders.measure.checking import check
from perf_ladders.measure.journal import Journal, kept_when_stopped
from perf_ladders.measure.rounds import Measured
from perf_ladders.measure.runner import Plan, Runner, progress_bar, runnable, workloads_of
from perf_ladders.measure.sources import Sources, moved, sources_of
from perf_ladders.model.evidence import Evidence
from perf_ladders.model.measurement import Measurement, Step, Workload
from perf_ladders.model.record import LeftOut
from perf_ladders.results.times import clock_of
from perf_ladders.sequential import fewest_rounds
from perf_ladders.tree import source
from perf_ladders.tree.build import Build, Program, read_build
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.paths import LOCAL_REPORTS, ROOT, shown

PROFILES = LOCAL_REPORTS / "profile"
_WATCHED_S = 0.5  # to see what else is running


def measured(
    case: Case,
    builds: Sequence[Build],
    programs: list[Program],
    plan: Plan,
    levels: Sequence[str] | None,
    stem: Path,
    console: Console,
    more: bool = False,
    tell: Callable[[str, Measured], None] | None = None,
) -> tuple[Measurement, Journal]:
    """The measurement, and the journal that holds it until it is written somewhere else. `levels`: only these. `more`:
    a finished measurement goes on. `tell` hears of each part that is finished, and then one part comes first."""
    expect_free()
    before = source.files(case)
    expect_words([stage for stage in case.stages if any(program.name == stage.name for program in programs)], case)
    programs = _of_levels(case, builds, programs, levels)
    programs, cannot = runnable(programs)
    if not programs:
        raise UserError(cannot[0].reason, code=77)
    programs, failed = _checked(case, builds, programs, bool(plan.other_rounds), console)
    programs, unpaired = _beside_the_reference(case, programs)
    cannot += [*failed, *unpaired]
    runners = _with_links(case, builds, _runners(case, programs), console)
    workloads = workloads_of(programs[0])
    for sentence in lint.of_workloads(case, workloads):
        raise UserError(sentence)
    asked = {steps.FIRST: plan.rounds if tell else 0, steps.MAIN: plan.rounds, steps.OTHERS: plan.other_rounds}
    planned = steps.planned(case, runners, workloads, asked, lesson=bool(case.lesson and plan.aa_experiments))
    asked_of = {name for step in planned for name in step.workloads}
    timed = [one for one in workloads if one.name in asked_of]
    console.print(_announced(case, runners, planned, plan, cannot), markup=False)
    journal = Journal(stem, plan, planned, runners, case.commands if plan.app_rounds else [])
    if more:
        journal.reopen()
    now = sources_of(case, programs, before)
    sources = journal.once("sources", lambda: now, Sources)
    if sources != now:
        console.print(
            "Files of the case have changed since this measurement was begun; it goes on with the programs and hashes "
            f"of that time. To begin again: rm {shown(journal.path)}",
            style="yellow",
        )
    left_out = [*_unbuilt(case, builds), *cannot]
    found = measure(case, builds, runners, timed, planned, plan, left_out, sources, journal, console, tell)
    if said := moved(case, sources, found.made):
        console.print(said, style="yellow", markup=False)
    found.evidence = _evidence(case, builds, runners, workloads, found, journal, console)
    with (
        kept_when_stopped(journal),
        alone(_waiting(console)),
        console.status("Profiling the programs of the case ..."),
    ):
        commands = case.commands if found.apps else []
        profiles = app_profile.collect(commands, runners, builds, plan, journal)
    for app, of_app in zip(found.apps, profiles, strict=True):
        app.profiles = of_app
    return found, journal


def optimised(preset: str) -> Build:
    """A build that is worth measuring."""
    build = read_build(preset)
    if not re.search(r"-O[23]\b", build.compiler.flags):
        raise UserError(f"build/{preset} was compiled without optimisation: `make clean`, then try again.")
    return build


def expect_words(stages: Sequence[Stage], case: Case) -> None:
    """Complains about headlines and notes now, not after an hour."""
    for stage in stages:
        case.base(stage)
        assert stage.headline


def programs_of(stage: Stage, builds: Sequence[Build], levels: Sequence[str] | None) -> list[Program]:
    """Those of the stage that run here, of these levels."""
    every = [program for build in builds for program in build.programs if program.name == stage.name]
    can, cannot = runnable(every)
    if not can:
        unbuilt = [entry.reason for build in builds for entry in build.left_out if entry.name == stage.name]
        reasons = " ".join(dict.fromkeys([*unbuilt, *(entry.reason for entry in cannot)]))
        raise UserError(f"{stage.name} cannot run here: {reasons}", code=77)
    wanted = [program for program in can if program.level in (levels or [program.level])]
    if not wanted:
        has = ", ".join(dict.fromkeys(program.level for program in can))
        lacking = {program.level for program in every} - {program.level for program in can}
        code = 77 if lacking & {*(levels or [])} else 2
        raise UserError(f"{stage.name} does not run at {' or '.join(levels or [])}; it runs at {has}.", code=code)
    return wanted


def busy() -> list[str]:
    """A warning where something else is running."""
    before = topology.busy_ticks()
    time.sleep(_WATCHED_S)
    cpus = (topology.busy_ticks() - before) / _WATCHED_S / 100
    return [f"Other programs keep {cpus:.1f} CPUs busy: expect wide intervals."] if cpus > 0.3 else []


def _of_levels(
    case: Case, builds: Sequence[Build], programs: list[Program], levels: Sequence[str] | None
) -> list[Program]:
    known = [level for build in builds for level in build.flags]
    for level in levels or []:
        if level not in known:
            raise UserError(f"There is no level '{level}'; there are: {', '.join(dict.fromkeys(known))}.")
    found = [program for program in programs if not levels or program.level in levels]
    if not found:
        raise UserError(f"Nothing of {case.name} was built; `make build` says why.")
    return found


def _checked(
    case: Case, builds: Sequence[Build], programs: list[Program], whole_case: bool, console: Console
) -> tuple[list[Program], list[LeftOut]]:
    """Those that give right answers. In a report of the whole case an unfinished stage of the reader is left out."""
    own = {stage.name for stage in case.stages if stage.is_own} if whole_case else set()
    failed: list[LeftOut] = []
    for build in builds:
        mine = [program for program in programs if program.compiler == build.compiler.name]
        for program, sentence in check(mine, ROOT / "build" / build.preset, console):
            if program.name not in own:
                raise UserError(sentence, code=1)
            programs = [one for one in programs if one is not program]
            failed.append(LeftOut(name=Runner.of(program).id, reason=sentence))
            console.print(sentence, style="yellow", markup=False)
    return programs, failed


def _beside_the_reference(case: Case, programs: list[Program]) -> tuple[list[Program], list[LeftOut]]:
    """Those of the levels and compilers that have it, and why the others are left out."""
    reference = f"{case.name}-00"
    ladders = {(program.level, program.compiler) for program in programs if program.name == reference}
    if not ladders:
        raise UserError(
            f"{reference} was not built or does not run here, and everything is compared with it: `make build`."
        )
    why = f"there is no {reference} to compare with"
    unpaired = [one for one in programs if (one.level, one.compiler) not in ladders]
    return (
        [program for program in programs if (program.level, program.compiler) in ladders],
        [LeftOut(name=Runner.of(one).id, reason=why) for one in unpaired],
    )


def _runners(case: Case, programs: Sequence[Program]) -> list[Runner]:
    """Every program under its own name; stage 00 a second time as the control, right behind the first."""
    found: list[Runner] = []
    for program in programs:
        found.append(Runner.of(program))
        if program.name == f"{case.name}-00":
            found.append(Runner.control(program))
    folders: dict[str, Path] = {}
    for runner in found:
        folder = folders.setdefault(runner.id, runner.program.source.parent)
        if folder != runner.program.source.parent:
            raise UserError(
                f"{shown(folder)} and {shown(runner.program.source.parent)} have the same name after their numbers, "
                "and a measurement knows stages by that name: rename one of the folders."
            )
    return [_with_code(one) for one in found]


def _with_links(case: Case, builds: Sequence[Build], runners: Sequence[Runner], console: Console) -> list[Runner]:
    if case.links == 1:
        return [*runners]
    of_compiler = {build.compiler.name: build for build in builds}
    with console.status(f"Linking each program {case.links} times ..."):
        return [
            replace(one, links=tuple(relink.several(of_compiler[one.program.compiler], one.program, case.links)))
            for one in runners
        ]


def _with_code(runner: Runner) -> Runner:
    """A library picks its code while it runs: its object says nothing."""
    if runner.about.kind == "peer":
        return runner
    return replace(runner, about=msgspec.structs.replace(runner.about, code=machine_code.digest(runner.program.object)))


def _unbuilt(case: Case, builds: Sequence[Build]) -> list[LeftOut]:
    """Stages, libraries and apps of the case that no program was built of, under the names of a measurement."""
    slugs = {stage.name: stage.slug for stage in case.stages}
    prefix = f"{case.name}-"
    return [
        LeftOut(name=slugs.get(entry.name, entry.name.removeprefix(prefix)), reason=entry.reason)
        for build in builds
        for entry in build.left_out
        if entry.name.startswith(prefix)
    ]


def _evidence(
    case: Case,
    builds: Sequence[Build],
    runners: Sequence[Runner],
    workloads: list[Workload],
    found: Measurement,
    journal: Journal,
    console: Console,
) -> dict[str, Evidence]:
    """Of all programs but the control, which is one of them already."""
    asked = [runner for runner in runners if runner.about.kind != "control"]
    call_ns = {runner.id: stats.median_call(found.calls[runner.id]) for runner in asked}
    context = Context(case.symbols, workloads, call_ns, clock_of(found.rounds), found.design.cpu, PROFILES)
    if not console.is_terminal:
        console.print(f"Evidence of {len(asked)} programs: instructions, samples, machine code")
    with kept_when_stopped(journal), alone(_waiting(console)), progress_bar(console) as progress:
        return collect(asked, builds, context, journal, progress.track)


def _waiting(console: Console) -> Callable[[], None]:
    """Between the rounds and the evidence another measurement may take its turn, such as `make watch`."""
    told = False

    def wait() -> None:
        nonlocal told
        if not told:
            console.print(WAITS)
        told = True
        time.sleep(1)

    return wait


def _announced(
    case: Case, runners: Sequence[Runner], planned: Sequence[Step], plan: Plan, cannot: Sequence[LeftOut]
) -> str:
    comparisons = sum(len(step.workloads) for step in planned)
    said = [
        f"{case.title}: {len(runners)} programs, {comparisons} comparisons in rounds until each is decided, "
        f"{plan.rounds} rounds at most, pinned to CPU {plan.cpu}; run nothing else."
    ]
    asked = [fewest_rounds(step.together) for step in planned if step.part == steps.MAIN for _ in step.workloads]
    if asked and min(asked) <= plan.rounds:
        said.append(f"No verdict on main workloads comes before round {min(asked)}.")
    if short := sum(rounds > plan.rounds for rounds in asked):
        said.append(
            f"So few rounds give no verdict on {short} of {len(asked)} comparisons on main workloads: that takes "
            f"{max(asked)} or more (ROUNDS={max(asked)})."
        )
    if cannot:
        said.append(f"Left out: {len(cannot)} programs, the first of them {cannot[0].name}: {cannot[0].reason}")
    if not identity.is_named(identity.describe()):
        said.append("This result cannot be published: /proc/cpuinfo does not name the CPU. Is /proc mounted?")
    return "\n".join([*said, *busy()])
