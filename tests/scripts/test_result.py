"""From raw times to rows, and to the terminal."""

from __future__ import annotations

import copy
import json
import re

import pytest
from conftest import made_result
from evidence_sample import evidence

from perf_ladders import freshness, guards, result, rows, tags, terminal
from perf_ladders.catalogue import REFERENCE_REPORTS, ROOT, SELF_CHECK
from perf_ladders.complaint import Complaint


def row(found, stage, workload="message"):
    return next(r for r in found["rows"] if (r["stage"], r["workload"]) == (stage, workload))


def test_rows(small_result):
    four = row(small_result, "xtea-04")
    assert four["n"] == 20
    assert four["median_ns"] == pytest.approx(250_000 * 1.005, rel=0.005)
    assert four["ns_byte"] == pytest.approx(four["median_ns"] / 25_600)
    assert four["cycles_byte"] == pytest.approx(3 * four["ns_byte"])
    assert four["mib_s"] == pytest.approx(25_600 / 2**20 / (four["median_ns"] * 1e-9))
    assert four["min_ns"] <= four["median_low_ns"] <= four["median_ns"] <= four["median_high_ns"] <= four["max_ns"]
    assert four["base"] == "xtea-02"
    assert four["vs_base"]["ratio"] == pytest.approx(4, rel=0.01)
    assert four["vs_base"]["verdict"] == four["vs_reference"]["verdict"] == "faster"
    assert four["prediction"]["outcome"] == "held"
    assert four["latency"]["worst_ns"] == 5_000
    assert row(small_result, "xtea-01")["vs_reference"]["verdict"] == "same"
    assert row(small_result, "xtea-00-again")["vs_reference"]["verdict"] == "same"
    assert row(small_result, "xtea-00")["vs_reference"] is None
    assert row(small_result, "xtea-botan")["vs_base"] is None


def test_the_floor_of_the_control_is_that_of_its_ladder_but_it_is_judged_by_the_least():
    noisy = made_result({"xtea-00": 1, "xtea-00-again": 1.05, "xtea-01": 1.04})
    assert row(noisy, "xtea-00-again")["floor"] == row(noisy, "xtea-01")["floor"] > 0.045
    assert row(noisy, "xtea-00-again")["vs_reference"]["verdict"] == "faster"
    assert row(noisy, "xtea-01")["vs_reference"]["verdict"] != "faster"


def test_without_a_control_there_is_no_floor_and_no_verdict():
    found = made_result({"xtea-00": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4})
    four = row(found, "xtea-04")
    assert four["floor"] is None
    assert four["vs_base"]["ratio"] == pytest.approx(4, rel=0.01)
    assert four["vs_base"]["low"] > 3
    assert {one["vs_reference"]["verdict"] for one in found["rows"] if one["vs_reference"]} == {"unresolved"}
    assert {one.verdict for one in rows.pairwise(found, "x86-64", "gcc").values()} == {"unresolved"}


def test_a_variant_builds_on_its_own_stage_and_predicts_nothing():
    found = made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-00-O2": 0.9, "xtea-04": 4, "xtea-04-no-rounds": 8})
    names = {one["stage"]: (one["kind"], one["base"], one["title"]) for one in found["runners"]}
    assert names["xtea-00-O2"] == ("variant", "xtea-00", "-O2")
    assert names["xtea-04-no-rounds"] == ("variant", "xtea-04", "no-rounds")
    four = row(found, "xtea-04-no-rounds")
    assert (four["base"], four["prediction"]) == ("xtea-04", None)
    assert four["vs_base"]["ratio"] == pytest.approx(2, rel=0.01)
    assert four["vs_reference"]["ratio"] == pytest.approx(8, rel=0.01)
    assert row(found, "xtea-00-O2")["vs_base"]["verdict"] == "slower"


def test_a_result_without_these_fields_is_read_as_before(small_result, tmp_path):
    old = copy.deepcopy(small_result)
    del old["standards"], old["lacks"]
    for one in old["runners"]:
        del one["base"], one["standard"], one["lacks"]
    result.save(old, tmp_path / "xtea.json")
    assert rows.rows(result.load(tmp_path / "xtea.json")) == old["rows"]


def test_a_library_has_no_limit_for_it_picks_its_instructions_itself(small_result):
    assert row(small_result, "xtea-botan")["limit_share"] is None


