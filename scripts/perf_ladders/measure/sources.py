"""What a measurement is of: the sources, whether the programs were built from them, and what changes meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perf_ladders.errors import UserError
from perf_ladders.measure.session import made_now
from perf_ladders.model.measurement import Made
from perf_ladders.model.record import Record
from perf_ladders.tree import source
from perf_ladders.tree.build import Program
from perf_ladders.tree.catalogue import Case
from perf_ladders.tree.paths import shown


class Sources(Record, kw_only=True):
    """The hashes of the sources when a measurement began."""

    sources: dict[str, str]
    files: dict[str, str]


def sources_of(case: Case, programs: Sequence[Program], before: Mapping[str, str]) -> Sources:
    """Of what the programs were built from: an edit since then would give their times a wrong hash. `before` are the
    files before the programs were checked, which takes minutes."""
    found = Sources(sources=source.units(case), files=source.files(case))
    if names := _changed(before, found.files):
        raise UserError(f"{names[0]} was edited while the programs were checked: try again.")
    for program in programs:
        if program.source.stat().st_mtime_ns > program.object.stat().st_mtime_ns:
            raise UserError(f"{shown(program.source)} was edited after {program.id} was built: try again.")
    return found


def moved(case: Case, begun: Sources, made: Made) -> str:
    """What changed in the tree while it was measured, in a sentence; empty if nothing did."""
    names = _changed(begun.files, source.files(case))
    what = [f"{', '.join(names[:3])}{' and others' if len(names) > 3 else ''}"] if names else []
    if made_now().commit != made.commit:
        what.append("another commit was checked out")
    said = "The measurement is of the programs and sources that it began with."
    return f"While it was measured, the tree changed ({'; '.join(what)}). {said}" if what else ""


def _changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
