"""The Java programs below stages/java: the ways of each case, and what is compared. Standard library alone."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree.case_file import IN_FILE, WrongError, parsed
from perf_ladders.tree.catalogue import Case, read_case
from perf_ladders.tree.paths import STAGES, shown

PROJECT = STAGES / "java"
HARNESS = PROJECT / "harness"


@dataclass(frozen=True)
class Ladder:
    """ladder.toml"""

    benchmark: str  # the method that JMH times
    workloads: dict[str, int]  # by name the parameter `size`: bytes or objects
    compare: list[list[str]]  # a base and another way, on the first workload
    compare_everywhere: list[list[str]] = field(default_factory=list)  # likewise, on all workloads
    modules: dict[str, str] = field(default_factory=dict)  # of the JVM, that a way needs


@dataclass(frozen=True)
class Notes:
    """The fields of a stage's notes.md."""

    title: str
    base: str | None = field(default=None, metadata={IN_FILE: "from"})  # the slug of the stage that it builds on
    predicts: list[float] | None = None  # how many times as fast, from and to


@dataclass(frozen=True)
class Comparison:
    base: str
    stage: str
    workload: str


@dataclass(frozen=True, eq=False)
class JavaCase:
    name: str
    ladder: Ladder
    ways: dict[str, Path]  # by slug their folders: numbered stages first

    @property
    def first(self) -> str:
        return next(iter(self.ladder.workloads))

    @cached_property
    def case(self) -> Case:
        return read_case(self.name)

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Each once: those that the claims ask for, then those of ladder.toml."""
        found = [
            Comparison(claim.java.base, claim.java.stage, claim.workload or self.first)
            for claim in self.case.claims
            if claim.java
        ]
        found += [Comparison(base, stage, self.first) for base, stage in self.ladder.compare]
        everywhere = self.ladder.compare_everywhere
        found += [Comparison(base, stage, name) for name in self.ladder.workloads for base, stage in everywhere]
        for one in found:
            for way in (one.base, one.stage):
                if way not in self.ways:
                    raise UserError(f"There is no way '{way}' in stages/java/{self.name}: {', '.join(self.ways)}.")
            if one.workload not in self.ladder.workloads:
                raise UserError(f"stages/java/{self.name}/ladder.toml lacks the workload '{one.workload}' of a claim.")
        return [*dict.fromkeys(found)]

    def without(self, modules: Sequence[str]) -> dict[str, str]:
        """The ways that cannot run, and the module that each needs, where the JVM has these."""
        return {way: module for way, module in self.ladder.modules.items() if module not in modules}

    def notes(self, way: str) -> Notes | None:
        """None for a way that is no stage."""
        path = self.ways[way] / "notes.md"
        return _read_notes(path, [*self.ways]) if path.is_file() else None

    def sources(self) -> dict[str, str]:
        """By unit (stage/variables, harness) the digest of its sources."""
        shared = [*HARNESS.glob("*.java"), *(PROJECT / self.name).glob("*.java"), PROJECT / "pom.xml"]
        units = {f"stage/{way}": [*folder.glob("*.java")] for way, folder in self.ways.items()}
        return {name: _digest(files) for name, files in {**units, "harness": shared}.items()}


def java_cases() -> list[JavaCase]:
    return [_read(path) for path in sorted(PROJECT.glob("*/ladder.toml"))]


def _read(path: Path) -> JavaCase:
    ladder = parsed(foreign.read_text(path), Ladder, shown(path), _check, told_in="")
    folders = sorted(one for one in path.parent.iterdir() if one.is_dir())
    return JavaCase(path.parent.name, ladder, {re.sub(r"^\d\d-", "", one.name): one for one in folders})


def _check(ladder: Ladder) -> None:
    if not ladder.workloads or min(ladder.workloads.values()) < 1:
        raise WrongError("workloads", "there is one or more, and each has a size of 1 or more")
    for name in ("compare", "compare_everywhere"):
        if any(len(pair) != 2 for pair in getattr(ladder, name)):
            raise WrongError(name, 'it lists pairs, such as ["builder", "buffer"]')


def _read_notes(path: Path, ways: Sequence[str]) -> Notes:
    before, _, rest = foreign.read_text(path).partition("+++\n")
    fields, end, _ = rest.partition("+++\n")
    if before or not end:
        raise UserError(f"{shown(path)} must begin with fields between two lines of +++.")

    def check(notes: Notes) -> None:
        if notes.base is not None and notes.base not in ways:
            raise WrongError("from", f"it names a stage by its slug: {', '.join(ways)}")
        span = notes.predicts
        if span is not None and not (len(span) == 2 and 0 < span[0] <= span[1] < math.inf):
            raise WrongError("predicts", "it is a range such as [1.1, 1.3], the lower end first")

    return parsed(fields, Notes, shown(path), check, told_in="")


def _digest(files: Sequence[Path]) -> str:
    """Comments and the indentation count for nothing."""
    return sha256("\n".join(_bare(path) for path in sorted(files)).encode()).hexdigest()


def _bare(path: Path) -> str:
    return "\n".join(_lines(path.read_text(encoding="utf-8")))


def _lines(text: str) -> Iterator[str]:
    for line in re.sub(r"^\s*/\*\*.*?\*/|^\s*//[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE).splitlines():
        if line.strip():
            yield " ".join(line.split())
