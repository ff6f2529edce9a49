"""One page in the terminal: what a stage did."""

from __future__ import annotations

import re

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from perf_ladders import wording
from perf_ladders.guards import warnings
from perf_ladders.rows import Result, Row

_STYLES = {"faster": "green", "slower": "red", "same": "blue", "unresolved": "yellow"}
_STYLES |= {"held": "green", "refuted": "red", "open": "yellow"}


def show(result: Result, name: str, console: Console) -> None:
    stage = next(stage for stage in result["stages"] if stage["name"] == name)
    console.print(f"{name}: {stage['title']}", style="bold")
    console.print(stage["headline"])
    hypothesis = re.search(r"## Hypothesis\n+(.+?)\n+## ", stage["notes"], re.DOTALL)
    if hypothesis:
        console.print(Markdown(hypothesis[1]))
    console.print()

    for workload in result["workloads"]:
        rows = [row for row in result["rows"] if row["workload"] == workload["name"] and row["kind"] != "control"]
        rows.sort(key=lambda row: (row["compiler"], row["level"], row["stage"]))
        console.print(f"{workload['name']}, {wording.size(workload['bytes'])}", style="bold")
        if stage["base"]:
            console.print(_comparisons([row for row in rows if row["stage"] == name], stage["base"], result["case"]))
        console.print(_times(rows))
        if any(row["latency"] for row in rows):
            console.print(_spreads(rows))
        console.print()
    console.print("The reference against itself (what nothing looks like):", style="dim")
    for row in (row for row in result["rows"] if row["kind"] == "control"):
        found = row["vs_reference"]
        console.print(
            f"  {row['workload']} {row['level']} {row['compiler']}: {wording.ratio(found)} {wording.verdict(found)}",
            style="dim",
        )
    for sentence in warnings(result):
        console.print(sentence, style="bold yellow")
    for sentence in wording.left_out(result):
        console.print(f"Left out: {sentence}", style="dim")
    design, made = result["design"], result["made"]
    console.print(f"{wording.machine_line(result)}\n{wording.compiler_line(result)}", style="dim")
    changed = " with changes" if made["changed"] else ""
    console.print(f"Commit {made['commit'] or 'not known'}{changed}, {made['date']}", style="dim")
    console.print(
        f"{design['blocks']} blocks, a fresh process in each; stages that use one core pinned to CPU {design['cpu']}. "
        "SD is spread, the interval (95 %) is uncertainty. Of limit: of what the vector units could do. A call: single "
        f"calls, {design['latency_samples']:,} of them. A prediction held if the interval lies in its range, is "
        "refuted if outside, else open.",
        style="dim",
    )
    if stage["base"]:
        console.print(f"The change itself: make diff-stage {name}", style="dim")


def _comparisons(rows: list[Row], base: str, case: str) -> Table:
    """Speed-ups with their intervals."""
    table = _table("level", f"x over {base}", "verdict", "predicted", f"x over {case}-00")
    for row in rows:
        against, found = row["vs_base"], row["prediction"]
        table.add_row(
            _level(row),
            _bare(wording.ratio(against)),
            _styled(wording.verdict(against), against["verdict"]) if against else "",
            _styled(wording.prediction(found), found["outcome"]) if found else "",
            _bare(wording.ratio(row["vs_reference"])),
        )
    return table


def _times(rows: list[Row]) -> Table:
    table = _table("level", "stage", "n", "median", "95 % interval", "MiB/s", "ns/byte", "of limit", right=2)
    for row in rows:
        table.add_row(
            _level(row),
            row["stage"],
            str(row["n"]),
            wording.time(row["median_ns"]),
            f"{wording.time(row['median_low_ns'])} - {wording.time(row['median_high_ns'])}",
            wording.number(row["mib_s"]),
            wording.number(row["ns_byte"]),
            wording.percent(row["limit_share"]),
        )
    return table


def _spreads(rows: list[Row]) -> Table:
    """Of all repetitions, and of single calls."""
    table = _table("level", "stage", "mean", "SD", "min", "max", "a call", "SD", "worst", right=2)
    for row in rows:
        call = row["latency"] or {"mean_ns": None, "sd_ns": None, "worst_ns": None}
        times = (row["mean_ns"], row["sd_ns"], row["min_ns"], row["max_ns"])
        calls = (call["mean_ns"], call["sd_ns"], call["worst_ns"])
        table.add_row(_level(row), row["stage"], *map(wording.time, times + calls))
    return table


def _table(*headings: str, right: int = 99) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place >= right else "left", no_wrap=True)
    return table


def _level(row: Row) -> str:
    return row["level"] if row["compiler"] == "gcc" else f"{row['level']} {row['compiler']}"


def _bare(ratio: str) -> str:
    """Without the x, which would be one column too many of the 80."""
    return ratio.replace("x [", " [")


def _styled(text: str, key: str) -> str:
    return f"[{_STYLES[key]}]{text}[/]"
