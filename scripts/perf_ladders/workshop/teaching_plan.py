"""What a plan of docs/workshop measures. The plan itself is read, so slides and worksheet cannot differ from it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perf_ladders.errors import UserError
from perf_ladders.tree.paths import ROOT

_FOLDER = ROOT / "docs/workshop"
_TYPED = re.compile(r"make (?:run|read)-stage ([\w-]+)-(\d\d)(?: LEVEL=([\w-]+))?")
_EXERCISE = re.compile(r"make exercise CASE=([\w-]+) STEP=(\d+)")


@dataclass(frozen=True)
class Planned:
    """A stage of a plan."""

    level: str = ""  # the only one that it is measured at; empty: all
    exercise: bool = False  # it is written and judged, at one level that the machine decides


def lengths() -> list[str]:
    """In minutes. A teacher's own file may have another name."""
    names = (path.stem.removeprefix("plan-") for path in _FOLDER.glob("plan-*.md"))
    return sorted((name for name in names if name.isdecimal()), key=int)


def planned(length: str) -> dict[str, dict[str, Planned]]:
    """By case and number, in the order in which the plan says to type them."""
    if length not in lengths():
        raise UserError(f"There is no plan of {length} minutes; there are: {' '.join(lengths())}.")
    plan = (_FOLDER / f"plan-{length}.md").read_text("utf-8")
    found: dict[str, dict[str, Planned]] = {}
    for typed in re.findall(r"^- \*\*They type\*\*: (.+(?:\n  .+)*)", plan, re.MULTILINE):
        text = " ".join(typed.split())
        for case, number, level in _TYPED.findall(text):
            found.setdefault(case, {}).setdefault(number, Planned(level))
        for case, number in _EXERCISE.findall(text):
            found.setdefault(case, {}).setdefault(f"{int(number):02}", Planned(exercise=True))
    return found
