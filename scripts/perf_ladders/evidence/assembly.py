"""The machine code of a program: its functions and the loop in which the work is done."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from perf_ladders.errors import Missing
from perf_ladders.evidence.tools import output, tool
from perf_ladders.tree.paths import ROOT

_MAX_OF = 0.5  # of the work is in the loop that is called hot

# An instruction of objdump, and the address that a jump (not a call) names. "18f7: jne 18c0 <f+0x10>"
_INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\t(\S.*?)\s*$")
_JUMP = re.compile(r"(?!call|bl\b|lea|adr)\S+\s+(?:\S+,\s*)*([0-9a-f]+) <")


@dataclass(frozen=True)
class Function:
    name: str  # as the source writes it
    mangled: str
    begin: int
    end: int


@dataclass(frozen=True)
class Instruction:
    address: int
    text: str
    jumps_to: int | None


@cache
def functions(program: Path) -> list[Function]:
    """Those of the program's own file that have a size, by address."""
    found = []
    raw = output([tool("nm", "binutils"), "--print-size", "--numeric-sort", program], "nm cannot read the program")
    symbols = [words for line in raw.splitlines() if len(words := line.split()) == 4 and words[2] in "tTwWu"]
    names = readable([words[3] for words in symbols])
    for (begin, size, _, mangled), name in zip(symbols, names, strict=True):
        found.append(Function(name, mangled, int(begin, 16), int(begin, 16) + int(size, 16)))
    return found


def readable(mangled: Sequence[str]) -> list[str]:
    """Names as the source writes them."""
    return output([tool("c++filt", "binutils")], "c++filt cannot read names", "\n".join(mangled).encode()).splitlines()


def by_readable_name(numbers: Mapping[tuple[str, str], int], program: Path) -> dict[str, int]:
    """Numbers by mangled name and file, added up by readable name: constructors, say, have several mangled ones."""
    found: Counter[str] = Counter()
    for name, ((_, file), number) in zip(readable([one for one, _ in numbers]), numbers.items(), strict=True):
        found[name if Path(file) == program else f"{name} in {Path(file).name}"] += number
    return dict(found)


def function_at(program: Path, address: int) -> Function | None:
    return next((f for f in functions(program) if f.begin <= address < f.end), None)


def disassembly(program: Path, function: Function) -> list[Instruction]:
    command = [tool("objdump", "binutils"), "--disassemble", "--no-show-raw-insn"]
    text = output(
        [*command, f"--start-address={function.begin}", f"--stop-address={function.end}", program],
        "objdump cannot read the program",
    )
    return list(_instructions(text))


def _instructions(text: str) -> Iterator[Instruction]:
    for line in text.splitlines():
        match = _INSTRUCTION.match(line)
        if match:
            jump = _JUMP.match(match[2])
            yield Instruction(int(match[1], 16), match[2], int(jump[1], 16) if jump else None)


def source_lines(program: Path, addresses: list[int], source: Path) -> dict[int, tuple[str, int]]:
    """File and line of each address: in `source` where something of it was inlined there, else the innermost."""
    if not addresses:
        return {}
    given = "\n".join(hex(address) for address in addresses)
    command = [tool("addr2line", "binutils"), "--addresses", "--inlines", f"--exe={program}"]
    found: dict[int, tuple[str, int]] = {}
    here = 0
    for line in output(command, "addr2line cannot read the program", given.encode()).splitlines():
        if re.fullmatch(r"0x[0-9a-f]+", line):
            here = int(line, 16)
            continue
        file, _, number = line.split(" (discriminator")[0].rpartition(":")
        is_first, is_own = here not in found, Path(file) == source
        if number.isdigit() and file != "??" and (is_first or (is_own and found[here][0] != _shown(source))):
            found[here] = (_shown(Path(file)), int(number))
    return found


def line_text(file: str, line: int) -> str:
    """Of a line in the tree; a system's header is named, not quoted."""
    path = ROOT / file
    lines = path.read_text("utf-8", errors="replace").splitlines() if path.is_file() else []
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _shown(source: Path) -> str:
    return str(source.relative_to(ROOT)) if source.is_relative_to(ROOT) else source.name


@dataclass(frozen=True)
class HotLoop:
    function: Function
    instructions: list[Instruction]
    share: float  # of all that was weighed
    iterations: float  # in the unit of the weights: how often its closing jump was reached


def hot_loop(program: Path, weights: Mapping[int, float], total: float | None = None) -> HotLoop:
    """The shortest loop that holds most of the weights, which are by address: executions, or samples. `total` counts
    what fell on other files as well."""
    total = total or sum(weights.values())
    if sum(weights.values()) <= (1 - _MAX_OF) * total:
        raise Missing("most of the work is done outside of this program's file, in a library")
    by_function: dict[Function, float] = {}
    for address, weight in weights.items():
        function = function_at(program, address)
        if function:
            by_function[function] = by_function.get(function, 0) + weight
    function = max(by_function, key=lambda function: by_function[function])
    instructions = disassembly(program, function)

    def weight_of(loop: list[Instruction]) -> float:
        return sum(weights.get(instruction.address, 0) for instruction in loop)

    loops = [
        [i for i in instructions if closing.jumps_to <= i.address <= closing.address]
        for closing in instructions
        if closing.jumps_to is not None and function.begin <= closing.jumps_to <= closing.address
    ]
    loops = sorted((loop for loop in loops if weight_of(loop) > 0), key=len)
    if not loops:
        name = function.name.replace("(anonymous namespace)::", "").split("(")[0]
        raise Missing(f"{name} holds no loop: it is straight code")
    hot = next((loop for loop in loops if weight_of(loop) >= _MAX_OF * total), None)
    if hot is None:
        inner = [loop for loop in loops if not any(set(other) < set(loop) for other in loops)]
        hot = max(inner, key=weight_of)
    return HotLoop(function, hot, weight_of(hot) / total, weights.get(hot[-1].address, 0))
