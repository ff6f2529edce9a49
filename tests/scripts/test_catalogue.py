"""Cases, stages and notes as they stand in the tree, and what is said where they are wrong."""

from __future__ import annotations

import fcntl
import re
from dataclasses import replace

import pytest
from conftest import needs
from our_cases import OURS

from perf_ladders import cli, foreign, lint_notes
from perf_ladders.commands import words
from perf_ladders.errors import Missing, UserError
from perf_ladders.results import store
from perf_ladders.tree import build, catalogue, documents, headers, paths
from perf_ladders.tree.main_path import MOST_STEPS
from perf_ladders.tree.notes import read_notes, with_numbers

GOOD = '+++\ntitle = "A title"\nfrom = "registers"\n\n[predicts]\nx86-64 = [1.5, 2]\n+++\n\n## Hypothesis\n'


def notes(tmp_path, text, number="04"):
    for folder in ("00-reference", "02-registers", "07-tails", f"{number}-mine"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "stage.cpp").touch()
    path = tmp_path / f"{number}-mine" / "notes.md"
    path.write_text(text)
    return read_notes(path, number)


def test_notes(tmp_path):
    read = notes(tmp_path, GOOD)
    said = (read.title, read.base, read.predicts, read.source)
    assert said == ("A title", "registers", {"x86-64": (1.5, 2.0)}, None)
    assert read.text == "## Hypothesis\n"


def test_stages_in_prose_get_their_numbers():
    folders = ["00-reference", "02-pads", "09-two-pads", "10-two"]
    for said, shown in (
        ("Stage `pads` waits.", "Stage `02-pads` waits."),
        ("stages `pads`,\n`two-pads` and `two`", "stages `02-pads`,\n`09-two-pads` and `10-two`"),
        ("a function `pads`, stage `unknown`", "a function `pads`, stage `unknown`"),
        ("make profile made-two-pads, made-two, made-twos", "make profile made-09, made-10, made-twos"),
    ):
        assert with_numbers(said, "made", folders) == shown


