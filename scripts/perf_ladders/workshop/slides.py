"""Slides and a worksheet of a case: the notes of its stages and the measurement that is shown of it.

A slide has a title, one thing to look at (a picture, code or a table) and one sentence; its speaker notes have the
rest. pandoc lays the slides out. Every number on them follows from the measurement.
"""

from __future__ import annotations

import re
import subprocess
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.model.measurement import Workload
from perf_ladders.pages import answer, case_view, charts, figures, formatting, render, svg, terminal
from perf_ladders.pages.pictures import Drawn
from perf_ladders.pages.steps_view import Step, steps
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, Row
from perf_ladders.results.shown import shown as measured_of
from perf_ladders.tree import files
from perf_ladders.tree.catalogue import Case, Stage, read_case
from perf_ladders.tree.idea import MOST_LINES, idea_lines, moved_lines
from perf_ladders.tree.levels import built_levels
from perf_ladders.tree.notes import LEFT, section, sentences, without_markers
from perf_ladders.tree.paths import OWN_STAGES, ROOT, shown
from perf_ladders.workshop.slide_pictures import on_slides
from perf_ladders.workshop.teaching_plan import Planned, planned

ROWS = 14  # that a slide has room for: its lines of code, of which a long one takes several
WIDTH = 66  # letters of such a row
_EXAMPLE = "xtea-04"  # the stage that docs/workshop/worksheet.md speaks of
_GAP = "\N{VERTICAL ELLIPSIS}"
NO_PANDOC = "Slides need pandoc, which is not installed: apt-get install pandoc"
_MARKDOWN = "commonmark+pipe_tables+fenced_divs+raw_attribute-raw_html"
_TEMPLATE = Path(__file__).parents[1] / "pages" / "templates" / "slides.dzslides"
_ALL = Planned()
_UNPLANNED: Mapping[str, Planned] = {}


@dataclass(frozen=True)
class Line:
    """What was measured of a stage on one ladder: a cell for each workload, the predicted one first."""

    ladder: Ladder
    cells: list[Row | None]

    @property
    def stale(self) -> bool:
        return any(cell.stale for cell in self.cells if cell)


@dataclass(frozen=True)
class Code:
    """The lines of a step that a slide shows."""

    slides: list[list[str]]  # rows of each; a second slide where long lines take many rows
    which: str  # lines these are: the beginning of a sentence


@dataclass(frozen=True)
class Slide:
    """A stage."""

    stage: Stage
    base: Stage | None
    levels: list[str]  # that predictions are made for
    planned: Planned = _ALL
    code: Code | None = None
    pictures: tuple[Drawn, ...] = ()
    lines: tuple[Line, ...] = ()
    elsewhere: tuple[tuple[Workload, Row], ...] = ()  # other workloads that it changes, on the best ladder
    missing: str = ""  # why there are no lines
    notes: str = ""  # with the figures of the measurement
    beside: tuple[Step, ...] = ()  # the side branches that leave here

    def section(self, title: str) -> str:
        """Of its notes, without the markers of what a page puts there."""
        return without_markers(section(self.notes, title))

    @property
    def by_compiler(self) -> list[list[Line]]:
        return [
            [line for line in self.lines if line.ladder[1] == one]
            for one in dict.fromkeys(line.ladder[1] for line in self.lines)
        ]

    @property
    def idea(self) -> str:
        """The first sentence of its headline."""
        return sentences(self.stage.headline)[0]

    @property
    def why(self) -> str:
        """A sentence of the result without a figure, for figures are on the slide before; its idea where none is."""
        written = without_markers(section(self.stage.notes.text, "Result"))
        plain = map(_without_figures, sentences(written.partition(LEFT)[0]))
        result, left, rest = self.section("Result").partition(LEFT)
        worded = [one for one in sentences(result) if not re.search(r"\d[.%]\d?", one)]
        return next((one for one in [*plain, *worded, *sentences(left + rest)] if one), self.idea)


def write_all(names: list[str], folder: Path, only: list[str] | None = None) -> Iterator[Path]:
    for name in names:
        case = read_case(name)
        yield from write(case, measured_of(case), folder, only)


def write_plan(length: str, folder: Path) -> Iterator[Path]:
    """Of the cases, stages and levels that a plan of docs/workshop measures."""
    for name, found in planned(length).items():
        case = read_case(name)
        yield from write(case, measured_of(case), folder, list(found), found)


