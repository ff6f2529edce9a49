"""What a check says of a wrong kernel, in a few lines."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from perf_ladders.machine import processes, speed
from perf_ladders.measure.checking import MOST_SAID, checked, ran_to_its_end, says_too_much
from perf_ladders.pages import formatting
from perf_ladders.results.peak import LANE_BITS, VECTOR_BYTES, operations_at
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.catalogue import Case

_CHECK_LIMIT_S = 40  # the slowest checks take 20 s on a busy machine, and saving the file ends the waiting anyway

Outdated = Callable[[], bool]  # whether the file is no longer the one that is judged


class Saved(Exception):
    """The file was saved while an older text was judged: nobody waits for that any more."""


def never() -> bool:
    return False


def first_failure(
    program: Program, lanes: int | None, of_jobs: bool, outdated: Outdated = never, limit_s: float = _CHECK_LIMIT_S
) -> list[str]:
    """Empty if every check passes; else the first failure in a few lines, with the lane that its block goes through."""

    def look() -> None:
        if outdated():
            raise Saved

    with processes.contained() as outlived:
        result = checked(program, limit_s, look)
    if outlived:
        return ["It starts a process that outlives its check. A kernel computes in the process that calls it."]
    if result is None:
        return [f"The check did not end in {limit_s:g} s: does a loop go on for ever?"]
    if result.returncode == 0:
        early = "The program ended with exit code 0 before the check was over: a kernel returns to its caller."
        return [] if ran_to_its_end(result.stdout) else [early]
    if says_too_much(result):
        return [f"It prints over {MOST_SAID >> 20} MiB: remove what it prints."]
    if result.returncode < 0:
        why = ": it touched what is not its own" if result.returncode == -signal.SIGSEGV else ""
        return [f"The program {processes.ending(result.returncode)}{why}."]
    if overrun := re.search(r"^wrong: (.+)\nat:(.*)$", result.stdout, re.MULTILINE):
        return [f"It {overrun[1]}{_place(program, overrun[2].split())}."]
    return failure_in(result.stdout, lanes, of_jobs)


def _place(program: Program, addresses: list[str]) -> str:
    """The function and the line of the program's own source that these addresses lead through, the innermost."""
    if not addresses or not shutil.which("addr2line"):
        return ""
    command: list[str | Path] = [
        "addr2line",
        "--functions",
        "--inlines",
        "--demangle",
        "--exe",
        program.path,
        *addresses,
    ]
    said = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace").stdout.splitlines()
    for function, place in zip(said[::2], said[1::2], strict=False):
        path, _, line = place.split(" (")[0].rpartition(":")
        if line.isdigit() and Path(path).resolve() == program.source.resolve():
            name = formatting.function(function).replace("(anonymous namespace)::", "").rpartition("::")[2]
            return f", in {name}, line {line}"
    return ""


def failure_in(said: str, lanes: int | None, of_jobs: bool) -> list[str]:
    """Of what GoogleTest prints: what differs, and where. Lanes take jobs, where a case has them, else blocks."""
    lines = said.splitlines()
    start = next((place for place, line in enumerate(lines) if line.endswith(": Failure")), None)
    if start is None:
        return [line for line in lines if line.strip()][:6] or ["The check failed and said nothing."]
    kept: list[str] = []
    for line in lines[start + 1 :]:
        if not line.strip() or line.endswith((": Failure", ": Skipped")) or line.startswith("["):
            break
        actual = re.match(r"  Actual: (?:true|false) \((.*)\)$", line)
        if actual:
            kept = [actual[1]]
        elif not re.match(r"Value of: |Expected: (true|false)$|  Actual: |  Which is: |With diff:|@@", line):
            kept.append(line.strip())
    test = next((m[1] for line in lines if (m := re.match(r"\[  FAILED  \] ([^ ,]+)", line))), None)
    several = "message|buffer|job" if of_jobs else "message|block"
    place = re.search(rf"\b(?:{several}) (\d+)", "\n".join(kept))
    if place and lanes and lanes > 1:
        kept.append(f"If {lanes} go side by side in a vector, that is lane {int(place[1]) % lanes}.")
    by_values = test and not test.startswith("Bounds.")  # whose name says that something else is wrong
    return [*kept[:5], *([f"found by the test {test}"] if by_values else [])]


def lanes_of(case: Case, found: Build, level: str, cpu: int) -> int | None:
    """How many words of the case a vector of this level holds."""
    bits = operations_at(case.operations, level).get(LANE_BITS)
    rates = speed.rates(found, cpu).get(level)
    return int(rates[VECTOR_BYTES] * 8 / bits) if bits and rates else None


def uses_vectors(source: Path) -> bool:
    """By itself, not by the compiler's doing: then its author thinks in lanes."""
    text = source.read_text("utf-8", errors="replace")
    return re.search(r"vector_size|\b__m(128|256|512)|\b_mm\d*_|\barm_neon\b|\bsimd\b", text) is not None
