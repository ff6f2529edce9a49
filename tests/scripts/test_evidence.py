"""Evidence: what the tools say is read rightly, and what they cannot say is said."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from conftest import program_of

from perf_ladders.errors import Missing
from perf_ladders.evidence import app_profile, assembly, collect, estimate, instructions, remarks, samples, tools
from perf_ladders.evidence.assembly import Function, Instruction
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.runner import Plan, Runner, workloads_of
from perf_ladders.model.apps import AppCounters, AppProfile
from perf_ladders.model.evidence import Evidence
from perf_ladders.model.measurement import Workload
from perf_ladders.tree import catalogue
from perf_ladders.tree.build import Program
from perf_ladders.tree.case_file import Command


def workload_of(name, role, size):
    return Workload(name=name, role=role, bytes=size)


MESSAGE = workload_of("message", "main", 25_600)
SYMBOLS = catalogue.read_case("xtea").symbols
PROGRAM = Path("/p/xtea-04")

CALLGRIND = """# callgrind format
events: Ir
summary: 0

ob=/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
fl=???
fn=start
cob=/p/xtea-04
cfn=xtea::encrypt(int)
calls=1 0x17690 0
0x1abaa 0 1051026

ob=/p/xtea-04
fl=/s/stage.cpp
fn=xtea::encrypt(int)
0x100 7 2
0x104 7 60
fi=/usr/include/span
0x104 9 40
cob=/lib/x86_64-linux-gnu/libc.so.6
cfn=memcpy
calls=2 0x500 0
0x108 9 30
ob=/lib/x86_64-linux-gnu/libc.so.6
fn=memcpy
0x500 0 30

totals: 132
"""


def test_callgrind_is_counted_without_the_c_library_and_without_what_callees_cost():
    found = instructions.parse_callgrind(CALLGRIND.splitlines(), PROGRAM, MESSAGE)
    assert (found.own, found.c_library) == (102, 30)
    assert found.functions == {"xtea::encrypt(int)": 102}
    assert found.addresses == {0x100: 2, 0x104: 100}


def test_callgrind_lines_that_do_not_add_up_are_no_evidence():
    with pytest.raises(Missing, match="add up to 132, its total is 999"):
        instructions.parse_callgrind(CALLGRIND.replace("totals: 132", "totals: 999").splitlines(), PROGRAM, MESSAGE)


@pytest.mark.parametrize(
    ("path", "c_library"),
    [
        ("/lib/x86_64-linux-gnu/libc.so.6", True),
        ("/lib/libc-2.31.so", True),
        ("/lib64/ld-linux-x86-64.so.2", True),
        ("/usr/lib/libm.so.6", True),
        ("/usr/lib/libcryptopp.so.8", False),
        ("/usr/lib/libmagic.so.1", False),
        ("/p/build/gcc/xtea-04.x86-64", False),
    ],
)
def test_which_files_are_the_c_library(path, c_library):
    assert bool(instructions._C_LIBRARY.search(path)) == c_library


LOOPS = """
    100:\tpush   %rbp
    101:\tmov    $0x40,%ecx
    106:\tadd    %eax,%ebx
    108:\txor    %ebx,%eax
    10a:\tdec    %ecx
    10c:\tjne    106 <xtea::encrypt+0x6>
    10e:\tcall   900 <memcpy@plt>
    113:\tdec    %edx
    115:\tjne    101 <xtea::encrypt+0x1>
    117:\tret