def test_the_base_is_the_stage_before_unless_said(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    for number, fields in (("00", ""), ("03", ""), ("04", 'from = "x00"\n'), ("90", "")):
        folder = tmp_path / f"xtea/{number}-x{number}"
        folder.mkdir(parents=True)
        (folder / "stage.cpp").write_text("// A headline.\n")
        (folder / "notes.md").write_text(f'+++\ntitle = "T"\n{fields}[predicts]\nnovec = [1, 2]\n+++\n')
    case = catalogue.Case("xtea", "", "", "", {}, [])
    bases = [(base := case.base(stage)) and base.number for stage in case.stages]
    assert bases == [None, "00", "00", "04"]


def test_the_main_path_leads_to_the_last_stage_that_may_close(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    for number, fields, header in (
        ("00", "", ""),
        ("01", 'taught = "One."', ""),
        ("02", 'from = "x00"', ""),
        ("03", 'taught = "Two."', ""),
        ("04", 'taught = "Three."', ""),
        ("05", 'from = "x02"', ""),
        ("06", "", "// until: x86-64-v3\n"),
        ("07", 'from = "x00"', "// device: OpenCL\n"),
        ("90", 'from = "x05"', ""),
    ):
        folder = tmp_path / f"xtea/{number}-x{number}"
        folder.mkdir(parents=True)
        (folder / "stage.cpp").write_text(f"// {number} A headline.\n{header}")
        (folder / "notes.md").write_text(f'+++\ntitle = "T"\n{fields}\n[predicts]\nnovec = [1, 2]\n+++\n')
    case = catalogue.Case("xtea", "", "", "", {}, [])

    def numbers(stages):
        return [stage.number for stage in stages]

    assert case.closing.number == "05"
    assert numbers(case.main_path) == ["00", "02", "05"]
    assert [numbers(case.branches(stage)) for stage in case.main_path] == [["01", "07"], ["03", "04"], ["06", "90"]]
    assert case.leaves(case.stage("04")).number == "02", "it builds on a side branch"
    assert numbers(case.path_to(case.stage("04"))) == ["00", "02", "03", "04"]
    every = case.stages
    assert case.closing_of(every) == case.closing
    assert case.closing_of(every[:5]).number == "04", "where the closing stage does not run"
    assert case.closing_of([case.stage("00"), case.stage("90")]).number == "00"
    notes_of = [sentence.split(" ")[0] for sentence in lint_notes.of_path(case)]
    assert [path.split("/")[-2] for path in notes_of] == ["06-x06", "07-x07"], "they say not what they taught"
    vars(case.stage("02"))["notes"] = replace(case.stage("02").notes, taught="Four.")
    del vars(case)["main_path"]
    assert any("02-x02/notes.md has the field `taught`" in sentence for sentence in lint_notes.of_path(case))


@pytest.mark.parametrize("name", catalogue.case_names())
def test_side_branches_say_what_they_taught_and_the_main_path_is_short(name):
    case = catalogue.read_case(name)
    assert list(lint_notes.of_path(case)) == []
    assert all(case.leaves(stage) in case.main_path for stage in case.stages)
    if (paths.ROOT / f"reports/{name}.md").exists():  # not in the trees of tags, whose paths end earlier
        assert bool(case.long_path) == (len(case.main_path) - 1 > MOST_STEPS), "a reason that is needed no more"


def test_a_long_main_path_gives_its_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    for number in range(14):
        folder = tmp_path / f"xtea/{number:02}-x"
        folder.mkdir(parents=True)
        (folder / "stage.cpp").write_text(f"// {number:02} A headline.\n")
        (folder / "notes.md").write_text('+++\ntitle = "T"\n[predicts]\nnovec = [1, 2]\n+++\n')
    (sentence,) = lint_notes.of_path(catalogue.Case("xtea", "", "", "", {}, []))
    assert "the main path has 13 steps, and 12 are enough" in sentence
    assert list(lint_notes.of_path(catalogue.Case("xtea", "", "", "", {}, [], long_path="It has a reason."))) == []


def test_a_stage_of_ones_own_may_come_without_a_prediction(tmp_path):
    assert notes(tmp_path, '+++\ntitle = "Mine"\n+++\n', "90").predicts == {}


def test_a_headline_is_a_sentence_of_one_line_or_more(tmp_path):
    source = tmp_path / "stage.cpp"
    for text, headline in (
        ("// Pairs, so that\n// half are left.\n// requires: aes\n", "Pairs, so that half are left."),
        ("// Rounds in pairs.\n// What else is said.\n", "Rounds in pairs."),
        ("// Rounds in pairs\n// requires: aes\n", "Rounds in pairs"),
        ("// Rounds in pairs\n\n// Else.\n", "Rounds in pairs"),
    ):
        source.write_text(text)
        assert catalogue.Stage("xtea", "90", tmp_path).headline == headline
    assert headers.headline_of("#include <array>\n// Later.\n") == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("## no fields\n", "must begin with fields"),
        ("+++\ntitle = \n+++\n", "no TOML"),
        (GOOD.replace('title = "A title"\n', ""), "lacks the field `title"),
        (GOOD.replace("from", "form"), "has a field 'form'"),
        (GOOD.replace('"registers"', '"tails"'), "an earlier stage of the case by its slug: reference, registers."),
        (GOOD.replace('"registers"', "2"), "an earlier stage"),
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
        (GOOD.replace("from", "formerly = 5\nfrom"), "`formerly` lists earlier slugs"),
        (GOOD.replace("[predicts]\nx86-64 = [1.5, 2]", "predicts = 5"), "is a table of levels"),
        (GOOD.replace("x86-64 =", "v3 ="), "there is no level 'v3'"),
    ],
)
def test_wrong_notes_get_one_sentence(tmp_path, text, sentence):
    with pytest.raises(UserError) as caught:
        notes(tmp_path, text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code == 2


def test_notes_that_are_no_text(tmp_path):
    (tmp_path / "notes.md").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="no UTF-8"):
        read_notes(tmp_path / "notes.md", "04")


