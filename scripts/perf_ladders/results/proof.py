"""The files of reports/proof: when and from which commit they were made, and how they are written and read."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict, TypeVar

import msgspec

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.measure.session import made_now
from perf_ladders.model.record import Record
from perf_ladders.tree import files
from perf_ladders.tree.paths import shown

T = TypeVar("T", bound=Record)


class Made(TypedDict):
    when: str
    commit: str


def now() -> Made:
    made = made_now(besides=["reports/proof", "docs/proof.md"])  # `make proof` writes one after the other
    return {"when": made.date[:10], "commit": f"{made.commit or 'unknown'}{' with changes' if made.changed else ''}"}


def write(kept: Record, path: Path) -> Path:
    return files.write(path, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


def read(path: Path, kind: type[T], maker: str) -> T:
    """`maker`: the command that writes such a file."""
    try:
        return msgspec.json.decode(foreign.json_text(path), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{shown(path)}: {error}. `{maker}` writes it again.") from None
