"""Over the size of a message: throughput, and the time of a message on the CPU and on a device."""

from __future__ import annotations

from matplotlib.ticker import FuncFormatter

from perf_ladders.pages import svg
from perf_ladders.pages.svg import COLOURS, DASHES, INK, MARKERS, Look
from perf_ladders.results import crossover, multibuffer, queries
from perf_ladders.results.analysis import Analysis


def sizes(analysis: Analysis) -> str | None:
    """Throughput over the size of a message, at the highest level; in colour what a reader asks for first. It begins
    below the lowest of these and of the libraries: what is slower still leaves it."""
    level, compiler = queries.highest(analysis)[0]
    rows = [row for row in analysis.rows if row.workload.startswith("sweep/") and row.ladder == (level, compiler)]
    if not rows:
        return None
    peers = list(dict.fromkeys(row.stage for row in rows if row.kind == "peer"))
    series = list(dict.fromkeys(row.stage for row in rows if row.kind in ("stage", "peer")))
    told = queries.milestones(analysis, (level, compiler))
    titles = queries.short_titles(analysis)
    others: str | None = "the other stages"
    with svg.settings():
        figure = svg.new_figure(11, 5)
        axes = figure.add_subplot()
        for name in sorted(series, key=lambda name: (name in told, name in peers)):
            mine = sorted((row for row in rows if row.stage == name), key=lambda row: row.bytes)
            if name in peers:
                look = Look(dashes=DASHES[peers.index(name) % 4], label=titles[name])
            elif name in told:
                place = told.index(name) % 7
                look = Look(COLOURS[place], marker=MARKERS[place], label=titles[name])
            else:
                look = Look(width=0.6, alpha=0.5, label=others)
                others = None
            look.draw(axes, [row.bytes / multibuffer.buffers(analysis) for row in mine], [row.mib_s for row in mine])
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        lowest = min(row.mib_s for row in rows if row.stage in (*told, *peers))
        axes.set_ylim(0.8 * lowest, 1.25 * max(row.mib_s for row in rows))
        svg.plain_numbers(axes, "y", "")
        axes.xaxis.set_major_formatter(FuncFormatter(_bytes))
        axes.grid(which="major")
        axes.set_xlabel("bytes of the message")
        svg.under(figure, *queries.footnotes(analysis))
        axes.set_ylabel(f"MiB/s ({level}, {compiler})")
        handles, labels = axes.get_legend_handles_labels()
        axes.legend(handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1.0, 0.5))
        return svg.to_svg(figure)


def crossings(analysis: Analysis) -> str | None:
    """The time of a message over its size: on the CPU, on a device, and there without the transfers."""
    view = crossover.drawn(analysis)
    if view is None:
        return None
    with svg.settings():
        figure = svg.new_figure(11, 5)
        axes = figure.add_subplot()
        for place, line in enumerate(view.lines):
            grey = line.kind in ("reference", "kernel")
            across = sorted(line.rounds)
            Look(
                INK if grey else COLOURS[place % 7],
                dashes="--" if line.kind == "kernel" else "-",
                marker=MARKERS[place % 7],
                label=line.name,
            ).draw(axes, across, [line.median(size) for size in across])
        for one in view.crossings:
            if one.at is not None and one.between is not None:
                svg.RING.draw(axes, [one.at], [one.ns])
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        svg.plain_numbers(axes, "y", "", (1,))
        axes.yaxis.set_major_formatter(FuncFormatter(svg.duration))
        axes.xaxis.set_major_formatter(FuncFormatter(_bytes))
        axes.grid(which="major")
        axes.set_xlabel("bytes of the message")
        axes.set_ylabel(f"time of a message ({view.level}, {view.compiler}; device: {view.device.kind})")
        figure.legend(loc="outside right upper", alignment="left")
        return svg.to_svg(figure)


def _bytes(value: float, _: int) -> str:
    for unit, scale in (("Mi", 2**20), ("Ki", 2**10)):
        if value >= scale:
            return f"{value / scale:g} {unit}"
    return f"{value:g}"
