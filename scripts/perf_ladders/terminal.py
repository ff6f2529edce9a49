"""One page in the terminal: what a stage did."""

from __future__ import annotations

import itertools
import os
import re
import textwrap
from collections.abc import Callable
from typing import Any, ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from perf_ladders import wording
from perf_ladders.guards import warnings
from perf_ladders.rows import Result, Row

Evidence = dict[str, Any]

STYLES = {"faster": "green", "slower": "red", "same": "blue", "unresolved": "yellow"}
STYLES |= {"held": "green", "refuted": "red", "open": "yellow"}


class _Code(CodeBlock):
    """As one would type it: nothing around it, and the terminal's own background."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in str(self.text).rstrip().splitlines():
            indent = " " * (len(line) - len(line.lstrip()) + 4)
            parts = textwrap.wrap(line, options.max_width, subsequent_indent=indent, break_on_hyphens=False)
            yield Text("\n".join(parts), "cyan", no_wrap=True)


class _Prose(Markdown):
    elements: ClassVar = {**Markdown.elements, "fence": _Code, "code_block": _Code}


def output(**options: Any) -> Console:
    """Where NO_COLOR is set it writes plain text: neither colours nor bold."""
    return Console(highlight=False, color_system=None if os.environ.get("NO_COLOR") else "auto", **options)


def show(result: Result, name: str, console: Console) -> None:
    stage = next(stage for stage in result["stages"] if stage["name"] == name)
    console.print(f"{name}: {stage['title']}", style="bold")
    console.print(stage["headline"])
    hypothesis = section(stage["notes"], "Hypothesis")
    if hypothesis:
        show_prose(hypothesis, console)
    console.print()

    compilers = sorted({row["compiler"] for row in result["rows"]})
    for workload, compiler in itertools.product(result["workloads"], compilers):
        place = (workload["name"], compiler)
        rows = [r for r in result["rows"] if (r["workload"], r["compiler"]) == place and r["kind"] != "control"]
        rows.sort(key=lambda row: (row["level"], row["stage"]))
        console.print(f"{workload['name']}, {wording.size(workload['bytes'])}, {compiler}", style="bold")
        if stage["base"]:
            console.print(_comparisons([row for row in rows if row["stage"] == name], stage["base"], result["case"]))
        console.print(_times(rows))
        if any(row["latency"] for row in rows):
            console.print(_spreads(rows))
            _why([row for row in rows if row["stage"] == name], stage["base"], result["evidence"], console)
        console.print()
    console.print("The reference against itself (what nothing looks like):", style="dim")
    for row in (row for row in result["rows"] if row["kind"] == "control"):
        found = row["vs_reference"]
        console.print(
            f"  {row['workload']} {row['level']} {row['compiler']}: {wording.ratio(found)} {wording.verdict(found)}",
            style="dim",
            markup=False,
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
    reference = f"{case}-00"
    table = _table(
        "level", f"x over {base}", "verdict", "predicted", *([f"x over {reference}"] if base != reference else [])
    )
    table.columns[3].no_wrap = False  # two lines of it, rather than an interval that is cut
    for row in rows:
        against, found = row["vs_base"], row["prediction"]
        table.add_row(
            row["level"],
            _bare(wording.ratio(against)),
            _styled(wording.verdict(against), against["verdict"]) if against else "",
            _styled(wording.prediction(found), found["outcome"]) if found else "",
            *([_bare(wording.ratio(row["vs_reference"]))] if base != reference else []),
        )
    return table


def _times(rows: list[Row]) -> Table:
    table = _table("level", "stage", "n", "median", "95 % interval", "MiB/s", "ns/byte", "of limit", right=2)
    for row in rows:
        table.add_row(
            row["level"],
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
    table = _table("level", "stage", "mean", "SD", "min", "max", "a call", "its SD", "worst", right=2)
    for row in rows:
        call = row["latency"] or {"mean_ns": None, "sd_ns": None, "worst_ns": None}
        times = (row["mean_ns"], row["sd_ns"], row["min_ns"], row["max_ns"])
        calls = (call["mean_ns"], call["sd_ns"], call["worst_ns"])
        table.add_row(row["level"], row["stage"], *map(wording.time, times + calls))
    return table


def _why(rows: list[Row], base: str | None, evidence: Evidence, console: Console) -> None:
    """Instructions, what llvm-mca makes of the hot loop, and the line that most of them come from."""
    table = _table("level", "instructions/byte", f"x fewer than {base or 'its base'}", "cycles/byte", "llvm-mca says")
    for row in rows:
        table.add_row(
            row["level"],
            *(wording.number(row[key]) for key in ("instructions_byte", "instructions_vs_base")),
            *(wording.number(row[key]) for key in ("cycles_byte", "bound_cycles_byte")),
        )
    console.print(table)
    for row in rows:
        found = evidence.get(f"{row['stage']}.{row['level']}.{row['compiler']}", {})
        if row["disagreement"]:
            console.print(f"{row['level']}: {row['disagreement']}.", style="yellow")
        for what in ("instructions", "bound"):
            if "missing" in found.get(what, {}):
                console.print(f"{row['level']}: {what} n/a ({found[what]['missing']})", style="dim", markup=False)


def show_diff(diff: str, console: Console) -> None:
    """What went and what came, with the line where it stands in place of the marks that are for programs."""
    styles = {"+": "green", "-": "red"}
    for line in diff.splitlines()[2:]:  # after the names of the files
        place = re.match(r"@@ -\S+ \+(\d+)", line)
        if place:
            console.print(f"from line {place[1]}", style="cyan")
        else:
            console.print(line, style=styles.get(line[:1], ""), markup=False)


def show_prose(text: str, console: Console) -> None:
    with console.use_theme(Theme({"markdown.code": "bold cyan"})):  # on whatever the terminal's background is
        console.print(_Prose(text))


def section(notes: str, title: str) -> str:
    """Of a stage's notes, by its heading; empty where there is none."""
    found = re.search(rf"## {title}\n+(.+?)(?=\n+## |\Z)", notes, re.DOTALL)
    return found[1].strip() if found else ""


