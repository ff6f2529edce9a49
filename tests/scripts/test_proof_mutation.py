"""Do the checks of each case reject small faults in its closing stage?"""

from __future__ import annotations

import pytest
from checked_cases import configure

from perf_ladders.commands import fuzz, mutation
from perf_ladders.tree import catalogue
from perf_ladders.tree.paths import PROOF

_MUTANTS, _SEED, _LEAST = 60, 1, 0.9


@pytest.mark.usefixtures("whole_tree")
def test_checks_reject_mutants(build):
    if build.preset.startswith("sanitize"):
        pytest.skip("sanitized programs are slow")
    configure(fuzz.PRESET)
    found = mutation.scores(catalogue.case_names(), build, _MUTANTS, _SEED)
    mutation.write(found, PROOF / "mutation.json")
    assert [one.case for one in found] == catalogue.case_names()
    assert [one for one in found if one.missed or not one.fuzzer_found] == []
    assert [one.case for one in found if one.rejected_share < _LEAST] == []
