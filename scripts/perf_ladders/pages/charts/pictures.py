"""The pictures of notes. All are as wide as a phone, so that their letters are as large as the text beside them."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from itertools import groupby, pairwise

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from perf_ladders.pages import svg
from perf_ladders.tree.pictures import Cell, Graph, Grid, Grids, Mixes, Picture, Pipeline

WIDTH = 5.2  # inches: 374 of the 400 pixels of a phone
_LETTER = 0.09  # the width of one, at most
_LINE = 0.21  # of text
_TEXT, _SMALL = 10.5, 9  # points
_CELL = 0.42
_GAP = 0.26  # between grids
_ARROW = 0.4


def picture(found: Picture) -> str:
    match found.source:
        case Grids():
            return _grids(found.source)
        case Graph():
            return _graph(found.source)
        case Pipeline():
            return _pipeline(found.source)
        case Mixes():
            return _mixes(found.source)


class _Canvas:
    """Places are inches from the upper left corner."""

    def __init__(self, height: float) -> None:
        self.figure = svg.new_figure(WIDTH, height)
        self.figure.set_layout_engine("none")
        self.axes: Axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.axes.set_xlim(0, WIDTH)
        self.axes.set_ylim(height, 0)

    def text(self, across: float, down: float, words: str, align: str = "center", size: float = _TEXT) -> None:
        self.axes.text(across, down, words, ha=align, va="center", fontsize=size)

    def paragraph(self, across: float, down: float, lines: list[str]) -> None:
        for place, line in enumerate(lines):
            self.text(across, down + (place + 0.5) * _LINE, line, "left")

    def cell(self, across: float, down: float, width: float, height: float, tint: int | None, words: str) -> None:
        """Without a tint: empty."""
        self.axes.add_patch(
            Rectangle(
                (across, down),
                width,
                height,
                facecolor="none" if tint is None else svg.COLOURS[tint % len(svg.COLOURS)],
                alpha=0.35,
                edgecolor=svg.INK,
                linestyle=":" if tint is None else "-",
                hatch="" if tint is None else svg.HATCHES[tint // len(svg.COLOURS) % len(svg.HATCHES)],
            )
        )
        if words:
            self.text(
                across + width / 2, down + height / 2, words, size=_TEXT if len(words) * _LETTER < width else _SMALL
            )

    def arrow(self, start: tuple[float, float], end: tuple[float, float], marked: bool = False) -> None:
        self.axes.add_patch(
            FancyArrowPatch(
                start,
                end,
                arrowstyle="-|>",
                mutation_scale=9,
                shrinkA=0,
                shrinkB=0,
                linewidth=2.4 if marked else 1,
                color=svg.COLOURS[1] if marked else svg.INK,
            )
        )

    def svg(self) -> str:
        return svg.to_svg(self.figure)


def _wrapped(title: str, width: float) -> list[str]:
    return textwrap.wrap(title, max(8, int(width / _LETTER)))


def _grids(found: Grids) -> str:
    """From left to right where there is room, else one under the other."""
    colours = _colours([cell for grid in found.grids for row in grid.rows for cell in row.cells])
    widths = [_width(grid, found.bars) for grid in found.grids]
    lines: list[list[int]] = []
    across = WIDTH
    for place, (grid, width) in enumerate(zip(found.grids, widths, strict=True)):
        gap = _ARROW + 0.1 if grid.follows else _GAP
        beside = across + gap + width <= WIDTH
        across = across + gap + width if beside else width
        lines = [*lines[:-1], [*lines[-1], place]] if beside else [*lines, [place]]
    alone = [widths[line[0]] if len(line) > 1 else WIDTH for line in lines]
    titles = {
        place: _wrapped(found.grids[place].title, widths[place] if len(line) > 1 else alone[number])
        for number, line in enumerate(lines)
        for place in line
    }
    heights = [
        max(len(titles[place]) for place in line) * _LINE
        + max(len(found.grids[place].rows) * _height(found.grids[place], found.bars) for place in line)
        for line in lines
    ]
    with svg.settings():
        canvas = _Canvas(sum(heights) + _GAP * len(lines))
        down = 0.05
        for line, height in zip(lines, heights, strict=True):
            across = 0.0
            top = down + max(len(titles[place]) for place in line) * _LINE + 0.04
            for place in line:
                grid = found.grids[place]
                if place != line[0]:
                    if grid.follows:
                        canvas.arrow(
                            (across + 0.1, (top + down + height) / 2), (across + _ARROW, (top + down + height) / 2)
                        )
                    across += _ARROW + 0.1 if grid.follows else _GAP
                elif grid.follows:
                    canvas.arrow((0.1, down - _GAP + 0.04), (0.1, down))
                canvas.paragraph(across, top - 0.04 - len(titles[place]) * _LINE, titles[place])
                _grid(canvas, grid, across, top, colours, found.bars)
                across += widths[place]
            down += height + _GAP
        return canvas.svg()


def _colours(cells: list[Cell]) -> dict[str, int]:
    return {name: place for place, name in enumerate(sorted({cell.colour for cell in cells if not cell.empty}))}


def _left(grid: Grid) -> float:
    return _LETTER * max(len(row.name) for row in grid.rows) + (0.12 if any(row.name for row in grid.rows) else 0.02)


def _cell_width(grid: Grid, bars: bool) -> float:
    columns = max(len(row.cells) for row in grid.rows)
    letters = max(len(cell.text) for row in grid.rows for cell in row.cells)
    wanted = _CELL if bars else max(_CELL, letters * _LETTER + 0.1)
    return min(wanted, (WIDTH - _left(grid) - 0.02) / columns)


def _width(grid: Grid, bars: bool) -> float:
    return _left(grid) + _cell_width(grid, bars) * max(len(row.cells) for row in grid.rows) + 0.02


def _height(grid: Grid, bars: bool) -> float:
    return 0.3 if bars else min(_CELL, max(0.3, _cell_width(grid, bars)))


def _grid(canvas: _Canvas, grid: Grid, across: float, top: float, colours: dict[str, int], bars: bool) -> None:
    left, width, height = across + _left(grid), _cell_width(grid, bars), _height(grid, bars)
    for row in grid.rows:
        canvas.text(left - 0.08, top + height / 2, row.name, "right")
        at = left
        for cell, same in groupby(row.cells) if bars else ((one, [one]) for one in row.cells):
            span = width * len([*same])
            if not cell.empty:
                canvas.cell(at, top, span, height, colours[cell.colour], cell.text)
            elif bars:
                canvas.cell(at, top, span, height, None, "")
            at += span
        top += height


_BOX = 0.3  # the height of a node
_LEVEL = 0.62  # from a level of nodes to the next


@dataclass(frozen=True)
class Place:
    """Of a node: its middle, and its width."""

    across: float
    down: float
    width: float


def places(graph: Graph) -> dict[str, Place]:
    """By node. Data is above its first use; a node without a column is below its inputs."""
    level, columns = graph.levels(), _columns(graph)
    for node in graph.nodes:
        if not node.inputs:
            uses = [level[other.name] for other in graph.nodes if node.name in other.inputs]
            level[node.name] = min(uses, default=1) - 1
    width = {node.name: _LETTER * len(node.label) + (0.2 if node.inputs else 0.06) for node in graph.nodes}
    first, last = min(columns.values()), max(columns.values())
    edge = max(width.values()) / 2 + 0.03
    step = min(1.15, (WIDTH - 2 * edge) / (last - first or 1))
    start = (WIDTH - step * (last - first)) / 2
    return {
        name: Place(start + step * (columns[name] - first), 0.2 + _LEVEL * level[name], width[name]) for name in columns
    }


def _columns(graph: Graph) -> dict[str, float]:
    found: dict[str, float] = {}
    data = 0
    for node in graph.nodes:
        if node.column is not None:
            found[node.name] = node.column
        elif node.inputs:
            found[node.name] = sum(found[name] for name in node.inputs) / len(node.inputs)
        else:
            found[node.name] = data
        data += not node.inputs
    return found


def arrow_of(start: Place, end: Place) -> tuple[tuple[float, float], tuple[float, float]]:
    """From the lower edge of a node to the upper edge of another, a little towards where it comes from."""
    lean = max(-0.3, min(0.3, (start.across - end.across) / 3)) * end.width
    return (start.across, start.down + _BOX / 2), (end.across + lean, end.down - _BOX / 2)


def _graph(graph: Graph) -> str:
    at = places(graph)
    path = graph.critical() if graph.marked else []
    marked = set(pairwise(path))
    with svg.settings():
        canvas = _Canvas(max(place.down for place in at.values()) + _BOX / 2 + 0.06)
        for node in graph.nodes:
            for name in node.inputs:
                canvas.arrow(*arrow_of(at[name], at[node.name]), marked=(name, node.name) in marked)
        for node in graph.nodes:
            place = at[node.name]
            if node.inputs:
                _box(canvas, place, node.name in path)
            canvas.text(place.across, place.down, node.label)
        return canvas.svg()


def _box(canvas: _Canvas, place: Place, marked: bool) -> None:
    tint, ink = (svg.COLOURS[1], svg.COLOURS[1]) if marked else (svg.COLOURS[0], svg.INK)
    for face, edge, alpha in ((tint, "none", 0.2), ("none", ink, 1.0)):
        canvas.axes.add_patch(
            FancyBboxPatch(
                (place.across - place.width / 2 + 0.04, place.down - _BOX / 2 + 0.04),
                place.width - 0.08,
                _BOX - 0.08,
                boxstyle="round,pad=0.04",
                facecolor=face,
                edgecolor=edge,
                alpha=alpha,
                linewidth=2 if marked else 1,
            )
        )


def _pipeline(found: Pipeline) -> str:
    """A row is a unit, a column a cycle, and a number the set whose operation starts there."""
    left, height, head = 0.6, 0.28, 0.5
    width = min(_CELL, (WIDTH - left - 0.02) / found.cycles)
    with svg.settings():
        canvas = _Canvas(len(found.sets) * (head + found.units * height + 0.16))
        top = 0.0
        for sets in found.sets:
            started = found.schedule(sets)
            busy = sum(map(len, started))
            amount = f"{sets} independent sets" if sets > 1 else "one set"
            title = f"{amount}: {busy} operations start in {found.cycles} cycles"
            canvas.text(0, top + 0.12, title, "left")
            canvas.text(left - 0.08, top + 0.36, "cycle", "right", _SMALL)
            for cycle, now in enumerate(started):
                canvas.text(left + (cycle + 0.5) * width, top + 0.36, f"{cycle + 1}", size=_SMALL)
                for unit in range(found.units):
                    place = (left + cycle * width, top + head + unit * height, width, height)
                    if unit < len(now):
                        canvas.cell(*place, now[unit], f"{now[unit] + 1}")
                    else:
                        canvas.cell(*place, None, "")
            for unit in range(found.units):
                canvas.text(left - 0.08, top + head + (unit + 0.5) * height, f"unit {unit + 1}", "right", _SMALL)
            top += head + found.units * height + 0.16
        return canvas.svg()


def _mixes(found: Mixes) -> str:
    """A row for each mix; each part is as wide as its share of the buffers."""
    left, height = 0.6, 0.44
    with svg.settings():
        canvas = _Canvas(0.3 + len(found.shares) * (height + 0.1))
        canvas.text(left, 0.14, "length in bytes, and share of the buffers", "left")
        for number, shares in enumerate(found.shares):
            top = 0.3 + number * (height + 0.1)
            canvas.text(left - 0.08, top + height / 2, f"mix {number}", "right")
            across = left
            for place, share in enumerate(shares):
                width = (WIDTH - left - 0.02) * share.per_cent / 100
                canvas.cell(across, top, width, height, place, "")
                length = f"{share.least:,}" if share.least == share.most else f"{share.least:,} to {share.most:,}"
                canvas.text(across + width / 2, top + 0.13, length)
                canvas.text(across + width / 2, top + 0.31, f"{share.per_cent} %", size=_SMALL)
                across += width
        return canvas.svg()