def test_one_block_shows_no_spread_between_processes():
    alone = made_result({"xtea-00": 1, "xtea-00-again": 1}, blocks=1)
    assert row(alone, "xtea-00")["sd_between_ns"] is None
    assert row(alone, "xtea-00")["sd_within_ns"] > 0


def test_two_blocks_of_a_sweep_give_a_ratio_but_no_verdict(small_result):
    found = row(small_result, "xtea-04", "sweep/8")["vs_reference"]
    assert found["ratio"] == pytest.approx(4, rel=0.01)
    assert (found["low"], found["high"], found["verdict"]) == (None, None, "unresolved")


def test_the_limit_by_hand(small_result):
    # A byte costs 16 of each kind on 32-bit lanes, four lanes a vector: shifts alone 16 / 6 / 4 ns, all 48 / 12 / 4 ns.
    assert rows.limit(small_result, "x86-64") == pytest.approx(48 / 12 / 4)
    assert rows.limit(small_result, "x86-64-v4") is None
    assert row(small_result, "xtea-04")["limit_share"] == pytest.approx(1 / row(small_result, "xtea-04")["ns_byte"])


def test_against_the_libraries_stands_the_last_stage(small_result):
    found = rows.against_peers(small_result)
    assert [(f["stage"], f["peer"], f["verdict"]) for f in found] == [("xtea-04", "xtea-botan", "faster")]
    assert found[0]["ratio"] == pytest.approx(2, rel=0.01)


def test_intervals_of_a_ladder_are_made_to_hold_together():
    few = made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4}, blocks=6)
    assert row(few, "xtea-00-again")["vs_reference"]["low"] is not None  # one comparison needs 6 blocks
    assert row(few, "xtea-04")["vs_reference"]["low"] is None  # three of them need 7
    enough = made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4}, blocks=7)
    assert row(enough, "xtea-04")["vs_reference"]["low"] is not None


def test_intervals_over_libraries_are_made_to_hold_together():
    ladder = {"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4, "xtea-botan": 2}
    (alone,) = rows.against_peers(made_result(ladder, blocks=6))
    assert alone["low"] is not None
    both = rows.against_peers(made_result({**ladder, "xtea-cryptopp": 3}, blocks=6))
    assert [(one["peer"], one["low"]) for one in both] == [("xtea-botan", None), ("xtea-cryptopp", None)]


def test_a_quiet_measurement_gives_no_warning(small_result):
    assert guards.warnings(small_result) == []


def test_a_control_that_differs_is_a_banner():
    said = guards.warnings(made_result({"xtea-00": 1, "xtea-00-again": 1.05, "xtea-01": 1}))
    assert any(sentence.startswith("CONTROL FAILED") for sentence in said)


def test_faster_than_the_limit_is_an_error():
    said = guards.warnings(made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 50}))
    broken = [sentence for sentence in said if sentence.startswith("BROKEN")]
    assert len(broken) == 1
    assert "xtea-04 at x86-64" in broken[0]
    assert 'beyond = "..."' in broken[0]


def test_too_few_blocks_are_named():
    said = guards.warnings(made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 2}, blocks=5))
    assert "Blocks of message: 5; verdicts need at least 6." in said


def test_other_guards(small_result):
    noisy = copy.deepcopy(small_result)
    noisy["blocks"][0]["clock_ghz"] = [2.0, 3.0]
    noisy["blocks"][0]["stolen_ticks"] = 7
    for run in noisy["blocks"][0]["runs"]:
        run["involuntary_switches"] = 10_000
    said = " ".join(guards.warnings(noisy))
    assert "between 2.00 and 3.00 GHz" in said
    assert "took 70 ms" in said
    assert "something else was running" in said


def test_threads_of_one_program_that_take_turns_are_no_disturbance(small_result):
    found = copy.deepcopy(small_result)
    found["runners"][2]["threads"] = True
    for block in found["blocks"]:
        for run in block["runs"]:
            run["involuntary_switches"] = 10_000 if run["runner"] == found["runners"][2]["id"] else 0
    assert guards.warnings(found) == []


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [("stolen_ticks", 1, "took 10 ms"), ("clock_ghz", [3.0, 3.09], "between 3.00 and 3.09 GHz")],
)
def test_a_little_is_enough_for_a_warning(small_result, key, value, said):
    found = copy.deepcopy(small_result)
    found["blocks"][0][key] = value
    assert [sentence for sentence in guards.warnings(found) if said in sentence]


