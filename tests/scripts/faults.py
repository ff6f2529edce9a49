"""Faults that hit a measurement of fake programs, and what must hold after each."""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from perf_ladders.errors import LATER
from perf_ladders.tree.paths import ROOT

FAKE = Path(__file__).with_name("fake_measurement.py")
ROUNDS = 12
SIGNALS = {"SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP, "SIGINT": signal.SIGINT}
# By kind of fault, the exit code of a measurement that it hits.
ENDINGS = {
    "kill the group": -signal.SIGKILL,
    "kill the parent": -signal.SIGKILL,
    "SIGTERM": LATER,
    "SIGHUP": 2,
    "SIGINT": 2,
    "full disk": 2,
    "two at once": 0,
    "one CPU": 0,
    "built again": 1,
    "source edited": 0,
    "another commit": 0,
    "clock set back": 0,
    "clock set forward": 0,
}
KINDS = tuple(ENDINGS)
# Where the tree moves, what the measurement says of it when it has ended.
_SAID = {
    "source edited": "(stages/fake/00-s0/stage.cpp).",
    "another commit": "(stages/fake/00-s0/stage.cpp; another commit was checked out).",
}
_BEFORE = 3  # pieces that are kept before the first round: the commit, the seed and the sources
# A clock that is set loses and stops nothing. What it means for a verdict, test_faults.py asks without a process.
_CLOCK_S = {"clock set back": -86_400, "clock set forward": 86_400}
TRIES = 5  # each at most half as late as the one before
_ENDS_S = 60.0  # on a busy machine, in which what was left without a parent ends
_DISK = (1_000, 6_000)  # bytes of the largest file: the fake program fits, and the whole journal does not


def command(folder):
    return [sys.executable, FAKE, folder / "place", str(ROUNDS)]


def started(folder, prepare=lambda: None, **environment):
    """Its own group; its TMPDIR is empty at first. `prepare`: what the process does first."""
    (folder / "tmp").mkdir(exist_ok=True)

    def begin():
        for number in SIGNALS.values():  # a process in the background, or under nohup, passes on that it ignores some
            signal.signal(number, signal.SIG_DFL)
        prepare()

    return subprocess.Popen(
        command(folder),
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(ROOT / "scripts"), **environment},
        preexec_fn=begin,
    )


def entries(folder):
    """All that is on disk of the measurement, but for an unfinished last line."""
    found = {}
    for path in (folder / "place").glob("*.journal.jsonl"):
        for line in path.read_bytes().splitlines():
            with contextlib.suppress(ValueError):
                found |= json.loads(line)
    return found


