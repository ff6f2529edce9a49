"""The face: every word is looked at before anything runs."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from conftest import needs

from perf_ladders.catalogue import ROOT


def make(*words):
    ours = ("MAKE", "MFLAGS", "CASE", "PRESET", "QUICK", "LEVEL", "BLOCKS", "SWEEP_BLOCKS")  # of the make that tests
    environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    return subprocess.run(
        ["make", "--dry-run", *words], cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["reprot"], "Did you mean `report`?"),
        (["report", "xtea"], "Did you mean `make report CASE=xtea`?"),
        (["report", "CSE=xtea"], "Did you mean `CASE`?"),
        (["report", "CASE=des"], "There is no case 'des'; there are: "),
        (["report", "LEVEL=v3"], "There is no level 'v3'; there are: "),
        (["report", "BLOCKS=many"], "BLOCKS takes a number"),
        (["report", "QUICK=0"], "leave QUICK out"),
        (["report", "PRESET=sanitize"], "its times mean nothing"),
        (["self-check", "PRESET=sanitize"], "its times mean nothing"),
        (["self-check", "PRESET=gcc clang"], "one PRESET"),
        (["self-check", "CASE=xtea"], "takes QUICK=1 and one PRESET, nothing else"),
        (["test", "PRESET=msvc"], "There is no preset 'msvc'; there are: "),
        (["run-stage"], "Name one stage"),
        (["run-stage", "3", "4"], "Name one stage"),
        (["run-stage", "xtea-99"], "There is no stage 'xtea-99'."),
        (["run-stage", "xtea-99"], "There are: xtea-00 "),
        (["run-stage", "sha3-99"], "There are: sha3-00"),
        (["diff-stage", "json"], "There are: json-00"),
        (["run-stage", "sah3-00"], "Did you mean `sha3-00`?"),
        (["diff-stage", "99"], "There is no stage '99'"),
        (["diff-stage", "99", "CASE=sha3"], "There are: sha3-00"),
        (["sha3-00"], "Did you mean `make run-stage sha3-00`?"),
        pytest.param(["xtea-04"], "Did you mean `make run-stage xtea-04`?", marks=needs("xtea-04")),
        pytest.param(["4"], "Did you mean `make run-stage 4`?", marks=needs("xtea-04")),
        (["report", "case=xtea"], "Did you mean `CASE`?"),
        (["build", "run-stage", "4"], "stand first and alone"),
        (["hint", "CASE=salsa20"], "CASE belongs to make exercise"),
        (["watch", "LEVEL=x86-64"], "LEVEL belongs to make exercise"),
        (["reset", "PRESET=gcc"], "PRESET belongs to make exercise"),
    ],
)
def test_a_wrong_word_is_told_what_exists(words, sentence):
    done = make(*words)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stdout == "", "something would have run"
    assert len(done.stderr.strip().splitlines()) == 1


@needs("xtea-04")
@pytest.mark.parametrize("word", ["4", "04", "xtea-04", "xtea-4"])
def test_a_stage_by_number_or_name(word):
    assert "run-stage xtea-04" in make("run-stage", word).stdout


@pytest.mark.parametrize(
    "words", [["sha3-00"], ["sha3-0"], ["0", "CASE=sha3"], ["00", "CASE=sha3"], ["sha3-00", "CASE=xtea"]]
)
@pytest.mark.parametrize("verb", ["run-stage", "diff-stage", "profile"])
def test_a_stage_of_another_case(verb, words):
    assert f" {verb} sha3-00" in make(verb, *words).stdout


def test_report_without_a_case_is_a_quick_look_at_xtea():
    assert " report --case xtea --quick --preset gcc" in make("report").stdout
    assert " report --case xtea --preset gcc" in make("report", "CASE=xtea").stdout


def test_one_case_is_built_where_the_words_name_one():
    def targets(*words):
        return [words.strip() for words in re.findall(r"--build --preset \$preset(.*)\|\|", make(*words).stdout)]

    assert targets("build") == targets("test") == targets("report", "CASE=all") == [""]
    assert targets("report") == targets("build", "CASE=xtea") == targets("test", "CASE=xtea") == ["--target xtea"]
    assert targets("run-stage", "sha3-00", "CASE=xtea") == targets("profile", "sha3-00") == ["--target sha3-00"]
    assert "--tests-regex '^xtea-' ||" in make("test", "CASE=xtea").stdout
    assert " words --case xtea" in make("test", "CASE=xtea").stdout
    assert " words " not in make("test").stdout, "tests/scripts read those of all"
    assert "--tests-regex" not in make("test").stdout


def test_self_check_takes_a_preset_and_may_be_quick():
    assert make("self-check").stdout.rstrip().endswith(" self-check --preset gcc")
    assert " self-check --preset clang --quick" in make("self-check", "PRESET=clang", "QUICK=1").stdout


def test_the_doctor_waits_for_nothing():
    assert make("doctor").stdout == "scripts/doctor.sh\n"


def test_slides_are_those_of_the_first_case_and_a_kit_is_for_presets():
    assert make("slides").stdout.rstrip().endswith(" slides")
    assert make("slides", "CASE=all").stdout.rstrip().endswith(" slides --case all")
    assert make("kit", "PRESET=gcc clang").stdout.rstrip().endswith(" kit --preset gcc --preset clang")
