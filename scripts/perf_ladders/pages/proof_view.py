"""docs/proof.md: what `make proof` tried, how often, what it found and when, from the files of reports/proof."""

from __future__ import annotations

from pathlib import Path

import msgspec

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.model.record import Count, Date
from perf_ladders.pages import render
from perf_ladders.tree.paths import ROOT, shown

PROOFS = ROOT / "reports" / "proof"
PAGE = ROOT / "docs" / "proof.md"


class Said(msgspec.Struct, kw_only=True):
    """Of each of them; a file may hold more, for readers of its own."""

    what: str  # was tried, in a few words
    tried: Count
    found: Count  # of these, what should not be
    when: Date
    commit: str


def write() -> list[Path]:
    """Nothing where nothing was proved yet."""
    found = {path.stem: _said(path) for path in sorted(PROOFS.glob("*.json"))}
    return [render.write_text(PAGE, render.markdown("proof.md.j2", proofs=found))] if found else []


def _said(path: Path) -> Said:
    try:
        return msgspec.json.decode(foreign.json_text(path), type=Said)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{shown(path)} is no proof ({error}): make proof writes it again.") from None
