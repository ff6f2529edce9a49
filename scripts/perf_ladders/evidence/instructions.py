"""How many instructions a call takes, and which: by callgrind, or by single-stepping where Valgrind cannot follow."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from perf_ladders.catalogue import Build, Program
from perf_ladders.evidence import Missing
from perf_ladders.evidence.assembly import function_at, functions
from perf_ladders.evidence.tools import output, tool
from perf_ladders.measure import Workload

_CALLS = 2  # counted by callgrind, which repeats exactly
_MOST_STEPS = 600_000  # some seconds of single-stepping: two calls
_MOST_PER_CYCLE = 5  # instructions that a core starts in a cycle, to guess what a call will take

# Whose instructions are not the stage's own: glibc picks its copying routines by CPU.
_C_LIBRARY = re.compile(r"/(ld-linux[^/]*|libc|libm|libpthread)([-.][^/]*)?\.so[^/]*$")


@dataclass
class Counts:
    """Of the functions of the contract, with all that they call."""

    how: str  # callgrind or single-stepping
    workload: Workload
    calls: int
    own: int = 0
    c_library: int = 0
    functions: dict[str, int] = field(default_factory=dict)  # instructions by function
    addresses: dict[int, int] = field(default_factory=dict)  # executions by address in the program's file

    def count(self, file: str, function: str, address: int, instructions: int, program: Path) -> None:
        if _C_LIBRARY.search(file):
            self.c_library += instructions
            return
        self.own += instructions
        self.functions[function] = self.functions.get(function, 0) + instructions
        if Path(file) == program:
            self.addresses[address] = self.addresses.get(address, 0) + instructions


def count(
    program: Program, build: Build, symbols: list[str], workloads: list[Workload], cycles_a_call: float, cpu: int
) -> Counts:
    """On the first workload; single-stepped on a smaller one if its call takes too long for that."""
    by_callgrind = _callgrind(program, symbols, workloads[0], cpu)
    if by_callgrind:
        return by_callgrind
    if build.steps is None:
        raise Missing("Valgrind does not know these instructions, and single-stepping is written for x86-64 alone")
    if program.threads:
        raise Missing("Valgrind does not know these instructions, and single-stepping follows one thread alone")
    expected = cycles_a_call * _MOST_PER_CYCLE / workloads[0].bytes
    small = [w for w in workloads if w.role == "sweep" and 2 * w.bytes * expected <= _MOST_STEPS]
    fits = 2 * workloads[0].bytes * expected <= _MOST_STEPS or not small
    workload = workloads[0] if fits else max(small, key=lambda w: w.bytes)
    return _steps(program, build.steps, symbols, workload, cpu)


def _callgrind(program: Program, symbols: list[str], workload: Workload, cpu: int) -> Counts | None:
    """None if the program holds instructions that Valgrind does not know, which its guard says under Valgrind."""
    # On one CPU a stage of many threads has one, whose work is counted where it is called.
    pinned = ["taskset", "--cpu-list", str(cpu)] if program.threads else []
    try:
        toggles = switches(entered(program.path, symbols, workload.name, pinned))
        lines = callgrind([program.path, "run", str(_CALLS), workload.name], toggles, pinned)
    except Missing:
        if undecodable(program.path):
            return None
        raise
    return parse_callgrind(lines, program.path, workload)


def switches(symbols: Iterable[str]) -> list[str]:
    """Counting is switched on where one of these functions begins, and off where it ends."""
    # With the parenthesis: `encrypt*` would also match a function encrypt_block, and switch the counting off there.
    return [f"--toggle-collect={symbol.split('(')[0]}(*" for symbol in symbols]


def entered(program: Path, symbols: list[str], workload: str, before: Sequence[str] = ()) -> list[str]:
    """The functions of the contract that a call of the workload enters from outside. One that is entered from another
    would switch the counting off, and one that prepares the workload is no part of the call."""
    calls = calls_in(callgrind([program, "run", "1", workload], [], before))
    reached = {name for name in calls if name.endswith("::call()")}
    waiting = list(reached)
    while waiting:
        new = calls.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new - {*symbols}
    return [symbol for symbol in symbols if symbol in reached] or symbols


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


def undecodable(program: Path) -> bool:
    """Whether the program's guard, which stands before all else, misses instructions under Valgrind."""
    return subprocess.run([tool("valgrind", "valgrind"), "-q", program], capture_output=True).returncode == 77


def callgrind(
    command: Sequence[str | Path], options: Sequence[str], before: Sequence[str] = (), limit_s: float = 300
) -> list[str]:
    """callgrind's file of counts by instruction, with neither names nor positions compressed."""
    with tempfile.NamedTemporaryFile(prefix="perf-ladders-", suffix=".callgrind") as out:
        asked = [f"--callgrind-out-file={out.name}", "--dump-instr=yes", "--compress-strings=no", "--compress-pos=no"]
        valgrind = [*before, tool("valgrind", "valgrind"), "--tool=callgrind", *asked, *options]
        output([*valgrind, *command], "callgrind", limit_s=limit_s, LD_BIND_NOW="1")
        return Path(out.name).read_text("utf-8").splitlines()


def parse_callgrind(lines: Iterable[str], program: Path, workload: Workload) -> Counts:
    counts = Counts("callgrind", workload, _CALLS)
    for file, function, address, cost in costs(lines):
        counts.count(file, function, address, cost, program)
    return counts


def costs(lines: Iterable[str]) -> Iterator[tuple[str, str, int, int]]:
    """Of callgrind's file: object file, function, address and instructions, which add up to its total."""
    file = function = ""
    total, added = None, 0
    calling = False
    for line in lines:
        key, equals, value = line.partition("=")
        if line.startswith("totals:"):
            total = int(line.split()[1])
        elif key == "ob":
            file = value
        elif key == "fn":
            function = value
        elif key == "calls":
            calling = True
        elif line.startswith("0x") and not equals:
            address, _, cost = line.split()
            if not calling:  # the line after `calls=` holds what the called function cost
                added += int(cost)
                yield file, function, int(address, 16), int(cost)
            calling = False
    if total != added or not total:
        raise Missing(f"callgrind's lines add up to {added:,}, its total is {total or 0:,}")


def _steps(program: Program, steps: Path, symbols: list[str], workload: Workload, cpu: int) -> Counts:
    entries = [f"{function.begin:x}" for function in functions(program.path) if function.name in symbols]
    command: list[str | Path] = ["taskset", "--cpu-list", str(cpu), steps, str(_MOST_STEPS), ",".join(entries)]
    # What a second call adds: the functions of the contract that prepare the workload are entered, too.
    once, twice = (_stepped([*command, program.path, "run", str(calls), workload.name]) for calls in (1, 2))
    counts = Counts("single-stepping", workload, 1)
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
    """Instructions, by what common/steps.cpp prints of where they stand."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reasons = {3: "this system does not permit ptrace", 4: f"two calls take over {_MOST_STEPS:,} instructions"}
        raise Missing(f"single-stepping: {reasons.get(done.returncode, f'exit code {done.returncode}')}")
    lines = [line.split() for line in done.stdout.splitlines()]
    return Counter({(kind, place): int(number) for kind, place, number in lines})
