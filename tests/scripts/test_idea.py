"""The lines that carry the idea of a step: notes mark them, and a mark that does not fit is refused in one sentence."""

from __future__ import annotations

import pytest
from measurement_sample import analysed, small

from perf_ladders import cli
from perf_ladders.errors import UserError
from perf_ladders.pages import render
from perf_ladders.tree import catalogue, idea
from perf_ladders.tree.notes import parse_notes

BASE = """// Zero.
void sum(int n) {
  int total_of_all = 0;
  for (int i = 0; i < n; ++i) {
    add(i);
  }
}
"""
STEP = """// One.
template <int Lanes>
void sum(int n) {
  for (int i = 0; i < n; ++i) {
    for (int lane = 0; lane < Lanes; ++lane) {
      add_lane(i, lane);
    }
  }
  int total_of_all = 0;
  store(first);
  store(second);
}
"""


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A case of two stages: a function that gives it, from the marks and the source of the second."""
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)

    def case(marks, source=STEP):
        for folder, text, field in (("00-reference", BASE, ""), ("01-one", source, f"idea = {marks}\n")):
            (tmp_path / "made" / folder).mkdir(parents=True, exist_ok=True)
            (tmp_path / "made" / folder / "stage.cpp").write_text(text)
            notes = f'+++\ntitle = "T"\n{field}[predicts]\nnovec = [1, 2]\n+++\n'
            (tmp_path / "made" / folder / "notes.md").write_text(notes)
        return catalogue.Case("made", "", "", "", {}, [])

    return case


def lines(case):
    return idea.idea_lines(case, case.stages[1])


def test_a_mark_is_the_beginning_of_a_line_and_white_space_does_not_count(made):
    assert lines(made('["for (int lane=0"]')) == ["for (int lane = 0; lane < Lanes; ++lane) {"]


def test_a_piece_may_have_older_lines_between_new_ones_and_closes_its_braces(made):
    assert lines(made('["template ... add_lane"]')) == [
        "template <int Lanes>",
        "void sum(int n) {",
        "  for (int i = 0; i < n; ++i) {",
        "    for (int lane = 0; lane < Lanes; ++lane) {",
        "      add_lane(i, lane);",
        "    }",
        "  }",
    ]


def test_the_last_line_tells_two_equal_first_lines_apart(made):
    twice = "// One.\nbegin();\nencrypt();\nbegin();\ndecrypt();\n"
    assert lines(made('["begin ... encrypt"]', twice)) == ["begin();", "encrypt();"]
    assert lines(made('["begin ... decrypt"]', twice)) == ["begin();", "decrypt();"]


def test_places_that_read_the_same_are_one(made):
    assert lines(made('["par("]', "// One.\npar(all);\nold();\npar(all);\n")) == ["par(all);"]


def test_pieces_are_in_the_order_of_the_marks_with_an_empty_line_between(made):
    assert lines(made('["store(second)", "template"]')) == ["store(second);", "", "template <int Lanes>"]


def test_a_stage_without_marks_has_no_lines(made):
    case = made("[]")
    assert lines(case) == []
    assert idea.idea_lines(case, case.stages[0]) == []


@pytest.mark.parametrize(
    ("marks", "sentence"),
    [
        ('["while ("]', 'the idea "while (" matches no line of the stage.'),
        ('["void sum"]', 'the idea "void sum" matches no line that is new in this step.'),
        ('["int total"]', 'the idea "int total" matches no line that is new in this step.'),  # it moved
        ('["store("]', 'the idea "store(" matches 2 places that are new: write more of the line.'),
        (
            '["store(second) ... template"]',
            'the idea "store(second) ... template" has a last line that does not follow the first one.',
        ),
        (
            '["add_lane ... int total"]',
            'the idea "add_lane ... int total" has a last line that is not new in this step.',
        ),
        (
            '["template ... add_lane", "for (int lane"]',
            'the idea "for (int lane" marks a line that another mark has.',
        ),
    ],
)
def test_a_mark_that_does_not_fit_is_refused_in_one_sentence(made, marks, sentence):
    case = made(marks)
    (said,) = idea.misfits(case)
    assert said.endswith(f"01-one/notes.md: {sentence}")
    assert lines(case) == [], "a report is made nevertheless"


def test_more_lines_than_a_slide_has_room_for_are_refused(made):
    long = "// One.\n" + "".join(f"add({number});\n" for number in range(20))
    assert len(lines(made('["add(0) ... add(11)"]', long))) == idea.MOST_LINES
    (said,) = idea.misfits(made('["add(0) ... add(12)"]', long))
    assert said.endswith("01-one/notes.md: `idea` marks 13 lines, and at most 12 fit a slide.")


def test_a_step_of_the_main_path_has_marks(made):
    (said,) = idea.misfits(made("[]"))
    assert said.endswith(
        "01-one/notes.md is of a step of the main path: mark the lines that carry its idea, "
        'idea = ["beginning of a line"].'
    )


@pytest.mark.parametrize(("number", "field"), [("90", ""), ("02", 'taught = "Nothing."\n')])
def test_a_stage_beside_the_main_path_needs_no_marks(made, tmp_path, number, field):
    """One of the reader's own, and a side branch."""
    case = made('["template"]')
    folder = tmp_path / "made" / f"{number}-two"
    folder.mkdir()
    (folder / "stage.cpp").write_text("// Two.\n")
    (folder / "notes.md").write_text(f'+++\ntitle = "T"\n{field}[predicts]\nnovec = [1, 2]\n+++\n')
    assert [*idea.misfits(case)] == []


@pytest.mark.parametrize("marks", ['"one line"', "[1]", '[" "]'])
def test_marks_are_a_list_of_text(marks):
    text = f'+++\ntitle = "One"\nidea = {marks}\n+++\n'
    with pytest.raises(UserError, match="`idea` lists beginnings of lines"):
        parse_notes(text, "stages/xtea/00-one/notes.md", "00", [])


@pytest.mark.parametrize("name", catalogue.case_names())
def test_every_mark_of_the_tree_fits(name):
    assert [*idea.misfits(catalogue.read_case(name))] == []


@pytest.mark.usefixtures("whole_tree")
def test_a_stage_is_read_and_its_page_begins_the_change_with_the_idea(capsys):
    case = catalogue.read_case("xtea")
    stage = next(one for one in case.stages if one.slug == "schedule")
    marked = idea.idea_lines(case, stage)
    assert marked
    assert cli.main(["read-stage", stage.name]) == 0
    said = capsys.readouterr().out
    assert said.index("The idea") < said.index(marked[0]) < said.index("Hypothesis")
    folder = render.Folder()
    render.case_pages(folder, analysed(small()), "xtea.json.xz")
    page = folder.files[f"{stage.name}.html"]
    assert page.index("The lines that carry the idea:") < page.index("The whole change:")
