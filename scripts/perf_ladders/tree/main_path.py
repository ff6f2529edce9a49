"""The main path of a case: from the reference to the closing stage, each stage built on the one before. All others are
side branches: tried and left, or on the way to the last stage of a lower level. For stages of the work tree and of a
commit alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from perf_ladders.tree.headers import Header
from perf_ladders.tree.notes import Notes
from perf_ladders.tree.paths import OWN_STAGES

MOST_STEPS = 12  # of a main path, unless case.toml says why it is longer


class _Stage(Protocol):
    @property
    def number(self) -> str: ...
    @property
    def notes(self) -> Notes: ...
    @property
    def header(self) -> Header: ...


S = TypeVar("S", bound=_Stage)


def may_close(stage: _Stage) -> bool:
    """The closing stage is the last of these. A stage of the reader's own, a side branch, and a stage that needs a
    device or is not built at the highest level close no case."""
    return not (stage.number >= OWN_STAGES or stage.notes.taught or stage.header.device or stage.header.until)


def chain(stage: S, base: Callable[[S], S | None]) -> list[S]:
    """The stages that lead to this one, the reference first."""
    found = [stage]
    while before := base(found[-1]):
        found.append(before)
    return found[::-1]


def ends(levels: Mapping[str, Sequence[str] | None]) -> dict[str, set[str]]:
    """By level the numbers of the stages that `make test` checks there even if that is not the highest level: the first
    and the last, and the reader's own. `levels`: by number, in order."""
    at: dict[str, list[str]] = defaultdict(list)
    for number, there in levels.items():
        for level in there or ():
            at[level].append(number)
    own = {number for number in levels if number >= OWN_STAGES}
    return {
        level: {*numbers[:1], *[one for one in numbers if one not in own][-1:]} | own for level, numbers in at.items()
    }
