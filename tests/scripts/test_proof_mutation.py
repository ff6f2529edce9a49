"""Do the checks of each case reject small faults in its last stage? One that they let pass is explained, and a fuzzer
has found no input that contradicts. Such faults are equivalent; the mutation score leaves them out.
"""

from __future__ import annotations

import pytest
from checked_cases import configure

from perf_ladders.commands import fuzz, mutation
from perf_ladders.tree import catalogue
from perf_ladders.tree.paths import PROOF

_MUTANTS, _SEED, _LEAST = 60, 1, 0.9


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("case", catalogue.case_names())
def test_checks_reject_mutants(case, build):
    if build.preset.startswith("sanitize"):
        pytest.skip("sanitized programs are slow")
    configure(fuzz.PRESET)
    found = mutation.scored(case, build, _MUTANTS, _SEED)
    level = found.program.split(".")[1]
    mutation.write([found], PROOF / f"mutation-{case}-{level}.json")
    assert not found.missed
    assert found.fuzzer_found
    assert found.score >= _LEAST  # else the fuzzer alone rejects many
