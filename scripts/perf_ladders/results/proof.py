"""The files of reports/proof: when and from which commit they were made, and how they are written."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

import msgspec

from perf_ladders.measure.session import made_now
from perf_ladders.model.record import Record
from perf_ladders.tree import files


class Made(TypedDict):
    when: str
    commit: str


def now() -> Made:
    made = made_now(besides=["reports/proof", "docs/proof.md"])  # `make proof` writes one after the other
    return {"when": made.date[:10], "commit": f"{made.commit or 'unknown'}{' with changes' if made.changed else ''}"}


def write(kept: Record, path: Path) -> Path:
    return files.write(path, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
