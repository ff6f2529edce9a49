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
from perf_ladders.tree.build import Build, Program, read_build
from perf_ladders.tree.catalogue import Case, cases_named, read_case
from perf_ladders.tree.levels import known_levels
from perf_ladders.tree.paths import shown

PRESET = "fuzz"
_S = 60  # a minute


def fuzz(options: argparse.Namespace) -> None:
    if options.out:
        store.expect_place(options.out)
    build_targets(PRESET, ["plan"])  # which says at which levels there are programs
    build = read_build(PRESET)
    if options.step:
        programs = [_program(build, options.step, options.level)]
    else:
        programs = [last_first(read_case(case), build, options.level)[0] for case in cases_named(options.case or "all")]
    found = fuzzed_programs(programs, _S * (options.minutes or 1))
    if options.out:
        print(f"wrote {shown(write(found, options.out))}")
    if wrong := [one for one in found if one.found]:
        raise UserError(f"Of {len(found)} stages, {len(wrong)} are wrong for an input that is named above.", code=1)


def fuzzed_programs(programs: Sequence[Program], seconds: int) -> list[Fuzzed]:
    build_targets(PRESET, [fuzzer(program).name for program in programs])
    found = []
    for program in programs:
        one = fuzzed(fuzzer(program), CORPORA / program.case, seconds)
        again = f"; again: {shown(fuzzer(program))} {one.input}" if one.found else ""
        print(f"{one.program}: {one.inputs:,} inputs in {seconds} s: {one.found or 'nothing found'}{again}", flush=True)
        found.append(one)
    return found


def built(name: str, level: str) -> Program:
    """A stage's program, whose fuzzer is built."""
    build_targets(PRESET, ["plan"])
    program = _program(read_build(PRESET), name, level)
    build_targets(PRESET, [fuzzer(program).name])
    return program


def last_first(case: Case, build: Build, level: str | None = None) -> list[Program]:
    """The programs of a level, or of the highest one that runs here: first that of the last stage, then those of the
    stages before it, for a CPU may lack what the last one needs beyond its level.
    """
    ours = [stage for stage in case.stages if not stage.is_own and not stage.header.device]
    names = {stage.name for stage in ours}
    mine = [one for one in build.programs if one.kind == "stage" and one.name in names]
    if not mine:
        raise UserError(f"{case.name} is not built: `make build CASE={case.name}` builds it.")
    run = [one for one in mine if not one.cannot and level in (None, one.level)]
    if not run:
        raise UserError(f"No stage of {case.name} runs on this CPU at {level or 'any level'}.", code=77)
    highest = max((one.level for one in run), key=known_levels().index)
    there = {one.name: one for one in run if one.level == highest}
    stages = [stage for stage in ours if stage.name in there]
    ordered = []
    while last := case.closing_of(stages):
        ordered.append(there[last.name])
        stages.remove(last)
    return ordered


def _program(build: Build, name: str, level: str | None) -> Program:
    """At the highest level that runs here, or at the one that was asked for."""
    every = [one for one in build.programs if (one.kind, one.name) == ("stage", name)]
    mine = [one for one in every if not one.cannot]
    chosen = [one for one in mine if level in (None, one.level)]
    if not chosen:
        levels = ", ".join(one.level for one in mine) or "none that runs here"
        code = 77 if any(level in (None, one.level) for one in every) else 2
        raise UserError(f"{name} has no program at {level or 'any level'}. Its levels: {levels}.", code=code)
    return chosen[-1]


def write(found: Sequence[Fuzzed], path: Path) -> Path:
    what = "Inputs that libFuzzer made for last stages, with sanitizers. Found: stages that differ from the oracle."
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
