"""Files whose parts do not fit together are refused in one sentence, whatever is to be done with them."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from conftest import made_result
from evidence_sample import enriched
from lesson_sample import ROUNDS, WARM_UP, taught

from perf_ladders import cli, result
from perf_ladders.catalogue import Program, read_case
from perf_ladders.complaint import Complaint

FOUR = "xtea-04.x86-64.gcc"


@pytest.fixture(scope="module")
def sample(small_result):
    return enriched(small_result)


def refused(found, folder):
    """What is said of it."""
    path = folder / "xtea.json"
    path.write_text(json.dumps(found))
    with pytest.raises(Complaint) as caught:
        result.load(path)
    said = str(caught.value)
    assert said.startswith(f"{path} is no valid result: ")
    assert "\n" not in said
    return said


def without_runner(found, name):
    found["runners"] = [one for one in found["runners"] if one["id"] != name]


def without_times(found):
    del found["blocks"][0]["runs"][0]["times_ns"]["message"]


def without_a_run(found):
    """Of one program the first block, of another the last: as many are left of both."""
    found["blocks"][0]["runs"].pop(0)
    found["blocks"][19]["runs"].pop(1)


def measured_twice(found):
    found["blocks"][1] = found["blocks"][0]


def fewer_repetitions(found):
    found["blocks"][3]["runs"][0]["times_ns"]["message"].pop()


def without_stage(found):
    found["stages"].pop(0)


def without_rounds(found):
    found["whole_programs"]["runs"].pop()


def without_a_round_of_a_program(found):
    found["programs"][0]["runs"].pop()


def run_of_nobody(found):
    found["programs"][0]["runs"][0]["runner"] = "nobody"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: without_runner(found, "xtea-00.x86-64.gcc"), "xtea-00, with which all is compared, was not "),
        (lambda found: without_runner(found, "xtea-00-again.x86-64.gcc"), "xtea-00-again, with which all is compared"),
        (lambda found: without_runner(found, "xtea-botan.x86-64.gcc"), "has 1 runs of xtea-botan.x86-64.gcc, not 0"),
        (without_stage, "its first stage is xtea-01, not xtea-00"),
        (lambda found: found["stages"].pop(1), "of a stage that does not stand in `stages`"),
        (lambda found: found["stages"].append(found["stages"][1]), "the stage xtea-01 is there twice"),
        (lambda found: found["workloads"].pop(), "the workload miner/cache stands in `workloads` or in the parts"),
        (lambda found: found["blocks"][0].update(part="else"), "block 0 of the part else is of no part"),
        (lambda found: found["blocks"].pop(20) and found["blocks"].pop(), "the part others of its design has no block"),
        (
            lambda found: found["stages"][1]["files"].append("x.cpp"),
            "the file x.cpp stands in a list of files",
        ),
        (without_times, "has not 5 times of each of message in block 0 of the part main"),
        (fewer_repetitions, "has not 5 times of each of message in block 3 of the part main"),
        (without_a_run, "block 0 of the part main has 0 runs of xtea-00.x86-64.gcc, not 1"),
        (measured_twice, "block 0 of the part main is there twice"),
        (lambda found: found["latency"].pop(FOUR), f"the runner {FOUR} stands in `runners` or in `latency`"),
        (lambda found: found["evidence"].update(nobody=found["evidence"][FOUR]), "there is evidence of nobody"),
        (without_rounds, "has not one run of whole programs in each of 3 rounds"),
        (without_a_round_of_a_program, "has not one run of the program 'Mining <b>light</b>' in each of 12 rounds"),
        (run_of_nobody, "were run by nobody"),
    ],
)
def test_parts_that_do_not_fit_are_named(sample, tmp_path, change, said):
    found = copy.deepcopy(sample)
    change(found)
    assert said in refused(found, tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found["machine"].update(core_kinds=None), "machine.core_kinds: what is there is not of type"),
        (lambda found: found["machine"].update(system=None), "machine.system: what is there is not of type"),
        (lambda found: found["stages"][1].update(predicts={"x86-64": [1]}), "stages[1].predicts.x86-64: "),
        (lambda found: found["stages"][1].update(predicts=[[1, 2]]), "stages[1].predicts: "),
        (lambda found: found["stages"][1].update(notes=None), "stages[1].notes: "),
        (lambda found: found.pop("apps"), '"apps" is a required property'),
        (lambda found: found["rates"]["x86-64"].pop("all"), '"all" is a required property'),
        (lambda found: found["operations"].pop("lane_bits"), '"lane_bits" is a required property'),
    ],
)
def test_fields_that_pages_read_are_not_empty(sample, tmp_path, change, said):
    found = copy.deepcopy(sample)
    change(found)
    assert said in refused(found, tmp_path)


def test_a_lesson_has_its_calls_and_its_blocks(tmp_path):
    means = {f"xtea-{name}": (1_000.0, 10.0) for name in ("00", "00-again", "02", "04")}
    good = taught(made_result(dict.fromkeys(means, 1.0)), means, [(1.0, 2.0)], 0.1)
    found = copy.deepcopy(good)
    found["latency"][FOUR].pop()
    found["latency"][FOUR].pop()
    calls = WARM_UP + ROUNDS
    assert f"there are {calls - 1} single calls of {FOUR}, of {calls} that the lesson needs" in refused(found, tmp_path)
    found = copy.deepcopy(good)
    found["lesson"]["against_itself"]["experiments"][1][2]["runs"].pop()
    assert "in experiment 2 of the lesson block 2 of the part against itself has 0 runs of control" in refused(
        found, tmp_path
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"schema": "perf-ladders result", "version": 2, "seed": ' + "[" * 600 + "]" * 600 + "}", "no valid result"),
        ('{"schema": "perf-ladders result", "seed": NaN}', "NaN is no number"),
        ('{"schema": "perf-ladders result", "seed": 1' + "0" * 400 + "}", "a number has 401 digits"),
    ],
)
@pytest.mark.parametrize("command", ["render", "merge", "report-check", "publish"])
def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path, capsys, command, text, said):
    path = tmp_path / "xtea.json"
    path.write_text(text)
    assert cli.main([command, str(path)]) == 2
    assert said in capsys.readouterr().err


def test_what_has_no_reference_beside_it_is_not_measured():
    def program(name, level):
        return Program("xtea", "stage", name, level, "gcc", False, Path(), Path(), [], Path())

    both = [program(name, "x86-64") for name in ("xtea-00", "xtea-04")]
    kept, left_out = cli._beside_the_reference(read_case("xtea"), [*both, program("xtea-04", "novec")])
    assert kept == both
    assert left_out == [{"name": "xtea-04.novec.gcc", "reason": "there is no xtea-00 to compare with"}]
    with pytest.raises(Complaint, match="xtea-00, with which all is compared, was not built"):
        cli._beside_the_reference(read_case("xtea"), both[1:])


@pytest.mark.parametrize("command", ["render", "merge", "report-check", "publish"])
def test_whatever_is_to_be_done_with_it(small_result, tmp_path, capsys, command):
    found = copy.deepcopy(small_result)
    without_runner(found, "xtea-00-again.x86-64.gcc")
    path = tmp_path / "xtea.json"
    path.write_text(json.dumps(found))
    assert cli.main([command, str(path)]) == 2
    assert "xtea-00-again, with which all is compared, was not measured at x86-64 with gcc" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["xtea.json"]
