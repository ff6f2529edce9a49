"""Measures the ways of a Java case, every one in fresh JVMs. A round is a shuffled pass over all that is undecided, and
the same pass backwards: so a slow drift favours no way, and each way is beside itself once a round."""

from __future__ import annotations

import math
import secrets
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from rich.console import Console
from rich.progress import Progress, TaskID

from perf_ladders import sequential
from perf_ladders.errors import UserError
from perf_ladders.machine import identity
from perf_ladders.measure.java_project import libraries
from perf_ladders.measure.jmh import ITERATION_MS, Host, Timed
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.session import made_now
from perf_ladders.model.java import Fork, JavaMeasurement, Jvm, WarmUp
from perf_ladders.model.measurement import AGAIN, Made, Pair, Step
from perf_ladders.model.record import LeftOut
from perf_ladders.tree.java import JavaCase
from perf_ladders.tree.paths import shown

PART = "main"
ITERATIONS = 5
CANDIDATES_MS = (250, 500, 750, 1000)
TRIAL_ITERATIONS = 40  # 2 s from the first call on
_TRIALS = 2  # JVMs of each way
FIXED = (ITERATIONS, ITERATION_MS, CANDIDATES_MS, TRIAL_ITERATIONS)  # before the first measurement
Place = tuple[str, str]  # way and workload


def steps_of(case: JavaCase, left_out: Sequence[str], rounds: int) -> list[Step]:
    """All comparisons of a case on a workload hold together."""
    there = [one for one in case.comparisons if one.base not in left_out and one.stage not in left_out]
    together = {name: sum(one.workload == name for one in there) for name in case.ladder.workloads}
    return [
        Step(
            part=PART,
            base=one.base,
            stage=one.stage,
            workloads=[one.workload],
            together=together[one.workload],
            rounds=rounds,
        )
        for one in there
    ]


def pairs_of(forks: Sequence[Fork], steps: Sequence[Step]) -> list[Pair]:
    """A value of each round: the minimum over both JVMs of the base, and over both of the other way. And each way
    beside itself: the minima of its two JVMs, in an order that the place in the round decides."""
    found: dict[tuple[int, Place], list[Fork]] = defaultdict(list)
    for one in sorted(forks, key=lambda one: (one.round, one.place)):
        found[one.round, (one.way, one.workload)].append(one)
    both = {place: several for place, several in found.items() if len(several) == 2}
    minima = {place: min(min(one.times_ns) for one in several) for place, several in both.items()}
    pairs = []
    for step in steps:
        (workload,) = step.workloads
        for (number, (way, name)), base_ns in minima.items():
            other = minima.get((number, (step.stage, workload)))
            if (way, name) == (step.base, workload) and other:
                pairs.append(_pair(number, step.base, step.stage, workload, base_ns, other))
    for (number, (way, workload)), (one, again) in both.items():
        times = [min(one.times_ns), min(again.times_ns)]
        pairs.append(_pair(number, way, way + AGAIN, workload, *(times if one.place % 2 else times[::-1])))
    return pairs


def _pair(number: int, base: str, stage: str, workload: str, base_ns: float, stage_ns: float) -> Pair:
    return Pair(part=PART, round=number, base=base, stage=stage, workload=workload, base_ns=base_ns, stage_ns=stage_ns)


def warm_up(forks: Sequence[Fork]) -> int:
    """The shortest one after which JVMs are as fast as they are at their end: no difference over 2 % is decided for all
    JVMs of the trial together; the longest where none is. Medians, for a minimum would hide a slow beginning."""
    for milliseconds in CANDIDATES_MS[:-1]:
        skip = milliseconds // ITERATION_MS
        d = [
            math.log(median(one.times_ns[skip : skip + ITERATIONS])) - math.log(median(one.times_ns[-ITERATIONS:]))
            for one in forks
        ]
        if sequential.decide(d, len(CANDIDATES_MS)).verdict == "same":
            return milliseconds
    return CANDIDATES_MS[-1]


