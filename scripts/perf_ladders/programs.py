"""The command lines of a case's own programs around every stage, in shuffled rounds: timed, or asked for their rate."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from perf_ladders import stats
from perf_ladders.catalogue import Build, Command, known_levels
from perf_ladders.complaint import Complaint
from perf_ladders.evidence import Missing
from perf_ladders.measure import AGAIN, Design, Runner, Session, hyperfine, pinned, shuffled, started
from perf_ladders.rows import Result, Row, base_name

_CANNOT = (77, 2)  # exit codes of a program that says why it cannot run here


def taking_part(command: Command, runners: Sequence[Runner]) -> list[Runner]:
    """Those that have the program and are asked for: of each compiler at the levels asked for, else at the highest."""
    asked = command.stages
    having = [
        runner
        for runner in runners
        if command.app in runner.program.apps and (asked is None or runner.program.number in asked)
    ]
    highest: dict[str, str] = {}
    for runner in sorted(having, key=lambda runner: known_levels().index(runner.program.level)):
        highest[runner.program.compiler] = runner.program.level
    return [
        runner for runner in having if runner.program.level in (command.levels or (highest[runner.program.compiler],))
    ]


def rounds_of(command: Command, design: Design) -> int:
    """A quick look, which has a limit, takes no more rounds than it has."""
    asked = command.rounds or design.program_rounds
    return min(asked, design.program_rounds) if design.program_limit_s else asked


def measured(
    commands: Sequence[Command], runners: Sequence[Runner], design: Design, builds: Sequence[Build], begun: Session
) -> list[dict[str, Any]]:
    """What the result holds of each command line; every finished round is in the journal."""
    found = []
    for place, command in enumerate(commands):
        about = asdict(command)
        try:
            about |= _measured(command, f"program/{place}", taking_part(command, runners), design, builds, begun)
        except Missing as missing:
            about |= {"missing": str(missing), "rounds": 0, "runs": [], "left_out": []}
        found.append(about)
    return found


def _measured(
    command: Command, key: str, runners: list[Runner], design: Design, builds: Sequence[Build], begun: Session
) -> dict[str, Any]:
    if not runners:
        reasons = [entry["reason"] for build in builds for entry in build.left_out]
        names = [entry["name"] for build in builds for entry in build.left_out]
        at = next((place for place, name in enumerate(names) if name.endswith(f"-{command.app}")), None)
        raise Missing(reasons[at] if at is not None else "no program was built that runs here at these levels")
    if command.measure == "time" and shutil.which("hyperfine") is None:
        raise Missing("hyperfine is not installed (package hyperfine)")
    rounds = rounds_of(command, design)
    limit = design.program_limit_s
    if limit and not begun.journal.once(f"{key}/cheap", lambda: _fits(command, runners, design, limit / rounds)):
        raise Missing(f"not part of a quick look: all programs together would take over {limit:.0f} s")
    begun.expect(rounds * len(runners))
    cannot: dict[str, str] = {}
    for number in range(rounds):
        what = f"{command.title}: round {number + 1} of {rounds}"
        begun.progress.update(begun.task, description=what)
        if f"{key}/{number}" not in begun.journal:
            if not begun.console.is_terminal:
                begun.console.print(what, markup=False)
            begun.journal[f"{key}/{number}"] = _round(command, key, number, runners, cannot, design, begun)
        else:
            begun.progress.advance(begun.task, len(runners))
        cannot |= begun.journal[f"{key}/{number}"]["cannot"]
        if len(cannot) == len(runners):
            raise Missing(cannot[runners[0].id])
    return {
        "rounds": rounds,
        "runs": [
            {**run, "round": number}
            for number in range(rounds)
            for run in begun.journal[f"{key}/{number}"]["runs"]
            if run["runner"] not in cannot
        ],
        "left_out": [{"name": name, "reason": reason} for name, reason in sorted(cannot.items())],
    }


def _round(
    command: Command,
    key: str,
    number: int,
    runners: list[Runner],
    cannot: Mapping[str, str],
    design: Design,
    begun: Session,
) -> dict[str, Any]:
    runs, reasons = [], {}
    for runner, padding in shuffled(runners, begun.seed, key, number):
        if runner.id not in cannot:
            try:
                runs.append({"runner": runner.id, **_run(command, runner, padding, design)})
            except Missing as missing:
                reasons[runner.id] = str(missing)
        begun.progress.advance(begun.task)
    return {"runs": runs, "cannot": reasons}


def command_line(command: Command, runner: Runner, design: Design) -> list[str | Path]:
    return [*pinned(runner, design), runner.program.apps[command.app], *command.arguments]


def _run(command: Command, runner: Runner, padding: int, design: Design) -> dict[str, Any]:
    """The value of a round: seconds, or a rate in the unit of the command."""
    line = command_line(command, runner, design)
    if command.measure == "time":
        try:
            found = hyperfine(line, runner, padding)
        except Complaint:
            _complain(command, runner, started(line))
            raise
        return {"value": found["mean"], "hyperfine": found}
    done = started(line, padding)
    _complain(command, runner, done)
    if command.measure == "sizes":
        return _sizes(command, runner, done.stdout)
    try:
        trials = [float(trial) for trial in json.loads(done.stdout)["trials"]]
    except (json.JSONDecodeError, KeyError, TypeError, ValueError):
        raise Complaint(f"{runner.id}, {command.title}: it printed no JSON with trials.") from None
    if not trials or min(trials) <= 0:
        raise Complaint(f"{runner.id}, {command.title}: its trials are {trials}.")
    return {"value": max(trials), "trials": trials}


def _sizes(command: Command, runner: Runner, printed: str) -> dict[str, Any]:
    """The stage's time at each size, of which the largest counts, and what the program says of a device."""
    try:
        found = json.loads(printed)
        largest = max(found["sizes"], key=lambda one: one["bytes"])
        return {"value": largest["stage_ns"] / 1e9, "sizes": found["sizes"], "device": found["device"]}
    except (json.JSONDecodeError, KeyError, TypeError, ValueError):
        raise Complaint(f"{runner.id}, {command.title}: it printed no JSON with sizes and device.") from None


