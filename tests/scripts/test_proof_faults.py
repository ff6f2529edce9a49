"""Fifty faults at moments that nobody knows: a part of `make proof`, for it takes minutes."""

from __future__ import annotations

import secrets

from faults import drawn, hit

from perf_ladders.model.proof import Told
from perf_ladders.results import proof
from perf_ladders.tree.paths import PROOF

COUNT = 50


def test_fifty_faults_lose_nothing(tmp_path):
    seed = secrets.randbelow(2**32)
    found = []
    for place, (kind, generator) in enumerate(drawn(seed, COUNT)):
        folder = tmp_path / str(place)
        folder.mkdir()
        found += [f"{kind}: {sentence}" for sentence in hit(folder, kind, generator)]
    what = f"faults while a fake program is measured (seed {seed})"
    proof.write(Told(what=what, tried=COUNT, found=len(found), details=found, **proof.now()), PROOF / "faults.json")
    assert found == []
