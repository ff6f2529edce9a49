"""Do the stages that run on every machine pass their checks on AArch64, under QEMU?"""

from __future__ import annotations

import platform

import pytest
from checked_cases import checked, configure, write

from perf_ladders.tree import catalogue


@pytest.fixture(scope="module")
def found(build):
    if build.preset != "gcc":
        pytest.skip("the preset gcc does it")
    if platform.machine() != "x86_64":
        pytest.skip("this machine builds no programs for another one")
    configure("aarch64")
    kept = []
    yield kept
    write("Checks of programs for AArch64, and mutants that these reject, under QEMU.", kept, "aarch64.json")


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("case", catalogue.case_names())
def test_checks_pass_on_aarch64(case, found):
    one = checked(case, "aarch64")
    found.append(one)
    assert one.failed == []
    assert one.passed > 0
