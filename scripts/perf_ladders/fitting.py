"""Does what case.toml, notes and hints say fit the programs that were built?"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator

from perf_ladders import exercise
from perf_ladders.catalogue import STAGES, Build, Case, shown
from perf_ladders.measure import Workload, workloads_of

_GLOBAL = "TDBRC"  # letters of nm: code and data that other files can see


def misfits(case: Case, build: Build) -> Iterator[str]:
    """A sentence for each; the case is built, but for what this CPU cannot run."""
    here = [program for program in build.programs if program.case == case.name and not program.cannot]
    reference = next((program for program in here if program.kind == "stage" and program.number == "00"), None)
    if reference:
        workloads = workloads_of(reference)
        yield from of_workloads(case, workloads)
        yield from _of_hints(case, workloads)
    yield from _of_symbols(case, build)


def of_workloads(case: Case, workloads: list[Workload]) -> Iterator[str]:
    """What no report could be made of."""
    place = f"tests/{case.name}/workloads.cpp"
    names = Counter(workload.name for workload in workloads)
    yield from (f"{place} has {times} workloads named '{name}'." for name, times in names.items() if times > 1)
    if not any(workload.role == "main" for workload in workloads):
        yield f"{place} has no workload of Role::main: the one that the ladder is measured on."
    for claim in case.claims:
        if claim.workload and claim.workload not in names:
            where = f"{shown(STAGES / case.name / 'case.toml')}: '{claim.text}'"
            yield f"{where} is of a workload '{claim.workload}'; there are: {', '.join(names)}."


def _of_hints(case: Case, workloads: list[Workload]) -> Iterator[str]:
    names = [workload.name for workload in workloads]
    for stage in case.stages:
        path = stage.directory / "hints.md"
        if path.is_file() and (name := exercise.read_hints(stage).workload) and name not in names:
            yield f"{shown(path)} is of a workload '{name}'; there are: {', '.join(names)}."


def _of_symbols(case: Case, build: Build) -> Iterator[str]:
    contract, toml = set(case.symbols), shown(STAGES / case.name / "case.toml")
    stages = [one for one in build.programs if one.case == case.name and one.kind == "stage" and not one.cannot]
    for program in stages:
        found = _defined(str(program.object))
        if lacking := contract - found:
            others = f"it defines: {'; '.join(sorted(found))}" if found else "it defines none"
            yield f"{toml}: symbols has '{min(lacking)}', which {shown(program.source)} does not define; {others}."
        elif more := found - contract:
            yield (
                f"{shown(program.source)} defines '{min(more)}', which is none of the symbols of {toml}: "
                "what is not of the contract stands in an unnamed namespace."
            )


def _defined(file: str) -> set[str]:
    command = ["nm", "--defined-only", "--demangle", file]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {match[1] for line in lines if (match := re.match(rf"[0-9a-f]{{8,}} [{_GLOBAL}] (.+)", line))}
