"""What learners hand in, side by side: one page and one table, made from their files alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from perf_ladders.errors import UserError
from perf_ladders.pages import formatting, render
from perf_ladders.tree.catalogue import Case, case_names, read_case
from perf_ladders.workshop.board import Board, Climb, Passed
from perf_ladders.workshop.exercise import Exercise


@dataclass(frozen=True)
class Line:
    """A learner in a case."""

    who: str
    case: str
    title: str
    passed: list[str]  # names of stages
    of: int  # steps
    hints: int
    revealed: int
    best: Passed | None  # of what was passed: the one furthest ahead of the reference
    remarks: list[str]


def readable(paths: list[Path]) -> tuple[list[Path], list[str]]:
    """Those that are scoreboards, and a sentence on each of the others."""
    found, refused = [], []
    for path in paths:
        try:
            _handed_in(path)
        except UserError as error:
            refused.append(str(error))
        else:
            found.append(path)
    return found, refused


def lines(paths: list[Path]) -> list[Line]:
    """By case, the furthest first: more steps, then the faster kernel. Speed-ups of other machines are no ranking, so
    the machine is shown beside each."""
    labels = _labels(paths)
    found = [line for path in paths for line in _of(_handed_in(path), labels[path])]
    order = {name: place for place, name in enumerate(case_names())}
    return sorted(found, key=lambda line: (order[line.case], -len(line.passed), -_ratio(line), line.who))


def doubles(paths: list[Path]) -> list[str]:
    """What is there twice, in a sentence each: a file under two names, or two files under one person's."""
    labels = _labels(paths)
    copies: dict[bytes, list[Path]] = defaultdict(list)
    for path in paths:
        copies[path.read_bytes()].append(path)
    boards = {held: _handed_in(path) for held, (path, *_) in copies.items()}
    named: dict[str, list[Board]] = defaultdict(list)
    for board in boards.values():
        named[_who(board).casefold()].append(board)
    said = [
        f"The same file: {', '.join(labels[path] for path in same)}."
        for held, same in copies.items()
        if len(same) > 1 and not _blank(boards[held])
    ]
    for mine in named.values():
        if (who := _who(mine[0])) and len(mine) > 1:
            said.append(f"{len(mine)} files of {who}: {', '.join(labels[board.path] for board in mine)}.")
    return said


def show(found: list[Line], doubled: list[str], console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="underline")
    for heading in ("who", "case", "passed", "hints", "revealed", "best over the reference", ""):
        table.add_column(heading, overflow="fold")
    for line in found:
        table.add_row(
            Text(line.who),
            line.case,
            f"{len(line.passed)} of {line.of}",
            str(line.hints),
            str(line.revealed),
            Text(formatting.ratio(line.best.vs_reference) if line.best else "nothing passed"),
            "look at it" if line.remarks else "",
        )
    console.print(table)
    for sentence in doubled:
        console.print(sentence, markup=False, soft_wrap=True)


def write(found: list[Line], doubled: list[str], out: Path) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    content = {"lines": found, "doubled": doubled}
    return render.write_page(out / "scoreboard.html", "scoreboard.html.j2", content)


def _handed_in(path: Path) -> Board:
    if not path.exists():
        raise UserError(f"There is no {path}: FILES names what was handed in.")
    again = "ask for exercise/scoreboard.json again"
    board = Board.read(path, again)
    for name, climb in board.held.cases.items():
        there = {stage.number for stage in Exercise(board, read_case(name), climb).stages}
        if unknown := sorted(climb.steps.keys() - there):
            raise UserError(f"{path} has a step {name}-{unknown[0]}, which this tree has not: {again}.")
    return board


def _labels(paths: list[Path]) -> dict[Path, str]:
    """A file's name with its folder, and with as many more as tell it from the others: most are called alike."""
    whole = {path: path.resolve().parts for path in paths}
    for length in count(2):
        labels = {path: "/".join(parts[-length:]) for path, parts in whole.items()}
        if len({*labels.values()}) == len({*whole.values()}):
            return labels
    raise AssertionError("whole paths differ")


def _blank(board: Board) -> bool:
    """Without a name, and nothing is passed: such files are alike by themselves."""
    return not _who(board) and not any(line.passed for line in _of(board, ""))


def _who(board: Board) -> str:
    return board.held.who.strip()


def _of(board: Board, label: str) -> list[Line]:
    return [_line(_who(board) or label, read_case(name), board, climb) for name, climb in board.held.cases.items()]


def _line(who: str, case: Case, board: Board, climb: Climb) -> Line:
    passed = {f"{case.name}-{number}": step.passed for number, step in sorted(climb.steps.items()) if step.passed}
    return Line(
        who=who,
        case=case.name,
        title=case.title,
        passed=[*passed],
        of=len({step.name for step in Exercise(board, case, climb).steps} | {*passed}),
        hints=sum(step.hints for step in climb.steps.values()),
        revealed=sum(step.revealed for step in climb.steps.values()),
        best=max(passed.values(), key=lambda how: how.vs_reference.ratio, default=None),
        remarks=[f"{name}: {how.remark}" for name, how in passed.items() if how.remark],
    )


def _ratio(line: Line) -> float:
    return line.best.vs_reference.ratio if line.best else 0.0
