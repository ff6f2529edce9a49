"""One attempt at a step: the learner's file is built, checked, looked at for fair play, and measured beside the stage
it builds on, the repository's answer and the best stage that runs here.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.console import Console

from perf_ladders.errors import Missing
from perf_ladders.evidence.collect import Context, collect
from perf_ladders.machine.contention import looks_of
from perf_ladders.measure import pairs, session
from perf_ladders.measure.journal import Journal, alone
from perf_ladders.measure.rounds import measured
from perf_ladders.measure.runner import Plan, progress_bar, workloads_of
from perf_ladders.model.evidence import Evidence
from perf_ladders.model.measurement import Round, Step
from perf_ladders.results.times import OfPairs, clock_of
from perf_ladders.sequential import CAP
from perf_ladders.stats import Comparison
from perf_ladders.tree.build import Program
from perf_ladders.workshop import cheating
from perf_ladders.workshop.building import CONTROL, Field
from perf_ladders.workshop.failures import Outdated, first_failure, never, uses_vectors

_LITTLE = 0.1  # a gain that may be none as long as it is undecided
_SUSPICIOUS = 1.5  # times as fast as the best stage
_COMPARISONS = 5  # that hold together: mine with reference, base, answer and best, and the answer with its base

Say = Callable[[str], None]  # what is being done


@dataclass
class Attempt:
    """What became of it; a part that was not reached is empty."""

    uncompiled: str = ""  # what the compiler says
    wrong: list[str] = field(default_factory=list)  # the first failure of the check
    unfair: list[str] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)  # the median of a call, by program, in nanoseconds
    control: Comparison | None = None  # the reference against itself
    against: dict[str, Comparison] = field(default_factory=dict)  # mine over each program
    answer_over_base: Comparison | None = None
    uncompared: str = ""  # why it is not known whether later calls do what the first does
    remark: str = ""  # why somebody should look at it
    rounds: list[Round] = field(default_factory=list)

    @property
    def gains_nothing(self) -> bool:
        """The answer itself is not faster here."""
        return self.answer_over_base is not None and (
            self.answer_over_base.verdict in ("same", "same code") or self.answer_over_base.is_slower
        )

    @property
    def gain_unknown(self) -> bool:
        """The rounds do not say whether the answer is faster."""
        return self.answer_over_base is not None and self.answer_over_base.verdict == "undecided"

    @property
    def asks_no_gain(self) -> bool:
        """To be correct and not shown to be slower is enough. So it is where nobody can see the answer's gain; a gain
        that should be seen with more rounds is another matter (`untold`)."""
        return self.gains_nothing or self.gain_unknown

    @property
    def noisy(self) -> bool:
        """Nothing is told by these times."""
        return self.control is not None and (self.control.is_faster or self.control.is_slower)

    @property
    def untold(self) -> str:
        """Why nothing is judged by these times; empty where it is."""
        answer, more = self.answer_over_base, f"make watch ROUNDS={2 * max(CAP, len(self.rounds))}"
        if self.noisy and self.control:
            said = f"the reference came out {self.control.ratio:.3f} times as fast as itself"
            probe = looks_of(self.rounds)
            if probe and not probe.ok:
                said += f"; something else used this core in {probe.busy} of {probe.all} contention probes"
            return f"{said}; close what else runs and try again"
        if answer and self.gain_unknown and (answer.low is None or answer.ratio > 1 + _LITTLE):
            return f"these rounds are too few to see the gain; {more} takes more"
        return ""

    def share_of_way(self, base: str) -> float | None:
        """From the base, 0, to the answer, 1: by logarithms, so that twice as fast counts the same everywhere."""
        if self.answer_over_base is None or self.asks_no_gain:
            return None
        return math.log(self.against[base].ratio) / math.log(self.answer_over_base.ratio)

    def passes(self, base: str, answer: str) -> bool:
        """Faster than the stage it builds on. An answer that is itself slower than that asks for no more than it
        gives."""
        mine = self.against.get(base)
        if self.uncompiled or self.wrong or self.unfair or self.untold or mine is None:
            return False
        if self.asks_no_gain:
            return not mine.is_slower or not self.against[answer].is_slower
        return mine.is_faster


def judge(
    place: Field,
    rounds: int,
    lanes: int | None,
    cpu: int,
    console: Console,
    say: Say,
    outdated: Outdated = never,
    wait: Callable[[], None] | None = None,
) -> Attempt:
    """The program is built already. Stops where there is no point in going on; `wait` as in `alone`."""
    attempt = Attempt()
    say("Checking; saving the file begins again")
    in_lanes = lanes if lanes and uses_vectors(place.mine.source) else None
    attempt.wrong = first_failure(place.mine, in_lanes, bool(place.case.jobs), outdated)
    if attempt.wrong:
        return attempt
    say("Looking whether every call does its work")
    symbols = place.case.symbols
    may_keep = bool(cheating.kept_between_calls(place.answer) or cheating.kept_between_calls(place.base))
    attempt.unfair = cheating.unfair(place.mine, symbols, may_keep)
    try:
        attempt.unfair += cheating.calls_differ(place.mine, symbols, place.workload, cpu)
    except Missing as missing:
        attempt.uncompared = str(missing)
    if attempt.unfair:
        return attempt
    with alone(wait):
        say("Measuring")
        _measure(attempt, place, Plan(cpu=cpu, rounds=rounds), console)
    return attempt


def _measure(attempt: Attempt, place: Field, plan: Plan, console: Console) -> None:
    """Every two programs that are compared, until each comparison is decided."""
    runners = place.runners
    mine, reference = place.mine_name, place.reference.name
    asked = {(reference, CONTROL): 1, (place.base.name, place.answer.name): _COMPARISONS}
    asked |= {(program.name, mine): _COMPARISONS for program in place.others}
    steps = [
        Step(
            part="attempt",
            base=runners[base].id,
            stage=runners[stage].id,
            workloads=[place.workload],
            together=together,
            rounds=plan.rounds,
        )
        for (base, stage), together in asked.items()
    ]
    by_id = {one.id: one for one in runners.values()}
    with tempfile.TemporaryDirectory() as folder, progress_bar(console) as progress:
        journal = Journal(Path(folder) / "attempt", plan, steps, list(by_id.values()))
        begun = session.begun(journal, plan, place.build, console, progress, len(steps))
        generator = np.random.default_rng(begun.seed)
        slice_ms = pairs.slices_for(runners[place.answer.name], [place.workload], plan.cpu, generator)
        found = measured(begun, by_id, steps, slice_ms)
    times = OfPairs(found.pairs, found.slices, steps)
    attempt.rounds = found.rounds
    attempt.times = {
        name: float(np.median(times.least(one.id, place.workload))) for name, one in runners.items() if name != CONTROL
    }

    def compared(base: str, stage: str, gate: bool = True) -> Comparison:
        found = times.compare(runners[base].id, runners[stage].id, place.workload, 0.0 if gate else None, 1)
        assert found, "it was asked for"
        return found

    attempt.control = compared(reference, CONTROL)
    gate = not attempt.noisy
    attempt.against = {program.name: compared(program.name, mine, gate) for program in place.others}
    attempt.answer_over_base = compared(place.base.name, place.answer.name, gate)
    ahead = attempt.against[place.best.name]
    if ahead.low is not None and ahead.low > _SUSPICIOUS:
        attempt.remark = f"{ahead.ratio:.1f} times as fast as {place.best.name}: too good to be true?"


def evidence(
    place: Field, programs: list[Program], attempt: Attempt, cpu: int, console: Console
) -> dict[str, Evidence]:
    """What the profilers say of these programs, by program."""
    named = {runner.program.id: (name, runner) for name, runner in place.runners.items() if name != CONTROL}
    asked = [named[program.id][1] for program in programs]
    call_ns = {named[program.id][1].id: attempt.times[named[program.id][0]] for program in programs}
    workloads = sorted(workloads_of(place.reference), key=lambda workload: workload.name != place.workload)
    context = Context(place.case.symbols, workloads, call_ns, clock_of(attempt.rounds), cpu)
    with tempfile.TemporaryDirectory() as folder, progress_bar(console) as progress:
        journal = Journal(Path(folder) / "evidence", Plan(cpu=cpu), [], asked)
        found = collect(asked, [place.build], context, journal, progress.track)
    return {one.program.id: found[one.id] for one in asked}
