"""At which size of a message does which program win, and where do they cross? From programs that time many sizes."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from perf_ladders import stats
from perf_ladders.model.apps import App, AppRun, Device, SizeTime, Transfers
from perf_ladders.results import apps, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, OfLadder

PARTS: dict[str, Callable[[Transfers], float]] = {
    "to the device": lambda one: one.to_device,
    "kernel alone": lambda one: one.kernel,
    "back": lambda one: one.to_host,
}


@dataclass(frozen=True)
class Line:
    """One way to cipher, by size: the time of a message in every round, in nanoseconds."""

    name: str
    kind: Literal["reference", "cpu", "device", "kernel"]
    rounds: Mapping[int, Sequence[float]] = field(default_factory=dict)

    def median(self, size: int) -> float:
        return float(np.median(self.rounds[size]))


@dataclass(frozen=True)
class SizeRow:
    """Medians over the rounds; the fastest of those that take a message from memory and put it there."""

    bytes: int
    times: list[float]
    parts: list[float]
    fastest: int
    sure: bool


@dataclass(frozen=True)
class Crossing:
    """From which size on the rival is faster. `at` is None where it is slower at the largest size: then the size that
    is best for it is told."""

    line: str
    rival: str
    at: float | None
    between: tuple[int, int] | None = None  # None: from the smallest size on
    ns: float = 0.0
    best_bytes: int = 0
    best_ratio: float = 0.0


@dataclass(frozen=True)
class Peak:
    """The size with the highest throughput."""

    name: str
    bytes: int
    mb_s: float
    last: bool  # it is the largest size


@dataclass(frozen=True)
class View(OfLadder):
    device: Device
    lines: list[Line]
    rows: list[SizeRow]
    parts: list[str]
    crossings: list[Crossing]
    peaks: list[Peak]


@dataclass(frozen=True)
class Section:
    app: App
    title: str
    says: str
    ladders: list[View]


def section(analysis: Analysis) -> Section | None:
    """None for a case without such a program."""
    app = _app(analysis)
    if app is None:
        return None
    views = [view for ladder in analysis.ladders if (view := _view(analysis, app, ladder))]
    return Section(app, apps.title(analysis, app), analysis.case.apps.get(app.app, ""), views)


def drawn(analysis: Analysis) -> View | None:
    """What the picture shows: the first of the highest ladders that has it."""
    app = _app(analysis)
    views = (_view(analysis, app, ladder) for ladder in queries.highest(analysis)) if app else ()
    return next((view for view in views if view), None)


def _app(analysis: Analysis) -> App | None:
    return next((app for app in analysis.measurement.apps if app.measure == "sizes"), None)


def _view(analysis: Analysis, app: App, ladder: Ladder) -> View | None:
    runs = _runs(analysis, app, ladder)
    on_devices = [name for name in runs if name in queries.on_devices(analysis)]
    device = runs[on_devices[0]][0].device if on_devices else None
    if analysis.reference not in runs or device is None:
        return None
    lines = _lines(analysis, runs, on_devices)
    sizes = sorted(lines[0].rounds)
    floors = _floors(analysis, app, ladder, lines[0])
    rivals = [line for line in lines if line.kind in ("device", "kernel")]
    return View(
        *ladder,
        device=device,
        lines=lines,
        rows=[_row(lines, runs[on_devices[0]], size, floors.get(size)) for size in sizes],
        parts=list(PARTS),
        crossings=[
            _crossing(line, rival, sizes) for rival in rivals for line in lines if line.kind in ("reference", "cpu")
        ],
        peaks=[_peak(line, sizes) for line in rivals],
    )


def _floors(analysis: Analysis, app: App, ladder: Ladder, reference: Line) -> dict[int, float]:
    """By size what a difference must exceed: what the reference shows against itself in this program."""
    control = analysis.at(analysis.control, ladder)
    again = sorted((run for run in app.runs if control and run.program == control.id), key=lambda run: run.round)
    return {
        size: stats.floor_between(reference.rounds[size], times)
        for size, times in _by_size(again, lambda one: one.stage_ns).items()
    }


def _runs(analysis: Analysis, app: App, ladder: Ladder) -> dict[str, list[AppRun]]:
    """By stage, round after round."""
    stages = {one.id: analysis.name[one.id] for one in analysis.ladders[ladder] if one.kind == "stage"}
    found: dict[str, list[AppRun]] = defaultdict(list)
    for run in sorted(app.runs, key=lambda run: run.round):
        if run.program in stages:
            found[stages[run.program]].append(run)
    return dict(found)


def _lines(analysis: Analysis, runs: Mapping[str, list[AppRun]], on_devices: Sequence[str]) -> list[Line]:
    titles = queries.titles(analysis)

    def of_stage(name: str, kind: Literal["reference", "cpu", "device"]) -> Line:
        return Line(titles[name], kind, _by_size(runs[name], lambda one: one.stage_ns))

    others = [of_stage(name, "cpu") for name in runs if name not in (analysis.reference, *on_devices)]
    best = sorted(others, key=lambda line: np.mean([math.log(line.median(size)) for size in line.rounds]))[:1]
    kernel = Line("the kernel alone", "kernel", _of_device(runs[on_devices[0]], lambda one: one.kernel))
    devices = (of_stage(name, "device") for name in on_devices)
    return [of_stage(analysis.reference, "reference"), *best, *devices, kernel]


def _by_size(runs: Sequence[AppRun], of: Callable[[SizeTime], float]) -> dict[int, list[float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for run in runs:
        for one in run.sizes:
            found[one.bytes].append(of(one))
    return dict(found)


def _of_device(runs: Sequence[AppRun], of: Callable[[Transfers], float]) -> dict[int, list[float]]:
    return _by_size(runs, lambda one: of(one.device_ns) if one.device_ns else math.nan)


def _row(lines: Sequence[Line], device_runs: Sequence[AppRun], size: int, floor: float | None) -> SizeRow:
    whole = [line for line in lines if line.kind != "kernel"]
    first, second = sorted(whole, key=lambda line: line.median(size))[:2]
    surely = stats.compare(second.rounds[size], first.rounds[size], floor, len(whole) - 1)
    return SizeRow(
        bytes=size,
        times=[line.median(size) for line in whole],
        parts=[float(np.median(_of_device(device_runs, of)[size])) for of in PARTS.values()],
        fastest=whole.index(first),
        sure=surely.verdict == "faster",
    )


def _crossing(line: Line, rival: Line, sizes: Sequence[int]) -> Crossing:
    """On a straight line between two sizes, on logarithmic scales."""
    leads = [math.log(line.median(size) / rival.median(size)) for size in sizes]
    if leads[-1] <= 0:
        best = int(np.argmax(leads))
        return Crossing(line.name, rival.name, None, best_bytes=sizes[best], best_ratio=math.exp(leads[best]))
    behind = [place for place, lead in enumerate(leads) if lead <= 0]
    if not behind:
        return Crossing(line.name, rival.name, sizes[0], ns=rival.median(sizes[0]))
    left, right = behind[-1], behind[-1] + 1
    share = -leads[left] / (leads[right] - leads[left])

    def between(low: float, high: float) -> float:
        return math.exp(math.log(low) + share * (math.log(high) - math.log(low)))

    ends = sizes[left], sizes[right]
    ns = between(rival.median(ends[0]), rival.median(ends[1]))
    return Crossing(line.name, rival.name, between(*ends), ends, ns)


def _peak(line: Line, sizes: Sequence[int]) -> Peak:
    best = max(sizes, key=lambda size: size / line.median(size))
    return Peak(line.name, best, 1e3 * best / line.median(best), best == sizes[-1])
