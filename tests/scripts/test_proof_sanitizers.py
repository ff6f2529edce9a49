"""Do the checks of all cases pass with AddressSanitizer and UndefinedBehaviorSanitizer, with both compilers?"""

from __future__ import annotations

import pytest
from checked_cases import checked, configure, keep

from perf_ladders.tree import catalogue

_WHAT = "Checks of programs that were built with AddressSanitizer and UndefinedBehaviorSanitizer."


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("preset", ["sanitize", "sanitize-clang"])
@pytest.mark.parametrize("case", catalogue.case_names())
def test_checks_pass_with_sanitizers(case, preset, build):
    if build.preset != "gcc":
        pytest.skip("the preset gcc does it")
    configure(preset)
    one = checked(case, preset)
    keep(_WHAT, one, "sanitizers.json")
    assert one.failed == []
    assert one.passed > 0
