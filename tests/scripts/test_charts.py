"""What stands in the pictures, read from their SVG."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from html import unescape

import msgspec
import pytest
from conftest import words_of
from evidence_sample import full, sampled, without
from matplotlib.figure import Figure
from measurement_sample import analysed, made, paired, program

from perf_ladders.pages import charts, steps_view, svg
from perf_ladders.pages.charts import steps
from perf_ladders.results import multibuffer, queries


@pytest.fixture(scope="module")
def sample():
    return sampled()


def height(drawn: str) -> float:
    return float(re.search(r'viewBox="0 0 \S+ (\S+)"', drawn)[1])


@pytest.mark.parametrize("draw", [charts.overview, charts.sizes, charts.ladder, charts.latency])
def test_footnotes_are_wrapped_and_take_nothing_from_the_picture(sample, draw):
    measurement = full()
    for one in measurement.programs:
        if one.kind == "peer":
            one.lacks = ["much"]
    found = sampled(measurement, lacks={"much": "messages " + "with a key of so many bits " * 8})
    bare, drawn = draw(sample), draw(found)
    lines = len(words_of(drawn)) - len(words_of(bare))
    assert lines > 1
    assert max(map(len, words_of(drawn))) <= 11 * 12
    assert height(drawn) == pytest.approx(height(bare) + lines * 0.21 * 72, abs=0.02)


def test_bars_say_factors_in_one_form(sample):
    bars = [text for text in words_of(charts.overview(sample)) if re.fullmatch(r"\d\.\d\dx", text)]
    assert bars == ["1.00x", "1.00x", "4.00x", "2.00x"], "of the main path, and a library"


def test_labels_of_many_bars_are_upright(sample, monkeypatch):
    def turned():
        return [label for label in re.findall(r"<text [^>]*>[^<]*", charts.overview(sample)) if "rotate(-90" in label]

    few = len(turned())
    monkeypatch.setattr(steps, "_MAX_LEVEL", 3)
    assert len(turned()) == few + 4, "each of the four bars"


def test_a_ladder_without_programs_that_lack_work_and_with_room_between_its_numbers():
    found = analysed(made({"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 2, "xtea-02-no-rounds": 900}))
    said = words_of(charts.ladder(found))
    assert multibuffer.emptied(found) == {"xtea-02-no-rounds"}
    assert "02 no-rounds" not in said
    assert {"1x", "2x"} < {*said}
    wide = words_of(charts.ladder(sampled(full({"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 20_000}))))
    assert {"1x", "3x", "10x"} < {*wide}
    assert not {"2x", "5x"} & {*wide}


def test_the_program_against_itself_is_measured_from_1():
    drawn = charts.against_itself([0.8 + 0.01 * number for number in range(50)], [1.001, 0.999] * 30)
    assert "1x" in words_of(drawn)
    same = re.search(r'<path d="([^"]*)"[^>]*stroke: #0072b2', drawn)
    assert len({line.split()[2] for line in same[1].strip().splitlines()}) == 60, "dots cover each other"


def test_throughput_begins_below_the_named_lines(sample, monkeypatch):
    monkeypatch.setattr(queries, "milestones", lambda *_: ["xtea-00", "xtea-04"])
    bare = words_of(charts.sizes(sample))
    slow = [
        replace(row, mib_s=1e-9) if (row.stage, row.level, row.bytes) == ("xtea-01", "x86-64-v3", 8) else row
        for row in sample.rows
    ]
    assert slow != sample.rows
    monkeypatch.setitem(sample.__dict__, "rows", slow)
    assert words_of(charts.sizes(sample)) == bare


def test_every_ringed_step_has_its_number_and_no_two_are_on_each_other():
    found = sampled()
    steps = itertools.count()

    def crowded(row):
        if row.kind != "stage" or row.vs_base is None:
            return row
        place = next(steps)
        vs_base = replace(row.vs_base, ratio=1.01 + 0.001 * place)
        return replace(row, vs_base=vs_base, instructions_vs_base=1.02, disagreement="no" if place % 3 else None)

    found.__dict__["first_rows"] = [crowded(row) for row in found.first_rows]
    drawn = charts.instructions(found)
    numbers = re.findall(r'<text [^>]*?(?:x="(\S+)" y="(\S+)"|translate\((\S+) (\S+)\))[^>]*>(\d\d)</text>', drawn)
    places = [tuple(float(one) for one in number[:4] if one) for number in numbers]
    ringed = [
        row
        for row in found.first_rows
        if row.ladder in queries.highest(found) and row.disagreement and row.kind == "stage"
    ]
    assert len(places) == len(ringed) > 1
    for first, second in itertools.combinations(places, 2):
        assert abs(first[0] - second[0]) >= 14 or abs(first[1] - second[1]) >= 10


def test_coordinates_have_two_decimals(sample):
    for drawn in (charts.overview(sample), charts.latency(sample)):
        assert re.findall(r"\d\.\d+", drawn)
        assert not re.findall(r"\d\.\d{3,}", drawn)


def luminance(colour):
    """As the Web Content Accessibility Guidelines reckon it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("colour", svg.COLOURS)
