"""The pages on statistics, from what is measured for them to what they say."""

from __future__ import annotations

import re
from html import unescape

import pytest
from conftest import made_result
from lesson_sample import ROUNDS, WARM_UP, taught
from rich.console import Console

from perf_ladders import catalogue, freshness, lesson, lesson_view, measure, report, result, rows, wording
from perf_ladders.catalogue import Build, Program
from perf_ladders.complaint import Complaint
from perf_ladders.measure import Design, Journal, Runner

# In blocks 04 is 4 times as fast as all the others, which are alike; by its mean it is the slowest.
MEANS = {
    "xtea-00": (1_000.0, 10.0),
    "xtea-00-again": (1_100.0, 10.0),
    "xtea-01": (1_015.0, 10.0),
    "xtea-02": (1_300.0, 400.0),
    "xtea-04": (1_400.0, 5.0),
}
# Six pairs of means: alike, 0.5 % apart, 2 % (twice), 10 % and 60 %.
IN_A_ROW = [(1_000.0, 1_000.0), (1_000.0, 1_005.0), (1_000.0, 1_020.0), (1_020.0, 1_000.0), (1_100.0, 1_000.0)]
IN_A_ROW += [(1_000.0, 1_600.0)]
PAGES = ["xtea-lesson.html", "xtea-identical.html"]


@pytest.fixture(scope="module")
def sample():
    return taught(made_result({name: 4 if name == "xtea-04" else 1 for name in MEANS}), MEANS, IN_A_ROW, 100.0)


@pytest.fixture(scope="module")
def written(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lesson")
    return write(sample, folder)


def write(found, folder):
    result.save(found, folder / "xtea.json")
    report.write(result.load(folder / "xtea.json"), folder / "xtea.json")
    report.write_index(folder)
    return folder


def text_of(page):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def field(found):
    return lesson_view.section(found)["chosen"]


def pair(found, first, second):
    return next(one for one in field(found)["pairs"] if (one["first"], one["second"]) == (first, second))


def test_the_order_is_that_of_means_without_the_warm_up(sample):
    contenders = field(sample)["contenders"]
    assert [one["name"] for one in contenders] == ["xtea-00", "xtea-01", "xtea-00-again", "xtea-02", "xtea-04"]
    for one in contenders:
        assert (one["mean"], one["sd"]) == pytest.approx(MEANS[one["name"]])
    assert [one["rank"] for one in contenders] == [1, 2, 3, 4, 5]


def test_blocks_give_the_same_place_to_those_they_cannot_tell_apart(sample):
    places = {one["name"]: one["rank_in_blocks"] for one in field(sample)["contenders"]}
    assert places == {"xtea-04": 1, "xtea-00": 2, "xtea-00-again": 2, "xtea-01": 2, "xtea-02": 2}


def test_every_pair_is_judged_by_means_by_spread_and_in_blocks(sample):
    found = field(sample)
    assert len(found["pairs"]) == 10
    assert {outcome: len(pairs) for outcome, pairs in found["count"].items()} == {
        "shown": 0,
        "the same": 6,
        "left open": 0,
        "the other way round": 4,
    }
    control = pair(sample, "xtea-00", "xtea-00-again")
    assert control["by_means"] == pytest.approx(1.1)
    assert not control["overlap"]
    assert control["judged"]["verdict"] == "same"
    assert pair(sample, "xtea-00", "xtea-01")["overlap"]  # 15 apart, with deviations of 10 each
    document = found["pair"]
    assert (document["first"], document["second"], document["outcome"]) == ("xtea-02", "xtea-04", "the other way round")
    assert document["overlap"]
    assert document["judged"]["ratio"] == pytest.approx(1 / 4, rel=0.02)
    # All pairs with 02, and 00 with 01, overlap; blocks tell one of these five apart.
    assert found["by_spread"] == {"overlapping": 5, "told_in_blocks": 1, "apart": 5}


def test_a_comparison_reads_the_same_from_both_sides(sample):
    contenders = {one["name"]: one for one in field(sample)["contenders"]}
    order = list(contenders)
    for first in order:
        for second in order:
            found = contenders[first]["cells"][order.index(second)]
            if first == second:
                assert found is None
                continue
            back = contenders[second]["cells"][order.index(first)]
            assert found["ratio"] * back["ratio"] == pytest.approx(1)
            assert found["low"] * back["high"] == pytest.approx(1)
            assert {"faster": "slower", "slower": "faster"}.get(found["verdict"], "same") == back["verdict"]
    assert contenders["xtea-04"]["cells"][0]["verdict"] == "faster"


def test_all_pairs_of_a_ladder_hold_together():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1.5, "xtea-02": 2}
    for blocks, verdict in ((7, "unresolved"), (8, "faster")):  # 6 pairs need 8 blocks, a single one would need 6
        judged = rows.pairwise(made_result(speed, blocks=blocks), "x86-64", "gcc")
        assert len(judged) == 6
        assert judged["xtea-00", "xtea-02"].verdict == verdict


