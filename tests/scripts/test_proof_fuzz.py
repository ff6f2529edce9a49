"""Does a fuzzer find an input for which the last stage is wrong? For each case, it has to find a planted mistake."""

from __future__ import annotations

import re

import pytest
from checked_cases import configure
from our_cases import OURS

from perf_ladders.commands import fuzz
from perf_ladders.commands.build import build_targets
from perf_ladders.evidence.fuzzing import FOLDER, fuzzed
from perf_ladders.tree import catalogue
from perf_ladders.tree.build import read_build
from perf_ladders.tree.paths import PROOF

_S, _LIMIT_S = 10, 120  # for a stage; at most for a mutant, which ends the fuzzer when it is found
_MUTANTS = {
    "aes-cbc": "vector-validation-one-invalid-all-invalid",
    "des3-cbc": "bit-slicing-last-group-dropped",
    "hmac-sha1": "scheduler-stale-tail",
    "json": "vectors-reads-beyond",
    "salsa20": "reference-carry-lost",
    "sha3": "kernel-by-count-rest-of-a-batch-dropped",
    "threefish": "kernel-selection-four-blocks-as-three",
    "xtea": "small-messages-three-taken-for-two",
}


@pytest.fixture(scope="module")
def fuzzers(build):
    if build.preset != "gcc":
        pytest.skip("the preset gcc does it")
    configure(fuzz.PRESET)


@pytest.mark.usefixtures("whole_tree", "fuzzers")
def test_no_last_stage_is_wrong():
    build = read_build(fuzz.PRESET)
    programs = [fuzz.last_first(catalogue.read_case(case), build)[0] for case in catalogue.case_names()]
    found = fuzz.fuzzed_programs(programs, _S)
    fuzz.write(found, PROOF / "fuzz.json")
    assert [one for one in found if one.found] == []
    assert all(one.inputs > 100 for one in found)


@pytest.mark.usefixtures("whole_tree", "fuzzers")
def test_every_case_has_a_mutant_here():
    assert sorted(_MUTANTS) == sorted(OURS)


@pytest.mark.usefixtures("whole_tree", "fuzzers")
@pytest.mark.parametrize(("case", "mutant"), _MUTANTS.items())
def test_a_mutant_is_found(case, mutant, tmp_path):
    plan = (FOLDER / "plan.cmake").read_text()
    (level,) = re.findall(rf"^add_program\({case}-mutant-{mutant} (\S+) ", plan, re.MULTILINE)
    target = f"{case}-mutant-{mutant}.{level}-fuzz"
    build_targets(fuzz.PRESET, [target])
    one = fuzzed(FOLDER / target, tmp_path, _LIMIT_S)
    assert one.found
