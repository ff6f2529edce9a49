"""Programs of a case around every stage: their runs and where their time goes."""

from __future__ import annotations

from typing import Literal

from perf_ladders.model.evidence import FunctionShare
from perf_ladders.model.record import AboveZero, Count, LeftOut, NotBelowZero, Positive, Record, Sha256, Shown


class Input(Record, kw_only=True):
    """What a program read: all files below some folders of the tree, one behind the other."""

    files: Positive
    bytes: Positive
    sha256: Sha256


class Waits(Record, kw_only=True):
    """How long packets waited in one run, under one policy."""

    policy: str
    median_ns: AboveZero
    p99_ns: AboveZero
    longest_ns: AboveZero


class Transfers(Record, kw_only=True):
    """The parts of a call on a device, in nanoseconds."""

    to_device: NotBelowZero
    kernel: NotBelowZero
    to_host: NotBelowZero
    together: NotBelowZero


class SizeTime(Record, kw_only=True):
    bytes: Positive
    stage_ns: AboveZero
    device_ns: Transfers | None = None


class Device(Record, kw_only=True):
    name: Shown
    kind: Shown
    driver: Shown = ""
    platform: Shown = ""


class AppRun(Record, kw_only=True):
    program: str
    round: Count
    value: NotBelowZero  # seconds, or a rate in the unit of the command; of counts the largest, and only that may be 0
    user: NotBelowZero | None = None
    system: NotBelowZero | None = None
    trials: list[AboveZero] = []
    sizes: list[SizeTime] = []
    device: Device | None = None
    waits: list[Waits] = []  # of a rate of packets
    counts: dict[str, Count] = {}  # by workload


class Profile(Record, kw_only=True):
    """Where a program spends its time, by function; the heaviest of them."""

    by: str  # callgrind, or perf's event
    count: Count
    own_share: NotBelowZero
    functions: list[FunctionShare]
    arguments: list[str] = []


class AppCounters(Record, kw_only=True):
    cycles: NotBelowZero | None = None
    instructions: NotBelowZero | None = None
    branch_misses: NotBelowZero | None = None
    cache_misses: NotBelowZero | None = None


class AppProfile(Record, kw_only=True):
    instructions: Profile | None = None
    samples: Profile | None = None
    counters: AppCounters | None = None
    missing: dict[str, str] = {}  # by field: why it is not there


class App(Record, kw_only=True):
    """One command line of a program of the case, around each stage."""

    app: str
    arguments: list[str]
    measure: Literal["time", "rate", "sizes", "counts"]
    unit: str = "s"
    rounds: Count
    input: Input | None = None  # where its arguments name one
    missing: str = ""  # why there are no runs
    runs: list[AppRun] = []
    left_out: list[LeftOut] = []
    profiles: dict[str, AppProfile] = {}  # by program