def test_the_control_is_not_judged_by_the_floor_that_it_makes():
    judged = rows.pairwise(made_result({"xtea-00": 1, "xtea-00-again": 1.05, "xtea-01": 1.04}), "x86-64", "gcc")
    assert judged["xtea-00", "xtea-00-again"].verdict == "faster"
    assert judged["xtea-00", "xtea-01"].verdict != "faster"


def test_the_same_program_is_called_faster_as_often_as_its_means_say(sample):
    found = lesson_view.identical(sample)
    counts = {line["judge"]: (line["share"]["k"], line["share"]["n"]) for line in found["lines"]}
    assert counts["the lower mean is the faster one"] == (5, 6)
    assert counts["means more than 1% apart"] == (4, 6)
    assert counts["means more than 5% apart"] == (2, 6)
    # With a deviation of 100 in 1,000 rounds a mean is known to about 3: Welch finds 20, not 5.
    assert counts["Welch's t-test on the rounds, at 5 %"] == (4, 6)
    assert counts["means more than their standard deviations apart"] == (1, 6)
    assert [line["share"]["k"] for line in found["lines"] if line["design"] == "shuffled blocks"] == [0, 0]
    assert found["furthest"] == pytest.approx(1.6)
    assert found["furthest_blocks"] < 1.01


def test_pages_show_what_was_found(written, sample):
    page = text_of((written / "xtea-lesson.html").read_text())
    for one in field(sample)["contenders"]:
        assert f"{one['title']} {wording.time(one['mean'])} {wording.time(one['sd'])}" in page
    assert "By their means 10 of 10 pairs were decided. Of these decisions the blocks bear out 0" in page
    assert "the blocks say the opposite" in page
    assert "Of 10 pairs 5 lie apart and 5 overlap. Of those that overlap the blocks below do tell 1 apart" in page
    itself = text_of((written / "xtea-identical.html").read_text())
    assert "4 of 6 times the means" in itself
    assert "In shuffled blocks, judged as on every page here: 0 of 3." in itself
    for line in lesson_view.identical(sample)["lines"]:
        assert f"{line['judge']} {wording.share(line['share'])}" in itself


def test_too_few_blocks_are_said(sample, tmp_path):
    few = taught(made_result(dict.fromkeys(MEANS, 1), blocks=4), MEANS, IN_A_ROW, 100.0)
    said = "Here were 4 blocks, which is too few for intervals: these need 9."
    assert said in text_of((write(few, tmp_path) / "xtea-lesson.html").read_text())


def test_pages_are_linked_and_the_same_each_time(written, sample, tmp_path):
    for page in ("xtea.html", "index.html"):
        assert 'href="xtea-lesson.html"' in (written / page).read_text()
    again = write(sample, tmp_path)
    for name in [*PAGES, "xtea.md"]:
        assert (written / name).read_bytes() == (again / name).read_bytes()
    assert "| one after the other | means more than 1% apart | 4 of 6" in (written / "xtea.md").read_text()


def test_a_result_without_a_lesson_has_no_such_page(sample, tmp_path):
    plain = {key: value for key, value in sample.items() if key != "lesson"}
    folder = write(plain, tmp_path)
    assert not [path.name for path in folder.iterdir() if path.name in PAGES]
    for page in ("xtea.html", "xtea.md", "index.html"):
        assert "lesson" not in (folder / page).read_text()


