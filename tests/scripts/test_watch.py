"""What a learner sees: the screen of `watch`, and the answers of the other commands of an exercise."""

import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import needs
from exercise_sample import DIFFERS, SAME, XTEA, attempted, begin, field, gained, how, passed
from rich.console import Console

from perf_ladders import cli
from perf_ladders.errors import LATER, Missing, Terminated, UserError
from perf_ladders.machine import alone
from perf_ladders.measure import pairs
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.model.evidence import Evidence, Remark
from perf_ladders.model.measurement import Round
from perf_ladders.stats import Comparison
from perf_ladders.tree import paths
from perf_ladders.tree.build import Build, Compiler, NotBuilt, Program
from perf_ladders.workshop import building, cheating, exercise, failures, judge, passing, screen, watch
from perf_ladders.workshop.gain import Gain
from perf_ladders.workshop.judge import Attempt

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
  ladder::name_test("Sizes", "All");
  ladder::GuardedBuffer buffer(24, ladder::GuardedBuffer::Against::back);
  buffer.as<char>().data()[24 + OFFSET] = 1;
}
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
@pytest.mark.parametrize(
    ("offset", "place"), [(0, "1 byte past the end"), (2, "3 bytes past the end"), (-4097, "before the beginning")]
)
def test_an_overrun_names_distance_size_test_function_and_line(tmp_path, offset, place):
    source, made = tmp_path / "stage.cpp", tmp_path / "overruns"
    source.write_text(OVERRUN, "utf-8")
    options = ["-std=c++20", "-g", f"-DOFFSET={offset}", f"-I{paths.ROOT}"]
    subprocess.run(["g++", *options, source, paths.ROOT / "common/guarded.cpp", "-o", made], check=True)
    program = Program("xtea", "exercise", "xtea-mine", "x86-64", "gcc", False, made, made, [], source)
    (said,) = failures.first_failure(program, None, of_jobs=False)
    assert re.fullmatch(
        rf"It (wrote|touched) .*{place} of a buffer of 24 bytes in the test Sizes\.All, in main, line 6\.", said
    )


