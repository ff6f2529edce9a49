"""Slides and a worksheet of a case: the notes of its stages and the measurement that is shown of it.

pandoc lays the slides out. Every number on them follows from the measurement.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.model.measurement import Workload
from perf_ladders.pages import answer, case_view, charts, figures, formatting, render, svg, terminal
from perf_ladders.pages.steps_view import Step, steps
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, Row
from perf_ladders.results.shown import shown as measured_of
from perf_ladders.tree.catalogue import Case, Stage, read_case
from perf_ladders.tree.levels import built_levels
from perf_ladders.tree.paths import OWN_STAGES, ROOT, shown

TEXT = 620  # letters of a section that a slide has room for
LINES = 20  # of a diff
WIDTH = 92  # letters of a line of code
_WORKLOADS = 3  # columns that a table has room for
_TAKEN_AWAY = 6  # lines in a row, of which more are only counted
_EXAMPLE = "xtea-04"  # the stage that docs/workshop/worksheet.md speaks of
_GAP = " \N{VERTICAL ELLIPSIS}"
_MARKDOWN = "commonmark+pipe_tables+fenced_divs+raw_attribute-raw_html"
_TEMPLATE = Path(__file__).parents[1] / "pages" / "templates" / "slides.dzslides"


@dataclass(frozen=True)
class Line:
    """What was measured of a stage on one ladder: a cell for each workload, the predicted one first."""

    ladder: Ladder
    cells: list[Row | None]

    @property
    def stale(self) -> bool:
        return any(cell.stale for cell in self.cells if cell)


@dataclass(frozen=True)
class Slide:
    """A stage."""

    stage: Stage
    base: Stage | None
    levels: list[str]  # that predictions are made for
    diff: str = ""
    left_out: int = 0  # changed lines of it
    lines: tuple[Line, ...] = ()
    missing: str = ""  # why there are no lines
    notes: str = ""  # with the figures of the measurement
    beside: tuple[Step, ...] = ()  # the side branches that leave here

    def section(self, title: str) -> str:
        """Of its notes, without the markers of what a page puts there."""
        return re.sub(r"<!-- \w+ -->\n*", "", terminal.section(self.notes, title)).strip()


def write_all(names: list[str], folder: Path, only: list[str] | None = None) -> Iterator[Path]:
    for name in names:
        case = read_case(name)
        yield from write(case, measured_of(case), folder, only)


def write(case: Case, found: Analysis | None, folder: Path, only: list[str] | None = None) -> list[Path]:
    """NAME.html, the slides, and NAME-worksheet.html, to be printed: of the main path, or of stages by number."""
    stages = stages_of(case, only)
    folder.mkdir(parents=True, exist_ok=True)
    slides, worksheet = folder / f"{case.name}.html", folder / f"{case.name}-worksheet.html"
    _pandoc(deck(case, found, stages), f"{case.title}, step by step", slides)
    handout(case, stages, worksheet)
    return [slides, worksheet]


def deck(case: Case, found: Analysis | None, stages: list[Stage]) -> str:
    """The slides, as Markdown."""
    workloads = found.main_workloads[:_WORKLOADS] if found else []
    said = answer.answer(found, published=True) if found else None
    trouble = said.sentences[0] if said and said.trouble else ""
    return render.markdown(
        "slides.md.j2",
        case=case,
        found=found,
        best_ladder=queries.best_ladder(found) if found else (),
        workloads=workloads,
        stages=[_slide(case, stage, found, workloads, stages) for stage in stages],
        best=[] if trouble else case_view.best(found) if found else [],
        trouble=trouble,
        picture=svg.inline(charts.overview(found), "overview", "The main path and the libraries") if found else "",
        cut=cut,
    )


def handout(case: Case, stages: list[Stage], path: Path) -> Path:
    """The stages in the order of the slides, each with the levels that predictions are made for."""
    text = (ROOT / "docs/workshop/worksheet.md").read_text("utf-8").replace(_EXAMPLE, stages[:5][-1].name)
    before, after = re.split(r"<!-- steps: begin -->.*<!-- steps: end -->\n", text, flags=re.DOTALL)
    steps = [Slide(stage, case.base(stage), levels(case, stage)) for stage in stages]
    content = {"case": case, "steps": steps, "before": before, "after": after}
    return render.write_page(path, "worksheet.html.j2", content)


def levels(case: Case, stage: Stage) -> list[str]:
    """Those that are predicted and that `make build` makes; the first stage has those of all."""
    predicted = stage.notes.predicts or {level for other in stages_of(case) for level in other.notes.predicts}
    return [level for level in built_levels(case.name) if level in predicted]


def cut(markdown: str, limit: int = TEXT) -> tuple[str, bool]:
    """As many whole paragraphs as there is room for, or else whole sentences of the first; and whether all is there."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", markdown.strip())]
    kept: list[str] = []
    for paragraph in paragraphs:
        if len("\n\n".join([*kept, paragraph])) > limit:
            break
        kept.append(paragraph)
    if not kept:
        sentence = ""
        for part in re.split(r"(?<=[.!?]) (?=[A-Z`*])", " ".join(paragraphs[0].split())):
            if sentence and len(sentence) + len(part) > limit:
                break
            sentence += f" {part}" if sentence else part
        kept = [sentence]
    return "\n\n".join(kept), sum(map(len, kept)) == sum(map(len, paragraphs))


