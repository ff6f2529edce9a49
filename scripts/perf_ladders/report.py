"""Writes the report of a result as pages, as Markdown and as pictures: nothing in them but what the result holds."""

from __future__ import annotations

import math
import re
import string
from pathlib import Path
from typing import Any

import jinja2
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from perf_ladders import charts, drawing, rungs, stage_view, stats, views, wording
from perf_ladders.catalogue import REFERENCE_REPORTS, ROOT, SELF_CHECK, case_names, shown
from perf_ladders.complaint import Complaint
from perf_ladders.result import load
from perf_ladders.rows import Result

_PICTURES = {
    "overview": (charts.overview, "Every stage and the libraries against the reference"),
    "ladder": (charts.ladder, "How many times faster than the reference every stage is, by level and compiler"),
    "sizes": (charts.sizes, "Throughput over the size of a message"),
    "crossings": (charts.crossings, "The time of a message over its size, on the CPU and on an OpenCL device"),
    "parts": (charts.parts, "What a buffer costs, part by part"),
    "instructions": (charts.instructions, "How many times faster over how many times fewer instructions"),
    "latency": (charts.latency, "How long single calls take"),
}


def write(result: Result, data: Path) -> list[Path]:
    """NAME.html, a page for each stage, NAME.md and its pictures, beside the file that holds the result."""
    name = result["case"]
    drawn = {kind: svg for kind, (draw, _) in _PICTURES.items() if (svg := draw(result))}
    html, content = _environment(html=True), {**views.case(result), "data": data.name}
    markdown = {
        "pictures": {kind: f"{name}-{kind}.svg" for kind in drawn},
        "brief": {stage["name"]: stage_view.brief(result, stage["name"]) for stage in result["stages"]},
    }
    files = {
        f"{name}.html": html.get_template("case.html.j2").render(
            **content, pictures={kind: _inline(svg, kind, _PICTURES[kind][1]) for kind, svg in drawn.items()}
        ),
        **{f"{stage['name']}.html": _stage_page(html, result, stage["name"], data) for stage in result["stages"]},
        **(_lesson_pages(html, content) if content["lesson"] else {}),
        f"{name}.md": _environment(html=False).get_template("case.md.j2").render(**content, **markdown),
        **{f"{name}-{kind}.svg": svg for kind, svg in drawn.items()},
    }
    return [_write(data.parent / file, text) for file, text in files.items()]


def results_in(folder: Path) -> list[Path]:
    """In the order of the cases."""
    order = {name: place for place, name in enumerate(case_names())}
    found = [path for path in folder.iterdir() if path.name.endswith((".json", ".json.gz"))] if folder.is_dir() else []
    results = [path for path in found if not path.name.startswith(f"{SELF_CHECK}.")]
    return sorted(results, key=lambda path: (order.get(path.name.split(".")[0], len(order)), path))


def load_all(folder: Path) -> list[Result]:
    return [load(path) for path in results_in(folder)]


def write_index(folder: Path) -> Path:
    return _write(folder / "index.html", index(folder))


def index(folder: Path) -> str:
    """The page over all results in the folder."""
    entries = []
    for path in results_in(folder):
        result = load(path)
        says = f"{result['title']}: every stage and the libraries against the reference"
        picture = _inline(charts.overview(result), f"overview-{result['case']}", says)
        entries.append({**views.index_entry(result), "data": path.name, "picture": picture})
    return _environment(html=True).get_template("index.html.j2").render(entries=entries).rstrip() + "\n"


def write_page(path: Path, template: str, content: dict[str, Any]) -> Path:
    return _write(path, _environment(html=True).get_template(template).render(**content))


def readme_part(results: list[Result]) -> str:
    """What README.md shows: the picture of the first case, and a table of all."""
    machines = dict(
        zip(dict.fromkeys(wording.machine_line(one) for one in results), string.ascii_uppercase, strict=False)
    )
    best = [views.best(result) for result in results]
    return markdown(
        "readme.md.j2",
        result=results[0],
        best=[max(found, key=lambda line: line["row"]["vs_reference"]["ratio"]) for found in best if found],
        machines=machines,
        folder=shown(REFERENCE_REPORTS),
    )


def fill_readme(results: list[Result]) -> list[Path]:
    """Replaces what stands between the markers of README.md."""
    return [fill(ROOT / "README.md", "reference report", readme_part(results))]


def cells_part(result: Result) -> str:
    """What docs/reading-a-report.md shows of it: the first cell of each verdict, and of what became of a prediction."""
    steps = [row for row in rungs.first_rows(result) if row["kind"] == "stage" and row["vs_base"]]
    verdicts = {row["vs_base"]["verdict"]: row for row in reversed(steps)}
    outcomes = {row["prediction"]["outcome"]: row for row in reversed(steps) if row["prediction"]}
    return markdown(
        "cells.md.j2",
        result=result,
        workload=result["workloads"][0]["name"],
        titles=rungs.titles(result),
        alike=stats.MOST_ALIKE,
        cells=[verdicts[name] for name in ("faster", "slower", "same", "unresolved") if name in verdicts],
        predictions=[outcomes[name] for name in ("held", "refuted", "open") if name in outcomes],
        page=f"../{shown(REFERENCE_REPORTS)}/{result['case']}.md",
    )


