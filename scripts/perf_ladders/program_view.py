"""What is shown of a case's own programs: where their time goes, and what of the kernel's gain arrives in them."""

from __future__ import annotations

from typing import Any

from perf_ladders import rungs
from perf_ladders.rows import Result, Row, ladders

View = dict[str, Any]


def section(result: Result) -> View | None:
    """None for a case without programs."""
    programs = [program for program in result.get("programs", []) if _has_one_value(program)]
    if not programs:
        return None
    names = list(dict.fromkeys(program["app"] for program in programs))
    tables = [table for ladder in ladders(result) if (table := gains(result, ladder))]
    places = {
        f"{row['level']}.{row['compiler']}": f"{row['level']} with {row['compiler']}"
        for program in programs
        for row in program["rows"]
    }
    highest = {".".join(ladder) for ladder in rungs.highest(result)}
    only_below = not highest & places.keys()  # then the reader who looks at the highest level is shown them as well
    if only_below:
        tables = [table for table in tables if table["id"] in places]
    return {
        "only_below": only_below,
        "measured_at": list(places.values()),
        "elsewhere": []
        if only_below
        else [name for ladder in ladders(result) if (name := ".".join(ladder)) not in places],
        "apps": [{"name": name, "says": result["apps"].get(name, "")} for name in names],
        "profiles": [view for place in range(len(result["programs"])) for view in _profiles(result, place)],
        "gains": tables,
        "absent": [program for program in programs if "missing" in program],
        "left_out": [{"title": program["title"], **entry} for program in programs for entry in program["left_out"]],
        "amdahl": [view for place in range(len(result["programs"])) for view in _amdahl(result, place)],
        "measured": [program for program in programs if "missing" not in program],
    }


def _has_one_value(program: View) -> bool:
    """Those that have one for each of many sizes are shown apart (crossings.py)."""
    found: bool = program["measure"] != "sizes"
    return found


def at_a_glance(result: Result) -> View | None:
    """The table of the ladder on which the last stage gains most, or of another where its programs ran."""
    best = rungs.best_ladder(result)
    tables = [table for ladder in ladders(result) if (table := gains(result, ladder))]
    with_programs = [table for table in tables if any(column["kind"] == "program" for column in table["columns"])]
    same_compiler = [table for table in with_programs if table["compiler"] == best[1]]
    return next(iter(same_compiler or with_programs), None)


def gains(result: Result, ladder: rungs.Ladder) -> View | None:
    """Stages and libraries against the reference: on the first workload, on those of its programs, and in these."""
    rows = [row for row in rungs.numbered(result) if (row["level"], row["compiler"]) == ladder]
    apps = {program["app"] for program in result.get("programs", [])}
    first = result["workloads"][0]["name"]
    columns: list[View] = [{"kind": "kernel", "title": first, "rows": _of_workload(rows, first)}]
    for workload in result["workloads"][1:]:
        if workload["name"].split("/")[0] in apps:
            name = workload["name"]
            columns.append({"kind": "workload", "title": name, "rows": _of_workload(rows, name)})
    for place, program in enumerate(result.get("programs", [])):
        found = _of_program(result, place, ladder) if _has_one_value(program) else {}
        columns.append({"kind": "program", "title": program["title"], "unit": program["unit"], "rows": found})
    columns = [column for column in columns if column["rows"]]
    if len(columns) < 2:
        return None
    titles = rungs.titles(result)
    lines = [
        {
            "stage": one["stage"],
            "title": titles[one["stage"]],
            "kind": one["kind"],
            "cells": [column["rows"].get(one["stage"]) for column in columns],
        }
        for one in ladders(result)[ladder]
        if one["kind"] in ("stage", "peer")
    ]
    return {"id": ".".join(ladder), "level": ladder[0], "compiler": ladder[1], "columns": columns, "lines": lines}