def test_a_stage_without_headline(tmp_path):
    for text in ("#include <array>\n", "//\n"):
        (tmp_path / "stage.cpp").write_text(text)
        with pytest.raises(UserError, match="must begin with its headline"):
            _ = catalogue.Stage("xtea", "90", tmp_path).headline


def test_missing_notes(tmp_path):
    with pytest.raises(UserError, match="is missing"):
        read_notes(tmp_path / "notes.md", "04")


@pytest.mark.parametrize("name", catalogue.case_names())
def test_every_stage_of_the_tree_is_complete(name):
    case = catalogue.read_case(name)
    assert case.stages[0].number == "00"
    slugs = [slug for stage in case.stages for slug in (stage.slug, *stage.notes.formerly)]
    assert len(slugs) == len({*slugs}), "one stage has the slug that another had"
    for stage in case.stages:
        assert stage.notes.title
        assert stage.headline.endswith("."), "a headline is a sentence"
        base = case.base(stage)
        assert (base is None) == (stage.number == "00")
        assert bool(case.diff(stage)) == (stage.number != "00")
        if stage.number >= paths.OWN_STAGES:
            continue
        assert not stage.headline[:2].isdigit(), "a headline says the idea, the folder has the number"
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
def test_a_stage_is_found_by_its_name():
    case, stage = catalogue.find_stage("xtea-04")
    assert (case.name, stage.name) == ("xtea", "xtea-04")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("xtea-99", "has the stages 00"),
        ("des-01", "no case 'des'"),
    ],
)
def test_unknown_stages_are_told_what_exists(name, sentence):
    with pytest.raises(UserError, match=sentence):
        catalogue.find_stage(name)


def test_two_builds_are_not_in_one_folder_at_once(tmp_path):
    folder = tmp_path / "build/gcc"
    with build.one_at_a_time(folder), folder.with_name("gcc.lock").open() as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with build.one_at_a_time(folder):
        pass


def test_a_build_that_is_missing_or_damaged(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "ROOT", tmp_path)
    with pytest.raises(UserError, match="make build PRESET=gcc"):
        build.read_build("gcc")
    (tmp_path / "build/gcc").mkdir(parents=True)
    for name, text, sentence in (
        ("build.tsv", "about\tlinker\tld\n", "plan.json is missing"),
        ("plan.json", '{"programs": [', "damaged"),
        ("plan.json", "{}", "damaged"),
        ("build.tsv", "about\n", "damaged"),
    ):
        (tmp_path / "build/gcc" / name).write_text(text)
        with pytest.raises(UserError, match=sentence) as caught:
            build.read_build("gcc")
        assert "make build PRESET=gcc" in str(caught.value)


CASE = 'title = "T"\nsummary = "S"\nsource = "D"\n[lacks]\ncounter = "a counter"\n'
CLAIM = '[[claims]]\ntext = "T"\nplace = "P"\ndocument = "paper"\nstage = "last"\nbase = "first"\nratio = ["2"]\n'
PROGRAM = '[[programs]]\napp = "show"\ntitle = "T"\narguments = []\nmeasure = "time"\n'
SPREAD = 'times = ["10", "5"]\nsd = ["1", "1"]\n'
PARTS = '[[breakdown]]\ntitle = "T"\nparts = [{{ name = "N", {} }}]\n'


@pytest.fixture(autouse=True)
def documents_of_the_tree():
    yield
    documents.documents.cache_clear()


