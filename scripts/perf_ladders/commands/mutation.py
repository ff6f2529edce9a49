"""How many small faults in a closing stage do the checks of its case reject?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.evidence.mutation import score
from perf_ladders.measure.runner import runnable
from perf_ladders.model.proof import Mutation, MutationScore
from perf_ladders.pages import formatting
from perf_ladders.results import proof
from perf_ladders.tree.build import Build, Program, read_build
from perf_ladders.tree.catalogue import case_names, read_case
from perf_ladders.tree.paths import shown

_MUTANTS = 60


def mutation_score(options: argparse.Namespace) -> None:
    names = [options.case] if options.case not in (None, "all") else case_names()
    found = scores(names, read_build(options.preset or "gcc"), options.mutants or _MUTANTS, options.seed or 1)
    if options.out:
        print(f"wrote {shown(write(found, options.out))}")


def scores(names: Sequence[str], build: Build, count: int, seed: int) -> list[MutationScore]:
    found = []
    for name in names:
        program = _closing(name, build)
        one = score(read_case(name), program, count, seed, lambda line: print(line, flush=True))
        print(f"{program.id}: seed {seed}: {one.rejected} of {one.mutants} rejected: {one.score:.0%}")
        print(f"  {len(one.survivors) - len(one.unexplained)} others give the same results, as their explanations say")
        print(f"  {len(one.unexplained)} others are not explained")
        print(f"  {one.same} more have the machine code of the stage, and were not counted", flush=True)
        found.append(one)
    return found


def _closing(name: str, build: Build) -> Program:
    """At the highest level that runs here."""
    closing = read_case(name).closing.name
    mine = [one for one in build.programs if (one.kind, one.name) == ("stage", closing) and one.path.exists()]
    if not (programs := runnable(mine)[0]):
        raise UserError(f"{closing} is not built, or does not run here: `make build CASE={name}` builds it.")
    return programs[-1]


def write(found: Sequence[MutationScore], path: Path) -> Path:
    survivors = [one for each in found for one in each.survivors]
    explained = sum(one.why != "" for one in survivors)
    scores = ", ".join(f"{read_case(one.case).title} {formatting.per_cent(one.score)}" for one in found)
    what = (
        f"Small faults, drawn for the closing stage of each case. Its checks reject: {scores}. "
        f"Found: those that they do not reject; {explained} of them give the same results, as the file explains."
    )
    tried = sum(one.mutants for one in found)
    kept = Mutation(tried=tried, found=len(survivors), what=what, details=[*found], **proof.now())
    return proof.write(kept, path)
