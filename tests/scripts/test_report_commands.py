"""The commands that read and write measurements, through the grammar of both faces: exit codes, words and files."""

from __future__ import annotations

import pytest
from measurement_sample import small
from msgspec.structs import replace as changed

from perf_ladders import cli
from perf_ladders.commands import measuring, report
from perf_ladders.model.record import LeftOut
from perf_ladders.pages import charts, export, render, self_check_view, terminal
from perf_ladders.results import store
from perf_ladders.tree import files as tree_files
from perf_ladders.tree.build import Build, Compiler
from perf_ladders.tree.catalogue import read_case


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A repository's folders, which are empty: nothing is read from the real ones, nor written there."""
    monkeypatch.setattr(report, "LOCAL_REPORTS", tmp_path / "local")
    monkeypatch.setattr(store, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(export, "REPORTS", tmp_path / "reports")
    for name in ("README", "CELLS", "TECHNIQUES"):
        text = getattr(export, name).read_text()
        monkeypatch.setattr(export, name, tmp_path / f"{name}.md")
        (tmp_path / f"{name}.md").write_text(text)
    return tmp_path


@pytest.fixture
def undrawn(monkeypatch):
    """Charts take seconds, and test_report.py looks at them."""
    empty = '<svg viewBox="0 0 1 1"></svg>'
    monkeypatch.setattr(render, "_PICTURES", {kind: (lambda _: empty, kind) for kind in ("overview", "ladder")})
    monkeypatch.setattr(charts, "overview", lambda _: empty)
    monkeypatch.setattr(charts, "latency_of_step", lambda *_: None)


def saved(measurement, path):
    return store.save(measurement, path)


def damaged(path):
    """The first half of a measurement, as a full disk or a lost connection leaves it."""
    data = saved(small(), path).read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path


def files(folder):
    """All of them, and what they hold."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(capsys, *words):
    """The sentence with which a command ends."""
    assert cli.main([str(word) for word in words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err.strip()


# --- A damaged file ---


@pytest.mark.parametrize("command", ["render", "report-check", "result-check", "publish"])
def test_of_a_damaged_file_nothing_is_made(place, capsys, command):
    path = damaged(place / "xtea.json.xz")
    before = files(place)
    assert f"{path} is damaged or truncated" in refused(capsys, command, path)
    assert files(place) == before


def test_a_file_that_is_not_there_is_named(place, capsys):
    for command in ("render", "report-check", "result-check", "publish"):
        assert refused(capsys, command, place / "none.json.xz").startswith(f"There is no {place / 'none.json.xz'}")
    assert not (place / "local").exists()


@pytest.mark.parametrize("word", [".", "/", "**.json.xz"])
def test_merge_takes_a_word_that_is_no_pattern_as_a_name(place, capsys, word):
    one = saved(small(), place / "a.json.xz")
    assert refused(capsys, "merge", one, word)


def test_a_name_with_brackets_is_the_file_of_that_name(place):
    for name in ("a1", "a[1]"):
        saved(small(), place / f"{name}.json.xz")
    assert tree_files.matching([place / "a[1].json.xz"]) == [place / "a[1].json.xz"]
    assert tree_files.matching([place / "a?.json.xz"]) == [place / "a1.json.xz"]
    (place / "seat-1").mkdir()
    kept = saved(small(), place / "seat-1" / "a1.json.xz")
    assert tree_files.matching([place / "seat-*" / "a1.json.xz"]) == [kept]


def test_a_damaged_file_replaces_no_merged_page(place, capsys):
    page = render.write_text(place / "local" / "merged-xtea.html", "of yesterday")
    good, bad = saved(small(), place / "a.json.xz"), damaged(place / "b.json.xz")
    assert f"{bad} is damaged or truncated" in refused(capsys, "merge", good, bad)
    assert page.read_text() == "of yesterday\n"


@pytest.mark.parametrize("words", [["pages"], ["site", "--out", "site"]])
def test_a_damaged_result_of_the_repository_stops_what_is_made_of_all(place, capsys, words, monkeypatch):
    monkeypatch.chdir(place)
    saved(small(), place / "results" / "xtea" / "a.json.xz")
    path = damaged(place / "results" / "xtea" / "b.json.xz")
    render.write_text(place / "reports" / "xtea.md", "of yesterday")
    before = files(place)
    assert f"{path} is damaged or truncated" in refused(capsys, *words)
    assert files(place) == before


# --- What they make ---


@pytest.mark.parametrize("name", ["o[/b]", "o [old] and a name that is longer than the terminal", "o[bold]"])
def test_the_name_of_a_file_is_printed_as_it_is(place, capsys, name):
    report.written([place / name], terminal.output(stderr=True))
    assert capsys.readouterr().err == f"wrote {place / name}\n"


def test_render_writes_the_pages_and_their_index(place, capsys, undrawn):
    data = saved(small(), place / "mine.json.xz")
    before = data.read_bytes()
    assert cli.main(["render", str(data)]) == 0
    made = {path.name for path in files(place / "local" / "mine")}
    assert {"index.html", "xtea.html", "xtea-04.html", "xtea-numbers-x86-64.html", "xtea-ladder.svg"} <= made
    told = capsys.readouterr().err
    assert told.count("wrote ") == len(made)
    assert f"wrote {place / 'local/mine/xtea.html'}" in told.replace("\n", "")
    assert data.read_bytes() == before


def test_of_a_file_in_reports_local_the_pages_stand_beside_it(place, undrawn):
    data = saved(small(), place / "local" / "xtea.json.xz")
    assert cli.main(["render", str(data)]) == 0
    assert {"index.html", "xtea.html"} <= {path.name for path in (place / "local").iterdir()}


def test_merge_shows_two_machines_on_one_page(place):
    other = small()
    other.machine = changed(other.machine, cpu="AMD EPYC", family_model_stepping="25/1/1")
    saved(small(), place / "a.json.xz")
    saved(other, place / "b.json.xz")
    assert cli.main(["--make", "report", f"MERGE={place}/*.json.xz"]) == 0  # make hands a pattern on as it is
    page = (place / "local" / "merged-xtea.html").read_text()
    assert "AMD Zen 3 (EPYC)" in page
    assert "A &lt;processor&gt;" in page


def test_merge_takes_two_files_of_one_case(place, capsys):
    one = saved(small(), place / "a.json.xz")
    assert refused(capsys, "merge", one).startswith("Name two measurement files or more: ")
    other = small()
    other.case = "sha3"
    assert "merge one case at a time" in refused(capsys, "merge", one, saved(other, place / "b.json.xz"))
    assert not (place / "local").exists()


def test_report_check_tells_fresh_from_stale(place, capsys):
    case = read_case("xtea")
    fresh = small()
    measured = {one.stage for one in fresh.programs}
    there = [stage.slug for stage in case.stages]
    there += [path.parent.name for path in (case.directory / "peers").glob("*/stage.cpp")]
    fresh.left_out = [LeftOut(name=name, reason="made up") for name in there if name not in measured]
    path = saved(fresh, place / "results" / "xtea" / "a.json.xz")
    assert cli.main(["report-check"]) == 0  # all of the repository
    assert capsys.readouterr().out == f"{path}: fresh\n"

    old = changed(fresh, sources={**fresh.sources, "stage/for-loop": "0" * 64})
    stale = saved(old, place / "b.json.xz")
    assert cli.main(["report-check", str(path), str(stale)]) == 1
    told = capsys.readouterr()
    said = "  The stage for-loop changed, or went away, since it was measured."
    assert told.out.splitlines() == [f"{path}: fresh", f"{stale}: stale, 1", said]
    assert told.err.startswith("Stale: 1. CONTRIBUTING.md says")


def test_report_check_without_any_measurement_says_so(place, capsys):
    assert refused(capsys, "report-check") == "There is no measurement in reports/results."


def test_publish_refuses_what_no_commit_has(place, capsys):
    found = small()
    found.made.changed = True
    path = saved(found, place / "xtea.json.xz")
    before = files(place)
    assert "made from sources that no commit has" in refused(capsys, "publish", path)
    assert files(place) == before


def test_publish_keeps_the_file_and_writes_the_pages(place, capsys, monkeypatch):
    monkeypatch.setattr(self_check_view, "write", list)  # of docs/method.md, which this changes nothing of
    path = saved(small(), place / "xtea.json.xz")
    assert cli.main(["publish", str(path)]) == 0
    kept = place / "results" / "xtea" / store.name(small())
    assert store.load(kept) == small()
    assert {"README.md", "atlas.md", "claims.md", "xtea.md", "xtea.svg"} == {
        path.name for path in (place / "reports").iterdir()
    }
    assert "[XTEA](reports/xtea.md)" in export.README.read_text()
    told = capsys.readouterr().err.replace("\n", "")
    assert f"wrote {kept}" in told
    assert f"wrote {place / 'reports/xtea.md'}" in told


# --- What `report` measures ---


class Asked(Exception):
    """Ends the command where it would begin to measure, with what it was going to measure."""


@pytest.fixture
def asked(place, monkeypatch):
    def measured(case, builds, programs, plan, levels, stem, console, more):
        raise Asked(case.name, [build.preset for build in builds], levels, plan, more)

    def read_build(preset):
        return Build(preset, Compiler("gcc", flags="-O3"), "Release", "1.7", {"x86-64": ""}, {}, None, [], [])

    monkeypatch.setattr(report, "measured", measured)
    monkeypatch.setattr(measuring, "read_build", read_build)

    def ask(*words):
        with pytest.raises(Asked) as caught:
            cli.main(list(words))
        return caught.value.args

    return ask


def test_make_report_without_a_case_is_the_quick_report_of_xtea(asked):
    case, presets, levels, plan, more = asked("--make", "report")
    assert (case, presets, levels, more) == ("xtea", ["gcc"], None, False)
    assert asked("report", "--case", "xtea", "--quick")[3] == plan
    thorough = asked("--make", "report", "CASE=xtea")[3]
    for fewer in ("rounds", "other_rounds", "whole_rounds", "app_rounds", "aa_experiments"):
        assert getattr(plan, fewer) < getattr(thorough, fewer), fewer
    assert plan.app_limit_s is not None
    assert thorough.app_limit_s is None
    *_, further, more = asked("report", "--case", "xtea", "--more")
    assert more
    assert further.rounds > thorough.rounds
    assert further.other_rounds > thorough.other_rounds


def test_what_report_is_told_arrives(asked):
    words = ["CASE=sha3", "PRESET=gcc clang", "LEVEL=x86-64", "ROUNDS=31", "QUICK=1"]
    case, presets, levels, plan, _ = asked("--make", "report", *words)
    assert (case, presets, levels) == ("sha3", ["gcc", "clang"], ["x86-64"])
    assert plan.rounds == 31
    assert asked("report", "--case", "sha3", "--rounds", "5")[3].other_rounds == 5
    assert plan == asked("report", "--case", "sha3", "--rounds", "31", "--quick")[3]
