"""Are case.toml, notes and hints of a case as they must be?"""

from __future__ import annotations

import argparse

from perf_ladders import lint
from perf_ladders.commands.measuring import expect_words
from perf_ladders.errors import Missing, UserError
from perf_ladders.pages import terminal
from perf_ladders.tree import catalogue
from perf_ladders.tree.build import read_build
from perf_ladders.tree.catalogue import read_case
from perf_ladders.workshop import exercise


def words(options: argparse.Namespace) -> None:
    check(options.case or catalogue.case_names()[0], options.preset or "gcc")


def check(name: str, preset: str) -> None:
    console = terminal.output(stderr=True)
    case = read_case(name)
    expect_words(case.stages, case)
    for stage in exercise.to_climb(case):
        exercise.read_hints(stage)
    try:
        for sentence in lint.misfits(case, read_build(preset)):
            raise UserError(sentence)
    except Missing as reason:
        raise UserError(f"{case.name} cannot be looked at: {reason}.") from None
    except FileNotFoundError:
        raise UserError(f"{case.name} is not built: make build CASE={case.name} PRESET={preset}") from None
    console.print(f"{case.name}: case.toml, notes and hints are as they must be.", soft_wrap=True)