def small_diff(diff: str, limit: int = LINES) -> tuple[str, int]:
    """What a slide has room for of a diff, and how many changed lines it leaves out.

    Without the head line and the includes; what was only taken away is counted where it is long.
    """
    runs = [_shortened(run) for run in _runs(_without_heads(diff))]
    lines = [line for place, run in enumerate(runs) for line in ([_GAP] if place else []) + run]
    heights = accumulate(-(-len(line) // WIDTH) for line in lines)
    fitting = sum(height <= limit for height in heights)
    return "\n".join(lines[:fitting]), sum(map(_changes, lines[fitting:]))


def stages_of(case: Case, only: list[str] | None = None) -> list[Stage]:
    """The main path, or these in the order of the ladder, whatever the order in which they are named; `4` is `04`."""
    if not only:
        return case.main_path
    every = {stage.number: stage for stage in case.stages if stage.number < OWN_STAGES}
    wanted = {name.removeprefix(f"{case.name}-").zfill(2): name for name in only}
    if unknown := [name for number, name in wanted.items() if number not in every]:
        raise UserError(f"{case.title} has no stage '{unknown[0]}'; there are: {' '.join(every)}.")
    return [stage for number, stage in every.items() if number in wanted]


def _slide(case: Case, stage: Stage, found: Analysis | None, workloads: list[Workload], stages: list[Stage]) -> Slide:
    diff, cut_off = small_diff(case.diff(stage))
    rows = [row for row in found.rows if row.stage == stage.name] if found else []
    left_out = found.measurement.left_out if found else []
    reasons = [one.reason for one in left_out if one.name.split(".")[0] == stage.slug]
    missing = " ".join(dict.fromkeys(reasons)) or "not measured yet"
    notes = figures.filled(stage, case, found)
    beside = tuple(one for one in _beside(case, stage, found) if one.stage not in stages)
    lines = _lines(rows, workloads)
    return Slide(stage, case.base(stage), levels(case, stage), diff, cut_off, lines, missing, notes, beside)


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


def _without_heads(diff: str) -> list[str]:
    dull = re.compile(r"(---|\+\+\+) |[+-](#include\b|// (\d\d|requires:|threads:|links:|variants:|also:) )|[+-]$")
    return [line for line in diff.splitlines() if not dull.match(line)]


def _runs(lines: list[str]) -> list[list[str]]:
    """Adjacent changed lines, each with the line before it, where the diff shows one."""
    runs: list[list[str]] = []
    before = ""
    inside = False
    for line in lines:
        if line[:1] in ("+", "-"):
            if not inside:
                runs.append([before] if before.strip() and before[:1] == " " else [])
            runs[-1].append(line)
        inside = line[:1] in ("+", "-")
        before = line
    return runs


def _changes(line: str) -> int:
    """How many changed lines it stands for."""
    counted = re.match(r"@@ (\d+) lines taken away", line)
    return int(counted[1]) if counted else line[:1] in ("+", "-")


def _shortened(run: list[str]) -> list[str]:
    gone = [line for line in run if line[:1] == "-"]
    if len(gone) <= _TAKEN_AWAY:
        return run
    return [*(line for line in run if line[:1] != "-"), f"@@ {len(gone)} lines taken away @@"]


def _pandoc(markdown: str, title: str, path: Path) -> None:
    command = ["pandoc", f"--from={_MARKDOWN}", "--to=dzslides", "--standalone", f"--template={_TEMPLATE}"]
    command += ["--slide-level=1", f"--metadata=pagetitle={title}", f"--output={path}"]
    try:
        done = subprocess.run(command, input=markdown, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise UserError("make slides needs pandoc, which is not installed: apt-get install pandoc") from None
    if done.returncode:
        raise UserError(f"pandoc could not write {shown(path)}: {done.stderr.strip()}")
