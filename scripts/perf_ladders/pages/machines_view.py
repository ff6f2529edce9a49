"""Measurements of several machines or compilers side by side. Ratios are compared, times are never pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.model.measurement import Workload
from perf_ladders.pages import atlas_view
from perf_ladders.pages.render import Folder
from perf_ladders.results import queries, store
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.guards import guards
from perf_ladders.results.rows import Row
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.paths import shown


@dataclass(frozen=True)
class Column:
    machine: int  # its number in the list below
    level: str
    compiler: str


@dataclass(frozen=True)
class Line:
    title: str
    cells: list[Row | None]
    one_source: bool


@dataclass(frozen=True)
class Machine:
    analysis: Analysis
    failed: list[str]  # guards


@dataclass(frozen=True)
class MachinesView:
    machines: list[Machine]
    columns: list[Column]
    lines: list[Line]
    workload: Workload


def write(paths: Sequence[Path], folder: Path) -> Path:
    """merged-CASE.html in that folder."""
    analyses = _read(paths)
    made = Folder()
    page(made, f"merged-{analyses[0].case.name}.html", analyses)
    return made.write(folder)[0]


def page(made: Folder, name: str, analyses: Sequence[Analysis]) -> None:
    steps = atlas_view.of_case(analyses)
    made.page(name, "machines.html.j2", case=analyses[0].case, **vars(view(analyses)), steps=steps)


def _read(paths: Sequence[Path]) -> list[Analysis]:
    """Measurements to be shown side by side, or a complaint."""
    measured = [store.load(path) for path in paths]
    by_name: dict[str, Path] = {}
    for path, one in zip(paths, measured, strict=True):
        identity = store.name(one)
        if first := by_name.get(identity):
            raise UserError(f"{shown(first)} and {shown(path)} are one measurement: name each once.")
        by_name[identity] = path
    for path, one in zip(paths, measured, strict=True):
        if one.case != measured[0].case:
            raise UserError(
                f"{shown(paths[0])} is of {measured[0].case}, {shown(path)} of {one.case}: merge one case at a time."
            )
        if one.workloads[0] != measured[0].workloads[0]:
            raise UserError(f"{shown(paths[0])} and {shown(path)} timed different workloads: nothing compares them.")
    return [Analysis(read_case(one.case), one) for one in measured]


def view(analyses: Sequence[Analysis]) -> MachinesView:
    """A column for each ladder of each measurement, a line for each program."""
    found = [(place, ladder) for place, analysis in enumerate(analyses) for ladder in analysis.ladders]
    levels = list(dict.fromkeys(level for _, (level, _) in found))
    found.sort(key=lambda one: (levels.index(one[1][0]), one[0]))  # what is to be compared is side by side
    by_place = {
        (place, row.stage, row.ladder): row for place, analysis in enumerate(analyses) for row in analysis.first_rows
    }
    titles = {name: title for one in reversed(analyses) for name, title in queries.titles(one).items()}
    lines = []
    for name in dict.fromkeys(name for one in analyses for name in queries.columns(one)):
        cells = [by_place.get((place, name, ladder)) for place, ladder in found]
        lines.append(Line(titles[name], cells, queries.one_source(analyses, name)))
    return MachinesView(
        [Machine(one, [guard.guard for guard in guards(one) if not guard.ok]) for one in analyses],
        [Column(place + 1, *ladder) for place, ladder in found],
        lines,
        analyses[0].workloads[0],
    )
