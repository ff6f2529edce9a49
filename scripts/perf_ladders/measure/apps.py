"""The command lines of a case's own programs around every stage, in shuffled rounds: timed, or asked for their rate."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from perf_ladders.errors import Missing, UserError
from perf_ladders.measure.runner import Plan, Runner, hyperfine, pinned, started
from perf_ladders.measure.session import Session, shuffled
from perf_ladders.model.apps import App, AppRun, Device, SizeTime
from perf_ladders.model.record import LeftOut, Record
from perf_ladders.tree.case_file import Command
from perf_ladders.tree.levels import known_levels

_CANNOT = (77, 2)  # exit codes of a program that says why it cannot run here


class _Round(Record, kw_only=True):
    runs: list[AppRun]
    cannot: dict[str, str]  # by program: why it cannot run here


class _Trials(msgspec.Struct):
    trials: list[float]


class _Sizes(msgspec.Struct):
    sizes: list[SizeTime]
    device: Device | None


def taking_part(command: Command, runners: Sequence[Runner]) -> list[Runner]:
    """Those that have the program and are asked for: of each compiler at the levels asked for, else at the highest."""
    asked = command.stages
    having = [
        runner
        for runner in runners
        if command.app in runner.program.apps and (asked is None or runner.about.stage in asked)
    ]
    highest: dict[str, str] = {}
    for runner in sorted(having, key=lambda runner: known_levels().index(runner.about.level)):
        highest[runner.about.compiler] = runner.about.level
    return [runner for runner in having if runner.about.level in (command.levels or (highest[runner.about.compiler],))]


def rounds_of(command: Command, plan: Plan) -> int:
    """A quick report, which has a time limit, takes no more rounds than it has."""
    asked = command.rounds or plan.app_rounds
    return min(asked, plan.app_rounds) if plan.app_limit_s else asked


def measured(
    commands: Sequence[Command], runners: Sequence[Runner], left_out: Sequence[LeftOut], begun: Session
) -> list[App]:
    """Each command line; every finished round is in the journal. `left_out`: the apps that were not built, too."""
    found = []
    for place, command in enumerate(commands):
        app = App(app=command.app, arguments=command.arguments, measure=command.measure, unit=command.unit, rounds=0)
        try:
            found.append(_measured(app, command, f"app/{place}", taking_part(command, runners), left_out, begun))
        except Missing as missing:
            found.append(msgspec.structs.replace(app, missing=str(missing)))
    return found


def _measured(
    app: App, command: Command, key: str, runners: list[Runner], left_out: Sequence[LeftOut], begun: Session
) -> App:
    if not runners:
        reasons = [entry.reason for entry in left_out if entry.name == command.app]
        raise Missing(reasons[0] if reasons else "no program was built that runs here at these levels")
    if command.measure == "time" and shutil.which("hyperfine") is None:
        raise Missing("hyperfine is not installed (package hyperfine)")
    plan, journal = begun.plan, begun.journal
    rounds, limit = rounds_of(command, plan), plan.app_limit_s
    if limit and not journal.once(f"{key}/cheap", lambda: _fits(command, runners, plan.cpu, limit / rounds), bool):
        raise Missing(f"not part of a quick report: all programs together would take over {limit:.0f} s")
    begun.expect(rounds * len(runners))
    cannot: dict[str, str] = {}
    runs: list[AppRun] = []
    for number in range(rounds):
        what = f"{command.title}: round {number + 1} of {rounds}"
        begun.describe(what)
        if f"{key}/{number}" in journal:
            begun.advance(len(runners))
        else:
            begun.say(what)
            journal.put(f"{key}/{number}", _round(command, key, number, runners, cannot, begun))
        found = journal.get(f"{key}/{number}", _Round)
        runs += found.runs
        cannot |= found.cannot
        if len(cannot) == len(runners):
            raise Missing(cannot[runners[0].id])
    return msgspec.structs.replace(
        app,
        rounds=rounds,
        runs=[run for run in runs if run.program not in cannot],
        left_out=[LeftOut(name=name, reason=reason) for name, reason in sorted(cannot.items())],
    )


def _round(
    command: Command, key: str, number: int, runners: list[Runner], cannot: Mapping[str, str], begun: Session
) -> _Round:
    found = _Round(runs=[], cannot={})
    for runner, padding in shuffled(runners, begun.seed, key, number):
        if runner.id not in cannot:
            try:
                found.runs.append(_run(command, runner, padding, number, begun.plan.cpu))
            except Missing as missing:
                found.cannot[runner.id] = str(missing)
        begun.advance()
    return found


def command_line(command: Command, runner: Runner, cpu: int) -> list[str | Path]:
    return [*pinned(runner, cpu), runner.program.apps[command.app], *command.arguments]


def _run(command: Command, runner: Runner, padding: int, number: int, cpu: int) -> AppRun:
    """The value of a round: seconds, or a rate in the unit of the command."""
    line = command_line(command, runner, cpu)
    if command.measure == "time":
        try:
            took = hyperfine(line, runner, padding)
        except UserError:
            _complain(command, runner, started(line))
            raise
        return AppRun(program=runner.id, round=number, value=took.mean, user=took.user, system=took.system)
    done = started(line, padding)
    _complain(command, runner, done)
    try:
        if command.measure == "sizes":
            said = msgspec.json.decode(done.stdout, type=_Sizes)
            largest = max(said.sizes, key=lambda one: one.bytes)
            value = largest.stage_ns / 1e9
            return AppRun(program=runner.id, round=number, value=value, sizes=said.sizes, device=said.device)
        trials = msgspec.json.decode(done.stdout, type=_Trials).trials
    except (msgspec.DecodeError, ValueError) as error:
        wanted = "sizes and device" if command.measure == "sizes" else "trials"
        raise UserError(f"{runner.id}, {command.title}: it printed no JSON with {wanted} ({error}).") from None
    if not trials or min(trials) <= 0:
        raise UserError(f"{runner.id}, {command.title}: its trials are {trials}.")
    return AppRun(program=runner.id, round=number, value=max(trials), trials=trials)


def _complain(command: Command, runner: Runner, done: subprocess.CompletedProcess[str]) -> None:
    said = " ".join(done.stderr.split())
    if done.returncode in _CANNOT:
        raise Missing(said.rstrip(".") or f"exit code {done.returncode}")
    if done.returncode != 0:
        raise UserError(f"{runner.id}, {command.title}: failed (exit code {done.returncode}). {said}")


def _fits(command: Command, runners: list[Runner], cpu: int, seconds_a_round: float) -> bool:
    """Whether the first of them, which is the slowest as a rule, leaves time for all the others."""
    try:
        started(command_line(command, runners[0], cpu), timeout_s=seconds_a_round / len(runners))
    except subprocess.TimeoutExpired:
        return False
    return True
