"""XTEA on an OpenCL device, as somebody without one meets it, and the program that times transfers and kernel apart."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess

import pytest
from conftest import app_program, needs

from perf_ladders.errors import Missing
from perf_ladders.evidence import collect
from perf_ladders.measure.runner import Runner
from perf_ladders.model.measurement import Workload
from perf_ladders.tree.build import Build, Compiler, Program
from perf_ladders.tree.paths import ROOT, STAGES

ON_DEVICES = {
    f"{path.parts[-3]}-{path.parts[-2][:2]}"
    for path in ROOT.glob("stages/*/*/stage.cpp")
    if "\n// device:" in path.read_text("utf-8")
}
PARTS = ["to_device", "kernel", "to_host", "together"]

# What a driver answers instead of what it would have done, by function of OpenCL.
REFUSALS = {
    "clGetDeviceIDs": "int clGetDeviceIDs() { return -1; }",
    "clCreateBuffer": "void* clCreateBuffer(void* a, long b, long c, void* d, int* e) { *e = -4; return 0; }",
    "clCreateProgramWithSource": """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <string.h>
        typedef void* Create(void*, unsigned, const char**, const size_t*, int*);
        void* clCreateProgramWithSource(void* context, unsigned n, const char** texts, const size_t* sizes, int* e) {
          const char* text = "kernel void encrypt(";
          const size_t size = strlen(text);
          return ((Create*)dlsym(RTLD_NEXT, "clCreateProgramWithSource"))(context, 1, &text, &size, e);
        }""",
    "clEnqueueNDRangeKernel": "int clEnqueueNDRangeKernel() { return -5; }",
}


def called(*command, code=0, **environment):
    """Standard output; where it is to fail, what it says instead."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stderr if code else done.stdout


