"""The limits of a step: counted in code, and held by every step that does not say why it is larger."""

from __future__ import annotations

import pytest

from perf_ladders.tree import catalogue, step_size

LONG = "int a;\n" * 130


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A case of two stages: a function that gives it, from the source and the fields of the second."""
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)

    def case(source, over="", own=""):
        for folder, text in (("00-reference", "// Zero.\nint a;\n"), ("01-one", source)):
            (tmp_path / "made" / folder).mkdir(parents=True, exist_ok=True)
            (tmp_path / "made" / folder / "stage.cpp").write_text(text)
            fields = over if folder == "01-one" else ""
            notes = f'+++\ntitle = "T"\n{fields}[predicts]\nnovec = [1, 2]\n+++\n'
            (tmp_path / "made" / folder / "notes.md").write_text(notes)
        (tmp_path / "made/01-one/own.hpp").write_text(own)
        return catalogue.Case("made", "", "", "", {}, [])

    return case


def size(case):
    return step_size.size_of(case, case.stages[1])


def test_comments_and_blank_lines_do_not_count(made):
    found = size(made("// One.\n\nint b;  // two\n// three\nint c;\n"))
    assert (found.changed, found.lines, found.allowed) == (2, 2, step_size.LINES)
    assert not found.is_over


def test_the_longer_side_of_a_change_counts(made):
    assert size(made("// One.\n")).changed == 1
    assert size(made("// One.\nint b;\nint c;\nint d;\n")).changed == 3


def test_the_headers_of_its_folder_are_its_own(made):
    found = size(made('// One.\n#include "own.hpp"\nint a;\n', own="int b;\nint c;\n"))
    assert (found.changed, found.lines) == (2, 4)


@pytest.mark.parametrize("header", ["immintrin.h", "arm_neon.h"])
def test_files_with_intrinsics_may_be_longer(made, header):
    assert size(made(f"// One.\n#include <{header}>\n{LONG}")).allowed == step_size.LINES_WITH_INTRINSICS
    assert size(made(f"// One.\n{LONG}")).is_over


def test_a_step_that_is_too_large_needs_a_reason_and_no_other_has_one(made):
    large = f"// One.\n{LONG}"
    (said,) = step_size.misfits(made(large))
    assert said.startswith("made-01 one changes 129 lines (limit 40) and has 130 (limit 120). Divide the step, or say ")
    assert said.endswith('01-one/notes.md why it is larger: over = "One sentence."')
    assert not [*step_size.misfits(made(large, 'over = "the rounds are written out"\n'))]
    (said,) = step_size.misfits(made("// One.\nint b;\n", 'over = "the rounds are written out"\n'))
    assert said.endswith("`over` is not needed, for the step is no longer too large.")


@pytest.mark.parametrize("name", catalogue.case_names())
def test_every_step_is_small_or_says_why_not(name):
    assert [*step_size.misfits(catalogue.read_case(name))] == []
