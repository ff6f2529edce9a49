"""The pages in a browser: switches switch, headings sort, nothing leaves the disk, nothing is wider than a phone."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest
from evidence_sample import full, sampled
from lesson_sample import LESSON, taught
from rich.console import Console

from perf_ladders.pages import compiler_explorer, render
from perf_ladders.results import store
from perf_ladders.tree import catalogue

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
STATISTICS = ["xtea-lesson.html", "xtea-identical.html"]
NUMBERS = ["xtea-numbers-x86-64.html", "xtea-numbers-x86-64-v3.html"]
STAGES = ["xtea-00.html", "xtea-01.html", "xtea-02.html", "xtea-04.html"]
ATLAS = ["atlas.html", "xtea-04-machines.html"]  # beside what the repository has of XTEA
PAGES = ["index.html", *ATLAS, "xtea.html", "xtea-programs.html", "xtea-03.html", *STAGES, *NUMBERS, *STATISTICS]

MEANS = dict.fromkeys(("reference", "again", "for-loop", "transform", "interchange", "botan"), (1000.0, 50.0))

RECORD = """<script>
window.problems = [];
addEventListener("error", (event) => problems.push(`error: ${event.message}`));
addEventListener("unhandledrejection", (event) => problems.push(`rejected: ${event.reason}`));
addEventListener("securitypolicyviolation", (event) => problems.push(`loads ${event.blockedURI}`));
console.error = (...words) => problems.push(`console: ${words.join(" ")}`);
</script>"""

# A window may refuse to be as narrow as a phone; a frame does not. All pages at once: a browser takes long to begin.
FRAMES = """<!doctype html><body><script>
addEventListener("message", (event) => {
  document.body.append(Object.assign(document.createElement("pre"), { textContent: event.data }));
});
</script>%s</body>"""
FRAME = '<iframe src="%s" width="360" height="800" style="border: 0"></iframe>'

DRIVE = """<script>
addEventListener("load", () => setTimeout(() => {
  const page = location.pathname.split("/").pop();
  const outcome = { page, problems, units: [], ladders: [], picked: 0, sorted: 0, width: innerWidth };
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const check = (holds, words) => { if (!holds) problems.push(words); };
  const shown = (part) => getComputedStyle(part).display !== "none";
  for (const radio of all("[data-switch=ladder] input")) {
    radio.click();
    outcome.ladders.push(radio.value);
    for (const part of all("[data-of-ladder]")) {
      check(shown(part) === (part.dataset.ofLadder === radio.value), `${radio.value}: ${part.dataset.ofLadder}`);
    }
  }
  const picks = all("[data-pick]");
  for (const pick of picks) {
    for (const option of all("option", pick)) {
      pick.value = option.value;
      pick.dispatchEvent(new Event("change"));
      outcome.picked++;
      const wanted = picks.map((one) => one.value);
      for (const part of all("[data-choice]")) {
        check(shown(part) === wanted.includes(part.dataset.choice), `${wanted}: ${part.dataset.choice}`);
      }
      const [left, right] = wanted.map((one) => all("[data-choice]").find((part) => part.dataset.choice === one));
      check(left === right || left.style.order < right.style.order, `${wanted}: not in this order`);
    }
  }
  const units = all("[data-switch=unit] input");
  for (const radio of units.length ? units : [{ value: "ns", click() {} }]) {
    radio.click();
    if (units.length) outcome.units.push(radio.value);
    for (const part of all("[class^=unit-]")) {
      check(shown(part) === (part.className === `unit-${radio.value}`), `${radio.value}: ${part.className}`);
    }
    const values = (row, column) => {
      const cell = row.cells[column];
      const found = cell.querySelector(`.unit-${radio.value}`) || cell;
      return found.hasAttribute("data-sort") ? found.getAttribute("data-sort") : found.textContent.trim();
    };
    for (const button of all("table.sortable th > button")) {
      const heading = button.parentElement;
      check(!button.querySelector("a"), `a link in a button: ${heading.textContent}`);
      check(button.textContent || button.getAttribute("aria-label"), `a button without a name: ${heading.textContent}`);
      for (const order of ["ascending", "descending"]) {
        button.click();
        check(heading.getAttribute("aria-sort") === order, `aria-sort of ${heading.textContent}`);
        const found = all("tbody tr", heading.closest("table")).map((row) => values(row, heading.cellIndex));
        const known = found.filter((value) => value !== "");
        check(found.slice(known.length).every((value) => value === ""), `${heading.textContent}: n/a not last`);
        if (!known.some(isNaN)) {
          const numbers = known.map(Number), sign = order === "ascending" ? 1 : -1;
          const holds = numbers.every((value, place) => !place || sign * (value - numbers[place - 1]) >= 0);
          check(holds, `${heading.textContent} ${order}: ${found}`);
          outcome.sorted += numbers.length > 1;
        }
      }
    }
  }
  for (const part of all("details")) part.open = true;
  for (const group of all("fieldset")) {  // as many choices as a case of four levels and two compilers has
    for (let times = 0; times < 4; times++) group.append(...all("label", group).map((one) => one.cloneNode(true)));
  }
  const sticky = all("tbody th").filter((one) => getComputedStyle(one).position === "sticky");
  check(!sticky.length, "a column of a phone covers the others");
  outcome.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  outcome.broken = all("img").filter((one) => one.complete && !one.naturalWidth).map((one) => one.src);
  outcome.requests = performance.getEntriesByType("resource").map((entry) => entry.name.replace("file://", ""));
  parent.postMessage(JSON.stringify(outcome), "*");
}, 100));
</script>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("pages")
    measurement = taught(full(), MEANS, [(1_000.0, 1_020.0)] * 3, 5.0)
    store.save(measurement, found / "xtea.json.xz")
    analysis = sampled(measurement, lesson=LESSON)
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(render, "read_case", lambda _: analysis.case)
    render.write_local(analysis, found, found / "xtea.json.xz")
    render.write_index(found, Console(quiet=True))
    monkeypatch.undo()
    return found


