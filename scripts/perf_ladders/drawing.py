"""What all pictures share: ink, colours, and the way from a figure to SVG.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart, but for their orange, which is too light
on white and so is a brown here; every series has a marker of its own.
"""

from __future__ import annotations

import io
import re
import textwrap
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8A6300", "#56B4E9", "#999999"]
HATCHES = ["", "//", "..", "xx"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
DASHES: list[Any] = ["--", ":", "-.", (0, (6, 1, 1, 1, 1, 1))]
INK = "#7a7a7a"  # for files: readable on white and on black; on a page it becomes the colour of the text
_GOLDEN = 0.6180339887  # whose multiples fill an interval evenly

SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "perf-ladders",
    "path.simplify": False,
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": INK,
    "grid.alpha": 0.25,
    "legend.frameon": False,
}


def inline(svg: str, name: str, says: str) -> str:
    """For use inside a page: the page's ink, in light and in dark, and identifiers that no other picture has."""
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    lighter = ((COLOURS[0], "--more"), (COLOURS[1], "--less"), (COLOURS[4], "--fifth"))  # twins for the dark
    for colour, variable in lighter:
        svg = svg.replace(colour.lower(), f"var({variable})")
    svg = re.sub(r"<(style|metadata)\b.*?</\1>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{says}" ', 1)


def new_figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_alpha(0)
    return figure


def under(figure: Figure, *lines: str) -> None:
    """Sentences below a picture, wrapped to its width; each line that they take makes it higher."""
    width, height = figure.get_size_inches()
    wrapped = [part for line in lines for part in textwrap.wrap(line, int(11 * width))]
    if wrapped:
        figure.set_size_inches(width, height + 0.21 * len(wrapped))
        figure.supxlabel("\n".join(wrapped), fontsize=11)


def to_svg(figure: Figure) -> str:
    for axes in figure.axes:
        axes.patch.set_alpha(0)
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    # Clip paths are named by a hash of places to the last digit, which differs from CPU to CPU.
    names: dict[str, str] = {}
    return re.sub(
        r'(?<=["#])p[0-9a-f]{10}(?=[")])', lambda m: names.setdefault(m[0], f"clip{len(names)}"), out.getvalue()
    )


def settings() -> Any:
    return mpl.rc_context(SETTINGS)


def plain_numbers(axes: Axes, which: str, unit: str, steps: tuple[float, ...] = (1, 2, 5)) -> None:
    axis: Any = getattr(axes, f"{which}axis")
    axis.set_major_locator(LogLocator(base=10, subs=steps, numticks=20))
    axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}{unit}"))


def duration(nanoseconds: float, _: int = 0) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:g} {unit}"
    return f"{nanoseconds:g} ns"


def dots(axes: Axes, across: list[float], up: float, colour: str, spread: float = 0) -> None:
    """Many small dots as one path, for a page that holds thousands: strokes without length, with round ends. Spread
    over a height, evenly and always in the same way, they do not cover each other."""
    places = [place for value in across for place in (value, value, float("nan"))]
    heights = [up + spread * (number * _GOLDEN % 1 - 0.5) for number in range(len(across)) for _ in range(3)]
    axes.plot(places, heights, color=colour, alpha=0.45, linewidth=3, solid_capstyle="round")