def test_each_series_can_be_seen_in_light_and_in_dark(colour):
    light, dark = svg._THEMES.get(colour.lower(), (colour, colour))
    assert 1.05 / (luminance(light) + 0.05) >= 3
    assert (luminance(dark) + 0.05) / (luminance("#14171a") + 0.05) >= 3
    assert light not in svg.COLOURS or light == colour, "another series has it"


def test_the_theme_of_a_page_changes_nothing_but_colours(sample):
    drawn = charts.overview(sample)
    themed = svg.themed(drawn)
    assert words_of(themed) == words_of(drawn)
    assert svg.INK in drawn
    assert f"stroke: {svg.INK}" not in themed
    assert svg.size(themed) == svg.size(drawn)


def test_the_tree_has_each_stage_below_its_base_and_says_why_one_was_not_measured():
    found = sampled(without(full(), {"interchange"}))
    drawn = charts.bases(found)
    said = words_of(drawn)
    assert said[0].startswith("00 ")
    case = found.case
    assert [stage.number for stage in case.stages] == sorted(line[:2] for line in said if line[:2].isdecimal())
    row = {line[:2]: place for place, line in enumerate(said)}
    assert all(row[case.base(stage).number] < row[stage.number] for stage in case.stages[1:])
    (grey,) = [one for one in re.findall(r"<text[^>]*#7b7b7b[^>]*>([^<]+)", drawn) if one.startswith("04 ")]
    assert said[said.index(unescape(grey)) + 1] == "not measured yet"
    assert 'href="xtea-04.html"' in drawn
    beside = words_of(charts.bases(found, [sampled(full())]))
    assert beside[beside.index(unescape(grey)) + 1] == "not in this measurement"
    assert "The list says where the others were measured" in steps_view.sections(found)[0].path


def test_an_interval_that_leaves_out_the_ratio_is_drawn():
    """That of all rounds does where the times changed meanwhile."""
    measured = paired({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 2}, rounds=120)
    measured.pairs = [
        msgspec.structs.replace(one, stage_ns=one.base_ns * (0.9 if one.round < 30 else 1.1))
        if one.stage == program("xtea-01").id
        else one
        for one in measured.pairs
    ]
    found = analysed(measured)
    (row,) = [row for row in found.first_rows if row.stage == "xtea-01"]
    assert row.vs_reference.changed
    assert any("over the reference" in line for line in words_of(charts.ladder(found)))


def test_text_of_a_picture_stays_as_it_is():
    said = "0.1256 of it costs $5 and $6, or $x^{ $"
    with svg.settings():
        figure = Figure()
        figure.subplots().set_title(said)
        assert said in svg.to_svg(figure)