def write(
    case: Case,
    found: Analysis | None,
    folder: Path,
    only: list[str] | None = None,
    plan: Mapping[str, Planned] = _UNPLANNED,
) -> list[Path]:
    """NAME.html, the slides, and NAME-worksheet.html, to be printed: of the main path, or of stages by number."""
    stages = stages_of(case, only)
    folder.mkdir(parents=True, exist_ok=True)
    slides, worksheet = folder / f"{case.name}.html", folder / f"{case.name}-worksheet.html"
    _pandoc(deck(case, found, stages, plan), f"{case.title}, step by step", slides)
    handout(case, stages, worksheet, plan)
    return [slides, worksheet]


def deck(case: Case, found: Analysis | None, stages: list[Stage], plan: Mapping[str, Planned] = _UNPLANNED) -> str:
    """The slides, as Markdown."""
    workloads = found.main_workloads if found else []
    said = answer.answer(found, published=True) if found else None
    trouble = said.sentences[0] if said and said.trouble else ""
    return render.markdown(
        "slides.md.j2",
        case=case,
        summary=sentences(case.summary)[0],
        found=found,
        best_ladder=queries.best_ladder(found) if found else (),
        workloads=workloads,
        stages=[_slide(case, stage, found, workloads, stages, plan) for stage in stages],
        best=[] if trouble else case_view.best(found) if found else [],
        trouble=trouble,
        picture=svg.inline(charts.overview(found, slide=True), "overview", "The main path and the libraries")
        if found
        else "",
    )


def handout(case: Case, stages: list[Stage], path: Path, plan: Mapping[str, Planned] = _UNPLANNED) -> Path:
    """The stages in the order of the slides, each with the levels that predictions are made for."""
    source = ROOT / "docs/workshop/worksheet.md"
    text = source.read_text("utf-8").replace(_EXAMPLE, stages[:5][-1].name)
    before, _, after = render.between(text, "steps", source)
    steps = [_asked(case, stage, plan) for stage in stages]
    content = {"case": case, "steps": steps, "before": before, "after": after}
    return render.write_page(path, "worksheet.html.j2", content)


def levels(case: Case, stage: Stage) -> list[str]:
    """Those that are predicted and that `make build` makes; the first stage has those of all."""
    predicted = stage.notes.predicts or {level for other in stages_of(case) for level in other.notes.predicts}
    return [level for level in built_levels(case.name) if level in predicted]


def code_of(case: Case, stage: Stage) -> Code:
    """The lines that the notes mark, or else the first that are new: no moved ones, no comments, no includes."""
    diff = case.diff(stage)
    moved = moved_lines(diff)
    pieces: list[list[str]] = [[]]
    for line in diff.splitlines()[2:]:  # after the names of the files
        text = line[1:].strip()
        if line[:1] == "+" and text and text not in moved and not text.startswith(("//", "#include")):
            pieces[-1].append(line[1:])
        elif line[:1] != "-" and pieces[-1]:
            pieces.append([])
    if marked := idea_lines(case, stage):
        return Code(_packed(marked), "The lines that carry the idea")
    dedented = [textwrap.dedent("\n".join(piece)).splitlines() for piece in pieces if piece]
    every = [line for place, piece in enumerate(dedented) for line in [_GAP] * (place > 0) + piece]
    whole = sum(line != _GAP for line in every) <= MOST_LINES and sum(map(len, map(_rows, every))) <= ROWS
    return Code([fitting(every)] if every else [], "All new lines" if whole else "The first of the new lines")


def fitting(lines: Sequence[str]) -> list[str]:
    """The rows of as many lines as a slide has room for."""
    rows = list(map(_rows, lines))
    filled, code = accumulate(map(len, rows)), accumulate(line != _GAP for line in lines)
    room = takewhile(lambda one: one[1] <= ROWS and one[2] <= MOST_LINES, zip(rows, filled, code, strict=True))
    kept = [row for shown, *_ in room for row in shown]
    return kept[:-1] if kept[-1:] == [_GAP] else kept


def stages_of(case: Case, only: list[str] | None = None) -> list[Stage]:
    """The main path, or these in the order of the ladder, whatever the order in which they are named; `4` is `04`."""
    if not only:
        return case.main_path
    every = {stage.number: stage for stage in case.stages if stage.number < OWN_STAGES}
    wanted = {name.removeprefix(f"{case.name}-").zfill(2): name for name in only}
    if unknown := [name for number, name in wanted.items() if number not in every]:
        raise UserError(f"{case.title} has no stage '{unknown[0]}'; there are: {' '.join(every)}.")
    return [stage for number, stage in every.items() if number in wanted]


