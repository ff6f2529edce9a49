"""What is compared with what: the steps of a case, each of two programs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from perf_ladders.measure.runner import Runner
from perf_ladders.model.measurement import Quantity, Step, Workload
from perf_ladders.model.quotes import quotes
from perf_ladders.sequential import FIRST_ROUNDS
from perf_ladders.tree.catalogue import Case
from perf_ladders.tree.headers import does_less
from perf_ladders.tree.notes import section

FIRST, MAIN, OTHERS = "first", "main", "others"  # the parts, one after the other


@dataclass(frozen=True)
class _Pair:
    """Of two programs on workloads; `together`: how many such comparisons hold together."""

    base: Runner
    stage: Runner
    workloads: list[str]
    together: int
    of: Quantity = "time"


class Ladder:
    """The programs of one level and compiler."""

    def __init__(self, case: Case, runners: Sequence[Runner]) -> None:
        self._case = case
        self._named = {one.program.name: one for one in runners if one.about.kind in ("stage", "variant", "peer")}
        self.reference = self._named[f"{case.name}-00"]
        self.control = next(one for one in runners if one.about.kind == "control")
        self.stages = [one for one in runners if one.about.kind == "stage"]
        self.peers = [one for one in runners if one.about.kind == "peer"]
        self.variants = [one for one in runners if one.about.kind == "variant"]
        self.contenders = [one for one in runners if one.about.kind != "variant"]
        self.together = max(1, len(self.stages) - 1)
        on_cpu = {one.about.stage: one for one in self.stages if not one.program.device}
        here = [stage for stage in case.stages if stage.slug in on_cpu]
        closing = case.closing_of(here)
        self.closing = on_cpu[closing.slug] if closing else self.reference
        self.own = [on_cpu[stage.slug] for stage in here if stage.is_own]
        before = here[: here.index(closing)] if closing else []
        on_a_core = [one for one in (on_cpu[stage.slug] for stage in before) if not one.program.threads]
        self.earlier = [one for one in on_a_core if not does_less(one.program.lacks)]

    def base(self, runner: Runner) -> Runner | None:
        """The stage that it builds on, or what it is a variant of, if that is there."""
        if runner.about.variant:
            return self._named.get(runner.program.name.removesuffix(f"-{runner.about.variant}"))
        stage = next(stage for stage in self._case.stages if stage.slug == runner.about.stage)
        base = self._case.base(stage)
        return self._named.get(base.name) if base else None

    def main(self, names: list[str]) -> Iterator[_Pair]:
        """On the main workloads: the control, each step, each stage and library over the reference, the closing stage
        over each library, each variant over its base and over the reference."""
        first = names[:1]
        yield _Pair(self.reference, self.control, names, 1)
        for one in self.stages:
            if base := self.base(one):
                yield _Pair(base, one, names, self.together)
            if one is not self.reference:
                yield _Pair(self.reference, one, names if one in (self.closing, *self.own) else first, self.together)
        for one in self.peers:
            yield _Pair(self.reference, one, first, self.together)
            for stage in (self.closing, *self.own):
                yield _Pair(one, stage, names, len(self.peers))
        for one in self.variants:
            yield _Pair(self.reference, one, first, self.together)
            if base := self.base(one):
                yield _Pair(base, one, names, len(self.variants))

    def first(self, pair: _Pair) -> bool:
        """Whether somebody who asks for one stage waits for it: its step, and the control that is its gate."""
        asked = self.stages[-1]
        return pair.stage in (self.control, asked) and pair.base in (self.reference, self.base(asked))

    def others(self, names: list[str]) -> Iterator[_Pair]:
        """On the other workloads: the control; the closing stage over the reference, its base and each library."""
        yield _Pair(self.reference, self.control, names, 1)
        if self.closing is self.reference:
            return
        before = [base for base in (self.base(self.closing),) if base and base is not self.reference]
        for base in (self.reference, *before, *self.peers):
            yield _Pair(base, self.closing, names, len(self.peers) if base in self.peers else self.together)

    def claimed(self, first: str) -> Iterator[tuple[_Pair, str]]:
        """What the source document reports of two stages, and the workload of it. What is of single calls is measured
        at the level of the document's machine alone."""
        for claim in self._case.claims:
            pair = self._named.get(claim.base), self._named.get(claim.stage)
            if not (pair[0] and pair[1]) or claim.of == "instructions" or claim.of == "program":
                continue
            workload = claim.workload or first
            if claim.of == "time":
                for name in (workload, *([claim.beside] if claim.beside else [])):
                    yield _Pair(pair[0], pair[1], [name], self.together), name
            elif pair[1].about.level == claim.level:
                yield _Pair(pair[0], pair[1], [workload], 1, claim.of), workload

    def quoted(self, first: str, above: Sequence[Ladder]) -> Iterator[_Pair]:
        """What the notes of a stage quote. `above`: the higher levels with this compiler."""
        about = self.closing.about
        for one in self.stages:
            stage = next(stage for stage in self._case.stages if stage.slug == one.about.stage)
            for quote in quotes(section(stage.notes.text, "Result")):
                base = self._quoted_base(quote.base) if quote.base else self.base(one)
                if base is None or base is one:
                    continue
                highest = not any(ladder.has(base) and ladder.has(one) for ladder in above)
                level = quote.level or (about.level if highest else "")
                if (level, quote.compiler) == (about.level, about.compiler):
                    yield _Pair(base, one, [quote.workload or first], self.together)

    def has(self, other: Runner) -> bool:
        """A program of the same name."""
        return other.program.name in self._named

    def _quoted_base(self, name: str) -> Runner | None:
        """A stage, by its slug, or a library."""
        peer = self._named.get(f"{self._case.name}-{name}")
        return next((one for one in self.stages if one.about.stage == name), peer)

    def lesson(self, first: str) -> Iterator[_Pair]:
        """Every two contenders, where the case teaches statistics."""
        pairs = list(combinations(self.contenders, 2))
        for base, stage in pairs:
            yield _Pair(base, stage, [first], len(pairs))