def test_a_wide_spread_is_named(small_result):
    found = copy.deepcopy(small_result)
    for block in found["blocks"]:
        for run in block["runs"]:
            if run["runner"] == "xtea-04.x86-64.gcc":
                run["times_ns"] = {
                    name: [times[0], *(1.5 * t for t in times[1:])] for name, times in run["times_ns"].items()
                }
    found["rows"] = rows.rows(found)
    said = [sentence for sentence in guards.warnings(found) if sentence.startswith("The standard deviation")]
    assert len(said) == 1
    assert "in 1 of 6 rows, most of all for xtea-04" in said[0]


def test_blocks_that_depend_on_each_other_are_named(small_result):
    found = copy.deepcopy(small_result)
    for number, block in enumerate(found["blocks"]):
        for run in block["runs"]:
            drift = 1 + 0.002 * number if run["runner"].startswith(("xtea-01", "xtea-04")) else 1
            run["times_ns"] = {name: [drift * time for time in times] for name, times in run["times_ns"].items()}
    found["rows"] = rows.rows(found)
    said = [sentence for sentence in guards.warnings(found) if sentence.startswith("Neighbouring blocks")]
    assert len(said) == 1
    assert "in 3 of 3 steps" in said[0]


def test_where_no_operations_are_named_there_is_no_limit(small_result):
    found = copy.deepcopy(small_result)
    found["operations"] = {}
    found["rows"] = rows.rows(found)
    limit = next(guard for guard in guards.guards(found) if guard.guard == "share of the machine's limit")
    assert (limit.value, limit.holds) == ("n/a (case.toml names no operations)", "n/a")


def test_every_guard_is_shown_with_what_it_found(small_result):
    found = {guard.guard: guard for guard in guards.guards(small_result)}
    assert len(found) == 9
    assert all(guard.ok and not guard.sentence for guard in found.values())
    assert found["the reference against itself"].value == "0 of 1 differ"
    assert found["core clock, before and after each block"].value == "3.00 to 3.00 GHz"
    assert guards.errors(small_result) == []


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
        ("unresolved", 1.5, 0.5, None),
    ],
)
def test_where_time_and_instructions_disagree(verdict, ratio, fewer, said):
    assert rows.disagreement(verdict, ratio, fewer) == said


def counted(workload, per_byte, cycles_byte, share=0.95):
    return {
        "instructions": {"workload": workload, "per_byte": per_byte},
        "loop": {"share": share},
        "bound": {"cycles_byte": cycles_byte},
    }


def test_rows_hold_instructions_and_the_estimate_of_llvm_mca(small_result):
    explained = copy.deepcopy(small_result)
    explained["evidence"] = {
        "xtea-02.x86-64.gcc": counted("message", 100, 100),
        "xtea-04.x86-64.gcc": counted("message", 20, 7.4),
        "xtea-01.x86-64.gcc": counted("sweep/8", 50, 100),
        "xtea-00.x86-64.gcc": counted("message", 110, 50, share=0.6),
    }
    explained["rows"] = rows.rows(explained)
    four = row(explained, "xtea-04")
    assert four["instructions_byte"] == 20
    assert four["instructions_vs_base"] == 5
    assert four["bound_share"] == pytest.approx(7.4 / four["cycles_byte"])
    assert four["disagreement"] is None
    assert row(explained, "xtea-01")["instructions_byte"] is None  # counted on another workload
    assert row(explained, "xtea-02")["instructions_vs_base"] is None  # its base was
    assert row(explained, "xtea-00")["instructions_byte"] == 110
    assert row(explained, "xtea-00")["bound_share"] is None  # the loop is only a part of the work
    assert row(explained, "xtea-04", "sweep/8")["instructions_byte"] is None


def test_more_instructions_than_any_core_could_start_are_not_believed(small_result):
    explained = copy.deepcopy(small_result)
    cycles_byte = row(explained, "xtea-botan")["cycles_byte"]
    for a_cycle, believed in ((6, True), (50, False)):
        explained["evidence"] = {"xtea-botan.x86-64.gcc": counted("message", a_cycle * cycles_byte, 1)}
        explained["rows"] = rows.rows(explained)
        assert (row(explained, "xtea-botan")["instructions_byte"] is not None) == believed


