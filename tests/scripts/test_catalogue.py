"""Cases, stages and notes as they stand in the tree, and what is said where they are wrong."""

from __future__ import annotations

import pytest
from conftest import needs

from perf_ladders import catalogue, cli
from perf_ladders.complaint import Complaint

GOOD = '+++\ntitle = "A title"\nfrom = "02"\n\n[predicts]\nx86-64 = [1.5, 2]\n+++\n\n## Hypothesis\n'


def notes(tmp_path, text, number="04"):
    path = tmp_path / "notes.md"
    path.write_text(text)
    return catalogue.read_notes(path, number)


def test_notes(tmp_path):
    read = notes(tmp_path, GOOD)
    assert (read.title, read.base, read.predicts, read.source) == ("A title", "02", {"x86-64": (1.5, 2.0)}, None)
    assert read.text == "## Hypothesis\n"


def test_the_base_is_the_stage_before_unless_said(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    for number, fields in (("00", ""), ("03", ""), ("04", 'from = "00"\n'), ("90", "")):
        folder = tmp_path / f"xtea/{number}-x"
        folder.mkdir(parents=True)
        (folder / "stage.cpp").write_text(f"// {number} A headline.\n")
        (folder / "notes.md").write_text(f'+++\ntitle = "T"\n{fields}[predicts]\nnovec = [1, 2]\n+++\n')
    case = catalogue.Case("xtea", "", "", "", [], {}, [])
    bases = [(base := case.base(stage)) and base.number for stage in case.stages]
    assert bases == [None, "00", "00", "04"]


def test_a_stage_of_ones_own_may_come_without_a_prediction(tmp_path):
    assert notes(tmp_path, '+++\ntitle = "Mine"\n+++\n', "90").predicts == {}


def test_a_copied_stage_keeps_no_foreign_number_in_its_headline(tmp_path):
    (tmp_path / "stage.cpp").write_text("// 12 Small messages.\n")
    assert catalogue.Stage("xtea", "90", tmp_path).headline == "Small messages."


def test_a_headline_is_a_sentence_of_one_line_or_more(tmp_path):
    source = tmp_path / "stage.cpp"
    for text, headline in (
        ("// 90 Pairs, so that\n// half are left.\n// requires: aes\n", "Pairs, so that half are left."),
        ("// 90 Rounds in pairs.\n// What else is said.\n", "Rounds in pairs."),
        ("// 90 Rounds in pairs\n// requires: aes\n", "Rounds in pairs"),
        ("// 90 Rounds in pairs\n\n// Else.\n", "Rounds in pairs"),
    ):
        source.write_text(text)
        assert catalogue.Stage("xtea", "90", tmp_path).headline == headline
    assert catalogue.headline_of("#include <array>\n// Later.\n") == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("## no fields\n", "must begin with fields"),
        ("+++\ntitle = \n+++\n", "no TOML"),
        (GOOD.replace('title = "A title"\n', ""), "lacks the field `title"),
        (GOOD.replace("from", "form"), "has a field 'form'"),
        (GOOD.replace('"02"', '"07"'), "an earlier stage"),
        (GOOD.replace('"02"', "2"), "an earlier stage"),
        (GOOD.replace("[predicts]\nx86-64 = [1.5, 2]\n", ""), "lacks the table [predicts]"),
        (GOOD.replace("[1.5, 2]", "1.5"), "must be a range"),
        (GOOD.replace("[1.5, 2]", "[2, 1.5]"), "must be a range"),
        (GOOD.replace("[1.5, 2]", '["1.5", "2"]'), "must be a range"),
        (GOOD.replace("[1.5, 2]", "[true, 2]"), "must be a range"),
        (GOOD.replace("[1.5, 2]", "[1, inf]"), "must be a range"),
        (GOOD.replace("[1.5, 2]", f"[1, 1{'0' * 400}]"), "must be a range"),
        (GOOD.replace("[1.5, 2]", "[2, 2]"), "is a point, which no interval can lie in"),
        (GOOD.replace("from", 'source = ["a"]\nfrom'), "`source` is text"),
        (GOOD.replace("from", "beyond = true\nfrom"), "`beyond` is text"),
        (GOOD.replace("[predicts]\nx86-64 = [1.5, 2]", "predicts = 5"), "is a table of levels"),
        (GOOD.replace("x86-64 =", "v3 ="), "there is no level 'v3'"),
    ],
)
def test_wrong_notes_get_one_sentence(tmp_path, text, sentence):
    with pytest.raises(Complaint) as caught:
        notes(tmp_path, text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code == 2


def test_notes_that_are_no_text(tmp_path):
    (tmp_path / "notes.md").write_bytes(b"\xff\xfe")
    with pytest.raises(Complaint, match="no UTF-8"):
        catalogue.read_notes(tmp_path / "notes.md", "04")


def test_a_stage_without_headline(tmp_path):
    for text in ("#include <array>\n", "//\n", "// 90\n"):
        (tmp_path / "stage.cpp").write_text(text)
        with pytest.raises(Complaint, match="must begin with its headline"):
            _ = catalogue.Stage("xtea", "90", tmp_path).headline


def test_missing_notes(tmp_path):
    with pytest.raises(Complaint, match="is missing"):
        catalogue.read_notes(tmp_path / "notes.md", "04")


@pytest.mark.parametrize("name", catalogue.case_names())
def test_every_stage_of_the_tree_is_complete(name):
    case = catalogue.read_case(name)
    assert case.stages[0].number == "00"
    for stage in case.stages:
        assert stage.notes.title
        assert stage.headline.endswith("."), "a headline is a sentence"
        base = case.base(stage)
        assert (base is None) == (stage.number == "00")
        assert bool(case.diff(stage)) == (stage.number != "00")
        if stage.number >= catalogue.OWN_STAGES:
            continue
        assert stage.source.read_text().startswith(f"// {stage.number} "), "the headline begins with the number"
        for heading in ("## Hypothesis", "## Change", "## Evidence", "## Result"):
            assert heading in stage.notes.text, f"{stage.name} lacks {heading}"
        assert "<!-- rows -->" in stage.notes.text


def test_cases_stand_in_the_order_that_they_ask_for(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    for name, text in (("a", "order = 2"), ("b", ""), ("c", "no TOML")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "case.toml").write_text(text)
    assert catalogue.case_names() == ["b", "c", "a"]


@needs("xtea-04")
@pytest.mark.parametrize("word", ["4", "04", "xtea-04", "xtea-4"])
def test_stages_are_found_by_number_or_name(word):
    case, stage = catalogue.find_stage(word, "xtea")
    assert (case.name, stage.name) == ("xtea", "xtea-04")


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("xtea-99", "has the stages 00"),
        ("des-01", "no case 'des'"),
        ("fast", "is no stage"),
        ("004", "is no stage"),
    ],
)
def test_unknown_stages_are_told_what_exists(word, sentence):
    with pytest.raises(Complaint, match=sentence):
        catalogue.find_stage(word, "xtea")


