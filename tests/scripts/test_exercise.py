"""The exercise: every step of every case, a learner's file and way up the ladder, and what is handed in."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import msgspec
import pytest
from conftest import needs, program_of
from exercise_sample import XTEA, begin, how, passed
from rich.console import Console

from perf_ladders import cli, sequential
from perf_ladders.commands.workshop import signed
from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence import instructions
from perf_ladders.measure import runner
from perf_ladders.tree import catalogue, files, headers, paths
from perf_ladders.tree.contract import named
from perf_ladders.workshop import (
    building,
    compiling,
    exercise,
    exercise_check,
    failures,
    judge,
    new_case,
    scoreboard,
    screen,
    verification,
    watch,
)
from perf_ladders.workshop.board import Board

replace_in = msgspec.structs.replace
CLIMBED = sorted({path.parts[-3] for path in paths.STAGES.glob("*/[0-9]*/hints.md")})


# --- Every stage of every case ---


@pytest.mark.parametrize("case", CLIMBED)
def test_every_step_has_three_hints_that_do_not_name_later_stages(case):
    found = catalogue.read_case(case)
    for stage in found.stages:
        if not "00" < stage.number < paths.OWN_STAGES:
            continue
        hints = exercise.read_hints(stage)
        assert len(hints.tiers) == len(exercise.TIERS)
        assert all(tier.strip() for tier in hints.tiers), stage.name
        assert "```cpp" not in hints.tiers[0] + hints.tiers[1], f"{stage.name} gives its code away too early"
        assert "```cpp" in hints.tiers[2], stage.name
        later = {number for number in re.findall(rf"\b{case}-(\d\d)\b", " ".join(hints.tiers)) if number > stage.number}
        assert not later, f"the hints of {stage.name} tell of stages that come later"


@pytest.mark.parametrize("case", CLIMBED)
def test_every_step_begins_with_a_question_and_says_what_passes_it(tmp_path, case):
    begun = exercise.begin(catalogue.read_case(case), folder=tmp_path, level="x86-64-v3")
    for stage in exercise.to_climb(begun.case):
        begun.state.step = stage.number
        title, question = (text.plain for text in screen.task(begun))
        assert title == stage.notes.title
        assert question.endswith("?"), stage.name
        assert question[0].isupper() or question[0] == "`", stage.name
        assert len(question.split()) <= 40, stage.name
        assert begun.to_pass.startswith("To pass: every check passes, and a call ")
        assert f"takes at least 1 % less time than with {begun.base.name}, or no more where" in begun.to_pass
    assert begun.record.hints == 0


SETS_UP = {"prepare", "make_manager", "free_manager", "problem"}  # what no call of a workload is about


@pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind")
@pytest.mark.parametrize("case", CLIMBED)
def test_all_functions_of_a_contract_are_timed(build, case):
    """By a step's own workload, or by one of those that case.toml names for exercises."""
    found = catalogue.read_case(case)
    program = next(p for p in build.programs if p.name == f"{case}-00")
    if not program.path.exists():
        pytest.skip(f"{case} has not been built")
    first = runner.workloads_of(program)[0].name
    names = [entered for w in [first, *found.exercise] for entered in entered_by(program, found.symbols, w)]
    left = {symbol.rpartition("::")[2] for symbol in found.symbols} - {*names} - SETS_UP
    assert not left


def entered_by(program, symbols, workload):
    return [named(name).rpartition("::")[2] for name in instructions.entered(program.path, symbols, workload)]


@pytest.mark.parametrize("case", CLIMBED)
def test_the_workloads_of_hints_are_timed_in_every_block(build, case):
    program = next(p for p in build.programs if p.name == f"{case}-00")
    listed = subprocess.run([program.path, "workloads"], capture_output=True, text=True, check=True).stdout
    main = {line.split("\t")[0] for line in listed.splitlines() if line.split("\t")[1] == "main"}
    for stage in catalogue.read_case(case).stages:
        if "00" < stage.number < paths.OWN_STAGES:
            assert exercise.read_hints(stage).workload in (None, *main), stage.name


@pytest.mark.parametrize("case", CLIMBED)
def test_a_step_begins_with_the_code_it_builds_on(tmp_path, case):
    """So it compiles and is right: that code has passed its check at every level."""
    begun = exercise.begin(catalogue.read_case(case), folder=tmp_path)
    for stage in begun.steps:
        begun.state.step = stage.number
        _, _, code = begun.start_of_step().partition("\n")
        base = begun.base.source.read_text("utf-8")
        assert "\n".join([*headers.headline_of(base), code]) == base
        assert code != stage.source.read_text("utf-8").partition("\n")[2], f"{stage.name} asks for nothing"


