"""Blocks, their order, and what is kept when a measurement is stopped."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest
from rich.console import Console

from perf_ladders import measure
from perf_ladders.catalogue import Build, Program
from perf_ladders.complaint import Complaint
from perf_ladders.measure import Design, Part, Runner

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

    def bench(runner, padding, workloads, design):
        calls.append(runner.name)
        return {"involuntary_switches": 0, "times_ns": {name: [1.0] * 5 for name in workloads}}

    monkeypatch.setattr(measure, "_bench", bench)
    monkeypatch.setattr(measure, "_latency", lambda runner, design: [1.0, 2.0])
    monkeypatch.setattr(measure.machine, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(measure.machine, "rates", lambda build, cpu: {})
    return runners, calls, tmp_path / "xtea.journal.jsonl"


def run(runners, journal, blocks=4, seed=1):
    design = Design(blocks, 0, 2, seed, 0)
    builds = [Build("gcc", {}, "Release", "1.7", {}, {}, [], [])]
    return measure.measure(runners, [Part("main", ["message"], blocks)], design, builds, journal, QUIET)


def test_every_program_runs_once_in_every_block(setup):
    runners, calls, journal = setup
    raw = run(runners, journal)
    assert [len(block["runs"]) for block in raw["blocks"]] == [2] * 4
    assert sorted(calls) == ["xtea-00"] * 4 + ["xtea-01"] * 4
    assert set(raw["latency"]) == {"xtea-00.x86-64.gcc", "xtea-01.x86-64.gcc"}


def test_order_and_padding_change_from_block_to_block_and_follow_from_the_seed(setup):
    runners, _, _ = setup
    many = runners * 6
    first = [measure._shuffled(many, 1, "main", number) for number in range(8)]
    assert first == [measure._shuffled(many, 1, "main", number) for number in range(8)]
    assert first != [measure._shuffled(many, 2, "main", number) for number in range(8)]
    orders = {tuple(id(runner) for runner, _ in block) for block in first}
    paddings = {padding for block in first for _, padding in block}
    assert len(orders) > 4
    assert len(paddings) > 40
    assert max(paddings) < 4096


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_stopped_it_keeps_what_it_has_and_goes_on_from_there(setup, monkeypatch, stop):
    runners, calls, journal = setup
    counting = measure._bench

    def failing(*arguments):
        if len(calls) == 5:
            raise stop
        return counting(*arguments)

    monkeypatch.setattr(measure, "_bench", failing)
    with pytest.raises(Complaint, match="goes on from there") as caught:
        run(runners, journal)
    assert caught.value.code == 2
    monkeypatch.setattr(measure, "_bench", counting)
    raw = run(runners, journal)
    assert len(raw["blocks"]) == 4
    assert len(calls) == 5 + 4  # two whole blocks were kept; the third began anew


def test_a_line_cut_off_by_a_power_failure_is_measured_again(setup):
    runners, calls, journal = setup
    run(runners, journal)
    lines = journal.read_text().splitlines()
    journal.write_text("\n".join(lines[:3]) + "\n" + lines[3][:20])
    calls.clear()
    assert len(run(runners, journal)["blocks"]) == 4
    assert len(calls) == 4


def test_another_plan_or_another_program_starts_anew(setup):
    runners, calls, journal = setup
    run(runners, journal)
    calls.clear()
    run(runners, journal)
    assert calls == []
    run(runners, journal, seed=2)
    assert len(calls) == 8
    calls.clear()
    runners[0].program.path.write_text("compiled again")
    run(runners, journal, seed=2)
    assert len(calls) == 8


def test_the_journal_names_its_plan(setup):
    runners, _, journal = setup
    run(runners, journal)
    plan = json.loads(journal.read_text().splitlines()[0])
    assert plan["design"] == asdict(Design(4, 0, 2, 1, 0))


def answering(monkeypatch, returncode, stdout="", stderr=""):
    done = subprocess.CompletedProcess([], returncode, stdout, stderr)
    monkeypatch.setattr(measure, "_started", lambda command, padding=0: done)


def test_a_program_that_this_cpu_cannot_run_is_left_out_with_its_own_sentence(setup, monkeypatch):
    runners, _, _ = setup
    answering(monkeypatch, 77, stderr="This CPU lacks AVX-512F.\n")
    can, cannot = measure.runnable([runner.program for runner in runners])
    assert can == []
    assert [entry["reason"] for entry in cannot] == ["This CPU lacks AVX-512F."] * 2


def test_a_program_that_gives_wrong_answers_is_not_measured(setup, monkeypatch, tmp_path):
    runners, _, _ = setup
    answering(monkeypatch, 1, stdout="block 3 of 7 is wrong")
    with pytest.raises(Complaint, match="block 3 of 7"):
        measure.check([runner.program for runner in runners], tmp_path, QUIET)


def test_a_check_that_passed_is_not_repeated_until_the_program_changes(setup, monkeypatch, tmp_path):
    runners, _, _ = setup
    programs = [runner.program for runner in runners]
    answering(monkeypatch, 0)
    measure.check(programs, tmp_path, QUIET)
    answering(monkeypatch, 1)
    measure.check(programs, tmp_path, QUIET)
    Path(programs[0].path).write_text("compiled again")
    with pytest.raises(Complaint):
        measure.check(programs, tmp_path, QUIET)
