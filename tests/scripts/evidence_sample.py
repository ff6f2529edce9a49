"""Makes a small measurement a full one: a second level, variants of the reference, evidence, whole programs, claims."""

from __future__ import annotations

from dataclasses import replace

from measurement_sample import SMALL, made
from msgspec.structs import replace as changed

from perf_ladders.model.apps import App, AppProfile, AppRun, Profile
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
from perf_ladders.model.measurement import Measurement, Program, WholePrograms, WholeRun, Workload
from perf_ladders.model.record import LeftOut
from perf_ladders.results.analysis import Analysis
from perf_ladders.tree.case_file import Command
from perf_ladders.tree.catalogue import Case, read_case
from perf_ladders.tree.claim import Claim

CODE = "const auto sum = left + right; // <script>alert(1)</script>"
MINER = ["bench", "--light"]


def full(speed: dict[str, float] = SMALL) -> Measurement:
    """Of its own for each caller, who may change it."""
    found = made(speed)
    _add_level(found)
    _add_variants(found)
    runners = [one for one in found.programs if one.kind != "control"]
    found.evidence = {one.id: evidence(place) for place, one in enumerate(runners)}
    found.whole_programs = WholePrograms(
        tool="hyperfine 1.15.0",
        calls=1_000,
        rounds=3,
        workload="message",
        runs=[
            WholeRun(program=one.id, round=number, seconds=0.3, user=0.2, system=0.1)
            for one in found.programs
            for number in range(3)
        ],
    )
    _add_apps(found)
    return found


def case_of(measurement: Measurement, **fields: object) -> Case:
    """XTEA with claims of the last measured stage and a program."""
    case = read_case("xtea")
    slugs = {one.stage for one in measurement.programs if one.kind == "stage"}
    last = [stage for stage in case.stages if stage.slug in slugs][-1].name
    here = {"document": "althoff", "level": "x86-64-v3"}
    changes = {
        "claims": [
            Claim("fifteen times faster", "title", last, "xtea-00", **here, ratio=["15"]),
            Claim("faster without parallelism", "title", last, "xtea-00", **here, at_least=1.5),
        ],
        "apps": {"miner": "It mines `light`ly & <b>fast</b>."},
        "commands": [
            Command("miner", "Mining <b>light</b>", MINER, "rate", "H/s", profile=True),
            Command("miner", "The cache", ["cache"], "time"),
        ],
    }
    return replace(case, **{**changes, **fields})


def sampled(measurement: Measurement | None = None, **fields: object) -> Analysis:
    found = measurement or full()
    return Analysis(case_of(found, **fields), found)


def without(measurement: Measurement, slugs: set[str]) -> Measurement:
    """As if these programs had not been measured."""
    gone = {one.id for one in measurement.programs if one.stage in slugs}
    measurement.programs = [one for one in measurement.programs if one.id not in gone]
    for holder in (*measurement.blocks, measurement.whole_programs, *measurement.apps):
        holder.runs = [run for run in holder.runs if run.program not in gone]
    measurement.calls = {name: held for name, held in measurement.calls.items() if name not in gone}
    measurement.evidence = {name: held for name, held in measurement.evidence.items() if name not in gone}
    return measurement


def evidence(place: int) -> Evidence:
    """Of a made-up program; where the place is odd, the kernel lets nobody count."""
    reason = "the kernel lets nobody count: perf_event_paranoid is 3"
    missing = {"counters": reason, "samples": reason} if place % 2 else {}
    if place % 3 == 2:
        missing["remarks"] = "this compiler gives none"
    per_byte = 90 / (place % 13 + 1)
    instructions = [
        LoopInstruction(
            address=f"{0x1F40 + 4 * number:x}",
            text=["vpslld $4,%ymm0,%ymm1", "vpxor %ymm1,%ymm2,%ymm3", "jne 1f40 <xtea::encrypt+0x40>"][number % 3],
            line=20 + number // 3,
            executions=800.0 * 32,
            samples=None if place % 2 else (number % 5 + 1) / 40,
        )
        for number in range(14)
    ]
    return Evidence(
        instructions=Instructions(
            how="callgrind",
            workload="message",
            bytes=25_600,
            calls=2,
            per_call=per_byte * 25_600,
            c_library=0.0,
            functions=[
                FunctionShare(
                    name="xtea::encrypt(std::span<unsigned long>, std::array<unsigned, 4> const&)", share=0.98
                ),
                FunctionShare(name="main", share=0.02),
            ],
            lines=[
                HotLine(file="stage.cpp", line=20 + number, text=CODE, share=0.6 / (number + 1) ** 2)
                for number in range(6)
            ],
        ),
        counters=None if place % 2 else Counters(calls=1_000, cycles_byte=12.5, instructions_byte=per_byte, ipc=3.2),
        samples=None
        if place % 2
        else Samples(event="cpu-clock", count=4_321, functions=[FunctionShare(name="xtea::encrypt", share=0.97)]),
        loop=Loop(
            symbol="xtea::encrypt",
            share=0.93,
            found_by="executions",
            iterations=3_200.0,
            length=len(instructions),
            instructions=instructions,
        ),
        estimate=Estimate(
            tool="llvm-mca 19.1.7",
            cpu="znver3",
            cycles=40.0,
            resource_cycles=18.5,
            instructions=14,
            uops=15,
            cycles_byte=5.0,
        ),
        remarks=None
        if place % 3 == 2
        else [
            Remark(line=21, kind="vectorized", text="loop vectorized using 32 byte vectors", source=CODE),
            Remark(line=30, kind="missed", text="couldn't vectorize loop: <control flow>", source="while (i) {"),
        ],
        missing=missing,
    )


