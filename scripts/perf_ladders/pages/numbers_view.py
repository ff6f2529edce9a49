"""What the page of all numbers of one level shows."""

from __future__ import annotations

from dataclasses import dataclass

from perf_ladders.model.measurement import Workload
from perf_ladders.results import libraries, multibuffer, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.multibuffer import Costs, Fits
from perf_ladders.results.rows import Ladder, OfLadder, Row
from perf_ladders.stats import Comparison

_KINDS = ("control", "stage", "variant", "peer")


@dataclass(frozen=True)
class Table:
    """Of one workload, the control first."""

    workload: Workload
    rows: list[Row]


@dataclass(frozen=True)
class DocumentRow:
    """Speeds in MB/s: the minimum speed is that of the maximum time."""

    row: Row

    @property
    def speeds(self) -> tuple[float, float, float]:
        times = self.row.max_ns, self.row.mean_ns, self.row.min_ns
        low, mean, high = (1e3 * self.row.bytes / time for time in times)
        return low, mean, high


@dataclass(frozen=True)
class SizeRow:
    """The closing stage at one size."""

    row: Row
    best: str  # the earlier stage over which it gains least; empty where none was measured beside it
    vs_best: Comparison | None
    library: str  # the fastest one there; empty where none was measured
    vs_library: Comparison | None


@dataclass(frozen=True)
class Numbers(OfLadder):
    """Of one ladder."""

    tables: list[Table]
    sizes: list[SizeRow]
    document: list[list[DocumentRow]]  # by size, the stages that the document speaks of
    costs: Costs | None
    fits: Fits | None


def levels(analysis: Analysis) -> list[str]:
    return list(dict.fromkeys(level for level, _ in analysis.ladders))


def numbers(analysis: Analysis, level: str) -> list[Numbers]:
    """By compiler."""
    section = multibuffer.section(analysis)
    costs = {(one.level, one.compiler): one for one in section.costs} if section else {}
    fits = {(one.level, one.compiler): one for one in section.lines} if section else {}
    return [
        Numbers(
            *ladder,
            tables=_tables(analysis, ladder),
            sizes=_sizes(analysis, ladder),
            document=_document(analysis, ladder),
            costs=costs.get(ladder),
            fits=fits.get(ladder),
        )
        for ladder in analysis.ladders
        if ladder[0] == level
    ]


def _tables(analysis: Analysis, ladder: Ladder) -> list[Table]:
    tables = []
    for workload in analysis.workloads:
        rows = [row for row in analysis.rows_on(workload.name) if row.ladder == ladder]
        if rows and workload.role != "sweep":
            tables.append(Table(workload, sorted(rows, key=lambda row: _KINDS.index(row.kind))))
    return tables


def _sizes(analysis: Analysis, ladder: Ladder) -> list[SizeRow]:
    closing = queries.end(analysis, ladder)
    rows = [row for row in analysis.rows if row.ladder == ladder and row.stage == closing]
    fastest = {one.workload: one for one in libraries.against(analysis, ladder).here.hardest}
    found = []
    for row in (one for one in rows if one.workload.startswith("sweep/")):
        best, vs_best = queries.over_best_earlier(analysis, row) or ("", None)
        over = fastest.get(row.workload)
        library = queries.short_peer_name(analysis, over.peer) if over else ""
        found.append(SizeRow(row, best, vs_best, library, over.comparison if over else None))
    return found


def _document(analysis: Analysis, ladder: Ladder) -> list[list[DocumentRow]]:
    """The stages that its claims are about, and the closing one."""
    stages = {stage for claim in analysis.case.claims for stage in (claim.base, claim.stage)}
    lines: dict[int, list[DocumentRow]] = {}
    for row in analysis.rows:
        named = row.stage in stages or queries.is_end(analysis, row)
        if row.ladder == ladder and row.workload.startswith("document/") and named:
            lines.setdefault(row.bytes, []).append(DocumentRow(row))
    return [lines[size] for size in sorted(lines)]