"""


@pytest.fixture
def nest(monkeypatch):
    """A function of two loops, one inside the other, as objdump would show it."""
    function = Function("xtea::encrypt(int)", "_Z", 0x100, 0x118)
    monkeypatch.setattr(assembly, "functions", lambda program: [function])
    monkeypatch.setattr(assembly, "tool", lambda name, package: name)
    monkeypatch.setattr(assembly, "output", lambda *_, **__: LOOPS)
    return function


def test_the_hot_loop_is_the_shortest_that_holds_most_of_the_work(nest):
    counts = {0x100: 1, 0x101: 10, 0x106: 640, 0x108: 640, 0x10A: 640, 0x10C: 640, 0x10E: 10, 0x113: 10, 0x115: 10}
    found = assembly.hot_loop(PROGRAM, counts)
    assert [i.address for i in found.instructions] == [0x106, 0x108, 0x10A, 0x10C]
    assert found.share == pytest.approx(2560 / 2601)
    assert found.iterations == 640


def test_the_outer_loop_is_hot_where_the_inner_does_little(nest):
    counts = {0x101: 10, 0x106: 10, 0x108: 10, 0x10A: 10, 0x10C: 10, 0x10E: 10, 0x113: 1000, 0x115: 1000}
    assert assembly.hot_loop(PROGRAM, counts).instructions[0].address == 0x101


def test_straight_code_and_foreign_code_hold_no_hot_loop(nest):
    with pytest.raises(Missing, match="straight code"):
        assembly.hot_loop(PROGRAM, {0x100: 5})
    with pytest.raises(Missing, match="outside of this program"):
        assembly.hot_loop(PROGRAM, {0x106: 5}, total=100)
    with pytest.raises(Missing, match="outside of this program"):
        assembly.hot_loop(PROGRAM, {})


@pytest.mark.parametrize(
    ("loop", "sentence"),
    [
        ([Instruction(1, "call   900 <memcpy@plt>", None), Instruction(6, "jne    1 <f>", 1)], "calls functions"),
        (
            [Instruction(1, "dec    %eax", None), Instruction(3, "jne    1 <f>", 1), Instruction(5, "jne    1 <f>", 1)],
            "another loop",
        ),
    ],
)
def test_loops_that_llvm_mca_would_misjudge_are_not_simulated(monkeypatch, loop, sentence):
    monkeypatch.setattr(estimate, "tool", lambda name, package: name)
    with pytest.raises(Missing, match=sentence):
        estimate.estimate(loop, 1.0)


@pytest.mark.parametrize(
    ("text", "jumps_to"),
    [
        ("jne    106 <f+0x6>", 0x106),
        ("jmp    *%rax", None),
        ("call   106 <f+0x6>", None),
        ("lea    0x2b3(%rip),%rax        # 106 <f+0x6>", None),
        ("cbnz   x0, 106 <f+0x6>", 0x106),
        ("tbnz   w0, #3, 106 <f+0x6>", 0x106),
        ("b.ne   106 <f+0x6>  // b.any", 0x106),
        ("bl     106 <f+0x6>", None),
        ("adrp   x0, 11000 <table>", None),
    ],
)
def test_jumps_are_told_from_calls_and_addresses(text, jumps_to):
    (found,) = assembly._instructions(f"    100:\t{text}\n")
    assert (found.address, found.text, found.jumps_to) == (0x100, text, jumps_to)


def fake_mca(folder, host, models):
    """An llvm-mca that knows these CPUs."""
    tool = folder / "llvm-mca"
    tool.write_text(f'#!/bin/sh\nif [ $1 = --version ]; then echo "  Host CPU: {host}"; else echo "{models}" >&2; fi\n')
    tool.chmod(0o755)
    return str(tool)


@pytest.mark.parametrize(
    ("host", "vendor", "models", "taken"),
    [
        ("znver4", "AuthenticAMD", "znver3 znver4", "znver4"),
        ("(unknown)", "AuthenticAMD", "znver1 znver3", "znver3"),
        ("(unknown)", "GenuineIntel", "alderlake znver3 skylake", "alderlake"),
    ],
)
def test_a_cpu_newer_than_llvm_is_modelled_by_the_newest_of_its_vendor(
    tmp_path, monkeypatch, host, vendor, models, taken
):
    monkeypatch.setattr(estimate.topology, "cpu_info", lambda *keys: vendor)
    assert estimate._modelled(fake_mca(tmp_path, host, models)) == taken


def test_a_cpu_of_which_llvm_knows_no_kin_has_no_estimate(tmp_path, monkeypatch):
    monkeypatch.setattr(estimate.topology, "cpu_info", lambda *keys: "Another")
    with pytest.raises(Missing, match="does not know this CPU: a newer LLVM may"):
        estimate._modelled(fake_mca(tmp_path, "(unknown)", "znver3"))


@pytest.mark.parametrize(
    ("text", "jumps_to", "given"),
    [
        ("jne    106 <f+0x6>", 0x106, "jne    somewhere"),
        ("vpaddd 0x2b3(%rip),%ymm1,%ymm2        # 1f00 <table>", None, "vpaddd 0x2b3(%rip),%ymm1,%ymm2"),
        ("cbnz   x0, 106 <f+0x6>", 0x106, "cbnz   x0, somewhere"),
        ("tbnz   w0, #3, 106 <f+0x6>", 0x106, "tbnz   w0, #3, somewhere"),
        ("add    x0, x0, #0x10        // #16", None, "add    x0, x0, #0x10"),
    ],
)
def test_what_models_are_given(text, jumps_to, given):
    assert estimate._for_model(Instruction(0, text, jumps_to)) == given


def test_counters_that_perf_does_not_have_are_none_and_never_0():
    text = (
        "<not supported>;;cycles:u;0;100.00;;\n1024;;instructions:u;5;100.00;;\n<not counted>;;branch-misses:u;0;;;\n"
        "9;;cpu_core/cycles/u;5;100.00;;\n"
    )
    assert samples.parse_stat(text) == AppCounters(instructions=1024.0)


def test_samples_are_counted_by_function_and_address(nest, monkeypatch):
    monkeypatch.setattr(samples, "functions", lambda program: [nest])
    monkeypatch.setattr(assembly, "readable", lambda names: [name.upper() for name in names])
    lines = (
        f" 55d0106 _Z+0x6 ({PROGRAM})\n 55d0106 _Z+0x6 ({PROGRAM})\n 7f01 f+0x1 (/lib/libx.so.1)\n noise\n"
        f" 55d0901 _z+0x1 ({PROGRAM})\n"
    )
    found = samples.parse_script(lines, PROGRAM, "cpu-clock")
    assert found.count == 4
    assert found.addresses == {0x106: 2}
    assert found.functions == {"_Z": 3, "F in libx.so.1": 1}, "two symbols of one readable name"
    with pytest.raises(Missing, match="no samples"):
        samples.parse_script("", PROGRAM, "cpu-clock")


def test_remarks_of_gcc():
    source = Path("/s/stage.cpp")
    text = (
        "/s/stage.cpp:15:33: optimized: loop vectorized using 32 byte vectors\n"
        "/s/stage.cpp:13:34: missed: couldn't vectorize loop\n"
        "/s/stage.cpp:20:13: missed: not vectorized: complicated access pattern.\n"
        "/s/stage.cpp:20:13: missed: not vectorized: complicated access pattern.\n"
        "/usr/include/span:20:13: missed: not vectorized: something else.\n"
    )
    assert remarks.parse(text, source) == [
        (15, "vectorized", "loop vectorized using 32 byte vectors"),
        (20, "missed", "complicated access pattern."),
    ]


def test_a_source_in_another_encoding_has_remarks(tmp_path, monkeypatch):
    source = tmp_path / "stage.cpp"
    source.write_bytes("// Gr\u00fc\u00dfe\n".encode("latin-1"))
    program = SimpleNamespace(source=source, object=tmp_path / "stage.o", compiler="gcc")
    monkeypatch.setattr(remarks, "_commands", lambda _: {program.object: ["g++", "-o", "x.o"]})
    monkeypatch.setattr(
        remarks, "output", lambda *_: f"{source}:1:1: optimized: loop vectorized using 32 byte vectors\n"
    )
    (found,) = remarks.remarks(program, tmp_path)
    assert found.source == "// Gr\ufffd\ufffde"


def test_remarks_of_clang():
    source = Path("/s/stage.cpp")
    text = (
        "/s/stage.cpp:13:3: remark: loop not vectorized: value used outside [-Rpass-analysis=loop-vectorize]\n"
        "   13 |   for (;;) {\n"
        "/s/stage.cpp:13:3: remark: loop not vectorized [-Rpass-missed=loop-vectorize]\n"
        "/s/stage.cpp:15:5: remark: vectorized loop (width: 8) [-Rpass=loop-vectorize]\n"
        "/s/stage.cpp:17:5: remark: interleaved loop (interleaved count: 2) [-Rpass=loop-vectorize]\n"
    )
    assert remarks.parse(text, source) == [
        (15, "vectorized", "vectorized loop (width: 8)"),
        (13, "missed", "value used outside"),
    ]


def test_a_tool_that_is_not_there_is_named_with_its_package(monkeypatch):
    monkeypatch.setattr(tools.shutil, "which", lambda name: None)
    with pytest.raises(Missing, match=r"valgrind is not installed \(package valgrind\)"):
        tools.tool.__wrapped__("valgrind", "valgrind")


def test_of_llvm_the_newest_is_taken(monkeypatch):
    here = {"llvm-mca", "llvm-mca-16", "llvm-mca-19"}
    monkeypatch.setattr(tools.shutil, "which", lambda name: f"/usr/bin/{name}" if name in here else None)
    assert tools.tool.__wrapped__("llvm-mca", "llvm") == "/usr/bin/llvm-mca-19"


@pytest.fixture
def program(build):
    return program_of(build, "xtea-02", next(iter(build.flags)))


@pytest.fixture
def stepped(build):
    if build.steps is None or build.preset.startswith("sanitize"):
        pytest.skip("this build does not single-step")
    return build.steps


def test_single_stepping_counts_what_the_cpu_does(program, stepped):
    """A call on 64 bytes and one on 256: the difference is 24 blocks of 64 rounds."""
    small, large = (
        instructions._steps(program, stepped, SYMBOLS, workload_of(f"sweep/{size}", "sweep", size), 0)
        for size in (64, 256)
    )
    assert small.how == "single-stepping"
    assert small.calls == large.calls == 1
    a_block = (large.own - small.own) / (256 - 64) * 8
    assert 300 < a_block < 3000  # 64 rounds of at least five instructions
    assert sum(small.addresses.values()) == small.own


def test_single_stepping_and_callgrind_agree(program, stepped):
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    workload = workload_of("sweep/64", "sweep", 64)
    stepping = instructions._steps(program, stepped, SYMBOLS, workload, 0)
    callgrind = instructions.by_callgrind(program, SYMBOLS, workload, 0)
    assert stepping.own * callgrind.calls == callgrind.own * stepping.calls
    assert {a: n * callgrind.calls for a, n in stepping.addresses.items()} == callgrind.addresses


def test_of_jobs_the_work_is_counted_and_what_prepares_them_is_not(build):
    """`batch` of the reference calls `submit`, and the workload makes a manager and keys before its first call."""
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    case = catalogue.read_case("hmac-sha1")
    jobs = next(one for one in build.programs if one.name == "hmac-sha1-00")
    workload = next(w for w in workloads_of(jobs) if w.role == "sweep")
    callgrind = instructions.by_callgrind(jobs, case.symbols, workload, 0)
    assert callgrind.own / callgrind.calls / workload.bytes > 1, "SHA-1 has 80 rounds for 64 bytes"
    assert not [name for name in callgrind.functions if "manager(" in name or "prepare(" in name]


def test_a_call_that_is_too_long_to_be_stepped_is_given_up(program, stepped, monkeypatch):
    monkeypatch.setattr(instructions, "_MAX_STEPS", 1_000)
    with pytest.raises(Missing, match="over 1,000 instructions"):
        instructions._steps(program, stepped, SYMBOLS, workload_of("sweep/1024", "sweep", 1024), 0)


@pytest.mark.parametrize(
    ("place", "path", "said"),
    [("10", "/no/such/program", "No such file or directory"), ("ffffffff0", "/bin/true", "has no code at one of")],
)
def test_what_cannot_be_stepped_is_bad_usage_with_a_sentence(stepped, place, path, said):
    done = subprocess.run([stepped, "1000", place, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("cycles", "workload"), [(10_000, "message"), (1_000_000, "sweep/1024"), (100_000_000, "sweep/8")]
)
def test_what_valgrind_cannot_run_is_stepped_on_what_fits(monkeypatch, build, program, cycles, workload):
    workloads = [MESSAGE, *(workload_of(f"sweep/{size}", "sweep", size) for size in (8, 64, 1024, 4096))]
    monkeypatch.setattr(instructions, "by_callgrind", lambda *_: None)
    monkeypatch.setattr(instructions, "_steps", lambda program, steps, symbols, workload, cpu: workload.name)
    if build.steps is None:
        pytest.skip("this build does not single-step")
    assert instructions.count(program, build, SYMBOLS, workloads, cycles, 0) == workload


def gathered(program, build, tmp_path, profiles=None):
    runner = Runner.of(program)
    context = collect.Context(SYMBOLS, workloads_of(program), {runner.id: 300_000.0}, 3.0, 0, profiles)

    def collected():
        journal = Journal(tmp_path / "x", Plan(cpu=0), [], [runner])
        return collect.collect([runner], [build], context, journal, lambda items, **_: items)[runner.id]

    found = collected()
    assert collected() == found  # from the journal
    assert msgspec.json.decode(msgspec.json.encode(found), type=Evidence) == found
    return found


def test_all_evidence_of_a_program(build, program, tmp_path):
    if build.preset.startswith("sanitize"):
        pytest.skip("sanitizers and Valgrind do not go together")
    found = gathered(program, build, tmp_path)
    if found.instructions:
        assert 50 < found.instructions.per_byte < 300
        assert (found.instructions.workload, found.instructions.bytes) == ("message", 25_600)
        assert found.instructions.lines[0].file.endswith("02-transform/stage.cpp")
        assert found.loop.share > 0.9
        assert found.loop.symbol.startswith("xtea::")
        assert sum(one.executions for one in found.loop.instructions) > 0
        if found.estimate:
            a_byte = found.loop.iterations / 25_600
            assert found.estimate.cycles_byte == pytest.approx(found.estimate.cycles * a_byte)
    elif shutil.which("valgrind"):
        pytest.fail(found.missing["instructions"])
    assert isinstance(found.remarks, list)
    fields = {"instructions", "counters", "samples", "loop", "estimate", "remarks"}
    assert {name for name in fields if getattr(found, name) is None} == found.missing.keys()


def test_the_files_of_the_profilers_are_kept_and_only_the_newest(build, program, tmp_path):
    if build.preset.startswith("sanitize"):
        pytest.skip("sanitizers and Valgrind do not go together")
    place = f"{program.level}.{program.compiler}"
    folder = tmp_path / "profile" / "xtea-02"
    folder.mkdir(parents=True)
    files = {f"callgrind.out.{place}": b"# callgrind format", f"perf.{place}.data": b"PERFILE2"}
    for name in files:
        (folder / name).write_text("of an older program")
    found = gathered(program, build, tmp_path, tmp_path / "profile")
    wanted = {name for name, field in zip(files, ("instructions", "samples"), strict=True) if getattr(found, field)}
    assert {path.name for path in folder.iterdir()} == wanted, "an older file would mislead"
    for name in wanted:
        assert (folder / name).read_bytes().startswith(files[name])
    if found.instructions:
        kept = (folder / f"callgrind.out.{place}").read_text()
        sources = {match[1] for line in kept.splitlines() if (match := re.match(r"f[lie]=(.*/stage\.cpp)$", line))}
        assert all(Path(path).samefile(program.source) for path in sources), "kcachegrind finds the source by its path"
        assert sources


def around(program):
    """The program as its own app, which spends its time in the stage."""
    asked = Command("itself", "T", ["run", "300", "message"], "time", profile_arguments=["run", "2", "message"])
    return asked, Runner.of(replace(program, apps={"itself": program.path}))


def test_the_profile_of_a_whole_program(build, program, tmp_path):
    if build.preset.startswith("sanitize"):
        pytest.skip("sanitizers and Valgrind do not go together")
    command, runner = around(program)
    plan = Plan(cpu=0)
    asked = replace(command, profile=True)

    def collected():
        journal = Journal(tmp_path / "x", plan, [], [runner])
        return app_profile.collect([asked], [runner], [build], plan, journal)

    (found,) = collected()
    assert collected() == [found]  # from the journal
    assert app_profile.collect([command], [runner], [build], plan, None) == [{}]
    profile = found[runner.id]
    if shutil.which("valgrind"):
        counted = profile.instructions
        assert (counted.by, counted.arguments) == ("callgrind", ["run", "2", "message"])
        assert counted.own_share > 0.1  # starting costs as much as two calls do
        assert any(one.name.startswith("xtea::encrypt(") and one.own for one in counted.functions)
        assert any(" in " in one.name and not one.own for one in counted.functions)
        assert counted.count > sum(one.share for one in counted.functions) > 0
    if profile.samples:
        assert profile.samples.own_share > 0.5
    assert str(program.path).encode() not in msgspec.json.encode(found)


def test_the_profile_says_what_is_missing(build, program, monkeypatch):
    command, runner = around(program)
    for name in ("callgrind", "record", "need_counters"):

        def lacking(*_, name=name):
            raise Missing(f"no {name}")

        monkeypatch.setattr(app_profile, name, lacking)
    missing = {"instructions": "no callgrind", "samples": "no record", "counters": "no need_counters"}
    assert app_profile.profile(command, runner, build, Plan(cpu=0)) == AppProfile(missing=missing)


def test_the_reference_and_the_last_stage_are_profiled():
    def program(name, kind="stage", level="x86-64"):
        nowhere, source = Path("nowhere"), Path(f"{name.removeprefix('xtea-')}-slug", "stage.cpp")
        return Program("xtea", kind, name, level, "gcc", False, nowhere, nowhere, [], source, apps={"itself": nowhere})

    runners = [Runner.of(program(f"xtea-{number}")) for number in ("00", "02", "01")]
    runners += [Runner.control(program("xtea-00"))]
    runners += [Runner.of(program("xtea-botan", "peer")), Runner.of(program("xtea-02", level="novec"))]
    command = Command("itself", "T", [], "time")
    assert app_profile.profiled(command, runners) == runners[:2]
    assert app_profile.profiled(command, runners[:1]) == runners[:1]
    assert app_profile.profiled(command, []) == []


def test_without_any_tool_every_piece_says_what_is_missing(build, program, tmp_path, monkeypatch):
    monkeypatch.setattr(tools.shutil, "which", lambda name: None)
    for cached in (tools.tool, samples._perf, assembly.functions):
        cached.cache_clear()
    try:
        found = gathered(program, build, tmp_path)
    finally:
        for cached in (tools.tool, samples._perf, assembly.functions):
            cached.cache_clear()
    assert "valgrind is not installed" in found.missing["instructions"]
    assert "perf is not installed" in found.missing["samples"]
    assert found.missing["loop"] == "neither instructions were counted nor samples taken"
    assert found.missing["estimate"].startswith("there is no hot loop to simulate: neither")
    assert "counters" in found.missing
