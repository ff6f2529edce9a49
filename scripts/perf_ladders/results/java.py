"""What follows from a measurement of Java programs: comparisons with verdicts, and which measurement counts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from perf_ladders import stats
from perf_ladders.measure.java_rounds import pairs_of
from perf_ladders.measure.pairs import summed_up
from perf_ladders.model.java import JavaMeasurement
from perf_ladders.model.measurement import AGAIN
from perf_ladders.results import store
from perf_ladders.results.times import OfPairs
from perf_ladders.stats import Comparison, Spread
from perf_ladders.tree.java import JavaCase, java_cases


@dataclass(frozen=True)
class Row:
    """A way on a workload."""

    way: str
    workload: str
    spread: Spread


class JavaAnalysis:
    def __init__(self, measurement: JavaMeasurement) -> None:
        self.measurement = measurement
        processes: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
        for fork in measurement.forks:
            processes[fork.way, fork.workload].append(fork.times_ns)
        self._places = [*processes]
        steps = measurement.steps
        self._times = OfPairs(pairs_of(measurement.forks, steps), summed_up(processes), steps)

    @property
    def first(self) -> str:
        return next(iter(self.measurement.workloads))

    @cached_property
    def rows(self) -> list[Row]:
        """In the order of workloads and ways."""
        return [
            Row(way, workload, self._times.spread(way, workload))
            for workload in self.measurement.workloads
            for way in self.measurement.ways
            if (way, workload) in self._places
        ]

    @cached_property
    def controls(self) -> dict[str, Comparison]:
        """Each way beside itself, by way and workload."""
        found = {}
        for way, workload in self._places:
            control = self._times.compare(way, way + AGAIN, workload, stats.MIN_FLOOR, 1)
            if control:
                found[f"{way} on {workload}"] = control
        return found

    @property
    def apart(self) -> list[str]:
        """The controls that came out different."""
        return [name for name, control in self.controls.items() if self._times.floor(control) is None]

    def compared(self, base: str, stage: str, workload: str | None = None) -> Comparison | None:
        """None where the two were not compared. Where one of them is not like itself, nothing is decided."""
        name = workload or self.first
        gate = not {f"{way} on {name}" for way in (base, stage)} & {*self.apart}
        return self._times.compare(base, stage, name, stats.MIN_FLOOR if gate else None, 1)

    def is_stale(self, case: JavaCase, *ways: str) -> bool:
        """Whether the sources of one of these, or of the harness, are others by now."""
        now, units = case.sources(), [f"stage/{way}" for way in ways]
        return any(now.get(unit) != self.measurement.sources.get(unit) for unit in (*units, "harness"))


@dataclass(frozen=True)
class Shown:
    case: JavaCase
    analysis: JavaAnalysis


def shown() -> dict[str, Shown]:
    """By case the newest published measurement."""
    newest = {case: store.newest_first(f"{store.JAVA}/{case.name}", store.load_java)[:1] for case in java_cases()}
    return {case.name: Shown(case, JavaAnalysis(one)) for case, found in newest.items() for one in found}
