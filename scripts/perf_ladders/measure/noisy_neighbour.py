"""A noisy neighbour for the self-check: processes on the other CPUs that work and rest at random."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import time
from collections.abc import Iterator

import numpy as np

from perf_ladders.machine import topology

_SHORTEST_S, _LONGEST_S = 0.005, 0.1  # of working, and of resting
_BEYOND_CACHES = 8 << 20  # numbers of 8 bytes


@contextlib.contextmanager
def noisy(cpu: int) -> Iterator[None]:
    """While something is measured on this CPU. Where there is no other, the noisy neighbours share it."""
    others = [one for one in topology.allowed_cpus() if one != cpu] or [cpu]
    begun = [
        multiprocessing.get_context("fork").Process(target=_disturb, args=(one, os.getpid()), daemon=True)
        for one in others
    ]
    for one in begun:
        one.start()
    try:
        yield
    finally:
        for one in begun:
            one.kill()
            one.join()


def _disturb(cpu: int, parent: int) -> None:
    """In turn, as chance has it, in memory beyond every cache and with vectors in the first; no longer than the parent
    lives, however that one ends."""
    os.sched_setaffinity(0, {cpu})
    memory, vectors = np.zeros(_BEYOND_CACHES), np.ones(1_000)
    generator = random.Random()  # noqa: S311 - no secret
    while os.getppid() == parent:
        end = time.monotonic() + generator.uniform(_SHORTEST_S, _LONGEST_S)
        worked = memory if generator.random() < 0.5 else vectors
        while time.monotonic() < end:
            np.add(worked, 1.0, out=worked)
        time.sleep(generator.uniform(_SHORTEST_S, _LONGEST_S))