def made_case(folder, monkeypatch, text):
    monkeypatch.setattr(catalogue, "STAGES", folder)
    (folder / "made/apps/show").mkdir(parents=True)
    (folder / "made/apps/show/main.cpp").write_text("// Shows.\n// also: x86-32\n")
    for stage in ("00-first", "04-last"):
        (folder / "made" / stage).mkdir()
        (folder / "made" / stage / "stage.cpp").touch()
    (folder / "made/case.toml").write_text(text)
    paper = '[paper]\ntitle = "T"\nauthor = "A"\npublished = "2020"\nmachine = "M"\nlevel = "x86-64"\n'
    (folder / "documents.toml").write_text(paper)
    monkeypatch.setattr(documents.paths, "STAGES", folder)
    documents.documents.cache_clear()
    return catalogue.read_case("made")


def test_a_contract_that_is_no_utf_8_is_refused(tmp_path, monkeypatch):
    case = made_case(tmp_path, monkeypatch, CASE)
    (tmp_path / "made/made.hpp").write_bytes("// Jörg\n".encode("latin-1"))
    with pytest.raises(UserError, match=r"made\.hpp is no UTF-8 text"):
        _ = case.symbols


def test_a_program_may_be_run_in_32_bits_too(tmp_path, monkeypatch):
    case = made_case(tmp_path, monkeypatch, CASE + PROGRAM + PROGRAM.replace('"show"', '"show-32"'))
    assert [command.app for command in case.commands] == ["show", "show-32"]
    assert case.lacks == {"counter": "a counter"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (CASE.replace('title = "T"\n', ""), "the field `title` is missing"),
        (CASE.replace("title", "titel"), "there is no field `titel`; did you mean `title`?"),
        (CASE.replace('"T"', "5"), "title: it must be text"),
        ('order = "90"\n' + CASE, "order: it must be a number"),
        ("order = true\n" + CASE, "order: it must be a number"),
        (f"order = {'1' * 5_000}\n" + CASE, "a number has too many digits"),
        (CASE + "[operation]\nxor = 1\n", "no field `operation`; did you mean `operations`?"),
        (CASE + "[operations]\nxor = 1\n", "operations.lane_bits: it is 8, 16, 32 or 64"),
        (CASE + "[operations]\nlane_bits = 12\nxor = 1\n", "operations.lane_bits: it is 8, 16, 32 or 64"),
        (CASE + "[operations]\nlane_bits = 32\nxors = 1\n", "operations: there is no field `xors`"),
        (CASE + "[operations]\nlane_bits = 32\nxor = 0\n", "operations.xor: it is a positive number"),
        (CASE + "[operations]\nlane_bits = 32\nx86-64 = 1\n", "operations.x86-64: it is a table"),
        (CASE + "[operations]\nlane_bits = 32\n[operations.x86-64]\nand = 1\n", "operations.x86-64: there is no"),
        (CASE + "[jobs]\nbuffers = 0\n", "jobs: it has one field, `buffers`"),
        (CASE + '[[breakdown]]\ntitle = "T"\nparts = [{ name = "N" }]\n', "breakdown[0].parts[0]: the field `of`"),
        (CASE + PARTS.format('of = ""'), "breakdown[0].parts[0].of: it names a workload, and may name a variant"),
        (CASE + PARTS.format('of = "a b c"'), "breakdown[0].parts[0].of: it names a workload"),
        (CASE + PARTS.format('of = "a", without = " "'), "breakdown[0].parts[0].without: it names a workload"),
        (
            CASE + '[lesson]\ntitle = "T"\nwarm_up = 1\nrounds = 1\npair = ["first"]\nidentical = "first"\n',
            "lesson.pair: ",
        ),
        (CASE.replace('source = "D"\n', ""), "source: a case has either a `source` or a `document`"),
        (CASE.replace("source", "document"), "there is no document 'D'; there are: paper."),
        (CASE + CLAIM.replace("paper", "poem"), "there is no document 'poem'; there are: paper."),
        (CASE + CLAIM.replace('document = "paper"\n', ""), "claims[0]: a claim needs the `document` of the case"),
        (CASE + CLAIM.replace('["2"]', "2"), "claims[0].ratio: it must be a list"),
        (CASE + CLAIM.replace('["2"]', '["twice"]'), "claims[0].ratio: it holds positive numbers"),
        (CASE + CLAIM.replace('["2"]', '["0"]'), "claims[0].ratio: it holds positive numbers"),
        (CASE + CLAIM.replace('["2"]', '["1e2"]'), "claims[0].ratio: it holds positive numbers"),
        (CASE + CLAIM.replace('["2"]', f'["{"9" * 400}"]'), "claims[0].ratio: it holds positive numbers"),
        (CASE + CLAIM.replace('ratio = ["2"]', 'times = ["1e400", "2"]'), "claims[0].times: it holds positive numbers"),
        (CASE + CLAIM.replace('ratio = ["2"]', "at_least = inf"), "claims[0].at_least: it is a positive number"),
        (CASE + CLAIM.replace('ratio = ["2"]', SPREAD + "n = -4"), "claims[0].n: it is 1 or more"),
        (CASE + CLAIM.replace('ratio = ["2"]', SPREAD + "n = 1" + "0" * 400), "claims[0].n: it is 1 or more"),
        (CASE + CLAIM.replace('ratio = ["2"]', 'times = ["2"]'), "claims[0].times: it holds positive numbers"),
        (CASE + CLAIM.replace('ratio = ["2"]\n', ""), "claims[0].ratio: a claim has one of times, rates"),
        (CASE + CLAIM + "same = true\n", "claims[0].same: a claim has one of times, rates"),
        (CASE + CLAIM + 'sd = ["1", "1"]\n', "claims[0].sd: `sd` and `n` belong together"),
        (CASE + CLAIM.replace('["2"]', '["3", "2.5"]'), "claims[0].ratio: its figures allow ratios from 3 to 2.5"),
        (
            CASE + CLAIM.replace('ratio = ["2"]', 'times = ["10", "5"]\nsd = ["20", "10"]\nn = 2'),
            "claims[0].times: its figures allow ratios from -",
        ),
        (CASE + CLAIM + 'level = "v3"\n', "claims[0]: there is no level 'v3'"),
        (CASE + CLAIM + 'needs = ["luck"]\n', "claims[0].needs[0]: it is one of cores, bits, device, language"),
        (CASE + CLAIM + 'of = "program"\n', "claims[0].program: it is the title of one of [[programs]]"),
        (CASE + CLAIM + 'of = "program"\nprogram = "Q"\n' + PROGRAM, "claims[0].program: there is no such program"),
        (CASE + CLAIM + 'of = "program"\nprogram = "T"\n' + PROGRAM, "at x86-64: add this level to its `levels`"),
        (CASE + CLAIM + 'of = "sd"\nworkload = "sweep/8"\n', "claims[0].workload: only times are of another workload"),
        (CASE + CLAIM + 'of = "mean"\n', "claims[0].of: it is one of time, sd, longest"),
        (CASE + CLAIM.replace('stage = "last"', 'stage = "04"'), "is of a stage '04'; there are: first, last."),
        (CASE + CLAIM.replace('base = "first"\n', ""), "claims[0]: the field `base` is missing"),
        (CASE + PROGRAM + 'apps = "show"\n', "programs[0]: there is no field `apps`; did you mean `app`?"),
        (CASE + PROGRAM + 'unit = "H/s"\n', 'programs[0]: measure = "rate" has a unit'),
        (CASE + PROGRAM.replace('title = "T"\n', ""), "programs[0]: the field `title` is missing"),
        (CASE + PROGRAM.replace('"time"', '"speed"'), "programs[0].measure: it is one of time, rate, sizes"),
        (CASE + PROGRAM.replace('"time"', '"rate"'), 'programs[0]: measure = "rate" has a unit'),
        (CASE + PROGRAM + 'levels = ["v3"]\n', "programs[0]: there is no level 'v3'"),
        (CASE + PROGRAM + "rounds = -1\n", "programs[0].rounds: it is from 1 to 9,999"),
        (CASE + PROGRAM + 'stages = ["4"]\n', "the program 'T' is of a stage '4'; there are: first, last."),
        ("\xff", "no TOML"),
    ],
)
def test_a_wrong_field_is_named(tmp_path, monkeypatch, text, sentence):
    with pytest.raises(UserError) as caught:
        made_case(tmp_path, monkeypatch, text)
    assert sentence in str(caught.value)
    assert "case.toml" in str(caught.value)
    assert catalogue.case_names() == ["made"], "others are not kept from being read"


