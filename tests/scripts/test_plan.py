"""The plan: what is built follows from the tree, and what is wrong in the tree is told in one sentence."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from perf_ladders.errors import UserError
from perf_ladders.tree import catalogue, headers, levels, plan, planner
from perf_ladders.tree.contract import declared, named
from perf_ladders.tree.headers import parse_header
from perf_ladders.tree.paths import ROOT
from perf_ladders.tree.planned import Asked

X86 = Asked("x86_64")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A case `made` with a reference, in a tree of its own."""
    for module in (planner, catalogue, plan):
        monkeypatch.setattr(module, "STAGES", tmp_path / "stages")
        monkeypatch.setattr(module, "ROOT", tmp_path, raising=False)
    for module in ("headers", "notes"):
        monkeypatch.setattr(f"perf_ladders.tree.{module}.shown", lambda path: str(path.relative_to(tmp_path)))
    monkeypatch.setattr(planner, "shown", lambda path: str(path.relative_to(tmp_path)))
    monkeypatch.setattr(planner, "_ALWAYS_READ", {tmp_path / "common/levels.toml"})
    write(tmp_path / "stages/made/case.toml", "")
    write(tmp_path / "stages/made/workloads.cpp", "")
    write(tmp_path / "tests/made/check.cpp", "")
    write(tmp_path / "tests/made/oracle.cpp", "")
    stage(tmp_path, "00-reference")
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def stage(tree, folder, header="", kind=""):
    write(tree / "stages/made" / kind / folder / "stage.cpp", f"// {folder[:2]} A headline.\n{header}\nint x;\n")


def planned(asked=X86):
    found = planner.Plan(asked)
    found.case("made")
    return found


def levels_by_name(asked=X86):
    found = {}
    for program in planned(asked).programs:
        found.setdefault(program.name, []).append(program.level)
    return found


def lines(found, command, name):
    return [line for line in found.lines if line.startswith(f"{command}({name} ")]


def test_a_stage_is_built_at_every_level_that_it_names(tree):
    every = ["x86-64", "x86-64-v3", "x86-64-v4"]
    stage(tree, "01-wide", "// requires: x86-64-v3 aes")
    stage(tree, "02-narrow", "// until: x86-64-v3")
    stage(tree, "03-arm", "// requires: aarch64")
    found = levels_by_name()
    assert (found["made-00"], found["made-01"], found["made-02"]) == (every, every[1:], every[:-1])
    assert found["made-00-O2"] == found["made-00-pgo"] == every
    assert "made-03" not in found
    assert lines(planned(), "leave_out", "made-03") == ['leave_out(made-03 "needs aarch64, this is x86_64")']
    assert all("REQUIRES aes" in line for line in lines(planned(), "add_program", "made-01"))
    on_arm = levels_by_name(Asked("aarch64"))
    assert (on_arm["made-00"], on_arm["made-03"]) == (["aarch64"], ["aarch64"])
    assert "made-01" not in on_arm


def test_lower_levels_are_left_to_make_proof_but_for_the_first_and_the_last_stage(tree):
    """A reader's own stage is checked at every level, and is not the last of the ladder."""
    stage(tree, "01-inlined")
    stage(tree, "02-narrow", "// until: x86-64-v3")
    stage(tree, "03-wide", "// requires: x86-64-v4")
    stage(tree, "90-mine")
    stage(tree, "library", kind="peers")
    found = planned()

    def left(name):
        """Levels in whose place higher ones are checked, with these."""
        every = [
            (line, re.search(r" ABOVE ([^)]+?)(?: [A-Z]+ |\)$)", line)) for line in lines(found, "add_program", name)
        ]
        return {line.split()[1]: above[1] for line, above in every if above}

    two_above = {"x86-64": "x86-64-v3 x86-64-v4", "x86-64-v3": "x86-64-v4"}
    assert left("made-00") == left("made-02") == left("made-03") == left("made-90") == {}
    assert left("made-01") == left("made-library") == two_above


