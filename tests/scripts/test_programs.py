"""The programs as they were built: what they export, what they say, and that a wrong one is caught."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from perf_ladders import catalogue
from perf_ladders.catalogue import ROOT


def output(*command, code=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def symbols(file, kinds):
    """The defined symbols of the kinds that nm names by these letters."""
    lines = output("nm", "--defined-only", "--demangle", file).splitlines()
    return {match[2] for line in lines if (match := re.match(r"[0-9a-f]{8,} (\w) (.+)", line)) and match[1] in kinds}


@pytest.fixture
def reference(build):
    """A program that runs on every CPU: the first case's reference at the lowest level."""
    return next(program for program in build.programs if program.name.endswith("-00")).path


def test_a_stage_exports_its_contract_and_nothing_else(build):
    assert build.programs
    for program in build.programs:
        contract = set(catalogue.read_case(program.case).symbols)
        assert symbols(program.object, "TDBRC") == contract, program.id


def test_no_function_of_a_stage_can_be_replaced_by_one_of_an_archive(build):
    """The linker keeps one copy of a weak symbol, and takes no heed of the flags it was compiled with."""
    if build.preset.startswith("sanitize"):
        pytest.skip("sanitized programs are not measured")
    for program in build.programs:
        if program.kind == "peer":  # the headers of a library bring templates; the code that counts is in the library
            continue
        weak = symbols(program.object, "Wu")
        for archive in program.archives:
            assert not weak & symbols(archive, "TWu"), f"{program.id} and {archive.name}"


def test_the_guard_knows_every_macro_that_a_level_defines(build):
    """What the compiler predefines at a level beyond plain x86-64 must stand in guard.c, or be no instruction set."""
    if "x86-64" not in build.flags:
        pytest.skip("the guard is for x86-64")
    compiler = build.compiler["command"]
    guard = (ROOT / "common/guard.c").read_text()

    def macros(*flags):
        text = output(compiler, "-dM", "-E", "-x", "c++", *flags, "/dev/null")
        return set(re.findall(r"#define (__\w+__|__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16) ", text))

    plain = macros(*build.flags["x86-64"].split())
    for flags in [*build.flags.values(), "-maes -mpclmul -msha -mvaes -mvpclmulqdq -mgfni"]:
        for macro in macros(*flags.split()) - plain:
            known = re.search(rf"(ifdef |defined\(){macro}\b", guard)
            assert known or re.match(r"__(k8|tune|core|haswell|skylake|SSE2_MATH|AVX10|EVEX256)", macro), macro


def test_a_program_says_what_it_can_do(reference):
    for words in ([], ["fly"], ["run"], ["run", "0"], ["run", "-1"], ["run", "3x"], ["run", "1", "2", "3"]):
        assert "Use one of:" in output(reference, *words, code=2), words
    assert "There is no workload 'nothing'" in output(reference, "run", "1", "nothing", code=2)
    assert "No workload matches" in output(reference, "bench", "--benchmark_filter=nothing", code=2)
    assert "No test matches" in output(reference, "check", "--gtest_filter=nothing", code=2)
    assert "does not know '--fast'" in output(reference, "bench", "--fast", code=2)
    assert "does not know 'fast'" in output(reference, "check", "fast", code=2)


def test_run_and_sample(reference):
    assert output(reference, "run", "2") == ""
    samples = [float(line) for line in output(reference, "sample", "7").split()]
    assert len(samples) == 7
    assert min(samples) > 0


def test_workloads_are_listed(reference):
    lines = [line.split("\t") for line in output(reference, "workloads").splitlines()]
    assert lines[0][1] == "main"
    assert all(role in ("main", "sweep", "once") and int(size) > 0 for _, role, size in lines)


def test_bench_refuses_a_wrong_stage(build):
    """A planted fault: bench compares what it has just timed with the oracle, and its times are thrown away."""
    folder = ROOT / "build" / build.preset
    mutants = sorted(folder.glob("xtea-mutant-00-round-short.*"))
    assert mutants
    said = output(mutants[0], "bench", "--benchmark_filter=message/", "--benchmark_min_time=0.001", code=1)
    assert "wrong: message: block 0" in said


def test_rejected_accepts_only_exit_code_1(reference, tmp_path):
    """The judge of the mutants: a right program, a crash and a missing one are no rejection."""
    crash = tmp_path / "crash"
    crash.write_text("#!/bin/sh\nkill -SEGV $$\n")
    skip = tmp_path / "skip"
    skip.write_text("#!/bin/sh\nexit 77\n")
    wrong = tmp_path / "wrong"
    wrong.write_text("#!/bin/sh\nexit 1\n")
    for script in (crash, skip, wrong):
        script.chmod(0o755)
    judge = ROOT / "common/cmake/Rejected.cmake"
    for program in (reference, crash, skip, tmp_path / "nothing"):
        output("cmake", f"-DPROGRAM={program}", "-P", judge, code=1)
    output("cmake", f"-DPROGRAM={wrong}", "-P", judge)


def test_a_copied_stage_is_found_without_touching_another_file(tmp_path):
    tree = tmp_path / "tree"
    for folder in ("common", "stages", "tests"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("CMakeLists.txt", "CMakePresets.json"):
        shutil.copy(ROOT / file, tree)
    shutil.copytree(tree / "stages/xtea/00-reference", tree / "stages/xtea/90-mine")
    output("cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release")
    assert re.search(r"xtea-90\.\S+\n", output("ctest", "--test-dir", tree / "build", "-N"))
    assert '"xtea-90"' in (tree / "build/programs.json").read_text()
