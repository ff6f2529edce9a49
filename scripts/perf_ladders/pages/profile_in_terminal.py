"""All evidence of one program, in the terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from perf_ladders.model.evidence import Counters, Estimate, Evidence, Instructions, Loop, Remark, Samples
from perf_ladders.model.measurement import Workload
from perf_ladders.pages import formatting
from perf_ladders.pages.terminal import table

_FUNCTIONS = 4  # of many
_OF_INSTRUCTION = ("samples", "executions", "line")
_COMMENT = re.compile(r"\s+(# |// ).*")  # of objdump: "lea 0x6d7(%rip),%rax    # 8d0e0 <iota+0xc0>"


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
    made = table("", *(side.name for side in sides), right=1, folded=[0])
    times = [side.call_ns for side in sides]
    made.add_row(f"{workload.name}: time of a call (median of single calls)", *map(formatting.time, times))
    made.add_row("instructions a byte", *(formatting.number(side.instructions) for side in sides))
    made.add_row("cycles a byte, by llvm-mca", *(formatting.number(side.model) for side in sides))
    console.print(made)
    if estimate := sides[-1].evidence.estimate:
        console.print(_bound(estimate))


def _bound(found: Estimate) -> str:
    said = f"{found.cycles:.1f} cycles an iteration, {found.resource_cycles:.1f} if nothing waited"
    if found.waits:
        return f"{said}: its instructions wait for each other's results."
    return f"{said}: it hardly waits, so ports or dispatch bound it."


def show_profile(found: Evidence, console: Console) -> None:
    if _has("Instructions", "instructions", found, console) and found.instructions:
        _show_instructions(found.instructions, console)
    if _has("Counters", "counters", found, console) and found.counters:
        _show_counters(found.counters, console)
    if _has("Samples", "samples", found, console) and found.samples:
        _show_samples(found.samples, console)
    if _has("Hot loop", "loop", found, console) and found.loop:
        _show_loop(found.loop, console)
    if _has("llvm-mca", "estimate", found, console) and found.estimate:
        _show_estimate(found.estimate, console)
    if _has("Compiler", "remarks", found, console) and found.remarks is not None:
        _show_remarks(found.remarks, console)


def _has(title: str, field: str, found: Evidence, console: Console) -> bool:
    """False where it is missing: then the reason is printed."""
    if field not in found.missing:
        return True
    console.print(f"{title}: {formatting.missing(found.missing[field])}", style="dim", markup=False)
    return False


def _say(title: str, text: str, console: Console) -> None:
    console.print(Text.assemble((title, "bold"), " ", text))


def _show_instructions(found: Instructions, console: Console) -> None:
    said = f"by {found.how}, {found.workload}: {found.per_call:,.0f} a call, {found.per_byte:.2f} a byte"
    _say("Instructions", said, console)
    made = table("share", "function or line", folded=[1])
    made.columns[0].justify = "right"
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
    _say("Counters", ", ".join(f"{name}: {formatting.number(value)}" for name, value in named.items()), console)


def _show_samples(found: Samples, console: Console) -> None:
    _say("Samples", f"of {found.event}, {found.count:,} of them", console)
    for function in found.functions[:_FUNCTIONS]:
        console.print(Text(f"  {formatting.percent(function.share):>6} {formatting.function(function.name)}"))


def _show_loop(found: Loop, console: Console) -> None:
    share = f"{formatting.percent(found.share)} of the {'work' if found.found_by == 'executions' else 'samples'}"
    said = f"in {formatting.function(found.symbol)}: {found.length} instructions, {share}"
    _say("Hot loop", said, console)
    made = table(*_OF_INSTRUCTION, "assembly", folded=[3])
    for column in made.columns[:3]:
        column.justify = "right"
    cells = [
        (
            formatting.percent(one.samples) if one.samples else "",
            formatting.number(one.executions) if one.executions is not None else "",
            str(one.line or ""),
        )
        for one in found.instructions
    ]
    taken = sum(max(map(len, column)) + 1 for column in zip(_OF_INSTRUCTION, *cells, strict=True))
    for one, cell in zip(found.instructions, cells, strict=True):
        made.add_row(*cell, Text(_instruction(one.text, console.width - taken)))
    console.print(made)


def _instruction(text: str, width: int) -> str:
    """Without its comment where both do not fit: an address in the comment follows from the operands."""
    return text if len(text) <= width else _COMMENT.sub("", text)


def _show_estimate(found: Estimate, console: Console) -> None:
    _say(
        "llvm-mca",
        f"({found.tool.removeprefix('llvm-mca ')}, {found.cpu}): {found.cycles:.1f} cycles an iteration, "
        f"{found.resource_cycles:.1f} if no instruction waited; {found.uops} micro-operations; "
        f"{formatting.number(found.cycles_byte)} cycles/byte",
        console,
    )


def _show_remarks(found: list[Remark], console: Console) -> None:
    _say("Compiler", "about vectorising" if found else "says nothing about vectorising", console)
    said = [f"  line {one.line}: {one.kind}: {one.text}" for one in found]
    short = [one for one in said if len(one) <= console.width]
    for one in short:
        console.print(Text(one))
    if left := len(said) - len(short):
        console.print(f"  {left} more, each longer than a line", style="dim")
