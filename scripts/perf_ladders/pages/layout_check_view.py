"""The layout check in the terminal and in docs/method.md."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich.console import Console

from perf_ladders.model.layout_check import LayoutCheck
from perf_ladders.pages import formatting, terminal
from perf_ladders.pages.render import fill
from perf_ladders.results import store
from perf_ladders.tree.paths import ROOT

_HEADINGS = ("program", "workload", "links", "their SD", "range", "SD of copies", "range")


def show(found: LayoutCheck, console: Console) -> None:
    shown = terminal.table(*_HEADINGS, folded=range(len(_HEADINGS)))
    for row in _rows(found):
        shown.add_row(*row)
    console.print(shown)


def section(found: LayoutCheck) -> str:
    """What docs/method.md shows of it."""
    said = [
        f"Each of the others over the first, the median of {found.rounds} rounds; the range is from the slowest to the "
        "fastest.",
        f"{formatting.machine_line(found)}; {formatting.compiler_line(found)}.",
        f"Commit {found.made.commit or 'not known'}, {found.made.date}, seed {found.seed}.",
    ]
    return "\n".join([formatting.markdown_table(_HEADINGS, _rows(found)), "", *said]) + "\n"


def write() -> list[Path]:
    """Puts the newest published layout check into docs/method.md; nothing where there is none."""
    published = store.newest_first(store.LAYOUT_CHECK, store.load_layout_check)
    if not published:
        return []
    return [fill(ROOT / "docs" / "method.md", store.LAYOUT_CHECK, section(published[0]))]


def _rows(found: LayoutCheck) -> list[tuple[str, ...]]:
    return [
        (
            one.program,
            one.workload,
            str(len(one.links)),
            *(f"{value:.2%}".replace("%", " %") for ratios in (one.links, one.copies) for value in _spread(ratios)),
        )
        for one in found.stages
    ]


def _spread(ratios: list[float]) -> tuple[float, float]:
    """The standard deviation, and how far apart the ends are."""
    return float(np.std(ratios, ddof=1)), max(ratios) / min(ratios) - 1
