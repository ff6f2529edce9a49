"""The atlas: each step of a case on every CPU that measured it. Ratios are side by side, and never pooled."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product
from typing import Literal

from perf_ladders.pages import formatting
from perf_ladders.pages.columns_view import Cell, Column, Side, Twin, cell_of, highest_cell
from perf_ladders.pages.steps_view import absent
from perf_ladders.results import guards, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder
from perf_ladders.results.staleness import of_whole_case
from perf_ladders.tree.catalogue import Case, Stage

Kind = Literal["opposite", "partly", ""]  # one CPU gains and one loses; one does and one shows no difference
_SIDES: tuple[Side, ...] = ("faster", "slower", "same")
_WORDS = {"faster": "faster", "slower": "slower", "same": "no difference"}


@dataclass(frozen=True)
class Line:
    stage: Stage
    base: Stage | None
    cells: list[Cell]
    said: str
    kind: Kind
    one_source: bool
    twin: Twin | None  # where CPUs disagree
    rank: int = 0  # among the lines of its case: 1 is where CPUs disagree most

    @property
    def title(self) -> str:
        return f"{self.stage.number} {self.stage.notes.title}"

    @property
    def by_core(self) -> bool:
        return self.twin is not None and self.twin.by_core

    @property
    def disputed(self) -> bool:
        """Unless the CPUs agree where the level and the compiler are the same."""
        return bool(self.kind) and not (self.twin and self.twin.outcome == "agree")


@dataclass(frozen=True)
class CaseAtlas:
    case: Case
    workload: str
    columns: list[Column]
    lines: list[Line]
    unmeasured: list[Stage]  # on every CPU
    left_out: list[Analysis]  # that timed another main workload

    @property
    def cpus(self) -> list[str]:
        return _cpus(self.columns)

    @property
    def analyses(self) -> list[Analysis]:
        return list({id(column.analysis): column.analysis for column in self.columns}.values())

    @property
    def several(self) -> bool:
        """Whether there is a CPU to compare with."""
        return len(self.cpus) > 1

    @property
    def disagreements(self) -> list[Line]:
        """Where CPUs disagree most, first."""
        return sorted((line for line in self.lines if line.disputed), key=lambda line: line.rank)

    @property
    def changes(self) -> dict[str, str]:
        """By CPU and date of a measurement: what has changed for all of its rows."""
        return {
            f"{one.cpu}, {one.analysis.measurement.made.date[:10]}": " ".join(one.changes)
            for one in self.columns
            if one.changes
        }


def atlas(cases: Iterable[Sequence[Analysis]]) -> list[CaseAtlas]:
    return [of_case(analyses) for analyses in cases if analyses]


def of_case(analyses: Sequence[Analysis]) -> CaseAtlas:
    """Of all its measurements; the first one says which workload is compared."""
    first = analyses[0]
    fitting = [one for one in analyses if one.workloads[0] == first.workloads[0]]
    columns = _told_apart([column for one in fitting for column in _columns(one)])
    reasons = {id(one): absent(one) for one in fitting}
    stages = [stage for stage in first.case.stages if first.case.base(stage)]
    lines = [_line(first.case, stage, columns, reasons) for stage in stages]
    measured = [line for line in lines if any(cell.row for cell in line.cells)]
    there = [line.stage for line in measured]
    unmeasured = [stage for stage in stages if stage not in there and not stage.is_own]
    others = [one for one in analyses if one not in fitting]
    return CaseAtlas(first.case, first.workloads[0].name, columns, _ranked(measured), unmeasured, others)


def _columns(analysis: Analysis) -> list[Column]:
    changes, failed = of_whole_case(analysis), guards.failed_ladders(analysis)
    return [Column(analysis, row.ladder, changes, row.ladder in failed) for row in queries.tops(analysis)]


def _told_apart(columns: Sequence[Column]) -> list[Column]:
    """Those of the same CPU, compiler and level have their dates."""
    alike = Counter((one.cpu, one.place) for one in columns)
    return [replace(one, is_dated=alike[one.cpu, one.place] > 1) for one in columns]


def _line(case: Case, stage: Stage, columns: Sequence[Column], reasons: dict[int, dict[str, str]]) -> Line:
    cells = [highest_cell(stage, column, reasons[id(column.analysis)]) for column in columns]
    by_cpu = {cpu: [cell for cell in cells if cell.column.cpu == cpu] for cpu in _cpus(columns)}
    beyond = _beyond(stage, cells)
    kind = "" if beyond else _kind([[cell for cell in found if cell.side] for found in by_cpu.values()])
    base = case.base(stage)
    decided = [cell.column.analysis for cell in cells if cell.side]
    names = [stage.name, *([base.name] if base else [])]
    return Line(
        stage,
        base,
        cells,
        _sentence(by_cpu) + beyond,
        kind,
        all(queries.one_source(decided, name) for name in names),
        _twin(stage, [cell.column for cell in cells if cell.side]) if kind else None,
    )


def _beyond(stage: Stage, cells: Sequence[Cell]) -> str:
    """What its time depends on besides the core."""
    found = (cell.column.analysis.at(stage.name, cell.column.ladder) for cell in cells)
    programs = [one for one in found if one]
    if any(one.device for one in programs):
        return "; it depends on the device"
    return "; it depends on the number of CPUs" if any(one.threads for one in programs) else ""


def _kind(decided: Sequence[Sequence[Cell]]) -> Kind:
    """CPUs disagree if all that one shows contradicts all that another shows."""
    apart = [
        {cell.side for cell in (*one, *other)}
        for one, other in combinations(filter(None, decided), 2)
        if all(mine.contradicts(theirs) for mine, theirs in product(one, other))
    ]
    if any({"faster", "slower"} <= both for both in apart):
        return "opposite"
    return "partly" if apart else ""


def _sentence(by_cpu: Mapping[str, Sequence[Cell]]) -> str:
    """faster on 3 of 4 CPUs, slower on AMD Zen 3"""
    sides = {cpu: {cell.side for cell in cells if cell.side} for cpu, cells in by_cpu.items()}
    able = [cpu for cpu, cells in by_cpu.items() if not _cannot_run(cells)]
    decided = {side: [cpu for cpu, found in sides.items() if found == {side}] for side in _SIDES}
    groups = sorted(((side, cpus) for side, cpus in decided.items() if cpus), key=lambda one: -len(one[1]))
    said = [f"{_WORDS[side]} on {formatting.listed(cpus)}" for side, cpus in groups]
    if groups and len(groups[0][1]) > 1:
        said[0] = f"{_WORDS[groups[0][0]]} on {len(groups[0][1])} of {len(able)} CPUs"
    said += [_both(cpu, by_cpu[cpu]) for cpu, found in sides.items() if len(found) > 1]
    rest: dict[str, list[str]] = {}
    for cpu in (cpu for cpu, found in sides.items() if not found):
        rest.setdefault(_open(by_cpu[cpu]), []).append(cpu)
    said += [f"{word} on {formatting.listed(cpus)}" for word, cpus in rest.items()]
    return ", ".join(said)


def _both(cpu: str, cells: Sequence[Cell]) -> str:
    """faster (GCC 14, x86-64-v4) and no difference (Clang 19, x86-64-v4) on AMD Zen 5"""
    places = {side: [cell.column.place for cell in cells if cell.side == side] for side in _SIDES}
    named = {side: formatting.listed(list(dict.fromkeys(found))) for side, found in places.items() if found}
    told = len({*named.values()}) == len(named)
    words = [f"{_WORDS[side]}{f' ({names})' if told else ''}" for side, names in named.items()]
    return f"{'' if told else 'both '}{formatting.listed(words)} on {cpu}"


def _cannot_run(cells: Sequence[Cell]) -> bool:
    """A step on a CPU. An older measurement of it may not know the step."""
    return any(cell.cannot_run for cell in cells) and not any(cell.row for cell in cells)


def _open(cells: Sequence[Cell]) -> str:
    """Why nothing is said of a CPU."""
    found = [cell for cell in cells if cell.found]
    if not found:
        return "cannot run" if _cannot_run(cells) else "not measured"
    if all(cell.does_nothing for cell in found):
        return "same code at a lower level"
    return "not counted" if not any(cell.column.counts for cell in found) else "undecided"


def _twin(stage: Stage, columns: Sequence[Column]) -> Twin | None:
    """At the highest level that these CPUs have in common with one compiler; better one where they are decided, and by
    the same version of it. Where only the core can be the reason on two of them, these two."""
    several = [list(dict.fromkeys(one.analysis for one in columns if one.cpu == cpu)) for cpu in _cpus(columns)]
    cells = {
        (id(one), ladder): cell_of(stage, Column(one, ladder, [], ladder in guards.failed_ladders(one)), {})
        for one in chain(*several)
        for ladder in one.ladders
    }
    found = _twins(several, cells)
    best = min(found, key=lambda twin: (twin.outcome == "undecided", len(twin.versions) > 1), default=None)
    if best and best.by_core:
        return best
    pairs = (twin for pair in combinations(several, 2) for twin in _twins(pair, cells))
    return max((twin for twin in pairs if twin.by_core), key=lambda twin: _apart(twin.cells), default=best)


def _twins(several: Sequence[Sequence[Analysis]], cells: Mapping[tuple[int, Ladder], Cell]) -> list[Twin]:
    """`several`: the measurements of each CPU."""
    found = []
    for analyses in product(*several):
        for ladder in reversed(list(analyses[0].ladders)):
            there = [cells.get((id(one), ladder)) for one in analyses]
            measured = [cell for cell in there if cell and cell.found]
            if len(measured) == len(analyses):
                found.append(Twin(ladder, measured))
    return found


def _ranked(lines: list[Line]) -> list[Line]:
    """First where CPUs disagree, before all where only the core can be the reason; then by verdicts and ratios."""
    kinds: tuple[Kind, ...] = ("opposite", "partly", "")
    order = sorted(
        lines, key=lambda line: (not line.disputed, not line.by_core, kinds.index(line.kind), -_apart(line.cells))
    )
    ranks = {line.stage.name: place for place, line in enumerate(order, 1)}
    return [replace(line, rank=ranks[line.stage.name]) for line in lines]


def _apart(cells: Sequence[Cell]) -> float:
    logs = [math.log(cell.found.ratio) for cell in cells if cell.found and cell.side]
    return max(logs) - min(logs) if logs else -1.0


def _cpus(columns: Sequence[Column]) -> list[str]:
    return list(dict.fromkeys(column.cpu for column in columns))
