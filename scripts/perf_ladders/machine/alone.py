"""One measurement of a user at a time on a machine; those of other users are not seen. Standard library alone."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.machine.topology import SYSTEM

LOCKS = SYSTEM / "tmp"  # whatever TMPDIR says: the lock is the user's, and empty
_BUSY = "Another measurement is running on this machine: wait until it has finished."
WAITS = "Another measurement is running on this machine: waiting for its end."


@contextlib.contextmanager
def alone(wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Two measurements at once would double each other's times; `wait` is called until the other one has finished."""
    # Names in /tmp are for anybody to take: a link is not followed.
    lock = os.open(_path(), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        while not _locked(lock):
            if wait is None:
                raise UserError(_BUSY)
            wait()
        yield
    finally:
        os.close(lock)


def expect_free() -> None:
    """Before work that would disturb a measurement of this user."""
    if is_taken():
        raise UserError(_BUSY)


def is_taken() -> bool:
    """Whether a measurement of this user is running."""
    try:
        lock = os.open(_path(), os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        return not _locked(lock)
    finally:
        os.close(lock)


def _path() -> Path:
    return LOCKS / f"perf-ladders-{os.getuid()}.lock"


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
