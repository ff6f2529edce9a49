"""Whether something else used the core, from probes before and after every run."""

from measurement_sample import analysed, small
from rich.console import Console

from perf_ladders.machine import alone, speed
from perf_ladders.machine.contention import probes_of
from perf_ladders.measure import session
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.runner import Plan, Runner
from perf_ladders.model.measurement import Block, Part, Run
from perf_ladders.results import guards
from perf_ladders.stats import Comparison
from perf_ladders.tree.build import Build, Program
from perf_ladders.workshop.gain import Gain
from perf_ladders.workshop.judge import Attempt

FREE, SHARED = 12.0, 8.0


def blocks_of(*probes, clock=3.0):
    known = {"part": "main", "started": "", "clock_ghz": [clock, clock], "stolen_ticks": 0, "runs": []}
    return [Block(number=number, operations_per_ns=list(found), **known) for number, found in enumerate(probes)]


def test_a_core_of_its_own():
    probes = probes_of(blocks_of([12.0, 11.9, 12.1], [11.8, 12.0, 12.0]))
    assert probes.ok
    assert probes.busy == 0


def test_a_core_that_is_shared_now_and_then():
    probes = probes_of(blocks_of([FREE] * 8, [SHARED] * 3 + [FREE] * 5))
    assert not probes.ok
    assert probes.sentence == (
        "Something else used this core: in 3 of 16 contention probes the core started less than 90% of the vector "
        "operations that it can, 67% at worst."
    )


def test_one_look_in_ten_may_be_disturbed():
    assert probes_of(blocks_of([SHARED] + [FREE] * 9)).ok
    assert not probes_of(blocks_of([SHARED] * 2 + [FREE] * 9)).ok


def test_a_slower_clock_is_no_neighbour():
    assert probes_of(blocks_of([FREE] * 4) + blocks_of([FREE / 2] * 4, clock=1.5)).busy == 0


def test_one_look_that_is_too_good_does_not_make_the_others_busy():
    assert probes_of(blocks_of([2 * FREE] + [FREE] * 99)).busy == 0


def test_a_measurement_without_probes_says_so():
    found = {guard.guard: guard for guard in guards.guards(analysed(small()))}
    guard = found["contention probe: vector operations that the core started, of its best"]
    assert probes_of(small().blocks) is None
    assert (guard.value, guard.holds, guard.sentence) == ("n/a (not probed)", "n/a", "")


def test_the_report_warns():
    shared = small()
    for block in shared.blocks:
        block.operations_per_ns = [FREE, SHARED, FREE, FREE]
    many = 4 * len(shared.blocks)
    said = guards.warnings(analysed(shared))
    assert any(f"used this core: in {many // 4} of {many} contention probes" in sentence for sentence in said)


def test_an_attempt_that_cannot_be_told_names_the_neighbour():
    differs = Comparison(1.4, 1.3, 1.5, "faster")
    untold = Comparison(1.0, 0.7, 1.4, "undecided")
    gains = {"message": Gain(untold, untold, untold, differs)}
    noisy = Attempt(gains=gains, rounds=blocks_of([FREE, SHARED, SHARED]))
    what, way_out = ("the reference came out 1.400 times as fast as itself", "close what else runs and try again")
    assert noisy.untold == f"{what}; something else used this core in 2 of 3 contention probes; {way_out}"
    alone = Attempt(gains=gains, rounds=blocks_of([FREE] * 3))
    assert alone.untold == f"{what}; {way_out}"


def test_every_block_keeps_a_probe_before_each_run_and_one_after_the_last(tmp_path, monkeypatch):
    path = tmp_path / "program"
    path.write_text("program")
    program = Program("xtea", "stage", "xtea-00", "x86-64", "gcc", False, path, path, [], path)
    runners = [Runner.named(program, name) for name in ("reference", "again", "mine")]
    probes = [FREE, SHARED] * 4
    left = iter(probes)
    monkeypatch.setattr(alone, "LOCKS", tmp_path)
    monkeypatch.setattr(
        session,
        "bench",
        lambda runner, padding, part, plan: Run(
            program=runner.id, padding=padding, switches=0, times_ns={"message": [1.0] * 5}
        ),
    )
    monkeypatch.setattr(speed, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(speed, "operations_per_ns", lambda build, cpu: next(left))
    part, plan = Part(name="main", workloads=["message"], blocks=2, min_ms=5.0), Plan(cpu=0, blocks=2)
    build = Build("gcc", {}, "Release", "1.7", {}, {}, None, [], [])
    kept = Journal(tmp_path / "x", plan, [part], runners)
    with session.session(kept, plan, build, Console(quiet=True), 6) as begun:
        blocks = begun.blocks(runners, part)
    assert [block.operations_per_ns for block in blocks] == [probes[:4], probes[4:]]
