"""What stands in the pictures, read from their SVG."""

from __future__ import annotations

import copy
import itertools
import re
from html import unescape

import pytest
from conftest import made_result
from evidence_sample import enriched

from perf_ladders import charts, jobs, rungs


@pytest.fixture(scope="module")
def sample(small_result):
    return enriched(small_result)


def words(svg: str) -> list[str]:
    """Line by line."""
    return [unescape(re.sub("<[^>]+>", "", text)) for text in re.findall("<text.*?</text>", svg, re.DOTALL)]


def height(svg: str) -> float:
    return float(re.search(r'viewBox="0 0 \S+ (\S+)"', svg)[1])


@pytest.mark.parametrize("draw", [charts.overview, charts.sizes, charts.ladder, charts.latency])
def test_footnotes_are_wrapped_and_take_nothing_from_the_picture(sample, draw):
    found = copy.deepcopy(sample)
    found["lacks"] = {"much": "messages " + "with a key of so many bits " * 8}
    for one in found["runners"]:
        if one["kind"] == "peer":
            one["lacks"] = ["much"]
    bare, svg = draw(sample), draw(found)
    lines = len(words(svg)) - len(words(bare))
    assert lines > 1
    assert max(map(len, words(svg))) <= 11 * 12
    assert height(svg) == pytest.approx(height(bare) + lines * 0.21 * 72)


def test_bars_say_factors_in_one_form(sample):
    bars = [text for text in words(charts.overview(sample)) if re.fullmatch(r"\d\.\d\dx", text)]
    assert bars == ["1.00x", "1.00x", "1.00x", "4.00x", "2.00x"]


def test_a_ladder_without_programs_that_lack_work_and_with_room_between_its_numbers():
    found = made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 2, "xtea-02-no-rounds": 900})
    said = words(charts.ladder(found))
    assert jobs.emptied(found) == {"xtea-02-no-rounds"}
    assert "02 no-rounds" not in said
    assert {"1x", "2x"} < {*said}
    wide = words(charts.ladder(enriched(made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 20_000}))))
    assert {"1x", "3x", "10x"} < {*wide}
    assert not {"2x", "5x"} & {*wide}


def test_the_program_against_itself_is_measured_from_1(sample):
    found = {"means_apart": [0.8 + 0.01 * number for number in range(50)], "blocks_apart": [1.001, 0.999] * 30}
    svg = charts.against_itself(found)
    assert "1x" in words(svg)
    same = re.search(r'<path d="([^"]*)"[^>]*stroke: #0072b2', svg)
    assert len({line.split()[2] for line in same[1].strip().splitlines()}) == 60, "dots cover each other"


def test_throughput_begins_below_what_is_told_of(sample, monkeypatch):
    found = copy.deepcopy(sample)
    monkeypatch.setattr(rungs, "milestones", lambda *_: ["xtea-00", "xtea-04"])
    slow = next(r for r in found["rows"] if (r["stage"], r["level"], r["bytes"]) == ("xtea-01", "x86-64-v3", 8))
    bare = words(charts.sizes(found))
    slow["mib_s"] = 1e-9
    assert words(charts.sizes(found)) == bare


def test_every_ringed_step_has_its_number_and_no_two_are_on_each_other(sample):
    found = copy.deepcopy(sample)
    for place, row in enumerate(row for row in found["rows"] if row["kind"] == "stage" and row["vs_base"]):
        row["vs_base"]["ratio"], row["instructions_vs_base"] = 1.01 + 0.001 * place, 1.02
        row["disagreement"] = "not the same" if place % 3 else None
    found["runners"] += [{**one, "compiler": "clang"} for one in found["runners"]]
    found["rows"] += [{**row, "compiler": "clang"} for row in found["rows"]]
    svg = charts.instructions(found)
    numbers = re.findall(r'<text [^>]*?(?:x="(\S+)" y="(\S+)"|translate\((\S+) (\S+)\))[^>]*>(\d\d)</text>', svg)
    places = [tuple(float(one) for one in number[:4] if one) for number in numbers]
    drawn = [row for row in rungs.first_rows(found) if (row["level"], row["compiler"]) in rungs.highest(found)]
    ringed = [row for row in drawn if row["disagreement"] and row["kind"] == "stage"]
    assert len(places) == len(ringed) > 1
    for first, second in itertools.combinations(places, 2):
        assert abs(first[0] - second[0]) >= 14 or abs(first[1] - second[1]) >= 10
