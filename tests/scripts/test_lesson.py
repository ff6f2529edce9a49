"""The pages on statistics, from what is measured for them to what they say."""

from __future__ import annotations

import re

import pytest
from conftest import text_of
from evidence_sample import full, sampled
from lesson_sample import LESSON, taught
from measurement_sample import analysed, made, small

from perf_ladders.errors import UserError
from perf_ladders.pages import formatting, index_view, render, statistics_view
from perf_ladders.results import queries, store
from perf_ladders.tree import catalogue, paths

SPEED = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4}
# In blocks 04 is 4 times as fast as all the others, which are alike; by its mean it is the slowest.
MEANS = {
    "reference": (1_000.0, 10.0),
    "again": (1_100.0, 10.0),
    "for-loop": (1_015.0, 10.0),
    "transform": (1_300.0, 400.0),
    "interchange": (1_400.0, 5.0),
}
# Six pairs of means: alike, 0.5 % apart, 2 % (twice), 10 % and 60 %.
IN_A_ROW = [(1_000.0, 1_000.0), (1_000.0, 1_005.0), (1_000.0, 1_020.0), (1_020.0, 1_000.0), (1_100.0, 1_000.0)]
IN_A_ROW += [(1_000.0, 1_600.0)]
EMPTY = '<svg viewBox="0 0 1 1"></svg>'
PAGES = ["xtea-lesson.html", "xtea-identical.html"]


def lesson(speed=SPEED, blocks=20):
    return sampled(taught(made(speed, blocks), MEANS, IN_A_ROW, 100.0), lesson=LESSON)


@pytest.fixture(scope="module")
def sample():
    return lesson()


@pytest.fixture(scope="module")
def written(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lesson")
    render.write_local(sample, folder, folder / "xtea.json.xz")
    return folder


def field(found):
    return statistics_view.section(found).chosen


def pair(found, first, second):
    return next(one for one in field(found).pairs if (one.first, one.second) == (first, second))


def test_the_order_is_that_of_means(sample):
    contenders = field(sample).contenders
    assert [one.name for one in contenders] == ["xtea-00", "xtea-01", "xtea-00-again", "xtea-02", "xtea-04"]
    assert [(one.mean, one.sd) for one in contenders] == sorted(MEANS.values())
    assert [one.rank for one in contenders] == [1, 2, 3, 4, 5]


def test_blocks_give_the_same_place_to_those_they_cannot_tell_apart(sample):
    places = {one.name: one.rank_in_rounds for one in field(sample).contenders}
    assert places == {"xtea-04": 1, "xtea-00": 2, "xtea-00-again": 2, "xtea-01": 2, "xtea-02": 2}


def test_every_pair_is_judged_by_means_by_spread_and_in_blocks(sample):
    found = field(sample)
    outcomes = ("shown", "the same", "left open", "the other way round")
    assert [len(found.of(outcome)) for outcome in outcomes] == [0, 6, 0, 4]
    control = pair(sample, "xtea-00", "xtea-00-again")
    assert control.by_means == pytest.approx(1.1)
    assert not control.overlap
    assert control.judged.verdict == "same"
    assert pair(sample, "xtea-00", "xtea-01").overlap  # 15 apart, with deviations of 10 each
    document = found.pair
    assert (document.first, document.second, document.outcome) == ("xtea-02", "xtea-04", "the other way round")
    assert document.overlap
    assert document.judged.ratio == pytest.approx(1 / 4, rel=0.02)
    # All pairs with 02, and 00 with 01, overlap; blocks decide one of these five.
    assert (len(found.overlapping), found.told_in_rounds, len(found.pairs)) == (5, 1, 10)


def test_a_comparison_reads_the_same_from_both_sides(sample):
    contenders = {one.name: one for one in field(sample).contenders}
    order = list(contenders)
    for first in order:
        for second in order:
            found = contenders[first].cells[order.index(second)]
            if first == second:
                assert found is None
                continue
            back = contenders[second].cells[order.index(first)]
            assert found.ratio * back.ratio == pytest.approx(1)
            assert found.low * back.high == pytest.approx(1)
            assert {"faster": "slower", "slower": "faster"}.get(found.verdict, "same") == back.verdict
    assert contenders["xtea-04"].cells[0].verdict == "faster"


def test_all_pairs_of_a_ladder_hold_together():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1.5, "xtea-02": 2}
    for blocks, verdict in ((7, "undecided"), (8, "faster")):  # 6 pairs need 8 blocks, a single one would need 6
        judged = analysed(made(speed, blocks=blocks)).pairwise(("x86-64", "gcc"))
        assert len(judged) == 6
        assert judged["xtea-00", "xtea-02"].verdict == verdict


def test_the_control_is_not_judged_by_the_floor_that_it_makes():
    judged = analysed(made({"xtea-00": 1, "xtea-00-again": 1.05, "xtea-01": 1.04})).pairwise(("x86-64", "gcc"))
    assert judged["xtea-00", "xtea-00-again"].verdict == "faster"
    assert judged["xtea-00", "xtea-01"].verdict != "faster"


