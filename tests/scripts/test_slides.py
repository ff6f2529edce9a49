"""Slides and worksheets: every stage is there, numbers are the result's, nothing needs a network, nothing runs over."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess

import pytest

from perf_ladders import catalogue, cli, slides, views, wording
from perf_ladders.complaint import Complaint

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_pandoc = pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")

OVERFLOW = """<pre id="outcome"></pre><script>
addEventListener("load", () => {
  const found = [];
  for (const slide of document.querySelectorAll("body > section")) {
    const source = slide.querySelector(".source");
    const parts = [...slide.children].filter((part) => part !== source && part.getAttribute("role") !== "note");
    const bottom = Math.max(...parts.map((part) => part.offsetTop + part.offsetHeight));
    const wide = [...slide.querySelectorAll("h1, p, pre, table, figure")];
    const right = Math.max(...wide.map((part) => part.offsetLeft + part.scrollWidth));
    if (bottom > (source ? source.offsetTop : 700) || right > 1280) found.push(slide.firstElementChild.textContent);
  }
  document.getElementById("outcome").textContent = JSON.stringify(found);
});
</script></body>"""


@pytest.fixture(scope="module")
def xtea():
    return catalogue.read_case("xtea")


@pytest.fixture(scope="module")
def pages(xtea, small_result, tmp_path_factory):
    return slides.write(xtea, small_result, tmp_path_factory.mktemp("slides"))


def headings(page):
    return [re.sub("<[^>]+>", "", found) for found in re.findall(r"<h1>(.*?)</h1>", page, re.DOTALL)]


@needs_pandoc
def test_every_stage_has_its_slides(pages, xtea):
    found = headings(pages[0].read_text("utf-8"))
    for stage in xtea.stages:
        wanted = [stage.notes.title, "The change", "What will it bring?", "Measured", "Why?"]
        if stage.number == "00":
            wanted = [stage.notes.title, "Measured", "Why?"]
        if stage.number < catalogue.OWN_STAGES:
            mine = [title[3:] for title in found if title.startswith(f"{stage.number} ")]
            assert mine == wanted


@needs_pandoc
def test_numbers_are_those_of_the_result(pages, small_result):
    """Every ratio with an interval is one that the result holds, and the machine stands on each slide that has one."""
    rows = small_result["rows"]
    known = {wording.ratio(row[key]) for row in rows for key in ("vs_base", "vs_reference") if row[key]}
    known |= {wording.ratio(line["vs_library"]) for line in views.best(small_result) if line["library"]}
    shown = set()
    for slide in pages[0].read_text("utf-8").split("<section")[1:]:
        text = " ".join(html.unescape(slide).split())
        found = set(re.findall(r"[\d.,]+x \[[^]]+\]", text))
        shown |= found
        assert found <= known
        assert not found or wording.machine_line(small_result) in text
    assert {wording.ratio(row["vs_base"]) for row in rows if row["vs_base"] and row["bytes"] == 25_600} <= shown


@needs_pandoc
def test_the_question_comes_before_the_measurement(pages):
    page = pages[0].read_text("utf-8")
    question, measured = (page.index(f">04 {title}") for title in ("What will it bring?", "Measured"))
    assert question < measured


@needs_pandoc
def test_a_stage_that_was_not_measured_says_why(pages):
    page = pages[0].read_text("utf-8")
    measured = page[page.index("03 Measured") : page.index("03 Why?")]
    assert "n/a: TBB is not installed" in measured
    assert "n/a: not measured" in page


@needs_pandoc
def test_nothing_is_asked_of_a_network(pages):
    for page in pages:
        text = page.read_text("utf-8")
        assert "default-src 'none'" in text
        assert not re.findall(r"""(?:src|href)=["'](?!#)|url\((?!#)|@import|<link\b""", text)


