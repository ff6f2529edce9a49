"""The programs that gather evidence: whether they are here, and how they are started."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TypeVar

from perf_ladders.errors import Missing
from perf_ladders.machine import processes
from perf_ladders.tree import files

T = TypeVar("T")
_VERSIONS = range(30, 13, -1)  # of LLVM that are looked for, as scripts/setup.sh does


def attempt(field: str, gather: Callable[[], T], missing: dict[str, str]) -> T | None:
    """What is gathered; or None, and under `field` in `missing` the reason."""
    try:
        return gather()
    except Missing as reason:
        missing[field] = str(reason)
        return None


@contextmanager
def output_file(keep: Path | None) -> Iterator[Path]:
    """A file for a tool to write. Once the tool has finished, its content replaces `keep`, or is gone."""
    with files.scratch() as folder:
        out = folder / "out"
        yield out
        if keep:
            files.write(keep, out.read_bytes())


@cache
def tool(name: str, package: str) -> str:
    """Where the tool is; of LLVM's tools the newest."""
    found = shutil.which(newest(name) if name.startswith("llvm") else name)
    if found is None:
        raise Missing(f"{name} is not installed (package {package})")
    return found


def newest(name: str) -> str:
    """Of the versions of a tool of LLVM: clang++-19, of clang++; the name itself where there is none."""
    return next(filter(shutil.which, (f"{name}-{version}" for version in _VERSIONS)), name)


def output(
    command: Sequence[str | Path], why: str, given: bytes | None = None, limit_s: float = 300, **environment: str
) -> str:
    """What the command prints; `why` opens the reason if it fails."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            input=given,
            timeout=limit_s,
            env={**processes.environment(), **environment, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"{why}: not finished after {limit_s:.0f} s") from None
    if done.returncode != 0:
        text = (done.stderr or done.stdout).decode(errors="replace")
        said = [re.sub(r"^==\d+==", "", line).strip() for line in text.splitlines()]
        last = next((line for line in reversed(said) if line), f"exit code {done.returncode}")
        last = next((line for line in said if line.startswith("error:")), last).removeprefix("error: ")
        raise Missing(f"{why}: {last.rstrip('.')}")
    return done.stdout.decode(errors="replace")


@cache
def version(command: str) -> str:
    """The first number with a dot in it that the tool prints of itself."""
    match = re.search(r"\d+\.\d[\w.]*", output([command, "--version"], command))
    return match[0] if match else "of a version not known"
