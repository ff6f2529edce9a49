"""Latency and throughput of instructions: the program, the table, and the models that use them. Never the times."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import pytest
from measurement_sample import MACHINE, analysed, small
from msgspec.structs import replace as replace_of
from our_cases import OURS

from perf_ladders.errors import UserError
from perf_ladders.machine import topology
from perf_ladders.measure import instructions
from perf_ladders.model.instruction_times import Instruction, InstructionTimes
from perf_ladders.model.measurement import Made
from perf_ladders.pages import export, machine_view, terminal
from perf_ladders.results import model_of_stage, publish, store
from perf_ladders.tree.case_file import Model
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.git_tags import NO_TABLE

XTEA = Model("xtea-00", "x86-64", "latency", "A chain.", 8, {"shl": 64, "xor": 128, "add": 128})


def times(date="2026-01-01T00:00:00+00:00"):
    """At 2 GHz: a cycle takes half a nanosecond."""
    found = [
        Instruction(name="add", latency_ns=0.5, per_ns=8.0),
        Instruction(name="xor", latency_ns=0.5, per_ns=8.0),
        Instruction(name="shl", latency_ns=1.0, per_ns=4.0),
        Instruction(name="store", per_ns=2.0),
        Instruction(name="vaesenc zmm", needs=["vaes", "avx512f"]),
    ]
    return InstructionTimes(made=Made(date=date, commit="0" * 12), machine=MACHINE, clock_ghz=2.0, instructions=found)


@pytest.fixture(scope="module")
def known(build):
    if not build.instructions.exists():
        pytest.skip("the program that times instructions has not been built")
    return instructions.known(build, topology.cpu_to_pin())


def test_the_program_names_each_instruction_once(known):
    names = [one.name for one in known]
    assert len(names) > 15
    assert len(set(names)) == len(names)
    assert {"add", "xor", "load", "load from L2", "store", "mispredicted branch"} <= {*names}
    assert all(one.is_missing for one in known), "a list has no times"


def test_models_use_instructions_that_the_program_times(known, build):
    if "x86-64" not in build.flags:
        pytest.skip("the models count instructions of x86-64")
    names = {one.name for one in known}
    for case in OURS:
        model = read_case(case).model
        assert model, f"{case} has no [model]"
        assert {*model.instructions} <= names, case


def test_the_document_names_instructions_that_the_program_times(known, build):
    if "x86-64" not in build.flags:
        pytest.skip("the document is about x86-64")
    text = re.sub(r"<!-- (\w+): begin.*?\1: end -->", "", machine_view.DOCUMENT.read_text(), flags=re.DOTALL)
    words = {word for one in known for word in (one.name, one.name.split()[0])}
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))
    named = [span for span in spans if re.fullmatch(r"v?p\w+|store.*|load.*|movq.*|add|misp.*", span)]
    assert len(named) >= 5
    assert {*named} <= words


def test_a_program_that_ends_badly_gets_a_sentence(build):
    with pytest.raises(UserError, match=r"ended with exit code 1\b"):
        instructions.known(replace(build, instructions="/bin/false"), topology.cpu_to_pin())


def test_times_become_cycles():
    found = times()
    assert found.latency("shl") == 2
    assert found.per_cycle("add") == 4
    assert found.latency("store") is None
    assert found.per_cycle("an instruction that this file does not know yet") is None
    assert found.per_cycle("vaesenc zmm") is None


def test_the_table_fits_into_80_columns_and_says_what_is_missing():
    out = io.StringIO()
    machine_view.show(times(), terminal.output(file=out, width=80))
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split() for line in lines if line.startswith("shl")] == [["shl", "2.0", "2.00"]]
    assert [line.split() for line in lines if line.startswith("store")] == [["store", "-", "1.00"]]
    assert "n/a (this CPU lacks vaes or avx512f): vaesenc zmm" in lines


def test_json_holds_the_same():
    found = json.loads(machine_view.to_json(times()))
    assert found["clock_ghz"] == 2
    rows = {row["name"]: row for row in found["instructions"]}
    assert rows["shl"] == {"name": "shl", "latency_cycles": 2.0, "per_cycle": 2.0, "missing": []}
    assert rows["vaesenc zmm"]["missing"] == ["vaes", "avx512f"]
    assert rows["vaesenc zmm"]["latency_cycles"] is None


def test_a_chain_takes_the_sum_of_its_latencies():
    _, cycles = model_of_stage.estimate(XTEA, times())
    assert cycles == 64 * 2 + 128 + 128


def test_a_figure_counts_as_the_table_prints_it():
    found = times()
    found.instructions[0].latency_ns = 0.52
    assert model_of_stage.estimate(XTEA, found) == model_of_stage.estimate(XTEA, times())


@pytest.mark.parametrize(
    ("counts", "cycles"),
    [
        ({"add": 40, "shl": 4}, 11),  # all share the ports of add: 44 / 4
        ({"add": 4, "shl": 40}, 20),  # shl alone: 40 / 2
        ({"add": 40}, 10),
    ],
)
def test_independent_instructions_take_the_larger_of_two_times(counts, cycles):
    model = replace(XTEA, bound="throughput", instructions=counts)
    assert model_of_stage.estimate(model, times())[1] == cycles


def test_a_model_without_a_figure_has_no_result():
    model = replace(XTEA, instructions={"add": 1, "vaesenc zmm": 1})
    assert model_of_stage.estimate(model, times())[1] is None


def worked(model, measurement=None):
    analysis = analysed(measurement or small())
    analysis.case = replace(analysis.case, model=model)
    return model_of_stage.worked([analysis], [times()])


def test_a_model_is_set_beside_the_measured_row():
    found = worked(XTEA)
    assert found.row.stage == "xtea-00"
    assert found.cycles_byte == 48
    assert found.share == pytest.approx(48 / found.row.cycles_byte)
    assert worked(replace(XTEA, stage="xtea-99")).row is None
    assert worked(replace(XTEA, stage="xtea-99")).share is None
    assert worked(None) is None


def test_a_measurement_of_the_same_cpu_is_preferred():
    here, elsewhere = small(), small()
    elsewhere.machine.cpu, elsewhere.machine.family_model_stepping = "AMD EPYC", "25/17/1"
    several = [analysed(elsewhere), analysed(here)]
    for one in several:
        one.case = replace(one.case, model=XTEA)
    assert model_of_stage.worked(several, [times()]).analysis is several[1]
    other = times()
    other.machine = elsewhere.machine
    assert model_of_stage.worked(several[:1], [times(), other]).times is other
    assert model_of_stage.worked(several[1:], [other, times()]).times is not other


def test_the_document_shows_what_the_published_figures_give():
    if NO_TABLE in export.README.read_text():
        pytest.skip("the tree of a tag lacks later stages")
    text = machine_view.DOCUMENT.read_text()
    published = store.newest_first(store.MACHINE, store.load_instructions)
    assert published
    for name, part in machine_view.parts(published).items():
        assert f"<!-- {name}: begin -->\n{part.rstrip()}\n<!-- {name}: end -->" in text, "run `make pages`"
    assert len(text.splitlines()) <= 200


def test_newer_figures_of_a_cpu_supersede_older_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "RESULTS", tmp_path / "results")
    first, _ = publish.publish(store.save(times(), tmp_path / "machine.json.xz"))
    assert first.parent.name == "machine"
    assert store.load_any(first) == times()
    newer = times("2026-02-01T00:00:00+00:00")
    kept, gone = publish.publish(store.save(newer, tmp_path / "machine.json.xz"))
    assert gone == [first]
    assert [*first.parent.iterdir()] == [kept]


def test_of_one_day_the_newest_figures_come_first_whatever_their_cpu_is_called(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "RESULTS", tmp_path)
    kept = []
    for hour, numbers in (("08", "26/2/1"), ("20", "25/1/1")):  # AMD Zen 5, then AMD Zen 3
        found = times(f"2026-01-01T{hour}:00:00+00:00")
        found.machine = replace_of(MACHINE, cpu="AMD EPYC", family_model_stepping=numbers)
        kept.append(store.save(found, store.place(found)))
    assert store.paths(store.MACHINE) == kept[::-1], "names have the CPU behind the day"
    newest = store.newest_first(store.MACHINE, store.load_instructions)
    assert [one.made.date[11:13] for one in newest] == ["20", "08"]
