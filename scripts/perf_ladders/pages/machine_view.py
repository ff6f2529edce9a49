"""Latency and throughput of instructions: in the terminal, as JSON, and in docs/machine-model.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from rich.console import Console

from perf_ladders.machine import identity
from perf_ladders.model.instruction_times import InstructionTimes
from perf_ladders.pages import formatting, terminal
from perf_ladders.pages.render import fill, markdown
from perf_ladders.results import model_of_stage, store
from perf_ladders.results.shown import analyses
from perf_ladders.tree.catalogue import case_names, read_case
from perf_ladders.tree.paths import ROOT

DOCUMENT = ROOT / "docs" / "machine-model.md"
_NONE = "-"  # a store has no latency


def show(found: InstructionTimes, console: Console) -> None:
    made = terminal.table("instruction", "latency", "a cycle", right=1)
    for one in found.instructions:
        if not one.is_missing:
            made.add_row(one.name, *_cells(found, one.name))
    console.print(made)
    for needs, names in _missing(found).items():
        console.print(f"{formatting.missing(f'this CPU lacks {needs}')}: {', '.join(names)}", markup=False)
    console.print(
        "Latency in cycles: from the inputs of an instruction to its result. A cycle: how many independent ones start "
        f"in it. {identity.name(found.machine)} at {found.clock_ghz:.2f} GHz.",
        style="dim",
        markup=False,
    )


def to_json(found: InstructionTimes) -> str:
    rows = [
        {
            "name": one.name,
            "latency_cycles": found.latency(one.name),
            "per_cycle": found.per_cycle(one.name),
            "missing": one.needs if one.is_missing else [],
        }
        for one in found.instructions
    ]
    machine = identity.name(found.machine)
    return json.dumps({"machine": machine, "clock_ghz": found.clock_ghz, "instructions": rows}, indent=1)


def write() -> list[Path]:
    """Puts the newest published figures into docs/machine-model.md; nothing where there are none. The model of a case
    takes those of the CPU that measured it, if they are published."""
    published = store.newest_first(store.MACHINE, store.load_instructions)
    if not published:
        return []
    for name, part in parts(published).items():
        fill(DOCUMENT, name, part)
    return [DOCUMENT]


def parts(published: Sequence[InstructionTimes]) -> dict[str, str]:
    """By marker: the table of the first figures, and the worked models of all cases."""
    found = published[0]
    lines = [(one.name, *_cells(found, one.name)) for one in found.instructions if not one.is_missing]
    half = (len(lines) + 1) // 2
    rows = [first + second for first, second in zip_longest(lines[:half], lines[half:], fillvalue=("", "", ""))]
    measured = [several for name in case_names() if (several := analyses(read_case(name)))]
    worked = [one for several in measured if (one := model_of_stage.worked(several, published))]
    machine = identity.name(found.machine)
    return {
        "instructions": markdown("instructions.md.j2", rows=rows, found=found, machine=machine),
        "models": markdown("models.md.j2", worked=worked, found=found),
    }


def _cells(found: InstructionTimes, name: str) -> tuple[str, str]:
    latency, per_cycle = found.latency(name), found.per_cycle(name)
    return f"{latency:.1f}" if latency else _NONE, f"{per_cycle:.2f}" if per_cycle else _NONE


def _missing(found: InstructionTimes) -> dict[str, list[str]]:
    """The names of those that do not run here, by what the CPU needs for them."""
    names: dict[str, list[str]] = {}
    for one in found.instructions:
        if one.is_missing:
            names.setdefault(" or ".join(one.needs), []).append(one.name)
    return names
