"""Lists of this repository that are written in TOML."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree.paths import shown

T = TypeVar("T")


def read(path: Path, kind: type[T]) -> T:
    """What the file holds, as a value of this type."""
    try:
        return msgspec.convert(foreign.toml_file(path), kind)
    except msgspec.ValidationError as error:
        raise UserError(f"{shown(path)} is not valid: {error}.") from None
