"""Writes reports as pages and pictures: nothing in them but what an analysis and the tree hold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.pages import (
    app_view,
    atlas_view,
    case_view,
    charts,
    claims_view,
    index_view,
    numbers_view,
    stage_view,
    statistics_view,
    step_evidence,
    svg,
)
from perf_ladders.pages.pictures import pictures_of, tree_of_bases
from perf_ladders.pages.templating import environment
from perf_ladders.results import crossover, multibuffer, pool, queries, store
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.shown import others
from perf_ladders.tree import files
from perf_ladders.tree.catalogue import Stage, case_names, read_case
from perf_ladders.tree.paths import shown
from perf_ladders.tree.techniques import techniques

_LIBRARIES = " and the libraries"
_PICTURES = {
    "overview": (charts.overview, f"The main path{_LIBRARIES} against the reference"),
    "ladder": (charts.ladder, "How many times faster than the reference every stage is, by level and compiler"),
    "sizes": (charts.sizes, "Throughput over the size of a message"),
    "crossings": (charts.crossings, "The time of a message over its size, on the CPU and on an OpenCL device"),
    "parts": (charts.parts, "What a buffer costs, part by part"),
    "pool": (charts.pool, "The time of a job and the longest wait, over the places of the in-order pool"),
    "instructions": (charts.instructions, "How many times faster over how many times fewer instructions"),
    "latency": (charts.latency, "How long single calls take"),
}


@dataclass(frozen=True)
class Picture:
    """A file beside the page, and the room that it takes."""

    file: str
    says: str
    width: int
    height: int


class Folder:
    """Texts by file name: what a case becomes, before any of it is written."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def page(self, name: str, template: str, **content: object) -> None:
        self.files[name] = environment(html=True).get_template(template).render(**content)

    def picture(self, name: str, drawn: str, says: str) -> Picture:
        self.files[name] = svg.themed(drawn)
        return Picture(name, says, *svg.size(drawn))

    def write(self, folder: Path) -> list[Path]:
        return [write_text(folder / name, text) for name, text in self.files.items()]


def write_local(analysis: Analysis, folder: Path, data: Path) -> list[Path]:
    """All pages of a measurement; `data` is the file that holds it."""
    made = Folder()
    case_pages(made, analysis, os.path.relpath(data, folder))
    return made.write(folder)


def write_index(folder: Path, console: Console, data: Sequence[Path] = ()) -> list[Path]:
    """Over these measurements, or all of the folder, which are named CASE.json.xz; one that cannot be read is named and
    left out."""
    every = data or [path for name in case_names() if (path := folder / f"{name}.json.xz").is_file()]
    made, found = Folder(), []
    for path in every:
        try:
            measurement = store.load(path)
            analysis = Analysis(read_case(measurement.case), measurement)
            queries.top(analysis)
        except UserError as why:
            console.print(f"Not in the index: {why}", style="yellow", soft_wrap=True, markup=False)
            continue
        found.append((analysis, os.path.relpath(path, folder)))
    index_page(made, found, [[mine, *others(mine)] for mine, _ in found])
    return made.write(folder)


def case_pages(
    made: Folder,
    analysis: Analysis,
    data: str,
    elsewhere: Sequence[Analysis] = (),
    published: bool = False,
    of_stages: Mapping[Stage, tuple[Analysis, str]] | None = None,
) -> None:
    """`data` leads to the file that holds the measurement; `elsewhere`: others, which a page of machines shows too;
    `of_stages`: what the pages of stages show, and its file, which may be another where this one lacks the stage
    as it is now."""
    name = analysis.case.name
    view = case_view.CaseView(analysis, published, elsewhere)
    pictures = {
        kind: made.picture(f"{name}-{kind}.svg", drawn, _of_what(says, analysis))
        for kind, (draw, says) in _PICTURES.items()
        if (drawn := draw(analysis))
    }
    levels = numbers_view.levels(analysis)
    lesson = statistics_view.section(analysis)
    program, crossings = app_view.section(analysis), crossover.section(analysis)
    shared = {
        **vars(view),
        "case": analysis.case,
        "measurement": analysis.measurement,
        "pictures": pictures,
        "tree": tree_of_bases(analysis, elsewhere),
        "data": data,
        "jobs": multibuffer.section(analysis),
        "buffers": multibuffer.buffers(analysis),
        "pool": pool.pool(analysis),
        "levels": levels,
        "lesson": lesson,
        "program": program,
        "crossings": crossings,
        "machines": bool(elsewhere),
    }
    made.page(f"{name}.html", "case.html.j2", **shared)
    for level in levels:
        ladders = [ladder for ladder in analysis.ladders if ladder[0] == level]
        best = queries.best_ladder(analysis)
        switch = case_view.switch(ladders, best if best in ladders else ladders[0])
        numbers = numbers_view.numbers(analysis, level)
        content = {**shared, "switch": switch, "numbers": numbers, "level": level}
        made.page(f"{name}-numbers-{level}.html", "numbers.html.j2", **content)
    if program or crossings:
        made.page(f"{name}-programs.html", "programs.html.j2", **shared)
    if lesson:
        _statistics_pages(made, analysis.case.name, lesson, shared)
    for stage in analysis.case.stages:
        _stage_page(made, stage, analysis, *(of_stages or {}).get(stage, (analysis, data)))


