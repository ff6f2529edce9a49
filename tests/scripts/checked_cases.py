"""For proofs: builds a case with a preset, runs its tests and counts how they ended."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from perf_ladders.commands.build import build_targets
from perf_ladders.errors import UserError
from perf_ladders.model.proof import Checked, CheckedCase
from perf_ladders.results import proof
from perf_ladders.tree import catalogue, files
from perf_ladders.tree.paths import PROOF, ROOT

_ENDED = re.compile(r'<testcase name="([^"]+)"[^>]* status="(\w+)">\s*(?:<skipped message="([^"]*)")?')
_SKIPPED = "SKIP_RETURN_CODE=77"  # else a program was not built, and CTest calls that skipped, too


def configure(preset: str) -> None:
    """Skips the test where a compiler is missing, with CMake's sentence."""
    try:
        build_targets(preset, ["plan"])
    except UserError as complaint:
        pytest.skip(str(complaint))


def checked(case: str, preset: str) -> CheckedCase:
    """As `make test CASE=... PRESET=...` does."""
    build_targets(preset, [f"{case}-tests"])
    with files.scratch() as folder:
        told = folder / "junit.xml"
        jobs = len(os.sched_getaffinity(0))
        command = ["ctest", "--preset", preset, f"-j{jobs}", "-L", f"^{case}$", "--output-junit", str(told)]
        subprocess.run(command, cwd=ROOT, check=False)
        ended = _ENDED.findall(told.read_text("utf-8"))
    return CheckedCase(
        case=case,
        preset=preset,
        passed=sum(status == "run" for _, status, _ in ended),
        skipped=[name for name, _, why in ended if why == _SKIPPED],
        failed=[
            f"{name}: {why}" if why else name for name, status, why in ended if status != "run" and why != _SKIPPED
        ],
    )


def keep(what: str, one: CheckedCase, name: str) -> None:
    """Adds a case to those that the file has of this commit, so that a proof may be made in parts."""
    path, made = PROOF / name, proof.now()
    earlier = proof.read(path, Checked, "make proof") if path.exists() else None
    others = earlier.details if earlier and earlier.commit == made["commit"] else []
    found = sorted([*[each for each in others if _which(each) != _which(one)], one], key=_which)
    failed = sum(len(each.failed) for each in found)
    tried = failed + sum(each.passed + len(each.skipped) for each in found)
    proof.write(Checked(what=f"{what} Cases: {_cases(found)}.", tried=tried, found=failed, details=found, **made), path)


def _cases(found: list[CheckedCase]) -> str:
    """xtea, threefish (sanitize-clang alone)"""
    presets = {each.preset for each in found}
    of_case = {each.case: [other.preset for other in found if other.case == each.case] for each in found}
    return ", ".join(
        name if len(checked) == len(presets) else f"{name} ({', '.join(checked)} alone)"
        for name, checked in of_case.items()
    )


def _which(one: CheckedCase) -> tuple[int, str]:
    return catalogue.case_names().index(one.case), one.preset
