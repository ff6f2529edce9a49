"""Is a report still that of the tree? Says what has changed since it was measured, piece by piece."""

from __future__ import annotations

import math
import re
import tempfile
from pathlib import Path
from typing import Any

from perf_ladders import report
from perf_ladders.catalogue import ROOT, STAGES, case_names, read_case, shown
from perf_ladders.measure import sha256
from perf_ladders.result import as_written, with_rows
from perf_ladders.rows import Result

_PICTURE = re.compile(r"<svg.*?</svg>", re.DOTALL)
_COORDINATE = re.compile(r"-?\d+\.\d+")
_SORTED_BY = re.compile(r'data-sort="(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)"')

_PARTS = {"standards": "other standards", "variants": "variants", "apps": "the program"}  # by folder of the case


def stale(path: Path) -> list[str]:
    """A sentence for each piece of the report beside this result that is not as the tree has it."""
    written = as_written(path)
    if written["case"] not in case_names():
        return [f"{shown(path)}: there is no case '{written['case']}' any more."]
    result = with_rows(written)
    return [*_sources(result), *_stages(result), *_rows(result, written, path), *_pages(result, path)]


def stale_index(folder: Path) -> list[str]:
    """Of the page over all results, and of what README.md holds of them."""
    page = folder / "index.html"
    fresh = page.is_file() and page.read_text("utf-8") == report.index(folder)
    said = [] if fresh else [f"{shown(page)} is not what the results give: publishing writes it anew."]
    readme = ROOT / "README.md"
    if report.readme_part(report.load_all(folder)) not in readme.read_text("utf-8"):
        said.append("The table of README.md is not what the results give: publishing writes it anew.")
    return said


def _sources(result: Result) -> list[str]:
    """By the hashes of what each section was measured from."""
    changed = {
        name
        for name, digest in result["sources"].items()
        if not (ROOT / name).is_file() or sha256(ROOT / name) != digest
    }
    found = []
    for name in result["shared_files"]:
        if name in changed:
            found.append(f"Every section of {result['case']}: {name} has changed since it was measured.")
    own = {name: stage for stage in result["stages"] for name in stage["files"]}
    for name in sorted(changed.difference(result["shared_files"])):
        section = own[name]["name"] if name in own else _PARTS.get("".join(Path(name).parts[2:3]), "a library")
        found.append(f"Section {section}: {name} has changed since it was measured.")
    return found


def _stages(result: Result) -> list[str]:
    """Stages that came or went, and notes that were rewritten."""
    present = {stage.name: stage for stage in read_case(result["case"]).stages}
    measured = {stage["name"]: stage for stage in result["stages"]}
    left_out = {entry["name"].split(".")[0] for entry in result["left_out"]}  # of which the report says why
    found = [f"Section {name}: not measured yet." for name in present.keys() - measured.keys() - left_out]
    found += [f"Section {name}: no such stage any more." for name in measured.keys() - present.keys()]
    peers = [shown(path) for path in (STAGES / result["case"]).glob("peers/*/stage.cpp")]
    found += [f"Section a library: {path} is not measured yet." for path in peers if path not in result["sources"]]
    for name in present.keys() & measured.keys():
        notes = present[name].notes
        if {level: list(span) for level, span in notes.predicts.items()} != measured[name]["predicts"]:
            found.append(f"Section {name}: its prediction was changed after it was measured.")
        if notes.text != measured[name]["notes"]:
            found.append(f"Section {name}: the notes have changed; publishing takes them over.")
    return sorted(found)


def _rows(result: Result, written: Result, path: Path) -> list[str]:
    """They follow from what was measured, whatever the file says."""
    if all(alike(result.get(key), written.get(key)) for key in ("rows", "programs")):
        return []
    return [f"{shown(path)} holds rows that do not follow from what was measured: publishing writes them anew."]


def alike(one: Any, other: Any) -> bool:
    """The same but for the last digits, which are another CPU's sums."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12)
    return bool(one == other)


def same_page(one: str, other: str) -> bool:
    """The same but for the last digits of what pictures show and tables are sorted by, which are another CPU's sums."""

    def rest(page: str) -> tuple[str, list[str]]:
        text = _SORTED_BY.sub("", _PICTURE.sub("", page))
        return text, [_COORDINATE.sub("", picture) for picture in _PICTURE.findall(page)]

    def coordinates(page: str) -> list[float]:
        return [float(number) for picture in _PICTURE.findall(page) for number in _COORDINATE.findall(picture)]

    def sorted_by(page: str) -> list[float]:
        return [float(number) for number in _SORTED_BY.findall(_PICTURE.sub("", page))]

    if one == other or rest(one) != rest(other):
        return one == other
    pairs = zip(coordinates(one), coordinates(other), strict=True)
    return alike(sorted_by(one), sorted_by(other)) and all(
        math.isclose(a, b, rel_tol=0, abs_tol=1.5e-6) for a, b in pairs
    )


def _pages(result: Result, path: Path) -> list[str]:
    """Pages are functions of the result: written again, they must be the same."""
    with tempfile.TemporaryDirectory() as folder:
        written = report.write(result, Path(folder) / path.name)
        differ = [
            page.name
            for page in written
            if not (kept := path.with_name(page.name)).is_file()
            or not same_page(kept.read_text("utf-8"), page.read_text("utf-8"))
        ]
    return [
        f"{shown(path.with_name(name))} is not what its result gives: publishing writes it anew." for name in differ
    ]
