"""Did the number of instructions of a stage change without its source? Each compiler version has counts of its own."""

from __future__ import annotations

import shutil

import msgspec
import pytest

from perf_ladders.evidence.counted_stages import counted, joined
from perf_ladders.model.proof import InstructionCounts
from perf_ladders.results import proof
from perf_ladders.tree import catalogue
from perf_ladders.tree.paths import PROOF, shown

FILE = PROOF / "instructions.json"
_WHAT = (
    "Programs of stages up to x86-64-v3, whose instructions were counted. Found: those whose count changed while their "
    "source did not."
)


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("case", catalogue.case_names())
def test_no_count_changed_without_its_source(case, build):
    if not shutil.which("valgrind") or build.preset.startswith("sanitize"):
        pytest.skip("Valgrind is not installed, or the programs are sanitized, which it does not run")
    fresh = counted(catalogue.read_case(case), build)
    if not fresh:
        pytest.skip(f"{case} has not been built")
    kept = msgspec.json.decode(FILE.read_bytes(), type=InstructionCounts).details if FILE.exists() else []
    details = [*joined(fresh, kept)]
    changed = [one for one in details if one.now]
    found = InstructionCounts(what=_WHAT, tried=len(details), found=len(changed), details=details, **proof.now())
    proof.write(found, FILE)
    mine = [one for one in changed if one.key in {row.key for row in fresh}]
    accept = f"To accept the new counts, delete these rows from {shown(FILE)} and run this again."
    assert mine == [], accept
