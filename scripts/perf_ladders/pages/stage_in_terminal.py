"""One page in the terminal: what a stage did."""

from __future__ import annotations

import itertools

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from perf_ladders.pages import formatting
from perf_ladders.pages.terminal import STYLES, section, show_prose, table
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.guards import warnings
from perf_ladders.results.rows import Row


def show(analysis: Analysis, name: str, console: Console) -> None:
    stage = next(stage for stage in analysis.case.stages if stage.name == name)
    base = analysis.case.base(stage)
    console.print(f"{name}: {stage.notes.title}", style="bold")
    console.print(stage.headline)
    if stage.notes.taught:
        console.print(f"A side branch. {stage.notes.taught}", style="dim", markup=False)
    hypothesis = section(stage.notes.text, "Hypothesis")
    if hypothesis:
        show_prose(hypothesis, console)
    console.print()

    compilers = sorted({row.compiler for row in analysis.rows})
    for workload, compiler in itertools.product(analysis.workloads, compilers):
        place = workload.name, compiler
        rows = [row for row in analysis.rows if (row.workload, row.compiler) == place and row.kind != "control"]
        rows.sort(key=lambda row: (row.level, row.stage))
        mine = [row for row in rows if row.stage == name]
        console.print(f"{workload.name}, {formatting.size(workload.bytes)}, {compiler}", style="bold")
        if base:
            console.print(_comparisons(mine, base.name, analysis.reference))
        console.print(_times(rows))
        if any(row.calls for row in rows):
            console.print(_spreads(rows))
            _why(analysis, mine, base.name if base else "its base", console)
        console.print()
    console.print("A/A control, the reference against itself:", style="dim")
    for row in (row for row in analysis.rows if row.kind == "control"):
        said = f"{formatting.ratio(row.vs_reference)} {formatting.verdict(row.vs_reference)}"
        console.print(f"  {row.workload} {row.level} {row.compiler}: {said}", style="dim", markup=False)
    for sentence in warnings(analysis):
        console.print(sentence, style="bold yellow", markup=False)
    _made(analysis, console)
    if base:
        console.print(f"The change itself: make diff-stage {name}", style="dim")


def _made(analysis: Analysis, console: Console) -> None:
    measurement = analysis.measurement
    for sentence in formatting.left_out(measurement):
        console.print(f"Left out: {sentence}", style="dim", markup=False)
    for line in (formatting.machine_line, formatting.compiler_line, formatting.made_line):
        console.print(line(measurement), style="dim", markup=False)
    console.print(
        f"{formatting.amount(measurement)}, fresh processes in each; stages that use one core pinned to CPU "
        f"{measurement.design.cpu}. SD is spread, the interval is uncertainty. Of peak: of what vector units "
        f"could do. A call: single calls, {measurement.design.calls:,} of them. A prediction held if the interval lies "
        "in its range, is refuted if outside, else open.",
        style="dim",
    )


def _comparisons(rows: list[Row], base: str, reference: str) -> Table:
    """Speed-ups with their intervals."""
    over_reference = [f"x over {reference}"] if base != reference else []
    made = table("level", f"x over {base}", "verdict", "predicted", *over_reference)
    made.columns[3].no_wrap = False  # two lines of it, rather than an interval that is cut
    for row in rows:
        against, found = row.vs_base, row.prediction
        made.add_row(
            row.level,
            _bare(formatting.ratio(against)),
            _styled(formatting.verdict(against), against.verdict) if against else "",
            _styled(formatting.prediction(found), found.outcome) if found else "",
            *([_bare(formatting.ratio(row.vs_reference))] if over_reference else []),
        )
    return made


def _times(rows: list[Row]) -> Table:
    made = table("level", "stage", "n", "median", "95 % interval", "MiB/s", "ns/byte", "of peak", right=2)
    for row in rows:
        made.add_row(
            row.level,
            row.stage,
            str(row.n),
            formatting.time(row.median_ns),
            f"{formatting.time(row.median_low_ns)} - {formatting.time(row.median_high_ns)}",
            formatting.number(row.mib_s),
            formatting.number(row.ns_byte),
            formatting.percent(row.peak_share),
        )
    return made


def _spreads(rows: list[Row]) -> Table:
    """Of all repetitions, and of single calls."""
    made = table("level", "stage", "mean", "SD", "min", "max", "a call", "its SD", "its max", right=2)
    for row in rows:
        calls = (row.calls.mean_ns, row.calls.sd_ns, row.calls.max_ns) if row.calls else (None, None, None)
        times = (row.mean_ns, row.sd_ns, row.min_ns, row.max_ns, *calls)
        made.add_row(row.level, row.stage, *map(formatting.time, times))
    return made


def _why(analysis: Analysis, rows: list[Row], base: str, console: Console) -> None:
    """Instructions, what llvm-mca says of the hot loop, and the line that most of them come from."""
    made = table("level", "instructions/byte", f"x fewer than {base}", "cycles/byte", "llvm-mca says")
    for row in rows:
        values = (row.instructions_byte, row.instructions_vs_base, row.cycles_byte, row.estimate_cycles_byte)
        made.add_row(row.level, *map(formatting.number, values))
    console.print(made)
    for row in rows:
        evidence = analysis.evidence_of(analysis.program[row.id])
        if row.disagreement:
            console.print(f"{row.level}: {row.disagreement}.", style="yellow", markup=False)
        for name in ("instructions", "estimate"):
            if evidence and name in evidence.missing:
                said = f"{row.level}: {name} {formatting.missing(evidence.missing[name])}"
                console.print(said, style="dim", markup=False)


def _bare(ratio: str) -> str:
    """Without the x, which would be one column too many of the 80, and with its brackets, which are no markup."""
    return escape(ratio.replace("x [", " ["))


def _styled(text: str, key: str) -> str:
    return f"[{STYLES[key]}]{text}[/]"
