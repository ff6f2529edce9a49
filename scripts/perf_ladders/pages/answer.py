"""The answer that a report begins and ends with: a few sentences, the same in the terminal and on all pages. And where
an earlier stage is faster than the last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perf_ladders.pages import formatting
from perf_ladders.results import libraries, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.guards import control_failures
from perf_ladders.results.rows import PeerComparison, Row

_MAX_STEPS = 3
_WORTH_NAMING = 1.05  # of a step, as the gain over the fastest stage before it
_WORST = 4  # workloads on which an earlier stage is faster, of those that are named
_OVER = {
    "faster": "is faster than",
    "slightly faster": f"is faster, {formatting.SLIGHTLY}, than",
    "slightly slower": f"is slower, {formatting.SLIGHTLY}, than",
    "slower": "is slower than",
    "same code": "is the same machine code as",
}
_TROUBLE = {
    "noisy": "the A/A control failed, so the machine was too noisy",
    "uncommitted": "its sources were not committed, so nobody can check them out",
}


@dataclass(frozen=True)
class Answer:
    sentences: list[str]
    trouble: str  # noisy or uncommitted: then no headline figure is shown; else empty


def answer(analysis: Analysis, published: bool) -> Answer:
    """A report of one's own machine and tree shows its figures all the same."""
    word = trouble(analysis)
    if word and published:
        return Answer([f"There is no headline figure: {_TROUBLE[word]}. This case has to be measured again."], word)
    top = queries.top(analysis)
    found = [_gain(analysis, top), _steps(analysis, top), _libraries(analysis, top), _earlier(analysis, top)]
    if word == "noisy":
        found.append("Do not trust these figures: the A/A control failed, so the machine was too noisy.")
    return Answer([sentence for sentence in found if sentence], "")


def trouble(analysis: Analysis) -> str:
    """In one word, why the figures of a measurement are not to be quoted."""
    if control_failures(analysis):
        return "noisy"
    return "uncommitted" if analysis.measurement.made.uncommitted else ""


def _gain(analysis: Analysis, top: Row) -> str:
    number, _, title = queries.titles(analysis)[top.stage].partition(" ")
    machine = formatting.short_machine(analysis.measurement)
    where = f"{top.workload}, {formatting.size(top.bytes)} a call; {top.compiler}, {top.level}; {machine}"
    if top.vs_reference is None:
        return f"Only the reference was measured ({where})."
    ratio = formatting.ratio(top.vs_reference)
    cycles = f", at {formatting.number(top.cycles_byte)} cycles a byte" if top.cycles_byte else ""
    speed = f"It processes {formatting.number(1 / top.ns_byte)} GB/s{cycles}."
    return f"Stage {number} ({title}) has a speed-up of {ratio} over the reference ({where}). {speed}"


def _steps(analysis: Analysis, top: Row) -> str:
    """Which brought most, which help other workloads alone, and which did not help, of those that lead to the stage of
    the first sentence."""
    titles, rows = queries.titles(analysis), queries.rows_at(analysis, top.ladder)
    path = [rows[stage.name] for stage in analysis.case.path_to(queries.last(analysis)) if stage.name in rows]
    steps = [(row.vs_base, row) for row in path if row.vs_base]
    others = [row.stage for _, row in steps if queries.helped_elsewhere(analysis, row)]
    idle = [row.stage for found, row in steps if found.verdict in ("same", "same code") or found.is_slower]
    no_help = [name for name in idle if name not in others]
    said = []
    if gains := queries.gains(analysis, top.ladder)[:_MAX_STEPS]:
        worth = [one for one in gains if one.ratio >= _WORTH_NAMING] or gains[:1]
        most = [f"{titles[one.stage]} ({formatting.times(one.ratio)})" for one in worth]
        over = f"{'each ' if len(most) > 1 else ''}over the fastest stage before it on the main path"
        said.append(f"Most came from {formatting.listed(most)}, {over}.")
    for names, what in ((others, "only on other main workloads"), (no_help, "on no main workload")):
        if names:
            numbers = formatting.listed(map(formatting.stage_number, names))
            said.append(f"Faster {what}: stage{'s' if len(names) > 1 else ''} {numbers}.")
    return " ".join(said)


def _libraries(analysis: Analysis, top: Row) -> str:
    """Over the fastest library, where it is best and where worst."""
    found = libraries.against(analysis, top.ladder)
    ends = found.here.ends
    if len(ends) < 2:
        return "".join(_over(found, one, f"On {one.workload}") for one in ends)
    words = ("On its best workload", "On its worst")
    return " ".join(_over(found, one, f"{word} ({one.workload})") for one, word in zip(ends, words, strict=True))


def _over(found: libraries.Against, one: PeerComparison, place: str) -> str:
    library, of = f"the fastest library, {found.libraries[one.peer].title}", one.comparison
    within = f"differs by no more than {100 * of.alike:.2g} % from"
    said = f"it {_OVER.get(of.verdict, within)} {library}"
    if of.verdict == "undecided":
        said = f"the comparison with {library}, is undecided"
    return f"{place} {said}: {formatting.ratio(of)}."


def _earlier(analysis: Analysis, top: Row) -> str:
    """Where the fastest code is not that of the last stage."""
    found = queries.earlier_stages(analysis, top.ladder)
    slower = _slower(found)
    if not slower:
        return ""
    most = slower[0]
    where = f"{len(slower)} of {formatting.counted(len(found), 'workload')}, sizes included"
    last, earlier = formatting.stage_number(top.stage), formatting.stage_number(most.stage)
    worst = f"Stage {last} loses most on {most.workload}: {formatting.ratio(most.comparison)} over stage {earlier}."
    return f"An earlier stage is faster on {where}. {worst}"


def _slower(found: Sequence[queries.Earlier]) -> list[queries.Earlier]:
    """Where the last stage loses most first."""
    return sorted((one for one in found if one.comparison.is_slower), key=lambda one: one.comparison.ratio)


def about_earlier(found: Sequence[queries.Earlier]) -> str:
    """In Markdown: where an earlier stage is faster than the last one."""
    if not found:
        return ""
    compared = f"with an earlier one on {formatting.counted(len(found), 'workload')}, sizes included"
    said = f"At its best level the last stage was compared {compared}."
    slower = _slower(found)
    if not slower:
        return f"{said} No earlier stage was found to be faster."
    places = ", ".join(
        f"{formatting.ratio(one.comparison)} on `{one.workload}` (stage {formatting.stage_number(one.stage)})"
        for one in slower[:_WORST]
    )
    more = ", and a smaller loss on the others" if len(slower) > _WORST else ""
    where = f"An earlier stage is faster on {formatting.counted(len(slower), 'workload')}."
    return f"{said} {where} The last stage has a speed-up over it of {places}{more}."
