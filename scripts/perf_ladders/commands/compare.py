"""`ladders compare`: is one of two programs faster, by how much, and how sure is that?"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
from collections.abc import Sequence
from dataclasses import asdict

from perf_ladders import sequential
from perf_ladders.commands import build, grammar
from perf_ladders.commands.measuring import optimised, programs_of
from perf_ladders.errors import UserError
from perf_ladders.machine import processes, topology
from perf_ladders.machine.alone import alone
from perf_ladders.measure.checking import check
from perf_ladders.measure.commands import GoogleBenchmark, Series, Stages, Whole
from perf_ladders.measure.commands import compare as measured
from perf_ladders.measure.runner import Runner, workloads_of
from perf_ladders.pages import formatting, terminal
from perf_ladders.stats import Comparison
from perf_ladders.tree import catalogue
from perf_ladders.tree.paths import ROOT

_UNDECIDED = 3  # exit code: at the cap the condition is neither true nor false


def compare(options: argparse.Namespace) -> None:
    condition = _Condition(options.expect_same, _share(options.max_slowdown))
    console = terminal.output(stderr=True)
    try:
        pair, names = _asked(options)
    except UserError as wrong:  # 1 means a difference here
        raise UserError(str(wrong), code=2 if wrong.code == 1 else wrong.code) from None
    if not isinstance(pair, Stages):
        _pin(options.cpus)
    with alone():

        def tell(found: Sequence[Series], seconds: float) -> None:
            if console.is_terminal:
                console.print(f"\r\x1b[2K{_live(found, seconds)}", end="", markup=False, highlight=False)

        with processes.stopped_with_us():
            try:
                found, seconds = measured(pair, condition.settled, tell, options.rounds or sequential.CAP)
            except UserError as wrong:  # no difference, which 1 means here
                raise UserError(str(wrong)) from None
    if console.is_terminal:
        console.print("\r\x1b[2K", end="")
    out = terminal.output(soft_wrap=True)
    if options.json:
        print(json.dumps([_record(one, seconds) for one in found], indent=1))
    else:
        for one in found:
            out.print(sentence(one.comparison, names, one.name, seconds), markup=False)
    condition.expect(found)


def _asked(options: argparse.Namespace) -> tuple[Whole | GoogleBenchmark | Stages, tuple[str, str]]:
    if len(options.words) == 2 and any(grammar.is_stage(word) for word in options.words):
        return _two_stages(options)
    if options.level:
        raise UserError("--level chooses among the programs of two stages: leave it out with commands.")
    first, second = _two_commands(options.words)
    if not options.google_benchmark:
        return Whole((first, second), options.prepare or ""), _names(first, second)
    if options.prepare:
        raise UserError("--prepare runs before each whole command: leave it out with --google-benchmark.")
    return GoogleBenchmark((first, second), options.google_benchmark), _names(first, second)


def _two_stages(options: argparse.Namespace) -> tuple[Stages, tuple[str, str]]:
    """Built and checked, on the main workloads, at the highest level at which both run."""
    if options.prepare or options.google_benchmark or options.cpus:
        raise UserError("--prepare, --google-benchmark and --cpus are for commands: leave them out with two stages.")
    found = [catalogue.find_stage(grammar.stage(word, catalogue.case_names()[0])) for word in options.words]
    names = (found[0][1].name, found[1][1].name)
    if found[0][0].name != found[1][0].name:
        raise UserError(f"{' and '.join(options.words)} are of two cases: only stages of one case do the same work.")
    build.set_up(["gcc"], environment=False)
    build.build_targets("gcc", names)
    built = optimised("gcc")
    levels = [options.level] if options.level else None
    sides = [{one.level: one for one in programs_of(stage, [built], levels)} for _, stage in found]
    common = [level for level in sides[0] if level in sides[1]]
    if not common:
        raise UserError(f"There is no level at which both {' and '.join(names)} run here.")
    pair = tuple(side[common[-1]] for side in sides)
    for _, wrong in check(list(pair), ROOT / "build" / built.preset, terminal.output(stderr=True)):
        raise UserError(wrong)
    first, second = map(Runner.of, pair)
    workloads = [one.name for one in workloads_of(pair[0]) if one.role == "main"]
    return Stages((first, second), workloads, topology.cpu_to_pin()), names


def sentence(found: Comparison, names: tuple[str, str], name: str = "", seconds: float | None = None) -> str:
    """b is 1.031x [1.026, 1.037] as fast as a: faster, 34 rounds, 21 s"""
    of = f"{name}: " if name else ""
    after = f", {seconds:.0f} s" if seconds is not None else ""
    ratio, verdict = formatting.ratio(found), formatting.verdict(found)
    return f"{of}{names[1]} is {ratio} as fast as {names[0]}: {verdict}, {found.rounds} rounds{after}"


class _Condition:
    """What a script asks for; nothing where a person only wants to know."""

    def __init__(self, expect_same: bool, max_slowdown: float | None) -> None:
        if expect_same and max_slowdown is not None:
            raise UserError("Give --expect-same or --max-slowdown, not both.")
        self._same, self._slowdown = expect_same, max_slowdown

    def settled(self, found: Sequence[Series]) -> bool:
        if not self._same and self._slowdown is None:
            return all(one.comparison.verdict != "undecided" for one in found)
        said = [self._holds(one) for one in found]
        return False in said or None not in said

    def expect(self, found: Sequence[Series]) -> None:
        if not self._same and self._slowdown is None:
            return
        said = [self._holds(one) for one in found]
        what = "there is a difference over 2 %" if self._same else f"it is slower by more than {self._slowdown:.3g}"
        if False in said:
            names = ", ".join(one.name for one, holds in zip(found, said, strict=True) if holds is False and one.name)
            raise UserError(f"The condition does not hold{f' for {names}' if names else ''}: {what}.", code=1)
        if None in said:
            raise UserError("The rounds did not decide the condition: allow more with --rounds.", code=_UNDECIDED)

    def _holds(self, one: Series) -> bool | None:
        """None while it is not decided."""
        if self._same:
            much_faster = sequential.above(one.values, sequential.ALIKE, one.of)
            not_much_slower = sequential.above(one.values, -sequential.ALIKE, one.of)
            if much_faster or not_much_slower is False:
                return False
            return True if not_much_slower and much_faster is False else None
        return sequential.above(one.values, -math.log1p(self._slowdown or 0), one.of)


def _two_commands(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """`./a args -- ./b args`; the first `--` of the command line is gone already."""
    if words.count("--") != 1:
        raise UserError(
            "Name two commands: ./ladders compare -- ./a ARGUMENTS -- ./b ARGUMENTS, or two stages: xtea-06 xtea-07"
        )
    place = words.index("--")
    first, second = words[:place], words[place + 1 :]
    if not first or not second:
        raise UserError("One of the two commands is empty: ./ladders compare -- ./a ARGUMENTS -- ./b ARGUMENTS")
    return first, second


def _names(first: Sequence[str], second: Sequence[str]) -> tuple[str, str]:
    """The programs' names, where they differ, else the whole command lines."""
    short = os.path.basename(first[0]), os.path.basename(second[0])  # noqa: PTH119 - a word, not a path
    return short if short[0] != short[1] else (f"`{' '.join(first)}`", f"`{' '.join(second)}`")


def _share(word: str | None) -> float | None:
    if word is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(%?)", word)
    if not match:
        raise UserError(f"--max-slowdown takes a share such as 2% or 0.02, not '{word}'.")
    return float(match[1]) / (100 if match[2] else 1)


def _pin(cpus: int | None) -> None:
    """On the CPU that is best for one program, or on the first of those that are allowed. The programs inherit it."""
    allowed = topology.allowed_cpus()
    if cpus is not None and cpus > len(allowed):
        raise UserError(f"This machine has {len(allowed)} CPUs to use, not {cpus}.")
    os.sched_setaffinity(0, allowed[:cpus] if cpus and cpus > 1 else {topology.cpu_to_pin()})


def _live(found: Sequence[Series], seconds: float) -> str:
    decided = sum(one.comparison.verdict != "undecided" for one in found)
    first = next((one for one in found if one.comparison.verdict == "undecided"), found[0]).comparison
    return f"round {first.rounds}, {seconds:.0f} s: {decided} of {len(found)} decided; {formatting.ratio(first)}"


def _record(one: Series, seconds: float) -> dict[str, object]:
    return {"name": one.name, **asdict(one.comparison), "seconds": seconds, "values": one.values}
