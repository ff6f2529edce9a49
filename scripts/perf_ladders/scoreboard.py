"""What learners hand in, side by side: one page and one table, made from their files alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from perf_ladders import report, wording
from perf_ladders.catalogue import Case, case_names, read_case
from perf_ladders.exercise import Board, Exercise


@dataclass(frozen=True)
class Line:
    """A learner in a case."""

    who: str
    case: str
    title: str
    passed: list[str]  # names of stages
    of: int  # rungs
    hints: int
    revealed: int
    best: dict[str, Any] | None  # of what was passed: the one furthest ahead of the reference
    remarks: list[str]


def lines(paths: list[Path]) -> list[Line]:
    """By case, the furthest first: more rungs, then the faster kernel. Speed-ups of other machines are no ranking, so
    the machine stands beside each."""
    found = [line for path in paths for line in _of(Board.read(path))]
    order = {name: place for place, name in enumerate(case_names())}
    return sorted(found, key=lambda line: (order[line.case], -len(line.passed), -_ratio(line), line.who))


def show(found: list[Line], console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="underline")
    for heading in ("who", "case", "passed", "hints", "revealed", "best over the reference", ""):
        table.add_column(heading, overflow="ellipsis")
    for line in found:
        table.add_row(
            Text(line.who),
            line.case,
            f"{len(line.passed)} of {line.of}",
            str(line.hints),
            str(line.revealed),
            Text(wording.ratio(line.best["vs_reference"]) if line.best else "nothing passed"),
            "look at it" if line.remarks else "",
        )
    console.print(table)


def write(found: list[Line], out: Path) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    return report.write_page(out / "scoreboard.html", "scoreboard.html.j2", {"lines": found})


def _of(board: Board) -> list[Line]:
    who = board.held["who"] or board.path.stem
    return [_line(who, read_case(name), board, state) for name, state in board.held["cases"].items()]


def _line(who: str, case: Case, board: Board, state: dict[str, Any]) -> Line:
    exercise = Exercise(board, case, state)
    rungs = state["rungs"]
    passed = {number: record["passed"] for number, record in sorted(rungs.items()) if record["passed"]}
    best = max(passed.values(), key=lambda how: how["vs_reference"]["ratio"], default=None)
    return Line(
        who=who,
        case=case.name,
        title=case.title,
        passed=[f"{case.name}-{number}" for number in passed],
        of=len(exercise.rungs),
        hints=sum(record["hints"] for record in rungs.values()),
        revealed=sum(record["revealed"] for record in rungs.values()),
        best=best,
        remarks=[f"{case.name}-{number}: {how['remark']}" for number, how in passed.items() if how["remark"]],
    )


def _ratio(line: Line) -> float:
    return line.best["vs_reference"]["ratio"] if line.best else 0.0
