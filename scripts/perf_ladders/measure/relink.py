"""Links a program again: the same code at other addresses."""

from __future__ import annotations

import shlex
import subprocess
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from perf_ladders.errors import UserError
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.paths import ROOT

_MOST_GAP = 4096  # bytes, a multiple of 16


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
    words = link_command(folder, program.path.name)
    objects = [word for word in words if word.endswith(".o")]
    order = [objects[place] for place in generator.permutation(len(objects))]
    gap = into.with_name(f"{into.name}.gap.s")
    gap.write_text(f".text\n.skip {16 * int(generator.integers(0, _MOST_GAP // 16))}\n")
    command = [*with_others(words, objects, [str(gap), *order])]
    command[command.index("-o") + 1] = str(into)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    gap.unlink()
    if done.returncode != 0:
        raise UserError(f"{program.path.name} could not be linked again: {done.stderr.strip().splitlines()[-1]}")
    return into


def link_command(folder: Path, target: str) -> list[str]:
    """As ninja runs it: `: && g++ ... -o target ... && :`."""
    command = ["ninja", "-t", "commands", "-s", target]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"ninja does not know how {target} is linked: {done.stderr.strip()}")
    line = done.stdout.strip().removeprefix(": && ").removesuffix(" && :")
    return shlex.split(line)


def with_others(words: Sequence[str], objects: Sequence[str], instead: Sequence[str]) -> Iterator[str]:
    """The others take the place of the first of the objects."""
    for word in words:
        if word == objects[0]:
            yield from instead
        if word not in objects:
            yield word