def _complain(command: Command, runner: Runner, done: subprocess.CompletedProcess[str]) -> None:
    said = " ".join(done.stderr.split())
    if done.returncode in _CANNOT:
        raise Missing(said.rstrip(".") or f"exit code {done.returncode}")
    if done.returncode != 0:
        raise Complaint(f"{runner.id}, {command.title}: went wrong (exit code {done.returncode}). {said}")


def _fits(command: Command, runners: list[Runner], design: Design, seconds_a_round: float) -> bool:
    """Whether the first of them, which is the slowest as a rule, leaves time for all the others."""
    try:
        started(command_line(command, runners[0], design), timeout_s=seconds_a_round / len(runners))
    except subprocess.TimeoutExpired:
        return False
    return True


def rows(result: Result, program: Mapping[str, Any]) -> list[Row]:
    """A row for each runner; a rate counts as the time of one, so that over 1 is faster for both."""
    values: dict[str, list[float]] = {}
    for run in sorted(program["runs"], key=itemgetter("round")):
        values.setdefault(run["runner"], []).append(run["value"])
    times = {
        name: [1 / value for value in found] if program["measure"] == "rate" else found
        for name, found in values.items()
    }
    runners = {one["id"]: one for one in result["runners"]}
    return [_row(result, one, values[name], times) for name, one in runners.items() if name in values]


def _row(result: Result, runner: Mapping[str, Any], values: list[float], times: Mapping[str, list[float]]) -> Row:
    place = f"{runner['level']}.{runner['compiler']}"
    reference, base = f"{result['case']}-00", base_name(result, runner)
    same_ladder = [r for r in result["runners"] if r["id"] in times and r["id"].endswith(f".{place}")]
    stages = [one["kind"] for one in same_ladder].count("stage")

    def over(name: str | None, floor: float | None, comparisons: int) -> stats.Comparison | None:
        other = times.get(f"{name}.{place}")
        mine = times[runner["id"]]
        if other is None or name == runner["stage"]:
            return None
        return stats.compare(other, mine, floor, comparisons)

    pair = [times.get(f"{name}.{place}") for name in (reference, reference + AGAIN)]
    floor = None  # without a control
    if pair[0] is not None and pair[1] is not None:
        floor = stats.floor_from(stats.compare(pair[0], pair[1], stats.LEAST_FLOOR, 1))
    control = runner["kind"] == "control"
    judged = (stats.LEAST_FLOOR, 1) if control else (floor, max(1, stages - 1))
    vs_reference, vs_base = over(reference, *judged), over(base, *judged)
    interval = stats.sign_interval(values)
    return {
        **{key: runner[key] for key in ("stage", "kind", "level", "compiler")},
        "n": len(values),
        "median": float(np.median(values)),
        "low": interval[0] if interval else None,
        "high": interval[1] if interval else None,
        "sd": float(np.std(values, ddof=1)) if len(values) > 1 else None,
        "floor": floor,
        "vs_reference": asdict(vs_reference) if vs_reference else None,
        "base": base if vs_base else None,
        "vs_base": asdict(vs_base) if vs_base else None,
    }
