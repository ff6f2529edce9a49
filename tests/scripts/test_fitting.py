"""What case.toml, notes and hints say fits the programs; where it does not, a sentence names it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perf_ladders import catalogue, exercise, fitting
from perf_ladders.measure import Workload

FIRST = catalogue.case_names()[0]


@pytest.fixture
def case():
    return catalogue.read_case(FIRST)


@pytest.mark.parametrize("name", catalogue.case_names())
def test_every_case_fits_its_programs(name, build):
    assert list(fitting.misfits(catalogue.read_case(name), build)) == []


def test_a_symbol_that_no_stage_defines(case, build):
    found = list(fitting.misfits(replace(case, symbols=[*case.symbols, "nowhere()"]), build))
    assert found
    assert all("symbols has 'nowhere()', which stages/" in sentence for sentence in found)
    assert all(case.symbols[0] in sentence for sentence in found), "what there is, to be copied"


def test_a_stage_that_defines_more_than_the_contract(case, build):
    found = list(fitting.misfits(replace(case, symbols=case.symbols[1:]), build))
    assert found
    assert all(f"defines '{case.symbols[0]}', which is none of the symbols" in sentence for sentence in found)


@pytest.mark.parametrize(
    ("workloads", "said"),
    [
        ([Workload("message", "sweep", 1)], "has no workload of Role::main"),
        ([Workload("message", "main", 1)] * 2, "has 2 workloads named 'message'"),
    ],
)
def test_workloads_that_no_report_could_be_made_of(case, build, monkeypatch, workloads, said):
    monkeypatch.setattr(fitting, "workloads_of", lambda program: workloads)
    assert any(said in sentence for sentence in fitting.misfits(case, build))


def test_workloads_that_are_not_there(case, build, monkeypatch):
    claim = catalogue.Claim("twice as fast", "01", "00", [1.9, 2.1], "mesage")
    found = list(fitting.misfits(replace(case, claims=[claim]), build))
    assert [sentence.split(";")[0] for sentence in found] == [
        f"stages/{case.name}/case.toml: 'twice as fast' is of a workload 'mesage'"
    ]
    monkeypatch.setattr(exercise, "read_hints", lambda stage: exercise.Hints("mesage", []))
    found = list(fitting.misfits(replace(case, claims=[]), build))
    assert found
    assert all("/hints.md is of a workload 'mesage'; there are: " in sentence for sentence in found)
