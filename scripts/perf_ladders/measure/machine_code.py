"""Are two programs the same machine code? Then neither is faster, whatever their times say."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

from perf_ladders.machine import processes

# Sections of which every byte and every address counts; the others hold what debuggers and unwinders read.
_COUNTS = re.compile(r"(?:Contents of section |RELOCATION RECORDS FOR \[)\.(?:text|rodata|data|bss|init_array|tdata)")
_SECTION = ("Contents of section", "RELOCATION RECORDS FOR")


def digest(made: Path) -> str | None:
    """Of the instructions and constants of an object file, with the addresses that the linker fills in; None where
    nothing can be read. Names of local functions are no part of it."""
    said = _said("--full-contents", "--reloc", made)
    if said is None:
        return None
    lines, kept = [], False
    for line in said.splitlines():
        if line.startswith(_SECTION):
            kept = bool(_COUNTS.match(line))
        if kept:
            lines.append(line)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest() if lines else None


def _said(*words: str | Path) -> str | None:
    try:
        done = subprocess.run(
            ["objdump", *words],
            capture_output=True,
            text=True,
            check=False,
            errors="replace",
            env=processes.untranslated(),
        )
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None
