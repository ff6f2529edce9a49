"""How many instructions a call takes, and which: by callgrind, or by single-stepping where Valgrind cannot follow."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from perf_ladders.errors import Missing
from perf_ladders.evidence.assembly import function_at, functions
from perf_ladders.evidence.tools import output, output_file, tool
from perf_ladders.machine import processes
from perf_ladders.model.measurement import Workload
from perf_ladders.model.record import Record
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.contract import named

VALGRIND_LEVEL = "x86-64-v3"  # the highest whose instructions Valgrind knows: it decodes no AVX-512
_CALLS = 2  # counted by callgrind, which repeats exactly
_START_LIMIT_S, _STEPS_LIMIT_S = 60, 300  # a second and some seconds, where a machine is not busy
_MAX_STEPS = 600_000  # some seconds of single-stepping: two calls
_MAX_PER_CYCLE = 5  # instructions that a core starts in a cycle, to guess what a call will take

# Whose instructions are not the stage's own: glibc picks its copying routines by CPU.
_C_LIBRARY = re.compile(r"/(ld-linux[^/]*|libc|libm|libpthread)([-.][^/]*)?\.so[^/]*$")


class Counts(Record, kw_only=True):
    """Of the functions of the contract, with all that they call."""

    how: str  # callgrind or single-stepping
    workload: Workload
    calls: int
    own: int = 0
    c_library: int = 0
    functions: dict[str, int] = msgspec.field(default_factory=dict)  # instructions by function
    addresses: dict[int, int] = msgspec.field(default_factory=dict)  # executions by address in the program's file

    def count(self, file: str, function: str, address: int, instructions: int, program: Path) -> None:
        if _C_LIBRARY.search(file):
            self.c_library += instructions
            return
        self.own += instructions
        self.functions[function] = self.functions.get(function, 0) + instructions
        if Path(file) == program:
            self.addresses[address] = self.addresses.get(address, 0) + instructions


def count(
    program: Program,
    build: Build,
    symbols: list[str],
    workloads: list[Workload],
    cycles_a_call: float,
    cpu: int,
    keep: Path | None = None,
) -> Counts:
    """On the first workload; single-stepped on a smaller one if its call takes too long for that. callgrind's file
    stays where `keep` says."""
    found = by_callgrind(program, symbols, workloads[0], cpu, keep)
    if found:
        return found
    if build.steps is None:
        raise Missing("Valgrind does not know these instructions, and single-stepping is written for x86-64 alone")
    if program.threads:
        raise Missing("Valgrind does not know these instructions, and single-stepping follows one thread alone")
    expected = cycles_a_call * _MAX_PER_CYCLE / workloads[0].bytes
    small = [w for w in workloads if w.name.startswith("sweep/") and 2 * w.bytes * expected <= _MAX_STEPS]
    fits = 2 * workloads[0].bytes * expected <= _MAX_STEPS or not small
    workload = workloads[0] if fits else max(small, key=lambda w: w.bytes)
    return _steps(program, build.steps, symbols, workload, cpu)


def by_callgrind(
    program: Program, symbols: list[str], workload: Workload, cpu: int, keep: Path | None = None
) -> Counts | None:
    """None if the program holds instructions that Valgrind does not know, which its guard says under Valgrind."""
    # On one CPU a stage of many threads has one, whose work is counted where it is called.
    pinned = ["taskset", "--cpu-list", str(cpu)] if program.threads else []
    try:
        toggles = switches(entered(program.path, symbols, workload.name, pinned))
        lines = callgrind([program.path, "run", str(_CALLS), workload.name], toggles, pinned, keep=keep)
    except Missing:
        if undecodable(program.path):
            return None
        raise
    return parse_callgrind(lines, program.path, workload)


def switches(names: Iterable[str]) -> list[str]:
    """Counting is switched on where one of these functions begins, and off where it ends."""
    # With the parenthesis: `encrypt*` would also match a function encrypt_block, and switch the counting off there.
    return [f"--toggle-collect={name.split('(')[0]}(*" for name in names]


def _of_contract(name: str, symbols: Container[str]) -> bool:
    return named(name) in symbols and "[clone" not in name


def entered(program: Path, symbols: list[str], workload: str, before: Sequence[str] = ()) -> list[str]:
    """The functions of the contract that a call of the workload enters from outside. One that is entered from another
    would switch the counting off, and one that prepares the workload is no part of the call."""
    calls = calls_in(callgrind([program, "run", "1", workload], [], before))
    reached = {name for name in calls if name.endswith("::call()")}
    waiting = list(reached)
    while waiting:
        new = calls.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += [name for name in new if named(name) not in symbols]
    found = sorted(name for name in reached if _of_contract(name, symbols))
    return found or [function.name for function in functions(program) if _of_contract(function.name, symbols)]


def calls_in(lines: Iterable[str]) -> dict[str, set[str]]:
    """Of callgrind's file: by function, those that it calls."""
    found: dict[str, set[str]] = {}
    function = ""
    for line in lines:
        key, _, value = line.partition("=")
        if key == "fn":
            function = value
        elif key == "cfn":
            found.setdefault(function, set()).add(value)
    return found


