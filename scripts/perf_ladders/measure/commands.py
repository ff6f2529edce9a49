"""Two programs, one against the other, until a sequential test has decided: any two, or two stages of ours.

A round starts both next to each other, in the order x y y x with x drawn at random, so that a slow drift of the machine
favours neither. The minimum of each side counts: noise only adds time. A round gives one value for each thing compared.
"""

from __future__ import annotations

import math
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

import numpy as np

from perf_ladders.errors import UserError
from perf_ladders.machine import processes
from perf_ladders.measure import pairs
from perf_ladders.measure.google_benchmark import repetitions
from perf_ladders.measure.runner import PADDING, Runner
from perf_ladders.sequential import CAP, FIRST_ROUNDS, SPAN_S, decide
from perf_ladders.stats import Comparison
from perf_ladders.tree import files

ROUND_S = 0.25  # that each side of a round runs for at least
_BENCH_S = 0.05  # of a repetition of a benchmark
_REPETITIONS = 3

Sides = dict[str, tuple[float, float]]  # by name of what is compared: the minimum of each side, in seconds


@dataclass
class Series:
    """One thing that both programs do: its values so far, and what they decide."""

    name: str  # of a benchmark; empty for whole commands
    of: int  # comparisons that hold together
    values: list[float] = field(default_factory=list)

    @property
    def comparison(self) -> Comparison:
        return decide(self.values, self.of)


@dataclass(frozen=True)
class Whole:
    """Two command lines, timed from start to end."""

    sides: tuple[Sequence[str], Sequence[str]]
    prepare: str = ""  # a command for the shell, before each run; not timed

    def round(self, generator: np.random.Generator) -> Sides:
        runs: tuple[list[float], list[float]] = ([], [])
        while min(map(sum, runs)) < ROUND_S:
            for side in pairs.quad(generator):
                self._prepare()
                runs[side].append(_seconds(self.sides[side]))
        return {"": (min(runs[0]), min(runs[1]))}

    def _prepare(self) -> None:
        if not self.prepare:
            return
        with tempfile.TemporaryFile() as said:  # a pipe would wait for what it leaves in the background
            done = subprocess.run(  # noqa: S602 - her own command line
                self.prepare,
                shell=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                check=False,
            )
            if done.returncode != 0:
                said.seek(0)
                how = f"{processes.ending(done.returncode)}. {_last(said.read().decode(errors='replace'))}"
                raise UserError(f"--prepare: `{self.prepare}` {how}".rstrip())


@dataclass(frozen=True)
class GoogleBenchmark:
    """The benchmarks that two Google Benchmark programs have in common, of those that the filter matches."""

    sides: tuple[Sequence[str], Sequence[str]]
    filter: str

    def round(self, generator: np.random.Generator) -> Sides:
        least: tuple[dict[str, float], dict[str, float]] = ({}, {})
        took = [0.0, 0.0]
        while min(took) < ROUND_S:
            for side in pairs.quad(generator):
                seconds, times = self._run(self.sides[side])
                took[side] += seconds
                least[side].update({name: min(one, least[side].get(name, math.inf)) for name, one in times.items()})
        common = [name for name in least[0] if name in least[1]]
        if not common:
            raise UserError(
                f"The two programs have no benchmark in common that matches '{self.filter}'. Are both Google Benchmark "
                "programs?"
            )
        return {name: (least[0][name], least[1][name]) for name in common}

    def _run(self, command: Sequence[str]) -> tuple[float, dict[str, float]]:
        """How long it took, and the least time of each benchmark, in seconds."""
        with files.scratch() as folder:
            out = folder / "times.json"
            options = [
                f"--benchmark_filter={self.filter}",
                f"--benchmark_repetitions={_REPETITIONS}",
                f"--benchmark_min_time={_BENCH_S}",
                f"--benchmark_out={out}",
                "--benchmark_out_format=json",
            ]
            took = _seconds([*command, *options])
            try:
                found = repetitions(out.read_bytes())
            except (FileNotFoundError, ValueError):
                raise UserError(f"{command[0]} wrote no times: is it a Google Benchmark program?") from None
        times: dict[str, float] = {}
        for one in found:
            if one.error_occurred:
                raise UserError(f"{command[0]}, {one.run_name}: {one.error_message}")
            if not 0 < one.real_time < math.inf:
                raise UserError(
                    f"{command[0]}, {one.run_name}: its time is {one.real_time:g}, and only times above 0 can be "
                    "compared. Leave it out with --google-benchmark FILTER."
                )
            seconds = one.real_time * _UNITS[one.time_unit]
            times[one.run_name] = min(seconds, times.get(one.run_name, math.inf))
        return took, times


@dataclass(frozen=True)
class Stages:
    """Two programs of ours, in slices, on each of these workloads."""

    sides: tuple[Runner, Runner]
    workloads: Sequence[str]
    cpu: int

    @cached_property
    def slice_ms(self) -> dict[str, float]:
        return pairs.slices_for(self.sides[1], self.workloads, self.cpu, np.random.default_rng())

    def round(self, generator: np.random.Generator) -> Sides:
        found = pairs.measured(*self.sides, self.workloads, self.slice_ms, self.cpu, generator)
        times = {one.workload: (min(one.base_ns) / 1e9, min(one.stage_ns) / 1e9) for one in found}
        return {name: times[name] for name in self.workloads if name in times}


_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def compare(
    pair: Whole | GoogleBenchmark | Stages,
    settled: Callable[[Sequence[Series]], bool],
    tell: Callable[[Sequence[Series], float], None],
    rounds: int = CAP,
) -> tuple[list[Series], float]:
    """Rounds until all is settled, or as many as are allowed, and for 5 s at least; and the seconds that it took.
    `tell` is called between rounds: nothing else runs while something is timed."""
    generator = np.random.default_rng()
    began = time.monotonic()
    found: list[Series] = []
    for number in count(1):
        sides = pair.round(generator)
        found = found or [Series(name, len(sides)) for name in sides]
        for one in found:
            if one.name not in sides:
                raise UserError(
                    f"The benchmark {one.name} was there in the first round, and is gone in round {number}."
                )
            base, other = sides[one.name]
            one.values.append(math.log(base) - math.log(other))
        passed = time.monotonic() - began
        tell(found, passed)
        if passed >= SPAN_S and (number >= rounds or (number >= FIRST_ROUNDS and settled(found))):
            break
    return found, time.monotonic() - began


def _seconds(command: Sequence[str]) -> float:
    """Of one run, which must end well. Its environment is padded: where the stack lies moves times."""
    padded = {**os.environ, PADDING: "x" * random.randrange(4096)}  # noqa: S311 - no secret
    with tempfile.TemporaryFile() as said:
        begin = time.perf_counter()
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, env=padded
            )
        except FileNotFoundError:
            raise UserError(f"There is no program '{command[0]}': give its path, such as ./a.") from None
        except OSError as error:
            raise UserError(f"'{command[0]}' cannot be started: {error.strerror}.") from None
        try:
            code = process.wait()
            end = time.perf_counter()
        finally:  # a signal may end this process first
            process.kill()
            process.wait()
        if code != 0:
            said.seek(0)
            last = _last(said.read().decode(errors="replace"))
            raise UserError(f"`{' '.join(command)}` {processes.ending(code)}. {last}".rstrip())
    return end - begin


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return f"It says: {lines[-1][:200]}" if lines else ""