def fill_cells(result: Result) -> Path:
    """Replaces what stands between the markers of docs/reading-a-report.md."""
    return fill(ROOT / "docs/reading-a-report.md", "cells", cells_part(result))


def markdown(template: str, **content: Any) -> str:
    return _environment(html=False).get_template(template).render(**content)


def fill(path: Path, name: str, filling: str) -> Path:
    """Replaces what stands between the markers of that name."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    text = path.read_text("utf-8")
    if begin not in text or end not in text:
        raise Complaint(f"{shown(path)} has lost the lines {begin.strip()} and {end.strip()}.")
    before, rest = text.split(begin, 1)
    return _write(path, before + begin + filling.rstrip() + "\n" + end + rest.split(end, 1)[1])


def _stage_page(html: jinja2.Environment, result: Result, name: str, data: Path) -> str:
    page = stage_view.stage_page(result, name)
    svg = charts.latency_of_step(page["latency"], name)
    picture = _inline(svg, "latency", "How long single calls take, before and after") if svg else None
    return html.get_template("stage.html.j2").render(**page, picture=picture, data=data.name)


def _lesson_pages(html: jinja2.Environment, content: dict[str, Any]) -> dict[str, str]:
    """The page on statistics, and that of the program against itself."""
    case, lesson = content["result"]["case"], content["lesson"]
    rankings = {
        field["id"]: _inline(
            charts.rankings(field), f"rankings-{place}", "One field of contenders, judged in three ways"
        )
        for place, field in enumerate(lesson["fields"])
    }
    itself = charts.against_itself(lesson["identical_page"])
    picture = _inline(itself, "itself", "How far apart the same program seems from itself")
    return {
        f"{case}-lesson.html": html.get_template("lesson.html.j2").render(**content, rankings=rankings),
        f"{case}-identical.html": html.get_template("identical.html.j2").render(**content, picture=picture),
    }


def _inline(svg: str, name: str, says: str) -> Markup:
    return Markup(drawing.inline(svg, name, escape(says)))


def _environment(html: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("perf_ladders"),
        autoescape=html,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    words = (
        "time",
        "seconds",
        "number",
        "percent",
        "ratio",
        "times",
        "verdict",
        "prediction",
        "size",
        "bytes",
        "share",
        "missing",
        "function",
        "source_line",
    )
    environment.filters |= {name: getattr(wording, name) for name in words}
    environment.filters |= {
        "prose": _prose,
        "line": _line,
        "code": _code,
        "fence": _fence,
        "heat": _heat,
        "diff_lines": stage_view.diff_lines,
    }
    environment.tests["missing"] = lambda found: isinstance(found, dict) and "missing" in found
    environment.globals |= {
        "machine_line": wording.machine_line,
        "compiler_line": wording.compiler_line,
        "left_out": wording.left_out,
        "span": wording.span,
        "rate": wording.rate,
        "marks": wording.MARKS,
        "worth_showing": 0.002,  # of what a program does
        "known_sections": stage_view.KNOWN_SECTIONS,
    }
    return environment


def _prose(text: str) -> Markup:
    """Markdown as HTML. Raw HTML in it is shown, not obeyed. Its headings rank below those of the page, and its tables
    scroll as those do."""
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = html.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
    return Markup(html.replace("<h2>", "<h4>").replace("</h2>", "</h4>"))


def _line(text: str) -> Markup:
    """A sentence of Markdown as HTML, without a paragraph around it."""
    html: str = MarkdownIt("commonmark", {"html": False}).renderInline(text)
    return Markup(html)


def _code(text: str) -> str:
    """As code in a cell of a Markdown table, whatever it holds."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}".replace("|", "\\|") if len(fence) > 1 else f"`{text}`".replace("|", "\\|")


def _fence(text: str) -> str:
    """The fence for a block of code that may hold fences."""
    return "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))


def _heat(ratio: float) -> str:
    """The tint of a cell: its hue, and how much of it; full at 16 times as fast or slow, none within 2 %."""
    strength = min(1.0, abs(math.log2(ratio)) / 4)
    hue = "none" if strength < math.log2(1.02) / 4 else "more" if ratio > 1 else "less"
    return f"--hue: var(--{hue}); --heat: {8 + 37 * strength:.0f}%"


def _write(path: Path, text: str) -> Path:
    try:
        path.write_text(text.rstrip() + "\n", "utf-8")
    except OSError as error:
        raise Complaint(f"Cannot write {shown(path)} ({error.strerror}).") from None
    return path
