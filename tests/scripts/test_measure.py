"""Blocks, their order, and what is kept when a measurement is stopped."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from rich.console import Console

from perf_ladders import measure
from perf_ladders.catalogue import Build, Program
from perf_ladders.complaint import Complaint
from perf_ladders.measure import Design, Journal, Part, Runner

QUIET = Console(quiet=True)


@pytest.fixture
def setup(tmp_path, monkeypatch):
    """Two runners whose programs are never started: every piece of measuring is counted instead."""
    runners = []
    for name in ("xtea-00", "xtea-01"):
        path = tmp_path / name
        path.write_text(name)
        runners.append(Runner(Program("xtea", "stage", name, "x86-64", "gcc", False, path, path, [], path), name))
    calls = []

    def bench(runner, padding, part, design):
        calls.append(runner.name)
        return {"involuntary_switches": 0, "times_ns": {name: [1.0] * 5 for name in part.workloads}}

    monkeypatch.setattr(measure.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(measure, "_bench", bench)
    monkeypatch.setattr(measure, "latency", lambda runner, design: [1.0, 2.0])
    monkeypatch.setattr(measure.machine, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(measure.machine, "operations_per_ns", lambda build, cpu: 12.0)
    monkeypatch.setattr(measure.machine, "rates", lambda build, cpu: {"x86-64": {"vector_bytes": 16, "all": 11.0}})
    return runners, calls, tmp_path / "reports" / "xtea"


def journal_of(runners, stem, cpu=0):
    return Journal(stem, Design(4, 0, 2, cpu), [Part("main", ["message"], 4)], runners)


def run(runners, stem, cpu=0):
    builds = [Build("gcc", {}, "Release", "1.7", {}, {}, None, [], [])]
    parts = [Part("main", ["message"], 4)]
    return measure.measure(runners, parts, Design(4, 0, 2, cpu), builds, journal_of(runners, stem, cpu), QUIET)


def test_every_program_runs_once_in_every_block(setup):
    runners, calls, stem = setup
    raw = run(runners, stem)
    assert [len(block["runs"]) for block in raw["blocks"]] == [2] * 4
    assert sorted(calls) == ["xtea-00"] * 4 + ["xtea-01"] * 4
    assert set(raw["latency"]) == {"xtea-00.x86-64.gcc", "xtea-01.x86-64.gcc"}


def test_the_limit_is_the_most_that_the_core_has_shown(setup, monkeypatch):
    """Taken in a few moments, all of them beside a neighbour, it called honest stages faster than the machine."""
    runners, _, stem = setup
    slowed = {
        "x86-64": {"vector_bytes": 16, "add": 6.0, "all": 9.0},
        "x86-64-v4": {"vector_bytes": 64, "add": 7.0, "all": 7.5},
    }
    moments = iter([slowed, slowed | {"x86-64-v4": {"vector_bytes": 64, "add": 7.0, "all": 8.0}}, slowed, slowed])
    monkeypatch.setattr(measure.machine, "rates", lambda build, cpu: next(moments))
    assert run(runners, stem)["rates"] == {
        "x86-64": {"vector_bytes": 16, "add": 7.0, "all": 12.0},  # additions as at x86-64-v4, all as in the looks
        "x86-64-v4": {"vector_bytes": 64, "add": 7.0, "all": 8.0},  # the best moment; not what narrower vectors do
    }


def test_order_and_padding_change_from_block_to_block_and_follow_from_the_seed(setup):
    runners, _, _ = setup
    many = runners * 6
    first = [measure.shuffled(many, 1, "main", number) for number in range(8)]
    assert first == [measure.shuffled(many, 1, "main", number) for number in range(8)]
    assert first != [measure.shuffled(many, 2, "main", number) for number in range(8)]
    orders = {tuple(id(runner) for runner, _ in block) for block in first}
    paddings = {padding for block in first for _, padding in block}
    assert len(orders) > 4
    assert len(paddings) > 40
    assert max(paddings) < 4096


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_stopped_it_keeps_what_it_has_and_goes_on_from_there(setup, monkeypatch, stop):
    runners, calls, stem = setup
    counting = measure._bench

    def failing(*arguments):
        if len(calls) == 5:
            raise stop
        return counting(*arguments)

    monkeypatch.setattr(measure, "_bench", failing)
    with pytest.raises(Complaint, match="goes on from there") as caught:
        run(runners, stem)
    assert caught.value.code == 2
    monkeypatch.setattr(measure, "_bench", counting)
    raw = run(runners, stem)
    assert len(raw["blocks"]) == 4
    assert len(calls) == 5 + 4  # two whole blocks were kept; the third began anew


def test_a_line_cut_off_by_a_power_failure_is_measured_again_and_once_only(setup):
    runners, calls, stem = setup
    first = run(runners, stem)
    path = journal_of(runners, stem).path
    text = path.read_text()
    path.write_text(text[: text.index('"main/2"') + 30])
    calls.clear()
    second = run(runners, stem)
    assert len(second["blocks"]) == 4
    assert len(calls) == 4
    assert (second["made"], second["seed"]) == (first["made"], first["seed"])
    calls.clear()
    assert run(runners, stem) == second
    assert calls == []


def test_another_plan_or_another_program_begins_a_journal_of_its_own(setup):
    runners, calls, stem = setup
    run(runners, stem)
    run(runners, stem)
    assert len(calls) == 8
    run(runners, stem, cpu=1)
    assert len(calls) == 16
    runners[0].program.path.write_text("compiled again")
    run(runners, stem)
    assert len(calls) == 24
    assert len(list(stem.parent.glob("xtea.*.journal.jsonl"))) == 3
    journal_of(runners, stem).delete()
    assert len(list(stem.parent.glob("xtea.*.journal.jsonl"))) == 2


def test_a_disk_that_is_full_from_the_beginning(setup, monkeypatch):
    runners, _, stem = setup

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(measure.Path, "mkdir", full)
    with pytest.raises(Complaint, match=r"No space left on device.*make room"):
        run(runners, stem)


def answering(monkeypatch, returncode, stdout="", stderr=""):
    done = subprocess.CompletedProcess([], returncode, stdout, stderr)
    monkeypatch.setattr(measure, "started", lambda command, padding=0, timeout_s=None: done)


def test_a_program_that_this_cpu_cannot_run_is_left_out_with_its_own_sentence(setup, monkeypatch):
    runners, _, _ = setup
    answering(monkeypatch, 77, stderr="This CPU lacks AVX-512F.\n")
    can, cannot = measure.runnable([runner.program for runner in runners])
    assert can == []
    assert [entry["reason"] for entry in cannot] == ["This CPU lacks AVX-512F."] * 2


def test_a_program_that_gives_wrong_answers_is_not_measured(setup, monkeypatch, tmp_path):
    runners, _, _ = setup
    programs = [runner.program for runner in runners]
    answering(monkeypatch, 1, stdout="block 3 of 7 is wrong\n[  FAILED  ] Sizes.Odd, where x\n" + "more\n" * 9_999)
    failed = measure.check(programs, tmp_path, QUIET)
    assert [program for program, _ in failed] == programs
    assert "gives wrong answers (Sizes.Odd) and is not measured" in failed[0][1]
    assert "block 3 of 7 is wrong" in failed[0][1]
    assert len(failed[0][1].splitlines()) < 12


def test_a_program_that_crashes_or_hangs_is_told_so(setup, monkeypatch, tmp_path):
    runners, _, _ = setup
    programs = [runners[0].program]
    answering(monkeypatch, -11)
    assert "crashed with SIGSEGV" in measure.check(programs, tmp_path, QUIET)[0][1]

    def hangs(command, padding=0, timeout_s=None):
        raise subprocess.TimeoutExpired(command, timeout_s)

    monkeypatch.setattr(measure, "started", hangs)
    assert "did not finish its check in 120 s" in measure.check(programs, tmp_path, QUIET)[0][1]


def test_two_measurements_at_once_are_refused(setup):
    runners, _, stem = setup
    with measure.alone(), pytest.raises(Complaint, match="Another measurement is running"):
        run(runners, stem)


def test_a_check_that_passed_is_not_repeated_until_the_program_changes(setup, monkeypatch, tmp_path):
    runners, _, _ = setup
    programs = [runner.program for runner in runners]
    answering(monkeypatch, 0)
    assert measure.check(programs, tmp_path, QUIET) == []
    answering(monkeypatch, 1)
    assert measure.check(programs, tmp_path, QUIET) == []
    Path(programs[0].path).write_text("compiled again")
    assert [program for program, _ in measure.check(programs, tmp_path, QUIET)] == programs[:1]


def test_whole_programs_are_started_in_rounds_and_what_hyperfine_says_is_kept(setup, monkeypatch):
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
            name = command[command.index("--command-name") + 1]
            exported = next(word for word in command if word.startswith("--export-json="))
            entry = {"command": name, "mean": 0.25, "times": [0.25]}
            Path(exported.split("=")[1]).write_text(json.dumps({"results": [entry]}))
        return subprocess.CompletedProcess(command, 0, out, "")

    monkeypatch.setattr(measure, "started", started)
    monkeypatch.setattr(measure.shutil, "which", lambda name: f"/usr/bin/{name}")
    design, parts = Design(1, 0, 2, 0, whole_rounds=3), [Part("main", ["message"], 1)]
    journal = Journal(stem, design, parts, runners)
    builds = [Build("gcc", {}, "Release", "1.7", {}, {}, None, [], [])]
    found = measure.measure(runners, parts, design, builds, journal, QUIET)["whole_programs"]
    assert (found["tool"], found["rounds"], found["workload"]) == ("hyperfine 1.15.0", 3, "message")
    assert found["calls"] == round(0.1e9 / 1.5)  # the median of the latencies above, 1 and 2 ns
    assert [run["round"] for run in found["runs"]] == [0, 0, 1, 1, 2, 2]
    assert {run["result"]["command"] for run in found["runs"]} == {runner.id for runner in runners}
    assert len(commands) == 6
    assert all("--runs=1" in command and "--shell=none" in command for command in commands)
    again = measure.measure(runners, parts, design, builds, journal, QUIET)["whole_programs"]
    assert again == found
    assert len(commands) == 6


def test_without_hyperfine_it_says_so(setup, monkeypatch):
    runners, _, stem = setup
    monkeypatch.setattr(measure.shutil, "which", lambda name: None)
    design, parts = Design(1, 0, 2, 0, whole_rounds=3), [Part("main", ["message"], 1)]
    builds = [Build("gcc", {}, "Release", "1.7", {}, {}, None, [], [])]
    found = measure.measure(runners, parts, design, builds, Journal(stem, design, parts, runners), QUIET)
    assert found["whole_programs"] == {"missing": "hyperfine is not installed (package hyperfine)"}


def test_a_performance_core_is_measured_on(monkeypatch, tmp_path):
    cpus = tmp_path / "system/cpu"
    for cpu, speed in ((0, 3_000), (1, 3_000), (2, 5_000), (3, 5_000)):
        (cpus / f"cpu{cpu}/cpufreq").mkdir(parents=True)
        (cpus / f"cpu{cpu}/cpufreq/cpuinfo_max_freq").write_text(str(speed))
    monkeypatch.setattr(measure.machine, "_CPUS", cpus)
    monkeypatch.setattr(measure.machine.os, "sched_getaffinity", lambda pid: {0, 1, 2, 3})
    assert measure.machine.cpu_to_pin() == 3
    for name, listed in (("cpu_core", "0-1"), ("cpu_atom", "2,3")):  # as Linux tells hybrid processors apart
        (tmp_path / name).mkdir()
        (tmp_path / name / "cpus").write_text(f"{listed}\n")
    assert measure.machine.core_kinds() == {"performance": [0, 1], "efficiency": [2, 3]}
    assert measure.machine.cpu_to_pin() == 1
