"""Do the checks of a case notice small faults in a stage? Each fault becomes a program, which `check` has to reject.

A mutant that passes is checked again with the sanitizers of the preset `sanitize`, which every stage has to pass, too.
They see an index beyond an array even where it does no harm.

A stage may choose by the CPU at hand, so that a kernel never runs here. The fault of a mutant that passes is therefore
planted in those variants of the stage, too, that choose otherwise and pass all checks.

A fuzzer looks for an input that tells those that still pass from the oracle. How much it means when it finds none, the
first mutants that were rejected show: the fuzzer is given them, too.

A mutant of which the compiler makes the machine code of the stage is the same program: another one is drawn in its
place. The code is compared at several levels of optimisation, for the same code at one of them is proof enough.
"""

from __future__ import annotations

import itertools
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.evidence.mutants import Mutant, drawn, mutants
from perf_ladders.machine import processes, topology
from perf_ladders.measure import machine_code
from perf_ladders.measure.relink import Recipe
from perf_ladders.model import toml_file
from perf_ladders.model.proof import Explained, Fuzzed, MutationScore, Reason, Survivor
from perf_ladders.tree import files
from perf_ladders.tree.build import Program
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.flatten import in_tree, stage_text
from perf_ladders.tree.paths import ROOT, shown

_LIMIT_S = 600  # for any program that is started
_PATIENCE = 3  # a check that takes so many times as long as all that is done with the stage is caught in a loop
_CHECKED = "-O1"  # what is checked is never timed
_OTHERS = ("-Os", "-O3")  # levels at which a mutant that passes is compared with the stage, too
_MOST_KB = 8 << 20  # of addresses: a mutant that writes without end must not take all memory; sanitizers need more
_FUZZED = 5  # of the mutants of a case that are rejected
# As in the preset `sanitize`, but without optimisation: GCC compiles the widest kernels in seconds, not in a minute.
_SANITIZED = ("-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


class Fate(Enum):
    NONE = "does not compile or link"
    SAME = "is the same program"
    REJECTED = "is rejected"
    SURVIVES = "survives"


def score(
    case: Case, program: Program, count: int, seed: int, fuzz: Callable[[str], Fuzzed], tell: Callable[[str], None]
) -> MutationScore:
    """Of so many mutants of the program's stage, without those that are no program, or the same one.

    `fuzz` compares a text of the stage with the oracle."""
    recipe = Recipe.of(program)
    stage = case.stage(str(program.number))
    text = case.text(stage)
    known = explained(case.name, stage.number, {one.number: case.text(one) for one in [stage, *case.ends]})
    begin = time.monotonic()
    if fate_of(recipe, text, {}, _LIMIT_S) is not Fate.SURVIVES:
        raise UserError(
            f"{program.name} itself, compiled as one text, does not pass its checks with sanitizers.", code=1
        )
    limit_s = _PATIENCE * (time.monotonic() - begin)
    codes = _codes(recipe, text)
    variants = []
    for word, one in choices(case, stage).items():
        fate = fate_of(recipe, text.replace(*one), {}, limit_s)
        if fate is Fate.SURVIVES:
            variants.append(one)
        else:
            tell(f"{program.id}: the variant {word} {fate.value}, so no fault is planted there")

    def judge(mutant: Mutant) -> Fate:
        return fate_in_all(recipe, mutant.text, codes, variants, limit_s)

    fates: Counter[Fate] = Counter()
    survivors: list[Survivor] = []
    fuzzed: list[Fuzzed] = []
    waiting = drawn(text, seed)
    with ThreadPoolExecutor(len(topology.allowed_cpus())) as pool:
        while waiting and (lacking := count - fates[Fate.REJECTED] - fates[Fate.SURVIVES]):
            batch = [waiting.pop() for _ in range(min(lacking, len(waiting)))]
            for mutant, fate in zip(batch, pool.map(judge, batch), strict=True):
                fates[fate] += 1
                if fate is Fate.SURVIVES:
                    survivors.append(_survivor(mutant, known, fuzz(mutant.text)))
                    tell(f"{program.id}: {mutant}: {_said(survivors[-1])}")
                elif fate is Fate.REJECTED and len(fuzzed) < _FUZZED:
                    fuzzed.append(fuzz(mutant.text))
    return MutationScore(
        case=case.name,
        program=program.id,
        seed=seed,
        mutants=fates[Fate.REJECTED] + fates[Fate.SURVIVES],
        rejected=fates[Fate.REJECTED],
        same=fates[Fate.SAME],
        fuzzed=len(fuzzed),
        fuzzer_found=sum(one.found != "" for one in fuzzed),
        survivors=survivors,
    )


def _survivor(mutant: Mutant, known: Mapping[tuple[int, str], str], fuzzed: Fuzzed) -> Survivor:
    why = known.get((mutant.line, mutant.after), "")
    return Survivor(
        line=mutant.line,
        before=mutant.before,
        after=mutant.after,
        why=why,
        inputs=fuzzed.inputs,
        found=fuzzed.found,
    )


def _said(one: Survivor) -> str:
    fuzzed = one.found or f"the same results for {one.inputs:,} inputs"
    return f"{Fate.SURVIVES.value}; {fuzzed}; {one.why or 'nothing says why'}"


def choices(case: Case, stage: Stage) -> dict[str, tuple[str, str]]:
    """For each variant of the stage with headers of its own: a piece that the stage's text has once, and the variant's
    in its place."""
    found = {}
    for word in stage.header.variants:
        root = f"stages/{case.name}/variants/{word}"

        def read(path: str, root: str = root) -> str | None:
            text = in_tree(path.replace("stages", root, 1))
            return in_tree(path) if text is None else text

        text = case.text(stage)
        here, there = (one.splitlines(keepends=True) for one in (text, stage_text(shown(stage.source), read)))
        begin = _alike(here, there)
        end = _alike(here[:begin:-1], there[:begin:-1])
        while begin and text.count("".join(here[begin : len(here) - end])) != 1:  # where lines are only added
            begin -= 1
        piece, other = ("".join(lines[begin : len(lines) - end]) for lines in (here, there))
        if piece != other:
            found[word] = (piece, other)
    return found


def _alike(here: Sequence[str], there: Sequence[str]) -> int:
    """How many lines at the beginning are the same."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(here, there, strict=False)))


def fate_in_all(
    recipe: Recipe,
    text: str,
    codes: Mapping[str, str | None],
    variants: Sequence[tuple[str, str]],
    limit_s: float,
) -> Fate:
    """Rejected, too, if one of the variants with the same fault is rejected."""
    fate = fate_of(recipe, text, codes, limit_s)
    others = (text.replace(*one) for one in variants if one[0] in text)
    if fate is Fate.SURVIVES and any(fate_of(recipe, one, {}, limit_s) is Fate.REJECTED for one in others):
        return Fate.REJECTED
    return fate


def fate_of(recipe: Recipe, text: str, codes: Mapping[str, str | None], limit_s: float) -> Fate:
    """`codes`: the machine code of the stage, by the level of optimisation."""
    with files.scratch() as folder:

        def same(level: str) -> bool:
            code = codes.get(level)
            return code is not None and code == machine_code.digest(folder / "stage.o")

        if not _compiled(recipe, text, folder, _CHECKED):
            return Fate.NONE
        if same(_CHECKED):
            return Fate.SAME
        if not _linked(recipe, folder):
            return Fate.NONE
        if not _passes(folder, limit_s, _MOST_KB):
            return Fate.REJECTED
        if any(_compiled(recipe, text, folder, level) and same(level) for level in _OTHERS):
            return Fate.SAME
        if _compiled(recipe, text, folder, *_SANITIZED) and _linked(recipe, folder, *_SANITIZED):
            return Fate.SURVIVES if _passes(folder, limit_s) else Fate.REJECTED
        return Fate.NONE


def _codes(recipe: Recipe, text: str) -> dict[str, str | None]:
    found = {}
    with files.scratch() as folder:
        for level in (_CHECKED, *_OTHERS):
            _compiled(recipe, text, folder, level)
            found[level] = machine_code.digest(folder / "stage.o")
    return found


def _compiled(recipe: Recipe, text: str, folder: Path, *options: str) -> bool:
    source = folder / "stage.cpp"
    source.write_text(text, "utf-8")
    return _runs([*recipe.compile(source, folder / "stage.o"), "-g0", "-w", *options], recipe.folder)


def _linked(recipe: Recipe, folder: Path, *options: str) -> bool:
    return _runs([*recipe.link(folder / "stage.o", folder / "program"), *options], recipe.folder)


def _passes(folder: Path, limit_s: float, kilobytes: int | str = "unlimited") -> bool:
    check = "./program check --gtest_brief=1 --gtest_fail_fast --gtest_filter=-Oracle*:InOrder.*"
    return _runs([*processes.tied(), "sh", "-c", f"ulimit -v {kilobytes}; exec {check}"], folder, limit_s)


def _runs(words: Sequence[str], folder: Path, limit_s: float = _LIMIT_S) -> bool:
    variables = {**processes.environment(), "CCACHE_DISABLE": "1"}  # nobody asks for these programs again
    try:
        done = subprocess.run(words, cwd=folder, env=variables, capture_output=True, check=False, timeout=limit_s)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def explained(case: str, number: str, texts: Mapping[str, str]) -> dict[tuple[int, str], str]:
    """Why mutants of this stage survive, by the line and what it becomes: tests/<case>/survivors.toml. `texts`: by
    number, of this stage and of the others that a level ends with; each reason is for one of them or for several."""
    path = ROOT / "tests" / case / "survivors.toml"
    if not path.is_file():
        return {}
    changes = {one: _changes(text) for one, text in texts.items()}
    found: dict[tuple[int, str], str] = {}
    for said in toml_file.read(path, Explained).mutant:
        meant = [one for one in changes if said.stage in ("", one)]
        if not meant:
            raise UserError(
                f"{shown(path)}: no level ends with stage {said.stage}, which is said to make {_change(said)}."
            )
        lines = {one: _line(said, changes[one]) for one in meant}
        if all(isinstance(line, str) for line in lines.values()):
            raise UserError(f"{shown(path)}: {lines[meant[0]]}.")
        if isinstance(line := lines.get(number), int):
            if (line, said.after) in found:
                raise UserError(f"{shown(path)}: it is said twice why a mutant makes {_change(said)}.")
            found[line, said.after] = said.why
    return found


def _line(said: Reason, changes: Mapping[tuple[str, str], Sequence[int]]) -> int | str:
    """The line of a text that is meant; a sentence where that is none, or not clear."""
    places = changes.get((said.before, said.after), ())
    if not places:
        return f"no mutant of the last stage of a level makes {_change(said)}"
    if said.nth > len(places):
        return f"`nth` is {said.nth}, and {len(places)} of its lines could become {_change(said)}"
    if len(places) > 1 and not said.nth:
        return f"{len(places)} lines could become {_change(said)}: say which one with `nth`"
    return places[max(said.nth, 1) - 1]


def _change(said: Reason) -> str:
    return f"`{said.after}` of `{said.before}`"


def _changes(text: str) -> dict[tuple[str, str], list[int]]:
    """By a line and what a mutant makes of it: where the text has it."""
    found: dict[tuple[str, str], list[int]] = {}
    for one in mutants(text):
        places = found.setdefault((one.before, one.after), [])
        if one.line not in places:
            places.append(one.line)
    return found
