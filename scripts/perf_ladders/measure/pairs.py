"""One round of a comparison: two programs are measured at a time, alternating between both in slices of about a
millisecond. docs/method.md says why in this way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

import msgspec
import numpy as np

from perf_ladders import stats
from perf_ladders.measure.runner import Plan, Runner, single_calls
from perf_ladders.measure.serving import Served
from perf_ladders.model.measurement import Pair, Quantity, Slices, Step

QUADS = 5  # of four slices, in the order x y y x: so a slow drift favours neither
SLICES = 2 * QUADS  # of each program
SLICE_MS = 1.0
LONGER_SLICES_MS = (5.0, 10.0)  # where alternating cools what a call needs in the caches
_WARM_NS = 300_000
_LONGEST = 5  # slices that one of the slower program may be as long as; else the reference would take most of the time
_LONGEST_CALL_NS = 20e6  # a call that takes longer is timed in processes that run alone
_LEAST_NS = 0.1  # that a standard deviation counts as: one of 0 has no logarithm
_MAX_PAD = 4096  # bytes of heap before a workload
_COOLED = 1.02  # a slice that takes so much longer than one of the longest is too short


class PairTimes(msgspec.Struct, frozen=True):
    """All slices of two processes on a workload: nanoseconds of a call."""

    workload: str
    base_ns: list[float]
    stage_ns: list[float]

    @property
    def least_ns(self) -> tuple[float, float]:
        """Of the base and of the stage, as a result keeps it."""
        return round(min(self.base_ns), 3), round(min(self.stage_ns), 3)

    @property
    def d(self) -> float:
        """The value of a round: the logarithm of how many times as fast the stage is. A page has the same values, so it
        has the same verdicts."""
        base, stage = self.least_ns
        return math.log(base) - math.log(stage)


def measured(
    base: Runner,
    stage: Runner,
    workloads: Sequence[str],
    slice_ms: Mapping[str, float],
    cpu: int,
    generator: np.random.Generator,
) -> list[PairTimes]:
    """One round of a step: two fresh processes, on each workload in shuffled order."""
    base, stage = base.drawn(generator), stage.drawn(generator)
    order = [workloads[place] for place in generator.permutation(len(workloads))]
    if any(one.program.threads or one.program.device for one in (base, stage)):
        return [_alone(base, stage, name, cpu, generator) for name in order]
    found: list[PairTimes] = []
    with ExitStack() as live:
        sides = _started((base, stage), cpu, generator, live)
        for name in order:
            if times := _alternating(sides, name, slice_ms.get(name, SLICE_MS), generator):
                found.append(times)
    alone = [name for name in order if name not in {one.workload for one in found}]
    return [*found, *(_alone(base, stage, name, cpu, generator) for name in alone)]


def _started(
    pair: tuple[Runner, Runner], cpu: int, generator: np.random.Generator, live: ExitStack
) -> tuple[Served, Served]:
    found: dict[int, Served] = {}
    for side in generator.permutation(2):
        found[int(side)] = live.enter_context(Served(pair[side], cpu, int(generator.integers(0, _MAX_PAD))))
    return found[0], found[1]


def _alternating(
    sides: tuple[Served, Served], workload: str, slice_ms: float, generator: np.random.Generator
) -> PairTimes | None:
    """None where a call takes too long for slices."""
    for side in sides:
        side.make(workload, 0)
        side.slice(1)
        side.verify("everywhere")
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(QUADS):
        for side in sides:
            side.make(workload, int(generator.integers(0, _MAX_PAD)))
        call_ns = [side.warm(_WARM_NS) for side in sides]
        if not times[0] and max(call_ns) > _LONGEST_CALL_NS:  # later a call that is so long was interrupted
            return None
        calls = _calls(call_ns, slice_ms, generator)
        for place in quad(generator):
            times[place].append(sides[place].slice(calls))
        for side in sides:
            side.verify("samples")
    return PairTimes(workload, *times)


def _alone(base: Runner, stage: Runner, workload: str, cpu: int, generator: np.random.Generator) -> PairTimes:
    """Whole processes, one after the other, in the order x y y x: for threads, devices and long calls."""
    times: tuple[list[float], list[float]] = ([], [])
    for place in quad(generator):
        times[place].extend(alone((base, stage)[place], workload, SLICE_MS, cpu, generator))
    return PairTimes(workload, *times)


def of_calls(
    base: Runner, stage: Runner, of: Quantity, workload: str, plan: Plan, generator: np.random.Generator
) -> list[PairTimes]:
    """Another quantity than the time: of the single calls of two fresh processes, in random order."""
    base, stage = base.drawn(generator), stage.drawn(generator)
    found: dict[int, float] = {}
    for side in generator.permutation(2):
        samples = single_calls((base, stage)[side], plan, int(generator.integers(0, _MAX_PAD)))
        found[int(side)] = max(min(samples) if of == "extremes" and not side else _of_calls(samples, of), _LEAST_NS)
    return [PairTimes(workload, [found[0]], [found[1]])]


def _of_calls(samples: Sequence[float], of: Quantity) -> float:
    calls = stats.calls(samples)
    if of == "trimmed":
        return float(np.mean([one for one in samples if abs(one - calls.mean_ns) <= calls.sd_ns]))
    return calls.sd_ns if of == "sd" else calls.max_ns


def alone(runner: Runner, workload: str, slice_ms: float, cpu: int, generator: np.random.Generator) -> list[float]:
    """The slices of one process, nanoseconds of a call; the workload is made again for each of them."""
    times = []
    with Served(runner, cpu, int(generator.integers(0, _MAX_PAD))) as live:
        live.make(workload, 0)
        live.slice(1)
        live.verify("everywhere")
        for _ in range(QUADS):
            live.make(workload, int(generator.integers(0, _MAX_PAD)))
            times.append(live.slice(_calls([live.warm(_WARM_NS)], slice_ms, generator)))
            live.verify("samples")
    return times


def _calls(call_ns: Sequence[float], slice_ms: float, generator: np.random.Generator) -> int:
    """Of a slice, the same on both sides: enough for the faster one, unless the slower one takes too long. It is
    random, so no program can know after how many calls it is verified."""
    calls = min(slice_ms / min(call_ns), _LONGEST * slice_ms / max(call_ns)) * 1e6
    return max(1, round(calls * generator.uniform(1.0, 1.2)))


def quad(generator: np.random.Generator) -> tuple[int, int, int, int]:
    """The sides of four slices or runs: x y y x."""
    x = int(generator.integers(0, 2))
    return x, 1 - x, 1 - x, x


def slices_for(runner: Runner, workloads: Sequence[str], cpu: int, generator: np.random.Generator) -> dict[str, float]:
    """The shortest slice of each workload that shows a program no slower than the longest does. It is an A/A trial:
    the program against itself, before anything is compared. Short slices get more trials: as much time to meet a quiet
    moment as long ones."""
    found: dict[str, float] = {}
    with ExitStack() as live:
        sides = _started((runner, runner), cpu, generator, live)
        for name in workloads:
            lengths = (SLICE_MS, *LONGER_SLICES_MS)
            least: dict[float, float] = {}
            for length in lengths:
                trials = (_alternating(sides, name, length, generator) for _ in range(round(lengths[-1] / length)))
                least[length] = min((min(*one.base_ns, *one.stage_ns) for one in trials if one), default=math.inf)
            found[name] = next(length for length in lengths if least[length] <= _COOLED * least[lengths[-1]])
    return found


def pairs_of(step: Step, round_: int, times: Sequence[PairTimes]) -> list[Pair]:
    return [
        Pair(
            part=step.part,
            round=round_,
            base=step.base,
            stage=step.stage,
            of=step.of,
            workload=one.workload,
            base_ns=one.least_ns[0],
            stage_ns=one.least_ns[1],
        )
        for one in times
    ]


def summed_up(processes: Mapping[tuple[str, str], Sequence[Sequence[float]]]) -> list[Slices]:
    """`processes`: by program and workload, the slices of each process."""
    found = []
    for (program, workload), every in processes.items():
        pooled = np.concatenate([np.asarray(one) for one in every])
        means = np.array([np.mean(one) for one in every])
        within = np.array([np.var(one, ddof=1) if len(one) > 1 else 0.0 for one in every])
        found.append(
            Slices(
                program=program,
                workload=workload,
                processes=len(every),
                count=len(pooled),
                mean_ns=_rounded(pooled.mean()),
                sd_ns=_rounded(pooled.std(ddof=1)),
                sd_within_ns=_rounded(np.sqrt(within.mean())),
                sd_between_ns=_rounded(means.std(ddof=1)) if len(means) > 1 else 0.0,
                min_ns=_rounded(pooled.min()),
                max_ns=_rounded(pooled.max()),
            )
        )
    return found


def _rounded(value: float) -> float:
    return round(float(value), 3)
