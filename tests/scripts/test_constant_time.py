"""Secrets in branches and addresses: what memcheck's report becomes, and what the pages say of it."""

from __future__ import annotations

import shutil

import msgspec
import pytest
from conftest import needs, program_of

from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence import constant_time, mutants
from perf_ladders.evidence.timing_leak import welch
from perf_ladders.model.proof import AtLevel, CheckedStage, Leak
from perf_ladders.results import constant_time as kept
from perf_ladders.tree import catalogue
from perf_ladders.tree.paths import shown

ERROR = """<error><kind>{kind}</kind><what>what it says</what><stack>
<frame><fn>memcpy</fn><dir>/usr/src/glibc</dir><file>memcpy.c</file><line>3</line></frame>
<frame><fn>inner</fn><dir>{folder}</dir><file>{file}</file><line>{line}</line></frame>
<frame><fn>outer</fn><dir>/x/tests/xtea</dir><file>secrets.cpp</file><line>9</line></frame>
</stack></error>"""


def error(kind="UninitValue", folder="../../stages/xtea/00-reference", file="stage.cpp", line=1):
    return ERROR.format(kind=kind, folder=folder, file=file, line=line)


def test_a_report_becomes_places_of_the_tree_each_once():
    found = constant_time.leaks_in(error(line=2) + error(line=1, kind="UninitCondition") + error(line=2))
    assert [(one.kind, one.place) for one in found] == [
        ("branch", "stages/xtea/00-reference/stage.cpp:1"),
        ("address", "stages/xtea/00-reference/stage.cpp:2"),
    ]
    assert found[0].text.startswith("// ")
    assert constant_time.leaks_in(error(kind="Leak_PossiblyLost")) == []


def test_what_is_no_dependence_is_not_passed_over():
    with pytest.raises(UserError, match="something else: what it says"):
        constant_time.leaks_in(error(kind="InvalidRead"))
    with pytest.raises(UserError, match="outside the sources"):
        constant_time.leaks_in(error(folder="/usr/src").replace("/x/tests", "/x/else"))


def test_the_guard_says_what_valgrind_does_not_know():
    said = (
        "This program was compiled for features that this CPU (or its kernel) lacks: SSE4.1, SHA. Programs of a lower"
    )
    assert constant_time.lacking(said) == "SSE4.1, SHA"
    assert constant_time.lacking("") == "its instructions"


def checked(*levels, source="0" * 64):
    return CheckedStage(case="xtea", stage="reference", source=source, levels=[*levels])


def test_a_leak_at_one_level_is_a_leak():
    leaks = [Leak(kind="address", file="stages/xtea/00-reference/stage.cpp", line=line, text="x") for line in (7, 8, 9)]
    constant = AtLevel(level="x86-64", verdict="constant")
    unknown = AtLevel(level="x86-64-v4", verdict="n/a", reason="Valgrind does not know AVX-512F")
    assert kept.said(checked(constant)) == "yes"
    assert kept.said(checked(constant, unknown)) == "yes; n/a at x86-64-v4"
    assert kept.said(checked(unknown)) == "n/a (Valgrind does not know AVX-512F)"
    found = checked(constant, AtLevel(level="x86-64-v3", verdict="leaks", leaks=leaks), unknown)
    assert kept.said(found) == "no: 00-reference/stage.cpp:7, 00-reference/stage.cpp:8 and 1 more"
    assert msgspec.json.decode(msgspec.json.encode(found), type=CheckedStage) == found


def test_of_a_changed_source_nothing_is_known(monkeypatch):
    stage = catalogue.read_case("xtea").stage("00")
    text = kept.source.flattened(str(stage.source.relative_to(kept.ROOT)))
    right = checked(AtLevel(level="x86-64", verdict="constant"), source=kept.source.digest(text))
    monkeypatch.setattr(kept, "_kept", lambda _: {"reference": right})
    assert kept.of_stage(stage).said == "yes"
    wrong = msgspec.structs.replace(right, source=kept.source.digest(text + "x"))
    monkeypatch.setattr(kept, "_kept", lambda _: {"reference": wrong})
    assert kept.of_stage(stage).said == "not checked"
    monkeypatch.setattr(kept, "_kept", lambda _: {})
    assert kept.of_stage(stage).said == "not checked"


