"""What a buffer costs, part by part."""

from __future__ import annotations

from perf_ladders.pages import svg
from perf_ladders.pages.svg import COLOURS, HATCHES
from perf_ladders.results import multibuffer, queries
from perf_ladders.results.analysis import Analysis


def parts(analysis: Analysis) -> str | None:
    """At the highest level of each compiler. A stage with a part below zero is left out: its rounds were too few or too
    noisy."""
    highest = queries.highest(analysis)
    found = [
        one for one in multibuffer.parts(analysis) if (one.level, one.compiler) in highest and min(one.cycles) >= 0
    ]
    if not found:
        return None
    titles = queries.short_titles(analysis)
    with svg.settings():
        figure = svg.new_figure(11, 1.4 + 0.42 * len(found))
        axes = figure.add_subplot()
        ends = [0.0] * len(found)
        for place, name in enumerate(found[0].names):
            widths = [one.cycles[place] for one in found]
            axes.barh(
                range(len(found)),
                widths,
                left=ends,
                height=0.7,
                label=name,
                facecolor=COLOURS[place % 7],
                hatch=HATCHES[place % 4],
                edgecolor="white",
            )
            ends = [end + width for end, width in zip(ends, widths, strict=True)]
        axes.set_yticks(range(len(found)), [f"{one.title}, {titles[one.stage]}, {one.compiler}" for one in found])
        axes.invert_yaxis()
        axes.set_xlabel(f"cycles a buffer ({found[0].level})")
        figure.legend(loc="outside upper right", ncols=len(found[0].names))
        return svg.to_svg(figure)