@pytest.mark.parametrize("calls", [1, 4])
def test_counts_divided_by_the_calls_of_functions_are_withdrawn(small_result, tmp_path, calls):
    four = next(runner for runner in small_result["runners"] if runner["id"] == "xtea-04.x86-64.gcc")
    found = evidence(0, four)
    found["instructions"] |= {"how": "single-stepping", "calls": calls}
    file = tmp_path / "result.json"
    file.write_text(json.dumps(small_result | {"evidence": {four["id"]: found}}))
    read = result.load(file)["evidence"][four["id"]]["instructions"]
    assert ("missing" in read) == (calls > 1)
    assert calls == 1 or "divided by 4 calls of functions" in read["missing"]


def test_whole_programs_are_compared_round_by_round(small_result):
    timed = copy.deepcopy(small_result)
    seconds = {"xtea-00": 0.1, "xtea-00-again": 0.1, "xtea-02": 0.1, "xtea-04": 0.05}
    timed["whole_programs"] = {
        "runs": [
            {"runner": f"{name}.x86-64.gcc", "round": number, "result": {"mean": mean * (1 + 0.01 * number)}}
            for number in range(12)
            for name, mean in seconds.items()
        ]
    }
    timed["rows"] = rows.rows(timed)
    found = row(timed, "xtea-04")["whole_program"]
    assert found["vs_base"]["ratio"] == found["vs_reference"]["ratio"] == pytest.approx(2)
    assert found["vs_base"]["verdict"] == "faster"
    assert row(timed, "xtea-00-again")["whole_program"]["vs_reference"]["verdict"] == "same"
    assert row(timed, "xtea-botan")["whole_program"] is None
    runs = timed["whole_programs"]["runs"]
    mixed = {**timed, "whole_programs": {"runs": runs[42:] + runs[:42]}}  # in the middle of a round
    assert rows.rows(mixed) == timed["rows"]
    timed["whole_programs"]["runs"] = [run for run in runs if not run["runner"].startswith("xtea-00-again")]
    timed["rows"] = rows.rows(timed)
    assert row(timed, "xtea-04")["whole_program"]["vs_base"]["verdict"] == "unresolved"  # without a control


def test_the_control_makes_the_floor_of_whole_programs(small_result):
    timed = copy.deepcopy(small_result)
    seconds = {"xtea-00": 0.1, "xtea-00-again": 0.105, "xtea-02": 0.1 / 1.04, "xtea-04": 0.1 / 1.07}
    timed["whole_programs"] = {
        "runs": [
            {"runner": f"{name}.x86-64.gcc", "round": number, "result": {"mean": mean}}
            for number in range(12)
            for name, mean in seconds.items()
        ]
    }
    timed["rows"] = rows.rows(timed)
    assert row(timed, "xtea-02")["whole_program"]["vs_reference"]["verdict"] != "faster"  # by less than nothing does
    assert row(timed, "xtea-04")["whole_program"]["vs_reference"]["verdict"] == "faster"


def test_the_committed_results_give_the_rows_that_they_hold():
    paths = [path for path in sorted(REFERENCE_REPORTS.glob("*.json.gz")) if not path.name.startswith(SELF_CHECK)]
    if tags.NO_REPORT in (ROOT / "README.md").read_text():
        pytest.skip("the tree of a tag has no reference report")
    assert paths
    for path in paths:
        written = result.as_written(path)
        found = result.with_rows(written)
        assert freshness.alike([found["rows"], found.get("programs")], [written["rows"], written.get("programs")])
        assert guards.errors(found) == []


@pytest.mark.parametrize("name", ["xtea.json", "xtea.json.gz"])
def test_saved_and_loaded_it_is_the_same(small_result, tmp_path, name):
    result.save(small_result, tmp_path / name)
    assert result.load(tmp_path / name) == small_result


