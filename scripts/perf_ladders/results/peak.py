"""The peak of the vector units: the least time of a byte, from its operations and the measured rates of the core."""

from __future__ import annotations

from perf_ladders.model.measurement import Rates
from perf_ladders.tree.case_file import Operations

LANE_BITS, VECTOR_BYTES = "lane_bits", "vector_bytes"


def operations_at(operations: Operations, level: str) -> dict[str, float]:
    """Those of a byte, where the level may need fewer (a rotation is one instruction in AVX-512)."""
    found = {kind: count for kind, count in operations.items() if isinstance(count, int | float)}
    fewer = operations.get(level)
    return {**found, **fewer} if isinstance(fewer, dict) else found


def peak_ns_byte(operations: Operations, rates: Rates, level: str) -> float | None:
    """The larger of two times: that of the scarcest kind, and that of all kinds together. None: not known."""
    counts, started = operations_at(operations, level), rates.get(level)
    lane_bits = counts.pop(LANE_BITS, 0)
    if not counts or started is None or any(kind not in started for kind in counts):
        return None
    lanes = started[VECTOR_BYTES] * 8 / lane_bits
    of_a_kind = max(count / started[kind] for kind, count in counts.items())
    of_all = sum(counts.values()) / started["all"]
    return max(of_a_kind, of_all) / lanes
