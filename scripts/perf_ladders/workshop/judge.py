"""One attempt at a step: the learner's file is built, checked, looked at for fair play, and measured beside the stage
it builds on, the repository's answer and the best stage that runs here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from rich.console import Console

from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence.collect import Context, collect
from perf_ladders.machine import processes
from perf_ladders.machine.alone import alone
from perf_ladders.machine.contention import probes_of
from perf_ladders.measure import machine_code, pairs, session
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.rounds import Measured, measured
from perf_ladders.measure.runner import Plan, progress_bar, workloads_of
from perf_ladders.model.evidence import Evidence
from perf_ladders.model.measurement import Rates, Round, Step
from perf_ladders.pages import formatting
from perf_ladders.results.peak import peak_ns_byte
from perf_ladders.results.times import OfPairs, clock_of
from perf_ladders.sequential import CAP, FIRST_ROUNDS
from perf_ladders.stats import Comparison
from perf_ladders.tree import files
from perf_ladders.tree.build import Program
from perf_ladders.workshop import cheating
from perf_ladders.workshop.building import CONTROL, Field
from perf_ladders.workshop.failures import Outdated, first_failure, never, uses_vectors
from perf_ladders.workshop.gain import Gain

_SUSPICIOUS = 1.5  # times as fast as the best stage
_OF_PEAK = 0.9  # of the least time: the rates were measured on a machine that was perhaps busy
_SAME_COUNT = 0.001  # of the instructions of a call: what the addresses of a library's functions may change
_LONGER = 1.25  # times as long as the answer: so much a single round can tell, also on a noisy machine
JUDGED, _BESIDE = "attempt", "beside"  # parts of the measurement

Say = Callable[[str], None]  # what is being done


@dataclass
class Attempt:
    """What became of it; a part that was not reached is empty."""

    uncompiled: str = ""  # what the compiler says
    wrong: list[str] = field(default_factory=list)  # the first failure of the check
    unfair: list[str] = field(default_factory=list)
    alike: str = ""  # what it has in common with the answer, so that nothing is timed
    times: dict[str, float] = field(default_factory=dict)  # the median of a call, by program, in nanoseconds
    gains: dict[str, Gain] = field(default_factory=dict)  # by workload, that of the step first
    against: dict[str, Comparison] = field(default_factory=dict)  # mine over each program, on the step's workload
    uncompared: str = ""  # why it is not known whether later calls do what the first does
    remark: str = ""  # why it is refused until somebody has looked at it
    samples: dict[str, list[tuple[float, float]]] = field(default_factory=dict)  # of each round, by the other program
    rounds: list[Round] = field(default_factory=list)

    @property
    def main(self) -> Gain:
        """On the workload where the step's gain shows."""
        return next(iter(self.gains.values()))

    @property
    def untold(self) -> str:
        """Why nothing is judged by these times; empty where it is."""
        for gain in self.gains.values():
            if gain.passes:
                continue
            if gain.noisy and "undecided" in (gain.mine.verdict, gain.answer.verdict):
                return self._noise(gain.control)
            if gain.hidden or gain.mine.verdict == "undecided":
                unseen = "the gain" if gain.hidden else "whether yours is faster"
                return f"these rounds are too few to see {unseen}; make watch ROUNDS={2 * self._taken} takes more"
        return ""

    @property
    def _taken(self) -> int:
        return max(CAP, sum(one.part == JUDGED for one in self.rounds))

    def _noise(self, control: Comparison) -> str:
        changed = "the times of the reference changed while they were measured"
        said = f"the reference came out {control.ratio:.3f} times as fast as itself" if control.differs else changed
        probes = probes_of(self.rounds)
        if probes and not probes.ok:
            said += f"; something else used this core in {probes.busy} of {probes.all} contention probes"
        return f"{said}; close what else runs and try again"

    def share_of_way(self, base: str) -> float | None:
        """From the base, 0, to the answer, 1: by logarithms, so that twice as fast counts the same everywhere."""
        if self.main.asks_no_gain:
            return None
        return math.log(self.against[base].ratio) / math.log(self.main.answer.ratio)

    @property
    def for_teacher(self) -> str:
        """What the scoreboard says of it: why somebody should look at it."""
        unseen = f"calls were not compared: {self.uncompared}" if self.uncompared else ""
        return self.remark or unseen

    @property
    def passes(self) -> bool:
        return self.is_fast_enough and not self.remark

    @property
    def is_fast_enough(self) -> bool:
        """On every workload that is judged, or by what needs no time."""
        if self.uncompiled or self.wrong or self.unfair:
            return False
        return bool(self.alike) or (bool(self.gains) and all(gain.passes for gain in self.gains.values()))


