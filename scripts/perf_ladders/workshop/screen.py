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
from perf_ladders.stats import MIN_FLOOR
from perf_ladders.tree.build import Program
from perf_ladders.tree.paths import shown
from perf_ladders.workshop.building import Field
from perf_ladders.workshop.exercise import Exercise, read_hints
from perf_ladders.workshop.judge import Attempt

_MAX_LINES = 12  # of what a compiler or a check says
_LINKER_SAYS = ("undefined reference to", "collect2: error", "linker command failed")
_LABEL, _BAR = 15, 12  # columns
_REMARK = 50  # columns: a longer sentence of the compiler is left out


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
    parts: list[RenderableType] = [heading(view.exercise), *task(view.exercise), Rule(style="dim"), *_judgement(view)]
    if view.found.against and view.place:
        parts += [_table(view.place, view.found), *_ways(view, view.place), *profile(view, view.place)]
    return Group(*parts, Rule(style="dim"), *_next(view))


def heading(climbed: Exercise) -> Text:
    passed = sum(1 for record in climbed.state.steps.values() if record.passed)
    left = f"{climbed.case.title}, step {climbed.step.number} ({climbed.place}), {climbed.level}"
    right = f"{passed} passed   {datetime.now():%H:%M:%S}"
    return Text.assemble((left, "bold"), " " * max(1, 80 - len(left) - len(right)), (right, "dim"))


def task(climbed: Exercise) -> list[Text]:
    """What the step is about, which is no hint yet."""
    return [Text(climbed.step.notes.title, "bold"), Text(read_hints(climbed.step).question)]


def _judgement(view: View) -> list[RenderableType]:
    found = view.found
    if found.uncompiled:
        unlinked = any(said in found.uncompiled for said in _LINKER_SAYS)
        what = f"DOES NOT {'LINK: a library needs a line `// links: ...` below the first' if unlinked else 'COMPILE'}"
        return [Text(what, "bold red"), *_quoted(found.uncompiled.splitlines())]
    if found.wrong:
        path = shown(view.place.mine.path) if view.place else ""
        whole = Text(f"  All of it: {path} check", "dim", overflow="fold")
        return [Text("WRONG", "bold red"), *_quoted(found.wrong), whole]
    if found.unfair:
        return [Text("NOT COUNTED: its answers are right, but", "bold yellow"), *_quoted(found.unfair)]
    calls = "" if found.uncompared else ", and every call does its work"
    right: list[RenderableType] = [Text(f"CORRECT: every check passed{calls}", "bold green")]
    if found.uncompared:
        right.append(Text(f"Calls are not compared: {found.uncompared}", "dim"))
    if found.alike:
        return [*right, Text(f"Not timed: this step may gain nothing, and yours {found.alike}", "bold green")]
    if found.untold:
        return [*right, Text(f"CANNOT TELL how fast: {found.untold}", "bold yellow")]
    if slow := [name for name, gain in found.gains.items() if not gain.passes]:
        return [*right, Text(f"NOT FASTER YET on {formatting.listed(slow)}", "bold yellow")]
    return right


def _quoted(lines: list[str]) -> list[RenderableType]:
    folded = [part for line in lines for part in _folded(line)]
    return [Text(f"  {line}") for line in folded[:_MAX_LINES] + ["..."] * (len(folded) > _MAX_LINES)]


def _folded(line: str) -> list[str]:
    return textwrap.wrap(line, 78, subsequent_indent="    ", break_on_hyphens=False) or [""]


