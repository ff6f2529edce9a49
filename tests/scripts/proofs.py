"""What a test of `make proof` tried and found, as reports/proof keeps it."""

from __future__ import annotations

import json

from perf_ladders.measure.session import made_now
from perf_ladders.pages.proof_view import PROOFS
from perf_ladders.tree import files


def record(name, what, tried, details):
    """`details`: a sentence for each that was found."""
    made = made_now()
    commit = f"{made.commit or 'unknown'}{' with changes' if made.changed else ''}"
    said = {"what": what, "tried": tried, "found": len(details), "when": made.date[:10], "commit": commit}
    files.write(PROOFS / f"{name}.json", json.dumps(said | {"details": details}, indent=1) + "\n")
