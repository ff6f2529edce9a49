"""The session: round after round over all steps that are not decided yet, each finished step of a round on disk before
the next begins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise

import numpy as np

from perf_ladders import sequential
from perf_ladders.machine import speed, topology
from perf_ladders.measure import pairs
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.measure.runner import Runner
from perf_ladders.measure.serving import Paused
from perf_ladders.measure.session import Session
from perf_ladders.model.measurement import Pair, Rates, Round, Slices, Step

_MOST_GAP_S = sequential.SPAN_S / 2


@dataclass
class Open:
    """A step under way: the values of each workload so far, and the workloads that are at rest."""

    step: Step
    ladder: tuple[str, str]
    is_control: bool
    is_same_code: bool  # then there is nothing to decide
    values: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    resting: set[str] = field(default_factory=set)
    paused: bool = False  # in one of its rounds

    @property
    def workloads(self) -> list[str]:
        return [name for name in self.step.workloads if name not in self.resting]

    @property
    def decided(self) -> int:
        """Of those at rest; the others are given up."""
        return sum(map(self.is_decided, self.resting))

    def is_decided(self, name: str) -> bool:
        values = self.values[name]
        if self.is_same_code:
            return len(values) >= sequential.FIRST_ROUNDS
        return sequential.decided(values, self.step.together)


@dataclass
class Measured:
    steps: Sequence[Step] = ()
    codes: dict[str, str] = field(default_factory=dict)  # the hash of the machine code, by program
    rounds: list[Round] = field(default_factory=list)
    rates: list[Rates] = field(default_factory=list)  # of each round
    pairs: list[Pair] = field(default_factory=list)
    processes: dict[tuple[str, str], list[list[float]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def slices(self) -> list[Slices]:
        return pairs.summed_up(self.processes)

    def add(self, step: Step, number: int, times: Sequence[PairTimes]) -> None:
        self.pairs += pairs.pairs_of(step, number, times)
        for one in times if step.of == "time" else ():
            self.processes[step.base, one.workload].append(one.base_ns)
            self.processes[step.stage, one.workload].append(one.stage_ns)


def measured(
    begun: Session,
    runners: Mapping[str, Runner],
    steps: Sequence[Step],
    slice_ms: Mapping[str, float],
    tell: Callable[[str, Measured], None] | None = None,
) -> Measured:
    """The parts of the steps one after the other; `tell` hears of each when it is finished. The bar counts comparisons
    that are at rest."""
    about = [one.about for one in runners.values()]
    found = Measured(steps, {one.id: one.code for one in about if one.code and one.kind != "control"})
    for part in dict.fromkeys(step.part for step in steps):
        mine = [_open(begun, step, runners) for step in steps if step.part == part]
        number = 0
        while any(one.workloads for one in mine):
            _round(begun, runners, mine, part, number, slice_ms, found)
            _rest(begun, mine, spanned=_seconds(found, part) >= sequential.SPAN_S)
            number += 1
        if tell:
            tell(part, found)
    return found


def _open(begun: Session, step: Step, runners: Mapping[str, Runner]) -> Open:
    base, about = runners[step.base].about, runners[step.stage].about
    is_control = about.kind == "control"
    has_code = step.of == "time" and not is_control and about.code is not None
    is_same_code = has_code and about.code == base.code
    paused = _key_of_pause(step) in begun.journal
    return Open(step, (about.level, about.compiler), is_control, is_same_code, paused=paused)


def _key_of_pause(step: Step) -> str:
    return f"paused/{step.part}/{step.base}/{step.stage}/{step.of}"


def _seconds(found: Measured, part: str) -> float:
    """From the first round of a part to its last. The clock may be set meanwhile: no gap counts for much."""
    started = [datetime.fromisoformat(one.started) for one in found.rounds if one.part == part]
    gaps = ((after - before).total_seconds() for before, after in pairwise(started))
    return sum(min(max(gap, 0.0), _MOST_GAP_S) for gap in gaps)


def _round(
    begun: Session,
    runners: Mapping[str, Runner],
    every: Sequence[Open],
    part: str,
    number: int,
    slice_ms: Mapping[str, float],
    found: Measured,
) -> None:
    key = f"{part}/{number}"
    again = key in begun.journal
    _describe(begun, every, part, number)
    found.rates.append(begun.rates(part, number))
    before = _before(begun) if not again else None
    for place, one in _shuffled(begun.seed, part, number, every):
        generator = np.random.default_rng([begun.seed, *part.encode(), number, place])
        names, base, stage = one.workloads, runners[one.step.base], runners[one.step.stage]

        if one.step.of == "time":
            measure = partial(pairs.measured, base, stage, names, slice_ms, begun.plan.cpu, generator)
        else:
            measure = partial(pairs.of_calls, base, stage, one.step.of, names[0], begun.plan, generator)
        name = "/".join([key, one.step.base, one.step.stage, *([one.step.of] if one.step.of != "time" else [])])
        times = begun.journal.once(name, partial(_patiently, begun, one, measure), list[PairTimes])
        found.add(one.step, number, times)
        for of_workload in times:
            one.values[of_workload.workload].append(of_workload.d)
    if before:
        begun.journal.put(key, _after(begun, part, number, before))
    found.rounds.append(begun.journal.get(key, Round))


def _patiently(begun: Session, one: Open, measure: Callable[[], list[PairTimes]]) -> list[PairTimes]:
    """A program that sleeps, or whose clock leaves time out, looks like a machine that paused. So one round of a step
    may be measured again, and no second one: a program could get rid of its slow rounds in that way."""
    try:
        return measure()
    except Paused as error:
        if one.paused:
            raise
        one.paused = True
        begun.journal.put(_key_of_pause(one.step), True)
        begun.say(f"{error} If the machine paused, this is no fault of the program: this round is measured again.")
        return measure()


def _rest(begun: Session, every: Sequence[Open], spanned: bool) -> None:
    """The control goes on as long as anything of its ladder does: it stands for what the machine does meanwhile."""
    for is_control in (False, True):
        for one in every:
            busy = is_control and any(
                other.ladder == one.ladder and other.workloads for other in every if other is not one
            )
            for name in one.workloads if one.is_control == is_control else ():
                at_cap = len(one.values[name]) >= one.step.rounds
                if at_cap or (spanned and not busy and one.is_decided(name)):
                    one.resting.add(name)
                    begun.advance()


def _describe(begun: Session, every: Sequence[Open], part: str, number: int) -> None:
    names = [name for one in every for name in one.step.workloads]
    resting = sum(len(one.resting) for one in every)
    decided = sum(one.decided for one in every)
    said = f"{part}, round {number + 1}: {decided} of {len(names)} decided"
    if resting > decided:
        said += f", {resting - decided} given up"
    begun.describe(said)
    begun.say(said)


def _shuffled(seed: int, part: str, number: int, every: Sequence[Open]) -> list[tuple[int, Open]]:
    """The steps that are not at rest, in the order of this round, with their places among all."""
    open_ = [(place, one) for place, one in enumerate(every) if one.workloads]
    order = np.random.default_rng([seed, *part.encode(), number]).permutation(len(open_))
    return [open_[place] for place in order]


@dataclass(frozen=True)
class _Before:
    started: str
    clock_ghz: float
    operations_per_ns: float
    stolen_ticks: int


def _before(begun: Session) -> _Before:
    build, cpu = begun.build, begun.plan.cpu
    return _Before(_now(), speed.clock_ghz(build, cpu), speed.operations_per_ns(build, cpu), topology.stolen_ticks())


def _after(begun: Session, part: str, number: int, before: _Before) -> Round:
    build, cpu = begun.build, begun.plan.cpu
    return Round(
        part=part,
        number=number,
        started=before.started,
        clock_ghz=[before.clock_ghz, speed.clock_ghz(build, cpu)],
        operations_per_ns=[before.operations_per_ns, speed.operations_per_ns(build, cpu)],
        stolen_ticks=topology.stolen_since(before.stolen_ticks),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