def _table(place: Field, found: Attempt) -> Table:
    """Times, and mine over each of the others. A cell that is too long goes on in the next line."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
    for text in ("", "a call", "yours is", "verdict"):
        table.add_column(text, justify="right" if text == "a call" else "left", overflow="fold")
    table.columns[1].no_wrap = True
    table.add_row("yours", formatting.time(found.times[place.mine_name]), "", "")
    roles = {place.reference.name: "reference", place.best.name: "best here"}
    roles |= {place.base.name: "start", place.answer.name: "answer"}
    for name, role in sorted(roles.items()):
        mine = found.against[name]
        verdict = Text(formatting.verdict(mine), terminal.STYLES[mine.verdict])
        time, ratio = formatting.time(found.times[name]), Text(formatting.ratio(mine))
        table.add_row(f"{name} {role}", time, ratio, verdict)
    return table


def _ways(view: View, place: Field) -> list[RenderableType]:
    """How far to the answer, and to the best."""
    best = _way("to the best", _of_best(place, view.found), place, (place.reference, place.best), view.found)
    return [*_to_answer(view, place), *_elsewhere(view.found), *([] if view.found.main.noisy else [best])]


def _to_answer(view: View, place: Field) -> list[RenderableType]:
    """And what passing takes, in time."""
    found = view.found
    label, start = f"to {place.answer.name}", found.times[place.base.name]
    share = found.share_of_way(place.base.name)
    if share is not None:
        most = formatting.time(start / (1 + MIN_FLOOR))
        wanted = f"To pass, a call must take less than {most}: {_floor()} less than {place.base.name}."
        return [_way(label, share, place, (place.base, place.answer), found), Text(wanted, "dim")]
    gain = "the answer gains nothing here"
    if not found.main.gains_nothing:
        gain = "these rounds cannot tell what the answer gains"
    if found.untold:
        return [_told(label, gain, "yellow")]
    most = formatting.time(start * (1 + MIN_FLOOR))
    return [_told(label, gain, "blue"), Text(f"To pass, a call must not be shown to take over {most}.", "blue")]


def _floor() -> str:
    return formatting.per_cent(MIN_FLOOR)


def _elsewhere(found: Attempt) -> list[RenderableType]:
    """What else the contract demands: mine and the answer, each over what the step begins with."""
    lines: list[RenderableType] = []
    for name, gain in list(found.gains.items())[1:]:
        mine, answer = (f"{formatting.times(one.ratio)} {formatting.verdict(one)}" for one in (gain.mine, gain.answer))
        style = "green" if gain.passes else "bold red"
        lines.append(Text(f"{name}: yours is {mine}, the answer {answer}", style))
    return lines


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
        limit = "waiting" if bound.waits else "busy units"
        cycles = formatting.number(bound.cycles_byte)
        lines.append(f"llvm-mca: {cycles} cycles a byte in the hot loop, bound by {limit}")
    if mine.remarks is not None:
        lines.append(f"compiler: {of_vectors(mine.remarks)}")
    whole = [line for line in lines if len(line) < 80 - _LABEL]  # a sentence that does not fit is left out, not cut
    return [Text(f"{'profile' if number == 0 else '':<{_LABEL}} {line}") for number, line in enumerate(whole)]


def _instructions(view: View, place: Field, mine: Evidence) -> list[str]:
    if mine.instructions is None:
        return [f"no instruction count: {mine.missing.get('instructions', 'not counted')}"]
    said = [f"{mine.instructions.per_byte:.1f} yours"]
    for program, label in ((place.base, "before"), (place.answer, "the answer")):
        other = view.evidence.get(program.id)
        if other and other.instructions:
            said.append(f"{other.instructions.per_byte:.1f} {label}")
    lines = [f"instructions a byte: {', '.join(said)}"]
    if mine.instructions.lines:
        hottest = mine.instructions.lines[0]
        where = f"{hottest.share:.0%} of them in {Path(hottest.file).name}:{hottest.line}"
        whole = f"{where}  {hottest.text}"
        lines.append(whole if len(whole) < 80 - _LABEL else where)
    return lines


def of_vectors(remarks: Sequence[Remark]) -> str:
    """What the compiler made vectors of, and only if that is nothing, the first of its reasons."""
    made = [one for one in remarks if one.kind == "vectorized"]
    for one in made or remarks:
        said = f"{'' if made else 'no vectors; '}line {one.line}: {one.text}"
        return said if len(said) <= _REMARK else f"{'vectors' if made else 'no vectors'}, see line {one.line}"
    return "says nothing about vectorising"


def _next(view: View) -> list[Text]:
    found = view.found
    hints = f"make hint ({view.exercise.record.hints} of 3 seen)"
    way = Text(f"{hints}   make reveal   make reset", "dim")
    if view.exercise.finished:
        way = Text.assemble(_state_of_step(view), "make next goes on; make reveal shows the answer")
    elif (found.against or found.alike) and view.unchanged:
        way = Text("The file is as the step began: change it.   " + hints, "dim")
    again = "make watch looks again" if view.once else "save it to look again, Ctrl-C ends"
    lines = [way, Text(f"{shown(view.exercise.source)}: {again}", "dim", overflow="fold")]
    if found.remark and not view.passes:
        refused = f"{found.remark} Refused until somebody has looked at it: make watch LOOKED=1"
        lines.insert(1, Text(refused, "dim", overflow="fold"))
    return lines


def _state_of_step(view: View) -> tuple[str, str]:
    if view.passes:
        return "PASSED ", "bold green"
    when = view.exercise.passed_at
    return (f"PASSED BEFORE, {when}: ", "green") if when else ("REVEALED ", "bold yellow")
