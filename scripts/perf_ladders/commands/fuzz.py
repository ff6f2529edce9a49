"""Compares stages with the oracle on inputs that libFuzzer makes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from perf_ladders.commands.build import build_targets
from perf_ladders.errors import UserError
from perf_ladders.evidence.fuzzing import CORPORA, fuzzed, fuzzer
from perf_ladders.model.proof import Fuzzed, Fuzzing
from perf_ladders.results import proof, store
from perf_ladders.tree.build import Program, read_build
from perf_ladders.tree.catalogue import cases_named, read_case
from perf_ladders.tree.paths import shown

PRESET = "fuzz"
_S = 60  # a minute


def fuzz(options: argparse.Namespace) -> None:
    if options.out:
        store.expect_place(options.out)
    cases = cases_named(options.case or "all")
    names = [options.step] if options.step else [read_case(case).closing.name for case in cases]
    found = fuzzed_stages(names, _S * (options.minutes or 1), options.level)
    if options.out:
        print(f"wrote {shown(write(found, options.out))}")
    if wrong := [one for one in found if one.found]:
        raise UserError(f"Of {len(found)} stages, {len(wrong)} are wrong for an input that is named above.", code=1)


def fuzzed_stages(names: Sequence[str], seconds: int, level: str | None = None) -> list[Fuzzed]:
    found = []
    for program in built(names, level):
        one = fuzzed(fuzzer(program), CORPORA / program.case, seconds)
        again = f"; again: {shown(fuzzer(program))} {one.input}" if one.found else ""
        print(f"{one.program}: {one.inputs:,} inputs in {seconds} s: {one.found or 'nothing found'}{again}", flush=True)
        found.append(one)
    return found


def built(names: Sequence[str], level: str | None = None) -> list[Program]:
    """The programs of these stages, whose fuzzers are built."""
    build_targets(PRESET, ["plan"])  # which says at which levels there are programs
    programs = [_program(name, level) for name in names]
    build_targets(PRESET, [fuzzer(program).name for program in programs])
    return programs


def _program(name: str, level: str | None) -> Program:
    """At the highest level that runs here, or at the one that was asked for."""
    every = [one for one in read_build(PRESET).programs if (one.kind, one.name) == ("stage", name)]
    mine = [one for one in every if not one.cannot]
    chosen = [one for one in mine if level in (None, one.level)]
    if not chosen:
        levels = ", ".join(one.level for one in mine) or "none that runs here"
        code = 77 if any(level in (None, one.level) for one in every) else 2
        raise UserError(f"{name} has no program at {level or 'any level'}. Its levels: {levels}.", code=code)
    return chosen[-1]


def write(found: Sequence[Fuzzed], path: Path) -> Path:
    what = "Inputs that libFuzzer made for closing stages, with sanitizers. Found: stages that differ from the oracle."
    return proof.write(
        Fuzzing(
            what=what,
            tried=sum(one.inputs for one in found),
            found=sum(1 for one in found if one.found),
            details=[*found],
            **proof.now(),
        ),
        path,
    )
