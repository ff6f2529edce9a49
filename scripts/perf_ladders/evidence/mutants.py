"""Small faults in the text of a stage, as an author may make them: which there are, and what each line becomes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

_OPERATORS = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "++": "--",
    "--": "++", "+=": "-=", "-=": "+=", "^=": "|=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=",
}  # fmt: skip
_NARROWER = {"size_t": "uint16_t", "uint64_t": "uint32_t", "uint32_t": "uint16_t", "uint16_t": "uint8_t"}
# A statement without instructions, which only keeps the compiler from moving others: no fault in it changes a result.
_NO_CODE = r"\basm(?: volatile)?\(\"\"(?: :(?: \"\+\w\"\([^()]*\),?)+)?(?: ::: \"memory\")?\);"
_TOKEN = re.compile(
    rf"(?P<skipped>{_NO_CODE}"
    r"|//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|^[ \t]*#[^\n]*|\[\[.*?\]\])"
    r"|(?P<number>\b(?:0[xX][0-9a-fA-F']+|\d[\d']*)(?=[uUlLzZ]*\b))"
    r"|(?P<word>\b[A-Za-z_]\w*\b)"
    r"|(?P<operator><<=|>>=|->|::|&&|\|\||\+\+|--|<<|>>|[-+*/%^&|<>=!]=|[-+*/%^&|<>])",
    re.DOTALL | re.MULTILINE,
)
# A statement of its own: an assignment or a call on one line.
_STATEMENT = re.compile(
    rf"^[ \t]+(?!return\b|using\b|const|auto\b|static\b|{_NO_CODE})[\w\[\]().>*-]+ ?(?:[-+^|&<>]*=|\().*;$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Mutant:
    line: int
    before: str
    after: str
    text: str  # of the whole source

    def __str__(self) -> str:
        return f"line {self.line}: `{self.before}` became `{self.after}`"


def mutants(text: str) -> Iterator[Mutant]:
    """All of them, in the order of the text."""
    for match in _TOKEN.finditer(text):
        for other in _others(match):
            yield _made(text, match.start(), match.end(), other)
    for match in _STATEMENT.finditer(text):
        yield _made(text, match.start(), match.end(), ";")


def drawn(text: str, seed: int) -> list[Mutant]:
    """All, in an order that the seed decides."""
    found = [*mutants(text)]
    random.Random(seed).shuffle(found)  # noqa: S311 - no secret
    return found


def _others(match: re.Match[str]) -> list[str]:
    word = match[0]
    if match.group("number"):
        value = int(word.replace("'", ""), 0 if word[:2] in ("0x", "0X") else 10)
        return [str(value + 1), *([str(value - 1)] if value else [])]
    if match.group("word"):
        return [_NARROWER[word]] if word in _NARROWER else []
    return [_OPERATORS[word]] if match.group("operator") and word in _OPERATORS else []


def _made(text: str, begin: int, end: int, other: str) -> Mutant:
    changed = text[:begin] + other + text[end:]
    start = text.rfind("\n", 0, begin) + 1
    before = text[start : _line_end(text, end)]
    after = changed[start : _line_end(changed, begin + len(other))]
    return Mutant(text.count("\n", 0, begin) + 1, before.strip(), after.strip(), changed)


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end
