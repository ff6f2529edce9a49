"""The times of a measurement, by program and workload, and how two programs compare. Measurements by pairs decide with
a sequential test; those by fixed blocks, which older files hold, by an interval and a floor."""

from __future__ import annotations

import statistics
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from perf_ladders import sequential, stats
from perf_ladders.model.measurement import Block, Measurement, Pair, Quantity, Round, Slices, Step
from perf_ladders.stats import Comparison, Spread

Ratios = list[float]  # how many times as fast the second program was, of each round


class Times(ABC):
    @abstractmethod
    def __contains__(self, place: tuple[str, str]) -> bool:
        """Whether this program was measured on this workload."""

    @abstractmethod
    def spread(self, program: str, workload: str) -> Spread: ...

    @abstractmethod
    def least(self, program: str, workload: str) -> list[float]:
        """The least time of each process, in nanoseconds a call; empty where it was not measured."""

    @abstractmethod
    def ratios(self, base: str, other: str, workload: str) -> Ratios:
        """Empty where the two were not measured against each other."""

    @abstractmethod
    def compare(
        self, base: str, other: str, workload: str, floor: float | None, together: int, of: Quantity = "time"
    ) -> Comparison | None:
        """None where the two were not measured against each other. `floor` None: no verdict may be given."""

    @abstractmethod
    def min_rounds(self, together: int) -> int:
        """From which on there may be a verdict."""

    @abstractmethod
    def floor(self, control: Comparison) -> float | None:
        """What a difference must exceed, by the A/A control; None: it failed, and nothing may be decided."""


class OfBlocks(Times):
    """In the order of the blocks, each of which holds every program. The minimum of a process counts."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._times = repetitions_of(blocks)
        self._minimum = {place: [min(block) for block in every] for place, every in self._times.items()}

    def __contains__(self, place: tuple[str, str]) -> bool:
        return place in self._times

    def spread(self, program: str, workload: str) -> Spread:
        return stats.spread(self._times[program, workload])

    def least(self, program: str, workload: str) -> list[float]:
        return self._minimum.get((program, workload), [])

    def ratios(self, base: str, other: str, workload: str) -> Ratios:
        pair = (self.least(name, workload) for name in (base, other))
        return [before / after for before, after in zip(*pair, strict=False)]

    def compare(
        self, base: str, other: str, workload: str, floor: float | None, together: int, of: Quantity = "time"
    ) -> Comparison | None:
        first, second = (self.least(name, workload) for name in (base, other))
        if of != "time" or not first or not second:
            return None
        return stats.compare(first, second, floor, together)

    def min_rounds(self, together: int) -> int:
        return stats.min_blocks(together)

    def floor(self, control: Comparison) -> float | None:
        return stats.floor_from(control)


class OfPairs(Times):
    """One value a round for each two programs that ran beside each other."""

    def __init__(
        self,
        pairs: Sequence[Pair],
        slices: Sequence[Slices],
        steps: Sequence[Step],
        codes: Mapping[str, str] | None = None,
    ) -> None:
        """`codes`: the hash of the machine code, by program."""
        self._codes = codes or {}
        self._d: dict[tuple[str, str, str, Quantity], list[float]] = defaultdict(list)
        self._minimum: dict[tuple[str, str], list[float]] = defaultdict(list)
        ordered = sorted(pairs, key=lambda pair: pair.round)
        differences = np.log([pair.base_ns for pair in ordered]) - np.log([pair.stage_ns for pair in ordered])
        for pair, value in zip(ordered, differences.tolist(), strict=True):
            self._d[pair.base, pair.stage, pair.workload, pair.of].append(value)
            if pair.of != "time":
                continue
            self._minimum[pair.base, pair.workload].append(pair.base_ns)
            self._minimum[pair.stage, pair.workload].append(pair.stage_ns)
        self._slices = {(one.program, one.workload): one for one in slices}
        self._together = {
            (step.base, step.stage, workload, step.of): step.together for step in steps for workload in step.workloads
        }

    def __contains__(self, place: tuple[str, str]) -> bool:
        return place in self._slices

    def spread(self, program: str, workload: str) -> Spread:
        """Mean and deviations are those of all slices, median and interval those of the least slices of processes."""
        least, slices = self._minimum[program, workload], self._slices[program, workload]
        low, high = stats.sign_interval(least) or (None, None)
        return Spread(
            n=slices.processes,
            median=statistics.median(least),
            low=low,
            high=high,
            mean=slices.mean_ns,
            sd=slices.sd_ns,
            sd_within=slices.sd_within_ns,
            sd_between=slices.sd_between_ns,
            minimum=slices.min_ns,
            maximum=slices.max_ns,
        )

    def least(self, program: str, workload: str) -> list[float]:
        return self._minimum.get((program, workload), [])

    def ratios(self, base: str, other: str, workload: str) -> Ratios:
        if base == other:
            return [1.0] * len(self.least(base, workload))
        return [float(np.exp(d)) for d in self._values(base, other, workload, "time")]

    def compare(
        self, base: str, other: str, workload: str, floor: float | None, together: int, of: Quantity = "time"
    ) -> Comparison | None:
        values = self._values(base, other, workload, of)
        if not values:
            return None
        way = (base, other) if (base, other, workload, of) in self._d else (other, base)  # whose rounds these are
        asked = self._together.get((*way, workload, of), 1)
        found = sequential.decide(values, asked, gate=floor is not None)
        code = self._codes.get(base) if of == "time" else None
        return replace(found, verdict="same code") if code and code == self._codes.get(other) else found

    def min_rounds(self, together: int) -> int:
        return sequential.fewest_rounds(together)

    def floor(self, control: Comparison) -> float | None:
        return None if control.fails else stats.MIN_FLOOR

    def _values(self, base: str, other: str, workload: str, of: Quantity) -> list[float]:
        if found := self._d.get((base, other, workload, of)):
            return found
        return [-value for value in self._d.get((other, base, workload, of), [])]


def times_of(measurement: Measurement) -> Times:
    if measurement.design.kind == "blocks":
        return OfBlocks(measurement.blocks)
    # The control is the reference itself: its verdict is the gate.
    codes = {one.id: one.code for one in measurement.programs if one.code and one.kind != "control"}
    return OfPairs(measurement.pairs, measurement.slices, measurement.design.steps, codes)


def repetitions_of(blocks: Sequence[Block]) -> dict[tuple[str, str], list[list[float]]]:
    """By program and workload: the times of each block."""
    found: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for block in blocks:
        for run in block.runs:
            for workload, times in run.times_ns.items():
                found[run.program, workload].append(times)
    return dict(found)


def rounds_of(measurement: Measurement) -> Sequence[Round]:
    """What the machine did meanwhile, round after round; a block is a round."""
    return measurement.rounds if measurement.design.kind == "pairs" else measurement.blocks


def clock_of(rounds: Sequence[Round]) -> float:
    return float(np.median([ghz for one in rounds for ghz in one.clock_ghz]))
