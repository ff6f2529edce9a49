"""data-layout.toml of a stage: how data lies before and after the step. A picture is drawn from its few lines."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.tree.paths import shown

EMPTY = "."  # a cell without data
_FORM = 'it needs `says = "..."` and [[grids]], each with `title` and `rows = { name = "cell cell", ... }`'


@dataclass(frozen=True)
class Grid:
    title: str
    rows: dict[str, list[str]]  # by name, the cells from left to right; cells with the same letter get one colour


@dataclass(frozen=True)
class DataLayout:
    says: str
    grids: list[Grid]


def read_data_layout(folder: Path) -> DataLayout | None:
    """None where a stage has none."""
    path = folder / "data-layout.toml"
    if not path.is_file():
        return None
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        grids = [Grid(one.pop("title"), _rows(one.pop("rows"))) for one in found["grids"] if len(one) == 2]
        if len(grids) < len(found["grids"]) or not grids or found.keys() != {"says", "grids"}:
            raise ValueError(_FORM)
    except (KeyError, TypeError, AttributeError):
        raise UserError(f"{shown(path)}: {_FORM}.") from None
    except ValueError as error:  # tomllib's, too
        raise UserError(f"{shown(path)}: {error}.") from None
    return DataLayout(found["says"], grids)


def _rows(rows: dict[str, str]) -> dict[str, list[str]]:
    return {name: cells.split() for name, cells in rows.items()}
