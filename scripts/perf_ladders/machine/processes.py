"""Programs of other people end with the question that they were started for, and so does all that they start."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import shutil
import signal
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

_SET_CHILD_SUBREAPER = 36  # of prctl: a process whose parent ends becomes our child
_ENDS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)  # that somebody sends
_TIDY_S = 2.0  # for a process that is asked to end, to remove what it has half written


def environment() -> dict[str, str]:
    """Without the variables by which a caller would choose what GoogleTest checks and Google Benchmark times."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("GTEST_", "BENCHMARK_"))}


def limit(resources: Mapping[int, int]) -> None:
    """Of this process, and of those that it starts: at most so much of each. A lower limit that it has stays."""
    for kind, most in resources.items():
        held = [one for one in resource.getrlimit(kind) if one != resource.RLIM_INFINITY]
        least = min([most, *held])
        resource.setrlimit(kind, (least, least))


def tied() -> list[str]:
    """Words before a command that end it with us, even where we cannot tell it to, as after kill -9. A kernel may loop
    without end. What it starts itself, as perf does, is not tied.

    By a program and not by `preexec_fn`: with that, Python runs functions of its own after each fork, and a signal that
    comes then is lost."""
    found = shutil.which("setpriv")  # of util-linux
    return [found, "--pdeathsig", "KILL"] if found else []


def signal_name(code: int) -> str:
    """Of the signal that ended a process, which gave this negative code. Real-time signals have no name."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def ending(code: int) -> str:
    """How a process with this code ended, as the words after its name."""
    if code >= 0:
        return f"ended with exit code {code}"
    return f"{'was ended by' if -code in _ENDS else 'crashed with'} {signal_name(code)}"


def untranslated() -> dict[str, str]:
    """For a tool whose messages are looked through."""
    return {**os.environ, "LC_ALL": "C"}


@contextlib.contextmanager
def contained() -> Iterator[list[str]]:
    """Afterwards nothing runs that was started within it, even if it left its parent, its group and its session. The
    list holds then the names of those that had to be ended."""
    before = _children()
    ended: list[str] = []
    _adopt()
    try:
        yield ended
    finally:
        ended += _end_all_but(before)


@contextlib.contextmanager
def stopped_with_us() -> Iterator[None]:
    """Where a signal stops us, all that was started within it ends, too. It goes on otherwise: a compiler cache keeps
    its server."""
    before = _children()
    _adopt()
    try:
        yield
    except KeyboardInterrupt:
        _end_all_but(before, _TIDY_S)
        raise


def _adopt() -> None:
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_all_but(before: set[int], tidy_s: float = 0.0) -> list[str]:
    """The names of those that had to be ended."""
    names = []
    while left := _children() - before:  # each time, those of the ones that were ended become ours
        for process in left:
            names.append(_name(process))
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                _end(process, tidy_s)
    return names


def _end(process: int, tidy_s: float) -> None:
    if tidy_s:
        os.kill(process, signal.SIGTERM)
    until = time.monotonic() + tidy_s
    while time.monotonic() < until:
        if os.waitpid(process, os.WNOHANG)[0]:
            return
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
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
