"""The evidence of a step on each machine, compiler and level: the reader picks two, which are side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from perf_ladders.pages.atlas_view import CaseAtlas, Line
from perf_ladders.pages.columns_view import Cell, Column, cell_of
from perf_ladders.pages.stage_view import Profile, profile
from perf_ladders.pages.steps_view import absent
from perf_ladders.results import guards
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Row


@dataclass(frozen=True)
class Choice:
    """A step on one machine with one compiler at one level."""

    id: str  # the same for all steps of a case, so that the reader's choice is kept
    cell: Cell
    row: Row
    profile: Profile

    @property
    def machine(self) -> str:
        column = self.cell.column
        return f"{column.cpu}, {column.date}"


@dataclass(frozen=True)
class StepEvidence:
    line: Line
    choices: list[Choice]
    first: list[str]  # the ids of the two that are shown until the reader picks others
    absent: list[str]  # machines that did not measure the step, and why

    @property
    def machines(self) -> dict[str, list[Choice]]:
        found: dict[str, list[Choice]] = {}
        for one in self.choices:
            found.setdefault(one.machine, []).append(one)
        return found


def of_line(found: CaseAtlas, line: Line) -> StepEvidence:
    choices: list[Choice] = []
    missing = []
    seen: Counter[str] = Counter()
    for analysis in found.analyses:
        cells = [cell_of(line.stage, column, {}) for column in _columns(analysis)]
        for cell in (one for one in cells if one.row):
            name = f"{cell.column.cpu}, {cell.column.date}: {cell.column.place}"
            seen[name] += 1
            choices += _choice(cell, name if seen[name] == 1 else f"{name} ({seen[name]})")
        if not any(cell.row for cell in cells):
            why = absent(analysis).get(line.stage.name, "not measured")
            compilers = dict.fromkeys(cell.column.place.partition(",")[0] for cell in cells)
            missing.append(f"{cells[0].column.cpu}, {cells[0].column.date}, {' and '.join(compilers)}: {why}")
    return StepEvidence(line, choices, _first(line, choices), missing)


def _columns(analysis: Analysis) -> list[Column]:
    failed = guards.failed_ladders(analysis)
    return [Column(analysis, ladder, [], ladder in failed) for ladder in analysis.ladders]


def _choice(cell: Cell, name: str) -> list[Choice]:
    if cell.row is None:
        return []
    return [Choice(name, cell, cell.row, profile(cell.column.analysis, cell.row.stage, cell.column.ladder))]


def _first(line: Line, choices: list[Choice]) -> list[str]:
    """Two CPUs that disagree: at the level and with the compiler that they have in common, or else in the table."""
    disputed = line.twin is not None and line.twin.outcome == "disagree"
    cells = [cell for cell in (line.twin.cells if line.twin and disputed else line.cells) if cell.row]
    left = next((cell for cell in cells if cell.side), cells[0])
    others = [cell for cell in cells if cell.column.cpu != left.column.cpu]
    right = next((cell for cell in others if cell.side not in (None, left.side)), next(iter(others), left))
    names = {(id(one.cell.column.analysis), one.cell.column.ladder): one.id for one in choices}
    return [names[id(cell.column.analysis), cell.column.ladder] for cell in (left, right)]
