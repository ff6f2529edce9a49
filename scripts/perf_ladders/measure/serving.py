"""A live program that makes, times and verifies workloads when it is asked: the other side of common/serve.hpp."""

from __future__ import annotations

import contextlib
import select
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Literal

from perf_ladders.errors import UserError
from perf_ladders.machine import processes, topology
from perf_ladders.measure.runner import Runner, command_line, environment

# By which our clock may pass that of the program, in the best of its slices; on a busy machine each of a few slices may
# end while we wait for a CPU.
_LATENCY_NS, _SHARE = 500_000, 0.10
_OF_FEW_NS, _FEW = 50_000_000, 10
_WAIT_S = 5  # for the end of a program that was told to end
_ANSWER_S = 120  # the slowest oracle takes a second
_ASLEEP_NS = 500_000  # beyond what a slice may wait for others and for its pages
_TICK_NS = 10_000_000


class Paused(UserError):
    """The program slept, or its clock leaves time out: it is wrong, or the machine paused."""


def message(command: str) -> bytes:
    """What the program reads: the length, 4 bytes with the lowest first, and the command."""
    data = command.encode()
    return len(data).to_bytes(4, "little") + data


class Served:
    """Every method sends one command and waits for its answer. A wrong answer, a crash or another clock than ours is
    an error with exit code 1: the stage is wrong."""

    def __init__(self, runner: Runner, cpu: int, padding: int) -> None:
        command = [*processes.tied(), *command_line(runner, cpu, "serve")]
        self._id = runner.id
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        self._ahead: list[tuple[int, float]] = []  # of each slice, nanoseconds: waited, and that our clock was ahead
        self._asleep: list[float] = []  # of each slice, nanoseconds: that it neither ran nor was ready to run
        # Of the slice before: its time without waiting, and how long the program had run when it began.
        self._since: tuple[int, int] | None = None
        self._cpu, self._stolen = cpu, topology.stolen_ticks(cpu)
        self._works_alone = not (runner.program.threads or runner.program.device)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            bufsize=0,
            env=environment(padding),
        )

    def __enter__(self) -> Served:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._ask("end")
                try:
                    code = self._process.wait(_WAIT_S)
                except subprocess.TimeoutExpired:
                    raise self._wrong(f"it did not end within {_WAIT_S} s of being told to") from None
                if code != 0:
                    raise self._died()
                self._expect_our_clock()
                self._expect_work()
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            for file in (self._process.stdin, self._process.stdout, self._said):
                if file:
                    with contextlib.suppress(BrokenPipeError):
                        file.close()

    def make(self, workload: str, pad: int) -> None:
        self._ask(f"make {workload} {pad}")

    def warm(self, nanoseconds: int) -> float:
        """The nanoseconds of a call."""
        calls, passed = map(int, self._ask(f"warm {nanoseconds}").split())
        return max(passed, 1) / calls

    def slice(self, calls: int) -> float:
        """The nanoseconds of a call, over so many of them."""
        waited, ran, begin = self._waited_ns(), self._ran_ns(), time.perf_counter_ns()
        said = int(self._ask(f"slice {calls}"))
        passed = time.perf_counter_ns() - begin
        waited = self._waited_ns() - waited
        if said > passed:
            raise self._wrong(f"its clock says {said:,} ns for what took {passed:,} ns")
        self._ahead.append((waited, passed - waited - said - _SHARE * said))
        self._since = (said - waited, ran) if ran is not None and self._works_alone else None
        return max(said, 1) / calls

    def _waited_ns(self) -> int:
        """How long the program and we have been ready to run so far, while others had the CPU. A slice may wait
        so before its clock begins and after it has ended. 0 where the kernel does not count it."""
        waited = 0
        for process in (self._process.pid, "self"):
            with contextlib.suppress(OSError, IndexError):
                waited += int(Path(f"/proc/{process}/schedstat").read_text("ascii").split()[1])
        return waited

    def _ran_ns(self) -> int | None:
        """How long the program has run so far; exact while it waits for a command. None where the kernel does not
        count it."""
        with contextlib.suppress(OSError, IndexError, ValueError):
            return int(Path(f"/proc/{self._process.pid}/schedstat").read_text("ascii").split()[0])
        return None

    def verify(self, where: Literal["everywhere", "samples"]) -> None:
        self._ask(f"verify {where}")

    def _ask(self, command: str) -> str:
        assert self._process.stdin
        if self._since and (ran := self._ran_ns()) is not None:
            passed, before = self._since
            self._asleep.append(passed - (ran - before) - _SHARE * passed)
        self._since = None
        try:
            self._process.stdin.write(message(command))
            answer = self._read(int.from_bytes(self._read(4), "little")).decode(errors="replace")
        except (BrokenPipeError, EOFError):
            raise self._died() from None
        word, _, rest = answer.partition(" ")
        if word == "wrong":
            raise self._wrong(rest)
        if word != "ok":
            raise UserError(f"{self._id} does not understand '{command}': {rest or answer}")
        return rest

    def _read(self, size: int) -> bytes:
        assert self._process.stdout
        found = b""
        while len(found) < size:
            if not select.select([self._process.stdout], [], [], _ANSWER_S)[0]:
                raise self._wrong(f"it did not answer for {_ANSWER_S} s")
            more = self._process.stdout.read(size - len(found))
            if not more:
                raise EOFError
            found += more
        return found

    def _expect_our_clock(self) -> None:
        """By the half of the slices that waited least. To wait while the program's clock runs is no excuse, but nobody
        can tell when it waited; a long wait would hide what its clock leaves out."""
        allowed = _LATENCY_NS if len(self._ahead) >= _FEW else _OF_FEW_NS
        calm = sorted(self._ahead)[: -(-len(self._ahead) // 2)]
        least = min((ahead for _, ahead in calm), default=0.0)
        if least > allowed:
            raise self._wrong(f"its slices took {least / 1e6:.1f} ms or more beyond what its clock says", Paused)

    def _expect_work(self) -> None:
        """One that sleeps makes what is compared with it look fast. By the half of the slices that slept least. One
        whose CPU the hypervisor took looks asleep, too."""
        calm = sorted(self._asleep)[: -(-len(self._asleep) // 2)]
        if calm and calm[-1] > _ASLEEP_NS and sum(self._asleep) > self._most_stolen_ns():
            raise self._wrong(f"it slept for {calm[-1] / 1e6:.1f} ms or more in half of its slices", Paused)

    def _most_stolen_ns(self) -> int:
        """In the life of the program. Whole ticks are counted, so one more may have begun."""
        ticks = topology.stolen_since(self._stolen, self._cpu)
        return (ticks + 1) * _TICK_NS if topology.stolen_ticks(self._cpu) else 0

    def _wrong(self, what: str, error: type[UserError] = UserError) -> UserError:
        return error(f"{self._id} is wrong while it is measured: {what}.", code=1)

    def _died(self) -> UserError:
        self._process.kill()
        code = self._process.wait()
        self._said.seek(0)
        lines = [line for line in self._said.read().decode(errors="replace").splitlines() if line.strip()]
        how = processes.ending(code)
        last = f" It says: {lines[-1][:200]}" if lines else ""
        return UserError(f"{self._id} {how} while it was measured.{last}", code=1)
