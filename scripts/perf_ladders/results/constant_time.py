"""What reports/proof says of stages and their secrets: of a source. Once that has changed, nothing is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from perf_ladders.model.proof import CheckedStage, ConstantTime
from perf_ladders.results import proof
from perf_ladders.tree import source
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.paths import PROOF, ROOT, shown

_NAMED = 2  # places in a cell of a table


@dataclass(frozen=True)
class OfStage:
    """`verdict`: constant, leaks, n/a or not checked."""

    verdict: str
    said: str  # for a cell of a table
    found: CheckedStage | None = field(default=None, repr=False)

    @property
    def in_short(self) -> str:
        """Without the reason of n/a, which the page of the stage gives."""
        return self.verdict if self.verdict == "n/a" else self.said


def file_of(case: str) -> Path:
    """A file for each case: where a case changes, the others need not be checked again."""
    return PROOF / f"constant-time-{case}.json"


def has_secrets(case: str) -> bool:
    return (ROOT / "tests" / case / "secrets.cpp").is_file()


def of_case(case: Case) -> dict[str, OfStage]:
    """By name of the stage; none where a case has no secrets."""
    return {stage.name: of_stage(stage) for stage in case.stages} if has_secrets(case.name) else {}


def of_stage(stage: Stage) -> OfStage:
    found = _kept(stage.case).get(stage.slug) if stage.source.is_relative_to(ROOT) else None
    if found is None or found.source != source.digest_of(stage.source):
        return OfStage("not checked", "not checked")
    return OfStage(found.verdict, said(found), found)


def said(found: CheckedStage) -> str:
    unknown = [at.level for at in found.levels if at.verdict == "n/a"]
    if found.verdict == "constant":
        return f"yes; n/a at {', '.join(unknown)}" if unknown else "yes"
    if found.verdict == "n/a":
        return f"n/a ({found.levels[0].reason if found.levels else 'not built'})"
    places = [one.place.removeprefix(f"stages/{found.case}/") for one in found.leaks]
    more = len(places) - _NAMED
    return f"no: {', '.join(places[:_NAMED])}{f' and {more} more' if more > 0 else ''}"


@cache
def _kept(case: str) -> dict[str, CheckedStage]:
    """By slug."""
    path = file_of(case)
    if not path.is_file():
        return {}
    kept = proof.read(path, ConstantTime, f"./ladders constant-time --case {case} --out {shown(path)}")
    return {one.stage: one for one in kept.details}
