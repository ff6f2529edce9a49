"""The command lines of a case's own programs: who takes part, what is kept, and how a rate becomes a speed-up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import made_result
from rich.console import Console

from perf_ladders import catalogue, measure, programs, result
from perf_ladders.catalogue import Build, Command, Program
from perf_ladders.complaint import Complaint
from perf_ladders.measure import Design, Journal, Runner

QUIET = Console(quiet=True)
RATE = Command("miner", "Mining", ["bench", "--json"], "rate", "H/s")
TIME = Command("miner", "The cache", ["cache"], "time")
SPEED = {"xtea-00": 100, "xtea-00-again": 100, "xtea-01": 200, "xtea-botan": 50}


@pytest.fixture
def runners(tmp_path, monkeypatch):
    """Programs at two levels, with an app that prints the rates of SPEED and notes that it was started."""
    monkeypatch.setattr(measure.tempfile, "gettempdir", lambda: str(tmp_path))
    made = []
    for name, speed in SPEED.items():
        for level in ("novec", "x86-64"):
            path = tmp_path / f"{name.removesuffix('-again')}-miner.{level}"
            trials = json.dumps({"trials": [speed, speed / 2]})
            path.write_text(f"#!/bin/sh\necho {path.name} >> {tmp_path}/started\necho '{trials}'\n")
            path.chmod(0o755)
            bare, kind = name.removesuffix("-again"), "peer" if "botan" in name else "stage"
            program = Program("xtea", kind, bare, level, "gcc", False, path, path, [], path, apps={"miner": path})
            made.append(Runner(program, name))
    return made


def run(runners, tmp_path, *commands, limit=None, left_out=()):
    design = Design(1, 0, 1, 0, program_rounds=3, program_limit_s=limit)
    builds = [Build("gcc", {}, "Release", "1.7", {}, {}, None, [], list(left_out))]
    journal = Journal(tmp_path / "x", design, [], runners, commands)
    with measure.session(journal, QUIET, 1) as begun:
        return programs.measured(commands, runners, design, builds, begun)


def started(tmp_path):
    return (tmp_path / "started").read_text().splitlines() if (tmp_path / "started").exists() else []


def test_every_stage_the_control_and_the_libraries_take_part_at_the_highest_level(runners, tmp_path):
    (found,) = run(runners, tmp_path, RATE)
    assert found["rounds"] == 3
    assert len(found["runs"]) == 12
    assert {run["runner"] for run in found["runs"]} == {f"{name}.x86-64.gcc" for name in SPEED}
    assert all(run["value"] == SPEED[run["runner"].split(".")[0]] for run in found["runs"])  # the best of the trials
    assert len({tuple(r["runner"] for r in found["runs"] if r["round"] == number) for number in range(3)}) > 1
    assert str(tmp_path) not in json.dumps(found)


def test_levels_and_rounds_may_be_asked_for(runners, tmp_path):
    asked = Command("miner", "Mining", [], "rate", "H/s", levels=["novec"], rounds=2)
    (found,) = run(runners, tmp_path, asked)
    assert {run["runner"].split(".")[1] for run in found["runs"]} == {"novec"}
    assert found["rounds"] == 2


def test_finished_rounds_are_in_the_journal(runners, tmp_path):
    first = run(runners, tmp_path, RATE)
    assert run(runners, tmp_path, RATE) == first
    assert len(started(tmp_path)) == 12
    run(runners, tmp_path, RATE, TIME, limit=0.001)  # another plan
    assert len(list(tmp_path.glob("*.journal.jsonl"))) == 2


@pytest.mark.parametrize("code", [77, 2])
def test_a_program_that_cannot_run_says_why(runners, tmp_path, code):
    path = runners[-1].program.apps["miner"]
    path.write_text(f"#!/bin/sh\necho 'This takes 2 GiB.' >&2\nexit {code}\n")
    for command in (RATE, TIME) if measure.shutil.which("hyperfine") else (RATE,):
        (found,) = run(runners, tmp_path, command)
        assert found["left_out"] == [{"name": "xtea-botan.x86-64.gcc", "reason": "This takes 2 GiB"}]
        assert len(found["runs"]) == 9


def test_where_none_can_run_it_is_tried_once(runners, tmp_path):
    for runner in runners:
        runner.program.apps["miner"].write_text("#!/bin/sh\necho 'This takes 2 GiB.' >&2\nexit 2\n")
    (found,) = run(runners, tmp_path, RATE)
    assert (found["missing"], found["rounds"], found["left_out"]) == ("This takes 2 GiB", 0, [])


@pytest.mark.parametrize(
    ("script", "sentence"),
    [("exit 1", "went wrong .exit code 1"), ("echo no", "printed no JSON"), ("echo '{\"trials\": [0]}'", "trials are")],
)
def test_a_program_that_goes_wrong_stops_the_measurement(runners, tmp_path, script, sentence):
    runners[-1].program.apps["miner"].write_text(f"#!/bin/sh\n{script}\n")
    with pytest.raises(Complaint, match=sentence):
        run(runners, tmp_path, RATE)


@pytest.mark.skipif(not measure.shutil.which("hyperfine"), reason="hyperfine is not installed")
def test_times_are_those_of_hyperfine(runners, tmp_path):
    (found,) = run(runners, tmp_path, TIME)
    assert all(run["value"] == run["hyperfine"]["mean"] for run in found["runs"])
    assert str(tmp_path) not in json.dumps(found)


def test_what_is_not_there_is_said(runners, tmp_path, monkeypatch):
    bare = [Runner(runner.program, runner.name) for runner in runners]
    for runner in bare:
        runner.program.apps.clear()
    left_out = [{"name": "xtea-miner", "reason": "CLI11 is not installed"}]
    (found,) = run(bare, tmp_path, RATE, left_out=left_out)
    assert found["missing"] == "CLI11 is not installed"
    assert "no program was built" in run(bare, tmp_path, RATE)[0]["missing"]


def test_without_hyperfine_there_are_no_times(runners, tmp_path, monkeypatch):
    monkeypatch.setattr(programs.shutil, "which", lambda name: None)
    assert "hyperfine is not installed" in run(runners, tmp_path, TIME)[0]["missing"]


def test_a_quick_look_leaves_out_what_takes_long(runners, tmp_path):
    for runner in runners:
        runner.program.apps["miner"].write_text("#!/bin/sh\nsleep 5\n")
    (found,) = run(runners, tmp_path, RATE, limit=1)
    assert found["missing"] == "not part of a quick look: all programs together would take over 1 s"


def filled(measure_what, values, rounds=12):
    """A result with one command line, its values by stage."""
    found = made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4, "xtea-botan": 2})
    runs = [
        {"runner": f"{name}.x86-64.gcc", "round": number, "value": value * (1 + 0.001 * number)}
        for number in range(rounds)
        for name, value in values.items()
    ]
    command = Command("miner", "Mining", [], measure_what, "H/s" if measure_what == "rate" else "s")
    about = {**vars(command), "rounds": rounds, "runs": runs, "left_out": []}
    return result.with_rows({**found, "programs": [about]})


@pytest.mark.parametrize(("what", "four"), [("rate", 300), ("time", 100 / 3)])
def test_more_is_faster_for_a_rate_and_less_for_a_time(what, four):
    found = filled(what, {"xtea-00": 100, "xtea-00-again": 100, "xtea-02": 100, "xtea-04": four})
    row = next(row for row in found["programs"][0]["rows"] if row["stage"] == "xtea-04")
    assert row["vs_reference"]["ratio"] == row["vs_base"]["ratio"] == pytest.approx(3)
    assert row["vs_base"]["verdict"] == "faster"
    assert row["base"] == "xtea-02"
    assert row["median"] == pytest.approx(four * 1.0055)
    control = next(row for row in found["programs"][0]["rows"] if row["kind"] == "control")
    assert control["vs_reference"]["verdict"] == "same"


def test_the_control_makes_the_floor_of_a_program():
    found = filled("time", {"xtea-00": 100, "xtea-00-again": 110, "xtea-04": 97})
    four = next(row for row in found["programs"][0]["rows"] if row["stage"] == "xtea-04")
    assert four["floor"] == pytest.approx(0.1)
    assert four["vs_reference"]["verdict"] == "same"
    assert four["vs_base"] is None  # it was not measured


def test_without_a_control_a_program_has_no_floor_and_no_verdict():
    found = filled("time", {"xtea-00": 100, "xtea-02": 100, "xtea-04": 50})
    four = next(row for row in found["programs"][0]["rows"] if row["stage"] == "xtea-04")
    assert (four["floor"], four["vs_base"]["verdict"]) == (None, "unresolved")
    assert four["vs_base"]["ratio"] == pytest.approx(2)


def test_a_result_with_programs_is_valid(tmp_path):
    found = filled("rate", {"xtea-00": 100, "xtea-04": 300})
    result.save(found, tmp_path / "xtea.json")
    assert result.load(tmp_path / "xtea.json") == found


FIELDS = {"app": "miner", "title": "Mining", "arguments": [], "measure": "time"}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({**FIELDS, "apps": "miner"}, "has a field 'apps'"),
        ({**FIELDS, "app": "mine"}, "no apps/mine/main.cpp"),
        ({**FIELDS, "measure": "rate"}, "and its unit"),
        ({**FIELDS, "measure": "sizes", "stages": ["xtea-00"]}, "by their two digits"),
        ({**FIELDS, "unit": "H/s"}, "and its unit"),
        ({**FIELDS, "measure": "speed"}, "and its unit"),
        ({**FIELDS, "levels": ["v3"]}, "there is no level 'v3'"),
        ({"app": "miner"}, "lacks the field `title`"),
    ],
)
def test_a_wrong_entry_gets_one_sentence(tmp_path, fields, sentence):
    (tmp_path / "apps/miner").mkdir(parents=True)
    (tmp_path / "apps/miner/main.cpp").touch()
    assert catalogue._command(tmp_path / "case.toml", FIELDS).unit == "s"
    with pytest.raises(Complaint) as caught:
        catalogue._command(tmp_path / "case.toml", fields)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_program_built_anew_begins_a_journal_of_its_own(runners, tmp_path):
    def path():
        return Journal(tmp_path / "x", Design(1, 0, 1, 0), [], runners, [RATE]).path

    first = path()
    app: Path = runners[0].program.apps["miner"]
    copy = app.with_name("copy")
    copy.write_text(app.read_text() + "# compiled again\n")
    runners[0].program.apps["miner"] = copy
    assert path() != first
