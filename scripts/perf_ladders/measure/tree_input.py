"""Files of the tree as the input of a program: all below some folders, one behind the other, in the order of paths."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from perf_ladders.model.apps import Input
from perf_ladders.tree import files, paths
from perf_ladders.tree.case_file import INPUT, Command

_FOLDER = "build/inputs"


def of_command(command: Command) -> Input | None:
    return _made(tuple(command.input))[0] if command.input else None


def filled(arguments: Sequence[str], command: Command) -> list[str | Path]:
    """The arguments, with the path of the command's input in them."""
    return [_made(tuple(command.input))[1] if word == INPUT else word for word in arguments]


@cache
def _made(folders: tuple[str, ...]) -> tuple[Input, Path]:
    """What it is and where it lies, under a name of its own: all runs of a measurement read the same bytes."""
    found = [path for folder in sorted(folders) for path in _files(paths.ROOT / folder)]
    data = b"".join(path.read_bytes() for path in found)
    about = Input(files=len(found), bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    path = paths.ROOT / _FOLDER / about.sha256[:16]
    if not path.is_file() or files.sha256(path) != about.sha256:  # another measurement may be reading it
        files.write(path, data)
    return about, path


def _files(folder: Path) -> list[Path]:
    """Without hidden ones, which an editor may have left."""
    found = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    there = [path for path in found if not any(part.startswith(".") for part in path.parts)]
    return [folder / path for path in sorted(there, key=lambda path: path.as_posix())]
