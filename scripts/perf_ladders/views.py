"""What the page of a case and the index show, worked out from a result; nothing here writes HTML or Markdown."""

from __future__ import annotations

import re
from typing import Any

from perf_ladders import crossings, jobs, lesson_view, program_view, rungs, stats
from perf_ladders.guards import guards, warnings
from perf_ladders.rows import Result, Row, against_peers, compared, ladders, most_rungs

View = dict[str, Any]

_IDLE = ("slower", "same")
_SPEED_BY_TIME = {"least": "max", "average": "mean", "most": "min"}  # the least speed is in the most time
_CLAIMED_EXACTLY = 0.05  # a claim of one number is confirmed by what rounds to it, give or take this share


def case(result: Result) -> View:
    rows = rungs.numbered(result)
    main = [workload for workload in result["workloads"] if workload["role"] == "main"]
    made_claims = claims(result)
    return {
        "result": result,
        "top": rungs.top(result),
        "last": rungs.last(result),
        "warnings": warnings(result),
        "guards": guards(result),
        "controls": [r for r in rows if r["kind"] == "control" and r["workload"] in {w["name"] for w in main}],
        "sections": _sections(result, rows),
        "peers": _side_by_side(against_peers(result), "peer"),
        "claims": made_claims,
        "claimed": _side_by_side(
            [{**found, "place": place} for place, claim in enumerate(made_claims) for found in claim["measured"]],
            "place",
        ),
        "matrix": _matrix(result),
        "unhelpful": _unhelpful(result),
        "undecided": _undecided(result),
        "disagreements": _disagreements(result),
        "sizes": _sizes(result, rows),
        "document": _document(result, rows),
        "jobs": jobs.section(result),
        "buffers": jobs.buffers(result),
        "titles": rungs.titles(result),
        "libraries": rungs.peers(result),
        "footnotes": rungs.footnotes(result),
        "absent": absent(result),
        "steps": _steps(result),
        "main_workload": main[0],
        "least_blocks": stats.least_blocks(most_rungs(result)),
        "switch": switch([*ladders(result)], rungs.best_ladder(result)),
        "program": program_view.section(result),
        "crossings": crossings.section(result),
        "lesson": lesson_view.section(result),
    }


def index_entry(result: Result) -> View:
    """What is said of a case among others: the ladder on which the last stage gains most."""
    best = rungs.best_ladder(result)
    rows = {row["stage"]: row for row in rungs.first_rows(result) if (row["level"], row["compiler"]) == best}
    return {
        "result": result,
        "top": rungs.top(result),
        "last": rungs.last(result),
        "warnings": warnings(result),
        "libraries": rungs.peers(result),
        "peers": [found for found in against_peers(result) if (found["level"], found["compiler"]) == best],
        "claims": claims(result),
        "kernel_and_program": program_view.at_a_glance(result),
        "lesson": result.get("lesson"),
        "stages": _with_absent(result, rows),
    }


def absent(result: Result) -> list[View]:
    """The stages that were measured nowhere, and why in few words."""
    reasons = {entry["name"].split(".")[0]: entry["reason"] for entry in result["left_out"]}
    asked_for = {name for name in reasons if re.fullmatch(rf"{re.escape(result['case'])}-\d\d", name)}
    measured = {row["stage"] for row in result["rows"]}
    names = asked_for.union(stage["name"] for stage in result["stages"]) - measured
    return [{"name": name, "why": _briefly(reasons.get(name, "the result does not say why"))} for name in sorted(names)]


def best(result: Result) -> list[View]:
    """By compiler: the last stage of the ladder on which that gains most over the reference, also against the fastest
    library there."""
    found = []
    for compiler in dict.fromkeys(one["compiler"] for one in result["runners"]):
        rows = [row for row in rungs.first_rows(result) if row["compiler"] == compiler]
        stages = [row for row in rows if rungs.is_end(result, row) and row["vs_reference"]]
        if stages:
            row = max(stages, key=lambda row: row["vs_reference"]["ratio"])
            beside = (row["workload"], row["level"], compiler, row["stage"])
            over = [
                one
                for one in against_peers(result)
                if (one["workload"], one["level"], one["compiler"], one["stage"]) == beside
            ]
            hardest = min(over, key=lambda one: float(one["ratio"]), default=None)
            found.append(
                {
                    "result": result,
                    "row": row,
                    "title": rungs.titles(result)[row["stage"]],
                    "library": rungs.peers(result)[hardest["peer"]] if hardest else None,
                    "vs_library": hardest,
                }
            )
    return found


