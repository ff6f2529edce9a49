"""What became of an attempt, on one screen of 80 columns and 24 lines."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log
from pathlib import Path

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from perf_ladders.model.evidence import Evidence, Remark
from perf_ladders.pages import formatting, terminal
from perf_ladders.tree.build import Program
from perf_ladders.tree.paths import shown
from perf_ladders.workshop.building import Field
from perf_ladders.workshop.exercise import Exercise
from perf_ladders.workshop.judge import Attempt

_MAX_LINES = 12  # of what a compiler or a check says
_LINKER_SAYS = ("undefined reference to", "collect2: error", "linker command failed")
_LABEL, _BAR = 15, 12  # columns


@dataclass(frozen=True)
class View:
    """What is known when the screen is drawn."""

    exercise: Exercise
    found: Attempt
    place: Field | None
    evidence: dict[str, Evidence]  # by program
    passes: bool
    unchanged: bool  # since the step began
    once: bool  # nobody waits for the file to be saved again


def screen(view: View) -> Group:
    parts: list[RenderableType] = [heading(view.exercise), Rule(style="dim"), *_judgement(view)]
    if view.found.against and view.place:
        parts += [_table(view.place, view.found), *_ways(view, view.place), *profile(view, view.place)]
    return Group(*parts, Rule(style="dim"), *_next(view))


def heading(climbed: Exercise) -> Text:
    passed = sum(1 for record in climbed.state.steps.values() if record.passed)
    left = f"{climbed.case.title}, step {climbed.step.number} ({climbed.place}), {climbed.level}"
    right = f"{passed} passed   {datetime.now():%H:%M:%S}"
    return Text.assemble((left, "bold"), " " * max(1, 80 - len(left) - len(right)), (right, "dim"))


def _judgement(view: View) -> list[RenderableType]:
    found = view.found
    if found.uncompiled:
        unlinked = any(said in found.uncompiled for said in _LINKER_SAYS)
        what = f"DOES NOT {'LINK: a library needs a line `// links: ...` below the first' if unlinked else 'COMPILE'}"
        return [Text(what, "bold red"), *_quoted(found.uncompiled.splitlines())]
    if found.wrong:
        path = shown(view.place.mine.path) if view.place else ""
        whole = Text(f"  All of it: {path} check", "dim", overflow="ellipsis", no_wrap=True)
        return [Text("WRONG", "bold red"), *_quoted(found.wrong), whole]
    if found.unfair:
        return [Text("NOT COUNTED: its answers are right, but", "bold yellow"), *_quoted(found.unfair)]
    calls = f"calls not compared: {found.uncompared}" if found.uncompared else "and every call does its work"
    right = Text(f"CORRECT: every check passed, {calls}", "bold green", overflow="ellipsis", no_wrap=True)
    if found.untold:
        return [right, Text(f"CANNOT TELL how fast: {found.untold}", "bold yellow")]
    return [right]


def _quoted(lines: list[str]) -> list[RenderableType]:
    folded = [part for line in lines for part in _folded(line)]
    return [Text(f"  {line}") for line in folded[:_MAX_LINES] + ["..."] * (len(folded) > _MAX_LINES)]


def _folded(line: str) -> list[str]:
    return textwrap.wrap(line, 78, subsequent_indent="    ", break_on_hyphens=False) or [""]


def _table(place: Field, found: Attempt) -> Table:
    """Times, and mine over each of the others."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="underline")
    for text in ("", "a call", "yours is", "verdict"):
        table.add_column(text, justify="right" if text == "a call" else "left", no_wrap=True)
    table.add_row("yours", formatting.time(found.times[place.mine_name]), "", "")
    roles = {
        place.reference.name: "the reference",
        place.best.name: "the best stage here",
        place.base.name: "where this step began",
        place.answer.name: "the answer",
    }
    for name, role in sorted(roles.items()):
        mine = found.against[name]
        verdict = Text(formatting.verdict(mine), terminal.STYLES[mine.verdict])
        time, ratio = formatting.time(found.times[name]), Text(formatting.ratio(mine))
        table.add_row(f"{name}, {role}", time, ratio, verdict)
    return table


def _ways(view: View, place: Field) -> list[RenderableType]:
    """How far to the answer, and to the best."""
    best = _way("to the best", _of_best(place, view.found), place, (place.reference, place.best), view.found)
    return [*_to_answer(view, place), *([] if view.found.noisy else [best])]


