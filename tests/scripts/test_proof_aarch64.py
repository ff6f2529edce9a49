"""Do the stages that run on every machine pass their checks on AArch64, under QEMU?"""

from __future__ import annotations

import platform

import pytest
from checked_cases import checked, configure, keep

from perf_ladders.tree import catalogue

_WHAT = "Checks of programs for AArch64, and mutants that these reject, under QEMU."


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("case", catalogue.case_names())
def test_checks_pass_on_aarch64(case, build):
    if build.preset != "gcc":
        pytest.skip("the preset gcc does it")
    if platform.machine() != "x86_64":
        pytest.skip("this machine builds no programs for another one")
    configure("aarch64")
    one = checked(case, "aarch64")
    keep(_WHAT, one, "aarch64.json")
    assert one.failed == []
    assert one.passed > 0
