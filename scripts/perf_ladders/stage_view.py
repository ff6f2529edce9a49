"""What the page of a stage shows, worked out from a result; nothing here writes HTML or Markdown."""

from __future__ import annotations

import re
from typing import Any

from perf_ladders import rungs, views
from perf_ladders.rows import Result, Row, ladders

View = dict[str, Any]

KNOWN_SECTIONS = ("Hypothesis", "Change", "Evidence", "Result")


def stage_page(result: Result, name: str) -> View:
    stages = result["stages"]
    place = next(place for place, stage in enumerate(stages) if stage["name"] == name)
    stage = stages[place]
    base = next((other for other in stages if other["name"] == stage["base"]), None)
    mine = [row for row in rungs.numbered(result) if row["stage"] == name]
    first = result["workloads"][0]["name"]
    first_rows = [row for row in mine if row["workload"] == first]
    found = [(row["level"], row["compiler"]) for row in first_rows]
    chosen = next((ladder for ladder in rungs.highest(result) if ladder in found), found[-1] if found else None)
    return {
        "result": result,
        "stage": stage,
        "base": base,
        "previous": stages[place - 1] if place else None,
        "next": stages[place + 1] if place + 1 < len(stages) else None,
        "rows": first_rows,
        "shown": next((row for row in first_rows if (row["level"], row["compiler"]) == chosen), None),
        "other_workloads": _other_workloads(result, mine),
        "predictions": _predictions(result, stage, first_rows) if base else [],
        "sections": sections(stage["notes"], changed=base is not None),
        "switch": views.switch(found, chosen) if chosen else [],
        "before": [profile(result, base["name"], *ladder) for ladder in found] if base else [],
        "after": [profile(result, name, *ladder) for ladder in found],
        "latency": _latency(result, stage, found),
        "main_workload": result["workloads"][0],
        "titles": rungs.titles(result),
    }


def profile(result: Result, stage: str, level: str, compiler: str) -> View:
    """The evidence of one program, with its row."""
    runner = f"{stage}.{level}.{compiler}"
    row = next((row for row in rungs.first_rows(result) if rungs.runner(row) == runner), None)
    found = result["evidence"].get(runner)
    return {
        "stage": stage,
        "ladder": f"{level}.{compiler}",
        "level": level,
        "compiler": compiler,
        "row": row,
        "evidence": found or {"missing": f"{stage} was not measured at {level} with {compiler}"},
        "loop": _loop(found["loop"]) if found else None,
        "json": f"evidence['{runner}']",
    }


def sections(notes: str, changed: bool) -> dict[str, list[View]]:
    """The notes by heading, cut at their markers; diff and rows stand somewhere even if the notes name no place."""
    shown = {"prose", "rows", "diff"} if changed else {"prose", "rows"}
    found: dict[str, list[View]] = {}
    for piece in re.split(r"^(?=## )", notes, flags=re.MULTILINE):
        title, _, text = piece.removeprefix("## ").partition("\n") if piece.startswith("## ") else ("", "", piece)
        found.setdefault(title.strip(), []).extend(_parts(text))
    for kind, heading in (("diff", "Change"), ("rows", "Result")):
        if not any(part["kind"] == kind for parts in found.values() for part in parts):
            found.setdefault(heading, []).append({"kind": kind, "text": ""})
    return {
        title: [p for p in parts if p["kind"] in shown and (p["kind"] != "prose" or p["text"].strip())]
        for title, parts in found.items()
    }


def diff_lines(diff: str) -> list[View]:
    kinds = {"+": "plus", "-": "minus", "@": "at"}
    lines = []
    for line in diff.split("\n"):
        kind = "file" if line.startswith(("+++", "---")) else kinds.get(line[:1], "")
        lines.append({"kind": kind, "text": line})
    return lines


def brief(result: Result, stage: str) -> list[View]:
    """A profile for the highest level of each compiler that the stage was measured with."""
    rows = [row for row in rungs.first_rows(result) if row["stage"] == stage]
    found = {row["compiler"]: row["level"] for row in rows}
    return [profile(result, stage, level, compiler) for compiler, level in found.items()]


def _parts(text: str) -> list[View]:
    pieces = re.split(r"<!-- (diff|rows) -->\n?", text)
    return [
        {"kind": "prose" if place % 2 == 0 else piece, "text": piece if place % 2 == 0 else ""}
        for place, piece in enumerate(pieces)
    ]


def _loop(loop: View) -> View | None:
    """Which columns have something in them, and what a full bar is."""
    if "missing" in loop:
        return None
    most = {}
    for kind in ("samples", "executions"):
        values = [one[kind] for one in loop["instructions"] if one[kind] is not None]
        most[kind] = max(values, default=0.0)
    return most


def _predictions(result: Result, stage: View, rows: list[Row]) -> list[View]:
    """By level: what was predicted, and what came of it with each compiler."""
    reasons = {entry["name"]: entry["reason"] for entry in result["left_out"]}
    compilers = list(dict.fromkeys(compiler for _, compiler in ladders(result)))
    measured = {level for level, _ in ladders(result)}
    found = []
    for level, (low, high) in stage["predicts"].items():
        cells = []
        for compiler in compilers:
            row = next((r for r in rows if (r["level"], r["compiler"]) == (level, compiler)), None)
            why = "not measured" if level in measured else "nothing was measured at this level"
            reason = reasons.get(f"{stage['name']}.{level}.{compiler}", why)
            cells.append({"row": row, "reason": reason.split(": ")[0].rstrip(".")})
        found.append({"level": level, "low": low, "high": high, "cells": cells})
    return [{"compilers": compilers, "levels": found}] if found else []


def _other_workloads(result: Result, rows: list[Row]) -> list[View]:
    shown = [workload for workload in result["workloads"][1:] if workload["role"] != "sweep"]
    tables = [{"workload": w, "rows": [row for row in rows if row["workload"] == w["name"]]} for w in shown]
    return [table for table in tables if table["rows"]]


def _latency(result: Result, stage: View, found: list[rungs.Ladder]) -> list[tuple[str, Row]]:
    """The rows of stage and base on each ladder, named for a picture."""
    by_runner = {rungs.runner(row): row for row in rungs.first_rows(result)}
    pairs = []
    for level, compiler in found:
        for name in (stage["base"], stage["name"]):
            row = by_runner.get(f"{name}.{level}.{compiler}")
            if row:
                pairs.append((f"{name[-2:]} at {level}, {compiler}", row))
    return pairs