@dataclass(frozen=True)
class Session:
    """A measurement under way."""

    case: JavaCase
    host: Host
    journal: Journal
    console: Console
    progress: Progress
    task: TaskID

    def timed(self, place: Place, iterations: int, warm_ms: int, more: Sequence[str] = ()) -> Timed:
        way, workload = place
        module = self.case.ladder.modules.get(way)
        flags = [f"--add-modules={module}"] if module else []
        size = self.case.ladder.workloads[workload]
        return self.host.timed(self.case.ladder.benchmark, way, size, iterations, warm_ms, [*flags, *more])

    def fork(self, key: str, number: int, place: int, at: Place, iterations: int, warm_ms: int) -> Fork:
        def measured() -> Fork:
            found = self.timed(at, iterations, warm_ms)
            begun = self.journal.once("jvm", lambda: found.jvm, Jvm)
            if begun != found.jvm:
                raise UserError(
                    f"This measurement was begun with Java {begun.version}, and java is now {found.jvm.version}: to "
                    f"begin again, rm {shown(self.journal.path)}"
                )
            return Fork(round=number, place=place, way=at[0], workload=at[1], times_ns=found.times_ns)

        found = self.journal.once(key, measured, Fork)
        self.progress.advance(self.task)
        self.progress.refresh()
        return found

    def describe(self, what: str) -> None:
        said = f"{self.case.name}: {what}"
        self.progress.update(self.task, description=said)
        self.progress.refresh()
        if not self.console.is_terminal:
            self.console.print(said, markup=False)


def measured(begun: Session, cpu: int, missing: dict[str, str], rounds: int) -> JavaMeasurement:
    """`missing`: ways that cannot run, and the module that each needs. Every JVM is on disk before the next starts."""
    case, journal = begun.case, begun.journal
    made, seed = journal.once("made", made_now, Made), journal.once("seed", lambda: secrets.randbelow(2**32), int)
    ways = [way for way in case.ways if way not in missing]
    steps = steps_of(case, [*missing], rounds)
    begun.progress.update(begun.task, total=_TRIALS * len(ways) + 2 * sequential.FIRST_ROUNDS * len(_places(steps)))
    trial = _trial(begun, ways)
    forks = _rounds(begun, steps, seed, warm_up(trial))
    return JavaMeasurement(
        case=case.name,
        made=made,
        machine=identity.describe(),
        jvm=journal.get("jvm", Jvm),
        libraries=libraries(),
        seed=seed,
        cpu=cpu,
        iterations=ITERATIONS,
        iteration_ms=ITERATION_MS,
        warm_up=WarmUp(candidates_ms=[*CANDIDATES_MS], chosen_ms=warm_up(trial), forks=trial),
        steps=steps,
        sources=case.sources(),
        workloads=case.ladder.workloads,
        ways=ways,
        left_out=[LeftOut(name=way, reason=f"this JVM has no module {module}") for way, module in missing.items()],
        forks=forks,
    )


def _places(steps: Sequence[Step]) -> list[Place]:
    return [*dict.fromkeys((way, step.workloads[0]) for step in steps for way in (step.base, step.stage))]


def _trial(begun: Session, ways: Sequence[str]) -> list[Fork]:
    begun.describe("choosing the warm-up")
    return [
        begun.fork(f"trial/{number}/{way}", number, place, (way, begun.case.first), TRIAL_ITERATIONS, 0)
        for number in range(_TRIALS)
        for place, way in enumerate(ways)
    ]


def _rounds(begun: Session, steps: Sequence[Step], seed: int, warm_ms: int) -> list[Fork]:
    found: list[Fork] = []
    number = 0
    while places := _places(_undecided(found, steps, number)):
        begun.describe(f"round {number + 1}, {len(places)} ways and workloads, each in two JVMs")
        if number >= sequential.FIRST_ROUNDS:
            total = next(task.total for task in begun.progress.tasks if task.id == begun.task)
            begun.progress.update(begun.task, total=(total or 0) + 2 * len(places))
        order = [places[one] for one in np.random.default_rng([seed, number]).permutation(len(places))]
        for place, at in enumerate([*order, *reversed(order)]):
            found.append(begun.fork(f"{number}/{place}/{'/'.join(at)}", number, place, at, ITERATIONS, warm_ms))
        number += 1
    return found


def _undecided(forks: Sequence[Fork], steps: Sequence[Step], number: int) -> list[Step]:
    values: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for pair in pairs_of(forks, steps):
        values[pair.base, pair.stage, pair.workload].append(math.log(pair.base_ns) - math.log(pair.stage_ns))

    def rests(step: Step) -> bool:
        mine = values[step.base, step.stage, step.workloads[0]]
        return number >= step.rounds or sequential.decided(mine, step.together)

    return [step for step in steps if not rests(step)]
