"""The pictures of a stage: fenced blocks of its notes.md. A picture is drawn from the few lines of such a block.

A block begins with its kind and with a sentence, which is also its alternative text. docs/adding-a-case.md shows the
kinds. A line that is not understood is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree.paths import ROOT, shown
from perf_ladders.tree.picture import Cell, Graph, Grid, Grids, Mixes, Node, Picture, Pipeline, Row, Share

LETTERS = 56  # that a picture has room for beside each other: all are as wide as a phone
FENCE = re.compile(r"^```picture\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_MAX_SETS, _MAX_CYCLES, _MAX_UNITS = 16, 16, 8


@dataclass
class _Lines:
    """Of a block, each with its number in the file."""

    path: Path
    lines: list[tuple[int, str]]
    title: str = ""
    head: int = 0
    seen: dict[str, str] = field(default_factory=dict)

    def wrong(self, number: int, why: str) -> UserError:
        return UserError(f"{shown(self.path)}:{number}: {why}")

    def setting(self, name: str, number: int, text: str) -> bool:
        """Whether the line is `name: text`, which may be there once."""
        if not text.startswith(f"{name}:"):
            return False
        if name in self.seen:
            raise self.wrong(number, f"`{name}:` is there twice in this picture.")
        self.seen[name] = text.partition(":")[2].strip()
        return True


def read_pictures(folder: Path) -> list[Picture]:
    """In the order of the notes; none where the stage has none."""
    path = folder / "notes.md"
    text = foreign.read_text(path) if path.is_file() else ""
    found = []
    for block in FENCE.finditer(text):
        number = text[: block.start()].count("\n") + 1
        headings = re.findall(r"^## (.+)$", text[: block.start()], re.MULTILINE)
        if headings[-1:] != ["Picture"]:
            raise UserError(f"{shown(path)}:{number}: A picture belongs under the heading `## Picture`.")
        found.append(_picture(path, block[1], number + 1))
    return found


def _picture(path: Path, block: str, first: int) -> Picture:
    lines = [(first + place, line.strip()) for place, line in enumerate(block.splitlines()) if line.strip()]
    if not lines:
        raise UserError(f"{shown(path)}:{first}: the picture is empty; docs/adding-a-case.md shows the kinds.")
    head, text = lines[0]
    kind, _, title = (part.strip() for part in text.partition(":"))
    found = _Lines(path, lines[1:], title, head)
    if kind not in _READERS:
        raise found.wrong(head, f"There is no kind of picture '{kind}'; there are: {', '.join(_READERS)}.")
    if not title:
        raise found.wrong(head, f"The picture needs a sentence: `{kind}: What it shows`.")
    return Picture(title, _READERS[kind](found))


def _grids(lines: _Lines, bars: bool = False) -> Grids:
    grids: list[Grid] = []
    for number, text in lines.lines:
        name, bar, cells = (part.strip() for part in text.partition("|"))
        if not bar:
            grids.append(Grid(text.removeprefix("->").strip(), text.startswith("->"), []))
            continue
        if not grids:
            raise lines.wrong(number, "A row comes before the first title: write a line without `|` above it.")
        row = [_cell(word) for word in cells.split()]
        if not row:
            raise lines.wrong(number, f"The row '{name}' has no cells: `name | cell cell`.")
        letters = max(len(one.text) for one in row) + 1 if not bars else 1
        if len(name) + 2 + len(row) * letters > LETTERS:
            raise lines.wrong(number, f"The row '{name}' is too wide for a phone: at most {LETTERS} letters.")
        grids[-1].rows.append(Row(name, row))
    if not grids or not all(grid.rows for grid in grids):
        raise lines.wrong(lines.head, "Each title of the picture needs rows under it: `name | cell cell`.")
    return Grids(grids, bars)


def _cell(word: str) -> Cell:
    text, at, colour = word.rpartition("@")
    return Cell(text, colour) if at and text and colour else Cell(word, word[0])


_NODE = re.compile(
    r"(?P<name>[\w']+)(?:@(?P<column>-?\d+(?:\.\d+)?))?: (?P<label>.+?) <- (?P<inputs>[^<]+?)(?: \[(?P<latency>\d+)\])?"
)
_DATA = re.compile(r"([\w']+)(?:@(-?\d+(?:\.\d+)?))?(?:=(.+))?")
_FORM = "`in: data, data` or `name: label <- input, input`"


def _nodes(lines: _Lines, settings: Sequence[str] = ()) -> list[Node]:
    nodes: dict[str, Node] = {}

    def add(number: int, node: Node) -> None:
        if node.name in nodes:
            raise lines.wrong(number, f"'{node.name}' is there twice in this picture.")
        nodes[node.name] = node

    for number, text in lines.lines:
        if any(lines.setting(name, number, text) for name in settings):
            continue
        if text.startswith("in:"):
            for part in text[3:].split(","):
                data = _DATA.fullmatch(part.strip())
                if not data:
                    raise lines.wrong(number, f"'{part.strip()}' is no name of data: {_FORM}.")
                column = float(data[2]) if data[2] else None
                add(number, Node(data[1], data[3] or data[1], [], column, 0))
            continue
        found = _NODE.fullmatch(text)
        if not found:
            raise lines.wrong(number, f"The picture does not understand '{text}': {_FORM}.")
        inputs = [name.strip() for name in found["inputs"].split(",")]
        if unknown := [name for name in inputs if name not in nodes]:
            raise lines.wrong(number, f"'{unknown[0]}' is no data and no operation above this line.")
        column = float(found["column"]) if found["column"] else None
        add(number, Node(found["name"], found["label"], inputs, column, int(found["latency"] or 1)))
    if not any(node.inputs for node in nodes.values()):
        raise lines.wrong(lines.head, f"The picture has no operation: {_FORM}.")
    return [*nodes.values()]


def _graph(lines: _Lines) -> Graph:
    return Graph(_nodes(lines), marked=True)


def _boxes(lines: _Lines) -> Graph:
    return Graph(_nodes(lines), marked=False)


def _pipeline(lines: _Lines) -> Pipeline:
    nodes = _nodes(lines, ("units", "cycles", "sets", "next", "name"))
    names = {node.name for node in nodes}
    data = {node.name for node in nodes if not node.inputs}
    carried = {}
    for part in filter(None, lines.seen.get("next", "").split(",")):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or name not in data or value not in names:
            raise lines.wrong(lines.head, f"`next: {part.strip()}` is not `next: data = name` of this picture.")
        carried[name] = value

    def count(name: str, most: int) -> list[int]:
        words = re.split(r",\s*", lines.seen.get(name, ""))
        if not all(word.isdecimal() and 0 < int(word) <= most for word in words):
            raise lines.wrong(lines.head, f"The picture needs `{name}: N`, from 1 to {most}.")
        return [int(word) for word in words]

    (units, *_), (cycles, *_) = count("units", _MAX_UNITS), count("cycles", _MAX_CYCLES)
    return Pipeline(nodes, carried, units, cycles, count("sets", _MAX_SETS), lines.seen.get("name", "set"))


_MIXES = ROOT / "common" / "multibuffer" / "mixes.hpp"
_LENGTH = r"(?:generator\.between\(([\d']+), ([\d']+)\)|([\w']+))"
_ENTRY = re.compile(rf"percent < (\d+)\s*\? {_LENGTH}\s*:")


def _mixes(lines: _Lines) -> Mixes:
    """Read from the C++ that makes them, so that no figure is written twice."""
    for number, text in lines.lines:
        raise lines.wrong(number, f"A picture of mixes has its title alone, without '{text}'.")
    called = re.search(
        r"ladder::mix\(number, \w+, ([\d']+), \w+\)", (lines.path.parents[1] / "workloads.cpp").read_text("utf-8")
    )
    made = re.findall(r"if \(number == \d\) (?:\{\s*)?lengths\[i\] = (.+?);", _MIXES.read_text("utf-8"), re.DOTALL)
    if not called or not made:
        raise lines.wrong(lines.head, f"The workloads of this case do not make mixes by {shown(_MIXES)}.")
    return Mixes([_shares(text, _number(called[1])) for text in made])


def _shares(text: str, least: int) -> list[Share]:
    """Of `percent < 66 ? 64 : percent < 87 ? 544 : 1'360`."""
    found: list[Share] = []
    upto = 0
    for border, low, high, one in [*_ENTRY.findall(text), ("100", *re.findall(_LENGTH, text)[-1])]:
        ends = (least, least) if one == "least" else (_number(low or one), _number(high or one))
        found.append(Share(int(border) - upto, *ends))
        upto = int(border)
    return found


def _number(text: str) -> int:
    return int(text.replace("'", ""))


def _lanes(lines: _Lines) -> Grids:
    return _grids(lines, bars=True)


_READERS: dict[str, Callable[[_Lines], Grids | Graph | Pipeline | Mixes]] = {
    "grid": _grids,
    "lanes": _lanes,
    "graph": _graph,
    "boxes": _boxes,
    "pipeline": _pipeline,
    "mixes": _mixes,
}
