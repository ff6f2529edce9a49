"""What the page of a case of many buffers shows: the cost of one, what it depends on, what it is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import linregress

from perf_ladders import rungs
from perf_ladders.rows import Result, Row, clock_of, ladders

View = dict[str, Any]


def buffers(result: Result) -> int:
    """How many buffers a call processes."""
    found: int = result.get("jobs", {}).get("buffers", 1)
    return found


def section(result: Result) -> View | None:
    if "jobs" not in result:
        return None
    return {"buffers": buffers(result), "costs": _costs(result), "lines": _lines(result), "parts": parts(result)}


def emptied(result: Result) -> set[str]:
    """The programs without their kernel, which are there to be subtracted: no others can be compared with them. They
    are variants whose name begins with "no-"."""
    names = {one["stage"] for one in result["runners"] if one["kind"] == "variant"}
    return {name for name in names if name.removeprefix(result["case"])[3:].startswith("-no-")}


def parts(result: Result) -> list[View]:
    """By ladder, stage and [[breakdown]]: cycles a buffer for each part; what was not measured is None."""
    found = []
    for level, compiler in ladders(result):
        mine = _rows(result, level, compiler)
        for stage in (stage["name"] for stage in result["stages"]):
            for breakdown in result.get("breakdown", []):
                cycles = [_part(result, mine, stage, part) for part in breakdown["parts"]]
                if any(value is not None for value in cycles):
                    found.append(
                        {
                            "level": level,
                            "compiler": compiler,
                            "stage": stage,
                            "title": breakdown["title"],
                            "names": [part["name"] for part in breakdown["parts"]],
                            "cycles": cycles,
                        }
                    )
    return [one for one in found if None not in one["cycles"]]


def _rows(result: Result, level: str, compiler: str) -> dict[tuple[str, str], Row]:
    """By program and workload."""
    mine = [row for row in rungs.numbered(result) if (row["level"], row["compiler"]) == (level, compiler)]
    return {(row["stage"], row["workload"]): row for row in mine if row["kind"] != "control"}


def _part(result: Result, rows: dict[tuple[str, str], Row], stage: str, part: dict[str, str]) -> float | None:
    times = []
    for words in (part["of"], part.get("without")):
        if words is not None:
            workload, *variant = words.split()
            row = rows.get(("-".join([stage, *variant]), workload))
            if row is None:
                return None
            times.append(_cycles(result, row))
    return times[0] - sum(times[1:])


def _cycles(result: Result, row: Row) -> float:
    """For one buffer."""
    return float(row["median_ns"] * clock_of(result["blocks"]) / buffers(result))


def _costs(result: Result) -> list[View]:
    """By ladder: a line a program, with cycles a buffer and MB/s on every workload but the sweep."""
    titles = rungs.titles(result)
    tables = []
    for level, compiler in ladders(result):
        rows = _rows(result, level, compiler)
        names = [name for name in rungs.columns(result) if any(stage == name for stage, _ in rows)]
        workloads = sorted({w["name"] for w in result["workloads"] if w["role"] != "sweep"})
        workloads = [name for name in workloads if any(workload == name for _, workload in rows)]
        lines = []
        for name in names:
            cells = []
            for workload in workloads:
                row = rows.get((name, workload))
                speeds = {"cycles": _cycles(result, row), "mb_s": 1e3 * row["bytes"] / row["median_ns"]} if row else {}
                cells.append({"row": row, **speeds})
            lines.append({"title": titles[name], "cells": cells})
        tables.append({"level": level, "compiler": compiler, "workloads": workloads, "lines": lines})
    return tables


def _lines(result: Result) -> list[View]:
    """By ladder: for each program the straight line through the sweep, cycles a buffer and cycles a byte more."""
    titles = rungs.titles(result)
    tables = []
    for level, compiler in ladders(result):
        rows = _rows(result, level, compiler)
        found = []
        for name in rungs.columns(result):
            mine = [row for (stage, workload), row in rows.items() if stage == name and workload.startswith("sweep/")]
            if len(mine) > 2:
                across = np.array([row["bytes"] / buffers(result) for row in mine])
                line = linregress(across, [_cycles(result, row) for row in mine])
                found.append(
                    {"title": titles[name], "a_buffer": line.intercept, "a_byte": line.slope, "share": line.rvalue**2}
                )
        if found:
            tables.append({"level": level, "compiler": compiler, "programs": found})
    return tables
