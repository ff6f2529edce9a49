"""Writes the report of a result as a page, as Markdown and as pictures: nothing in them but what the result holds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jinja2
from markdown_it import MarkdownIt
from markupsafe import Markup

from perf_ladders import charts, wording
from perf_ladders.catalogue import REFERENCE_REPORTS, ROOT, SELF_CHECK, shown
from perf_ladders.complaint import Complaint
from perf_ladders.guards import warnings
from perf_ladders.result import load
from perf_ladders.rows import Result, Row, against_peers, ladders
from perf_ladders.stats import least_blocks


def write(result: Result, data: Path) -> list[Path]:
    """NAME.html, NAME.md and the Markdown's pictures, beside the file that holds the result."""
    name = result["case"]
    pictures = {f"{name}-ladder.svg": charts.ladder(result), f"{name}-sizes.svg": charts.sizes(result)}
    content = {**_content(result), "data": data.name}
    files = {
        f"{name}.html": _environment(html=True)
        .get_template("case.html.j2")
        .render(**content, pictures={file: Markup(charts.inline(svg)) for file, svg in pictures.items() if svg}),
        f"{name}.md": _environment(html=False).get_template("case.md.j2").render(**content, pictures=pictures),
        **{file: svg for file, svg in pictures.items() if svg},
    }
    return [_write(data.parent / file, text) for file, text in files.items()]


def write_index(folder: Path) -> Path:
    """index.html over the results in the folder."""
    found = sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")])
    results = [load(path) for path in found if not path.name.startswith(f"{SELF_CHECK}.")]
    entries = [{"result": result, "top": top(result)} for result in results]
    page = _environment(html=True).get_template("index.html.j2").render(entries=entries)
    return _write(folder / "index.html", page)


def fill_readme(result: Result) -> list[Path]:
    """Replaces what stands between the markers of README.md by picture and table of this result."""
    table = markdown("readme.md.j2", **_content(result), folder=shown(REFERENCE_REPORTS))
    return [fill(ROOT / "README.md", "reference report", table)]


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


def top(result: Result) -> Row:
    """The last stage on the first workload, at the level where it gains most over the reference."""
    workload, last = result["workloads"][0]["name"], result["stages"][-1]["name"]
    rows = [row for row in result["rows"] if (row["workload"], row["stage"]) == (workload, last)]
    return max(rows, key=lambda row: row["vs_reference"]["ratio"] if row["vs_reference"] else 1)


def _content(result: Result) -> dict[str, Any]:
    main = [workload for workload in result["workloads"] if workload["role"] == "main"]
    once = [workload for workload in result["workloads"] if workload["role"] == "once"]
    sections = []
    for (level, compiler), runners in ladders(result).items():
        order = {runner["stage"]: place for place, runner in enumerate(_control_first(runners))}
        tables = []
        for workload in main + once:
            rows = [
                row
                for row in result["rows"]
                if (row["level"], row["compiler"], row["workload"]) == (level, compiler, workload["name"])
            ]
            if rows:
                tables.append({"workload": workload, "rows": sorted(rows, key=lambda row: order[row["stage"]])})
        sections.append({"level": level, "compiler": compiler, "tables": tables})
    titles = {stage["name"]: stage["title"] for stage in result["stages"]}
    peers = {runner["stage"]: f"library: {runner['stage'].split('-', 1)[1]}" for runner in result["runners"]}
    first = main[0]["name"]
    return {
        "result": result,
        "top": top(result),
        "warnings": warnings(result),
        "controls": [
            r for r in result["rows"] if r["kind"] == "control" and r["workload"] in {w["name"] for w in main}
        ],
        "sections": sections,
        "peers": against_peers(result),
        "sizes": _sizes(result),
        "titles": peers | titles | {f"{result['case']}-00-again": "the reference again"},
        "steps": [
            {
                **stage,
                "rows": [r for r in result["rows"] if r["stage"] == stage["name"] and r["workload"] == first],
            }
            for stage in result["stages"]
        ],
        "main_workload": main[0],
        "least_blocks": least_blocks(len(result["stages"]) - 1),
    }


def _control_first(runners: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(runners, key=lambda runner: ("control", "stage", "peer").index(runner["kind"]))


def _sizes(result: Result) -> list[dict[str, Any]]:
    """By ladder: for each size, the last stage's row."""
    found = []
    for (level, compiler), runners in ladders(result).items():
        stages = [runner["stage"] for runner in runners if runner["kind"] == "stage"]
        rows = [
            row
            for row in result["rows"]
            if row["workload"].startswith("sweep/")
            and (row["stage"], row["level"], row["compiler"]) == (stages[-1] if stages else None, level, compiler)
        ]
        if rows:
            found.append({"level": level, "compiler": compiler, "stage": stages[-1], "rows": rows})
    return found


def _environment(html: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("perf_ladders"),
        autoescape=html,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "time": wording.time,
        "number": wording.number,
        "percent": wording.percent,
        "ratio": wording.ratio,
        "verdict": wording.verdict,
        "prediction": wording.prediction,
        "size": wording.size,
        "share": wording.share,
        "prose": _prose,
        "parts": _parts,
    }
    environment.globals |= {
        "machine_line": wording.machine_line,
        "compiler_line": wording.compiler_line,
        "left_out": wording.left_out,
    }
    return environment


def _parts(notes: str) -> list[dict[str, str]]:
    """The notes cut at their markers, so that the template can put a diff or a table where a marker stands."""
    pieces = re.split(r"<!-- (diff|rows) -->\n?", notes)
    return [{"kind": "prose" if place % 2 == 0 else piece, "text": piece} for place, piece in enumerate(pieces)]


def _prose(text: str) -> Markup:
    """Markdown as HTML. Raw HTML in it is shown, not obeyed. Its headings rank below those of the page."""
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return Markup(html.replace("<h2>", "<h4>").replace("</h2>", "</h4>"))


def _write(path: Path, text: str) -> Path:
    try:
        path.write_text(text.rstrip() + "\n", "utf-8")
    except OSError as error:
        raise Complaint(f"Cannot write {shown(path)} ({error.strerror}).") from None
    return path
