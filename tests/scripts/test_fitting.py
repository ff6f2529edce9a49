"""Where case.toml, notes or hints do not fit the programs, a sentence names it. test_catalogue.py says that all fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perf_ladders import lint
from perf_ladders.model.measurement import Workload
from perf_ladders.tree import catalogue
from perf_ladders.tree.case_file import Breakdown, BreakdownPart, Command, Model
from perf_ladders.tree.claim import Claim
from perf_ladders.workshop import exercise

FIRST = catalogue.case_names()[0]


@pytest.fixture
def case():
    return catalogue.read_case(FIRST)


def declaring(case, symbols):
    """The case, if its header declared these functions."""
    other = replace(case)
    vars(other)["symbols"] = symbols
    return other


def test_a_symbol_that_no_stage_defines(case, built):
    found = list(lint.misfits(declaring(case, [*case.symbols, "nowhere"]), built))
    assert found
    assert all("declares nowhere, which stages/" in sentence for sentence in found)
    assert all(case.symbols[0] in sentence for sentence in found), "what there is, to be copied"


def test_a_stage_that_defines_more_than_the_contract(case, built):
    found = list(lint.misfits(declaring(case, case.symbols[1:]), built))
    assert found
    assert all(f"defines {case.symbols[0]}, which " in sentence for sentence in found)


@pytest.mark.parametrize(
    ("workloads", "said"),
    [
        ([Workload(name="message", role="sweep", bytes=1)], "has no workload of Role::main"),
        ([Workload(name="message", role="main", bytes=1)] * 2, "has 2 workloads named 'message'"),
    ],
)
def test_workloads_that_no_report_could_be_made_of(case, built, monkeypatch, workloads, said):
    monkeypatch.setattr(lint, "workloads_of", lambda program: workloads)
    assert any(said in sentence for sentence in lint.misfits(case, built))


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"exercise": ["mesage"]}, "`exercise`"),
        ({"model": Model("", "", "latency", "", 1, {}, workload="mesage")}, "[model]"),
        ({"commands": [Command("app", "Mining", [], "time", workload="mesage")]}, "the program 'Mining'"),
        ({"breakdown": [Breakdown("T", [BreakdownPart("AES", "mesage no-kernel")])]}, "the part 'AES'"),
        ({"breakdown": [Breakdown("T", [BreakdownPart("AES", "message", "mesage")])]}, "the part 'AES'"),
    ],
)
def test_every_field_of_case_toml_names_a_workload_that_is_there(case, fields, where):
    bare = replace(case, claims=[], exercise=[], model=None, commands=[], breakdown=[])
    there = [Workload(name="message", role="main", bytes=1)]
    assert [*lint.of_workloads(bare, there)] == []
    (said,) = lint.of_workloads(replace(bare, **fields), there)
    assert said == f"stages/{case.name}/case.toml: {where} is of a workload 'mesage'; there are: message."


def test_workloads_that_are_not_there(case, built, monkeypatch):
    claim = Claim("twice as fast", "title", "01", "00", workload="mesage", ratio=["2"])
    found = list(lint.misfits(replace(case, claims=[claim]), built))
    assert [sentence.split(";")[0] for sentence in found] == [
        f"stages/{case.name}/case.toml: 'twice as fast' is of a workload 'mesage'"
    ]
    monkeypatch.setattr(exercise, "read_hints", lambda stage: exercise.Hints("mesage", "", []))
    found = list(lint.misfits(replace(case, claims=[]), built))
    assert found
    assert all("/hints.md is of a workload 'mesage'; there are: " in sentence for sentence in found)
