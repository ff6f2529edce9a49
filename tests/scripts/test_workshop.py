"""The teacher's pack: clocks add up, commands exist, links lead somewhere."""

from __future__ import annotations

import json
import re
import subprocess
from itertools import pairwise

import pytest
from test_make import make

from perf_ladders import catalogue, slides
from perf_ladders.catalogue import ROOT

FOLDER = ROOT / "docs/workshop"
PAGES = sorted(FOLDER.glob("*.md"))
CONTAINER = ROOT / ".devcontainer/devcontainer.json"
GOALS = " ".join(re.findall(r"^goals [:+]= (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)).split()
STAGES = {stage.name for name in catalogue.case_names() for stage in catalogue.read_case(name).stages}
LATEST = {"xtea-12", "salsa20-04", "sha3-11", "threefish-03", "hmac-sha1-04"}  # that the pages speak of
whole_tree = pytest.mark.skipif(not LATEST <= STAGES, reason="the trees of earlier tags have not all stages")


def minutes(clock):
    hours, rest = clock.split(":")
    return 60 * int(hours) + int(rest)


def commands(text):
    """What stands in backticks or in a block, line by line."""
    fenced = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    return [line.partition(" #")[0].strip() for line in [*inline, *"".join(fenced).splitlines()]]


@pytest.mark.parametrize("length", [60, 90, 180])
def test_the_clock_of_a_plan_adds_up(length):
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    spans = [(minutes(a), minutes(b)) for a, b in re.findall(r"^\| (\d:\d\d)-(\d:\d\d) \|", text, re.MULTILINE)]
    assert spans[0][0] == 0
    assert spans[-1][1] == length
    assert all(begin < end for begin, end in spans)
    assert all(before[1] == after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize("length", [60, 90, 180])
def test_every_step_of_a_plan_asks_before_it_shows(length):
    rows = re.findall(r"^\| \d:\d\d-.*", (FOLDER / f"plan-{length}.md").read_text("utf-8"), re.MULTILINE)
    for row in rows:
        _, _, screen, types, ask, say, _ = (cell.strip() for cell in re.split(r"(?<!\\)\|", row))
        assert say
        if screen != "Break":
            assert types
            assert "?" in ask or "Write" in ask


@pytest.mark.parametrize("length", [60, 90, 180])
def test_an_exercise_begins_with_a_rung_whose_answer_was_not_shown(length):
    """On the screen as "04: The change", or typed as make diff-stage xtea-04 or make profile xtea-04."""
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    before, exercise, after = text.partition("`make exercise CASE=xtea")
    shown = re.findall(r"\| (\d\d): [^|]*The change", before) + re.findall(
        r"make (?:diff-stage|profile) xtea-(\d\d)", before
    )
    assert shown
    if exercise:
        rung = re.match(r" RUNG=(\d+)", after)
        assert rung, "rung 01 is shown in every plan"
        assert f"{int(rung[1]):02}" not in shown


@whole_tree
@pytest.mark.parametrize("length", [60, 90, 180])
def test_the_slides_of_a_plan_are_those_of_its_rungs(length):
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    made = {
        stage.name
        for name, numbers in re.findall(r'`make slides(?: CASE=(\w+))? STAGES="([^"]+)"`', text)
        for stage in slides.stages_of(catalogue.read_case(name or "xtea"), numbers.split())
    }
    table = "".join(line for line in text.splitlines() if line.startswith("| "))
    rungs = {
        *re.findall(r"make run-stage (\w+-\d\d)", table),
        *(f"{name}-{int(number):02}" for name, number in re.findall(r"make exercise CASE=(\w+) RUNG=(\d+)", table)),
    }
    assert rungs <= made
    assert made - rungs <= {"salsa20-00"}, "it is on the screen, and nobody types its name"


@pytest.mark.parametrize("length", [90, 180])
def test_what_is_collected_for_a_scoreboard_has_names(length):
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    assert "make scoreboard" in text
    assert all("WHO=" in line for line in re.findall(r"`(make exercise [^`]+)`", text))


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]*)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if "reports/reference" in target and not slides.cases():
            continue  # the tree of a stage's tag has no results
        assert (page.parent / target).exists(), target


@whole_tree
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_make_are_accepted(page):
    """By make itself, which looks at every word before anything runs."""
    found = [part for line in commands(page.read_text("utf-8")) for part in line.split(" && ")]
    asked = [re.findall(r'[A-Z_]+="[^"]*"|\S+', part)[1:] for part in found if part.startswith("make ")]
    for words in asked:
        done = make(*(word.replace('"', "") for word in words))
        assert done.returncode == 0, f"make {' '.join(words)}: {done.stderr}"


@whole_tree
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_programs_are_those_of_stages(page):
    for name, level in re.findall(r"build/gcc/([a-z0-9-]+)\.([a-z0-9-]+)", page.read_text("utf-8")):
        case, number, *app = name.rsplit("-", 2) if name not in STAGES else name.rsplit("-", 1)
        assert f"{case}-{number}" in STAGES
        assert not app or (catalogue.STAGES / case / "apps" / app[0]).is_dir()
        assert level in catalogue.known_levels()


def test_every_misunderstanding_has_a_counter_example_that_runs():
    found = re.split(r"^## ", (FOLDER / "misunderstandings.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert len(found) >= 10
    for text in found:
        assert re.search(r"`(make (run-stage|profile|self-check)|build/gcc/|ctest )", text), text.splitlines()[0]


def test_the_container_is_set_up_by_commands_that_exist():
    settings = json.loads(CONTAINER.read_text("utf-8"))
    assert settings["image"].startswith("debian:")
    words = re.findall(r"make (\w+)", settings["postCreateCommand"])
    assert words == ["setup", "doctor"]
    assert set(words) <= {*GOALS}
    for key in ("onCreateCommand", "postCreateCommand"):
        assert subprocess.run(["bash", "-n", "-c", settings[key]], check=False).returncode == 0
