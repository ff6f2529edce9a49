"""The pages in git: a short page and a picture for each case, their index, and the parts of README.md and docs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from perf_ladders import stats
from perf_ladders.errors import UserError
from perf_ladders.pages import answer, atlas_view, case_view, charts, claims_view, formatting, machines_view, render
from perf_ladders.pages.case_view import Best
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Row
from perf_ladders.results.shown import analyses
from perf_ladders.stats import Verdict
from perf_ladders.tree.catalogue import Case, case_names, read_case
from perf_ladders.tree.paths import ROOT
from perf_ladders.tree.techniques import techniques

REPORTS = ROOT / "reports"
README = ROOT / "README.md"
CELLS = ROOT / "docs" / "reading-a-report.md"
TECHNIQUES = ROOT / "docs" / "techniques.md"
_EXAMPLE = re.compile(r"\[before\]\(stages/([^/]+)/(\d\d)-.*?\[after\]\(stages/\1/(\d\d)-", re.DOTALL)


@dataclass(frozen=True)
class TableLine:
    """Of README.md: a case and its closing stage, or in one word why no figure is shown."""

    case: Case
    best: Best | None
    trouble: str


def write() -> list[Path]:
    """All of them, from the committed measurements."""
    found = {name: analyses(read_case(name)) for name in case_names()}
    measured = {name: several for name, several in found.items() if several}
    files = [path for several in measured.values() for path in _case_pages(several, REPORTS)]
    shown = {name: several[0] for name, several in measured.items()}
    files.append(render.write_text(REPORTS / "README.md", index(shown)))
    files.append(render.write_text(REPORTS / "claims.md", claims(measured)))
    files.append(render.write_text(REPORTS / "atlas.md", atlas(measured)))
    for name, part in readme_parts(measured, README.read_text("utf-8")).items():
        render.fill(README, name, part)
    first = next(iter(shown.values()), None)
    if first:
        files += [README, render.fill(CELLS, "cells", cells(first))]
    return [*files, render.fill(TECHNIQUES, "techniques", techniques_part())]


def techniques_part() -> str:
    cases = [read_case(name) for name in case_names()]
    return render.markdown("techniques.md.j2", techniques=techniques(cases))


def page(several: list[Analysis]) -> str:
    """CASE.md, from the measurement that is shown, which is the first."""
    analysis = several[0]
    view = case_view.CaseView(analysis, published=True, elsewhere=several[1:])
    return render.markdown(
        "case.md.j2",
        **vars(view),
        case=analysis.case,
        measurement=analysis.measurement,
        machines=machines_view.view(several).machines,
    )


def picture(analysis: Analysis) -> str:
    return charts.overview(analysis)


def index(shown: dict[str, Analysis]) -> str:
    return render.markdown("reports.md.j2", lines=_lines(shown), prefix="")


def claims(measured: Mapping[str, Sequence[Analysis]], template: str = "claims.md.j2") -> str:
    """By case, the measurement that is shown first."""
    every = list(measured.values())
    return render.markdown(template, **claims_view.content(every), surprises=claims_view.surprises(every))


def atlas(measured: dict[str, list[Analysis]]) -> str:
    return render.markdown("atlas.md.j2", cases=atlas_view.atlas(measured.values()))


def readme_parts(measured: Mapping[str, Sequence[Analysis]], readme: str) -> dict[str, str]:
    """By marker: the table of all cases, the score of the claims, and the gain of the example."""
    shown = {name: several[0] for name, several in measured.items()}
    return {
        "table": render.markdown("table.md.j2", lines=_lines(shown), prefix="reports/"),
        "claims": claims(measured, "claims_readme.md.j2"),
        "gain": gain(shown, readme),
    }


def gain(shown: dict[str, Analysis], readme: str) -> str:
    """Of the step whose sources README.md links as before and after, at the highest level of the first compiler."""
    example = _EXAMPLE.search(readme)
    if example is None:
        raise UserError("README.md links no step as [before](stages/CASE/NN-...) and [after](stages/CASE/NN-...).")
    case, before, after = example.groups()
    analysis = shown.get(case)
    if analysis is None or answer.trouble(analysis):
        return "This step is not measured yet."
    level, name = queries.highest(analysis)[0]
    found = analysis.compared(f"{case}-{before}", f"{case}-{after}", (level, name))
    if found is None:
        return "This step is not measured yet."
    version = next(one.version for one in analysis.measurement.compilers if one.name == name)
    where = f"{formatting.compiler(name)} {version}, {level}"
    return (
        f"Measured speed-up: **{formatting.ratio(found)}** ({where}, {formatting.size(analysis.workloads[0].bytes)};\n"
        f"{formatting.short_machine(analysis.measurement)}, {analysis.measurement.made.date[:10]}).\n"
        f"{formatting.brackets(analysis.measurement)}"
    )


def cells(analysis: Analysis) -> str:
    """What docs/reading-a-report.md shows: the first cell of each verdict, and of each outcome of a prediction."""
    steps = [(row.vs_base.verdict, row) for row in analysis.first_rows if row.kind == "stage" and row.vs_base]
    verdicts = dict(reversed(steps))
    outcomes = {row.prediction.outcome: row for _, row in reversed(steps) if row.prediction}
    in_order: list[Row] = [verdicts[name] for name in get_args(Verdict) if name in verdicts]
    return render.markdown(
        "cells.md.j2",
        analysis=analysis,
        titles=queries.titles(analysis),
        alike=stats.MAX_ALIKE,
        cells=in_order,
        predictions=[outcomes[name] for name in get_args(stats.Outcome) if name in outcomes],
    )


def _case_pages(several: list[Analysis], folder: Path) -> list[Path]:
    name = several[0].case.name
    return [
        render.write_text(folder / f"{name}.md", page(several)),
        render.write_text(folder / f"{name}.svg", picture(several[0])),
    ]


def _lines(shown: dict[str, Analysis]) -> list[TableLine]:
    """One for every case of the tree; the closing stage of its best ladder."""
    lines = []
    for name in case_names():
        analysis = shown.get(name)
        if analysis is None:
            lines.append(TableLine(read_case(name), None, "unmeasured"))
        else:
            best = [one for one in case_view.best(analysis) if one.row.ladder == queries.best_ladder(analysis)]
            lines.append(TableLine(analysis.case, next(iter(best), None), answer.trouble(analysis)))
    return lines
