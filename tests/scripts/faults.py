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
KINDS = ("kill the group", "kill the parent", *SIGNALS, "full disk", "two at once", "one CPU", "built again")
_ENDS_S = 10.0  # in which what was left without a parent ends


def command(folder):
    return [sys.executable, FAKE, folder / "place", str(ROUNDS)]


def started(folder, **options):
    """Its own group; its TMPDIR is empty at first."""
    (folder / "tmp").mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(ROOT / "scripts")} | options.pop(
        "env", {}
    )
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command(folder), start_new_session=True, stdout=pipe, stderr=pipe, text=True, env=environment, **options
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
    """One fault, then the same command to its end: complaints, empty where all holds."""
    said = []
    options = {}
    if kind == "full disk":
        limit = generator.randrange(200, 6_000)
        options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    if kind == "one CPU":
        options["preexec_fn"] = lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    process = started(folder, **options)
    if kind == "two at once":
        said += _second(folder, process)
    elif kind in ("full disk", "one CPU"):
        pass
    else:
        _wait_for_rounds(folder, process, generator)
        number = SIGNALS.get(kind, signal.SIGKILL)
        if kind == "built again":
            built = build_again(folder)
        else:
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if kind == "kill the group" else os.kill)(process.pid, number)
    _, error = process.communicate(timeout=120)
    stopped = LATER if kind == "SIGTERM" else 2
    if kind == "built again":
        (folder / "place" / "fake-program").write_text(built)
        if process.returncode != 0 and "fake-program was built again while it was measured" not in error:
            said.append(f"it does not say that a program was built again: {error[-300:]}")
    elif kind not in ("kill the group", "kill the parent") and process.returncode not in (0, stopped):
        said.append(f"it ended with exit code {process.returncode}: {error[-300:]}")
    if process.returncode == stopped and "All finished pieces are kept in" not in error:
        said.append(f"it does not say what it kept: {error[-300:]}")
    if "Traceback" in error:
        said.append(error[-300:])
    end = time.monotonic() + _ENDS_S
    while living(folder) and time.monotonic() < end:
        time.sleep(0.05)
    said += [f"process {one} was left" for one in living(folder)]
    alone = {"preexec_fn": options["preexec_fn"]} if kind == "one CPU" else {}  # another CPU is another measurement
    return said + _resumed(folder, alone)


def _wait_for_rounds(folder, process, generator):
    """Until it catches signals and so many pieces are on disk, and a moment that nobody knows."""
    wanted = generator.randrange(0, ROUNDS)
    end = time.monotonic() + 60
    while (
        (len(entries(folder)) < wanted or not _catches(process.pid, signal.SIGTERM))
        and process.poll() is None
        and time.monotonic() < end
    ):
        time.sleep(0.002)
    time.sleep(generator.random() * 0.05)


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
        second = started(folder, env={"TMPDIR": str(other)})
        _, error = second.communicate(timeout=60)
    finally:
        os.kill(process.pid, signal.SIGCONT)
    busy = "Another measurement is running" in error and second.returncode == 2
    return [] if busy else [f"the second was not refused: {error[-300:]}"]


def _resumed(folder, options):
    """Whether the same command ends well and has all that was on disk."""
    before = entries(folder)
    done = started(folder, **options)
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
