"""Does a kernel that passes its check do the work each time it is called? One that stores answers, counts calls or
brings a clock of its own is told so. Nothing here is timed.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from perf_ladders.errors import Missing
from perf_ladders.evidence.instructions import callgrind, costs, entered, switches, undecodable
from perf_ladders.evidence.tools import output, tool
from perf_ladders.pages import formatting
from perf_ladders.tree.build import Program
from perf_ladders.tree.contract import named

_WRITABLE = re.compile(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)\b")
_FEW, _MORE = 1, 4  # calls whose instructions are compared
_ALIKE = 0.05  # the first call finds and fills what later ones have: a share of the instructions
_STARTS = 2_000  # instructions that the first call may take more on top, to find functions of libraries
_STARTS_THREADS = 1_000_000  # and to start a library's threads, where it works with them,
_OF_IT = 0.9  # but no more than this share: a small message that is remembered takes fewer instructions than that


def kept_between_calls(program: Program) -> list[str]:
    """The names of what it could remember: objects of its own that can be written, or that each thread has."""
    found = []
    for line in output([tool("objdump", "binutils"), "--syms", "--demangle", program.object], "objdump").splitlines():
        match = re.match(r"[0-9a-f]+ (.{7}) (\S+)\t[0-9a-f]+ +(?:\.hidden )?(.+)", line)
        if match and _WRITABLE.match(match[2]) and match[3] != match[2]:  # a section has a symbol of its own name
            found.append(match[3])
    return sorted(found)


def foreign_symbols(program: Program, contract: list[str]) -> list[str]:
    """Functions and objects that are none of the contract's, but could take the place of another's."""
    listed = output([tool("nm", "binutils"), "--demangle", "--defined-only", program.object], "nm")
    strong = {line.split(" ", 2)[2] for line in listed.splitlines() if line.split(" ", 2)[1] in "TDBRC"}
    return sorted(symbol for symbol in strong if named(symbol) not in contract)


def calls_differ(program: Program, contract: list[str], workload: str, cpu: int) -> list[str]:
    """A sentence, if later calls of the workload do less than the first; Missing where nothing can be counted."""
    first, more = (_instructions(program, contract, workload, cpu, calls) for calls in (_FEW, _MORE))
    later = (more - first) / (_MORE - _FEW)
    starts = min(_STARTS_THREADS, _OF_IT * first) if program.threads else _STARTS
    if later >= first * (1 - _ALIKE) - starts:
        return []
    return [f"The first call takes {first:,} instructions, later ones {later:,.0f}: does it remember its answer?"]


def a_call(program: Program, contract: list[str], workload: str, cpu: int) -> float:
    """How many instructions a call of the workload takes; Missing where nothing can be counted."""
    return _instructions(program, contract, workload, cpu, _MORE) / _MORE


def _instructions(program: Program, contract: list[str], workload: str, cpu: int, calls: int) -> int:
    """Of so many calls."""
    pinned = ("taskset", "--cpu-list", str(cpu)) if program.threads else ()
    return _counted(program.path, program.path.stat().st_mtime_ns, tuple(contract), workload, pinned, calls)


# Each start of Valgrind takes a second on a busy core, so counts are kept as long as the program is the same: those of
# the answer from one save to the next.


@cache
def _counted(
    path: Path, built_ns: int, contract: tuple[str, ...], workload: str, pinned: tuple[str, ...], calls: int
) -> int:
    if _unknown(path, built_ns):
        raise Missing("Valgrind does not know these instructions")
    called = _entered(path, built_ns, contract, workload, pinned)
    lines = callgrind([path, "run", str(calls), workload], switches(called), pinned)
    return sum(cost for _, _, _, cost in costs(lines))


@cache
def _unknown(path: Path, built_ns: int) -> bool:
    return undecodable(path)


@cache
def _entered(path: Path, built_ns: int, contract: tuple[str, ...], workload: str, pinned: tuple[str, ...]) -> list[str]:
    return entered(path, list(contract), workload, pinned)


def unfair(program: Program, contract: list[str], may_keep: bool) -> list[str]:
    """What its object must not hold; `may_keep`: the repository's own stage keeps something between calls, too."""
    said = []
    if foreign := foreign_symbols(program, contract):
        said.append(f"It defines {foreign[0]}, which is not in the contract: put it into an unnamed namespace.")
    kept = [] if may_keep else kept_between_calls(program)
    if kept:
        said.append(
            f"It keeps {_placed(kept[0])} from call to call: what a call computes must be computed in that call."
        )
    return said


def _placed(name: str) -> str:
    """`calls` in crypt, of salsa20::crypt(unsigned char*, ...)::calls."""
    name = name.removeprefix("guard variable for ").replace("(anonymous namespace)::", "")
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    place, _, bare = name.rpartition("::")
    function = formatting.function(place).rpartition("::")[2] if "(" in place else ""
    return f"`{bare}` in {function}" if function else f"`{bare}`"
