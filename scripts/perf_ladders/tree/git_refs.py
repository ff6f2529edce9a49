"""Changes of many refs at once, which a git that was killed before does not hinder."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.tree.files import locked

_GIT_S = 1.0  # git holds the lock of a ref for milliseconds


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """`folder`: that of git, which several work trees may share."""
    try:
        with locked(folder):
            yield
    except BlockingIOError:
        raise UserError("These tags are being made already: wait for the other make tags.") from None


def remove_dead_locks(folder: Path, names: Iterable[str]) -> None:
    """A git that was killed leaves them, and then every later git stops at them."""
    paths = [folder / f"{name}.lock" for name in names]
    left = {path: path.stat().st_mtime_ns for path in paths if path.exists()}
    if left:
        time.sleep(_GIT_S)
    for path, made in left.items():
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_mtime_ns == made:
                path.unlink()
