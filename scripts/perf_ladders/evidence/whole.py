"""Where a program of the case spends its time, function by function, and how much of that is the stage's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from perf_ladders.catalogue import Build, Command, Program
from perf_ladders.evidence import Missing
from perf_ladders.evidence.assembly import functions, readable
from perf_ladders.evidence.instructions import callgrind, costs, undecodable
from perf_ladders.evidence.samples import need_counters, record, stat
from perf_ladders.measure import Design, Journal, Runner, pinned
from perf_ladders.programs import command_line, taking_part

_FUNCTIONS = 12  # at most so many in a result
_LIMIT_S, _QUICK_LIMIT_S = 300.0, 60.0  # for each tool

Evidence = dict[str, Any]


def profiled(command: Command, runners: Sequence[Runner]) -> list[Runner]:
    """The reference and the last stage of each ladder that does its own work."""
    found: dict[tuple[str, str], list[Runner]] = {}
    for runner in taking_part(command, runners):
        if runner.program.kind == "stage" and runner.name == runner.program.name and not runner.program.device:
            found.setdefault((runner.program.level, runner.program.compiler), []).append(runner)
    ladders = [sorted(stages, key=lambda runner: runner.name) for stages in found.values()]
    return [runner for stages in ladders for runner in (stages[0], *stages[1:][-1:])]


def collect(
    commands: Sequence[Command],
    programs: Sequence[dict[str, Any]],
    runners: Sequence[Runner],
    builds: Sequence[Build],
    design: Design,
    journal: Journal,
) -> list[dict[str, Any]]:
    """The programs of a result, those that are to be profiled with their profiles by runner."""
    build_of = {build.compiler["name"]: build for build in builds}

    def profile_of(place: int, command: Command, runner: Runner) -> Evidence:
        build = build_of[runner.program.compiler]
        found: Evidence = journal.once(
            f"program/{place}/profile/{runner.id}", lambda: profile(command, runner, build, design)
        )
        return found

    return [
        {**found, "profiles": {one.id: profile_of(place, command, one) for one in profiled(command, runners)}}
        if command.profile
        else found
        for place, (command, found) in enumerate(zip(commands, programs, strict=True))
    ]


def profile(command: Command, runner: Runner, build: Build, design: Design) -> Evidence:
    limit_s = _QUICK_LIMIT_S if design.program_limit_s else _LIMIT_S
    line, path = command_line(command, runner, design), runner.program.apps[command.app]
    return {
        "instructions": _either(lambda: _instructions(command, runner, design, limit_s)),
        "samples": _either(lambda: _samples(line, path, runner.program, build, limit_s)),
        "counters": _either(lambda: _counters(line, build, limit_s)),
    }


def _either(gather: Callable[[], Evidence]) -> Evidence:
    try:
        return gather()
    except Missing as missing:
        return {"missing": str(missing)}


def _instructions(command: Command, runner: Runner, design: Design, limit_s: float) -> Evidence:
    path = runner.program.apps[command.app]
    arguments = command.arguments if command.profile_arguments is None else command.profile_arguments
    before = [str(word) for word in pinned(runner, design)]
    numbers: dict[tuple[str, str], int] = {}
    if undecodable(path):
        raise Missing("callgrind: Valgrind does not know these instructions")
    for file, function, _, cost in costs(callgrind([path, *arguments], ["--demangle=no"], before, limit_s)):
        numbers[file, function] = numbers.get((file, function), 0) + cost
    names = readable([function for _, function in numbers])
    by_name: dict[str, int] = {}
    for name, ((file, _), number) in zip(names, numbers.items(), strict=True):
        key = name if Path(file) == path else f"{name} in {Path(file).name}"
        by_name[key] = by_name.get(key, 0) + number
    return {"how": "callgrind", "arguments": arguments, **shares(by_name, runner.program)}


def _samples(line: Sequence[str | Path], path: Path, program: Program, build: Build, limit_s: float) -> Evidence:
    found = record(line, path, build, limit_s)
    return {"event": found.event, **shares(found.functions, program)}


def _counters(line: Sequence[str | Path], build: Build, limit_s: float) -> Evidence:
    need_counters(build)
    found = stat(line, limit_s)
    cycles, instructions = found.get("cycles"), found.get("instructions")
    return {**found, "ipc": instructions / cycles if cycles and instructions else None}


def shares(numbers: Mapping[str, int], program: Program) -> Evidence:
    """The heaviest functions; `own` are those of the stage's object file, however many of them are shown."""
    own = {function.name for function in functions(program.object)}
    total = sum(numbers.values())
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    return {
        "count": total,
        "own_share": sum(number for name, number in numbers.items() if name in own) / total,
        "functions": [
            {"name": name, "share": number / total, "own": name in own} for name, number in ordered[:_FUNCTIONS]
        ],
    }
