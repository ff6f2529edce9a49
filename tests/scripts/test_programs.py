"""The programs as they were built: what they export, what they say, and that a wrong one is caught."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from perf_ladders.measure.runner import runnable
from perf_ladders.tree import build as build_module
from perf_ladders.tree import catalogue
from perf_ladders.tree.contract import named
from perf_ladders.tree.paths import ROOT


def output(*command, code=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def symbols(built):
    """Of a file that programs are made of, the names with one of these letters of nm, which is started once for all."""
    files = sorted({file for program in built.programs for file in (program.object, *program.archives)})
    found = {str(file): set() for file in files}
    for line in output("nm", "--defined-only", "--demangle", "--print-file-name", *files).splitlines():
        if match := re.match(r"([^:]+):(?:[^:]+:)?[0-9a-f]{8,} (\w) (.+)", line):
            found[match[1]].add((match[2], match[3]))
    return lambda file, kinds: {name for kind, name in found[str(file)] if kind in kinds}


# What a stage need not do, by stage: what the check then leaves out is not asked of it, so each pair has a reason.
LACKS = {
    "json-06": {"escaping"},  # as in the document, it escapes nothing
    **{f"threefish-{number}": {"x86-32"} for number in range(16, 22)},  # their barrier takes a register of 64 bits
    **{f"xtea-{number}": {"many-calls"} for number in (16, 17)},  # each is a launch on a device
}


@pytest.fixture
def reference(build):
    """A program that runs on every CPU: the first case's reference at the lowest level."""
    return next(program for program in build.programs if program.name.endswith("-00")).path


def test_a_program_is_looked_at_once_whatever_was_left_of_it(built):
    names = [program.name for program in built.programs]
    assert sorted(names) == sorted({*names})
    assert {name.rpartition("-")[0] for name in names} >= {*catalogue.case_names()}


def test_a_stage_exports_its_contract_and_nothing_else(built, symbols):
    cases = {program.case for program in built.programs}
    contracts = {case: sorted(catalogue.read_case(case).symbols) for case in cases}
    for program in built.programs:
        defined = sorted(map(named, symbols(program.object, "TDBRC")))
        assert defined == contracts[program.case], program.id


def test_no_function_of_a_stage_can_be_replaced_by_one_of_an_archive(built, symbols):
    """The linker keeps one copy of a weak symbol, and takes no heed of the flags it was compiled with."""
    if built.preset.startswith("sanitize"):
        pytest.skip("sanitized programs are not measured")
    for program in built.programs:
        weak = symbols(program.object, "Wu") - {"__clang_call_terminate"}  # Clang's own, which only ends the program
        # A library's headers bring templates that the harness may have too, and those of the program stand first; what
        # was compiled elsewhere must not share one even with a library.
        has_templates = program.kind != "stage" or "\n// links: " in program.source.read_text()
        takes_string = any("basic_string<" in symbol for symbol in symbols(program.object, "T"))
        assert program.archives
        for archive in program.archives:
            shared = weak & symbols(archive, "TWu")
            if re.search(r"-(harness|checks)\b", archive.name):
                # The standard library brings some to every stage whose contract takes a string.
                known = r".*" if has_templates else r"(\S+ )?std::" if takes_string else r"(?!)"
                shared = {name for name in shared if not re.match(known, name)}
            assert not shared, f"{program.id} and {archive.name}: {shared}"


def test_no_stage_leaves_out_checks_unnoticed():
    """Where its line `lacks:` says so. What a library cannot do, pages say."""
    stages = [stage for name in catalogue.case_names() for stage in catalogue.read_case(name).stages]
    found = {stage.name: {*stage.header.lacks} for stage in stages if stage.header.lacks and not stage.is_own}
    assert found == {name: LACKS[name] for name in LACKS.keys() & {stage.name for stage in stages}}


