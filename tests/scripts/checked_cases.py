"""For proofs: builds a case with a preset, runs its tests and counts how they ended."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence

import pytest

from perf_ladders.commands.build import build_targets
from perf_ladders.errors import UserError
from perf_ladders.model.proof import Checked, CheckedCase
from perf_ladders.results import proof
from perf_ladders.tree import files
from perf_ladders.tree.paths import PROOF, ROOT

_ENDED = re.compile(r'<testcase name="([^"]+)"[^>]* status="(\w+)"')


def configure(preset: str) -> None:
    """Skips the test where a compiler is missing, with CMake's sentence."""
    try:
        build_targets(preset, ["plan"])
    except UserError as complaint:
        pytest.skip(str(complaint))


def checked(case: str, preset: str) -> CheckedCase:
    """As `make test CASE=... PRESET=...` does."""
    build_targets(preset, [case])
    with files.scratch() as folder:
        told = folder / "junit.xml"
        jobs = len(os.sched_getaffinity(0))
        command = ["ctest", "--preset", preset, f"-j{jobs}", "-L", f"^{case}$", "--output-junit", str(told)]
        subprocess.run(command, cwd=ROOT, check=False)
        ended = _ENDED.findall(told.read_text("utf-8"))
    return CheckedCase(
        case=case,
        preset=preset,
        passed=sum(status == "run" for _, status in ended),
        skipped=[name for name, status in ended if status == "notrun"],
        failed=[name for name, status in ended if status == "fail"],
    )


def write(what: str, found: Sequence[CheckedCase], name: str) -> None:
    """Of the cases that were chosen (`pytest -k xtea`), which it names."""
    if not found:
        return
    failed = sum(len(one.failed) for one in found)
    tried = failed + sum(one.passed + len(one.skipped) for one in found)
    what += f" Cases: {', '.join(dict.fromkeys(one.case for one in found))}."
    proof.write(Checked(what=what, tried=tried, found=failed, details=[*found], **proof.now()), PROOF / name)
