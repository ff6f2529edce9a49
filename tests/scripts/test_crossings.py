"""Where programs cross: the lines there are, from which size on one is faster, and what the page says of the device."""

from __future__ import annotations

import copy

import pytest
from conftest import made_result

from perf_ladders import catalogue, charts, crossings, programs, report, result, rungs
from perf_ladders.catalogue import Command
from perf_ladders.complaint import Complaint
from perf_ladders.measure import Design, Runner

SIZES = [8, 1_000, 8_000, 1_000_000]
DEVICE = {"name": "A <card>", "platform": "Some", "driver": "1.2", "kind": "GPU"}
SPEED = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 2, "xtea-02": 4, "xtea-04": 3}

# Nanoseconds by size. 04 stands for the stage on a device here: it takes 2,000 for the ways and 0.5 for a byte.
TIMES = {
    "xtea-00": [4 * size for size in SIZES],
    "xtea-00-again": [4 * size for size in SIZES],
    "xtea-01": [3 * size for size in SIZES],
    "xtea-02": [1 * size for size in SIZES],
    "xtea-04": [2_000 + size / 2 for size in SIZES],
}


def run(name, number, kind="GPU"):
    parts = {"to_device": 10.0, "kernel": 100.0, "to_host": 20.0, "together": 140.0}
    noise = 1 + 0.001 * number
    sizes = [
        {"bytes": size, "stage_ns": time * noise, "device_ns": parts}
        for size, time in zip(SIZES, TIMES[name], strict=True)
    ]
    return {
        "runner": f"{name}.x86-64.gcc",
        "round": number,
        "value": TIMES[name][-1] * noise / 1e9,
        "sizes": sizes,
        "device": {**DEVICE, "kind": kind},
    }


def filled(rounds=12, kind="GPU", **about):
    found = made_result(SPEED)
    for one in found["runners"]:
        if one["stage"] == "xtea-04":
            one["device"] = "OpenCL"
    command = Command("transfer", "Every size", ["--json"], "sizes", stages=["00", "01", "02", "04"])
    runs = [run(name, number, kind) for number in range(rounds) for name in TIMES]
    program = {**vars(command), "rounds": rounds, "runs": runs, "left_out": [], **about}
    return result.with_rows({**found, "programs": [program]})


def test_the_lines_are_reference_best_of_the_cpu_device_and_kernel():
    lines, view = crossings.drawn(filled())
    assert [(line.kind, line.name[:2]) for line in lines] == [
        ("reference", "00"),
        ("cpu", "02"),
        ("device", "04"),
        ("kernel", "th"),
    ]
    assert view["device"] == DEVICE


def test_a_crossing_lies_between_the_sizes_that_disagree():
    (found,) = crossings.section(filled())["ladders"]
    by_pair = {(one["line"][:2], one["rival"][:2]): one for one in found["crossings"]}
    over_reference, over_best = by_pair["00", "04"], by_pair["02", "04"]
    assert over_reference["between"] == [8, 1_000]
    assert 8 < over_reference["at"] < 1_000
    assert over_best["between"] == [1_000, 8_000]
    # The straight line on logarithmic scales meets that of the other program at the size where it is reckoned.
    assert over_best["ns"] == pytest.approx(over_best["at"] * 1.0055, rel=1e-3)
    # Kernel alone: 100 ns at every size, so it is later than 8 bytes of the best program and earlier than 1,000.
    assert by_pair["02", "th"]["at"] == pytest.approx(100, rel=0.02)


def test_what_never_crosses_says_how_near_it_came():
    never = filled()
    for one in never["programs"][0]["runs"]:
        if one["runner"].startswith("xtea-04"):
            for size in one["sizes"]:
                size["stage_ns"] = 8 * size["bytes"]
    (found,) = crossings.section(never)["ladders"]
    one = next(one for one in found["crossings"] if one["line"].startswith("02") and one["rival"].startswith("04"))
    assert one["at"] is None
    assert one["nearest"]["ratio"] == pytest.approx(1 / 8, rel=0.01)


def test_what_is_always_faster_says_so():
    always = filled()
    for one in always["programs"][0]["runs"]:
        if one["runner"].startswith("xtea-04"):
            for size in one["sizes"]:
                size["stage_ns"] = 0.1 * size["bytes"]
    (found,) = crossings.section(always)["ladders"]
    devices = [one for one in found["crossings"] if one["rival"].startswith("04")]
    assert [(one["at"], one["between"]) for one in devices] == [(8, None), (8, None)]


def test_the_fastest_of_a_size_is_sure_only_with_rounds_enough():
    rows = crossings.section(filled())["ladders"][0]["rows"]
    assert [(row["bytes"], row["fastest"], row["sure"]) for row in rows] == [
        (8, 1, True),
        (1_000, 1, True),
        (8_000, 2, True),
        (1_000_000, 2, True),
    ]
    assert not any(row["sure"] for row in crossings.section(filled(rounds=3))["ladders"][0]["rows"])


def test_the_fastest_of_a_size_is_compared_with_all_others_at_once():
    def sure(rounds):
        return [row["sure"] for row in crossings.section(filled(rounds=rounds))["ladders"][0]["rows"]]

    assert sure(6) == [False] * 4  # enough for one comparison, but there are two
    assert sure(7) == [True] * 4


def test_the_peak_is_the_size_of_the_highest_throughput():
    peaks = crossings.section(filled())["ladders"][0]["peaks"]
    assert [(one["bytes"], one["last"]) for one in peaks] == [(1_000_000, True), (1_000_000, True)]
    assert peaks[0]["mb_s"] == pytest.approx(1e3 / (0.502 * 1.0055), rel=1e-3)