def ladders(case: Case, runners: Sequence[Runner]) -> list[Ladder]:
    found: dict[tuple[str, str], list[Runner]] = defaultdict(list)
    for one in runners:
        found[one.about.level, one.about.compiler].append(one)
    return [Ladder(case, mine) for mine in found.values()]


def planned(
    case: Case, runners: Sequence[Runner], workloads: Sequence[Workload], rounds: dict[str, int], lesson: bool
) -> list[Step]:
    """`rounds`: at most, by part; a part without rounds is not measured. Two programs have one step for all that
    is asked of them, so they run beside each other once a round. The first part, where it has rounds, is of the first
    workload at the highest level of a compiler, and soon decided."""
    names = {
        MAIN: [one.name for one in workloads if one.role == "main"],
        OTHERS: [one.name for one in workloads if one.role != "main"],
    }
    asked: dict[tuple[str, str, str, str], list[_Pair]] = defaultdict(list)

    def ask(part: str, pair: _Pair) -> None:
        back = pair.stage.id, pair.base.id, pair.of
        if pair.of == "time" and any((one, *back) in asked for one in rounds):
            pair = replace(pair, base=pair.stage, stage=pair.base)  # one step answers for both directions
        of = pair.base.id, pair.stage.id, pair.of
        elsewhere = [other for other in rounds if other != part]
        taken = {name for other in elsewhere for one in asked.get((other, *of), ()) for name in one.workloads}
        left = [name for name in pair.workloads if name not in taken]
        if left and rounds.get(part):
            asked[part, *of].append(replace(pair, workloads=left))

    first = names[MAIN][0]
    enough = rounds.get(OTHERS, 0) >= FIRST_ROUNDS  # fewer give no verdict
    found = ladders(case, runners)
    of_claims: set[str] = set()
    highest = [one for one in found if one.closing.about.compiler == found[0].closing.about.compiler][-1]
    for ladder in found:
        for pair in ladder.main(names[MAIN]):
            if ladder is highest and ladder.first(pair):
                ask(FIRST, replace(pair, workloads=names[MAIN][:1]))
            ask(MAIN, pair)
        claims = [one for one in ladder.claimed(first) if enough or (one[0].of == "time" and one[1] in names[MAIN])]
        for pair, _ in claims:  # before the others, which get fewer rounds
            ask(MAIN if pair.of == "time" else OTHERS, pair)
        # The control of a claim is in its rounds, and so is all else that is asked on its workload.
        claimed = {workload for pair, workload in claims if pair.of == "time"} - {*names[MAIN]}
        of_claims |= claimed
        for part, sizes in ((MAIN, sorted(claimed)), (OTHERS, names[OTHERS])):
            for pair in ladder.others(sizes):
                ask(part, pair)
        same = [one for one in found if one.closing.about.compiler == ladder.closing.about.compiler]
        for pair in ladder.quoted(first, same[same.index(ladder) + 1 :]) if enough else ():
            (workload,) = pair.workloads
            if workload in names[MAIN] or workload in claimed:
                ask(MAIN, pair)
            elif workload in names[OTHERS]:
                ask(OTHERS, pair)
        for pair in ladder.lesson(first) if lesson else ():
            ask(MAIN, pair)
    for part, sizes in ((MAIN, names[MAIN]), (MAIN, sorted(of_claims)), (OTHERS, names[OTHERS])):
        for pair in _levels(found, sizes):
            ask(part, pair)
    order = names[MAIN] + names[OTHERS]
    parts = sorted(asked.items(), key=lambda one: (FIRST, MAIN, OTHERS).index(one[0][0]))
    return [_step(part, pairs, order, rounds[part]) for (part, *_), pairs in parts]


def _levels(ladders: Sequence[Ladder], names: list[str]) -> Iterator[_Pair]:
    """The closing stage of a level over that of the level below, with the same compiler."""
    for compiler in dict.fromkeys(one.closing.about.compiler for one in ladders):
        same = [one.closing for one in ladders if one.closing.about.compiler == compiler]
        for below, above in pairwise(same):
            yield _Pair(below, above, names, len(same) - 1)


def _step(part: str, pairs: Sequence[_Pair], order: Sequence[str], rounds: int) -> Step:
    wanted = {name for pair in pairs for name in pair.workloads}
    return Step(
        part=part,
        base=pairs[0].base.id,
        stage=pairs[0].stage.id,
        workloads=[name for name in order if name in wanted],
        together=max(pair.together for pair in pairs),
        rounds=rounds,
        of=pairs[0].of,
    )
