"""What a report says of the in-order pool: times of the workloads, beside counts that a program of the case made."""

from __future__ import annotations

from dataclasses import replace

from conftest import words_of
from measurement_sample import SMALL, analysed, program, small

from perf_ladders.model.apps import App, AppRun
from perf_ladders.model.measurement import Workload
from perf_ladders.pages import app_view, charts, render
from perf_ladders.results import pool
from perf_ladders.results.analysis import Analysis
from perf_ladders.tree.catalogue import read_case

PLACES = [4, 16, 256]


def name(places: int) -> str:
    return f"in-order/places-{places}"


def measured():
    """With `p` places a job takes 1 / p ms more. The fourth stage waits for all places but one, others not at all."""
    found = small()
    for places in reversed(PLACES):
        found.workloads.append(Workload(name=name(places), role="sweep", bytes=80))
        found.design.parts[1].workloads.append(name(places))
        for block in found.blocks:
            for run in block.runs if block.part == "others" else []:
                run.times_ns[name(places)] = [time + 1e6 / places for time in run.times_ns["sweep/8"]]
    runs = [
        AppRun(
            program=program(one).id,
            round=0,
            value=255,
            counts={name(places): places - 1 if one == "xtea-04" else 0 for places in PLACES},
        )
        for one in SMALL
        if one != "xtea-botan"
    ]
    found.apps = [App(app="pool", arguments=[], measure="counts", rounds=1, runs=runs)]
    return found


def of_all(found) -> Analysis:
    return Analysis(replace(read_case("xtea"), jobs={"buffers": 10}), found)


def test_each_time_stands_beside_its_count():
    found = pool.pool(of_all(measured()))
    assert found.places == PLACES
    lines = {line.stage: line for line in found.lines}
    assert list(lines) == ["xtea-00", "xtea-01", "xtea-02", "xtea-04", "xtea-botan"]
    four = lines["xtea-04"].points
    assert [point.wait for point in four.values()] == [3, 15, 255]
    assert [round(point.ns_a_job / 1e3) for point in four.values()] == [50, 31, 25], "of ten buffers"
    assert four[256].vs_reference.ratio > four[4].vs_reference.ratio > 2
    assert [point.wait for point in lines["xtea-00"].points.values()] == [0, 0, 0]
    assert {point.wait for point in lines["xtea-botan"].points.values()} == {None}, "nobody counted"


def test_a_stage_that_was_measured_at_some_places_alone_is_left_out():
    found = measured()
    for block in found.blocks:
        for run in block.runs:
            if run.program == program("xtea-01").id:
                run.times_ns.pop(name(16), None)
    analysis = of_all(found)
    shown = pool.pool(analysis)
    assert [line.stage for line in shown.lines] == ["xtea-00", "xtea-02", "xtea-04", "xtea-botan"]
    assert shown.places == PLACES
    assert not any(word.startswith("01 ") for word in words_of(charts.pool(analysis)))


def test_the_picture_has_both_sides_over_the_places():
    said = words_of(charts.pool(of_all(measured())))
    assert {"time of a job", "longest wait, in later jobs"} < {*said}
    assert sum(word == "places of the pool (x86-64, gcc)" for word in said) == 2
    assert said.count("16") == 3, "twice under an axis, and once beside one"
    assert sum(word.startswith("04 ") for word in said) == 1


def test_the_numbers_are_on_the_page_of_the_case(tmp_path):
    render.write_local(of_all(measured()), tmp_path, tmp_path / "xtea.json.xz")
    page = (tmp_path / "xtea.html").read_text("utf-8")
    assert '<img src="xtea-pool.svg"' in page
    table = page[page.index('id="pool"') : page.index('id="matrix"')]
    assert ">255<" in table
    assert ">n/a<" in table
    assert "too few rounds" in table, "the closing stage over the reference"


def test_counts_are_no_program_that_gains():
    assert app_view.section(of_all(measured())) is None


def test_a_case_without_a_pool_has_none():
    assert pool.pool(analysed(small())) is None
    assert charts.pool(analysed(small())) is None
