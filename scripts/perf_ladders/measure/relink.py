"""Makes a program again: the same code at other addresses, or another source."""

from __future__ import annotations

import shlex
import subprocess
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from perf_ladders.errors import UserError
from perf_ladders.tree import files
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.paths import ROOT

_MOST_GAP = 4096  # bytes, a multiple of 16


@dataclass(frozen=True)
class Recipe:
    """How ninja compiles a program's own source to an object, and how it links the object with others."""

    folder: Path  # where both commands run
    object: str
    compiling: list[str]
    linking: list[str]

    @classmethod
    def of(cls, program: Program, target: str = "") -> Recipe:
        """`target`: another program that the object is linked into."""
        folder = program.path.parent
        made = str(program.object.relative_to(folder))
        return cls(folder, made, ninja_command(folder, made), ninja_command(folder, target or program.path.name))

    def compile(self, source: Path, made: Path) -> list[str]:
        """The command that makes an object of this source instead."""
        words = [*self.compiling]
        for option, value in (("-o", made), ("-c", source), ("-MF", made.with_suffix(".d"))):
            if option in words:
                words[words.index(option) + 1] = str(value)
        return words

    def link(self, made: Path, program: Path) -> list[str]:
        """The command that links this object instead."""
        words = [*with_others(self.linking, [self.object], [str(made)])]
        words[words.index("-o") + 1] = str(program)
        return words


def several(build: Build, program: Program, count: int) -> list[Path]:
    """The program and others, `count` in all; those that are newer than it are not made again."""
    folder = program.path.parent / "links"
    folder.mkdir(exist_ok=True)
    found = [program.path]
    for place in range(1, count):
        path = folder / f"{program.path.name}.{place}"
        if not path.exists() or path.stat().st_mtime < program.path.stat().st_mtime:
            linked(build, program, path, np.random.default_rng([zlib.crc32(program.id.encode()), place]))
        found.append(path)
    return found


def linked(build: Build, program: Program, into: Path, generator: np.random.Generator) -> Path:
    """Its objects in random order, behind a gap of random size."""
    folder = ROOT / "build" / build.preset
    words = ninja_command(folder, program.path.name)
    objects = [word for word in words if word.endswith(".o")]
    order = [objects[place] for place in generator.permutation(len(objects))]
    gap = into.with_name(f"{into.name}.gap.s")
    gap.write_text(f".text\n.skip {16 * int(generator.integers(0, _MOST_GAP // 16))}\n")
    with files.written_aside(into) as unfinished:
        command = [*with_others(words, objects, [str(gap), *order])]
        command[command.index("-o") + 1] = str(unfinished)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
        gap.unlink()
        if done.returncode != 0:
            said = done.stderr.strip().splitlines() or [f"the linker ended with exit code {done.returncode}"]
            raise UserError(f"{program.path.name} could not be linked again: {said[-1]}")
    return into


def ninja_command(folder: Path, target: str) -> list[str]:
    """That makes the target. Of a link ninja says: `: && g++ ... -o target ... && :`."""
    command = ["ninja", "-t", "commands", "-s", target]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise UserError(f"ninja does not know how {target} is made: {done.stderr.strip()}")
    line = done.stdout.strip().removeprefix(": && ").removesuffix(" && :")
    return shlex.split(line)


def with_others(words: Sequence[str], objects: Sequence[str], instead: Sequence[str]) -> Iterator[str]:
    """The others take the place of the first of the objects."""
    for word in words:
        if word == objects[0]:
            yield from instead
        if word not in objects:
            yield word
