"""Do the checks of all cases pass with AddressSanitizer and UndefinedBehaviorSanitizer, with both compilers?"""

from __future__ import annotations

import pytest
from checked_cases import checked, configure, write

from perf_ladders.tree import catalogue


@pytest.fixture(scope="module")
def found(build):
    if build.preset != "gcc":
        pytest.skip("the preset gcc does it")
    kept = []
    yield kept
    what = "Checks of programs that were built with AddressSanitizer and UndefinedBehaviorSanitizer, and mutants."
    write(what, kept, "sanitizers.json")


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("preset", ["sanitize", "sanitize-clang"])
@pytest.mark.parametrize("case", catalogue.case_names())
def test_checks_pass_with_sanitizers(case, preset, found):
    configure(preset)
    one = checked(case, preset)
    found.append(one)
    assert one.failed == []
    assert one.passed > 0
