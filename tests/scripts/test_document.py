"""The program of Threefish's document, as somebody at a terminal meets it."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from conftest import app_program

KEY = (9_457_023_847_234, 472_570_192_431_239, 1_234_728_012_456, 54_774_345_235_234)
TWEAK = (7, 15)
PLAIN = (0, 1, 2, 3)
ROTATIONS = ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32))
MASK = (1 << 64) - 1


def encrypted(block, key, tweak):
    """Threefish-256, written from its specification."""
    keys = (*key, 0x1BD11BDAA9FC1A22 ^ key[0] ^ key[1] ^ key[2] ^ key[3])
    tweaks = (*tweak, tweak[0] ^ tweak[1])
    x = list(block)
    for number in range(73):
        if number % 4 == 0:
            s = number // 4
            more = (0, tweaks[s % 3], tweaks[(s + 1) % 3], s)
            x = [(word + keys[(s + i) % 5] + more[i]) & MASK for i, word in enumerate(x)]
        if number < 72:
            for i, rotation in zip((0, 2), ROTATIONS[number % 8], strict=True):
                x[i] = (x[i] + x[i + 1]) & MASK
                x[i + 1] = ((x[i + 1] << rotation | x[i + 1] >> 64 - rotation) & MASK) ^ x[i]
            x[1], x[3] = x[3], x[1]
    return x


@pytest.fixture(scope="session")
def program(build):
    return app_program(build, "threefish", "document")


def called(program, *words, code=0):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def text_of(block):
    return " ".join(f"{word:016X}" for word in block)


def test_it_prints_the_block_and_the_time(program):
    first, *times = called(program, "--blocks", "3", "--trials", "2").stdout.splitlines()
    assert re.fullmatch(rf"(32|64) bits; {text_of(PLAIN)} becomes {text_of(encrypted(PLAIN, KEY, TWEAK))} ?", first)
    assert len(times) == 2
    assert all(re.fullmatch(r"\S+ ns a block", line) for line in times)


def test_json_stands_alone(program):
    done = called(program, "--blocks", "1", "--trials", "3", "--json")
    (trials,) = json.loads(done.stdout).values()
    assert len(trials) == 3
    assert min(trials) > 0
    assert "becomes" in done.stderr


@pytest.mark.parametrize("words", [["--blocks", "0"], ["--trials", "1001"], ["--blocks", "many"], ["fast"]])
def test_bad_input_gets_one_sentence(program, words):
    said = called(program, *words, code=2)
    assert said.stdout == ""
    assert said.stderr.count("\n") == 1
    assert "--help" in said.stderr
