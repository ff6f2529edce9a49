"""A measurement in the formats of other tools: Google Benchmark's JSON, Go's benchmark format, CSV. A profile of
callgrind in those of flame graphs: speedscope's JSON, collapsed stacks.

Of a measurement all hold the same values: of each process the least time of a call, as the file keeps it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from perf_ladders.evidence.call_stacks import Stack
from perf_ladders.machine import identity
from perf_ladders.model.measurement import Program, Quantity
from perf_ladders.results.analysis import Analysis

_COLUMNS = (
    "case",
    "program",
    "kind",
    "level",
    "compiler",
    "workload",
    "bytes",
    "round",
    "beside",
    "quantity",
    "ns",
)
_SPEEDSCOPE = "https://www.speedscope.app/file-format-schema.json"
_SPLITS = re.compile(r"[\s/]+")  # what parts a name, or ends it
_CALLS = 1  # a file keeps times of a call, and not how many calls took that long


@dataclass(frozen=True)
class Value:
    """One value of a process, as the measurement holds it."""

    program: Program
    workload: str
    round: int
    ns: float
    beside: Program | None = None  # the program of the same pair; None in a fixed block
    of: Quantity = "time"


def values(analysis: Analysis) -> Iterator[Value]:
    """Of the programs that the tree has, in the order in which they were measured."""
    there = analysis.program
    for block in analysis.measurement.blocks:
        for run in block.runs:
            if run.program in there:
                for workload, times in run.times_ns.items():
                    yield Value(there[run.program], workload, block.number, min(times))
    for pair in analysis.measurement.pairs:
        base, stage = there.get(pair.base), there.get(pair.stage)
        if base and stage:
            yield Value(base, pair.workload, pair.round, pair.base_ns, stage, pair.of)
            yield Value(stage, pair.workload, pair.round, pair.stage_ns, base, pair.of)


def to_csv(analysis: Analysis) -> str:
    """A line for each value; two lines of one round name each other in `beside`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    size = {workload.name: workload.bytes for workload in analysis.workloads}
    for one in values(analysis):
        program = one.program
        name = analysis.name[program.id]
        beside = analysis.name[one.beside.id] if one.beside else ""
        built = (program.kind, program.level, program.compiler)
        what = (one.workload, size[one.workload], one.round, beside, one.of, one.ns)
        writer.writerow((analysis.case.name, name, *built, *what))
    return out.getvalue()


def to_google_benchmark(analysis: Analysis) -> str:
    """As `--benchmark_out` writes it: a repetition for each process. There is one clock, so cpu_time is real_time."""
    measured = analysis.measurement
    benchmarks = []
    for family, ((program, workload), times) in enumerate(_times(analysis).items()):
        name = f"{analysis.name[program]}/{analysis.program[program].level}/{analysis.program[program].compiler}"
        benchmarks += [
            {
                "name": f"{name}/{workload}",
                "run_name": f"{name}/{workload}",
                "run_type": "iteration",
                "family_index": family,
                "per_family_instance_index": 0,
                "repetitions": len(times),
                "repetition_index": number,
                "threads": 1,
                "iterations": _CALLS,
                "real_time": ns,
                "cpu_time": ns,
                "time_unit": "ns",
            }
            for number, ns in enumerate(times)
        ]
    context = {
        "date": measured.made.date,
        "num_cpus": measured.machine.cpus,
        "mhz_per_cpu": round(analysis.clock_ghz * 1000),
        "library_build_type": "release",
        "json_schema_version": 1,
        **_about(analysis),
    }
    return json.dumps({"context": context, "benchmarks": benchmarks}, indent=1) + "\n"


def to_benchstat(analysis: Analysis) -> str:
    """Go's benchmark format. A name ends with the compiler: benchstat takes `-64` at the end for a number of CPUs."""
    lines = [f"{key}: {' '.join(value.split())}" for key, value in _about(analysis).items()]
    lines.append(f"date: {analysis.measurement.made.date}")
    for (found, workload), times in _times(analysis).items():
        program = analysis.program[found]
        parts = {"program": analysis.name[found], "workload": workload}
        parts |= {"level": program.level, "compiler": program.compiler}
        words = "/".join(f"{key}={_SPLITS.sub(':', value)}" for key, value in parts.items())
        lines += [f"Benchmark/{words} {_CALLS} {ns!r} ns/op" for ns in times]
    return "\n".join(lines) + "\n"


FORMATS: dict[str, Callable[[Analysis], str]] = {
    "csv": to_csv,
    "google-benchmark": to_google_benchmark,
    "benchstat": to_benchstat,
}


def to_speedscope(stacks: Mapping[Stack, int], name: str) -> str:
    """A sampled profile whose weights are instructions."""
    frames = {function: number for number, function in enumerate(dict.fromkeys(chain.from_iterable(stacks)))}
    profile = {
        "type": "sampled",
        "name": f"{name}: instructions",
        "unit": "none",
        "startValue": 0,
        "endValue": sum(stacks.values()),
        "samples": [[frames[function] for function in stack] for stack in stacks],
        "weights": list(stacks.values()),
    }
    shared = {"frames": [{"name": function} for function in frames]}
    return json.dumps({"$schema": _SPEEDSCOPE, "name": name, "shared": shared, "profiles": [profile]}) + "\n"


def to_collapsed(stacks: Mapping[Stack, int], name: str) -> str:
    """As flamegraph.pl reads it: this format has no place for a name."""
    return "".join(f"{';'.join(part.replace(';', ':') for part in one)} {cost}\n" for one, cost in stacks.items())


PROFILE_FORMATS: dict[str, Callable[[Mapping[Stack, int], str], str]] = {
    "speedscope": to_speedscope,
    "collapsed": to_collapsed,
}


def _about(analysis: Analysis) -> dict[str, str]:
    measured = analysis.measurement
    found = {"case": measured.case, "cpu": identity.name(measured.machine)}
    return found | ({"commit": measured.made.commit} if measured.made.commit else {})


def _times(analysis: Analysis) -> dict[tuple[str, str], list[float]]:
    """By program and workload, in the order of both; the reference of pairs has a process in each of them."""
    found: dict[tuple[str, str], list[float]] = {
        (program.id, workload.name): [] for workload in analysis.workloads for program in analysis.programs
    }
    for one in values(analysis):
        if one.of == "time":
            found[one.program.id, one.workload].append(one.ns)
    return {place: times for place, times in found.items() if times}
