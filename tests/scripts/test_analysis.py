"""From raw times to rows, comparisons and verdicts."""

from __future__ import annotations

import copy
import dataclasses

import pytest
from measurement_sample import SMALL, analysed, made, small

from perf_ladders.model.evidence import Estimate, Evidence, Instructions, Loop
from perf_ladders.model.measurement import WholePrograms, WholeRun
from perf_ladders.model.record import LeftOut
from perf_ladders.results import multibuffer, peak, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.instructions import disagreement
from perf_ladders.stats import Comparison
from perf_ladders.tree import source
from perf_ladders.tree.catalogue import read_case

AT = ("x86-64", "gcc")


def row(found, stage, workload="message"):
    return next(r for r in found.rows if (r.stage, r.workload) == (stage, workload))


def test_rows():
    found = analysed(small())
    four = row(found, "xtea-04")
    assert four.n == 20
    assert four.median_ns == pytest.approx(250_000 * 1.005, rel=0.005)
    assert four.ns_byte == pytest.approx(four.median_ns / 25_600)
    assert four.cycles_byte == pytest.approx(3 * four.ns_byte)
    assert four.mib_s == pytest.approx(25_600 / 2**20 / (four.median_ns * 1e-9))
    assert four.min_ns <= four.median_low_ns <= four.median_ns <= four.median_high_ns <= four.max_ns
    assert four.base == "xtea-02"
    assert four.vs_base.ratio == pytest.approx(4, rel=0.01)
    assert four.vs_base.verdict == four.vs_reference.verdict == "faster"
    assert four.prediction.outcome == "held"
    assert four.calls.max_ns == 5_000
    assert row(found, "xtea-01").vs_reference.verdict == "same"
    assert row(found, "xtea-00-again").vs_reference.verdict == "same"
    assert row(found, "xtea-00").vs_reference is None
    assert row(found, "xtea-botan").vs_base is None
    assert not any(one.stale for one in found.rows)


def test_the_floor_of_the_control_is_that_of_its_ladder_but_it_is_judged_by_the_least():
    noisy = analysed(made({"xtea-00": 1, "xtea-00-again": 1.05, "xtea-01": 1.04}))
    assert row(noisy, "xtea-00-again").floor == row(noisy, "xtea-01").floor > 0.045
    assert row(noisy, "xtea-00-again").vs_reference.verdict == "faster"
    assert row(noisy, "xtea-01").vs_reference.verdict != "faster"


def test_without_a_control_there_is_no_floor_and_no_verdict():
    found = analysed(made({"xtea-00": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4}))
    four = row(found, "xtea-04")
    assert four.floor is None
    assert four.vs_base.ratio == pytest.approx(4, rel=0.01)
    assert four.vs_base.low > 3
    assert {one.vs_reference.verdict for one in found.rows if one.vs_reference} == {"undecided"}
    assert {one.verdict for one in found.pairwise(AT).values()} == {"undecided"}


def test_a_variant_builds_on_its_own_stage_and_predicts_nothing():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-00-O2": 0.9, "xtea-04": 4, "xtea-04-no-rounds": 8}
    found = analysed(made(speed))
    assert queries.titles(found)["xtea-00-O2"] == "00 -O2"
    assert queries.titles(found)["xtea-04-no-rounds"] == "04 no-rounds"
    four = row(found, "xtea-04-no-rounds")
    assert (four.base, four.prediction) == ("xtea-04", None)
    assert four.vs_base.ratio == pytest.approx(2, rel=0.01)
    assert four.vs_reference.ratio == pytest.approx(8, rel=0.01)
    assert row(found, "xtea-00-O2").vs_base.verdict == "slower"


