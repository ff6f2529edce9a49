"""What follows from the runs of a case's own programs: a row for each program that they were built around."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from perf_ladders import stats
from perf_ladders.model.apps import App
from perf_ladders.model.measurement import Kind, Program
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder
from perf_ladders.stats import Comparison
from perf_ladders.tree.case_file import Command


@dataclass(frozen=True)
class AppRow:
    """Over 1 is faster for both, a time and a rate."""

    id: str
    stage: str
    kind: Kind
    level: str
    compiler: str
    n: int
    median: float  # seconds, or the rate in its unit
    low: float | None
    high: float | None
    sd: float | None
    floor: float | None
    vs_reference: Comparison | None
    base: str | None
    vs_base: Comparison | None

    @property
    def ladder(self) -> Ladder:
        return self.level, self.compiler


def command_of(analysis: Analysis, app: App) -> Command | None:
    """What case.toml says of it now; None where it was measured with a command line that is no longer there."""
    found = [one for one in analysis.case.commands if (one.app, one.arguments) == (app.app, app.arguments)]
    return found[0] if found else None


def title(analysis: Analysis, app: App) -> str:
    command = command_of(analysis, app)
    return command.title if command else " ".join([app.app, *app.arguments])


def rows(analysis: Analysis, app: App) -> list[AppRow]:
    values, times = _values(app), _times(app)
    return [_row(analysis, one, values[one.id], times) for one in analysis.programs if one.id in values]


def compared(analysis: Analysis, of: str, base: str, stage: str, ladder: Ladder) -> Comparison | None:
    """Two stages of a ladder in the program of that title."""
    for app in analysis.measurement.apps:
        command = command_of(analysis, app)
        sides = analysis.at(base, ladder), analysis.at(stage, ladder)
        if command is None or command.title != of or sides[0] is None or sides[1] is None:
            continue
        times = _times(app)
        if sides[0].id in times and sides[1].id in times:
            return stats.compare(times[sides[0].id], times[sides[1].id], _floor(analysis, ladder, times), 1)
    return None


def _times(app: App) -> dict[str, list[float]]:
    """Of each program, round after round; the time of one where it is a rate."""
    values = _values(app)
    return {name: [1 / one for one in found] if app.measure == "rate" else found for name, found in values.items()}


def _values(app: App) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for run in sorted(app.runs, key=lambda run: run.round):
        found[run.program].append(run.value)
    return found


def _floor(analysis: Analysis, ladder: Ladder, times: Mapping[str, Sequence[float]]) -> float | None:
    pair = [analysis.at(name, ladder) for name in (analysis.reference, analysis.control)]
    both = [times[one.id] for one in pair if one is not None and one.id in times]
    return stats.floor_between(both[0], both[1]) if len(both) == 2 else None


def _row(analysis: Analysis, program: Program, values: list[float], times: Mapping[str, Sequence[float]]) -> AppRow:
    ladder = program.level, program.compiler

    def over(name: str | None, floor: float | None, comparisons: int) -> Comparison | None:
        other = analysis.at(name or "", ladder)
        if other is None or other.id == program.id or other.id not in times:
            return None
        return stats.compare(times[other.id], times[program.id], floor, comparisons)

    floor = _floor(analysis, ladder, times)
    stages = [one.kind for one in analysis.ladders[ladder] if one.id in times].count("stage")
    judged = (stats.MIN_FLOOR, 1) if program.kind == "control" else (floor, max(1, stages - 1))
    base = analysis.base_name(program)
    vs_base = over(base, *judged)
    low, high = stats.sign_interval(values) or (None, None)
    return AppRow(
        id=program.id,
        stage=analysis.name[program.id],
        kind=program.kind,
        level=program.level,
        compiler=program.compiler,
        n=len(values),
        median=float(np.median(values)),
        low=low,
        high=high,
        sd=float(np.std(values, ddof=1)) if len(values) > 1 else None,
        floor=floor,
        vs_reference=over(analysis.reference, *judged),
        base=base if vs_base else None,
        vs_base=vs_base,
    )
