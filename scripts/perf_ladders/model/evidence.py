"""What is known of a program besides its times: instructions, samples, its hot loop, a model of the core."""

from __future__ import annotations

from typing import Literal

from perf_ladders.model.record import Positive, Record


class FunctionShare(Record, kw_only=True):
    name: str
    share: float
    own: bool = False  # of the stage's object file


class HotLine(Record, kw_only=True):
    file: str
    line: int
    text: str  # empty for a header of the system
    share: float


class Instructions(Record, kw_only=True):
    how: str  # callgrind or single-stepping
    workload: str
    bytes: Positive  # of a call of that workload
    calls: int
    per_call: float
    c_library: float  # a call, on top
    functions: list[FunctionShare]
    lines: list[HotLine]

    @property
    def per_byte(self) -> float:
        return self.per_call / self.bytes


class Counters(Record, kw_only=True):
    """Hardware counters of many calls, less those of one."""

    calls: int
    cycles_byte: float | None = None
    instructions_byte: float | None = None
    ipc: float | None = None
    branch_misses_kib: float | None = None
    cache_misses_kib: float | None = None


class Samples(Record, kw_only=True):
    event: str
    count: int
    functions: list[FunctionShare]


class LoopInstruction(Record, kw_only=True):
    address: str
    text: str
    line: int | None = None
    executions: float | None = None  # a call
    samples: float | None = None  # share of all


class Loop(Record, kw_only=True):
    symbol: str
    share: float
    found_by: Literal["executions", "samples"]
    iterations: float | None = None  # a call
    length: int  # instructions; the list may hold fewer
    instructions: list[LoopInstruction]


class Estimate(Record, kw_only=True):
    """Of llvm-mca, for one iteration of the hot loop."""

    tool: str
    cpu: str
    instructions: int
    uops: int
    cycles: float
    resource_cycles: float  # if no instruction waited for another
    cycles_byte: float | None = None


class Remark(Record, kw_only=True):
    line: int
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
