"""docs/proof.md: what `make proof` tried, how often, what it found and when, from the files of reports/proof."""

from __future__ import annotations

from pathlib import Path

from perf_ladders.model.proof import Proof
from perf_ladders.pages import render
from perf_ladders.results import proof
from perf_ladders.tree.paths import PROOF, ROOT

PAGE = ROOT / "docs" / "proof.md"


class Said(Proof, kw_only=True, forbid_unknown_fields=False):
    """Of each of them; a file may hold more, for readers of its own."""


def write() -> list[Path]:
    """Nothing where nothing was proved yet."""
    found = {path.stem: proof.read(path, Said, "make proof") for path in sorted(PROOF.glob("*.json"))}
    return [render.write_text(PAGE, render.markdown("proof.md.j2", proofs=found))] if found else []