def test_a_case_without_hints_is_no_ladder_to_climb(tmp_path):
    bare = replace(XTEA, name="nothing")
    with pytest.raises(UserError, match="no ladder to climb"):
        exercise.begin(bare, "gcc", folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_case_without_hints_is_left_out_of_the_check(tmp_path, monkeypatch):
    new_case.write("bare", tmp_path)
    monkeypatch.setattr(catalogue, "STAGES", tmp_path / "stages")
    out = Console(record=True, quiet=True)
    case = catalogue.read_case("bare")
    assert exercise_check.run(case, "gcc", None, 1, out, out) == []


def test_hints_that_are_not_in_order_are_complained_of(tmp_path):
    stage = replace(XTEA.stages[0], directory=tmp_path)
    with pytest.raises(UserError, match="is missing"):
        exercise.read_hints(stage)
    for text in ("## The idea\n", "+++\n+++\n\n## The idea\n\nx\n", "+++\nwork = 1\n+++\n" + _sections()):
        (tmp_path / "hints.md").write_text(text, "utf-8")
        with pytest.raises(UserError):
            exercise.read_hints(stage)
    (tmp_path / "hints.md").write_text('+++\nworkload = "w"\n+++\n\n' + _sections(), "utf-8")
    assert exercise.read_hints(stage).workload == "w"


def _sections():
    return "".join(f"## {tier}\n\nx\n\n" for tier in exercise.TIERS)


# --- The learner's file ---


def test_begun_twice_the_file_stays(begun, tmp_path):
    begun.source.write_text("hers", "utf-8")
    again = begin(XTEA, "gcc", folder=tmp_path)
    assert again.source.read_text("utf-8") == "hers"
    assert again.board.held.who == "Ada"
    assert again.state.level == "x86-64"


@needs("xtea-04")
def test_a_lesson_may_begin_further_up(begun, tmp_path):
    begun.source.write_text("half done", "utf-8")
    further = begin(XTEA, "gcc", step=XTEA.stage("04"), folder=tmp_path)
    assert further.step.number == "04"
    assert further.source.read_text("utf-8") == further.start_of_step()
    assert [path.read_text("utf-8") for path in (begun.folder / "set-aside").iterdir()] == ["half done"]
    assert begin(XTEA, "gcc", folder=tmp_path).step.number == "04"


def test_hints_come_one_after_the_other(begun):
    tiers = exercise.read_hints(begun.step).tiers
    assert [begun.hint() for _ in range(4)] == [(1, tiers[0]), (2, tiers[1]), (3, tiers[2]), (3, tiers[2])]
    assert exercise.current(begun.board.path.parent).record.hints == 3


def test_the_answer_is_shown_when_asked_for_twice(begun):
    assert not begun.reveal()
    assert not begun.finished
    assert begun.reveal()
    assert begun.finished
    assert begun.record.passed is None


def test_the_answer_is_shown_when_the_step_is_passed(begun):
    passed(begun, 2.0)
    assert begun.reveal()
    assert not begun.record.revealed


def test_bytes_that_are_no_text_are_kept(begun):
    begun.source.write_text("caf\ufffd", "utf-8")
    passed(begun, 3.1)
    begun.source.write_bytes(b"caf\xe9")
    assert begun._set_aside(keep_solved=True).read_bytes() == b"caf\xe9"


@needs("xtea-04")
def test_one_goes_on_with_ones_own_code(begun):
    head = "// Mine: on the way from xtea-00 to xtea-02.\n"
    begun.source.write_text(f"#include <above>\n{head}mine of 02\n", "utf-8")
    passed(begun, 1.6)
    begun.go_on(XTEA.stage("03"))
    assert begun.source.read_text("utf-8") == f"#include <above>\n{head}mine of 02\n"
    begun.source.write_text("// Mine\nmine of 03\n", "utf-8")
    passed(begun, 1.7)
    begun.go_on(XTEA.stage("04"))  # which builds on 02
    head = "// Mine: on the way from xtea-02 to xtea-04.\n"
    assert begun.source.read_text("utf-8") == f"{head}#include <above>\nmine of 02\n"
    assert "from xtea-02 to xtea-04" in begun.source.read_text("utf-8")
    assert not (begun.folder / "set-aside").exists()


@needs("xtea-02")
def test_what_was_not_passed_is_set_aside(begun):
    begun.source.write_text("half done", "utf-8")
    begun.reveal(), begun.reveal()
    begun.go_on(XTEA.stage("02"))
    assert [path.read_text("utf-8") for path in (begun.folder / "set-aside").iterdir()] == ["half done"]
    assert begun.source.read_text("utf-8") == begun.start_of_step()


@needs("xtea-03")
def test_going_on_loses_nothing_that_another_terminal_wrote(begun):
    folder = begun.board.path.parent
    passed(exercise.current(folder), 3.1)
    begun.go_on(XTEA.stage("03"))
    kept = exercise.current(folder)
    assert (kept.state.record(begun.steps[0].number).passed is not None, kept.step.number) == (True, "03")


def test_beginning_again_loses_nothing_that_another_terminal_writes_meanwhile(begun):
    folder = begun.board.path.parent
    with ThreadPoolExecutor() as pool:
        with files.locked(folder):
            again = pool.submit(exercise.begin, XTEA, who="Eve", folder=folder)
            time.sleep(0.3)
            begun.record.passed = how(2.0)
            begun.board.write()
        again.result(60)
    kept = exercise.current(folder)
    assert (kept.passed_at != "", kept.board.held.who) == (True, "Eve")


def test_reset_keeps_the_old_file(begun):
    assert begun.reset() is None
    for text in ("one", "two"):
        begun.source.write_text(text, "utf-8")
        kept = begun.reset()
        assert kept.read_text("utf-8") == text
    assert begun.source.read_text("utf-8") == begun.start_of_step()
    assert len(list((begun.folder / "set-aside").iterdir())) == 2


def test_no_copy_is_written_over_where_another_is_gone(begun):
    copies = []
    for text in ("one", "two"):
        begun.source.write_text(text, "utf-8")
        copies.append(begun.reset())
    copies[0].unlink()
    begun.source.write_text("three", "utf-8")
    assert begun.reset() not in copies
    assert copies[1].read_text("utf-8") == "two"


def test_a_file_in_another_encoding_is_kept_as_it_is(begun):
    begun.source.write_bytes(b"// caf\xe9\n")
    assert begun.reset().read_bytes() == b"// caf\xe9\n"


@pytest.mark.parametrize(
    ("levels", "chosen"), [(("novec", "x86-64"), "x86-64"), (("x86-64-v3", "x86-64-v4"), "x86-64-v3")]
)
def test_an_exercise_is_at_the_level_that_valgrind_can_count(monkeypatch, levels, chosen):
    here_is(monkeypatch, *levels)
    assert building.level_of(XTEA, "gcc", None) == chosen
    assert building.level_of(XTEA, "gcc", None, levels[0]) == levels[0]
    assert building.level_of(XTEA, "gcc", levels[1], levels[0]) == levels[1]


def here_is(monkeypatch, *levels):
    """A machine that runs these levels."""
    programs = [SimpleNamespace(name="xtea-00", level=level) for level in levels]
    found = SimpleNamespace(machine=dict.fromkeys(levels, "machine"), programs=programs)
    monkeypatch.setattr(building, "is_configured", lambda preset: True)
    monkeypatch.setattr(building, "read_build", lambda preset: found)
    monkeypatch.setattr(building, "build", lambda preset, targets: None)
    monkeypatch.setattr(building.runner, "started", lambda command: SimpleNamespace(returncode=0))


def test_a_level_that_does_not_run_here_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    here_is(monkeypatch, "x86-64")
    with pytest.raises(UserError, match=r"xtea does not run at aarch64 here; it runs at x86-64\.") as caught:
        building.level_of(XTEA, "gcc", "aarch64")
    assert caught.value.code == 2
    assert building.level_of(XTEA, "gcc", None, "aarch64") == "x86-64", "as an earlier version kept it"
    monkeypatch.setattr(exercise, "FOLDER", tmp_path / "new")
    assert cli.main(["exercise", "--case", "xtea", "--level", "aarch64"]) == 2
    assert not (tmp_path / "new").exists()
    with pytest.raises(UserError, match="does not run at aarch64"):
        exercise_check.run(XTEA, "gcc", "aarch64", 1, None, None)


@pytest.mark.parametrize("wanted", [None, "x86-64"])
def test_a_case_that_runs_at_no_level_is_named(monkeypatch, wanted):
    here_is(monkeypatch)
    with pytest.raises(UserError, match=r"^xtea-00 runs at no level here\.$") as caught:
        building.level_of(XTEA, "gcc", wanted)
    assert caught.value.code == 77


@needs("xtea-02")
def test_only_a_step_that_cannot_run_is_passed_over(begun, monkeypatch):
    complaint = UserError("it lacks AVX-512", code=77)

    def field_of(*_):
        raise complaint

    monkeypatch.setattr(building, "field_of", field_of)
    step, passed_over = watch.next_step(begun)
    assert step is None
    assert passed_over[0] == f"{XTEA.main_path[2].name} is passed over. it lacks AVX-512"
    complaint.code = 2  # such as a build that was deleted
    with pytest.raises(UserError):
        watch.next_step(begun)


def test_of_two_attempts_the_one_with_the_higher_lower_bound_is_kept(begun):
    wide, narrow, untimed = how(2.2), how(2.1), how(1.0)
    wide.vs_reference = replace(wide.vs_reference, low=1.5)
    untimed.vs_reference = untimed.vs_base = untimed.vs_answer = None
    for found, kept in ((untimed, untimed), (wide, wide), (narrow, narrow), (wide, narrow), (untimed, narrow)):
        begun.pass_step(found)
        assert begun.record.passed == kept
    assert Board.read(begun.board.path).held.cases["xtea"].steps["02"].passed.vs_reference.ratio == 2.1


def test_an_attempt_beside_a_control_that_failed_is_sure_of_nothing(begun):
    clean, noisy = how(1.5), how(2.2)
    noisy.vs_reference = replace(noisy.vs_reference, counts=False)
    for found in (clean, noisy):
        begun.pass_step(found)
        assert begun.record.passed == clean
    assert (clean.bound > 1, noisy.bound) == (True, 0.0)


def test_a_better_attempt_takes_the_place_of_a_passed_one(begun):
    for ratio, kept in ((2.0, 2.0), (1.5, 2.0), (3.0, 3.0)):
        begun.source.write_text(f"// {ratio}", "utf-8")
        passed(begun, ratio)
        assert begun.record.passed.vs_reference.ratio == kept
        assert begun.record.passed.source == f"// {kept}"


HANDED_IN = """{
 "schema": "perf-ladders scoreboard", "version": 1, "who": "Ada", "case": "xtea",
 "cases": {"xtea": {"preset": "gcc", "level": null, "step": "02", "steps": {
  "01": {"hints": 1, "asked": 0, "revealed": false, "passed": {
   "date": "2026-11-22T07:00:24+00:00",
   "machine": {"cpu": "C", "cpu_family_model_stepping": "25/17/1", "cpus": 2, "memory_gib": 8,
    "architecture": "x86_64", "system": "Debian", "kernel": "6.1", "virtual_machine": "kvm",
    "core_kinds": {"performance": [0], "efficiency": [1]}, "governor": null},
   "compiler": "GNU 12.2.0 -O3", "level": "x86-64", "workload": "message", "blocks": 10,
   "vs_reference": {"ratio": 2.0, "low": 1.9, "high": 2.1, "verdict": "faster"},
   "vs_base": {"ratio": 2.0, "low": 1.9, "high": 2.1, "verdict": "faster"},
   "vs_answer": {"ratio": 1.0, "low": null, "high": null, "verdict": "undecided"},
   "remark": "", "source": "// mine"}},
  "02": {"hints": 0, "asked": 0, "revealed": false, "passed": null}}}}
}"""


def test_a_scoreboard_of_earlier_versions_is_read_and_written_with_its_fields(tmp_path):
    path = tmp_path / "scoreboard.json"
    path.write_text(HANDED_IN, "utf-8")
    board = Board.read(path)
    assert board.held.cases["xtea"].steps["01"].passed.machine.family_model_stepping == "25/17/1"
    board.write()
    before, after = json.loads(HANDED_IN), json.loads(path.read_text("utf-8"))
    newer = {"sha256": "", "samples": {}}
    assert newer.items() <= after["cases"]["xtea"]["steps"]["01"]["passed"].items()
    before["cases"]["xtea"]["steps"]["01"]["passed"] |= newer
    before["cases"]["xtea"]["steps"]["01"]["passed"]["machine"] |= {"told_by_features": None}
    for held in (before, after):
        how = held["cases"]["xtea"]["steps"]["01"]["passed"]
        how["date"] = datetime.fromisoformat(how["date"])
    assert before == after


@pytest.mark.parametrize(
    ("right", "wrong", "named"),
    [
        ('"hints": 1', '"hints": 4', "hints"),
        ('"blocks": 10', '"blocks": "10"', "blocks"),
        ('"asked": 0', '"aksed": 0', "aksed"),
        ('"preset": "gcc"', '"preset": "/tmp/evil"', "preset"),
        ('"preset": "gcc"', '"preset": "../evil"', "preset"),
        ('"cpu": "C", ', "", "cpu"),
        ('"version": 1', '"version": 2', "version"),
        ("2026-11-22T", "yesterday", "date"),
    ],
)
def test_what_is_wrong_in_a_scoreboard_is_named(begun, right, wrong, named):
    text = HANDED_IN.replace(right, wrong, 1)
    begun.board.path.write_text(text, "utf-8")
    with pytest.raises(UserError, match=rf"scoreboard.json is not .*\b{named}`"):
        exercise.current(begun.board.path.parent)
    assert begun.board.path.read_text("utf-8") == text


def test_a_case_that_was_never_begun_and_a_level_that_was_never_chosen_are_named(begun):
    folder = begun.board.path.parent
    begun.board.path.write_text(HANDED_IN, "utf-8")
    with pytest.raises(UserError, match="No level was chosen yet: make exercise CASE=xtea"):
        assert exercise.current(folder).level
    begun.board.path.write_text(HANDED_IN.replace('"case": "xtea"', '"case": "sha3"'), "utf-8")
    with pytest.raises(UserError, match="says nothing of sha3: make exercise CASE=sha3"):
        exercise.current(folder)


@pytest.mark.parametrize(("who", "said"), [("A" * 101, "at most 100 letters"), ("J\udcf6rg", "the name in UTF-8")])
def test_a_name_that_no_scoreboard_could_hold_is_refused(tmp_path, who, said):
    with pytest.raises(UserError, match=said):
        begin(XTEA, "gcc", who=who, folder=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["", "{", '{"schema": "other"}', "\udcff"])
def test_a_damaged_scoreboard_is_left_as_it_is(begun, text):
    begun.board.path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UserError, match="is not a scoreboard of this version"):
        begin(XTEA, "gcc", folder=begun.board.path.parent)
    assert begun.board.path.read_bytes() == text.encode("utf-8", "surrogateescape")