def test_parts_are_those_of_the_program_on_the_device():
    mixed = filled()
    for one in mixed["programs"][0]["runs"]:
        if not one["runner"].startswith("xtea-04"):  # which are pinned to one CPU, and so is a device that is the CPU
            for size in one["sizes"]:
                size["device_ns"] = dict.fromkeys(size["device_ns"], 1000000000.0)
    assert [row["parts"] for row in crossings.section(mixed)["ladders"][0]["rows"]] == [[10.0, 100.0, 20.0]] * 4


def test_pages_name_the_device_and_warn_where_it_is_the_cpu(tmp_path):
    for kind in ("GPU", "CPU"):
        path = tmp_path / f"{kind}/xtea.json"
        path.parent.mkdir()
        result.save(filled(kind=kind), path)
        report.write(result.load(path), path)
        page, text = (path.with_suffix(end).read_text("utf-8") for end in (".html", ".md"))
        assert "A &lt;card&gt;" in page
        assert f"Device: A <card> ({kind}); driver: Some, 1.2." in text
        assert ("Nothing here says what a graphics card would do." in text) == (kind == "CPU")
        assert ("Nothing here says what a graphics card would do." in page) == (kind == "CPU")
        assert "| 1,000,000 | 4.02 ms | 1.01 ms | 505 us | 10.0 ns | 100 ns | 20.0 ns | 04 " in text
        assert (path.parent / "xtea-crossings.svg").read_text("utf-8").startswith("<?xml")
        assert "| 04 Interchange the loops | from about " in text
        assert 'id="program"' not in page, "it has no one value, so it is no row of kernel and program"


def test_without_a_device_the_page_says_why(tmp_path):
    path = tmp_path / "xtea.json"
    absent = filled(rounds=0, missing="There is no OpenCL platform")
    assert charts.crossings(absent) is None
    result.save(absent, path)
    report.write(result.load(path), path)
    for end in (".html", ".md"):
        assert "n/a (There is no OpenCL platform)." in path.with_suffix(end).read_text("utf-8")


def test_a_case_without_such_a_program_has_no_such_part(small_result, tmp_path):
    assert crossings.section(small_result) is None
    path = tmp_path / "xtea.json"
    result.save(small_result, path)
    report.write(result.load(path), path)
    assert "Where they cross" not in path.with_suffix(".md").read_text("utf-8")
    assert "Where they cross" not in path.with_suffix(".html").read_text("utf-8")


def test_stages_on_a_device_are_not_the_end_of_the_ladder():
    found = filled()
    assert rungs.last(found)["name"] == "xtea-02"
    assert rungs.top(found)["stage"] == "xtea-02"
    plain = copy.deepcopy(found)
    for one in plain["runners"]:
        one.pop("device", None)
    assert rungs.last(plain)["name"] == "xtea-04"


def test_a_ladder_ends_with_its_own_last_stage():
    ends = {"x86-64-v3": {"a-00": 1.0, "a-01": 2.0, "a-03": 3.0}, "x86-64-v4": {"a-00": 1.0, "a-01": 2.0, "a-02": 5.0}}
    places = [(level, stage, ratio) for level, stages in ends.items() for stage, ratio in stages.items()]
    found = {
        "workloads": [{"name": "first"}],
        "stages": [{"name": f"a-0{number}"} for number in range(4)],
        "runners": [{"stage": stage, "kind": "stage", "level": level, "compiler": "gcc"} for level, stage, _ in places],
        "rows": [
            {"workload": "first", "stage": stage, "level": level, "compiler": "gcc", "vs_reference": {"ratio": ratio}}
            for level, stage, ratio in places
        ],
    }
    assert {level: rungs.end(found, (level, "gcc")) for level in ends} == {"x86-64-v3": "a-03", "x86-64-v4": "a-02"}
    assert rungs.top(found)["level"] == "x86-64-v4"
    assert rungs.last(found)["name"] == "a-02"  # though 03 stands behind it: that is the end of a branch


def runner(folder, name, says, threads=False):
    path = folder / f"{name}-transfer"
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    source = catalogue.STAGES / "xtea/00-reference/stage.cpp"
    program = catalogue.Program(
        "xtea", "stage", name, "x86-64", "gcc", threads, path, path, [], source, apps={"transfer": path}
    )
    return Runner(program, name)


SIZES_COMMAND = Command("transfer", "Every size", ["--json"], "sizes", stages=["00", "13"])


def test_only_the_stages_that_are_asked_for_take_part(tmp_path):
    runners = [runner(tmp_path, name, "{}") for name in ("xtea-00", "xtea-01", "xtea-13")]
    assert [one.name for one in programs.taking_part(SIZES_COMMAND, runners)] == ["xtea-00", "xtea-13"]


def test_the_largest_size_is_the_value_of_a_round(tmp_path):
    says = '{"device": {"name": "x"}, "sizes": [{"bytes": 9, "stage_ns": 5}, {"bytes": 8, "stage_ns": 7}]}'
    found = programs._run(SIZES_COMMAND, runner(tmp_path, "xtea-00", says, threads=True), 0, Design(1, 0, 1, 0))
    assert (found["value"], found["device"], len(found["sizes"])) == (5e-9, {"name": "x"}, 2)


@pytest.mark.parametrize("says", ["no", "{}", '{"sizes": [], "device": {}}', '{"sizes": [{"bytes": 8}], "device": {}}'])
def test_a_program_without_sizes_stops_the_measurement(tmp_path, says):
    with pytest.raises(Complaint, match="printed no JSON with sizes and device"):
        programs._run(SIZES_COMMAND, runner(tmp_path, "xtea-00", says, threads=True), 0, Design(1, 0, 1, 0))
