"""The types of what was measured: one `Measurement` is one run of one case on one machine, and one file.

It holds raw values only. Rows, ratios and verdicts follow from it (results/analysis.py). Notes, titles, diffs and
claims come from the tree when a page is rendered, so a changed word changes no measurement. A file is never edited.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from perf_ladders.model.apps import App
from perf_ladders.model.evidence import Evidence
from perf_ladders.model.record import (
    AboveZero,
    Commit,
    Count,
    Date,
    LeftOut,
    Logarithm,
    Name,
    NotBelowZero,
    Path,
    Positive,
    Record,
    Rounds,
    Sha256,
    Shown,
    WorkloadName,
)

FORMAT = "perf-ladders measurement"
VERSION = 3
AGAIN = "-again"  # behind the name of what is compared with itself
QUANTILES = (0.01, *(round(0.025 * place, 3) for place in range(1, 40)), 0.99)  # of the single calls of a process: 41
BINS = 40  # of the histogram of single calls, of equal width in the logarithm, from min to max

Kind = Literal["stage", "control", "variant", "peer"]  # control: the reference once more, under a second name
Role = Literal["main", "sweep", "once"]
# What of a process is one value of a round: its least slice; of single calls the standard deviation, the longest, the
# mean of those that are within one standard deviation of the mean, or the base's shortest and the stage's longest.
Quantity = Literal["time", "sd", "longest", "trimmed", "extremes"]


_NUMBER = "(0x[0-9a-f]{1,8}|0|[1-9][0-9]{0,8})"
# Family, model and stepping; of Arm implementer, part and revision.
CpuNumbers = Annotated[str, Meta(pattern=f"^{_NUMBER}(/{_NUMBER}){{2}}$")]


class Made(Record, kw_only=True):
    date: Date  # UTC
    commit: Commit | None = None
    changed: bool = False  # the work tree held more than that commit

    @property
    def uncommitted(self) -> bool:
        """No commit has its sources."""
        return self.changed or self.commit is None


class CoreKinds(Record, kw_only=True):
    performance: list[Count] = []  # both are empty where all cores are alike
    efficiency: list[Count] = []


class Machine(Record, kw_only=True):
    cpu: Shown  # as the CPU calls itself
    family_model_stepping: CpuNumbers | None = None  # 25/17/1
    told_by_features: Shown | None = None  # its name, where family_model_stepping are those of another CPU
    cpus: Positive
    memory_gib: Count
    architecture: Shown
    system: Shown
    kernel: Shown
    virtual_machine: Shown  # kvm; "no" on bare metal
    core_kinds: CoreKinds = msgspec.field(default_factory=CoreKinds)
    governor: Shown | None = None


class Compiler(Record, kw_only=True):
    name: Name  # gcc, clang
    version: Shown
    command: Shown
    flags: Shown
    preset: Shown
    build_type: Shown
    benchmark_version: Shown
    linker: Shown | None = None  # None: the measurement is older than this field
    flags_of_level: dict[str, str]


class Part(Record, kw_only=True):
    """Blocks that time the same workloads."""

    name: Name
    workloads: list[WorkloadName]
    blocks: Count
    min_ms: AboveZero  # of a repetition


class Step(Record, kw_only=True):
    """Two programs that are compared on each of these workloads, in pairs of processes."""

    part: Name  # first, main, others
    base: Name
    stage: Name
    workloads: list[WorkloadName]
    together: Positive  # comparisons that hold together with 95 %
    rounds: Rounds  # at most
    of: Quantity = "time"


class Design(Record, kw_only=True):
    """What was fixed before the first measurement."""

    kind: Literal["blocks", "pairs"]
    seed: Count
    cpu: Count  # that programs of one thread were pinned to
    repetitions: Positive  # in a process, of each workload; of pairs the slices
    parts: list[Part] = []  # of blocks
    steps: list[Step] = []  # of pairs
    slice_ms: dict[str, AboveZero] = {}  # of pairs, by workload: an A/A trial chose them
    links: Positive = 1  # of each program; each process of a pair draws one
    calls: Count  # single calls that were timed in each process
    whole_rounds: Count = 0
    app_rounds: Count = 0


class Workload(Record, kw_only=True):
    name: WorkloadName
    role: Role
    bytes: Positive  # that a call processes


class Program(Record, kw_only=True):
    id: Name  # in this measurement: interchange.x86-64-v3.gcc
    kind: Kind
    stage: Name  # its slug (interchange), of a peer the name of the library; of a variant that of its base
    variant: Name | None = None  # O2, pgo, or a folder of variants/
    level: Name
    compiler: Name
    threads: bool = False  # runs on all cores, so it is not pinned to one
    device: Shown = ""  # that does its work, such as OpenCL
    standard: str = ""  # of standards/, where it keeps to another than the case
    lacks: list[str] = []  # what a library cannot do, in the words of case.toml
    code: Sha256 | None = None  # of its stage's machine code; None: the measurement is older than this field


class Run(Record, kw_only=True):
    """One process of one program in a block."""

    program: str
    padding: Count  # bytes that its environment was padded by
    switches: Count  # times that it was taken off its CPU
    times_ns: dict[str, list[AboveZero]]  # by workload: of each repetition, a call


class Round(Record, kw_only=True):
    """One shuffled pass over all that is measured, and what the machine did meanwhile."""

    part: str
    number: Count
    started: Date
    clock_ghz: Annotated[list[AboveZero], Meta(min_length=1)]  # before and after
    operations_per_ns: list[AboveZero] = []  # contention probe: before, between and after runs
    stolen_ticks: Count


class Block(Round, kw_only=True):
    runs: list[Run]


class Pair(Record, kw_only=True):
    """One value of each of two processes, in one round: the least slice, or another quantity of the step."""

    part: str
    round: Count
    base: str
    stage: str
    workload: str
    base_ns: AboveZero
    stage_ns: AboveZero
    of: Quantity = "time"


class Slices(Record, kw_only=True):
    """All slices of a program on a workload, together."""

    program: str
    workload: str
    processes: Positive
    count: Positive
    mean_ns: AboveZero
    sd_ns: NotBelowZero
    sd_within_ns: NotBelowZero  # of the slices of a process
    sd_between_ns: NotBelowZero  # of the means of processes
    min_ns: AboveZero
    max_ns: AboveZero


class Calls(Record, kw_only=True):
    """Single calls in one process, summed up."""

    count: Positive
    mean_ns: AboveZero
    sd_ns: NotBelowZero
    min_ns: AboveZero
    max_ns: AboveZero
    quantiles_ns: Annotated[list[AboveZero], Meta(min_length=len(QUANTILES), max_length=len(QUANTILES))]
    histogram: Annotated[list[Count], Meta(min_length=BINS, max_length=BINS)]


class MeanSd(Record, kw_only=True):
    mean_ns: AboveZero
    sd_ns: NotBelowZero


class WholeRun(Record, kw_only=True):
    program: str
    round: Count
    seconds: AboveZero
    user: NotBelowZero
    system: NotBelowZero


class WholePrograms(Record, kw_only=True):
    """`run N` of each program, from start to end, under hyperfine."""

    missing: str = ""  # why there is none; then all else is empty
    tool: str = ""
    calls: Count = 0
    rounds: Count = 0
    workload: str = ""
    runs: list[WholeRun] = []


class AATest(Record, kw_only=True):
    """One program against itself: `skip` calls in a row that do not count and `count` that do, and in our way."""

    program: str
    workload: str
    skip: Count
    count: Positive
    calls: dict[str, MeanSd]  # of every program, of its calls that count
    in_a_row: Annotated[list[list[MeanSd]], Meta(max_length=9_999)]  # two processes one after the other, many times
    # Of fixed blocks: its runs are named one, other and control.
    experiments: Annotated[list[list[Block]], Meta(max_length=9_999)] = []
    # Of pairs: of each experiment the logarithm of the ratio in each round.
    rounds: Annotated[list[Annotated[list[Logarithm], Meta(max_length=9_999)]], Meta(max_length=9_999)] = []


# By level: vector_bytes, and operations that the core starts in a nanosecond by kind.
Rates = dict[Name, dict[str, NotBelowZero]]


class Measurement(Record, kw_only=True, omit_defaults=False):
    format: str = FORMAT
    version: int = VERSION
    case: Name
    made: Made
    machine: Machine
    compilers: list[Compiler]
    libraries: dict[Name, Shown] = {}  # versions by library (botan), of those that say it; {}: nobody asked
    design: Design
    sources: dict[str, Sha256]  # by unit (stage/interchange, peer/botan, workloads): SHA-256 of its flattened source
    files: dict[Path, Sha256]
    workloads: list[Workload]
    programs: list[Program]
    left_out: list[LeftOut] = []
    blocks: list[Block] = []
    rounds: list[Round] = []  # of pairs
    pairs: list[Pair] = []
    slices: list[Slices] = []
    calls: dict[str, Calls] = {}  # by program, on the first workload
    benchmark: dict[str, MeanSd] = {}  # likewise: of Google Benchmark's repetitions, a second clock
    whole_programs: WholePrograms
    apps: list[App] = []
    rates: Rates = {}
    evidence: dict[str, Evidence] = {}  # by program
    aa_test: AATest | None = None
