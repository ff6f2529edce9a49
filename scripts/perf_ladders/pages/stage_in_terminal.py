"""One page in the terminal: what a stage did. The answer comes last, just above the prompt."""

from __future__ import annotations

import itertools
from math import log

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from perf_ladders.pages import formatting, stage_answer
from perf_ladders.pages.terminal import STYLES, show_guards, table
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Row
from perf_ladders.stats import Comparison

_WORKLOADS = 8  # of many


def show(analysis: Analysis, name: str, console: Console) -> None:
    stage = next(stage for stage in analysis.case.stages if stage.name == name)
    base = analysis.case.base(stage)
    console.print(f"{name}: {stage.notes.title}", style="bold", markup=False)
    if stage.notes.taught:
        console.print(f"A side branch. {stage.notes.taught}", style="dim", markup=False)
    first, *others = analysis.main_workloads
    for compiler in dict.fromkeys(row.compiler for row in analysis.rows):
        every = [row for row in analysis.rows if row.stage == name and row.compiler == compiler]
        mine = [row for row in every if row.workload == first.name]
        if not mine:
            continue
        console.print(f"\n{first.name}, {formatting.size(first.bytes)} a call, {compiler}", style="bold")
        console.print(_levels(mine, base.name if base else "", analysis.reference))
        beside = [row for row in every if row.level == mine[-1].level and row.workload in {one.name for one in others}]
        if beside and base:
            console.print(f"\nthe other workloads, {compiler}, {mine[-1].level}", style="bold")
            told = sorted(beside, key=_tells_little)[:_WORKLOADS]
            console.print(_workloads([row for row in beside if row in told], base.name))
            if left := len(beside) - len(told):
                said = f"{left} more, which tell less: make report CASE={analysis.case.name} shows all."
                console.print(said, style="dim", markup=False)
    console.print()
    _trust(analysis, console)
    console.print()
    for sentence in stage_answer.sentences(analysis, stage):
        console.print(sentence, markup=False)


def _tells_little(row: Row) -> float:
    """Less for a workload on which the stage makes a larger difference that is decided."""
    found = row.vs_base
    return -abs(log(found.ratio)) if found and found.differs else 0.0


def _levels(rows: list[Row], base: str, reference: str) -> Table:
    """A line for each level: the speed-up over the base and over the reference, and the times of a call."""
    over = [f"over {base[-2:]}", "verdict", "predicted"] if base else []
    over_reference = ["over 00"] if base and base != reference else []
    made = table("level", *over, "mean", "SD", *over_reference, folded=range(1, 1 + len(over)))
    for row in rows:
        found = row.prediction
        cells = []
        if base:
            cells = [_ratio(row.vs_base), _verdict(row.vs_base)]
            cells.append(_styled(formatting.prediction(found), found.outcome) if found else "none")
        times = [formatting.time(row.mean_ns), formatting.time(row.sd_ns)]
        last = [formatting.times(row.vs_reference.ratio) if row.vs_reference else ""] if over_reference else []
        made.add_row(row.level, *cells, *times, *last)
    return made


def _workloads(rows: list[Row], base: str) -> Table:
    made = table("workload", f"over {base[-2:]}", "verdict", "mean", "SD", folded=[1, 2])
    for row in rows:
        times = (formatting.time(row.mean_ns), formatting.time(row.sd_ns))
        made.add_row(row.workload, _ratio(row.vs_base), _verdict(row.vs_base), *times)
    return made


def _trust(analysis: Analysis, console: Console) -> None:
    """The control, what did not hold, and what was measured where."""
    measurement = analysis.measurement
    controls = [row.vs_reference for row in analysis.rows if row.kind == "control" and row.vs_reference]
    wrong = [one for one in controls if one.fails]
    told = len(wrong) or "none"
    console.print(
        f"The A/A control fails in {told} of {len(controls)} comparisons.",
        style="bold red" if wrong else "dim",
    )
    show_guards(analysis, console)
    for sentence in itertools.islice(formatting.left_out(measurement), 4):
        console.print(f"Left out: {sentence}", style="dim", markup=False)
    for line in (formatting.machine_line, formatting.compiler_line, formatting.made_line):
        console.print(line(measurement), style="dim", markup=False)
    console.print("Mean and SD are of all slices of a call. Brackets are the interval of the ratio.", style="dim")


def _ratio(found: Comparison | None) -> str:
    """With its brackets, which are no markup."""
    return escape(formatting.ratio(found)) if found else "n/a"


def _verdict(found: Comparison | None) -> str:
    return _styled(formatting.verdict(found), found.verdict) if found else ""


def _styled(text: str, key: str) -> str:
    return f"[{STYLES[key]}]{text}[/]"
