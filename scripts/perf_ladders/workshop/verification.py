"""What was handed in, built and measured again on this machine: a teacher's, who need not believe a file."""

from __future__ import annotations

import re
import resource
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from perf_ladders.errors import Missing, UserError
from perf_ladders.machine import processes, topology
from perf_ladders.measure.relink import Recipe
from perf_ladders.pages import formatting
from perf_ladders.tree import files
from perf_ladders.tree.build import Program
from perf_ladders.tree.catalogue import read_case
from perf_ladders.workshop import building, cheating, judge
from perf_ladders.workshop.board import Board, Passed

_LIMIT_S = 300  # of a compiler
# A few lines may ask it for any amount of work, memory and output.
_LIMITS = {
    resource.RLIMIT_CPU: _LIMIT_S,
    resource.RLIMIT_AS: 4 * 2**30,
    resource.RLIMIT_FSIZE: 256 * 2**20,
}


@dataclass(frozen=True)
class Checked:
    """What became of one passed step on this machine."""

    ok: bool
    said: str


Verified = dict[tuple[Path, str], Checked]  # by file, and by stage


def verify(boards: Sequence[Board], rounds: int, console: Console) -> Verified:
    found: Verified = {}
    for board in boards:
        for name, climb in board.held.cases.items():
            for number, step in sorted(climb.steps.items()):
                if step.passed:
                    console.print(f"Verifying {name}-{number} of {board.path} ...", markup=False)
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
    case = read_case(name)
    stage = case.stage(number)
    if unfair := cheating.of_source(source, case, stage):  # before a compiler reads what it names
        return Checked(False, unfair[0])
    place = building.field_of(case, stage, preset, level, stage.name)
    place = replace(place, mine=rebuilt(place.answer, f"{name}-mine", source))
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
    if found.alike:
        return Checked(True, found.alike)
    ratio = f"{formatting.ratio(found.against[place.reference.name])} over the reference here"
    if not found.passes and found.untold:
        return Checked(False, f"not decided here: {found.untold}")
    return Checked(found.passes, ratio if found.passes else f"does not pass here: {ratio}")


def rebuilt(answer: Program, name: str, source: Path) -> Program:
    """The source as a program of that name, compiled and linked as the answer is; beside the source."""
    made, path = source.with_suffix(".o"), source.with_name("program")
    recipe = Recipe.of(answer)
    _run(recipe.compile(source, made), recipe.folder, source)
    _run(recipe.link(made, path), recipe.folder, source)
    return replace(answer, name=name, path=path, object=made, source=source)


def _run(command: list[str], folder: Path, source: Path) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_LIMIT_S,
            env=processes.untranslated(),
            preexec_fn=_limit,
        )
    except subprocess.TimeoutExpired:
        raise UserError(f"the compiler did not end in {_LIMIT_S} s") from None
    if done.returncode != 0:
        # A compiler quotes the file that it reads. Other files than the learner's are nobody's business.
        said = re.search(rf"^{re.escape(str(source))}(:.*\berror: .*)", done.stderr, re.MULTILINE)
        raise UserError(f"{source.name}{said[1]}" if said else f"the compiler ended with exit code {done.returncode}")


def _limit() -> None:
    processes.limit(_LIMITS)