def switch(found: list[rungs.Ladder], chosen: rungs.Ladder) -> list[View]:
    """The choices of level and compiler, and which one stands first."""
    return [
        {"id": f"{level}.{compiler}", "label": f"{level}, {compiler}", "chosen": (level, compiler) == chosen}
        for level, compiler in found
    ]


def claims(result: Result) -> list[View]:
    """What the document reports, and what was measured of it on each ladder."""
    found = []
    for claim in result["claims"]:
        low, high = claim["ratio"]
        judged = (low * (1 - _CLAIMED_EXACTLY), high * (1 + _CLAIMED_EXACTLY)) if low == high else (low, high)
        measured = []
        for level, compiler in ladders(result):
            comparison = compared(result, claim["base"], claim["stage"], level, compiler, claim.get("workload"))
            if comparison:
                outcome = stats.judge_prediction(comparison, *judged)
                word = {"held": "confirmed"}.get(outcome, outcome)
                side = "" if word != "refuted" else "more" if comparison.ratio > high else "less"
                found_here = {"level": level, "compiler": compiler, **vars(comparison)}
                measured.append({**found_here, "outcome": word, "side": side})
        count = {word: sum(m["outcome"] == word for m in measured) for word in ("confirmed", "refuted", "open")}
        found.append({**claim, "measured": measured, "count": count})
    return found


def first_sentence(notes: str, heading: str) -> str:
    """The first sentence under a heading of the notes; empty where there is none."""
    part = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", notes, re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->", "", part[1]).strip() if part else ""
    paragraph = " ".join(text.split("\n\n", 1)[0].split())
    return re.split(r"(?<=[.!?:]) (?=[A-Z`*])", paragraph, maxsplit=1)[0]


def _with_absent(result: Result, rows: dict[str, Row]) -> list[View]:
    """The stages with their rows on one ladder, and amid them those that were measured nowhere."""
    missing = {one["name"]: one for one in absent(result)}
    stages = {stage["name"]: stage for stage in result["stages"]}
    return [
        {"name": name, "title": stages[name]["title"] if name in stages else "", "row": rows.get(name)}
        | {"why": missing[name]["why"] if name in missing else None}
        for name in sorted(stages.keys() | missing.keys())
    ]


def _briefly(reason: str) -> str:
    """Of what a processor lacks only the names, and of all parts of AVX-512 one."""
    lacks = re.search(r"lacks: ([^.]+)\.", reason)
    if not lacks:
        return reason.split(". ")[0].rstrip(".")
    return f"this CPU lacks {', '.join(dict.fromkeys(re.sub(r'(?<=AVX-512)[A-Z]+', '', lacks[1]).split(', ')))}"


def _sections(result: Result, rows: list[Row]) -> list[View]:
    """By ladder: the tables of all workloads but the sweep, the control first."""
    sections = []
    for (level, compiler), runners in ladders(result).items():
        kinds = ("control", "stage", "variant", "peer")
        ordered = sorted(runners, key=lambda one: kinds.index(one["kind"]))
        order = {one["stage"]: place for place, one in enumerate(ordered)}
        tables = []
        for workload in result["workloads"]:
            mine = [
                r for r in rows if (r["level"], r["compiler"], r["workload"]) == (level, compiler, workload["name"])
            ]
            if mine and workload["role"] != "sweep":
                tables.append({"workload": workload, "rows": sorted(mine, key=lambda row: order[row["stage"]])})
        sections.append({"id": f"{level}.{compiler}", "level": level, "compiler": compiler, "tables": tables})
    return sections


def _document(result: Result, rows: list[Row]) -> list[View]:
    """By ladder: the sizes of the document's table, in MB/s, for the stages that it speaks of and the last."""
    stages = {stage for claim in result["claims"] for stage in (claim["base"], claim["stage"])}
    mine = [
        row
        for row in rows
        if row["workload"].startswith("document/") and (row["stage"] in stages or rungs.is_end(result, row))
    ]
    found = []
    for level, compiler in ladders(result):
        lines: dict[int, list[View]] = {}
        for row in mine:
            if (row["level"], row["compiler"]) == (level, compiler):
                speeds = {of: 1e3 * row["bytes"] / row[f"{time}_ns"] for of, time in _SPEED_BY_TIME.items()}
                lines.setdefault(row["bytes"], []).append({**row, **speeds})
        if lines:
            found.append({"level": level, "compiler": compiler, "lines": [lines[size] for size in sorted(lines)]})
    return found


