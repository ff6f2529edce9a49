"""The commands behind the Makefile."""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import UndefinedError
from rich.console import Console

from perf_ladders import (
    attempt,
    catalogue,
    exercise,
    exercise_check,
    fitting,
    freshness,
    guards,
    kit,
    lesson,
    machine,
    measure,
    merged,
    report,
    result,
    scoreboard,
    self_check,
    slides,
    stats,
    tags,
    terminal,
    watch,
)
from perf_ladders import programs as programs_of_case
from perf_ladders.catalogue import (
    LOCAL_REPORTS,
    OWN_STAGES,
    REFERENCE_REPORTS,
    ROOT,
    SELF_CHECK,
    Build,
    Case,
    Program,
    Stage,
    read_build,
    read_case,
)
from perf_ladders.complaint import Complaint
from perf_ladders.evidence import whole
from perf_ladders.evidence.collect import Plan, collect
from perf_ladders.measure import AGAIN, Design, Journal, Part, Runner, Workload
from perf_ladders.rows import Result, clock_of, times_of

_LOOKED_S = 0.5  # at what else is running
_QUICK_PROGRAM_S = 15.0  # the longest that a quick look may take for a program of the case
_PROFILE_SAMPLES = 200  # calls timed to know how long to sample


def main(arguments: list[str]) -> int:
    console = terminal.output(stderr=True)
    options = _parser().parse_args(arguments)
    try:
        options.do(options, console)
    except Complaint as complaint:
        console.print(str(complaint), style="bold red", markup=False, soft_wrap=True)
        return complaint.code
    except KeyboardInterrupt:
        console.print("Stopped.", style="bold red")
        return 2
    except OSError as error:
        what = f": {error.filename}" if error.filename else ""
        console.print(f"{error.strerror}{what}", style="bold red", markup=False)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="perf-ladders", description="Measure the ladders and write reports.")
    commands = parser.add_subparsers(required=True)
    first = next(iter(catalogue.case_names()), "")

    command = commands.add_parser("report", help="check and measure cases, write reports")
    command.add_argument("--case", default=first, help="a case, or all")
    _measuring(command)
    command.add_argument("--sweep-blocks", type=_positive, help="blocks of the other workloads (5; quick 1)")
    command.add_argument("--out", type=Path, default=LOCAL_REPORTS, help="folder of the report")
    command.set_defaults(do=_report)

    command = commands.add_parser("render", help="write the report of a result again, without measuring")
    command.add_argument("result", type=Path)
    command.set_defaults(do=_render)

    command = commands.add_parser("run-stage", help="check and measure one stage, one page in the terminal")
    command.add_argument("stage", help="4 or xtea-04")
    command.add_argument("--case", default=first)
    _measuring(command)
    command.set_defaults(do=_run_stage)

    command = commands.add_parser("words", help="are case.toml, notes and hints of a case as they must be?")
    command.add_argument("--case", default=first)
    command.add_argument("--preset", default="gcc", help="of the build that they have to fit")
    command.set_defaults(do=_words)

    command = commands.add_parser(
        "profile", help="where one stage's time goes: callgrind, perf, llvm-mca, the compiler"
    )
    command.add_argument("stage", help="4 or xtea-04")
    command.add_argument("--case", default=first)
    command.add_argument("--preset", action="append", help="build preset; may be given more than once (gcc)")
    command.add_argument("--level", action="append", help="only this level; may be given more than once")
    command.set_defaults(do=_profile)

    command = commands.add_parser("diff-stage", help="the change from the stage before")
    command.add_argument("stage", help="4 or xtea-04")
    command.add_argument("--case", default=first)
    command.set_defaults(do=_diff_stage)

    command = commands.add_parser("publish", help="make a result the reference report: reports/reference and README.md")
    command.add_argument("result", type=Path)
    command.set_defaults(do=_publish)

    command = commands.add_parser("merge", help="results of several machines or compilers side by side")
    command.add_argument("result", type=Path, nargs="+")
    command.add_argument("--out", type=Path, default=LOCAL_REPORTS, help="folder of the page")
    command.set_defaults(do=_merge)

    command = commands.add_parser("report-check", help="is the reference report still that of the tree?")
    command.add_argument("result", type=Path, nargs="*", help="other results (those of reports/reference)")
    command.set_defaults(do=_report_check)

    command = commands.add_parser("tags", help="make the tags of all stages, and the branches lecture/<case>")
    command.add_argument("--setup", action="store_true", help="only in a clone that has none")
    command.set_defaults(do=_tags)

    command = commands.add_parser("tags-check", help="are the tags those of this tree?")
    command.set_defaults(do=_tags_check)

    command = commands.add_parser("exercise", help="begin to climb a ladder yourself, or go on")
    command.add_argument("--case", default=first)
    command.add_argument("--preset", default="gcc", help="build preset (gcc)")
    command.add_argument("--level", help="the level to work at (the highest that runs here)")
    command.add_argument("--who", help="your name, on the scoreboard")
    command.add_argument("--rung", help="go to the rung of this stage: 4 or xtea-04")
    command.set_defaults(do=_exercise)

    command = commands.add_parser("watch", help="judge the exercise whenever its file is saved")
    command.add_argument("--once", action="store_true", help="judge it now, then end: with 0 if it passes the rung")
    command.add_argument("--blocks", type=_positive, default=attempt.BLOCKS, help=f"blocks ({attempt.BLOCKS})")
    command.set_defaults(do=_watch)

    for name, do, says in (
        ("hint", _hint, "the next hint for this rung"),
        ("reveal", _reveal, "the answer of this rung: when it is passed, or asked for twice"),
        ("next", _next, "go on to the next rung"),
        ("reset", _reset, "the file as this rung began"),
    ):
        command = commands.add_parser(name, help=says)
        command.set_defaults(do=do)

    command = commands.add_parser("scoreboard", help="what learners hand in, side by side")
    command.add_argument("result", type=Path, nargs="+", help="files named scoreboard.json, under any name")
    command.add_argument("--out", type=Path, default=LOCAL_REPORTS, help="folder of the page")
    command.set_defaults(do=_scoreboard)

    command = commands.add_parser("exercise-check", help="is each rung neither passed from the start nor impossible?")
    command.add_argument("--case", default=first, help="a case, or all")
    command.add_argument("--preset", default="gcc", help="build preset (gcc)")
    command.add_argument("--level", help="a level (the highest that runs here)")
    command.add_argument("--blocks", type=_positive, default=attempt.BLOCKS, help=f"blocks ({attempt.BLOCKS})")
    command.set_defaults(do=_exercise_check)

    command = commands.add_parser("self-check", help="how often does the method err on this machine?")
    command.add_argument("--preset", default="gcc", help="build preset (gcc)")
    command.add_argument("--quick", action="store_true", help="fewer experiments")
    command.add_argument("--experiments", type=_positive, help="how many (50; quick 10)")
    command.add_argument("--out", type=Path, default=LOCAL_REPORTS, help="folder of the result")
    command.set_defaults(do=_self_check)

    command = commands.add_parser("publish-self-check", help="make it the reference: reports/reference, docs/method.md")
    command.add_argument("result", type=Path)
    command.set_defaults(do=_publish_self_check)

    command = commands.add_parser("slides", help="slides and a worksheet, from the notes and the reference result")
    command.add_argument("--case", default=first, help="a case, or all")
    command.add_argument("--stage", action="append", help="only this one; may be given more than once (all)")
    command.add_argument("--out", type=Path, default=LOCAL_REPORTS / "slides", help="folder of the pages")
    command.set_defaults(do=_slides)

    command = commands.add_parser("kit", help="an archive that sets up laptops without a network")
    command.add_argument("--preset", action="append", help="build preset; may be given more than once (gcc)")
    command.add_argument("--out", type=Path, default=LOCAL_REPORTS / f"{kit.NAME}.tar", help="the archive")
    command.set_defaults(do=_kit)
    return parser


