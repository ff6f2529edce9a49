"""Latency and throughput of the instructions that the stages use, on one machine."""

from __future__ import annotations

from functools import cached_property

from perf_ladders.model.measurement import VERSION, Machine, Made
from perf_ladders.model.record import AboveZero, Record, Shown

INSTRUCTIONS_FORMAT = "perf-ladders instructions"


class Instruction(Record, kw_only=True):
    """Without either time where the CPU lacks a feature. Some have one time alone: a store has no result."""

    name: Shown  # vpaddd ymm
    needs: list[Shown] = []  # features, as /proc/cpuinfo names them
    latency_ns: AboveZero | None = None
    per_ns: AboveZero | None = None  # how many start in a nanosecond

    @property
    def is_missing(self) -> bool:
        return self.latency_ns is None and self.per_ns is None


class InstructionTimes(Record, kw_only=True, omit_defaults=False, dict=True):
    format: str = INSTRUCTIONS_FORMAT
    version: int = VERSION
    made: Made
    machine: Machine
    clock_ghz: AboveZero
    instructions: list[Instruction]

    def latency(self, name: str) -> float | None:
        """In cycles; None where this machine did not time it, or did not know it yet."""
        found = self._by_name.get(name)
        return found.latency_ns * self.clock_ghz if found and found.latency_ns else None

    def per_cycle(self, name: str) -> float | None:
        found = self._by_name.get(name)
        return found.per_ns / self.clock_ghz if found and found.per_ns else None

    @cached_property
    def _by_name(self) -> dict[str, Instruction]:
        return {one.name: one for one in self.instructions}