FOREIGN = r"""
#include <signal.h>
#include <unistd.h>
#include "common/guarded.hpp"
int main() {
  signal(SIGSEGV, [](int) { _exit(7); });
  ladder::GuardedBuffer buffer(24, ladder::GuardedBuffer::Against::back);
  *reinterpret_cast<volatile char*>(64) = 1;
}
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
def test_a_fault_elsewhere_is_left_to_who_took_faults_before(tmp_path):
    """A sanitizer reports faults by such a handler."""
    source, made = tmp_path / "stage.cpp", tmp_path / "faults"
    source.write_text(FOREIGN, "utf-8")
    command = ["g++", "-std=c++20", f"-I{paths.ROOT}", source, paths.ROOT / "common/guarded.cpp", "-o", made]
    subprocess.run(command, check=True)
    assert subprocess.run([made], check=False).returncode == 7


@needs("xtea-09")
@pytest.mark.parametrize(("number", "by_itself"), [("00", False), ("04", False), ("09", True)])
def test_lanes_are_spoken_of_where_the_source_has_them(number, by_itself):
    assert failures.uses_vectors(XTEA.stage(number).source) == by_itself


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


def round_(number=0):
    started = f"2026-01-01T00:{number:02}:00+00:00"
    return Round(part="attempt", number=number, started=started, clock_ghz=[3.0, 3.0], stolen_ticks=0)


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
@pytest.mark.parametrize("looked", [False, True])
def test_a_file_that_is_too_fast_is_refused_until_somebody_has_looked(begun, looked):
    begun.source.write_text("// changed", "utf-8")
    found = replace(measured(), remark="2.0 times as fast as xtea-02: too good to be true?")
    console = recorded()
    watching = watch.Watch(begun, 10, console, cpu=0, place=field())
    console.print(screen.screen(replace(watching.view(found), passes=looked)))
    said = " ".join(console.export_text().split())
    refused = "too good to be true? Refused until somebody has looked at it: make watch LOOKED=1 "
    assert (refused in said) == (not looked)
    assert ("Refused" in said) == (not looked)
    assert "save it to look again, Ctrl-C ends" in said


@needs("xtea-02")
def test_what_the_contract_demands_besides_is_shown(begun):
    begun.source.write_text("// changed", "utf-8")
    half = measured()
    half.gains["message-decrypt"] = gained(1.0, 3.1)
    said = shown_on_80_columns(begun, half)
    assert "NOT FASTER YET on message-decrypt" in said
    assert "message-decrypt: yours is 1.000x no difference over 2 %, the answer 3.10x faster" in said


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
    monkeypatch.setattr(cheating, "of_macros", lambda *_: [])
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
    monkeypatch.setattr(cheating, "of_macros", lambda *_: [])
    monkeypatch.setattr(
        cheating, "calls_differ", lambda program, contract, name, *_: ["no"] if name == "message-decrypt" else []
    )
    place = replace(field(), elsewhere=("message-decrypt",))
    found = judge.judge(place, 12, None, 0, Console(quiet=True), lambda what: None)
    assert found.unfair == ["no"]
    assert not found.passes


@needs("xtea-02")
def test_without_the_tools_that_look_for_fair_play_nothing_is_judged(monkeypatch):
    def lacking(program):
        raise Missing("nm is not installed (package binutils)")

    monkeypatch.setattr(judge, "first_failure", lambda *_: [])
    monkeypatch.setattr(judge, "uses_vectors", lambda source: False)
    monkeypatch.setattr(cheating, "of_source", lambda *_: [])
    monkeypatch.setattr(cheating, "of_macros", lambda *_: [])
    monkeypatch.setattr(cheating, "kept_between_calls", lacking)
    with pytest.raises(UserError, match=r"nm is not installed \(package binutils\)\.$"):
        judge.judge(field(), 12, None, 0, Console(quiet=True), lambda what: None)


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
    begun.source.write_text(f"{begun.start_of_step()}\n// A comment, and an empty line.\n", "utf-8")
    assert not watching.passes(found)
    begun.source.write_text("// changed", "utf-8")
    assert watching.passes(found)


def passes_always(begun, monkeypatch, text):
    """A watch of a file with this text, which is built and passes whenever it is judged."""
    begun.source.write_text(text, "utf-8")
    monkeypatch.setattr(watch.Watch, "_build", lambda *_: None)
    monkeypatch.setattr(passing, "passed", lambda place, found, source: how(3.1, source))
    return watch.Watch(begun, 10, Console(), cpu=0, place=field())


@needs("xtea-02")
def test_what_other_terminals_write_while_it_is_judged_is_not_lost(begun, monkeypatch):
    """`make hint` beside a watch that then finds the step passed."""
    watching = passes_always(begun, monkeypatch, "// changed")

    def hinted(found):
        exercise.current(begun.board.path.parent).hint()
        return found

    monkeypatch.setattr(judge, "judge", lambda *_: hinted(measured()))
    monkeypatch.setattr(passing, "passed", lambda place, found, source: hinted(how(3.1, source)))
    watching.look()
    kept = exercise.current(begun.board.path.parent).record
    assert kept.hints == 2
    assert kept.passed.source == "// changed"


@needs("xtea-02")
def test_what_is_saved_while_an_older_text_is_judged_does_not_pass(begun, monkeypatch):
    watching = passes_always(begun, monkeypatch, "// judged")
    monkeypatch.setattr(judge, "judge", lambda *_: begun.source.write_text("// newer", "utf-8") and measured())
    watching.look()
    assert exercise.current(begun.board.path.parent).record.passed is None


@needs("xtea-02")
def test_what_is_kept_of_a_passed_attempt_can_be_read_again(begun):
    compiler = Compiler("GNU", "12.2.0", "/usr/bin/c++", "-O3")
    place = replace(field(), build=Build("gcc", compiler, "", "", {}, {}, None, [], []))
    text = "// mine \u200f \x0b"  # what a terminal obeys is read as a question mark
    begun.pass_step(passing.passed(place, measured(), text))
    kept = exercise.current(begun.board.path.parent).record.passed
    assert (kept.compiler, kept.level, kept.rounds) == ("GNU 12.2.0 -O3", "x86-64", 1)
    assert (kept.vs_reference.ratio, kept.vs_answer.verdict, kept.source) == (3.1, "same", "// mine ?  ")
    assert kept.machine.cpus > 0


@pytest.fixture
def watching(begun, monkeypatch):
    """One whose attempts are measured() and cost nothing."""
    found = watch.Watch(begun, 10, recorded(terminal=True), cpu=0, place=field())
    begun.source.write_text("// changed", "utf-8")
    monkeypatch.setattr(watch.Watch, "_build", lambda *_: None)
    monkeypatch.setattr(passing, "passed", lambda place, found, source: how(3.1, source))
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
def test_a_file_that_an_editor_is_about_to_rename_does_not_end_it(begun, monkeypatch):
    def fails(*_):
        raise building.Unbuilt("no")

    watching = watch.Watch(begun, 10, Console(quiet=True), cpu=0)
    begun.source.unlink()
    monkeypatch.setattr(Path, "is_file", lambda path: True)  # so it was a moment before
    assert watching.text is None
    monkeypatch.setattr(exercise.Exercise, "text", "// One\n// links: TBB\nint x;\n")
    monkeypatch.setattr(building, "configure", lambda preset: None)
    monkeypatch.setattr(building, "expect_planned", lambda *_: None)
    monkeypatch.setattr(building, "build", fails)
    assert watching.look().uncompiled == "no"
    assert watching.head == "// links: TBB"


def test_first_lines_that_change_make_another_program(begun, monkeypatch):
    """Such as `threads:`, without which it would stay on one CPU."""
    fields = iter(["one", "another"])
    for name in ("configure", "expect_planned", "build"):
        monkeypatch.setattr(building, name, lambda *_: None)
    monkeypatch.setattr(building, "field_of", lambda *_: SimpleNamespace(build=None, name=next(fields)))
    monkeypatch.setattr(failures, "lanes_of", lambda *_: None)
    watching = watch.Watch(begun, 10, Console(quiet=True), cpu=0)
    for head, name in (("// a", "one"), ("// a", "one"), ("// threads: all", "another")):
        watching._build(head)
        assert watching.place.name == name


def test_first_lines_that_ask_for_what_is_not_there_are_told(monkeypatch):
    planned = SimpleNamespace(exercises=[], left_out=[NotBuilt("xtea-mine", "needs avx9")])
    monkeypatch.setattr(building, "read_build", lambda preset: planned)
    with pytest.raises(building.Unbuilt, match="needs avx9"):
        building.expect_planned("gcc", "xtea-mine", "x86-64")
    planned.left_out.clear()
    with pytest.raises(building.Unbuilt, match="ask for another level than x86-64"):
        building.expect_planned("gcc", "xtea-mine", "x86-64")
    planned.exercises.append(SimpleNamespace(name="xtea-mine", level="x86-64"))
    building.expect_planned("gcc", "xtea-mine", "x86-64")


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


@needs("xtea-02")
def test_the_same_text_saved_again_is_judged_again(watching, monkeypatch):
    """That is what the screen asks for where a busy machine left the verdict open."""
    judged, waits = [], iter([lambda: os.utime(watching.exercise.source, ns=(1, 1)), lambda: None])

    def wait(_):
        try:
            next(waits)()
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(watch, "_judged", lambda _: judged.append(watching.text))
    monkeypatch.setattr(watch.time, "sleep", wait)
    with pytest.raises(KeyboardInterrupt):
        watch.run(watching)
    assert judged == ["// changed", "// changed"]


def test_watch_waits_for_another_measurement_and_says_so(begun, tmp_path, monkeypatch):
    monkeypatch.setattr(alone, "LOCKS", tmp_path)
    monkeypatch.setattr(watch.time, "sleep", lambda _: other.__exit__(None, None, None))
    watching, told = watch.Watch(begun, 10, recorded(), cpu=0), []
    other = alone.alone()
    other.__enter__()
    with pytest.raises(UserError, match="Another measurement"), alone.alone():
        pass
    with alone.alone(watching._waiting(told.append, lambda: False)):
        assert told == [watch.WAITS]
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


def test_a_check_that_prints_without_an_end_is_stopped(endless):
    endless.path.write_text("#!/bin/sh\nexec yes\n", "utf-8")
    assert failures.first_failure(endless, None, of_jobs=False) == ["It prints over 16 MiB: remove what it prints."]


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


@pytest.mark.parametrize(("words", "stop", "code"), [(["--once"], KeyboardInterrupt, 2), ([], Terminated, LATER)])
def test_a_watch_that_was_ended_does_not_say_that_the_step_is_passed(command, monkeypatch, words, stop, code):
    def ended(_):
        raise stop

    monkeypatch.setattr(watch, "run", ended)
    assert command("watch", *words, code=code) == "Stopped."


@needs("xtea-03")
def test_what_watch_writes_while_next_builds_is_not_lost(begun, command, monkeypatch):
    begun.reveal(), begun.reveal()

    def built(climbed):
        passed(exercise.current(begun.board.path.parent), 3.1)
        return XTEA.stage("03"), []

    monkeypatch.setattr(watch, "next_step", built)
    assert "XTEA, step 03" in command("next")
    kept = exercise.current(begun.board.path.parent)
    assert (kept.state.record("02").passed is not None, kept.step.number) == (True, "03")


@needs("xtea-03")
def test_of_two_that_go_on_the_later_one_is_told(begun, command, monkeypatch):
    begun.reveal(), begun.reveal()

    def built(climbed):
        exercise.current(begun.board.path.parent).go_on(XTEA.stage("03"))
        return XTEA.stage("03"), []

    monkeypatch.setattr(watch, "next_step", built)
    said = command("next", code=2)
    assert said == "Another terminal went on to xtea-03 meanwhile: make watch shows the step."


def test_what_could_not_be_judged_is_not_called_failed(command, monkeypatch):
    monkeypatch.setattr(watch, "run", lambda watching: attempted(gained(1.0, 1.0, control=DIFFERS)))
    said = command("watch", "--once", code=1)
    assert said.startswith("This file could not be judged: the reference came out 1.500 times as fast as itself;")
    assert said.endswith("close what else runs and try again.")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            [("missed", "data ref analysis failed"), ("vectorized", "loop vectorized using 32 byte vectors")],
            "line 2: loop vectorized using 32",
        ),
        (
            [("missed", "control flow in loop"), ("vectorized", "Vectorized horizontal reduction")],
            "line 2: Vectorized horizontal reduction",
        ),
        ([("missed", "control flow in loop")], "no vectors; line 1: control flow in loop"),
        ([], "says nothing about vectorising"),
    ],
)
def test_of_the_compilers_remarks_the_one_that_a_learner_can_use(found, said):
    remarks = [Remark(line=place, kind=kind, text=text, source="") for place, (kind, text) in enumerate(found, 1)]
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


@needs("xtea-02")
@pytest.mark.parametrize("look", ["of_source", "of_macros", "unfair", "calls_differ"])
def test_what_any_look_finds_is_refused_and_not_timed(monkeypatch, look):
    asked = {}
    for name in ("of_source", "of_macros", "unfair", "calls_differ"):
        said = ["no"] if name == look else []
        monkeypatch.setattr(
            cheating, name, lambda *given, name=name, said=said: asked.setdefault(name, given) and [*said]
        )
    monkeypatch.setattr(cheating, "kept_between_calls", lambda program: [])
    monkeypatch.setattr(judge, "first_failure", lambda *_: [])
    monkeypatch.setattr(judge, "uses_vectors", lambda source: False)
    monkeypatch.setattr(judge, "_measure", None)
    place = field()
    found = judge.judge(place, 12, None, 0, Console(quiet=True), lambda what: None)
    assert (found.unfair, found.passes) == (["no"], False)
    assert asked["of_source"] == (place.mine.source, place.case, place.step)
    assert asked["unfair"] == (place.mine, XTEA.symbols, False, [place.answer, place.base])
