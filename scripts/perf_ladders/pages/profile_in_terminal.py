"""All evidence of one program, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from perf_ladders.model.evidence import Counters, Estimate, Evidence, Instructions, Loop, Remark, Samples
from perf_ladders.model.measurement import Workload
from perf_ladders.pages import formatting
from perf_ladders.pages.terminal import table

_FUNCTIONS = 4  # of many
_WAITS = 1.2  # a loop waits if it takes so many times as long as its ports and dispatch need


@dataclass(frozen=True)
class Side:
    name: str
    evidence: Evidence
    call_ns: float

    @property
    def instructions(self) -> float | None:
        return self.evidence.instructions.per_byte if self.evidence.instructions else None

    @property
    def model(self) -> float | None:
        """Cycles a byte."""
        return self.evidence.estimate.cycles_byte if self.evidence.estimate else None


def show_comparison(program: str, sides: Sequence[Side], workload: Workload, console: Console) -> None:
    """Of the stage and its base, which comes first: one table, and what bounds the stage."""
    console.rule(program, align="left")
    made = table("", *(side.name for side in sides), right=1)
    times = [side.call_ns for side in sides]
    made.add_row(f"{workload.name}: time of a call (median of single calls)", *map(formatting.time, times))
    made.add_row("instructions a byte", *(formatting.number(side.instructions) for side in sides))
    made.add_row("cycles a byte, by llvm-mca", *(formatting.number(side.model) for side in sides))
    console.print(made)
    if estimate := sides[-1].evidence.estimate:
        console.print(_bound(estimate))


def _bound(found: Estimate) -> str:
    said = f"{found.cycles:.1f} cycles an iteration, {found.resource_cycles:.1f} if nothing waited"
    if found.cycles > _WAITS * found.resource_cycles:
        return f"{said}: its instructions wait for each other's results."
    return f"{said}: it hardly waits, so ports or dispatch bound it."


def show_profile(found: Evidence, console: Console) -> None:
    if _headed("Instructions", "instructions", found, console) and found.instructions:
        _show_instructions(found.instructions, console)
    if _headed("Counters", "counters", found, console) and found.counters:
        _show_counters(found.counters, console)
    if _headed("Samples", "samples", found, console) and found.samples:
        _show_samples(found.samples, console)
    if _headed("Hot loop", "loop", found, console) and found.loop:
        _show_loop(found.loop, console)
    if _headed("llvm-mca", "estimate", found, console) and found.estimate:
        _show_estimate(found.estimate, console)
    if _headed("Compiler", "remarks", found, console) and found.remarks is not None:
        _show_remarks(found.remarks, console)


def _headed(title: str, field: str, found: Evidence, console: Console) -> bool:
    """A heading, or why there is nothing below it."""
    if field in found.missing:
        console.print(f"{title}: {formatting.missing(found.missing[field])}", style="dim", markup=False)
        return False
    console.print(title, style="bold", end=" ")
    return True


def _show_instructions(found: Instructions, console: Console) -> None:
    console.print(f"by {found.how}, {found.workload}: {found.per_call:,.0f} a call, {found.per_byte:.2f} a byte")
    made = table("share", "function or line", right=0)
    made.columns[1].no_wrap, made.columns[1].justify = False, "left"
    for function in found.functions[:_FUNCTIONS]:
        made.add_row(formatting.percent(function.share), Text(formatting.function(function.name)))
    for line in found.lines:
        place = f"{line.file.rsplit('/', 1)[-1]}:{line.line}"
        made.add_row(formatting.percent(line.share), Text(f"{place}  {line.text}", "cyan"))
    console.print(made)


def _show_counters(found: Counters, console: Console) -> None:
    named = {
        "cycles/byte": found.cycles_byte,
        "instructions/byte": found.instructions_byte,
        "instructions a cycle": found.ipc,
        "branch misses a KiB": found.branch_misses_kib,
        "cache misses a KiB": found.cache_misses_kib,
    }
    console.print(", ".join(f"{name}: {formatting.number(value)}" for name, value in named.items()))


def _show_samples(found: Samples, console: Console) -> None:
    console.print(f"of {found.event}, {found.count:,} of them")
    for function in found.functions[:_FUNCTIONS]:
        console.print(Text(f"  {formatting.percent(function.share):>6} {formatting.function(function.name)}"))


def _show_loop(found: Loop, console: Console) -> None:
    share = f"{formatting.percent(found.share)} of the {'work' if found.found_by == 'executions' else 'samples'}"
    console.print(Text(f"in {formatting.function(found.symbol)}: {found.length} instructions, {share}"))
    made = table("samples", "executions", "line", right=0)
    for column in made.columns:
        column.min_width = len(str(column.header))
    made.add_column("assembly", no_wrap=True, overflow="ellipsis")
    for one in found.instructions:
        made.add_row(
            formatting.percent(one.samples) if one.samples else "",
            formatting.number(one.executions) if one.executions is not None else "",
            str(one.line or ""),
            Text(one.text),
        )
    console.print(made)


def _show_estimate(found: Estimate, console: Console) -> None:
    console.print(
        f"({found.tool.removeprefix('llvm-mca ')}, {found.cpu}): {found.cycles:.1f} cycles an iteration, "
        f"{found.resource_cycles:.1f} if no instruction waited; {found.uops} micro-operations; "
        f"{formatting.number(found.cycles_byte)} cycles/byte"
    )


def _show_remarks(found: list[Remark], console: Console) -> None:
    console.print("about vectorising" if found else "says nothing about vectorising")
    for one in found:
        console.print(Text(f"  line {one.line}: {one.kind}: {one.text}"))
