"""Whether something else used the core, from looks before and after every run."""

import copy

import pytest
from rich.console import Console

from perf_ladders import guards, machine, measure
from perf_ladders.attempt import Attempt
from perf_ladders.catalogue import Build, Program
from perf_ladders.measure import Design, Journal, Part, Runner
from perf_ladders.neighbour import looks_of

FREE, SHARED = 12.0, 8.0


def blocks_of(*looks, clock=3.0):
    return [{"clock_ghz": [clock, clock], "operations_per_ns": list(found)} for found in looks]


def test_a_core_of_its_own():
    looks = looks_of(blocks_of([12.0, 11.9, 12.1], [11.8, 12.0, 12.0]))
    assert looks.ok
    assert looks.busy == 0


def test_a_core_that_is_shared_now_and_then():
    looks = looks_of(blocks_of([FREE] * 8, [SHARED] * 3 + [FREE] * 5))
    assert not looks.ok
    assert looks.sentence == (
        "Something else used this core: in 3 of 16 looks it started less than 90% of the vector operations that it "
        "can, 67% at worst."
    )


def test_one_look_in_ten_may_be_disturbed():
    assert looks_of(blocks_of([SHARED] + [FREE] * 9)).ok
    assert not looks_of(blocks_of([SHARED] * 2 + [FREE] * 9)).ok


def test_a_slower_clock_is_no_neighbour():
    assert looks_of(blocks_of([FREE] * 4) + blocks_of([FREE / 2] * 4, clock=1.5)).busy == 0


def test_one_look_that_is_too_good_does_not_make_the_others_busy():
    assert looks_of(blocks_of([2 * FREE] + [FREE] * 99)).busy == 0


def test_results_from_before_say_that_nobody_looked(small_result):
    found = {guard.guard: guard for guard in guards.guards(small_result)}
    guard = found["vector operations that the core started, of its best"]
    assert looks_of(small_result["blocks"]) is None
    assert (guard.value, guard.holds, guard.sentence) == ("n/a (nobody looked)", "n/a", "")


def test_the_report_warns(small_result):
    shared = copy.deepcopy(small_result)
    for block in shared["blocks"]:
        block["operations_per_ns"] = [FREE, SHARED, FREE, FREE]
    many = 4 * len(shared["blocks"])
    assert any(f"used this core: in {many // 4} of {many} looks" in said for said in guards.warnings(shared))


def test_an_attempt_that_cannot_be_told_names_the_neighbour():
    noisy = Attempt(floor=0.4, blocks=blocks_of([FREE, SHARED, SHARED]))
    what, way_out = (
        "the reference differs from itself by 40%",
        "close what else runs, or take more: make watch BLOCKS=2",
    )
    assert noisy.untold == f"{what}; something else used this core in 2 of 3 looks; {way_out}"
    alone = Attempt(floor=0.4, blocks=blocks_of([FREE] * 3))
    assert alone.untold == f"{what}; {way_out}"


@pytest.mark.parametrize("looks", [[FREE] * 8, [FREE, SHARED] * 4])
def test_after_the_first_block_the_screen_says_so(tmp_path, monkeypatch, looks):
    """And every block keeps a look before each run and one after the last."""
    path = tmp_path / "program"
    path.write_text("program")
    program = Program("xtea", "stage", "xtea-00", "x86-64", "gcc", False, path, path, [], path)
    runners = [Runner(program, name) for name in ("xtea-00", "xtea-01", "xtea-02")]
    left = iter(looks)
    bench = {"involuntary_switches": 0, "times_ns": {"message": [1.0] * 5}}
    monkeypatch.setattr(measure.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(measure, "_bench", lambda *arguments: bench)
    monkeypatch.setattr(machine, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(machine, "operations_per_ns", lambda build, cpu: next(left))
    part, design = Part("main", ["message"], 2), Design(2, 0, 0, 0)
    console = Console(record=True, width=200, quiet=False, file=(tmp_path / "screen").open("w"))
    with measure.session(Journal(tmp_path / "x", design, [part], runners), console, 6) as begun:
        blocks = begun.blocks(runners, part, design, Build("gcc", {}, "Release", "1.7", {}, {}, None, [], []))
    assert [block["operations_per_ns"] for block in blocks] == [looks[:4], looks[4:]]
    said = (tmp_path / "screen").read_text().count("Something else used this core")
    assert said == (1 if SHARED in looks else 0)
