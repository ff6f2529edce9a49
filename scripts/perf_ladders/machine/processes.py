"""Programs of other people end with the question that they were started for, and so does all that they start."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Iterator
from pathlib import Path

_SET_CHILD_SUBREAPER = 36  # of prctl: a process whose parent ends becomes our child


def environment() -> dict[str, str]:
    """Without the variables by which a caller would choose what GoogleTest checks and Google Benchmark times."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("GTEST_", "BENCHMARK_"))}


def untranslated() -> dict[str, str]:
    """For a tool whose messages are looked through."""
    return {**os.environ, "LC_ALL": "C"}


@contextlib.contextmanager
def contained() -> Iterator[list[str]]:
    """Afterwards nothing runs that was started within it, even if it left its parent, its group and its session. The
    list holds then the names of those that had to be ended."""
    before = _children()
    ended: list[str] = []
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield ended
    finally:
        # Each time those of the ones that were ended become ours.
        while left := _children() - before:
            for process in left:
                ended.append(_name(process))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process, 0)


def _children() -> set[int]:
    """Ours, of all threads, that have not been waited for."""
    mine = str(os.getpid())
    return {int(entry.name) for entry in Path("/proc").glob("[0-9]*") if _parent(entry) == mine}


def _parent(entry: Path) -> str:
    with contextlib.suppress(OSError, IndexError):
        return (entry / "stat").read_text("ascii", errors="replace").rpartition(")")[2].split()[1]
    return ""


def _name(process: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/comm").read_text("utf-8", errors="replace").strip()
    return "?"
