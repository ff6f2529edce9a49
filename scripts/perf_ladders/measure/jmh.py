"""One fresh JVM: JMH forks it, warms it up, times it, and says what it found as JSON."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import msgspec

from perf_ladders.errors import UserError
from perf_ladders.model import java
from perf_ladders.tree import files

FLAGS = ("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC")  # one CPU: a collector with threads of its own would compete
# Of JMH's own JVM, which sleeps while one that it forked runs.
_HOST = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djmh.ignoreLock=true")
ITERATION_MS = 50
_UNIT = "ns/op"


class _Metric(msgspec.Struct):
    scoreUnit: str  # noqa: N815 - as JMH calls it
    rawData: list[list[float]]  # noqa: N815


class _Result(msgspec.Struct):
    jmhVersion: str  # noqa: N815
    vmName: str  # noqa: N815
    vmVersion: str  # noqa: N815
    primaryMetric: _Metric  # noqa: N815


@dataclass(frozen=True)
class Timed:
    """By one JVM."""

    times_ns: list[float]  # of each iteration, a call
    jvm: java.Jvm
    said: str  # on its output


class Host:
    """Runs benchmarks that are compiled. One process of JMH, which sleeps meanwhile, forks a JVM for each."""

    def __init__(self, program: Path, classpath: str) -> None:
        """`program`: java."""
        self.program, self.classpath, self.flags = program, classpath, [*FLAGS]
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.terminate()  # with the JVM that it has forked
            self._process.communicate()
            self._process = None

    def timed(
        self, benchmark: str, way: str, size: int, iterations: int, warm_ms: int = 0, more: Sequence[str] = ()
    ) -> Timed:
        """`more`: flags of the JVM that is forked."""
        with files.scratch() as folder:
            out, log = folder / "jmh.json", folder / "log"
            words = [
                *(f"^{benchmark}$", "-p", f"way={way}", "-p", f"size={size}", "-f", "1", "-foe", "true"),
                *("-wi", str(warm_ms // ITERATION_MS), "-w", f"{ITERATION_MS}ms"),
                *("-i", str(iterations), "-r", f"{ITERATION_MS}ms", "-o", str(log)),
                *("-rf", "json", "-rff", str(out), "-jvmArgs", " ".join([*self.flags, *more])),
            ]
            answer = self._asked(words)
            said = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
            text = out.read_bytes() if out.is_file() else b""
        if answer != "done":
            raise UserError(f"{benchmark} of {way} failed: {_reason(said)}", code=1)
        return read(text, iterations, said, self.flags)

    def _asked(self, words: Sequence[str]) -> str:
        """The answer: done or failed; empty where the process has ended."""
        if self._process is None:
            command = [str(self.program), *_HOST, "-cp", self.classpath, "harness.Host"]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdin
        assert self._process.stdout
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write("\t".join(words) + "\n")
            self._process.stdin.flush()
        return self._process.stdout.readline().strip()


def read(text: bytes, iterations: int, said: str, flags: list[str]) -> Timed:
    """JMH's JSON of one benchmark in one JVM."""
    try:
        (found,) = msgspec.json.decode(text, type=list[_Result])
        (times,) = found.primaryMetric.rawData
    except (msgspec.DecodeError, ValueError):
        raise UserError(f"JMH wrote no times of one JVM. It says: {_reason(said)}", code=1) from None
    if len(times) != iterations or found.primaryMetric.scoreUnit != _UNIT or min(times) <= 0:
        raise UserError(f"JMH was asked for {iterations} times in {_UNIT}, and wrote something else.", code=1)
    jvm = java.Jvm(name=found.vmName, version=found.vmVersion, flags=flags, jmh=found.jmhVersion)
    return Timed([round(one, 3) for one in times], jvm, said)


def _reason(said: str) -> str:
    """The line of the exception that JMH prints, or its last line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    wrong = [line for line in lines if "Error" in line or "Exception" in line]
    return (wrong or lines[-1:] or ["nothing"])[0][:300]
