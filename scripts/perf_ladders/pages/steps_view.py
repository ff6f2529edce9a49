"""The main path on one ladder: each stage with its row, or why it was measured nowhere, and its side branches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from perf_ladders.pages import answer, formatting
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, OfLadder, Row
from perf_ladders.tree.catalogue import Stage

NOT_HERE = "not in this measurement"
_OTHERS = " The list says where the others were measured, or why they are missing."
_NOT_YET = "not measured yet"
_ONLY_OLDER = "measured only with an older source"


@dataclass(frozen=True)
class Step:
    """A stage of the tree with its row on one ladder, or why it was measured nowhere."""

    stage: Stage
    base: Stage | None
    row: Row | None
    why: str
    branches: list[Step] = field(default_factory=list)  # that leave the main path here
    elsewhere: Row | None = None  # where it gains, if not on the first workload

    @property
    def title(self) -> str:
        return f"{self.stage.number} {self.stage.notes.title}"


@dataclass(frozen=True)
class Section(OfLadder):
    """Of one ladder: its main path, the rows of the first workload with the control first, and the row that it ends
    with."""

    steps: list[Step]
    rows: list[Row]
    closing: Row | None

    @property
    def path(self) -> str:
        """How far the main path was measured."""
        measured = [step for step in self.steps if step.row and step.base]
        every = len(self.steps) - 1
        lacking = f" Measured here: {len(measured)}.{_OTHERS}"
        said = f"Steps from the reference to the closing stage: {every}. Each builds on the one before."
        return said if len(measured) == every else said + lacking

    @property
    def branches(self) -> list[Step]:
        return [branch for step in self.steps for branch in step.branches]

    @property
    def in_order(self) -> list[Step]:
        """Each step of the main path, and behind it the side branches that leave there."""
        return [one for step in self.steps for one in (step, *step.branches)]


def sections(analysis: Analysis, elsewhere: Sequence[Analysis] = ()) -> list[Section]:
    """By ladder, the control first. `elsewhere`: of the same case."""
    kinds = ("control", "stage", "variant", "peer")
    found = []
    for ladder in analysis.ladders:
        rows = queries.rows_at(analysis, ladder)
        in_order = sorted(rows.values(), key=lambda row: kinds.index(row.kind))
        found.append(
            Section(*ladder, steps(analysis, ladder, elsewhere), in_order, rows.get(queries.end(analysis, ladder)))
        )
    return found


def steps(analysis: Analysis, ladder: Ladder, elsewhere: Sequence[Analysis] = ()) -> list[Step]:
    """The main path, with all side branches and those stages of the reader's own that were measured."""
    case, rows = analysis.case, queries.rows_at(analysis, ladder)
    missing = {name: _with_others(name, why, elsewhere, ladder) for name, why in absent(analysis).items()}

    def of_another_ladder(name: str) -> str:
        return "; ".join(filter(None, (f"not at {' with '.join(ladder)}", _elsewhere(analysis, name, ladder))))

    def step(stage: Stage, branches: list[Stage]) -> Step:
        row = rows.get(stage.name)
        why = "" if row else missing.get(stage.name) or of_another_ladder(stage.name)
        shown = [one for one in branches if one.name in rows or one.name in missing or not one.is_own]
        helps = queries.helped_elsewhere(analysis, row) if row else None
        return Step(stage, case.base(stage), row, why, [step(one, []) for one in shown], helps)

    return [step(stage, case.branches(stage)) for stage in case.main_path]


def absent(analysis: Analysis) -> dict[str, str]:
    """The stages that were measured nowhere, and why in few words."""
    reasons: dict[str, str] = {}
    for one in analysis.measurement.left_out:  # from the lowest level on, which most CPUs have
        reasons.setdefault(one.name.split(".")[0], one.reason)
    measured = {row.stage for row in analysis.rows}
    return {
        stage.name: _briefly(reasons[stage.slug]) if stage.slug in reasons else _NOT_YET
        for stage in analysis.case.stages
        if stage.name not in measured and (not stage.is_own or stage.slug in reasons)
    }


def _with_others(name: str, why: str, elsewhere: Sequence[Analysis], here_at: Ladder) -> str:
    """What the first other measurement that can be quoted says of a stage that this one lacks."""
    for other in (one for one in elsewhere if not answer.trouble(one)):
        if said := _elsewhere(other, name, here_at):
            here = NOT_HERE if why == _NOT_YET else why
            return f"{here}; on {formatting.short_machine(other.measurement)} {said}"
    rows = [row for one in elsewhere for row in one.first_rows if row.stage == name]
    return _ONLY_OLDER if why == _NOT_YET and rows and all(row.stale for row in rows) else why


def _elsewhere(analysis: Analysis, name: str, here_at: Ladder) -> str:
    """The speed-up of a step: on the ladder whose closing stage gains most, else on the highest that has the step; with
    the ladder, unless the reader looks at it. Empty where its source has changed."""
    top = queries.top(analysis).ladder
    for ladder in dict.fromkeys((top, *reversed(analysis.ladders))):
        row = queries.rows_at(analysis, ladder).get(name)
        if row and row.vs_base and not row.stale:
            best = queries.helped_elsewhere(analysis, row) or row
            words = [*([] if best is row else [best.workload]), *([] if ladder == here_at else [" with ".join(ladder)])]
            place = f" ({', '.join(words)})" if words else ""
            return f"{formatting.ratio(best.vs_base)} {formatting.verdict(best.vs_base)}{place}"
    return ""


def _briefly(reason: str) -> str:
    """Of what a processor lacks only the names, and of all parts of AVX-512 one."""
    lacks = re.search(r"lacks: ([^.]+)\.", reason)
    if not lacks:
        return f"not measured: {reason.split('. ')[0].rstrip('.')}"
    names = dict.fromkeys(re.sub(r"(?<=AVX-512)[A-Z]+", "", lacks[1]).split(", "))
    return f"not measured: this CPU lacks {', '.join(names)}"
