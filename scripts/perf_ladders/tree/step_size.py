"""Is a step small enough to be read? Its changed lines and the lines of its own files; comments and blanks are none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.paths import shown

CHANGED = 40
LINES, LINES_WITH_INTRINSICS = 120, 200

_INTRINSICS = re.compile(r"^#include <(\w*intrin|arm_\w+)\.h>", re.MULTILINE)


@dataclass(frozen=True)
class Size:
    stage: Stage
    changed: int  # lines added or lines removed, whichever are more
    lines: int
    allowed: int  # lines

    @property
    def is_over(self) -> bool:
        return self.changed > CHANGED or self.lines > self.allowed

    def __str__(self) -> str:
        name = f"{self.stage.name} {self.stage.slug}"
        return f"{name} changes {self.changed} lines (limit {CHANGED}) and has {self.lines} (limit {self.allowed})"


def size_of(case: Case, stage: Stage) -> Size:
    diff = case.diff(stage).splitlines()[2:]  # after the names of the files
    added, removed = (_code(line[1:] for line in diff if line[:1] == sign) for sign in "+-")
    own = "\n".join(path.read_text(encoding="utf-8") for path in stage.files)
    allowed = LINES_WITH_INTRINSICS if _INTRINSICS.search(own) else LINES
    return Size(stage, max(added, removed), _code(own.splitlines()), allowed)


def _code(lines: Iterable[str]) -> int:
    return sum(bool(line.strip()) and not line.lstrip().startswith("//") for line in lines)


def misfits(case: Case) -> Iterator[str]:
    """A sentence for each step that is too large and does not say why, and for each reason that is not needed."""
    for stage in case.stages:
        if stage.is_own:  # it may have any size
            continue
        notes, size = shown(stage.directory / "notes.md"), size_of(case, stage)
        if stage.notes.over and not size.is_over:
            yield f"{notes}: `over` is not needed, for the step is no longer too large."
        elif size.is_over and not stage.notes.over:
            yield f'{size}. Divide the step, or say in {notes} why it is larger: over = "One sentence."'
