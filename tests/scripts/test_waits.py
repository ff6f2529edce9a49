"""Waiting times of packets: medians over the rounds, their intervals, and what each policy does to them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from conftest import text_of
from measurement_sample import SMALL, analysed, program, small

from perf_ladders.model.apps import App, AppRun, Input, Waits
from perf_ladders.pages import render
from perf_ladders.results import store, waits
from perf_ladders.results.analysis import Analysis
from perf_ladders.tree.case_file import Command
from perf_ladders.tree.catalogue import read_case

# Nanoseconds by policy: median, 99th percentile, longest.
TIMES = {"wait": (1_000, 50_000, 900_000), "flush": (500, 5_000, 900_000), "watchdog": (2_000, 20_000, 900_000)}
COMMAND = Command("packets", "In bursts", ["--json"], "rate", "packets/s")


def run(name: str, number: int) -> AppRun:
    noise = (1 + 0.001 * number) / SMALL[name]
    told = [
        Waits(policy=policy, median_ns=noise * a, p99_ns=noise * b, longest_ns=noise * c)
        for policy, (a, b, c) in TIMES.items()
    ]
    return AppRun(program=program(name).id, round=number, value=1e6 * SMALL[name], waits=told)


def measured(rounds: int = 12):
    found = small()
    runs = [run(name, number) for number in range(rounds) for name in SMALL]
    found.apps = [
        App(
            app="packets",
            arguments=["--json"],
            measure="rate",
            unit="packets/s",
            rounds=rounds,
            runs=runs,
            input=Input(files=3, bytes=4_096, sha256="0123456789abcdef" * 4),
        )
    ]
    return found


def of_all(found) -> Analysis:
    return Analysis(replace(read_case("xtea"), commands=[COMMAND], apps={"packets": "They come."}), found)


def cells(found) -> dict[str, list[waits.Cell]]:
    (table,) = waits.tables(of_all(found))
    assert (table.title, table.policies) == ("In bursts", list(TIMES))
    assert table.quantities == ["median", "99th percentile", "longest"]
    return {line.stage: line.cells for line in table.lines}


def test_policies_stand_beside_one_another_for_each_quantity():
    found = cells(measured())
    assert list(found) == ["xtea-00", "xtea-01", "xtea-02", "xtea-04", "xtea-botan"], "the control is no line"
    expected = [TIMES[policy][place] for place in range(3) for policy in TIMES]
    assert [cell.ns for cell in found["xtea-00"]] == pytest.approx([1.0055 * ns for ns in expected])
    assert [cell.ns for cell in found["xtea-04"]] == pytest.approx([1.0055 / 4 * ns for ns in expected])
    assert all(cell.low < cell.ns < cell.high for cell in found["xtea-00"])


def test_a_policy_is_compared_with_the_first_one_of_the_same_program():
    found = cells(measured())["xtea-04"]
    assert [cell.vs_first is None for cell in found] == [True, False, False] * 3
    assert [cell.vs_first.verdict for cell in found if cell.vs_first] == [
        *("faster", "slower"),
        *("faster", "faster"),
        *("same", "same"),
    ]
    assert found[1].vs_first.ratio == pytest.approx(2)
    assert found[4].vs_first.ratio == pytest.approx(10)


def test_what_the_reference_differs_by_from_itself_decides_nothing():
    noisy = measured()
    for one in noisy.apps[0].runs:
        if one.program == program("xtea-00-again").id:
            for told in one.waits:
                told.median_ns *= 3 if told.policy == "flush" else 1
    found = cells(noisy)["xtea-04"]
    assert [found[place].vs_first.verdict for place in (1, 2)] == ["undecided", "slower"]


def test_few_rounds_have_no_interval_and_no_verdict():
    found = cells(measured(rounds=3))["xtea-04"]
    assert all((cell.low, cell.high) == (None, None) for cell in found)
    assert {cell.vs_first.verdict for cell in found if cell.vs_first} == {"undecided"}


def test_programs_without_waiting_times_have_no_table():
    bare = measured()
    for one in bare.apps[0].runs:
        one.waits = []
    assert waits.tables(of_all(bare)) == []
    assert waits.tables(analysed(small())) == []


def test_the_page_shows_them_with_intervals_and_names_the_input(tmp_path):
    render.write_local(of_all(measured()), tmp_path, tmp_path / "xtea.json.xz")
    text = (tmp_path / "xtea-programs.html").read_text("utf-8")
    bare = text_of(text)
    assert "Waiting times: In bursts" in bare
    assert "99th percentile: watchdog" in bare
    assert "1.01 us [1.00 us, 1.01 us]" in bare
    assert re.search(r" 503 ns \[501 ns, 50\d ns\] ▲", bare)
    assert "3 files of the tree, 4,096 bytes (SHA-256 01234567)" in bare
    assert "4.00x [4.00, 4.00] ▲ faster" in bare, "its throughput over the reference"


def test_a_measurement_with_waiting_times_is_read_again(tmp_path):
    found = measured()
    assert store.load(store.save(found, tmp_path / "xtea.json")) == found
