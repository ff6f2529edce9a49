"""At which size of a message does which program win, and where do they cross? From programs that time many sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from perf_ladders import rungs, stats
from perf_ladders.rows import Result, ladders

View = dict[str, Any]

_PARTS = {"to_device": "to the device", "kernel": "kernel alone", "to_host": "back"}


@dataclass(frozen=True)
class Line:
    """One way to cipher, by size: the time of a message in every round, in nanoseconds."""

    name: str
    kind: str  # reference, cpu, device or kernel
    rounds: Mapping[int, Sequence[float]] = field(default_factory=dict)

    def median(self, size: int) -> float:
        return float(np.median(self.rounds[size]))


def section(result: Result) -> View | None:
    """None for a case without such a program."""
    found = _program(result)
    if found is None:
        return None
    place, program = found
    about = {key: program[key] for key in ("app", "title", "arguments", "rounds", "left_out")}
    if "missing" in program:
        return {**about, "says": result["apps"].get(program["app"], ""), "missing": program["missing"], "ladders": []}
    views = [view for ladder in ladders(result) if (view := _view(result, place, ladder))]
    return {**about, "says": result["apps"].get(program["app"], ""), "ladders": views}


def drawn(result: Result) -> tuple[list[Line], View] | None:
    """What the picture shows: the lines of the first ladder that has them, with where they cross."""
    found = _program(result)
    for ladder in rungs.highest(result) if found else []:
        view = _view(result, found[0], ladder) if found else None
        if view:
            return view["lines"], view
    return None


def _program(result: Result) -> tuple[int, View] | None:
    programs = enumerate(result.get("programs", []))
    return next(((place, one) for place, one in programs if one["measure"] == "sizes"), None)


def _view(result: Result, place: int, ladder: rungs.Ladder) -> View | None:
    runs = _runs(result, place, ladder)
    on_devices = [name for name in runs if name in rungs.on_devices(result)]
    reference = result["stages"][0]["name"]
    if reference not in runs or not on_devices:
        return None
    lines = _lines(result, runs, reference, on_devices)
    sizes = sorted(lines[0].rounds)
    rivals = [line for line in lines if line.kind in ("device", "kernel")]
    return {
        "level": ladder[0],
        "compiler": ladder[1],
        "id": ".".join(ladder),
        "json": f"programs[{place}].runs",
        "device": runs[on_devices[0]][0]["device"],
        "lines": lines,
        "rows": [_row(lines, runs[on_devices[0]], size) for size in sizes],
        "parts": list(_PARTS.values()),
        "crossings": [
            _crossing(line, rival, sizes) for rival in rivals for line in lines if line.kind in ("reference", "cpu")
        ],
        "peaks": [_peak(line, sizes) for line in rivals],
    }


def _runs(result: Result, place: int, ladder: rungs.Ladder) -> dict[str, list[View]]:
    """By program, round after round."""
    runners = {one["id"]: one for one in ladders(result)[ladder] if one["kind"] == "stage"}
    found: dict[str, list[View]] = {}
    for run in sorted(result["programs"][place]["runs"], key=lambda run: run["round"]):
        if run["runner"] in runners:
            found.setdefault(runners[run["runner"]]["stage"], []).append(run)
    return found


def _lines(result: Result, runs: Mapping[str, list[View]], reference: str, on_devices: Sequence[str]) -> list[Line]:
    titles = rungs.titles(result)

    def of_stage(name: str, kind: str) -> Line:
        return Line(titles[name], kind, _by_size(runs[name], lambda one: one["stage_ns"]))

    others = [of_stage(name, "cpu") for name in runs if name not in (reference, *on_devices)]
    best = sorted(others, key=lambda line: np.mean([math.log(line.median(size)) for size in line.rounds]))[:1]
    kernel = Line("the kernel alone", "kernel", _by_size(runs[on_devices[0]], lambda one: one["device_ns"]["kernel"]))
    return [
        of_stage(reference, "reference"),
        *best,
        *(of_stage(name, "device") for name in on_devices),
        kernel,
    ]


def _by_size(runs: Sequence[View], of: Any) -> dict[int, list[float]]:
    found: dict[int, list[float]] = {}
    for run in runs:
        for one in run["sizes"]:
            found.setdefault(one["bytes"], []).append(of(one))
    return found


def _row(lines: Sequence[Line], device_runs: Sequence[View], size: int) -> View:
    """Medians over the rounds; the fastest of those that take a message from memory and put it there."""
    whole = [line for line in lines if line.kind != "kernel"]
    first, second = sorted(whole, key=lambda line: line.median(size))[:2]
    surely = stats.compare(second.rounds[size], first.rounds[size], stats.LEAST_FLOOR, len(whole) - 1)
    parts = {
        key: float(np.median(_by_size(device_runs, lambda one, key=key: one["device_ns"][key])[size])) for key in _PARTS
    }
    return {
        "bytes": size,
        "times": [line.median(size) for line in whole],
        "parts": list(parts.values()),
        "fastest": whole.index(first),
        "sure": surely.verdict == "faster",
    }


def _crossing(line: Line, rival: Line, sizes: Sequence[int]) -> View:
    """From which size on the rival is faster: on a straight line between two sizes, on logarithmic scales."""
    leads = [math.log(line.median(size) / rival.median(size)) for size in sizes]
    about = {"line": line.name, "rival": rival.name}
    if leads[-1] <= 0:
        best = int(np.argmax(leads))
        return {**about, "at": None, "nearest": {"bytes": sizes[best], "ratio": math.exp(leads[best])}}
    behind = [place for place, lead in enumerate(leads) if lead <= 0]
    if not behind:
        return {**about, "at": sizes[0], "between": None, "ns": rival.median(sizes[0])}
    left, right = behind[-1], behind[-1] + 1
    share = -leads[left] / (leads[right] - leads[left])

    def between(low: float, high: float) -> float:
        return math.exp(math.log(low) + share * (math.log(high) - math.log(low)))

    return {
        **about,
        "at": between(sizes[left], sizes[right]),
        "between": [sizes[left], sizes[right]],
        "ns": between(rival.median(sizes[left]), rival.median(sizes[right])),
    }


def _peak(line: Line, sizes: Sequence[int]) -> View:
    """The size with the highest throughput, in MB/s."""
    best = max(sizes, key=lambda size: size / line.median(size))
    return {"name": line.name, "bytes": best, "mb_s": 1e3 * best / line.median(best), "last": best == sizes[-1]}
