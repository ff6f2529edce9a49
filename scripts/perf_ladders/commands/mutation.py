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
from perf_ladders.tree.catalogue import Case, cases_named, read_case
from perf_ladders.tree.paths import shown

_MUTANTS = 60
_FUZZED_S = 10  # for a mutant


def mutation_score(options: argparse.Namespace) -> None:
    if options.out:
        store.expect_place(options.out)
    names = cases_named(options.case or "all")
    build = read_build(options.preset or "gcc")
    found = [scored(name, build, options.mutants or _MUTANTS, options.seed or 1) for name in names]
    if options.out:
        print(f"wrote {shown(write(found, options.out))}")


def scored(name: str, build: Build, count: int, seed: int) -> MutationScore:
    case = read_case(name)
    program = _last(case, build)
    compare = partial(fuzzed_text, fuzz.built(program.name, program.level), seconds=_FUZZED_S)
    found = score(case, program, count, seed, compare, lambda line: print(line, flush=True))
    print(f"{program.id}: seed {seed}: {found.rejected} of {found.mutants} rejected: {per_cent(found.rejected_share)}")
    print(f"  {len(found.equivalent)} others give the same results: as their explanations say,")
    print(f"    and for all inputs of a fuzzer, which found {found.fuzzer_found} of {found.fuzzed} that are rejected")
    print(f"  mutation score, without these: {per_cent(found.score)}")
    print(f"  {_by_fuzzer_alone(found)} others were found by the fuzzer alone")
    print(f"  {len(found.missed)} others have no explanation, or a wrong one")
    print(f"  {found.same} more have the machine code of the stage, and were not counted", flush=True)
    return found


def _by_fuzzer_alone(one: MutationScore) -> int:
    return len(one.survivors) - len(one.equivalent) - len(one.missed)


def _last(case: Case, build: Build) -> Program:
    """The last stage of the highest level that runs here."""
    for program in fuzz.last_first(case, build):
        if not program.path.exists():
            raise UserError(f"{program.id} is not built: `make build CASE={case.name}` builds it.")
        if runnable([program])[0]:
            return program
    raise UserError(f"No stage of {case.name} runs on this CPU: use another one.", code=77)


def write(found: Sequence[MutationScore], path: Path) -> Path:
    scores = "; ".join(
        f"`{one.program}`: the checks reject {per_cent(one.score)} of those that change a result, and "
        f"{per_cent(one.rejected_share)} of all. The others went to a fuzzer: it found {_by_fuzzer_alone(one)}, and "
        f"{len(one.equivalent)} are equivalent"
        for one in found
    )
    missed = sum(len(one.missed) for one in found)
    tried = sum(one.mutants for one in found)
    what = f"Small faults in {scores}. Found: those that are left."
    return proof.write(Mutation(tried=tried, found=missed, what=what, details=[*found], **proof.now()), path)
