"""Small faults in a stage: which there are, what becomes of each, and what is said of those that survive."""

from __future__ import annotations

import shutil
import subprocess
from types import SimpleNamespace

import pytest

from perf_ladders.commands import mutation as command
from perf_ladders.errors import UserError
from perf_ladders.evidence import mutation
from perf_ladders.evidence.mutants import mutants
from perf_ladders.evidence.mutation import Fate
from perf_ladders.measure import session
from perf_ladders.measure.relink import Recipe
from perf_ladders.model.proof import MutationScore, Survivor
from perf_ladders.results import proof
from perf_ladders.tree import catalogue, files
from perf_ladders.tree.build import Program


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("name", catalogue.case_names())
def test_what_is_explained_is_a_mutant_of_the_last_stage_of_a_level(name):
    case = catalogue.read_case(name)
    texts = {stage.number: case.text(stage) for stage in case.ends}
    for number in texts:
        for why in mutation.explained(name, number, texts).values():
            assert why.endswith(".")


@pytest.mark.usefixtures("whole_tree")
def test_the_ladders_of_a_case_end_at_stages_of_several_levels():
    assert [stage.slug for stage in catalogue.read_case("salsa20").ends] == [
        "four-blocks",
        "sets-by-two-xors",
        "cpu-dispatch",
    ]
    for name in catalogue.case_names():
        case = catalogue.read_case(name)
        assert case.closing in case.ends


@pytest.mark.usefixtures("whole_tree")
def test_faults_are_planted_where_the_ladder_ends_on_this_cpu(tmp_path, monkeypatch):
    case = catalogue.read_case("salsa20")
    built, lacking = tmp_path / "built", set()
    built.touch()

    def program(name, level, path=built, cannot=""):
        return Program("salsa20", "stage", name, level, "gcc", False, path, path, [], path, cannot=cannot)

    def last(*programs):
        return command._last(case, SimpleNamespace(programs=programs)).id

    monkeypatch.setattr(
        command, "runnable", lambda asked: ([one for one in asked if one.name not in lacking], list(lacking))
    )
    wide = program("salsa20-20", "x86-64-v4")
    narrow = [program("salsa20-18", "x86-64-v3"), program("salsa20-21", "x86-64-v3")]
    assert last(wide, program("salsa20-18", "x86-64-v4"), *narrow) == "salsa20-20.x86-64-v4.gcc"
    assert last(*narrow, program("salsa20-20", "x86-64-v4", cannot="AVX512F")) == "salsa20-21.x86-64-v3.gcc"
    with pytest.raises(UserError, match="salsa20 is not built: `make build CASE=salsa20` builds it"):
        last()
    lacking.add("salsa20-21")
    assert last(*narrow) == "salsa20-18.x86-64-v3.gcc"
    lacking.add("salsa20-18")
    with pytest.raises(UserError, match="No stage of salsa20 runs on this CPU"):
        last(*narrow)
    with pytest.raises(UserError, match="gcc is not built: `make build CASE=salsa20` builds it"):
        last(*narrow, program("salsa20-20", "x86-64-v4", tmp_path / "missing"))


def test_an_explanation_of_no_mutant_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(mutation, "ROOT", tmp_path)
    one, two, other = "int x = 1;\n", "int x = 1;\nint x = 1;\n", "int x = 3;\n"
    assert mutation.explained("xtea", "07", {"07": one}) == {}
    path = tmp_path / "tests/xtea/survivors.toml"
    path.parent.mkdir(parents=True)
    first, second = (
        f'[[mutant]]\nbefore = "int x = 1;"\nafter = "int x = 2;"\nwhy = "Nobody reads it."\n{more}'
        for more in ("", "nth = 2\n")
    )
    path.write_text(first)
    assert mutation.explained("xtea", "07", {"07": one}) == {(1, "int x = 2;"): "Nobody reads it."}
    with pytest.raises(UserError, match="no mutant of the last stage of a level makes `int x = 2;` of `int x = 1;`"):
        mutation.explained("xtea", "07", {"07": other, "05": other})
    with pytest.raises(UserError, match="2 lines could become `int x = 2;` of `int x = 1;`: say which one with `nth`"):
        mutation.explained("xtea", "07", {"07": two})
    assert mutation.explained("xtea", "07", {"07": other, "05": one}) == {}
    assert mutation.explained("xtea", "07", {"07": two, "05": one}) == {}
    path.write_text(second)
    assert mutation.explained("xtea", "07", {"07": two}) == {(2, "int x = 2;"): "Nobody reads it."}
    with pytest.raises(UserError, match="`nth` is 2, and 1 of its lines could become `int x = 2;`"):
        mutation.explained("xtea", "07", {"07": one})
    path.write_text(second * 2)
    with pytest.raises(UserError, match="it is said twice why"):
        mutation.explained("xtea", "07", {"07": two})

    path.write_text(first + "stage = '05'\n")
    assert mutation.explained("xtea", "07", {"07": one, "05": one}) == {}
    assert mutation.explained("xtea", "05", {"07": one, "05": one}) == {(1, "int x = 2;"): "Nobody reads it."}
    with pytest.raises(UserError, match="no level ends with stage 05"):
        mutation.explained("xtea", "07", {"07": one})


