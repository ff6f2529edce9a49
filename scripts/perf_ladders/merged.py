"""Results of several machines or compilers side by side. Ratios are compared, times are never pooled."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from perf_ladders import report, rungs
from perf_ladders.catalogue import shown
from perf_ladders.complaint import Complaint
from perf_ladders.guards import guards
from perf_ladders.result import load
from perf_ladders.rows import Result, Row, ladders

View = dict[str, Any]


def write(paths: list[Path], folder: Path) -> Path:
    """merged-CASE.html in that folder."""
    for place, path in enumerate(paths):
        if any(path.samefile(other) for other in paths[:place] if path.exists() and other.exists()):
            raise Complaint(f"{shown(path)} is named twice: a result stands beside others, not beside itself.")
    results = [load(path) for path in paths]
    for path, result in zip(paths, results, strict=True):
        if result["case"] != results[0]["case"]:
            raise Complaint(
                f"{shown(paths[0])} is of {results[0]['case']}, {shown(path)} of {result['case']}: "
                "merge one case at a time."
            )
        if result["workloads"][0] != results[0]["workloads"][0]:
            raise Complaint(f"{shown(paths[0])} and {shown(path)} timed different workloads: nothing compares them.")
    folder.mkdir(parents=True, exist_ok=True)
    return report.write_page(folder / f"merged-{results[0]['case']}.html", "merged.html.j2", view(results))


def view(results: list[Result]) -> View:
    """A column for each ladder of each result, a line for each program, and how many columns agree on a step."""
    found: list[tuple[int, rungs.Ladder]] = [
        (place, ladder) for place, result in enumerate(results) for ladder in ladders(result)
    ]
    levels = list(dict.fromkeys(level for _, (level, _) in found))
    found.sort(key=lambda one: (levels.index(one[1][0]), one[0]))  # what is to be compared stands side by side
    by_place = {
        (place, row["stage"], (row["level"], row["compiler"])): row
        for place, result in enumerate(results)
        for row in rungs.first_rows(result)
    }
    titles = {name: title for result in reversed(results) for name, title in rungs.titles(result).items()}
    names = list(dict.fromkeys(name for result in results for name in rungs.columns(result)))
    lines = []
    for name in names:
        cells = [by_place.get((place, name, ladder)) for place, ladder in found]
        lines.append(
            {
                "title": titles[name],
                "cells": cells,
                "agreement": agreement(cells),
                "one_source": one_source(results, name),
            }
        )
    return {
        "results": [{"result": result, "failed": failed(result)} for result in results],
        "columns": [{"machine": place + 1, "level": level, "compiler": compiler} for place, (level, compiler) in found],
        "lines": lines,
        "workload": results[0]["workloads"][0],
    }


def failed(result: Result) -> list[str]:
    return [guard.guard for guard in guards(result) if not guard.ok]


def one_source(results: list[Result], name: str) -> bool:
    """Whether all results that hold the stage measured the same files."""
    found = [
        [result["sources"].get(file) for file in stage["files"]]
        for result in results
        for stage in result["stages"]
        if stage["name"] == name
    ]
    return all(digests == found[0] for digests in found)


def agreement(cells: list[Row | None]) -> View | None:
    """On how many of the ladders with enough blocks for a verdict over the base it is that of the most."""
    steps = [cell["vs_base"] for cell in cells if cell and cell["vs_base"]]
    verdicts = Counter(step["verdict"] for step in steps if step["low"] is not None)
    if not verdicts:
        return None
    word, most = verdicts.most_common(1)[0]
    return {"verdict": word, "k": most, "n": verdicts.total()}
