"""Measurements in pairs: live programs, the steps that are asked for, the session, and what follows from it."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from measurement_sample import analysed, paired
from msgspec.structs import replace as replace_of
from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.machine import speed
from perf_ladders.measure import best_earlier, machine_code, pairs, rounds, session, steps
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.measure.runner import Plan, Runner, progress_bar
from perf_ladders.measure.serving import Paused, Served
from perf_ladders.model.measurement import MeanSd, Pair, Step, Workload
from perf_ladders.model.quotes import Quote, quotes
from perf_ladders.results import guards, queries, store
from perf_ladders.results.times import OfPairs
from perf_ladders.results.validate import misfit
from perf_ladders.tree import paths
from perf_ladders.tree.build import Build, Compiler, Program
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.claim import Claim

AT = ("x86-64", "gcc")
SCHEDSTAT = Path("/proc/self/schedstat")
COUNTED = SCHEDSTAT.exists() and int(SCHEDSTAT.read_text("ascii").split()[0]) > 0
XTEA = replace(read_case("xtea"), claims=[])
MESSAGE, SWEEP = Workload(name="message", role="main", bytes=8), Workload(name="sweep/8", role="sweep", bytes=8)


def runner_of(path, name="xtea-00", kind="stage", level="x86-64", **more):
    number = name.split("-")[1]
    folders = {stage.number: stage.directory for stage in XTEA.stages}
    folder = folders.get(number, paths.STAGES / "xtea/peers" / number)
    program = Program("xtea", kind, name, level, "gcc", False, path, path, [], folder / "stage.cpp", **more)
    return Runner.of(program)


# --- A live program ---


@pytest.fixture
def reference(build):
    """That runs on every CPU."""
    return Runner.of(next(program for program in build.programs if program.name == "xtea-00"))


def test_a_program_makes_times_and_verifies_what_it_is_asked_for(reference):
    with Served(reference, 0, 17) as live:
        live.make("sweep/8", 100)
        live.verify("everywhere")
        assert live.warm(1_000) > 0
        assert 0 < live.slice(1_000) < 1e6
        live.verify("samples")
        live.make("message", 0)
        assert live.slice(1) > 0
        live.verify("everywhere")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("slice 1", "There is no workload yet: make one."),
        ("make nothing 0", "There is no workload 'nothing'."),
        ("dance", "serve does not know 'dance'"),
    ],
)
def test_what_a_program_does_not_understand_is_told(reference, command, said):
    live = Served(reference, 0, 0)
    try:
        if command == "dance":
            live.make("message", 0)
        with pytest.raises(UserError, match=said):
            live._ask(command)
    finally:
        live.__exit__(UserError, None, None)


# A program that answers as its second word says, to each command.
SCRIPT = f"""#!{sys.executable}
import sys, time
def answer(text):
    sys.stdout.buffer.write(len(text).to_bytes(4, "little") + text.encode())
    sys.stdout.buffer.flush()
while head := sys.stdin.buffer.read(4):
    command = sys.stdin.buffer.read(int.from_bytes(head, "little")).decode()
    BODY
    answer("ok 10" if command.startswith("slice") else "ok")
    if command == "end":
        break