def _of_workload(rows: list[Row], workload: str) -> dict[str, Row]:
    return {row["stage"]: row for row in rows if row["workload"] == workload}


def _of_program(result: Result, place: int, ladder: rungs.Ladder) -> dict[str, Row]:
    rows = result["programs"][place]["rows"]
    return {
        row["stage"]: {**row, "json": f"programs[{place}].rows[{number}]"}
        for number, row in enumerate(rows)
        if (row["level"], row["compiler"]) == ladder
    }


def _profiles(result: Result, place: int) -> list[View]:
    """A view for each program that was profiled, at each of its ladders: the reference and the last stage."""
    program = result["programs"][place]
    titles = rungs.titles(result)
    found: dict[rungs.Ladder, list[View]] = {}
    for one in result["runners"]:
        profile = program.get("profiles", {}).get(one["id"])
        if profile:
            view = {
                "stage": one["stage"],
                "title": titles[one["stage"]],
                "json": f"programs[{place}].profiles['{one['id']}']",
                "functions": _functions(profile),
                **profile,
            }
            found.setdefault((one["level"], one["compiler"]), []).append(view)
    return [
        {"program": program, "id": ".".join(ladder), "level": ladder[0], "compiler": ladder[1], "stages": stages}
        for ladder, stages in found.items()
    ]


def _functions(profile: View) -> list[View]:
    """By instructions and by samples, side by side; the heaviest by samples first, for these are of time."""
    found: dict[str, View] = {}
    for kind in ("instructions", "samples"):
        for number, one in enumerate(profile[kind].get("functions", [])):
            line = found.setdefault(one["name"], {"name": one["name"], "own": one["own"]})
            line[kind] = {"share": one["share"], "place": number}
    keys = ("samples", "instructions") if "missing" not in profile["samples"] else ("instructions", "samples")
    return sorted(
        ({"instructions": None, "samples": None, **line} for line in found.values()),
        key=lambda line: [-(line[key] or {"share": 0})["share"] for key in keys],
    )


def own_share(profile: View) -> View | None:
    """Of a program's time that the stage's own functions take, by samples; by instructions where there are none."""
    for kind in ("samples", "instructions"):
        if "missing" not in profile[kind]:
            return {"by": kind, "share": profile[kind]["own_share"]}
    return None


def _amdahl(result: Result, place: int) -> list[View]:
    """What the kernel's gain alone would make of the program, from the reference's profile, beside what it is."""
    program, reference = result["programs"][place], result["stages"][0]["name"]
    found = []
    for ladder in ladders(result):
        profile = program.get("profiles", {}).get(f"{reference}.{'.'.join(ladder)}")
        own = own_share(profile) if profile else None
        if own is None:
            continue
        measured = _of_program(result, place, ladder)
        workload = program.get("workload") or result["workloads"][0]["name"]
        rows = [row for row in rungs.numbered(result) if (row["level"], row["compiler"]) == ladder]
        kernel = _of_workload(rows, workload)
        lines = [
            {"title": title, "row": row, "measured": measured.get(stage["name"]), "predicted": expected(own, row)}
            for stage in result["stages"][1:]
            if (row := kernel.get(stage["name"])) and row["vs_reference"]
            for title in [rungs.titles(result)[stage["name"]]]
        ]
        most = 1 / (1 - own["share"]) if own["share"] < 1 else None
        found.append(
            {
                "program": program,
                "workload": workload,
                "id": ".".join(ladder),
                "level": ladder[0],
                "compiler": ladder[1],
                "own": own,
                "most": most,
                "lines": lines,
                "json": f"programs[{place}].profiles['{reference}.{'.'.join(ladder)}'].{own['by']}.own_share",
            }
        )
    return found


def expected(own: View, row: Row) -> float:
    """Amdahl: the share is so much faster, the rest takes what it took."""
    share: float = own["share"]
    return float(1 / ((1 - share) + share / row["vs_reference"]["ratio"]))
