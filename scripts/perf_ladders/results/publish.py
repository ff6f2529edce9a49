"""A measurement becomes one of the repository: kept in reports/results, where all pages come from."""

from __future__ import annotations

from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.machine import identity
from perf_ladders.model.instruction_times import InstructionTimes
from perf_ladders.model.java import JavaMeasurement
from perf_ladders.model.layout_check import LayoutCheck
from perf_ladders.model.measurement import Measurement
from perf_ladders.model.self_check import SelfCheck
from perf_ladders.results import acceptance, store
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.shown import is_whole
from perf_ladders.results.store import Published
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.paths import shown


def publish(path: Path) -> tuple[Path, list[Path]]:
    """The file that is kept, and those of the same machine that it supersedes, which are deleted."""
    found = store.load_any(path)
    if failed := [f"{one.what}: {one.found}" for one in acceptance.checks(found) if one.mark == "fails"]:
        raise UserError(f"{shown(path)} cannot be published. {'; '.join(failed)}.")
    kept = store.place(found)
    if kept.exists() and store.load_any(kept) != found:
        raise UserError(f"{shown(kept)} has the name of this result and differs: delete it first.")
    superseded = [path for path in kept.parent.glob("*.json.xz") if path != kept and _supersedes(found, path)]
    store.save(found, kept)
    for path in superseded:
        path.unlink()
    return kept, superseded


def _supersedes(found: Published, path: Path) -> bool:
    """That one is older or has fewer rounds, is of an equal machine, and of no program that this one lacks. A quick one
    supersedes no longer one, and none supersedes one that decides more of the present sources."""
    other = store.load_any(path)
    if _machine(other) != _machine(found) or _is_less(found, other):
        return False
    return _programs(other) <= _programs(found) and _order(other) < _order(found)


def _machine(found: Published) -> tuple[str, int, set[str]]:
    """CPU, number of CPUs and devices: what claims may need, so one with fewer of them supersedes none with more."""
    runs = [run for app in found.apps for run in app.runs] if isinstance(found, Measurement) else []
    return identity.name(found.machine), found.machine.cpus, {run.device.name for run in runs if run.device}


def _is_less(found: Published, other: Published) -> bool:
    """With too few rounds for verdicts where the other has enough, with fewer steps decided, or with fewer trials."""
    if isinstance(found, SelfCheck) and isinstance(other, SelfCheck):
        return len(found.trials) < len(other.trials)
    if isinstance(found, JavaMeasurement) and isinstance(other, JavaMeasurement):
        return is_whole(other) and not is_whole(found)
    if isinstance(found, Measurement) and isinstance(other, Measurement):
        less = is_whole(other) and not is_whole(found)
        programs = {one.id for one in other.programs}
        return less or _decided(found, programs) < _decided(other, programs)
    return False


def _decided(found: Measurement, programs: set[str]) -> int:
    """How many steps of these programs, as their sources are now, on the main workloads."""
    analysis = Analysis(read_case(found.case), found)
    rows = [row for workload in analysis.main_workloads for row in analysis.rows_on(workload.name)]
    mine = [row.vs_base for row in rows if row.id in programs and row.kind == "stage" and not row.stale]
    return sum(one is not None and one.verdict != "undecided" for one in mine)


def _order(found: Published) -> tuple[str, int]:
    """A measurement that was gone on with keeps its date."""
    return found.made.date, len(found.rounds) if isinstance(found, Measurement) else 0


def _programs(found: Published) -> set[str]:
    if isinstance(found, LayoutCheck):
        return {one.program for one in found.stages}
    if isinstance(found, InstructionTimes):
        return {one.name for one in found.instructions}
    if isinstance(found, JavaMeasurement):
        return {*found.ways}
    return {one.id for one in found.programs}
