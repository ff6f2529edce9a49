"""The feeder of packets, as somebody at a terminal meets it. How long anything takes is nobody's promise."""

from __future__ import annotations

import json
import subprocess

import pytest
from conftest import app_program

POLICIES = ["wait", "flush", "watchdog"]
SECONDS = 0.005
SHORT = ["--seconds", str(SECONDS), "--silence-us", "100"]
CELL = {
    "mix",
    "policy",
    "capacity_per_second",
    "planned_per_second",
    "packets",
    "packets_per_second",
    "mb_per_second",
    "busy_ns_per_packet",
    "latency_us",
    "left_at_the_end",
}


@pytest.fixture(scope="session")
def program(build):
    return app_program(build, "hmac-sha1", "packets")


@pytest.fixture
def packets(program):
    """Calls the program, and gives its output; where it fails, what it says about that."""

    def call(*words, code=0):
        command = [str(word) for word in (program, *words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        if code:
            assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr if code else done.stdout

    return call


def expect_right(cell):
    assert set(cell) == CELL
    latency = list(cell["latency_us"].items())
    assert [name for name, _ in latency] == ["median", "p99", "p99.9", "worst"]
    values = [value for _, value in latency]
    assert values == sorted(values)
    assert values[0] >= 0
    assert 0 <= cell["left_at_the_end"] <= cell["packets"]
    for name in ("capacity_per_second", "planned_per_second", "packets_per_second", "mb_per_second", "packets"):
        assert cell[name] > 0, name


def test_every_mix_with_every_policy(packets):
    report = json.loads(packets("--json", *SHORT))
    assert [(cell["mix"], cell["policy"]) for cell in report["cells"]] == [(m, p) for m in range(4) for p in POLICIES]
    assert (report["burst"], report["deadline_us"], report["silence_us"]) == (32, 50, 100)
    for cell in report["cells"]:
        expect_right(cell)
        assert cell["packets"] == int(cell["planned_per_second"] * SECONDS / 32) * 32, "whole bursts"
        if size := {0: 64, 3: 2_048}.get(cell["mix"]):  # the mixes whose messages are of one size
            assert cell["mb_per_second"] == pytest.approx(cell["packets_per_second"] * size / 1e6)
    assert report["trials"] == [cell["capacity_per_second"] for cell in report["cells"][::3]], "of each mix"


def test_the_table_fits_a_terminal(packets):
    lines = packets(*SHORT).splitlines()
    assert len(lines) == 2 + 4 * 3
    assert max(len(line) for line in lines) <= 80
    assert [line.split()[:2] for line in lines[2:]] == [[str(m), p] for m in range(4) for p in POLICIES]
    assert all(len(line.split()) == 10 for line in lines[2:])


# One alone, one burst, no whole bursts, more than there are messages; more than any stage can do.
@pytest.mark.parametrize("count", [1, 32, 1_000, 20_011])
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("words", [["--burst", "1"], ["--burst", "1000"], ["--load", "10"], ["--rate", "1000000"]])
def test_each_packet_comes_back_once(packets, count, policy, words):
    """The program itself counts, and looks at every digest; it ends with 1 otherwise."""
    report = json.loads(packets("--json", "--mix", "2", "--policy", policy, "--packets", count, *words))
    (cell,) = report["cells"]
    expect_right(cell)
    assert (cell["policy"], cell["packets"]) == (policy, count)


def test_what_is_asked_for_is_what_is_done(packets):
    words = ["--mix", "3", "0", "--policy", "flush", "--policy", "wait", "--rate", "200000", "--packets", "100"]
    cells = json.loads(packets("--json", "--silence-us", "0", "--deadline-us", "0", *words))["cells"]
    assert [(c["mix"], c["policy"]) for c in cells] == [(3, "flush"), (3, "wait"), (0, "flush"), (0, "wait")]
    assert all((cell["planned_per_second"], cell["packets"]) == (200_000, 100) for cell in cells)
    (cell,) = json.loads(packets("--json", "--mix", "1", "--policy", "wait", "--load", "0.25", "--packets", "9"))[
        "cells"
    ]
    assert cell["planned_per_second"] == pytest.approx(cell["capacity_per_second"] / 4)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("now", ["now"]),
        ("--fast", ["--fast"]),
        ("--mix 4", ["--mix", "'4'", "0 to 3"]),
        ("--mix", ["--mix"]),
        ("--mix 1 x", ["'x'"]),
        ("--policy hope", ["--policy", "hope", "watchdog"]),
        ("--burst 0", ["--burst", "'0'"]),
        ("--burst 1.5", ["--burst", "'1.5'"]),
        ("--load 0", ["--load", "'0'"]),
        ("--load nan", ["--load", "'nan'"]),
        ("--load 11", ["--load", "10"]),
        ("--load 0.5 --rate 1000", ["--load", "--rate"]),
        ("--rate 0", ["--rate", "'0'"]),
        ("--rate inf", ["--rate", "'inf'"]),
        ("--seconds 0", ["--seconds", "'0'"]),
        ("--seconds 1 --packets 1", ["--seconds", "--packets"]),
        ("--packets 0", ["--packets", "'0'"]),
        ("--packets 20000001", ["--packets", "20000000"]),
        ("--deadline-us -1", ["--deadline-us", "'-1'"]),
        ("--silence-us x", ["--silence-us", "'x'"]),
        ("--rate 1000000000 --seconds 60", ["20000000", "--seconds"]),
        ("--rate 1 --packets 10000", ["hour", "--packets"]),
        ("--rate 1 --burst 1000000 --packets 1 --mix 0 --policy wait", ["hour", "--burst"]),
        ("--load 0.001 --burst 1000000", ["burst", "--seconds", "--burst"]),
        ("--rate 10 --mix 0 --policy flush", ["burst", "--seconds", "--burst"]),
    ],
)
def test_words_that_mean_nothing(packets, words, parts):
    said = packets(*words.split(), code=2)
    for part in parts:
        assert part in said


def test_help(packets):
    text = packets("--help")
    assert all(word in text for word in [*POLICIES, "--mix", "--load", "--deadline-us", "--json"])
    assert max(len(line) for line in text.splitlines()) <= 80
