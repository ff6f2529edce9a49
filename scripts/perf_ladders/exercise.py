"""A learner's own way up a ladder, in a folder that Git ignores: exercise/<case>/stage.cpp is hers, and the rung says
which stage's idea is asked of it. Here are the file, the hints and what was passed; attempt.py builds and measures.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from perf_ladders.catalogue import OWN_STAGES, ROOT, Case, Stage, headline_of, read_case, shown
from perf_ladders.complaint import Complaint
from perf_ladders.schema import parse, wrong

FOLDER = ROOT / "exercise"
VERSION = 1
SCHEMA = Path(__file__).with_name("scoreboard.schema.json")
TIERS = ("Where to look", "The idea", "Nearly the code")

State = dict[str, Any]  # of a case, as the file holds it


@dataclass(frozen=True)
class Hints:
    """A stage's hints.md: TOML between lines of +++, then a section for each tier."""

    workload: str | None  # where the stage's gain shows; None for the first of the case
    tiers: list[str]


def read_hints(stage: Stage) -> Hints:
    path = stage.directory / "hints.md"
    try:
        parts = path.read_text("utf-8").split("+++\n", 2)
    except FileNotFoundError:
        raise Complaint(f"{shown(path)} is missing: a stage has {len(TIERS)} hints (docs/adding-a-case.md).") from None
    sections = re.split(r"^## (.+)\n+", parts[-1], flags=re.MULTILINE)
    if len(parts) != 3 or tuple(sections[1::2]) != TIERS:
        raise Complaint(f"{shown(path)} has fields between two lines of +++, then these sections: {', '.join(TIERS)}.")
    try:
        fields = tomllib.loads(parts[1])
    except tomllib.TOMLDecodeError as error:
        raise Complaint(f"{shown(path)}: its fields are no TOML: {error}.") from None
    if unknown := fields.keys() - {"workload"}:
        raise Complaint(f"{shown(path)} has a field '{min(unknown)}'; there is workload.")
    return Hints(fields.get("workload"), [text.strip() for text in sections[2::2]])


@dataclass
class Board:
    """What the learner has done so far: her progress, and what she hands in. A damaged file is left as it is."""

    path: Path
    held: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Board:
        try:
            held = parse(path.read_text("utf-8"))
        except FileNotFoundError:
            raise Complaint(f"There is no {shown(path)}: `make exercise CASE=xtea` begins one.") from None
        except ValueError:
            raise Complaint(f"{shown(path)} is damaged: move it away, then `make exercise` begins anew.") from None
        if why := wrong(held, SCHEMA):
            raise Complaint(f"{shown(path)} is no scoreboard of this version ({why}).")
        return cls(path, held)

    def write(self) -> None:
        """In one step: a full disk leaves the old file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.held, indent=1, ensure_ascii=False) + "\n", "utf-8")
        new.replace(self.path)


@dataclass
class Exercise:
    """One case of it, at the rung that has been reached."""

    board: Board
    case: Case
    state: State

    @property
    def folder(self) -> Path:
        return self.board.path.parent / self.case.name

    @property
    def source(self) -> Path:
        return self.folder / "stage.cpp"

    @property
    def rungs(self) -> list[Stage]:
        return [stage for stage in self.case.stages if "00" < stage.number < OWN_STAGES]

    @property
    def rung(self) -> Stage:
        return self.case.stage(self.state["rung"])

    @property
    def base(self) -> Stage:
        found = self.case.base(self.rung)
        assert found, "a rung builds on a stage"
        return found

    @property
    def record(self) -> State:
        """Of the rung."""
        empty: State = {"hints": 0, "asked": 0, "revealed": False, "passed": None}
        found: State = self.state["rungs"].setdefault(self.rung.number, empty)
        return found

    @property
    def finished(self) -> bool:
        return self.record["passed"] is not None or self.record["revealed"]

    @property
    def passed_at(self) -> str:
        """On the learner's own clock; empty if the rung is not passed."""
        passed = self.record["passed"]
        return f"{datetime.fromisoformat(passed['date']).astimezone():%Y-%m-%d %H:%M}" if passed else ""

    def start_of_rung(self) -> str:
        """Her own code of the stage that the rung builds on, if she passed it, else the repository's."""
        base = self.base
        own = self._solved(base.number)
        text = (own if own.is_file() else base.source).read_text("utf-8")
        if re.match(r"// \d\d ", text):  # the repository's headline
            text = text.split("\n", len(headline_of(text)))[-1]
        text = re.sub(r"^// Mine: on the way from .*\n", "", text, flags=re.MULTILINE)  # hers, wherever it is by now
        return f"// Mine: on the way from {base.name} to {self.rung.name}.\n{text}"

    def hint(self) -> tuple[int, str]:
        """The next one, and which of them it is; the last one again when all are known."""
        tiers = read_hints(self.rung).tiers
        number = min(self.record["hints"] + 1, len(tiers))
        self.record["hints"] = number
        self.board.write()
        return number, tiers[number - 1]

    def reveal(self) -> bool:
        """Whether the answer may be shown: after the rung is passed, or when it is asked for twice."""
        if self.record["passed"] is None:
            self.record["asked"] += 1
            self.record["revealed"] = self.record["asked"] > 1
            self.board.write()
        return self.finished

    def go_on(self, to: Stage) -> None:
        """To another rung. The file begins anew, unless it is already what that rung begins with."""
        before = self.source.read_text("utf-8")
        keeps = self.record["passed"] is not None
        self._set_aside(keep_solved=keeps)
        self.state["rung"] = to.number
        assert self.record is not None
        own = self._solved(self.base.number)
        solved = own.read_text("utf-8") if own.is_file() else None
        self.source.write_text(before if before == solved else self.start_of_rung(), "utf-8")
        self.board.write()

    def reset(self) -> Path | None:
        """The file as the rung began; where the old one is kept, if it was another."""
        kept = self._set_aside(keep_solved=False)
        self.source.write_text(self.start_of_rung(), "utf-8")
        return kept

    def pass_rung(self, how: State) -> None:
        """The first time; a better attempt takes its place."""
        kept = self.record["passed"]
        if kept is None or how["vs_reference"]["ratio"] > kept["vs_reference"]["ratio"]:
            text = self.source.read_text("utf-8")
            date = datetime.now(UTC).isoformat(timespec="seconds")
            self.record["passed"] = {"date": date, **how, "source": text}
            solved = self._solved(self.rung.number)
            solved.parent.mkdir(exist_ok=True)
            solved.write_text(text, "utf-8")
            self.board.write()

    def _solved(self, number: str) -> Path:
        return self.folder / "solved" / f"{number}.cpp"

    def _set_aside(self, keep_solved: bool) -> Path | None:
        """A copy of a file that is about to be written over, unless another copy of it is known."""
        text = self.source.read_text("utf-8") if self.source.is_file() else ""
        known = [self.start_of_rung()]
        if keep_solved and self._solved(self.rung.number).is_file():
            known.append(self._solved(self.rung.number).read_text("utf-8"))
        if not text or text in known:
            return None
        folder = self.folder / "set-aside"
        folder.mkdir(exist_ok=True)
        path = folder / f"{self.rung.number}-{len(list(folder.glob('*.cpp'))) + 1}.cpp"
        path.write_text(text, "utf-8")
        return path


