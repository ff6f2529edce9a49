"""All evidence of each program, as the result holds it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from perf_ladders.catalogue import ROOT, Build, Program
from perf_ladders.evidence import Missing
from perf_ladders.evidence.assembly import Loop, bound, hot_loop, source_lines
from perf_ladders.evidence.instructions import count
from perf_ladders.evidence.remarks import remarks
from perf_ladders.evidence.samples import counted, sampled
from perf_ladders.measure import Journal, Workload

_FUNCTIONS, _LINES, _INSTRUCTIONS = 8, 12, 300  # at most so many of each in a result

Evidence = dict[str, Any]
Track = Callable[..., Iterable[Any]]  # of rich.progress.Progress


@dataclass(frozen=True)
class Plan:
    """What is asked of the programs, and what the blocks have shown of them."""

    symbols: list[str]  # of the contract
    workloads: list[Workload]
    call_ns: Mapping[str, float]  # of the first workload, by program
    clock_ghz: float
    cpu: int


def collect(programs: list[Program], builds: list[Build], plan: Plan, journal: Journal, track: Track) -> Evidence:
    """By program. Counting uses all cores, for nothing is timed by it; samples are taken one program after another."""
    build_of = {program.id: build for build in builds for program in [*build.programs, *build.exercises]}

    def static(program: Program) -> Evidence:
        key = f"static/{program.id}"
        return journal[key] if key in journal else _static(program, build_of[program.id], plan)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = track(pool.map(static, programs), total=len(programs), description="Counting instructions")
        for program, evidence in zip(programs, found, strict=True):
            if f"static/{program.id}" not in journal:
                journal[f"static/{program.id}"] = evidence
    for program in track(programs, description="Sampling with perf"):
        if f"samples/{program.id}" not in journal:
            journal[f"samples/{program.id}"] = _samples(program, build_of[program.id], plan)

    def joined(program: Program) -> Evidence:
        return _joined(program, journal[f"static/{program.id}"], journal[f"samples/{program.id}"])

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = track(pool.map(joined, programs), total=len(programs), description="Reading machine code")
        return {program.id: evidence for program, evidence in zip(programs, found, strict=True)}


def _either(gather: Callable[[], Any]) -> Any:
    try:
        return gather()
    except Missing as missing:
        return {"missing": str(missing)}


def _expect_own_work(program: Program) -> None:
    if program.device:
        raise Missing(
            f"the work is done by a kernel on an {program.device} device, not by instructions of this program"
        )


def _static(program: Program, build: Build, plan: Plan) -> Evidence:
    cycles = plan.call_ns[program.id] * plan.clock_ghz

    def counts() -> Evidence:
        _expect_own_work(program)
        return asdict(count(program, build, plan.symbols, plan.workloads, cycles, plan.cpu))

    return {
        "counts": _either(counts),
        "remarks": _either(lambda: remarks(program, build, ROOT / "build" / build.preset)),
    }


def _samples(program: Program, build: Build, plan: Plan) -> Evidence:
    workload, call_ns = plan.workloads[0], plan.call_ns[program.id]

    def counters() -> Evidence:
        _expect_own_work(program)
        return counted(program, build, workload, call_ns, plan.cpu)

    def samples() -> Evidence:
        _expect_own_work(program)
        return asdict(sampled(program, build, workload, call_ns, plan.cpu))

    return {"counters": _either(counters), "samples": _either(samples)}


def _joined(program: Program, static: Evidence, perf: Evidence) -> Evidence:
    counts, samples = static["counts"], perf["samples"]
    executions = _by_address(counts)
    sampled_at = _by_address(samples)
    weights = executions or sampled_at
    lines = _either(lambda: source_lines(program.path, sorted(weights), program.source)) if weights else {}
    loop: Loop | None = None
    found: Evidence = {"missing": "neither instructions were counted nor samples taken"}
    if weights:
        try:
            loop = hot_loop(program.path, weights, counts["own"] if executions else samples["count"])
            found = _loop(loop, counts, samples, lines)
        except Missing as missing:
            found = {"missing": str(missing)}
    return {
        "instructions": counts if "missing" in counts else _instructions(program, counts, lines),
        "counters": perf["counters"],
        "samples": samples
        if "missing" in samples
        else {
            "event": samples["event"],
            "count": samples["count"],
            "functions": _most(samples["functions"], samples["count"]),
        },
        "loop": found,
        "bound": _either(lambda: _bound(loop, found, counts)),
        "remarks": static["remarks"],
    }


def _by_address(found: Evidence) -> dict[int, float]:
    return {int(address): number for address, number in found.get("addresses", {}).items()}


def _most(numbers: dict[str, int], total: int) -> list[Evidence]:
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    return [{"name": name, "share": number / total} for name, number in ordered[:_FUNCTIONS]]


def _instructions(program: Program, counts: Evidence, lines: Any) -> Evidence:
    by_line: dict[tuple[str, int], int] = {}
    for address, number in _by_address(counts).items():
        if address in lines:
            by_line[lines[address]] = by_line.get(lines[address], 0) + int(number)
    hottest = sorted(by_line.items(), key=lambda item: (-item[1], item[0]))[:_LINES]
    return {
        "how": counts["how"],
        "workload": counts["workload"]["name"],
        "calls": counts["calls"],
        "per_call": counts["own"] / counts["calls"],
        "per_byte": counts["own"] / counts["calls"] / counts["workload"]["bytes"],
        "c_library": counts["c_library"] / counts["calls"],
        "functions": _most(counts["functions"], counts["own"]),
        "lines": [
            {"file": file, "line": line, "text": _text(file, line), "share": number / counts["own"]}
            for (file, line), number in hottest
        ],
    }


def _text(file: str, line: int) -> str:
    """Of a line in the tree; a system's header is named, not quoted."""
    path = ROOT / file
    lines = path.read_text("utf-8", errors="replace").splitlines() if path.is_file() else []
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _loop(loop: Loop, counts: Evidence, samples: Evidence, lines: Any) -> Evidence:
    executions, sampled_at, calls = _by_address(counts), _by_address(samples), counts.get("calls")
    return {
        "symbol": loop.function.name,
        "share": loop.share,
        "found_by": "executions" if executions else "samples",
        "iterations": loop.iterations / calls if calls else None,
        "length": len(loop.instructions),
        "instructions": [
            {
                "address": f"{instruction.address:x}",
                "text": re.sub(r" <[^>]*>$", "", instruction.text) if instruction.jumps_to else instruction.text,
                "line": lines[instruction.address][1]
                if instruction.address in lines and lines[instruction.address][0].endswith("stage.cpp")
                else None,
                "executions": executions.get(instruction.address, 0) / calls if calls else None,
                "samples": sampled_at.get(instruction.address, 0) / samples["count"] if sampled_at else None,
            }
            for instruction in loop.instructions[:_INSTRUCTIONS]
        ],
    }


def _bound(loop: Loop | None, found: Evidence, counts: Evidence) -> Evidence:
    if loop is None:
        raise Missing(f"there is no hot loop to simulate: {found['missing']}")
    simulated = bound(loop.instructions)
    iterations = found["iterations"]
    cycles_byte = simulated["cycles"] * iterations / counts["workload"]["bytes"] if iterations else None
    return {**simulated, "cycles_byte": cycles_byte}
