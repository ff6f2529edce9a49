"""The pictures of notes: data in grids, lanes over time, mixes; graphs.py has the others."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby

from perf_ladders.pages import svg
from perf_ladders.pages.charts.canvas import LETTER, LINE, SMALL, WIDTH, Canvas
from perf_ladders.pages.charts.graphs import draw_graph, draw_pipeline
from perf_ladders.tree.picture import Cell, Graph, Grid, Grids, Mixes, Picture, Pipeline

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


def _grids(found: Grids) -> str:
    """From left to right where there is room, else one under the other."""
    colours = _colours([cell for grid in found.grids for row in grid.rows for cell in row.cells])
    lines = [*_lines(found)]
    titles = [
        [_wrapped(one.title, _width(one, found.bars) if len(line) > 1 else WIDTH) for one in line] for line in lines
    ]
    heads = [max(map(len, of_line)) * LINE for of_line in titles]
    bodies = [max(len(one.rows) * _height(one, found.bars) for one in line) for line in lines]
    with svg.settings():
        canvas = Canvas(sum(heads) + sum(bodies) + _GAP * len(lines))
        down = 0.05
        for line, of_line, head, body in zip(lines, titles, heads, bodies, strict=True):
            across = 0.0
            top = down + head + 0.04
            for grid, title in zip(line, of_line, strict=True):
                if grid is not line[0]:
                    if grid.follows:
                        canvas.arrow((across + 0.1, top + body / 2), (across + _ARROW, top + body / 2))
                    across += _gap(grid)
                elif grid.follows:
                    canvas.arrow((0.1, down - _GAP + 0.04), (0.1, down))
                canvas.paragraph(across, down + head - len(title) * LINE, title)
                _grid(canvas, grid, across, top, colours, found.bars)
                across += _width(grid, found.bars)
            down += head + body + _GAP
        return canvas.svg()


def _lines(found: Grids) -> Iterator[list[Grid]]:
    """Grids that fit beside each other."""
    line: list[Grid] = []
    across = 0.0
    for grid in found.grids:
        width = _width(grid, found.bars)
        if line and across + _gap(grid) + width > WIDTH:
            yield line
            line = []
        across = across + _gap(grid) + width if line else width
        line.append(grid)
    yield line


def _gap(grid: Grid) -> float:
    return _ARROW + 0.1 if grid.follows else _GAP


def _colours(cells: list[Cell]) -> dict[str, int]:
    return {name: place for place, name in enumerate(sorted({cell.colour for cell in cells if not cell.empty}))}


def _left(grid: Grid) -> float:
    return LETTER * max(len(row.name) for row in grid.rows) + (0.12 if any(row.name for row in grid.rows) else 0.02)


def _cell_width(grid: Grid, bars: bool) -> float:
    columns = max(len(row.cells) for row in grid.rows)
    letters = max(len(cell.text) for row in grid.rows for cell in row.cells)
    wanted = _CELL if bars else max(_CELL, letters * LETTER + 0.1)
    return min(wanted, (WIDTH - _left(grid) - 0.02) / columns)


def _width(grid: Grid, bars: bool) -> float:
    return _left(grid) + _cell_width(grid, bars) * max(len(row.cells) for row in grid.rows) + 0.02


def _height(grid: Grid, bars: bool) -> float:
    return 0.3 if bars else min(_CELL, max(0.3, _cell_width(grid, bars)))


def _grid(canvas: Canvas, grid: Grid, across: float, top: float, colours: dict[str, int], bars: bool) -> None:
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
                length = f"{share.least:,}" if share.least == share.most else f"{share.least:,} to {share.most:,}"
                canvas.text(across + width / 2, top + 0.13, length)
                canvas.text(across + width / 2, top + 0.31, f"{share.per_cent} %", size=SMALL)
                across += width
        return canvas.svg()
