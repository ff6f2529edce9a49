"""Dependencies as a graph, and the cycles in which their operations start."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from matplotlib.patches import FancyBboxPatch

from perf_ladders.pages import svg
from perf_ladders.pages.charts.canvas import LETTER, SMALL, WIDTH, Canvas
from perf_ladders.tree.picture import Graph, Pipeline

_CYCLE = 0.42  # inches
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
    width = {node.name: LETTER * len(node.label) + (0.2 if node.inputs else 0.06) for node in graph.nodes}
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


def draw_graph(graph: Graph) -> str:
    at = places(graph)
    path = graph.critical() if graph.marked else []
    marked = set(pairwise(path))
    with svg.settings():
        canvas = Canvas(max(place.down for place in at.values()) + _BOX / 2 + 0.06)
        for node in graph.nodes:
            for name in node.inputs:
                canvas.arrow(*arrow_of(at[name], at[node.name]), marked=(name, node.name) in marked)
        for node in graph.nodes:
            place = at[node.name]
            if node.inputs:
                _box(canvas, place, node.name in path)
            canvas.text(place.across, place.down, node.label)
        return canvas.svg()


def _box(canvas: Canvas, place: Place, marked: bool) -> None:
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


def draw_pipeline(found: Pipeline) -> str:
    """A row is a unit, a column a cycle, and a number the set whose operation starts there."""
    left, height, head = 0.6, 0.28, 0.5
    width = min(_CYCLE, (WIDTH - left - 0.02) / found.cycles)
    with svg.settings():
        canvas = Canvas(len(found.sets) * (head + found.units * height + 0.16))
        top = 0.0
        for sets in found.sets:
            started = found.schedule(sets)
            busy = sum(map(len, started))
            amount = f"{sets} independent {found.name}s" if sets > 1 else f"one {found.name}"
            title = f"{amount}: {busy} operations start in {found.cycles} cycles"
            canvas.text(0, top + 0.12, title, "left")
            canvas.text(left - 0.08, top + 0.36, "cycle", "right", SMALL)
            for cycle, now in enumerate(started):
                canvas.text(left + (cycle + 0.5) * width, top + 0.36, f"{cycle + 1}", size=SMALL)
                for unit in range(found.units):
                    place = (left + cycle * width, top + head + unit * height, width, height)
                    if unit < len(now):
                        canvas.cell(*place, now[unit], f"{now[unit] + 1}")
                    else:
                        canvas.idle(*place)
            for unit in range(found.units):
                canvas.text(left - 0.08, top + head + (unit + 0.5) * height, f"unit {unit + 1}", "right", SMALL)
            top += head + found.units * height + 0.16
        return canvas.svg()
