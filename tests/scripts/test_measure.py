"""What is measured, and what is kept when a measurement is stopped."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from measurement_sample import MACHINE
from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.machine import alone, identity, speed
from perf_ladders.measure import assemble, checking, journal, pairs, runner, session, whole
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.measure.runner import MIN_MS, Plan, Runner
from perf_ladders.measure.sources import Sources
from perf_ladders.model.measurement import MeanSd, Measurement, Part, Run, Step, Workload
from perf_ladders.model.record import LeftOut
from perf_ladders.results.validate import misfit
from perf_ladders.tree import catalogue, paths
from perf_ladders.tree.build import Build, Compiler, Program

QUIET = Console(quiet=True)
BUILD = Build("gcc", Compiler("gcc"), "Release", "1.7", {}, {}, None, [], [])
PLAN = Plan(cpu=0, rounds=4, calls=2)
MESSAGE = Workload(name="message", role="main", bytes=25_600)


def program_of(path, name="xtea-00", kind="stage", level="x86-64", folder="00-reference", **more):
    source = paths.STAGES / "xtea" / folder / "stage.cpp"
    return Program("xtea", kind, name, level, "gcc", False, path, path, [], source, **more)


@pytest.fixture
def setup(tmp_path, monkeypatch):
    """Two runners whose programs are never started: every piece of measuring is counted instead."""
    runners = []
    for name, folder in (("xtea-00", "00-reference"), ("xtea-01", "01-portable-bytes")):
        path = tmp_path / name
        path.write_text(name)
        runners.append(Runner.of(program_of(path, name, folder=folder)))
    calls = []

    def measured(base, stage, workloads, slice_ms, cpu, generator):
        calls.append((base.id, stage.id))
        return [PairTimes(name, [2.0] * pairs.SLICES, [1.0] * pairs.SLICES) for name in workloads]

    def once(one, padding, part, plan):
        return Run(program=one.id, padding=padding, switches=0, times_ns={key: [1.0, 3.0] for key in part.workloads})

    monkeypatch.setattr(alone, "LOCKS", tmp_path)
    monkeypatch.setattr(pairs, "measured", measured)
    monkeypatch.setattr(assemble, "bench", once)
    monkeypatch.setattr(pairs, "slices_for", lambda runner, names, cpu, generator: dict.fromkeys(names, 1.0))
    monkeypatch.setattr(assemble, "single_calls", lambda one, plan: [1.0, 2.0])
    monkeypatch.setattr(identity, "describe", lambda: MACHINE)
    monkeypatch.setattr(speed, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(speed, "operations_per_ns", lambda build, cpu: 12.0)
    monkeypatch.setattr(speed, "rates", lambda build, cpu: {"x86-64": {"vector_bytes": 16, "all": 11.0}})
    return runners, calls, tmp_path / "reports" / "xtea"


def steps_of(runners, plan):
    return [
        Step(part="main", base=runners[0].id, stage=one.id, workloads=["message"], together=1, rounds=plan.rounds)
        for one in runners[1:]
    ]


def journal_of(runners, stem, plan=PLAN):
    return Journal(stem, plan, steps_of(runners, plan), runners)


def run(runners, stem, plan=PLAN, build=BUILD, left_out=()):
    xtea, steps, kept = catalogue.read_case("xtea"), steps_of(runners, plan), journal_of(runners, stem, plan)
    sources = Sources(sources={"stage/reference": "0" * 64}, files={})
    return assemble.measure(xtea, [build], runners, [MESSAGE], steps, plan, left_out, sources, kept, QUIET)


def test_every_step_is_measured_once_in_every_round(setup):
    runners, calls, stem = setup
    found = run(runners, stem)
    assert calls == [("reference.x86-64.gcc", "portable-bytes.x86-64.gcc")] * 4
    assert [(one.part, one.number) for one in found.rounds] == [("main", number) for number in range(4)]
    assert [(one.round, one.base_ns, one.stage_ns) for one in found.pairs] == [(n, 2.0, 1.0) for n in range(4)]
    slices = {one.program: (one.processes, one.count, one.mean_ns, one.sd_ns) for one in found.slices}
    assert slices == {"reference.x86-64.gcc": (4, 40, 2.0, 0.0), "portable-bytes.x86-64.gcc": (4, 40, 1.0, 0.0)}
    assert found.calls.keys() == {"reference.x86-64.gcc", "portable-bytes.x86-64.gcc"}
    assert {(one.count, one.mean_ns, one.min_ns, one.max_ns) for one in found.calls.values()} == {(2, 1.5, 1.0, 2.0)}
    assert found.benchmark["reference.x86-64.gcc"] == MeanSd(mean_ns=2.0, sd_ns=1.41)
    assert found.whole_programs.missing == "not part of this measurement"
    assert (found.apps, found.aa_test) == ([], None)


@pytest.mark.parametrize(
    ("name", "kind", "folder", "identity", "stage", "variant", "number"),
    [
        ("xtea-06", "stage", "06-reversed-loop", "reversed-loop.x86-64.gcc", "reversed-loop", None, "06"),
        ("xtea-00-O2", "variant", "00-reference", "reference-O2.x86-64.gcc", "reference", "O2", "00"),
        ("xtea-06-no-kernel", "variant", "06-minimum", "minimum-no-kernel.x86-64.gcc", "minimum", "no-kernel", "06"),
        ("xtea-ipsec-mb", "peer", "peers/ipsec-mb", "ipsec-mb.x86-64.gcc", "ipsec-mb", None, None),
        ("xtea-ipsec-mb-no-x", "variant", "peers/ipsec-mb", "ipsec-mb-no-x.x86-64.gcc", "ipsec-mb", "no-x", None),
    ],
)
def test_programs_are_named_by_slugs(name, kind, folder, identity, stage, variant, number):
    program = program_of(Path("nowhere"), name, kind, folder=folder)
    about = Runner.of(program).about
    assert (about.id, about.kind, about.stage, about.variant) == (identity, kind, stage, variant)
    assert program.number == number


def test_a_program_has_other_names_where_it_is_asked_for():
    program = program_of(Path("nowhere"), folder="00-streams")
    control, mine = Runner.control(program).about, Runner.named(program, "mine").about
    assert (control.id, control.kind, control.stage) == ("streams-again.x86-64.gcc", "control", "streams")
    assert (mine.id, mine.kind, mine.stage) == ("mine.x86-64.gcc", "stage", "mine")


def test_the_peak_rate_is_the_highest_that_was_measured(setup, monkeypatch):
    """Taken in a few moments, all of them beside a noisy neighbour, it put stages above the peak."""
    runners, _, stem = setup
    slowed = {
        "x86-64": {"vector_bytes": 16, "add": 6.0, "all": 9.0},
        "x86-64-v4": {"vector_bytes": 64, "add": 7.0, "all": 7.5},
    }
    moments = iter([slowed, slowed | {"x86-64-v4": {"vector_bytes": 64, "add": 7.0, "all": 8.0}}, slowed, slowed])
    monkeypatch.setattr(speed, "rates", lambda build, cpu: next(moments))
    assert run(runners, stem).rates == {
        "x86-64": {
            "vector_bytes": 16,
            "add": 7.0,
            "all": 12.0,
        },  # additions as at x86-64-v4, all as in the contention probes
        "x86-64-v4": {"vector_bytes": 64, "add": 7.0, "all": 8.0},  # the best moment; not what narrower vectors do
    }


def test_order_and_padding_change_from_block_to_block_and_follow_from_the_seed(setup):
    runners, _, _ = setup
    many = runners * 6
    first = [session.shuffled(many, 1, "main", number) for number in range(8)]
    assert first == [session.shuffled(many, 1, "main", number) for number in range(8)]
    assert first != [session.shuffled(many, 2, "main", number) for number in range(8)]
    orders = {tuple(id(runner) for runner, _ in block) for block in first}
    paddings = {padding for block in first for _, padding in block}
    assert len(orders) > 4
    assert len(paddings) > 40
    assert max(paddings) < 4096


def stopped_after_two(setup, monkeypatch, stop):
    """The same programs can be measured again."""
    runners, calls, stem = setup
    counting = pairs.measured

    def failing(*arguments):
        if len(calls) == 2:
            raise stop
        return counting(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(pairs, "measured", failing)
        with pytest.raises(UserError, match="goes on from there") as caught:
            run(runners, stem)
    assert caught.value.code == 2


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_stopped_it_keeps_what_it_has_and_goes_on_from_there(setup, monkeypatch, stop):
    runners, calls, stem = setup
    stopped_after_two(setup, monkeypatch, stop)
    assert len(run(runners, stem).pairs) == 4
    assert len(calls) == 4, "what is in the journal is not measured again"


@pytest.mark.parametrize("ending", [b"", b'", "\xff": 1}'])
def test_a_line_cut_off_by_a_power_failure_is_measured_again_and_once_only(setup, ending):
    runners, calls, stem = setup
    first = run(runners, stem)
    path = journal_of(runners, stem).path
    text = path.read_bytes()
    path.write_bytes(text[: text.index(b'"main/2/') + 30] + ending)
    calls.clear()
    second = run(runners, stem)
    assert len(second.rounds) == 4
    assert len(calls) == 2
    assert (second.made, second.design.seed) == (first.made, first.design.seed)
    calls.clear()
    assert run(runners, stem) == second
    assert calls == []


def test_another_plan_or_another_program_begins_a_journal_of_its_own(setup):
    runners, calls, stem = setup
    run(runners, stem)
    run(runners, stem)
    assert len(calls) == 4
    run(runners, stem, replace(PLAN, cpu=1))
    assert len(calls) == 8
    runners[0].program.path.write_text("compiled again")
    run(runners, stem)
    assert len(calls) == 12
    assert len(list(stem.parent.glob("xtea.*.journal.jsonl"))) == 3
    journal_of(runners, stem).delete()
    assert len(list(stem.parent.glob("xtea.*.journal.jsonl"))) == 2


def test_a_disk_that_is_full_from_the_beginning(setup, monkeypatch):
    runners, _, stem = setup

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal.Path, "mkdir", full)
    with pytest.raises(UserError, match=r"No space left on device.*make room"):
        run(runners, stem)


def answering(monkeypatch, returncode, stdout="", stderr=""):
    done = subprocess.CompletedProcess([], returncode, stdout, stderr)
    monkeypatch.setattr(runner, "started", lambda command, padding=0, timeout_s=None: done)


def checked_as(monkeypatch, returncode, said=""):
    done = subprocess.CompletedProcess([], returncode, said)
    monkeypatch.setattr(checking, "checked", lambda program, limit_s: done)


def test_a_program_that_this_cpu_cannot_run_is_left_out_with_its_own_sentence(setup, monkeypatch):
    runners, _, _ = setup
    answering(monkeypatch, 77, stderr="This CPU lacks AVX-512F.\n")
    can, cannot = runner.runnable([one.program for one in runners])
    assert can == []
    assert cannot[0] == LeftOut(name="reference.x86-64.gcc", reason="This CPU lacks AVX-512F.")


@pytest.mark.parametrize(("allowed", "left_out"), [([0], 1), ([0, 1], 0)])
def test_a_program_of_all_cpus_is_left_out_where_it_may_use_fewer(setup, monkeypatch, allowed, left_out):
    runners, _, _ = setup
    monkeypatch.setattr(runner.topology, "allowed_cpus", lambda: allowed)
    monkeypatch.setattr(runner.os, "cpu_count", lambda: 2)
    answering(monkeypatch, 0)
    programs = [replace(runners[0].program, threads=True), runners[0].program]
    can, cannot = runner.runnable(programs)
    assert can == programs[left_out:]
    assert [one.reason for one in cannot] == ["it uses all CPUs, but may use only 1 of 2 here (taskset)"] * left_out


def test_a_program_that_was_not_built_is_told_so(setup):
    runners, _, _ = setup
    gone = replace(runners[0].program, path=Path("/nowhere/xtea-00.x86-64"))
    with pytest.raises(UserError, match=r"/nowhere/xtea-00\.x86-64 is missing: `make build` builds it\."):
        runner.runnable([gone])


def test_a_program_that_gives_wrong_answers_is_not_measured(setup, monkeypatch, tmp_path):
    runners, _, _ = setup
    programs = [one.program for one in runners]
    checked_as(monkeypatch, 1, "block 3 of 7 is wrong\n[  FAILED  ] Sizes.Odd, where x\n" + "more\n" * 9_999)
    failed = checking.check(programs, tmp_path, QUIET)
    assert [program for program, _ in failed] == programs
    assert "gives wrong answers (Sizes.Odd) and is not measured" in failed[0][1]
    assert "block 3 of 7 is wrong" in failed[0][1]
    assert len(failed[0][1].splitlines()) < 12


def test_a_program_that_crashes_or_hangs_is_told_so(setup, monkeypatch, tmp_path):
    runners, _, _ = setup
    programs = [runners[0].program]
    checked_as(monkeypatch, -11)
    assert "crashed with SIGSEGV" in checking.check(programs, tmp_path, QUIET)[0][1]
    checked_as(monkeypatch, -40)
    assert "crashed with signal 40" in checking.check(programs, tmp_path, QUIET)[0][1]
    monkeypatch.setattr(checking, "checked", lambda program, limit_s: None)
    assert "did not finish its check in 120 s" in checking.check(programs, tmp_path, QUIET)[0][1]


def test_a_program_that_prints_without_end_does_not_fill_the_memory(setup, tmp_path):
    program = setup[0][0].program
    program.path.write_text("#!/bin/sh\nexec yes wrong\n")
    program.path.chmod(0o755)
    assert "prints over 16 MiB and is not measured" in checking.check([program], tmp_path, QUIET)[0][1]


def test_two_measurements_at_once_are_refused(setup):
    runners, _, stem = setup
    with alone.alone(), pytest.raises(UserError, match="Another measurement is running"):
        run(runners, stem)


def test_a_check_that_passed_is_not_repeated_until_the_program_changes(setup, monkeypatch, tmp_path):
    runners, _, _ = setup
    programs = [one.program for one in runners]
    checked_as(monkeypatch, 0, "[  PASSED  ] 9 tests.\n")
    assert checking.check(programs, tmp_path, QUIET) == []
    checked_as(monkeypatch, 1)
    assert checking.check(programs, tmp_path, QUIET) == []
    Path(programs[0].path).write_text("compiled again")
    assert [program for program, _ in checking.check(programs, tmp_path, QUIET)] == programs[:1]


def test_a_journal_of_another_form_is_told_so(setup):
    runners, _, stem = setup
    run(runners, stem)
    path = journal_of(runners, stem).path
    path.write_text(path.read_text().replace('"stolen_ticks"', '"stolen"'))
    with pytest.raises(UserError, match=r"does not fit this version of the scripts \(main/0: .*; to measure again, rm"):
        run(runners, stem)


def test_workloads_are_read_from_the_program(setup, monkeypatch):
    runners, _, _ = setup
    answering(monkeypatch, 0, stdout="message\tmain\t25600\nsweep/8\tsweep\t8\n")
    assert runner.workloads_of(runners[0].program) == [
        Workload(name="message", role="main", bytes=25_600),
        Workload(name="sweep/8", role="sweep", bytes=8),
    ]


def test_a_program_that_prints_more_than_its_workloads_is_told_so(setup, monkeypatch):
    runners, _, _ = setup
    answering(monkeypatch, 0, stdout="hello\nmessage\tmain\t25600\n")
    with pytest.raises(UserError, match=r"(?s)printed more than its workloads \(hello.*remove what the stage prints"):
        runner.workloads_of(runners[0].program)


def test_a_workload_whose_name_cannot_be_is_told(setup, monkeypatch):
    runners, _, _ = setup
    answering(monkeypatch, 0, stdout="a message\tmain\t25600\n")
    with pytest.raises(UserError, match="has a workload with a wrong name: it begins with a letter"):
        runner.workloads_of(runners[0].program)


def test_the_environment_does_not_choose_what_is_checked(monkeypatch):
    monkeypatch.setenv("GTEST_FILTER", "KnownAnswers.OfFewerRounds")
    monkeypatch.setenv("BENCHMARK_FILTER", "message")
    assert not [name for name in runner.environment(0) if name.startswith(("GTEST_", "BENCHMARK_"))]


ARRAYS = """
import ctypes
c = ctypes.CDLL(None)
c.malloc.restype, c.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
for _ in range(3):
    source, target = c.malloc(1 << 20), c.malloc(1 << 20)
    print((target - source) % 4096)
    c.free(source), c.free(target)