def test_without_an_exercise_it_says_how_to_begin(tmp_path):
    with pytest.raises(UserError, match="make exercise CASE=xtea"):
        exercise.current(tmp_path)


def test_a_lost_file_is_named_and_reset_writes_it(begun):
    begun.source.unlink()
    folder = begun.board.path.parent
    with pytest.raises(UserError, match="make reset"):
        exercise.current(folder)
    assert exercise.current(folder, may_lack_file=True).reset() is None
    assert exercise.current(folder).source.read_text("utf-8") == begun.start_of_step()


# --- What is handed in ---


def boards(files):
    return scoreboard.readable(files)[0]


def test_the_scoreboard_has_a_line_for_each_learner(tmp_path, capsys):
    files = []
    for who, ratio in (("Ada", 2.0), ("<b>Bob</b>", 3.0), ("Eve", None)):
        begun = begin(XTEA, "gcc", "x86-64", who, folder=tmp_path / who.strip("</b>"))
        begun.hint()
        if ratio:
            passed(begun, ratio)
        files.append(begun.board.path)
    found = scoreboard.lines(boards(files))
    assert [line.who for line in found] == ["<b>Bob</b>", "Ada", "Eve"]
    assert [len(line.passed) for line in found] == [1, 1, 0]
    assert cli.main(["scoreboard", *map(str, files), "--out", str(tmp_path)]) == 0
    page = (tmp_path / "scoreboard.html").read_text("utf-8")
    assert "&lt;b&gt;Bob" in page
    assert "<b>Bob" not in page
    shown = capsys.readouterr().out
    assert "3.00x" in shown
    assert "x86-64, C" in " ".join(shown.split()), "level and machine"
    assert all(len(line) <= 80 for line in shown.splitlines())
    table = shown[shown.index("\nxtea") :].splitlines()
    assert table[1].split() == ["xtea", *(stage.number for stage in XTEA.main_path[1:])]
    assert re.sub(r"\s+", " ", table[2]).startswith("<b>Bob</b> ✓ ·")
    assert re.sub(r"\s+", " ", table[4]).startswith("Eve … ·")
    assert "people by steps" in page


