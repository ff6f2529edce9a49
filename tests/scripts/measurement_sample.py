"""A small measurement of XTEA's first stages, as a report would make it: for tests of all that follows from one."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from perf_ladders import stats
from perf_ladders.measure.pairs import summed_up
from perf_ladders.model.measurement import (
    Block,
    Compiler,
    Design,
    Kind,
    Machine,
    Made,
    Measurement,
    Pair,
    Part,
    Program,
    Round,
    Run,
    Step,
    WholePrograms,
    Workload,
)
from perf_ladders.model.record import LeftOut
from perf_ladders.results.analysis import Analysis
from perf_ladders.tree import source
from perf_ladders.tree.catalogue import read_case

RATES = {"x86-64": {"vector_bytes": 16.0, "shift": 6.0, "xor": 12.0, "add": 12.0, "all": 12.0}}
MACHINE = Machine(
    cpu="A <processor>",
    family_model_stepping="1/2/3",
    cpus=2,
    memory_gib=8,
    architecture="x86_64",
    system="Linux",
    kernel="6",
    virtual_machine="no",
)
GCC = Compiler(
    name="gcc",
    version="12",
    command="g++",
    flags="-O3",
    preset="gcc",
    build_type="Release",
    benchmark_version="1.7",
    flags_of_level={"x86-64": "-march=x86-64"},
)
CALLS = stats.calls([1_000.0, 1_100.0, 1_050.0, 900.0, 5_000.0])


@cache
def _slugs() -> dict[str, str]:
    """By number; reading the case takes a moment."""
    return {stage.number: stage.slug for stage in read_case("xtea").stages}


def program(name: str, level: str = "x86-64", compiler: str = "gcc") -> Program:
    """From its short name: xtea-04, xtea-00-again, xtea-00-O2, xtea-botan or xtea-botan-no-cipher."""
    number, _, variant = name.removeprefix("xtea-").partition("-")
    slugs = _slugs()
    if number.isdigit() and number not in slugs:
        pytest.skip(f"this tree has no xtea-{number}")
    bare: Kind = "stage" if number.isdigit() else "peer"
    kind: Kind = "control" if variant == "again" else "variant" if variant else bare
    stage = slugs.get(number, number)
    return Program(
        id=f"{stage}{f'-{variant}' if variant else ''}.{level}.{compiler}",
        kind=kind,
        stage=stage,
        variant=variant if kind == "variant" else None,
        level=level,
        compiler=compiler,
    )


def made(speed: dict[str, float], blocks: int = 20, seed: int = 1) -> Measurement:
    """Times are `speed` times shorter than a millisecond, with 1 % of noise."""
    generator = np.random.default_rng(seed)
    programs = {name: program(name) for name in speed}
    parts = [
        Part(name="main", workloads=["message"], blocks=blocks, min_ms=5.0),
        Part(name="others", workloads=["sweep/8"], blocks=2, min_ms=5.0),
    ]

    def block(part: Part, number: int) -> Block:
        runs = [
            Run(
                program=one.id,
                padding=0,
                switches=0,
                times_ns={
                    workload: (1e6 / speed[name] * (1 + 0.01 * generator.random(5))).tolist()
                    for workload in part.workloads
                },
            )
            for name, one in programs.items()
        ]
        started = "2026-01-01T00:00:00+00:00"
        return Block(part=part.name, number=number, started=started, clock_ghz=[3.0, 3.0], stolen_ticks=0, runs=runs)

    return Measurement(
        case="xtea",
        made=Made(date="2026-01-01T00:00:00+00:00", commit="0123456789ab"),
        machine=replace(MACHINE),
        compilers=[replace(GCC)],
        design=Design(kind="blocks", seed=7, cpu=1, repetitions=5, parts=parts, calls=5),
        sources=source.units(read_case("xtea")),
        files={"stages/xtea/00-reference/stage.cpp": "0" * 64},
        workloads=[
            Workload(name="message", role="main", bytes=25_600),
            Workload(name="sweep/8", role="sweep", bytes=8),
        ],
        programs=list(programs.values()),
        left_out=[LeftOut(name="parallel", reason="TBB is not installed")],
        blocks=[block(part, number) for part in parts for number in range(part.blocks)],
        calls={one.id: CALLS for one in programs.values()},
        whole_programs=WholePrograms(missing="not part of this measurement"),
        rates=RATES,
    )


def paired(speed: dict[str, float], rounds: int = 20, seed: int = 1) -> Measurement:
    """As `made`, in pairs: each program over the reference, which is its base here."""
    generator = np.random.default_rng(seed)
    found = made(speed, blocks=1)
    names = [name for name in speed if name != "xtea-00"]
    base = program("xtea-00").id
    control = program("xtea-00-again").id
    steps = [
        Step(
            part="main",
            base=base,
            stage=program(name).id,
            workloads=["message"],
            together=1 if program(name).id == control else max(1, len(names) - 1),
            rounds=rounds,
        )
        for name in names
    ]
    processes: dict[tuple[str, str], list[list[float]]] = {}

    def round_of(name: str, number: int) -> Pair:
        times = [
            (1e6 / value * (1 + 0.01 * generator.random(10))).tolist() for value in (speed["xtea-00"], speed[name])
        ]
        for one, slices in zip((base, program(name).id), times, strict=True):
            processes.setdefault((one, "message"), []).append(slices)
        least = {"base_ns": min(times[0]), "stage_ns": min(times[1])}
        return Pair(part="main", round=number, base=base, stage=program(name).id, workload="message", **least)

    found.pairs = [round_of(name, number) for number in range(rounds) for name in names]
    found.slices = summed_up(processes)
    found.rounds = [
        Round(
            part="main",
            number=number,
            started=f"2026-01-01T00:00:{number:02}+00:00",
            clock_ghz=[3.0, 3.0],
            operations_per_ns=[12.0, 12.0],
            stolen_ticks=0,
        )
        for number in range(rounds)
    ]
    found.blocks = []
    found.design = Design(kind="pairs", seed=7, cpu=1, repetitions=10, steps=steps, calls=5)
    found.workloads = found.workloads[:1]
    return found


def analysed(measurement: Measurement) -> Analysis:
    return Analysis(read_case(measurement.case), measurement)


SMALL = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4, "xtea-botan": 2}


def small() -> Measurement:
    """Of its own for each caller, who may change it."""
    return made(SMALL)
