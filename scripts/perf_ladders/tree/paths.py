"""Where things are in the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STAGES = ROOT / "stages"
LOCAL_REPORTS = ROOT / "reports" / "local"
RESULTS = ROOT / "reports" / "results"  # measurements, one folder a case
PROOF = ROOT / "reports" / "proof"  # what `make proof` found, one file each
OWN_STAGES = "90"  # numbers from here up are a reader's own


def shown(path: Path) -> str:
    """The path as a reader of the repository knows it."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
