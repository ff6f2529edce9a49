"""How many times faster than the reference: one ladder as bars, and every ladder with its rounds."""

from __future__ import annotations

import math
from itertools import product

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from perf_ladders.pages import svg
from perf_ladders.pages.svg import COLOURS, INK, MARKERS
from perf_ladders.results import multibuffer, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Row
from perf_ladders.stats import Comparison

_SLIDE = (6.2, 2.25)  # inches, which are so few that a letter is large
_MAX_LEVEL = 14  # bars whose labels have room beside each other
_NOTHING = Comparison(1.0, None, None, "undecided")  # of the reference over itself


def overview(analysis: Analysis, slide: bool = False) -> str:
    """One ladder at a glance, with the libraries beside it: bars from zero, for nothing else shows a factor.

    A slide has no room for footnotes, so the libraries that need one are left out; its letters are larger.
    """
    level, compiler = queries.best_ladder(analysis)
    rows = queries.rows_at(analysis, (level, compiler))
    path = [*analysis.case.path_to(queries.last(analysis)), *(one for one in analysis.stages if one.is_own)]
    stages = [stage for stage in path if stage.name in rows]
    with_note = queries.standards(analysis) | queries.lacks(analysis) if slide else {}
    peers = [name for name, row in rows.items() if row.kind == "peer" and name not in with_note]
    names = [*(stage.name for stage in stages), *peers]
    places = [place + (0.6 if name in peers else 0) for place, name in enumerate(names)]
    upright = slide or len(names) > _MAX_LEVEL
    with svg.settings():
        figure = svg.new_figure(*(_SLIDE if slide else (11, 3.6)))
        axes = figure.add_subplot()
        for at, name in zip(places, names, strict=True):
            found = rows[name].vs_reference or _NOTHING
            gained = name == analysis.reference or queries.helped(rows[name])
            axes.bar(
                at,
                found.ratio,
                width=0.72,
                linewidth=1.4,
                facecolor=COLOURS[0] if gained and name not in peers else "none",
                edgecolor=COLOURS[1] if name in peers else COLOURS[0],
                hatch="//" if name in peers else "",
            )
            if found.low is not None and found.high is not None:
                axes.plot([at, at], [found.low, found.high], color=INK, linewidth=1.5)
            axes.annotate(
                f"{found.ratio:.{2 if found.ratio < 10 else 1 if found.ratio < 100 else 0}f}x",
                (at, found.high or found.ratio),
                (0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=11,
                rotation=90 if upright else 0,
                va="bottom" if upright else "baseline",
            )
        short = (queries.short_peer_name(analysis, name) for name in peers)
        axes.set_xticks(places, [*(stage.number for stage in stages), *short])
        axes.tick_params(axis="x", length=0, labelsize=12)
        for label in axes.get_xticklabels()[len(stages) :]:  # longer than a bar is wide
            label.set(rotation=30, horizontalalignment="right", rotation_mode="anchor")
        axes.margins(x=0.02, y=0.3 if upright else 0.12)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}x"))
        hatched = "; hatched: libraries" if peers else ""
        if slide:
            axes.set_xlabel(f"filled: faster than the stage before{hatched}")
        else:
            axes.set_ylabel("speed-up over the reference")
            filled = "filled where it is faster than the one it builds on"
            axes.set_xlabel(f"stage ({level}, {compiler}): {filled}{hatched}")
            svg.under(figure, *queries.footnotes(analysis))
        return svg.to_svg(figure)


def ladder(analysis: Analysis) -> str:
    """Speed-up of every program over the reference: a panel a level, every round a dot, medians with intervals."""
    path = [stage.name for stage in analysis.case.main_path]
    drawn_names = [name for name in queries.columns(analysis) if name not in multibuffer.emptied(analysis)]
    names = sorted(drawn_names, key=lambda name: name not in path)  # the main path first
    rows = [row for row in analysis.first_rows if row.kind != "control" and row.stage in names]
    titles = queries.short_titles(analysis)
    levels = list(dict.fromkeys(level for level, _ in analysis.ladders))
    compilers = list(dict.fromkeys(compiler for _, compiler in analysis.ladders))
    ratios = queries.round_ratios(analysis)
    drawn = [ratio for row in rows for ratio in ratios[row.id]]
    decade = 9 / len(levels) / (math.log10(max(drawn) / min(drawn)) or 1)  # in inches, about
    with svg.settings():
        figure = svg.new_figure(12, 1.4 + (0.3 + 0.14 * len(compilers)) * len(names))
        panels: list[Axes] = [*figure.subplots(1, len(levels), sharex=True, sharey=True, squeeze=False)[0]]
        for axes, level in zip(panels, levels, strict=True):
            for place, compiler in enumerate(compilers):
                shift = (place - (len(compilers) - 1) / 2) * 0.46 - 0.08
                mine = [row for row in rows if row.ladder == (level, compiler)]
                for row in mine:
                    svg.dots(axes, ratios[row.id], names.index(row.stage) + shift + 0.18, COLOURS[place % 7])
                _medians(axes, mine, [names.index(row.stage) + shift for row in mine], place, compiler)
            axes.set_title(level)
            axes.set_xscale("log")
            svg.plain_numbers(axes, "x", "x", (1, 2, 5) if decade > 1.5 else (1, 3))
            axes.axvline(1, color=INK, linewidth=1)
            axes.grid(axis="x")
        borders = [sum(name in path for name in names), len(analysis.stages)]  # of main path and side branches
        for axes, border in product(panels, borders):
            axes.axhline(border - 0.5, color=INK, linewidth=0.7, linestyle=":", visible=len(names) > border)
        panels[0].set_yticks(range(len(names)), [titles[name] for name in names])
        panels[0].set_ylim(len(names) - 0.4, -0.6)
        svg.under(
            figure,
            f"speed-up over the reference of the same level and compiler ({analysis.first}, log scale)",
            *queries.footnotes(analysis),
        )
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=len(compilers))
        return svg.to_svg(figure)


def _medians(axes: Axes, rows: list[Row], heights: list[float], place: int, label: str) -> None:
    found = [row.vs_reference or _NOTHING for row in rows]
    axes.errorbar(
        [one.ratio for one in found],
        heights,
        xerr=[
            # The interval of all rounds may leave out the ratio of the last ones.
            [max(0.0, one.ratio - (one.low or one.ratio)) for one in found],
            [max(0.0, (one.high or one.ratio) - one.ratio) for one in found],
        ],
        linestyle="none",
        label=label,
        color=COLOURS[place % 7],
        marker=MARKERS[place % 7],
        markersize=6,
        capsize=3,
    )