def test_a_page_that_is_not_what_the_result_gives_is_stale(written, sample, tmp_path):
    folder = write(sample, tmp_path)
    (folder / "xtea-lesson.html").write_text("nothing")
    assert [line for line in freshness.stale(folder / "xtea.json") if "xtea-lesson.html" in line]
    assert not [line for line in freshness.stale(folder / "xtea.json") if "xtea-identical.html" in line]


def test_a_damaged_lesson_is_no_valid_result(sample, tmp_path):
    broken = {**sample, "lesson": {**sample["lesson"], "against_itself": {}}}
    result.save(broken, tmp_path / "xtea.json")
    with pytest.raises(Complaint, match="is no valid result"):
        result.load(tmp_path / "xtea.json")


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """A runner whose program is never started: calls and blocks are counted instead."""
    path = tmp_path / "program"
    path.write_text("program")
    case = catalogue.read_case("json")
    if case.lesson is None:
        pytest.skip("this tree has not all of its stages")
    sources = {
        level: Program("json", "stage", "json-05", level, "gcc", False, path, path, [], path) for level in ("a", "b")
    }
    runners = [Runner(program, program.name) for program in sources.values()]
    started, benched = [], []

    def latency(runner, design):
        started.append((runner.name, runner.program.level))
        return [1e9] * WARM_UP + [100.0 + number % 2 for number in range(ROUNDS)]

    def bench(runner, padding, part, design):
        benched.append((part.name, runner.name))
        return {"involuntary_switches": 0, "times_ns": {name: [1.0] * 5 for name in part.workloads}}

    monkeypatch.setattr(measure.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(measure, "latency", latency)
    monkeypatch.setattr(measure, "_bench", bench)
    monkeypatch.setattr(measure.machine, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(measure.machine, "operations_per_ns", lambda build, cpu: 12.0)
    build = Build("gcc", {"name": "gcc"}, "Release", "1.7", {}, {}, None, [], [])

    def measured(experiments):
        design = Design(4, 0, 2, 0, lesson_experiments=experiments)
        journal = Journal(tmp_path / "json", design, [], runners)
        with measure.session(journal, Console(quiet=True), 0) as begun:
            return lesson.measured(case, runners, "objects", design, [build], begun)

    return measured, started, benched


def test_the_program_is_run_against_itself_at_the_highest_level(counted):
    measured, started, benched = counted
    found = measured(2)["against_itself"]
    assert started == [("one", "b"), ("other", "b")] * lesson.IN_A_ROW
    assert found["runner"] == "json-05.b.gcc"
    assert len(found["in_a_row"]) == lesson.IN_A_ROW
    assert found["in_a_row"][0][0]["mean_ns"] == pytest.approx(100.5)
    assert [len(blocks) for blocks in found["experiments"]] == [20, 20]
    assert len(benched) == 2 * 20 * 3
    assert {name for _, name in benched} == {*lesson.NAMES}
    measured(2)
    assert len(started) == 2 * lesson.IN_A_ROW, "what is in the journal is not measured again"
    assert len(benched) == 2 * 20 * 3


def test_a_single_stage_teaches_nothing(counted):
    measured, started, benched = counted
    assert measured(0) == {}
    assert (started, benched) == ([], [])


def test_a_lesson_needs_all_of_its_fields(tmp_path, monkeypatch):
    text = (catalogue.STAGES / "json" / "case.toml").read_text()
    folder = tmp_path / "json"
    for number in range(7):
        (folder / f"{number:02}-made").mkdir(parents=True)
        (folder / f"{number:02}-made" / "stage.cpp").touch()
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    (folder / "case.toml").write_text(text)
    found = catalogue.read_case("json").lesson
    assert (found.pair, found.identical, found.rounds) == (["json-05", "json-06"], "json-05", 1000)
    (folder / "case.toml").write_text(text.replace("rounds = 1000\n", ""))
    with pytest.raises(Complaint, match='lesson: "rounds" is a required property'):
        catalogue.read_case("json")
    (folder / "case.toml").write_text(text.replace('pair = ["05", "06"]', 'pair = ["05", "07"]'))
    assert catalogue.read_case("json").lesson is None, "a tree that has not all of its stages yet"
