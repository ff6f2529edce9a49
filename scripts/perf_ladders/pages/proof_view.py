"""docs/proof.md: what `make proof` tried, how often, what it found and when, from the files of reports/proof."""

from __future__ import annotations

from pathlib import Path

import msgspec

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.model.proof import Proof
from perf_ladders.pages import render
from perf_ladders.tree.paths import PROOF, ROOT, shown

PAGE = ROOT / "docs" / "proof.md"


class Said(Proof, kw_only=True, forbid_unknown_fields=False):
    """Of each of them; a file may hold more, for readers of its own."""


def write() -> list[Path]:
    """Nothing where nothing was proved yet."""
    found = {path.stem: _said(path) for path in sorted(PROOF.glob("*.json"))}
    return [render.write_text(PAGE, render.markdown("proof.md.j2", proofs=found))] if found else []


def _said(path: Path) -> Said:
    try:
        return msgspec.json.decode(foreign.json_text(path), type=Said)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{shown(path)} is no proof ({error}): make proof writes it again.") from None
