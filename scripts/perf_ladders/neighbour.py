"""Did something else use the core that was measured on? Its other thread is not ours to see, on a rented machine least
of all: no clock slows and no time is stolen, but two programs share the units of one core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

FREE = 0.9  # of what the core starts at its best; an idle core stays within a few per cent, a shared one far below
MOST_BUSY = 0.1  # of the looks
_OUTLIERS = 0.02  # of the looks, at the upper end: a clock that was read too low


@dataclass(frozen=True)
class Looks:
    """Vector operations that the core started in a cycle, before and after every run, as shares of the best."""

    shares: np.ndarray[Any, np.dtype[np.float64]]

    @property
    def busy(self) -> int:
        return int(np.sum(self.shares < FREE))

    @property
    def all(self) -> int:
        return len(self.shares)

    @property
    def ok(self) -> bool:
        return self.busy <= MOST_BUSY * self.all

    @property
    def sentence(self) -> str:
        return (
            f"Something else used this core: in {self.busy} of {self.all} looks it started less than {FREE:.0%} "
            f"of the vector operations that it can, {self.shares.min():.0%} at worst."
        )


def looks_of(blocks: list[dict[str, Any]]) -> Looks | None:
    """None where nobody looked: results have kept it since this was made."""
    looked = [block for block in blocks if "operations_per_ns" in block]
    found = [np.array(block["operations_per_ns"]) / np.mean(block["clock_ghz"]) for block in looked]
    if not found:
        return None
    rates = np.concatenate(found)
    return Looks(np.minimum(rates / np.quantile(rates, 1 - _OUTLIERS), 1))