def handed_in(path, who=""):
    """A file of somebody who has begun, under this name."""
    return begin(XTEA, "gcc", "x86-64", who, folder=path).board.path


def test_files_without_a_name_are_told_apart_by_their_folders(tmp_path):
    alike = [handed_in(tmp_path / seat / "exercise") for seat in ("seat-1", "seat-2")]
    found = [line.who for line in scoreboard.lines(boards([*alike, handed_in(tmp_path / "b", "Bob")]))]
    assert found == ["Bob", "seat-1/exercise/scoreboard.json", "seat-2/exercise/scoreboard.json"]
    assert [line.who for line in scoreboard.lines(boards(alike[:1]))] == ["exercise/scoreboard.json"]


def test_names_of_files_that_are_no_utf_8_are_shown_with_marks(tmp_path):
    folder = tmp_path / os.fsdecode(b"J\xf6rg")
    path = handed_in(folder)
    bad = folder / "bad.json"
    bad.write_text("no json", "utf-8")
    paths, said = scoreboard.readable([path, bad])
    found = scoreboard.lines(paths)
    assert [line.who for line in found] == ["J?rg/scoreboard.json"]
    assert "J?rg/bad.json" in scoreboard.write(found, said, tmp_path).read_text("utf-8")


def test_what_was_handed_in_twice_is_said(tmp_path, capsys):
    ada, bob = handed_in(tmp_path / "a", "Ada"), handed_in(tmp_path / "b", "Bob")
    assert scoreboard.doubles(boards([ada, bob])) == []
    assert scoreboard.doubles(boards([handed_in(tmp_path / "seat-1"), handed_in(tmp_path / "seat-2")])) == []
    copy = tmp_path / "copy.json"
    shutil.copy(ada, copy)
    again = handed_in(tmp_path / "again", "ada ")
    exercise.current(again.parent).hint()
    files = [ada, bob, copy, again]
    said = [
        f"The same file: a/scoreboard.json, {tmp_path.name}/copy.json.",
        "2 files of Ada: a/scoreboard.json, again/scoreboard.json.",
    ]
    assert scoreboard.doubles(boards(files)) == said
    assert cli.main(["scoreboard", *map(str, files), "--out", str(tmp_path)]) == 0
    shown, page = capsys.readouterr().out, (tmp_path / "scoreboard.html").read_text("utf-8")
    assert all(sentence in shown and sentence in page for sentence in said)


