"""The pages for teachers: clocks add up, questions come first, slides and exercises fit. test_docs has the rest."""

from __future__ import annotations

import json
import re
import subprocess
from itertools import pairwise

import pytest

from perf_ladders import cli
from perf_ladders.tree import catalogue
from perf_ladders.tree.paths import ROOT
from perf_ladders.workshop import slides, teaching_plan

FOLDER = ROOT / "docs/workshop"
CONTAINER = ROOT / ".devcontainer/devcontainer.json"
STAGES = {stage.name for name in catalogue.case_names() for stage in catalogue.read_case(name).stages}
LATEST = {"xtea-15", "salsa20-04", "sha3-11", "threefish-04", "hmac-sha1-09"}  # that the pages speak of
whole_tree = pytest.mark.skipif(not LATEST <= STAGES, reason="the trees of earlier tags have not all stages")


def minutes(clock):
    hours, rest = clock.split(":")
    return 60 * int(hours) + int(rest)


def steps(text):
    """(title, {label: text}) for each part of a plan that has a clock."""
    for title, body in re.findall(r"^## \d:\d\d-\d:\d\d (.+)\n\n((?:[- ] .+\n)+)", text, re.MULTILINE):
        items = re.findall(r"^- \*\*(.+?)\*\*: (.+(?:\n  .+)*)", body, re.MULTILINE)
        yield title, {label: " ".join(said.split()) for label, said in items}


@pytest.mark.parametrize("length", [60, 90, 180])
def test_the_clock_of_a_plan_adds_up(length):
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    spans = [(minutes(a), minutes(b)) for a, b in re.findall(r"^## (\d:\d\d)-(\d:\d\d) ", text, re.MULTILINE)]
    assert spans[0][0] == 0
    assert spans[-1][1] == length
    assert all(begin < end for begin, end in spans)
    assert all(before[1] == after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize("length", [60, 90, 180])
def test_every_step_of_a_plan_asks_before_it_shows(length):
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    found = list(steps(text))
    assert len(found) == len(re.findall(r"^## \d:\d\d-", text, re.MULTILINE))
    for title, step in found:
        if title != "Break":
            assert list(step) == ["On the screen", "They type", "Ask first", "Then say"]
            assert all(step.values())
            assert "?" in step["Ask first"] or "Write" in step["Ask first"]


@pytest.mark.parametrize("length", [60, 90, 180])
def test_an_exercise_begins_with_a_step_whose_answer_was_not_shown(length):
    """On the screen as "04: The change", or typed as make diff-stage xtea-04 or make profile xtea-04."""
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    before, exercise, after = text.partition("`make exercise CASE=xtea")
    shown = re.findall(r"On the screen\*\*: (\d\d): .*The change", before) + re.findall(
        r"make (?:diff-stage|profile) xtea-(\d\d)", before
    )
    assert shown
    if exercise:
        step = re.match(r" STEP=(\d+)", after)
        assert step, "step 01 is shown in every plan"
        assert f"{int(step[1]):02}" not in shown


@whole_tree
@pytest.mark.parametrize("length", [60, 90, 180])
def test_the_slides_of_a_plan_are_those_of_its_steps(length):
    """A plan has one command for them, and every stage on the screen is one that is typed."""
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    assert re.findall(r"`(make slides[^`]*)`", text.partition("\n## When")[0]) == [f"make slides PLAN={length}"]
    plan = teaching_plan.planned(str(length))
    for name, numbers in plan.items():
        assert [stage.number for stage in slides.stages_of(catalogue.read_case(name), list(numbers))] == sorted(numbers)
    wanted = {number for _, step in steps(text) for number in re.findall(r"\b\d\d\b", step.get("On the screen", ""))}
    assert wanted
    assert wanted <= {number for numbers in plan.values() for number in numbers}


@whole_tree
@pytest.mark.parametrize("length", [60, 90, 180])
def test_every_slide_that_a_plan_names_is_made(length):
    """`04: idea, The change` names two slides of 04."""
    kinds = {"idea", "ideas", "The change", "What will it bring?", "Measured", "Why?"}
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    for _, step in steps(text):
        numbers, colon, named = step.get("On the screen", "").partition(": ")
        if colon and re.match(r"\d\d", numbers):
            assert {*named.partition(";")[0].split(", ")} <= kinds


@pytest.mark.parametrize("length", [90, 180])
def test_what_is_collected_for_a_scoreboard_has_names(length):
    text = (FOLDER / f"plan-{length}.md").read_text("utf-8")
    assert "make scoreboard" in text
    assert all("WHO=" in line for line in re.findall(r"`(make exercise [^`]+)`", text))


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
    assert {*words} <= {command.name for command in cli.COMMANDS}
    for key in ("onCreateCommand", "postCreateCommand"):
        assert subprocess.run(["bash", "-n", "-c", settings[key]], check=False).returncode == 0


def test_a_plan_of_a_teacher_is_no_plan_of_minutes(tmp_path, monkeypatch):
    for name in ("plan-60.md", "plan-180.md", "plan-mine.md"):
        (tmp_path / name).touch()
    monkeypatch.setattr(teaching_plan, "_FOLDER", tmp_path)
    assert teaching_plan.lengths() == ["60", "180"]
