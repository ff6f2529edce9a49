"""A learner's own way up a ladder, in a folder that Git ignores. exercise/<case>/stage.cpp is hers; the step names the
stage whose idea is asked for. This module has the file and the hints; judge.py measures, board.py keeps what is passed.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.pages import formatting
from perf_ladders.stats import MIN_FLOOR
from perf_ladders.tree import files
from perf_ladders.tree.catalogue import Case, Stage, read_case
from perf_ladders.tree.headers import headline_of
from perf_ladders.tree.notes import folders_beside, with_numbers
from perf_ladders.tree.paths import OWN_STAGES, ROOT, shown
from perf_ladders.workshop.board import WHO, Board, Climb, Passed, Step

FOLDER = ROOT / "exercise"
TIERS = ("Where to look", "The idea", "Nearly the code")
_SET_ASIDE = re.compile(r"[0-9]{2}-([0-9]+)\.cpp")


@dataclass(frozen=True)
class Hints:
    """A stage's hints.md: TOML between lines of +++, then a section for each tier."""

    workload: str | None  # where the stage's gain shows; None for the first of the case
    question: str  # that the step begins with
    tiers: list[str]


def read_hints(stage: Stage) -> Hints:
    path = stage.directory / "hints.md"
    try:
        parts = foreign.read_text(path).split("+++\n", 2)
    except FileNotFoundError:
        raise UserError(f"{shown(path)} is missing: a stage has {len(TIERS)} hints (docs/adding-a-case.md).") from None
    sections = re.split(r"^## (.+)\n+", parts[-1], flags=re.MULTILINE)
    if len(parts) != 3 or tuple(sections[1::2]) != TIERS:
        raise UserError(f"{shown(path)} has fields between two lines of +++, then these sections: {', '.join(TIERS)}.")
    try:
        fields = foreign.toml(parts[1])
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{shown(path)}: its fields are no TOML: {error}.") from None
    if unknown := fields.keys() - {"workload", "question"}:
        raise UserError(f"{shown(path)} has a field '{min(unknown)}'; there are workload and question.")
    for name, value in fields.items():
        if not isinstance(value, str):
            raise UserError(f'{shown(path)}: `{name}` is text, such as {name} = "...".')
    folders = folders_beside(path)
    tiers = [with_numbers(text.strip(), stage.case, folders) for text in sections[2::2]]
    question = with_numbers(fields.get("question", ""), stage.case, folders) or first_question(tiers[0])
    return Hints(fields.get("workload"), question, tiers)


def to_climb(case: Case) -> list[Stage]:
    """All that may be a step; none where no stage has hints, for nobody climbs such a case."""
    found = [stage for stage in case.stages if "00" < stage.number < OWN_STAGES]
    return found if any((stage.directory / "hints.md").is_file() for stage in found) else []


def may_gain_nothing(step: Stage, level: str) -> bool:
    """As its prediction says, which is of the first workload of the case."""
    least, _ = step.notes.predicts.get(level, (math.inf, math.inf))
    return read_hints(step).workload is None and least <= 1


def first_question(text: str) -> str:
    """Of a hint, in one line; empty where it asks nothing."""
    sentences = re.split(r"(?<=[.?!])\s+(?=[A-Z`])", text)
    return next((" ".join(one.split()) for one in sentences if one.endswith("?")), "")


