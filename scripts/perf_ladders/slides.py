"""Slides and a worksheet of a case: made from the notes of its stages and from its reference result.

pandoc lays the slides out and numbers stand on them only as the result has them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from perf_ladders import charts, drawing, report, rungs, stage_view, views
from perf_ladders.catalogue import OWN_STAGES, REFERENCE_REPORTS, ROOT, Case, Stage, known_levels, read_case, shown
from perf_ladders.complaint import Complaint
from perf_ladders.result import load
from perf_ladders.rows import Result

View = dict[str, Any]

TEXT = 620  # letters of a section that a slide has room for
LINES = 20  # of a diff
WIDTH = 92  # letters of a line of code
_WORKLOADS = 3  # columns that a table has room for
_TAKEN_AWAY = 6  # lines in a row, of which more are only counted
_EXAMPLE = "xtea-04"  # the stage that docs/workshop/worksheet.md speaks of
_GAP = " \N{VERTICAL ELLIPSIS}"
_MARKDOWN = "commonmark+pipe_tables+fenced_divs+raw_attribute-raw_html"
_TEMPLATE = Path(__file__).with_name("templates") / "slides.dzslides"


def cases() -> list[str]:
    """Those that have a reference result."""
    return [path.name.split(".")[0] for path in report.results_in(REFERENCE_REPORTS)]


def reference(name: str) -> Result:
    for path in report.results_in(REFERENCE_REPORTS):
        if path.name.split(".")[0] == name:
            return load(path)
    raise Complaint(
        f"Slides show published results, and there is none of {name} in {shown(REFERENCE_REPORTS)}; there are: "
        f"{', '.join(cases())}. CONTRIBUTING.md says how to publish one."
    )


def write_all(names: list[str], folder: Path, only: list[str] | None = None) -> Iterator[Path]:
    for name in names:
        yield from write(read_case(name), reference(name), folder, only)


def write(case: Case, result: Result, folder: Path, only: list[str] | None = None) -> list[Path]:
    """NAME.html, the slides, and NAME-worksheet.html, to be printed: of all stages, or of those with these numbers."""
    stages = stages_of(case, only)
    folder.mkdir(parents=True, exist_ok=True)
    slides, worksheet = folder / f"{case.name}.html", folder / f"{case.name}-worksheet.html"
    _pandoc(report.markdown("slides.md.j2", **deck(case, result, stages)), f"{case.title}, rung by rung", slides)
    report.write_page(worksheet, "worksheet.html.j2", handout(case, stages))
    return [slides, worksheet]


def deck(case: Case, result: Result, stages: list[Stage]) -> View:
    main = [workload for workload in result["workloads"] if workload["role"] == "main"][:_WORKLOADS]
    return {
        "case": case,
        "result": result,
        "workloads": main,
        "controls": [row for row in rungs.first_rows(result) if row["kind"] == "control"],
        "stages": [_stage(case, stage, result, main) for stage in stages],
        "best": views.best(result),
        "picture": drawing.inline(charts.overview(result), "overview", "Every stage and the libraries"),
        "cut": cut,
    }


def handout(case: Case, stages: list[Stage]) -> View:
    """The rungs in the order of the lecture, each with the levels that predictions are made for."""
    text = (ROOT / "docs/workshop/worksheet.md").read_text("utf-8").replace(_EXAMPLE, stages[:5][-1].name)
    before, after = re.split(r"<!-- rungs: begin -->.*<!-- rungs: end -->\n", text, flags=re.DOTALL)
    rungs_of_it = [{"stage": stage, "base": case.base(stage), "levels": levels(case, stage)} for stage in stages]
    return {"case": case, "rungs": rungs_of_it, "before": before, "after": after}


def levels(case: Case, stage: Stage) -> list[str]:
    """Those that are predicted and that `make build` makes; the first stage has those of all."""
    predicted = stage.notes.predicts or {level for other in stages_of(case) for level in other.notes.predicts}
    built = [level for level in known_levels() if level != "novec" or case.name in _with_novec()]
    return [level for level in built if level in predicted]


def _with_novec() -> list[str]:
    """Not asked of the reference result: who measured it could choose other levels than those that learners have."""
    text = (ROOT / "common/cmake/Programs.cmake").read_text("utf-8")
    found = re.search(r'^set\(PERF_LADDERS_NOVEC "([^"]*)"', text, re.MULTILINE)
    assert found, "Programs.cmake says which cases are built at novec"
    return found[1].split(";")


def cut(markdown: str, limit: int = TEXT) -> tuple[str, bool]:
    """As many whole paragraphs as there is room for, or else whole sentences of the first; and whether all is there."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", markdown.strip())]
    kept: list[str] = []
    for paragraph in paragraphs:
        if len("\n\n".join([*kept, paragraph])) > limit:
            break
        kept.append(paragraph)
    if not kept:
        sentence = ""
        for part in re.split(r"(?<=[.!?]) (?=[A-Z`*])", " ".join(paragraphs[0].split())):
            if sentence and len(sentence) + len(part) > limit:
                break
            sentence += f" {part}" if sentence else part
        kept = [sentence]
    return "\n\n".join(kept), sum(map(len, kept)) == sum(map(len, paragraphs))