def app_profile(own: float) -> AppProfile:
    functions = [
        FunctionShare(name="xtea::encrypt(std::span<unsigned long>)", share=own, own=True),
        FunctionShare(name="miner::mix(unsigned*)", share=0.9 - own),
        FunctionShare(name="__memset_avx2 in libc.so.6", share=0.1),
    ]
    return AppProfile(
        instructions=Profile(
            by="callgrind", arguments=["bench"], count=10**9, own_share=own / 2, functions=functions[:2]
        ),
        samples=Profile(by="cpu-clock", count=5_000, own_share=own, functions=functions),
        missing={"counters": "this machine shows no <counters>"},
    )


def _add_apps(found: Measurement) -> None:
    """A rate at the higher level, with profiles, a time that was not measured, and workloads of that program."""
    highest = [one for one in found.programs if one.level == "x86-64-v3" and one.kind != "variant"]
    stages = [one for one in highest if one.kind == "stage"]
    runs = [
        AppRun(
            program=one.id,
            round=number,
            value=(160.0 if one is stages[-1] else 100.0) * (1 + 0.001 * number),
        )
        for number in range(12)
        for one in highest
        if one.kind != "peer"
    ]
    rate = App(
        app="miner",
        arguments=MINER,
        measure="rate",
        unit="H/s",
        rounds=12,
        runs=runs,
        left_out=[LeftOut(name="botan.x86-64-v3.gcc", reason="no <memory>")],
        profiles={stages[0].id: app_profile(0.5), stages[-1].id: app_profile(0.2)},
    )
    late = App(app="miner", arguments=["cache"], measure="time", rounds=0, missing="not part of a quick report")
    found.apps = [rate, late]
    found.workloads.append(Workload(name="miner/cache", role="once", bytes=64))
    found.design.parts[1].workloads.append("miner/cache")
    for block in found.blocks:
        for run in block.runs if block.part == "others" else []:
            run.times_ns["miner/cache"] = run.times_ns["sweep/8"]


def _add_level(found: Measurement) -> None:
    """A second ladder, a level higher, on which everything takes as long."""
    renamed = {one.id: one.id.replace(".x86-64.", ".x86-64-v3.") for one in found.programs}
    found.programs += [changed(one, id=renamed[one.id], level="x86-64-v3") for one in found.programs]
    for block in found.blocks:
        block.runs += [changed(run, program=renamed[run.program], times_ns={**run.times_ns}) for run in block.runs]
    found.calls |= {renamed[name]: calls for name, calls in found.calls.items()}
    found.rates = {**found.rates, "x86-64-v3": found.rates["x86-64"]}


def _add_variants(found: Measurement) -> None:
    """Stage 00 compiled otherwise, a little slower and a little faster than it is."""
    for one in [one for one in found.programs if one.kind == "stage" and one.stage == "reference"]:
        for variant, speed in (("O2", 0.97), ("pgo", 1.04)):
            name = f"reference-{variant}.{one.level}.{one.compiler}"
            found.programs.append(_variant(one, name, variant))
            for block in found.blocks:
                run = next(run for run in block.runs if run.program == one.id)
                times = {workload: [time / speed for time in times] for workload, times in run.times_ns.items()}
                block.runs.append(changed(run, program=name, times_ns=times))
            found.calls[name] = found.calls[one.id]


def _variant(one: Program, name: str, variant: str) -> Program:
    return changed(one, id=name, kind="variant", variant=variant)