def _to_answer(view: View, place: Field) -> list[RenderableType]:
    """And what passing takes."""
    found = view.found
    share = found.share_of_way(place.base.name)
    label = f"to {place.answer.name}"
    if share is not None:
        wanted = f"{'passed: it is' if view.passes else 'passed when it is'} faster than {place.base.name}"
        return [_way(label, share, place, (place.base, place.answer), found), _told("", wanted, "dim")]
    gain = "the answer gains nothing here" if found.gains_nothing else "these rounds cannot tell what the answer gains"
    if found.untold:
        return [_told(label, gain, "yellow")]
    return [_told(label, gain, "blue"), _told("", "be right and not shown to be slower", "blue")]


def _told(label: str, what: str, style: str) -> Text:
    return Text(f"{label:<{_LABEL}} {what}", style)


def _of_best(place: Field, found: Attempt) -> float:
    """By logarithms, from the reference."""
    best = found.times[place.reference.name] / found.times[place.best.name]
    mine = found.times[place.reference.name] / found.times[place.mine_name]
    return log(mine) / log(best) if best > 1 else 1.0


def _way(label: str, share: float, place: Field, between: tuple[Program, Program], found: Attempt) -> Text:
    """A bar, and the times behind it."""
    forward = max(0.0, share)
    start, end = between
    mine, *ends = (formatting.time(found.times[name]) for name in (place.mine_name, start.name, end.name))
    about = f"yours {mine}, {start.name} {ends[0]}, {end.name} {ends[1]}"
    bar = "\N{BOX DRAWINGS HEAVY HORIZONTAL}" * round(_BAR * min(1, forward))
    return Text.assemble(f"{label:<{_LABEL}} ", (f"{bar:<{_BAR}}", "green"), f" {about}")


def profile(view: View, place: Field) -> list[RenderableType]:
    mine = view.evidence.get(place.mine.id)
    if mine is None:
        return [Text("profile         being taken ...", "dim")]
    lines = [*_instructions(view, place, mine)]
    bound = mine.estimate
    if bound and bound.cycles_byte is not None:
        limit = "waiting" if bound.cycles > 1.15 * bound.resource_cycles else "busy units"
        cycles = formatting.number(bound.cycles_byte)
        lines.append(f"llvm-mca: {cycles} cycles a byte in the hot loop, bound by {limit}")
    if mine.remarks is not None:
        lines.append(f"compiler: {of_vectors(mine.remarks)}")
    return [
        Text(f"{'profile' if number == 0 else '':<{_LABEL}} {line}", overflow="ellipsis", no_wrap=True)
        for number, line in enumerate(lines)
    ]


def _instructions(view: View, place: Field, mine: Evidence) -> list[str]:
    if mine.instructions is None:
        return [f"instructions n/a ({mine.missing.get('instructions', 'not counted')})"]
    said = [f"{mine.instructions.per_byte:.1f} yours"]
    for program, label in ((place.base, "before"), (place.answer, "the answer")):
        other = view.evidence.get(program.id)
        if other and other.instructions:
            said.append(f"{other.instructions.per_byte:.1f} {label}")
    lines = [f"instructions a byte: {', '.join(said)}"]
    if mine.instructions.lines:
        hottest = mine.instructions.lines[0]
        lines.append(f"{hottest.share:.0%} of them in {Path(hottest.file).name}:{hottest.line}  {hottest.text}")
    return lines


def of_vectors(remarks: Sequence[Remark]) -> str:
    """What the compiler made vectors of, and only if that is nothing, the first of its reasons."""
    made = [one for one in remarks if "vectorized" in one.text and "not vectorized" not in one.text]
    for one in made or remarks:
        return f"{'' if made else 'no vectors; '}line {one.line}: {one.text}"
    return "says nothing about vectorising"


def _next(view: View) -> list[Text]:
    found = view.found
    hints = f"make hint ({view.exercise.record.hints} of 3 seen)"
    file = f"{found.remark} Show it to somebody." if found.remark else shown(view.exercise.source)
    way = Text(f"{hints}   make reveal   make reset", "dim")
    if view.exercise.finished:
        way = Text.assemble(_state_of_step(view), "make next goes on; make reveal shows the answer")
    elif found.against and view.unchanged:
        way = Text("The file is as the step began: change it.   " + hints, "dim")
    again = "make watch looks again" if view.once else "save it to look again, Ctrl-C ends"
    return [way, Text(f"{file}: {again}", "dim", overflow="ellipsis", no_wrap=True)]


def _state_of_step(view: View) -> tuple[str, str]:
    if view.passes:
        return "PASSED ", "bold green"
    when = view.exercise.passed_at
    return (f"PASSED BEFORE, {when}: ", "green") if when else ("REVEALED ", "bold yellow")