@pytest.mark.parametrize(
    ("survivor", "equivalent", "missed"),
    [
        ({"why": "Nobody reads it.", "inputs": 9}, True, False),
        ({"why": "Nobody reads it.", "inputs": 9, "found": "wrong: block 3"}, False, True),
        ({"why": "Nobody reads it."}, False, True),
        ({"inputs": 9}, False, True),
        ({"inputs": 9, "found": "wrong: block 3"}, False, False),
    ],
)
def test_a_survivor_is_missed_if_it_is_neither_explained_nor_found(survivor, equivalent, missed):
    one = Survivor(line=1, before="a", after="b", **survivor)
    found = MutationScore(
        case="xtea", program="x", seed=1, mutants=8, rejected=6, same=3, fuzzed=5, fuzzer_found=4, survivors=[one]
    )
    assert found.rejected_share == 0.75
    assert found.score == (6 / 7 if equivalent else 6 / 8)
    assert found.equivalent == ([one] if equivalent else [])
    assert found.missed == ([one] if missed else [])


def test_what_other_proofs_wrote_is_no_change(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "ROOT", tmp_path)
    as_somebody = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    subprocess.run([*as_somebody, "commit", "--quiet", "--allow-empty", "--message=x"], check=True)
    for name in ("reports/proof/faults.json", "docs/proof.md"):
        files.write(tmp_path / name, "{}")
        assert not proof.now()["commit"].endswith("with changes")
    files.write(tmp_path / "stages/xtea/another.hpp", "")
    assert proof.now()["commit"].endswith("with changes")


def test_a_variant_with_the_other_choice_replaces_one_piece_of_the_stage():
    case = catalogue.read_case("salsa20")
    (stage,) = (one for one in case.stages if one.slug == "cpu-dispatch")
    ((word, (here, there)),) = mutation.choices(case, stage).items()
    assert word == "other-core"
    choice = "const std::size_t scalar_blocks = has_two_cycle_vectors() ? 1 : 0;\n"
    assert here.endswith(choice)
    assert there.endswith(choice.replace("1 : 0", "0 : 1"))
    assert case.text(stage).count(here) == 1
    assert mutation.choices(case, case.stages[0]) == {}


@pytest.mark.parametrize(
    ("statement", "faults"),
    [
        ('asm("" : "+x"(hash[0].abcd), "+x"(hash[1].abcd));', 0),
        ('asm volatile("" ::: "memory");', 0),
        ('asm("" : "=x"(hash[0]) : "0"(hash[0]));', 3),
        ('asm("pxor %0, %0" : "+x"(hash[0]));', 2),
        ("step(hash[0]);", 2),
    ],
)
def test_no_fault_is_planted_in_a_statement_without_instructions(statement, faults):
    assert len([*mutants(f"void f() {{\n  {statement}\n}}\n")]) == faults


PROGRAM = """
static const int numbers[2] = {1, 2};
static int sum(int count) {
  int result = 0;
  for (int i = 0; i < count; ++i) result += numbers[i];
  return result;
}
int main() { return sum(2) == 3 ? 0 : 1; }
"""
BACKWARDS = PROGRAM.replace("int i = 0; i < count; ++i", "int i = count - 1; i >= 0; --i")


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
@pytest.mark.parametrize(
    ("text", "fate"),
    [
        (PROGRAM.replace("==", "equals"), Fate.NONE),
        (PROGRAM.replace("int main() { return sum", "int gone(int); int main() { return gone"), Fate.NONE),
        (f"{PROGRAM}// a comment\n", Fate.SAME),
        (BACKWARDS, Fate.SAME),  # with much optimisation alone
        (PROGRAM.replace("{1, 2}", "{1, 3}"), Fate.REJECTED),
        (PROGRAM.replace("return result;", "volatile int beyond = numbers[count]; return result;"), Fate.REJECTED),
        (f"{PROGRAM}int nobody_calls() {{ return 1; }}\n", Fate.SURVIVES),
    ],
)
def test_the_fate_of_a_mutant(tmp_path, text, fate):
    recipe = Recipe(
        tmp_path, "stage.o", ["g++", "-o", "stage.o", "-c", "stage.cpp"], ["g++", "stage.o", "-o", "program"]
    )
    codes = mutation._codes(recipe, PROGRAM)
    assert mutation.fate_of(recipe, text, codes, 60) is fate


CHOOSING = """
const int here = 0;
static int kernel() { return here ? 3 : 4; }
static int sum() { return here ? kernel() : 4; }
int main() { return sum() == (here ? 3 : 4) ? 0 : 1; }
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
@pytest.mark.parametrize(
    ("variants", "fate"), [([], Fate.SURVIVES), ([("const int here = 0;", "const int here = 1;")], Fate.REJECTED)]
)
def test_a_fault_that_only_a_variant_runs_is_rejected_by_its_checks(tmp_path, variants, fate):
    text = CHOOSING.replace("? 3 : 4; }\nstatic", "? 2 : 4; }\nstatic")
    compile_it = ["g++", "-o", "stage.o", "-c", "stage.cpp"]
    recipe = Recipe(tmp_path, "stage.o", compile_it, ["g++", "stage.o", "-o", "program"])
    for right in (CHOOSING, *(CHOOSING.replace(*one) for one in variants)):
        assert mutation.fate_in_all(recipe, right, {}, [], 60) is Fate.SURVIVES
    assert mutation.fate_in_all(recipe, text, {}, variants, 60) is fate


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[mutant]\n", r"survivors\.toml is no TOML: "),
        ('[[mutant]]\nstgae = "07"\n', r"survivors\.toml is not valid: "),
    ],
)
def test_a_slip_in_the_list_of_survivors_is_told(tmp_path, monkeypatch, text, said):
    monkeypatch.setattr(mutation, "ROOT", tmp_path)
    path = tmp_path / "tests/xtea/survivors.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(UserError, match=said):
        mutation.explained("xtea", "07", {"07": "int x = 1;\n"})
