"""A column of the atlas, a step in it, and that step on several CPUs at one level: what may be the reason."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from perf_ladders.model.evidence import Estimate, Evidence
from perf_ladders.pages import formatting
from perf_ladders.pages.pressure_view import Expected, Loop, Pressure, expected, loop_of, pressures
from perf_ladders.results import guards, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, Row
from perf_ladders.stats import Comparison
from perf_ladders.tree.catalogue import Stage

Side = Literal["faster", "slower", "same"]
_EQUAL = 1.01  # counts of instructions that differ by less are equal: entering and leaving are counted too


@dataclass(frozen=True)
class Column:
    """A measurement, on one ladder: in the table on that on which its closing stage gains most with one compiler."""

    analysis: Analysis
    ladder: Ladder
    changes: list[str]  # of all its rows, since it was measured
    noisy: bool  # the A/A control of this ladder failed: no verdict of it counts
    is_dated: bool = False  # its notes begin with the time of the measurement, which tells it from another column

    @property
    def cpu(self) -> str:
        return formatting.short_machine(self.analysis.measurement)

    @property
    def place(self) -> str:
        """GCC 14, x86-64-v3"""
        level, name = self.ladder
        (version,) = [one.version for one in self.analysis.measurement.compilers if one.name == name]
        return f"{formatting.compiler(name)} {version.partition('.')[0]}, {level}"

    @property
    def date(self) -> str:
        return self.analysis.measurement.made.date[:10]

    @property
    def is_blocks(self) -> bool:
        return self.analysis.measurement.design.kind == "blocks"

    @property
    def counts(self) -> bool:
        """Whether its verdicts do."""
        return not self.noisy and not self.analysis.measurement.made.uncommitted

    @property
    def notes(self) -> list[str]:
        made = self.analysis.measurement.made
        found = {
            "fixed blocks": self.is_blocks,
            "A/A control failed": self.noisy,
            "shared core": not guards.contention(self.analysis).ok,
            "sources in no commit": made.uncommitted,
        }
        when = [made.date[:16].replace("T", " ")] if self.is_dated else []
        return [*when, *(words for words, holds in found.items() if holds)]


@dataclass(frozen=True)
class Cell:
    """A step in one column: its comparison with its base, or why there is none."""

    column: Column
    row: Row | None
    why: str
    older: bool  # the source of the stage or of its base has changed since it was measured
    lower: str = ""  # the level, where it is below that of the column

    @property
    def found(self) -> Comparison | None:
        return self.row.vs_base if self.row else None

    @property
    def briefly(self) -> str:
        """Why there is no comparison, for a cell: no AVX-512"""
        lacks = re.search(r"this CPU lacks (.+)", self.why)
        if lacks:
            return f"no {lacks[1]}"
        return self.why if self.why.startswith("not at ") else "no base" if self.row else "not measured"

    @property
    def side(self) -> Side | None:
        """None: nothing is decided, or no verdict of the column counts. Below its own level a step may do nothing."""
        found = self.found
        if found is None or not self.column.counts or found.verdict == "undecided" or self.does_nothing:
            return None
        return "faster" if found.is_faster else "slower" if found.is_slower else "same"

    @property
    def does_nothing(self) -> bool:
        return bool(self.lower and self.found and self.found.verdict == "same code")

    @property
    def cannot_run(self) -> bool:
        return self.row is None and "this CPU lacks" in self.why

    @property
    def ends(self) -> tuple[float, float]:
        """Of the interval; as far as they are known."""
        found = self.found
        return (found and found.low) or 0.0, (found and found.high) or math.inf

    def contradicts(self, other: Cell) -> bool:
        """Up to 2 %, *faster* and *no difference over 2 %* may both be true, so the intervals have to lie apart. Where
        the machine code is the same, the level or the compiler is the reason, not the CPU."""
        same_code = any(one.found and one.found.verdict == "same code" for one in (self, other))
        if same_code or not (self.side and other.side) or self.side == other.side:
            return False
        (low, high), (other_low, other_high) = self.ends, other.ends
        return high < other_low or other_high < low

    @property
    def witnesses(self) -> list[Witness]:
        """The base, then the step, as far as they were measured."""
        rows = queries.rows_at(self.column.analysis, self.column.ladder)
        names = [self.row.base, self.row.stage] if self.row else []
        return [_witness(self, rows[name]) for name in names if name in rows]


@dataclass(frozen=True)
class Witness:
    """A step or its base on one CPU: the time, what it executed there, and what models say of its hot loop."""

    cell: Cell
    row: Row
    evidence: Evidence | None

    @property
    def estimate(self) -> Estimate | None:
        return self.evidence.estimate if self.evidence else None

    @property
    def loop(self) -> Loop:
        return loop_of(self.row.stage, self.cell.column.cpu, self.evidence)


@dataclass(frozen=True)
class Twin:
    """A step at one level with one compiler on several CPUs: neither explains a difference there."""

    ladder: Ladder
    cells: list[Cell]

    @property
    def outcome(self) -> Literal["agree", "disagree", "undecided"]:
        """Two CPUs that are decided may disagree, whatever a third one says."""
        if any(one.contradicts(other) for one, other in combinations(self.cells, 2)):
            return "disagree"
        sides = {cell.side for cell in self.cells}
        return "agree" if len(sides) == 1 and None not in sides else "undecided"

    @property
    def versions(self) -> list[str]:
        """Of the compiler, one where all are the same."""
        found = [
            one.version
            for cell in self.cells
            for one in cell.column.analysis.measurement.compilers
            if one.name == self.ladder[1]
        ]
        return list(dict.fromkeys(found))

    @property
    def shared(self) -> bool:
        """Whether somebody else used one of the cores. Then fewer of its units are free."""
        return not all(guards.contention(cell.column.analysis).ok for cell in self.cells)

    @property
    def by_core(self) -> bool:
        """Whether CPUs disagree where all else is the same: source, level and compiler, and no core is shared."""
        rows = [cell.row for cell in self.cells if cell.row]
        names = {name for row in rows for name in (row.stage, row.base) if name}
        analyses = [cell.column.analysis for cell in self.cells]
        same = all(queries.one_source(analyses, name) for name in names)
        return same and not self.shared and self.outcome == "disagree" and len(self.versions) == 1

    @property
    def witnesses(self) -> list[Witness]:
        """On each CPU the base, then the step."""
        return [witness for cell in self.cells for witness in cell.witnesses]

    @property
    def counted(self) -> bool:
        return all(cell.row and cell.row.instructions_byte for cell in self.cells)

    @property
    def equal(self) -> bool:
        """Whether stage and base take as many instructions on all of them."""
        rows = [cell.row for cell in self.cells if cell.row]
        return _alike(row.instructions_byte for row in rows) and _alike(row.instructions_vs_base for row in rows)

    @property
    def pressures(self) -> list[Pressure]:
        """By model and CPU."""
        return pressures([one.loop for one in self.witnesses])

    @property
    def expected(self) -> list[Expected]:
        """By model: what it expects of the step on each CPU, beside what was measured."""
        measured = {cell.column.cpu: cell.found.ratio for cell in self.cells if cell.found}
        return expected(self.pressures, measured)


def cell_of(stage: Stage, column: Column, reasons: dict[str, str]) -> Cell:
    analysis, ladder = column.analysis, column.ladder
    row = queries.rows_at(analysis, ladder).get(stage.name)
    if row is None:
        return Cell(column, None, reasons.get(stage.name, f"not at {ladder[0]}"), older=False)
    if row.vs_base is None:
        return Cell(column, row, "its base was not measured", older=row.stale)
    return Cell(column, row, "", analysis.is_stale(stage.name, row.base or stage.name))


def highest_cell(stage: Stage, column: Column, reasons: dict[str, str]) -> Cell:
    """On the ladder of the column, or where the stage was not measured there, at the highest level below."""
    cell, ladders = cell_of(stage, column, reasons), list(column.analysis.ladders)
    if cell.row:
        return cell
    failed = guards.failed_ladders(column.analysis)
    below = [one for one in ladders[: ladders.index(column.ladder)] if one[1] == column.ladder[1]]
    others = [cell_of(stage, replace(column, ladder=one, noisy=one in failed), reasons) for one in reversed(below)]
    return next((replace(one, lower=one.column.ladder[0]) for one in others if one.found), cell)


def _witness(cell: Cell, row: Row) -> Witness:
    analysis = cell.column.analysis
    program = analysis.at(row.stage, cell.column.ladder)
    return Witness(cell, row, analysis.evidence_of(program) if program else None)


def _alike(values: Iterable[float | None]) -> bool:
    found = [value for value in values if value]
    return bool(found) and max(found) <= _EQUAL * min(found)
