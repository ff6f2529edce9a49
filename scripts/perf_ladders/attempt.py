"""One attempt at a rung: the learner's file is built, checked, looked at for fair play, and measured in shuffled blocks
beside the stage it builds on, the repository's answer and the best stage that runs here.
"""

from __future__ import annotations

import math
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from perf_ladders import fair_play, machine, measure, stats
from perf_ladders.catalogue import ROOT, Build, Case, Program, Stage, read_build
from perf_ladders.complaint import Complaint
from perf_ladders.evidence import Missing
from perf_ladders.evidence.collect import Evidence, Plan, collect
from perf_ladders.measure import AGAIN, Design, Journal, Part, Runner
from perf_ladders.neighbour import looks_of
from perf_ladders.rows import clock_of, times_of
from perf_ladders.stats import Comparison

BLOCKS = 10
ENOUGH = 0.5  # of the way to the answer, in logarithms: half as many doublings
_NOISY = 0.25  # a difference of the reference from itself, beyond which nothing is judged
_LITTLE = 0.1  # a gain that may be none as long as it is unresolved
_SUSPICIOUS = 1.5  # times as fast as the best stage
_COMPARISONS = 4  # that hold together: with reference, base, answer and best

Say = Callable[[str], None]  # what is being done


class Unbuilt(Complaint):
    """A program does not compile; the sentence is the compiler's."""


@dataclass(frozen=True)
class Field:
    """What an attempt at a rung is measured beside, all at one level with one compiler."""

    case: Case
    build: Build
    workload: str
    mine: Program
    reference: Program
    base: Program
    answer: Program
    best: Program

    @property
    def mine_name(self) -> str:
        """In the results, also where it is one of the stages."""
        return f"{self.case.name}-mine"

    @property
    def runners(self) -> list[Runner]:
        """Each program once, the reference a second time as the control."""
        programs = {program.name: program for program in (self.reference, self.base, self.answer, self.best)}
        others = [Runner(program, name) for name, program in programs.items()]
        return [Runner(self.mine, self.mine_name), *others, Runner(self.reference, self.reference.name + AGAIN)]


@dataclass
class Attempt:
    """What became of it; a part that was not reached is empty."""

    uncompiled: str = ""  # what the compiler says
    wrong: list[str] = field(default_factory=list)  # the first failure of the check
    unfair: list[str] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)  # the median of a call, by program, in nanoseconds
    floor: float = 0.0  # what the reference shows against itself
    against: dict[str, Comparison] = field(default_factory=dict)  # mine over each program
    answer_over_base: Comparison | None = None
    uncompared: str = ""  # why it is not known whether later calls do what the first does
    remark: str = ""  # why somebody should look at it
    blocks: list[dict[str, Any]] = field(default_factory=list)

    @property
    def gains_nothing(self) -> bool:
        """The answer itself is not faster here: then to be correct and not slower is what is asked."""
        return self.answer_over_base is not None and self.answer_over_base.verdict != "faster"

    @property
    def untold(self) -> str:
        """Why nothing is judged by these times; empty where it is."""
        answer = self.answer_over_base
        if self.floor > _NOISY:
            said = f"the reference differs from itself by {self.floor:.0%}"
            looks = looks_of(self.blocks)
            if looks and not looks.ok:
                said += f"; something else used this core in {looks.busy} of {looks.all} looks"
            return said
        if answer and answer.verdict == "unresolved" and (answer.low is None or answer.ratio > 1 + _LITTLE):
            return "these blocks are too few to see the gain; make watch BLOCKS=40 takes more"
        return ""

    def share_of_way(self, base: str) -> float | None:
        """From the base, 0, to the answer, 1: by logarithms, so that twice as fast counts the same everywhere."""
        if self.answer_over_base is None or self.gains_nothing:
            return None
        return math.log(self.against[base].ratio) / math.log(self.answer_over_base.ratio)

    def passes(self, base: str, answer: str) -> bool:
        """The whole interval, not the middle of it, must be far enough. An answer that is itself slower than what it
        builds on asks for no more than it gives."""
        mine = self.against.get(base)
        if self.uncompiled or self.wrong or self.unfair or self.untold or mine is None or mine.low is None:
            return False
        assert self.answer_over_base
        if self.gains_nothing:
            return mine.verdict != "slower" or self.against[answer].verdict != "slower"
        return mine.verdict == "faster" and math.log(mine.low) >= ENOUGH * math.log(self.answer_over_base.ratio)

    def figures(self, names: dict[str, str]) -> dict[str, Any]:
        """As the scoreboard holds them."""
        return {f"vs_{role}": asdict(self.against[name]) for role, name in names.items()}


