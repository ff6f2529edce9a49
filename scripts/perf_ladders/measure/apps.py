"""The command lines of a case's own programs around every stage, in shuffled rounds: timed, or asked for their rate."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from perf_ladders.errors import Missing, UserError
from perf_ladders.machine import processes
from perf_ladders.measure import tree_input
from perf_ladders.measure.placement import reread
from perf_ladders.measure.runner import Plan, Runner, hyperfine, pinned, started
from perf_ladders.measure.session import Session, shuffled
from perf_ladders.model.apps import App, AppRun, Device, SizeTime, Waits
from perf_ladders.model.record import AboveZero, Count, LeftOut, Record
from perf_ladders.tree.case_file import Command
from perf_ladders.tree.levels import known_levels

_CANNOT = (77, 2)  # exit codes of a program that says why it cannot run here


class _Round(Record, kw_only=True):
    runs: list[AppRun]
    cannot: dict[str, str]  # by program: why it cannot run here


class _Latency(msgspec.Struct):
    median: AboveZero
    p99: AboveZero
    worst: AboveZero


class _Cell(msgspec.Struct):
    policy: str
    latency_us: _Latency

    def waits(self) -> Waits:
        us = self.latency_us
        median, p99, longest = (round(1e3 * value) for value in (us.median, us.p99, us.worst))
        return Waits(policy=self.policy, median_ns=median, p99_ns=p99, longest_ns=longest)


class _Rate(msgspec.Struct):
    trials: list[float]
    cells: list[_Cell] = []  # of packets

    def run(self, program: str, number: int) -> AppRun:
        if not self.trials or min(self.trials) <= 0:
            raise ValueError(f"its trials are {self.trials}")
        waits = [cell.waits() for cell in self.cells]
        if len({one.policy for one in waits}) < len(waits):
            raise ValueError("a policy is there twice: ask for one mix")
        return AppRun(program=program, round=number, value=max(self.trials), trials=self.trials, waits=waits)


class _Sizes(msgspec.Struct):
    sizes: Annotated[list[SizeTime], msgspec.Meta(min_length=1)]
    device: Device | None

    def run(self, program: str, number: int) -> AppRun:
        largest = max(self.sizes, key=lambda one: one.bytes)
        value = largest.stage_ns / 1e9
        return AppRun(program=program, round=number, value=value, sizes=self.sizes, device=self.device)


class _Counts(msgspec.Struct):
    counts: Annotated[dict[str, Count], msgspec.Meta(min_length=1)]

    def run(self, program: str, number: int) -> AppRun:
        return AppRun(program=program, round=number, value=max(self.counts.values()), counts=self.counts)


# By the measure of the command: what the program prints, and what an error calls it.
_PRINTED: dict[str, tuple[type[_Rate | _Sizes | _Counts], str]] = {
    "rate": (_Rate, "trials"),
    "sizes": (_Sizes, "sizes and device"),
    "counts": (_Counts, "counts"),
}


def taking_part(command: Command, runners: Sequence[Runner]) -> list[Runner]:
    """Those that have the program and are asked for: of each compiler at the levels asked for, else at the highest."""
    asked = command.stages
    having = [
        runner
        for runner in runners
        if command.app in runner.program.apps
        and (asked is None or runner.about.stage in asked or (command.libraries and runner.about.kind == "peer"))
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
        about = tree_input.of_command(command)
        app = App(
            app=command.app,
            arguments=command.arguments,
            measure=command.measure,
            unit=command.unit,
            rounds=0,
            input=about,
        )
        key = f"app/{place}" + (f"/{about.sha256}" if about else "")  # other files begin again
        try:
            found.append(_measured(app, command, key, taking_part(command, runners), left_out, begun))
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
    words = tree_input.filled(command.arguments, command)
    return [*pinned(runner, cpu), runner.program.apps[command.app], *words]


def _run(command: Command, runner: Runner, padding: int, number: int, cpu: int) -> AppRun:
    """The value of a round: seconds, or a rate in the unit of the command."""
    line = command_line(command, runner, cpu)
    reread(runner.program.apps[command.app])
    if command.measure == "time":
        try:
            took = hyperfine(line, runner, padding)
        except UserError:
            _complain(command, runner, started(line))
            raise
        return AppRun(program=runner.id, round=number, value=took.mean, user=took.user, system=took.system)
    done = started(line, padding)
    _complain(command, runner, done)
    kind, wanted = _PRINTED[command.measure]
    try:
        said = msgspec.json.decode(done.stdout, type=kind)
    except msgspec.DecodeError as error:
        raise UserError(f"{runner.id}, {command.title}: it printed no JSON with {wanted} ({error}).") from None
    try:
        return said.run(runner.id, number)
    except ValueError as error:
        raise UserError(f"{runner.id}, {command.title}: {error}.") from None


def _complain(command: Command, runner: Runner, done: subprocess.CompletedProcess[str]) -> None:
    said = " ".join(done.stderr.split())
    if done.returncode in _CANNOT:
        raise Missing(said.rstrip(".") or f"exit code {done.returncode}")
    if done.returncode != 0:
        how = processes.ending(done.returncode)
        raise UserError(f"{runner.id}, {command.title}: it {how}. {said}".rstrip(), code=1)


def _fits(command: Command, runners: list[Runner], cpu: int, seconds_a_round: float) -> bool:
    """Whether the first of them, which is the slowest as a rule, leaves time for all the others."""
    try:
        started(command_line(command, runners[0], cpu), timeout_s=seconds_a_round / len(runners))
    except subprocess.TimeoutExpired:
        return False
    return True
