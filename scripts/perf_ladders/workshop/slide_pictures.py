"""The pictures of a stage on slides: letters that the last row can read, and a picture with many grids in parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from itertools import count

from markupsafe import Markup

from perf_ladders.pages import charts, svg
from perf_ladders.pages.pictures import Drawn
from perf_ladders.tree.catalogue import Stage
from perf_ladders.tree.picture import Grids, Picture, Pipeline
from perf_ladders.tree.pictures import read_pictures

LETTER = 29  # pixels of the 720 that a slide is high: 4 %
ROOM = (1210, 507)  # pixels that a slide has for a picture, beside a title and a sentence
_LARGER = 1.3  # so much a letter may grow within its cell
_HALF = 0.36  # of its size a capital is as high above the line as its middle
_LETTER = re.compile(r'<text style="font-size: ([\d.]+)px')


def on_slides(stage: Stage) -> Iterator[Drawn]:
    """Each for a slide of its own."""
    number = count(1)
    for picture in read_pictures(stage.directory):
        for title, drawn in _parts(picture):
            inlined = svg.inline(drawn, f"{stage.name}-slide-{next(number)}", escape(title))
            yield Drawn(title, Markup(readable(inlined)))


def readable(drawn: str) -> str:
    """With letters of 4 % at least, when the picture fills its room; they grow around their middle."""
    least = LETTER / _scale(drawn)

    def larger(text: re.Match[str]) -> str:
        size = float(text[1])
        grown = max(size, least)
        return f'<text dy="{_HALF * (grown - size):.2f}" style="font-size: {grown:.2f}px'

    return _LETTER.sub(larger, drawn)


def _parts(picture: Picture) -> list[tuple[str, str]]:
    """Title and drawing: of the grids or schedules of a picture one by one, where all of them would be too small."""
    drawn = charts.picture(picture)
    smallest = min(map(float, _LETTER.findall(drawn)), default=LETTER)
    if smallest * _scale(drawn) * _LARGER >= LETTER:
        return [(picture.title, drawn)]
    match picture.source:
        case Grids(grids, bars):
            parts = [(grid.title, Grids([replace(grid, title="", follows=False)], bars)) for grid in grids]
            smaller = [Picture(title[:1].upper() + title[1:] or picture.title, part) for title, part in parts]
        case Pipeline():
            smaller = [replace(picture, source=replace(picture.source, sets=[one])) for one in picture.source.sets]
        case _:
            return [(picture.title, drawn)]
    return [(one.title, charts.picture(one)) for one in smaller]


def _scale(drawn: str) -> float:
    """Pixels of a unit of the picture."""
    width, height = svg.size(drawn)
    return min(ROOM[0] / width, ROOM[1] / height)