def test_a_case_without_its_file_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    (tmp_path / "made").mkdir()
    with pytest.raises(UserError, match="There is no case 'made'"):
        catalogue.read_case("made")
    (tmp_path / "made/workloads.cpp").touch()
    with pytest.raises(UserError, match=r"made/case\.toml is missing"):
        catalogue.read_case("made")


@pytest.mark.parametrize("name", ["hide", "hide-32", "show-64"])
def test_a_program_that_is_not_there_is_named(tmp_path, monkeypatch, name):
    with pytest.raises(UserError, match=f"names the app '{name}', but there is no apps/{name.removesuffix('-32')}/"):
        made_case(tmp_path, monkeypatch, CASE + PROGRAM.replace('"show"', f'"{name}"'))


@pytest.mark.parametrize("name", catalogue.case_names())
def test_the_words_of_every_case_are_as_they_must_be(name, built, monkeypatch, capsys):
    monkeypatch.setattr(words, "read_build", lambda preset: built)
    assert cli.main(["words", "--case", name]) == 0
    assert capsys.readouterr().err.endswith("are as they must be.\n")


def test_of_two_stages_with_one_number_none_is_taken_for_the_other(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tmp_path)
    for folder in ("00-reference", "91-mine", "91-mine-faster"):
        (tmp_path / "made" / folder).mkdir(parents=True)
        (tmp_path / "made" / folder / "stage.cpp").touch()
    case = catalogue.Case("made", "", "", "", {}, [])
    assert case.stage("00").slug == "reference"
    with pytest.raises(UserError, match="made has two stages 91: give 91-mine or 91-mine-faster another number"):
        case.stage("91")