def test_where_nobody_has_passed_there_is_no_heading_for_kernels(tmp_path):
    begun = begin(XTEA, "gcc", "x86-64", "Ada", folder=tmp_path)
    page = scoreboard.write(scoreboard.lines(boards([begun.board.path])), [], tmp_path)
    assert "The kernels" not in page.read_text("utf-8")
    passed(begun, 2.0)
    page = scoreboard.write(scoreboard.lines(boards([begun.board.path])), [], tmp_path)
    assert "The kernels" in page.read_text("utf-8")


def test_who_has_given_no_name_is_told_how(begun, tmp_path):
    assert signed(begun) == "which says that it is Ada's."
    nameless = begin(XTEA, "clang", folder=tmp_path / "nameless")
    assert signed(nameless).endswith('make exercise CASE=xtea WHO="your name"')
    assert begin(XTEA, who="Eve", folder=tmp_path / "nameless").state.preset == "clang"


@pytest.mark.parametrize(
    "text", ["no json", json.dumps({"schema": "perf-ladders result"}), "[" * 100_000, "[" * 600 + "]" * 600]
)
def test_a_file_that_is_no_scoreboard_is_asked_for_again(tmp_path, text, capsys):
    path = tmp_path / "eve.json"
    path.write_text(text, "utf-8")
    assert cli.main(["scoreboard", str(path)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "eve.json is not a scoreboard of this version (" in said
    assert said.endswith("): ask for exercise/scoreboard.json again.")


@pytest.mark.parametrize(
    ("number", "ratio", "said"),
    [
        ("77", 5.0, "a step xtea-77, which this tree has not"),
        ("00", 5.0, "a step xtea-00, which this tree has not"),
        ("02", 1e9, "of xtea-02 it says that 1e+09 lies from 4.9 to 5.1"),
        ("02", -5.0, "of xtea-02 it says that -5 lies from 4.9 to 5.1"),
    ],
)
def test_what_cannot_have_been_measured_is_asked_for_again(begun, tmp_path, capsys, number, ratio, said):
    passed(begun, 5.0)
    path = begun.board.path
    held = json.loads(path.read_text("utf-8"))
    steps = held["cases"]["xtea"]["steps"]
    steps[number] = steps.pop(begun.step.number)
    steps[number]["passed"]["vs_reference"] |= {"ratio": ratio, "low": 4.9, "high": 5.1}
    path.write_text(json.dumps(held), "utf-8")
    assert cli.main(["scoreboard", str(path), "--out", str(tmp_path)]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def altered(begun, **fields):
    """The scoreboard, with these fields of what was passed."""
    passed(begun, 5.0)
    held = json.loads(begun.board.path.read_text("utf-8"))
    held["cases"]["xtea"]["steps"][begun.step.number]["passed"] |= fields
    begun.board.path.write_text(json.dumps(held), "utf-8")
    return scoreboard.readable([begun.board.path])


ROUNDS = [[9.0, 2.0], [10.0, 2.0], [11.0, 2.0]]  # nanoseconds of the reference, and hers


@pytest.mark.parametrize(
    ("ratio", "low", "high", "rounds"),
    [
        (1e308, 1e308, 1e308, []),
        (2e6, 2e6, 2e6, []),
        (1e-7, 1e-7, 1e-7, []),
        (50.0, 50.0, 50.0, ROUNDS),
        (5.0, 4.5, 7.0, ROUNDS),
        (5.0, 4.0, 5.5, ROUNDS),
    ],
)
def test_a_speed_up_that_its_rounds_do_not_show_is_refused(begun, ratio, low, high, rounds):
    found = {"ratio": ratio, "low": low, "high": high, "verdict": "faster"}
    read, (said,) = altered(begun, vs_reference=found, samples={"xtea-00": rounds})
    assert not read
    assert f"of {begun.step.name} it says " in said
    assert f"{ratio:g}" in said


@pytest.mark.parametrize("ends", [(4.5, 5.5), (5.0, 5.0), (4.5, None), (None, None)])
def test_a_speed_up_that_its_rounds_show_is_read(begun, ends):
    found = {"ratio": 5.0, "low": ends[0], "high": ends[1], "verdict": "faster"}
    read, said = altered(begun, vs_reference=found, samples={"xtea-00": ROUNDS, "xtea-02": [[1.0, 2.0]]})
    assert (len(read), said) == (1, [])


@pytest.mark.parametrize("field", ["asked", "blocks"])
def test_no_count_of_a_scoreboard_is_without_end(begun, field):
    passed(begun, 5.0)
    text = begun.board.path.read_text("utf-8")
    begun.board.path.write_text(re.sub(rf'"{field}": \d+', f'"{field}": {"9" * 400}', text), "utf-8")
    (said,) = scoreboard.readable([begun.board.path])[1]
    assert field in said


def test_one_file_that_cannot_be_read_does_not_hide_the_others(begun, tmp_path, capsys):
    passed(begun, 5.0)
    bad = tmp_path / "eve.json"
    bad.write_text("no json", "utf-8")
    assert cli.main(["scoreboard", str(bad), str(begun.board.path), "--out", str(tmp_path)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "1 of " in told
    assert f"Left out: {bad} is not a scoreboard of this version" in told
    assert "Left out: " in (tmp_path / "scoreboard.html").read_text("utf-8")


def test_a_hand_in_of_a_case_that_this_tree_has_not_is_named(begun, tmp_path):
    path = tmp_path / "eve.json"
    path.write_text(begun.board.path.read_text("utf-8").replace('"xtea"', '"adler32"'), "utf-8")
    (said,) = scoreboard.readable([path])[1]
    assert said.startswith(f"{path}: There is no case 'adler32'")


def test_a_source_that_is_not_the_one_that_was_measured_is_refused(begun, capsys):
    begun.pass_step(replace_in(how(5.0), sha256="0" * 64))
    assert cli.main(["scoreboard", str(begun.board.path)]) == 2
    assert f"of {begun.step.name} it says another hash than its source has" in " ".join(capsys.readouterr().err.split())


def test_the_page_says_which_steps_were_verified(begun, tmp_path, capsys, monkeypatch):
    passed(begun, 5.0)
    here = replace_in(how(4.0), source="int here;")
    found = verification.Checked(True, "4.00x over the reference here", here)
    monkeypatch.setattr(verification, "_checked", lambda name, *_: found)
    words = ["scoreboard", "--verify", str(begun.board.path), "--out", str(tmp_path)]
    assert cli.main(words) == 0
    page = (tmp_path / "scoreboard.html").read_text("utf-8")
    assert "verified: 1 of 1" in page
    assert "4.00x" in page
    assert "5.00x" not in page, "what was handed in is not believed"
    found = verification.Checked(False, "does not pass here")
    assert cli.main(words) == 0
    page = (tmp_path / "scoreboard.html").read_text("utf-8")
    assert "verified: 0 of 1" in page
    assert "5.00x" not in page
    assert "<td>not verified</td>" in page
    assert f"{begun.step.name} is not verified: does not pass here" in page
    assert "verified: 0 of 1" in " ".join(capsys.readouterr().out.split())


@needs("xtea-02")
def test_what_is_verified_is_built_and_judged_before_it_runs(build, tmp_path, monkeypatch):
    """With the answer's own source it is the answer; one that asks the system for something is not run at all."""
    level = "x86-64-v3"
    if build.preset != "gcc":
        pytest.skip("it is compiled with g++")
    answer = program_of(build, "xtea-02", level)
    source = tmp_path / "stage.cpp"
    source.write_text(answer.source.read_text("utf-8"), "utf-8")
    made = compiling.rebuilt(answer, "xtea-mine", source)
    assert judge.machine_code.digest(made.object) == judge.machine_code.digest(answer.object)
    assert failures.first_failure(made, None, of_jobs=False) == []
    bad = replace_in(
        how(5.0), level=level, source='#include <cstdlib>\nint x = std::system("true");\n' + source.read_text()
    )
    monkeypatch.setattr(judge, "judge", None)
    monkeypatch.setattr(building, "build", lambda *_: None)
    found = verification._checked("xtea", "02", "gcc", bad, 12, Console(quiet=True))
    assert not found.ok
    assert found.said.startswith("It defines x, which is not in the contract")
    broken = replace_in(bad, source="no C++")
    assert (
        "cannot be measured here: " in verification._checked("xtea", "02", "gcc", broken, 12, Console(quiet=True)).said
    )


@needs("xtea-02")
def test_what_a_text_must_not_hold_is_refused_before_it_is_compiled(monkeypatch):
    monkeypatch.setattr(building, "field_of", None)
    reads = replace_in(how(5.0), source='#include "/dev/stdin"\n')
    found = verification._checked("xtea", "02", "gcc", reads, 12, Console(quiet=True))
    assert (found.ok, found.said) == (False, "It includes /dev/stdin by its place: name a header as the stages do.")


def test_programs_for_tests_are_not_timed(monkeypatch):
    monkeypatch.setattr(building, "field_of", None)
    found = verification._checked("xtea", "02", "sanitize", how(5.0), 12, Console(quiet=True))
    assert not found.ok
    assert found.said == "was built with the preset sanitize, which is for tests: its times mean nothing"


def test_a_compiler_that_verifies_has_limits(tmp_path):
    source = tmp_path / "stage.cpp"
    kinds = "(r.RLIMIT_AS, r.RLIMIT_FSIZE, r.RLIMIT_CPU)"
    asks = f"import resource as r; exit([r.getrlimit(one)[0] for one in {kinds}] != {[2**32, 2**28, 300]})"
    compiling.run([sys.executable, "-c", asks], tmp_path, source)


def test_a_compiler_quotes_the_learners_file_alone(tmp_path):
    source = tmp_path / "stage.cpp"
    says = "echo '/etc/passwd:1:1: error: root' >&2"
    with pytest.raises(UserError, match=r"^the compiler ended with exit code 3$"):
        compiling.run(["sh", "-c", f"{says}; exit 3"], tmp_path, source)
    with pytest.raises(UserError, match=r"^stage\.cpp:2:3: error: no C\+\+$"):
        compiling.run(["sh", "-c", f"{says}; echo '{source}:2:3: error: no C++' >&2; exit 1"], tmp_path, source)


@pytest.mark.parametrize("complaint", [Missing("nm is not installed"), ValueError("nm says nothing")])
def test_a_tool_that_is_missing_or_says_nonsense_ends_no_scoreboard(monkeypatch, complaint):
    def lacking(*_):
        raise complaint

    monkeypatch.setattr(verification, "_judged", lacking)
    found = verification._checked("xtea", "02", "gcc", replace_in(how(5.0), source="int x;\n"), 12, Console(quiet=True))
    assert (found.ok, found.said) == (False, f"cannot be measured here: {complaint}")


def test_a_folder_is_no_scoreboard(tmp_path, capsys):
    assert cli.main(["scoreboard", str(tmp_path)]) == 2
    assert f"Cannot read {tmp_path}" in capsys.readouterr().err.replace("\n", "")


def test_a_file_that_is_not_there_is_not_begun(tmp_path, capsys):
    assert cli.main(["scoreboard", str(tmp_path / "eve.json")]) == 2
    said = capsys.readouterr().err
    assert "eve.json: FILES names what was handed in" in said
    assert "make exercise" not in said


@needs("xtea-06")
def test_a_change_is_shown_without_what_is_for_programs(capsys):
    assert cli.main(["diff-stage", "xtea-06"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert not [line for line in said if line.startswith(("@@", "---", "+++"))]
    assert any(line.startswith("+") and "schedule.size(); round += 2" in line for line in said)


def test_two_terminals_lose_nothing(begun):
    """`make hint` has read the scoreboard when `make watch` writes that the step is passed."""
    folder = begun.board.path.parent
    hinting, watching = exercise.current(folder), exercise.current(folder)
    watching.pass_step(how(3.1))
    hinting.hint()
    kept = exercise.current(folder).record
    assert kept.passed
    assert kept.hints == 1


def test_a_comparison_that_rounds_gave_can_be_read_again(begun):
    """All rounds together narrow the interval, so the ratio of the last ones may lie outside."""
    values = [0.03] * 14 + [0.02] * 16
    found = sequential.decide(values, 5)
    assert found.low > found.ratio
    changed = sequential.decide([0.1] * 30 + [-0.1] * 90, 1)
    assert changed.changed
    begun.pass_step(msgspec.structs.replace(how(3.1), vs_base=found, vs_answer=changed))
    assert exercise.current(begun.board.path.parent).record.passed