@dataclass
class Exercise:
    """One case of it, at the step that has been reached."""

    board: Board
    case: Case
    state: Climb

    @property
    def folder(self) -> Path:
        return self.board.path.parent / self.case.name

    @property
    def source(self) -> Path:
        return self.folder / "stage.cpp"

    @property
    def text(self) -> str | None:
        """Of the file as it is now, in whatever encoding; None if it is missing."""
        try:
            return self.source.read_text("utf-8", errors="replace")
        except FileNotFoundError:
            return None

    @property
    def steps(self) -> list[Stage]:
        """One leads to the next. A side branch is a step that is asked for by its number."""
        return self.case.main_path[1:]

    @property
    def place(self) -> str:
        """Of the step: 3 of 7."""
        return f"{self.steps.index(self.step) + 1} of {len(self.steps)}" if self.step in self.steps else "a side branch"

    @property
    def step(self) -> Stage:
        return self.case.stage(self.state.step)

    @property
    def base(self) -> Stage:
        found = self.case.base(self.step)
        assert found, "a step builds on a stage"
        return found

    @property
    def level(self) -> str:
        if self.state.level is None:
            raise UserError(f"No level was chosen yet: make exercise CASE={self.case.name} does that.")
        return self.state.level

    @property
    def record(self) -> Step:
        return self.state.record(self.state.step)

    @property
    def finished(self) -> bool:
        return self.record.finished

    @property
    def passed_at(self) -> str:
        """On the learner's own clock; empty if the step is not passed."""
        passed = self.record.passed
        return f"{passed.date.astimezone():%Y-%m-%d %H:%M}" if passed else ""

    @property
    def to_pass(self) -> str:
        """In one sentence, as the judge has it."""
        workload = read_hints(self.step).workload
        call = f"a call of {workload}" if workload else "a call"
        asked = f"takes at least {formatting.per_cent(MIN_FLOOR)} less time than with {self.base.name}"
        return f"To pass: every check passes, and {call} {asked}, or no more where the answer gains nothing."

    def start_of_step(self) -> str:
        """Her own code of the stage that the step builds on, if she passed it, else the repository's."""
        base = self.base
        own = self._solved(base.number)
        text = (own if own.is_file() else base.source).read_text("utf-8")
        if not own.is_file():
            text = text.split("\n", len(headline_of(text)))[-1]
        text = re.sub(r"^// Mine: on the way from .*\n", "", text, flags=re.MULTILINE)  # hers, wherever it is by now
        return f"// Mine: on the way from {base.name} to {self.step.name}.\n{text}"

    def hint(self) -> tuple[int, str]:
        """The next one, and which of them it is; the last one again when all are known."""
        tiers = read_hints(self.step).tiers
        with self._kept() as record:
            record.hints = number = min(record.hints + 1, len(tiers))
        return number, tiers[number - 1]

    def reveal(self) -> bool:
        """Whether the answer may be shown: after the step is passed, or when it is asked for twice."""
        with self._kept() as record:
            if record.passed is None:
                record.asked += 1
                record.revealed = record.asked > 1
        return record.finished

    def go_on(self, to: Stage) -> None:
        """To another step. The file begins again, unless it is already what that step begins with."""
        with self._written():
            self._go_on(to)

    def _go_on(self, to: Stage) -> None:
        before = self.text
        keeps = self.record.passed is not None
        self._set_aside(keep_solved=keeps)
        self.state.step = to.number
        self.state.record(to.number)
        own = self._solved(self.base.number)
        solved = own.read_text("utf-8") if own.is_file() else None
        if solved is None or before != solved:
            files.write(self.source, self.start_of_step())

    def reset(self) -> Path | None:
        """The file as the step began; where the old one is kept, if it was another."""
        kept = self._set_aside(keep_solved=False)
        files.write(self.source, self.start_of_step())
        return kept

    def pass_step(self, how: Passed) -> None:
        """The first time; an attempt of which more is sure takes its place."""
        solved = self._solved(self.step.number)
        with self._kept() as record:
            if record.passed is None or how.bound > record.passed.bound:
                record.passed = how
                files.write(solved, how.source)

    @contextmanager
    def _kept(self) -> Iterator[Step]:
        """What the scoreboard says of this step, to be changed."""
        number = self.state.step
        with self._written():
            yield self.state.record(number)

    @contextmanager
    def _written(self) -> Iterator[None]:
        """The scoreboard, to be changed. Another terminal may have written it meanwhile."""
        with files.locked(self.board.path.parent, wait=True):
            self.board.held = Board.read(self.board.path).held
            self.state = self.board.held.cases[self.case.name]
            yield
            self.board.write()

    def _solved(self, number: str) -> Path:
        return self.folder / "solved" / f"{number}.cpp"

    def _set_aside(self, keep_solved: bool) -> Path | None:
        """A copy of a file that is about to be written over, unless another copy of it is known."""
        held = self.source.read_bytes() if self.source.is_file() else b""
        known = [self.start_of_step().encode()]
        if keep_solved and self._solved(self.step.number).is_file():
            known.append(self._solved(self.step.number).read_bytes())
        if not held or held in known:
            return None
        folder = self.folder / "set-aside"
        numbers = [int(found[1]) for one in folder.glob("*.cpp") if (found := _SET_ASIDE.fullmatch(one.name))]
        path = folder / f"{self.step.number}-{max(numbers, default=0) + 1}.cpp"
        return files.write(path, held)


def held(case: Case, folder: Path | None = None) -> tuple[str, str | None]:
    """The preset and the level of the case so far."""
    found = Board.begin((folder or FOLDER) / "scoreboard.json", case.name).held.cases.get(case.name)
    return (found.preset, found.level) if found else ("gcc", None)


def begin(
    case: Case,
    preset: str | None = None,
    who: str | None = None,
    step: Stage | None = None,
    folder: Path | None = None,
    level: str | None = None,
) -> Exercise:
    """Or go on with what was begun: the file is hers and stays as it is, unless another step is asked for."""
    if who and len(who) > WHO:
        raise UserError(f"A name on the scoreboard has at most {WHO} letters; this one has {len(who)}.")
    if who and who != foreign.plain(who):
        raise UserError("Write the name in UTF-8 and without control characters.")
    path = (folder or FOLDER) / "scoreboard.json"
    first = next(iter(case.main_path[1:]), None) if case.stages else None
    if first is None or not (first.directory / "hints.md").is_file():
        raise UserError(f"{case.name} is no ladder to climb: its stages have no hints.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with files.locked(path.parent, wait=True):
        board = Board.begin(path, case.name)
        held = board.held
        state = held.cases.setdefault(case.name, Climb(preset="gcc", level=None, step=first.number))
        held.case, held.who = case.name, who or held.who
        state.preset, state.level = preset or state.preset, level or state.level
        exercise = Exercise(board, case, state)
        exercise.folder.mkdir(exist_ok=True)
        if not exercise.source.exists():
            files.write(exercise.source, exercise.start_of_step())
        if step and step.number != state.step:
            exercise._go_on(step)
        state.record(state.step)
        board.write()
    return exercise


def current(folder: Path | None = None, may_lack_file: bool = False) -> Exercise:
    board = Board.read((folder or FOLDER) / "scoreboard.json")
    case, state = read_case(board.held.case), board.held.cases.get(board.held.case)
    if state is None:
        raise UserError(f"{shown(board.path)} says nothing of {case.name}: make exercise CASE={case.name} begins it.")
    exercise = Exercise(board, case, state)
    if state.step not in [stage.number for stage in to_climb(case)]:
        raise UserError(f"This tree has no {case.name}-{state.step}: git checkout main, then try again.")
    if not may_lack_file and not exercise.source.is_file():
        raise lost(exercise)
    return exercise


def lost(exercise: Exercise) -> UserError:
    return UserError(f"{shown(exercise.source)} is missing: make reset writes it as the step began.")
