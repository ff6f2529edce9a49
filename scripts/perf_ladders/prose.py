"""Is the English plain? Finds long sentences, words that are out, and headers whose comments name stages.

docs/plain-english.toml has the words, the exceptions, and how many offences there still are.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt

from perf_ladders.model import toml_file
from perf_ladders.tree.paths import ROOT, shown

LIST = ROOT / "docs" / "plain-english.toml"
LONGEST = 30  # words of a sentence
KINDS = ("sentences", "words", "lists")
MAX_EXCEPTIONS = 10
_KEY = re.compile(r"// [a-z]+:(?: |$)")  # of a stage's first lines, which the build reads
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*]*\s+(?=[^a-z\s])")
_NAMED = re.compile(r"\b[Ss]tages? (?:\d\d|Code)")  # of a stage, in a header


class Exempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    text: str  # a part of the offence
    reason: str


class PlainEnglish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, str]  # a regular expression, and what to write instead
    counts: dict[str, dict[str, int]] = {}  # by place and kind: the offences that there still are
    exceptions: list[Exempt] = []


@dataclass(frozen=True)
class Offence:
    place: str  # a case, docs or scripts
    kind: str
    file: str
    line: int
    text: str
    instead: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text} -> {self.instead}"


@dataclass(frozen=True)
class Passage:
    line: int
    text: str


def offences() -> list[Offence]:
    """All but the exceptions."""
    return [one for one in _all() if not any(_excuses(exempt, one) for exempt in rules().exceptions)]


def idle_exceptions() -> list[Exempt]:
    """Those that excuse nothing."""
    found = [*_all()]
    return [exempt for exempt in rules().exceptions if not any(_excuses(exempt, one) for one in found)]


def counted(found: list[Offence]) -> dict[str, dict[str, int]]:
    """By place and kind; what there is none of is left out, as in the list."""
    counts = Counter((one.place, one.kind) for one in found)
    places = sorted({place for place, _ in counts})
    return {place: {kind: counts[place, kind] for kind in KINDS if counts[place, kind]} for place in places}


@cache
def rules() -> PlainEnglish:
    return toml_file.read(LIST, PlainEnglish)


def misfits() -> Iterator[str]:
    """The offences of each place and kind of which there are more than the list allows, or that it has to lower."""
    found = offences()
    counts, most = counted(found), rules().counts
    for place in sorted({*counts, *most}):
        for kind in KINDS:
            are, may = counts.get(place, {}).get(kind, 0), most.get(place, {}).get(kind, 0)
            if are > may:
                yield from (str(one) for one in found if (one.place, one.kind) == (place, kind))
            if are != may:
                yield f"{shown(LIST)}: {place}.{kind} is {may}; there are {are}. The number may only be lowered."
    excused = rules().exceptions
    yield from (f"{shown(LIST)}: the exception '{one.text}' excuses nothing: delete it." for one in idle_exceptions())
    if len(excused) > MAX_EXCEPTIONS:
        yield f"{shown(LIST)}: there are {len(excused)} exceptions, and at most {MAX_EXCEPTIONS} may be."


def of_passage(passage: Passage, long: bool = True) -> Iterator[tuple[str, str, str]]:
    """Kind, text, and what to do instead."""
    if long:
        for sentence in _SENTENCE_END.split(passage.text):
            words = len(re.findall(r"\S*\w\S*", sentence))
            if words > LONGEST:
                yield "sentences", sentence, f"{words} words: make two sentences"
    for pattern, instead in _words():
        for match in pattern.finditer(passage.text):
            start, end = max(0, match.start() - 30), match.end() + 30
            yield "words", f"...{passage.text[start:end]}... '{match[0]}'", instead


def markdown(text: str) -> Iterator[Passage]:
    """Paragraphs, headings, items and cells, with code as one word, and the titles of pictures."""
    text = re.sub(r"\A\+\+\+\n.*?^\+\+\+$", _blank, text, count=1, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!-- (\S+): begin -->.*?<!-- \1: end -->", _blank, text, flags=re.DOTALL)
    text = re.sub(r"\{\{.*?\}\}", "`Figure`", text)
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "inline" and token.map:
            words = ("Code" if one.type == "code_inline" else one.content or " " for one in token.children or [])
            yield Passage(token.map[0] + 1, " ".join("".join(words).split()))
        elif token.type == "fence" and token.info == "picture" and token.map:
            yield Passage(token.map[0] + 2, token.content.partition("\n")[0].partition(":")[2].strip())


def comments(text: str) -> Iterator[Passage]:
    """Of C++: lines that follow each other are one passage."""
    lines: list[str] = []
    start = 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        match = re.search(r"(?:^|\s)// ?(.*)$", line)
        whole = line.lstrip().startswith("//")
        if lines and not whole:
            yield Passage(start, re.sub(r"`[^`]*`", "Code", " ".join(lines)))
            lines = []
        if match and not _KEY.match(line):
            start = start if lines else number
            lines.append(match[1])


def strings(text: str) -> Iterator[Passage]:
    """Of Python: what may be prose has a space."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield Passage(node.lineno, re.sub(r"`[^`]*`", "Code", " ".join(node.value.split())))


def template(text: str) -> Iterator[Passage]:
    bare = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<[^<>]*>", _blank, text, flags=re.DOTALL)
    yield from (Passage(number, line.strip()) for number, line in enumerate(bare.splitlines(), 1) if line.strip())


def _all() -> Iterator[Offence]:
    for path in sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/workshop/*.md")}):
        yield from _of_file("docs", path, markdown(path.read_text("utf-8")))
    for path in sorted(ROOT.glob("stages/*/**/*")):
        case = path.relative_to(ROOT).parts[1]
        if path.suffix == ".md":
            yield from _of_file(case, path, markdown(path.read_text("utf-8")))
        elif path.suffix in (".cpp", ".hpp", ".h"):
            passages = [*comments(path.read_text("utf-8"))]
            yield from _of_file(case, path, iter(passages))
            for passage in passages:
                if path.suffix != ".cpp" and (match := _NAMED.search(passage.text)):
                    yield Offence(case, "lists", shown(path), passage.line, match[0], "say what it is, not who uses it")
    for path in sorted(ROOT.glob("scripts/perf_ladders/**/*")):
        if path.suffix == ".py":
            yield from _of_file("scripts", path, strings(path.read_text("utf-8")), long=False)
        elif path.suffix == ".j2":
            yield from _of_file("scripts", path, template(path.read_text("utf-8")), long=False)


def _of_file(place: str, path: Path, passages: Iterator[Passage], long: bool = True) -> Iterator[Offence]:
    for passage in passages:
        for kind, text, instead in of_passage(passage, long):
            yield Offence(place, kind, shown(path), passage.line, text, instead)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])  # so that lines keep their numbers


def _excuses(exempt: Exempt, offence: Offence) -> bool:
    return offence.file == exempt.file and exempt.text in offence.text


@cache
def _words() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(rf"\b(?:{word})\b", re.IGNORECASE), instead) for word, instead in rules().words.items()]
