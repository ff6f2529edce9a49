"""One attempt at a rung: the learner's file is built, checked, looked at for fair play, and measured in shuffled blocks
beside the stage it builds on, the repository's answer and the best stage that runs here.
"""

from __future__ import annotations

import contextlib
import math
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from perf_ladders import fair_play, machine, measure, stats
from perf_ladders.catalogue import ROOT, STAGES, Build, Case, Program, Stage, read_build, shown
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
_COMPARISONS = 5  # that hold together: mine with reference, base, answer and best, and the answer with its base

_CHECK_LIMIT_S = 40  # the slowest checks take 10 s; a laptop may be slow, and saving the file ends the waiting anyway
_LOOK_S = 0.25  # at whether the file has been saved meanwhile

Say = Callable[[str], None]  # what is being done
Outdated = Callable[[], bool]  # whether the file is no longer the one that is judged


class Saved(Exception):
    """The file was saved while an older text was judged: nobody waits for that any more."""


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
        """The answer itself is not faster here."""
        return self.answer_over_base is not None and self.answer_over_base.verdict in ("same", "slower")

    @property
    def gain_unknown(self) -> bool:
        """The blocks do not say whether the answer is faster."""
        return self.answer_over_base is not None and self.answer_over_base.verdict == "unresolved"

    @property
    def asks_no_gain(self) -> bool:
        """To be correct and not shown to be slower is enough. So it is where nobody can see the answer's gain, for
        nobody could see half of it either; a gain that should be seen with more blocks is another matter (`untold`)."""
        return self.gains_nothing or self.gain_unknown

    @property
    def noisy(self) -> bool:
        """Nothing is told by these times, not even by one of them."""
        return self.floor > _NOISY

    @property
    def untold(self) -> str:
        """Why nothing is judged by these times; empty where it is."""
        answer = self.answer_over_base
        if self.noisy:
            said = f"the reference differs from itself by {self.floor:.0%}"
            looks = looks_of(self.blocks)
            if looks and not looks.ok:
                said += f"; something else used this core in {looks.busy} of {looks.all} looks"
            return f"{said}; close what else runs, or take more: make watch BLOCKS={2 * len(self.blocks)}"
        if answer and self.gain_unknown and (answer.low is None or answer.ratio > 1 + _LITTLE):
            return f"these blocks are too few to see the gain; make watch BLOCKS={2 * len(self.blocks)} takes more"
        return ""

    def share_of_way(self, base: str) -> float | None:
        """From the base, 0, to the answer, 1: by logarithms, so that twice as fast counts the same everywhere."""
        if self.answer_over_base is None or self.asks_no_gain:
            return None
        return math.log(self.against[base].ratio) / math.log(self.answer_over_base.ratio)

    def passes(self, base: str, answer: str) -> bool:
        """The whole interval, not the middle of it, must be far enough. An answer that is itself slower than what it
        builds on asks for no more than it gives."""
        mine = self.against.get(base)
        if self.uncompiled or self.wrong or self.unfair or self.untold or mine is None or mine.low is None:
            return False
        assert self.answer_over_base
        if self.asks_no_gain:
            return mine.verdict != "slower" or self.against[answer].verdict != "slower"
        return mine.verdict == "faster" and math.log(mine.low) >= ENOUGH * math.log(self.answer_over_base.ratio)

    def figures(self, names: dict[str, str]) -> dict[str, Any]:
        """As the scoreboard holds them."""
        return {f"vs_{role}": asdict(self.against[name]) for role, name in names.items()}


def _one_at_a_time(preset: str) -> list[str]:
    """In another terminal a command of make may be building at the same place, under the same lock."""
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    return ["flock", str(folder / f"{preset}.lock")]


def configure(preset: str) -> None:
    """CMake reads the tree once more: the head of the learner's file may ask for something else."""
    command = [*_one_at_a_time(preset), "cmake", "--preset", preset]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Complaint(f"cmake --preset {preset} failed: {(done.stderr or done.stdout).strip()[-500:]}")


def build(preset: str, targets: list[str], written: Case | None = None) -> None:
    """`written`: the case that a learner writes a file of, to say what it does not define."""
    command = [*_one_at_a_time(preset), "cmake", "--build", str(ROOT / "build" / preset), "--target", *targets]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = done.stdout + done.stderr
        raise Unbuilt((written and undefined(said, written)) or compiler_says(said))


def header(case: Case) -> Path:
    """Where its contract is written: a namespace has no hyphens, and with some cases neither has this file."""
    named = STAGES / case.name / f"{case.name}.hpp"
    return named if named.exists() else named.with_name(named.name.replace("-", "_"))


