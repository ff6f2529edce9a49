"""The tree of bases: each stage of a case below the one that it builds on, and side branches where they leave."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from perf_ladders.pages import svg
from perf_ladders.pages.charts.canvas import LETTER, LINE, TEXT, WIDTH, Canvas
from perf_ladders.pages.steps_view import NOT_HERE, Step, absent, steps
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.tree.catalogue import Stage

_INDENT, _ROW = 0.3, 0.13  # inches: of a branch, and the room around the lines of a stage
_RADIUS = 4.5 / 72  # of a mark
_GREY = "#7b7b7b"  # readable on white and on black, and no ink, which follows the page


def bases(analysis: Analysis, elsewhere: Sequence[Analysis] = ()) -> str:
    """A stage that this measurement lacks is grey, with the reason. `elsewhere`: others of the case."""
    level, compiler = queries.best_ladder(analysis)
    path = steps(analysis, (level, compiler), elsewhere)
    missing = absent(analysis)
    rows = [*_rows(path[0], 0, [one for step in path for one in (step, *step.branches)], [step.stage for step in path])]
    texts = [_lines(step, depth, _reason(step, missing)) for step, depth in rows]
    legend = textwrap.wrap(
        f"filled: faster than its base at {level} with {compiler}; empty: not shown to be; grey: not measured",
        int(WIDTH / LETTER),
    )
    with svg.settings():
        canvas = Canvas(sum(len(lines) * LINE + _ROW for lines in texts) + len(legend) * LINE + 0.3)
        at: dict[str, tuple[float, float]] = {}
        top = 0.05
        for (step, depth), lines in zip(rows, texts, strict=True):
            name, here = step.stage.name, (0.12 + depth * _INDENT, top + LINE / 2)
            colour = _GREY if name in missing else svg.INK
            if step.base and step.base.name in at:
                across, down = at[step.base.name]
                below, end = down + _RADIUS, here[0] - (_RADIUS if here[0] > across else 0)
                last = here[1] - (_RADIUS if here[0] == across else 0)
                canvas.axes.plot([across, across, end], [below, last, last], color=svg.INK, linewidth=1)
            at[name] = here
            _mark(canvas, here, step, _GREY if name in missing else svg.COLOURS[0])
            for place, line in enumerate(lines):
                canvas.axes.text(
                    here[0] + 0.15,
                    top + (place + 0.5) * LINE,
                    line,
                    va="center",
                    color=colour,
                    fontsize=TEXT,
                    url=f"{name}.html",
                )
            top += len(lines) * LINE + _ROW
        canvas.paragraph(0, top + 0.2, legend)
        return canvas.svg()


def _rows(step: Step, depth: int, every: list[Step], path: list[Stage]) -> Iterator[tuple[Step, int]]:
    """A stage, what leaves it, and then the next of the main path at the same depth."""
    yield step, depth
    after = [one for one in every if one.base == step.stage]
    for branch in after:
        if branch.stage not in path:
            yield from _rows(branch, depth + 1, every, path)
    for one in after:
        if one.stage in path:
            yield from _rows(one, depth, every, path)


def _lines(step: Step, depth: int, reason: str) -> list[str]:
    room = int((WIDTH - 0.27 - depth * _INDENT) / LETTER)
    return [*textwrap.wrap(step.title, room), *textwrap.wrap(reason, room)]


def _reason(step: Step, missing: dict[str, str]) -> str:
    """In few words: the list of steps says where else it was measured."""
    return NOT_HERE if step.why.startswith(NOT_HERE) else missing.get(step.stage.name, "")


def _mark(canvas: Canvas, at: tuple[float, float], step: Step, colour: str) -> None:
    faster = step.base is None or (step.row is not None and queries.helped(step.row))
    canvas.axes.plot(
        *([value] for value in at),
        marker="o",
        markersize=8,
        markeredgecolor=colour,
        markerfacecolor=colour if faster else "none",
    )
