"""Does what case.toml, notes and hints say fit the programs that were built?"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator

from perf_ladders import exercise
from perf_ladders.catalogue import Build, Case, shown
from perf_ladders.measure import workloads_of

_GLOBAL = "TDBRC"  # letters of nm: code and data that other files can see


def misfits(case: Case, build: Build) -> Iterator[str]:
    """A sentence for each; none of what was not built."""
    yield from _workloads(case, build)
    yield from _symbols(case, build)


def _workloads(case: Case, build: Build) -> Iterator[str]:
    here = [program for program in build.programs if program.case == case.name and not program.cannot]
    reference = next((program for program in here if program.kind == "stage" and program.number == "00"), None)
    if reference is None:
        return
    place = f"tests/{case.name}/workloads.cpp"
    workloads = workloads_of(reference)
    names = Counter(workload.name for workload in workloads)
    yield from (f"{place} has {times} workloads named '{name}'." for name, times in names.items() if times > 1)
    if not any(workload.role == "main" for workload in workloads):
        yield f"{place} has no workload of Role::main: the one that the ladder is measured on."
    said = [(claim.workload, "case.toml: the workload of a claim") for claim in case.claims]
    for stage in case.stages:
        if (path := stage.directory / "hints.md").is_file():
            said.append((exercise.read_hints(stage).workload, f"{shown(path)}: its workload"))
    for name, where in said:
        if name is not None and name not in names:
            yield f"{where}, '{name}', is none of {place}; there are: {', '.join(names)}."


def _symbols(case: Case, build: Build) -> Iterator[str]:
    contract = set(case.symbols)
    stages = [one for one in build.programs if one.case == case.name and one.kind == "stage" and not one.cannot]
    for program in stages:
        found = _defined(str(program.object))
        if lacking := contract - found:
            others = f"it defines: {'; '.join(sorted(found))}" if found else "it defines none"
            yield f"case.toml: symbols has '{min(lacking)}', which {shown(program.source)} does not define; {others}."
        elif more := found - contract:
            yield (
                f"{shown(program.source)} defines '{min(more)}', which is none of the symbols of case.toml: "
                "what is not of the contract stands in an unnamed namespace."
            )


def _defined(file: str) -> set[str]:
    command = ["nm", "--defined-only", "--demangle", file]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {match[1] for line in lines if (match := re.match(rf"[0-9a-f]{{8,}} [{_GLOBAL}] (.+)", line))}