def test_each_program_names_the_higher_levels_at_which_it_is_built_too(tree):
    stage(tree, "01-narrow", "// until: x86-64-v3")
    stage(tree, "02-wide")

    def higher(name):
        every = ((line, re.search(r" HIGHER ([^)A-Z]+)", line)) for line in lines(planned(), "add_program", name))
        return {line.split()[1]: found[1].split() if found else [] for line, found in every}

    assert higher("made-01") == {"x86-64": ["x86-64-v3"], "x86-64-v3": []}
    assert higher("made-02") == {"x86-64": ["x86-64-v3", "x86-64-v4"], "x86-64-v3": ["x86-64-v4"], "x86-64-v4": []}


PROJECT = f"""cmake_minimum_required(VERSION 3.24)
project(made LANGUAGES C CXX)
enable_testing()
include({ROOT}/common/cmake/Programs.cmake)
add_custom_target(machine)
set(lacking_at_highest "$ENV{{LACKING}}")
set(names made-00 made-01 made-botan)
set(kinds stage stage peer)
foreach(name KIND IN ZIP_LISTS names kinds)
  add_program(${{name}} low KIND ${{KIND}} CASE made SOURCE x.cpp HIGHER high highest)
  add_program(${{name}} high KIND ${{KIND}} CASE made SOURCE x.cpp HIGHER highest)
  add_program(${{name}} highest KIND ${{KIND}} CASE made SOURCE x.cpp)
endforeach()
add_program(made-02 high KIND stage CASE made SOURCE x.cpp)
add_program(made-02-other high KIND standard CASE made SOURCE x.cpp)
add_program(made-02-other-core high KIND variant CASE made SOURCE x.cpp)
"""
EVERYWHERE = {"made-01.low", "made-01.high", "made-01.highest", "made-02.high", "made-02-other-core.high"}


@pytest.mark.parametrize(
    ("lacking", "slow"),
    [
        ("", EVERYWHERE | {"made-00.highest", "made-botan.highest"}),
        ("no AVX", (EVERYWHERE | {"made-00.high", "made-botan.high"}) - {"made-01.highest"}),
    ],
)
def test_tests_that_take_seconds_run_once_for_a_reference_or_a_library(tmp_path, lacking, slow):
    """At the highest level of the program, which need not be that of this CPU. The levels of a stage may have kernels
    of their own."""
    for name, text in {"CMakeLists.txt": PROJECT, "x.cpp": "", "common/guard.c": "", "common/lacks.cpp": ""}.items():
        write(tmp_path / name, text)
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja"]
    environment = {**os.environ, "LACKING": lacking}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    said = (tmp_path / "build/CTestTestfile.cmake").read_text()
    tests = dict(re.findall(r'add_test\((?:\[=\[)?"?([^\s"\]]+).*"--gtest_filter=-([^"]*)"', said))
    assert {name for name, without in tests.items() if "Huge*" not in without} == slow
    labels = dict(re.findall(r'set_tests_properties\((?:\[=\[)?"?([^\s"\]]+).*?LABELS "([^"]*)"', said))
    assert labels["made-02-other-core.high"] == "made;check;other-core"
    assert labels["made-02.high"] == "made;check;stage"


def test_what_did_not_compile_is_tried_again(tmp_path):
    """The reader may have installed it meanwhile, as the message said."""
    write(
        tmp_path / "CMakeLists.txt",
        f"""cmake_minimum_required(VERSION 3.24)
project(made LANGUAGES CXX)
include(CheckCXXSourceCompiles)
include({ROOT}/common/cmake/Programs.cmake)
set(CMAKE_REQUIRED_INCLUDES ${{PROJECT_SOURCE_DIR}})
check_compiles("#include <installed.hpp>\nint main() {{}}" has_it)
message("has it: ${{has_it}}")
""",
    )

    def configured():
        command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stderr.split()

    assert configured() == ["has", "it:"]
    write(tmp_path / "installed.hpp", "")
    assert configured() == configured() == ["has", "it:", "1"]
    for path in (ROOT / "CMakeLists.txt", *(ROOT / "common/cmake").glob("*.cmake")):
        assert path.read_text().count("check_cxx_source_compiles(") == (path.name == "Programs.cmake"), path


