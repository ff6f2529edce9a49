"""The in-order pool: the time of a job and the longest wait, over the number of places."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from perf_ladders.pages import svg
from perf_ladders.pages.svg import COLOURS, DASHES, MARKERS, Look
from perf_ladders.results import pool as of_pool
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis

_STEPS = (1, 1.5, 2, 3, 5, 7)


def pool(analysis: Analysis) -> str | None:
    found = of_pool.pool(analysis)
    if found is None:
        return None
    with svg.settings():
        figure = svg.new_figure(11, 4.5)
        panels: list[Axes] = [*figure.subplots(1, 2, sharex=True, squeeze=False)[0]]
        for place, line in enumerate(found.lines):
            dashes = DASHES[place % 4] if line.kind == "peer" else "-"
            look = Look(COLOURS[place % 7], dashes=dashes, marker=MARKERS[place % 7], label=line.title)
            look.draw(panels[0], [*line.points], [point.ns_a_job for point in line.points.values()])
            waits = {places: point.wait for places, point in line.points.items() if point.wait is not None}
            look.draw(panels[1], [*waits], [*waits.values()])
        panels[0].set_yscale("log")
        svg.plain_numbers(panels[0], "y", "", _STEPS)
        panels[0].yaxis.set_major_formatter(FuncFormatter(svg.duration))
        panels[0].set_title("time of a job")
        panels[1].set_yscale("symlog", base=2, linthresh=1)
        panels[1].set_yticks([0, *found.places], ["0", *map(str, found.places)])
        panels[1].minorticks_off()
        panels[1].set_ylim(bottom=-0.5)
        panels[1].set_title("longest wait, in later jobs")
        for axes in panels:
            axes.set_xscale("log", base=2)
            axes.xaxis.set_major_locator(FixedLocator(found.places))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.xaxis.set_minor_formatter(NullFormatter())
            axes.grid(which="major")
            axes.set_xlabel(f"places of the pool ({found.level}, {found.compiler})")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=2, alignment="left")
        svg.under(figure, *queries.footnotes(analysis))
        return svg.to_svg(figure)
