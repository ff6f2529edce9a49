"""Is every mutant of XTEA told to a learner in a few lines? `make test` builds none, so `make proof` asks this."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perf_ladders.tree import paths
from perf_ladders.workshop import failures


@pytest.mark.parametrize(
    "mutant", sorted(f"{path.parent.name}-{path.stem}" for path in (paths.ROOT / "tests/xtea/mutants").glob("*/*.cpp"))
)
def test_every_mutant_is_told_in_a_few_lines(build, mutant):
    if build.preset.startswith("sanitize"):
        pytest.skip("no mutants are built with sanitizers")
    (path,) = [p for p in (paths.ROOT / "build" / build.preset).glob(f"xtea-mutant-{mutant}.*") if p.is_file()]
    program = replace(next(p for p in build.programs if p.name == "xtea-00"), path=path)
    said = failures.first_failure(program, 4, of_jobs=False)
    assert 1 <= len(said) <= 7, said
    assert said[0].strip()
