"""Can a result be taken into the repository? Each check with what it found; `publish` refuses what fails one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from perf_ladders.machine import identity
from perf_ladders.model.java import JavaMeasurement
from perf_ladders.model.measurement import Machine, Made, Measurement
from perf_ladders.results import guards, java
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.store import Published
from perf_ladders.tree import history
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.java import java_cases

Mark = Literal["ok", "note", "fails"]
_OF_A_USER = rb"/(?:home|root|Users|mnt|media|tmp)/[^\s\"]*"
_OF_EVERY_SYSTEM = rb"(?:usr|opt|etc|proc|sys|dev|lib(?:32|64|x32)?|bin|run|var|nix/store|gnu/store)/"
_FOLDER = re.compile(_OF_A_USER + rb"|(?:(?<![\w./-])|(?<=-[IL]))/(?!" + _OF_EVERY_SYSTEM + rb")(?:[\w.+-]+/)+[^\s\"]*")
_MOST = 8  # names in a sentence


@dataclass(frozen=True)
class Check:
    what: str
    mark: Mark
    found: str


def checks(found: Published) -> list[Check]:
    """Of a file that decodes."""
    return [*_checks(found)]


def folders(data: bytes) -> list[str]:
    """Of the machine that it was made on, which a result must not name."""
    return [one.decode(errors="replace") for one in _FOLDER.findall(data)]


def _checks(found: Published) -> Iterator[Check]:
    yield Check("file", "ok", f"decodes as {found.format}, version {found.version}")
    if named := folders(msgspec.json.encode(found)):
        yield Check("privacy", "fails", f"it names a folder of its machine: {_some(named)}")
    yield _machine(found.machine)
    if isinstance(found, Measurement):
        analysis = Analysis(read_case(found.case), found)
        yield from _noise(analysis)
        yield from _sources(analysis)
    else:
        if isinstance(found, JavaMeasurement):
            if found.case not in [case.name for case in java_cases()]:
                yield Check("case", "fails", f"there is no stages/java/{found.case}")
            yield _java_control(java.JavaAnalysis(found))
        yield _commit(found.made)


def _java_control(analysis: java.JavaAnalysis) -> Check:
    apart = analysis.apart
    said = f"of {len(analysis.controls)} ways beside themselves, {len(apart)} came out different"
    return Check("A/A control", "fails" if apart else "ok", f"{said}: {_some(apart)}" if apart else said)


def _machine(machine: Machine) -> Check:
    if not identity.is_named(machine):
        return Check("machine", "fails", "the CPU is not named")
    virtual = "no virtual machine" if machine.virtual_machine == "no" else f"virtual machine: {machine.virtual_machine}"
    numbers = machine.family_model_stepping or "no numbers"
    if machine.told_by_features:
        numbers = f"told by its features, for its numbers {numbers} are those of another CPU"
    name = identity.name(machine)
    return Check("machine", "ok", f"{name}, {numbers}; CPUs: {machine.cpus}; {virtual}; {machine.system}")


def control(analysis: Analysis) -> Check:
    if failed := guards.control_failures(analysis):
        said = f"failed ({failed[0]}): measure again when it is quiet"
        return Check("A/A control", "fails", said)
    if not guards.has_control(analysis):
        return Check("A/A control", "fails", "was not measured")
    if short := guards.short_controls(analysis):
        said = f"has too few rounds to fail ({short[0]}): measure with ROUNDS=12 or more"
        return Check("A/A control", "fails", said)
    return Check("A/A control", "ok", f"{guards.control(analysis).value}, none of them on a main workload")


def _noise(analysis: Analysis) -> Iterator[Check]:
    yield control(analysis)
    peak = guards.peak(analysis)
    mark: Mark = "fails" if not peak.ok else "ok" if peak.known else "note"
    yield Check("peak", mark, peak.value if peak.ok else peak.sentence)
    for guard in guards.guards(analysis):
        if not (guard.ok or guard.error) and guard.guard not in (peak.guard, guards.control(analysis).guard):
            yield Check("noise", "note", guard.sentence)


def _sources(analysis: Analysis) -> Iterator[Check]:
    measured = analysis.measurement
    made = _commit(measured.made)
    if not measured.files:
        yield Check("sources", "fails", "are not named: `files` is empty")
    units = {unit for program in analysis.programs for unit in analysis.units(program)}
    files = {unit for unit in units if not unit.startswith("variant/")}  # some of these are an option alone
    if unnamed := sorted(files - measured.sources.keys()):
        yield Check("sources", "fails", f"have no digest, so nobody could tell that they changed: {_some(unnamed)}")
    if made.mark == "ok" and measured.made.commit and (apart := history.apart(measured.files, measured.made.commit)):
        made = Check("sources", "fails", f"are not those of commit {measured.made.commit}: {_some(apart)}")
    elif made.mark == "note" and (commit := history.commit_of(measured.files)):
        made = Check("sources", "ok", f"those of commit {commit} of main, under another name")
    yield made
    if analysis.changed:
        some = _some(sorted(analysis.changed))
        yield Check("sources", "note", f"other than in this tree, so pages mark their rows: {some}")
    elif made.mark == "note":
        yield Check("sources", "ok", "each program's are those of this tree")


def _commit(made: Made) -> Check:
    if made.commit is None or made.changed:
        return Check("sources", "fails", "made from sources that no commit has: commit, then measure again")
    if not history.in_main(made.commit):
        return Check("sources", "note", f"commit {made.commit} is not in main, as far as this clone knows")
    return Check("sources", "ok", f"those of commit {made.commit} of main")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more
