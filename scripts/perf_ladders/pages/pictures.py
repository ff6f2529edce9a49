"""The pictures of a stage as SVG for a page or a slide, in light and in dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from perf_ladders.pages import charts, svg
from perf_ladders.results.analysis import Analysis
from perf_ladders.tree.catalogue import Stage
from perf_ladders.tree.pictures import read_pictures


@dataclass(frozen=True)
class Drawn:
    title: str
    svg: Markup  # to be put into a page as it is


def pictures_of(stage: Stage) -> list[Drawn]:
    """In the order of its notes. The title is also the alternative text."""
    return [
        Drawn(
            found.title, Markup(svg.inline(charts.picture(found), f"{stage.name}-picture-{place}", escape(found.title)))
        )
        for place, found in enumerate(read_pictures(stage.directory), 1)
    ]


def tree_of_bases(analysis: Analysis, elsewhere: Sequence[Analysis] = ()) -> Markup:
    says = f"The stages of {analysis.case.title}, each below the stage that it builds on"
    return Markup(svg.inline(charts.bases(analysis, elsewhere), f"{analysis.case.name}-tree", escape(says)))
