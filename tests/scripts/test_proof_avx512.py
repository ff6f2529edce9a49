"""Do the last stages of x86-64-v4 pass their checks on a CPU with AVX-512, which Bochs imitates? Most machines that run
these tests have none.
"""

from __future__ import annotations

import bochs
import pytest
from checked_cases import keep

from perf_ladders.commands.build import build_targets
from perf_ladders.model.proof import CheckedCase
from perf_ladders.tree import catalogue

_LEVEL = "x86-64-v4"
_WITHOUT = "Huge*:Oracle*:InOrder.*"  # as CTest leaves out at most levels
_LIMIT_S = 2400  # most take a few minutes, 3DES a quarter of an hour
_WHAT = "Last stages of x86-64-v4, checked on a CPU with AVX-512 that Bochs imitates."


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("name", catalogue.case_names())
def test_the_last_stage_of_the_highest_level_is_right_with_avx512(name, build, tmp_path):
    if _LEVEL not in build.flags or build.preset.startswith("sanitize"):
        pytest.skip(f"{_LEVEL} is not built, or with sanitizers, which take hours there")
    bochs.expect()
    case = catalogue.read_case(name)
    there = {one.name: one for one in build.programs if (one.kind, one.case, one.level) == ("stage", name, _LEVEL)}
    program = there[case.closing_of([stage for stage in case.stages if stage.name in there]).name]
    build_targets(build.preset, [program.path.name])
    said = bochs.failure(program.path, _WITHOUT, tmp_path, _LIMIT_S)
    failed = [f"{program.id}: {said}"] if said else []
    one = CheckedCase(case=name, preset=build.preset, passed=1 - len(failed), failed=failed)
    keep(_WHAT, one, "avx512.json")
    assert one.failed == []
