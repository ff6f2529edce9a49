"""stages/documents.toml: the documents whose claims the cases judge."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree import paths
from perf_ladders.tree.case_file import parsed
from perf_ladders.tree.claim import Document
from perf_ladders.tree.paths import shown


@cache
def documents() -> dict[str, Document]:
    """By their short names; without the file there are none."""
    path = paths.STAGES / "documents.toml"
    if not path.is_file():
        return {}
    return parsed(foreign.read_text(path), dict[str, Document], shown(path))


def document(name: str, path: Path) -> Document:
    """`path`: of the case.toml that names it."""
    if name not in documents():
        raise UserError(f"{shown(path)}: there is no document '{name}'; there are: {', '.join(documents())}.")
    return documents()[name]