def show_profile(program: str, found: Evidence, console: Console) -> None:
    """All evidence of one program."""
    console.rule(program, align="left")
    _section(found["instructions"], "Instructions", console, _show_instructions)
    _section(found["counters"], "Counters", console, _show_counters)
    _section(found["samples"], "Samples", console, _show_samples)
    _section(found["loop"], "Hot loop", console, _show_loop)
    _section(found["bound"], "llvm-mca", console, _show_bound)
    _section(found["remarks"], "Compiler", console, _show_remarks)


def _section(found: Any, title: str, console: Console, show: Callable[[Any, Console], None]) -> None:
    if isinstance(found, dict) and "missing" in found:
        console.print(f"{title}: n/a ({found['missing']})", style="dim", markup=False)
    else:
        console.print(title, style="bold", end=" ")
        show(found, console)


def _show_instructions(found: Evidence, console: Console) -> None:
    console.print(
        f"by {found['how']}, {found['workload']}: {found['per_call']:,.0f} a call, {found['per_byte']:.2f} a byte"
    )
    table = _table("share", "function or line", right=0)
    table.columns[1].no_wrap, table.columns[1].justify = False, "left"
    for function in found["functions"][:4]:
        table.add_row(wording.percent(function["share"]), Text(wording.function(function["name"])))
    for line in found["lines"]:
        place = f"{line['file'].rsplit('/', 1)[-1]}:{line['line']}"
        table.add_row(wording.percent(line["share"]), Text(f"{place}  {line['text']}", "cyan"))
    console.print(table)


def _show_counters(found: Evidence, console: Console) -> None:
    console.print(", ".join(f"{key}: {wording.number(value)}" for key, value in found.items()))


def _show_samples(found: Evidence, console: Console) -> None:
    console.print(f"of {found['event']}, {found['count']:,} of them")
    for function in found["functions"][:4]:
        console.print(Text(f"  {wording.percent(function['share']):>6} {wording.function(function['name'])}"))


def _show_loop(found: Evidence, console: Console) -> None:
    share = f"{wording.percent(found['share'])} of the {'work' if found['found_by'] == 'executions' else 'samples'}"
    console.print(Text(f"in {wording.function(found['symbol'])}: {found['length']} instructions, {share}"))
    table = _table("samples", "executions", "line", right=0)
    for column in table.columns:
        column.min_width = len(str(column.header))
    table.add_column("assembly", no_wrap=True, overflow="ellipsis")
    for instruction in found["instructions"]:
        executions = instruction["executions"]
        table.add_row(
            wording.percent(instruction["samples"]) if instruction["samples"] else "",
            wording.number(executions) if executions is not None else "",
            str(instruction["line"] or ""),
            Text(instruction["text"]),
        )
    console.print(table)


def _show_bound(found: Evidence, console: Console) -> None:
    console.print(
        f"({found['tool'].removeprefix('llvm-mca ')}, {found['cpu']}): {found['cycles']:.1f} cycles an iteration, "
        f"{found['resource_cycles']:.1f} if nothing waited; {found['uops']} micro-operations; "
        f"{wording.number(found['cycles_byte'])} cycles/byte"
    )


def _show_remarks(found: list[Evidence], console: Console) -> None:
    console.print("about vectorising" if found else "says nothing about vectorising")
    for remark in found:
        console.print(Text(f"  line {remark['line']}: {remark['kind']}: {remark['text']}"))


def _table(*headings: str, right: int = 99) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place >= right else "left", no_wrap=True)
    return table


def _bare(ratio: str) -> str:
    """Without the x, which would be one column too many of the 80, and with its brackets, which are no markup."""
    return escape(ratio.replace("x [", " ["))


def _styled(text: str, key: str) -> str:
    return f"[{STYLES[key]}]{text}[/]"
