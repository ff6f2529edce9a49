"""The comment that a source begins with: its headline, and lines `// key: words` that say how it is built."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree.levels import Level, known_levels
from perf_ladders.tree.paths import shown

KEYS = ("requires", "links", "lacks", "threads", "variants", "standard", "until", "device", "also")
# Where a formatter has joined a line to the one before it, the key would say nothing. `std::` is none.
_INSIDE = re.compile(rf"(?<!^// )\b({'|'.join(KEYS)}):(?!:)")

_NO_RESULTS = {"x86-32", "many-calls"}  # words of `lacks:` that say how a stage is built or checked


def does_less(lacks: Iterable[str]) -> bool:
    """Whether these words leave out a part of the contract: then a shorter time says nothing."""
    return bool({*lacks} - _NO_RESULTS)


@dataclass(frozen=True)
class Header:
    requires: list[str] = field(default_factory=list)  # words of the compiler's -m
    floor: str = ""  # the lowest level at which it compiles
    until: str = ""  # the highest level that it is built at
    links: list[str] = field(default_factory=list)
    lacks: list[str] = field(default_factory=list)
    variants: list[str] = field(default_factory=list)
    also: list[str] = field(default_factory=list)
    threads: str = ""
    standard: str = ""
    device: str = ""

    def levels(self, every: Sequence[Level], built: Sequence[Level]) -> list[str] | None:
        """Of the levels that are built, those of the source; None where it is of another processor family. `every`: of
        this family, from low to high."""
        order = [level.name for level in every]
        if self.floor not in ("", *order) or (self.requires and "x86-64" not in order):
            return None
        low = order.index(self.floor) if self.floor else 0
        high = order.index(self.until) if self.until in order else len(order)
        return [level.name for level in built if low <= order.index(level.name) <= high]


class WrongHeaderError(UserError):
    """A line of a header means nothing; an exercise may have one, for its author is at work on it."""


def read_header(source: Path) -> Header:
    return parse_header(foreign.plain(source.read_text(encoding="utf-8-sig", errors="replace")), shown(source))


def parse_header(text: str, place: str) -> Header:
    """`place` is for complaints."""
    words: dict[str, list[str]] = {}
    for number, line in enumerate(_comment(text), 1):
        match = re.fullmatch(r"// ([a-z]+): *(.*)", line)
        if match and match[1] in KEYS:
            words.setdefault(match[1], match[2].split())
        elif match and (close := difflib.get_close_matches(match[1], KEYS, 1, 0.8)):
            raise WrongHeaderError(f"{place}: there is no `{match[1]}:`; did you mean `{close[0]}:`?")
        if inside := _INSIDE.search(line):
            raise WrongHeaderError(
                f"{place}:{number}: `{inside[1]}:` is inside a line of the comment: begin a new line, "
                f"`// {inside[1]}: ...`."
            )
    levels = known_levels()
    until = " ".join(words.get("until", []))
    if until and until not in levels:
        raise WrongHeaderError(f"{place}: `until: {until}` is no level; the levels are {', '.join(levels)}.")
    if words.get("standard") and words.get("variants"):
        raise WrongHeaderError(f"{place}: what is built with the headers of a `standard:` has no `variants:`.")
    required = words.get("requires", [])
    return Header(
        requires=[word for word in required if word not in levels],
        floor=([word for word in required if word in levels] or [""])[-1],
        until=until,
        links=words.get("links", []),
        lacks=words.get("lacks", []),
        variants=words.get("variants", []),
        also=words.get("also", []),
        threads=" ".join(words.get("threads", [])),
        standard=" ".join(words.get("standard", [])),
        device=" ".join(words.get("device", [])),
    )


def headline_of(source: str) -> list[str]:
    """The lines of the comment that a stage begins with: one, or as many as its sentence takes."""
    lines: list[str] = []
    for line in _comment(source):
        if lines and re.match(r"// [a-z]+:", line):
            break
        lines.append(line)
        if line.endswith("."):
            break
    return lines


def _comment(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.startswith("//"):
            return
        yield line