def test_a_variant_of_a_library_is_compared_with_it_and_is_no_library():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4, "xtea-botan": 2, "xtea-botan-no-cipher": 50}
    found = analysed(made(speed))
    alone = row(found, "xtea-botan-no-cipher")
    assert (alone.base, alone.prediction, alone.peak_share, alone.stale) == ("xtea-botan", None, None, False)
    assert alone.vs_base.ratio == pytest.approx(25, rel=0.01)
    assert [one.peer for one in found.against_peers(found.main_workloads)] == ["xtea-botan"]
    assert queries.peers(found) == {"xtea-botan": "botan"}
    assert queries.titles(found)["xtea-botan-no-cipher"] == "library: botan no-cipher"
    assert multibuffer.emptied(found) == {"xtea-botan-no-cipher"}


def test_the_source_of_a_library_and_that_of_a_variant_make_its_row_stale():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4, "xtea-botan": 2, "xtea-botan-no-cipher": 50}
    for unit in ("peer/botan", "variant/no-cipher"):
        changed = made(speed)
        changed.sources[unit] = "0" * 64
        assert row(analysed(changed), "xtea-botan-no-cipher").stale, unit


def test_a_variant_without_its_library_is_left_out():
    found = analysed(made({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4, "xtea-botan-no-cipher": 50}))
    assert "xtea-botan-no-cipher" not in found.name.values()


def test_a_library_has_no_peak_for_it_picks_its_instructions_itself():
    assert row(analysed(small()), "xtea-botan").peak_share is None


def test_one_block_shows_no_spread_between_processes():
    alone = row(analysed(made({"xtea-00": 1, "xtea-00-again": 1}, blocks=1)), "xtea-00")
    assert alone.sd_between_ns is None
    assert alone.sd_within_ns > 0


def test_two_blocks_of_a_sweep_give_a_ratio_but_no_verdict():
    found = row(analysed(small()), "xtea-04", "sweep/8").vs_reference
    assert found.ratio == pytest.approx(4, rel=0.01)
    assert (found.low, found.high, found.verdict) == (None, None, "undecided")


def test_the_peak_by_hand():
    # A byte costs 16 of each kind on 32-bit lanes, four lanes a vector: shifts alone 16 / 6 / 4 ns, all 48 / 12 / 4 ns.
    found = analysed(small())
    operations, rates = found.case.operations, found.measurement.rates
    assert peak.peak_ns_byte(operations, rates, "x86-64") == pytest.approx(48 / 12 / 4)
    assert peak.peak_ns_byte(operations, rates, "x86-64-v4") is None
    assert row(found, "xtea-04").peak_share == pytest.approx(1 / row(found, "xtea-04").ns_byte)
    fewer = {**operations, "x86-64": {"shift": 4, "xor": 4}}
    assert peak.peak_ns_byte(fewer, rates, "x86-64") == pytest.approx((4 + 4 + 16) / 12 / 4)
    assert peak.peak_ns_byte({}, rates, "x86-64") is None


def test_a_stage_that_uses_other_units_too_has_no_peak():
    found = analysed(small())
    four = next(stage for stage in found.case.stages if stage.name == "xtea-04")
    vars(four)["notes"] = dataclasses.replace(four.notes, beyond="scalar units")
    assert row(found, "xtea-04").peak_share is None
    assert row(found, "xtea-02").peak_share is not None


def test_the_closing_stage_is_compared_with_the_libraries():
    analysis = analysed(small())
    (found,) = analysis.against_peers(analysis.main_workloads)
    assert (found.stage, found.peer, found.comparison.verdict) == ("xtea-04", "xtea-botan", "faster")
    assert found.comparison.ratio == pytest.approx(2, rel=0.01)


def test_intervals_of_a_ladder_are_made_to_hold_together():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4}
    few, enough = (analysed(made(speed, blocks=blocks)) for blocks in (6, 7))
    assert row(few, "xtea-00-again").vs_reference.low is not None  # one comparison needs 6 blocks
    assert row(few, "xtea-04").vs_reference.low is None  # three of them need 7
    assert row(enough, "xtea-04").vs_reference.low is not None


