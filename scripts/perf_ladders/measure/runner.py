"""Starts one program: checks it, times it, times single calls, or runs it as a whole."""

from __future__ import annotations

import errno
import os
import re
import resource
import shlex
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from perf_ladders.errors import UserError
from perf_ladders.machine import processes, topology
from perf_ladders.measure.google_benchmark import repetitions
from perf_ladders.measure.placement import reread
from perf_ladders.model import measurement
from perf_ladders.model.measurement import AGAIN, Part, Run, Workload
from perf_ladders.model.record import LeftOut
from perf_ladders.tree import files
from perf_ladders.tree.build import Program
from perf_ladders.tree.paths import shown

T = TypeVar("T")
PADDING = "PERF_LADDERS_PADDING"  # a variable
_OWN_PAGES = 128 * 1024  # bytes of an array; what glibc begins with
MIN_MS = 5.0  # of a repetition
_LACKS_FEATURES = 77  # exit code of a program that this CPU cannot run


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is fixed before the first measurement."""

    cpu: int
    rounds: int = 0  # at most, on the main workloads
    other_rounds: int = 0  # at most, on the other workloads
    calls: int = 0  # single calls, timed in a process
    blocks: int = 0  # where programs are measured in blocks
    repetitions: int = 5  # in a process of a block, of each workload
    whole_rounds: int = 0  # of whole programs under hyperfine
    app_rounds: int = 0  # of the case's own programs, where case.toml does not say it
    app_limit_s: float | None = None  # of each of them: one that takes longer is left out
    aa_experiments: int = 0  # in pairs, of a program against itself, where the case has a lesson


@dataclass(frozen=True)
class Runner:
    """A built program under the name that it has in a measurement."""

    program: Program
    about: measurement.Program
    links: tuple[Path, ...] = ()  # the same code at other addresses, of which a process may draw one

    @property
    def id(self) -> str:
        return self.about.id

    def drawn(self, generator: np.random.Generator) -> Runner:
        """One of its links."""
        if not self.links:
            return self
        return replace(self, program=replace(self.program, path=self.links[generator.integers(len(self.links))]))

    @staticmethod
    def of(program: Program) -> Runner:
        """Under its own name: reference.x86-64.gcc, reference-O2.x86-64.gcc, botan.x86-64.gcc"""
        return Runner(program, _about(program, "", "stage"))

    @staticmethod
    def control(program: Program) -> Runner:
        """The reference a second time."""
        return Runner(program, _about(program, AGAIN, "control"))

    @staticmethod
    def named(program: Program, name: str) -> Runner:
        """Under another name than its own, such as `mine` for a learner's program."""
        about = _about(program, "", "stage")
        identity = f"{name}.{program.level}.{program.compiler}"
        return Runner(program, msgspec.structs.replace(about, id=identity, stage=name, variant=None, kind="stage"))


def _about(program: Program, suffix: str, kind: measurement.Kind) -> measurement.Program:
    if program.kind in ("stage", "variant"):
        stage = re.sub(r"^\d\d-", "", program.source.parent.name)
    else:
        stage = program.name.removeprefix(f"{program.case}-")
    variant = program.variant
    name = f"{stage}-{variant}" if variant else f"{stage}{suffix}"
    return measurement.Program(
        id=f"{name}.{program.level}.{program.compiler}",
        kind="variant" if variant else "peer" if program.kind == "peer" else kind,
        stage=stage,
        variant=variant,
        level=program.level,
        compiler=program.compiler,
        threads=program.threads,
        device=program.device,
        standard=program.standard,
        lacks=program.lacks,
    )


class Track(Protocol):
    """`track` of a progress bar."""

    def __call__(self, sequence: Iterable[T], total: float | None = None, *, description: str = "") -> Iterable[T]: ...


def progress_bar(console: Console) -> Progress:
    """It is drawn between measurements alone: its own thread would run beside what is timed."""
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, auto_refresh=False)


def pinned(runner: Runner, cpu: int) -> list[str | Path]:
    """What a command line begins with, so that a program of one thread stays on this CPU."""
    return [] if runner.program.threads else ["taskset", "--cpu-list", str(cpu)]


def command_line(runner: Runner, cpu: int, *words: str) -> list[str | Path]:
    """Of a program that is to be timed."""
    reread(runner.program.path)
    return [*pinned(runner, cpu), runner.program.path, *words]


def environment(padding: int = 0) -> dict[str, str]:
    """That of every program of ours, whatever it is asked for: where its stack begins depends on the padding alone.

    glibc raises the size from which arrays get pages of their own when a program frees such an array. Arrays of a later
    workload would then lie elsewhere in their pages, in one of two programs. So the size is fixed.
    """
    return {**processes.environment(), PADDING: "x" * padding, "MALLOC_MMAP_THRESHOLD_": str(_OWN_PAGES)}


def started(
    command: list[str | Path], padding: int = 0, timeout_s: float | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=environment(padding),
        timeout=timeout_s,
    )


