"""What did the JIT make of a way? A product JVM prints the bytes of the machine code that it compiled. Where objdump is
installed, it says which instructions these are, and so whether the JIT used vectors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from perf_ladders.errors import Missing
from perf_ladders.evidence.tools import output, tool
from perf_ladders.measure.java_rounds import TRIAL_ITERATIONS, Session
from perf_ladders.model.java import Jit
from perf_ladders.tree import files

_LIBRARIES = {"salsa20": ["org.bouncycastle.crypto.engines.Salsa20Engine"]}  # beside the classes of the case
_METHOD = re.compile(r"^Compiled method \(c2\)\s+\d+\s+\d+\s+4\s+(\S+) \((\d+) bytes\)", re.MULTILINE)
_BYTES = re.compile(r"^\s+0x[0-9a-f]+:((?:\s+\|?\s*[0-9a-f]{2,8})+)\s*$", re.MULTILINE)
# Additions, rotations, xors and the like of packed integers; moves alone are no vectorisation. An xor of a register
# with itself is the usual way to write a zero.
_VECTOR = re.compile(r"\t(v?p(?:add|sub|xor|or|and|sll|srl|rol|shufb|shufd|ternlog)[a-z]*)\s+([^,]*),([^,]*)")


def of_ways(begun: Session, ways: Sequence[str]) -> dict[str, Jit]:
    """Of a JVM of each, on the first workload, which is not timed."""

    return {way: begun.journal.once(f"jit/{way}", partial(_of_way, begun, way), Jit) for way in ways}


def _of_way(begun: Session, way: str) -> Jit:
    begun.describe(f"machine code of {way}")
    return of_output(begun.timed((way, begun.case.first), TRIAL_ITERATIONS, 0, flags(begun.case.name)).said)


def flags(case: str) -> list[str]:
    classes = [f"{case}.*", *_LIBRARIES.get(case, [])]
    return ["-XX:+UnlockDiagnosticVMOptions", *(f"-XX:CompileCommand=print,{name}::*" for name in classes)]


def of_output(said: str) -> Jit:
    """The last code of each method that the highest tier compiled."""
    codes: dict[str, bytes] = {}
    starts = [*_METHOD.finditer(said)]
    for place, start in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(said)
        codes[start[1]] = _code(said[start.end() : end])
    instructions, vector = _counted(b"".join(codes.values()))
    return Jit(compiled=[*codes], instructions=instructions, vector=vector)


def _code(text: str) -> bytes:
    end = re.search(r"^\[/MachCode\]|^={20,}|^Compiled method", text, re.MULTILINE)
    text = text[: end.start()] if end else text
    return b"".join(bytes.fromhex(re.sub(r"[\s|]", "", one[1])) for one in _BYTES.finditer(text))


def _counted(code: bytes) -> tuple[int, dict[str, int]]:
    """Nothing where no tool decodes them."""
    try:
        decoder = tool("objdump", "binutils")
        with files.scratch() as folder:
            path = folder / "code"
            path.write_bytes(code)
            command: list[str | Path] = [decoder, "-D", "-b", "binary", "-m", "i386:x86-64", "--no-show-raw-insn", path]
            listing = output(command, "objdump cannot read the machine code")
    except Missing:
        return 0, {}
    lines = [line for line in listing.splitlines() if re.match(r"\s*[0-9a-f]+:\t", line)]
    matches = (match for line in lines if (match := _VECTOR.search(line)))
    found = Counter(match[1] for match in matches if "xor" not in match[1] or match[2] != match[3])
    return len(lines), dict(sorted(found.items()))