def test_intervals_over_libraries_are_made_to_hold_together():
    ladder = {"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4, "xtea-botan": 2}
    one = analysed(made(ladder, blocks=6))
    (alone,) = one.against_peers(one.main_workloads)
    assert alone.comparison.low is not None
    two = analysed(made({**ladder, "xtea-cryptopp": 3}, blocks=6))
    both = two.against_peers(two.main_workloads)
    assert [(one.peer, one.comparison.low) for one in both] == [("xtea-botan", None), ("xtea-cryptopp", None)]


@pytest.mark.parametrize(
    ("verdict", "ratio", "fewer", "said"),
    [
        ("faster", 2.0, 2.0, None),
        ("faster", 2.0, 5.0, "5.00 times fewer instructions, but 2.00 times as fast"),
        ("faster", 2.0, 1.0, "as many instructions, and faster"),
        ("faster", 1.2, 0.8, "1.25 times as many instructions, and faster"),
        ("slower", 0.9, 1.3, "1.30 times fewer instructions, and slower"),
        ("slower", 0.8, 0.8, None),
        ("same", 1.0, 1.15, "1.15 times fewer instructions, and the same time"),
        ("same", 1.0, 1.0, None),
        ("undecided", 1.5, 0.5, None),
    ],
)
def test_where_time_and_instructions_disagree(verdict, ratio, fewer, said):
    assert disagreement(Comparison(ratio, None, None, verdict), fewer) == said


def counted(workload, per_byte, cycles_byte, share=0.95):
    size = {"message": 25_600, "sweep/8": 8}[workload]
    about = {"how": "callgrind", "calls": 1, "c_library": 0.0, "functions": [], "lines": []}
    return Evidence(
        instructions=Instructions(workload=workload, bytes=size, per_call=per_byte * size, **about),
        loop=Loop(symbol="f", share=share, found_by="executions", length=0, instructions=[]),
        estimate=Estimate(
            tool="llvm-mca", cpu="znver4", instructions=1, uops=1, cycles=1, resource_cycles=1, cycles_byte=cycles_byte
        ),
    )


def test_rows_hold_instructions_and_the_estimate_of_llvm_mca():
    explained = small()
    explained.evidence = {
        "transform.x86-64.gcc": counted("message", 100, 100),
        "interchange.x86-64.gcc": counted("message", 20, 7.4),
        "for-loop.x86-64.gcc": counted("sweep/8", 50, 100),
        "reference.x86-64.gcc": counted("message", 110, 50, share=0.6),
    }
    found = analysed(explained)
    four = row(found, "xtea-04")
    assert four.instructions_byte == 20
    assert four.instructions_vs_base == 5
    assert four.estimate_share == pytest.approx(7.4 / four.cycles_byte)
    assert four.disagreement is None
    assert row(found, "xtea-01").instructions_byte is None  # counted on another workload
    assert row(found, "xtea-01").instructions_vs_base is None
    assert row(found, "xtea-02").instructions_vs_base == pytest.approx(1.1)
    assert row(found, "xtea-00").instructions_byte == 110
    assert row(found, "xtea-00").estimate_share is None  # the loop is only a part of the work
    assert row(found, "xtea-04", "sweep/8").instructions_byte is None


def test_a_stage_on_all_threads_is_not_said_to_disagree():
    explained = small()
    explained.evidence = {
        "transform.x86-64.gcc": counted("message", 100, 100),
        "interchange.x86-64.gcc": counted("message", 100, 7.4),
    }
    assert row(analysed(explained), "xtea-04").disagreement == "as many instructions, and faster"
    next(one for one in explained.programs if one.stage == "interchange").threads = True
    assert row(analysed(explained), "xtea-04").disagreement is None


def test_more_instructions_than_any_core_could_start_are_not_believed():
    cycles_byte = row(analysed(small()), "xtea-botan").cycles_byte
    for a_cycle, believed in ((6, True), (50, False)):
        explained = small()
        explained.evidence = {"botan.x86-64.gcc": counted("message", a_cycle * cycles_byte, 1)}
        assert (row(analysed(explained), "xtea-botan").instructions_byte is not None) == believed


def whole(seconds, rounds=12, drift=0.01):
    ids = {"xtea-00": "reference", "xtea-00-again": "reference-again", "xtea-02": "transform", "xtea-04": "interchange"}
    return WholePrograms(
        tool="hyperfine",
        calls=1,
        rounds=rounds,
        workload="message",
        runs=[
            WholeRun(
                program=f"{ids[name]}.x86-64.gcc",
                round=number,
                seconds=mean * (1 + drift * number),
                user=0,
                system=0,
            )
            for number in range(rounds)
            for name, mean in seconds.items()
        ],
    )


def test_whole_programs_are_compared_round_by_round():
    timed = small()
    timed.whole_programs = whole({"xtea-00": 0.1, "xtea-00-again": 0.1, "xtea-02": 0.1, "xtea-04": 0.05})
    found = analysed(timed)
    four = row(found, "xtea-04").whole_program
    assert four.vs_base.ratio == four.vs_reference.ratio == pytest.approx(2)
    assert four.vs_base.verdict == "faster"
    assert row(found, "xtea-00-again").whole_program.vs_reference.verdict == "same"
    assert row(found, "xtea-botan").whole_program is None
    mixed = copy.deepcopy(timed)
    mixed.whole_programs.runs = timed.whole_programs.runs[42:] + timed.whole_programs.runs[:42]
    assert analysed(mixed).rows == found.rows
    timed.whole_programs.runs = [run for run in timed.whole_programs.runs if "again" not in run.program]
    assert row(analysed(timed), "xtea-04").whole_program.vs_base.verdict == "undecided"  # without a control


def test_the_control_makes_the_floor_of_whole_programs():
    timed = small()
    seconds = {"xtea-00": 0.1, "xtea-00-again": 0.105, "xtea-02": 0.1 / 1.04, "xtea-04": 0.1 / 1.07}
    timed.whole_programs = whole(seconds, drift=0)
    found = analysed(timed)
    assert row(found, "xtea-02").whole_program.vs_reference.verdict != "faster"  # by less than the control shows
    assert row(found, "xtea-04").whole_program.vs_reference.verdict == "faster"


def test_rows_of_another_source_are_stale():
    old = small()
    old.sources = old.sources | {"stage/interchange": "0" * 64}
    found = analysed(old)
    assert {one.stage for one in found.rows if one.stale} == {"xtea-04"}


def test_a_stage_that_went_away_has_no_row():
    old = small()
    gone = next(one for one in old.programs if one.stage == "for-loop")
    gone.stage = "no-such-stage"
    assert {one.stage for one in analysed(old).rows} == {*SMALL} - {"xtea-01"}


def test_a_stage_that_was_renamed_keeps_its_rows(monkeypatch):
    measured, before = small(), row(analysed(small()), "xtea-04")
    monkeypatch.setattr(source, "units", lambda case: {})  # the folder of that name is made up
    case = read_case("xtea")
    old = case.stage("04")
    renamed = dataclasses.replace(old, directory=old.directory.with_name("04-swapped"))
    renamed.__dict__["notes"] = dataclasses.replace(old.notes, formerly=(old.slug,))
    now = dataclasses.replace(case)
    now.__dict__["stages"] = [renamed if stage == old else stage for stage in case.stages]
    measured.left_out.append(LeftOut(name=f"{case.stage('04').slug}.novec.gcc", reason="not built"))
    found = Analysis(now, measured)
    assert row(found, "xtea-04").median_ns == before.median_ns
    assert found.program["swapped.x86-64.gcc"].stage == "swapped"
    assert "stage/swapped" in found.measurement.sources
    assert found.measurement.left_out[-1].name == "swapped.novec.gcc"
