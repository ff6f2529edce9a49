"""exercise/scoreboard.json: what a learner has passed so far, which she also hands in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.model.measurement import Machine
from perf_ladders.model.record import AboveZero, Count, Name
from perf_ladders.stats import Comparison
from perf_ladders.tree import files
from perf_ladders.tree.paths import shown

WHO = 100  # letters
MAX_BYTES = 8 * 2**20
MAX_SOURCE = 128 * 2**10  # bytes; the longest stage has 49,000 with all that it includes of earlier ones
_APART = 1.5  # a ratio may lie outside its interval by this factor
_MOST = 1e6  # times as fast: no kernel of this repository comes near it
_ROUNDED = 1 + 1e-6  # by which a ratio may lie outside those of its rounds
Number = Annotated[str, Meta(pattern=r"\A[0-9]{2}\Z")]  # of a stage


class Kept(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """All fields are written, also those that say nothing."""


class Where(Machine, kw_only=True, omit_defaults=False):
    """As scoreboards have named its fields from the first on."""

    family_model_stepping: str | None = msgspec.field(default=None, name="cpu_family_model_stepping")


class Passed(Kept):
    date: Annotated[datetime, Meta(tz=True)]
    machine: Where
    compiler: str
    level: str
    workload: str
    rounds: Count = msgspec.field(name="blocks")  # as scoreboards have named it from the first on
    vs_reference: Comparison | None  # none of the three where the step was passed without timing
    vs_base: Comparison | None
    vs_answer: Comparison | None
    remark: str  # why a teacher should look at it, or empty
    source: Annotated[str, Meta(max_length=MAX_SOURCE)]
    sha256: str = ""  # of the source; empty in files of earlier versions, as is the next field
    samples: dict[str, list[tuple[AboveZero, AboveZero]]] = {}  # nanoseconds, hers second, by the program beside hers

    @property
    def bound(self) -> float:
        """The lower end of the speed-up over the reference: what is sure of an attempt. 0 where nothing is."""
        return (self.vs_reference.low or 0.0) if self.vs_reference and self.vs_reference.counts else 0.0

    @property
    def impossible(self) -> str:
        """A ratio that no measurement gives, in a few words; empty where there is none."""
        for found in filter(None, (self.vs_reference, self.vs_base, self.vs_answer)):
            low, high = (found.ratio if end is None else end for end in (found.low, found.high))
            # The interval holds after every round. So the ratio of the last ones may lie a little outside. Where the
            # times changed, it may lie anywhere.
            are_ratios = all(1 / _MOST < one < _MOST for one in (low, found.ratio, high))
            is_between = low <= high and low / _APART <= found.ratio <= high * _APART
            if not are_ratios or not (is_between or found.changed):
                return f"that {found.ratio:g} lies from {found.low} to {found.high}"
        return ""

    def unlike_rounds(self, reference: str) -> str:
        """A speed-up over the reference that its own rounds do not show, in a few words; empty where they do, or where
        none were kept. The ratio is their median, and the ends of its interval are among them."""
        ratios = [theirs / hers for theirs, hers in self.samples.get(reference, [])]
        if not ratios or not (found := self.vs_reference):
            return ""
        least, most = min(ratios) / _ROUNDED, max(ratios) * _ROUNDED
        if all(least <= one <= most for one in (found.low, found.ratio, found.high) if one is not None):
            return ""
        return f"{found.ratio:g}, but its rounds say {min(ratios):.3g} to {max(ratios):.3g}"

    @property
    def altered(self) -> str:
        """That the source is not the one that was measured, in a few words."""
        digest = hashlib.sha256(self.source.encode()).hexdigest()
        return "another hash than its source has" if self.sha256 not in ("", digest) else ""


class Step(Kept):
    hints: Annotated[int, Meta(ge=0, le=3)] = 0  # seen
    asked: Count = 0  # for the answer
    revealed: bool = False
    passed: Passed | None = None

    @property
    def finished(self) -> bool:
        return self.passed is not None or self.revealed


class Climb(Kept):
    """A case."""

    preset: Name
    level: Name | None
    step: Number
    steps: dict[Number, Step] = {}

    def record(self, number: str) -> Step:
        return self.steps.setdefault(number, Step())


class Scoreboard(Kept):
    schema: Literal["perf-ladders scoreboard"]
    version: Literal[1]
    who: Annotated[str, Meta(max_length=WHO)]
    case: Name  # that is being climbed
    cases: dict[Name, Climb]

    def __post_init__(self) -> None:
        for name, climb in self.cases.items():
            for number, step in climb.steps.items():
                how = step.passed
                if how and (wrong := how.impossible or how.unlike_rounds(f"{name}-00") or how.altered):
                    raise ValueError(f"of {name}-{number} it says {wrong}")


@dataclass
class Board:
    """The file and what it holds. A damaged one is left as it is."""

    path: Path
    held: Scoreboard

    @classmethod
    def begin(cls, path: Path, case: str) -> Board:
        """Or go on with the one that is there."""
        if path.exists():
            return cls.read(path)
        return cls(path, Scoreboard(schema="perf-ladders scoreboard", version=1, who="", case=case, cases={}))

    @classmethod
    def read(cls, path: Path, way_out: str = "move it away, then `make exercise` begins a new one") -> Board:
        try:
            return cls(path, msgspec.json.decode(foreign.json_text(path, MAX_BYTES), type=Scoreboard))
        except FileNotFoundError:
            raise UserError(f"There is no {shown(path)}: `make exercise CASE=xtea` begins one.") from None
        except OSError as error:
            raise UserError(f"Cannot read {shown(path)} ({error.strerror}).") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UserError(f"{shown(path)} is not a scoreboard of this version ({error}): {way_out}.") from None

    def write(self) -> None:
        files.write(self.path, msgspec.json.format(msgspec.json.encode(self.held), indent=1) + b"\n")
