"""What models of cores say of hot loops, as reports/port-pressure.json keeps it."""

from __future__ import annotations

from perf_ladders.model.record import Count, Date, NotBelowZero, Positive, Record, Sha256


class Answer(Record, kw_only=True):
    """Of one model, for one iteration of a loop; or why there is none."""

    tool: str  # llvm-mca, OSACA
    version: str
    model: str = ""  # what the tool calls the core
    stand_in: str = ""  # the core whose ports the tool takes instead
    cycles: NotBelowZero | None = None
    chain: NotBelowZero | None = None  # of these, what the longest chain from iteration to iteration takes
    ports: dict[str, NotBelowZero] = {}  # how many cycles each is busy
    unknown: dict[str, Positive] = {}  # how many instructions the tool knows nothing of: they add no cycles
    missing: str = ""


class Asked(Record, kw_only=True):
    loop: Sha256  # of its text
    core: str  # AMD Zen 3
    instructions: Count
    answers: list[Answer]


class PortPressure(Record, kw_only=True):
    when: Date
    commit: str
    loops: list[Asked]
