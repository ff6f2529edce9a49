"""Ways of judging side by side: means alone, means and spread, shuffled rounds."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from perf_ladders.pages import svg
from perf_ladders.pages.statistics_view import Contender
from perf_ladders.pages.svg import COLOURS, INK


def rankings(contenders: Sequence[Contender]) -> str:
    """One field of contenders three times, in the order of their means: means alone, with the standard deviation, and
    the medians of rounds with every round. Relative to the minimum, so that one axis fits all three."""
    min_mean, min_median = contenders[0].mean, min(one.median for one in contenders)
    with svg.settings():
        figure = svg.new_figure(12, 1.7 + 0.36 * len(contenders))
        panels: list[Axes] = [*figure.subplots(1, 3, sharey=True, sharex=True, squeeze=False)[0]]
        for place, one in enumerate(contenders):
            mean, sd = one.mean / min_mean, one.sd / min_mean
            panels[0].plot([mean], [place], "D", color=COLOURS[1], markersize=6)
            panels[1].plot([max(mean - sd, 0.5), mean + sd], [place, place], color=COLOURS[1], linewidth=2)
            panels[1].plot([mean], [place], "D", color=COLOURS[1], markersize=6)
            svg.dots(panels[2], [time / min_median for time in one.least], place, COLOURS[0])
            panels[2].plot([one.median / min_median], [place], "o", color=COLOURS[0], markersize=5)
        for axes, title in zip(panels, ("means alone", "with the standard deviation", "shuffled rounds"), strict=True):
            axes.set_title(title)
            axes.set_xscale("log")
            axes.set_xlim(left=0.5)
            svg.plain_numbers(axes, "x", "x", steps=(1, 3))
            axes.grid(axis="both")
        titles = [f"{place}. {one.title}" for place, one in enumerate(contenders, 1)]
        panels[0].set_yticks(range(len(contenders)), titles)
        panels[0].set_ylim(len(contenders) - 0.4, -0.6)
        figure.supxlabel("time, relative to the minimum (log scale); all are in the order of the means", fontsize=11)
        return svg.to_svg(figure)


def against_itself(means_apart: list[float], rounds_apart: list[float]) -> str:
    """Every experiment a dot: how much faster one of the two seems, which are the same program."""
    with svg.settings():
        figure = svg.new_figure(11, 3)
        axes = figure.add_subplot()
        svg.dots(axes, means_apart, 0, COLOURS[1], spread=0.6)
        svg.dots(axes, rounds_apart, 1, COLOURS[0], spread=0.6)
        axes.axvline(1, color=INK, linewidth=1)
        axes.set_yticks([0, 1], ["means, one after the other", "median of shuffled rounds"])
        axes.set_ylim(1.6, -0.6)
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(FuncFormatter(lambda value, _: ""))
        axes.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))  # multiples of these go through 1
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.4g}x"))
        axes.grid(axis="x")
        axes.set_xlabel("how many times as fast one of the two seems as the other: 1x is the truth")
        return svg.to_svg(figure)
