"""CMake reads the tree. Standard library alone."""

from __future__ import annotations

import json
import re
import subprocess

from perf_ladders.errors import UserError
from perf_ladders.machine import processes
from perf_ladders.tree.paths import ROOT, shown

PRESETS = ROOT / "CMakePresets.json"


def presets() -> list[str]:
    """That can be built."""
    try:
        return [one["name"] for one in json.loads(PRESETS.read_text(encoding="utf-8"))["buildPresets"]]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        raise UserError(f"{shown(PRESETS)} has no list of build presets that can be read: restore it.") from None


def is_timed(preset: str) -> bool:
    """Others are for tests, and their times mean nothing."""
    return not preset.startswith(("sanitize", "fuzz", "aarch64"))


def configured(preset: str) -> str:
    """What CMake says. The caller holds the lock of the build folder."""
    said = _said(preset)
    if "require your cache to be deleted" in said:  # CMake then forgets what the preset says
        said = _said(preset, "--fresh")
    return said


def _said(preset: str, *words: str) -> str:
    """Its error as one sentence, for CMake wraps it and hides it among other lines."""
    path = ROOT / "build" / f"{preset}.configure.log"
    with path.open("w", encoding="utf-8") as log:
        command = ["cmake", *words, "--preset", preset]
        environment = processes.untranslated()
        done = subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, check=False, env=environment)
    said = path.read_text(encoding="utf-8", errors="replace")
    if done.returncode:
        errors = re.findall(r"^CMake Error.*?(?=^Call Stack|^-- |^$(?!\n  )|\Z)", said, re.MULTILINE | re.DOTALL)
        lines = [line.strip() for error in errors for line in error.splitlines() if line.startswith("  ")]
        sentence = " ".join(lines) or said.strip()
        raise UserError(f"{sentence} (all that CMake says: {shown(path)})")
    return said
