"""The pages in a browser: switches switch, headings sort, nothing leaves the disk, nothing is wider than a phone."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
from evidence_sample import enriched
from lesson_sample import taught

from perf_ladders import report, result

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
LESSON = ["xtea-lesson.html", "xtea-identical.html"]
PAGES = ["index.html", "xtea.html", "xtea-00.html", "xtea-01.html", "xtea-02.html", "xtea-04.html", *LESSON]

MEANS = {f"xtea-{name}": (1_000.0, 50.0) for name in ("00", "00-again", "01", "02", "04", "botan")}

RECORD = """<script>
window.problems = [];
addEventListener("error", (event) => problems.push(`error: ${event.message}`));
addEventListener("unhandledrejection", (event) => problems.push(`rejected: ${event.reason}`));
addEventListener("securitypolicyviolation", (event) => problems.push(`loads ${event.blockedURI}`));
console.error = (...words) => problems.push(`console: ${words.join(" ")}`);
</script>"""

# A window may refuse to be as narrow as a phone; a frame does not.
FRAME = """<!doctype html><body><pre id="outcome"></pre><script>
addEventListener("message", (event) => { document.getElementById("outcome").textContent = event.data; });
</script><iframe src="%s" width="360" height="800" style="border: 0"></iframe></body>"""

DRIVE = """<script>
addEventListener("load", () => setTimeout(() => {
  const outcome = { problems, units: [], ladders: [], sorted: 0, width: innerWidth };
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
  for (const radio of all("[data-switch=unit] input")) {
    radio.click();
    outcome.units.push(radio.value);
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
  outcome.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  outcome.requests = performance.getEntriesByType("resource").map((entry) => entry.name);
  parent.postMessage(JSON.stringify(outcome), "*");
}, 100));
</script>"""


@pytest.fixture(scope="module")
def folder(small_result, tmp_path_factory):
    found = tmp_path_factory.mktemp("pages")
    full = taught(enriched(small_result), MEANS, [(1_000.0, 1_020.0)] * 3, 5.0)
    result.save(full, found / "xtea.json")
    report.write(full, found / "xtea.json")
    report.write_index(found)
    return found


def opened(path: Path, profile: Path) -> str:
    assert CHROMIUM
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
    command += [f"--user-data-dir={profile}", "--virtual-time-budget=5000", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium to open pages with")
@pytest.mark.parametrize("name", PAGES)
def test_in_a_browser(folder, tmp_path, name):
    page = (folder / name).read_text()
    driven = page.replace("<head>", f"<head>{RECORD}", 1).replace("</body>", f"{DRIVE}</body>", 1)
    (tmp_path / name).write_text(driven)
    frame = tmp_path / "frame.html"
    frame.write_text(FRAME % name)
    told = re.search(r'<pre id="outcome">(.+?)</pre>', opened(frame, tmp_path / "profile"))
    assert told, "the page's script did not come to its end"
    outcome = json.loads(html.unescape(told[1]))
    assert outcome["problems"] == []
    assert outcome["units"] == ([] if name in LESSON else ["ns", "cycles", "mib", "instructions"])
    assert outcome["requests"] == []
    assert outcome["width"] == 360
    assert outcome["overflow"] <= 0
    if name not in ("index.html", "xtea-identical.html"):
        assert outcome["ladders"] == ["x86-64.gcc", "x86-64-v3.gcc"]
    if name not in ("index.html", *LESSON):
        assert outcome["sorted"] > 0


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(folder, name):
    page = (folder / name).read_text()
    links = re.findall(r'<a [^>]*href="([^"]*)"', page)
    assert links
    for link in map(html.unescape, links):
        path, _, anchor = link.partition("#")
        target = folder / unquote(path or name)
        assert target.exists(), link
        assert not anchor or f'id="{anchor}"' in target.read_text(), link


@pytest.mark.parametrize("name", PAGES)
def test_identifiers_are_there_once(folder, name):
    page = (folder / name).read_text()
    found = re.findall(r'\sid="([^"]*)"', page)
    assert len(found) == len(set(found))