def _measuring(command: argparse.ArgumentParser) -> None:
    command.add_argument("--preset", action="append", help="build preset; may be given more than once (gcc)")
    command.add_argument("--level", action="append", help="only this level; may be given more than once")
    command.add_argument("--quick", action="store_true", help="fewer blocks: a first look")
    command.add_argument("--blocks", type=_positive, help="blocks of the main workloads (20; quick and run-stage 12)")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def _report(options: argparse.Namespace, console: Console) -> None:
    names = catalogue.case_names() if options.case == "all" else [options.case]
    broken: list[str] = []
    for case in [read_case(name) for name in names]:
        builds = [_optimised(preset) for preset in options.preset or ["gcc"]]
        programs = [program for build in builds for program in build.programs if program.case == case.name]
        blocks = options.blocks or (12 if options.quick else 20)
        sweep_blocks = options.sweep_blocks or (1 if options.quick else 5)
        design = Design(
            blocks,
            sweep_blocks,
            2_500,
            machine.cpu_to_pin(),
            whole_rounds=10 if options.quick else 12,
            sweep_ms=1.5 if options.quick else measure.LEAST_MS,
            program_rounds=5 if options.quick else 12,
            program_limit_s=_QUICK_PROGRAM_S if options.quick else None,
            lesson_experiments=20 if options.quick else 100,
        )
        stem = options.out / case.name
        found, journal = _measured(case, builds, programs, design, options, console, stem)
        path = options.out / f"{case.name}.json"
        result.save(found, path)
        journal.delete()
        _written(report.write(result.load(path), path), console)
        broken += guards.errors(found)
    _written([report.write_index(options.out)], console)
    if broken:
        raise Complaint(" ".join(broken), code=1)


