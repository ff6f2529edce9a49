"""How many times faster over how many times fewer instructions."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D, Bbox

from perf_ladders.pages import svg
from perf_ladders.pages.svg import COLOURS, INK, MARKERS, Look
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder

_WORTH_A_NUMBER = 0.05  # steps that change less have none


@dataclass(frozen=True, order=True)
class _Point:
    across: float
    up: float
    number: str
    ringed: bool
    colour: str


def instructions(analysis: Analysis) -> str | None:
    """Each step at the highest levels."""
    groups = {ladder: _points(analysis, ladder, place) for place, ladder in enumerate(queries.highest(analysis))}
    points = [point for group in groups.values() for point in group]
    if not points:
        return None
    with svg.settings():
        figure = svg.new_figure(7, 5)
        axes = figure.add_subplot()
        for place, (ladder, group) in enumerate(groups.items()):
            look = Look(COLOURS[place % 7], dashes="none", marker=MARKERS[place % 7], size=6, label=", ".join(ladder))
            look.draw(axes, [point.across for point in group], [point.up for point in group])
        for point in points:
            if point.ringed:
                svg.RING.draw(axes, [point.across], [point.up])
        ends = [0.9, 1.1, *(point.across for point in points), *(point.up for point in points)]
        low, high = min(ends) * 0.9, max(ends) * 1.15
        axes.plot([low, high], [low, high], color=INK, linewidth=1, linestyle="--")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(low, high)
        axes.set_ylim(low, high)
        axes.axvline(1, color=INK, linewidth=0.8)
        axes.axhline(1, color=INK, linewidth=0.8)
        for which in ("x", "y"):
            svg.plain_numbers(axes, which, "x", (1, 2, 5) if high / low > 8 else (1, 1.2, 1.5, *range(2, 10)))
        axes.set_xlabel("times fewer instructions than its base")
        axes.set_ylabel("times faster than its base")
        figure.legend(loc="outside upper right", ncols=len(groups))
        _number(figure, axes, points)
        return svg.to_svg(figure)


def _points(analysis: Analysis, ladder: Ladder, place: int) -> list[_Point]:
    numbers = {stage.name: stage.number for stage in analysis.stages}
    return [
        _Point(
            row.instructions_vs_base, row.vs_base.ratio, numbers[row.stage], bool(row.disagreement), COLOURS[place % 7]
        )
        for row in queries.rows_at(analysis, ladder).values()
        if row.kind == "stage" and row.vs_base and row.instructions_vs_base
    ]


def _number(figure: Figure, axes: Axes, points: list[_Point]) -> None:
    """Each number as near to its point as there is room beside points and other numbers: first those that are ringed,
    then those furthest from 1x."""
    told = [one for one in points if one.ringed or max(abs(one.across - 1), abs(one.up - 1)) >= _WORTH_A_NUMBER]
    told.sort(key=lambda one: (not one.ringed, -math.hypot(math.log(one.across), math.log(one.up)), one))
    figure.draw_without_rendering()  # lays the axes out
    frame = axes.get_window_extent().transformed(Affine2D().scale(72 / figure.dpi))
    where = {one: axes.transData.transform((one.across, one.up)) * 72 / figure.dpi for one in points}
    taken = [Bbox.from_bounds(x - 5, y - 5, 10, 10) for x, y in where.values()]
    for one in told:
        x, y = where[one]
        for away, turn in itertools.product(range(13, 99, 5), (2, 6, 0, 4, 1, 3, 5, 7)):
            right, up = away * math.cos(turn * math.pi / 4), away * math.sin(turn * math.pi / 4)
            box = Bbox.from_bounds(x + right - 7, y + up - 5, 14, 10)
            inside = frame.x0 < box.x0 and box.x1 < frame.x1 and frame.y0 < box.y0 and box.y1 < frame.y1
            if inside and not any(box.overlaps(other) for other in taken):
                break
        taken.append(box)
        axes.annotate(
            one.number,
            (one.across, one.up),
            (right, up),
            textcoords="offset points",
            arrowprops={"arrowstyle": "-", "color": one.colour, "linewidth": 0.7, "shrinkA": 0} if away > 13 else None,
            ha="center",
            va="center",
            fontsize=10,
            color=one.colour,
        )
