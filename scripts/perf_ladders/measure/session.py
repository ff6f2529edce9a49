"""A measurement under way: its journal, its progress, and the shuffled blocks that the self-check sets beside pairs."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from rich.console import Console
from rich.progress import Progress, TaskID

from perf_ladders.machine import speed, topology
from perf_ladders.machine.alone import alone
from perf_ladders.measure.journal import Journal, kept_when_stopped
from perf_ladders.measure.runner import Plan, Runner, bench, progress_bar
from perf_ladders.model.measurement import Block, Made, Part, Rates
from perf_ladders.tree.build import Build
from perf_ladders.tree.git import git_or_none
from perf_ladders.tree.paths import ROOT, shown

_SOURCES = ["common", "scripts", "stages", "tests"]


@dataclass(frozen=True)
class Session:
    """A measurement under way."""

    journal: Journal
    plan: Plan
    build: Build  # whose program reads the clock and the rates of the machine
    console: Console
    progress: Progress
    task: TaskID
    made: Made
    seed: int

    def expect(self, steps: int) -> None:
        """More steps than were known at the beginning."""
        total = next(task.total for task in self.progress.tasks if task.id == self.task)
        self.progress.update(self.task, total=(total or 0) + steps)

    def describe(self, what: str) -> None:
        self.progress.update(self.task, description=what)
        self.progress.refresh()

    def advance(self, steps: int = 1) -> None:
        self.progress.advance(self.task, steps)
        self.progress.refresh()

    def say(self, what: str) -> None:
        """A line where no bar is shown."""
        if not self.console.is_terminal:
            self.console.print(what, markup=False)

    def blocks(self, runners: Sequence[Runner], part: Part) -> list[Block]:
        """The blocks of the part, those from the journal as they are."""
        found = []
        for number in range(part.blocks):
            key = f"{part.name}/{number}"
            if key in self.journal:
                self.advance(len(runners))
            else:
                self.describe(f"Blocks: {part.name}, {number + 1} of {part.blocks}")
                self.journal.put(key, self._block(runners, part, number))
            found.append(self.journal.get(key, Block))
        return found

    def rates(self, part: str, number: int) -> Rates:
        """The operations that the core started at every level just before this round."""
        key = f"rates/{part}/{number}"
        return self.journal.once(key, lambda: speed.rates(self.build, self.plan.cpu), Rates)

    def _block(self, runners: Sequence[Runner], part: Part, number: int) -> Block:
        build, cpu = self.build, self.plan.cpu
        now = datetime.now(UTC)
        stolen = topology.stolen_ticks()
        before = speed.clock_ghz(build, cpu)
        runs = []
        rates = [speed.operations_per_ns(build, cpu)]
        for runner, padding in shuffled(runners, self.seed, part.name, number):
            runs.append(bench(runner, padding, part, self.plan))
            rates.append(speed.operations_per_ns(build, cpu))
            self.advance()
        return Block(
            part=part.name,
            number=number,
            started=now.isoformat(timespec="seconds"),
            clock_ghz=[before, speed.clock_ghz(build, cpu)],
            operations_per_ns=rates,
            stolen_ticks=topology.stolen_since(stolen),
            runs=runs,
        )


@contextlib.contextmanager
def session(journal: Journal, plan: Plan, build: Build, console: Console, steps: int) -> Iterator[Session]:
    """Alone on this machine, with a bar of so many steps; stopped, it says where to find what was measured."""
    with alone(), progress_bar(console) as progress, kept_when_stopped(journal):
        if "made" in journal:
            said = f"Going on from {shown(journal.path)}, begun {journal.get('made', Made).date}."
            console.print(said, markup=False)
        yield begun(journal, plan, build, console, progress, steps)


def begun(journal: Journal, plan: Plan, build: Build, console: Console, progress: Progress, steps: int) -> Session:
    made = journal.once("made", made_now, Made)
    seed = journal.once("seed", lambda: secrets.randbelow(2**32), int)
    return Session(journal, plan, build, console, progress, progress.add_task("Measuring", total=steps), made, seed)


def shuffled(runners: Sequence[Runner], seed: int, part: str, number: int) -> list[tuple[Runner, int]]:
    """The runners in the order of this block, each with the bytes that its environment is padded by."""
    generator = np.random.default_rng([seed, int.from_bytes(part.encode()), number])
    order = generator.permutation(len(runners))
    paddings = generator.integers(0, 4096, len(runners))
    return [(runners[place], int(padding)) for place, padding in zip(order, paddings, strict=True)]


def highest_rates(rates: Sequence[Rates], probe: float) -> Rates:
    """What the core can start, by level and kind, after several moments and the highest of the contention probes,
    which are taken at the first level. A noisy neighbour only lowers a rate: the highest counts. A core starts no fewer
    operations on narrow vectors than on wide ones: a rate of one level goes for every level of vectors no wider."""
    first = next(iter(rates[0]))
    moments = [*rates, {first: rates[0][first] | {"all": probe}}]
    measured = [values for moment in moments for values in moment.values()]

    def highest(kind: str, width: float) -> float:
        return max(values[kind] for values in measured if values["vector_bytes"] >= width)

    return {
        level: {
            kind: value if kind == "vector_bytes" else highest(kind, values["vector_bytes"])
            for kind, value in values.items()
        }
        for level, values in rates[0].items()
    }


def made_now(besides: Sequence[str] = ()) -> Made:
    """When, from which commit, and whether anything but these paths was changed since. New files count only where
    programs are built from them or checked by them: a stray file elsewhere changes no measurement."""
    date = datetime.now(UTC).isoformat(timespec="seconds")
    but = [f":!{path}" for path in besides]
    edited = git_or_none(ROOT, "status", "--porcelain", "--untracked-files=no", "--", ".", *but)
    new = git_or_none(ROOT, "ls-files", "--others", "--exclude-standard", "--", *_SOURCES, *but)
    commit = git_or_none(ROOT, "rev-parse", "--short=12", "HEAD")
    return Made(date=date, commit=commit and commit.strip(), changed=bool(edited or new))