def _render(options: argparse.Namespace, console: Console) -> None:
    found = result.load(options.result)
    try:
        files = report.write(found, options.result)
    except (LookupError, TypeError, ValueError, ArithmeticError, UndefinedError) as error:
        again = "`make report` writes one that is whole"
        raise Complaint(f"{options.result} is no valid result: its parts do not fit together; {again}.") from error
    _written([*files, report.write_index(options.result.parent)], console)


def _run_stage(options: argparse.Namespace, console: Console) -> None:
    case, stage = catalogue.find_stage(options.stage, options.case)
    builds = [_optimised(preset) for preset in options.preset or ["gcc"]]
    ladders = {(program.level, program.compiler) for program in _programs_of(stage, builds, options.level)}
    every = [program for build in builds for program in build.programs]
    base = case.base(stage)
    wanted = {stage.name, f"{case.name}-00"} | ({base.name} if base else set())
    programs = [p for p in every if p.name in wanted and (p.level, p.compiler) in ladders]
    stem = LOCAL_REPORTS / stage.name
    design = Design(options.blocks or 12, 0, 2_500, machine.cpu_to_pin())
    found, journal = _measured(case, builds, programs, design, options, console, stem)
    terminal.show(found, stage.name, terminal.output())
    journal.delete()


def _words(options: argparse.Namespace, console: Console) -> None:
    case = read_case(options.case)
    _expect_words(case.stages, case)
    to_climb = [stage for stage in case.stages if "00" < stage.number < OWN_STAGES]
    if any((stage.directory / "hints.md").exists() for stage in to_climb):  # else nobody can, and nothing is missing
        for stage in to_climb:
            exercise.read_hints(stage)
    for sentence in fitting.misfits(case, read_build(options.preset)):
        raise Complaint(sentence)
    console.print(f"{case.name}: case.toml, notes and hints are as they must be.", soft_wrap=True)


