"""What do programs do on a CPU without AVX, which QEMU imitates? Those of x86-64 are right; higher levels say what it
lacks.
"""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from checked_cases import keep

from perf_ladders.model.proof import CheckedCase
from perf_ladders.tree import catalogue
from perf_ladders.tree.headers import read_header

_CPU = "Westmere"  # of 2010: it has SSE4.2 and AES instructions
_WITHOUT = "Huge*:Oracle*:InOrder.*"  # as CTest leaves out at most levels
_LIMIT_S = 900
_WHAT = f"Programs of stages, checked under QEMU as on Intel {_CPU}, which has no AVX. Skipped: those that say so."


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("case", catalogue.case_names())
def test_programs_are_right_or_say_what_an_old_cpu_lacks(case, build):
    if "x86-64-v3" not in build.flags or build.preset.startswith("sanitize"):
        pytest.skip("the levels of x86-64 are not built, or with sanitizers, which QEMU does not run")
    if not shutil.which("qemu-x86_64"):
        pytest.skip("no QEMU for programs of x86-64: apt-get install qemu-user")
    programs = [one for one in build.programs if (one.kind, one.case) == ("stage", case) and one.path.exists()]
    if not programs:
        pytest.skip(f"{case} has not been built")
    ended = {program.path.name: _ended(program) for program in programs}
    one = CheckedCase(
        case=case,
        preset=build.preset,
        passed=sum(how == "passed" for how in ended.values()),
        skipped=[name for name, how in ended.items() if how == "skipped"],
        failed=[f"{name}: {how}" for name, how in ended.items() if how not in ("passed", "skipped")],
    )
    keep(_WHAT, one, "old-cpu.json")
    assert one.failed == []
    assert one.passed > 0
    assert one.skipped != []


def _ended(program) -> str:
    """passed, skipped, or what is wrong."""
    higher = program.level.startswith("x86-64-v")
    words = ["qemu-x86_64", "-cpu", _CPU, program.path, "check", "--gtest_brief=1", f"--gtest_filter=-{_WITHOUT}"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"not finished after {_LIMIT_S} s"
    said = re.search(r"this CPU .*lacks: (.+)\. Programs of a lower level may run here\.", done.stderr)
    if done.returncode == 77 and said and ("AVX2" in said[1] if higher else read_header(program.source).requires):
        return "skipped"
    if done.returncode == 0 and not higher:
        return "passed"
    return f"exit code {done.returncode}: {(done.stdout + done.stderr).strip()[-300:]}"