def on_a_device(built, name):
    """The program of a stage, where it has been built and there is a device."""
    path = next((one.path for one in built.programs if one.name == name), None)
    if path is None:
        pytest.skip(f"{name} has not been built")
    done = subprocess.run([path, "workloads"], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip(done.stderr)
    return path


@pytest.fixture(scope="session", params=sorted(ON_DEVICES))
def each(request, built):
    return on_a_device(built, request.param)


@pytest.fixture(scope="session")
def program(built):
    """One of them: what device.hpp does is the same in all."""
    return on_a_device(built, min(ON_DEVICES, default="a stage on a device"))


@pytest.fixture
def refusing(tmp_path, build):
    """The environment in which a driver refuses what a function of OpenCL asks for."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or build.preset.startswith("sanitize"):
        pytest.skip("no C compiler, or a sanitizer that must be loaded first")

    def made(function):
        source, library = tmp_path / f"{function}.c", tmp_path / f"{function}.so"
        source.write_text(REFUSALS[function], encoding="utf-8")
        subprocess.run([compiler, "-w", "-shared", "-fPIC", "-o", library, source], check=True)
        return {"LD_PRELOAD": str(library)}

    return made


@pytest.mark.parametrize("verb", [["check"], ["bench"], ["run", "1"], ["sample", "1"], ["workloads"]])
def test_without_a_platform_everything_is_skipped_with_a_sentence(program, tmp_path, verb):
    said = called(program, *verb, code=77, OCL_ICD_VENDORS=f"{tmp_path}/")
    assert said.startswith("There is no OpenCL platform: install a driver")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        ("clGetDeviceIDs", "No OpenCL platform has a device"),
        ("clCreateBuffer", r"The OpenCL device is out of memory \(clCreateBuffer, error -4\)"),
        ("clCreateProgramWithSource", "The kernel does not build on [^:]+: .*error"),
    ],
)
def test_what_the_driver_refuses_is_said_before_anything_runs(program, refusing, function, sentence):
    *_, said = called(program, "workloads", code=77, **refusing(function)).splitlines()  # a driver may say its own
    assert re.match(sentence, said), said


def test_a_launch_that_fails_is_no_wrong_answer(program, refusing):
    said = called(program, "run", "1", code=77, **refusing("clEnqueueNDRangeKernel"))
    assert said == "The OpenCL device is out of memory (clEnqueueNDRangeKernel, error -5).\n"


def test_a_device_that_is_not_there_is_bad_usage(program):
    said = called(program, "workloads", code=2, PERF_LADDERS_OPENCL="no such device")
    first, *there = said.splitlines()
    assert first == "PERF_LADDERS_OPENCL asks for 'no such device', but these devices are all there is:"
    assert there
    platform, device = there[0].strip().split(": ", 1)
    for word in (platform, device):
        assert called(program, "workloads", PERF_LADDERS_OPENCL=word)


@pytest.mark.parametrize("home", ["/proc", "/proc/nobody", ""])
def test_a_home_that_cannot_be_written_to_does_no_harm(each, home, tmp_path):
    environment = {"HOME": home, "XDG_CACHE_HOME": "", "TMPDIR": str(tmp_path)}
    called(each, "check", "--gtest_filter=KnownAnswers*", **environment)


def test_where_there_is_a_device_no_check_is_skipped(each):
    """An error of OpenCL counts as one of the machine: CTest would call a stage skipped that calls it wrongly."""
    called(each, "check", "--gtest_brief=1")


@needs("xtea-16")
def test_the_notes_show_the_kernel_as_it_is():
    """There it is read; from the header it is compiled."""
    header = (STAGES / "xtea/device.hpp").read_text(encoding="utf-8")
    kernels = re.search(r'R"cl\((.*?)\)cl"', header, re.DOTALL)[1]
    notes = (STAGES / "xtea/16-opencl/notes.md").read_text(encoding="utf-8")
    shown = re.search(r"```c\n(.*?)```", notes, re.DOTALL)[1]
    assert shown in kernels.lstrip("\n")
    assert "kernel void encrypt" in shown


@pytest.fixture(scope="session")
def transfer(build):
    path = app_program(build, "xtea", "transfer")
    done = subprocess.run([path, "--bytes", "8", "--milliseconds", "0.1"], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip(done.stderr)
    return path


def test_every_size_has_the_stage_and_the_parts_of_the_device(transfer):
    report = json.loads(called(transfer, "--json", "--milliseconds", "0.1"))
    assert set(report["device"]) == {"name", "platform", "driver", "kind"}
    assert report["device"]["kind"] in ("CPU", "GPU", "accelerator")
    sizes = [one["bytes"] for one in report["sizes"]]
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (8, 3_145_728)
    assert {25_600, 500_000, 1_572_864} <= {*sizes}  # of the document
    for one in report["sizes"]:
        assert one["stage_ns"] > 0
        assert list(one["device_ns"]) == PARTS
        assert all(one["device_ns"][part] >= 0 for part in PARTS)


def test_the_table_fits_a_terminal_and_names_the_device(transfer):
    lines = called(transfer, "--milliseconds", "0.1", "--bytes", "8", "1048576").splitlines()
    device = json.loads(called(transfer, "--json", "--milliseconds", "0.1", "--bytes", "8"))["device"]
    assert max(len(line) for line in lines) <= 80
    assert lines[0] == f"Device: {device['name']} ({device['kind']})"
    assert lines[1] == f"Driver: {device['platform']}, {device['driver']}"
    assert ("nothing here says what a GPU would do" in lines[2]) == (device["kind"] == "CPU")
    assert [line.split()[0] for line in lines[-2:]] == ["8", "1048576"]
    assert all(len(line.split()) == 7 for line in lines[-2:])
    assert max(len(line) for line in called(transfer, "--help").splitlines()) <= 82


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bytes", "12"], "no number of whole blocks"),
        (["--bytes", "0"], "is no number from 8"),
        (["--bytes", "x"], "'x' is no number"),
        (["--milliseconds", "-1"], "'-1' is no number"),
        (["--byte", "8"], "--help` tells"),
    ],
)
def test_bad_input_is_told_in_a_sentence(transfer, words, sentence):
    said = called(transfer, *words, code=2)
    assert sentence in said
    assert said.count("\n") == 1


def test_without_a_platform_transfer_is_skipped(transfer, tmp_path):
    assert "no OpenCL platform" in called(transfer, code=77, OCL_ICD_VENDORS=f"{tmp_path}/")


def test_stages_on_a_device_say_so_to_the_scripts(build):
    on_devices = {program.name for program in build.programs if program.device}
    assert on_devices == ON_DEVICES - {entry.name for entry in build.left_out}
    assert all(program.threads for program in build.programs if program.device)


def test_what_a_device_does_is_not_counted(tmp_path):
    nowhere = tmp_path / "nowhere"
    files = (nowhere, nowhere, [], tmp_path / "16-opencl" / "stage.cpp")
    runner = Runner.of(Program("xtea", "stage", "xtea-16", "x86-64", "gcc", True, *files, device="OpenCL"))
    message = Workload(name="message", role="main", bytes=8)
    context = collect.Context([], [message], {runner.id: 1.0}, 3.0, 0, tmp_path / "profile")
    build = Build("gcc", Compiler("gcc"), "Release", "1.7", {}, {}, None, [], [])
    said = "the work is done by a kernel on an OpenCL device, not by instructions of this program"
    found = collect._perf(runner, build, context)
    assert (found.counters, found.samples) == (None, None)
    assert found.missing == {"counters": said, "samples": said}
    with pytest.raises(Missing, match="the work is done by a kernel on an OpenCL device"):
        collect._expect_own_work(runner.program)