def test_rows_are_those_of_what_was_measured_whatever_the_file_says(small_result, tmp_path):
    edited = copy.deepcopy(small_result)
    edited["rows"][0]["median_ns"] /= 2
    result.save(edited, tmp_path / "xtea.json")
    assert result.as_written(tmp_path / "xtea.json") == edited
    assert result.load(tmp_path / "xtea.json") == small_result


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "`make report` writes one to reports/local"),
        ('{"schema": "perf-ladders result", "rows": [', "damaged"),
        ("[1, 2]", "no perf-ladders result"),
        ('{"context": {}, "benchmarks": []}', "no perf-ladders result"),
        ('{"schema": "perf-ladders result", "version": 99}', "version 99"),
        ('{"schema": "perf-ladders result", "version": 2}', "no valid result"),
    ],
)
def test_foreign_and_damaged_files_get_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "xtea.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(Complaint, match=sentence) as caught:
        result.load(path)
    assert "\n" not in str(caught.value)


def test_the_schema_holds_the_rows(small_result, tmp_path):
    broken = copy.deepcopy(small_result)
    del broken["rows"][0]["median_ns"]
    (tmp_path / "xtea.json").write_text(json.dumps(broken))
    with pytest.raises(Complaint, match="median_ns"):
        result.load(tmp_path / "xtea.json")


def test_notes_written_after_measuring_are_published_but_predictions_stay(small_result):
    old = copy.deepcopy(small_result)
    for stage in old["stages"]:
        stage["notes"], stage["predicts"] = "before", {"x86-64": [9, 9]}
    old["rows"] = rows.rows(old)
    found = result.with_present_notes(old)
    assert found["rows"] == old["rows"]
    assert all("## Result" in stage["notes"] for stage in found["stages"])
    assert all(stage["predicts"] == {"x86-64": [9, 9]} for stage in found["stages"])


def test_a_full_disk_loses_nothing(small_result, tmp_path, monkeypatch):
    path = tmp_path / "xtea.json"
    path.write_text("what was there")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(result.Path, "write_bytes", full)
    with pytest.raises(Complaint, match="No space left"):
        result.save(small_result, path)
    assert path.read_text() == "what was there"


def test_one_page_in_80_columns(small_result):
    from rich.console import Console

    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: PTH123, SIM115
    terminal.show(small_result, "xtea-04", console)
    page = console.export_text()
    assert all(len(line) <= 80 for line in page.splitlines())
    assert "Interchange the loops" in page
    assert re.search(r"x86-64 +[34]\.\d\d \[", page)
    assert "3-5.5: held" in page
    assert "0123456789ab" in page
    assert "xtea-03: TBB is not installed" in page


def test_too_few_blocks_are_no_markup():
    from rich.console import Console

    found = made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1}, blocks=2)
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: PTH123, SIM115
    terminal.show(found, "xtea-01", console)
    assert console.export_text().count(" [too few blocks]") >= 3


@pytest.mark.parametrize("workload", ["message", "ethash/dataset-items-of-epoch-0"])
def test_nothing_is_cut_or_wrapped_within_a_number(small_result, workload):
    from rich.console import Console

    text = json.dumps(small_result).replace("message", workload)
    text = text.replace('"x86-64"', '"x86-64-v3"').replace(".x86-64.gcc", ".x86-64-v3.clang")
    found = json.loads(text.replace('"gcc"', '"clang"'))
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: PTH123, SIM115
    terminal.show(found, "xtea-02", console)
    page = console.export_text()
    assert all(len(line) <= 80 for line in page.splitlines())
    assert "…" not in page
    assert f"{workload}, 25,600 bytes, clang" in page
    assert re.search(r"x86-64-v3 +xtea-02 +20 +", page)
    control = next(line for line in page.splitlines() if workload in line and "[" in line)
    assert re.search(r"x \[[\d.]+, [\d.]+\] same$", control)


def test_a_level_that_needs_fewer_operations_has_another_limit(small_result, tmp_path):
    found = copy.deepcopy(small_result)
    found["operations"]["x86-64"] = {"shift": 4, "xor": 4}
    assert rows.limit(found, "x86-64") == pytest.approx((4 + 4 + 16) / 12 / 4)
    result.save(found, tmp_path / "xtea.json")
    assert rows.limit(result.load(tmp_path / "xtea.json"), "x86-64") == rows.limit(found, "x86-64")


def test_a_stage_that_uses_other_units_too_has_no_limit(small_result):
    found = copy.deepcopy(small_result)
    next(stage for stage in found["stages"] if stage["name"] == "xtea-04")["beyond"] = "scalar units"
    made = {row["stage"]: row["limit_share"] for row in rows.rows(found) if row["level"] == "x86-64"}
    assert made["xtea-04"] is None
    assert made["xtea-02"] is not None
