"""A small file of each kind that is kept beside measurements of cases."""

from __future__ import annotations

from measurement_sample import MACHINE
from test_instructions import times
from test_layout_check import FOUND
from test_self_check import made

from perf_ladders.model.java import Fork, JavaMeasurement, Jvm, WarmUp
from perf_ladders.model.measurement import Made, Step
from perf_ladders.model.self_check import Bias, Trial

WAYS = ("builder", "buffer")


def java(rounds: int = 2) -> JavaMeasurement:
    forks = [
        Fork(round=number, place=place, way=way, workload="objects", times_ns=[1_000.0, 1_001.0])
        for number in range(rounds)
        for place, way in enumerate((*WAYS, *reversed(WAYS)))
    ]
    step = Step(part="main", base=WAYS[0], stage=WAYS[1], workloads=["objects"], together=1, rounds=rounds)
    return JavaMeasurement(
        case="json",
        made=Made(date="2026-01-01T00:00:00+00:00", commit="0123456789ab"),
        machine=MACHINE,
        jvm=Jvm(name="A VM", version="17", flags=[], jmh="1.37"),
        libraries={},
        seed=7,
        cpu=1,
        iterations=2,
        iteration_ms=50,
        warm_up=WarmUp(candidates_ms=[250], chosen_ms=250, forks=[]),
        steps=[step],
        sources={},
        workloads={"objects": 10},
        ways=[*WAYS],
        forks=forks,
    )


def self_check():
    """With a trial, as newer files have."""
    found = made(lambda name, count: [1_000.0] * count, experiments=1, blocks=1)
    for one in found.programs:
        one.work = 10
    base, stage = (one.id for one in found.programs[:2])
    found.trials = [Trial(noisy=False, workload="chain", base=base, stage=stage, d=[0.0] * 12, seconds=1.0)]
    found.biases = [Bias(workload="chain", d=[0.0])]
    return found


KINDS = {"self-check": self_check, "layout-check": lambda: FOUND, "instructions": times, "java": java}
