"""Runs the check of a program: its tests, within limits, whatever the kernel does."""

from __future__ import annotations

import contextlib
import re
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from rich.console import Console

from perf_ladders.machine import identity, processes
from perf_ladders.measure.runner import environment, progress_bar
from perf_ladders.tree import files
from perf_ladders.tree.build import Program
from perf_ladders.tree.paths import shown

CHECK_LIMIT_S = 120  # most checks take a second or two, and the slowest 20 on a busy machine
MOST_SAID = 16 * 2**20  # bytes that it prints, or writes to a file: the largest has 1 MiB
_LOOK_S = 0.25


def check(programs: list[Program], build_folder: Path, console: Console) -> list[tuple[Program, str]]:
    """Runs `check` of every program that has changed since it last passed on this CPU: those that failed, each with a
    sentence."""
    record = build_folder / "checked.json"
    try:
        passed = msgspec.json.decode(record.read_bytes(), type=dict[str, str])
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
        passed = {}
    failed: list[tuple[Program, str]] = []
    cpu = identity.name(identity.describe())
    # Read before the checks: what is built meanwhile is checked the next time.
    states = {program.id: f"{files.sha256(program.path)} on {cpu}" for program in programs}
    waiting = [program for program in programs if passed.get(program.id) != states[program.id]]
    with progress_bar(console) as progress:
        for program in progress.track(waiting, description="Checking") if waiting else []:
            sentence = _check(program)
            if sentence:
                failed.append((program, sentence))
                continue
            passed[program.id] = states[program.id]
            files.write(record, msgspec.json.encode(passed))
    return failed


def _check(program: Program) -> str:
    """Empty, or what is wrong: the first test that failed and the first lines of its output."""
    more = f"All of it: {shown(program.path)} check"
    result = checked(program, CHECK_LIMIT_S)
    if result is None:
        late = f"{program.id} did not finish its check in {CHECK_LIMIT_S} s and is not measured"
        return f"{late}: does a loop never end? {more}"
    if result.returncode == 0:
        early = f"{program.id} ended with exit code 0 before its check was over and is not measured. {more}"
        return "" if ran_to_its_end(result.stdout) else early
    if says_too_much(result):
        return f"{program.id} prints over {MOST_SAID >> 20} MiB and is not measured: remove what it prints."
    said = [line for line in result.stdout.splitlines() if line.strip()]
    tests = [line.split("]", 1)[1].strip() for line in said if line.startswith("[  FAILED  ]")]
    name = re.split(r",| \(", tests[0])[0] if tests else ""
    where = f" ({name})" if name else ""
    crash = processes.ending(result.returncode) if result.returncode < 0 else None
    what = crash or "gives wrong answers"
    start = "\n".join(line for line in said[:8] if not line.startswith("["))
    return f"{program.id} {what}{where} and is not measured. {more}\n{start}".rstrip()


def checked(
    program: Program, limit_s: float, look: Callable[[], None] = lambda: None
) -> subprocess.CompletedProcess[str] | None:
    """The check until its first failure, and what it prints; None if it takes too long. `look` is called while it runs,
    and ends it by raising. Whatever happens, it does not run on."""
    command: list[str | Path] = [*processes.tied(), program.path, "check", "--gtest_brief=1", "--gtest_fail_fast"]
    end = time.monotonic() + limit_s
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        subprocess.Popen(command, stdout=out, stderr=err, env=environment(), preexec_fn=_say_little) as process,
    ):
        try:
            while time.monotonic() < end:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    code = process.wait(timeout=_LOOK_S)
                    out.seek(0)
                    err.seek(0)
                    said = (out.read() + err.read()).decode(errors="replace")
                    return subprocess.CompletedProcess(command, code, said)
                look()
            return None
        finally:
            process.kill()


def _say_little() -> None:
    """In the process of the check, before it can start another one."""
    processes.limit({resource.RLIMIT_FSIZE: MOST_SAID})


def says_too_much(result: subprocess.CompletedProcess[str]) -> bool:
    return result.returncode == -signal.SIGXFSZ


def ran_to_its_end(said: str) -> bool:
    """Whether the last line of GoogleTest is there: a kernel may end the program before."""
    return re.search(r"^\[  PASSED  \] \d+ tests?\.$", said, re.MULTILINE) is not None
