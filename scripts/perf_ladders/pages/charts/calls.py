"""How long single calls take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from perf_ladders.model.measurement import QUANTILES, Calls
from perf_ladders.pages import svg
from perf_ladders.pages.svg import COLOURS, INK
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Row


@dataclass(frozen=True)
class Bar:
    label: str
    calls: Calls
    colour: str


@dataclass(frozen=True)
class _Panel:
    title: str
    bars: list[Bar]


def latency(analysis: Analysis) -> str | None:
    """Single calls of every program, at the highest level of each compiler."""
    titles = queries.short_titles(analysis)
    panels = []
    for level, compiler in queries.highest(analysis):
        bars = [
            Bar(titles[row.stage], row.calls, COLOURS[1] if row.kind == "peer" else COLOURS[0])
            for row in queries.rows_at(analysis, (level, compiler)).values()
            if row.kind in ("stage", "peer") and row.calls
        ]
        if bars:
            panels.append(_Panel(f"{level}, {compiler}", bars))
    return _drawn(panels, queries.footnotes(analysis)) if panels else None


def latency_of_step(rows: Sequence[tuple[str, Row]], stage: str) -> str | None:
    """Single calls of a stage and, in grey, of the one it builds on; rows with what they are called."""
    bars = [Bar(label, row.calls, COLOURS[0] if row.stage == stage else INK) for label, row in rows if row.calls]
    return _drawn([_Panel("", bars)]) if bars else None


def _drawn(panels: Sequence[_Panel], notes: Sequence[str] = ()) -> str:
    labels = list(dict.fromkeys(bar.label for panel in panels for bar in panel.bars))
    with svg.settings():
        figure = svg.new_figure(12, 1.1 + 0.34 * len(labels))
        all_axes: list[Axes] = [*figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]]
        for axes, panel in zip(all_axes, panels, strict=True):
            for bar in panel.bars:
                _bar(axes, bar, labels.index(bar.label))
            axes.set_title(panel.title)
            axes.set_xscale("log")
            svg.plain_numbers(axes, "x", "", (1, 3))
            axes.xaxis.set_major_formatter(FuncFormatter(svg.duration))
            axes.grid(axis="x")
        all_axes[0].set_yticks(range(len(labels)), labels)
        all_axes[0].set_ylim(len(labels) - 0.4, -0.6)
        svg.under(figure, "time of a call (log scale)", *notes)
        return svg.to_svg(figure)


def _bar(axes: Axes, bar: Bar, up: int) -> None:
    calls, colour = bar.calls, bar.colour
    at = dict(zip(QUANTILES, calls.quantiles_ns, strict=True))
    axes.plot([calls.min_ns, calls.max_ns], [up, up], color=INK, linewidth=1)
    axes.plot([at[0.05], at[0.95]], [up, up], color=colour, linewidth=4, alpha=0.5)
    axes.plot([at[0.25], at[0.75]], [up, up], color=colour, linewidth=9, solid_capstyle="butt")
    axes.plot(at[0.5], up, marker="|", markersize=15, color=INK, markeredgewidth=2)
    axes.plot(at[0.99], up, marker="d", markersize=5, color=colour)
    axes.plot(calls.max_ns, up, marker="x", markersize=5, color=INK)
