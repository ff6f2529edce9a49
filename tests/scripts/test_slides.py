"""Slides and worksheets: the main path is there, numbers are the result's, no network is needed, nothing runs over."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from measurement_sample import analysed, small

from perf_ladders import cli
from perf_ladders.errors import UserError
from perf_ladders.pages import case_view, formatting, svg
from perf_ladders.results.shown import shown
from perf_ladders.tree import catalogue, paths
from perf_ladders.tree.idea import idea_lines
from perf_ladders.tree.pictures import read_pictures
from perf_ladders.workshop import slide_pictures, slides, teaching_plan

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_pandoc = pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")

# What a slide is like in a browser of its own size: how far it reaches, its smallest text, its sentences.
LAID_OUT = """<pre id="outcome"></pre><script>
addEventListener("load", () => {
  const found = [], zoom = document.body.getBoundingClientRect().width / 1280;
  for (const slide of document.querySelectorAll("body > section")) {
    for (const note of slide.querySelectorAll("[role=note]")) note.remove();
    const inner = document.createRange();
    inner.selectNodeContents(slide);
    const {left, top} = slide.getBoundingClientRect(), {right, bottom} = inner.getBoundingClientRect();
    const sizes = [];
    for (const walk = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT); walk.nextNode();) {
      const parent = walk.currentNode.parentElement;
      if (!walk.currentNode.textContent.trim() || parent.closest("style, title")) continue;
      const ctm = parent.ownerSVGElement ? parent.getScreenCTM() : {a: zoom, b: 0, c: 0, d: zoom};
      const scale = Math.sqrt(Math.abs(ctm.a * ctm.d - ctm.b * ctm.c)) / zoom;
      sizes.push(parseFloat(getComputedStyle(parent).fontSize) * scale);
    }
    found.push({
      title: slide.firstElementChild.textContent,
      right: (right - left) / zoom,
      bottom: (bottom - top) / zoom,
      smallest: Math.min(...sizes),
      said: [...slide.querySelectorAll("p")].map((one) => one.textContent),
      looked: slide.querySelectorAll("figure, pre, table").length,
    });
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
    """Another workload has a slide where the step changes its time."""
    found = headings(pages[0].read_text("utf-8"))
    for stage in xtea.stages:
        wanted = [stage.notes.title, "The change", "What will it bring?", "Measured", "Why?"]
        if stage.number == "00":
            wanted = [stage.notes.title, "Measured", "Why?"]
        if stage.number != "00":
            wanted[1:2] = ["The change"] * len(slides.code_of(xtea, stage).slides)
        wanted[1:1] = ["The picture"] * len(list(slide_pictures.on_slides(stage)))
        wanted += ["Side branches of this step"] * -(-len(xtea.branches(stage)) // 3)
        mine = [" ".join(title[3:].split()) for title in found if title.startswith(f"{stage.number} ")]
        if "Other workloads" in mine:
            wanted[wanted.index("Why?") : wanted.index("Why?")] = ["Other workloads"] * mine.count("Other workloads")
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
    ratios += [one.comparison for line in case_view.best(found) for one in line.against.here.ends]
    known = {formatting.ratio(ratio) for ratio in ratios if ratio}
    shown = set()
    for slide in pages[0].read_text("utf-8").split("<section")[1:]:
        text = " ".join(html.unescape(slide).split())
        mine = set(re.findall(r"[\d.,]+x \[[^]]+\]", text))
        shown |= mine
        assert mine <= known
        where = f"{formatting.machine_line(found.measurement)}, {found.measurement.made.date[:10]}"
        assert not mine or where in text
    path = [stage.name for stage in found.case.main_path]
    steps = [row.vs_base for row in found.first_rows if row.stage in path and row.vs_base]
    assert {formatting.ratio(step) for step in steps} <= shown


@needs_pandoc
def test_a_step_that_helps_another_workload_says_so(pages):
    """15 of XTEA changes nothing but short messages."""
    page = pages[0].read_text("utf-8")
    slide = page[page.index(">15 Other workloads") :].split("</section>")[0]
    assert re.search(r"game-server</code></td>.*▲ faster", slide, re.DOTALL)


@needs_pandoc
def test_the_question_comes_before_the_measurement(pages):
    page = pages[0].read_text("utf-8")
    question, measured = (page.index(f">02 {title}") for title in ("What will it bring?", "Measured"))
    assert question < measured


@needs_pandoc
def test_a_stage_that_was_not_measured_says_why(xtea, tmp_path):
    page = slides.write(xtea, analysed(small()), tmp_path)[0].read_text("utf-8")
    beside = " ".join(page[page.index("02 Side branches of this step") :].split("</section>")[0].split())
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


def laid_out(deck, folder):
    """What a browser makes of each slide of 1280 x 720, however it scales them."""
    page = folder / "laid-out.html"
    page.write_text(deck.read_text("utf-8").replace("</body>", LAID_OUT), "utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    command += [f"--user-data-dir={folder}/browser", "--window-size=1280,720", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    return json.loads(html.unescape(re.search(r'<pre id="outcome">(.*?)</pre>', shown, re.DOTALL)[1]))


@needs_pandoc
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("name", catalogue.case_names())
def test_the_last_row_can_read_every_slide(name, tmp_path):
    """Nothing runs over, no text is smaller than 4 % of the height, and one sentence is beside what is looked at."""
    case = catalogue.read_case(name)
    for slide in laid_out(slides.write(case, shown(case), tmp_path)[0], tmp_path):
        assert slide["right"] <= 1280 - 16, slide
        assert slide["bottom"] <= 720 - 16, slide
        assert slide["smallest"] >= 0.04 * 720, slide
        sentences = [part for text in slide["said"] for part in re.split(r"(?<=[.!?]) (?=[A-Z])", text)]
        assert len(sentences) <= 1, slide
        assert slide["looked"] <= 1, slide


@needs_pandoc
def test_the_worksheet_has_a_box_for_every_stage_and_level(pages, xtea):
    text = pages[1].read_text("utf-8")
    mine = xtea.main_path
    assert text.count("<caption>") == len(mine)
    assert text.count('<td class="to">') == sum(len(slides.levels(xtea, stage)) for stage in mine)
    assert not re.search(r"\d+\.\d+x", text), "a worksheet gives nothing away"


@needs_pandoc
def test_the_worksheet_of_a_plan_has_the_levels_that_it_measures(tmp_path):
    """One row where the plan names a level, and where an exercise is judged; else all."""
    xtea = catalogue.read_case("xtea")
    plan = teaching_plan.planned("90")["xtea"]
    made = list(slides.write_plan("90", tmp_path))
    assert [path.name for path in made] == ["xtea.html", "xtea-worksheet.html"]
    tables = re.findall(r"<caption>(\d\d) .*?</table>", made[1].read_text("utf-8"), re.DOTALL)
    assert tables == sorted(plan)
    for table in re.findall(r"<caption>.*?</table>", made[1].read_text("utf-8"), re.DOTALL):
        stage = xtea.stage(re.search(r"\d\d", table)[0])
        one = plan[stage.number].level or plan[stage.number].exercise
        assert table.count('<td class="to">') == (1 if one else len(slides.levels(xtea, stage)))
    assert "make run-stage xtea-01 LEVEL=x86-64-v3" in made[0].read_text("utf-8")


def test_a_plan_that_is_not_there_is_named(capsys, tmp_path):
    assert cli.main(["slides", "--plan", "45", "--out", str(tmp_path)]) == 2
    assert "There is no plan of 45 minutes; there are: 60 90 180." in capsys.readouterr().err
    assert cli.main(["slides", "--plan", "90", "--case", "xtea", "--out", str(tmp_path)]) == 2
    assert "make slides PLAN=90" in capsys.readouterr().err


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
    asked = re.findall(r"^How many times as fast as stage .* at (.+)\?$", slides.deck(case, None, stages), re.M)
    assert len(asked) == len(stages) - 1
    assert not any("novec" in text for text in (page, *asked))


def test_without_pandoc_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="apt-get install pandoc"):
        slides._pandoc("# A slide", "A title", tmp_path / "slides.html")


def step(monkeypatch, diff, marked=()):
    monkeypatch.setattr(slides, "idea_lines", lambda *_: list(marked))
    case = catalogue.read_case("xtea")
    monkeypatch.setattr(type(case), "diff", lambda *_: "\n".join(["--- a", "+++ b", *diff]))
    return slides.code_of(case, case.stages[1])


def test_a_slide_shows_the_lines_that_carry_the_idea(monkeypatch):
    """An empty line between two pieces becomes a mark."""
    found = step(monkeypatch, ["+new", "+other"], ["  new;", "", "  other;"])
    assert (found.slides, found.which) == ([["  new;", slides._GAP, "  other;"]], "The lines that carry the idea")


def test_an_idea_in_long_lines_takes_a_second_slide(monkeypatch):
    long = " ".join(["word"] * 20)
    first, second = step(monkeypatch, ["+new"], [*[long] * 6, "", *[long] * 6]).slides
    assert (len(first), len(second)) == (12, 12)
    assert [len(part) for part in step(monkeypatch, ["+new"], [long] * 12).slides] == [slides.ROWS, 24 - slides.ROWS]


def test_without_marks_a_slide_shows_the_first_new_lines_of_code(monkeypatch):
    """Neither what only moved, nor comments, nor includes."""
    head = ["@@ -1 +1 @@", "-moved line", "+// Another idea.", "+#include <array>", "+", "+moved line", " kept"]
    found = step(monkeypatch, [*head, "+  one", "+    two", " kept", "+three"])
    assert (found.slides, found.which) == ([["one", "  two", slides._GAP, "three"]], "All new lines")
    found = step(monkeypatch, [f"+line {number}" for number in range(30)])
    assert (found.slides, found.which) == ([[f"line {number}" for number in range(12)]], "The first of the new lines")


def test_a_long_line_takes_the_room_of_several():
    found = slides.fitting([" ".join(["word"] * 30)] * 10)
    assert max(map(len, found)) <= slides.WIDTH
    assert len(found) == slides.ROWS // 3 * 3


def test_a_comment_that_is_broken_off_stays_one():
    assert slides._rows("  " + "x" * 50 + ";  // true is -1: the carry") == [
        f"  {'x' * 50};",
        "      // true is -1: the carry",
    ]


def test_no_slide_ends_in_the_mark_of_a_gap():
    assert slides.fitting([*["new"] * 12, slides._GAP, "other"]) == ["new"] * 12


@pytest.mark.parametrize("name", catalogue.case_names())
def test_every_line_of_an_idea_is_on_a_slide(name):
    case = catalogue.read_case(name)
    for stage in case.stages:
        if marked := idea_lines(case, stage):
            found = slides.code_of(case, stage).slides
            assert len(found) <= 2, stage.name
            assert max(map(len, found)) <= slides.ROWS
            rows = "".join("".join(map("".join, found)).split()).replace(slides._GAP, "")
            assert rows.replace("//", "") == "".join("".join(marked).split()).replace("//", ""), stage.name


@pytest.mark.parametrize("name", catalogue.case_names())
def test_pictures_on_slides_have_letters_of_4_percent(name):
    """In the room that the style of the slides leaves for a figure."""
    for stage in catalogue.read_case(name).stages:
        drawn = list(slide_pictures.on_slides(stage))
        assert len(drawn) >= len(read_pictures(stage.directory))
        for one in drawn:
            width, height = svg.size(one.svg)
            scale = min(slide_pictures.ROOM[0] / width, slide_pictures.ROOM[1] / height)
            assert min(map(float, re.findall(r"font-size: ([\d.]+)px", one.svg))) * scale > 0.04 * 720, one.title


def test_a_picture_that_would_be_too_small_is_shown_in_parts():
    stage = catalogue.read_case("salsa20").stage("07")
    whole = [picture for picture in read_pictures(stage.directory) if len(picture.source.grids) > 2]
    titles = [one.title for one in slide_pictures.on_slides(stage)]
    assert whole
    for grid in (grid for picture in whole for grid in picture.source.grids):
        assert grid.title[:1].upper() + grid.title[1:] in titles


@pytest.mark.parametrize("name", catalogue.case_names())
def test_why_is_a_sentence_without_figures(name, monkeypatch):
    """They are on the slide before, with their machine."""
    monkeypatch.setattr(slides, "on_slides", lambda _: [])  # other tests look at pictures, which take most of the time
    case = catalogue.read_case(name)
    measured = shown(case)
    stages = [stage for stage in case.stages if stage.number < paths.OWN_STAGES]
    for stage in stages:
        made = slides._slide(case, stage, measured, [], stages, {})
        if made.section("Result"):
            assert re.match(r"\S.*[.?]$", made.why), stage.name
            assert not re.search(r"\d[.\d]*(x \[|%)", made.why), (stage.name, made.why)


def test_a_result_of_figures_alone_shows_the_idea(xtea, monkeypatch):
    stage = xtea.stage("04")
    text = "## Result\n\n<!-- rows -->\n\nThe verdict is {{ verdict() }}.\n"
    monkeypatch.setitem(vars(stage), "notes", replace(stage.notes, text=text))
    made = slides.Slide(stage, None, [], notes="## Result\n\nThe verdict is 2.00x [1.90, 2.10].\n")
    assert made.why == made.idea
