"""What a stage should cost by the latency or the throughput of its instructions, beside what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perf_ladders.machine import identity
from perf_ladders.model.instruction_times import InstructionTimes
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Row
from perf_ladders.tree.case_file import Model


@dataclass(frozen=True)
class Term:
    count: int
    name: str
    figure: float  # cycles of latency, or how many start in a cycle


@dataclass(frozen=True)
class Worked:
    """The model of one case, worked out."""

    times: InstructionTimes  # that it was worked out with
    analysis: Analysis  # of the measurement that it is compared with
    model: Model
    terms: list[Term]
    cycles: float | None  # for the bytes of the model; None where the CPU lacks an instruction
    row: Row | None  # None where the stage was not measured at this level

    @property
    def cycles_byte(self) -> float | None:
        return None if self.cycles is None else self.cycles / self.model.bytes

    @property
    def share(self) -> float | None:
        """Of the measured time."""
        measured = self.row.cycles_byte if self.row else None
        return self.cycles_byte / measured if self.cycles_byte and measured else None


def worked(several: list[Analysis], figures: Sequence[InstructionTimes]) -> Worked | None:
    """With figures and a measurement of the same kind of CPU, if there are such; else with the first figures. None
    where the case has no model."""
    model = several[0].case.model
    if model is None:
        return None
    rows = [(analysis, row) for analysis in several if (row := _row(analysis, model))]
    for times in figures:
        for analysis, row in rows:
            if identity.short_name(analysis.measurement.machine) == identity.short_name(times.machine):
                return Worked(times, analysis, model, *estimate(model, times), row)
    analysis, first = rows[0] if rows else (several[0], None)
    return Worked(figures[0], analysis, model, *estimate(model, figures[0]), first)


def estimate(model: Model, times: InstructionTimes) -> tuple[list[Term], float | None]:
    """Of a chain the sum of all latencies. Of independent instructions the larger of two times: that of the scarcest
    kind, and that of all kinds together, which share the ports of the most frequent one. A figure counts as the table
    prints it, so that a reader who adds up gets the same."""
    figure_of, digits = (times.latency, 1) if model.bound == "latency" else (times.per_cycle, 2)
    figures = {name: round(figure_of(name) or 0, digits) for name in model.instructions}
    terms = [Term(count, name, figure) for name, count in model.instructions.items() if (figure := figures[name])]
    if len(terms) < len(figures):
        return terms, None
    if model.bound == "latency":
        return terms, sum(term.count * term.figure for term in terms)
    of_all = sum(term.count for term in terms) / max(term.figure for term in terms)
    return terms, max(of_all, *(term.count / term.figure for term in terms))


def _row(analysis: Analysis, model: Model) -> Row | None:
    """Of the first compiler."""
    rows = analysis.rows_on(model.workload or analysis.first)
    return next((row for row in rows if (row.stage, row.level) == (model.stage, model.level)), None)
