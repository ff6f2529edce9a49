"""One page in the terminal: what a stage did."""

from __future__ import annotations

import re

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from perf_ladders import wording
from perf_ladders.result import Result, Row, warnings

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
        rows = [row for row in result["rows"] if row["workload"] == workload["name"]]
        mine = [row for row in rows if row["stage"] == name]
        console.print(f"{workload['name']}, {wording.size(workload['bytes'])}", style="bold")
        if stage["base"]:
            console.print(_comparisons(mine, stage["base"], f"{result['case']}-00"))
        console.print(_times([row for row in rows if row["kind"] != "control"]))
        console.print()
    control = [row for row in result["rows"] if row["kind"] == "control"]
    console.print("The reference against itself (what nothing looks like):", style="dim")
    for row in control:
        found = row["vs_reference"]
        console.print(
            f"  {row['workload']} {row['level']} {row['compiler']}: {wording.ratio(found)} {wording.verdict(found)}",
            style="dim",
        )
    for sentence in warnings(result):
        console.print(sentence, style="bold yellow")
    design = result["design"]
    console.print(f"{wording.machine_line(result)}\n{wording.compiler_line(result)}", style="dim")
    console.print(
        f"{design['blocks']} blocks, a fresh process each, pinned to CPU {design['cpu']}; intervals hold together with "
        f"95 %. SD is spread, the interval is uncertainty.",
        style="dim",
    )
    if stage["base"]:
        console.print(f"The change itself: make diff-stage {name}", style="dim")


def _comparisons(rows: list[Row], base: str, reference: str) -> Table:
    """Speed-ups with their intervals."""
    table = _table("level", f"over {base}", "verdict", "predicted", f"over {reference}")
    for row in rows:
        against, found = row["vs_base"], row["prediction"]
        table.add_row(
            _level(row),
            wording.ratio(against),
            _styled(wording.verdict(against), against["verdict"]) if against else "",
            _styled(wording.prediction(found), found["outcome"]) if found else "",
            wording.ratio(row["vs_reference"]),
        )
    return table


def _times(rows: list[Row]) -> Table:
    table = _table("level", "stage", "median", "mean", "SD", "MiB/s", "of limit", "worst call", right=2)
    for row in sorted(rows, key=lambda row: (row["compiler"], row["level"], row["stage"])):
        latency = row["latency"]
        table.add_row(
            _level(row),
            row["stage"],
            wording.time(row["median_ns"]),
            wording.time(row["mean_ns"]),
            wording.time(row["sd_ns"]),
            wording.number(row["mib_s"]),
            wording.percent(row["limit_share"]),
            wording.time(latency["worst_ns"]) if latency else "",
        )
    return table


def _table(*headings: str, right: int = 99) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="underline")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place >= right else "left", no_wrap=True)
    return table


def _level(row: Row) -> str:
    return row["level"] if row["compiler"] == "gcc" else f"{row['level']} {row['compiler']}"


def _styled(text: str, key: str) -> str:
    return f"[{_STYLES[key]}]{text}[/]"
