"""The in-order pool: what a job costs and how long it waits for its turn, by the number of places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from perf_ladders.model.measurement import Kind
from perf_ladders.results import multibuffer, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, OfLadder, Row
from perf_ladders.stats import Comparison

_WORKLOAD = re.compile(r"in-order/places-(\d+)")


@dataclass(frozen=True)
class Point:
    """With so many places."""

    row: Row
    ns_a_job: float
    wait: int | None  # in jobs; None: nobody counted
    vs_reference: Comparison | None


@dataclass(frozen=True)
class Line:
    stage: str
    kind: Kind
    title: str
    points: dict[int, Point]  # by places


@dataclass(frozen=True)
class Pool(OfLadder):
    places: list[int]
    lines: list[Line]


def pool(analysis: Analysis) -> Pool | None:
    """At the highest level; None for a case without such workloads."""
    return next((found for ladder in queries.highest(analysis) if (found := _pool(analysis, ladder))), None)


def _pool(analysis: Analysis, ladder: Ladder) -> Pool | None:
    waits, titles = _waits(analysis), queries.short_titles(analysis)
    found: dict[str, dict[int, Row]] = {}
    for row in analysis.rows:
        if row.ladder == ladder and row.kind in ("stage", "peer") and (match := _WORKLOAD.fullmatch(row.workload)):
            found.setdefault(row.stage, {})[int(match[1])] = row
    # The reference is measured everywhere, but an earlier stage at those numbers alone at which it is the best.
    places = sorted(found.get(analysis.reference, {}))
    lines = [
        Line(
            name,
            next(iter(rows.values())).kind,
            titles[name],
            {number: _point(analysis, rows[number], waits) for number in places},
        )
        for name, rows in found.items()
        if rows.keys() >= {*places}
    ]
    return Pool(*ladder, places, lines) if lines else None


def _point(analysis: Analysis, row: Row, waits: Mapping[str, Mapping[str, int]]) -> Point:
    wait = waits.get(row.id, {}).get(row.workload)
    return Point(row, row.median_ns / multibuffer.buffers(analysis), wait, row.vs_reference)


def _waits(analysis: Analysis) -> dict[str, dict[str, int]]:
    """By program and workload, as a program of the case counted them: the same in every round."""
    return {run.program: run.counts for app in analysis.measurement.apps for run in app.runs if run.counts}