def begin(
    case: Case,
    preset: str,
    level: str | None = None,
    who: str | None = None,
    rung: Stage | None = None,
    folder: Path | None = None,
) -> Exercise:
    """Or go on with what was begun: the file is hers and stays as it is, unless another rung is asked for."""
    path = (folder or FOLDER) / "scoreboard.json"
    board = Board.read(path) if path.exists() else Board(path, _empty())
    exercise = Exercise(board, case, {})
    if not exercise.rungs or not (exercise.rungs[0].directory / "hints.md").is_file():
        raise Complaint(f"{case.name} is no ladder to climb: its stages have no hints.")
    board.held["case"] = case.name
    if who:
        board.held["who"] = who
    fresh: State = {"preset": preset, "level": level, "rung": exercise.rungs[0].number, "rungs": {}}
    exercise.state = board.held["cases"].setdefault(case.name, fresh)
    if level and exercise.state["level"] != level:
        exercise.state["level"] = level
    exercise.state["preset"] = preset
    exercise.folder.mkdir(parents=True, exist_ok=True)
    if not exercise.source.exists():
        exercise.source.write_text(exercise.start_of_rung(), "utf-8")
    if rung and rung.number != exercise.rung.number:
        exercise.go_on(rung)
    assert exercise.record is not None
    board.write()
    return exercise


def current(folder: Path | None = None, may_lack_file: bool = False) -> Exercise:
    board = Board.read((folder or FOLDER) / "scoreboard.json")
    case = read_case(board.held["case"])
    exercise = Exercise(board, case, board.held["cases"][case.name])
    if exercise.state["rung"] not in [stage.number for stage in exercise.rungs]:
        raise Complaint(f"This tree has no {case.name}-{exercise.state['rung']}: git checkout main, then try again.")
    if not may_lack_file and not exercise.source.is_file():
        raise lost(exercise)
    return exercise


def lost(exercise: Exercise) -> Complaint:
    return Complaint(f"{shown(exercise.source)} is missing: make reset writes it as the rung began.")


def _empty() -> dict[str, Any]:
    return {"schema": "perf-ladders scoreboard", "version": VERSION, "who": "", "case": "", "cases": {}}