"""


SLOW = "if command.startswith('slice'): time.sleep(0.02); answer('ok 10'); continue"  # 20 ms, says its clock: 10 ns


def answering(folder, body):
    path = folder / "program"
    path.write_text(SCRIPT.replace("BODY", body))
    path.chmod(0o755)
    return runner_of(path)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("if command.startswith('verify'): answer('wrong block 3 is another'); continue", "block 3 is another"),
        ("if command.startswith('slice'): sys.exit('out of luck')", "ended with exit code 1 .*It says: out of luck"),
        ("if command.startswith('slice'): import os; os.abort()", "crashed with SIGABRT"),
        ("if command.startswith('slice'): answer('ok 9000000000'); continue", "its clock says 9,000,000,000 ns"),
        (SLOW, "beyond what its clock says"),
        ("if command == 'end': answer('ok'); time.sleep(60)", "did not end within 0.2 s of being told to"),
    ],
)
def test_a_program_that_is_wrong_while_it_is_measured_is_told_so(tmp_path, body, said, monkeypatch):
    monkeypatch.setattr("perf_ladders.measure.serving._WAIT_S", 0.2)

    def measured():
        with Served(answering(tmp_path, body), 0, 0) as live:
            live.make("message", 0)
            for _ in range(10):
                live.slice(1)
            live.verify("samples")

    with pytest.raises(UserError, match=rf"(?s)reference.x86-64.gcc .*{said}") as caught:
        measured()
    assert caught.value.code == 1


def test_a_few_slices_may_end_while_the_machine_is_busy(tmp_path):
    with Served(answering(tmp_path, SLOW), 0, 0) as live:
        live.make("message", 0)
        assert [live.slice(1) for _ in range(3)] == [10, 10, 10]


def test_one_round_of_a_step_is_measured_again_where_the_machine_paused(tmp_path):
    """The clock of a program leaves time out in its first process, and in its third."""
    lives = iter([SLOW, "pass", SLOW])
    said: list[str] = []
    one = rounds.Open(Step(part="main", base="", stage="", workloads=[], together=1, rounds=3), AT, False, False)

    def measured():
        with Served(answering(tmp_path, next(lives)), 0, 0) as live:
            live.make("message", 0)
            return [live.slice(1) for _ in range(10)]

    begun = SimpleNamespace(say=said.append, journal=Journal(tmp_path / "kept", Plan(cpu=0), [], []))
    assert rounds._patiently(begun, one, measured) == [10] * 10
    assert len(said) == 1
    assert rounds._key_of_pause(one.step) in begun.journal, "so that the same command allows no second one"
    assert "beyond what its clock says" in said[0]
    with pytest.raises(Paused):
        rounds._patiently(begun, one, measured)
    about = SimpleNamespace(kind="stage", code=None, level="x86-64", compiler="gcc")
    again = rounds._open(begun, one.step, {"": SimpleNamespace(about=about)})
    assert again.paused, "the same command knows of the first pause"


def test_a_program_that_waits_for_the_cpu_is_not_called_wrong(tmp_path, monkeypatch):
    """Each of its slices takes 20 ms, in which the kernel says that it was ready to run."""
    begun = time.perf_counter_ns()
    monkeypatch.setattr(Served, "_waited_ns", lambda self: time.perf_counter_ns() - begun)
    with Served(answering(tmp_path, SLOW), 0, 0) as live:
        live.make("message", 0)
        assert [live.slice(1) for _ in range(10)] == [10] * 10


def test_one_long_wait_does_not_hide_a_clock_that_is_wrong(tmp_path, monkeypatch):
    """The kernel says that the program waited in every third slice, and longer than the slice took."""
    waits = (place // 6 * 10**9 + (place % 6 > 0) * 10**9 for place in range(60))
    monkeypatch.setattr(Served, "_waited_ns", lambda self: next(waits))

    def measured():
        with Served(answering(tmp_path, SLOW), 0, 0) as live:
            live.make("message", 0)
            for _ in range(12):
                live.slice(1)

    with pytest.raises(UserError, match="beyond what its clock says"):
        measured()


@pytest.mark.skipif(not COUNTED, reason="this kernel does not count how long a process waits")
def test_the_kernel_counts_how_long_a_program_waits(tmp_path):
    """Beside another on the same CPU."""
    mine = os.sched_getaffinity(0)
    with (
        Served(answering(tmp_path, "pass"), 0, 0) as live,
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other,
    ):
        try:
            for process in (other.pid, 0):
                os.sched_setaffinity(process, {min(mine)})
            before, end = live._waited_ns(), time.monotonic() + 10
            while live._waited_ns() == before and time.monotonic() < end:
                pass
            assert live._waited_ns() > before
        finally:
            os.sched_setaffinity(0, mine)
            other.kill()


def test_each_process_draws_one_of_the_links(reference, tmp_path):
    links = [tmp_path / f"link-{number}" for number in range(4)]
    generator = np.random.default_rng(1)
    linked = replace(reference, links=tuple(links))
    assert {linked.drawn(generator).program.path for _ in range(60)} == {*links}
    assert reference.drawn(generator) is reference


# Spins as long as its calls are to take, says exactly that, and notes the calls of each slice.
SPINS = """if command.startswith(("warm", "slice")):
        word, number = command.split()
        calls = int(number) if word == "slice" else max(1, int(number) // CALL_NS)
        end = time.perf_counter_ns() + calls * CALL_NS
        while time.perf_counter_ns() < end:
            pass
        if word == "slice":
            with open("NOTED", "a") as noted:
                print(CALL_NS, calls, file=noted)
        answer(f"ok {calls * CALL_NS}" if word == "slice" else f"ok {calls} {calls * CALL_NS}")
        continue"""


def spinning(folder, call_ns):
    (folder / str(call_ns)).mkdir()
    body = SPINS.replace("CALL_NS", str(call_ns)).replace("NOTED", str(folder / "noted"))
    return answering(folder / str(call_ns), body)


def test_two_programs_alternate_with_as_many_calls_on_both_sides(tmp_path):
    base, stage = spinning(tmp_path, 2_000), spinning(tmp_path, 1_000)
    generator = np.random.default_rng(1)
    (found,) = pairs.measured(base, stage, ["sweep/8"], {}, 0, generator)
    assert (found.workload, len(found.base_ns), len(found.stage_ns)) == ("sweep/8", pairs.SLICES, pairs.SLICES)
    assert found.d == pytest.approx(math.log(2))
    _, _, *slices = [line.split() for line in (tmp_path / "noted").read_text().splitlines()]  # two were only verified
    quads = [slices[place : place + 4] for place in range(0, len(slices), 4)]
    assert len(quads) == pairs.QUADS
    for (x, calls), (y, again), *rest in quads:
        assert (x != y, calls) == (True, again)
        assert rest == [[y, calls], [x, calls]]
    threads = Runner(replace(stage.program, threads=True), stage.about)
    (alone,) = pairs.measured(threads, base, ["sweep/8"], {}, 0, generator)
    assert (len(alone.base_ns), len(alone.stage_ns)) == (pairs.SLICES, pairs.SLICES)
    assert alone.d == pytest.approx(-math.log(2))


def test_a_slice_is_long_enough_for_the_faster_and_not_too_long_for_the_slower():
    generator = np.random.default_rng(1)
    calls = [pairs._calls([1_000.0, 2_000.0], 1.0, generator) for _ in range(50)]
    assert len({*calls}) > 10
    assert all(1_000 <= one <= 1_200 for one in calls)
    assert 5 <= pairs._calls([1_000.0, 1e6], 1.0, generator) <= 6
    assert 25 <= pairs._calls([1_000.0, 1e6], 5.0, generator) <= 30
    assert pairs._calls([5e7, 5e7], 1.0, generator) == 1


# --- What is compared ---


def planned(names, workloads=(MESSAGE, SWEEP), case=XTEA, **asked):
    runners = []
    for name, _, level in (name.partition(".") for name in names):
        kind = "variant" if name.count("-") > 1 else "stage" if name.split("-")[1].isdigit() else "peer"
        runners.append(runner_of(Path("nowhere"), name, kind, level or "x86-64"))
        if name == "xtea-00":
            runners.append(Runner.control(runners[-1].program))
    found = steps.planned(case, runners, workloads, asked or {"main": 60, "others": 20}, lesson=False)
    short = {one.id: one.id.removesuffix(".gcc").removesuffix(".x86-64") for one in runners}
    return {
        (one.part, short[one.base], short[one.stage], *([one.of] if one.of != "time" else [])): one for one in found
    }


def test_every_stage_is_compared_with_its_base_and_with_the_reference():
    found = planned(["xtea-00", "xtea-01", "xtea-02"])
    one, two = (stage.slug for stage in XTEA.stages[1:3])
    assert [key for key in found if key[0] == "main"] == [
        ("main", "reference", "reference-again"),
        ("main", "reference", one),
        ("main", one, two) if XTEA.base(XTEA.stages[2]).number == "01" else ("main", "reference", two),
        *([("main", "reference", two)] if XTEA.base(XTEA.stages[2]).number == "01" else []),
    ]
    assert found["main", "reference", "reference-again"].together == 1
    assert found["main", "reference", one].together == 2
    assert found["others", "reference", two].workloads == ["sweep/8"]
    assert found["others", "reference", "reference-again"].workloads == ["sweep/8"], "a gate of its own"


def test_what_a_note_quotes_of_another_workload_is_measured(monkeypatch):
    stage = XTEA.stages[1]

    def planned_if(result: str, **asked):
        notes = replace(stage.notes, text=f"## Result\n\n{result}\n")
        monkeypatch.setitem(vars(stage), "notes", notes)
        return planned(["xtea-00", "xtea-01", "xtea-02", "xtea-botan"], **asked)

    mine = ("others", "reference", stage.slug)
    plain = planned_if("It is faster.")
    assert mine not in plain
    found = planned_if('It gains {{ ratio("sweep/8") }}, and at best {{ ratio("message") }}.')
    assert found[mine].workloads == ["sweep/8"]
    assert {**found, mine: None} == {**plain, mine: None}
    beaten = planned_if('{% if faster("sweep/8", base="botan", level="x86-64") %}It beats Botan.{% endif %}')
    assert beaten["others", "botan", stage.slug].workloads == ["sweep/8"]
    assert beaten["others", "botan", stage.slug].together == 2, "as pages judge it: of so many stages"
    main = planned_if('{{ ratio(base="botan") }}')
    assert main["main", "botan", stage.slug].workloads == ["message"]
    assert planned_if(f'{{{{ ratio("sweep/8", base="{stage.slug}") }}}}') == plain, "a stage is not beside itself"
    for elsewhere in ('level="x86-64-v4"', 'compiler="clang"'):
        assert planned_if(f'{{{{ ratio("sweep/8", {elsewhere}) }}}}') == plain
    assert mine not in planned_if('{{ ratio("sweep/8") }}', main=60, others=1), "one round gives no ratio"


def test_a_level_that_ends_with_another_stage_is_compared_with_the_level_below_on_all_workloads():
    found = planned(["xtea-00", "xtea-01", "xtea-00.x86-64-v3", "xtea-01.x86-64-v3", "xtea-02.x86-64-v3"])
    low, high = XTEA.stages[1].slug, f"{XTEA.stages[2].slug}.x86-64-v3"
    assert found["main", low, high].workloads == ["message"]
    assert found["others", low, high].workloads == ["sweep/8"]
    assert ("main", "reference", high) not in found, "other programs stay within their level"


def test_two_programs_have_one_step_for_both_directions(monkeypatch):
    one, two = XTEA.stages[1:3]
    plain = planned(["xtea-00", "xtea-01", "xtea-02"])
    quote = f'## Result\n\nIt is {{{{ ratio(base="{two.slug}") }}}}, and was {{{{ ratio("message") }}}}.\n'
    monkeypatch.setitem(vars(one), "notes", replace(one.notes, text=quote))
    monkeypatch.setitem(vars(two), "notes", replace(two.notes, base=one.slug))
    found = planned(["xtea-00", "xtea-01", "xtea-02"])
    assert ("main", one.slug, two.slug) in found
    assert ("main", two.slug, one.slug) not in found, "the step of the other direction answers this, too"
    assert {key[0] for key in plain} == {key[0] for key in found}


@pytest.mark.parametrize(("number", "there", "elsewhere"), [("01", ".x86-64-v3", ""), ("02", "", ".x86-64-v3")])
def test_a_quote_is_of_the_highest_level_that_has_the_stage(number, there, elsewhere, monkeypatch):
    """Stage 02 ends below x86-64-v3 here."""
    stage = XTEA.stage(number)
    notes = replace(stage.notes, text='## Result\n\n{{ ratio("sweep/8", base="reference") }}\n')
    monkeypatch.setitem(vars(stage), "notes", notes)
    names = ["xtea-00", "xtea-01", "xtea-02", "xtea-04", *(f"xtea-{one}.x86-64-v3" for one in ("00", "01", "04"))]
    found = planned(names)
    assert found["others", f"reference{there}", f"{stage.slug}{there}"].workloads == ["sweep/8"]
    assert ("others", f"reference{elsewhere}", f"{stage.slug}{elsewhere}") not in found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{{ ratio() }} and {{ time("sweep/8") }}', [Quote()]),
        ('{{ ratio("a", "x86-64-v3", "clang", "b") }}', [Quote("a", "x86-64-v3", "clang", "b")]),
        ('{{ verdict("a", base="b") }}{{ verdict("a", base="b") }}', [Quote("a", base="b")]),
        ('{% if slower("a") and not same("c") %}x{% endif %}', [Quote("a"), Quote("c")]),
        ('{{ ratio("a", compiler="") }}', [Quote("a")]),
        ('In prose, ratio("a") is no placeholder. {{ ratio(name) }}{{ ratio(to="a") }}', []),
        ('{{ ratio(["a"]) }}{{ ratio(base={"a": 1}) }}{{ ratio(*words) }}{{ ratio(**named) }}', []),
    ],
)
def test_the_quotes_of_a_note(text, found):
    assert [*quotes(text)] == found


def test_the_closing_stage_is_compared_with_each_library_and_a_variant_with_what_it_is_one_of():
    found = planned(["xtea-00", "xtea-00-O2", "xtea-01", "xtea-botan", "xtea-botan-no-cipher"], main=12)
    one = XTEA.stages[1].slug
    assert found["main", "botan", one].together == 1
    assert found["main", "botan", "botan-no-cipher"].together == 2, "the variants"
    assert ("main", "botan-no-cipher", one) not in found, "it is no library"
    assert found["main", "reference", "reference-O2"].workloads == ["message"]
    assert not [key for key in found if key[0] == "others"]
    assert {step.rounds for step in found.values()} == {12}


CLAIM = Claim("It falls.", "title", "xtea-01", "xtea-00", document="althoff", level="x86-64", of="sd", ratio=["2"])


def test_another_quantity_is_a_step_of_its_own_where_rounds_are_enough():
    case = replace(XTEA, claims=[CLAIM, replace(CLAIM, of="time"), replace(CLAIM, of="longest")])
    found = planned(["xtea-00", "xtea-01"], case=case, main=60, others=20)
    one = XTEA.stages[1].slug
    assert {key for key in found if key[2] == one and key[1] == "reference"} == {
        ("main", "reference", one),
        ("others", "reference", one),
        ("others", "reference", one, "sd"),
        ("others", "reference", one, "longest"),
    }
    elsewhere = replace(XTEA, claims=[replace(CLAIM, level="x86-64-v4")])
    assert not [key for key in planned(["xtea-00", "xtea-01"], case=elsewhere, main=60, others=20) if len(key) > 3]
    assert found["others", "reference", one, "sd"].workloads == ["message"]
    quick = planned(["xtea-00", "xtea-01"], case=case, main=60, others=1)
    assert not [key for key in quick if len(key) > 3]


def test_a_claim_on_another_workload_is_measured_like_a_main_workload():
    case = replace(XTEA, claims=[replace(CLAIM, of="time", workload="sweep/8")])
    found = planned(["xtea-00", "xtea-01", "xtea-02"], case=case, main=60, others=20)
    assert found["main", "reference", XTEA.stages[1].slug].workloads == ["message", "sweep/8"]
    closing = planned(["xtea-00", "xtea-01"], case=case, main=60, others=20)
    assert closing["main", "reference", XTEA.stages[1].slug].workloads == ["message", "sweep/8"]
    assert ("others", "reference", XTEA.stages[1].slug) not in closing, "it is measured once"
    assert found["main", "reference", "reference-again"].workloads == ["message", "sweep/8"], "with its control"
    assert found["main", "reference", XTEA.stages[2].slug].workloads == ["message", "sweep/8"], "and the closing stage"


@pytest.mark.parametrize(("of", "ratio"), [("sd", 2), ("longest", 3), ("trimmed", 3 / 3.5), ("extremes", 1 / 5)])
def test_a_value_of_single_calls_is_one_of_a_process(monkeypatch, of, ratio):
    calls = {"one": [1.0, 3.0, 5.0, 15.0], "two": [2.0, 3.0, 4.0, 5.0]}
    calls["two"] = [5.0 + (one - 6.0) / 2 for one in calls["one"]] if of == "sd" else calls["two"]
    drawn, paddings = [], []

    def called(runner, plan, padding):
        paddings.append(padding)
        return calls[runner.id]

    def link_of(runner):
        drawn.append(runner.id)
        return runner

    monkeypatch.setattr(pairs, "single_calls", called)
    one, two = (SimpleNamespace(id=name) for name in calls)
    for runner in (one, two):
        runner.drawn = lambda _, runner=runner: link_of(runner)
    (found,) = pairs.of_calls(one, two, of, "message", Plan(cpu=0), np.random.default_rng(1))
    assert found.d == pytest.approx(math.log(ratio))
    assert drawn == ["one", "two"], "one of the links of each"
    assert len(set(paddings)) == 2


def test_an_interruption_after_the_first_slices_keeps_them():
    class Fake:
        warmed = 0

        def make(self, workload, padding): ...
        def verify(self, where): ...

        def slice(self, calls):
            return 1e6

        def warm(self, least_ns):
            self.warmed += 1
            return 21e6 if self.warmed == pairs.QUADS else 1e6  # of the last pass

    found = pairs._alternating((Fake(), Fake()), "message", 20, np.random.default_rng(1))
    assert [len(one) for one in (found.base_ns, found.stage_ns)] == [2 * pairs.QUADS] * 2
    long = Fake()
    long.warm = lambda least_ns: 21e6
    assert pairs._alternating((Fake(), long), "message", 20, np.random.default_rng(1)) is None


def test_each_direction_is_judged_by_what_its_own_step_asks():
    """The lesson on statistics compares two programs the other way round, with many other pairs together."""

    def step(base, stage, together):
        return Step(part="main", base=base, stage=stage, workloads=["message"], together=together, rounds=60)

    def measured(base, stage, times, rounds):
        told = {"part": "main", "base": base, "stage": stage, "workload": "message"}
        return [Pair(round=number, base_ns=times[0], stage_ns=times[1], **told) for number in range(rounds)]

    both = OfPairs(
        [*measured("library", "stage", (2.0, 1.0), 12), *measured("stage", "library", (1.0, 2.0), 12)],
        [],
        [step("library", "stage", 3), step("stage", "library", 100)],
    )
    assert both.compare("library", "stage", "message", 0.0, 1).verdict == "faster"
    assert both.compare("stage", "library", "message", 0.0, 1).verdict == "undecided"
    one = OfPairs(measured("library", "stage", (2.0, 1.0), 12), [], [step("library", "stage", 3)])
    assert one.compare("stage", "library", "message", 0.0, 1).verdict == "slower"


def with_deviations(speed):
    """And the step whose standard deviation of single calls was compared, too."""
    measured = paired(speed)
    step = replace_of(measured.design.steps[1], part="others", of="sd", together=1)
    measured.design.steps.append(step)
    measured.rounds += [replace_of(one, part="others") for one in measured.rounds]
    measured.pairs += [
        Pair(
            part="others",
            round=number,
            base=step.base,
            stage=step.stage,
            workload="message",
            of="sd",
            base_ns=4,
            stage_ns=2,
        )
        for number in range(20)
    ]
    return measured, step


def test_the_control_is_a_gate_for_quantities_too():
    measured, step = with_deviations(SPEED | {"xtea-00-again": 1.2})
    found = analysed(measured)
    assert found.floor(AT, "message") is None
    assert found.compared("xtea-00", found.name[step.stage], AT, of="sd").verdict == "undecided"


def test_a_quantity_is_judged_by_the_same_test_and_its_values_are_no_times():
    measured, step = with_deviations(SPEED)
    assert misfit(measured) is None
    found = analysed(measured)
    name = found.name[step.stage]
    sd = found.compared("xtea-00", name, AT, of="sd")
    assert (sd.ratio, sd.verdict, sd.rounds) == (pytest.approx(2), "faster", 20)
    assert found.compared("xtea-00", name, AT).ratio != pytest.approx(2, rel=0.1)
    assert found.compared("xtea-00", name, AT, of="longest") is None
    measured.pairs.pop()
    measured.pairs.pop()
    measured.pairs.append(replace_of(measured.pairs[-1], round=19))
    assert "does not have one value in each" in misfit(measured)


def with_best(tmp_path, monkeypatch, case, best):
    """What is planned, what is asked then, and what is asked where rounds are too few; `best`: by size the stage."""
    path = tmp_path / "program"
    path.touch()
    runners = [runner_of(path, name) for name in ("xtea-00", "xtea-01", "xtea-02", "xtea-04")]
    runners.insert(1, Runner.control(runners[0].program))
    larger = Workload(name="sweep/64", role="sweep", bytes=64)
    asked = steps.planned(case, runners, (MESSAGE, SWEEP, larger), {"main": 60, "others": 20}, lesson=False)
    monkeypatch.setattr(pairs, "alone", lambda one, name, *rest: [2.0, 1.0 if one.program.name == best[name] else 1.5])
    plan = Plan(cpu=0, rounds=60, other_rounds=20)
    journal = Journal(tmp_path / "xtea", plan, asked, runners)
    build = Build("gcc", Compiler("gcc"), "Release", "1.7", {}, {}, None, [], [])
    with progress_bar(Console(quiet=True)) as progress:
        begun = session.begun(journal, plan, build, Console(quiet=True), progress, 0)
        found = best_earlier.with_best(case, runners, asked, [*best], begun)
        quick = replace(begun, plan=Plan(cpu=0, rounds=20, other_rounds=1))
        return asked, found, best_earlier.with_best(case, runners, asked, [*best], quick)


SLUGS = {stage.name: stage.slug for stage in XTEA.stages}


def test_the_closing_stage_is_compared_with_the_best_earlier_one_at_each_size(tmp_path, monkeypatch):
    """By a short trial; its own base, with which it is compared at every size, gets no step twice."""
    base = XTEA.base(XTEA.stage("04")).name
    (other,) = {"xtea-01", "xtea-02"} - {base}
    best = {"message": other, "sweep/8": other, "sweep/64": base}
    asked, found, quick = with_best(tmp_path, monkeypatch, XTEA, best)
    assert quick == asked
    new = [step for step in found if step not in asked]
    assert all(step.base.startswith(f"{SLUGS[other]}.") for step in new)
    assert all(step.stage.startswith(f"{SLUGS['xtea-04']}.") for step in new)
    planned = [(step.part, step.workloads, step.together, step.rounds) for step in new]
    assert planned == [("main", ["message"], 3, 60), ("others", ["sweep/8"], 3, 20)]


def test_a_size_of_a_claim_is_measured_beside_its_control_alone(tmp_path, monkeypatch):
    """Also over the best earlier stage, and over the base, which may be that."""
    case = replace(XTEA, claims=[replace(CLAIM, of="time", workload="sweep/8")])
    base = XTEA.base(XTEA.stage("04")).name
    for best in ("xtea-01", "xtea-02"):
        (folder := tmp_path / best).mkdir()
        _, found, _ = with_best(folder, monkeypatch, case, {"sweep/8": best, "sweep/64": base})
        on_it = [step for step in found if "sweep/8" in step.workloads]
        assert {step.part for step in on_it} == {"main"}
        pairs_of = [frozenset((step.base, step.stage)) for step in on_it]
        assert len(pairs_of) == len({*pairs_of}), "none is measured twice"
        assert any(step.base.startswith(f"{SLUGS[best]}.") and SLUGS["xtea-04"] in step.stage for step in on_it)


def test_a_stage_that_does_less_is_not_the_best_earlier_one():
    """As one that writes no escapes. A stage without a 32-bit program does all of its work."""
    lacks = {"xtea-01": ["escaping"], "xtea-02": ["x86-32"]}
    names = ("xtea-00", "xtea-01", "xtea-02", "xtea-04")
    runners = [runner_of(Path("nowhere"), name, lacks=lacks.get(name, [])) for name in names]
    (ladder,) = steps.ladders(XTEA, [*runners, Runner.control(runners[0].program)])
    assert [one.program.name for one in ladder.earlier] == ["xtea-00", "xtea-02"]


def test_what_somebody_waits_for_comes_first():
    """The step of the one stage that is asked for, and the gate, on the first workload at the highest level."""
    more = Workload(name="game-server", role="main", bytes=64)
    asked = {"first": 60, "main": 60, "others": 0}
    found = planned(["xtea-00", "xtea-01"], workloads=(MESSAGE, more), **asked)
    one = XTEA.stages[1].slug
    said = {key: step.workloads for key, step in found.items()}
    assert said["first", "reference", one] == said["first", "reference", "reference-again"] == ["message"]
    assert said["main", "reference", one] == said["main", "reference", "reference-again"] == ["game-server"]


def test_what_somebody_waits_for_comes_before_the_levels_below():
    levels = ("x86-64", "x86-64-v3")
    programs = [runner_of(Path("nowhere"), name, level=level) for level in levels for name in ("xtea-00", "xtea-01")]
    programs += [Runner.control(one.program) for one in programs if one.about.stage == "reference"]
    found = steps.planned(XTEA, programs, [MESSAGE], {"first": 60, "main": 60}, lesson=False)
    assert [one.part for one in found] == ["first"] * 2 + ["main"] * (len(found) - 2)
    assert {one.stage.split(".")[1] for one in found[:2]} == {"x86-64-v3"}


# --- The session ---


@pytest.fixture
def session_of(tmp_path, monkeypatch):
    """Runs the session of a reference, its control and one stage that is so many times as fast."""
    path = tmp_path / "program"
    path.write_text("program")
    reference = runner_of(path)
    every = [reference, Runner.control(reference.program), runner_of(path, "xtea-01")]
    clock = iter(range(10_000))
    monkeypatch.setattr(speed, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(speed, "operations_per_ns", lambda build, cpu: 12.0)
    monkeypatch.setattr(speed, "rates", lambda build, cpu: {"x86-64": {"vector_bytes": 16, "all": 11.0}})
    monkeypatch.setattr(rounds, "_now", lambda: f"2026-01-01T00:{next(clock) // 60:02}:{next(clock) % 60:02}+00:00")
    asked = [
        Step(part="main", base=reference.id, stage=one.id, workloads=["message"], together=1, rounds=30)
        for one in every[1:]
    ]
    measured, draws = [], []

    def run(ratio, most=30, more=False):
        def pair(base, stage, workloads, slice_ms, cpu, generator):
            measured.append(stage.id)
            draws.append((cpu, int(generator.integers(2**62))))
            times = 1.0 if stage.about.kind == "control" else 1 / ratio(measured.count(stage.id))
            return [PairTimes(name, [1.0], [times]) for name in workloads]

        monkeypatch.setattr(pairs, "measured", pair)
        plan, console = Plan(cpu=3, rounds=most), Console(quiet=True)
        steps_ = [replace_of(step, rounds=most) for step in asked]
        journal = Journal(tmp_path / "xtea", plan, steps_, every)
        if more:
            journal.reopen()
        build = Build("gcc", Compiler("gcc"), "Release", "1.7", {}, {}, None, [], [])
        with progress_bar(console) as progress:
            begun = session.begun(journal, plan, build, console, progress, len(asked))
            found = rounds.measured(begun, {one.id: one for one in every}, steps_, {})
            journal.finish()
            return found

    run.draws = draws
    return run, measured


def counts(measured):
    return {one.split(".")[0]: measured.count(one) for one in measured}


def test_a_comparison_rests_when_it_is_decided(session_of):
    run, measured = session_of
    found = run(lambda place: 1.5)
    assert counts(measured) == {"reference-again": 12, XTEA.stages[1].slug: 12}
    assert [one.number for one in found.rounds] == list(range(12))
    assert len(found.rates) == 12


def test_every_round_draws_anew_on_the_cpu_of_the_plan(session_of):
    run, measured = session_of
    run(lambda place: 1.005 if place % 4 < 2 else 1.03)
    assert {cpu for cpu, _ in run.draws} == {3}
    assert len({*run.draws}) == len(run.draws) == 60
    assert len({tuple(measured[n : n + 2]) for n in range(0, 60, 2)}) == 2, "in both orders"


def test_what_is_decided_at_once_goes_on_until_some_seconds_have_passed(session_of, monkeypatch):
    run, measured = session_of
    monkeypatch.setattr(rounds, "_now", lambda: "2026-01-01T00:00:00+00:00")
    run(lambda place: 1.5)
    assert counts(measured) == {"reference-again": 30, XTEA.stages[1].slug: 30}


def test_the_control_goes_on_until_the_last_comparison_of_its_ladder(session_of):
    run, measured = session_of
    run(lambda place: 1.005 if place % 4 < 2 else 1.03)
    assert counts(measured) == {"reference-again": 30, XTEA.stages[1].slug: 30}


def test_a_finished_session_is_not_measured_again(session_of):
    run, measured = session_of
    first = run(lambda place: 1.5)
    assert run(lambda place: 1.5, more=True).pairs == first.pairs
    assert len(measured) == 24, "all is decided"
    with pytest.raises(UserError, match="The ratio is asked for"):
        run(fail)
    assert len(measured) > 24, "without `more` a new measurement begins"


def fail(place):
    raise UserError("The ratio is asked for.")


def test_a_finished_session_goes_on_for_more_rounds(session_of):
    run, measured = session_of
    wavering = lambda place: 1.005 if place % 4 < 2 else 1.03  # noqa: E731 - half of the rounds say one thing
    first = run(wavering)
    more = run(wavering, most=40, more=True)
    assert more.pairs[: len(first.pairs)] == first.pairs
    assert [one.number for one in more.rounds] == list(range(40))
    assert counts(measured) == {"reference-again": 40, XTEA.stages[1].slug: 40}


def test_without_a_finished_session_there_is_nothing_to_go_on_with(session_of):
    run, measured = session_of
    with pytest.raises(UserError, match="make one without --more"):
        run(lambda place: 1.5, more=True)
    assert measured == []


# --- What follows ---

SPEED = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1.05, "xtea-02": 4, "xtea-botan": 2}


def row(found, name):
    return next(one for one in found.first_rows if one.stage == name)


def test_rows_follow_from_pairs():
    found = analysed(paired(SPEED))
    one = row(found, "xtea-01")
    assert (one.vs_base.verdict, one.vs_base.rounds, one.vs_base.confidence) == ("faster", 20, 1 - 0.05 / 3)
    assert one.vs_base.low <= 1.05 <= one.vs_base.high
    assert one.mean_ns == pytest.approx(1e6 / 1.05, rel=0.02)
    assert one.floor == 0.01
    assert row(found, "xtea-00-again").vs_reference.verdict == "same"
    assert row(found, "xtea-00").vs_reference is None
    assert found.compared("xtea-01", "xtea-botan", AT) is None, "they never ran beside each other"
    turned = found.times.compare(found.at("xtea-02", AT).id, found.at("xtea-00", AT).id, "message", 0.01, 1)
    assert turned.verdict == "slower"


def test_where_the_control_fails_nothing_is_decided():
    found = analysed(paired(SPEED | {"xtea-00-again": 1.2}))
    assert {one.vs_base.verdict for one in found.first_rows if one.vs_base} == {"undecided"}
    assert row(found, "xtea-01").floor is None
    assert "xtea-00-again at x86-64 (gcc), message came out faster than itself" in guards.control_failures(found)


def test_a_control_whose_times_change_has_failed_too():
    """It is faster than itself in the first rounds, and the later ones say that it is not."""
    made = paired(SPEED, rounds=60)
    for pair in made.pairs:
        if pair.stage.startswith("reference-again"):
            pair.base_ns, pair.stage_ns = (1.03 if pair.round < 12 else 1.0), 1.0
    found = analysed(made)
    assert row(found, "xtea-00-again").vs_reference.changed
    assert {one.vs_base.verdict for one in found.first_rows if one.vs_base} == {"undecided"}
    (said,) = guards.control_failures(found)
    assert said == "xtea-00-again at x86-64 (gcc), message changed its times while they were measured"


def test_guards_of_pairs():
    found = {guard.guard: guard for guard in guards.guards(analysed(paired(SPEED)))}
    fewest = found["fewest rounds of a comparison"]
    assert (fewest.value, fewest.limit) == ("20", "at least 12")
    assert not found["times that a program was taken off its CPU"].known
    few = guards.warnings(analysed(paired(SPEED, rounds=5)))
    assert any("had too few rounds for a verdict" in one and "message: 5, of at least 12." in one for one in few)


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda found: found.pairs.insert(0, found.pairs[-1]), "does not have one value"),
        (lambda found: found.pairs.clear(), "pairs: there are none of"),
        (lambda found: found.slices.pop(), "slices: there are none of"),
        (lambda found: found.design.steps.pop(), "is not in `design.steps`"),
        (lambda found: found.rounds.pop(), "rounds: round 19 of the part main is not there once"),
    ],
)
def test_pairs_that_do_not_fit_are_named(tmp_path, break_it, said):
    found = paired(SPEED)
    path = store.save(found, tmp_path / "xtea.json.xz")
    assert store.load(path) == found
    break_it(found)
    with pytest.raises(UserError, match=said):
        store.load(store.save(found, path))


def test_the_same_machine_code_is_called_so_and_is_no_part_of_the_gate():
    found = paired(SPEED)
    for one in found.programs:
        one.code = ("0" if one.stage in (XTEA.stages[0].slug, XTEA.stages[1].slug) else "1") * 64
    analysis = analysed(found)
    assert row(analysis, "xtea-01").vs_base.verdict == "same code"
    assert row(analysis, "xtea-00-again").vs_reference.verdict == "same"
    assert row(analysis, "xtea-02").vs_reference.verdict == "faster"


def test_machine_code_is_read_whatever_the_language(tmp_path, monkeypatch):
    """objdump translates its headings; without a heading that is known, nothing is known of the code."""
    tool = tmp_path / "objdump"
    tool.write_text(
        '#!/bin/sh\n[ "$LC_ALL" = C ] && echo "Contents of section .text:" || echo "Contenu"\necho " 0 90"\n'
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert machine_code.digest(tmp_path / "stage.o") is not None
    tool.write_text('#!/bin/sh\necho "Contenu de la section .text:"\necho " 0 90"\n')
    assert machine_code.digest(tmp_path / "stage.o") is None


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
def test_machine_code_is_compared_with_its_constants_and_without_its_names(tmp_path):
    def compiled(name, text):
        source, made = tmp_path / f"{name}.cpp", tmp_path / f"{name}.o"
        source.write_text(text, "utf-8")
        subprocess.run(["g++", "-O2", "-c", source, "-o", made], check=True)
        return machine_code.digest(made)

    text = "static const int table[] = {1, 2, 3}; int work(int i) { return table[i] + 5; }"
    first = compiled("one", text)
    assert first == compiled("two", f"// another comment\n{text.replace('table', 'numbers')}")
    assert first != compiled("constants", text.replace("3}", "4}"))
    assert first != compiled("code", text.replace("+ 5", "+ 6"))
    assert machine_code.digest(tmp_path / "nothing.o") is None


@pytest.mark.parametrize(("mean", "holds"), [(1.005e6, "yes"), (2e6, "no")])
def test_a_second_clock_that_disagrees_is_named(mean, holds):
    found = paired(SPEED)
    found.benchmark = {"reference.x86-64.gcc": MeanSd(mean_ns=mean, sd_ns=1.0)}
    (guard,) = (one for one in guards.guards(analysed(found)) if one.guard.startswith("rows where Google Benchmark"))
    assert guard.holds == holds
    assert ("xtea-00 at x86-64" in guard.sentence) == (holds == "no")


def two_levels():
    """The last stage of a level takes half of the time of the last one at the level below, an earlier stage."""
    found = paired({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 2, "xtea-02": 4})
    higher = [replace_of(one, id=one.id.replace("x86-64", "x86-64-v3"), level="x86-64-v3") for one in found.programs]
    last = found.programs[-2].id
    found.programs = [*found.programs[:-1], *higher]
    found.design.steps.append(
        Step(part="main", base=last, stage=higher[-1].id, workloads=["message"], together=1, rounds=20)
    )
    for number in range(20):
        times = {"base_ns": 2.0, "stage_ns": 1.0}
        found.pairs.append(Pair(part="main", round=number, base=last, stage=higher[-1].id, workload="message", **times))
    return analysed(found)


def test_a_level_is_compared_with_the_level_below():
    (one,) = queries.over_levels(two_levels())
    assert (one.level, one.below, one.comparison.ratio) == ("x86-64-v3", "x86-64", 2.0)
    assert (one.stage, one.stage_below) == ("xtea-02", "xtea-01")
    assert one.comparison.verdict == "undecided", "its ladder has no control"


@pytest.mark.parametrize("failed", [None, "x86-64", "x86-64-v3"])
def test_between_levels_nothing_is_decided_where_the_control_of_either_failed(monkeypatch, failed):
    analysis = two_levels()
    monkeypatch.setattr(analysis, "floor", lambda ladder, workload: None if ladder[0] == failed else 0.01)
    (one,) = queries.over_levels(analysis)
    assert one.comparison.verdict == ("undecided" if failed else "faster")


def test_a_control_closes_its_workload_in_its_ladder_and_no_other():
    found = paired({"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 2}, rounds=12)
    found.workloads.append(replace_of(found.workloads[0], name="short"))

    def higher(name):
        return name.replace(".x86-64.", ".x86-64-v3.")

    places = [(named, workload) for named in (str, higher) for workload in ("message", "short")]
    found.programs += [replace_of(one, id=higher(one.id), level="x86-64-v3") for one in found.programs]
    found.slices = [replace_of(o, program=named(o.program), workload=w) for o in found.slices for named, w in places]
    found.pairs = [
        replace_of(o, base=named(o.base), stage=named(o.stage), workload=w) for o in found.pairs for named, w in places
    ]
    for one in found.pairs:
        if (one.stage, one.workload) == ("reference-again.x86-64-v3.gcc", "short"):
            one.stage_ns /= 1.5
    analysis = analysed(found)
    undecided = [
        (row.level, row.workload)
        for row in analysis.rows
        if row.stage == "xtea-02" and row.vs_reference.verdict == "undecided"
    ]
    assert undecided == [("x86-64-v3", "short")]
    assert guards.failed_ladders(analysis) == {("x86-64-v3", "gcc")}


def test_without_a_control_its_guard_is_not_known():
    assert guards.control(analysed(paired({"xtea-00": 1, "xtea-04": 4}))).holds == "n/a"


# --- Both sides of a pair ---


@pytest.fixture
def asked(monkeypatch):
    """What live programs that are not there are asked for. A call of xtea-00 takes 2 us, one of another 1 us."""
    found = []

    class Fake:
        def __init__(self, runner, cpu, padding):
            self.program = runner.program
            self.note("start", runner.program.path.name, cpu)

        def note(self, *what):
            found.append((self.program.name, *what))
            return 2_000.0 if self.program.name == "xtea-00" else 1_000.0

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.note("end")

        def make(self, workload, pad): ...

        def warm(self, nanoseconds):
            return self.note("warm")

        def slice(self, calls):
            return self.note("slice", calls)

        def verify(self, where):
            self.note(where)

    monkeypatch.setattr(pairs, "Served", Fake)
    return found


@pytest.mark.parametrize("threads", [False, True])
def test_each_side_is_its_own_program_on_this_cpu_and_is_verified(asked, threads):
    names, links = ("xtea-00", "xtea-01"), tuple(Path(f"link-{number}") for number in range(4))
    one, two = runner_of(Path("one")), runner_of(Path("two"), names[1])
    one = replace(one, program=replace(one.program, threads=threads), links=links)
    orders, drawn = set(), set()
    each = ["slice"] * (1 if threads else 2) + ["samples"]
    process = ["start", "slice", "everywhere", *each * pairs.QUADS, "end"]
    for seed in range(40):
        asked.clear()
        (found,) = pairs.measured(one, two, ["message"], {}, 5, np.random.default_rng(seed))
        assert (found.base_ns, found.stage_ns) == ([2_000.0] * pairs.SLICES, [1_000.0] * pairs.SLICES)
        started = [what[2:] for what in asked if what[1] == "start"]
        assert {cpu for _, cpu in started} == {5}
        drawn |= {link for link, _ in started if link != "two"}
        for name in names:
            did = [what for who, what, *_ in asked if who == name and what != "warm"]
            assert did == process * (2 if threads else 1)
        timed = [(what[0], what[2]) for what in asked if what[1] == "slice" and what[2] > 1]
        sides = timed[:: pairs.QUADS] if threads else timed
        for n in range(0, len(sides), 4):
            orders.add(tuple(name for name, _ in sides[n : n + 4]))
            assert threads or len({calls for _, calls in sides[n : n + 4]}) == 1
    assert orders == {(*names, *names[::-1]), (*names[::-1], *names)}
    assert drawn == {link.name for link in links}
