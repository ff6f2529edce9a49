"""`run N` of each program, starting and ending included, in shuffled rounds: one run of hyperfine each."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from perf_ladders.measure.runner import Runner, command_line, hyperfine, started, workloads_of
from perf_ladders.measure.session import Session, shuffled
from perf_ladders.model.measurement import WholePrograms, WholeRun

_WHOLE_S = 0.1  # of the slowest program


def measured(runners: Sequence[Runner], slowest_call_ns: float, begun: Session) -> WholePrograms:
    rounds = begun.plan.whole_rounds
    if not rounds:
        return WholePrograms(missing="not part of this measurement")
    if shutil.which("hyperfine") is None:
        return WholePrograms(missing="hyperfine is not installed (package hyperfine)")
    calls = max(1, round(_WHOLE_S * 1e9 / slowest_call_ns))
    workload = workloads_of(runners[0].program)[0].name
    runs: list[WholeRun] = []
    for number in range(rounds):
        key = f"whole/{number}"
        if key not in begun.journal:
            begun.describe(f"Whole programs: round {number + 1} of {rounds}")
            begun.journal.put(key, _round(runners, number, calls, workload, begun))
        else:
            begun.advance(len(runners))
        runs += begun.journal.get(key, list[WholeRun])
    tool = started(["hyperfine", "--version"]).stdout.strip()
    return WholePrograms(tool=tool, calls=calls, rounds=rounds, workload=workload, runs=runs)


def _round(runners: Sequence[Runner], number: int, calls: int, workload: str, begun: Session) -> list[WholeRun]:
    runs = []
    for runner, padding in shuffled(runners, begun.seed, "whole", number):
        command = command_line(runner, begun.plan.cpu, "run", str(calls), workload)
        took = hyperfine(command, runner, padding)
        runs.append(WholeRun(program=runner.id, round=number, seconds=took.mean, user=took.user, system=took.system))
        begun.advance()
    return runs