def _matrix(result: Result) -> View:
    """Compiler and level against every program; each cell is compared with the reference of its own row."""
    first = rungs.first_rows(result)
    names = rungs.columns(result)
    lines = []
    for level, compiler in sorted(ladders(result), key=lambda ladder: ladder[1] != result["compilers"][0]["name"]):
        found = {row["stage"]: row for row in first if (row["level"], row["compiler"]) == (level, compiler)}
        reference = found.get(result["stages"][0]["name"])
        cells = [found.get(name) for name in names]
        lines.append({"level": level, "compiler": compiler, "reference": reference, "cells": cells})
    kinds = {one["stage"]: one["kind"] for one in result["runners"]}
    titles = rungs.titles(result)
    return {
        "columns": [
            {
                "name": name,
                "kind": kinds[name],
                "title": titles[name],
                "head": rungs.short_peer_name(result, name),
            }
            for name in names
        ],
        "lines": lines,
    }


def _unhelpful(result: Result) -> list[View]:
    """Steps that were shown not to be faster than their base somewhere, or to gain less than was predicted."""
    found = []
    for stage in result["stages"]:
        rows = [row for row in rungs.first_rows(result) if row["stage"] == stage["name"]]
        idle = [row for row in rows if row["vs_base"] and row["vs_base"]["verdict"] in _IDLE]
        refuted = [row for row in rows if row["prediction"] and row["prediction"]["side"] == "less"]
        if idle or refuted:
            said = first_sentence(stage["notes"], "Result")
            verdicts = {word: [r for r in idle if r["vs_base"]["verdict"] == word] for word in _IDLE}
            found.append({"stage": stage, "idle": verdicts, "of": len(rows), "refuted": refuted, "said": said})
    return found


def _undecided(result: Result) -> list[View]:
    """Steps of which the blocks cannot tell somewhere, and at how many of their ladders: nothing is said of these."""
    found = []
    for stage in result["stages"]:
        rows = [row for row in rungs.first_rows(result) if row["stage"] == stage["name"] and row["vs_base"]]
        open_ = sum(row["vs_base"]["verdict"] == "unresolved" for row in rows)
        if open_:
            found.append({"name": stage["name"], "k": open_, "of": len(rows)})
    return found


def _disagreements(result: Result) -> list[View]:
    """By stage and sentence: the rows of which it is said."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rungs.first_rows(result):
        if row["disagreement"] and row["kind"] == "stage":
            found.setdefault((row["stage"], row["disagreement"]), []).append(row)
    return [{"stage": stage, "said": said, "rows": found[stage, said]} for stage, said in sorted(found)]


def _steps(result: Result) -> list[View]:
    first = rungs.first_rows(result)
    return [{**stage, "rows": [row for row in first if row["stage"] == stage["name"]]} for stage in result["stages"]]


def _side_by_side(entries: list[View], key: str) -> View:
    """Comparisons as a table: a line for each ladder and workload, a column for each of `key`."""
    names = list(dict.fromkeys(entry[key] for entry in entries))
    lines: dict[tuple[str, str, str], dict[str, View]] = {}
    for entry in entries:
        lines.setdefault((entry["level"], entry["compiler"], entry.get("workload", "")), {})[entry[key]] = entry
    return {
        "names": names,
        "lines": [
            {"level": level, "compiler": compiler, "workload": workload, "cells": [found.get(name) for name in names]}
            for (level, compiler, workload), found in lines.items()
        ],
    }


def _sizes(result: Result, rows: list[Row]) -> list[View]:
    """By ladder: for each size, the last stage's row."""
    found = []
    for (level, compiler), runners in ladders(result).items():
        stages = [one["stage"] for one in runners if one["kind"] == "stage" and not one.get("device")]
        mine = [
            row
            for row in rows
            if row["workload"].startswith("sweep/")
            and (row["stage"], row["level"], row["compiler"]) == (stages[-1] if stages else None, level, compiler)
        ]
        if mine:
            found.append({"level": level, "compiler": compiler, "stage": stages[-1], "rows": mine})
    return found
