"""Which rows of a result stand for what: ladders, first rows, names, blocks. Shared by pictures and pages."""

from __future__ import annotations

from typing import Any

from perf_ladders.rows import Result, Row, ladders

Ladder = tuple[str, str]  # level and compiler


def numbered(result: Result) -> list[Row]:
    """The rows, each with the place where the JSON holds it."""
    return [{**row, "json": f"rows[{place}]"} for place, row in enumerate(result["rows"])]


def first_rows(result: Result) -> list[Row]:
    """Those of the first workload, which predictions, evidence and whole programs are about."""
    first = result["workloads"][0]["name"]
    return [row for row in numbered(result) if row["workload"] == first]


def runner(row: Row) -> str:
    return f"{row['stage']}.{row['level']}.{row['compiler']}"


def top(result: Result) -> Row:
    """The last stage of a ladder on the first workload, of the ladder on which that gains most over the reference."""
    rows = [row for row in first_rows(result) if is_end(result, row)]
    return max(rows, key=lambda row: row["vs_reference"]["ratio"] if row["vs_reference"] else 1)


def on_devices(result: Result) -> set[str]:
    """The stages whose work a device does. They are a branch of the ladder, not its end."""
    return {one["stage"] for one in result["runners"] if one.get("device")}


def end(result: Result, ladder: Ladder) -> str:
    """The last stage of a ladder that needs no device. Not all ladders end with the same one."""
    stages = [one for one in ladders(result)[ladder] if one["kind"] == "stage" and not one.get("device")]
    return str(stages[-1]["stage"]) if stages else ""


def is_end(result: Result, row: Row) -> bool:
    return bool(row["stage"] == end(result, (row["level"], row["compiler"])))


def last(result: Result) -> dict[str, Any]:
    """The last stage of the ladder on which that gains most."""
    stages: list[dict[str, Any]] = result["stages"]
    return next(stage for stage in stages if stage["name"] == top(result)["stage"])


def best_ladder(result: Result) -> Ladder:
    row = top(result)
    return row["level"], row["compiler"]


def highest(result: Result) -> list[Ladder]:
    """The highest level that was measured with each compiler."""
    found = {compiler: level for level, compiler in ladders(result)}
    return [(level, compiler) for compiler, level in found.items()]


def helped(row: Row) -> bool:
    return bool(row["vs_base"]) and row["vs_base"]["verdict"] == "faster"


def columns(result: Result) -> list[str]:
    """Every program but the control: the stages, what is compiled of them in other ways, the libraries."""
    kinds: dict[str, list[str]] = {"variant": [], "peer": []}
    for found in result["runners"]:
        names = kinds.get(found["kind"])
        if names is not None and found["stage"] not in names:
            names.append(found["stage"])
    return [*(stage["name"] for stage in result["stages"]), *sorted(kinds["variant"]), *kinds["peer"]]


def titles(result: Result) -> dict[str, str]:
    """What programs are called where there is room."""
    found = {stage["name"]: f"{stage['name'][-2:]} {stage['title']}" for stage in result["stages"]}
    for one in result["runners"]:
        if one["kind"] == "variant":
            found[one["stage"]] = f"{variant_of(result, one['stage'])[-2:]} {one['title']}"
        elif one["kind"] == "peer":
            found[one["stage"]] = f"library: {peers(result)[one['stage']]}"
        elif one["kind"] == "control":
            found[one["stage"]] = "the reference again"
    return found


def variant_of(result: Result, name: str) -> str:
    """The stage that is compiled in another way."""
    case: str = result["case"]
    return f"{case}-{name.removeprefix(f'{case}-')[:2]}"


def peers(result: Result) -> dict[str, str]:
    """What the libraries are called, with the standard they keep to where that is another one."""
    words = standards(result)
    named = {one["stage"]: one["title"] or peer_name(result, one["stage"]) for one in _peers(result)}
    return {stage: f"{name} ({words[stage]})" if stage in words else name for stage, name in named.items()}


def standards(result: Result) -> dict[str, str]:
    """By library of another standard: what it does instead."""
    words = result.get("standards", {})
    return {one["stage"]: words.get(one["standard"], one["standard"]) for one in _peers(result) if one.get("standard")}


def lacks(result: Result) -> dict[str, str]:
    """By library that cannot do all of the contract: what it is not checked for."""
    words = result.get("lacks", {})
    named = {one["stage"]: [words[word] for word in one.get("lacks", []) if word in words] for one in _peers(result)}
    return {stage: f"not checked with {' and '.join(what)}, which it lacks" for stage, what in named.items() if what}


def short_titles(result: Result) -> dict[str, str]:
    """For pictures: what is to be known of a library stands in a footnote."""
    return titles(result) | {
        one["stage"]: f"library: {short_peer_name(result, one['stage'])}" for one in _peers(result)
    }


def footnotes(result: Result) -> list[str]:
    """What stands behind the asterisks, where there is no room for it in a heading."""
    found: dict[str, list[str]] = {}
    for stage, words in (*standards(result).items(), *lacks(result).items()):
        found.setdefault(words, []).append(peer_name(result, stage))
    return [f"* {', '.join(names)}: {words}" for words, names in found.items()]


def short_peer_name(result: Result, stage: str) -> str:
    return f"{peer_name(result, stage)}{'*' if stage in standards(result) | lacks(result) else ''}"


def _peers(result: Result) -> list[dict[str, Any]]:
    return [one for one in result["runners"] if one["kind"] == "peer"]


def peer_name(result: Result, stage: str) -> str:
    return stage.removeprefix(f"{result['case']}-")


def milestones(result: Result, level: str, compiler: str) -> list[str]:
    """The reference, the three steps that gained most, and the last stage."""
    names = [stage["name"] for stage in result["stages"] if stage["name"] not in on_devices(result)]
    last_name = end(result, (level, compiler))
    steps = [
        row
        for row in first_rows(result)
        if (row["level"], row["compiler"]) == (level, compiler)
        and helped(row)
        and row["stage"] in names
        and row["stage"] != last_name
    ]
    most = sorted(steps, key=lambda row: -row["vs_base"]["ratio"])[:3]
    return [names[0], *sorted(row["stage"] for row in most), last_name]


def least_times(result: Result, workload: str) -> dict[str, list[float]]:
    """By runner: for each block the least repetition, which is what comparisons take."""
    found: dict[str, list[float]] = {}
    for block in result["blocks"]:
        for run in block["runs"]:
            if workload in run["times_ns"]:
                found.setdefault(run["runner"], []).append(min(run["times_ns"][workload]))
    return found


def block_ratios(result: Result) -> dict[str, list[float]]:
    """By runner: for each block, how many times faster than the reference on the first workload."""
    times = least_times(result, result["workloads"][0]["name"])
    found: dict[str, list[float]] = {}
    for one in result["runners"]:
        reference = times.get(f"{result['case']}-00.{one['level']}.{one['compiler']}", [])
        found[one["id"]] = [before / after for before, after in zip(reference, times[one["id"]], strict=False)]
    return found