def _expect_words(stages: list[Stage], case: Case) -> None:
    """Complains about headlines and notes now, not after an hour."""
    for stage in stages:
        case.base(stage)
        assert stage.headline


def _profile(options: argparse.Namespace, console: Console) -> None:
    case, stage = catalogue.find_stage(options.stage, options.case)
    builds = [_optimised(preset) for preset in options.preset or ["gcc"]]
    programs = _programs_of(stage, builds, options.level)
    cpu = machine.cpu_to_pin()
    design = Design(0, 0, _PROFILE_SAMPLES, cpu)
    runners = [Runner(program, program.name) for program in programs]
    journal = Journal(LOCAL_REPORTS / f"{stage.name}.profile", design, [], runners)
    workloads = measure.workloads_of(programs[0])
    with measure.alone(), measure.kept_when_stopped(journal), measure.progress_bar(console) as progress:
        call_ns = {runner.id: float(np.median(measure.latency(runner, design))) for runner in runners}
        plan = Plan(case.symbols, workloads, call_ns, machine.clock_ghz(builds[0], cpu), cpu)
        found = collect(programs, builds, plan, journal, progress.track)
    out = terminal.output()
    out.print(f"{stage.name}: {stage.notes.title}", style="bold")
    for program in programs:
        terminal.show_profile(program.id, found[program.id], out)
    out.print(f"The whole of it: perf record {catalogue.shown(programs[-1].path)} run {_PROFILE_SAMPLES}", style="dim")
    journal.delete()


def _programs_of(stage: Stage, builds: list[Build], levels: list[str] | None) -> list[Program]:
    """Those of the stage that run here, of these levels."""
    every = [program for build in builds for program in build.programs if program.name == stage.name]
    can, cannot = measure.runnable(every)
    if not can:
        unbuilt = [entry for build in builds for entry in build.left_out if entry["name"] == stage.name]
        reasons = " ".join(dict.fromkeys(entry["reason"] for entry in [*unbuilt, *cannot]))
        raise Complaint(f"{stage.name} cannot run here: {reasons}", code=77)
    wanted = [program for program in can if program.level in (levels or [program.level])]
    if not wanted:
        has = ", ".join(dict.fromkeys(program.level for program in can))
        raise Complaint(f"{stage.name} does not run at {' or '.join(levels or [])}; it runs at {has}.")
    return wanted


def _diff_stage(options: argparse.Namespace, console: Console) -> None:
    case, stage = catalogue.find_stage(options.stage, options.case)
    base, diff = case.base(stage), case.diff(stage)
    console.print(f"{stage.name}: {stage.headline}", style="bold")
    if base is None:
        console.print("It is the reference: there is no stage before it.")
    elif diff:
        console.print(f"From {base.name}: {base.headline}")
    else:
        console.print(f"Its code is that of {base.name}.")
    terminal.show_diff(diff, terminal.output(soft_wrap=True))


def _publish(options: argparse.Namespace, console: Console) -> None:
    found = result.with_present_notes(result.as_written(options.result))
    path = REFERENCE_REPORTS / f"{found['case']}.json.gz"
    result.save(found, path)
    pages = [*report.write(found, path), report.write_index(path.parent)]
    every = report.load_all(path.parent)
    _written([path, *pages, *report.fill_readme(every), report.fill_cells(every[0])], console)


def _merge(options: argparse.Namespace, console: Console) -> None:
    with console.status("Reading the results ..."):
        page = merged.write(options.result, options.out)
    _written([page], console)


