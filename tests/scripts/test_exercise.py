"""The exercise: a learner's file, her way up the ladder, and an attempt that is wrong, slow or unfair."""

import io
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from conftest import needs
from rich.console import Console

from perf_ladders import cli
from perf_ladders.commands.workshop import signed
from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence import instructions
from perf_ladders.machine import alone, speed
from perf_ladders.measure import journal, pairs, rounds, runner
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.measure.runner import Plan
from perf_ladders.model.evidence import Evidence, Remark
from perf_ladders.model.measurement import Round
from perf_ladders.pages import formatting
from perf_ladders.stats import Comparison
from perf_ladders.tree import catalogue, headers, paths
from perf_ladders.tree.build import Build, Compiler, Program
from perf_ladders.tree.contract import named
from perf_ladders.workshop import (
    building,
    cheating,
    exercise,
    exercise_check,
    failures,
    judge,
    objects,
    scoreboard,
    screen,
    verification,
    watch,
)
from perf_ladders.workshop.board import Board, Passed, Where
from perf_ladders.workshop.building import CONTROL, Field
from perf_ladders.workshop.gain import Gain
from perf_ladders.workshop.judge import Attempt

XTEA = catalogue.read_case("xtea")
replace_in = msgspec.structs.replace
CLIMBED = sorted({path.parts[-3] for path in paths.STAGES.glob("*/[0-9]*/hints.md")})


def begin(case, preset=None, level=None, who=None, **more):
    if len(XTEA.stages) == 1:
        pytest.skip("the tree of xtea-00 has no step")
    begun = exercise.begin(case, preset, who, **more)
    begun.state.level = level or begun.state.level
    begun.board.write()
    return begun


@pytest.fixture
def begun(tmp_path):
    return begin(XTEA, "gcc", "x86-64", "Ada", folder=tmp_path)


def how(ratio, source="// a kernel\n"):
    """As a passed attempt is kept."""
    found = Comparison(ratio, 0.9 * ratio, 1.1 * ratio, "faster")
    machine = Where(cpu="C", cpus=2, memory_gib=8, architecture="x", system="S", kernel="6", virtual_machine="no")
    known = {"compiler": "gcc", "level": "x86-64", "workload": "message", "rounds": 10, "remark": ""}
    ratios = {"vs_reference": found, "vs_base": found, "vs_answer": found}
    return Passed(date=datetime.now(UTC), machine=machine, source=source, **known, **ratios)


def passed(climbed, ratio):
    """With what stands in the file."""
    climbed.pass_step(how(ratio, climbed.source.read_text("utf-8")))


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
    for stage in begun.stages:
        begun.state.step = stage.number
        title, question = (text.plain for text in screen.task(begun))
        assert title == stage.notes.title
        assert question.endswith("?"), stage.name
        assert question[0].isupper() or question[0] == "`", stage.name
        assert len(question.split()) <= 40, stage.name
        assert begun.to_pass.startswith("To pass: every check passes, and a call ")
        assert f"takes at least 1 % less time than with {begun.base.name}" in begun.to_pass
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


def test_reset_keeps_the_old_file(begun):
    assert begun.reset() is None
    for text in ("one", "two"):
        begun.source.write_text(text, "utf-8")
        kept = begun.reset()
        assert kept.read_text("utf-8") == text
    assert begun.source.read_text("utf-8") == begun.start_of_step()
    assert len(list((begun.folder / "set-aside").iterdir())) == 2


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
        assert begun.record.passed is kept
    assert Board.read(begun.board.path).held.cases["xtea"].steps["02"].passed.vs_reference.ratio == 2.1


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


def test_a_name_that_no_scoreboard_could_hold_is_refused(tmp_path):
    with pytest.raises(UserError, match="at most 100 letters"):
        begin(XTEA, "gcc", who="A" * 101, folder=tmp_path)
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


# --- What an attempt is judged by ---


def round_(number=0):
    started = f"2026-01-01T00:{number:02}:00+00:00"
    return Round(part="attempt", number=number, started=started, clock_ghz=[3.0, 3.0], stolen_ticks=0)


SAME, DIFFERS = Comparison(1.0, 0.99, 1.01, "same"), Comparison(1.5, 1.4, 1.6, "faster")  # the reference and itself


def compared(ratio, verdict="faster"):
    return Comparison(ratio, 0.99 * ratio, 1.01 * ratio, verdict if ratio > 1.02 else "same")


def gained(mine, answer, control=SAME, verdict="faster"):
    judged = [judge.standing(compared(one, verdict), control) for one in (mine, answer, mine / answer)]
    return Gain(*judged, control)


def attempted(*gains):
    """On one workload after the other."""
    return Attempt(gains={f"w{place}": one for place, one in enumerate(gains)})


def test_whoever_is_faster_passes():
    assert attempted(gained(1.5, 4.0)).passes
    assert not attempted(gained(1.0, 4.0)).passes
    assert not attempted(gained(1.5, 4.0, verdict="undecided")).passes
    found = attempted(gained(2.1, 4.0))
    found.against = {"b": compared(2.1)}
    assert found.share_of_way("b") == pytest.approx(0.535, abs=0.001)


def test_all_that_the_contract_demands_is_judged():
    """Such as decrypt, where encrypt alone was changed."""
    assert attempted(gained(3.0, 3.0), gained(3.0, 3.0)).passes
    assert not attempted(gained(3.0, 3.0), gained(1.0, 3.0)).passes
    assert attempted(gained(3.0, 3.0), gained(1.0, 1.0)).passes, "the answer gains nothing there"


def test_what_is_faster_passes_whatever_is_known_of_the_answer():
    unsure = replace(gained(1.5, 1.5), answer=compared(1.5, "undecided"))
    assert unsure.hidden
    assert attempted(unsure).passes
    assert not attempted(unsure).untold


