"""All evidence of each program, as a measurement holds it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from perf_ladders.errors import Missing
from perf_ladders.evidence.assembly import HotLoop, hot_loop, line_text, source_lines
from perf_ladders.evidence.estimate import estimate
from perf_ladders.evidence.instructions import Counts, count
from perf_ladders.evidence.remarks import remarks
from perf_ladders.evidence.samples import Sampled, counted, sampled
from perf_ladders.evidence.tools import attempt
from perf_ladders.machine import topology
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.runner import Runner, Track
from perf_ladders.model.evidence import (
    Counters,
    Estimate,
    Evidence,
    FunctionShare,
    HotLine,
    Instructions,
    Loop,
    LoopInstruction,
    Remark,
    Samples,
)
from perf_ladders.model.measurement import Workload
from perf_ladders.model.record import Record
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.paths import ROOT

_FUNCTIONS, _LINES, _INSTRUCTIONS = 8, 12, 300  # at most so many of each in a measurement

Lines = Mapping[int, tuple[str, int]]  # file and line by address


@dataclass(frozen=True)
class Context:
    """What is asked of the programs, and what is known of their times."""

    symbols: list[str]  # of the contract
    workloads: list[Workload]
    call_ns: Mapping[str, float]  # of the first workload, by program
    clock_ghz: float
    cpu: int
    profiles: Path | None = None  # the folder that keeps the files of callgrind and perf; None: they are not kept


class _Static(Record, kw_only=True):
    """What takes no time of its own."""

    counts: Counts | None
    remarks: list[Remark] | None
    missing: dict[str, str]


class _Perf(Record, kw_only=True):
    counters: Counters | None
    samples: Sampled | None
    missing: dict[str, str]


def collect(
    runners: Sequence[Runner], builds: Sequence[Build], context: Context, journal: Journal, track: Track
) -> dict[str, Evidence]:
    """By program. Counting uses all cores, for nothing is timed by it; samples are taken one program after another."""
    build_of = {program.id: build for build in builds for program in [*build.programs, *build.exercises]}

    def static(runner: Runner) -> _Static:
        key = f"static/{runner.id}"
        if key in journal:
            return journal.get(key, _Static)
        return _static(runner, build_of[runner.program.id], context)

    found: list[_Static] = []
    with ThreadPoolExecutor(len(topology.allowed_cpus())) as pool:
        counting = track(pool.map(static, runners), total=len(runners), description="Counting instructions")
        for runner, one in zip(runners, counting, strict=True):
            if f"static/{runner.id}" not in journal:
                journal.put(f"static/{runner.id}", one)
            found.append(one)

    def perf_of(runner: Runner) -> _Perf:
        build = build_of[runner.program.id]
        return journal.once(f"samples/{runner.id}", lambda: _perf(runner, build, context), _Perf)

    perf = [perf_of(runner) for runner in track(runners, description="Sampling with perf")]
    with ThreadPoolExecutor(len(topology.allowed_cpus())) as pool:
        programs = [runner.program for runner in runners]
        reading = pool.map(_joined, programs, found, perf)
        joined = track(reading, total=len(runners), description="Reading machine code")
        return {runner.id: evidence for runner, evidence in zip(runners, joined, strict=True)}


def callgrind_file(profiles: Path, program: Program) -> Path:
    """Where the newest file of callgrind is kept, for kcachegrind."""
    return profiles / program.name / f"callgrind.out.{program.level}.{program.compiler}"


def perf_file(profiles: Path, program: Program) -> Path:
    """Where the newest file of perf is kept, for `perf report`."""
    return profiles / program.name / f"perf.{program.level}.{program.compiler}.data"


def _kept(path: Path | None) -> Path | None:
    """Makes room for a new file: one of an older program would mislead."""
    if path:
        path.unlink(missing_ok=True)
    return path


def _expect_own_work(program: Program) -> None:
    if program.device:
        raise Missing(
            f"the work is done by a kernel on an {program.device} device, not by instructions of this program"
        )


def _static(runner: Runner, build: Build, context: Context) -> _Static:
    program = runner.program
    cycles = context.call_ns[runner.id] * context.clock_ghz
    keep = _kept(context.profiles and callgrind_file(context.profiles, program))

    def counts() -> Counts:
        _expect_own_work(program)
        return count(program, build, context.symbols, context.workloads, cycles, context.cpu, keep)

    missing: dict[str, str] = {}
    return _Static(
        counts=attempt("instructions", counts, missing),
        remarks=attempt("remarks", lambda: remarks(program, ROOT / "build" / build.preset), missing),
        missing=missing,
    )


def _perf(runner: Runner, build: Build, context: Context) -> _Perf:
    workload, call_ns = context.workloads[0], context.call_ns[runner.id]
    keep = _kept(context.profiles and perf_file(context.profiles, runner.program))

    def counters() -> Counters:
        _expect_own_work(runner.program)
        return counted(runner, build, workload, call_ns, context.cpu)

    def samples() -> Sampled:
        _expect_own_work(runner.program)
        return sampled(runner, build, workload, call_ns, context.cpu, keep)

    missing: dict[str, str] = {}
    return _Perf(
        counters=attempt("counters", counters, missing),
        samples=attempt("samples", samples, missing),
        missing=missing,
    )


def _joined(program: Program, static: _Static, perf: _Perf) -> Evidence:
    counts, samples = static.counts, perf.samples
    missing = {**static.missing, **perf.missing}
    weights: Mapping[int, float] = (counts and counts.addresses) or (samples and samples.addresses) or {}
    lines: Lines = {}
    if weights:
        addresses = sorted(weights)
        lines = attempt("lines", lambda: source_lines(program.path, addresses, program.source), {}) or {}

    def found_loop() -> HotLoop:
        if not weights:
            raise Missing("neither instructions were counted nor samples taken")
        total = counts.own if counts and counts.addresses else samples.count if samples else None
        return hot_loop(program.path, weights, total)

    hot = attempt("loop", found_loop, missing)
    loop = _loop(hot, counts, samples, lines) if hot else None

    def estimated() -> Estimate:
        if hot is None or loop is None:
            raise Missing(f"there is no hot loop to simulate: {missing['loop']}")
        return estimate(
            hot.instructions, loop.iterations / counts.workload.bytes if counts and loop.iterations else None
        )

    return Evidence(
        instructions=_instructions(counts, lines) if counts else None,
        counters=perf.counters,
        samples=Samples(event=samples.event, count=samples.count, functions=_heaviest(samples.functions, samples.count))
        if samples
        else None,
        loop=loop,
        estimate=attempt("estimate", estimated, missing),
        remarks=static.remarks,
        missing=missing,
    )


def _heaviest(numbers: Mapping[str, int], total: int) -> list[FunctionShare]:
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    return [FunctionShare(name=name, share=number / total) for name, number in ordered[:_FUNCTIONS]]


def _instructions(counts: Counts, lines: Lines) -> Instructions:
    by_line: dict[tuple[str, int], int] = {}
    for address, number in counts.addresses.items():
        if address in lines:
            by_line[lines[address]] = by_line.get(lines[address], 0) + number
    hottest = sorted(by_line.items(), key=lambda item: (-item[1], item[0]))[:_LINES]
    return Instructions(
        how=counts.how,
        workload=counts.workload.name,
        bytes=counts.workload.bytes,
        calls=counts.calls,
        per_call=counts.own / counts.calls,
        c_library=counts.c_library / counts.calls,
        functions=_heaviest(counts.functions, counts.own),
        lines=[
            HotLine(file=file, line=line, text=line_text(file, line), share=number / counts.own)
            for (file, line), number in hottest
        ],
    )


def _loop(hot: HotLoop, counts: Counts | None, samples: Sampled | None, lines: Lines) -> Loop:
    executions = counts.addresses if counts else {}
    sampled_at = samples.addresses if samples else {}

    def described(address: int, text: str) -> LoopInstruction:
        file, line = lines.get(address, ("", None))
        return LoopInstruction(
            address=f"{address:x}",
            text=text,
            line=line if file.endswith("stage.cpp") else None,
            executions=executions.get(address, 0) / counts.calls if counts else None,
            samples=sampled_at.get(address, 0) / samples.count if samples and sampled_at else None,
        )

    return Loop(
        symbol=hot.function.name,
        share=hot.share,
        found_by="executions" if executions else "samples",
        iterations=hot.iterations / counts.calls if counts else None,
        length=len(hot.instructions),
        instructions=[
            described(one.address, re.sub(r" <[^>]*>$", "", one.text) if one.jumps_to else one.text)
            for one in hot.instructions[:_INSTRUCTIONS]
        ],
    )