def _report_check(options: argparse.Namespace, console: Console) -> None:
    results = options.result or report.results_in(REFERENCE_REPORTS)
    if not results:
        raise Complaint(f"There is no result in {catalogue.shown(REFERENCE_REPORTS)}.")
    parts = [(catalogue.shown(path.resolve()), partial(freshness.stale, path)) for path in results]
    if not options.result:
        parts.append(("The page over all results, and README.md", partial(freshness.stale_index, REFERENCE_REPORTS)))
    out = terminal.output(soft_wrap=True)
    stale = 0
    for name, look in parts:
        with console.status(f"{name}: writing the pages once more, to compare them ..."):
            found = look()
        stale += len(found)
        out.print(f"{name}: {f'stale, {len(found)}' if found else 'fresh'}", markup=False)
        for sentence in found:
            out.print(f"  {sentence}", markup=False)
    if stale:
        raise Complaint(f"Stale: {stale}. CONTRIBUTING.md says how to measure and publish again.", code=1)


def _tags(options: argparse.Namespace, console: Console) -> None:
    if options.setup and not tags.wanted_by_setup():
        return
    with console.status("Making the tags of all stages ..."):
        made = tags.make()
    lectures = sum(ref.name.startswith("lecture/") for ref in made)
    console.print(
        f"Tags of stages made: {len(made) - lectures}. Lectures made: {lectures}."
        if made
        else "All tags and lectures are as they should be."
    )


def _tags_check(options: argparse.Namespace, console: Console) -> None:
    out = terminal.output(soft_wrap=True)
    wrong = tags.wrong()
    for sentence in wrong:
        out.print(sentence, markup=False)
    if wrong:
        raise Complaint(f"Wrong: {len(wrong)}. make tags mends what is missing or old.", code=1)
    out.print("All tags are those of this tree.")


def _exercise(options: argparse.Namespace, console: Console) -> None:
    case = read_case(options.case)
    rung = catalogue.find_stage(options.rung, case.name)[1] if options.rung else None
    if rung and (rung.case != case.name or not "00" < rung.number < OWN_STAGES):
        raise Complaint(f"{rung.name} is no rung of {case.name}: it has those of its stages from 01 on.")
    begun = exercise.begin(case, options.preset, options.level, options.who, rung)
    with console.status("Looking what this machine runs ..."):
        watch.choose_level(begun)
    place = [stage.number for stage in begun.rungs].index(begun.rung.number) + 1
    console.print(
        f"{begun.case.title}, rung {begun.rung.number} ({place} of {len(begun.rungs)}) at {begun.state['level']}: "
        f"one idea on from {begun.base.name}.",
        style="bold",
    )
    console.print(
        f"Your file: {catalogue.shown(begun.source)}. It is yours: Git ignores the folder.\n"
        f"What it must do: {catalogue.shown(attempt.header(begun.case))}.\n"
        "make watch   judges it whenever you save it: leave it running beside your editor\n"
        "make hint    the next of three hints; make reveal, next, reset as you need them\n"
        "To pass: half of the answer's gain; where it gains nothing here, no loss.\n"
        f"Hand in: {catalogue.shown(begun.board.path)}, {_signed(begun)}",
        soft_wrap=True,
        markup=False,
    )


def _signed(begun: exercise.Exercise) -> str:
    if who := begun.board.held["who"]:
        return f"which says that it is {who}'s."
    preset = begun.state["preset"]
    again = f"make exercise CASE={begun.case.name}" + (f" PRESET={preset}" if preset != "gcc" else "")
    return f'which has no name yet: {again} WHO="your name"'


def _watch(options: argparse.Namespace, console: Console) -> None:
    out = terminal.output(width=None if console.is_terminal else 80)
    watching = watch.Watch(exercise.current(), options.blocks, out, options.once)
    try:
        found = watch.run(watching)
    except KeyboardInterrupt:
        out.print("\nStopped. make watch begins again.")
        return
    if found.untold:
        raise Complaint(f"This file could not be judged: {found.untold}.", code=1)
    if not watching.passes(found):
        when = watching.exercise.passed_at
        raise Complaint(f"This file does not pass the rung{when and f', which was passed before, {when}'}.", code=1)


