"""What pictures of notes are drawn on. All are as wide as a phone, so that their letters are as large as the text."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from perf_ladders.pages import svg

WIDTH = 5.2  # inches: 374 of the 400 pixels of a phone
LETTER = 0.09  # the width of one, at most
LINE = 0.21  # of text
TEXT, SMALL = 10.5, 9  # points


class Canvas:
    """Places are inches from the upper left corner."""

    def __init__(self, height: float) -> None:
        self.figure = svg.new_figure(WIDTH, height)
        self.figure.set_layout_engine("none")
        self.axes: Axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.axes.set_xlim(0, WIDTH)
        self.axes.set_ylim(height, 0)

    def text(self, across: float, down: float, words: str, align: str = "center", size: float = TEXT) -> None:
        self.axes.text(across, down, words, ha=align, va="center", fontsize=size)

    def paragraph(self, across: float, down: float, lines: list[str]) -> None:
        for place, line in enumerate(lines):
            self.text(across, down + (place + 0.5) * LINE, line, "left")

    def cell(self, across: float, down: float, width: float, height: float, tint: int | None, words: str) -> None:
        """Without a tint: only its border."""
        place, number = (across, down), tint or 0
        if tint is not None:
            colour = svg.COLOURS[number % len(svg.COLOURS)]
            self.axes.add_patch(Rectangle(place, width, height, facecolor=colour, alpha=0.35, edgecolor="none"))
        hatch = svg.HATCHES[number // len(svg.COLOURS) % len(svg.HATCHES)]
        self.axes.add_patch(Rectangle(place, width, height, fill=False, edgecolor=svg.INK, linewidth=0.7, hatch=hatch))
        if words:
            self.text(across + width / 2, down + height / 2, words, size=TEXT if len(words) * LETTER < width else SMALL)

    def idle(self, across: float, down: float, width: float, height: float) -> None:
        self.axes.add_patch(
            Rectangle((across, down), width, height, fill=False, edgecolor=svg.INK, linewidth=0.7, linestyle=":")
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
