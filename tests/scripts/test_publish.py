"""What is kept in the repository: only what can be trusted and made again, and nothing beside it that it supersedes."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from measurement_sample import made, paired, small
from msgspec.structs import replace

from perf_ladders.errors import UserError
from perf_ladders.model.java import JavaMeasurement
from perf_ladders.model.measurement import Step
from perf_ladders.results import publish, store
from perf_ladders.results.shown import is_whole, of_stage
from perf_ladders.tree import paths

SPEED = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 2}


@pytest.fixture
def results(tmp_path, monkeypatch):
    folder = tmp_path / "results"
    monkeypatch.setattr(store, "RESULTS", folder)
    monkeypatch.setattr(paths, "RESULTS", folder)
    return folder


def saved(measurement, tmp_path):
    return store.save(measurement, tmp_path / "local.json.xz")


def test_it_is_kept_under_a_name_of_its_own(results, tmp_path):
    kept, gone = publish.publish(saved(small(), tmp_path))
    assert kept == results / "xtea" / store.name(small())
    assert store.load(kept) == small()
    assert gone == []
    assert publish.publish(saved(small(), tmp_path)) == (kept, [])  # once more is no other file


def test_an_older_one_of_the_same_machine_goes_and_one_of_another_stays(results, tmp_path):
    first, _ = publish.publish(saved(small(), tmp_path))
    elsewhere = small()
    elsewhere.machine.family_model_stepping = "6/143/8"
    elsewhere.machine.cpu = "Intel(R) Xeon(R)"
    other, gone = publish.publish(saved(elsewhere, tmp_path))
    assert gone == []
    newer = small()
    newer.made.date = "2026-02-01T00:00:00+00:00"
    kept, gone = publish.publish(saved(newer, tmp_path))
    assert gone == [first]
    assert sorted((results / "xtea").iterdir()) == sorted([kept, other])


def test_one_with_more_cpus_stays(results, tmp_path):
    """Only that one can judge a claim that needs them."""
    many, few = small(), small()
    many.machine.cpus, few.machine.cpus = 16, 2
    few.made.date = "2026-02-01T00:00:00+00:00"
    first, _ = publish.publish(saved(many, tmp_path))
    assert publish.publish(saved(few, tmp_path))[1] == []
    assert first.exists()


def test_what_is_newer_or_holds_more_stays(results, tmp_path):
    first, _ = publish.publish(saved(small(), tmp_path))
    older = small()
    older.made.date = "2025-12-01T00:00:00+00:00"
    assert publish.publish(saved(older, tmp_path))[1] == []
    fewer = made({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1})
    fewer.made.date = "2026-03-01T00:00:00+00:00"
    assert publish.publish(saved(fewer, tmp_path))[1] == []
    assert first.exists()


def test_one_that_decides_more_stays(results, tmp_path):
    decided, undecided = paired(SPEED, rounds=30), paired(SPEED, rounds=30)
    undecided.pairs = [replace(one, stage_ns=one.base_ns * (1 + one.round % 2)) for one in undecided.pairs]
    undecided.made.date = "2026-02-01T00:00:00+00:00"
    first, _ = publish.publish(saved(decided, tmp_path))
    assert publish.publish(saved(undecided, tmp_path))[1] == []
    assert first.exists()


def test_a_file_of_its_name_that_differs_stays(results, tmp_path):
    kept, _ = publish.publish(saved(small(), tmp_path))
    store.save(made({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 2}), kept)
    before = kept.read_bytes()
    with pytest.raises(UserError, match="has the name of this result and differs"):
        publish.publish(saved(small(), tmp_path))
    assert kept.read_bytes() == before


def test_more_rounds_of_the_same_measurement_take_its_place(results, tmp_path):
    fewer, more = paired(SPEED, rounds=20), paired(SPEED, rounds=30)
    assert fewer.made == more.made
    first, _ = publish.publish(saved(fewer, tmp_path))
    kept, gone = publish.publish(saved(more, tmp_path))
    assert (kept.exists(), gone) == (True, [first])
    assert publish.publish(saved(fewer, tmp_path)) == (first, [])
    assert kept.exists()


def test_a_quick_one_takes_the_place_of_no_whole_one(results, tmp_path):
    whole, quick = paired(SPEED, rounds=20), paired(SPEED, rounds=20)
    step = quick.design.steps[-1]
    step.rounds = 1
    quick.pairs = [one for one in quick.pairs if one.round == 0 or (one.base, one.stage) != (step.base, step.stage)]
    quick.made.date = "2026-02-01T00:00:00+00:00"
    first, _ = publish.publish(saved(whole, tmp_path))
    kept, gone = publish.publish(saved(quick, tmp_path))
    assert (kept.exists(), first.exists(), gone) == (True, True, [])


@pytest.mark.parametrize(("rounds", "whole"), [(11, False), (12, True)])
def test_what_is_whole(rounds, whole):
    steps = [Step(part="main", base="a", stage="b", workloads=["w"], together=1, rounds=rounds)]
    assert is_whole(Mock(JavaMeasurement, steps=steps)) == whole
    assert is_whole(paired(SPEED, rounds=rounds)) == whole


@pytest.mark.parametrize("field", ["changed", "commit"])
def test_sources_that_no_commit_has_are_refused(results, tmp_path, field):
    found = small()
    setattr(found.made, field, {"changed": True, "commit": None}[field])
    with pytest.raises(UserError, match="made from sources that no commit has") as caught:
        publish.publish(saved(found, tmp_path))
    assert caught.value.code == 2
    assert not results.exists()


def test_a_failed_control_is_refused(results, tmp_path):
    noisy = made({"xtea-00": 1, "xtea-00-again": 1.05, "xtea-01": 1})
    with pytest.raises(UserError, match=r"A/A control: failed \(xtea-00-again at x86-64"):
        publish.publish(saved(noisy, tmp_path))
    assert not results.exists()


def test_the_page_of_a_stage_is_of_a_measurement_of_its_present_source():
    def found(*rows):
        return SimpleNamespace(first_rows=[SimpleNamespace(stage=name, stale=stale) for name, stale in rows])

    other, older, present = found(("xtea-02", False)), found(("xtea-01", True)), found(("xtea-01", False))
    stage = SimpleNamespace(name="xtea-01")
    for measurements, chosen in (([other, older, present], present), ([other, older], older), ([other], other)):
        assert of_stage(stage, [("", one) for one in measurements])[1] is chosen
