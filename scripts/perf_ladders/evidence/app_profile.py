"""Where a program of the case spends its time, function by function, and how much of that is the stage's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from perf_ladders.errors import Missing
from perf_ladders.evidence.assembly import by_readable_name, functions
from perf_ladders.evidence.instructions import callgrind, costs, undecodable
from perf_ladders.evidence.samples import need_counters, record, stat
from perf_ladders.evidence.tools import attempt
from perf_ladders.measure import tree_input
from perf_ladders.measure.apps import command_line, taking_part
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.runner import Plan, Runner, pinned
from perf_ladders.model.apps import AppCounters, AppProfile, Profile
from perf_ladders.model.evidence import FunctionShare
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.case_file import Command

_FUNCTIONS = 12  # at most so many in a measurement
_LIMIT_S, _QUICK_LIMIT_S = 300.0, 60.0  # for each tool


def profiled(command: Command, runners: Sequence[Runner]) -> list[Runner]:
    """The reference and the last stage of each ladder that does its own work."""
    found: dict[tuple[str, str], list[Runner]] = {}
    for runner in taking_part(command, runners):
        if runner.about.kind == "stage" and not runner.about.device:
            found.setdefault((runner.about.level, runner.about.compiler), []).append(runner)
    ladders = [sorted(stages, key=lambda runner: runner.program.name) for stages in found.values()]
    return [runner for stages in ladders for runner in (stages[0], *stages[1:][-1:])]


def collect(
    commands: Sequence[Command], runners: Sequence[Runner], builds: Sequence[Build], plan: Plan, journal: Journal
) -> list[dict[str, AppProfile]]:
    """Of each command line, by program; empty where none was asked for."""
    build_of = {program.id: build for build in builds for program in build.programs}

    def profile_of(place: int, command: Command, runner: Runner) -> AppProfile:
        build = build_of[runner.program.id]
        key = f"app/{place}/profile/{runner.id}"
        return journal.once(key, lambda: profile(command, runner, build, plan), AppProfile)

    return [
        {one.id: profile_of(place, command, one) for one in profiled(command, runners)} if command.profile else {}
        for place, command in enumerate(commands)
    ]


def profile(command: Command, runner: Runner, build: Build, plan: Plan) -> AppProfile:
    limit_s = _QUICK_LIMIT_S if plan.app_limit_s else _LIMIT_S
    line = command_line(command, runner, plan.cpu)
    missing: dict[str, str] = {}
    return AppProfile(
        instructions=attempt("instructions", lambda: _instructions(command, runner, plan.cpu, limit_s), missing),
        samples=attempt("samples", lambda: _samples(line, command, runner, build, limit_s), missing),
        counters=attempt("counters", lambda: _counters(line, build, limit_s), missing),
        missing=missing,
    )


def _instructions(command: Command, runner: Runner, cpu: int, limit_s: float) -> Profile:
    path = runner.program.apps[command.app]
    arguments = command.arguments if command.profile_arguments is None else command.profile_arguments
    before = [str(word) for word in pinned(runner, cpu)]
    numbers: Counter[tuple[str, str]] = Counter()
    if undecodable(path):
        raise Missing("callgrind: Valgrind does not know these instructions")
    words = tree_input.filled(arguments, command)
    for file, function, _, cost in costs(callgrind([path, *words], ["--demangle=no"], before, limit_s)):
        numbers[function, file] += cost
    return shares("callgrind", by_readable_name(numbers, path), runner.program, arguments)


def _samples(line: Sequence[str | Path], command: Command, runner: Runner, build: Build, limit_s: float) -> Profile:
    found = record(line, runner.program.apps[command.app], build, limit_s)
    return shares(found.event, found.functions, runner.program, [])


def _counters(line: Sequence[str | Path], build: Build, limit_s: float) -> AppCounters:
    need_counters(build)
    return stat(line, limit_s)


def shares(by: str, numbers: Mapping[str, int], program: Program, arguments: list[str]) -> Profile:
    """The heaviest functions; `own` are those of the stage's object file, however many of them are shown."""
    own = {function.name for function in functions(program.object)}
    total = sum(numbers.values())
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    return Profile(
        by=by,
        count=total,
        own_share=sum(number for name, number in numbers.items() if name in own) / total,
        functions=[
            FunctionShare(name=name, share=number / total, own=name in own) for name, number in ordered[:_FUNCTIONS]
        ],
        arguments=arguments,
    )