def living(folder):
    """Processes whose command line names the folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if str(folder / "place").encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def hit(folder, kind, generator):
    """One fault, then the same command to its end: complaints, empty where all holds. A fault that comes too late hits
    nothing: then an earlier one hits another measurement."""
    late = generator.random()
    for number in range(TRIES):
        place = folder / str(number)
        place.mkdir()
        came, said = hit_once(place, kind, late / 2**number, generator)
        if came or said:
            return said
    return [f"'{kind}' came too late {TRIES} times"]


def hit_once(folder, kind, late, generator):
    """Whether the fault came in time, and complaints. `late`: from 0 to 1."""
    said, in_time = [], True
    prepare = _prepared(kind, late)
    process = started(folder, prepare)
    if kind == "two at once":
        said += _second(folder, process)
    elif kind == "built again":
        # At least one piece: before that, the program may not have been looked at.
        _wait_for_rounds(folder, process, 1 + int(late * (ROUNDS - 1)), generator)
        built = build_again(folder)
    elif kind in _SAID or kind in _CLOCK_S:
        _wait_for_rounds(folder, process, _BEFORE + int(late * ROUNDS), generator)
        in_time = _move(folder, process, kind)
    elif kind not in ("full disk", "one CPU"):
        _wait_for_rounds(folder, process, int(late * ROUNDS), generator)
        if kind != "kill the group":
            process.send_signal(SIGNALS.get(kind, signal.SIGKILL))
        elif process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    _, error = process.communicate(timeout=120)
    came = process.returncode == ENDINGS[kind] and in_time
    if came and _SAID.get(kind, "") not in error:
        said.append(f"it does not say what moved: {error[-300:]}")
    if not came and process.returncode != 0:
        said.append(f"it ended with exit code {process.returncode}: {error[-300:]}")
    if kind == "built again":
        (folder / "place" / "fake-program").write_text(built)
        if came and "fake-program was built again while it was measured" not in error:
            said.append(f"it does not say that a program was built again: {error[-300:]}")
    if process.returncode in (2, LATER) and entries(folder) and "All finished pieces are kept in" not in error:
        said.append(f"it does not say what it kept: {error[-300:]}")
    if "Traceback" in error:
        said.append(error[-300:])
    end = time.monotonic() + _ENDS_S
    while living(folder) and time.monotonic() < end:
        time.sleep(0.05)
    said += [f"process {one} was left" for one in living(folder)]
    again = [prepare] if kind == "one CPU" else []  # another CPU is another measurement
    return came, said + _resumed(folder, *again)


def _prepared(kind, late):
    """What the process does first: for some kinds, that is the fault."""
    if kind == "full disk":
        limit = _DISK[0] + int(late * (_DISK[1] - _DISK[0]))
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    if kind == "one CPU":
        return lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return lambda: None


def _wait_for_rounds(folder, process, wanted, generator):
    """Until it catches signals and so many pieces are on disk, and a moment that nobody knows."""
    end = time.monotonic() + 60
    while (
        (len(entries(folder)) < wanted or not _catches(process.pid, signal.SIGHUP))
        and process.poll() is None
        and time.monotonic() < end
    ):
        time.sleep(0.002)
    time.sleep(generator.random() * 0.05)


def _move(folder, process, kind):
    """The tree or the clock, while the measurement stands still; whether it has rounds left to take."""
    process.send_signal(signal.SIGSTOP)
    try:
        if sum(f"main/{number}" in entries(folder) for number in range(ROUNDS)) == ROUNDS:
            return False
        tree = folder / "place" / "tree"
        if kind == "source edited":
            (tree / "stages" / "fake" / "00-s0" / "stage.cpp").write_text("// edited\n")
        elif kind == "another commit":
            subprocess.run(["git", "checkout", "--quiet", "main"], cwd=tree, check=True)
        else:
            (folder / "place" / "clock").write_text(str(_CLOCK_S[kind]))
    finally:
        process.send_signal(signal.SIGCONT)
    return True


def build_again(folder):
    """As a linker does, which writes another file; the text of the one before."""
    path = folder / "place" / "fake-program"
    before = path.read_text()
    other = path.with_name("other-program")
    other.write_text(f"{before}# other code\n")
    other.chmod(0o755)
    other.replace(path)
    return before


def _catches(pid, number):
    """Before it does, a signal ends it without a word, and nothing was begun."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


def _second(folder, process):
    """While one runs, with another TMPDIR."""
    end = time.monotonic() + 60
    while not entries(folder) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    other = folder / "other"
    other.mkdir(exist_ok=True)
    os.kill(process.pid, signal.SIGSTOP)  # else it may have ended before the other begins
    try:
        second = started(folder, TMPDIR=str(other))
        _, error = second.communicate(timeout=60)
    finally:
        os.kill(process.pid, signal.SIGCONT)
    busy = "Another measurement is running" in error and second.returncode == 2
    return [] if busy else [f"the second was not refused: {error[-300:]}"]


def _resumed(folder, *prepare):
    """Whether the same command ends well and has all that was on disk."""
    before = entries(folder)
    done = started(folder, *prepare)
    out, error = done.communicate(timeout=120)
    said = [] if done.returncode == 0 else [f"it does not go on: {error[-300:]}"]
    after = entries(folder)
    said += [f"{key} was lost" for key, value in before.items() if after.get(key) != value]
    if done.returncode == 0 and out.split()[:1] != [str(ROUNDS)]:
        said.append(f"it has {out[:40]}, not {ROUNDS} rounds")
    said += [f"{path.name} was left in TMPDIR" for path in (folder / "tmp").iterdir()]
    return said


def drawn(seed, count):
    """Kinds of faults and generators for their moments."""
    generator = random.Random(seed)  # noqa: S311 - it repeats
    kinds = [KINDS[place % len(KINDS)] for place in range(count)]
    generator.shuffle(kinds)
    return [(kind, random.Random(generator.random())) for kind in kinds]  # noqa: S311
