"""What source documents say of a step, and whether it holds here."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from perf_ladders.machine import identity
from perf_ladders.model.apps import Device
from perf_ladders.results import apps, java
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder
from perf_ladders.results.store import Published
from perf_ladders.stats import Comparison, Verdict
from perf_ladders.tree.claim import SAME, Claim, Document
from perf_ladders.tree.documents import documents

Outcome = Literal[
    "reproduced",
    "more than claimed",
    "less than claimed",
    "the other way round",
    "open",
    "not measured yet",
    "not testable here",
]
UNTOLD: tuple[Outcome, ...] = ("not measured yet", "not testable here")
DECIDED: tuple[Outcome, ...] = ("reproduced", "more than claimed", "less than claimed", "the other way round")
_SAME_CODE = "the same machine code"
_NARROW = 2.0  # an interval that overlaps the claimed one reproduces it if it is less than this often as wide


@dataclass(frozen=True)
class Measured:
    """On one ladder; in Java of two ways on a JVM."""

    level: str
    compiler: str
    comparison: Comparison
    outcome: Outcome


@dataclass(frozen=True)
class Judged:
    claim: Claim
    document: Document
    here: Measured | None  # at the level of the claim
    others: list[Measured]  # at other levels, and with other compilers
    java: Measured | None  # of the document's programs themselves, on a JVM: then this is the outcome
    outcome: Outcome
    why: str  # it was not judged, or is open
    cpu: str  # of the measurement shown
    date: str
    jvm: str = ""  # the CPU and the date of the Java programs
    machine: str = ""  # that judged it, where it is another than that of the measurement shown

    @property
    def said(self) -> str:
        return f"{self.outcome}: {self.why}" if self.why else self.outcome


def claims(analysis: Analysis, elsewhere: Sequence[Analysis] = ()) -> list[Judged]:
    """What cannot be told here is judged by the first measurement elsewhere that can tell. Not the same machine code,
    which older measurements do not know of."""
    in_java = java.shown().get(analysis.case.name)
    found = []
    for claim in analysis.case.claims:
        here = _judged(analysis, claim, in_java)
        asked = elsewhere if here.outcome in UNTOLD and here.why != _SAME_CODE else ()
        others = (_judged_elsewhere(one, analysis, claim, in_java) for one in asked)
        found.append(next((one for one in others if one.outcome not in UNTOLD), here))
    return found


def score(found: Iterable[Judged]) -> dict[Outcome, int]:
    counts = Counter(one.outcome for one in found)
    return {word: counts[word] for word in get_args(Outcome)}


def judge(claim: Claim, found: Comparison) -> Outcome:
    """By the interval of the ratio. A claim of more than 1 may be missed on the same side of 1, or on the other."""
    if claim.same and found.verdict in ("same", "same code"):
        return "reproduced"
    if found.verdict == "same code":
        return "not testable here"
    if found.low is None or found.high is None or not found.counts:
        return "open"
    low, high = claim.span
    if claim.same and found.verdict == "undecided":
        return "open"
    inside = low <= found.low and found.high <= high
    overlaps = found.low <= high and low <= found.high
    is_narrow = math.log(found.high / found.low) < _NARROW * math.log(high / low) and not math.isinf(high)
    reaches_over = (found.low < 1 <= low) or (high <= 1 < found.high)  # to the other side of 1
    if inside or (overlaps and is_narrow and not reaches_over and not claim.same):
        return "reproduced"
    if overlaps and not claim.same:
        return "open"
    is_more = found.low * found.high > 1 if claim.same else found.low > high
    if claim.centre == 1:
        return "more than claimed" if is_more else "less than claimed"
    if claim.centre < 1:
        return "the other way round" if found.low > 1 else "less than claimed" if is_more else "more than claimed"
    return "more than claimed" if is_more else "the other way round" if found.high < 1 else "less than claimed"


def _why_open(claim: Claim, found: Comparison) -> str:
    if found.low is None or found.high is None or found.rounds < found.least_rounds:
        return "too few rounds"
    if not found.counts:
        return "its A/A control failed, or its times changed"
    if claim.same:
        return "these rounds cannot tell"
    return "the interval reaches across 1" if found.low < 1 < found.high else "the interval is too wide"


def unmet(analysis: Analysis, claim: Claim, document: Document) -> str:
    """The first condition of the document that does not hold here; empty if all hold."""
    machine = analysis.measurement.machine
    apps_of_claim = {command.app for command in analysis.case.commands if command.title == claim.program}
    holds = {
        "cores": machine.cpus >= document.cores,
        "bits": document.bits == 64 or any(app.endswith(f"-{document.bits}") for app in apps_of_claim),
        "device": any(one.kind == document.device for one in _devices(analysis)),
        "language": document.language == "C++",
    }
    return next((document.need(name) for name in claim.needs if not holds[name]), "")


def _devices(analysis: Analysis) -> list[Device]:
    return [run.device for app in analysis.measurement.apps for run in app.runs if run.device]


def _judged(analysis: Analysis, claim: Claim, in_java: java.Shown | None) -> Judged:
    document = documents()[claim.document]
    measured = [
        Measured(*ladder, comparison, judge(claim, comparison))
        for ladder in analysis.ladders
        if (comparison := _compared(analysis, claim, ladder))
    ]
    here = next((one for one in measured if one.level == claim.level), None)
    others = [one for one in measured if one is not here]
    on_jvm = _on_jvm(claim, in_java)
    why = "" if on_jvm else unmet(analysis, claim, document)
    told = on_jvm or here
    outcome: Outcome = "not testable here" if why else told.outcome if told else "not measured yet"
    if not why and told and _is_stale(analysis, claim, in_java if on_jvm else None):
        outcome, why = "not measured yet", "the sources have changed since"
    if outcome == "not testable here" and not why:
        why = _SAME_CODE
    if outcome == "open" and told:
        why = _why_open(claim, told.comparison)
    cpu, date = _place(analysis.measurement)
    jvm = ", ".join(_place(in_java.analysis.measurement)) if on_jvm and in_java else ""
    return Judged(claim, document, here, others, on_jvm, outcome, why, cpu, date, jvm)


def _judged_elsewhere(analysis: Analysis, shown: Analysis, claim: Claim, in_java: java.Shown | None) -> Judged:
    """An older measurement of the same CPU is named by its date."""
    (cpu, date), (cpu_shown, date_shown) = _place(analysis.measurement), _place(shown.measurement)
    names = [cpu, *([date] if cpu == cpu_shown else [])]
    if "cores" in claim.needs:  # more of them may gain more
        names.append(f"{analysis.measurement.machine.cpus} CPUs")
    if "device" in claim.needs:
        names += sorted({one.name for one in _devices(analysis)})
    judged = _judged(analysis, claim, in_java)
    return replace(judged, cpu=cpu_shown, date=date_shown, machine=", ".join(names))


def _place(measurement: Published) -> tuple[str, str]:
    """The CPU and the date."""
    return identity.short_name(measurement.machine), measurement.made.date[:10]


def _on_jvm(claim: Claim, in_java: java.Shown | None) -> Measured | None:
    if claim.java is None or in_java is None:
        return None
    found = in_java.analysis.compared(claim.java.base, claim.java.stage, claim.workload)
    jvm = in_java.analysis.measurement.jvm
    return (
        Measured(f"`{claim.java.base}` to `{claim.java.stage}`", jvm.version, found, judge(claim, found))
        if found
        else None
    )


def _is_stale(analysis: Analysis, claim: Claim, in_java: java.Shown | None) -> bool:
    if claim.java and in_java:
        return in_java.analysis.is_stale(in_java.case, claim.java.base, claim.java.stage)
    is_changed = claim.of == "program" and _is_changed(analysis, claim.program)
    return is_changed or analysis.is_stale(claim.base, claim.stage)


def _is_changed(analysis: Analysis, program: str) -> bool:
    """The source of the program with that title. `document-32` is the program `document`, built in another way."""
    names = [f"app/{command.app}-" for command in analysis.case.commands if command.title == program]
    return any(name.startswith(f"{unit}-") for name in names for unit in analysis.changed)


def _compared(analysis: Analysis, claim: Claim, ladder: Ladder) -> Comparison | None:
    if claim.of == "program":
        return apps.compared(analysis, claim.program, claim.base, claim.stage, ladder)
    if claim.of == "instructions":
        return _by_instructions(analysis, claim, ladder)
    found = analysis.compared(claim.base, claim.stage, ladder, claim.workload, claim.of)
    if found is None or claim.beside is None:
        return found
    beside = analysis.compared(claim.base, claim.stage, ladder, claim.beside)
    return _divided(found, beside) if beside else None


def _divided(one: Comparison, other: Comparison) -> Comparison:
    """One speed-up over another; the interval holds where both of theirs do."""
    if None in (one.low, one.high, other.low, other.high):
        return Comparison(one.ratio / other.ratio, None, None, "undecided")
    low, high = (one.low or 0) / (other.high or 1), (one.high or 0) / (other.low or 1)
    rounds, counts = min(one.rounds, other.rounds), one.counts and other.counts
    return Comparison(one.ratio / other.ratio, low, high, "undecided", rounds=rounds, counts=counts)


def _by_instructions(analysis: Analysis, claim: Claim, ladder: Ladder) -> Comparison | None:
    """Counts are exact: the interval is a point."""
    counts = []
    for name in (claim.base, claim.stage):
        program = analysis.at(name, ladder)
        found = analysis.evidence_of(program) if program else None
        if found is None or found.instructions is None or found.instructions.workload != analysis.first:
            return None
        counts.append(found.instructions.per_byte)
    ratio = counts[0] / counts[1]
    verdict: Verdict = "faster" if ratio > 1 + SAME else "slower" if ratio < 1 / (1 + SAME) else "same"
    return Comparison(ratio, ratio, ratio, verdict, rounds=1)