def test_novec_is_of_some_cases_unless_it_is_asked_for(tree):
    assert "novec" in levels.built_levels("xtea")
    assert "novec" not in levels.built_levels("made")
    assert levels_by_name(Asked("x86_64", novec="all"))["made-00"][0] == "novec"
    assert levels_by_name(Asked("x86_64", ["novec"]))["made-00"] == ["novec"]
    assert levels_by_name(Asked("x86_64", ["x86-64-v4", "x86-64"]))["made-00"] == ["x86-64", "x86-64-v4"]


def test_peers_variants_standards_and_apps(tree):
    write(tree / "stages/made/standards/other/made/constants.hpp", "")
    write(tree / "stages/made/variants/bare/made/border.hpp", "")
    write(tree / "stages/made/variants/empty/made/peers/with_cipher.hpp", "")
    write(tree / "stages/made/apps/show/main.cpp", "// Shows.\n// links: CLI11\n// also: x86-32\n")
    stage(tree, "01-next", "// variants: bare\n// threads: all")
    stage(tree, "02-barrier", "// lacks: x86-32")
    stage(tree, "nettle", "// links: nettle\n// lacks: counter standards\n// variants: bare empty", "peers")
    stage(tree, "openssl", "// standard: other", "peers")
    write(tree / "tests/made/mutants/next/wrong.cpp", "")
    found = planned()
    programs = {f"{one.name}.{one.level}": one for one in found.programs}
    assert programs["made-01-bare.x86-64"].harness == "made", "the checks read no border.hpp"
    assert programs["made-nettle-empty.x86-64"].harness == "made-empty"
    assert [programs[f"made-{name}-bare.x86-64"].kind for name in ("01", "nettle")] == ["variant", "variant"]
    for line in lines(found, "add_program", "made-nettle-bare"):
        assert "SOURCE stages/made/peers/nettle/stage.cpp ALTERNATIVE stages/made/variants/bare" in line
    assert programs["made-01.x86-64"].threads == "all"
    assert programs["made-nettle.x86-64"].lacks == ["counter", "standards"]
    assert programs["made-openssl.x86-64"].harness == "made-other"
    assert lines(found, "add_program", "made-01-other")[0].startswith("add_program(made-01-other x86-64 KIND standard")
    assert len(lines(found, "add_program", "made-01-other")) == 1, "the lowest level will do"
    assert lines(found, "add_program", "made-nettle-other") == lines(found, "add_program", "made-openssl-other") == []
    apps = programs["made-01.x86-64"].apps
    assert apps == {"show": "made-01-show.x86-64", "show-32": "made-01-show-32.x86-32"}
    assert list(programs["made-01.x86-64-v3"].apps) == ["show"]
    for name in ("02", "nettle"):
        assert list(programs[f"made-{name}.x86-64"].apps) == ["show"]
    assert found.libraries == {"CLI11", "nettle"}
    assert len(lines(found, "add_program", "made-mutant-next-wrong")) == 1


def test_a_stage_asks_for_a_build_at_o2(tree):
    stage(tree, "00-reference", "// variants: O2")
    stage(tree, "01-next", "// variants: O2")
    stage(tree, "02-last")
    found = planned()
    for name in ("made-00-O2", "made-01-O2"):
        built = lines(found, "add_program", name)
        assert len(built) == 3, "once at each level, though the reference has one anyway"
        assert all(" KIND variant " in line and " FLAGS -O2" in line and " ALTERNATIVE " not in line for line in built)
    assert lines(found, "add_program", "made-02-O2") == []
    assert not [line for line in planned(Asked("x86_64", checked_alone=True)).lines if "-O2" in line]