def _hint(options: argparse.Namespace, console: Console) -> None:
    begun, tiers = exercise.current(may_lack_file=True), exercise.TIERS
    again = ", which you have seen" if begun.record["hints"] == len(tiers) else ""
    number, text = begun.hint()
    out = terminal.output()
    out.print(f"{begun.rung.name}, hint {number} of {len(tiers)}{again}: {tiers[number - 1]}\n", style="bold")
    terminal.show_prose(text, out)
    if number == len(tiers):
        twice = "" if begun.record["asked"] or begun.finished else ", asked twice,"
        console.print(f"\nThat is the last one; make reveal{twice} shows the answer.", style="dim")


def _reveal(options: argparse.Namespace, console: Console) -> None:
    begun = exercise.current(may_lack_file=True)
    if not begun.reveal():
        seen, every = begun.record["hints"], len(exercise.TIERS)
        hints = (
            f"you have seen all {every} hints"
            if seen == every
            else f"you have seen {seen} of {every} hints (make hint)"
        )
        console.print(
            f"{begun.rung.name} is not passed yet, and {hints}. Asked once more, make reveal shows the answer.",
            soft_wrap=True,
        )
        return
    rung, out = begun.rung, terminal.output(soft_wrap=True)
    out.print(f"{rung.name}: {rung.headline}\n", style="bold")
    terminal.show_diff(begun.case.diff(rung), out)
    terminal.show_prose(terminal.section(rung.notes.text, "Hypothesis"), terminal.output())
    out.print(f"\nThe whole page: {catalogue.shown(rung.directory / 'notes.md')}", style="dim")


def _next(options: argparse.Namespace, console: Console) -> None:
    begun = exercise.current()
    if not begun.finished:
        raise Complaint(
            f"{begun.rung.name} is not passed yet: make watch judges, make hint helps, make reveal shows it."
        )
    with console.status("Building what the next rung is measured beside ..."):
        rung, passed_over = watch.next_rung(begun)
    for sentence in passed_over:
        console.print(sentence, style="dim", markup=False, soft_wrap=True)
    if rung is None:
        console.print(f"That was the last rung of {begun.case.name} on this machine. Well climbed.", style="bold")
        return
    begun.go_on(rung)
    kept = catalogue.shown(begun.source)
    console.print(f"Rung {rung.number}, one idea on from {begun.base.name}: {kept} is where it begins.", style="bold")


def _reset(options: argparse.Namespace, console: Console) -> None:
    begun = exercise.current(may_lack_file=True)
    kept = begun.reset()
    where = f" What stood there is in {catalogue.shown(kept)}." if kept else ""
    console.print(f"{catalogue.shown(begun.source)} is as rung {begun.rung.number} began.{where}", soft_wrap=True)


def _scoreboard(options: argparse.Namespace, console: Console) -> None:
    found, doubled = scoreboard.lines(options.result), scoreboard.doubles(options.result)
    scoreboard.show(found, doubled, terminal.output())
    _written([scoreboard.write(found, doubled, options.out)], console)


def _exercise_check(options: argparse.Namespace, console: Console) -> None:
    names = catalogue.case_names() if options.case == "all" else [options.case]
    out = terminal.output(soft_wrap=True)
    wrong = [
        sentence
        for name in names
        for sentence in exercise_check.run(read_case(name), options.preset, options.level, options.blocks, out, console)
    ]
    for sentence in wrong:
        out.print(sentence, style="red", markup=False)
    if wrong:
        raise Complaint(f"Rungs that are not as they should be: {len(wrong)}.", code=1)


def _self_check(options: argparse.Namespace, console: Console) -> None:
    experiments = options.experiments or (10 if options.quick else 50)
    console.print("\n".join([self_check.plan(experiments, machine.cpu_to_pin()), *_busy()]))
    path = options.out / f"{SELF_CHECK}.json"
    found, journal = self_check.run(_optimised(options.preset), experiments, path.with_suffix(""), console)
    result.save(found, path)
    journal.delete()
    self_check.show(self_check.load(path), terminal.output())
    _written([path], console)


