"""Plain English: what the lint finds, and that the texts have no more offences than docs/plain-english.toml counts."""

from __future__ import annotations

import pytest

from perf_ladders import prose
from perf_ladders.prose import Passage
from perf_ladders.tree.paths import ROOT

# The trees of tags lack later stages, whose offences are counted.
pytestmark = pytest.mark.usefixtures("whole_tree")


def found(text):
    return [(kind, words) for kind, words, _ in prose.of_passage(Passage(1, text))]


def test_the_offences_are_those_that_are_counted():
    assert [*prose.misfits()] == []


def test_each_exception_has_a_reason():
    exceptions = prose.rules().exceptions
    assert all(len(one.reason.split()) >= 3 and (ROOT / one.file).is_file() for one in exceptions)


def test_a_long_sentence_is_found_and_two_short_ones_are_not():
    assert found("Word " * 31 + ".") == [("sentences", "Word " * 31 + ".")]
    assert found("Word " * 20 + "ends. " + "Word " * 20 + "ends.") == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The last rung is hard.", "rung"),
        ("It costs next to nothing.", "next to nothing"),
        ("A neighbour makes noise.", "neighbour"),
        ("The loop stands in a header.", "stands"),
    ],
)
def test_a_word_that_is_out_is_found(text, word):
    ((kind, said),) = found(text)
    assert kind == "words"
    assert said.endswith(f"'{word}'")


@pytest.mark.parametrize(
    "text", ["A noisy neighbour.", "Neighbouring lanes.", "An intrinsic stands for an instruction.", "The rest came."]
)
def test_plain_words_stay(text):
    assert found(text) == []


def test_code_and_generated_parts_of_markdown_are_no_prose():
    text = "+++\ntitle = 'rung'\n+++\n\nA `rung` here.\n\n```\nrung\n```\n\n"
    text += "<!-- cells: begin -->\nrung\n<!-- cells: end -->\n"
    assert [passage.text for passage in prose.markdown(text)] == ["A Code here."]
    assert [passage.line for passage in prose.markdown(text)] == [5]


def test_lines_of_a_comment_are_one_passage():
    text = "// A headline of\n// two lines.\n// requires: aes\nint a;  // a remark\nint b;\n// More.\n"
    assert [*prose.comments(text)] == [
        Passage(1, "A headline of two lines."),
        Passage(4, "a remark"),
        Passage(6, "More."),
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [("as in stages 05 and 09", True), ("of stage `sorted` alone", True), ("what a stage fills and reads", False)],
)
def test_a_stage_that_a_header_names_is_found(text, named):
    (passage,) = prose.comments(f"// {text}\n")
    assert bool(prose._NAMED.search(passage.text)) == named