def configure(preset: str) -> None:
    """CMake reads the tree once more: the head of the learner's file may ask for something else."""
    done = subprocess.run(["cmake", "--preset", preset], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Complaint(f"cmake --preset {preset} failed: {(done.stderr or done.stdout).strip()[-500:]}")


def build(preset: str, targets: list[str]) -> None:
    command = ["cmake", "--build", str(ROOT / "build" / preset), "--target", *targets]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Unbuilt(compiler_says(done.stdout + done.stderr))


def compiler_says(text: str) -> str:
    """From the first error on, without this machine's folders."""
    lines = text.replace(f"{ROOT}/", "").splitlines()
    first = next((place for place, line in enumerate(lines) if re.search(r"\b(error|undefined)\b", line)), 0)
    kept = [line for line in lines[first:] if not re.match(r"\[\d+/\d+\]|FAILED:|ninja: |\S*c\+\+\S* ", line)]
    return "\n".join(kept).strip() or text.strip()[-500:]


def levels_here(build_found: Build) -> list[str]:
    """Those that this CPU runs, the highest first."""
    runs = [
        level for level, program in build_found.machine.items() if measure.started([program, "clock"]).returncode == 0
    ]
    return runs[::-1]


def field_of(case: Case, rung: Stage, base: Stage, preset: str, level: str, mine: str, workload: str | None) -> Field:
    """All of it is built. `mine` names the program that is measured as the learner's."""
    found = read_build(preset)
    every = [*found.programs, *found.exercises]
    here = {program.name: program for program in every if program.level == level and program.case == case.name}

    def program(name: str, what: str) -> Program:
        if name in here:
            return here[name]
        left_out = [entry["reason"] for entry in found.left_out if entry["name"] == name]
        reason = left_out[0] if left_out else f"it is not built at {level}"
        raise Complaint(f"{name}, {what}, cannot be measured here: {reason}.", code=77)

    asked = program(mine, "your program")
    reference = program(f"{case.name}-00", "the reference")
    start = program(base.name, "what this rung begins with")
    answer = program(rung.name, "the answer of this rung")
    stages = [here[stage.name] for stage in case.stages if stage.name in here and not here[stage.name].device]
    wanted = dict.fromkeys([*(p.name for p in (reference, start, answer)), stages[-1].name])
    build(preset, [f"{name}.{level}" for name in wanted])
    lacking = measure.runnable([answer])[1]
    if lacking:
        raise Complaint(lacking[0]["reason"], code=77)
    best = start
    for stage in reversed(stages):  # the last that runs here
        build(preset, [f"{stage.name}.{level}"])
        if measure.runnable([stage])[0]:
            best = stage
            break
    named = workload or measure.workloads_of(reference)[0].name
    return Field(case, found, named, asked, reference, start, answer, best)


def first_failure(program: Program, lanes: int | None, of_jobs: bool) -> list[str]:
    """Empty if every check passes; else the first failure in a few lines, with the lane that its block goes through."""
    command: list[str | Path] = [program.path, "check", "--gtest_brief=1", "--gtest_fail_fast"]
    try:
        result = measure.started(command, timeout_s=measure.CHECK_LIMIT_S)
    except subprocess.TimeoutExpired:
        return [f"The check did not end in {measure.CHECK_LIMIT_S} s: does a loop go on for ever?"]
    if result.returncode == 0:
        return []
    if result.returncode < 0:
        ended = [f"The program was ended by {signal.Signals(-result.returncode).name}: it touched what is not its own."]
        return ended if result.returncode == -signal.SIGSEGV else [ended[0].split(":")[0] + "."]
    return failure_in(result.stdout + result.stderr, lanes, of_jobs)


def failure_in(said: str, lanes: int | None, of_jobs: bool) -> list[str]:
    """Of what GoogleTest prints: what differs, and where. Lanes take jobs, where a case has them, else blocks."""
    lines = said.splitlines()
    start = next((place for place, line in enumerate(lines) if line.endswith(": Failure")), None)
    if start is None:
        return [line for line in lines if line.strip()][:6] or ["The check failed and said nothing."]
    kept: list[str] = []
    for line in lines[start + 1 :]:
        if not line.strip() or line.endswith((": Failure", ": Skipped")) or line.startswith("["):
            break
        actual = re.match(r"  Actual: (?:true|false) \((.*)\)$", line)
        if actual:
            kept = [actual[1]]
        elif not re.match(r"Value of: |Expected: (true|false)$|  Actual: |  Which is: |With diff:|@@", line):
            kept.append(line.strip())
    test = next((m[1] for line in lines if (m := re.match(r"\[  FAILED  \] ([^ ,]+)", line))), None)
    several = "message|buffer|job" if of_jobs else "message|block"
    place = re.search(rf"\b(?:{several}) (\d+)", "\n".join(kept))
    if place and lanes and lanes > 1:
        kept.append(f"If {lanes} go side by side in a vector, that is lane {int(place[1]) % lanes}.")
    return [*kept[:5], *([f"in the test {test}"] if test else [])]


def lanes_of(case: Case, found: Build, level: str, cpu: int) -> int | None:
    """How many words of the case a vector of this level holds."""
    bits = case.operations.get("lane_bits")
    rates = machine.rates(found, cpu).get(level)
    return int(rates["vector_bytes"] * 8 / bits) if bits and rates else None


def judge(place: Field, blocks: int, lanes: int | None, cpu: int, console: Console, say: Say) -> Attempt:
    """The program is built already. Stops where there is no point in going on."""
    attempt = Attempt()
    say("Checking")
    attempt.wrong = first_failure(place.mine, lanes, bool(place.case.jobs))
    if attempt.wrong:
        return attempt
    say("Looking whether every call does its work")
    symbols = place.case.symbols
    may_keep = bool(fair_play.kept_between_calls(place.answer) or fair_play.kept_between_calls(place.base))
    attempt.unfair = fair_play.unfair(place.mine, symbols, may_keep)
    try:
        attempt.unfair += fair_play.calls_differ(place.mine, symbols, place.workload, cpu)
    except Missing as missing:
        attempt.uncompared = str(missing)
    if attempt.unfair:
        return attempt
    say(f"Measuring, {blocks} blocks")
    design = Design(blocks, 0, 0, cpu)
    part = Part("attempt", [place.workload], blocks)
    with tempfile.TemporaryDirectory() as folder, measure.alone(), measure.progress_bar(console) as progress:
        journal = Journal(Path(folder) / "attempt", design, [part], place.runners)
        begun = measure.begun(journal, console, progress, blocks * len(place.runners))
        attempt.blocks = begun.blocks(place.runners, part, design, place.build, lines=False)
    _compare(attempt, place)
    return attempt


def _compare(attempt: Attempt, place: Field) -> None:
    times = {
        runner.name: [min(block) for block in times_of(attempt.blocks)[runner.id, place.workload]]
        for runner in place.runners
    }
    reference = place.reference.name
    control = stats.compare(times[reference], times[reference + AGAIN], 0, 1)
    attempt.floor = stats.floor_from(control)
    attempt.times = {name: float(np.median(found)) for name, found in times.items()}
    mine = times[place.mine_name]
    for program in (place.reference, place.base, place.answer, place.best):
        attempt.against[program.name] = stats.compare(times[program.name], mine, attempt.floor, _COMPARISONS)
    base, answer = times[place.base.name], times[place.answer.name]
    attempt.answer_over_base = stats.compare(base, answer, attempt.floor, _COMPARISONS)
    ahead = attempt.against[place.best.name]
    if ahead.low is not None and ahead.low > _SUSPICIOUS:
        attempt.remark = f"{ahead.ratio:.1f} times as fast as {place.best.name}: too good to be true?"


def evidence(
    place: Field, programs: list[Program], blocks: list[dict[str, Any]], cpu: int, console: Console
) -> Evidence:
    """What the profilers say of these programs, by program."""
    times = times_of(blocks)
    call_ns = {p.id: float(np.median([min(block) for block in times[p.id, place.workload]])) for p in programs}
    every = measure.workloads_of(place.reference)
    chosen = sorted(every, key=lambda workload: workload.name != place.workload)
    plan = Plan(place.case.symbols, chosen, call_ns, clock_of(blocks), cpu)
    with tempfile.TemporaryDirectory() as folder, measure.progress_bar(console) as progress:
        journal = Journal(Path(folder) / "evidence", Design(0, 0, 0, cpu), [], [Runner(p, p.name) for p in programs])
        return collect(programs, [place.build], plan, journal, progress.track)
