"""Which stages keep their secrets, at every level that Valgrind runs; and does a table show in the times?"""

from __future__ import annotations

import shutil

import pytest

from perf_ladders.commands import constant_time
from perf_ladders.commands.constant_time import write_timed
from perf_ladders.evidence.timing_leak import timed
from perf_ladders.results.constant_time import file_of, has_secrets
from perf_ladders.tree import catalogue
from perf_ladders.tree.paths import PROOF

# Their tables are indexed by key and contents: that is the lesson of these two cases. Bit slicing decrypts many blocks
# without a table, and leaves encryption and the last blocks to it. Valgrind cannot run the stages for AVX-512.
TABLES = {
    "aes-cbc": {"reference", "tables"},
    "des3-cbc": {one.slug for one in catalogue.read_case("des3-cbc").stages if one.header.floor != "x86-64-v4"},
}
# Extensions that Valgrind does not follow.
_BEYOND = {"sha", "vaes"}
_LEAKS, _KEEPS = 10, 4.5  # Welch's t, as the paper's authors take it


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.skipif(not shutil.which("valgrind"), reason="Valgrind is not installed")
@pytest.mark.parametrize("case", [name for name in catalogue.case_names() if has_secrets(name)])
def test_no_stage_but_those_with_tables_depends_on_secrets(case, build):
    if build.preset.startswith("sanitize"):
        pytest.skip("sanitized programs do not run under Valgrind")
    found = [*constant_time.checked(case, build)]
    constant_time.write(found, build, file_of(case))
    assert {one.stage for one in found if one.verdict == "leaks"} == TABLES.get(case, set())
    stages = {one.slug: one for one in catalogue.read_case(case).stages}
    unknown = [stages[one.stage] for one in found if one.verdict == "n/a"]
    assert not [
        stage.name
        for stage in unknown
        if stage.header.floor != "x86-64-v4" and not stage.header.device and not _BEYOND & {*stage.header.requires}
    ]


@pytest.mark.usefixtures("whole_tree")
def test_a_table_shows_in_the_times_and_an_instruction_does_not(build):
    if build.preset.startswith("sanitize"):
        pytest.skip("times of sanitized programs mean nothing")
    names = ("aes-cbc-01", "aes-cbc-02", "des3-cbc-00", "xtea-00")
    programs = [one for name in names for one in build.programs if (one.name, one.level) == (name, "x86-64")]
    found = [timed(program) for program in programs]
    write_timed(found, PROOF / "timing-leak.json", limit=_LEAKS)
    assert [abs(one.t) > _LEAKS for one in found] == [True, False, True, False]
    assert all(abs(one.t) < _KEEPS for one in found[1::2])
