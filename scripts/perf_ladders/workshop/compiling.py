"""A source that somebody handed in, compiled as the answer of its step is, within limits."""

from __future__ import annotations

import re
import resource
import subprocess
from dataclasses import replace
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.machine import processes
from perf_ladders.measure.relink import Recipe
from perf_ladders.tree import files
from perf_ladders.tree.build import Program

_LIMIT_S = 300  # of a compiler
# A few lines may ask it for any amount of work, memory and output.
_LIMITS = {
    resource.RLIMIT_CPU: _LIMIT_S,
    resource.RLIMIT_AS: 4 * 2**30,
    resource.RLIMIT_FSIZE: 256 * 2**20,
}
_SAID = 2**20  # bytes of its complaints that are read
_MARKER = re.compile(r'# \d+ "((?:[^"\\]|\\.)*)"')  # of the preprocessor: what follows is from this file


def rebuilt(answer: Program, name: str, source: Path) -> Program:
    """The source as a program of that name, compiled and linked as the answer is; beside the source."""
    made, path = source.with_suffix(".o"), source.with_name("program")
    recipe = Recipe.of(answer)
    run(recipe.compile(source, made), recipe.folder, source)
    run(recipe.link(made, path), recipe.folder, source)
    return replace(answer, name=name, path=path, object=made, source=source)


def expanded(answer: Program, source: Path, most: int) -> str | None:
    """The lines of the source itself, without those of its headers, with macros expanded as for the answer. None: they
    have more than `most` characters."""
    recipe = Recipe.of(answer)
    with files.scratch() as folder:
        made = folder / "stage.ii"
        run(["-E" if word == "-c" else word for word in recipe.compile(source, made)], recipe.folder, source)
        lines, left, own = [], most, False
        with made.open(encoding="utf-8", errors="replace") as text:
            while left > 0 and (line := text.readline(most)):
                if marker := _MARKER.match(line):
                    own = marker[1] == str(source)
                elif own:
                    lines.append(line)
                    left -= len(line)
    return "".join(lines) if left > 0 else None


def run(command: list[str], folder: Path, source: Path) -> None:
    with files.scratch() as scratch, (scratch / "said").open("w+b") as said:
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=said,
                check=False,
                timeout=_LIMIT_S,
                env=processes.untranslated(),
                preexec_fn=_limit,
            )
        except subprocess.TimeoutExpired:
            raise UserError(f"the compiler did not end in {_LIMIT_S} s") from None
        said.seek(0)
        complaints = said.read(_SAID).decode(errors="replace")
    if done.returncode != 0:
        # A compiler quotes the file that it reads. Other files than the learner's are nobody's business.
        own = re.search(rf"^{re.escape(str(source))}(:.*\berror: .*)", complaints, re.MULTILINE)
        raise UserError(f"{source.name}{own[1]}" if own else f"the compiler {processes.ending(done.returncode)}")


def _limit() -> None:
    processes.limit(_LIMITS)