@processes.contained()
def judge(
    place: Field,
    rounds: int,
    lanes: int | None,
    cpu: int,
    console: Console,
    say: Say,
    outdated: Outdated = never,
    wait: Callable[[], None] | None = None,
    always_timed: bool = False,
) -> Attempt:
    """The program is built already. Stops where there is no point in going on; `wait` as in `alone`. Nothing that it
    starts outlives it."""
    attempt = Attempt()
    say("Checking; saving the file begins again")
    in_lanes = lanes if lanes and uses_vectors(place.mine.source) else None
    attempt.wrong = first_failure(place.mine, in_lanes, bool(place.case.jobs), outdated)
    if attempt.wrong:
        return attempt
    say("Looking whether every call does its work")
    symbols = place.case.symbols
    beside = [place.answer, place.base]
    if place.is_hers:
        source = place.mine.source
        attempt.unfair = cheating.of_source(source, place.case, place.step) or cheating.of_macros(source, place.answer)
    try:
        may_keep = any(cheating.kept_between_calls(one) for one in beside)
        attempt.unfair += cheating.unfair(place.mine, symbols, may_keep, beside)
    except Missing as reason:
        raise UserError(f"This file cannot be judged: {reason}.") from None
    _compare_calls(attempt, place, cpu)
    if attempt.unfair:
        return attempt
    if place.may_gain_nothing and not always_timed:
        attempt.alike = alike(place, cpu, wait)
        if attempt.alike:
            return attempt
    with alone(wait):
        say("Measuring")
        _measure(attempt, place, Plan(cpu=cpu, rounds=rounds), console)
    return attempt


def _compare_calls(attempt: Attempt, place: Field, cpu: int) -> None:
    """Where calls of the learner's program alone cannot be counted, somebody has to look at it. Where those of the
    answer or of the start cannot either, the scoreboard says so."""
    symbols, beside = place.case.symbols, [place.answer, place.base]
    has_threads = any(one.threads for one in beside)
    for workload in place.workloads:
        try:
            attempt.unfair = attempt.unfair or cheating.calls_differ(place.mine, symbols, workload, cpu, has_threads)
        except Missing as missing:
            attempt.uncompared = str(missing)
            if all(cheating.can_be_compared(one, symbols, workload, cpu) for one in beside):
                attempt.remark = f"Its calls cannot be compared, those of {place.answer.name} can: {missing}."
            return


def alike(place: Field, cpu: int, wait: Callable[[], None] | None = None) -> str:
    """What the learner's program has in common with the answer and needs no timing; empty if nothing is. Only for a
    step that may gain nothing: elsewhere as many instructions may take another time. One that sleeps, or that takes
    much longer for another reason, is timed."""
    mine, answer = place.mine, place.answer
    code = machine_code.digest(mine.object)
    if code is not None and code == machine_code.digest(answer.object):
        return f"is the same machine code as {answer.name}"
    try:
        counts = [[cheating.a_call(p, place.case.symbols, w, cpu) for w in place.workloads] for p in (mine, answer)]
    except Missing:
        return ""
    if any(abs(one - other) > _SAME_COUNT * other for one, other in zip(*counts, strict=True)):
        return ""
    runners = place.runners
    with alone(wait):
        times = pairs.measured(
            runners[answer.name], runners[place.mine_name], place.workloads, {}, cpu, np.random.default_rng()
        )
    if any(min(one.stage_ns) > _LONGER * min(one.base_ns) for one in times):
        return ""
    return f"takes as many instructions as {answer.name} ({counts[0][0]:,.0f} a call)"