def small_diff(diff: str, limit: int = LINES) -> tuple[str, int]:
    """What a slide has room for of a diff, and how many changed lines it leaves out.

    Without the head line and the includes; what was only taken away is counted where it is long.
    """
    runs = [_shortened(run) for run in _runs(_without_heads(diff))]
    lines = [line for place, run in enumerate(runs) for line in ([_GAP] if place else []) + run]
    heights = accumulate(-(-len(line) // WIDTH) for line in lines)
    fitting = sum(height <= limit for height in heights)
    left_out = sum(line[0] in "+-" for line in lines[fitting:])
    return "\n".join(lines[:fitting] if left_out else lines), left_out


def stages_of(case: Case, only: list[str] | None = None) -> list[Stage]:
    """In the order of the ladder, whatever the order in which they are named; `4` is `04`."""
    every = {stage.number: stage for stage in case.stages if stage.number < OWN_STAGES}
    wanted = {name.removeprefix(f"{case.name}-").zfill(2): name for name in only or every}
    if unknown := [name for number, name in wanted.items() if number not in every]:
        raise Complaint(f"{case.title} has no stage '{unknown[0]}'; there are: {' '.join(every)}.")
    return [stage for number, stage in every.items() if number in wanted]


def _stage(case: Case, stage: Stage, result: Result, workloads: list[View]) -> View:
    base = case.base(stage)
    diff, left_out = small_diff(case.diff(stage))
    sections = {
        title: "".join(part["text"] for part in parts if part["kind"] == "prose").strip()
        for title, parts in stage_view.sections(stage.notes.text, changed=base is not None).items()
    }
    rows = [row for row in rungs.numbered(result) if row["stage"] == stage.name]
    reasons = [entry["reason"] for entry in result["left_out"] if entry["name"].split(".")[0] == stage.name]
    return {
        "stage": stage,
        "base": base,
        "levels": levels(case, stage),
        "diff": diff,
        "left_out": left_out,
        "sections": sections,
        "lines": _lines(rows, workloads),
        "missing": " ".join(dict.fromkeys(reasons)) or "not measured",
    }


def _lines(rows: list[View], workloads: list[View]) -> list[View]:
    """A line for each ladder: its row on every workload, the predicted one first."""
    found: dict[tuple[str, str], dict[str, View]] = {}
    for row in rows:
        found.setdefault((row["level"], row["compiler"]), {})[row["workload"]] = row
    return [
        {"level": level, "compiler": compiler, "cells": [mine.get(workload["name"]) for workload in workloads]}
        for (level, compiler), mine in found.items()
    ]


def _without_heads(diff: str) -> list[str]:
    dull = re.compile(r"(---|\+\+\+) |[+-](#include\b|// (\d\d|requires:|threads:|links:|variants:|also:) )|[+-]$")
    return [line for line in diff.splitlines() if not dull.match(line)]


def _runs(lines: list[str]) -> list[list[str]]:
    """Changed lines that stand together, each with the line before it, where the diff shows one."""
    runs: list[list[str]] = []
    before = ""
    inside = False
    for line in lines:
        if line[:1] in ("+", "-"):
            if not inside:
                runs.append([before] if before.strip() and before[:1] == " " else [])
            runs[-1].append(line)
        inside = line[:1] in ("+", "-")
        before = line
    return runs


def _shortened(run: list[str]) -> list[str]:
    gone = [line for line in run if line[:1] == "-"]
    if len(gone) <= _TAKEN_AWAY:
        return run
    return [*(line for line in run if line[:1] != "-"), f"@@ {len(gone)} lines taken away @@"]


def _pandoc(markdown: str, title: str, path: Path) -> None:
    command = ["pandoc", f"--from={_MARKDOWN}", "--to=dzslides", "--standalone", f"--template={_TEMPLATE}"]
    command += ["--slide-level=1", f"--metadata=pagetitle={title}", f"--output={path}"]
    try:
        done = subprocess.run(command, input=markdown, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Complaint("make slides needs pandoc, which is not installed: apt-get install pandoc") from None
    if done.returncode:
        raise Complaint(f"pandoc could not write {shown(path)}: {done.stderr.strip()}")