def test_without_marks_nothing_is_known(build, monkeypatch):
    monkeypatch.setattr(constant_time, "_MARKED", "What no program prints.")
    with pytest.raises(Missing, match=r"valgrind/memcheck\.h"):
        constant_time._leaks(program_of(build, "xtea-00", "x86-64"))


@needs("aes-cbc-02")
@pytest.mark.skipif(not shutil.which("valgrind"), reason="Valgrind is not installed")
def test_a_table_depends_on_secrets_and_an_instruction_does_not(build):
    case = catalogue.read_case("aes-cbc")
    tables, instructions = (case.stage(number) for number in ("01", "02"))
    programs = [program_of(build, stage.name, "x86-64") for stage in (tables, instructions)]
    leaks = [constant_time._leaks(program) for program in programs]
    assert {one.file for one in leaks[0]} == {"stages/aes-cbc/01-tables/stage.cpp"}
    assert {one.kind for one in leaks[0]} == {"address"}
    assert leaks[1] == []


@needs("salsa20-23")
def test_a_kernel_that_another_core_chooses_is_checked_too(build, monkeypatch):
    twin = next((one for one in build.programs if one.case == "salsa20" and one.name.endswith("-other-core")), None)
    if twin is None:
        pytest.skip("no kernel is chosen by the core here")
    leak = Leak(kind="branch", file=shown(twin.source), line=1, text="x")
    monkeypatch.setattr(constant_time, "_leaks", lambda one: [leak] if one.name.endswith("-other-core") else [])
    monkeypatch.setattr(constant_time, "beyond_valgrind", lambda *_: False)
    stages = catalogue.read_case("salsa20")
    assert [at.level for at in constant_time.check(stages.stage("05"), build).levels if at.leaks] == []
    found = constant_time.check(stages.stage(twin.number), build)
    assert twin.level in [at.level for at in found.levels if at.verdict == "leaks"]


@needs("salsa20-06")
def test_above_valgrind_a_lower_level_stands_in(build, monkeypatch):
    """Whatever was found there; not where the source is another."""
    if "x86-64-v4" not in build.flags:
        pytest.skip("these are levels of x86-64")
    monkeypatch.setattr(constant_time, "_at_level", lambda one, _: AtLevel(level=one.level, verdict="constant"))
    case = catalogue.read_case("salsa20")
    last = {number: constant_time.check(case.stage(number), build).levels[-1] for number in ("05", "06")}
    assert last["05"] == AtLevel(level="x86-64-v4", verdict="constant", reason="as at x86-64-v3: the same source")
    assert (last["06"].verdict, last["06"].reason) == (
        "n/a",
        "Valgrind stops at x86-64-v3, where the source is another",
    )
    monkeypatch.setattr(constant_time, "_at_level", lambda one, _: AtLevel(level=one.level, verdict="n/a"))
    assert constant_time.check(case.stage("05"), build).levels[-1].reason == "Valgrind stops at x86-64-v3"


@needs("salsa20-06")
def test_a_lower_level_stands_in_where_the_preprocessor_leaves_the_same(build):
    if "x86-64-v4" not in build.flags:
        pytest.skip("these are levels of x86-64")

    def same(name):
        programs = [one for one in build.programs if one.name == name and one.level in ("x86-64-v3", "x86-64-v4")]
        low, high = (constant_time.preprocessed(one, build) for one in programs)
        return low == high

    assert same("salsa20-05")
    assert not same("salsa20-06")  # sixteen blocks where there is AVX-512


def test_mutants_of_a_line():
    text = "// 1 + 2\n#include <a>\nint f(std::size_t i) {\n  x[i] += 3 << i;\n}\n"
    found = [*mutants.mutants(text)]
    assert {one.after for one in found} == {
        "int f(std::uint16_t i) {",
        "x[i] -= 3 << i;",
        "x[i] += 4 << i;",
        "x[i] += 2 << i;",
        "x[i] += 3 >> i;",
        ";",
    }
    assert all(one.text != text and one.text.startswith("// 1 + 2\n#include <a>\n") for one in found)
    assert {one.line for one in found} == {3, 4}
    assert mutants.drawn(text, 1) == mutants.drawn(text, 1) != mutants.drawn(text, 2)


def test_welch():
    assert welch([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]) == 0
    assert welch([1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 5.0, 6.0]) == pytest.approx(-2.19089)
