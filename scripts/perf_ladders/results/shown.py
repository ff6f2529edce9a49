"""Which measurement of a case is shown: a whole one, then the one that decides the steps of most stages as they are
now, then the one that decides most steps, then the newest. If it does not decide the closing stage as it is now, one of
the same CPU that does takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perf_ladders.machine import identity
from perf_ladders.model.java import JavaMeasurement
from perf_ladders.model.measurement import Measurement
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.store import load, paths
from perf_ladders.sequential import FIRST_ROUNDS
from perf_ladders.tree import source
from perf_ladders.tree.catalogue import Case, Stage


def by_file(case: Case, folder: Path | None = None) -> list[tuple[Path, Analysis]]:
    """All measurements of the case, each with its file; the first one is shown."""
    now = source.units(case)
    found = [(path, Analysis(case, load(path), now)) for path in paths(case.name, folder)]
    return _with_closing_stage(sorted(found, key=_place, reverse=True))


def analyses(case: Case, folder: Path | None = None) -> list[Analysis]:
    return [analysis for _, analysis in by_file(case, folder)]


def others(mine: Analysis) -> list[Analysis]:
    """The measurements of its case in the repository, without itself."""
    made = mine.measurement.made, mine.measurement.machine
    return [one for one in analyses(mine.case) if (one.measurement.made, one.measurement.machine) != made]


def shown(case: Case) -> Analysis | None:
    """None where the case was never measured."""
    return next(iter(analyses(case)), None)


def of_stage(stage: Stage, found: Sequence[tuple[Path, Analysis]]) -> tuple[Path, Analysis]:
    """The first that has the stage as it is now; else the first that has it, else the one that is shown. At least one
    was found."""
    rows = [(one, row) for one in found for row in one[1].first_rows if row.stage == stage.name]
    return next((one for one, row in rows if not row.stale), rows[0][0] if rows else found[0])


def is_whole(found: Measurement | JavaMeasurement) -> bool:
    """Every comparison was allowed as many rounds as a verdict takes at least."""
    steps = found.design.steps if isinstance(found, Measurement) else found.steps
    return all(step.rounds >= FIRST_ROUNDS for step in steps)


def _with_closing_stage(found: list[tuple[Path, Analysis]]) -> list[tuple[Path, Analysis]]:
    """It may be of fewer levels, so another one decides more steps."""
    alike = [one for one in found if _cpu(one[1]) == _cpu(found[0][1]) and _decides_closing_stage(one[1])]
    return sorted(found, key=lambda one: one is not alike[0]) if alike else found


def _cpu(analysis: Analysis) -> str:
    return identity.short_name(analysis.measurement.machine)


def _decides_closing_stage(analysis: Analysis) -> bool:
    """How much faster it is than the reference."""
    rows = [row for row in analysis.first_rows if row.stage == analysis.case.closing.name and not row.stale]
    return is_whole(analysis.measurement) and any(
        row.vs_reference is not None and row.vs_reference.verdict != "undecided" for row in rows
    )


def _place(found: tuple[Path, Analysis]) -> tuple[bool, int, int, str]:
    analysis = found[1]
    present = [row for row in analysis.first_rows if row.kind == "stage" and not row.stale]
    decided = [row.stage for row in present if row.vs_base and row.vs_base.verdict != "undecided"]
    return (
        is_whole(analysis.measurement) and bool(present),
        len(set(decided)),
        len(decided),
        analysis.measurement.made.date,
    )
