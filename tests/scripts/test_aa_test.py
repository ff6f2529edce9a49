"""The A/A test: one program against itself, in a row and in pairs."""

from __future__ import annotations

import pytest
from rich.console import Console

from perf_ladders.machine import alone, speed
from perf_ladders.measure import aa_test, assemble, pairs
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.measure.runner import Plan, Runner
from perf_ladders.measure.sources import Sources
from perf_ladders.model.measurement import MeanSd, Run, Step, Workload
from perf_ladders.tree import catalogue, paths
from perf_ladders.tree.build import Build, Compiler, Program

QUIET = Console(quiet=True)
BUILD = Build("gcc", Compiler("gcc"), "Release", "1.7", {}, {}, None, [], [])


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """Two programs that are never started: calls and pairs are counted instead."""
    path = tmp_path / "program"
    path.write_text("program")
    json = catalogue.read_case("json")
    lesson = json.lesson
    if lesson is None:
        pytest.skip("this tree has not all of its stages")
    source = paths.STAGES / "json" / "05-made" / "stage.cpp"
    levels = ("x86-64", "x86-64-v3")
    programs = [
        Program("json", "stage", lesson.identical, level, "gcc", False, path, path, [], source) for level in levels
    ]
    runners = [Runner.of(program) for program in programs]
    started, paired = [], []

    def single_calls(runner, plan):
        started.append((runner.id, runner.about.level, plan.calls))
        times = [100.0 + number % 2 for number in range(lesson.rounds)]
        return [1e9] * lesson.warm_up + times + [1e9] * (plan.calls - lesson.warm_up - lesson.rounds)

    def pair(base, stage, workloads, slice_ms, cpu, generator):
        paired.append((base.id, stage.id))
        return [PairTimes(name, [1.0] * pairs.SLICES, [1.0] * pairs.SLICES) for name in workloads]

    def once(one, padding, part, plan):
        return Run(program=one.id, padding=padding, switches=0, times_ns={key: [1.0] for key in part.workloads})

    monkeypatch.setattr(alone, "LOCKS", tmp_path)
    for module in (aa_test, assemble):
        monkeypatch.setattr(module, "single_calls", single_calls)
    monkeypatch.setattr(pairs, "measured", pair)
    monkeypatch.setattr(assemble, "bench", once)
    monkeypatch.setattr(pairs, "slices_for", lambda runner, names, cpu, generator: {})
    monkeypatch.setattr(speed, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(speed, "operations_per_ns", lambda build, cpu: 12.0)
    monkeypatch.setattr(speed, "rates", lambda build, cpu: {"x86-64": {"vector_bytes": 16, "all": 11.0}})
    objects = Workload(name="objects", role="main", bytes=1)
    first, second = (runner.id for runner in runners)
    steps = [Step(part="main", base=first, stage=second, workloads=["objects"], together=1, rounds=1)]

    def measured(experiments):
        plan = Plan(cpu=0, rounds=1, calls=2_500, aa_experiments=experiments)
        kept = Journal(tmp_path / "json", plan, steps, runners)
        sources = Sources(sources={}, files={})
        return assemble.measure(json, [BUILD], runners, [objects], steps, plan, [], sources, kept, QUIET).aa_test

    return measured, lesson, started, paired


def test_the_program_is_run_against_itself_at_the_highest_level(counted):
    measured, lesson, started, paired = counted
    found = measured(2)
    of_programs, in_a_row = started[:2], started[2:]
    assert [calls for _, _, calls in of_programs] == [2_500, 2_500]
    many = lesson.warm_up + lesson.rounds
    assert in_a_row == [("made.x86-64-v3.gcc", "x86-64-v3", many)] * 2 * aa_test.IN_A_ROW
    assert (found.program, found.workload) == ("made.x86-64-v3.gcc", "objects")
    assert (found.skip, found.count) == (lesson.warm_up, lesson.rounds)
    assert len(found.in_a_row) == aa_test.IN_A_ROW
    assert {one.mean_ns for pair in found.in_a_row for one in pair} == {100.5}
    assert found.rounds == [[0.0] * 20] * 2
    assert paired[1:] == [("made.x86-64-v3.gcc", "made.x86-64-v3.gcc")] * 2 * 20
    assert measured(2) == found
    assert len(started) == 2 + 2 * aa_test.IN_A_ROW, "what is in the journal is not measured again"
    assert len(paired) == 1 + 2 * 20


def test_of_every_program_the_calls_that_count_are_kept_and_no_others(counted):
    measured, _, _, _ = counted
    counts = MeanSd(mean_ns=100.5, sd_ns=0.5)
    assert measured(1).calls == {"made.x86-64.gcc": counts, "made.x86-64-v3.gcc": counts}


def test_a_single_stage_has_no_such_test(counted):
    measured, _, started, paired = counted
    assert measured(0) is None
    assert (len(started), len(paired)) == (2, 1)
