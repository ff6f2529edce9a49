"""A stage as one text: the headers of its case, then its own code. Pages, commit series and limits of a step use it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path, PurePosixPath

from perf_ladders import foreign
from perf_ladders.tree.contract import file_names
from perf_ladders.tree.paths import ROOT

Read = Callable[[str], str | None]  # the text of a file, by its path in the repository; None where there is none

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include "([^"]+)"', re.MULTILINE)
# Comments; options for the compiler, where conditions allow; includes; code.
_BEGINNING = re.compile(
    r"((?://.*\n)*)((?:#if.*\n(?:#pragma (?!once).*\n)+#endif\n)*)"
    r"((?:(?:#include|#pragma once).*\n|[ \t]*\n)*)((?s:.*))"
)
_SHARED = "common/multibuffer"


def reader(root: Path) -> Read:
    def read(path: str) -> str | None:
        file = root / path
        # An include may lead out of the tree, and what is out there is no part of it.
        return foreign.read_text(file) if file.is_file() and file.resolve().is_relative_to(root) else None

    return read


in_tree = reader(ROOT)


def existing(path: str, read: Read) -> str:
    text = read(path)
    if text is None:
        raise FileNotFoundError(path)
    return text


def included_file(name: str, path: str, read: Read) -> str | None:
    """The file that `#include "name"` in `path` means; None where it is not of the tree."""
    for folder in (path.rpartition("/")[0], "", "stages"):
        found = f"{folder}/{name}".lstrip("/")
        if read(found) is not None:
            return found
    return None


def stage_text(path: str, read: Read = in_tree) -> str:
    """Includes, headers of the case and of common/multibuffer, the stage's own code; the contract stays an include.

    The order of headers is the same in all stages: a diff of two stages shows no header that only moved. But where an
    empty line parts the includes of a stage, those above it come first. Headers that a stage includes after its code
    stay behind it.
    """
    read = cache(read)
    includes_of = cache(partial(_included, read=read))
    case = PurePosixPath(path).parents[1]
    contracts = {f"{case}/{name}" for name in file_names(case.name)}
    kept = frozenset(contracts.union(*(_reached(one, includes_of) for one in contracts if read(one))))
    headers = {one for one in _reached(path, includes_of, kept) if one.startswith((f"{case}/", f"{_SHARED}/"))}

    def place(header: str) -> tuple[str, int, str]:
        """After those that it includes; those in the folders of late stages come late."""
        included = _reached(header, includes_of, kept) & headers
        return max(map(_number, {header, *included})), len(included), header

    own = _part(path, headers, read)
    others = {header: _part(header, headers, read) for header in sorted(headers, key=place)}
    includes = own.includes.union(*(one.includes for one in others.values()))
    early: dict[str, None] = {}  # in order
    for group in _include_groups(path, read):
        reached = group.union(*(_reached(header, includes_of, kept) for header in group))
        early |= dict.fromkeys(header for header in others if header in reached)
    before = [_body(others[file]) for file in early]
    behind = [_body(one) for file, one in others.items() if file not in early]
    beginning = f"{own.comment}\n{own.options}{_in_groups(includes)}"
    text = "\n\n".join([beginning, *before, own.code.rstrip("\n"), *behind])
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def _include_groups(path: str, read: Read) -> list[set[str]]:
    """The files of the tree that it includes before its code, by groups that empty lines part."""
    match = _BEGINNING.match(existing(path, read))
    assert match, "it also matches no text"
    return [_named(group, path, read) for group in re.split(r"\n[ \t]*\n", match[3])]


def _included(path: str, read: Read) -> set[str]:
    """The files of the tree that it includes itself."""
    return _named(existing(path, read), path, read)


def _named(text: str, path: str, read: Read) -> set[str]:
    """The files of the tree that these lines of `path` include."""
    found = (included_file(name, path, read) for name in INCLUDE.findall(text))
    return {file for file in found if file}


def _number(header: str) -> str:
    """That of the stage whose folder it is in."""
    match = re.match(r"\d\d(?=-)", PurePosixPath(header).parent.name)
    return match[0] if match else ""


def _reached(path: str, includes_of: Callable[[str], set[str]], but: frozenset[str] = frozenset()) -> set[str]:
    """The files of the tree that it includes, and those that they include."""
    found: set[str] = set()
    waiting = [path]
    while waiting:
        new = includes_of(waiting.pop()) - found - but - {path}
        found |= new
        waiting += new
    return found


@dataclass(frozen=True)
class _Part:
    comment: str  # that the file begins with
    options: str  # for the compiler, which hold for headers, too
    includes: set[str]  # lines before the first code
    code: str


def _part(path: str, headers: set[str], read: Read) -> _Part:
    """A file of the tree without its includes of `headers`."""
    text = INCLUDE.sub(lambda one: "" if included_file(one[1], path, read) in headers else one[0], existing(path, read))
    match = _BEGINNING.match(text)
    assert match, "it also matches no text"
    comment, options, before, code = match.groups()
    includes = {line for line in before.splitlines() if line.startswith("#include")}
    return _Part(comment.rstrip("\n"), options, includes, code)


def _body(part: _Part) -> str:
    return "\n".join([part.comment, part.code])


def _in_groups(includes: set[str]) -> str:
    """As clang-format orders them: C, C++, the tree."""
    groups: tuple[list[str], ...] = ([], [], [])
    for line in sorted(includes):
        groups[0 if ".h>" in line else 1 if "<" in line else 2].append(line)
    return "\n\n".join("\n".join(group) for group in groups if group)
