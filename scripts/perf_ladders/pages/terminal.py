"""What the terminal shows: prose, a change, tables."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Container, Sequence
from pathlib import Path
from typing import IO, ClassVar, Literal

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from perf_ladders.pages import answer, formatting, steps_view
from perf_ladders.pages.steps_view import Step
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.guards import guards
from perf_ladders.results.rows import AFTER_TRIALS
from perf_ladders.tree.idea import moved_lines
from perf_ladders.tree.paths import shown

_MARKS = {"-": "<", "+": ">"}
_DIFF = {"+": "green", "-": "red"}

STYLES = {"faster": "green", "slower": "red", "same": "blue", "undecided": "yellow"}
STYLES |= {"same code": "blue", "slightly faster": "green", "slightly slower": "red"}
STYLES |= {AFTER_TRIALS: "dim", "held": "green", "refuted": "red", "open": "yellow", "says little": "dim"}


class _Code(CodeBlock):
    """As one would type it: nothing around it, and the terminal's own background."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in str(self.text).rstrip().splitlines():
            yield _code_line(line, options.max_width)


class _Prose(Markdown):
    elements: ClassVar = {**Markdown.elements, "fence": _Code, "code_block": _Code}


class _Output(Console):
    def on_broken_pipe(self) -> None:
        """`| head` has seen enough, which is no failure (cli.py); rich would end with 1."""
        if self.stderr:
            super().on_broken_pipe()
        raise BrokenPipeError


def output(
    *,
    stderr: bool = False,
    soft_wrap: bool = False,
    width: int | None = None,
    file: IO[str] | None = None,
    force_terminal: bool | None = None,
) -> Console:
    """Where NO_COLOR is set it writes plain text: neither colours nor bold."""
    return _Output(
        highlight=False,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        stderr=stderr,
        soft_wrap=soft_wrap,
        width=width,
        file=file,
        force_terminal=force_terminal,
    )


def show_answer(analysis: Analysis, folder: Path, console: Console) -> None:
    """The sentences that the pages begin with, the main path in 80 columns, a line for each side branch, and where the
    pages are."""
    console.print(analysis.case.title, style="bold", markup=False)
    for sentence in answer.answer(analysis, published=False).sentences:
        console.print(sentence, markup=False)
    ladder = queries.best_ladder(analysis)
    reference = analysis.case.stages[0].number
    made = table("", "stage", "mean", "SD", "base", "over its base", f"over {reference}", right=2, folded=[1])
    steps = steps_view.steps(analysis, ladder)
    branches = [branch for step in steps for branch in step.branches]
    for step in [*steps, *(branch for branch in branches if branch.stage.is_own)]:
        row = step.row
        if row is None:
            made.add_row(step.stage.number, Text(step.stage.notes.title), formatting.NOT_MEASURED)
            continue
        verdict = row.vs_base.verdict if row.vs_base else ""
        made.add_row(
            step.stage.number,
            Text(step.stage.notes.title),
            formatting.time(row.mean_ns),
            formatting.time(row.sd_ns),
            step.base.number if step.base and row.vs_base else "",
            Text(f"{formatting.times(row.vs_base.ratio)} {formatting.verdict(row.vs_base)}", STYLES.get(verdict, ""))
            if row.vs_base
            else "",
            formatting.times(row.vs_reference.ratio if row.vs_reference else 1.0),
        )
    console.print(made)
    how = "Mean and SD are of all times. Ratios compare the minimum times round by round."
    console.print(f"{analysis.first} at {ladder[0]} with {ladder[1]}. {how}", style="dim", markup=False)
    for step in steps:
        if step.why:
            console.print(f"{step.title}: {step.why}.", style="dim", markup=False)
    for step in branches:
        if step.base and not step.stage.is_own:
            is_lower = step.stage in queries.of_lower_levels(analysis.case)
            what = "Towards a lower level, from" if is_lower else "Tried beside"
            console.print(f"{what} {step.base.number}: {_came_of(step)}", style="dim", markup=False)
    show_guards(analysis, console)
    page = shown((folder / f"{analysis.case.name}.html").resolve())
    console.print(f"The pages: {page}", markup=False, soft_wrap=True)


def show_guards(analysis: Analysis, console: Console) -> None:
    if failed := [guard.guard for guard in guards(analysis) if not guard.ok]:
        console.print(f"Guards that did not hold: {'; '.join(failed)}.", style="yellow", markup=False)


def _came_of(step: Step) -> str:
    found = step.row.vs_base if step.row else None
    came = (
        f"{formatting.times(found.ratio)} {formatting.verdict(found)}" if found else step.why or formatting.NOT_MEASURED
    )
    return f"{step.title}: {came}. {step.stage.notes.taught or step.stage.headline}"


def show_diff(diff: str, console: Console) -> None:
    """What went and what came, with the line number in place of the marks that are for programs. Of a line that only
    moved, < marks where it was and > where it is."""
    moved = moved_lines(diff)
    for line in diff.splitlines()[2:]:  # after the names of the files
        place = re.match(r"@@ -\S+ \+(\d+)", line)
        if place:
            console.print(f"from line {place[1]}", style="cyan")
        elif line[:1] in ("-", "+") and line[1:].strip() in moved:
            console.print(_diff_line(_MARKS[line[0]], line[1:], console.width), style="dim")
        else:
            console.print(_diff_line(line[:1], line[1:], console.width), style=_DIFF.get(line[:1], ""))
    if moved:
        console.print("Lines with < or > only moved.", style="dim")


def _diff_line(mark: str, line: str, width: int) -> Text:
    """With the mark before each row that the line takes."""
    return Text("\n".join(f"{mark}{row}" for row in rows_of_code(line, width - 1)), no_wrap=True)


def show_code(lines: Sequence[str], console: Console) -> None:
    for line in lines:
        console.print(_code_line(line, console.width))


def _code_line(line: str, width: int) -> Text:
    return Text("\n".join(rows_of_code(line, width)), "cyan", no_wrap=True)


def rows_of_code(line: str, width: int) -> list[str]:
    """Broken where it is too long, and indented there."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""]


def show_prose(text: str, console: Console) -> None:
    with console.use_theme(Theme({"markdown.code": "bold cyan"})):  # on whatever the terminal's background is
        console.print(_Prose(text))


def table(*headings: str, right: int = 99, folded: Container[int] = ()) -> Table:
    """Where it is too wide for the terminal, the columns `folded` take several lines: nothing is cut."""
    made = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
    for place, heading in enumerate(headings):
        justify: Literal["right", "left"] = "right" if place >= right else "left"
        made.add_column(heading, justify=justify, no_wrap=place not in folded, overflow="fold")
    return made
