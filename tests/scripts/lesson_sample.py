"""A measurement of a case that teaches statistics: means in a row, and a program against itself, made up."""

from __future__ import annotations

import numpy as np

from perf_ladders import stats
from perf_ladders.measure import aa_test
from perf_ladders.model.measurement import AATest, Block, MeanSd, Measurement, Run
from perf_ladders.tree.case_file import Lesson

WARM_UP, ROUNDS = 50, 1000
LESSON = Lesson("Is 04 faster than 02?", WARM_UP, ROUNDS, ["xtea-02", "xtea-04"], "xtea-02")


def taught(
    found: Measurement, means: dict[str, tuple[float, float]], in_a_row: list[tuple[float, float]], sd: float
) -> Measurement:
    """`means`: by slug (for the control of the reference: again, for all others of the level too), with the standard
    deviation. `in_a_row`: the two means of each experiment. In blocks the program and itself differ by 1 % of noise."""
    generator = np.random.default_rng(5)

    def block(number: int) -> Block:
        noise = 1e6 * (1 + 0.01 * generator.random((len(aa_test.NAMES), 5)))
        runs = [
            Run(program=name, padding=0, switches=0, times_ns={"message": times.tolist()})
            for name, times in zip(aa_test.NAMES, noise, strict=True)
        ]
        started = "2026-01-01T00:00:00+00:00"
        return Block(part="A/A", number=number, started=started, clock_ghz=[3.0, 3.0], stolen_ticks=0, runs=runs)

    calls = stats.calls([1_000.0, 1_100.0] * ((WARM_UP + ROUNDS) // 2))
    found.calls = dict.fromkeys(found.calls, calls)
    found.design.calls = calls.count
    found.aa_test = AATest(
        program="transform.x86-64.gcc",
        workload="message",
        skip=WARM_UP,
        count=ROUNDS,
        calls={
            one.id: MeanSd(mean_ns=mean, sd_ns=deviation)
            for one in found.programs
            if one.kind != "variant"
            for mean, deviation in [means["again" if one.kind == "control" else one.stage]]
        },
        in_a_row=[[MeanSd(mean_ns=mean, sd_ns=sd) for mean in pair] for pair in in_a_row],
        experiments=[[block(number) for number in range(20)] for _ in range(3)],
    )
    return found
