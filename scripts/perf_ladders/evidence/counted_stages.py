"""How many instructions does a call of each stage take? callgrind's counts repeat exactly, so a count that changes
while its source does not has another reason: flags, a header of the system, the harness.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from perf_ladders.evidence.instructions import beyond_valgrind, by_callgrind
from perf_ladders.machine import topology
from perf_ladders.measure.runner import workloads_of
from perf_ladders.model.proof import CountedStage
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.catalogue import Case
from perf_ladders.tree.source import digest_of


def counted(case: Case, build: Build) -> list[CountedStage]:
    """Of the stages that are built and that Valgrind runs."""
    mine = [one for one in build.programs if (one.kind, one.case) == ("stage", case.name) and one.path.exists()]
    programs = [one for one in mine if not beyond_valgrind(one, build) and not one.device]
    with ThreadPoolExecutor(len(topology.allowed_cpus())) as pool:
        return [one for one in pool.map(lambda program: _counted(program, case, build), programs) if one]


def _counted(program: Program, case: Case, build: Build) -> CountedStage | None:
    workload = workloads_of(program)[0]
    counts = by_callgrind(program, sorted(case.symbols), workload, topology.allowed_cpus()[0])
    if counts is None:
        return None
    return CountedStage(
        case=case.name,
        stage=case.stage(str(program.number)).slug,
        level=program.level,
        compiler=f"{build.compiler.name} {build.compiler.version}",
        source=digest_of(program.source),
        workload=workload.name,
        instructions=counts.own // counts.calls,
    )


def joined(fresh: Sequence[CountedStage], kept: Sequence[CountedStage]) -> Iterator[CountedStage]:
    """Each stage once. The count that was kept stays where source and workload did, and the row says if it is another
    one now."""
    new, old = ({one.key: one for one in rows} for rows in (fresh, kept))
    for key in sorted({*new, *old}):
        one, was = new.get(key), old.get(key)
        if one and was and (one.source, one.workload) == (was.source, was.workload):
            yield msgspec.structs.replace(was, now=0 if one.instructions == was.instructions else one.instructions)
        elif found := one or was:
            yield found
