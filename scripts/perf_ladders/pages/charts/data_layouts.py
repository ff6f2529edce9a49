"""How data lies in memory or in registers, drawn from the data-layout.toml of a stage."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from perf_ladders.pages import svg
from perf_ladders.tree.data_layout import EMPTY, DataLayout, Grid

_CELL = 0.42  # inches
_LETTER = 0.2  # cells: the width of one in a title
_ABOVE, _BELOW = 0.8, 0.5  # cells: the title of a grid, and the room behind it


def data_layout(found: DataLayout) -> str:
    """A grid under the other. The first letter of a cell gives its colour."""
    rows = [(name, cells) for grid in found.grids for name, cells in grid.rows.items()]
    names, columns = max(len(name) for name, _ in rows), max(len(cells) for _, cells in rows)
    left = 0.25 * names + 0.3
    columns = max(columns, *(math.ceil(_LETTER * len(grid.title)) for grid in found.grids))
    height = len(rows) + len(found.grids) * (_ABOVE + _BELOW)
    letters = sorted({cell[0] for _, cells in rows for cell in cells} - {EMPTY})
    with svg.settings():
        figure = svg.new_figure((left + columns) * _CELL, height * _CELL)
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_aspect("equal", anchor="W")
        axes.set_xlim(-left, columns + 0.1)
        axes.set_ylim(height, 0)
        top = 0.0
        for grid in found.grids:
            top = _draw(axes, grid, top, letters)
        return svg.to_svg(figure)


def _draw(axes: Axes, grid: Grid, top: float, letters: list[str]) -> float:
    """Returns where the next grid begins."""
    axes.text(0, top + _ABOVE - 0.2, grid.title, va="bottom")
    top += _ABOVE
    for name, cells in grid.rows.items():
        axes.text(-0.2, top + 0.5, name, ha="right", va="center")
        for place, cell in enumerate(cells):
            if cell == EMPTY:
                continue
            colour = letters.index(cell[0])
            axes.add_patch(
                Rectangle(
                    (place, top),
                    1,
                    1,
                    facecolor=svg.COLOURS[colour % len(svg.COLOURS)],
                    alpha=0.35,
                    edgecolor=svg.INK,
                    hatch=svg.HATCHES[colour // len(svg.COLOURS)],
                )
            )
            axes.text(place + 0.5, top + 0.5, cell, ha="center", va="center", fontsize=9)
        top += 1
    return top + _BELOW