def test_the_same_program_is_called_faster_as_often_as_its_means_say(sample):
    found = statistics_view.section(sample).identical
    counts = {line.judge: (line.share.k, line.share.n) for line in found.lines}
    assert counts["the lower mean is the faster one"] == (5, 6)
    assert counts["means more than 1% apart"] == (4, 6)
    assert counts["means more than 5% apart"] == (2, 6)
    # With a deviation of 100 in 1,000 rounds a mean is known to about 3: Welch finds 20, not 5.
    assert counts["Welch's t-test on the rounds, at 5 %"] == (4, 6)
    assert counts["means more than their standard deviations apart"] == (1, 6)
    assert [line.share.k for line in found.lines if line.design == "20 fixed blocks"] == [0, 0]
    assert found.furthest == pytest.approx(1.6)
    assert found.furthest_rounds < 1.01


def test_pages_show_what_was_found(written, sample):
    page = text_of((written / "xtea-lesson.html").read_text())
    for one in field(sample).contenders:
        assert f"{one.title} {formatting.time(one.mean)} {formatting.time(one.sd)}" in page
    assert "By their means all 10 pairs were decided. Of these decisions the rounds bear out 0" in page
    assert "the rounds say the opposite of the means" in page
    assert re.search("so by these one would call them (the same|different); ", page)
    assert "Of 10 pairs 5 lie apart and 5 overlap. Of those that overlap the rounds below distinguish 1:" in page
    itself = text_of((written / "xtea-identical.html").read_text())
    assert "4 of 6 times the means" in itself
    assert "In rounds, judged as on every page here: 0 of 3." in itself
    for line in statistics_view.section(sample).identical.lines:
        assert f"{line.judge} {formatting.share(line.share)}" in itself


def test_the_page_begins_with_the_ladder_of_its_headline(tmp_path, monkeypatch):
    found = sampled(taught(full(SPEED), MEANS, IN_A_ROW, 100.0), lesson=LESSON)
    lowest, *_ = found.ladders
    monkeypatch.setattr(queries, "best_ladder", lambda _: lowest)
    render.write_local(found, tmp_path, tmp_path / "xtea.json.xz")
    page = (tmp_path / "xtea-lesson.html").read_text()
    assert re.findall(r'name="ladder" value="([^"]+)" checked', page) == [field(found).id] != [".".join(lowest)]


def test_too_few_blocks_are_said(tmp_path):
    render.write_local(lesson(dict.fromkeys(SPEED, 1), blocks=4), tmp_path, tmp_path / "xtea.json.xz")
    said = "Here were 4 rounds, which is too few: a verdict needs 9."
    assert said in text_of((tmp_path / "xtea-lesson.html").read_text())


def test_pages_are_linked(written, sample):
    assert 'href="xtea-lesson.html"' in (written / "xtea.html").read_text()
    assert 'href="xtea-identical.html"' in (written / "xtea-lesson.html").read_text()
    assert index_view.IndexEntry(sample, "x", published=True).lesson is LESSON


def test_a_measurement_without_a_lesson_has_no_such_page(sample):
    """The case teaches and nothing was measured for it; then it was measured, of a case that teaches nothing."""
    for found in (sampled(small(), lesson=LESSON), analysed(sample.measurement)):
        assert statistics_view.section(found) is None
        assert index_view.IndexEntry(found, "x", published=True).lesson is None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(render, "_PICTURES", {kind: (lambda _: EMPTY, kind) for kind in ("overview", "ladder")})
            made_pages = render.Folder()
            render.case_pages(made_pages, found, "x")
        assert not {*PAGES} & {*made_pages.files}
        assert not any(name in text for name in PAGES for text in made_pages.files.values())


def test_a_damaged_lesson_is_no_valid_measurement(tmp_path):
    broken = lesson().measurement
    broken.aa_test.in_a_row[0] = []
    path = store.save(broken, tmp_path / "xtea.json")
    with pytest.raises(UserError) as refused:
        store.load(path)
    assert str(refused.value).startswith(f"{path} is not a valid perf-ladders measurement (aa_test.in_a_row ")
    assert str(refused.value).endswith("): take another copy of it, or measure again with `make report`.")
    assert refused.value.code == 2


def test_a_lesson_needs_all_of_its_fields(tmp_path, monkeypatch):
    text = (paths.STAGES / "json" / "case.toml").read_text()
    folder = tmp_path / "json"
    for stage in ("01-printf", "03-tree", "04-writer", "05-append", "06-unescaped", "07-mutex", "12-copy-and-find"):
        (folder / stage).mkdir(parents=True)
        (folder / stage / "stage.cpp").touch()
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    (folder / "case.toml").write_text(text)
    found = catalogue.read_case("json").lesson
    assert (found.pair, found.identical, found.rounds) == (["json-05", "json-07"], "json-05", 1000)
    (folder / "case.toml").write_text(text.replace("rounds = 1000\n", ""))
    with pytest.raises(UserError, match="lesson: the field `rounds` is missing"):
        catalogue.read_case("json")
    (folder / "case.toml").write_text(text.replace('pair = ["append", "mutex"]', 'pair = ["append", "runs"]'))
    with pytest.raises(UserError, match="the lesson is of a stage 'runs'; there are: printf, "):
        catalogue.read_case("json")