def _asked(case: Case, stage: Stage, plan: Mapping[str, Planned]) -> Slide:
    """What is to be predicted of a stage."""
    of_plan = plan.get(stage.number, _ALL)
    asked = [of_plan.level] if of_plan.level else levels(case, stage)
    return Slide(stage, case.base(stage), asked, of_plan)


def _slide(
    case: Case,
    stage: Stage,
    found: Analysis | None,
    workloads: list[Workload],
    stages: list[Stage],
    plan: Mapping[str, Planned],
) -> Slide:
    rows = [row for row in found.rows if row.stage == stage.name] if found else []
    left_out = found.measurement.left_out if found else []
    reasons = [one.reason for one in left_out if one.name.split(".")[0] == stage.slug]
    asked = _asked(case, stage, plan)
    return replace(
        asked,
        code=code_of(case, stage) if asked.base else None,
        pictures=tuple(on_slides(stage)),
        lines=_lines(rows, workloads),
        elsewhere=_elsewhere(rows, workloads[1:], queries.best_ladder(found)) if found else (),
        missing=" ".join(dict.fromkeys(reasons)) or "not measured yet",
        notes=figures.filled(stage, case, found),
        beside=tuple(one for one in _beside(case, stage, found) if one.stage not in stages),
    )


def _beside(case: Case, stage: Stage, found: Analysis | None) -> list[Step]:
    """The side branches that leave the main path here, on the best ladder; none of the reader's own."""
    branches = [one for one in case.branches(stage) if not one.is_own]
    if found is None:
        return [Step(one, case.base(one), None, formatting.NOT_MEASURED) for one in branches]
    return [one for step in steps(found, queries.best_ladder(found)) for one in step.branches if one.stage in branches]


def _lines(rows: list[Row], workloads: list[Workload]) -> tuple[Line, ...]:
    cells = {(row.ladder, row.workload): row for row in rows}
    ladders = dict.fromkeys(row.ladder for row in rows)
    return tuple(Line(ladder, [cells.get((ladder, one.name)) for one in workloads]) for ladder in ladders)


def _packed(lines: Sequence[str]) -> list[list[str]]:
    """The rows of all lines, by slide; pieces, between empty lines, are kept whole where that is possible."""
    found: list[list[str]] = [[]]
    for piece in re.split(r"\n\n", "\n".join(lines)):
        rows = [row for line in piece.splitlines() for row in _rows(line)]
        if found[-1] and len(found[-1]) + 1 + len(rows) > ROWS:
            found.append([])
        found[-1] += [_GAP, *rows] if found[-1] else rows
    return [rows[start : start + ROWS] for rows in found for start in range(0, len(rows), ROWS)]


def _elsewhere(rows: list[Row], workloads: list[Workload], ladder: Ladder) -> tuple[tuple[Workload, Row], ...]:
    changed = {row.workload: row for row in rows if row.ladder == ladder and row.vs_base and row.vs_base.differs}
    return tuple((one, changed[one.name]) for one in workloads if one.name in changed)


def _rows(line: str) -> list[str]:
    """As the terminal breaks it; a comment behind it gets a row of its own."""
    code, mark, comment = line.partition("  // ")
    if mark and len(line) > WIDTH:
        rest = f"{' ' * (len(line) - len(line.lstrip()) + 4)}// "
        return [*_rows(code), *textwrap.wrap(comment, WIDTH, initial_indent=rest, subsequent_indent=rest)]
    return terminal.rows_of_code(line, WIDTH)


def _without_figures(sentence: str) -> str:
    """The sentence, or else its part before or after a colon; empty where both have figures."""
    kept = [part for part in sentence.split(": ") if "{{" not in part]
    if not kept or "{{" not in sentence:
        return ": ".join(kept)
    return f"{kept[0][:1].upper()}{kept[0][1:].rstrip('.')}."


def _pandoc(markdown: str, title: str, path: Path) -> None:
    command = ["pandoc", f"--from={_MARKDOWN}", "--to=dzslides", "--standalone", f"--template={_TEMPLATE}"]
    command += ["--slide-level=1", f"--metadata=pagetitle={title}"]
    try:
        done = subprocess.run(command, input=markdown.encode(), capture_output=True, check=False)
    except FileNotFoundError:
        raise UserError(NO_PANDOC) from None
    if done.returncode:
        raise UserError(f"pandoc could not write {shown(path)}: {done.stderr.decode(errors='replace').strip()}")
    files.write(path, done.stdout)
