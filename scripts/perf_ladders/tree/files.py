"""Files that are written as a whole or not at all, and folders that do not outlive their use."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import glob
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

_SCRATCH = "perf-ladders-scratch-"
_MADE = re.compile(rf"{_SCRATCH}[a-z0-9_]{{8}}")  # as tempfile names them
_NEW_S = 10  # so old is a folder before anybody asks whether its process still lives


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write(path: Path, data: str | bytes) -> Path:
    """As a whole or not at all. Raises OSError as writing does."""
    with written_aside(path) as unfinished:
        unfinished.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return path


@contextlib.contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A file to fill, which is then renamed: a full disk or a sudden end leaves the old file. What a killed process
    left aside is written over the next time."""
    path = replaceable(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.unfinished")
    mine = _taken(unfinished)
    try:
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    finally:
        os.close(mine)


def replaceable(path: Path) -> Path:
    """The file behind a link, which renaming would replace, as it would a device or a pipe: these are refused."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    return path.resolve()


def _taken(path: Path) -> int:
    """A handle of a file that this process alone has, once no other writes to it."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        with contextlib.suppress(OSError):  # some file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):  # the process before has renamed it
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        os.close(handle)


def matching(words: Sequence[Path] | None) -> list[Path]:
    """The files of these names. Where there is none, those that the name matches as a pattern: make hands on a pattern
    of a variable as it is."""

    def matched(word: Path) -> list[Path]:
        names = [] if word.exists() else sorted(glob.glob(str(word)))  # noqa: PTH207 - it also takes absolute patterns
        return [Path(name) for name in names] or [word]

    return [path for word in words or [] for path in matched(word)]


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder that is gone afterwards. Those that a killed process left are removed now: their lock is free."""
    _sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=_SCRATCH) as folder, locked(Path(folder)):
        yield Path(folder)


@contextlib.contextmanager
def locked(folder: Path, wait: bool = False) -> Iterator[None]:
    """Raises BlockingIOError where another process holds it, unless it may wait. The kernel frees it however that
    process ends."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _sweep(place: Path) -> None:
    for left in place.glob(f"{_SCRATCH}*"):
        with contextlib.suppress(OSError):  # it is gone, or alive
            found = left.lstat()
            mine = _MADE.fullmatch(left.name) and stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
            if mine and time.time() - found.st_mtime > _NEW_S:
                with locked(left):
                    shutil.rmtree(left, ignore_errors=True)