"""


def test_large_arrays_have_pages_of_their_own_whatever_was_freed_before():
    """glibc would put all but the first two on the heap, one behind the other."""
    assert runner.started([sys.executable, "-c", ARRAYS]).stdout.split() == ["0"] * 3


def test_times_are_read_from_google_benchmark(setup, monkeypatch):
    """Of the iterations, not of what it computes from them, which can be NaN."""
    runners, _, _ = setup

    def started(command, padding=0, timeout_s=None):
        assert command[:3] == ["taskset", "--cpu-list", "0"]
        assert "--benchmark_filter=^(message|sweep/8)/real_time$" in command
        out = next(word for word in command if str(word).startswith("--benchmark_out="))
        entries = [
            {"run_name": f"{name}/real_time", "run_type": kind, "real_time": time}
            for name in ("message", "sweep/8")
            for kind, time in (("iteration", 1.234), ("iteration", 5.0), ("aggregate", float("nan")))
        ]
        Path(out.split("=")[1]).write_text(json.dumps({"context": {}, "benchmarks": entries}))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(runner, "started", started)
    part = Part(name="main", workloads=["message", "sweep/8"], blocks=1, min_ms=MIN_MS)
    found = runner.bench(runners[0], 17, part, PLAN)
    assert (found.program, found.padding) == ("reference.x86-64.gcc", 17)
    assert found.times_ns == {"message": [1.23, 5.0], "sweep/8": [1.23, 5.0]}


def test_a_stage_that_prints_is_told_so(setup, monkeypatch):
    runners, _, _ = setup
    answering(monkeypatch, 0, stdout="now in the loop\n12.5\n")
    with pytest.raises(UserError, match=r"printed more than the times of its calls \(now in the loop"):
        runner.single_calls(runners[0], PLAN)


@pytest.mark.parametrize("said", ["", "12.5\n0\n"])
def test_calls_without_times_are_told_so(setup, monkeypatch, said):
    runners, _, _ = setup
    answering(monkeypatch, 0, stdout=said)
    with pytest.raises(UserError, match=r"reference\.x86-64\.gcc printed no times of single calls"):
        runner.single_calls(runners[0], PLAN)


def test_what_was_measured_makes_a_measurement(setup):
    runners, _, stem = setup
    runners = [runners[0], Runner.control(runners[0].program), runners[1]]
    compiler = Compiler("gcc", "12", "/home/me/bin/g++", "-O3")
    build = replace(BUILD, compiler=compiler, flags={"x86-64": "-march=x86-64"}, linker="LLD 19")
    found = run(runners, stem, build=build, left_out=[LeftOut(name="botan", reason="botan-2 is not installed")])
    assert misfit(found) is None
    assert msgspec.json.decode(msgspec.json.encode(found), type=Measurement) == found
    assert [(one.id, one.kind) for one in found.programs] == [
        ("reference.x86-64.gcc", "stage"),
        ("reference-again.x86-64.gcc", "control"),
        ("portable-bytes.x86-64.gcc", "stage"),
    ]
    assert (found.design.kind, found.design.calls, found.design.steps) == ("pairs", 2, steps_of(runners, PLAN))
    assert (found.compilers[0].linker, found.compilers[0].flags_of_level) == ("LLD 19", {"x86-64": "-march=x86-64"})
    assert found.compilers[0].command == "g++", "not where it lies, which may be somebody's home"
    assert b"/home" not in msgspec.json.encode(found)


HYPERFINE = {"mean": 0.25, "user": 0.2, "system": 0.05, "stddev": None, "times": [0.25]}


def test_whole_programs_are_started_in_rounds(setup, monkeypatch):
    runners, _, stem = setup
    commands = []

    def started(command, padding=0, timeout_s=None):
        out = ""
        if "--version" in command:
            out = "hyperfine 1.15.0\n"
        elif command[1] == "workloads":
            out = "message\tmain\t25600\n"
        else:
            commands.append([str(word) for word in command])
            exported = next(word for word in command if word.startswith("--export-json="))
            Path(exported.split("=")[1]).write_text(json.dumps({"results": [HYPERFINE]}))
        return subprocess.CompletedProcess(command, 0, out, "")

    for module in (runner, whole):
        monkeypatch.setattr(module, "started", started)
    monkeypatch.setattr(whole.shutil, "which", lambda name: f"/usr/bin/{name}")
    plan = Plan(cpu=0, rounds=1, calls=2, whole_rounds=3)
    found = run(runners, stem, plan).whole_programs
    assert (found.tool, found.rounds, found.workload) == ("hyperfine 1.15.0", 3, "message")
    assert found.calls == round(0.1e9 / 1.5)  # the median of the calls above, 1 and 2 ns
    assert [one.round for one in found.runs] == [0, 0, 1, 1, 2, 2]
    assert {one.program for one in found.runs} == {one.id for one in runners}
    assert {(one.seconds, one.user, one.system) for one in found.runs} == {(0.25, 0.2, 0.05)}
    assert len(commands) == 6
    assert all("--runs=1" in command and "--shell=none" in command for command in commands)
    assert {command[command.index("--command-name") + 1] for command in commands} == {one.id for one in runners}
    assert run(runners, stem, plan).whole_programs == found
    assert len(commands) == 6


def test_without_hyperfine_it_says_so(setup, monkeypatch):
    runners, _, stem = setup
    monkeypatch.setattr(whole.shutil, "which", lambda name: None)
    found = run(runners, stem, Plan(cpu=0, rounds=1, calls=2, whole_rounds=3)).whole_programs
    assert found.missing == "hyperfine is not installed (package hyperfine)"
    assert (found.rounds, found.runs) == (0, [])


def test_another_machine_does_not_go_on_with_the_rounds_of_this_one(setup, monkeypatch):
    runners, calls, stem = setup
    stopped_after_two(setup, monkeypatch, KeyboardInterrupt())
    other = msgspec.structs.replace(MACHINE, cpu="AMD EPYC 9B45", family_model_stepping="26/2/1")
    monkeypatch.setattr(identity, "describe", lambda: other)
    assert run(runners, stem).machine == other
    assert len(calls) == 2 + 4


def test_what_is_built_while_it_is_checked_is_checked_again(setup, monkeypatch, tmp_path):
    program = setup[0][0].program

    def built_again(program, limit_s):
        program.path.write_text("compiled again")
        return subprocess.CompletedProcess([], 0, "[  PASSED  ] 9 tests.\n")

    monkeypatch.setattr(checking, "checked", built_again)
    checking.check([program], tmp_path, QUIET)
    checked_as(monkeypatch, 1)
    assert [one for one, _ in checking.check([program], tmp_path, QUIET)] == [program]


@pytest.mark.parametrize(("module", "name"), [(pairs, "slices_for"), (assemble, "single_calls"), (assemble, "bench")])
def test_a_program_that_is_built_again_beside_the_rounds_is_noticed(setup, monkeypatch, module, name):
    runners, _, stem = setup
    once = getattr(module, name)

    def built_again(*given):
        path = runners[1].program.path
        other = path.with_name("other")
        other.write_text("compiled again")
        other.replace(path)
        return once(*given)

    monkeypatch.setattr(module, name, built_again)
    with pytest.raises(UserError, match="was built again while it was measured"):
        run(runners, stem)
