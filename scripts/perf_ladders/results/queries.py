"""Which rows of an analysis stand for what: the closing stage, the best ladder, names of programs. For all pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from perf_ladders.errors import UserError
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, LevelComparison, Row
from perf_ladders.stats import Comparison
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.headers import does_less

VARIANTS = {"O2": "-O2", "pgo": "profile-guided (-fprofile-use)"}


def top(analysis: Analysis) -> Row:
    """The closing stage on the first workload, of the ladder on which it gains most over the reference. Where it was
    not measured, the last stage that was."""
    rows = [row for row in analysis.first_rows if is_end(analysis, row)]
    if not rows:
        raise UserError(f"This tree has no stage of {analysis.case.name} that was measured: measure again.")
    return max(rows, key=lambda row: _rank(analysis, row))


def _rank(analysis: Analysis, row: Row) -> tuple[bool, float]:
    return row.stage == analysis.case.closing.name, row.vs_reference.ratio if row.vs_reference else 1


def tops(analysis: Analysis) -> list[Row]:
    """By compiler, the same."""
    ends = [row for row in analysis.first_rows if row.vs_reference and is_end(analysis, row)]
    best: dict[str, Row] = {}
    for row in sorted(ends, key=lambda row: _rank(analysis, row)):
        best[row.compiler] = row
    return [best[name] for name in dict.fromkeys(name for _, name in analysis.ladders) if name in best]


def one_source(analyses: Sequence[Analysis], name: str) -> bool:
    """Whether all measurements that hold the stage are of the same source."""
    digests = {
        one.measurement.sources.get(f"stage/{stage.slug}")
        for one in analyses
        for stage in one.stages
        if stage.name == name
    }
    return len(digests) <= 1


def on_devices(analysis: Analysis) -> set[str]:
    """The stages whose work a device does. They are a branch of the ladder, not its end."""
    return {analysis.name[one.id] for one in analysis.programs if one.device}


def end(analysis: Analysis, ladder: Ladder) -> str:
    """The closing stage of a ladder; empty where no stage was measured. Ladders may end differently."""
    closing = analysis.closing(ladder)
    return analysis.name[closing.id] if closing else ""


def is_end(analysis: Analysis, row: Row) -> bool:
    return row.stage == end(analysis, row.ladder)


def over_best_earlier(analysis: Analysis, row: Row) -> tuple[str, Comparison] | None:
    """The earlier stage over which the closing one gains least on this workload, of those it was measured beside. A
    stage that does less than the contract says is none of them."""
    whole = [stage.name for stage in analysis.stages if stage.name == row.stage or not does_less(stage.header.lacks)]
    earlier = whole[1 : whole.index(row.stage)]
    found = [(name, analysis.compared(name, row.stage, row.ladder, row.workload)) for name in earlier]
    there = [(name, comparison) for name, comparison in found if comparison]
    return min(there, key=lambda one: one[1].ratio, default=None)


@dataclass(frozen=True)
class Earlier:
    """An earlier stage beside the closing one on a workload, and the closing one over it."""

    workload: str
    stage: str
    comparison: Comparison


def earlier_stages(analysis: Analysis, ladder: Ladder) -> list[Earlier]:
    """By workload, sizes included, the one over which the closing stage gains least."""
    closing = [row for row in analysis.rows if row.ladder == ladder and row.kind == "stage" and is_end(analysis, row)]
    found = [(row.workload, over_best_earlier(analysis, row)) for row in closing]
    return [Earlier(workload, *best) for workload, best in found if best]


def of_lower_levels(case: Case) -> set[Stage]:
    """The side branches that lead to where the ladder of a lower level ends."""
    return {one for end in case.ends for one in case.path_to(end)} - {*case.main_path}


def last(analysis: Analysis) -> Stage:
    """The closing stage of the ladder on which it gains most."""
    name = top(analysis).stage
    return next(stage for stage in analysis.stages if stage.name == name)


def best_ladder(analysis: Analysis) -> Ladder:
    return top(analysis).ladder


def highest(analysis: Analysis) -> list[Ladder]:
    """The highest level that was measured with each compiler."""
    found = {compiler: level for level, compiler in analysis.ladders}
    return [(level, compiler) for compiler, level in found.items()]


def helped(row: Row) -> bool:
    return row.vs_base is not None and row.vs_base.is_faster


def helped_elsewhere(analysis: Analysis, row: Row) -> Row | None:
    """Where a step that is not faster on the first workload gains most, of the other main ones."""
    if helped(row):
        return None
    names = [one.name for one in analysis.main_workloads if one.name != analysis.first]
    places = [one for name in names for one in analysis.rows_on(name) if one.id == row.id and helped(one)]
    return max(places, key=lambda one: one.vs_base.ratio if one.vs_base else 1, default=None)


def rows_at(analysis: Analysis, ladder: Ladder) -> dict[str, Row]:
    """By program, on the first workload."""
    return {row.stage: row for row in analysis.first_rows if row.ladder == ladder}


def columns(analysis: Analysis) -> list[str]:
    """Every program but the control: the stages, what is compiled of them in other ways, the libraries."""
    of_kind = {
        kind: list(dict.fromkeys(analysis.name[one.id] for one in analysis.programs if one.kind == kind))
        for kind in ("variant", "peer")
    }
    return [*(stage.name for stage in analysis.stages), *sorted(of_kind["variant"]), *of_kind["peer"]]


def titles(analysis: Analysis) -> dict[str, str]:
    """What programs are called where there is room."""
    found = {stage.name: f"{stage.number} {stage.notes.title}" for stage in analysis.stages}
    libraries = peers(analysis)
    for one in analysis.programs:
        name, stage = analysis.name[one.id], analysis.stage_of(one)
        if one.kind == "variant" and one.variant:
            of = stage.number if stage else f"library: {libraries[analysis.base_name(one) or name]}"
            found[name] = f"{of} {VARIANTS.get(one.variant, one.variant)}"
        elif one.kind == "peer":
            found[name] = f"library: {libraries[name]}"
        elif one.kind == "control":
            found[name] = "the reference again"
    return found


def peers(analysis: Analysis) -> dict[str, str]:
    """What the libraries are called, with the standard they keep to where that is another one."""
    words = standards(analysis)
    named = {analysis.name[one.id]: one.stage for one in analysis.programs if one.kind == "peer"}
    return {name: f"{library} ({words[name]})" if name in words else library for name, library in named.items()}


def standards(analysis: Analysis) -> dict[str, str]:
    """By library of another standard: what it does instead."""
    words = analysis.case.standards
    return {
        analysis.name[one.id]: words.get(one.standard, one.standard)
        for one in analysis.programs
        if one.kind == "peer" and one.standard
    }


def lacks(analysis: Analysis) -> dict[str, str]:
    """By library that cannot do all of the contract: what it is not checked for."""
    words = analysis.case.lacks
    named = {
        analysis.name[one.id]: [words[word] for word in one.lacks if word in words]
        for one in analysis.programs
        if one.kind == "peer"
    }
    return {name: f"not supported, so not checked: {'; '.join(what)}" for name, what in named.items() if what}


def short_titles(analysis: Analysis) -> dict[str, str]:
    """For pictures: a footnote says what is special about a library."""
    return titles(analysis) | {name: f"library: {short_peer_name(analysis, name)}" for name in peers(analysis)}


def footnotes(analysis: Analysis) -> list[str]:
    """The texts of the asterisks, for which a heading has no room."""
    found: dict[str, list[str]] = {}
    for name, words in (*standards(analysis).items(), *lacks(analysis).items()):
        found.setdefault(words, []).append(peer_name(analysis, name))
    return [f"* {', '.join(names)}: {words}" for words, names in found.items()]


def short_peer_name(analysis: Analysis, name: str) -> str:
    return f"{peer_name(analysis, name)}{'*' if name in standards(analysis) | lacks(analysis) else ''}"


def peer_name(analysis: Analysis, name: str) -> str:
    return name.removeprefix(f"{analysis.case.name}-")


def neighbouring_levels(analysis: Analysis) -> list[tuple[str, str, str]]:
    """Compiler, level below, level."""
    found = []
    for compiler in dict.fromkeys(compiler for _, compiler in analysis.ladders):
        levels = [level for level, other in analysis.ladders if other == compiler]
        found += [(compiler, below, level) for below, level in pairwise(levels)]
    return found


def over_levels(analysis: Analysis) -> list[LevelComparison]:
    """Of every two neighbouring levels of a compiler the closing stages, where they were measured beside each other."""
    found = []
    neighbours = neighbouring_levels(analysis)
    for compiler, below, level in neighbours:
        first, second = (analysis.closing((one, compiler)) for one in (below, level))
        if first is None or second is None:
            continue
        of_compiler = sum(one == compiler for one, _, _ in neighbours)
        for workload in analysis.workloads:
            floors = (analysis.floor((one, compiler), workload.name) for one in (below, level))
            known = [floor for floor in floors if floor is not None]
            floor = max(known) if len(known) == 2 else None  # where a control failed, nothing is decided
            comparison = analysis.times.compare(first.id, second.id, workload.name, floor, of_compiler)
            if comparison:
                names = analysis.name[second.id], analysis.name[first.id]
                found.append(LevelComparison(level, compiler, below, *names, workload.name, comparison))
    return found


@dataclass(frozen=True)
class Gain:
    """A step of the path to the last stage: how many times as fast it is as the fastest stage before it there."""

    stage: str
    ratio: float


def gains(analysis: Analysis, ladder: Ladder) -> list[Gain]:
    """On the first workload, most first. A step that only makes good what the steps before it lost is none of these."""
    rows, last = rows_at(analysis, ladder), end(analysis, ladder)
    fastest, found = 1.0, []
    for stage in analysis.case.path_to(next(one for one in analysis.stages if one.name == last)):
        row = rows.get(stage.name)
        if row is None or row.vs_reference is None:
            continue
        if helped(row) and row.vs_reference.ratio > fastest:
            found.append(Gain(row.stage, row.vs_reference.ratio / fastest))
        fastest = max(fastest, row.vs_reference.ratio)
    return sorted(found, key=lambda one: -one.ratio)


def milestones(analysis: Analysis, ladder: Ladder) -> list[str]:
    """The reference, the three steps that gained most, and the closing stage."""
    closing = end(analysis, ladder)
    most = [one.stage for one in gains(analysis, ladder) if one.stage != closing][:3]
    return [analysis.reference, *sorted(most), closing]


def round_ratios(analysis: Analysis) -> dict[str, list[float]]:
    """By program: for each round, how many times faster than the reference on the first workload."""
    found: dict[str, list[float]] = {}
    for one in analysis.programs:
        reference = analysis.at(analysis.reference, (one.level, one.compiler))
        found[one.id] = analysis.times.ratios(reference.id, one.id, analysis.first) if reference else []
    return found
