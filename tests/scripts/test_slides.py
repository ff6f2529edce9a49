"""Slides and worksheets: the main path is there, numbers are the result's, no network is needed, nothing runs over."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess

import pytest
from measurement_sample import analysed, small

from perf_ladders import cli
from perf_ladders.errors import UserError
from perf_ladders.pages import case_view, formatting
from perf_ladders.results.shown import shown
from perf_ladders.tree import catalogue, paths
from perf_ladders.workshop import slides

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
def found(xtea):
    return shown(xtea) or pytest.skip("the tree of a stage's tag has no measurements")


@pytest.fixture(scope="module")
def pages(xtea, found, tmp_path_factory):
    return slides.write(xtea, found, tmp_path_factory.mktemp("slides"))


def headings(page):
    return [re.sub("<[^>]+>", "", found) for found in re.findall(r"<h1>(.*?)</h1>", page, re.DOTALL)]


@needs_pandoc
def test_every_stage_of_the_main_path_has_its_slides(pages, xtea):
    found = headings(pages[0].read_text("utf-8"))
    for stage in xtea.stages:
        wanted = [stage.notes.title, "The change", "What will it bring?", "Measured", "Why?"]
        if stage.number == "00":
            wanted = [stage.notes.title, "Measured", "Why?"]
        wanted += ["Tried beside this step"] * -(-len(xtea.branches(stage)) // 3)
        mine = [title[3:] for title in found if title.startswith(f"{stage.number} ")]
        assert mine == (wanted if stage in xtea.main_path else [])


@needs_pandoc
def test_a_side_branch_is_told_beside_the_step_that_it_leaves(pages, xtea, found, tmp_path):
    text = " ".join(html.unescape(pages[0].read_text("utf-8")).split())
    for stage in xtea.stages:
        if stage.notes.taught:
            assert stage.notes.taught in text
    chosen = slides.write(xtea, found, tmp_path, ["2", "3"])[0].read_text("utf-8")
    assert f"03 {xtea.stage('03').notes.title}" in headings(chosen)
    assert xtea.stage("03").notes.taught not in html.unescape(chosen), "it has its own slides"


@needs_pandoc
def test_numbers_are_those_of_the_measurement(pages, found):
    """Every ratio with an interval is one of its rows, and the machine stands on each slide that has one."""
    ratios = [ratio for row in found.rows for ratio in (row.vs_base, row.vs_reference)]
    ratios += [line.vs_library for line in case_view.best(found)]
    known = {formatting.ratio(ratio) for ratio in ratios if ratio}
    shown = set()
    for slide in pages[0].read_text("utf-8").split("<section")[1:]:
        text = " ".join(html.unescape(slide).split())
        mine = set(re.findall(r"[\d.,]+x \[[^]]+\]", text))
        shown |= mine
        assert mine <= known
        assert not mine or formatting.machine_line(found.measurement) in text
    path = [stage.name for stage in found.case.main_path]
    steps = [row.vs_base for row in found.first_rows if row.stage in path and row.vs_base]
    assert {formatting.ratio(step) for step in steps} <= shown


@needs_pandoc
def test_the_question_comes_before_the_measurement(pages):
    page = pages[0].read_text("utf-8")
    question, measured = (page.index(f">02 {title}") for title in ("What will it bring?", "Measured"))
    assert question < measured


@needs_pandoc
def test_a_stage_that_was_not_measured_says_why(xtea, tmp_path):
    page = slides.write(xtea, analysed(small()), tmp_path)[0].read_text("utf-8")
    beside = " ".join(page[page.index("02 Tried beside this step") :].split("</section>")[0].split())
    assert "not measured: TBB is not installed" in beside
    assert "n/a: not measured yet" in page
    page = slides.write(xtea, analysed(small()), tmp_path, ["3"])[0].read_text("utf-8")
    assert "n/a: TBB is not installed" in page


@needs_pandoc
def test_a_case_that_was_not_measured_has_slides(xtea, tmp_path):
    page = slides.write(xtea, None, tmp_path)[0].read_text("utf-8")
    assert "is not measured yet" in page
    assert page.count("n/a: not measured yet") == len(slides.stages_of(xtea))
    assert "What will it bring?" in page
    assert not re.search(r"\d+\.\d+x \[", page)


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
    mine = xtea.main_path
    assert text.count("<caption>") == len(mine)
    assert text.count('<td class="to">') == sum(len(slides.levels(xtea, stage)) for stage in mine)
    assert not re.search(r"\d+\.\d+x", text), "a worksheet gives nothing away"


@pytest.mark.parametrize("name", catalogue.case_names())
def test_predictions_are_asked_for_where_a_program_is_built(name, build):
    case = catalogue.read_case(name)
    built = {(program.name, program.level) for program in build.programs}
    for stage in case.stages:
        if stage.number < paths.OWN_STAGES and any(stage.name == program for program, _ in built):
            asked = slides.levels(case, stage)
            assert asked
            assert {(stage.name, level) for level in asked if level in build.flags} <= built


@needs_pandoc
def test_a_lecture_may_have_some_stages_alone(xtea, found, tmp_path):
    """In the order of the ladder, each once, however they are named; picture and control are those of the whole."""
    deck, worksheet = slides.write(xtea, found, tmp_path, ["4", "0", "xtea-01", "04"])
    numbers = [title[:2] for title in headings(deck.read_text("utf-8")) if title[:2].isdigit()]
    assert list(dict.fromkeys(numbers)) == ["00", "01", "04"]
    assert "The whole ladder" in headings(deck.read_text("utf-8"))
    assert worksheet.read_text("utf-8").count("<caption>") == 3


def test_a_stage_that_is_not_there_is_named(xtea, tmp_path):
    folder = tmp_path / "slides"
    with pytest.raises(UserError, match="XTEA has no stage 'x'; there are: 00 01 "):
        slides.write(xtea, None, folder, ["0", "x"])
    assert not folder.exists()
    with pytest.raises(UserError, match="XTEA has no stage 'sha3-01'"):
        slides.stages_of(xtea, ["sha3-01"])


def test_stages_are_those_of_one_case(capsys, tmp_path):
    assert cli.main(["slides", "--case", "all", "--stage", "4", "--out", str(tmp_path)]) == 2
    assert "Stages are those of one case" in capsys.readouterr().err


@pytest.mark.parametrize("name", catalogue.case_names())
def test_a_worksheet_names_stages_of_its_own_case(name, tmp_path):
    case = catalogue.read_case(name)
    page = slides.handout(case, slides.stages_of(case), tmp_path / "worksheet.html").read_text("utf-8")
    named = re.findall(r"make (?:run-stage|profile) ([\w-]+)", page)
    assert named
    assert {*named} <= {stage.name for stage in case.stages}


def test_slides_and_worksheet_ask_for_levels_that_are_built(tmp_path):
    """Salsa20 is not built at novec, though its notes predict it."""
    case = catalogue.read_case("salsa20")
    stages = slides.stages_of(case)
    assert any("novec" in stage.notes.predicts for stage in stages)
    page = slides.handout(case, stages, tmp_path / "worksheet.html").read_text("utf-8")
    asked = re.findall(r"^Write down a range for each level, and why: (.+)\.$", slides.deck(case, None, stages), re.M)
    assert len(asked) == len(stages) - 1
    assert not any("novec" in text for text in (page, *asked))


def test_without_pandoc_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="apt-get install pandoc"):
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


def test_what_was_taken_away_is_counted_where_there_is_no_room_to_say_so():
    shown, left_out = slides.small_diff("\n".join([*["+new"] * slides.LINES, *["-line"] * 9, " after"]))
    assert shown.splitlines() == ["+new"] * slides.LINES
    assert left_out == 9


def test_a_long_line_takes_the_room_of_several():
    shown, left_out = slides.small_diff("\n".join(["+" + "x" * (2 * slides.WIDTH)] * 10), limit=6)
    assert len(shown.splitlines()) == 2
    assert left_out == 8