def undefined(said: str, case: Case) -> str:
    """A sentence, if the linker misses what the contract asks for."""
    missed = {name.partition("(")[0] for name in re.findall(r"undefined (?:reference to|symbol:) [`']?(.+)", said)}
    names = dict.fromkeys(symbol.partition("(")[0] for symbol in case.symbols)
    lacking = " and ".join(name for name in names if name in missed)
    return f"Your file must define {lacking} as {shown(header(case))} says." if lacking else ""


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


def never() -> bool:
    return False


def first_failure(
    program: Program, lanes: int | None, of_jobs: bool, outdated: Outdated = never, limit_s: float = _CHECK_LIMIT_S
) -> list[str]:
    """Empty if every check passes; else the first failure in a few lines, with the lane that its block goes through."""
    result = _checked([program.path, "check", "--gtest_brief=1", "--gtest_fail_fast"], outdated, limit_s)
    if result is None:
        return [f"The check did not end in {limit_s:g} s: does a loop go on for ever?"]
    if result.returncode == 0:
        return []
    if result.returncode < 0:
        ended = [f"The program was ended by {signal.Signals(-result.returncode).name}: it touched what is not its own."]
        return ended if result.returncode == -signal.SIGSEGV else [ended[0].split(":")[0] + "."]
    return failure_in(result.stdout, lanes, of_jobs)


def _checked(command: list[str | Path], outdated: Outdated, limit_s: float) -> subprocess.CompletedProcess[str] | None:
    """None if it takes too long; whatever happens, it does not run on."""
    end = time.monotonic() + limit_s
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, errors="replace") as check:
        try:
            while time.monotonic() < end:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    out, err = check.communicate(timeout=_LOOK_S)
                    return subprocess.CompletedProcess(command, check.returncode, out + err)
                if outdated():
                    raise Saved
            return None
        finally:
            check.kill()


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
    return [*kept[:5], *([f"found by the test {test}"] if test else [])]


def lanes_of(case: Case, found: Build, level: str, cpu: int) -> int | None:
    """How many words of the case a vector of this level holds."""
    bits = case.operations.get("lane_bits")
    rates = machine.rates(found, cpu).get(level)
    return int(rates["vector_bytes"] * 8 / bits) if bits and rates else None


def uses_vectors(source: Path) -> bool:
    """By itself, not by the compiler's doing: then its author thinks in lanes."""
    text = source.read_text("utf-8", errors="replace")
    return re.search(r"vector_size|\b__m(128|256|512)|\b_mm\d*_|\barm_neon\b|\bsimd\b", text) is not None


def judge(
    place: Field,
    blocks: int,
    lanes: int | None,
    cpu: int,
    console: Console,
    say: Say,
    outdated: Outdated = never,
    wait: Callable[[], None] | None = None,
) -> Attempt:
    """The program is built already. Stops where there is no point in going on; `wait` as in `measure.alone`."""
    attempt = Attempt()
    say("Checking; saving the file begins anew")
    in_lanes = lanes if lanes and uses_vectors(place.mine.source) else None
    attempt.wrong = first_failure(place.mine, in_lanes, bool(place.case.jobs), outdated)
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
    with measure.alone(wait):
        say(f"Measuring, {blocks} blocks")
        attempt.blocks = _blocks(place, Design(blocks, 0, 0, cpu), console)
    _compare(attempt, place)
    return attempt


def _blocks(place: Field, design: Design, console: Console) -> list[dict[str, Any]]:
    part = Part("attempt", [place.workload], design.blocks)
    with tempfile.TemporaryDirectory() as folder, measure.progress_bar(console) as progress:
        journal = Journal(Path(folder) / "attempt", design, [part], place.runners)
        begun = measure.begun(journal, console, progress, design.blocks * len(place.runners))
        return begun.blocks(place.runners, part, design, place.build, lines=False)


def _compare(attempt: Attempt, place: Field) -> None:
    times = {
        runner.name: [min(block) for block in times_of(attempt.blocks)[runner.id, place.workload]]
        for runner in place.runners
    }
    reference = place.reference.name
    control = stats.compare(times[reference], times[reference + AGAIN], 0, 1)
    attempt.floor = stats.floor_from(control)
    attempt.times = {name: float(np.median(found)) for name, found in times.items()}
    mine = place.mine_name

    def compared(base: str, other: str) -> Comparison:
        found = stats.compare(times[base], times[other], attempt.floor, _COMPARISONS)
        return replace(found, verdict="unresolved") if attempt.noisy else found

    for program in (place.reference, place.base, place.answer, place.best):
        attempt.against[program.name] = compared(program.name, mine)
    attempt.answer_over_base = compared(place.base.name, place.answer.name)
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
