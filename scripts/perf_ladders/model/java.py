"""What was measured of Java programs: every JVM that JMH forked, with the times of its iterations."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from perf_ladders.model.measurement import VERSION, Machine, Made, Step
from perf_ladders.model.record import AboveZero, Count, LeftOut, Name, Positive, Record, Sha256, Shown, WorkloadName

JAVA_FORMAT = "perf-ladders java measurement"


class Jvm(Record, kw_only=True):
    name: Shown  # OpenJDK 64-Bit Server VM
    version: Shown
    flags: list[Shown]
    jmh: Shown  # its version


class Fork(Record, kw_only=True):
    """A fresh JVM, which timed one way on one workload."""

    round: Count
    place: Count  # in the order of the round: a shuffled pass over all that is measured, and the same backwards
    way: Name
    workload: WorkloadName
    times_ns: Annotated[list[AboveZero], Meta(min_length=1)]  # of each iteration, a call


class WarmUp(Record, kw_only=True):
    """An A/A trial: each JVM is compared with itself at its end."""

    candidates_ms: Annotated[list[Positive], Meta(min_length=1)]
    chosen_ms: Positive
    forks: list[Fork]  # without warm-up


class Jit(Record, kw_only=True):
    """What the JIT made of a way."""

    compiled: list[Shown]  # the methods that its highest tier compiled
    instructions: Count  # of their machine code; 0: nothing could be decoded
    vector: dict[Shown, Count]  # of these, those on vectors of integers, by mnemonic


class JavaMeasurement(Record, kw_only=True, omit_defaults=False):
    format: str = JAVA_FORMAT
    version: int = VERSION
    language: Literal["java"] = "java"
    case: Name
    made: Made
    machine: Machine
    jvm: Jvm
    libraries: dict[Name, Shown]  # versions by artefact
    seed: Count
    cpu: Count  # that all JVMs were pinned to
    iterations: Positive  # in a JVM
    iteration_ms: Positive
    warm_up: WarmUp
    steps: list[Step]  # what is compared
    sources: dict[str, Sha256]
    workloads: Annotated[dict[WorkloadName, Positive], Meta(min_length=1)]  # by name how large: bytes or objects
    ways: list[Name]
    left_out: list[LeftOut] = []
    forks: Annotated[list[Fork], Meta(min_length=1)]
    jit: dict[Name, Jit] = {}  # by way
