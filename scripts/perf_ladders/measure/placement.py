"""Where the pages of a program lie in physical memory."""

from __future__ import annotations

import contextlib
import os
from functools import cache
from pathlib import Path

_PIECE = 1 << 20  # bytes


def reread(path: Path) -> None:
    """Reads a program that is to be timed from the disk again, once in a command after each build.

    The kernel keeps the pages that a linker wrote where they are, and all processes use them. Some programs were slower
    there than a copy of their file (docs/method.md). Nothing happens where the file system cannot do it; pages that a
    process uses at this moment stay.
    """
    with contextlib.suppress(OSError):  # a program that is missing is reported when it is started
        _reread(path, path.stat().st_mtime_ns)


@cache
def _reread(path: Path, _written_ns: int) -> None:
    with path.open("rb", buffering=0) as file:
        os.fsync(file.fileno())  # pages that are not on the disk yet cannot be dropped
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while file.read(_PIECE):
            pass