def beyond_valgrind(program: Program, build: Build) -> bool:
    """Whether it is of a level above those that Valgrind runs."""
    levels = [*build.flags]
    return VALGRIND_LEVEL in levels and levels.index(program.level) > levels.index(VALGRIND_LEVEL)


def undecodable(program: Path) -> bool:
    """Whether the program's guard, which runs first, misses instructions under Valgrind."""
    try:
        command: list[str | Path] = [*processes.tied(), tool("valgrind", "valgrind"), "-q", program]
        return subprocess.run(command, capture_output=True, timeout=_START_LIMIT_S).returncode == 77
    except subprocess.TimeoutExpired:
        raise Missing(f"callgrind: the program did not start in {_START_LIMIT_S} s") from None


def callgrind(
    command: Sequence[str | Path],
    options: Sequence[str],
    before: Sequence[str] = (),
    limit_s: float = 300,
    keep: Path | None = None,
    given: bytes | None = None,
) -> list[str]:
    """callgrind's file of counts by instruction and by source line, with neither names nor positions compressed.
    `given`: what the command reads."""
    with output_file(keep) as out:
        asked = [f"--callgrind-out-file={out}", "--dump-instr=yes", "--compress-strings=no", "--compress-pos=no"]
        valgrind = [*processes.tied(), *before, tool("valgrind", "valgrind"), "--tool=callgrind", *asked, *options]
        output([*valgrind, *command], "callgrind", given, limit_s, LD_BIND_NOW="1")
        return out.read_text("utf-8", errors="replace").splitlines()  # a `#line` may name a file by any bytes


def parse_callgrind(lines: Iterable[str], program: Path, workload: Workload) -> Counts:
    counts = Counts(how="callgrind", workload=workload, calls=_CALLS)
    for file, function, address, cost in costs(lines):
        counts.count(file, function, address, cost, program)
    return counts


def costs(lines: Iterable[str]) -> Iterator[tuple[str, str, int, int]]:
    """Of callgrind's file: object file, function, address and instructions, which add up to its total."""
    for file, function, called, address, cost in entries(lines):
        if not called:
            yield file, function, address, cost


def entries(lines: Iterable[str]) -> Iterator[tuple[str, str, str, int, int]]:
    """As `costs`; also what a called function, which is named in the middle, cost with all that it called."""
    file = function = callee = called = ""
    total, added = None, 0
    for line in lines:
        key, equals, value = line.partition("=")
        if line.startswith("totals:"):
            total = int(line.split()[1])
        elif key == "ob":
            file = value
        elif key == "fn":
            function = value
        elif key == "cfn":
            callee = value
        elif key == "calls":
            called = callee
        elif line.startswith("0x") and not equals:
            address, _, cost = line.split()
            if cost.startswith("-"):
                raise Missing(f"callgrind counted {cost} instructions")
            if not called:  # the line after `calls=` holds what the called function cost
                added += int(cost)
            yield file, function, called, int(address, 16), int(cost)
            called = ""
    if total != added or not total:
        raise Missing(f"callgrind's lines add up to {added:,}, its total is {total or 0:,}")


def _steps(program: Program, steps: Path, symbols: list[str], workload: Workload, cpu: int) -> Counts:
    entries = [f"{function.begin:x}" for function in functions(program.path) if _of_contract(function.name, symbols)]
    command: list[str | Path] = ["taskset", "--cpu-list", str(cpu), steps, str(_MAX_STEPS), ",".join(entries)]
    # What a second call adds: the functions of the contract that prepare the workload are entered, too.
    once, twice = (_stepped([*command, program.path, "run", str(calls), workload.name]) for calls in (1, 2))
    counts = Counts(how="single-stepping", workload=workload, calls=1)
    for (kind, place), number in (twice - once).items():
        if kind == "at":
            function = function_at(program.path, int(place, 16))
            counts.count(str(program.path), function.name if function else "?", int(place, 16), number, program.path)
        else:
            counts.count(place, f"all of {Path(place).name}", 0, number, program.path)
    if not counts.own:
        raise Missing("single-stepping: no function of the contract was entered")
    return counts


def _stepped(command: list[str | Path]) -> Counter[tuple[str, str]]:
    """Instructions, from the addresses that common/steps.cpp prints."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=_STEPS_LIMIT_S
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"single-stepping: not finished after {_STEPS_LIMIT_S} s") from None
    if done.returncode != 0:
        reasons = {3: "this system does not permit ptrace", 4: f"two calls take over {_MAX_STEPS:,} instructions"}
        raise Missing(f"single-stepping: {reasons.get(done.returncode, f'exit code {done.returncode}')}")
    lines = [line.split() for line in done.stdout.splitlines()]
    try:
        return Counter({(kind, place): int(number) for kind, place, number in lines})
    except ValueError:
        raise Missing("single-stepping: the stage prints something among the counts") from None
