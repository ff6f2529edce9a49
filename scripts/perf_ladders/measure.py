"""Runs the programs of a case in shuffled blocks and keeps every number; docs/method.md says why in this way."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import resource
import secrets
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from perf_ladders import machine
from perf_ladders.catalogue import ROOT, Build, Command, Program, shown
from perf_ladders.complaint import Complaint
from perf_ladders.neighbour import looks_of

AGAIN = "-again"  # the control: stage 00 under a second name
LEAST_MS = 5.0
CHECK_LIMIT_S = 120  # a check takes about a second
_WHOLE_S = 0.1  # of the slowest program, started as a whole


@dataclass(frozen=True)
class Design:
    """What is fixed before the first measurement."""

    blocks: int
    sweep_blocks: int  # for the sizes and for what is timed once
    latency_samples: int
    cpu: int
    whole_rounds: int = 0  # of whole programs under hyperfine
    sweep_ms: float = LEAST_MS  # a repetition of the sizes and of what is timed once
    repetitions: int = 5  # in a process
    program_rounds: int = 0  # of the case's own programs, where case.toml does not say it
    program_limit_s: float | None = None  # of each of them: what takes longer is left out
    lesson_experiments: int = 0  # in blocks, of a program against itself, where the case teaches that


@dataclass(frozen=True)
class Runner:
    """A program under the name it has in the results: the control is stage 00 under a second one."""

    program: Program
    name: str

    @property
    def id(self) -> str:
        return f"{self.name}.{self.program.level}.{self.program.compiler}"


@dataclass(frozen=True)
class Workload:
    name: str
    role: str  # main, sweep or once
    bytes: int


@dataclass(frozen=True)
class Part:
    """Blocks that time the same workloads."""

    name: str
    workloads: list[str]
    blocks: int
    least_ms: float = LEAST_MS  # a repetition


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def runnable(programs: list[Program]) -> tuple[list[Program], list[dict[str, str]]]:
    """Those that this CPU can run, and the others with the sentence that their guard gives."""
    can: list[Program] = []
    cannot: list[dict[str, str]] = []
    for program in programs:
        if program.cannot:
            cannot.append({"name": program.id, "reason": program.cannot})
            continue
        result = started([program.path, "workloads"])
        if result.returncode == 77:
            cannot.append({"name": program.id, "reason": result.stderr.strip()})
        elif result.returncode != 0:
            raise Complaint(f"{program.id} does not run (exit code {result.returncode}): {result.stderr.strip()}")
        else:
            can.append(program)
    return can, cannot


def workloads_of(program: Program) -> list[Workload]:
    lines = started([program.path, "workloads"]).stdout.splitlines()
    return [Workload(name, role, int(size)) for name, role, size in (line.split("\t") for line in lines)]


def check(programs: list[Program], build_folder: Path, console: Console) -> list[tuple[Program, str]]:
    """Runs `check` of every program that has changed since it last passed: those that failed, each with a sentence."""
    record = build_folder / "checked.json"
    try:
        passed: dict[str, str] = json.loads(record.read_text("utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        passed = {}
    failed: list[tuple[Program, str]] = []
    waiting = [program for program in programs if passed.get(program.id) != sha256(program.path)]
    with progress_bar(console) as progress:
        for program in progress.track(waiting, description="Checking") if waiting else []:
            sentence = _check(program)
            if sentence:
                failed.append((program, sentence))
                continue
            passed[program.id] = sha256(program.path)
            record.write_text(json.dumps(passed), "utf-8")
    return failed


def _check(program: Program) -> str:
    """Empty, or what is wrong: the first test that failed and the first lines of what it says."""
    command: list[str | Path] = [program.path, "check", "--gtest_brief=1", "--gtest_fail_fast"]
    more = f"The whole story: {shown(program.path)} check"
    try:
        result = started(command, timeout_s=CHECK_LIMIT_S)
    except subprocess.TimeoutExpired:
        late = f"{program.id} did not finish its check in {CHECK_LIMIT_S} s and is not measured"
        return f"{late}: does a loop never end? {more}"
    if result.returncode == 0:
        return ""
    said = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    tests = [line.split("]", 1)[1].strip() for line in said if line.startswith("[  FAILED  ]")]
    name = re.split(r",| \(", tests[0])[0] if tests else ""
    where = f" ({name})" if name else ""
    crash = f"crashed with {signal.Signals(-result.returncode).name}" if result.returncode < 0 else None
    what = crash or "gives wrong answers"
    start = "\n".join(line for line in said[:8] if not line.startswith("["))
    return f"{program.id} {what}{where} and is not measured. {more}\n{start}".rstrip()


def measure(
    runners: list[Runner],
    parts: list[Part],
    design: Design,
    builds: list[Build],
    journal: Journal,
    console: Console,
    programs: Callable[[Session], list[dict[str, Any]]] = lambda begun: [],
    lesson: Callable[[Session], dict[str, Any]] = lambda begun: {},
) -> dict[str, Any]:
    """The raw part of a result: when and from what, the seed, blocks, latency samples, whole programs, rates of the
    machine, what `programs` measures of the case's own ones, and what `lesson` adds for the page on statistics.

    Every finished piece is on disk in `journal` before the next begins. Interrupted, the same call goes on from there.
    """
    steps = (sum(part.blocks for part in parts) + 1 + design.whole_rounds) * len(runners)
    with session(journal, console, steps) as begun:
        blocks: list[dict[str, Any]] = []
        rates: list[machine.Rates] = []
        for part in parts:
            blocks += begun.blocks(runners, part, design, builds[0])
            rates += [begun.rates(part, number, design, builds[0]) for number in range(part.blocks)]
        for runner in runners:
            begun.progress.update(begun.task, description=f"Sampling latency: {runner.id}")
            journal.once(f"latency/{runner.id}", partial(latency, runner, design))
            begun.progress.advance(begun.task)
        whole = _whole_programs(runners, design, begun)
        of_the_case = programs(begun)
        taught = lesson(begun)
    return {
        "made": begun.made,
        "seed": begun.seed,
        "blocks": blocks,
        "latency": {runner.id: journal[f"latency/{runner.id}"] for runner in runners},
        "whole_programs": whole,
        "programs": of_the_case,
        "rates": most_started(rates, max(look for block in blocks for look in block["operations_per_ns"])),
        **taught,
    }


@dataclass(frozen=True)
class Session:
    """A measurement under way."""

    journal: Journal
    console: Console
    progress: Progress
    task: TaskID
    made: dict[str, str | bool | None]
    seed: int

    def expect(self, steps: int) -> None:
        """More than was known at the beginning."""
        total = next(task.total for task in self.progress.tasks if task.id == self.task)
        self.progress.update(self.task, total=(total or 0) + steps)

    def blocks(
        self, runners: list[Runner], part: Part, design: Design, build: Build, lines: bool = True
    ) -> list[dict[str, Any]]:
        """The blocks of the part, those from the journal as they are; `lines`: a line each where no bar is shown."""
        for number in range(part.blocks):
            key = f"{part.name}/{number}"
            if key in self.journal:
                self.progress.advance(self.task, len(runners))
                continue
            what = f"Measuring: {part.name}, block {number + 1} of {part.blocks}"
            self.progress.update(self.task, description=what)
            if lines and not self.console.is_terminal:
                self.console.print(f"{part.name}: block {number + 1} of {part.blocks}")
            order = shuffled(runners, self.seed, part.name, number)
            self.rates(part, number, design, build)
            block = _block(order, part, number, design, build, lambda: self.progress.advance(self.task))
            self.journal[key] = block
            looks = looks_of([block])
            if number == 0 and lines and looks and not looks.ok:
                self.console.print(f"{looks.sentence} Verdicts want a quieter time, or more blocks.", style="yellow")
        return [self.journal[f"{part.name}/{number}"] for number in range(part.blocks)]

    def rates(self, part: Part, number: int, design: Design, build: Build) -> machine.Rates:
        """What the core started at every level just before this block."""
        found: machine.Rates = self.journal.once(
            f"rates/{part.name}/{number}", lambda: machine.rates(build, design.cpu)
        )
        return found


@contextlib.contextmanager
def session(journal: Journal, console: Console, steps: int) -> Iterator[Session]:
    """Alone on this machine, with a bar of so many steps; stopped, it says where to find what was measured."""
    with alone(), progress_bar(console) as progress, kept_when_stopped(journal):
        if "made" in journal:
            console.print(f"Going on from {shown(journal.path)}, begun {journal['made']['date']}.")
        yield begun(journal, console, progress, steps)


def begun(journal: Journal, console: Console, progress: Progress, steps: int) -> Session:
    made = journal.once("made", _made_now)
    seed = journal.once("seed", lambda: secrets.randbelow(2**32))
    return Session(journal, console, progress, progress.add_task("Measuring", total=steps), made, seed)


def most_started(rates: list[machine.Rates], look: float) -> machine.Rates:
    """What the core can start, by level and kind, after several moments and the highest of the looks, taken at the
    first level. A neighbour only lowers a rate: the highest counts. A core starts no fewer operations on narrow vectors
    than on wide ones: what it has shown at a level goes for every level of vectors no wider."""
    first = next(iter(rates[0]))
    moments = [*rates, {first: rates[0][first] | {"all": look}}]
    shown = [values for moment in moments for values in moment.values()]

    def most(kind: str, width: float) -> float:
        return max(values[kind] for values in shown if values["vector_bytes"] >= width)

    return {
        level: {
            kind: value if kind == "vector_bytes" else most(kind, values["vector_bytes"])
            for kind, value in values.items()
        }
        for level, values in rates[0].items()
    }


def _made_now() -> dict[str, str | bool | None]:
    """When, and from which commit."""

    def git(*words: str) -> str | None:
        try:
            done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": git("rev-parse", "--short=12", "HEAD"),
        "changed": bool(git("status", "--porcelain")),
    }


def shuffled(runners: list[Runner], seed: int, part: str, number: int) -> list[tuple[Runner, int]]:
    """The runners in the order of this block, each with the bytes that its environment is padded by."""
    generator = np.random.default_rng([seed, int.from_bytes(part.encode()), number])
    order = generator.permutation(len(runners))
    paddings = generator.integers(0, 4096, len(runners))
    return [(runners[place], int(padding)) for place, padding in zip(order, paddings, strict=True)]


def _block(
    runners: list[tuple[Runner, int]], part: Part, number: int, design: Design, build: Build, advance: Any
) -> dict[str, Any]:
    now = datetime.now(UTC)
    stolen = machine.stolen_ticks()
    before = machine.clock_ghz(build, design.cpu)
    runs = []
    looks = [machine.operations_per_ns(build, design.cpu)]
    for runner, padding in runners:
        runs.append({"runner": runner.id, "padding": padding, **_bench(runner, padding, part, design)})
        looks.append(machine.operations_per_ns(build, design.cpu))
        advance()
    return {
        "part": part.name,
        "number": number,
        "started": now.isoformat(timespec="seconds"),
        "clock_ghz": [before, machine.clock_ghz(build, design.cpu)],
        "operations_per_ns": looks,
        "stolen_ticks": machine.stolen_ticks() - stolen,
        "runs": runs,
    }


def _bench(runner: Runner, padding: int, part: Part, design: Design) -> dict[str, Any]:
    with tempfile.NamedTemporaryFile(prefix="perf-ladders-", suffix=".json") as out:
        switches = resource.getrusage(resource.RUSAGE_CHILDREN).ru_nivcsw
        result = started(
            [
                *pinned(runner, design),
                runner.program.path,
                "bench",
                f"--benchmark_filter=^({'|'.join(part.workloads)})/real_time$",
                f"--benchmark_repetitions={design.repetitions}",
                f"--benchmark_min_time={part.least_ms / 1000}",
                f"--benchmark_out={out.name}",
                "--benchmark_out_format=json",
            ],
            padding,
        )
        if result.returncode != 0:
            wrong = [line for line in result.stderr.splitlines() if line.startswith("wrong")]
            raise Complaint(f"{runner.id} went wrong while it was measured: {' '.join(wrong) or result.stderr}")
        times: dict[str, list[float]] = {name: [] for name in part.workloads}
        try:
            entries = json.load(out)["benchmarks"]
        except json.JSONDecodeError:
            raise OSError(errno.ENOSPC, "the times were cut short; is the disk full?", out.name) from None
        for entry in entries:
            if entry["run_type"] == "iteration":
                times[entry["run_name"].removesuffix("/real_time")].append(round(entry["real_time"], 2))
    return {
        "involuntary_switches": resource.getrusage(resource.RUSAGE_CHILDREN).ru_nivcsw - switches,
        "times_ns": times,
    }


def latency(runner: Runner, design: Design) -> list[float]:
    """Nanoseconds of a call of the first workload, sample after sample."""
    result = started([*pinned(runner, design), runner.program.path, "sample", str(design.latency_samples)])
    if result.returncode != 0:
        raise Complaint(f"{runner.id} gave a wrong answer while its latency was sampled: {result.stderr.strip()}")
    return [float(line) for line in result.stdout.split()]


def _whole_programs(runners: list[Runner], design: Design, begun: Session) -> dict[str, Any]:
    """`run N` of each runner, starting and ending included, in shuffled rounds: one run of hyperfine each."""
    if not design.whole_rounds:
        return {"missing": "not part of this measurement"}
    if shutil.which("hyperfine") is None:
        return {"missing": "hyperfine is not installed (package hyperfine)"}
    slowest = max(np.median(begun.journal[f"latency/{runner.id}"]) for runner in runners)
    calls = max(1, round(_WHOLE_S * 1e9 / slowest))
    workload = workloads_of(runners[0].program)[0].name
    for number in range(design.whole_rounds):
        key = f"whole/{number}"
        if key in begun.journal:
            continue
        begun.progress.update(begun.task, description=f"Whole programs: round {number + 1} of {design.whole_rounds}")
        runs = []
        for runner, padding in shuffled(runners, begun.seed, "whole", number):
            command = [*pinned(runner, design), runner.program.path, "run", str(calls), workload]
            runs.append({"runner": runner.id, "round": number, "result": hyperfine(command, runner, padding)})
            begun.progress.advance(begun.task)
        begun.journal[key] = runs
    return {
        "tool": started(["hyperfine", "--version"]).stdout.strip(),
        "calls": calls,
        "rounds": design.whole_rounds,
        "workload": workload,
        "runs": [run for number in range(design.whole_rounds) for run in begun.journal[f"whole/{number}"]],
    }


def hyperfine(command: list[str | Path], runner: Runner, padding: int) -> dict[str, Any]:
    """Its own JSON, under the runner's name, for the command holds paths of this machine."""
    with tempfile.NamedTemporaryFile(prefix="perf-ladders-", suffix=".json") as out:
        asked = ["--shell=none", "--runs=1", "--style=none", f"--export-json={out.name}"]
        done = started(["hyperfine", *asked, "--command-name", runner.id, shlex.join(map(str, command))], padding)
        if done.returncode != 0:
            raise Complaint(f"{runner.id} went wrong under hyperfine: {done.stderr.strip()}")
        result: dict[str, Any] = json.load(out)["results"][0]
    return result