def test_a_build_that_is_missing_or_damaged(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "ROOT", tmp_path)
    with pytest.raises(Complaint, match="make build PRESET=gcc"):
        catalogue.read_build("gcc")
    (tmp_path / "build/gcc").mkdir(parents=True)
    (tmp_path / "build/gcc/programs.json").write_text('{"programs": [')
    with pytest.raises(Complaint, match="damaged"):
        catalogue.read_build("gcc")


CASE = 'title = "T"\nsummary = "S"\nsource = "D"\nsymbols = []\n[lacks]\ncounter = "a counter"\n'
CLAIM = '[[claims]]\ntext = "T"\nstage = "04"\nbase = "00"\nratio = [2, 2]\n'
PROGRAM = '[[programs]]\napp = "show"\ntitle = "T"\narguments = []\nmeasure = "time"\n'


def made_case(folder, monkeypatch, text):
    monkeypatch.setattr(catalogue, "STAGES", folder)
    (folder / "made/apps/show").mkdir(parents=True)
    (folder / "made/apps/show/main.cpp").write_text("// Shows.\n// also: x86-32\n")
    for stage in ("00-first", "04-last"):
        (folder / "made" / stage).mkdir()
        (folder / "made" / stage / "stage.cpp").touch()
    (folder / "made/case.toml").write_text(text)
    return catalogue.read_case("made")


def test_a_program_may_be_run_in_32_bits_too(tmp_path, monkeypatch):
    case = made_case(tmp_path, monkeypatch, CASE + PROGRAM + PROGRAM.replace('"show"', '"show-32"'))
    assert [command.app for command in case.commands] == ["show", "show-32"]
    assert case.lacks == {"counter": "a counter"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (CASE.replace('title = "T"\n', ""), '"title" is a required property'),
        (CASE.replace("title", "titel"), "titel"),
        ('order = "90"\n' + CASE, "order: "),
        (CASE + "[operation]\nxor = 1\n", "operation"),
        (CASE + "[operations]\nxor = 1\n", 'operations: "lane_bits" is a required property'),
        (CASE + "[operations]\nlane_bits = 32\nxors = 1\n", "operations: "),
        (CASE + CLAIM.replace("ratio = [2, 2]", "ratio = 2"), "claims[0].ratio: "),
        (CASE + CLAIM.replace('base = "00"\n', ""), "claims[0]: "),
        (CASE + CLAIM.replace('base = "00"', 'base = "03"'), "of a stage 03, which is not there"),
        ("\xff", "no TOML"),
    ],
)
def test_a_wrong_field_is_named(tmp_path, monkeypatch, text, sentence):
    with pytest.raises(Complaint) as caught:
        made_case(tmp_path, monkeypatch, text)
    assert sentence in str(caught.value)
    assert "case.toml" in str(caught.value)
    assert catalogue.case_names() == ["made"], "others are not kept from being read"


def test_a_stage_of_ones_own_in_the_tree_of_a_tag_does_not_make_it_whole(tmp_path, monkeypatch):
    (tmp_path / "made/90-mine").mkdir(parents=True)
    (tmp_path / "made/90-mine/stage.cpp").touch()
    assert made_case(tmp_path, monkeypatch, CASE + CLAIM.replace('stage = "04"', 'stage = "05"')).claims == []


def test_a_case_without_its_file_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    (tmp_path / "made").mkdir()
    with pytest.raises(Complaint, match=r"made/case\.toml is missing"):
        catalogue.read_case("made")


@pytest.mark.parametrize("name", ["hide", "hide-32", "show-64"])
def test_a_program_that_is_not_there_is_named(tmp_path, monkeypatch, name):
    with pytest.raises(Complaint, match=f"names the app '{name}', but there is no apps/{name.removesuffix('-32')}/"):
        made_case(tmp_path, monkeypatch, CASE + PROGRAM.replace('"show"', f'"{name}"'))


@pytest.mark.parametrize("name", catalogue.case_names())
def test_the_words_of_every_case_are_as_they_must_be(name, build, monkeypatch, capsys):
    monkeypatch.setattr(cli, "read_build", lambda preset: build)
    assert cli.main(["words", "--case", name]) == 0
    assert capsys.readouterr().err.endswith("are as they must be.\n")
