"""Programs that are built again while they are measured: times of two programs would be taken for those of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.measure.runner import Runner
from perf_ladders.tree.paths import shown


class Unchanged:
    """The files of the programs as they were in the beginning."""

    def __init__(self, runners: Iterable[Runner]) -> None:
        self._begun = {path: _state(path) for path in _paths(runners)}

    def expect(self) -> None:
        for path, begun in self._begun.items():
            if _state(path) != begun:
                raise UserError(
                    f"{shown(path)} was built again while it was measured, so the measurement stopped. The rounds "
                    "before that are kept for the program of that time; the same command measures what is there now.",
                    code=1,
                )


def _paths(runners: Iterable[Runner]) -> Iterator[Path]:
    for one in runners:
        yield from (one.program.path, *one.links)


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
