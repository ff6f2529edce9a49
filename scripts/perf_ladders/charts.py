"""The pictures of a report, as SVG, from nothing but what the result holds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import Affine2D, Bbox

from perf_ladders import crossings as of_sizes
from perf_ladders import drawing, jobs, rungs
from perf_ladders.drawing import COLOURS, DASHES, HATCHES, INK, MARKERS
from perf_ladders.rows import Result, Row, ladders

_Point = tuple[float, float, str, bool, str]  # across, up, its number, whether it is ringed, and its colour


def overview(result: Result) -> str:
    """One ladder at a glance, with the libraries beside it: bars from zero, for nothing else shows a factor."""
    level, compiler = rungs.best_ladder(result)
    rows = {r["stage"]: r for r in rungs.first_rows(result) if (r["level"], r["compiler"]) == (level, compiler)}
    stages = [stage["name"] for stage in result["stages"] if stage["name"] in rows]
    peers = [name for name, row in rows.items() if row["kind"] == "peer"]
    with drawing.settings():
        figure = drawing.new_figure(11, 3.6)
        axes = figure.add_subplot()
        for place, name in enumerate(stages + peers):
            found = rows[name]["vs_reference"] or {"ratio": 1.0, "low": None, "high": None}
            at = place + (0.6 if name in peers else 0)
            gained = name == stages[0] or rungs.helped(rows[name])
            looks: dict[str, Any] = {"facecolor": COLOURS[0] if gained else "none", "edgecolor": COLOURS[0]}
            if name in peers:
                looks = {"facecolor": "none", "edgecolor": COLOURS[1], "hatch": "//"}
            axes.bar(at, found["ratio"], width=0.72, linewidth=1.4, **looks)
            if found["low"] is not None:
                axes.plot([at, at], [found["low"], found["high"]], color=INK, linewidth=1.5)
            top = found["high"] or found["ratio"]
            axes.annotate(
                f"{found['ratio']:.{2 if found['ratio'] < 10 else 1 if found['ratio'] < 100 else 0}f}x",
                (at, top),
                (0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=11,
            )
        places = [place + (0.6 if name in peers else 0) for place, name in enumerate(stages + peers)]
        axes.set_xticks(
            places, [*(name[-2:] for name in stages), *(rungs.short_peer_name(result, name) for name in peers)]
        )
        axes.tick_params(axis="x", length=0, labelsize=12)
        for label in axes.get_xticklabels()[len(stages) :]:  # longer than a bar is wide
            label.set(rotation=30, horizontalalignment="right", rotation_mode="anchor")
        axes.margins(x=0.02, y=0.12)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}x"))
        axes.set_ylabel("times as fast as the reference")
        axes.set_xlabel(
            f"stage ({level}, {compiler}): filled where it is faster than the one it builds on"
            f"{'; hatched: libraries' if peers else ''}"
        )
        drawing.under(figure, *rungs.footnotes(result))
        return drawing.to_svg(figure)


def ladder(result: Result) -> str:
    """Speed-up of every program over the reference: a panel a level, every block a dot, medians with intervals."""
    rows = [row for row in rungs.first_rows(result) if row["kind"] != "control"]
    names = [name for name in rungs.columns(result) if name not in jobs.emptied(result)]
    rows = [row for row in rows if row["stage"] in names]
    titles = rungs.short_titles(result)
    levels = list(dict.fromkeys(level for level, _ in ladders(result)))
    compilers = list(dict.fromkeys(compiler for _, compiler in ladders(result)))
    ratios = rungs.block_ratios(result)
    first = result["workloads"][0]["name"]
    drawn = [ratio for row in rows for ratio in ratios[rungs.runner(row)]]
    decade = 9 / len(levels) / math.log10(max(drawn) / min(drawn))  # in inches, about
    with drawing.settings():
        figure = drawing.new_figure(12, 1.4 + (0.3 + 0.14 * len(compilers)) * len(names))
        panels: Any = figure.subplots(1, len(levels), sharex=True, sharey=True, squeeze=False)[0]
        for axes, level in zip(panels, levels, strict=True):
            for place, compiler in enumerate(compilers):
                shift = (place - (len(compilers) - 1) / 2) * 0.46 - 0.08
                mine = [row for row in rows if (row["level"], row["compiler"]) == (level, compiler)]
                for row in mine:
                    up = names.index(row["stage"]) + shift
                    drawing.dots(axes, ratios[rungs.runner(row)], up + 0.18, COLOURS[place % 7])
                _medians(axes, mine, [names.index(row["stage"]) + shift for row in mine], place, compiler)
            axes.set_title(level)
            axes.set_xscale("log")
            drawing.plain_numbers(axes, "x", "x", (1, 2, 5) if decade > 1.5 else (1, 3))
            axes.axvline(1, color=INK, linewidth=1)
            axes.grid(axis="x")
        stages = len(result["stages"])
        for axes in panels:
            axes.axhline(stages - 0.5, color=INK, linewidth=0.7, linestyle=":", visible=len(names) > stages)
        panels[0].set_yticks(range(len(names)), [titles[name] for name in names])
        panels[0].set_ylim(len(names) - 0.4, -0.6)
        drawing.under(
            figure,
            f"times as fast as the reference of the same level and compiler ({first}, log scale)",
            *rungs.footnotes(result),
        )
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=len(compilers))
        return drawing.to_svg(figure)


def sizes(result: Result) -> str | None:
    """Throughput over the size of a message, at the highest level; in colour what a reader asks for first. It begins
    below the lowest of these and of the libraries: what is slower still leaves it."""
    rows = [row for row in result["rows"] if row["workload"].startswith("sweep/")]
    if not rows:
        return None
    level, compiler = rungs.highest(result)[0]
    rows = [r for r in rows if (r["level"], r["compiler"]) == (level, compiler)]
    series = list(dict.fromkeys(row["stage"] for row in rows if row["kind"] in ("stage", "peer")))
    peers = [name for name in series if name not in {stage["name"] for stage in result["stages"]}]
    told = rungs.milestones(result, level, compiler)
    titles = rungs.short_titles(result)
    with drawing.settings():
        figure = drawing.new_figure(11, 5)
        axes = figure.add_subplot()
        others = "the other stages"
        for name in sorted(series, key=lambda name: (name in told, name in peers)):
            mine = sorted((row for row in rows if row["stage"] == name), key=lambda row: row["bytes"])
            looks: dict[str, Any] = {"color": INK, "linewidth": 0.6, "alpha": 0.5, "label": others}
            if name in peers:
                place = peers.index(name)
                looks = {"color": INK, "linewidth": 1.8, "linestyle": DASHES[place % 4], "label": titles[name]}
            elif name in told:
                place = told.index(name)
                looks = {"color": COLOURS[place % 7], "marker": MARKERS[place % 7], "markersize": 5, "linewidth": 1.8}
                looks["label"] = titles[name]
            if looks["label"] == others and others in axes.get_legend_handles_labels()[1]:
                looks["label"] = None
            axes.plot([row["bytes"] / jobs.buffers(result) for row in mine], [row["mib_s"] for row in mine], **looks)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        lowest = min(row["mib_s"] for row in rows if row["stage"] in (*told, *peers))
        axes.set_ylim(0.8 * lowest, 1.25 * max(row["mib_s"] for row in rows))
        drawing.plain_numbers(axes, "y", "")
        axes.xaxis.set_major_formatter(FuncFormatter(_bytes))
        axes.grid(which="major")
        axes.set_xlabel("bytes of the message")
        drawing.under(figure, *rungs.footnotes(result))
        axes.set_ylabel(f"MiB/s ({level}, {compiler})")
        handles, labels = axes.get_legend_handles_labels()
        axes.legend(handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1.0, 0.5))
        return drawing.to_svg(figure)


def parts(result: Result) -> str | None:
    """What a buffer costs, part by part, at the highest level of each compiler."""
    highest = [one for one in jobs.parts(result) if (one["level"], one["compiler"]) in rungs.highest(result)]
    found = [one for one in highest if min(one["cycles"]) >= 0]
    if not found:
        return None
    titles = rungs.short_titles(result)
    labels = [f"{one['title']}, {titles[one['stage']]}, {one['compiler']}" for one in found]
    with drawing.settings():
        figure = drawing.new_figure(11, 1.4 + 0.42 * len(found))
        axes = figure.add_subplot()
        ends = [0.0] * len(found)
        for place, name in enumerate(found[0]["names"]):
            widths = [one["cycles"][place] for one in found]
            looks: dict[str, Any] = {"facecolor": COLOURS[place % 7], "hatch": HATCHES[place % 4], "edgecolor": "white"}
            axes.barh(range(len(found)), widths, left=ends, height=0.7, label=name, **looks)
            ends = [end + width for end, width in zip(ends, widths, strict=True)]
        axes.set_yticks(range(len(found)), labels)
        axes.invert_yaxis()
        axes.set_xlabel(f"cycles a buffer ({found[0]['level']})")
        figure.legend(loc="outside upper right", ncols=len(found[0]["names"]))
        return drawing.to_svg(figure)


def instructions(result: Result) -> str | None:
    """Each step at the highest levels: how many times faster over how many times fewer instructions."""
    groups = [
        [
            row
            for row in rungs.first_rows(result)
            if (row["level"], row["compiler"]) == found
            and row["kind"] == "stage"
            and row["vs_base"]
            and row["instructions_vs_base"]
        ]
        for found in rungs.highest(result)
    ]
    if not any(groups):
        return None
    with drawing.settings():
        figure = drawing.new_figure(7, 5)
        axes = figure.add_subplot()
        ends: list[float] = [0.9, 1.1]
        points: list[_Point] = []
        for place, (found, rows) in enumerate(zip(rungs.highest(result), groups, strict=True)):
            across = [row["instructions_vs_base"] for row in rows]
            up = [row["vs_base"]["ratio"] for row in rows]
            ends += across + up
            looks: dict[str, Any] = {"color": COLOURS[place % 7], "marker": MARKERS[place % 7], "linestyle": "none"}
            axes.plot(across, up, label=", ".join(found), **looks)
            for row, x, y in zip(rows, across, up, strict=True):
                if row["disagreement"]:
                    axes.plot(x, y, marker="o", markersize=13, markerfacecolor="none", color=INK)
                points.append((x, y, row["stage"][-2:], bool(row["disagreement"]), COLOURS[place % 7]))
        low, high = min(ends) * 0.9, max(ends) * 1.15
        axes.plot([low, high], [low, high], color=INK, linewidth=1, linestyle="--")
        for which in ("x", "y"):
            getattr(axes, f"set_{which}scale")("log")
            getattr(axes, f"set_{which}lim")(low, high)
            drawing.plain_numbers(axes, which, "x", (1, 2, 5) if high / low > 8 else (1, 1.2, 1.5, *range(2, 10)))
            getattr(axes, "axhline" if which == "y" else "axvline")(1, color=INK, linewidth=0.8)
        axes.set_xlabel("times fewer instructions than its base")
        axes.set_ylabel("times faster than its base")
        figure.legend(loc="outside upper right", ncols=len(groups))
        _number_points(figure, axes, points)
        return drawing.to_svg(figure)


def crossings(result: Result) -> str | None:
    """The time of a message over its size: on the CPU, on a device, and there without the transfers."""
    found = of_sizes.drawn(result)
    if found is None:
        return None
    lines, view = found
    with drawing.settings():
        figure = drawing.new_figure(11, 5)
        axes = figure.add_subplot()
        for place, line in enumerate(lines):
            looks: dict[str, Any] = {"color": COLOURS[place % 7], "marker": MARKERS[place % 7], "markersize": 5}
            if line.kind in ("reference", "kernel"):
                looks |= {"color": INK, "linestyle": "--" if line.kind == "kernel" else "-"}
            sizes = sorted(line.rounds)
            axes.plot(sizes, [line.median(size) for size in sizes], linewidth=1.8, label=line.name, **looks)
        for one in view["crossings"]:
            if one["at"] is not None and one["between"] is not None:
                axes.plot(one["at"], one["ns"], marker="o", markersize=13, markerfacecolor="none", color=INK)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        drawing.plain_numbers(axes, "y", "", (1,))
        axes.yaxis.set_major_formatter(FuncFormatter(drawing.duration))
        axes.xaxis.set_major_formatter(FuncFormatter(_bytes))
        axes.grid(which="major")
        axes.set_xlabel("bytes of the message")
        axes.set_ylabel(f"time of a message ({view['level']}, {view['compiler']}; device: {view['device']['kind']})")
        figure.legend(loc="outside right upper", alignment="left")
        return drawing.to_svg(figure)


def rankings(found: dict[str, Any]) -> str:
    """One field of contenders three times, in the order of their means: means alone, with the standard deviation, and
    the medians of blocks with every block. As shares of the least, so that one axis fits all three."""
    contenders = found["contenders"]
    least = {"mean": contenders[0]["mean"], "median": min(one["median"] for one in contenders)}
    with drawing.settings():
        figure = drawing.new_figure(12, 1.7 + 0.36 * len(contenders))
        panels: Any = figure.subplots(1, 3, sharey=True, sharex=True)
        for place, one in enumerate(contenders):
            mean, sd = one["mean"] / least["mean"], one["sd"] / least["mean"]
            panels[0].plot([mean], [place], "D", color=COLOURS[1], markersize=6)
            panels[1].plot([max(mean - sd, 0.5), mean + sd], [place, place], color=COLOURS[1], linewidth=2)
            panels[1].plot([mean], [place], "D", color=COLOURS[1], markersize=6)
            drawing.dots(panels[2], [time / least["median"] for time in one["blocks"]], place, COLOURS[0])
            panels[2].plot([one["median"] / least["median"]], [place], "o", color=COLOURS[0], markersize=5)
        for axes, title in zip(panels, ("means alone", "with the standard deviation", "shuffled blocks"), strict=True):
            axes.set_title(title)
            axes.set_xscale("log")
            axes.set_xlim(left=0.5)
            drawing.plain_numbers(axes, "x", "x", steps=(1, 3))
            axes.grid(axis="both")
        panels[0].set_yticks(
            range(len(contenders)), [f"{place}. {one['title']}" for place, one in enumerate(contenders, 1)]
        )
        panels[0].set_ylim(len(contenders) - 0.4, -0.6)
        figure.supxlabel(
            "time, in times of the least (log scale); the order of all three is that of the means", fontsize=11
        )
        return drawing.to_svg(figure)


def against_itself(found: dict[str, Any]) -> str:
    """Every experiment a dot: how much faster one of the two seems, which are the same program."""
    with drawing.settings():
        figure = drawing.new_figure(11, 3)
        axes = figure.add_subplot()
        drawing.dots(axes, found["means_apart"], 0, COLOURS[1], spread=0.6)
        drawing.dots(axes, found["blocks_apart"], 1, COLOURS[0], spread=0.6)
        axes.axvline(1, color=INK, linewidth=1)
        axes.set_yticks([0, 1], ["means, one after the other", "median of shuffled blocks"])
        axes.set_ylim(1.6, -0.6)
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(FuncFormatter(lambda value, _: ""))
        axes.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))  # multiples of these go through 1
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.4g}x"))
        axes.grid(axis="x")
        axes.set_xlabel("how many times as fast one of the two seems as the other: 1x is the truth")
        return drawing.to_svg(figure)


def latency(result: Result) -> str | None:
    """Single calls of every program, at the highest level of each compiler."""
    titles = rungs.short_titles(result)
    panels = []
    for level, compiler in rungs.highest(result):
        rows = [row for row in rungs.first_rows(result) if (row["level"], row["compiler"]) == (level, compiler)]
        found = [row for row in rows if row["kind"] in ("stage", "peer") and row["latency"]]
        if found:
            panels.append((f"{level}, {compiler}", [(titles[row["stage"]], row) for row in found]))
    return _quantiles(panels, set(), rungs.footnotes(result)) if panels else None


def latency_of_step(rows: list[tuple[str, Row]], stage: str) -> str | None:
    """Single calls of a stage and, in grey, of the one it builds on."""
    found = [(label, row) for label, row in rows if row["latency"]]
    return _quantiles([("", found)], {row["stage"] for _, row in found} - {stage}) if found else None


def _quantiles(panels: list[tuple[str, list[tuple[str, Row]]]], grey: set[str], notes: Sequence[str] = ()) -> str:
    labels = list(dict.fromkeys(label for _, rows in panels for label, _ in rows))
    with drawing.settings():
        figure = drawing.new_figure(12, 1.1 + 0.34 * len(labels))
        all_axes: Any = figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]
        for axes, (title, rows) in zip(all_axes, panels, strict=True):
            for label, row in rows:
                up, call = labels.index(label), row["latency"]
                at = {float(share): value for share, value in call["quantiles_ns"].items()}
                colour = INK if row["stage"] in grey else COLOURS[1] if row["kind"] == "peer" else COLOURS[0]
                axes.plot([call["min_ns"], call["worst_ns"]], [up, up], color=INK, linewidth=1)
                axes.plot([at[0.05], at[0.95]], [up, up], color=colour, linewidth=4, alpha=0.5)
                axes.plot([at[0.25], at[0.75]], [up, up], color=colour, linewidth=9, solid_capstyle="butt")
                axes.plot(at[0.5], up, marker="|", markersize=15, color=INK, markeredgewidth=2)
                axes.plot(at[0.99], up, marker="d", markersize=5, color=colour)
                axes.plot(call["worst_ns"], up, marker="x", markersize=5, color=INK)
            axes.set_title(title)
            axes.set_xscale("log")
            drawing.plain_numbers(axes, "x", "", (1, 3))
            axes.xaxis.set_major_formatter(FuncFormatter(drawing.duration))
            axes.grid(axis="x")
        all_axes[0].set_yticks(range(len(labels)), labels)
        all_axes[0].set_ylim(len(labels) - 0.4, -0.6)
        drawing.under(figure, "time of a call (log scale)", *notes)
        return drawing.to_svg(figure)


def _number_points(figure: Figure, axes: Axes, points: list[_Point]) -> None:
    """Each number as near to its point as there is room beside points and other numbers: first those that are ringed,
    then those furthest from 1x; steps that change next to nothing have none."""
    told = [one for one in points if one[3] or max(abs(one[0] - 1), abs(one[1] - 1)) >= 0.05]
    told.sort(key=lambda one: (not one[3], -math.hypot(math.log(one[0]), math.log(one[1])), one))
    figure.draw_without_rendering()  # lays the axes out
    frame = axes.get_window_extent().transformed(Affine2D().scale(72 / figure.dpi))
    where = {one: axes.transData.transform(one[:2]) * 72 / figure.dpi for one in points}
    taken = [Bbox.from_bounds(x - 5, y - 5, 10, 10) for x, y in where.values()]
    for one in told:
        x, y = where[one]
        for away, turn in itertools.product(range(13, 99, 5), (2, 6, 0, 4, 1, 3, 5, 7)):
            right, up = away * math.cos(turn * math.pi / 4), away * math.sin(turn * math.pi / 4)
            box = Bbox.from_bounds(x + right - 7, y + up - 5, 14, 10)
            inside = frame.x0 < box.x0 and box.x1 < frame.x1 and frame.y0 < box.y0 and box.y1 < frame.y1
            if inside and not any(box.overlaps(other) for other in taken):
                break
        taken.append(box)
        looks: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 10, "color": one[4]}
        line = {"arrowstyle": "-", "color": one[4], "linewidth": 0.7, "shrinkA": 0} if away > 13 else None
        axes.annotate(one[2], one[:2], (right, up), textcoords="offset points", arrowprops=line, **looks)


def _medians(axes: Axes, rows: list[Row], heights: list[float], place: int, label: str) -> None:
    found = [row["vs_reference"] or {"ratio": 1, "low": 1, "high": 1} for row in rows]
    middle = [c["ratio"] for c in found]
    errors = [
        [c["ratio"] - (c["low"] or c["ratio"]) for c in found],
        [(c["high"] or c["ratio"]) - c["ratio"] for c in found],
    ]
    looks: dict[str, Any] = {"color": COLOURS[place % 7], "marker": MARKERS[place % 7], "markersize": 6, "capsize": 3}
    axes.errorbar(middle, heights, xerr=errors, linestyle="none", label=label, **looks)


def _bytes(value: float, _: int) -> str:
    for unit, scale in (("Mi", 2**20), ("Ki", 2**10)):
        if value >= scale:
            return f"{value / scale:g} {unit}"
    return f"{value:g}"
