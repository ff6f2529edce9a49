"""Which measurement of a case is shown: that with the most rows of the present sources, and of these the newest."""

from __future__ import annotations

from pathlib import Path

from perf_ladders.results.analysis import Analysis
from perf_ladders.results.store import load, paths
from perf_ladders.tree.catalogue import Case


def analyses(case: Case, folder: Path | None = None) -> list[Analysis]:
    """All measurements of the case; the first one is shown."""
    found = [Analysis(case, load(path)) for path in paths(case.name, folder)]
    return sorted(found, key=lambda one: (_fresh(one), one.measurement.made.date), reverse=True)


def shown(case: Case, folder: Path | None = None) -> Analysis | None:
    """None where the case was never measured."""
    return next(iter(analyses(case, folder)), None)


def _fresh(analysis: Analysis) -> int:
    return sum(f"stage/{stage.slug}" not in analysis.changed for stage in analysis.stages)
