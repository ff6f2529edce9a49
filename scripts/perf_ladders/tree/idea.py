"""The lines that carry the idea of a step, as its notes mark them: idea = ["first line ... last line"].

A mark is the beginning of a line that is new in this step, or of the first and the last line of a piece. White space
does not count. A piece begins and ends with new lines; a line between them may be older, so that code reads on. Closing
braces behind a piece belong to it. Of places that read the same, as in two directions of a cipher, the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from perf_ladders.errors import UserError
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.paths import shown

MOST_LINES = 12  # so that the last row can read a slide
_SHORT = 8  # characters: shorter lines, such as a brace, are found everywhere
_TO = " ... "


def idea_lines(case: Case, stage: Stage) -> list[str]:
    """In the order of the marks, with an empty line between two pieces; none where nothing is marked. A mark that does
    not fit costs no report: there are no lines then, and lint says why."""
    try:
        return _lines(case, stage)
    except UserError:
        return []


def misfits(case: Case) -> Iterator[str]:
    """A sentence for each stage whose marks do not fit its code, and for each step of the main path without marks."""
    for stage in case.stages:
        if stage in case.main_path[1:] and not stage.notes.idea:
            yield (
                f"{shown(stage.directory / 'notes.md')} is of a step of the main path: mark the lines that carry its "
                'idea, idea = ["beginning of a line"].'
            )
        try:
            _lines(case, stage)
        except UserError as error:
            yield str(error)


def moved_lines(diff: str) -> set[str]:
    """The lines that a change takes away in one place and adds in another, without indentation."""
    gone, come = ({line[1:].strip() for line in diff.splitlines()[2:] if line[:1] == sign} for sign in "-+")
    return {text for text in gone & come if len(text) > _SHORT}


def _lines(case: Case, stage: Stage) -> list[str]:
    lines = case.text(stage).splitlines()
    found = [_dedented(lines[piece.start : piece.stop]) for piece in _pieces(case, stage, lines)]
    return [line for place, piece in enumerate(found) for line in ([""] if place else []) + piece]


def _pieces(case: Case, stage: Stage, lines: list[str]) -> list[range]:
    notes = shown(stage.directory / "notes.md")
    new = _new(case.diff(stage)) if stage.notes.idea and case.base(stage) else set(range(len(lines)))
    found: list[range] = []
    for mark in stage.notes.idea:
        try:
            piece = _piece(mark, lines, new)
        except UserError as error:
            raise UserError(f'{notes}: the idea "{mark}" {error}') from None
        if any(set(piece) & set(other) for other in found):
            raise UserError(f'{notes}: the idea "{mark}" marks a line that another mark has.')
        found.append(piece)
    if (marked := sum(bool(lines[place].strip()) for piece in found for place in piece)) > MOST_LINES:
        raise UserError(f"{notes}: `idea` marks {marked} lines, and at most {MOST_LINES} fit a slide.")
    return found


def _piece(mark: str, lines: list[str], new: set[int]) -> range:
    first, _, last = mark.partition(_TO)
    every = _beginning(first, lines)
    if not every:
        raise UserError("matches no line of the stage.")
    starts = [place for place in every if place in new]
    if not starts:
        raise UserError("matches no line that is new in this step.")
    found = _ending(last, lines, starts) if last else [range(place, place + 1) for place in starts]
    if not found:
        raise UserError("has a last line that does not follow the first one.")
    if len({tuple(line.strip() for line in lines[one.start : one.stop]) for one in found}) > 1:
        raise UserError(f"matches {len(found)} places that are new: write more of the line.")
    end = found[0][-1]
    if end not in new and len(lines[end].strip()) > _SHORT:
        raise UserError("has a last line that is not new in this step.")
    return _closed(found[0], lines)


def _ending(last: str, lines: list[str], starts: list[int]) -> list[range]:
    """The pieces that end with such a line; of several starts before one end it is the last."""
    ends = _beginning(last, lines)
    after = [(start, [end for end in ends if end > start]) for start in starts]
    last_start = {later[0]: start for start, later in after if later}
    return [range(start, end + 1) for end, start in last_start.items()]


def _closed(piece: range, lines: list[str]) -> range:
    """With the braces behind it that close its own."""
    text = "".join(lines[piece.start : piece.stop])
    still_open, stop = text.count("{") - text.count("}"), piece.stop
    while still_open > 0 and lines[stop : stop + 1] and re.fullmatch(r"\s*\}[);]*", lines[stop]):
        still_open, stop = still_open - 1, stop + 1
    return range(piece.start, stop)


def _beginning(words: str, lines: list[str]) -> list[int]:
    """The places of the lines that begin so."""
    wanted = "".join(words.split())
    return [place for place, line in enumerate(lines) if "".join(line.split()).startswith(wanted)]


def _new(diff: str) -> set[int]:
    """The places of the lines that a change adds and that did not only move."""
    moved, place = moved_lines(diff), 0
    found = set()
    for line in diff.splitlines()[2:]:  # after the names of the files
        if head := re.match(r"@@ -\S+ \+(\d+)", line):
            place = int(head[1]) - 1
            continue
        if line[:1] == "+" and line[1:].strip() not in moved:
            found.add(place)
        place += line[:1] != "-"
    return found


def _dedented(lines: list[str]) -> list[str]:
    """Without blank lines and without the indentation that all have but lines of the preprocessor."""
    told = [line for line in lines if line.strip()]
    by = min((len(line) - len(line.lstrip()) for line in told if line[0] != "#"), default=0)
    return [line if line[0] == "#" else line[by:] for line in told]