def opened(path: Path, profile: Path) -> str:
    assert CHROMIUM
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
    command += [f"--user-data-dir={profile}", "--virtual-time-budget=5000", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def opened_pages(folder, tmp_path_factory):
    """By name, what became of each page in a browser."""
    place = tmp_path_factory.mktemp("opened")
    for picture in folder.glob("*.svg"):
        shutil.copy(picture, place)
    for name in PAGES:
        page = (folder / name).read_text()
        driven = page.replace("<head>", f"<head>{RECORD}", 1).replace("</body>", f"{DRIVE}</body>", 1)
        (place / name).write_text(driven)
    frames = place / "frames.html"
    frames.write_text(FRAMES % "".join(FRAME % name for name in PAGES))
    told = re.findall(r"<pre>(.+?)</pre>", opened(frames, place / "profile"))
    return place, {outcome["page"]: outcome for outcome in map(json.loads, map(html.unescape, told))}


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium to open pages with")
@pytest.mark.parametrize("name", PAGES)
def test_in_a_browser(folder, opened_pages, name):
    place, outcomes = opened_pages
    assert name in outcomes, "the page's script did not come to its end"
    outcome = outcomes[name]
    assert outcome["problems"] == []
    without_units = name in (*STATISTICS, "xtea-programs.html", "atlas.html")
    assert outcome["units"] == ([] if without_units else ["ns", "cycles", "mib", "instructions"])
    assert all(Path(unquote(address)).parent == place for address in outcome["requests"])
    assert outcome["broken"] == []
    assert outcome["width"] == 360
    assert outcome["overflow"] <= 0
    assert outcome["picked"] == (folder / name).read_text().count("<option")
    if name not in ("index.html", "xtea-identical.html", "xtea-03.html", *ATLAS, *NUMBERS):
        assert outcome["ladders"] == ["x86-64.gcc", "x86-64-v3.gcc"]
    if name not in ("index.html", "xtea-programs.html", "xtea-03.html", *STATISTICS):
        assert outcome["sorted"] > 0


def test_a_picture_follows_the_reader_into_the_dark(folder):
    svg = (folder / "xtea-overview.svg").read_text()
    assert "@media (prefers-color-scheme: dark)" in svg
    assert "#7a7a7a" not in svg.replace(svg[svg.index("<style>") : svg.index("</style>")], "")


def test_the_pictures_of_a_stage_and_the_tree_of_a_case_are_inside_the_page(folder):
    assert '<svg id="xtea-04-picture-1" role="img" aria-label="' in (folder / "xtea-04.html").read_text()
    case = (folder / "xtea.html").read_text()
    assert case.index('<svg id="xtea-tree" role="group"') < case.index('id="path"')


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(folder, name):
    page = (folder / name).read_text()
    links = re.findall(r'<(?:a|img) [^>]*(?:href|src)="([^"]*)"', page)
    assert links
    for link in map(html.unescape, links):
        if link.startswith(compiler_explorer.ADDRESS):
            continue  # to the web, for a reader who follows it
        path, _, anchor = link.partition("#")
        target = folder / unquote(path or name)
        assert target.exists(), link
        assert not anchor or f'id="{anchor}"' in target.read_text(), link


@pytest.mark.parametrize("name", PAGES)
def test_a_keyboard_and_a_reader_of_screens_find_the_content(folder, name):
    page = (folder / name).read_text()
    assert page.index('<a class="skip" href="#main">') < page.index('<main id="main">') < page.index("<h1")
    assert "<nav>" not in page
    assert "<nav" not in page[page.index("<main") : page.index("</main>")].replace('<nav class="turn"', "")
    assert '<div class="wide">' not in page


@pytest.mark.parametrize("name", PAGES)
def test_identifiers_are_there_once(folder, name):
    page = (folder / name).read_text()
    found = re.findall(r'\sid="([^"]*)"', page)
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    "path", sorted((Path(render.__file__).parent / "templates").glob("*.html.j2")), ids=lambda path: path.name
)
def test_no_sentence_is_glued_to_the_one_before(path):
    """The line break behind a tag is no white space on the page."""
    lines = path.read_text().splitlines()
    glued = [line for line, after in pairwise(lines) if re.search(r"\.\{% end\w+ %\}$", line) and after[:2] == "{{"]
    assert glued == []


def test_a_range_that_contains_1_is_marked_and_never_held(folder):
    """Stage 02 of XTEA expects no change, at every level."""
    page = (folder / "xtea-02.html").read_text()
    assert page.count("contains 1: says little") == len(catalogue.read_case("xtea").stage("02").notes.predicts)
    ranges = [
        (outcome, float(low), float(high))
        for path in folder.glob("*.html")
        for outcome, low, high in re.findall(r'<span class="([\w-]+)">\S+ ([\d.]+)-([\d.]+): ', path.read_text())
    ]
    assert {outcome for outcome, low, high in ranges if low <= 1 <= high} <= {"says-little", "refuted"}
    assert {"held", "says-little"} <= {outcome for outcome, *_ in ranges}
