"""What the compiler says about vectorising a stage: compiled once more, for its remarks alone."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from perf_ladders.errors import Missing
from perf_ladders.evidence.tools import output
from perf_ladders.model.evidence import Remark
from perf_ladders.tree.build import Program

_MAX = 12
_ASKED = {
    "gcc": ["-fopt-info-vec-optimized-missed=/dev/stdout"],
    "clang": ["-Rpass=loop-vectorize|slp-vectorizer", "-Rpass-missed=loop-vectorize", "-Rpass-analysis=loop-vectorize"],
}
_GCC = re.compile(r"(.*?):(\d+):\d+: (optimized|missed): +(.*)")
_CLANG = re.compile(r"(.*?):(\d+):\d+: remark: (.*?)(?: \[-R(pass[a-z-]*)=.*\])?$")


class _Compiled(msgspec.Struct):
    """An entry of compile_commands.json."""

    directory: str
    command: str


@cache
def _commands(folder: Path) -> dict[Path, list[str]]:
    """By object, how it is compiled."""
    try:
        entries = msgspec.json.decode((folder / "compile_commands.json").read_bytes(), type=list[_Compiled])
    except (OSError, msgspec.DecodeError):
        raise Missing("the build folder has no compile_commands.json, or a damaged one") from None
    found = {}
    for entry in entries:
        words = shlex.split(entry.command)
        if "-o" in words:
            found[Path(entry.directory) / words[words.index("-o") + 1]] = words
    return found


def remarks(program: Program, folder: Path) -> list[Remark]:
    words = list(_commands(folder).get(program.object, []))
    if not words:
        raise Missing("it is not known how this program was compiled")
    words[words.index("-o") + 1] = "/dev/null"
    asked = _ASKED.get(program.compiler)
    if asked is None:
        raise Missing(f"it is not known how to ask {program.compiler} for remarks")
    # Clang remarks on standard error, as if they were warnings.
    command = ["sh", "-c", 'cd "$1" && shift && "$@" 2>&1', "sh", str(folder), *words, *asked]
    said = parse(output(command, "the compiler"), program.source)
    source = program.source.read_text("utf-8", errors="replace").splitlines()
    return [
        Remark(line=line, kind=kind, text=text, source=source[line - 1].strip() if line <= len(source) else "")
        for line, kind, text in list(said)[:_MAX]
    ]


def parse(text: str, source: Path) -> list[tuple[int, str, str]]:
    """Line, kind and remark, each once, of the stage's own source."""
    unique = dict.fromkeys(_remarks(text, source))
    # What was vectorised comes first, for a reader of a shortened list.
    return sorted(unique, key=lambda remark: (remark[1] != "vectorized", remark[0]))


def _remarks(text: str, source: Path) -> Iterator[tuple[int, str, str]]:
    for line in text.splitlines():
        gcc, clang = _GCC.match(line), _CLANG.match(line)
        if gcc and Path(gcc[1]) == source:
            if gcc[3] == "optimized":
                yield int(gcc[2]), "vectorized", gcc[4]
            elif gcc[4].startswith("not vectorized:"):
                yield int(gcc[2]), "missed", gcc[4].removeprefix("not vectorized: ")
        elif clang and Path(clang[1]) == source:
            missed = clang[4] != "pass"
            if clang[3].startswith("interleaved loop"):  # several iterations at a time, without vectors
                continue
            if missed and clang[3].startswith("loop not vectorized") and ":" not in clang[3]:
                continue  # the reason follows in a remark of its own
            yield int(clang[2]), "missed" if missed else "vectorized", clang[3].removeprefix("loop not vectorized: ")
