"""The programs of an attempt: built, and put together for a step."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field

from perf_ladders.errors import UserError
from perf_ladders.evidence.instructions import VALGRIND_LEVEL
from perf_ladders.machine import processes
from perf_ladders.machine.configure import configured
from perf_ladders.measure import runner
from perf_ladders.measure.runner import Runner
from perf_ladders.tree.build import Build, Program, is_configured, one_at_a_time, read_build
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.contract import named
from perf_ladders.tree.paths import ROOT, shown
from perf_ladders.workshop.exercise import may_gain_nothing, read_hints

CONTROL = "the reference again"


class Unbuilt(UserError):
    """A program does not compile; the sentence is the compiler's."""


@dataclass(frozen=True)
class Field:
    """What an attempt at a step is measured beside, all at one level with one compiler."""

    case: Case
    build: Build
    workload: str
    mine: Program
    reference: Program
    base: Program
    answer: Program
    best: Program
    elsewhere: tuple[str, ...] = ()  # workloads that enter the other functions of the contract
    may_gain_nothing: bool = False  # as its prediction says: then the answer's own code needs no timing
    slice_ms: dict[str, float] = field(default_factory=dict)  # by workload, from the first attempt that is timed on

    @property
    def workloads(self) -> list[str]:
        """That are judged, the one where the step's gain shows first."""
        return [self.workload, *self.elsewhere]

    @property
    def mine_name(self) -> str:
        """In what is shown, also where it is one of the stages."""
        return f"{self.case.name}-mine"

    @property
    def step(self) -> Stage:
        return next(stage for stage in self.case.stages if stage.name == self.answer.name)

    @property
    def is_hers(self) -> bool:
        """Not a stage of the repository in place of the learner's file."""
        return self.mine.name == self.mine_name

    @property
    def others(self) -> list[Program]:
        return [self.reference, self.base, self.answer, self.best]

    @property
    def runners(self) -> dict[str, Runner]:
        """By name: each program once, the reference a second time as the control."""
        others = {program.name: Runner.of(program) for program in self.others}
        return {self.mine_name: Runner.named(self.mine, "your-file"), **others, CONTROL: Runner.control(self.reference)}


def configure(preset: str) -> None:
    """CMake reads the tree once more: the head of the learner's file may ask for something else."""
    with one_at_a_time(ROOT / "build" / preset), processes.stopped_with_us():
        configured(preset)


def expect_planned(preset: str, name: str, level: str) -> None:
    """The first lines of the learner's file may ask for what this machine or level has not."""
    planned = read_build(preset)
    if not any((one.name, one.level) == (name, level) for one in planned.exercises):
        reasons = [one.reason for one in planned.left_out if one.name == name]
        raise Unbuilt(reasons[0] if reasons else f"The first lines of your file ask for another level than {level}.")


def build(preset: str, targets: list[str], written: Case | None = None) -> None:
    """`written`: the case that a learner writes a file of, to say what it does not define."""
    done = _cmake(preset, "--build", str(ROOT / "build" / preset), "--target", *targets)
    if done.returncode != 0:
        said = done.stdout + done.stderr
        raise Unbuilt((written and undefined(said, written)) or compiler_says(said))


def _cmake(preset: str, *words: str) -> subprocess.CompletedProcess[str]:
    with one_at_a_time(ROOT / "build" / preset), processes.stopped_with_us():
        return subprocess.run(
            ["cmake", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            errors="replace",  # compilers quote the line, in whatever encoding it is
            env=processes.untranslated(),
        )


def undefined(said: str, case: Case) -> str:
    """A sentence, if the linker misses what the contract asks for."""
    missed = {named(symbol) for symbol in re.findall(r"undefined (?:reference to|symbol:) [`']?(.+)", said)}
    lacking = " and ".join(name for name in case.symbols if name in missed)
    return f"Your file must define {lacking} as {shown(case.contract)} says." if lacking else ""


def compiler_says(text: str) -> str:
    """From the first error on, without this machine's folders."""
    lines = text.replace(f"{ROOT}/", "").splitlines()
    first = next((place for place, line in enumerate(lines) if re.search(r"\b(error|undefined)\b", line)), 0)
    kept = [line for line in lines[first:] if not re.match(r"\[\d+/\d+\]|FAILED:|ninja: |\S*c\+\+\S* ", line)]
    return "\n".join(kept).strip() or text.strip()[-500:]


def field_of(case: Case, step: Stage, preset: str, level: str, mine: str) -> Field:
    """All of it is built. `mine` names the program that is measured as the learner's."""
    base = case.base(step)
    assert base, "a step builds on a stage"
    found = read_build(preset)
    every = [*found.programs, *found.exercises]
    here = {program.name: program for program in every if program.level == level and program.case == case.name}

    def program(name: str, what: str) -> Program:
        if name in here:
            return here[name]
        left_out = [entry.reason for entry in found.left_out if entry.name == name]
        reason = left_out[0] if left_out else f"it is not built at {level}"
        raise UserError(f"{name}, {what}, cannot be measured here: {reason}.", code=77)

    asked = program(mine, "your program")
    reference = program(f"{case.name}-00", "the reference")
    start = program(base.name, "what this step begins with")
    answer = program(step.name, "the answer of this step")
    stages = [stage for stage in case.stages if stage.name in here and not here[stage.name].device]
    wanted = dict.fromkeys(p.name for p in (reference, start, answer))
    build(preset, [f"{name}.{level}" for name in wanted])
    lacking = runner.runnable([answer])[1]
    if lacking:
        raise UserError(lacking[0].reason, code=77)
    best = start
    while closing := case.closing_of(stages):  # of those that run here
        build(preset, [f"{closing.name}.{level}"])
        if runner.runnable([here[closing.name]])[0]:
            best = here[closing.name]
            break
        stages.remove(closing)
    workload = read_hints(step).workload or runner.workloads_of(reference)[0].name
    elsewhere = tuple(name for name in case.exercise if name != workload)
    return Field(case, found, workload, asked, reference, start, answer, best, elsewhere, may_gain_nothing(step, level))


def level_of(case: Case, preset: str, wanted: str | None, kept: str | None = None) -> str:
    """`wanted` was asked for now, `kept` before. Else x86-64-v3 where the case runs at it, or the highest. At v4
    Valgrind cannot count, and single-stepping takes longer than all the rest of a judgement."""
    if not is_configured(preset):
        configure(preset)
    found = read_build(preset)
    build(preset, [f"machine.{level}" for level in found.machine])
    built = [program.level for program in found.programs if program.name == f"{case.name}-00"]
    runs = [level for level, program in found.machine.items() if runner.started([program, "clock"]).returncode == 0]
    here = [level for level in reversed(runs) if level in built]
    if not here:
        raise UserError(f"{case.name}-00 runs at no level here.", code=77)
    if wanted and wanted not in here:
        raise UserError(f"{case.name} does not run at {wanted} here; it runs at {', '.join(here)}.")
    return wanted or next((level for level in (kept, VALGRIND_LEVEL) if level in here), here[0])