@needs_pandoc
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_no_slide_runs_over(pages, tmp_path):
    page = tmp_path / "slides.html"
    page.write_text(pages[0].read_text("utf-8").replace("</body>", OVERFLOW), "utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    command += [f"--user-data-dir={tmp_path}/browser", "--window-size=1280,720", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    outcome = re.search(r'<pre id="outcome">(.*?)</pre>', shown, re.DOTALL)
    assert json.loads(outcome[1]) == []


@needs_pandoc
def test_the_worksheet_has_a_box_for_every_stage_and_level(pages, xtea):
    text = pages[1].read_text("utf-8")
    mine = [stage for stage in xtea.stages if stage.number < catalogue.OWN_STAGES]
    assert text.count("<caption>") == len(mine)
    assert text.count('<td class="to">') == sum(len(slides.levels(xtea, stage)) for stage in mine)
    assert not re.search(r"\d+\.\d+x", text), "a worksheet gives nothing away"


@pytest.mark.parametrize("name", catalogue.case_names())
def test_predictions_are_asked_for_where_a_program_is_built(name, build):
    case = catalogue.read_case(name)
    built = {(program.name, program.level) for program in build.programs}
    for stage in case.stages:
        if stage.number < catalogue.OWN_STAGES and any(stage.name == program for program, _ in built):
            asked = slides.levels(case, stage)
            assert asked
            assert {(stage.name, level) for level in asked if level in build.flags} <= built


@needs_pandoc
def test_a_lecture_may_have_some_stages_alone(xtea, small_result, tmp_path):
    """In the order of the ladder, each once, however they are named; picture and control are those of the whole."""
    deck, worksheet = slides.write(xtea, small_result, tmp_path, ["4", "0", "xtea-01", "04"])
    numbers = [title[:2] for title in headings(deck.read_text("utf-8")) if title[:2].isdigit()]
    assert list(dict.fromkeys(numbers)) == ["00", "01", "04"]
    assert "The whole ladder" in headings(deck.read_text("utf-8"))
    assert worksheet.read_text("utf-8").count("<caption>") == 3


def test_a_stage_that_is_not_there_is_named(xtea, small_result, tmp_path):
    folder = tmp_path / "slides"
    with pytest.raises(Complaint, match="XTEA has no stage 'x'; there are: 00 01 "):
        slides.write(xtea, small_result, folder, ["0", "x"])
    assert not folder.exists()
    with pytest.raises(Complaint, match="XTEA has no stage 'sha3-01'"):
        slides.stages_of(xtea, ["sha3-01"])


def test_stages_are_those_of_one_case(capsys, tmp_path):
    assert cli.main(["slides", "--case", "all", "--stage", "4", "--out", str(tmp_path)]) == 2
    assert "Stages are those of one case" in capsys.readouterr().err


@pytest.mark.parametrize("name", catalogue.case_names())
def test_a_worksheet_names_stages_of_its_own_case(name):
    case = catalogue.read_case(name)
    page = slides.handout(case, slides.stages_of(case))
    named = re.findall(r"make (?:run-stage|profile) (\S+?)`", page["before"] + page["after"])
    assert named
    assert {*named} <= {stage.name for stage in case.stages}


def test_slides_ask_for_the_same_levels_as_the_worksheet(small_result):
    """Salsa20 is not built at novec, though its notes predict it."""
    case = catalogue.read_case("salsa20")
    stages = slides.stages_of(case)
    asked = [one["levels"] for one in slides.deck(case, small_result, stages)["stages"]]
    assert asked == [rung["levels"] for rung in slides.handout(case, stages)["rungs"]]
    assert not any("novec" in levels for levels in asked)


@pytest.mark.skipif(not slides.cases(), reason="the tree of a stage's tag has no results")
def test_a_case_without_a_result_is_told_which_have_one():
    with pytest.raises(Complaint, match="there is none of nothing in") as complained:
        slides.reference("nothing")
    assert "xtea" in str(complained.value)


def test_without_pandoc_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Complaint, match="apt-get install pandoc"):
        slides._pandoc("# A slide", "A title", tmp_path / "slides.html")


def test_a_long_text_is_cut_after_a_paragraph_or_a_sentence():
    assert slides.cut("One.\n\nTwo.", 20) == ("One.\n\nTwo.", True)
    assert slides.cut("One is here.\n\nTwo is longer than the room.", 20) == ("One is here.", False)
    assert slides.cut("One is here. Two is not. Three.", 24) == ("One is here. Two is not.", False)


def test_a_diff_is_cut_to_what_a_slide_has_room_for():
    head = ["--- a", "+++ b", "@@ -1 +1 @@", "-// 01 An idea.", "+// 02 Another.", "+#include <array>"]
    changes = [" before", *(f"+line {number}" for number in range(30)), " after"]
    shown, left_out = slides.small_diff("\n".join(head + changes))
    lines = shown.splitlines()
    assert lines[:2] == [" before", "+line 0"]
    assert len(lines) == slides.LINES
    assert left_out == 30 - (slides.LINES - 1)


def test_what_was_only_taken_away_is_counted():
    shown, left_out = slides.small_diff("\n".join([" before", *(f"-line {number}" for number in range(9)), "+new"]))
    assert shown.splitlines() == [" before", "+new", "@@ 9 lines taken away @@"]
    assert left_out == 0


def test_a_long_line_takes_the_room_of_several():
    shown, left_out = slides.small_diff("\n".join(["+" + "x" * (2 * slides.WIDTH)] * 10), limit=6)
    assert len(shown.splitlines()) == 2
    assert left_out == 8