def index_page(
    made: Folder,
    analyses: Iterable[tuple[Analysis, str]],
    side_by_side: Sequence[Sequence[Analysis]],
    published: bool = False,
) -> None:
    """Each with the name of the file that holds its measurement; `side_by_side`: by case, what the atlas compares."""
    entries, cases = [], []
    of_case = {mine[0].case.name: mine if published else mine[:1] for mine in side_by_side}
    for analysis, data in analyses:
        says = _of_what(f"{analysis.case.title}: the main path{_LIBRARIES} against the reference", analysis)
        picture = made.picture(f"{analysis.case.name}-overview.svg", charts.overview(analysis), says)
        entries.append((index_view.IndexEntry(analysis, data, published, of_case[analysis.case.name][1:]), picture))
        cases.append(analysis.case)
    taught = [one for one in techniques(cases) if one.stages]
    made.page("techniques.html", "techniques.html.j2", techniques=taught)
    made.page("claims.html", "claims.html.j2", published=published, **claims_view.content(of_case.values()))
    atlas_pages(made, side_by_side)
    made.page("index.html", "index.html.j2", entries=entries)


def atlas_pages(made: Folder, side_by_side: Sequence[Sequence[Analysis]]) -> None:
    """The atlas, and for each step that several CPUs can have measured its evidence on each of them."""
    found = atlas_view.atlas(side_by_side)
    made.page("atlas.html", "atlas.html.j2", cases=found)
    for one in found:
        for line in one.lines if one.several else []:
            evidence = step_evidence.of_line(one, line)
            made.page(f"{line.stage.name}-machines.html", "step.html.j2", case=one.case, evidence=evidence, line=line)


def write_page(path: Path, template: str, content: Mapping[str, object]) -> Path:
    return write_text(path, environment(html=True).get_template(template).render(**content))


def markdown(template: str, **content: object) -> str:
    return environment(html=False).get_template(template).render(**content)


def fill(path: Path, name: str, filling: str) -> Path:
    """Replaces the text between the markers of that name."""
    begin, end = _markers(name)
    before, _, after = between(path.read_text("utf-8"), name, path)
    return write_text(path, before + begin + filling.rstrip() + "\n" + end + after)


def between(text: str, name: str, path: Path) -> tuple[str, str, str]:
    """What is before the markers of that name, between them, and behind them, in the text of this file."""
    begin, end = _markers(name)
    before, begun, rest = text.partition(begin)
    inside, ended, after = rest.partition(end)
    if not begun or not ended:
        raise UserError(f"{shown(path)} lacks the lines {begin.strip()} and {end.strip()}: write them again.")
    return before, inside, after


def _markers(name: str) -> tuple[str, str]:
    return f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"


def _of_what(says: str, analysis: Analysis) -> str:
    """What a picture says of libraries holds where there are some."""
    return says if queries.peers(analysis) else says.replace(_LIBRARIES, "")


def _stage_page(made: Folder, stage: Stage, of_case: Analysis, analysis: Analysis, data: str) -> None:
    view = stage_view.StageView(analysis, stage)
    drawn = charts.latency_of_step(view.latency, stage.name)
    says = "How long single calls take, before and after"
    made.page(
        f"{stage.name}.html",
        "stage.html.j2",
        **vars(view),
        case=analysis.case,
        measurement=analysis.measurement,
        of_case=of_case.measurement,
        main_workload=analysis.workloads[0],
        pictures=pictures_of(stage),
        picture=made.picture(f"{stage.name}-latency.svg", drawn, says) if drawn else None,
        files=[shown(path) for path in stage.files],
        data=data,
    )


def _statistics_pages(made: Folder, case: str, lesson: statistics_view.Section, shared: Mapping[str, object]) -> None:
    """The page on statistics, and that of the program against itself."""
    says = "One field of contenders, judged in three ways"
    rankings = {
        field.id: made.picture(f"{case}-rankings-{field.id}.svg", charts.rankings(field.contenders), says)
        for field in lesson.fields
    }
    chosen = (lesson.chosen.level, lesson.chosen.compiler)  # of the sentence that the page begins with
    switch = case_view.switch([(field.level, field.compiler) for field in lesson.fields], chosen)
    made.page(f"{case}-lesson.html", "lesson.html.j2", **{**shared, "switch": switch}, rankings=rankings)
    itself = charts.against_itself(lesson.identical.means_apart, lesson.identical.rounds_apart)
    picture = made.picture(f"{case}-itself.svg", itself, "How far apart the same program seems from itself")
    made.page(f"{case}-identical.html", "identical.html.j2", **shared, picture=picture)


def write_text(path: Path, text: str) -> Path:
    try:
        return files.write(path, text.rstrip() + "\n")
    except OSError as error:
        raise UserError(f"Cannot write {shown(path)} ({error.strerror}).") from None