@pytest.mark.parametrize(
    ("words", "more"), [("--cross=ON", True), ("--sanitize=fuzzer,address", True), ("--sanitize=address", False)]
)
def test_kernels_alone_are_built_with_sanitizers(tree, monkeypatch, words, more):
    stage(tree, "00-reference", "// variants: other")
    write(tree / "stages/made/variants/other/made/constants.hpp", "")
    write(tree / "stages/made/standards/wide/made/constants.hpp", "")
    write(tree / "tests/made/mutants/reference/wrong.cpp", "")
    asked = []
    monkeypatch.setattr(plan, "write", lambda one, folder: asked.append(one))
    assert plan.main([f"--into={tree}", words]) == 0
    found = planned(*asked)
    assert lines(found, "add_program", "made-00") != []
    for name in ("made-mutant-reference-wrong", "made-00-other", "made-00-wide"):
        assert (lines(found, "add_program", name) != []) == more


def test_what_is_only_timed_is_not_built_to_be_checked_alone(tree):
    write(tree / "stages/made/apps/show/main.cpp", "// Shows.\n// also: x86-32\n")
    assert {"made-00-O2", "made-00-pgo"} <= levels_by_name().keys()
    found = planned(Asked("x86_64", checked_alone=True))
    found.machines()
    assert {program.name for program in found.programs} == {"made-00"}
    assert not [line for line in found.lines if "x86-32" in line or "train_profile" in line]


def test_a_stage_target_follows_the_notes(tree):
    notes = '+++\ntitle = "T"\n{}[predicts]\nx86-64 = [1, 2]\n+++\n'
    for folder, base in (("01-next", ""), ("02-side", ""), ("03-last", 'from = "next"\n')):
        stage(tree, folder)
        write(tree / f"stages/made/{folder}/notes.md", notes.format(base))
    targets = [line for line in planned().lines if line.startswith("add_stage_target")]
    assert targets == [
        "add_stage_target(made-00 made-00)",
        "add_stage_target(made-01 made-01 made-00)",
        "add_stage_target(made-02 made-02 made-01 made-00)",
        "add_stage_target(made-03 made-03 made-01 made-00)",
    ]


def test_an_exercise_may_be_wrong_and_is_left_out(tree):
    write(tree / "exercise/made/stage.cpp", "// Mine.\n// require: aes\n")
    found = planned()
    assert not [one for one in found.programs if one.kind == "exercise"]
    assert "did you mean `requires:`?" in lines(found, "leave_out", "made-mine")[0]
    write(tree / "exercise/made/stage.cpp", "// Mine.\n")
    assert [one.name for one in planned().programs if one.kind == "exercise"] == ["made-mine"] * 3


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        ("stages/made/1-short/stage.cpp", "", "stages/made/1-short is no stage's folder"),
        ("stages/made/90-my stage/stage.cpp", "", "stages/made/90-my stage is no stage's folder"),
        ("stages/made/90-gr\u00f6\u00dfe/stage.cpp", "", "gr\u00f6\u00dfe is no stage's folder"),
        ("stages/made/00-again/stage.cpp", "", "made has two stages 00: give 00-reference or 00-again another number"),
        ("stages/made/01-x/stage.cpp", "// X.\n// variants: none\n", "made-01 asks for the variant 'none'"),
        ("stages/made/peers/x/stage.cpp", "// X.\n// variants: none\n", "made-x asks for the variant 'none'"),
        (
            "stages/made/peers/x/stage.cpp",
            "// X.\n// standard: other\n// variants: O2\n",
            "what is built with the headers of a `standard:` has no `variants:`",
        ),
        ("stages/made/01-x/stage.cpp", "// X.\n// link: zlib\n", "there is no `link:`; did you mean `links:`?"),
        ("stages/made/01-x/stage.cpp", "// X.\n// until: v3\n", "`until: v3` is no level"),
        ("stages/made/01-x/stage.cpp", "// X.\n// requires: ssse5\n", "this compiler knows no -mssse5"),
        ("stages/made/00-reference/notes.md", "no fields", "must begin with fields"),
        (
            "tests/made/mutants/name.cpp",
            "",
            "made/mutants/name.cpp: a mutant lies in a folder named after the stage",
        ),
        ("tests/made/mutants/none/name.cpp", "", "none/name.cpp: a mutant lies in a folder named after the stage"),
    ],
)
def test_a_mistake_gets_one_sentence(tree, path, text, sentence):
    write(tree / path, text)
    with pytest.raises(UserError) as caught:
        planned(Asked("x86_64", compiler="g++"))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code == 2