def _publish_self_check(options: argparse.Namespace, console: Console) -> None:
    _written(self_check.publish(self_check.load(options.result)), console)


def _slides(options: argparse.Namespace, console: Console) -> None:
    if options.case == "all" and options.stage:
        raise Complaint('Stages are those of one case: say which, as in make slides CASE=xtea STAGES="0 1 4".')
    names = slides.cases() if options.case == "all" else [options.case]
    for page in slides.write_all(names, options.out, options.stage):
        _written([page], console)


def _kit(options: argparse.Namespace, console: Console) -> None:
    archive = kit.write(options.out, options.preset or ["gcc"], console)
    _written([archive], console)
    console.print(kit.what_next(archive), markup=False, soft_wrap=True)


def _measured(
    case: Case,
    builds: list[Build],
    programs: list[Program],
    design: Design,
    options: argparse.Namespace,
    console: Console,
    journal_stem: Path,
) -> tuple[Result, Journal]:
    """The result, and the journal that holds it until it is written somewhere else."""
    _expect_words([stage for stage in case.stages if any(program.name == stage.name for program in programs)], case)
    levels = [level for build in builds for level in build.flags]
    for level in options.level or []:
        if level not in levels:
            raise Complaint(f"There is no level '{level}'; there are: {', '.join(dict.fromkeys(levels))}.")
    if options.level:
        programs = [program for program in programs if program.level in options.level]
    if not programs:
        raise Complaint(f"Nothing of {case.name} was built; `make build` says why.")
    programs, cannot = measure.runnable(programs)
    if not programs:
        raise Complaint(cannot[0]["reason"], code=77)
    for build in builds:
        mine = [program for program in programs if program.compiler == build.compiler["name"]]
        for program, sentence in measure.check(mine, ROOT / "build" / build.preset, console):
            if not (design.sweep_blocks and (program.number or "") >= OWN_STAGES):
                raise Complaint(sentence)
            programs.remove(program)  # an unfinished stage of one's own does not stop a report
            cannot.append({"name": program.id, "reason": sentence})
            console.print(sentence, style="yellow", markup=False)
    programs, alone = _beside_the_reference(case, programs)
    cannot += alone
    runners = _runners(case, programs)
    workloads = measure.workloads_of(programs[0])
    for sentence in fitting.of_workloads(case, workloads):
        raise Complaint(sentence)
    parts = [Part("main", [w.name for w in workloads if w.role == "main"], design.blocks)]
    others = [w.name for w in workloads if w.role != "main"]
    if design.sweep_blocks and others:
        parts.append(Part("others", others, design.sweep_blocks, design.sweep_ms))
    else:
        workloads = [w for w in workloads if w.role == "main"]
    console.print(_plan(case, runners, parts, design, cannot))
    commands = case.commands if design.program_rounds else []
    journal = Journal(journal_stem, design, parts, runners, commands)
    now = json.loads(json.dumps(result.tree(case, runners)))
    tree = journal.once("tree", lambda: now)
    if tree != now:
        console.print(
            "This goes on with what was begun before files of the case were changed, and as they were then. "
            f"To begin anew: rm {catalogue.shown(journal.path)}",
            style="yellow",
        )
    of_the_case = partial(programs_of_case.measured, commands, runners, design, builds)
    taught = partial(lesson.measured, case, runners, workloads[0].name, design, builds)
    raw = measure.measure(runners, parts, design, builds, journal, console, of_the_case, taught)
    raw["evidence"] = _evidence(case, builds, runners, workloads, raw, design, journal, console)
    with measure.alone(), measure.kept_when_stopped(journal), console.status("Profiling the programs of the case ..."):
        raw["programs"] = whole.collect(commands, raw["programs"], runners, builds, design, journal)
    left_out = [
        *(entry for build in builds for entry in build.left_out if entry["name"].startswith(f"{case.name}-")),
        *cannot,
    ]
    found = result.assemble(tree, builds, runners, workloads, left_out, design, parts, machine.describe(), raw)
    return found, journal


