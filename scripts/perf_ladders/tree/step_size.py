"""Is a step small enough to be read? Its changed lines and the lines of its own files; comments and blanks are none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.paths import shown

CHANGED = 40
LINES, LINES_WITH_INTRINSICS = 120, 200

# Of each case, how many stages are larger and do not say why (`over` in notes.md). Only ever lower these numbers.
KNOWN = {
    "aes-cbc": 10,
    "hmac-sha1": 10,
}

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
        return f"{name} changes {self.changed} lines and has {self.lines} (limit {self.allowed})"


def size_of(case: Case, stage: Stage) -> Size:
    diff = case.diff(stage).splitlines()[2:]  # after the names of the files
    added, removed = (_code(line[1:] for line in diff if line[:1] == sign) for sign in "+-")
    own = "\n".join(path.read_text(encoding="utf-8") for path in stage.files)
    allowed = LINES_WITH_INTRINSICS if _INTRINSICS.search(own) else LINES
    return Size(stage, max(added, removed), _code(own.splitlines()), allowed)


def _code(lines: Iterable[str]) -> int:
    return sum(bool(line.strip()) and not line.lstrip().startswith("//") for line in lines)


def unexplained(case: Case) -> list[Size]:
    """The stages that are too large and do not say why; a reader's own may be."""
    sizes = (size_of(case, stage) for stage in case.stages if not stage.is_own)
    return [size for size in sizes if size.is_over and not size.stage.notes.over]


def misfits(case: Case) -> Iterator[str]:
    """A sentence for a reason that is not needed, and one if more stages are too large than were."""
    for stage in case.stages:
        if stage.notes.over and not size_of(case, stage).is_over:
            yield f"{shown(stage.directory / 'notes.md')}: `over` is not needed, for the step is no longer too large."
    found, known = unexplained(case), KNOWN.get(case.name, 0)
    if len(found) > known:
        yield (
            f"{case.name} has {len(found)} stages that are too large and do not say why; {known} are known. Divide "
            'one, or say in its notes.md why it is longer: over = "..." (./ladders lint lists them.)'
        )