def _fewer_cpus() -> str:
    """Why a program that uses all CPUs would mislead here; empty if it may use all."""
    allowed, there = len(topology.allowed_cpus()), os.cpu_count() or 1
    return f"it uses all CPUs, but may use only {allowed} of {there} here (taskset)" if allowed < there else ""


def runnable(programs: list[Program]) -> tuple[list[Program], list[LeftOut]]:
    """Those that this CPU can run, and the others with the sentence that their guard gives."""
    can: list[Program] = []
    cannot: list[LeftOut] = []
    for program in programs:
        name = Runner.of(program).id
        if why := program.cannot or (program.threads and _fewer_cpus()):
            cannot.append(LeftOut(name=name, reason=why))
            continue
        try:
            result = started([program.path, "workloads"])
        except FileNotFoundError:
            raise UserError(f"{shown(program.path)} is missing: `make build` builds it.") from None
        if result.returncode == _LACKS_FEATURES:
            cannot.append(LeftOut(name=name, reason=result.stderr.strip()))
        elif result.returncode != 0:
            how = processes.ending(result.returncode)
            raise UserError(f"{program.id} {how} when it was asked for its workloads. {result.stderr}".strip(), code=1)
        else:
            can.append(program)
    return can, cannot


def workloads_of(program: Program) -> list[Workload]:
    said = started([program.path, "workloads"]).stdout
    fields = ("name", "role", "bytes")
    try:
        rows = [dict(zip(fields, line.split("\t"), strict=True)) for line in said.splitlines()]
        return [msgspec.convert(row, Workload, strict=False) for row in rows]
    except ValueError as error:
        if "`$.name`" in str(error):
            raise UserError(
                f"{program.id} has a workload with a wrong name: it begins with a letter or a digit, and has these "
                "and . _ - / alone."
            ) from None
        raise UserError(
            f"{program.id} printed more than its workloads ({said[:80].strip()}): remove what the stage prints."
        ) from None


def bench(runner: Runner, padding: int, part: Part, plan: Plan) -> Run:
    """One process that times every workload of the part."""
    with files.scratch() as folder:
        out = folder / "times.json"
        switches = resource.getrusage(resource.RUSAGE_CHILDREN).ru_nivcsw
        result = started(
            command_line(
                runner,
                plan.cpu,
                "bench",
                f"--benchmark_filter=^({'|'.join(part.workloads)})/real_time$",
                f"--benchmark_repetitions={plan.repetitions}",
                f"--benchmark_min_time={part.min_ms / 1000}",
                f"--benchmark_out={out}",
                "--benchmark_out_format=json",
            ),
            padding,
        )
        switches = resource.getrusage(resource.RUSAGE_CHILDREN).ru_nivcsw - switches
        if result.returncode != 0:
            wrong = [line for line in result.stderr.splitlines() if line.startswith("wrong")]
            raise UserError(f"{runner.id} failed while it was measured: {' '.join(wrong) or result.stderr}", code=1)
        try:
            found = repetitions(out.read_bytes())
        except (FileNotFoundError, ValueError):
            raise OSError(errno.ENOSPC, "the times were cut short; is the disk full?", str(out)) from None
    times: dict[str, list[float]] = {name: [] for name in part.workloads}
    for one in found:
        times[one.run_name.removesuffix("/real_time")].append(round(one.real_time, 2))
    return Run(program=runner.id, padding=padding, switches=switches, times_ns=times)


def single_calls(runner: Runner, plan: Plan, padding: int = 0) -> list[float]:
    """Nanoseconds of a call of the first workload, call after call. `padding`: bytes of environment."""
    result = started(command_line(runner, plan.cpu, "sample", str(plan.calls)), padding)
    if result.returncode != 0:
        what = "gave a wrong answer" if result.returncode == 1 else "failed"
        raise UserError(f"{runner.id} {what} while its calls were timed: {result.stderr.strip()}", code=1)
    try:
        found = [float(line) for line in result.stdout.split()]
    except ValueError:
        raise UserError(
            f"{runner.id} printed more than the times of its calls ({result.stdout[:80].strip()}): remove what the "
            "stage prints."
        ) from None
    if not found or min(found) <= 0:
        raise UserError(f"{runner.id} printed no times of single calls, or one of 0 ns: {result.stdout[:80].strip()}")
    return found


class Whole(msgspec.Struct):
    """Of a whole run under hyperfine, in seconds."""

    mean: float
    user: float
    system: float


class _Hyperfine(msgspec.Struct):
    results: list[Whole]


def hyperfine(command: list[str | Path], runner: Runner, padding: int) -> Whole:
    with files.scratch() as folder:
        out = folder / "times.json"
        asked = ["--shell=none", "--runs=1", "--style=none", f"--export-json={out}"]
        done = started(["hyperfine", *asked, "--command-name", runner.id, shlex.join(map(str, command))], padding)
        if done.returncode != 0:
            raise UserError(f"{runner.id} failed under hyperfine: {done.stderr.strip()}", code=1)
        return msgspec.json.decode(out.read_bytes(), type=_Hyperfine).results[0]
