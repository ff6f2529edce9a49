"""How many small faults in the last stage of a level do the checks of its case reject?"""

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
from perf_ladders.results import proof, store
from perf_ladders.tree.build import Build, Program, read_build
from perf_ladders.tree.catalogue import Case, case_names, read_case
from perf_ladders.tree.levels import known_levels
from perf_ladders.tree.paths import shown

_MUTANTS = 60
_FUZZED_S = 10  # for a mutant


def mutation_score(options: argparse.Namespace) -> None:
    if options.out:
        store.expect_place(options.out)
    names = [options.case] if options.case not in (None, "all") else case_names()
    found = scores(names, read_build(options.preset or "gcc"), options.mutants or _MUTANTS, options.seed or 1)
    if options.out:
        print(f"wrote {shown(write(found, options.out))}")


def scores(names: Sequence[str], build: Build, count: int, seed: int) -> list[MutationScore]:
    found = []
    for name in names:
        case = read_case(name)
        program = _closing(case, build)
        (fuzzer,) = fuzz.built([program.name], program.level)
        compare = partial(fuzzed_text, fuzzer, seconds=_FUZZED_S)
        one = score(case, program, count, seed, compare, lambda line: print(line, flush=True))
        print(f"{program.id}: seed {seed}: {one.rejected} of {one.mutants} rejected: {per_cent(one.rejected_share)}")
        print(f"  {len(one.equivalent)} others give the same results: as their explanations say,")
        print(f"    and for all inputs of a fuzzer, which found {one.fuzzer_found} of {one.fuzzed} that are rejected")
        print(f"  mutation score, without these: {per_cent(one.score)}")
        print(f"  {len(one.survivors) - len(one.equivalent) - len(one.missed)} others were found by the fuzzer alone")
        print(f"  {len(one.missed)} others have no explanation, or a wrong one")
        print(f"  {one.same} more have the machine code of the stage, and were not counted", flush=True)
        found.append(one)
    return found


def _closing(case: Case, build: Build) -> Program:
    """The last stage of the highest level that runs here."""
    mine = [
        one for one in build.programs if (one.kind, one.case) == ("stage", case.name) and not (one.cannot or one.device)
    ]
    if not mine:
        raise UserError(f"{case.name} is not built: `make build CASE={case.name}` builds it.")
    highest = max((one.level for one in mine), key=known_levels().index)
    there = {one.name: one for one in mine if one.level == highest}
    stages = [stage for stage in case.stages if stage.name in there]
    while closing := case.closing_of(stages):
        program = there[closing.name]
        if not program.path.exists():
            raise UserError(f"{program.id} is not built: `make build CASE={case.name}` builds it.")
        if runnable([program])[0]:
            return program
        stages.remove(closing)
    raise UserError(f"No stage of {case.name} runs on this CPU: use another one.")


def write(found: Sequence[MutationScore], path: Path) -> Path:
    survivors = [one for each in found for one in each.survivors]
    equivalent = sum(one.equivalent for one in survivors)
    missed = sum(one.missed for one in survivors)
    scores = ", ".join(
        f"{read_case(one.case).title} {per_cent(one.score)} ({per_cent(one.rejected_share)})" for one in found
    )
    what = (
        f"Small faults, drawn for the last stage of the highest level at hand. Share that its checks reject, without "
        f"equivalent ones (with them): {scores}. A fuzzer with sanitizers was given the others, and found "
        f"{len(survivors) - equivalent - missed} of them. {equivalent} are equivalent: the file says why, and the "
        f"fuzzer found no input for which they differ. It found {sum(one.fuzzer_found for one in found)} of "
        f"{sum(one.fuzzed for one in found)} that the checks reject, too. Found: those that are left."
    )
    tried = sum(one.mutants for one in found)
    kept = Mutation(tried=tried, found=missed, what=what, details=[*found], **proof.now())
    return proof.write(kept, path)
