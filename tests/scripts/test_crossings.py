"""Where programs cross: the lines there are, from which size on one is faster, and what the page says of the device."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from evidence_sample import full
from measurement_sample import analysed, made, small

from perf_ladders.model.apps import App, AppRun, Device, SizeTime, Transfers
from perf_ladders.model.measurement import Measurement
from perf_ladders.pages import charts, render
from perf_ladders.results import crossover, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.tree.case_file import Command
from perf_ladders.tree.catalogue import read_case

SIZES = [8, 1_000, 8_000, 1_000_000]
SPEED = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 2, "xtea-02": 4, "xtea-04": 3}
ON_DEVICE = "interchange.x86-64.gcc"

# Nanoseconds by size. 04 is the stage on a device here: it takes 2,000 for the transfers and 0.5 for a byte.
TIMES = {
    "reference": [4 * size for size in SIZES],
    "reference-again": [4 * size for size in SIZES],
    "for-loop": [3 * size for size in SIZES],
    "transform": [1 * size for size in SIZES],
    "interchange": [2_000 + size / 2 for size in SIZES],
}


def run(name: str, number: int, kind: str) -> AppRun:
    noise = 1 + 0.001 * number
    return AppRun(
        program=f"{name}.x86-64.gcc",
        round=number,
        value=TIMES[name][-1] * noise / 1e9,
        sizes=[
            SizeTime(
                bytes=size,
                stage_ns=time * noise,
                device_ns=Transfers(to_device=10.0, kernel=100.0, to_host=20.0, together=140.0),
            )
            for size, time in zip(SIZES, TIMES[name], strict=True)
        ],
        device=Device(name="A <card>", platform="Some", driver="1.2", kind=kind),
    )


def measured(rounds: int = 12, kind: str = "GPU", missing: str = "") -> Measurement:
    found = made(SPEED)
    for one in found.programs:
        if one.id == ON_DEVICE:
            one.device = "OpenCL"
    runs = [run(name, number, kind) for number in range(rounds) for name in TIMES]
    found.apps = [App(app="transfer", arguments=["--json"], measure="sizes", rounds=rounds, runs=runs, missing=missing)]
    return found


def of_all(found: Measurement) -> Analysis:
    command = Command("transfer", "Every size", ["--json"], "sizes")
    return Analysis(replace(read_case("xtea"), commands=[command], apps={"transfer": "It ciphers."}), found)


def ladder(found: Measurement) -> crossover.View:
    (view,) = crossover.section(of_all(found)).ladders
    return view


def test_the_lines_are_reference_best_of_the_cpu_device_and_kernel():
    view = crossover.drawn(of_all(measured()))
    assert [(line.kind, line.name[:2]) for line in view.lines] == [
        ("reference", "00"),
        ("cpu", "02"),
        ("device", "04"),
        ("kernel", "th"),
    ]
    assert (view.device.name, view.device.kind) == ("A <card>", "GPU")


def test_a_crossing_lies_between_the_sizes_that_disagree():
    by_pair = {(one.line[:2], one.rival[:2]): one for one in ladder(measured()).crossings}
    over_reference, over_best = by_pair["00", "04"], by_pair["02", "04"]
    assert over_reference.between == (8, 1_000)
    assert 8 < over_reference.at < 1_000
    assert over_best.between == (1_000, 8_000)
    # The straight line on logarithmic scales meets that of the other program at the size of the crossing.
    assert over_best.ns == pytest.approx(over_best.at * 1.0055, rel=1e-3)
    # Kernel alone: 100 ns at every size, so it is later than 8 bytes of the best program and earlier than 1,000.
    assert by_pair["02", "th"].at == pytest.approx(100, rel=0.02)


def on_device(found: Measurement, times: float) -> Measurement:
    """As if each byte took so long there."""
    for one in found.apps[0].runs:
        if one.program == ON_DEVICE:
            for size in one.sizes:
                size.stage_ns = times * size.bytes
    return found


def test_a_line_that_never_crosses_says_how_near_it_came():
    crossings = ladder(on_device(measured(), 8)).crossings
    one = next(one for one in crossings if one.line.startswith("02") and one.rival.startswith("04"))
    assert one.at is None
    assert one.best_ratio == pytest.approx(1 / 8, rel=0.01)


def test_a_device_that_is_slower_at_the_largest_size_crosses_nowhere(tmp_path):
    found = measured()
    for one in found.apps[0].runs:
        if one.program == ON_DEVICE:
            one.sizes[-1].stage_ns *= 10
    (one,) = (one for one in ladder(found).crossings if (one.line[:2], one.rival[:2]) == ("02", "04"))
    assert (one.at, one.best_bytes, one.best_ratio) == (None, 8_000, pytest.approx(4 / 3))
    render.write_local(of_all(found), tmp_path, tmp_path / "xtea.json.xz")
    page = (tmp_path / "xtea-programs.html").read_text("utf-8")
    assert "not at the largest size; it does best with 8,000 bytes" in page


def test_a_line_that_is_always_faster_says_so():
    crossings = ladder(on_device(measured(), 0.1)).crossings
    devices = [one for one in crossings if one.rival.startswith("04")]
    assert [(one.at, one.between) for one in devices] == [(8, None), (8, None)]


def test_the_fastest_of_a_size_is_sure_only_with_rounds_enough():
    assert [(row.bytes, row.fastest, row.sure) for row in ladder(measured()).rows] == [
        (8, 1, True),
        (1_000, 1, True),
        (8_000, 2, True),
        (1_000_000, 2, True),
    ]
    assert not any(row.sure for row in ladder(measured(rounds=3)).rows)


def test_the_fastest_of_a_size_is_compared_with_all_others_at_once():
    assert [row.sure for row in ladder(measured(rounds=6)).rows] == [False] * 4  # enough for one, but there are two
    assert [row.sure for row in ladder(measured(rounds=7)).rows] == [True] * 4


def test_what_the_control_of_the_program_shows_too_is_not_sure():
    """At 8,000 bytes 04 is 1.33 times as fast as 02; here a program differs from itself by 1.5."""
    noisy = measured()
    for one in noisy.apps[0].runs:
        for size in one.sizes if one.program.startswith("reference-again.") else ():
            size.stage_ns *= 1.5
    assert [row.sure for row in ladder(noisy).rows] == [True, True, False, True]
    without = measured()
    without.apps[0].runs = [run for run in without.apps[0].runs if not run.program.startswith("reference-again.")]
    assert not any(row.sure for row in ladder(without).rows), "without a control there is no verdict"


def test_the_peak_is_the_size_of_the_highest_throughput():
    peaks = ladder(measured()).peaks
    assert [(one.bytes, one.last) for one in peaks] == [(1_000_000, True), (1_000_000, True)]
    assert peaks[0].mb_s == pytest.approx(1e3 / (0.502 * 1.0055), rel=1e-3)


def test_parts_are_those_of_the_program_on_the_device():
    mixed = measured()
    for one in mixed.apps[0].runs:
        if one.program != ON_DEVICE:  # which are pinned to one CPU, and so is a device that is the CPU
            for size in one.sizes:
                size.device_ns = Transfers(to_device=1e9, kernel=1e9, to_host=1e9, together=3e9)
    assert [row.parts for row in ladder(mixed).rows] == [[10.0, 100.0, 20.0]] * 4


@pytest.mark.parametrize("kind", ["GPU", "CPU"])
def test_pages_name_the_device_and_warn_where_it_is_the_cpu(tmp_path, kind):
    render.write_local(of_all(measured(kind=kind)), tmp_path, tmp_path / "xtea.json.xz")
    page = (tmp_path / "xtea-programs.html").read_text("utf-8")
    assert "A &lt;card&gt;" in page
    assert ("Nothing here says what a graphics card would do." in page) == (kind == "CPU")
    assert '<img src="xtea-crossings.svg"' in page
    assert "from about " in page
    assert "Kernel and program" not in page, "it has no one value, so it is no row of kernel and program"


def test_without_a_device_the_page_says_why(tmp_path):
    absent = of_all(measured(rounds=0, missing="There is no OpenCL platform"))
    assert charts.crossings(absent) is None
    render.write_local(absent, tmp_path, tmp_path / "xtea.json.xz")
    assert "n/a (There is no OpenCL platform)." in unescape((tmp_path / "xtea-programs.html").read_text("utf-8"))


def test_without_a_stage_on_a_device_the_page_says_so(tmp_path):
    alone = measured()
    alone.apps[0].runs = [run for run in alone.apps[0].runs if run.program != ON_DEVICE]
    render.write_local(of_all(alone), tmp_path, tmp_path / "xtea.json.xz")
    assert "n/a (no OpenCL device: no stage" in unescape((tmp_path / "xtea-programs.html").read_text("utf-8"))


def test_a_case_without_such_a_program_has_no_such_part():
    assert crossover.section(analysed(small())) is None
    assert crossover.drawn(analysed(small())) is None


def test_stages_on_a_device_are_not_the_end_of_the_ladder():
    found = measured()
    assert queries.last(of_all(found)).name == "xtea-02"
    assert queries.top(of_all(found)).stage == "xtea-02"
    for one in found.programs:
        one.device = ""
    assert queries.last(of_all(found)).name == "xtea-04"


def test_a_ladder_ends_with_its_own_last_stage():
    """Though 04 follows 02: on the other ladder it ends a branch that gains less."""
    low = full({"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 5, "xtea-04": 3})
    gone = "interchange.x86-64-v3.gcc"
    low.programs = [one for one in low.programs if one.id != gone]
    found = analysed(low)
    assert queries.end(found, ("x86-64", "gcc")) == "xtea-04"
    assert queries.end(found, ("x86-64-v3", "gcc")) == "xtea-02"
    assert queries.top(found).level == "x86-64-v3"
    assert queries.last(found).name == "xtea-02"
