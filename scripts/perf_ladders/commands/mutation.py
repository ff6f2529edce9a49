"""How many small faults in a closing stage do the checks of its case reject?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from perf_ladders.commands import fuzz
from perf_ladders.errors import UserError
from perf_ladders.evidence.fuzzing import fuzzed_text
from perf_ladders.evidence.mutation import score
from perf_ladders.measure.runner import runnable
from perf_ladders.model.proof import Mutation, MutationScore
from perf_ladders.pages.formatting import per_cent
from perf_ladders.results import proof
from perf_ladders.tree.build import Build, Program, read_build
from perf_ladders.tree.catalogue import case_names, read_case
from perf_ladders.tree.paths import shown

_MUTANTS = 60
_FUZZED_S = 10  # for a mutant


def mutation_score(options: argparse.Namespace) -> None:
    names = [options.case] if options.case not in (None, "all") else case_names()
    found = scores(names, read_build(options.preset or "gcc"), options.mutants or _MUTANTS, options.seed or 1)
    if options.out:
        print(f"wrote {shown(write(found, options.out))}")


def scores(names: Sequence[str], build: Build, count: int, seed: int) -> list[MutationScore]:
    found = []
    for name in names:
        program = _closing(name, build)
        (fuzzer,) = fuzz.built([program.name], program.level)
        compare = partial(fuzzed_text, fuzzer, seconds=_FUZZED_S)
        one = score(read_case(name), program, count, seed, compare, lambda line: print(line, flush=True))
        print(f"{program.id}: seed {seed}: {one.rejected} of {one.mutants} rejected: {per_cent(one.rejected_share)}")
        print(f"  {len(one.equivalent)} others give the same results: as their explanations say,")
        print(f"    and for all inputs of a fuzzer, which found {one.fuzzer_found} of {one.fuzzed} that are rejected")
        print(f"  mutation score, without these: {per_cent(one.score)}")
        print(f"  {len(one.survivors) - len(one.equivalent) - len(one.missed)} others were found by the fuzzer alone")
        print(f"  {len(one.missed)} others have no explanation, or a wrong one")
        print(f"  {one.same} more have the machine code of the stage, and were not counted", flush=True)
        found.append(one)
    return found


def _closing(name: str, build: Build) -> Program:
    """At the highest level that runs here."""
    closing = read_case(name).closing.name
    mine = [one for one in build.programs if (one.kind, one.name) == ("stage", closing) and one.path.exists()]
    programs, lacking = runnable(mine)
    if lacking and not programs:
        raise UserError(f"{closing} does not run on this CPU ({lacking[-1].reason.rstrip('.')}): use another one.")
    if not programs:
        levels = [one.level for one in build.programs if (one.kind, one.name) == ("stage", closing)]
        needed = " or ".join(levels) or "it"
        raise UserError(f"{closing} is not built: `make build CASE={name}` builds it on a CPU that runs {needed}.")
    return programs[-1]


def write(found: Sequence[MutationScore], path: Path) -> Path:
    survivors = [one for each in found for one in each.survivors]
    equivalent = sum(one.equivalent for one in survivors)
    missed = sum(one.missed for one in survivors)
    scores = ", ".join(
        f"{read_case(one.case).title} {per_cent(one.score)} ({per_cent(one.rejected_share)})" for one in found
    )
    what = (
        f"Small faults, drawn for the closing stage of each case. Share that its checks reject, without equivalent "
        f"ones (with them): {scores}. A fuzzer with sanitizers was given the others, and found "
        f"{len(survivors) - equivalent - missed} of them. {equivalent} are equivalent: the file says why, and the "
        f"fuzzer found no input for which they differ. It found {sum(one.fuzzer_found for one in found)} of "
        f"{sum(one.fuzzed for one in found)} that the checks reject, too. Found: those that are left."
    )
    tried = sum(one.mutants for one in found)
    kept = Mutation(tried=tried, found=missed, what=what, details=[*found], **proof.now())
    return proof.write(kept, path)
