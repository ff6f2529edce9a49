"""What follows from a measurement and the tree as it is now: rows, comparisons, verdicts. All is indexed once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations

import numpy as np

from perf_ladders import stats
from perf_ladders.model.evidence import Evidence
from perf_ladders.model.measurement import AGAIN, Measurement, Program, Quantity, Workload
from perf_ladders.results.instructions import disagreement, plausible
from perf_ladders.results.peak import peak_ns_byte
from perf_ladders.results.renamed import as_named_now
from perf_ladders.results.rows import AFTER_TRIALS, Ladder, PeerComparison, Prediction, Row, WholeProgram
from perf_ladders.results.times import clock_of, rounds_of, times_of
from perf_ladders.stats import Comparison
from perf_ladders.tree import source
from perf_ladders.tree.catalogue import Case, Stage

_NEARLY_ALL = 0.9


class Analysis:
    """A measurement joined with its case. Programs of stages that the tree does not have are left out."""

    def __init__(self, case: Case, measurement: Measurement, now: Mapping[str, str] | None = None) -> None:
        """`now`: the digests of the sources in the tree, where they are known already."""
        self.case = case
        self._now = now
        self.measurement = measurement = as_named_now(case, measurement)
        self._of_slug = {stage.slug: stage for stage in case.stages}
        known = {*self._of_slug, *(one.stage for one in measurement.programs if one.kind == "peer")}
        there = [one for one in measurement.programs if one.stage in known]
        self.programs = sorted(there, key=self._place)
        self.program = {one.id: one for one in self.programs}
        self.name = {one.id: self._name(one) for one in self.programs}
        self.ladders: dict[Ladder, list[Program]] = defaultdict(list)
        for one in self.programs:
            self.ladders[one.level, one.compiler].append(one)
        self._by_place = {(self.name[one.id], one.level, one.compiler): one for one in self.programs}
        self.workloads = measurement.workloads
        self._workload = {workload.name: workload for workload in self.workloads}
        self.main_workloads = [workload for workload in self.workloads if workload.role == "main"]
        self.first = self.workloads[0].name
        self.reference = f"{case.name}-00"
        self.control = self.reference + AGAIN
        self.times = times_of(measurement)
        self.clock_ghz = clock_of(rounds_of(measurement))
        measured = {one.stage for one in self.programs if one.kind == "stage"}
        self.stages = [stage for stage in case.stages if stage.slug in measured]
        self._floors: dict[tuple[Ladder, str], float | None] = {}
        self.rows_on = cache(self._rows_on)  # a workload, by its name, in the order of programs
        self.closing = cache(self._closing)
        self._whole: dict[str, list[float]] = defaultdict(list)
        for run in sorted(measurement.whole_programs.runs, key=lambda run: run.round):
            self._whole[run.program].append(run.seconds)

    def _place(self, program: Program) -> tuple[str, str]:
        """Its place among the programs of a measurement: stages in the order of the tree, then libraries."""
        compilers = [one.name for one in self.measurement.compilers]
        stage = self.stage_of(program)
        return str(compilers.index(program.compiler)), stage.number if stage else "~"

    def _name(self, program: Program) -> str:
        name = self._bare_name(program)
        return (
            f"{name}{AGAIN}" if program.kind == "control" else f"{name}-{program.variant}" if program.variant else name
        )

    def _bare_name(self, program: Program) -> str:
        """Of the stage or the library that it is, or is a variant of."""
        stage = self.stage_of(program)
        return stage.name if stage else f"{self.case.name}-{program.stage}"

    @cached_property
    def rows(self) -> list[Row]:
        """In the order of workloads and programs."""
        return [row for workload in self.workloads for row in self.rows_on(workload.name)]

    @cached_property
    def first_rows(self) -> list[Row]:
        """Those of the first workload, which predictions, evidence and whole programs are about."""
        return self.rows_on(self.first)

    def _rows_on(self, workload: str) -> list[Row]:
        there = [program for program in self.programs if (program.id, workload) in self.times]
        return [self._row(self._workload[workload], program) for program in there]

    @cached_property
    def changed(self) -> set[str]:
        """The units of the measurement (stage/interchange, peer/botan) whose source is another one by now."""
        now = source.units(self.case) if self._now is None else self._now
        changed = {unit for unit, digest in self.measurement.sources.items() if now.get(unit) != digest}
        # Earlier measurements have a unit `harness`. The times that come through `serve` do not depend on it.
        return changed - {"harness"} if "serve" in self.measurement.sources else changed

    def is_stale(self, *names: str) -> bool:
        """Whether the sources of one of these programs are others by now."""
        return any(self.units(one) & self.changed for one in self.programs if self.name[one.id] in names)

    def stage_of(self, program: Program) -> Stage | None:
        """None for a library and its variants."""
        return None if program.kind == "peer" else self._of_slug.get(program.stage)

    def at(self, name: str, ladder: Ladder) -> Program | None:
        return self._by_place.get((name, *ladder))

    def _closing(self, ladder: Ladder) -> Program | None:
        """The stage that a ladder ends with. A stage that needs a device ends none."""
        on_cpu = {one.stage: one for one in self.ladders[ladder] if one.kind == "stage" and not one.device}
        found = self.case.closing_of([stage for stage in self.stages if stage.slug in on_cpu])
        return on_cpu[found.slug] if found else None

    def evidence_of(self, program: Program) -> Evidence | None:
        return self.measurement.evidence.get(program.id)

    def base_name(self, program: Program) -> str | None:
        """What it is compared with: a stage with the one it builds on, a variant with its stage or library."""
        if program.kind == "variant":
            return self._bare_name(program)
        stage = self.stage_of(program)
        if stage is None or program.kind == "control":
            return None
        base = self.case.base(stage)
        return base.name if base else None

    def compared(
        self, base: str, stage: str, ladder: Ladder, workload: str | None = None, of: Quantity = "time"
    ) -> Comparison | None:
        """Any two programs of a ladder on a workload (the first), as rows compare them."""
        first, second = self.at(base, ladder), self.at(stage, ladder)
        if first is None or second is None:
            return None
        if of != "time":
            return self.times.compare(first.id, second.id, self.first, self.floor(ladder, self.first), 1, of)
        return self._compared(first, second, workload or self.first, self.steps(ladder))

    def against_peers(self, workloads: Sequence[Workload]) -> list[PeerComparison]:
        """The closing stage of each ladder that needs no device over each library, on these workloads."""
        found = []
        for workload in workloads:
            for ladder, programs in self.ladders.items():
                peers = [one for one in programs if one.kind == "peer"]
                closing = self.closing(ladder)
                if closing is None:
                    continue
                for peer in peers:
                    comparison = self._compared(peer, closing, workload.name, len(peers))
                    if comparison:
                        names = self.name[closing.id], self.name[peer.id]
                        found.append(PeerComparison(*names, *ladder, workload.name, comparison))
        return found

    def pairwise(self, ladder: Ladder) -> dict[tuple[str, str], Comparison]:
        """Every two programs of a ladder that do the whole work, on the first workload; all of them hold together."""
        pairs = list(combinations([one for one in self.ladders[ladder] if one.kind != "variant"], 2))
        found = {}
        for first, second in pairs:
            # The floor comes from the A/A control: that pair itself is judged by the least floor.
            is_control = {self.name[first.id], self.name[second.id]} == {self.reference, self.control}
            floor = stats.MIN_FLOOR if is_control else self.floor(ladder, self.first)
            if comparison := self._between(first, second, self.first, floor, len(pairs)):
                found[self.name[first.id], self.name[second.id]] = comparison
        return found

    def steps(self, ladder: Ladder) -> int:
        """How many comparisons hold together: those of the stages of one ladder."""
        return max(1, [one.kind for one in self.ladders[ladder]].count("stage") - 1)

    def floor(self, ladder: Ladder, workload: str) -> float | None:
        """What a difference must exceed there, by the A/A control; None where there was none."""
        if (ladder, workload) not in self._floors:
            pair = self.at(self.reference, ladder), self.at(self.control, ladder)
            found = self._between(*pair, workload, stats.MIN_FLOOR, 1)
            self._floors[ladder, workload] = self.times.floor(found) if found else None
        return self._floors[ladder, workload]

    def _compared(self, base: Program | None, program: Program, workload: str, steps: int) -> Comparison | None:
        if program.kind == "control":
            return self._between(base, program, workload, stats.MIN_FLOOR, 1)
        floor = self.floor((program.level, program.compiler), workload)
        return self._between(base, program, workload, floor, steps)

    def _between(
        self, base: Program | None, other: Program | None, workload: str, floor: float | None, steps: int
    ) -> Comparison | None:
        """None where one of the two was not measured, or not beside the other."""
        if base is None or other is None:
            return None
        return self.times.compare(base.id, other.id, workload, floor, steps)

    def _other(self, program: Program, name: str | None) -> Program | None:
        """That program at the same level with the same compiler, unless it is this one."""
        found = self.at(name or "", (program.level, program.compiler))
        return None if found is None or found.id == program.id else found

    def _row(self, workload: Workload, program: Program) -> Row:
        ladder = program.level, program.compiler
        spread = self.times.spread(program.id, workload.name)
        per_byte = spread.median / workload.bytes
        cycles = None if program.threads else per_byte * self.clock_ghz
        first = workload.name == self.first
        reference, base = self._other(program, self.reference), self._other(program, self.base_name(program))
        vs_base = self._compared(base, program, workload.name, self.steps(ladder))
        peak = self._peak(program)
        evidence = self._first_evidence(program) if first else None
        instructions = plausible(evidence, cycles)
        fewer = self._fewer(base, instructions) if first else None
        estimate = _estimate(evidence, program)
        return Row(
            id=program.id,
            stage=self.name[program.id],
            kind=program.kind,
            level=program.level,
            compiler=program.compiler,
            workload=workload.name,
            bytes=workload.bytes,
            stale=bool(self.units(program) & self.changed),
            n=spread.n,
            median_ns=spread.median,
            median_low_ns=spread.low,
            median_high_ns=spread.high,
            mean_ns=spread.mean,
            sd_ns=spread.sd,
            sd_within_ns=spread.sd_within,
            sd_between_ns=spread.sd_between,
            cv=spread.sd / spread.mean,
            min_ns=spread.minimum,
            max_ns=spread.maximum,
            mib_s=workload.bytes / spread.median * 1e9 / 2**20,
            ns_byte=per_byte,
            cycles_byte=cycles,
            peak_share=peak / per_byte if peak else None,
            floor=self.floor(ladder, workload.name),
            vs_reference=self._compared(reference, program, workload.name, self.steps(ladder)),
            base=self.name[base.id] if base else None,
            vs_base=vs_base,
            prediction=self._prediction(program, vs_base) if first else None,
            calls=self.measurement.calls.get(program.id) if first else None,
            benchmark=self.measurement.benchmark.get(program.id) if first else None,
            whole_program=self._whole_program(program, reference, base) if first else None,
            instructions_byte=instructions,
            instructions_vs_base=fewer,
            estimate_share=estimate / cycles if estimate and cycles else None,
            disagreement=disagreement(vs_base, fewer) if vs_base and fewer and not program.threads else None,
        )

    def units(self, program: Program) -> set[str]:
        """What its machine code was made from."""
        kind = "stage" if self.stage_of(program) else "peer"
        return {f"{kind}/{program.stage}", *([f"variant/{program.variant}"] if program.variant else [])}

    def _peak(self, program: Program) -> float | None:
        """Of the vector units of one core. A library picks its instructions while it runs, whatever the level; a stage
        may use other units beside those; and a variant `no-...` leaves out a part of the work."""
        stage = self.stage_of(program)
        if stage is None or program.threads or stage.notes.beyond or (program.variant or "").startswith("no-"):
            return None
        return peak_ns_byte(self.case.operations, self.measurement.rates, program.level)

    def _prediction(self, program: Program, vs_base: Comparison | None) -> Prediction | None:
        stage = self.stage_of(program)
        span = stage.notes.predicts.get(program.level) if stage and program.kind == "stage" else None
        if span is None or vs_base is None:
            return None
        if stage and stage.notes.post_hoc:
            return Prediction(*span, AFTER_TRIALS, None)
        outcome = stats.judge_prediction(vs_base, *span)
        side = None if outcome != "refuted" else "more" if vs_base.ratio > span[1] else "less"
        return Prediction(*span, outcome, side)

    def _whole_program(self, program: Program, reference: Program | None, base: Program | None) -> WholeProgram | None:
        """Of hyperfine's runs. They have a floor of their own, for starting a program is noise of its own."""
        mine = self._whole.get(program.id)
        if mine is None:
            return None
        ladder = program.level, program.compiler
        pair = self.at(self.reference, ladder), self.at(self.control, ladder)
        itself = self._whole_compared(*pair, 0, 1)
        floor, steps = stats.floor_from(itself) if itself else None, self.steps(ladder)
        if program.kind == "control":
            floor, steps = stats.MIN_FLOOR, 1
        found = (self._whole_compared(other, program, floor, steps) for other in (reference, base))
        return WholeProgram(float(np.median(mine)), *found)

    def _whole_compared(
        self, base: Program | None, other: Program | None, floor: float | None, steps: int
    ) -> Comparison | None:
        if base is None or other is None or base.id not in self._whole or other.id not in self._whole:
            return None
        return stats.compare(self._whole[base.id], self._whole[other.id], floor, steps)

    def _first_evidence(self, program: Program) -> Evidence | None:
        """A count on another workload than the first says nothing about its rows."""
        found = self.evidence_of(program)
        counted = found.instructions if found else None
        return found if counted is None or counted.workload == self.first else None

    def _fewer(self, base: Program | None, instructions: float | None) -> float | None:
        before = self._first_evidence(base) if base else None
        if instructions is None or before is None or before.instructions is None:
            return None
        return before.instructions.per_byte / instructions


def _estimate(evidence: Evidence | None, program: Program) -> float | None:
    """It is that of a loop: it can be compared with a whole call only if the loop is nearly all of it."""
    if evidence is None or evidence.loop is None or evidence.loop.share < _NEARLY_ALL or program.threads:
        return None
    return evidence.estimate.cycles_byte if evidence.estimate else None
