"""A result of a case that teaches statistics: means in a row, and a program against itself, made up."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np

from perf_ladders import lesson

WARM_UP, ROUNDS = 50, 1000


def rounds_of(mean: float, sd: float) -> list[float]:
    """Calls with exactly this mean and standard deviation, behind a warm-up that would change both."""
    away = sd * math.sqrt((ROUNDS - 1) / ROUNDS)
    return [1e9] * WARM_UP + [mean - away, mean + away] * (ROUNDS // 2) + [1e9]


def taught(
    result: dict[str, Any], means: dict[str, tuple[float, float]], in_a_row: list[tuple[float, float]], sd: float
) -> dict[str, Any]:
    """`means`: by program, of its latency, with the standard deviation. `in_a_row`: the two means of each experiment.
    In blocks the program and itself differ by 1 % of noise."""
    found = copy.deepcopy(result)
    generator = np.random.default_rng(5)
    for one in found["runners"]:
        if one["stage"] in means:
            found["latency"][one["id"]] = rounds_of(*means[one["stage"]])

    def block(number: int) -> dict[str, Any]:
        noise = 1e6 * (1 + 0.01 * generator.random((len(lesson.NAMES), 5)))
        runs = [
            {
                "runner": f"{name}.x86-64.gcc",
                "padding": 0,
                "involuntary_switches": 0,
                "times_ns": {"message": times.tolist()},
            }
            for name, times in zip(lesson.NAMES, noise, strict=True)
        ]
        about = {"started": "2026-01-01T00:00:00+00:00", "clock_ghz": [3.0, 3.0], "stolen_ticks": 0}
        return {"part": "against itself", "number": number, **about, "runs": runs}

    found["lesson"] = {
        "title": "Is 04 faster than 02?",
        "warm_up": WARM_UP,
        "rounds": ROUNDS,
        "pair": ["xtea-02", "xtea-04"],
        "identical": "xtea-02",
        "against_itself": {
            "runner": "xtea-02.x86-64.gcc",
            "workload": "message",
            "in_a_row": [[{"mean_ns": mean, "sd_ns": sd} for mean in pair] for pair in in_a_row],
            "experiments": [[block(number) for number in range(20)] for _ in range(3)],
        },
    }
    return found
