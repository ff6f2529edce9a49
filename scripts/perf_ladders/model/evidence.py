"""What is known of a program besides its times: instructions, samples, its hot loop, a model of the core."""

from __future__ import annotations

from typing import Literal

from perf_ladders.model.record import AboveZero, Count, NotBelowZero, Positive, Record


class FunctionShare(Record, kw_only=True):
    name: str
    share: NotBelowZero
    own: bool = False  # of the stage's object file


class HotLine(Record, kw_only=True):
    file: str
    line: Count
    text: str  # empty for a header of the system
    share: NotBelowZero


class Instructions(Record, kw_only=True):
    how: str  # callgrind or single-stepping
    workload: str
    bytes: Positive  # of a call of that workload
    calls: Count
    per_call: AboveZero
    c_library: NotBelowZero  # a call, on top
    functions: list[FunctionShare]
    lines: list[HotLine]

    @property
    def per_byte(self) -> float:
        return self.per_call / self.bytes


class Counters(Record, kw_only=True):
    """Hardware counters of many calls, less those of one."""

    calls: Count
    cycles_byte: NotBelowZero | None = None
    instructions_byte: NotBelowZero | None = None
    ipc: NotBelowZero | None = None
    branch_misses_kib: NotBelowZero | None = None
    cache_misses_kib: NotBelowZero | None = None


class Samples(Record, kw_only=True):
    event: str
    count: Count
    functions: list[FunctionShare]


class LoopInstruction(Record, kw_only=True):
    address: str
    text: str
    line: Count | None = None
    executions: NotBelowZero | None = None  # a call
    samples: NotBelowZero | None = None  # share of all


class Loop(Record, kw_only=True):
    symbol: str
    share: NotBelowZero
    found_by: Literal["executions", "samples"]
    iterations: NotBelowZero | None = None  # a call
    length: Count  # instructions; the list may hold fewer
    instructions: list[LoopInstruction]


class Estimate(Record, kw_only=True):
    """Of llvm-mca, for one iteration of the hot loop."""

    tool: str
    cpu: str
    instructions: Count
    uops: Count
    cycles: NotBelowZero
    resource_cycles: NotBelowZero  # if no instruction waited for another
    cycles_byte: NotBelowZero | None = None

    @property
    def waits(self) -> bool:
        """For its own results: the loop takes over 1.2 times as long as ports and dispatch alone would."""
        return self.cycles > 1.2 * self.resource_cycles


class Remark(Record, kw_only=True):
    line: Count
    kind: str
    text: str
    source: str


class Evidence(Record, kw_only=True):
    """What is known of one program besides its times; `missing` says by field why one is not there."""

    instructions: Instructions | None = None
    counters: Counters | None = None
    samples: Samples | None = None
    loop: Loop | None = None
    estimate: Estimate | None = None
    remarks: list[Remark] | None = None
    missing: dict[str, str] = {}
