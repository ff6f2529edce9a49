"""What learners hand in, side by side: one page and one table, made from their files alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import count, groupby
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.pages import formatting, render
from perf_ladders.tree.catalogue import Case, case_names, read_case
from perf_ladders.workshop.board import Board, Climb, Passed, Step
from perf_ladders.workshop.exercise import Exercise, to_climb
from perf_ladders.workshop.verification import Verified

MARKS = {"passed": "✓", "revealed": "r", "begun": "…", "not begun": "·"}
LEGEND = ", ".join(f"{mark} {what}" for what, mark in MARKS.items())


@dataclass(frozen=True)
class Line:
    """A learner in a case."""

    who: str
    case: str
    title: str
    passed: list[str]  # names of stages
    steps: dict[str, str]  # by number, what became of it: a mark of MARKS
    of: int  # steps
    hints: int
    revealed: int
    best: Passed | None  # of what was timed, here if it was verified: the one that is surely furthest ahead
    best_step: str  # its stage
    remarks: list[str]
    verified: list[str]  # stages that this machine has built and measured again
    refused: list[str]  # sentences on those that it has not


def readable(paths: list[Path]) -> tuple[list[Board], list[str]]:
    """What the scoreboards hold, and a sentence on each file that is none."""
    found, refused = [], []
    for path in paths:
        try:
            found.append(_handed_in(path))
        except UserError as error:
            refused.append(foreign.plain(str(error)))
    return found, refused


def lines(boards: list[Board], verified: Verified | None = None) -> list[Line]:
    """By case, the furthest first: more steps, then the faster kernel. Speed-ups of other machines are no ranking, so
    the machine is shown beside each."""
    labels = _labels(boards)
    found = [line for board in boards for line in _of(board, labels[board.path], verified or {})]
    order = {name: place for place, name in enumerate(case_names())}
    return sorted(found, key=lambda line: (order[line.case], -len(line.passed), -_bound(line), line.who))


def doubles(boards: list[Board]) -> list[str]:
    """What is there twice, in a sentence each: a file under two names, or two files under one person's."""
    labels = _labels(boards)
    copies: dict[bytes, list[Board]] = defaultdict(list)
    for board in boards:
        copies[msgspec.json.encode(board.held)].append(board)
    named: dict[str, list[Board]] = defaultdict(list)
    for board, *_ in copies.values():
        named[_who(board).casefold()].append(board)
    said = [
        f"The same file: {', '.join(labels[board.path] for board in same)}."
        for same in copies.values()
        if len(same) > 1 and not _blank(same[0])
    ]
    for mine in named.values():
        if (who := _who(mine[0])) and len(mine) > 1:
            said.append(f"{len(mine)} files of {who}: {', '.join(labels[board.path] for board in mine)}.")
    return said


def best_of(line: Line) -> str:
    if line.best:
        return formatting.ratio(line.best.vs_reference)
    if line.refused:
        return "not verified"
    return "passed, not timed" if line.passed else "nothing passed"


def verified_of(line: Line) -> str:
    """What this machine says of it, or what somebody should do."""
    if line.verified or line.refused:
        return f"verified: {len(line.verified)} of {len(line.passed)}"
    return "look at it" if line.remarks else ""


def place_of(line: Line) -> str:
    """Where the best was measured."""
    return f"{line.best.level}, {line.best.machine.cpu}" if line.best else ""


def by_case(found: list[Line]) -> list[list[Line]]:
    return [list(rows) for _, rows in groupby(found, key=lambda line: line.case)]


def _numbers(rows: list[Line]) -> list[str]:
    """Of all steps in them."""
    return sorted({number for line in rows for number in line.steps})


