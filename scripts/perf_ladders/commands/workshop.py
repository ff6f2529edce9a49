"""Exercises, and what a teacher needs."""

from __future__ import annotations

import argparse

from rich.console import Console

from perf_ladders.commands.report import written
from perf_ladders.errors import Terminated, UserError
from perf_ladders.pages import terminal
from perf_ladders.results import store
from perf_ladders.sequential import CAP
from perf_ladders.tree import catalogue, files, notes, paths
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.paths import LOCAL_REPORTS, OWN_STAGES
from perf_ladders.workshop import (
    building,
    exercise,
    exercise_check,
    new_case,
    offline_kit,
    scoreboard,
    screen,
    slides,
    verification,
    watch,
)


def begin(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    case = read_case(options.case or catalogue.case_names()[0])
    step = catalogue.find_stage(options.step)[1] if options.step else None
    if step and step.case != case.name:
        raise UserError(f"{step.name} is no step of {case.name}: make exercise CASE={step.case} STEP={step.number}")
    if step and not "00" < step.number < OWN_STAGES:
        raise UserError(f"{step.name} is no step of {case.name}, which begins at {case.name}-01.")
    preset, held = exercise.held(case)
    with console.status("Looking at what this machine runs ..."):
        level = building.level_of(case, options.preset or preset, options.level, held)  # before anything is written
    begun = exercise.begin(case, options.preset, options.who, step, level=level)
    _show_task(begun, console)
    console.print(
        f"Your file: {paths.shown(begun.source)}. It is yours: Git ignores the folder.\n"
        f"What it must do: {paths.shown(begun.case.contract)}.\n"
        "make watch   judges it whenever you save it: leave it running beside your editor\n"
        "make hint    the next of three hints; make reveal, next, reset as you need them\n"
        f"Hand in: {paths.shown(begun.board.path)}, {signed(begun)}",
        markup=False,
    )


def _show_task(begun: exercise.Exercise, console: Console) -> None:
    """What a step begins with: title, question and what passes it."""
    title = f"{begun.case.title}, step {begun.step.number} ({begun.place}) at {begun.level}"
    console.print(title, style="bold", markup=False)
    for line in screen.task(begun):
        console.print(line)
    console.print(f"Your file begins as {begun.base.name}. {begun.to_pass}", markup=False)


def signed(begun: exercise.Exercise) -> str:
    if who := begun.board.held.who:
        return f"which says that it is {who}'s."
    return f'which has no name yet: make exercise CASE={begun.case.name} WHO="your name"'


def begin_case(options: argparse.Namespace) -> None:
    out = terminal.output(soft_wrap=True)
    if not options.name:
        raise UserError("Name the case: make new-case NAME=adler32.")
    for path in new_case.write(options.name):
        out.print(f"wrote {paths.shown(path)}", markup=False)
    out.print(f"\nIt builds as it is:  make test CASE={options.name}  and then  make run-stage {options.name}-01")
    out.print("docs/your-own-kernel.md says what to change, and in which order.")


def watch_file(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    out = terminal.output(width=None if console.is_terminal else 80)
    watching = watch.Watch(exercise.current(), options.rounds or CAP, out, options.looked, options.once)
    try:
        found = watch.run(watching)
    except KeyboardInterrupt as stop:
        if options.once or isinstance(stop, Terminated):
            raise
        out.print("\nStopped. To go on, type: make watch")
        return
    if found.untold:
        raise UserError(f"This file could not be judged: {found.untold}.", code=1)
    if found.remark and not watching.passes(found):
        raise UserError(f"Refused until somebody has looked at it: {found.remark} Then: make watch LOOKED=1", code=1)
    if not watching.passes(found):
        when = watching.exercise.passed_at
        raise UserError(f"This file does not pass the step{when and f', which was passed before, {when}'}.", code=1)


def show_hint(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    begun, tiers = exercise.current(may_lack_file=True), exercise.TIERS
    again = ", which you have seen" if begun.record.hints == len(tiers) else ""
    number, text = begun.hint()
    out = terminal.output()
    out.print(f"{begun.step.name}, hint {number} of {len(tiers)}{again}: {tiers[number - 1]}\n", style="bold")
    terminal.show_prose(text, out)
    if number == len(tiers):
        twice = "" if begun.record.asked or begun.finished else ", asked twice,"
        console.print(f"\nThat is the last one; make reveal{twice} shows the answer.", style="dim")


def reveal(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    begun = exercise.current(may_lack_file=True)
    if not begun.reveal():
        seen, every = begun.record.hints, len(exercise.TIERS)
        hints = (
            f"you have seen all {every} hints"
            if seen == every
            else f"you have seen {seen} of {every} hints (make hint)"
        )
        console.print(
            f"{begun.step.name} is not passed yet, and {hints}. Asked once more, make reveal shows the answer."
        )
        return
    step, out = begun.step, terminal.output(soft_wrap=True)
    out.print(f"{step.name}: {step.headline}\n", style="bold", markup=False)
    terminal.show_diff(begun.case.diff(step), out)
    terminal.show_prose(notes.section(step.notes.text, "Hypothesis"), terminal.output())
    out.print(f"\nThe whole page: {paths.shown(step.directory / 'notes.md')}", style="dim")


def go_on(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    begun = exercise.current()
    if not begun.finished:
        raise UserError(
            f"{begun.step.name} is not passed yet: make watch judges, make hint helps, make reveal shows it."
        )
    with console.status("Building what the next step is measured beside ..."):
        step, passed_over = watch.next_step(begun)
    for sentence in passed_over:
        console.print(sentence, style="dim", markup=False)
    if step is None:
        console.print(f"That was the last step of {begun.case.name} on this machine. Well climbed.", style="bold")
        return
    before, begun = begun.step.name, exercise.current()  # `make watch` may have written meanwhile
    if begun.step.name != before:
        raise UserError(f"Another terminal went on to {begun.step.name} meanwhile: make watch shows the step.")
    begun.go_on(step)
    _show_task(begun, console)


def reset(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    begun = exercise.current(may_lack_file=True)
    kept = begun.reset()
    where = f" The old file is in {paths.shown(kept)}." if kept else ""
    console.print(f"{paths.shown(begun.source)} is as step {begun.step.number} began.{where}")


def show_scoreboard(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    if not options.result:
        raise UserError('Name what was handed in: make scoreboard FILES="ada.json bob.json".')
    out = options.out or LOCAL_REPORTS
    store.expect_place(out / "scoreboard.html")
    boards, refused = scoreboard.readable(files.matching(options.result))
    if not boards:
        raise UserError(" ".join(refused))
    said = [*(f"Left out: {sentence}" for sentence in refused), *scoreboard.doubles(boards)]
    verified = verification.verify(boards, options.rounds or CAP, console) if options.verify else {}
    found = scoreboard.lines(boards, verified)
    scoreboard.show(found, said, terminal.output())
    written([scoreboard.write(found, said, out)], console)


def check_exercises(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    names = catalogue.cases_named(options.case)
    preset, rounds = options.preset or "gcc", options.rounds or CAP
    out = terminal.output(soft_wrap=True)
    wrong = [
        sentence
        for name in names
        for sentence in exercise_check.run(read_case(name), preset, options.level, rounds, out, console)
    ]
    for sentence in wrong:
        out.print(sentence, style="red", markup=False)
    if wrong:
        raise UserError(f"Steps that are not as they should be: {len(wrong)}.", code=1)


def write_slides(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    if options.case == "all" and options.stage:
        raise UserError('Stages are those of one case: say which, as in make slides CASE=xtea STAGES="0 1 4".')
    if options.plan and (options.case or options.stage):
        raise UserError(f"A plan names its own cases and stages: make slides PLAN={options.plan}")
    names = catalogue.cases_named(options.case)
    folder = options.out or LOCAL_REPORTS / "slides"
    made = slides.write_plan(options.plan, folder) if options.plan else slides.write_all(names, folder, options.stage)
    for page in made:
        written([page], console)


def write_kit(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    archive = offline_kit.write(
        options.out or LOCAL_REPORTS / f"{offline_kit.NAME}.tar", options.preset or ["gcc"], console
    )
    written([archive], console)
    console.print(offline_kit.what_next(archive), markup=False, soft_wrap=True)
