"""The example that searches circuits for the S-boxes: it compiles, and finds one."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from perf_ladders.tree.paths import ROOT

SOURCE = ROOT / "docs/examples/sbox_circuits.cpp"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    compiler = shutil.which("g++") or shutil.which("c++")
    if not compiler:
        pytest.skip("there is no C++ compiler")
    built = tmp_path_factory.mktemp("circuits") / "sbox_circuits"
    subprocess.run([compiler, "-std=c++20", "-O2", "-I", ROOT / "stages", SOURCE, "-o", built], check=True)
    return built


def run(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("gate_inputs", "most_tries"), [("3", "1"), ("2", "2")])
def test_it_prints_a_circuit_that_gives_the_results_of_the_table(program, gate_inputs, most_tries):
    done = run(program, gate_inputs, "4", most_tries)
    assert done.returncode == 0, done.stderr
    count = int(re.search(r"\}, (\d+), \{\{", done.stdout)[1])
    gates = re.findall(r"\{0x([0-9A-F]{2}), (\d+), (\d+), (\d+)\}", done.stdout)
    assert len(gates) == count
    results = [int(n) for n in re.match(r"\s*\{\{(\d+), (\d+), (\d+), (\d+)\}", done.stdout).groups()]
    for six in range(64):
        values = [six >> (5 - i) & 1 for i in range(6)]
        for table, *places in gates:
            a, b, c = (values[int(place)] for place in places)
            values.append(int(table, 16) >> (4 * a + 2 * b + c) & 1)
        assert sum(values[n] << (3 - i) for i, n in enumerate(results)) == S4[(six >> 5) * 2 + six % 2][six >> 1 & 15]


def test_a_wrong_word_gets_a_sentence(program):
    done = run(program, "4", "4", "1")
    assert done.returncode == 2
    assert done.stderr.startswith("Type: sbox_circuits")


S4 = [
    [7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15],
    [13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9],
    [10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4],
    [3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14],
]
