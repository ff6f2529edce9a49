"""What models said of the hot loops of steps on which CPUs disagree: looked up, never asked here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from perf_ladders.errors import Missing
from perf_ladders.evidence.port_pressure import digest, text_of
from perf_ladders.model.evidence import Evidence
from perf_ladders.model.port_pressure import Answer, Asked, PortPressure
from perf_ladders.results import proof
from perf_ladders.tree.paths import LOCAL_REPORTS, ROOT

FILE = ROOT / "reports" / "port-pressure.json"
LOCAL = LOCAL_REPORTS / "port-pressure.json"


def answers(evidence: Evidence | None, core: str) -> list[Answer]:
    """Of the models, for the hot loop; Missing says why there are none."""
    if evidence is None or evidence.loop is None:
        raise Missing(evidence.missing.get("loop", "not looked for") if evidence else "not profiled")
    found = _kept().get((digest(text_of(evidence.loop)), core))
    if found is None:
        raise Missing("the models were not asked: ./ladders port-pressure asks them")
    return found


@cache
def _kept() -> dict[tuple[str, str], list[Answer]]:
    """What was asked here, and what the repository holds."""
    return known(FILE, LOCAL)


def known(*paths: Path) -> dict[tuple[str, str], list[Answer]]:
    """By the digest of a loop and the core. Of one version of a tool, the later file counts."""
    found: dict[tuple[str, str], list[Answer]] = {}
    for path in paths:
        for one in _read(path):
            found[one.loop, one.core] = newest(one.answers, found.get((one.loop, one.core), []))
    return found


def newest(answers: Sequence[Answer], before: Sequence[Answer]) -> list[Answer]:
    """Of each tool the answer of its newer version. An older version that has an answer counts more than one without,
    for it may not know the core."""
    earlier = {one.tool: one for one in before}

    def rank(one: Answer) -> tuple[bool, list[int]]:
        return not one.missing, [int(number) for number in re.findall("[0-9]+", one.version)]

    return [max(one, earlier.get(one.tool, one), key=rank) for one in answers]


def _read(path: Path) -> list[Asked]:
    return proof.read(path, PortPressure, "./ladders port-pressure").loops if path.is_file() else []