def test_the_guard_knows_every_macro_that_a_level_defines(build):
    """What the compiler predefines at a level beyond plain x86-64 must stand in guard.c, or be no instruction set."""
    if "x86-64" not in build.flags:
        pytest.skip("the guard is for x86-64")
    compiler = build.compiler.command
    guard = (ROOT / "common/guard.c").read_text()

    def macros(*flags):
        text = output(compiler, "-dM", "-E", "-x", "c++", *flags, "/dev/null")
        return set(re.findall(r"#define (__\w+__|__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16) ", text))

    plain = macros(*build.flags["x86-64"].split())
    words = [re.search(r"^// requires: (.*)$", p.source.read_text(), re.MULTILINE) for p in build.programs]
    extensions = {f"-m{word}" for found in words if found for word in found[1].split() if word not in build.flags}
    for flags in [*build.flags.values(), " ".join(extensions), "-maes -mpclmul -msha -mvaes -mvpclmulqdq -mgfni"]:
        for macro in macros(*flags.split()) - plain:
            known = re.search(rf"(ifdef |defined\(){macro}\b", guard)
            assert known or re.match(r"__(k8|tune|core|haswell|skylake|SSE2_MATH|AVX10|EVEX256)", macro), macro


def test_a_program_says_what_it_can_do(reference):
    said = output(reference, "--help")
    assert all(f"  {verb} " in said for verb in ("check", "bench", "run", "sample", "workloads"))
    assert "COUNT" in output(reference, "run", "--help")
    for words in ([], ["fly"], ["run"], ["run", "0"], ["run", "-1"], ["run", "3x"], ["run", "010"],
                  ["run", "1", "2", "3"], ["workloads", "all"]):  # fmt: skip
        said = output(reference, *words, code=2)
        assert " --help` tells what there is." in said, words
        assert len(said.splitlines()) == 1
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


def test_input_and_output_that_do_not_work_are_no_wrong_answer(reference):
    assert "number from 1 to 10000000" in output(reference, "sample", "10000001", code=2)  # each sample is kept
    for words in (["workloads"], ["--help"], ["sample", "1"], ["sample", "10000"]):
        with Path("/dev/full").open("w") as full:
            command = [reference, *words]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (2, "The output cannot be written.\n"), words
    too_long = (4097).to_bytes(4, "little")
    done = subprocess.run([reference, "serve"], input=too_long, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"A command of 4097 bytes is too long.\n")


def test_workloads_are_listed(reference):
    lines = [line.split("\t") for line in output(reference, "workloads").splitlines()]
    assert lines[0][1] == "main"
    assert all(role in ("main", "sweep", "once") and int(size) > 0 for _, role, size in lines)


def test_bench_refuses_a_wrong_stage(build):
    """Planted faults: one is seen before anything is timed, the other only by looking again at what was timed."""
    if build.preset.startswith("sanitize"):
        pytest.skip("no mutants are built with sanitizers")
    folder, level = ROOT / "build" / build.preset, next(iter(build.flags))
    faults = {"round-short": "after 1 calls", "cached-answer": r"after (?!1 )\d+ calls"}
    programs = {f"xtea-mutant-reference-{name}.{level}": calls for name, calls in faults.items()}
    with build_module.one_at_a_time(folder):  # a test beside this one may build there, too
        output("cmake", "--build", folder, "--target", *programs)  # `make test` builds no mutants
    for program, calls in programs.items():
        said = output(folder / program, "bench", "--benchmark_filter=message/", "--benchmark_min_time=0.001", code=1)
        assert re.search(f"wrong: message: block \\d+ .*{calls}", said)


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
    judge = ROOT / "common/rejected.py"
    for program in (reference, crash, skip, tmp_path / "nothing"):
        assert "mutant" in output(sys.executable, judge, program, code=1)
    assert "not built" in output(sys.executable, judge, wrong, tmp_path / "nothing", code=1), "wrong: an emulator"
    output(sys.executable, judge, wrong)


