"""What all pictures share: ink, colours, and the way from a figure to SVG.

Colours are those of Okabe and Ito, which colour-blind readers can distinguish, but for their orange, which is too light
on white and so is a brown here; every series has a marker of its own.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8A6300", "#56B4E9", "#999999"]
HATCHES = ["", "//", "..", "xx"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
DASHES: list[str | tuple[int, tuple[int, ...]]] = ["--", ":", "-.", (0, (6, 1, 1, 1, 1, 1))]
INK = "#7a7a7a"  # readable on white and on black
_GOLDEN = 0.6180339887  # whose multiples fill an interval evenly
_TEXT_OR_NUMBER = re.compile(r">[^<>]*</text>|-?\b\d+\.\d{3,}\b")  # in text each digit was chosen
_NUDGE = 1.3e-4  # before coordinates are rounded: many lie halfway, where a CPU's last digit would decide

_SETTINGS = Path(__file__).with_name("charts") / "settings.mplstyle"
# What a picture on a page becomes in light and in dark; a committed one keeps its colours, which are readable on both.
_THEMES = {
    INK: ("#1b1e22", "#e6e8ea"),
    COLOURS[0].lower(): (COLOURS[0], "#3aa0e0"),
    COLOURS[1].lower(): (COLOURS[1], "#e8823a"),
    COLOURS[4].lower(): (COLOURS[4], "#e69f00"),
    COLOURS[5].lower(): ("#2b96d2", COLOURS[5]),
    COLOURS[6]: ("#8f8f8f", COLOURS[6]),
}


def themed(svg: str) -> str:
    """For a page in light and in dark: an image follows the reader's choice by a style of its own."""
    return re.sub(r"(<svg [^>]*>)", lambda m: f"{m[0]}{_style(':root', _THEMES)}", _with_variables(svg), count=1)


def inline(svg: str, name: str, says: str) -> str:
    """For use inside a page: the page's ink, in light and in dark, and identifiers that no other picture has."""
    svg = _with_variables(svg[svg.index("<svg") :].replace(INK, "currentColor"))
    svg = re.sub(r"<(style|metadata)\b.*?</\1>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    style = _style(f"#{name}", {colour: pair for colour, pair in _THEMES.items() if colour != INK})
    role = "group" if "<a " in svg else "img"  # a screen reader stops at no link inside an image
    head = f'<svg id="{name}" role="{role}" aria-label="{says}" '
    return re.sub(r"<svg ([^>]*>)", lambda match: f"{head}{match[1]}{style}", svg, count=1)


def _with_variables(svg: str) -> str:
    for place, colour in enumerate(_THEMES):
        svg = svg.replace(colour, f"var(--c{place})")
    return svg


def _style(selector: str, themes: dict[str, tuple[str, str]]) -> str:
    places = {colour: place for place, colour in enumerate(_THEMES)}
    light, dark = (
        "; ".join(f"--c{places[colour]}: {pair[which]}" for colour, pair in themes.items()) for which in (0, 1)
    )
    return f"<style>{selector} {{ {light} }} @media (prefers-color-scheme: dark) {{ {selector} {{ {dark} }} }}</style>"


@dataclass(frozen=True)
class Look:
    """Of a line and its markers."""

    colour: str = INK
    width: float = 1.8
    dashes: str | tuple[int, tuple[int, ...]] = "-"
    marker: str = ""
    size: float = 5
    alpha: float = 1.0
    label: str | None = None
    filled: bool = True

    def draw(self, axes: Axes, across: Sequence[float], up: Sequence[float]) -> None:
        axes.plot(
            across,
            up,
            color=self.colour,
            linewidth=self.width,
            linestyle=self.dashes,
            marker=self.marker,
            markersize=self.size,
            markerfacecolor=self.colour if self.filled else "none",
            alpha=self.alpha,
            label=self.label,
        )


RING = Look(dashes="none", marker="o", size=13, filled=False)


def new_figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_alpha(0)
    return figure


def size(svg: str) -> tuple[int, int]:
    """Width and height, for the page to leave room."""
    found = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg)
    assert found, "matplotlib writes one"
    return round(float(found[1])), round(float(found[2]))


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
    # `savefig` draws everything once more, before it writes.
    FigureCanvasSVG(figure).print_svg(out, metadata={"Date": None, "Creator": None})  # type: ignore[no-untyped-call]
    # Clip paths are named by a hash of places to the last digit, which differs from CPU to CPU.
    names: dict[str, str] = {}
    text = re.sub(
        r'(?<=["#])p[0-9a-f]{10}(?=[")])', lambda m: names.setdefault(m[0], f"clip{len(names)}"), out.getvalue()
    )
    return _TEXT_OR_NUMBER.sub(_rounded, text)


def _rounded(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith(">") else f"{round(float(found[0]) + _NUDGE, 2):g}"


def settings() -> AbstractContextManager[None]:
    return mpl.rc_context(fname=_SETTINGS)


def plain_numbers(axes: Axes, which: str, unit: str, steps: tuple[float, ...] = (1, 2, 5)) -> None:
    axis = axes.xaxis if which == "x" else axes.yaxis
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