@pytest.mark.parametrize("path", ["stages/made/workloads.cpp", "tests/made/check.cpp", "tests/made/oracle.cpp"])
def test_a_file_that_every_case_has_is_missed(tree, path):
    (tree / path).unlink()
    with pytest.raises(UserError, match=rf"{path} is missing"):
        planned()


def test_a_case_without_a_reference(tree):
    shutil.rmtree(tree / "stages/made/00-reference")
    stage(tree, "01-next")
    with pytest.raises(UserError, match="stages/made has no stage 00"):
        planned()


def test_a_variant_and_a_standard_of_one_name(tree):
    for kind in ("standards", "variants"):
        write(tree / f"stages/made/{kind}/same/made/constants.hpp", "")
    stage(tree, "01-next", "// variants: same")
    with pytest.raises(UserError, match="a standard and a variant 'same'"):
        planned()


def test_unknown_levels_and_machines():
    with pytest.raises(UserError, match="There is no level 'v3' here; there are: novec, x86-64"):
        planner.Plan(Asked("x86_64", ["v3"]))
    with pytest.raises(UserError, match=r"no levels for 'sparc': add them to common/levels\.toml"):
        planner.Plan(Asked("sparc"))
    assert planner.Plan(Asked("arm64")).levels == levels.levels_of("aarch64")


def test_what_changes_the_plan_is_watched(tree):
    watched = planned().read
    for path in ("stages/made", "stages/made/00-reference", "tests/made", "stages/made/00-reference/stage.cpp"):
        assert tree / path in watched
    assert tree / "common/levels.toml" in watched


