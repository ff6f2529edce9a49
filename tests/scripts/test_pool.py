"""The in-order pool, as somebody at a terminal meets it: counts that are the same on every machine."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from conftest import app_program

PLACES = [4, 8, 16, 32, 64, 128, 256]
NAMES = [f"in-order/places-{places}" for places in PLACES]


@pytest.fixture(scope="session")
def program(build):
    return app_program(build, "hmac-sha1", "pool")


def called(program, *words):
    return subprocess.run([str(program), *words], capture_output=True, text=True, check=False)


def counts(program, *words):
    said = json.loads(called(program, "--json", *words).stdout)
    assert list(said["counts"]) == NAMES
    return list(said["counts"].values())


@pytest.mark.parametrize("mix", range(4))
def test_no_job_waits_for_more_than_the_other_places(program, mix):
    waits = counts(program, "--mix", str(mix))
    assert all(0 <= wait < places for wait, places in zip(waits, PLACES, strict=True))
    assert waits == counts(program, "--mix", str(mix)), "it is no time"


def test_the_reference_finishes_each_job_at_once(build):
    assert counts(app_program(build, "hmac-sha1", "pool", "reference")) == [0] * len(PLACES)


def test_lanes_that_wait_for_jobs_fill_a_small_pool(build):
    """The scheduler works once all its lanes have a job: four of them, and a pool of four holds three."""
    waits = counts(app_program(build, "hmac-sha1", "pool", "scheduler"))
    assert waits[0] == 3
    assert waits == sorted(waits)
    assert waits[-1] == waits[-2] < 127, "more places than the lanes need change nothing"


def test_every_count_is_of_a_workload(program, build):
    stage = Path(str(program).replace("-pool", ""))
    listed = subprocess.run([stage, "workloads"], capture_output=True, text=True, check=True).stdout.splitlines()
    sweeps = [line.split("\t")[0] for line in listed if line.split("\t")[1] == "sweep"]
    assert [name for name in sweeps if name.startswith("in-order/")] == NAMES


def test_the_table_for_people(program):
    lines = called(program).stdout.splitlines()
    assert [line.split() for line in lines[1:]] == [
        [str(places), str(wait)] for places, wait in zip(PLACES, counts(program), strict=True)
    ]


@pytest.mark.parametrize(("words", "parts"), [(["--mix", "4"], ["--mix", "'4'"]), (["now"], ["now"])])
def test_words_that_mean_nothing(program, words, parts):
    done = called(program, *words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert all(part in done.stderr for part in parts)
