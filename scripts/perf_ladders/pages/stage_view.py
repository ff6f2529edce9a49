"""What the page of a stage shows, worked out from an analysis; nothing here writes HTML or Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from perf_ladders import stats
from perf_ladders.model.evidence import Evidence, Loop
from perf_ladders.pages import case_view, compiler_explorer, figures, steps_view
from perf_ladders.pages.numbers_view import Table
from perf_ladders.results import constant_time, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, OfLadder, Row
from perf_ladders.tree.catalogue import Stage
from perf_ladders.tree.idea import idea_lines
from perf_ladders.tree.pictures import FENCE

KNOWN_SECTIONS = ("Hypothesis", "Change", "Picture", "Evidence", "Result")


@dataclass(frozen=True)
class Profile(OfLadder):
    """The evidence of one program, with its row on the first workload."""

    stage: str
    row: Row | None
    evidence: Evidence | None

    @property
    def max_samples(self) -> float:
        return _most([one.samples for one in self._loop.instructions]) if self._loop else 0.0

    @property
    def max_executions(self) -> float:
        return _most([one.executions for one in self._loop.instructions]) if self._loop else 0.0

    @property
    def _loop(self) -> Loop | None:
        return self.evidence.loop if self.evidence else None

    def why(self, field: str) -> str:
        """Why a field of the evidence is not there."""
        return self.evidence.missing.get(field, "not looked for") if self.evidence else "not looked for"


@dataclass(frozen=True)
class Part:
    """Of the notes: prose, or the place of a picture, of the diff or of the rows."""

    kind: str
    text: str


@dataclass(frozen=True)
class Predicted:
    """With one compiler: the row, or why there is none."""

    row: Row | None
    reason: str


@dataclass(frozen=True)
class PredictionLine:
    level: str
    low: float
    high: float
    cells: list[Predicted]

    @property
    def says_little(self) -> bool:
        return stats.says_little(self.low, self.high)


@dataclass(frozen=True)
class DiffLine:
    kind: str
    text: str


class StageView:
    def __init__(self, analysis: Analysis, stage: Stage) -> None:
        case = analysis.case
        base = case.base(stage)
        self.analysis = analysis
        self.stage = stage
        self.base = base
        self.next = next((other for other in case.main_path if case.base(other) == stage), None)
        self.leaves = None if stage in case.main_path else case.leaves(stage)
        self.branches = case.branches(stage)
        self.idea = idea_lines(case, stage)
        self.diff = diff_lines(case.diff(stage))
        self.rows = [row for row in analysis.first_rows if row.stage == stage.name]
        found = [row.ladder for row in self.rows]
        highest = [ladder for ladder in queries.highest(analysis) if ladder in found]
        chosen = highest[0] if highest else found[-1] if found else None
        self.chosen = next((row for row in self.rows if row.ladder == chosen), None)  # which is told first
        self.explorer = _explorer(analysis, stage, self.chosen)  # a link
        self.other_workloads = _other_workloads(analysis, stage)
        self.compilers = list(dict.fromkeys(compiler for _, compiler in analysis.ladders))
        self.predictions = _predictions(analysis, stage, self.rows) if base else []
        self.sections = sections(figures.filled(stage, analysis.case, analysis), changed=base is not None)
        self.switch = case_view.switch(found, chosen) if chosen else []
        why = steps_view.absent(analysis).get(stage.name, "not measured yet")
        self.why = f"{why[:1].upper()}{why[1:]}."  # where it has no rows
        self.profiles = [profile(analysis, stage.name, ladder) for ladder in found]
        self.before = base if base and any(row.stage == base.name for row in analysis.first_rows) else None
        self.latency = _latency(analysis, stage, base, found)
        self.digest = analysis.measurement.sources.get(f"stage/{stage.slug}", "")
        self.constant_time = constant_time.of_stage(stage) if constant_time.has_secrets(case.name) else None
        self.older = any(row.stale for row in self.rows)


def _explorer(analysis: Analysis, stage: Stage, chosen: Row | None) -> str | None:
    if chosen is None:
        return None
    compiler = next(one for one in analysis.measurement.compilers if one.name == chosen.compiler)
    return compiler_explorer.link(analysis.case, stage, chosen.level, compiler)


def profile(analysis: Analysis, name: str, ladder: Ladder) -> Profile:
    program = analysis.at(name, ladder)
    evidence = analysis.evidence_of(program) if program else None
    return Profile(*ladder, name, queries.rows_at(analysis, ladder).get(name), evidence)


def sections(notes: str, changed: bool) -> dict[str, list[Part]]:
    """The notes by heading, cut at their markers; diff and rows have a place even if the notes name none."""
    shown = {"prose", "picture", "rows", "diff"} if changed else {"prose", "picture", "rows"}
    found: dict[str, list[Part]] = {}
    for piece in re.split(r"^(?=## )", notes, flags=re.MULTILINE):
        title, _, text = piece.removeprefix("## ").partition("\n") if piece.startswith("## ") else ("", "", piece)
        found.setdefault(title.strip(), []).extend(_parts(text))
    for kind, heading in (("diff", "Change"), ("rows", "Result")):
        if not any(part.kind == kind for parts in found.values() for part in parts):
            found.setdefault(heading, []).append(Part(kind, ""))
    return {
        title: [part for part in parts if part.kind in shown and (part.kind != "prose" or part.text.strip())]
        for title, parts in found.items()
    }


def diff_lines(diff: str) -> list[DiffLine]:
    kinds = {"+": "plus", "-": "minus", "@": "at"}
    return [
        DiffLine("file" if line.startswith(("+++", "---")) else kinds.get(line[:1], ""), line)
        for line in diff.split("\n")
    ]


def _parts(text: str) -> list[Part]:
    pieces = re.split(r"<!-- (diff|rows|picture) -->\n?", FENCE.sub("<!-- picture -->", text))
    return [Part("prose", piece) if place % 2 == 0 else Part(piece, "") for place, piece in enumerate(pieces)]


def _most(values: Sequence[float | None]) -> float:
    """What a full bar is; 0 where the column is empty."""
    return max((value for value in values if value is not None), default=0.0)


def _predictions(analysis: Analysis, stage: Stage, rows: Sequence[Row]) -> list[PredictionLine]:
    """By level: what was predicted, and the result with each compiler."""
    reasons = {one.name: one.reason for one in analysis.measurement.left_out}
    compilers = list(dict.fromkeys(compiler for _, compiler in analysis.ladders))
    measured = {level for level, _ in analysis.ladders}
    found = []
    for level, (low, high) in stage.notes.predicts.items():
        cells = []
        for compiler in compilers:
            row = next((one for one in rows if one.ladder == (level, compiler)), None)
            why = "not measured" if level in measured else "nothing was measured at this level"
            reason = reasons.get(f"{stage.slug}.{level}.{compiler}", why)
            cells.append(Predicted(row, reason.split(": ")[0].rstrip(".")))
        found.append(PredictionLine(level, low, high, cells))
    return found


def _other_workloads(analysis: Analysis, stage: Stage) -> list[Table]:
    shown = [workload for workload in analysis.workloads[1:] if workload.role != "sweep"]
    mine = [row for row in analysis.rows if row.stage == stage.name]
    tables = [Table(one, [row for row in mine if row.workload == one.name]) for one in shown]
    return [table for table in tables if table.rows]


def _latency(analysis: Analysis, stage: Stage, base: Stage | None, found: Sequence[Ladder]) -> list[tuple[str, Row]]:
    """The rows of stage and base on each ladder, named for a picture."""
    pairs = []
    for ladder in found:
        rows = queries.rows_at(analysis, ladder)
        for one in (base, stage):
            if one is not None and one.name in rows:
                pairs.append((f"{one.number} at {', '.join(ladder)}", rows[one.name]))
    return pairs
