"""The pictures of notes: data in grids, lanes over time, mixes; graphs.py has the others."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from perf_ladders.pages import svg
from perf_ladders.pages.charts.canvas import LETTER, LINE, SMALL, WIDTH, Canvas
from perf_ladders.pages.charts.graphs import draw_graph, draw_pipeline
from perf_ladders.tree.picture import PLAIN, Cell, Graph, Grid, Grids, Mixes, Picture, Pipeline

_CELL = 0.42
_GAP = 0.26  # between grids
_ARROW = 0.4


def picture(found: Picture) -> str:
    match found.source:
        case Grids():
            return _grids(found.source)
        case Graph():
            return draw_graph(found.source)
        case Pipeline():
            return draw_pipeline(found.source)
        case Mixes():
            return _mixes(found.source)


def _wrapped(title: str, width: float) -> list[str]:
    return textwrap.wrap(title, max(8, int(width / LETTER)))


@dataclass(frozen=True)
class _Measures:
    """Of a grid, in inches: the room for the names of its rows, and the size of its cells."""

    grid: Grid
    left: float
    cell: float
    height: float

    @property
    def width(self) -> float:
        return self.left + self.cell * _columns(self.grid) + 0.02

    @property
    def body(self) -> float:
        return self.height * len(self.grid.rows)

    @property
    def gap(self) -> float:
        """From the grid before, if that is beside it."""
        return _ARROW + 0.1 if self.grid.follows else _GAP


def _grids(found: Grids) -> str:
    """From left to right where there is room, else one under the other."""
    colours = _colours([cell for grid in found.grids for row in grid.rows for cell in row.cells])
    lines = [*_lines(_measured(found))]
    titles = [[_wrapped(one.grid.title, one.width if len(line) > 1 else WIDTH) for one in line] for line in lines]
    heads = [max(map(len, of_line)) * LINE for of_line in titles]
    bodies = [max(one.body for one in line) for line in lines]
    with svg.settings():
        canvas = Canvas(sum(heads) + sum(bodies) + _GAP * len(lines))
        down = 0.05
        for line, of_line, head, body in zip(lines, titles, heads, bodies, strict=True):
            across = 0.0
            top = down + head + 0.04
            for one, title in zip(line, of_line, strict=True):
                if one is not line[0]:
                    if one.grid.follows:
                        canvas.arrow((across + 0.1, top + body / 2), (across + _ARROW, top + body / 2))
                    across += one.gap
                elif one.grid.follows:
                    canvas.arrow((0.1, down - _GAP + 0.04), (0.1, down))
                canvas.paragraph(across, down + head - len(title) * LINE, title)
                _draw(canvas, one, across, top, colours, found.bars)
                across += one.width
            down += head + body + _GAP
        return canvas.svg()


def _measured(found: Grids) -> list[_Measures]:
    """Lanes have one scale of time; grids that are one under the other begin at one place."""
    lefts = [_left(grid) for grid in found.grids]
    cells = [_cell(grid, left, found.bars) for grid, left in zip(found.grids, lefts, strict=True)]
    natural = [
        _Measures(grid, left, min(cells) if found.bars else cell, 0.3 if found.bars else min(_CELL, max(0.3, cell)))
        for grid, left, cell in zip(found.grids, lefts, cells, strict=True)
    ]
    if any(len(line) > 1 for line in _lines(natural)):
        return natural
    left = max(lefts)
    return [replace(one, left=left, cell=min(one.cell, _cell(one.grid, left, found.bars))) for one in natural]


def _lines(found: list[_Measures]) -> Iterator[list[_Measures]]:
    """Grids that fit beside each other."""
    line: list[_Measures] = []
    across = 0.0
    for one in found:
        if line and across + one.gap + one.width > WIDTH:
            yield line
            line = []
        across = across + one.gap + one.width if line else one.width
        line.append(one)
    yield line


def _columns(grid: Grid) -> int:
    return max(len(row.cells) for row in grid.rows)


def _left(grid: Grid) -> float:
    return LETTER * max(len(row.name) for row in grid.rows) + (0.12 if any(row.name for row in grid.rows) else 0.02)


def _cell(grid: Grid, left: float, bars: bool) -> float:
    """Its width: so that its letters have room, or all cells of a row."""
    letters = 0 if bars else max(len(cell.text) for row in grid.rows for cell in row.cells)
    return min(max(_CELL, letters * LETTER + 0.1), (WIDTH - left - 0.02) / _columns(grid))


def _colours(cells: list[Cell]) -> dict[str, int | None]:
    names = sorted({cell.colour for cell in cells if not cell.empty} - {PLAIN})
    return {PLAIN: None} | {name: place for place, name in enumerate(names)}


def _draw(
    canvas: Canvas, one: _Measures, across: float, top: float, colours: dict[str, int | None], bars: bool
) -> None:
    left = across + one.left
    for row in one.grid.rows:
        canvas.text(left - 0.08, top + one.height / 2, row.name, "right")
        at = left
        for cell, same in groupby(row.cells) if bars else ((each, [each]) for each in row.cells):
            span = one.cell * len([*same])
            if not cell.empty:
                canvas.cell(at, top, span, one.height, colours[cell.colour], cell.text)
            elif bars:
                canvas.idle(at, top, span, one.height)
            at += span
        top += one.height


def _mixes(found: Mixes) -> str:
    """A row for each mix; each part is as wide as its share of the buffers."""
    left, height = 0.6, 0.44
    with svg.settings():
        canvas = Canvas(0.3 + len(found.shares) * (height + 0.1))
        canvas.text(left, 0.14, "length in bytes, and share of the buffers", "left")
        for number, shares in enumerate(found.shares):
            top = 0.3 + number * (height + 0.1)
            canvas.text(left - 0.08, top + height / 2, f"mix {number}", "right")
            across = left
            for place, share in enumerate(shares):
                width = (WIDTH - left - 0.02) * share.per_cent / 100
                canvas.cell(across, top, width, height, place, "")
                length = f"{share.least:,}" if share.least == share.most else f"{share.least:,} - {share.most:,}"
                canvas.text(across + width / 2, top + 0.13, length)
                canvas.text(across + width / 2, top + 0.31, f"{share.per_cent} %", size=SMALL)
                across += width
        return canvas.svg()
