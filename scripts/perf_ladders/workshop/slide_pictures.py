"""The pictures of a stage on slides: letters that the last row can read, and a picture with many grids in parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape

from markupsafe import Markup

from perf_ladders.pages import charts, svg
from perf_ladders.pages.pictures import Drawn
from perf_ladders.tree.catalogue import Stage
from perf_ladders.tree.picture import Grids, Picture
from perf_ladders.tree.pictures import read_pictures

LETTER = 29  # pixels of the 720 that a slide is high: 4 %
ROOM = (1210, 507)  # pixels that a slide has for a picture, beside a title and a sentence
_LARGER = 1.3  # so much a letter may grow within its cell
_LETTER = re.compile(r"(?<=font-size: )[\d.]+(?=px)")


def on_slides(stage: Stage) -> Iterator[Drawn]:
    """Each for a slide of its own."""
    for picture in read_pictures(stage.directory):
        for part in _parts(picture):
            drawn = svg.inline(charts.picture(part), _name(stage, part), escape(part.title))
            yield Drawn(part.title, Markup(readable(drawn)))


def readable(drawn: str) -> str:
    """With letters of 4 % at least, when the picture fills its room."""
    return _LETTER.sub(lambda size: f"{max(float(size[0]), LETTER / _scale(drawn)):.2f}", drawn)


def _parts(picture: Picture) -> list[Picture]:
    """The grids of a picture one by one, where all of them would be too small."""
    source = picture.source
    drawn = charts.picture(picture)
    smallest = min(map(float, _LETTER.findall(drawn)), default=LETTER)
    if not isinstance(source, Grids) or smallest * _scale(drawn) * _LARGER >= LETTER:
        return [picture]
    return [
        Picture(grid.title[:1].upper() + grid.title[1:], Grids([replace(grid, title="", follows=False)], source.bars))
        for grid in source.grids
    ]


def _scale(drawn: str) -> float:
    """Pixels of a unit of the picture."""
    width, height = svg.size(drawn)
    return min(ROOM[0] / width, ROOM[1] / height)


def _name(stage: Stage, part: Picture) -> str:
    return re.sub(r"\W+", "-", f"{stage.name}-slide-{part.title}")