def test_where_the_answer_gains_nothing_one_must_not_be_slower():
    found = gained(1.0, 1.0)
    assert found.gains_nothing
    assert found.passes
    slow = Comparison(0.5, 0.49, 0.51, "slower")
    assert not replace(found, mine=slow, mine_over_answer=slow).passes
    assert replace(found, mine=slow).passes, "the answer is as slow"
    unsure = replace(found, mine=slow, mine_over_answer=compared(1.5, "undecided"))
    assert not unsure.passes, "the few rounds beside the answer do not excuse what is slower"
    assert replace(unsure, answer=slow).passes


def test_where_the_answers_gain_is_not_seen_one_must_not_be_slower():
    found = gained(1.05, 1.05, verdict="undecided")
    assert found.gain_unknown
    assert not found.gains_nothing
    assert not found.hidden
    assert found.passes
    slow = Comparison(0.5, 0.49, 0.51, "slower")
    assert not replace(found, mine=slow, mine_over_answer=slow).passes


def takes(monkeypatch, times):
    """No program runs: a call takes so many nanoseconds. What asked for the length of slices is listed."""

    def pair(base, stage, workloads, slice_ms, cpu, generator):
        return [PairTimes(name, [times[base.id]] * 2, [times[stage.id]] * 2) for name in workloads]

    def slices_for(runner, names, cpu, generator):
        asked.append(runner.id)
        return dict.fromkeys(names, 1.0)

    asked = []
    clock = iter(range(60))
    monkeypatch.setattr(pairs, "measured", pair)
    monkeypatch.setattr(pairs, "slices_for", slices_for)
    monkeypatch.setattr(rounds, "_now", lambda: f"2026-01-01T00:{next(clock):02}:00+00:00")
    monkeypatch.setattr(speed, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(speed, "operations_per_ns", lambda build, cpu: 12.0)
    monkeypatch.setattr(speed, "rates", lambda build, cpu: {})
    monkeypatch.setattr(journal, "sha256", lambda path: "0" * 64)
    return asked


@needs("xtea-02")
@pytest.mark.parametrize(("control", "verdict"), [(1.0, "same"), (2.0, "undecided")])
def test_while_the_reference_differs_from_itself_a_difference_beyond_that_stands(monkeypatch, control, verdict):
    """Four times as fast, where two equal programs differ by two."""
    found, place = Attempt(), field()
    times = {runner.id: 100.0 for runner in place.runners.values()}
    times |= {"your-file.x86-64.gcc": 25.0, place.runners[CONTROL].id: 100 / control}
    takes(monkeypatch, times)
    out = io.StringIO()
    judge._measure(found, place, Plan(cpu=0, rounds=20), Console(file=out, width=80))
    mine = found.main.mine
    told = f"{place.workload}: {formatting.ratio(mine)} as fast as {place.base.name}: {formatting.verdict(mine)}"
    assert out.getvalue().count(told) == 1  # as soon as it is decided
    assert found.against["xtea-00"].verdict == "faster"
    assert found.main.noisy == (control > 1)
    assert found.main.answer.verdict == verdict
    assert found.is_fast_enough
    assert found.remark == "4.0 times as fast as xtea-02: too good to be true?"
    assert not found.passes
    assert {*found.samples["xtea-00"]} == {(100.0, 25.0)}
    assert found.times["xtea-mine"] == 25.0
    assert [one.part for one in found.rounds].count(judge.JUDGED) >= 12


@needs("xtea-02")
def test_the_verdict_waits_for_nothing_but_the_file_the_start_and_the_control(monkeypatch):
    place = field()
    takes(monkeypatch, {runner.id: 100.0 for runner in place.runners.values()} | {"your-file.x86-64.gcc": 50.0})
    measured, told, seen = pairs.measured, [], set()

    def noted(base, stage, *others):
        seen.add((base.id, stage.id))
        return measured(base, stage, *others)

    def tell(console, said="", **how):
        told.append((said, set(seen)))

    monkeypatch.setattr(pairs, "measured", noted)
    monkeypatch.setattr(Console, "print", tell)
    judge._measure(Attempt(), place, Plan(cpu=0, rounds=12), Console(quiet=True))
    before = next(already for said, already in told if "faster" in said)
    named = {name: runner.id for name, runner in place.runners.items()}
    start, answer = named[place.base.name], named[place.answer.name]
    assert before == {(named["xtea-00"], named[CONTROL]), (start, named["xtea-mine"])}
    assert (start, answer) in seen


@needs("xtea-02")
def test_the_length_of_slices_is_found_once_for_all_saves_of_a_step(monkeypatch):
    place = field()
    asked = takes(monkeypatch, {runner.id: 100.0 for runner in place.runners.values()})
    for _ in range(2):
        judge._measure(Attempt(), place, Plan(cpu=0, rounds=12), Console(quiet=True))
    assert asked == [place.runners[place.answer.name].id]


def test_on_a_busy_machine_only_what_lies_beyond_its_noise_passes():
    assert attempted(gained(4.0, 4.0, control=DIFFERS)).passes
    found = attempted(gained(1.5, 4.0, control=DIFFERS))
    assert "the reference came out 1.500 times as fast as itself" in found.untold
    assert not found.passes
    assert attempted(gained(1.5, 1.5, verdict="undecided")).untold
    assert not attempted(gained(1.5, 1.5, verdict="undecided")).passes


def test_a_verdict_that_noise_could_make_does_not_stand():
    for ratio, stands in ((1.55, False), (1.65, True), (1 / 1.55, False), (1 / 1.65, True), (1.0, False)):
        verdict = "faster" if ratio > 1 else "slower" if ratio < 1 else "same"
        found = judge.standing(Comparison(ratio, 0.995 * ratio, 1.005 * ratio, verdict), DIFFERS)
        assert found.verdict == (verdict if stands else "undecided")
    unknown = Comparison(1.5, 1.4, None, "faster")
    assert judge.standing(Comparison(9.0, 8.0, 10.0, "faster"), unknown).verdict == "undecided"


@pytest.mark.parametrize("part", ["uncompiled", "wrong", "unfair"])
def test_what_is_not_right_passes_nowhere(part):
    found = attempted(gained(4.0, 4.0))
    found.alike = "is the same machine code"
    setattr(found, part, ["no"] if part != "uncompiled" else "no")
    assert not found.passes


# --- Fair play, on real objects ---

CONTRACT = ["work"]
CHEATS = {
    "counts calls": ("static int calls; void work(unsigned* p) { if (calls++ < 3) *p ^= 1; }", "calls"),
    "in a function": (
        "void work(unsigned* p) { static unsigned answer; if (!answer) answer = *p ^ 1; *p = answer; }",
        "answer",
    ),
    "of each thread": ("thread_local unsigned seen; void work(unsigned* p) { *p ^= ++seen; }", "seen"),
    "behind a pointer": ("static unsigned* memo = new unsigned; void work(unsigned* p) { *p ^= ++*memo; }", "memo"),
}
FAIR = "static const unsigned table[] = {1, 2}; void work(unsigned* p) { *p ^= table[*p & 1]; }"


def compiled(tmp_path, text):
    source, made = tmp_path / "stage.cpp", tmp_path / "stage.o"
    source.write_text(text, "utf-8")
    subprocess.run(["g++", "-O3", "-fPIC", "-c", source, "-o", made], check=True)
    return Program("xtea", "exercise", "xtea-mine", "x86-64", "gcc", False, made, made, [], source)


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
@pytest.mark.parametrize("name", CHEATS)
def test_what_a_kernel_keeps_between_calls_is_found(tmp_path, name):
    text, kept = CHEATS[name]
    found = cheating.kept_between_calls(compiled(tmp_path, text))
    assert any(kept in one for one in found), found


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
@pytest.mark.parametrize(
    ("name", "said"),
    [("counts calls", "`calls` from"), ("in a function", "`answer` in work from"), ("behind a pointer", "`memo` from")],
)
def test_what_it_keeps_is_named_in_short(tmp_path, name, said):
    text = f"namespace xtea {{ namespace {{ }} {CHEATS[name][0]} }}"
    (found,) = cheating.unfair(compiled(tmp_path, text), ["xtea::work"], may_keep=False)
    assert f"It keeps {said} call to call" in found


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
def test_tables_are_no_memory(tmp_path):
    program = compiled(tmp_path, FAIR)
    assert cheating.kept_between_calls(program) == []
    assert objects.foreign_symbols(program, CONTRACT) == []


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
def test_a_clock_of_its_own_is_found(tmp_path):
    program = compiled(tmp_path, FAIR + ' extern "C" int clock_gettime(int, void*) { return 0; }')
    assert objects.foreign_symbols(program, CONTRACT) == ["clock_gettime"]


CACHED = r"""
#include <cstdlib>
#include "xtea/xtea.hpp"
namespace xtea {
namespace {
template <typename Work> void once(Work work) {
  if (getenv("SEEN")) return;  // where no object of its own remembers
  setenv("SEEN", "1", 1);
  work();
}
std::uint32_t mix(std::uint32_t v) { return (v << 4 ^ v >> 5) + v; }
void work(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) {
    for (unsigned i = 0; i < 64; ++i) block += mix(static_cast<std::uint32_t>(block)) ^ key[i & 3];
  }
}
}  // namespace
void encrypt(std::span<std::uint64_t> blocks, const Key& key) { once([&] { work(blocks, key); }); }
void decrypt(std::span<std::uint64_t> blocks, const Key& key) { once([&] { work(blocks, key); }); }
}  // namespace xtea
"""


@pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind")
def test_a_kernel_that_works_only_at_its_first_call_is_found(build, tmp_path):
    if build.preset != "gcc":
        pytest.skip("it is compiled with g++")
    honest = next(p for p in build.programs if p.name == "xtea-00")
    assert cheating.calls_differ(honest, XTEA.symbols, "sweep/4096", 0) == []
    source, program = tmp_path / "stage.cpp", tmp_path / "cheat"
    source.write_text(CACHED, "utf-8")
    whole = ["-Wl,--whole-archive", *honest.archives, "-Wl,--no-whole-archive"]
    folders = [f"-I{paths.STAGES}", f"-I{paths.ROOT}"]
    lacks = ['-DLADDER_LACKS=""', paths.ROOT / "common/lacks.cpp"]
    guard = tmp_path / "guard.o"
    subprocess.run(["gcc", "-c", paths.ROOT / "common/guard.c", "-o", guard], check=True)
    command = ["g++", "-std=c++20", "-O2", *folders, *lacks, source, guard, *whole, "-lbenchmark", "-lpthread"]
    subprocess.run([*command, "-o", program], check=True)
    cheat = replace(honest, path=program)
    assert "does it remember" in cheating.calls_differ(cheat, XTEA.symbols, "sweep/4096", 0)[0]
    # A library may start its threads in the first call, the same one at every level; that is no leave to remember.
    for parallel in [p for p in build.programs if p.name == "xtea-03" and not p.cannot][:1]:
        assert cheating.calls_differ(parallel, XTEA.symbols, "message", 0) == []
    for workload in ("message", "sweep/4096"):
        assert "does it remember" in cheating.calls_differ(replace(cheat, threads=True), XTEA.symbols, workload, 0)[0]


@pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind")
def test_a_count_is_kept_until_the_program_is_another(build, tmp_path, monkeypatch):
    program = next(p for p in build.programs if p.name == "xtea-00" and p.path.exists())
    path = shutil.copy(program.path, tmp_path)
    program, started, callgrind = replace(program, path=Path(path)), [], cheating.callgrind
    monkeypatch.setattr(cheating, "callgrind", lambda command, *rest: started.append(1) or callgrind(command, *rest))
    assert cheating.calls_differ(program, XTEA.symbols, "sweep/4096", 0) == []
    assert len(started) == 2  # of few calls and of more
    count = cheating.a_call(program, XTEA.symbols, "sweep/4096", 0)
    assert len(started) == 2
    os.utime(path, ns=(0, 0))
    assert cheating.a_call(program, XTEA.symbols, "sweep/4096", 0) == count > 0
    assert len(started) == 3


# --- What is shown ---

FAILURE = """tests/xtea/check.cpp:116: Failure
Value of: same(blocks, by_oracle(direction, before, key))
  Actual: false (block 13 of 20 is 0x2c, but should be 0x85)
Expected: true
decrypt, 20 blocks
[  FAILED  ] Bounds.NothingOutsideTheBlocksIsTouched (1 ms)
"""


def test_a_failure_is_said_in_a_few_lines():
    assert failures.failure_in(FAILURE, 8, of_jobs=False) == [
        "block 13 of 20 is 0x2c, but should be 0x85",
        "decrypt, 20 blocks",
        "If 8 go side by side in a vector, that is lane 5.",
    ], "the name of the test would say that something else is wrong"
    told = failures.failure_in(FAILURE.replace("Bounds", "KnownAnswers"), 8, of_jobs=False)
    assert told[-1] == "found by the test KnownAnswers.NothingOutsideTheBlocksIsTouched"
    assert not any("lane" in line for line in failures.failure_in(FAILURE, 8, of_jobs=True)), "blocks of one buffer"
    assert not any("lane" in line for line in failures.failure_in(FAILURE, None, of_jobs=False))


OVERRUN = r"""
#include "common/guarded.hpp"
int main() {
  ladder::GuardedBuffer buffer(24, ladder::GuardedBuffer::Against::back);
  buffer.as<char>().data()[24 + OFFSET] = 1;
}
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
@pytest.mark.parametrize(
    ("offset", "place"), [(0, "1 byte past the end"), (2, "3 bytes past the end"), (-4097, "before the beginning")]
)
def test_an_overrun_names_function_distance_size_and_line(tmp_path, offset, place):
    source, made = tmp_path / "stage.cpp", tmp_path / "overruns"
    source.write_text(OVERRUN, "utf-8")
    options = ["-std=c++20", "-g", f"-DOFFSET={offset}", f"-I{paths.ROOT}"]
    subprocess.run(["g++", *options, source, paths.ROOT / "common/guarded.cpp", "-o", made], check=True)
    program = Program("xtea", "exercise", "xtea-mine", "x86-64", "gcc", False, made, made, [], source)
    (said,) = failures.first_failure(program, None, of_jobs=False)
    assert re.fullmatch(rf"It (wrote|touched) .*{place} of a buffer of 24 bytes, in main, line 5\.", said)


@needs("xtea-09")
@pytest.mark.parametrize(("number", "by_itself"), [("00", False), ("04", False), ("09", True)])
def test_lanes_are_spoken_of_where_the_source_has_them(number, by_itself):
    assert failures.uses_vectors(XTEA.stage(number).source) == by_itself


@pytest.mark.parametrize(
    "mutant", sorted(f"{path.parent.name}-{path.stem}" for path in (paths.ROOT / "tests/xtea/mutants").glob("*/*.cpp"))
)
def test_every_mutant_is_told_in_a_few_lines(build, mutant):
    (path,) = [p for p in (paths.ROOT / "build" / build.preset).glob(f"xtea-mutant-{mutant}.*") if p.is_file()]
    program = replace(next(p for p in build.programs if p.name == "xtea-00"), path=path)
    said = failures.first_failure(program, 4, of_jobs=False)
    assert 1 <= len(said) <= 7, said
    assert said[0].strip()


def test_the_compiler_is_quoted_from_its_first_error_on():
    error = "exercise/xtea/stage.cpp:3:1: error: no"
    text = f"[1/3] Building\nFAILED: x.o\n/usr/bin/c++ -O3 x.cpp\n{paths.ROOT}/{error}\n"
    assert building.compiler_says(text) == error


LINKER = """[1/1] Linking CXX executable xtea-mine.x86-64
/usr/bin/ld: libxtea-checks.a(check.cpp.o): in function `run':
check.cpp:(.text+0xa): undefined reference to `xtea::encrypt(std::span<unsigned long, 1ul>, int)'
check.cpp:(.text+0xf): undefined reference to `xtea::encrypt(std::span<unsigned long, 1ul>, int)'
collect2: error: ld returned 1 exit status
"""


def test_what_the_linker_misses_is_said_of_the_learners_file():
    said = "Your file must define xtea::encrypt as stages/xtea/xtea.hpp says."
    assert building.undefined(LINKER, XTEA) == said
    assert "xtea::encrypt and xtea::decrypt as" in building.undefined(
        LINKER + LINKER.replace("encrypt", "decrypt"), XTEA
    )
    assert building.undefined(LINKER.replace("encrypt", "helper"), XTEA) == ""


def field(mine="xtea-mine"):
    nowhere = paths.ROOT / "nowhere"

    def program(name):
        return Program("xtea", "stage", name, "x86-64", "gcc", False, nowhere, nowhere, [], nowhere)

    names = (mine, "xtea-00", "xtea-00", "xtea-01", "xtea-02")
    build = Build("gcc", Compiler("gcc"), "", "", {}, {}, None, [], [])
    return Field(XTEA, build, "message", *map(program, names))


def recorded(terminal=False):
    nowhere = open("/dev/null", "w")  # noqa: PTH123, SIM115
    return Console(width=80, height=24, record=True, file=nowhere, force_terminal=terminal)


def shown_on_80_columns(begun, found):
    console = recorded()
    watching = watch.Watch(begun, 10, console, cpu=0, place=field())
    console.print(screen.screen(watching.view(found)))
    lines = console.export_text().rstrip("\n").splitlines()
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    assert not any("\N{HORIZONTAL ELLIPSIS}" in line for line in lines), "nothing is cut"
    return "\n".join(lines)


def measured():
    fast, same = Comparison(3.1, 3.0, 3.2, "faster"), Comparison(1.0, 0.99, 1.01, "same")
    names = ("xtea-00", "xtea-01", "xtea-02")
    times = dict(zip((*names, "xtea-mine"), (3e5, 1e5, 5e4, 1e5), strict=True))
    gains = {"message": Gain(fast, fast, same, SAME)}
    return Attempt(
        times=times, gains=gains, against=dict(zip(names, (fast, same, same), strict=True)), rounds=[round_()]
    )


@needs("xtea-02")
def test_the_screen_says_what_became_of_it(begun):
    begun.source.write_text("// changed", "utf-8")
    said = shown_on_80_columns(begun, measured())
    for word in ("CORRECT", "3.10x [3.00, 3.20]", "faster", "to the best", "to xtea-01", "make hint"):
        assert word in said
    assert "To pass, a call must take less than 297 us: 1 % less than xtea-00." in said
    passed(begun, 3.1)
    assert "PASSED make next" in shown_on_80_columns(begun, measured())


@needs("xtea-02")
def test_what_the_contract_demands_besides_is_shown(begun):
    begun.source.write_text("// changed", "utf-8")
    half = measured()
    half.gains["message-decrypt"] = gained(1.0, 3.1)
    said = shown_on_80_columns(begun, half)
    assert "NOT FASTER YET on message-decrypt" in said
    assert "message-decrypt: yours is 1.00x same, the answer 3.10x faster" in said


@needs("xtea-02")
def test_what_needs_no_timing_is_passed(begun):
    begun.source.write_text("// changed", "utf-8")
    said = shown_on_80_columns(begun, Attempt(alike="is the same machine code as xtea-02"))
    assert "Not timed: this step may gain nothing, and yours is the same machine code as" in said


@needs("xtea-02")
@pytest.mark.parametrize(("least", "timed"), [(0.98, False), (1.5, True)])
@pytest.mark.parametrize("alike", ["code", "count", "", "sleeps"])
def test_only_a_step_that_may_gain_nothing_passes_untimed(tmp_path, monkeypatch, least, timed, alike):
    place = replace(field(), may_gain_nothing=least <= 1, elsewhere=("message-decrypt",))
    mine, answer = (replace(p, source=Path(name)) for p, name in ((place.mine, "mine"), (place.answer, "answer")))
    place = replace(place, mine=mine, answer=answer)
    measured = []
    monkeypatch.setattr(alone, "LOCKS", tmp_path)
    monkeypatch.setattr(judge, "first_failure", lambda *_: [])
    monkeypatch.setattr(judge, "uses_vectors", lambda source: False)
    monkeypatch.setattr(cheating, "kept_between_calls", lambda program: [])
    monkeypatch.setattr(cheating, "unfair", lambda *_: [])
    monkeypatch.setattr(cheating, "of_source", lambda *_: [])
    monkeypatch.setattr(cheating, "calls_differ", lambda *_: [])
    counts = {"mine": 1000.4 if alike in ("count", "sleeps") else 1100, "answer": 1000}
    slow = [PairTimes("message", [9, 10], [11, 12]), PairTimes("message-decrypt", [9, 10], [12, 13])]
    monkeypatch.setattr(pairs, "measured", lambda *_: slow if alike == "sleeps" else slow[:1])
    monkeypatch.setattr(cheating, "a_call", lambda program, *_: counts[program.source.name])
    codes = iter("aa" if alike == "code" else "ab")
    monkeypatch.setattr(judge.machine_code, "digest", lambda path: next(codes))
    monkeypatch.setattr(judge, "_measure", lambda attempt, *_: measured.append(attempt))
    found = judge.judge(place, 12, None, 0, Console(quiet=True), lambda what: None)
    assert bool(measured) == (timed or alike not in ("code", "count"))
    assert found.passes == (not measured)
    assert not judge.judge(place, 12, None, 0, Console(quiet=True), lambda what: None, always_timed=True).alike


@needs("xtea-02")
def test_what_remembers_its_answer_on_another_workload_is_unfair(monkeypatch):
    """Such as decrypt, where the step's own workload encrypts."""
    monkeypatch.setattr(judge, "first_failure", lambda *_: [])
    monkeypatch.setattr(judge, "uses_vectors", lambda source: False)
    monkeypatch.setattr(cheating, "kept_between_calls", lambda program: [])
    monkeypatch.setattr(cheating, "unfair", lambda *_: [])
    monkeypatch.setattr(cheating, "of_source", lambda *_: [])
    monkeypatch.setattr(
        cheating, "calls_differ", lambda program, contract, name, cpu: ["no"] if name == "message-decrypt" else []
    )
    place = replace(field(), elsewhere=("message-decrypt",))
    found = judge.judge(place, 12, None, 0, Console(quiet=True), lambda what: None)
    assert found.unfair == ["no"]
    assert not found.passes


@needs("xtea-02")
def test_a_wrong_file_does_not_take_back_that_the_step_was_passed(begun):
    begun.source.write_text("// changed", "utf-8")
    passed(begun, 3.1)
    said = shown_on_80_columns(begun, Attempt(wrong=["block 1"]))
    assert f"PASSED BEFORE, {begun.passed_at}: make next goes on" in said


@needs("xtea-02")
def test_the_screen_says_when_the_step_is_passed_and_what_is_slower(begun):
    slow = measured()
    slow.against["xtea-00"] = Comparison(0.7, 0.69, 0.71, "slower")
    slow.times["xtea-mine"] = 4e5
    said = shown_on_80_columns(begun, slow)
    assert "To pass, a call must take less than" in said
    assert said.count("yours 400 us, xtea-00 ") == 2
    assert "\N{BOX DRAWINGS HEAVY HORIZONTAL}" not in said, "no bar for what is slower"


@needs("xtea-02")
@pytest.mark.parametrize(
    ("answer", "control", "words", "no_words"),
    [
        ("same", SAME, ("the answer gains nothing here", "must not be shown to take over"), "cannot tell"),
        (
            "undecided",
            SAME,
            ("cannot tell what the answer gains", "must not be shown to take over"),
            "gains nothing",
        ),
        (
            "undecided",
            DIFFERS,
            ("CANNOT TELL", "cannot tell what the answer gains"),
            "must not be shown to take over",
        ),
    ],
)
def test_what_the_answer_gains_is_said_only_where_it_is_known(begun, answer, control, words, no_words):
    begun.source.write_text("// changed", "utf-8")
    found = measured()
    unsure = Comparison(1.0, 0.9, 1.1, answer)
    found.gains = {"message": Gain(unsure, unsure, unsure, control)}
    said = shown_on_80_columns(begun, found)
    assert all(word in said for word in words)
    assert no_words not in said
    assert ("to the best" in said) == (control is SAME)


def test_a_long_line_of_the_compiler_is_folded(begun):
    said = shown_on_80_columns(begun, Attempt(uncompiled="error: " + " ".join(["word"] * 40) + " end"))
    assert "end\n" in said


@pytest.mark.parametrize("lines", [1, 200])
def test_however_long_the_complaint_the_screen_holds_it(begun, lines):
    assert "DOES NOT COMPILE" in shown_on_80_columns(begun, Attempt(uncompiled="\n".join(["e" * 300] * lines)))
    assert "WRONG" in shown_on_80_columns(begun, Attempt(wrong=["w" * 300] * lines))
    assert "NOT COUNTED" in shown_on_80_columns(begun, Attempt(unfair=["u" * 300] * min(lines, 3)))


def test_an_unchanged_file_passes_nowhere(begun):
    found = attempted(gained(1.0, 1.0))
    watching = watch.Watch(begun, 10, Console(), cpu=0)
    assert not watching.passes(found)
    begun.source.write_text("// changed", "utf-8")
    assert watching.passes(found)


@needs("xtea-02")
def test_what_other_terminals_write_while_it_is_judged_is_not_lost(begun, monkeypatch):
    """`make hint` beside a watch that then finds the step passed."""
    watching = watch.Watch(begun, 10, Console(), cpu=0, place=field())
    begun.source.write_text("// changed", "utf-8")
    monkeypatch.setattr(watch.Watch, "_build", lambda self: None)
    monkeypatch.setattr(watch.Watch, "_passed", lambda self, place, found, source: how(3.1, source))

    def judged(*_):
        exercise.current(begun.board.path.parent).hint()
        return measured()

    monkeypatch.setattr(judge, "judge", judged)
    watching.look()
    kept = exercise.current(begun.board.path.parent).record
    assert kept.hints == 1
    assert kept.passed.source == "// changed"


@needs("xtea-02")
def test_what_is_saved_while_an_older_text_is_judged_does_not_pass(begun, monkeypatch):
    watching = watch.Watch(begun, 10, Console(), cpu=0, place=field())
    begun.source.write_text("// judged", "utf-8")
    monkeypatch.setattr(watch.Watch, "_build", lambda self: None)
    monkeypatch.setattr(watch.Watch, "_passed", lambda self, place, found, source: how(3.1, source))
    monkeypatch.setattr(judge, "judge", lambda *_: begun.source.write_text("// newer", "utf-8") and measured())
    watching.look()
    assert exercise.current(begun.board.path.parent).record.passed is None


@needs("xtea-02")
def test_what_is_kept_of_a_passed_attempt_can_be_read_again(begun):
    compiler = Compiler("GNU", "12.2.0", "/usr/bin/c++", "-O3")
    place = replace(field(), build=Build("gcc", compiler, "", "", {}, {}, None, [], []))
    begun.pass_step(watch.Watch(begun, 10, Console(), cpu=0)._passed(place, measured(), "// mine"))
    kept = exercise.current(begun.board.path.parent).record.passed
    assert (kept.compiler, kept.level, kept.rounds) == ("GNU 12.2.0 -O3", "x86-64", 1)
    assert (kept.vs_reference.ratio, kept.vs_answer.verdict, kept.source) == (3.1, "same", "// mine")
    assert kept.machine.cpus > 0


@pytest.fixture
def watching(begun, monkeypatch):
    """One whose attempts are measured() and cost nothing."""
    found = watch.Watch(begun, 10, recorded(terminal=True), cpu=0, place=field())
    begun.source.write_text("// changed", "utf-8")
    monkeypatch.setattr(watch.Watch, "_build", lambda self: None)
    monkeypatch.setattr(watch.Watch, "_passed", lambda self, place, found, source: how(3.1, source))
    monkeypatch.setattr(watch.Watch, "profile", lambda self, found: None)
    monkeypatch.setattr(judge, "judge", lambda *_: measured())
    return found


def run_until_it_waits(watching, monkeypatch, *meanwhile):
    """Each of `meanwhile` is done while it waits for the file to be saved; then it is stopped."""
    left = list(meanwhile)

    def waits(_):
        if not left:
            raise KeyboardInterrupt
        left.pop(0)()

    monkeypatch.setattr(watch.time, "sleep", waits)
    with pytest.raises(KeyboardInterrupt):
        watch.run(watching)
    return " ".join(watching.console.export_text().split())


@needs("xtea-02")
def test_the_profile_of_an_older_text_is_not_shown(watching):
    mine = watching.place.mine.id
    watching.evidence = {mine: Evidence(), "xtea-00.x86-64.gcc": Evidence()}
    assert "being taken" in "\n".join(map(str, screen.profile(watching.view(watching.look()), watching.place)))
    assert [*watching.evidence] == ["xtea-00.x86-64.gcc"]


@needs("xtea-02")
def test_hints_taken_in_another_terminal_are_counted_at_once(watching, monkeypatch):
    monkeypatch.setattr(judge, "judge", lambda *_: Attempt(wrong=["block 1"]))
    begun = watching.exercise
    said = run_until_it_waits(watching, monkeypatch, begun.hint, lambda: None)
    assert said.index("0 of 3 seen") < said.index("1 of 3 seen")
    assert said.count("WRONG") == 2


@needs("xtea-02")
def test_a_file_that_was_deleted_is_missed_once(watching, monkeypatch):
    source = watching.exercise.source
    said = run_until_it_waits(watching, monkeypatch, source.unlink, lambda: None, lambda: source.write_text("// back"))
    assert said.count("is missing: make reset") == 1
    assert said.rindex("CORRECT") > said.index("is missing")


@needs("xtea-02")
def test_a_file_saved_while_it_is_checked_is_judged_again(watching, monkeypatch):
    texts = []

    def judged(*arguments):
        outdated = arguments[6]
        texts.append(watching.text)
        if len(texts) == 1:
            watching.exercise.source.write_text("// mended", "utf-8")
            assert outdated()
            raise failures.Saved
        return measured()

    monkeypatch.setattr(judge, "judge", judged)
    watching.once = True
    assert watch.run(watching).times == measured().times
    assert texts == ["// changed", "// mended"]


def test_watch_waits_for_another_measurement_and_says_so(begun, tmp_path, monkeypatch):
    monkeypatch.setattr(alone, "LOCKS", tmp_path)
    monkeypatch.setattr(watch.time, "sleep", lambda _: other.__exit__(None, None, None))
    watching, told = watch.Watch(begun, 10, recorded(), cpu=0), []
    other = alone.alone()
    other.__enter__()
    with pytest.raises(UserError, match="Another measurement"), alone.alone():
        pass
    with alone.alone(watching._waiting(told.append, lambda: False)):
        assert told == [watch._WAITS]
    assert watching.console.export_text().count("waiting for its end") == 1


@needs("xtea-02")
def test_another_step_is_measured_beside_its_own_stages(begun):
    watching = watch.Watch(begun, 10, Console(), cpu=0, place=field(), head="x")
    other = XTEA.main_path[2]
    begin(XTEA, "gcc", step=other, folder=begun.board.path.parent)
    watching.reread()
    assert watching.exercise.step.number == other.number
    assert watching.place is None
    assert watching.head is None


@pytest.fixture
def endless(tmp_path):
    """A check that writes down who it is and goes on for ever."""
    path = tmp_path / "endless"
    path.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 1000\n", "utf-8")
    path.chmod(0o755)
    return replace(field().mine, path=path)


def test_a_check_that_does_not_end_is_said(endless):
    (said,) = failures.first_failure(endless, None, of_jobs=False, limit_s=0.5)
    assert "did not end in 0.5 s" in said


def test_a_check_ends_when_the_file_is_saved(endless, tmp_path):
    pid = tmp_path / "pid"
    with pytest.raises(failures.Saved):
        failures.first_failure(endless, None, of_jobs=False, outdated=lambda: pid.exists() and pid.read_text() != "")
    assert not Path(f"/proc/{pid.read_text().strip()}").exists()


# --- What the commands say ---


@pytest.fixture
def command(begun, monkeypatch, capsys):
    """Runs one in the folder of `begun`; what it says, in one line."""
    monkeypatch.setattr(exercise, "FOLDER", begun.board.path.parent)

    def run(*words, code=0):
        assert cli.main([*words]) == code
        said = capsys.readouterr()
        return " ".join((said.out + said.err).split())

    return run


def test_a_hint_seen_before_is_called_so(begun, command):
    begun.source.unlink()
    said = [command("hint") for _ in range(4)]
    assert "hint 3 of 3: Nearly the code" in said[2]
    assert "make reveal, asked twice, shows the answer" in said[2]
    assert "hint 3 of 3, which you have seen: Nearly the code" in said[3]


@pytest.mark.parametrize(("hints", "words"), [(1, "1 of 3 hints (make hint)"), (3, "all 3 hints.")])
def test_reveal_knows_which_hints_were_seen(begun, command, hints, words):
    for _ in range(hints):
        begun.hint()
    assert f"not passed yet, and you have seen {words}" in command("reveal")
    assert "The whole page" in command("reveal")


def test_once_does_not_deny_that_the_step_was_passed(begun, command, monkeypatch):
    monkeypatch.setattr(watch, "run", lambda watching: Attempt())
    assert command("watch", "--once", code=1) == "This file does not pass the step."
    passed(begun, 3.1)
    said = f"This file does not pass the step, which was passed before, {begun.passed_at}."
    assert command("watch", "--once", code=1) == said


def test_what_could_not_be_judged_is_not_called_failed(command, monkeypatch):
    monkeypatch.setattr(watch, "run", lambda watching: attempted(gained(1.0, 1.0, control=DIFFERS)))
    said = command("watch", "--once", code=1)
    assert said.startswith("This file could not be judged: the reference came out 1.500 times as fast as itself;")
    assert said.endswith("close what else runs and try again.")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["data ref analysis failed", "loop vectorized using 32 byte vectors"], "line 2: loop vectorized using 32"),
        (["loop not vectorized", "control flow in loop"], "no vectors; line 1: loop not vectorized"),
        ([], "says nothing about vectorising"),
    ],
)
def test_of_the_compilers_remarks_the_one_that_a_learner_can_use(texts, said):
    remarks = [Remark(line=place, kind="", text=text, source="") for place, text in enumerate(texts, 1)]
    assert screen.of_vectors(remarks).startswith(said)


def test_a_library_that_is_not_named_is_not_called_a_compilers_error(begun):
    said = shown_on_80_columns(begun, Attempt(uncompiled="mine.o: undefined reference to `tbb::spin'\ncollect2: error"))
    assert "DOES NOT LINK: a library needs a line `// links: ...`" in said
    assert "COMPILE" not in said


def test_a_stopped_watch_does_not_sound_as_if_it_ran(command, monkeypatch):
    def stopped(watching):
        raise KeyboardInterrupt

    monkeypatch.setattr(watch, "run", stopped)
    assert command("watch") == "Stopped. To go on, type: make watch"


# --- What is handed in ---


def test_the_scoreboard_has_a_line_for_each_learner(tmp_path, capsys):
    files = []
    for who, ratio in (("Ada", 2.0), ("<b>Bob</b>", 3.0), ("Eve", None)):
        begun = begin(XTEA, "gcc", "x86-64", who, folder=tmp_path / who.strip("</b>"))
        begun.hint()
        if ratio:
            passed(begun, ratio)
        files.append(begun.board.path)
    found = scoreboard.lines(files)
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
    found = [line.who for line in scoreboard.lines([*alike, handed_in(tmp_path / "b", "Bob")])]
    assert found == ["Bob", "seat-1/exercise/scoreboard.json", "seat-2/exercise/scoreboard.json"]
    assert [line.who for line in scoreboard.lines(alike[:1])] == ["exercise/scoreboard.json"]


def test_what_was_handed_in_twice_is_said(tmp_path, capsys):
    ada, bob = handed_in(tmp_path / "a", "Ada"), handed_in(tmp_path / "b", "Bob")
    assert scoreboard.doubles([ada, bob]) == []
    assert scoreboard.doubles([handed_in(tmp_path / "seat-1"), handed_in(tmp_path / "seat-2")]) == []
    copy = tmp_path / "copy.json"
    shutil.copy(ada, copy)
    again = handed_in(tmp_path / "again", "ada ")
    exercise.current(again.parent).hint()
    files = [ada, bob, copy, again]
    said = [
        f"The same file: a/scoreboard.json, {tmp_path.name}/copy.json.",
        "2 files of Ada: a/scoreboard.json, again/scoreboard.json.",
    ]
    assert scoreboard.doubles(files) == said
    assert cli.main(["scoreboard", *map(str, files), "--out", str(tmp_path)]) == 0
    shown, page = capsys.readouterr().out, (tmp_path / "scoreboard.html").read_text("utf-8")
    assert all(sentence in shown and sentence in page for sentence in said)


def test_where_nobody_has_passed_there_is_no_heading_for_kernels(tmp_path):
    begun = begin(XTEA, "gcc", "x86-64", "Ada", folder=tmp_path)
    page = scoreboard.write(scoreboard.lines([begun.board.path]), [], tmp_path)
    assert "The kernels" not in page.read_text("utf-8")
    passed(begun, 2.0)
    page = scoreboard.write(scoreboard.lines([begun.board.path]), [], tmp_path)
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


def test_one_file_that_cannot_be_read_does_not_hide_the_others(begun, tmp_path, capsys):
    passed(begun, 5.0)
    bad = tmp_path / "eve.json"
    bad.write_text("no json", "utf-8")
    assert cli.main(["scoreboard", str(bad), str(begun.board.path), "--out", str(tmp_path)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "1 of " in told
    assert f"Left out: {bad} is not a scoreboard of this version" in told
    assert "Left out: " in (tmp_path / "scoreboard.html").read_text("utf-8")


def test_a_source_that_is_not_the_one_that_was_measured_is_refused(begun, capsys):
    begun.pass_step(replace_in(how(5.0), sha256="0" * 64))
    assert cli.main(["scoreboard", str(begun.board.path)]) == 2
    assert f"of {begun.step.name} it says another hash than its source has" in " ".join(capsys.readouterr().err.split())


def test_the_page_says_which_steps_were_verified(begun, tmp_path, capsys, monkeypatch):
    passed(begun, 5.0)
    found = verification.Checked(True, "4.00x over the reference here")
    monkeypatch.setattr(verification, "_checked", lambda name, *_: found)
    words = ["scoreboard", "--verify", str(begun.board.path), "--out", str(tmp_path)]
    assert cli.main(words) == 0
    assert "verified: 1 of 1" in (tmp_path / "scoreboard.html").read_text("utf-8")
    found = verification.Checked(False, "does not pass here")
    assert cli.main(words) == 0
    page = (tmp_path / "scoreboard.html").read_text("utf-8")
    assert "verified: 0 of 1" in page
    assert f"{begun.step.name} is not verified: does not pass here" in page
    assert "verified: 0 of 1" in " ".join(capsys.readouterr().out.split())


@needs("xtea-02")
def test_what_is_verified_is_built_and_judged_before_it_runs(build, tmp_path, monkeypatch):
    """With the answer's own source it is the answer; one that asks the system for something is not run at all."""
    level = "x86-64-v3"
    answer = next((p for p in build.programs if p.name == "xtea-02" and p.level == level), None)
    if build.preset != "gcc" or answer is None or not answer.path.exists():
        pytest.skip("xtea-02 has not been built")
    source = tmp_path / "stage.cpp"
    source.write_text(answer.source.read_text("utf-8"), "utf-8")
    made = verification.rebuilt(answer, "xtea-mine", source)
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


def test_a_tool_that_is_missing_ends_no_scoreboard(monkeypatch):
    def lacking(*_):
        raise Missing("nm is not installed")

    monkeypatch.setattr(verification, "_judged", lacking)
    found = verification._checked("xtea", "02", "gcc", replace_in(how(5.0), source="int x;\n"), 12, Console(quiet=True))
    assert (found.ok, found.said) == (False, "cannot be measured here: nm is not installed")


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
