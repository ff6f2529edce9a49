"""Cases of many buffers: the cost of one buffer, how it grows with the size, and what it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, OfLadder, Row

Rows = Mapping[tuple[str, str], Row]  # by program and workload
_FEW = "few"  # so workloads begin whose names say how many buffers a call has


@dataclass(frozen=True)
class Cell:
    row: Row
    cycles: float  # for one buffer
    mb_s: float


@dataclass(frozen=True)
class CostLine:
    title: str
    cells: list[Cell | None]


@dataclass(frozen=True)
class Costs(OfLadder):
    """Of one ladder: a line for each program, a cell for each workload but the sweep."""

    workloads: list[str]
    lines: list[CostLine]


@dataclass(frozen=True)
class Fit:
    """The straight line through the sweep: cycles a buffer before its first byte, and cycles that each byte adds."""

    title: str
    a_buffer: float
    a_byte: float
    share: float  # of the variance that the line explains


@dataclass(frozen=True)
class Fits(OfLadder):
    programs: list[Fit]


@dataclass(frozen=True)
class Parts(OfLadder):
    """Cycles a buffer for each part of the work, on one workload."""

    stage: str
    title: str
    names: list[str]
    cycles: list[float]


@dataclass(frozen=True)
class Section:
    buffers: int
    costs: list[Costs]
    lines: list[Fits]
    parts: list[Parts]


def buffers(analysis: Analysis) -> int:
    """How many buffers a call processes."""
    return analysis.case.jobs.get("buffers", 1)


def section(analysis: Analysis) -> Section | None:
    if not analysis.case.jobs:
        return None
    return Section(buffers(analysis), _costs(analysis), _fits(analysis), parts(analysis))


def emptied(analysis: Analysis) -> set[str]:
    """The programs without their kernel, which are there to be subtracted: variants whose name begins with "no-"."""
    return {
        analysis.name[one.id]
        for one in analysis.programs
        if one.kind == "variant" and (one.variant or "").startswith("no-")
    }


def parts(analysis: Analysis) -> list[Parts]:
    """By ladder, stage and [[breakdown]]; those of which a part was not measured are left out."""
    found = []
    for level, compiler in analysis.ladders:
        rows = _rows(analysis, (level, compiler))
        for stage in analysis.stages:
            for breakdown in analysis.case.breakdown:
                cycles = [_part(analysis, rows, stage.name, part.of, part.without) for part in breakdown.parts]
                known = [value for value in cycles if value is not None]
                if len(known) == len(cycles):
                    names = [part.name for part in breakdown.parts]
                    found.append(Parts(level, compiler, stage.name, breakdown.title, names, known))
    return found


def _rows(analysis: Analysis, ladder: Ladder) -> Rows:
    mine = [row for row in analysis.rows if row.ladder == ladder and row.kind != "control"]
    return {(row.stage, row.workload): row for row in mine}


def _part(analysis: Analysis, rows: Rows, stage: str, of: str, without: str | None) -> float | None:
    """`of` and `without` name a workload and, behind a space, a variant of the stage."""
    times = []
    for words in (of, without):
        if words is not None:
            workload, *variant = words.split()
            row = rows.get(("-".join([stage, *variant]), workload))
            if row is None:
                return None
            times.append(_cycles(analysis, row))
    return times[0] - sum(times[1:])


def _cycles(analysis: Analysis, row: Row) -> float:
    """For one buffer."""
    return row.median_ns * analysis.clock_ghz / buffers(analysis)


def _costs(analysis: Analysis) -> list[Costs]:
    titles = queries.titles(analysis)
    tables = []
    for ladder in analysis.ladders:
        rows = _rows(analysis, ladder)
        there = {name for name, _ in rows}
        timed = {name for _, name in rows}
        names = [name for name in queries.columns(analysis) if name in there]
        whole = [one.name for one in analysis.workloads if one.role != "sweep" and not one.name.startswith(_FEW)]
        workloads = sorted(name for name in whole if name in timed)

        def cell(name: str, workload: str, rows: Rows = rows) -> Cell | None:
            row = rows.get((name, workload))
            return Cell(row, _cycles(analysis, row), 1e3 * row.bytes / row.median_ns) if row else None

        lines = [CostLine(titles[name], [cell(name, workload) for workload in workloads]) for name in names]
        tables.append(Costs(*ladder, workloads, lines))
    return tables


def _fits(analysis: Analysis) -> list[Fits]:
    from scipy.stats import linregress  # takes a second to import

    titles = queries.titles(analysis)
    tables = []
    for ladder in analysis.ladders:
        rows = _rows(analysis, ladder)
        found = []
        for name in queries.columns(analysis):
            mine = [row for (stage, workload), row in rows.items() if stage == name and workload.startswith("sweep/")]
            if len(mine) > 2:
                across = np.array([row.bytes / buffers(analysis) for row in mine])
                line = linregress(across, [_cycles(analysis, row) for row in mine])
                found.append(Fit(titles[name], line.intercept, line.slope, line.rvalue**2))
        if found:
            tables.append(Fits(*ladder, found))
    return tables