def test_a_byte_order_mark_hides_neither_fields_nor_a_header(tmp_path):
    (tmp_path / "notes.md").write_bytes(b"\xef\xbb\xbf+++\n+++\n")
    assert foreign.read_text(tmp_path / "notes.md").startswith("+++")
    (tmp_path / "stage.cpp").write_bytes(b"\xef\xbb\xbf// A headline.\n// requires: aes\nint x;\n")
    assert headers.read_header(tmp_path / "stage.cpp").requires == ["aes"]


@pytest.mark.parametrize("name", OURS)
def test_a_page_can_say_what_the_names_of_workloads_mean(name):
    """Those of the newest measurement; `sweep/64` is explained as `sweep/N`, `batch/mix-0` as `batch/...`."""
    case = catalogue.read_case(name)
    words = re.findall(r"`([^`]+)`", case.workloads)
    folders = {word.partition("/")[0] for word in words}
    for workload in {one.name for one in store.load(store.paths(name)[-1]).workloads}:
        assert workload in words or workload.partition("/")[0] in folders or re.sub(r"\d$", "0", workload) in words


def test_a_tool_that_cannot_look_at_a_case_is_named(monkeypatch):
    """That the case is not built would send people the wrong way."""

    def misfits(case, build):
        raise Missing("nm: file truncated")

    monkeypatch.setattr(words, "read_build", lambda preset: None)
    monkeypatch.setattr(words.lint, "misfits", misfits)
    with pytest.raises(UserError, match="xtea cannot be looked at: nm: file truncated"):
        words.check("xtea", "gcc")
