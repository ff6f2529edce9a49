"""What a reader is warned of."""

from __future__ import annotations

import dataclasses

import pytest
from measurement_sample import analysed, made, paired, small

from perf_ladders.results import guards


def warned(measurement):
    return guards.warnings(analysed(measurement))


def test_a_quiet_measurement_gives_no_warning():
    assert warned(small()) == []


def test_a_control_that_differs_is_a_banner():
    found = analysed(made({"xtea-00": 1, "xtea-00-again": 1.05, "xtea-01": 1}))
    assert any(sentence.startswith("CONTROL FAILED") for sentence in guards.warnings(found))
    (failed,) = guards.control_failures(found)
    assert failed == "xtea-00-again at x86-64 (gcc), message came out faster than itself"
    assert guards.control(found).value == "1 of 2 fail, on `message`"
    assert guards.control_failures(analysed(small())) == []


def test_a_control_that_differs_on_another_workload_is_told_and_closes_that_workload_alone():
    analysis = analysed(made({"xtea-00": 1, "xtea-00-again": 1.05, "xtea-01": 1}))
    analysis.main_workloads = [one for one in analysis.workloads if one.name != "message"]
    (said,) = [one for one in guards.warnings(analysis) if one.startswith("CONTROL FAILED")]
    assert "message came out faster than itself" in said
    assert said.endswith("nothing is decided there.")
    assert guards.control_failures(analysis) == []


def test_faster_than_the_peak_is_an_error():
    said = warned(made({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 50}))
    broken = [sentence for sentence in said if sentence.startswith("BROKEN")]
    assert len(broken) == 1
    assert "xtea-04 at x86-64" in broken[0]
    assert 'beyond = "..."' in broken[0]


def test_too_few_blocks_are_named():
    said = warned(made({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 2}, blocks=5))
    assert any("had too few blocks for a verdict" in one and "5, of at least 6." in one for one in said)


def test_rounds_that_can_decide_no_step_are_named_with_the_rounds_of_their_ladder():
    found = paired({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 2, "xtea-02": 2}, rounds=12)
    assert not [one for one in warned(found) if "too few rounds" in one]
    for step in found.design.steps[1:]:
        step.together = 40  # so many steps ask for more rounds than the control does
    (said,) = [one for one in warned(found) if "too few rounds" in one]
    assert said == (
        "2 of 3 comparisons had too few rounds for a verdict, the first of them xtea-01 at x86-64 (gcc), message: 12, "
        "of at least 14."
    )


def test_other_guards():
    noisy = small()
    noisy.blocks[0].clock_ghz = [2.0, 3.0]
    noisy.blocks[0].stolen_ticks = 7
    for run in noisy.blocks[0].runs:
        run.switches = 10_000
    said = " ".join(warned(noisy))
    assert "between 2.00 and 3.00 GHz" in said
    assert "took 70 ms" in said
    assert "something else was running" in said


def test_threads_of_one_program_that_take_turns_are_no_disturbance():
    found = small()
    found.programs[2].threads = True
    for block in found.blocks:
        for run in block.runs:
            run.switches = 10_000 if run.program == found.programs[2].id else 0
    assert warned(found) == []


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("stolen_ticks", 1, "took 10 ms"), ("clock_ghz", [3.0, 3.09], "between 3.00 and 3.09 GHz")],
)
def test_a_little_is_enough_for_a_warning(field, value, said):
    found = small()
    setattr(found.blocks[0], field, value)
    assert [sentence for sentence in warned(found) if said in sentence]


def test_a_wide_spread_is_named():
    found = small()
    for block in found.blocks:
        for run in block.runs:
            if run.program == "interchange.x86-64.gcc":
                run.times_ns = {name: [one[0], *(1.5 * t for t in one[1:])] for name, one in run.times_ns.items()}
    said = [sentence for sentence in warned(found) if sentence.startswith("The standard deviation")]
    assert len(said) == 1
    assert "in 1 of 6 rows, most of all for xtea-04" in said[0]


def test_blocks_that_depend_on_each_other_are_named():
    found = small()
    for number, block in enumerate(found.blocks):
        for run in block.runs:
            drift = 1 + 0.002 * number if run.program.startswith(("for-loop", "interchange")) else 1
            run.times_ns = {name: [drift * time for time in times] for name, times in run.times_ns.items()}
    said = [sentence for sentence in warned(found) if sentence.startswith("Neighbouring rounds")]
    assert len(said) == 1
    assert "in 2 of 3 comparisons" in said[0], "the step from the reference to transform does not drift"


def test_where_no_operations_are_named_there_is_no_peak():
    found = analysed(small())
    found.case = dataclasses.replace(found.case, operations={})
    peak = next(guard for guard in guards.guards(found) if guard.guard == "share of the machine's peak")
    assert (peak.value, peak.holds) == ("n/a (case.toml names no operations)", "n/a")


def test_every_guard_is_shown_with_what_it_found():
    found = {guard.guard: guard for guard in guards.guards(analysed(small()))}
    assert len(found) == 10
    assert all(guard.ok and not guard.sentence for guard in found.values())
    assert not found["rows where Google Benchmark's mean and ours differ by more than both standard deviations"].known
    assert found["A/A control: the reference against itself"].value == "0 of 2 fail"
    assert found["core clock, before and after each round"].value == "3.00 to 3.00 GHz"
    assert guards.errors(analysed(small())) == []
