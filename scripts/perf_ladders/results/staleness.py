"""Which sources of a measurement have changed since? By the digests of flattened sources, piece by piece."""

from __future__ import annotations

from pathlib import Path

from perf_ladders.results.analysis import Analysis
from perf_ladders.results.store import load
from perf_ladders.tree.catalogue import case_names, read_case
from perf_ladders.tree.paths import shown

_WHOLE_CASE = {
    "harness": "the harness",
    "peak": "the way of finding the peak",
    "serve": "the way of timing",
    "timed": "the way of timing single calls",
    "workloads": "its workloads",
}
_WORDS = {"stage": "stage", "peer": "library", "app": "program", "variant": "variant", "standard": "standard"}


def stale(path: Path) -> list[str]:
    """A sentence for each piece that is not as the tree has it."""
    measured = load(path)
    if measured.case not in case_names():
        return [f"{shown(path)}: there is no case '{measured.case}' any more."]
    analysis = Analysis(read_case(measured.case), measured)
    return [*of_whole_case(analysis), *_of_programs(analysis), *_missing(analysis)]


def of_whole_case(analysis: Analysis) -> list[str]:
    """What changed for every row."""
    changed = [_WHOLE_CASE[unit] for unit in sorted(analysis.changed) if unit in _WHOLE_CASE]
    return [f"Every row of {analysis.case.name}: {what} changed since it was measured." for what in changed]


def _of_programs(analysis: Analysis) -> list[str]:
    units = (unit.partition("/") for unit in sorted(analysis.changed) if unit not in _WHOLE_CASE)
    return [
        f"The {_WORDS.get(kind, 'source')} {name or kind} changed, or went away, since it was measured."
        for kind, _, name in units
    ]


def _missing(analysis: Analysis) -> list[str]:
    """Stages and libraries of the tree that have no row; those that could not be built are in `left_out`."""
    left_out = {one.name.split(".")[0] for one in analysis.measurement.left_out}
    measured = {stage.slug for stage in analysis.stages} | left_out
    stages = [stage for stage in analysis.case.stages if stage.slug not in measured and not stage.is_own]
    libraries = {path.parent.name for path in (analysis.case.directory / "peers").glob("*/stage.cpp")}
    there = {one.stage for one in analysis.programs if one.kind == "peer"} | left_out
    return [
        *(f"The stage {stage.slug} ({stage.name}) is not measured yet." for stage in stages),
        *(f"The library {name} is not measured yet." for name in sorted(libraries - there)),
    ]
