"""Is a call with the same secrets faster or slower than calls with others? The test of O. Reparaz, J. Balasch and
I. Verbauwhede, "Dude, is my code constant time?" (2017): Welch's t of both groups of times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from perf_ladders.errors import Missing
from perf_ladders.evidence.tools import output
from perf_ladders.model.proof import TimedSecrets
from perf_ladders.tree.build import Program

_KEPT = 0.9  # of all calls, the fastest: the others were interrupted
_LIMIT_S = 60
_TEST = ("check", "--gtest_also_run_disabled_tests", "--gtest_filter=Secrets.DISABLED_TimesOfCalls")


def timed(program: Program) -> TimedSecrets:
    """The times that a test of the program prints (common/secrets.hpp)."""
    by: dict[str, list[float]] = {"fixed": [], "random": []}
    for line in output([program.path, *_TEST], f"{program.id} check", limit_s=_LIMIT_S).splitlines():
        group, _, nanoseconds = line.partition(" ")
        if group in by:
            by[group].append(float(nanoseconds))
    every = [*by["fixed"], *by["random"]]
    if not every:
        raise Missing("this case has no secrets")
    fixed, random = (_quick(times, every) for times in by.values())
    return TimedSecrets(
        case=program.case,
        stage=program.source.parent.name[3:],
        level=program.level,
        calls=len(every),
        fixed_ns=sum(fixed) / len(fixed),
        random_ns=sum(random) / len(random),
        t=welch(fixed, random),
    )


def _quick(times: Sequence[float], every: Sequence[float]) -> list[float]:
    limit = float(np.quantile(every, _KEPT))
    return [one for one in times if one <= limit]


def welch(a: Sequence[float], b: Sequence[float]) -> float:
    if min(len(a), len(b)) < 2:
        raise Missing("too few calls to compare")
    spread = math.sqrt(float(np.var(a, ddof=1)) / len(a) + float(np.var(b, ddof=1)) / len(b))
    apart = float(np.mean(a) - np.mean(b))
    if apart and not spread:
        raise Missing("all calls of a group took the same time: the clock is too coarse for a t")
    return apart / spread if apart else 0.0