def _measure(attempt: Attempt, place: Field, plan: Plan, console: Console) -> None:
    """First what passes a step by itself, until it is decided; then what else a step may ask for, and, in few rounds,
    what is shown beside it."""
    runners = place.runners
    mine, reference, base, answer = place.mine_name, place.reference.name, place.base.name, place.answer.name
    # Mine and the answer with the base, and with each other, on each workload; mine with the others on one.
    together = 3 * len(place.workloads) + len(place.others) - 2
    judged = {(reference, CONTROL): 1, (base, mine): together}
    more = ((base, answer), *((program.name, mine) for program in place.others))
    beside = {pair: together for pair in more if pair not in judged}

    def step(part: str, pair: tuple[str, str], together: int, workloads: list[str], rounds: int) -> Step:
        base, stage = (runners[name].id for name in pair)
        return Step(part=part, base=base, stage=stage, workloads=workloads, together=together, rounds=rounds)

    steps = [step(JUDGED, pair, count, place.workloads, plan.rounds) for pair, count in judged.items()]
    for pair, count in beside.items():
        workloads = place.workloads if answer in pair else [place.workload]
        most = plan.rounds if pair == (base, answer) else min(plan.rounds, FIRST_ROUNDS)
        steps.append(step(_BESIDE, pair, count, workloads, most))
    by_id = {one.id: one for one in runners.values()}

    def tell(part: str, so_far: Measured) -> None:
        """The verdict, which nobody needs to wait for until the rest is measured, too."""
        times = OfPairs(so_far.pairs, so_far.slices, steps)
        for workload in place.workloads if part == JUDGED else ():
            control, over_base = (
                times.compare(runners[one].id, runners[other].id, workload, 0.0, 1)
                for one, other in ((reference, CONTROL), (base, mine))
            )
            if control and over_base:
                said = standing(over_base, control)
                ratio, verdict = formatting.ratio(said), formatting.verdict(said)
                console.print(f"{workload}: {ratio} as fast as {base}: {verdict}", markup=False)

    with files.scratch() as folder, progress_bar(console) as progress:
        journal = Journal(folder / "attempt", plan, steps, list(by_id.values()))
        comparisons = sum(len(one.workloads) for one in steps)
        begun = session.begun(journal, plan, place.build, console, progress, comparisons)
        generator = np.random.default_rng(begun.seed)
        if not place.slice_ms:  # the answer stays the same from one save to the next
            place.slice_ms.update(pairs.slices_for(runners[answer], place.workloads, plan.cpu, generator))
        found = measured(begun, by_id, steps, place.slice_ms, tell)
    times = OfPairs(found.pairs, found.slices, steps)
    attempt.rounds = found.rounds
    attempt.times = {
        name: float(np.median(times.least(one.id, place.workload))) for name, one in runners.items() if name != CONTROL
    }

    def compared(base: str, stage: str, workload: str) -> Comparison:
        found = times.compare(runners[base].id, runners[stage].id, workload, 0.0, 1)
        assert found, "it was asked for"
        return found

    for workload in place.workloads:
        control = compared(reference, CONTROL, workload)
        mine_over_base, answer_over_base, mine_over_answer = (
            standing(compared(*pair, workload), control) for pair in ((base, mine), (base, answer), (answer, mine))
        )
        attempt.gains[workload] = Gain(mine_over_base, answer_over_base, mine_over_answer, control)
    control = attempt.main.control
    attempt.against = {p.name: standing(compared(p.name, mine, place.workload), control) for p in place.others}
    for one in found.pairs:
        if one.stage == runners[mine].id and one.workload == place.workload:
            name = next(name for name, runner in runners.items() if runner.id == one.base)
            attempt.samples.setdefault(name, []).append((one.base_ns, one.stage_ns))
    attempt.remark = attempt.remark or too_fast(place, attempt, found.rates)


def too_fast(place: Field, attempt: Attempt, rates: Sequence[Rates]) -> str:
    """Why somebody should look at it: the best known stage, or the peak of the core, is far behind."""
    ahead = attempt.against[place.best.name]
    if ahead.counts and ahead.low is not None and ahead.low > _SUSPICIOUS:
        return f"{ahead.ratio:.1f} times as fast as {place.best.name}: too good to be true?"
    peaks = [peak for one in rates if (peak := peak_ns_byte(place.case.operations, one, place.mine.level))]
    has_threads = any(one.threads for one in (place.base, place.answer))
    if peaks and not (has_threads or place.step.notes.beyond):
        size = next(one.bytes for one in workloads_of(place.reference) if one.name == place.workload)
        if attempt.times[place.mine_name] < _OF_PEAK * min(peaks) * size:
            return "faster than the peak of this core's vector units: too good to be true?"
    return ""


def standing(found: Comparison, control: Comparison) -> Comparison:
    """While the control fails, the noise floor is what it shows between a program and itself. A verdict is kept if its
    interval lies beyond that, and no other."""
    if not control.fails:
        return found
    if control.low and control.high:
        floor = max(control.high, 1 / control.low)
        if found.is_faster and found.low and found.low > floor:
            return found
        if found.is_slower and found.high and found.high < 1 / floor:
            return found
    return replace(found, verdict="undecided", counts=False)


def evidence(
    place: Field, programs: list[Program], attempt: Attempt, cpu: int, console: Console
) -> dict[str, Evidence]:
    """What the profilers say of these programs, by program."""
    named = {runner.program.id: (name, runner) for name, runner in place.runners.items() if name != CONTROL}
    asked = [named[program.id][1] for program in programs]
    call_ns = {named[program.id][1].id: attempt.times[named[program.id][0]] for program in programs}
    workloads = sorted(workloads_of(place.reference), key=lambda workload: workload.name != place.workload)
    context = Context(place.case.symbols, workloads, call_ns, clock_of(attempt.rounds), cpu)
    with files.scratch() as folder, progress_bar(console) as progress:
        journal = Journal(folder / "evidence", Plan(cpu=cpu), [], asked)
        found = collect(asked, [place.build], context, journal, progress.track)
    return {one.program.id: found[one.id] for one in asked}
