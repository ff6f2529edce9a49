"""Measurement files: what is read, what is refused in one sentence, and that nothing is written over."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import msgspec
import pytest
from measurement_sample import made, paired, program, small

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.model.apps import App, AppRun, Waits
from perf_ladders.model.evidence import Evidence, Instructions
from perf_ladders.model.measurement import AATest, Design, MeanSd, WholePrograms, WholeRun
from perf_ladders.results import schema, store

FOUR = "interchange.x86-64.gcc"


def written(measurement, folder):
    path = folder / "xtea.json"
    path.write_bytes(msgspec.json.encode(measurement))
    return path


def refused(path):
    before = path.read_bytes()
    with pytest.raises(UserError) as caught:
        store.load(path)
    said = str(caught.value)
    assert caught.value.code == 2
    assert str(path) in said
    assert "\n" not in said
    assert path.read_bytes() == before
    return said


@pytest.mark.parametrize("name", ["xtea.json", "xtea.json.xz"])
def test_saved_and_loaded_it_is_the_same(tmp_path, name):
    store.save(small(), tmp_path / name)
    assert store.load(tmp_path / name) == small()


def test_a_file_of_any_kind_is_read_once(tmp_path, monkeypatch):
    path, text = store.save(small(), tmp_path / "xtea.json.xz"), foreign.unchecked_json
    read = []
    monkeypatch.setattr(foreign, "unchecked_json", lambda one: read.append(one) or text(one))
    assert store.load_any(path) == small()
    assert read == [path]


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="`make report` writes one to reports/local"):
        store.load(tmp_path / "xtea.json")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b'{"format": "perf-ladders measurement", "blocks": [', "damaged or truncated"),
        (b"[1, 2]", "damaged or truncated"),
        (b'{"context": {}, "benchmarks": []}', "JSON, but not a perf-ladders measurement"),
        (b'{"schema": "perf-ladders result", "version": 2}', "JSON, but not a perf-ladders measurement"),
        (b'{"format": "perf-ladders measurement", "version": 99}', "has version 99, and this program reads version 3"),
        (b'{"format": "perf-ladders measurement", "version": 3}', "missing required field `case`"),
        (b"[" * 100_000 + b"]" * 100_000, "damaged or truncated"),
        (b'{"format": "perf-ladders measurement", "version": NaN}', "damaged or truncated"),
        (b'{"format": "perf-ladders measurement", "version": 1' + b"0" * 400 + b"}", "damaged or truncated"),
    ],
)
def test_foreign_and_damaged_files_get_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "xtea.json"
    path.write_bytes(text)
    assert sentence in refused(path)


def test_a_truncated_archive_gets_one_sentence(tmp_path):
    path = tmp_path / "xtea.json.xz"
    path.write_bytes(lzma.compress(msgspec.json.encode(small()))[:-100])
    assert "damaged or truncated" in refused(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found["machine"].update(system=None), "machine.system: expected `str`, got `null`"),
        (lambda found: found["blocks"][0]["runs"][0].pop("padding"), "blocks[0].runs[0]: object missing required"),
        (lambda found: found["blocks"][0].update(number="1"), "blocks[0].number: expected `int`, got `str`"),
        (lambda found: found.update(rows=[]), "unknown field `rows`"),
        (lambda found: found["design"].update(kind="bricks"), "design.kind: invalid enum value 'bricks'"),
        (lambda found: found["design"].update(repetitions=0), "design.repetitions: expected `int` >= 1"),
        (lambda found: found["workloads"][0].update(bytes=0), "workloads[0].bytes: expected `int` >= 1"),
        (
            lambda found: found["blocks"][3]["runs"][0]["times_ns"].update(message=[0.0] * 5),
            "blocks[3].runs[0].times_ns[...][0]: expected `float` >= 1e-18",
        ),
        (lambda found: found["blocks"][0].update(clock_ghz=[]), "blocks[0].clock_ghz: expected `array` of length >= 1"),
        (lambda found: found["calls"][FOUR].update(quantiles_ns=[1, 2, 3]), "of length >= 41"),
        (lambda found: found["sources"].update(harness="nonsense"), "expected `str` matching regex"),
        (lambda found: found["machine"].update(family_model_stepping="x"), "machine.family_model_stepping: expected"),
        (lambda found: found["machine"].update(family_model_stepping="06/1/2"), "family_model_stepping: expected"),
    ],
)
def test_a_wrong_field_is_named(tmp_path, change, said):
    path = written(small(), tmp_path)
    found = json.loads(path.read_bytes())
    change(found)
    path.write_text(json.dumps(found))
    assert said in refused(path)


def without_program(found, name):
    found.programs = [one for one in found.programs if one.id != name]


def without_a_run(found):
    """Of one program the first block, of another the last: as many are left of both."""
    found.blocks[0].runs.pop(0)
    found.blocks[19].runs.pop(1)


def measured_twice(found):
    found.blocks[1] = found.blocks[0]


def whole_programs(found):
    runs = [WholeRun(program=FOUR, round=number, seconds=1, user=1, system=0) for number in range(3)]
    other = [WholeRun(program="transform.x86-64.gcc", round=number, seconds=1, user=1, system=0) for number in (0, 1)]
    found.whole_programs = WholePrograms(tool="hyperfine", calls=1, rounds=3, workload="message", runs=runs + other)


def app_of_nobody(found):
    run = AppRun(program="nobody.x86-64.gcc", round=0, value=1)
    found.apps = [App(app="transfer", arguments=[], measure="time", rounds=1, runs=[run])]


def sizes_without_a_device(found):
    run = AppRun(program=FOUR, round=0, value=1)
    found.apps = [App(app="transfer", arguments=[], measure="sizes", rounds=1, runs=[run])]


def app_with(first, second, measure="rate"):
    def change(found):
        runs = [AppRun(program=FOUR, round=number, **said) for number, said in enumerate((first, second))]
        found.apps = [App(app="packets", arguments=[], measure=measure, rounds=2, runs=runs)]

    return change


WAITS = [Waits(policy="wait", median_ns=1, p99_ns=2, longest_ns=3)]


def aa_test(found, count=1):
    means = MeanSd(mean_ns=1, sd_ns=1)
    blocks = [msgspec.convert(msgspec.to_builtins(found.blocks[0]), type(found.blocks[0]))]
    found.aa_test = AATest(
        program=FOUR, workload="message", skip=0, count=count, calls={}, in_a_row=[[means, means]], experiments=[blocks]
    )


def aa_test_with(**fields):
    def change(found):
        aa_test(found)
        found.aa_test = msgspec.structs.replace(found.aa_test, **fields)

    return change


def no_instructions(found):
    counted = {"how": "callgrind", "workload": "message", "bytes": 1, "calls": 1, "functions": [], "lines": []}
    found.evidence[FOUR] = Evidence(instructions=Instructions(**counted, per_call=0, c_library=0))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: without_program(found, "reference-again.x86-64.gcc"), "there is no control at x86-64 with gcc"),
        (
            lambda found: without_program(found, "reference.x86-64.gcc"),
            "the control's stage reference is not there",
        ),
        (
            lambda found: setattr(found.programs[0], "device", "OpenCL"),
            "the control's stage reference is not there",
        ),
        (lambda found: without_program(found, "botan.x86-64.gcc"), "has 1 runs of botan.x86-64.gcc, not 0"),
        (lambda found: found.programs.append(found.programs[2]), "programs: for-loop.x86-64.gcc is there twice"),
        (lambda found: found.workloads.pop(), "sweep/8 is in `workloads` or in `design`, but not in both"),
        (lambda found: setattr(found.blocks[0], "part", "else"), "blocks: the part main has 19 blocks, not 20"),
        (lambda found: found.blocks.pop(), "blocks: the part others has 1 blocks, not 2"),
        (lambda found: found.blocks[0].runs[0].times_ns.pop("message"), "does not have 5 times of each of message"),
        (lambda found: found.blocks[3].runs[0].times_ns["message"].pop(), "block 3 of the part main: reference"),
        (without_a_run, "block 0 of the part main has 0 runs of reference.x86-64.gcc, not 1"),
        (measured_twice, "block 0 of the part main is there twice"),
        (lambda found: found.calls.pop(FOUR), f"calls: there are none of {FOUR}"),
        (lambda found: found.evidence.update(nobody=Evidence()), "evidence: nobody is not in `programs`"),
        (whole_programs, "whole_programs: transform.x86-64.gcc does not have one run in each of 3 rounds"),
        (app_of_nobody, "apps[0]: nobody.x86-64.gcc is not in `programs`"),
        (app_with({"value": 1}, {"value": 0}), "apps[0]: a run has a value of 0, or nearly so"),
        (app_with({"value": 1, "waits": WAITS}, {"value": 1}), "apps[0]: its runs do not all have the same policies"),
        (
            app_with({"value": 1, "counts": {"a": 1}}, {"value": 0, "counts": {"b": 0}}, "counts"),
            "apps[0]: its runs do not all count on the same workloads",
        ),
        (sizes_without_a_device, "apps[0]: its runs do not all have the same sizes, or do not name the device"),
        (lambda found: setattr(found.design, "kind", "pairs"), "design.kind: it is pairs, but there are blocks"),
        (aa_test, "aa_test: experiment 1 is not of one, other, control"),
        (lambda found: aa_test(found, count=1_000), "has 5, and the A/A test needs 1000"),
        (aa_test_with(in_a_row=[]), "aa_test.in_a_row holds pairs"),
        (aa_test_with(experiments=[]), "aa_test: it has no experiments, or one of them has no rounds"),
        (aa_test_with(rounds=[[]]), "aa_test: it has no experiments, or one of them has no rounds"),
        (no_instructions, "instructions.per_call: expected `float` >= 1e-18"),
        (lambda found: setattr(found, "programs", []), "programs: there is none"),
    ],
)
def test_parts_that_do_not_fit_are_named(tmp_path, change, said):
    found = small()
    change(found)
    assert said in refused(written(found, tmp_path))


def test_pairs_are_read(tmp_path):
    """The format of the session in pairs: it has no blocks."""
    found = small()
    found.blocks, found.design = (
        [],
        Design(kind="pairs", seed=1, cpu=1, repetitions=1, parts=found.design.parts, calls=5),
    )
    assert store.load(written(found, tmp_path)).design.kind == "pairs"


def test_names_tell_date_and_cpu_and_differ():
    one, other = made({"xtea-00": 1, "xtea-00-again": 1}), made({"xtea-00": 1, "xtea-00-again": 1}, seed=2)
    assert store.name(one).startswith("2026-01-01-")
    assert store.name(one).endswith(".json.xz")
    assert store.name(one) == store.name(made({"xtea-00": 1, "xtea-00-again": 1})) != store.name(other)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda slices: slices.append(slices[0]), "slices: those of reference.x86-64.gcc on message are there twice"),
        (
            lambda slices: slices.append(msgspec.structs.replace(slices[0], workload="sweep/8")),
            "slices: those of reference.x86-64.gcc on sweep/8 belong to no step of the design",
        ),
    ],
)
def test_slices_without_a_step_are_named(tmp_path, change, said):
    found = paired({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1})
    change(found.slices)
    assert said in refused(written(found, tmp_path))


def test_a_place_that_cannot_be_written_is_told_before_anything_is_measured(tmp_path):
    file = tmp_path / "file"
    file.write_text("no folder")
    with pytest.raises(UserError, match=r"Cannot write .*layout-check\.json\.xz"):
        store.expect_place(file / "layout-check.json.xz")
    for folder in (tmp_path, Path()):
        with pytest.raises(UserError, match=r"Cannot write .* \(Not a regular file\)"):
            store.expect_place(folder)
    assert store.expect_place(tmp_path / "new" / "a.json.xz") == tmp_path / "new" / "a.json.xz"
    assert [*(tmp_path / "new").iterdir()] == []


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    path = tmp_path / "xtea.json"
    path.write_text("what was there")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.Path, "write_bytes", full)
    with pytest.raises(UserError, match="No space left"):
        store.save(small(), path)
    assert path.read_text() == "what was there"
    assert [*tmp_path.iterdir()] == [path]


def test_a_program_of_another_level_is_refused(tmp_path):
    found = small()
    found.programs[2] = program("xtea-01", level="x86-64-v3")
    found.programs[2].id = "for-loop.x86-64.gcc"
    assert "for-loop.x86-64.gcc is built at x86-64-v3 with gcc" in refused(written(found, tmp_path))


def test_the_schema_in_docs_is_that_of_the_types():
    assert schema.PATH.read_text() == schema.text(), "./ladders pages writes it again"
