"""A stage's notes.md: TOML between lines of +++, then Markdown. Prose names a stage by its slug, and its number is
put in when the text is read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree.levels import known_levels
from perf_ladders.tree.paths import OWN_STAGES, shown

_FIELDS: tuple[str, ...] = ("title", "from", "predicts", "post_hoc", "source", "techniques", "idea")
_FIELDS += ("beyond", "formerly", "over", "taught")
_MAX = 1e6  # times as fast, which nobody predicts
LEFT = "What is left"  # to do, as a result ends


@dataclass(frozen=True)
class Notes:
    title: str
    base: str | None  # the slug of the stage it builds on, where that is not the one before
    predicts: dict[str, tuple[float, float]]  # by level: the speed-up over the base, from and to
    source: str | None  # what the source document reports
    text: str
    post_hoc: bool = False  # the range was written after trials, so it is no prediction
    techniques: tuple[str, ...] = ()  # that it teaches, of docs/techniques.toml
    idea: tuple[str, ...] = ()  # marks of the lines that carry it (idea.py)
    beyond: str | None = None  # why the peak of the vector units is not its own
    formerly: tuple[str, ...] = ()  # slugs that it had when it was measured
    over: str | None = None  # why it is larger than a step should be
    taught: str | None = None  # of a side branch: one sentence on what it taught


def read_notes(path: Path, number: str) -> Notes:
    try:
        return parse_notes(foreign.read_text(path), shown(path), number, folders_beside(path))
    except FileNotFoundError:
        raise UserError(f"{shown(path)} is missing; docs/adding-a-case.md shows what it holds.") from None


def folders_beside(path: Path) -> list[str]:
    """The folders of the stages of its case, in order: 04-interchange."""
    return sorted(source.parent.name for source in path.parent.parent.glob("[0-9][0-9]-*/stage.cpp"))


def without_markers(text: str) -> str:
    """Without the places that a page fills with a diff or with rows."""
    return re.sub(r"<!-- \w+ -->\n*", "", text).strip()


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?]) (?=[A-Z`*(])", " ".join(text.split()))


def section(text: str, title: str) -> str:
    """What notes say under a heading; empty where it is not there."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return found[1].strip() if found else ""


def with_numbers(text: str, case: str, folders: Sequence[str]) -> str:
    """The numbers of stages in prose: `sorted` after the word "stage" becomes `09-sorted`, and hmac-sha1-sorted becomes
    hmac-sha1-09."""
    numbers = {folder[3:]: folder[:2] for folder in folders}
    listed = r"`[a-z0-9-]+`(?:(?:,|\s+and|\s+or|\s+to)\s+`[a-z0-9-]+`)*"

    def in_full(found: re.Match[str]) -> str:
        return re.sub(r"`([a-z0-9-]+)`", lambda one: f"`{_numbered(one[1], numbers)}`", found[0])

    text = re.sub(rf"\b[Ss]tages?\s+{listed}", in_full, text)
    longest_first = "|".join(sorted(map(re.escape, numbers), key=len, reverse=True))
    return re.sub(rf"\b({re.escape(case)})-({longest_first})\b", lambda one: f"{one[1]}-{numbers[one[2]]}", text)


def _numbered(slug: str, numbers: dict[str, str]) -> str:
    return f"{numbers[slug]}-{slug}" if slug in numbers else slug


def parse_notes(text: str, path: str, number: str, folders: Sequence[str]) -> Notes:
    """`path` is for complaints; `folders` are those of the stages of the case."""
    parts = text.split("+++\n", 2)
    if len(parts) != 3 or parts[0]:
        raise UserError(f"{path} must begin with fields between two lines of +++ (docs/adding-a-case.md).")
    try:
        fields = foreign.toml(parts[1])
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: its fields are no TOML: {error}.") from None
    if unknown := fields.keys() - {*_FIELDS}:
        there = f"{', '.join(_FIELDS[:-1])} and {_FIELDS[-1]}"
        raise UserError(f"{path} has a field '{min(unknown)}'; there are {there}.")
    if not isinstance(fields.get("title"), str):
        raise UserError(f'{path} lacks the field `title = "..."`.')
    for name in ("source", "beyond", "over", "taught"):
        if not isinstance(fields.get(name, ""), str):
            raise UserError(f'{path}: `{name}` is text, such as {name} = "...".')
    if not isinstance(fields.get("post_hoc", False), bool):
        raise UserError(f"{path}: `post_hoc` is true or false.")
    formerly = fields.get("formerly", [])
    if not (isinstance(formerly, list) and all(isinstance(slug, str) for slug in formerly)):
        raise UserError(f'{path}: `formerly` lists earlier slugs, such as formerly = ["two-sets"].')
    techniques = fields.get("techniques", [])
    if not isinstance(techniques, list) or not all(isinstance(name, str) for name in techniques):
        raise UserError(f'{path}: `techniques` is a list of names, such as techniques = ["loop interchange"].')
    idea = fields.get("idea", [])
    if not (isinstance(idea, list) and all(isinstance(mark, str) and mark.strip() for mark in idea)):
        raise UserError(f'{path}: `idea` lists beginnings of lines, such as idea = ["first line ... last line"].')
    if "taught" in fields and not re.fullmatch(r"[^.!?]+\.", fields["taught"]):
        raise UserError(f"{path}: `taught` is one sentence with a full stop at its end.")
    base = fields.get("from")
    earlier = [folder[3:] for folder in folders if folder[:2] < number]
    if base is not None and base not in earlier:
        raise UserError(f"{path}: `from` names an earlier stage of the case by its slug: {', '.join(earlier)}.")
    predicts = fields.get("predicts", {})
    if "00" < number < OWN_STAGES and not predicts:
        raise UserError(f"{path} lacks the table [predicts]: for each level the speed-up, from and to.")
    if not isinstance(predicts, dict):
        raise UserError(f"{path}: [predicts] is a table of levels and ranges.")
    for level, span in predicts.items():
        if level not in known_levels():
            raise UserError(f"{path}: there is no level '{level}'; there are: {', '.join(known_levels())}.")
        numbers = isinstance(span, list) and len(span) == 2 and all(type(end) in (int, float) for end in span)
        if not numbers or not 0 < span[0] <= span[1] <= _MAX:
            raise UserError(f"{path}: `{level}` in [predicts] must be a range such as [1.5, 2.0], the lower end first.")
        if span[0] == span[1]:
            raise UserError(f"{path}: `{level}` in [predicts] is a point, which no interval can lie in: widen it.")
    return Notes(
        title=fields["title"],
        base=base,
        predicts={level: (float(low), float(high)) for level, (low, high) in predicts.items()},
        source=fields.get("source"),
        post_hoc=fields.get("post_hoc", False),
        text=with_numbers(parts[2].strip() + "\n", Path(path).parent.parent.name, folders),
        techniques=tuple(techniques),
        idea=tuple(idea),
        beyond=fields.get("beyond"),
        over=fields.get("over"),
        formerly=tuple(formerly),
        taught=fields.get("taught"),
    )
