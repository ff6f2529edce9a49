"""Did something else use the core that was measured on? Its other thread is not ours to see, on a rented machine least
of all: no clock slows and no time is stolen, but two programs share the units of one core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perf_ladders.machine.noise import FREE, MAX_BUSY
from perf_ladders.model.measurement import Round

_OUTLIERS = 0.02  # of the probes, at the upper end: a clock that was read too low


@dataclass(frozen=True)
class Probes:
    """Vector operations that the core started in a cycle, before and after every round, as shares of the best."""

    shares: npt.NDArray[np.float64]

    @property
    def busy(self) -> int:
        return int(np.sum(self.shares < FREE))

    @property
    def all(self) -> int:
        return len(self.shares)

    @property
    def ok(self) -> bool:
        return self.busy <= MAX_BUSY * self.all

    @property
    def sentence(self) -> str:
        return (
            f"Something else used this core: in {self.busy} of {self.all} contention probes the core started less than "
            f"{FREE:.0%} of the vector operations that it can, {self.shares.min():.0%} at worst."
        )


def probes_of(rounds: Sequence[Round]) -> Probes | None:
    """None for a measurement that is older than contention probes."""
    found = [np.array(one.operations_per_ns) / np.mean(one.clock_ghz) for one in rounds if one.operations_per_ns]
    if not found:
        return None
    rates = np.concatenate(found)
    return Probes(np.minimum(rates / np.quantile(rates, 1 - _OUTLIERS), 1))