def test_a_big_endian_machine_is_refused(tmp_path):
    order = tmp_path / "order.cmake"
    order.write_text("set(CMAKE_CXX_BYTE_ORDER BIG_ENDIAN)\n")  # as CMake finds it where it is so
    command = ["cmake", "-S", ROOT, "-B", tmp_path / "build", "-G", "Ninja", f"-DCMAKE_PROJECT_INCLUDE={order}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "build for a little-endian machine, such as x86-64 or AArch64." in " ".join(done.stderr.split())
    assert not (tmp_path / "build/plan.cmake").exists()


def test_the_preset_with_most_sanitizers_is_configured(tmp_path):
    """Only the proofs build it, so a mistake in its flags would be seen late."""
    command = ["cmake", "--preset", "fuzz", "-S", ROOT, "-B", tmp_path / "build"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "No Clang found" in done.stderr:
        pytest.skip("Clang is not installed")
    assert done.returncode == 0, done.stderr


def test_files_that_say_the_same_are_left_alone(tree, monkeypatch):
    write(tree / "common/self_check/kernel.cpp", "")
    folder = tree / "build/gcc"
    plan.write(X86, folder)
    for name in ("plan.cmake", "plan.json"):
        os.utime(folder / name, (1, 1))
    plan.write(X86, folder)
    assert (folder / "plan.cmake").stat().st_mtime == (folder / "plan.json").stat().st_mtime == 1
    stage(tree, "01-next")
    plan.write(X86, folder)
    assert "add_program(made-01 x86-64 " in (folder / "plan.cmake").read_text()
    assert "made-01" in {entry["name"] for entry in json.loads((folder / "plan.json").read_text())["programs"]}


def test_a_build_folder_with_a_space_is_planned_once(tree):
    """Ninja reads from plan.d which file depends on the tree."""
    write(tree / "common/self_check/kernel.cpp", "")
    folder = tree / "a b"
    plan.write(X86, folder)
    assert (folder / "plan.d").read_text().startswith(f"{tree}/a\\ b/plan.cmake: ")


def test_it_needs_python_alone(tmp_path):
    """Isolated: without the environment's packages, and as CMake starts it."""
    command = [sys.executable, "-ISc", f"import sys; sys.path.insert(0, {str(ROOT / 'scripts')!r})\n"
               "from perf_ladders.tree import plan\nsys.exit(plan.main(sys.argv[1:]))"]  # fmt: skip
    done = subprocess.run([*command, "--into", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "add_program(" in (tmp_path / "plan.cmake").read_text()


def test_the_functions_of_a_contract_come_from_its_header():
    header = """
    // void no(int a);
    #define TWICE(x) \\
      f(x);
    namespace outer {
    using Cipher = void (*)(int);
    struct Job { int size(); bool operator==(const Job&) const = default; };
    constexpr int most(int a) { return a; }
    constexpr char opening = '{', closing = L'}', quote = '\\'';
    constexpr int digits = 0xFF'FF'FF;
    inline bool is_null(const void* address) { return !address; }
    static_assert(sizeof(Job) == 1);
    template <class T> void any(T);
    Job* submit(Job& job,
                int more = most(3));
    [[nodiscard]] bool fine(Job job);  // says "well; done"
    namespace inner { void deep(); }
    }  // namespace outer
    extern "C" int plain(int);
    """
    assert declared(header) == ["outer::submit", "outer::fine", "outer::inner::deep"]
    assert declared("} namespace xtea { void encrypt(); }") == ["xtea::encrypt"]
    assert named("xtea::encrypt(std::span<unsigned long, 5ul>, int)") == "xtea::encrypt"
    assert named("json::write[abi:cxx11](std::string&)") == "json::write"


def test_a_header_ends_where_the_code_begins():
    text = "// 01 Sum: of\n// requires: aes x86-64-v3 sha\n// kept: not a key\n#include <span>\n// links: TBB\n"
    found = parse_header(text, "stage.cpp")
    assert (found.requires, found.floor, found.links) == (["aes", "sha"], "x86-64-v3", [])


@pytest.mark.parametrize("key", headers.KEYS)
@pytest.mark.parametrize("before", ["01 Sum. //", "01 Sum.", "links: TBB //"])
def test_a_key_inside_a_line_of_the_comment_is_refused(key, before):
    """As a formatter makes one line of two: the stage would lose its level."""
    said = rf"^stage\.cpp:2: `{key}:` is inside a line of the comment: begin a new line, `// {key}: \.\.\.`\.$"
    with pytest.raises(UserError, match=said):
        parse_header(f"// A sum,\n// {before} {key}: aes\n", "stage.cpp")


def test_words_that_only_look_like_a_key_are_kept():
    text = "// Sums, also of ::threads::all and multithreads: two.\n// requires: aes\nint links; // links: TBB\n"
    assert parse_header(text, "stage.cpp").requires == ["aes"]


def test_every_file_of_these_tests_is_a_test_of_ctest():
    said = "\n".join(plan.make(X86).lines)
    for path in (ROOT / "tests/scripts").glob("test_*.py"):
        assert f"add_scripts_test(scripts-{path.stem} tests/scripts/{path.name} " in said
    assert re.search(r"add_scripts_test\(scripts-test_proof_tags \S+ \d+ proof\)", said)
    proofs = {path.stem for path in (ROOT / "tests/scripts").glob("test_proof_*.py")}
    assert {*re.findall(r"\(scripts-(\S+) \S+ \d+ proof\)", said)} == proofs


def test_the_lock_of_an_editor_is_no_source(tree):
    (tree / "tests/made/.#check.cpp").symlink_to("somebody@somewhere.1")
    assert levels_by_name()["made-00"] == ["x86-64", "x86-64-v3", "x86-64-v4"]
