"""The command lines of a case's own programs: who takes part, what is kept, and how a rate becomes a speed-up."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import measurement_sample
import msgspec
import pytest
from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.machine import alone
from perf_ladders.measure import apps, tree_input
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.runner import Plan, Runner
from perf_ladders.measure.session import session
from perf_ladders.model.apps import App, AppRun, SizeTime, Transfers, Waits
from perf_ladders.model.record import LeftOut
from perf_ladders.results import apps as results
from perf_ladders.results import store
from perf_ladders.tree.build import Build, Compiler, Program
from perf_ladders.tree.case_file import Command, read_case_file

RATE = Command("miner", "Mining", ["bench", "--json"], "rate", "H/s")
TIME = Command("miner", "The cache", ["cache"], "time")
SIZES = Command("miner", "Every size", [], "sizes")
COUNTS = Command("miner", "Places", [], "counts", rounds=1)
CELL = {"policy": "flush", "mix": 1, "latency_us": {"median": 1.5, "p99": 20, "p99.9": 30, "worst": 400}}
BUILD = Build("gcc", Compiler("gcc"), "Release", "1.7", {}, {}, None, [], [])
SPEED = {"reference": 100, "reference-again": 100, "for-loop": 200, "botan": 50}
NAMES = {"reference": "xtea-00", "for-loop": "xtea-01", "botan": "xtea-botan"}
HYPERFINE = pytest.mark.skipif(not shutil.which("hyperfine"), reason="hyperfine is not installed")


@pytest.fixture
def runners(tmp_path, monkeypatch):
    """Programs at two levels, with an app that prints the rates of SPEED and notes that it was started."""
    monkeypatch.setattr(alone, "LOCKS", tmp_path)
    made = []
    for name, speed in SPEED.items():
        bare = name.removesuffix("-again")
        for level in ("novec", "x86-64"):
            path = tmp_path / f"{bare}-miner.{level}"
            trials = json.dumps({"trials": [speed, speed / 2]})
            path.write_text(f"#!/bin/sh\necho {path.name} >> {tmp_path}/started\necho '{trials}'\n")
            path.chmod(0o755)
            source, kind = Path(f"00-{bare}/stage.cpp"), "peer" if bare == "botan" else "stage"
            files = (path, path, [], source)
            program = Program("xtea", kind, NAMES[bare], level, "gcc", False, *files, apps={"miner": path})
            made.append(Runner.of(program) if bare == name else Runner.control(program))
    return made


def run(runners, tmp_path, command, limit=None, unbuilt=()):
    plan = Plan(cpu=0, app_rounds=3, app_limit_s=limit)
    with session(Journal(tmp_path / "x", plan, [], runners, [command]), plan, BUILD, Console(quiet=True), 1) as begun:
        (found,) = apps.measured([command], runners, unbuilt, begun)
    assert str(tmp_path).encode() not in msgspec.json.encode(found)
    return found


def answer(runner, script):
    """What its app does instead."""
    runner.program.apps["miner"].write_text(f"#!/bin/sh\n{script}\n")


def started(tmp_path):
    return (tmp_path / "started").read_text().splitlines() if (tmp_path / "started").exists() else []


def test_every_stage_the_control_and_the_libraries_take_part_at_the_highest_level(runners, tmp_path):
    found = run(runners, tmp_path, RATE)
    assert (found.app, found.arguments, found.measure, found.unit) == ("miner", RATE.arguments, "rate", "H/s")
    assert found.rounds == 3
    assert len(found.runs) == 12
    assert {one.program for one in found.runs} == {f"{name}.x86-64.gcc" for name in SPEED}
    assert all(one.value == SPEED[one.program.split(".")[0]] == max(one.trials) for one in found.runs)
    assert len({tuple(one.program for one in found.runs if one.round == number) for number in range(3)}) > 1


def test_levels_rounds_and_stages_may_be_asked_for(runners, tmp_path):
    asked = Command("miner", "Mining", [], "rate", "H/s", levels=["novec"], rounds=2, stages=["for-loop"])
    found = run(runners, tmp_path, asked)
    assert {one.program for one in found.runs} == {"for-loop.novec.gcc"}
    assert found.rounds == 2


def test_libraries_may_take_part_beside_some_stages(runners, tmp_path):
    asked = Command("miner", "Mining", [], "rate", "H/s", rounds=1, stages=["for-loop"], libraries=True)
    assert {one.program for one in run(runners, tmp_path, asked).runs} == {"for-loop.x86-64.gcc", "botan.x86-64.gcc"}


def test_waiting_times_are_kept_in_nanoseconds(runners, tmp_path):
    said = json.dumps({"trials": [5], "cells": [{**CELL, "policy": "wait"}, CELL]})
    for runner in runners:
        answer(runner, f"echo '{said}'")
    one = run(runners, tmp_path, RATE).runs[0]
    assert one.value == 5
    assert [told.policy for told in one.waits] == ["wait", "flush"]
    assert one.waits[1] == Waits(policy="flush", median_ns=1_500, p99_ns=20_000, longest_ns=400_000)


def test_of_counts_the_largest_counts_and_all_may_be_0(runners, tmp_path):
    for number, runner in enumerate(runners):
        said = json.dumps({"counts": {"in-order/places-4": 0, "in-order/places-8": number}})
        answer(runner, f"echo '{said}'")
    found = {one.program: one for one in run(runners, tmp_path, COUNTS).runs}
    assert found["botan.x86-64.gcc"].value == found["botan.x86-64.gcc"].counts["in-order/places-8"] > 0
    assert all(one.counts["in-order/places-4"] == 0 for one in found.values())


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Two folders with files; `put` writes one, and forgets what was read before."""
    monkeypatch.setattr(tree_input.paths, "ROOT", tmp_path)

    def put(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        tree_input._made.cache_clear()

    for path, text in (("b/2", "two"), ("b/1/x", "one"), ("a/3", "three"), ("a/.3.swp", "hidden"), ("c/4", "four")):
        put(path, text)
    yield put
    tree_input._made.cache_clear()


READS = Command("miner", "Reading", ["--of", "{input}"], "rate", "MB/s", rounds=1, input=["b", "a"])


def test_the_input_is_all_files_of_the_folders_in_order(runners, tmp_path, tree):
    for runner in runners:
        answer(runner, f'cat "$2" > {tmp_path}/read\necho \'{{"trials": [1]}}\'')
    found = run(runners, tmp_path, READS)
    assert (tmp_path / "read").read_text() == "threeonetwo"
    assert (found.input.files, found.input.bytes) == (3, 11)
    assert found.arguments == ["--of", "{input}"]
    tree("c/4", "another")
    assert run(runners, tmp_path, READS).input == found.input


def test_other_files_begin_again(runners, tmp_path, tree):
    before = run(runners, tmp_path, READS)
    count = len(started(tmp_path))
    run(runners, tmp_path, READS)
    assert len(started(tmp_path)) == count, "from the journal"
    tree("a/3", "3")
    after = run(runners, tmp_path, READS)
    assert len(started(tmp_path)) == 2 * count
    assert (before.input.bytes, after.input.bytes) == (11, 7)
    assert before.input.sha256 != after.input.sha256


def test_finished_rounds_are_in_the_journal(runners, tmp_path):
    first = run(runners, tmp_path, RATE)
    assert run(runners, tmp_path, RATE) == first
    assert len(started(tmp_path)) == 12
    run(runners, tmp_path, RATE, limit=0.001)  # another plan
    assert len(list(tmp_path.glob("*.journal.jsonl"))) == 2


@pytest.mark.parametrize("code", [77, 2])
@pytest.mark.parametrize("command", [RATE, pytest.param(TIME, marks=HYPERFINE)])
def test_a_program_that_cannot_run_says_why(runners, tmp_path, code, command):
    answer(runners[-1], f"echo 'This takes\n2 GiB.' >&2\nexit {code}")
    found = run(runners, tmp_path, command)
    assert found.left_out == [LeftOut(name="botan.x86-64.gcc", reason="This takes 2 GiB")]
    assert len(found.runs) == 9


def test_where_none_can_run_it_is_tried_once(runners, tmp_path):
    for runner in runners:
        answer(runner, "echo 'This takes 2 GiB.' >&2\nexit 2")
    found = run(runners, tmp_path, RATE)
    assert (found.missing, found.rounds, found.left_out) == ("This takes 2 GiB", 0, [])


@pytest.mark.parametrize(
    ("command", "script", "sentence"),
    [
        (RATE, "exit 1", "Mining: it ended with exit code 1"),
        (RATE, "echo no", "Mining: it printed no JSON with trials"),
        (RATE, "echo '{\"rates\": [1]}'", "Mining: it printed no JSON with trials"),
        (RATE, "echo '{\"trials\": [0]}'", r"Mining: its trials are \[0.0\]"),
        (RATE, f"echo '{json.dumps({'trials': [1], 'cells': [CELL, CELL]})}'", "Mining: a policy is there twice"),
        (RATE, 'echo \'{"trials": [1], "cells": [{"mix": 1}]}\'', "Mining: it printed no JSON with trials"),
        (COUNTS, "echo '{\"counts\": {}}'", "Places: it printed no JSON with counts"),
        (COUNTS, 'echo \'{"counts": {"a": -1}}\'', "Places: it printed no JSON with counts"),
        (SIZES, "echo '{\"trials\": [1]}'", "Every size: it printed no JSON with sizes and device"),
        (SIZES, 'echo \'{"sizes": [], "device": null}\'', "Every size: it printed no JSON with sizes and device"),
    ],
)
def test_a_program_that_fails_stops_the_measurement(runners, tmp_path, command, script, sentence):
    answer(runners[-1], script)
    for runner in runners[:-1] if command in (SIZES, COUNTS) else []:
        answer(runner, script)
    with pytest.raises(UserError, match=sentence):
        run(runners, tmp_path, command)


@HYPERFINE
def test_times_are_those_of_hyperfine(runners, tmp_path):
    found = run(runners, tmp_path, TIME)
    assert len(found.runs) == 12
    assert all(0 < one.value < 10 for one in found.runs)
    assert all(one.user is not None and one.system is not None for one in found.runs)


def test_of_sizes_the_time_of_the_largest_counts(runners, tmp_path):
    parts = {"to_device": 1, "kernel": 2.5, "to_host": 3, "together": 7}
    sizes = [{"bytes": size, "stage_ns": size / 2, "device_ns": parts} for size in (4096, 8)]
    device = {"name": "pthread", "platform": "PoCL", "driver": "3.1", "kind": "CPU"}
    for runner in runners:
        answer(runner, f"echo '{json.dumps({'device': device, 'sizes': sizes})}'")
    one = run(runners, tmp_path, SIZES).runs[0]
    assert one.value == pytest.approx(2048e-9)
    assert one.sizes[0] == SizeTime(bytes=4096, stage_ns=2048.0, device_ns=Transfers(**parts))
    assert (one.device.name, one.device.kind) == ("pthread", "CPU")


def test_what_is_not_there_is_said(runners, tmp_path):
    for runner in runners:
        runner.program.apps.clear()
    unbuilt = [LeftOut(name="miner", reason="CLI11 is not installed")]
    assert run(runners, tmp_path, RATE, unbuilt=unbuilt).missing == "CLI11 is not installed"
    assert "no program was built" in run(runners, tmp_path, RATE).missing


def test_without_hyperfine_there_are_no_times(runners, tmp_path, monkeypatch):
    monkeypatch.setattr(apps.shutil, "which", lambda name: None)
    assert "hyperfine is not installed" in run(runners, tmp_path, TIME).missing


def test_a_quick_report_leaves_out_what_takes_long(runners, tmp_path):
    for runner in runners:
        answer(runner, "sleep 5")
    found = run(runners, tmp_path, RATE, limit=1)
    assert found.missing == "not part of a quick report: all programs together would take over 1 s"
    plan = Plan(cpu=0, app_rounds=5, app_limit_s=15)
    many = Command("miner", "Mining", [], "rate", "H/s", rounds=10)
    assert (apps.rounds_of(many, plan), apps.rounds_of(many, Plan(cpu=0, app_rounds=5))) == (5, 10)


def filled(measure, values, rounds=12):
    """A measurement with one command line, its values by short name."""
    found = measurement_sample.small()
    runs = [
        AppRun(program=measurement_sample.program(name).id, round=number, value=value * (1 + 0.001 * number))
        for number in range(rounds)
        for name, value in values.items()
    ]
    found.apps = [App(app="miner", arguments=[], measure=measure, unit="s", rounds=rounds, runs=runs)]
    return found


def rows_of(found):
    return {row.stage: row for row in results.rows(measurement_sample.analysed(found), found.apps[0])}


@pytest.mark.parametrize(("what", "four"), [("rate", 300), ("time", 100 / 3)])
def test_more_is_faster_for_a_rate_and_less_for_a_time(what, four):
    rows = rows_of(filled(what, {"xtea-00": 100, "xtea-00-again": 100, "xtea-02": 100, "xtea-04": four}))
    row = rows["xtea-04"]
    assert row.vs_reference.ratio == row.vs_base.ratio == pytest.approx(3)
    assert row.vs_base.verdict == "faster"
    assert row.base == "xtea-02"
    assert row.median == pytest.approx(four * 1.0055)
    (control,) = [row for row in rows.values() if row.kind == "control"]
    assert control.vs_reference.verdict == "same"


def test_the_control_makes_the_floor_of_a_program():
    four = rows_of(filled("time", {"xtea-00": 100, "xtea-00-again": 110, "xtea-04": 97}))["xtea-04"]
    assert four.floor == pytest.approx(0.1)
    assert four.vs_reference.verdict == "same"
    assert four.vs_base is None  # it was not measured


def test_without_a_control_a_program_has_no_floor_and_no_verdict():
    four = rows_of(filled("time", {"xtea-00": 100, "xtea-02": 100, "xtea-04": 50}))["xtea-04"]
    assert (four.floor, four.vs_base.verdict) == (None, "undecided")
    assert four.vs_base.ratio == pytest.approx(2)


def test_a_measurement_with_apps_is_valid(tmp_path):
    found = filled("rate", {"xtea-00": 100, "xtea-04": 300})
    assert store.load(store.save(found, tmp_path / "xtea.json")) == found


FIELDS = {"app": '"miner"', "title": '"Mining"', "arguments": "[]", "measure": '"time"'}


def case_file(folder, fields):
    lines = ['title = "T"', 'summary = "S"', 'source = "D"', "[[programs]]"]
    path = folder / "case.toml"
    path.write_text("\n".join([*lines, *(f"{name} = {value}" for name, value in fields.items())]))
    return read_case_file(path)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({**FIELDS, "apps": '"miner"'}, "there is no field `apps`; did you mean `app`?"),
        ({**FIELDS, "measure": '"rate"'}, "has a unit"),
        ({**FIELDS, "unit": '"H/s"'}, "has a unit"),
        ({**FIELDS, "measure": '"speed"'}, "it is one of time, rate, sizes, counts"),
        ({**FIELDS, "input": '["common"]'}, 'the word "{input}" of `arguments`'),
        ({**FIELDS, "arguments": '["{input}"]'}, 'the word "{input}" of `arguments`'),
        ({**FIELDS, "libraries": "true"}, "without `stages` they take part as it is"),
        ({**FIELDS, "levels": '["v3"]'}, "there is no level 'v3'"),
        ({"app": '"miner"'}, "the field `title` is missing"),
    ],
)
def test_a_wrong_entry_gets_one_sentence(tmp_path, fields, sentence):
    assert case_file(tmp_path, FIELDS).programs == [Command("miner", "Mining", [], "time")]
    with pytest.raises(UserError) as caught:
        case_file(tmp_path, fields)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_program_that_is_built_again_begins_a_journal_of_its_own(runners, tmp_path):
    def path():
        return Journal(tmp_path / "x", Plan(cpu=0), [], runners, [RATE]).path

    first = path()
    app: Path = runners[0].program.apps["miner"]
    copy = app.with_name("copy")
    copy.write_text(app.read_text() + "# compiled again\n")
    runners[0].program.apps["miner"] = copy
    assert path() != first