def test_the_guard_names_exactly_what_the_cpu_lacks(build, tmp_path):
    """Compiled as if for everything that it knows, it must agree with the kernel on every feature."""
    if "x86-64" not in build.flags:
        pytest.skip("the guard is for x86-64")
    names = re.findall(r'#if[^\n]*?(__\w+)[^\n]*\n    {"([^"]+)"', (ROOT / "common/guard.c").read_text())
    assert len(names) > 25
    defined = [f"-D{macro}=1" for macro, _ in names]
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    plain = ["-march=x86-64", "-w", "-o", tmp_path / "program", ROOT / "common/guard.c", tmp_path / "main.c"]
    output("cc", *defined, *plain)
    done = subprocess.run([str(tmp_path / "program")], capture_output=True, text=True, check=False)
    flags = set(re.findall(r"\w+", Path("/proc/cpuinfo").read_text()))
    kernel = {
        "SSE3": "pni",
        "PCLMUL": "pclmulqdq",
        "CMPXCHG16B": "cx16",
        "LAHF": "lahf_lm",
        "LZCNT": "abm",
        "SHA": "sha_ni",
    }
    kernel |= {"AVX-512VBMI2": "avx512_vbmi2"}
    lacking = [
        name
        for _, name in names
        if kernel.get(name, name.lower().replace(".", "_").replace("avx-", "avx")) not in flags
    ]
    assert done.returncode == (77 if lacking else 0)
    assert re.sub(r".*lacks: |\. Programs of.*\n", "", done.stderr).split(", ") == (lacking or [""])


def test_what_this_cpu_cannot_run_is_not_built_and_says_why(build):
    for level, machine in build.machine.items():
        done = subprocess.run([machine, "clock"], capture_output=True, text=True, check=False)
        sentence = done.stderr.strip() if done.returncode == 77 else ""
        mine = [program for program in build.programs if program.level == level]
        assert {program.cannot for program in mine} <= {sentence}, level
        cannot = runnable([replace(program, path=Path("nowhere")) for program in mine if program.cannot])[1]
        assert {entry.reason for entry in cannot} <= {sentence}


@pytest.mark.parametrize("label", [catalogue.case_names()[0], "check", "mutant", "scripts"])
def test_every_label_that_is_asked_for_has_tests(build, label):
    """Where a label matches nothing, ctest passes unless a preset says that this is an error."""
    listed = output("ctest", "--test-dir", ROOT / "build" / build.preset, "-N", "--label-regex", f"^{label}$")
    assert int(re.search(r"Total Tests: (\d+)", listed)[1]) > 0
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]
    (base,) = [one for one in presets if "inherits" not in one]
    assert base["execution"]["noTestsAction"] == "error"
    assert {one["inherits"] for one in presets if one is not base} == {base["name"]}


def test_a_copied_stage_is_found_and_a_library_that_is_not_there_is_left_out(tmp_path, monkeypatch):
    """Without touching another file: in a tree of one case, configured once, on a system without the library."""
    tree = tmp_path / "tree"
    for folder in ("common", "scripts", "stages/xtea", "tests/xtea", "tests/scripts"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("CMakeLists.txt", "CMakePresets.json", *(ROOT / "tests").glob("*.hpp")):
        shutil.copy(ROOT / file, tree / (ROOT / file).relative_to(ROOT))
    shutil.copytree(tree / "stages/xtea/00-reference", tree / "stages/xtea/90-mine")
    one_level = f"-DPERF_LADDERS_LEVELS={'aarch64' if platform.machine() == 'aarch64' else 'x86-64'}"
    command = ["cmake", "-S", tree, "-B", tree / "build/gcc", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", one_level]
    nowhere = {**os.environ, "PKG_CONFIG_LIBDIR": "/nowhere", "PKG_CONFIG_PATH": "/nowhere"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=nowhere)
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.setattr(build_module, "ROOT", tree)
    found = build_module.read_build("gcc")
    names = {program.name for program in found.programs}
    assert "xtea-90" in names
    assert re.search(r"xtea-90\.\S+\n", output("ctest", "--test-dir", tree / "build/gcc", "-N"))
    assert "xtea-botan" not in names
    left_out = {entry.name: entry.reason for entry in found.left_out}
    assert left_out["xtea-botan"] == "botan-2 is not installed"
    assert "xtea-botan-no-cipher" not in left_out, "its library is"
