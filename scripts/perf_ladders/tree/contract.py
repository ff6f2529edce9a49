"""The functions that a case's header declares: every stage defines them, and nothing else that others can see."""

from __future__ import annotations

import re

# A declaration of these is no function that a stage defines.
_NOT_DEFINED = re.compile(r"(using|typedef|static|inline|constexpr|extern|template|friend|static_assert)\b")
_NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'",  # behind a digit it parts digits
    re.DOTALL | re.MULTILINE,
)


def file_names(case: str) -> tuple[str, str]:
    """The header of the case has one of them: a namespace has no hyphens, and with some cases neither has this."""
    return f"{case}.hpp", f"{case.replace('-', '_')}.hpp"


def declared(header: str) -> list[str]:
    """The functions that a header's text declares in its namespaces, by their qualified names."""
    found: list[str] = []
    opened: list[str | None] = []  # of each brace: the namespace, or None
    statement = ""
    for part in re.findall(r"[{};]|[^{};]+", _NO_CODE.sub(" ", header)):
        if part == "{":
            namespace = re.search(r"\bnamespace\s+([\w:]+)\s*$", statement)
            opened.append(namespace[1] if namespace else None)
            statement = ""
        elif part == "}":
            if opened:
                opened.pop()
            statement = ""
        elif part == ";":
            name = re.match(r"[^(=]*?(\w+)\s*\(", statement.strip())
            if name and opened and all(opened) and not _NOT_DEFINED.match(statement.strip()):
                found.append("::".join([*filter(None, opened), name[1]]))
            statement = ""
        else:
            statement += part
    return list(dict.fromkeys(found))


def named(symbol: str) -> str:
    """The function's qualified name in a symbol as nm and callgrind show it: without parameters and ABI tags."""
    return re.split(r"[(\[]", symbol, maxsplit=1)[0]
