"""The pictures of a report, as SVG: one of the ladder, one of throughput over size.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart; every series has a marker of its own.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from perf_ladders.rows import Result, ladders

_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999"]
_MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
_INK = "#7a7a7a"  # for files: readable on white and on black; on a page it becomes the colour of the text

_SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "perf-ladders",
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "grid.color": _INK,
    "grid.alpha": 0.25,
    "legend.frameon": False,
}


def inline(svg: str) -> str:
    """For use inside a page: its ink is that of the page, in light and in dark."""
    start = svg.index("<svg")
    return svg[start:].replace(_INK, "currentColor")


def ladder(result: Result) -> str:
    """Speed-up of every stage over the reference, by level and compiler, with intervals."""
    workload = result["workloads"][0]["name"]
    rows = [row for row in result["rows"] if row["workload"] == workload and row["kind"] == "stage"]
    names = [stage["name"] for stage in result["stages"]]
    titles = [f"{stage['name'][-2:]} {stage['title']}" for stage in result["stages"]]

    def draw(axes: Axes) -> None:
        series = list(ladders(result))
        for place, (level, compiler) in enumerate(series):
            mine = [row for row in rows if (row["level"], row["compiler"]) == (level, compiler)]
            shift = (place - (len(series) - 1) / 2) * 0.7 / len(series)
            heights = [names.index(row["stage"]) + shift for row in mine]
            found = [row["vs_reference"] or {"ratio": 1, "low": 1, "high": 1} for row in mine]
            middle = [c["ratio"] for c in found]
            errors = [
                [c["ratio"] - (c["low"] or c["ratio"]) for c in found],
                [(c["high"] or c["ratio"]) - c["ratio"] for c in found],
            ]
            label = f"{level}, {compiler}"
            style: dict[str, Any] = {
                "color": _COLOURS[place % 7],
                "marker": _MARKERS[place % 7],
                "markersize": 5,
                "capsize": 2,
            }
            axes.errorbar(middle, heights, xerr=errors, linestyle="none", label=label, **style)
        axes.set_yticks(range(len(names)), titles)
        axes.invert_yaxis()
        axes.set_xscale("log")
        _plain_numbers(axes, "x", "x")
        axes.axvline(1, color=_INK, linewidth=1)
        axes.grid(axis="x", which="both")
        axes.set_xlabel(f"times faster than the reference of the same level ({workload}, log scale)")
        axes.legend(loc="lower center", bbox_to_anchor=(0.35, 1.0), ncols=3)

    return _svg(draw, 9, 1.6 + 0.42 * len(names))


def sizes(result: Result) -> str | None:
    """Throughput over the size of a message, at the highest level that was measured; the libraries as dashed lines."""
    rows = [row for row in result["rows"] if row["workload"].startswith("sweep/")]
    if not rows:
        return None
    compiler = rows[0]["compiler"]
    level = [level for level, name in ladders(result) if name == compiler][-1]
    rows = [r for r in rows if (r["level"], r["compiler"]) == (level, compiler) and r["kind"] != "control"]
    names = list(dict.fromkeys(row["stage"] for row in rows))

    def draw(axes: Axes) -> None:
        for place, name in enumerate(names):
            mine = sorted((row for row in rows if row["stage"] == name), key=lambda row: row["bytes"])
            peer = mine[0]["kind"] == "peer"
            axes.plot(
                [row["bytes"] for row in mine],
                [row["mib_s"] for row in mine],
                label=name,
                color=_INK if peer else _COLOURS[place % 7],
                marker=None if peer else _MARKERS[(place // 7 * 3 + place) % 7],
                markersize=4,
                linewidth=1.3,
                linestyle=["--", ":"][place % 2] if peer else ["-", "-."][place // 7 % 2],
            )
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        _plain_numbers(axes, "y", "")
        axes.xaxis.set_major_formatter(FuncFormatter(_bytes))
        axes.grid(which="major")
        axes.set_xlabel("bytes of the message")
        axes.set_ylabel(f"MiB/s ({level}, {compiler})")
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9)

    return _svg(draw, 9, 5)


def _svg(draw: Callable[[Axes], None], width: float, height: float) -> str:
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.patch.set_alpha(0)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0)
        draw(axes)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def _plain_numbers(axes: Axes, which: str, unit: str) -> None:
    axis: Any = getattr(axes, f"{which}axis")
    axis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5), numticks=20))
    axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}{unit}"))


def _bytes(value: float, _: int) -> str:
    for unit, scale in (("Mi", 2**20), ("Ki", 2**10)):
        if value >= scale:
            return f"{value / scale:g} {unit}"
    return f"{value:g}"