def show(found: list[Line], doubled: list[str], console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="underline")
    for heading in ("who", "case", "passed", "hints", "revealed", "best over reference", "on", ""):
        table.add_column(heading, overflow="fold")
    for line in found:
        table.add_row(
            Text(line.who),
            line.case,
            f"{len(line.passed)} of {line.of}",
            str(line.hints),
            str(line.revealed),
            Text(best_of(line)),
            Text(place_of(line)),
            verified_of(line),
        )
    console.print(table)
    for rows in by_case(found):
        steps = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
        for heading in (rows[0].case, *_numbers(rows)):
            steps.add_column(heading, overflow="fold")
        for line in rows:
            steps.add_row(Text(line.who), *(line.steps.get(number, "") for number in _numbers(rows)))
        console.print("", steps)
    console.print(f"\n{LEGEND}", style="dim")
    for sentence in doubled:
        console.print(sentence, markup=False)


def write(found: list[Line], doubled: list[str], out: Path) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    tables = [(rows, _numbers(rows)) for rows in by_case(found)]
    content = {"lines": found, "doubled": doubled, "tables": tables, "legend": LEGEND}
    content |= {"best_of": best_of, "place_of": place_of, "verified_of": verified_of}
    return render.write_page(out / "scoreboard.html", "scoreboard.html.j2", content)


def _handed_in(path: Path) -> Board:
    if not path.exists():
        raise UserError(f"There is no {path}: FILES names what was handed in.")
    again = "ask for exercise/scoreboard.json again"
    board = Board.read(path, again)
    for name, climb in board.held.cases.items():
        try:
            case = read_case(name)
        except UserError as complaint:
            raise UserError(f"{path}: {complaint}") from None
        there = {stage.number for stage in to_climb(case)}
        if unknown := sorted(climb.steps.keys() - there):
            raise UserError(f"{path} has a step {name}-{unknown[0]}, which this tree has not: {again}.")
    return board


def _labels(boards: list[Board]) -> dict[Path, str]:
    """A file's name with its folder, and with as many more as tell it from the others: most are called alike."""
    whole = {board.path: board.path.resolve().parts for board in boards}
    for length in count(2):
        labels = {path: "/".join(parts[-length:]) for path, parts in whole.items()}
        if len({*labels.values()}) == len({*whole.values()}):
            return {path: foreign.plain(label) for path, label in labels.items()}
    raise AssertionError("whole paths differ")


def _blank(board: Board) -> bool:
    """Without a name, and nothing is passed: such files are alike by themselves."""
    return not _who(board) and not any(line.passed for line in _of(board, "", {}))


def _who(board: Board) -> str:
    return board.held.who.strip()


def _of(board: Board, label: str, verified: Verified) -> list[Line]:
    who, cases = _who(board) or label, board.held.cases
    return [_line(who, read_case(name), board, climb, verified) for name, climb in cases.items()]


def _line(who: str, case: Case, board: Board, climb: Climb, verified: Verified) -> Line:
    passed = {f"{case.name}-{number}": step.passed for number, step in sorted(climb.steps.items()) if step.passed}
    again = {name: verified[board.path, name] for name in passed if (board.path, name) in verified}
    main_path = [step.number for step in Exercise(board, case, climb).steps]
    numbers = sorted({*main_path, *(name.rpartition("-")[2] for name in passed)})
    believed = {name: again[name].passed if name in again else how for name, how in passed.items()}
    timed = {name: how for name, how in believed.items() if how and how.vs_reference}
    best_step = max(timed, key=lambda name: timed[name].bound, default="")
    return Line(
        who=who,
        case=case.name,
        title=case.title,
        passed=[*passed],
        steps={number: _mark(climb.steps.get(number)) for number in numbers},
        of=len(numbers),
        hints=sum(step.hints for step in climb.steps.values()),
        revealed=sum(step.revealed for step in climb.steps.values()),
        best=timed.get(best_step),
        best_step=best_step,
        remarks=[f"{name}: {how.remark}" for name, how in passed.items() if how.remark],
        verified=[name for name, found in again.items() if found.ok],
        refused=[f"{name} is not verified: {found.said}" for name, found in again.items() if not found.ok],
    )


def _mark(step: Step | None) -> str:
    if step is None:
        return MARKS["not begun"]
    what = "passed" if step.passed else "revealed" if step.revealed else "begun"
    return MARKS[what]


def _bound(line: Line) -> float:
    return line.best.bound if line.best else 0.0