def pinned(runner: Runner, design: Design) -> list[str | Path]:
    return [] if runner.program.threads else ["taskset", "--cpu-list", str(design.cpu)]


def started(
    command: list[str | Path], padding: int = 0, timeout_s: float | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PERF_LADDERS_PADDING": "x" * padding}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=timeout_s)


def progress_bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)


class Journal:
    """What has been measured so far: key and value a line. Its name holds a hash of the plan and of the programs, so
    that another plan, or a program compiled anew, begins a journal of its own."""

    def __init__(
        self, stem: Path, design: Design, parts: list[Part], runners: list[Runner], commands: Sequence[Command] = ()
    ) -> None:
        programs = {runner.id: sha256(runner.program.path) for runner in runners}
        for runner in runners if commands else []:
            programs |= {f"{runner.id} {app}": sha256(path) for app, path in runner.program.apps.items()}
        planned = [[asdict(one) for one in found] for found in (parts, commands)]
        plan = json.dumps([asdict(design), *planned, programs], sort_keys=True)
        self.path = stem.with_name(f"{stem.name}.{hashlib.sha256(plan.encode()).hexdigest()[:8]}.journal.jsonl")
        self._entries: dict[str, Any] = {}
        with contextlib.suppress(FileNotFoundError):
            for line in self.path.read_text("utf-8").splitlines():
                with contextlib.suppress(json.JSONDecodeError):  # the line that a power cut left unfinished
                    self._entries.update(json.loads(line))

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def __getitem__(self, key: str) -> Any:
        return self._entries[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            # The line break comes first: it parts this line from one that was left unfinished.
            file.write("\n" + json.dumps({key: value}))
            file.flush()
            os.fsync(file.fileno())
        self._entries[key] = value

    def once(self, key: str, measure: Callable[[], Any]) -> Any:
        """What is known under `key`, measured now if nothing is."""
        if key not in self:
            self[key] = measure()
        return self[key]

    def delete(self) -> None:
        self.path.unlink(missing_ok=True)


@contextlib.contextmanager
def alone(wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Two measurements at once would double each other's times; `wait` is called until the other one has finished."""
    with (Path(tempfile.gettempdir()) / f"perf-ladders-{os.getuid()}.lock").open("w") as lock:
        while not _locked(lock):
            if wait is None:
                raise Complaint("Another measurement is running on this machine: wait until it has finished.")
            wait()
        yield


def _locked(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def kept_when_stopped(journal: Journal) -> Iterator[None]:
    kept = f"What was measured is kept in {shown(journal.path)}, and the same command goes on from there."
    try:
        yield
    except KeyboardInterrupt:
        raise Complaint(f"Stopped. {kept}") from None
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        what = f"{error.strerror}{f': {error.filename}' if error.filename else ''}"
        raise Complaint(f"Cannot go on ({what}){': make room' if full else ''}. {kept}") from None
