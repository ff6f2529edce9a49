"""The Java programs in the terminal and in docs/java.md: times, verdicts, and the answers to three questions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from perf_ladders.pages import formatting
from perf_ladders.pages.render import fill, markdown
from perf_ladders.results import java
from perf_ladders.results.java import JavaAnalysis
from perf_ladders.stats import Comparison
from perf_ladders.tree.java import JavaCase, Notes
from perf_ladders.tree.paths import ROOT

PAGE = ROOT / "docs" / "java.md"
_BUILDERS = ("builder", "buffer")
_LIBRARY = "bouncy-castle"


@dataclass(frozen=True)
class Step:
    """One comparison."""

    base: str
    stage: str
    workload: str
    found: Comparison

    @property
    def said(self) -> str:
        """1.2x [1.1, 1.3] faster"""
        return f"{formatting.ratio(self.found)} {formatting.verdict(self.found)}"


def steps(analysis: JavaAnalysis) -> list[Step]:
    found = []
    for step in analysis.measurement.steps:
        (workload,) = step.workloads
        if comparison := analysis.compared(step.base, step.stage, workload):
            found.append(Step(step.base, step.stage, workload, comparison))
    return found


def show(analysis: JavaAnalysis, console: Console) -> None:
    shown = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
    for heading in (analysis.measurement.case, "mean", "SD", "least"):
        shown.add_column(heading)
    for row in analysis.rows:
        spread = row.spread
        times = (formatting.time(one) for one in (spread.mean, spread.sd, spread.minimum))
        shown.add_row(f"{row.way}, {row.workload}", *times)
    console.print(shown)
    for step in steps(analysis):
        console.print(f"{step.base} to {step.stage}, {step.workload}: {step.said}", markup=False)
    console.print(controls(analysis), markup=False)


def controls(analysis: JavaAnalysis) -> str:
    """The A/A pairs in a sentence."""
    return f"Of {len(analysis.controls)} A/A pairs of JVMs {len(analysis.apart)} came out different."


def write() -> list[Path]:
    """Puts the newest published measurements into docs/java.md; nothing where there are none."""
    shown = java.shown()
    return [fill(PAGE, "java", section(shown))] if shown else []


def section(shown: dict[str, java.Shown]) -> str:
    """What docs/java.md shows."""
    return markdown(
        "java.md.j2",
        builders=_builders(shown),
        engines=_engines(shown),
        cases=[_case(one) for one in shown.values()],
    )


def _builders(shown: dict[str, java.Shown]) -> Step | None:
    every = steps(shown["json"].analysis) if "json" in shown else []
    return next((one for one in every if (one.base, one.stage) == _BUILDERS), None)


def _engines(shown: dict[str, java.Shown]) -> list[Step]:
    """The others over the library."""
    every = steps(shown["salsa20"].analysis) if "salsa20" in shown else []
    return [one for one in every if one.base == _LIBRARY]


@dataclass(frozen=True)
class CaseView:
    case: JavaCase
    analysis: JavaAnalysis
    steps: list[Step]
    notes: dict[str, Notes]  # of the ways that are stages
    control: str
    vectors: dict[str, bool]  # by way, whether the JIT rotates vectors of integers, which only the rounds of Salsa20 do


def _case(one: java.Shown) -> CaseView:
    notes = {way: found for way in one.case.ways if (found := one.case.notes(way))}
    decoded = {way: jit for way, jit in one.analysis.measurement.jit.items() if jit.instructions}
    used = {way: any(re.search("sll|srl|rol", name) for name in jit.vector) for way, jit in decoded.items()}
    return CaseView(one.case, one.analysis, steps(one.analysis), notes, controls(one.analysis), used)
