"""What was handed in, built and measured again on this machine: a teacher's, who need not believe a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from perf_ladders import foreign
from perf_ladders.errors import Missing, UserError
from perf_ladders.machine import configure, topology
from perf_ladders.pages import formatting
from perf_ladders.tree import files
from perf_ladders.tree.catalogue import read_case
from perf_ladders.workshop import building, cheating, compiling, judge, passing
from perf_ladders.workshop.board import Board, Passed


@dataclass(frozen=True)
class Checked:
    """What became of one passed step on this machine."""

    ok: bool
    said: str
    passed: Passed | None = None  # as it was measured here; None where it is not ok


Verified = dict[tuple[Path, str], Checked]  # by file, and by stage


def verify(boards: Sequence[Board], rounds: int, console: Console) -> Verified:
    found: Verified = {}
    for board in boards:
        for name, climb in board.held.cases.items():
            for number, step in sorted(climb.steps.items()):
                if step.passed:
                    whose = foreign.plain(str(board.path))
                    console.print(f"Verifying {name}-{number} of {whose} ...", markup=False)
                    key = board.path, f"{name}-{number}"
                    found[key] = _checked(name, number, climb.preset, step.passed, rounds, console)
    return found


def _checked(name: str, number: str, preset: str, passed: Passed, rounds: int, console: Console) -> Checked:
    with files.scratch() as folder:
        source = folder / "stage.cpp"
        source.write_text(passed.source, "utf-8")
        try:
            return _judged(name, number, preset, passed.level, source, rounds, console)
        except (UserError, Missing, OSError, ValueError) as complaint:  # the last: what a tool says cannot be read
            return Checked(False, f"cannot be measured here: {complaint}")


def _judged(name: str, number: str, preset: str, level: str, source: Path, rounds: int, console: Console) -> Checked:
    if not configure.is_timed(preset):
        return Checked(False, f"was built with the preset {preset}, which is for tests: its times mean nothing")
    case = read_case(name)
    stage = case.stage(number)
    if unfair := cheating.of_source(source, case, stage):  # before a compiler reads what it names
        return Checked(False, unfair[0])
    place = building.field_of(case, stage, preset, level, stage.name)
    if unfair := cheating.of_macros(source, place.answer):
        return Checked(False, unfair[0])
    place = replace(place, mine=compiling.rebuilt(place.answer, f"{name}-mine", source))
    beside = [place.answer, place.base]
    may_keep = any(cheating.kept_between_calls(one) for one in beside)
    if unfair := cheating.unfair(place.mine, case.symbols, may_keep, beside):  # before it runs here
        return Checked(False, unfair[0])
    if cheating.same_code(source.read_text("utf-8"), place.base.source.read_text("utf-8")):
        return Checked(False, f"is {place.base.name}, unchanged")
    found = judge.judge(place, rounds, None, topology.cpu_to_pin(), console, lambda what: None)
    if said := [*found.wrong, *found.unfair]:
        return Checked(False, said[0])
    if found.remark:
        return Checked(False, found.remark)
    if found.uncompared:
        console.print(f"Calls of {stage.name} were not compared: {found.uncompared}", markup=False)
    here = passing.passed(place, found, source.read_text("utf-8"))
    if found.alike:
        return Checked(True, found.alike, here)
    ratio = f"{formatting.ratio(found.against[place.reference.name])} over the reference here"
    if found.passes:
        return Checked(True, ratio, here)
    return Checked(False, f"not decided here: {found.untold}" if found.untold else f"does not pass here: {ratio}")