def _evidence(
    case: Case,
    builds: list[Build],
    runners: list[Runner],
    workloads: list[Workload],
    raw: dict[str, Any],
    design: Design,
    journal: Journal,
    console: Console,
) -> dict[str, Any]:
    """Of all programs but the control, which is one of them already."""
    programs = [runner.program for runner in runners if not runner.name.endswith(AGAIN)]
    times = times_of(raw["blocks"])
    call_ns = {program.id: float(np.median(times[program.id, workloads[0].name])) for program in programs}
    every = measure.workloads_of(programs[0])
    plan = Plan(case.symbols, every, call_ns, clock_of(raw["blocks"]), design.cpu)
    if not console.is_terminal:
        console.print(f"Evidence of {len(programs)} programs: instructions, samples, machine code")
    with measure.alone(), measure.kept_when_stopped(journal), measure.progress_bar(console) as progress:
        return collect(programs, builds, plan, journal, progress.track)


def _optimised(preset: str) -> Build:
    """A build that is worth measuring."""
    build = read_build(preset)
    if not re.search(r"-O[23]\b", build.compiler["flags"]):
        raise Complaint(f"build/{preset} was compiled without optimisation: `make clean`, then try again.")
    return build


def _beside_the_reference(case: Case, programs: list[Program]) -> tuple[list[Program], list[dict[str, str]]]:
    """Those of the levels and compilers that have it, and why the others are left out."""
    reference = f"{case.name}-00"
    ladders = {(program.level, program.compiler) for program in programs if program.name == reference}
    if not ladders:
        raise Complaint(f"{reference}, with which all is compared, was not built or does not run here: `make build`.")
    why = f"there is no {reference} to compare with"
    alone = [{"name": one.id, "reason": why} for one in programs if (one.level, one.compiler) not in ladders]
    return [program for program in programs if (program.level, program.compiler) in ladders], alone


def _runners(case: Case, programs: list[Program]) -> list[Runner]:
    """Every program under its own name; stage 00 a second time as the control, right behind the first."""
    found: list[Runner] = []
    for program in programs:
        found.append(Runner(program, program.name))
        if program.name == f"{case.name}-00":
            found.append(Runner(program, program.name + AGAIN))
    return found


def _plan(case: Case, runners: list[Runner], parts: list[Part], design: Design, cannot: list[dict[str, str]]) -> str:
    said = [
        f"{case.title}: {len(runners)} programs in {' + '.join(str(part.blocks) for part in parts)} shuffled blocks, "
        f"pinned to CPU {design.cpu}; nothing else should run meanwhile."
    ]
    ladders = Counter((r.program.level, r.program.compiler) for r in runners if r.program.kind == "stage")
    comparisons = max(ladders.values(), default=0) - 2  # neither of the reference nor of its control
    least = stats.least_blocks(max(comparisons, 1))
    if design.blocks < least:
        said.append(f"So few blocks give no verdict: that takes {least} or more (BLOCKS={least}).")
    if cannot:
        said.append(f"Left out: {len(cannot)} programs, the first of them {cannot[0]['name']}: {cannot[0]['reason']}")
    return "\n".join([*said, *_busy()])


def _busy() -> list[str]:
    before = machine.busy_ticks()
    time.sleep(_LOOKED_S)
    cpus = (machine.busy_ticks() - before) / _LOOKED_S / 100
    return [f"Something else keeps {cpus:.1f} CPUs busy: expect wide intervals."] if cpus > 0.3 else []


def _written(paths: list[Path], console: Console) -> None:
    for path in paths:
        console.print(f"wrote {catalogue.shown(path.resolve())}")
