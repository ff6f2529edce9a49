"""Techniques: each is taught by a stage, each stage teaches one, and pages lead from one to the other."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from measurement_sample import analysed, small
from our_cases import OURS

from perf_ladders.errors import UserError
from perf_ladders.pages import export, render
from perf_ladders.tree import techniques
from perf_ladders.tree.catalogue import case_names, read_case
from perf_ladders.tree.notes import parse_notes

# The trees of tags lack later stages, which teach some of the techniques alone.
pytestmark = pytest.mark.usefixtures("whole_tree")


@pytest.fixture(scope="module")
def cases():
    return [read_case(name) for name in case_names()]


def test_every_technique_has_a_stage_and_every_stage_a_technique(cases):
    assert [*techniques.misfits(cases)] == []


def spoilt(case, number, names):
    """The case with other techniques in the notes of a stage."""
    stages = [replace(stage) for stage in case.stages]
    for stage in stages:
        taught = names if stage.number == number else case.stage(stage.number).notes.techniques
        vars(stage)["notes"] = replace(case.stage(stage.number).notes, techniques=taught)
    copy = replace(case)
    vars(copy)["stages"] = stages
    return copy


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ((), "04-interchange/notes.md names no technique; docs/techniques.toml lists them."),
        (("loop swap",), '04-interchange/notes.md: "loop swap" is not in docs/techniques.toml.'),
    ],
)
def test_a_stage_without_a_known_technique_is_found(cases, names, sentence):
    others = [spoilt(case, "04", names) if case.name == "xtea" else case for case in cases]
    found = [*techniques.misfits(others)]
    assert f"stages/xtea/{sentence}" in found
    assert 'docs/techniques.toml: no stage teaches "loop interchange".' in found


def test_techniques_are_a_list():
    text = '+++\ntitle = "One"\ntechniques = "loop interchange"\n+++\n'
    with pytest.raises(UserError, match="`techniques` is a list of names"):
        parse_notes(text, "stages/xtea/00-one/notes.md", "00", [])


def test_a_list_with_other_fields_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "techniques.toml"
    path.write_text('["loop interchange"]\nis = "A swap."\n')
    monkeypatch.setattr(techniques, "LIST", path)
    with pytest.raises(UserError, match='"loop interchange" has the fields `is`, a sentence, and `also`, a list'):
        techniques.techniques([])


def test_the_page_in_git_is_that_of_the_notes():
    if case_names() != OURS:
        pytest.skip("a case of your own is on the page once you type: make pages")
    part = export.techniques_part().rstrip()
    assert f"<!-- techniques: begin -->\n{part}\n<!-- techniques: end -->" in export.TECHNIQUES.read_text()
    assert re.search(r"^- XTEA: \[04 .+\]\(\.\./stages/xtea/04-interchange\)$", part, re.MULTILINE)


def test_the_page_of_a_stage_leads_to_its_techniques(tmp_path):
    folder = render.Folder()
    analysis = analysed(small())
    render.case_pages(folder, analysis, "xtea.json.xz")
    render.index_page(folder, [(analysis, "xtea.json.xz")], [[analysis]])
    assert '<a href="techniques.html#loop-interchange">loop interchange</a>' in folder.files["xtea-04.html"]
    page = folder.files["techniques.html"]
    assert 'id="loop-interchange"' in page
    assert 'href="xtea-04.html"' in page
    assert "aes-cbc" not in page
