"""Where the pages of a program lie in physical memory."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

_PIECE = 1 << 20  # bytes


def read_anew(path: Path) -> None:
    """Reads the program from the disk again, once after each build of it.

    The kernel keeps the pages that a linker wrote, wherever they are, for as long as the file is used. Such a program
    can be 1.5 times as slow as a copy of its file, in every process. Pages that are read in one go are in the cache
    together.
    """
    _read_anew(path, path.stat().st_mtime_ns)


@cache
def _read_anew(path: Path, _written_ns: int) -> None:
    with path.open("rb", buffering=0) as file:
        os.fsync(file.fileno())  # pages that are not on the disk yet cannot be dropped
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while file.read(_PIECE):
            pass
