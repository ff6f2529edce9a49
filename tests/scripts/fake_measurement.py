"""A measurement of fake programs, as a process of its own that faults can hit: FOLDER is its place, ROUNDS how many it
takes. The programs speak as common/serve.cpp does, and take no time of their own. FOLDER/tree is their repository, and
the seconds in FOLDER/clock set the clock.
"""

from __future__ import annotations

import contextlib
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

from rich.console import Console

from perf_ladders import cli
from perf_ladders.machine import alone, speed, topology
from perf_ladders.measure import rounds, sources
from perf_ladders.measure import session as sessions
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.rounds import Measured
from perf_ladders.measure.runner import Plan, Runner
from perf_ladders.measure.session import session
from perf_ladders.measure.sources import Sources
from perf_ladders.model.measurement import Step
from perf_ladders.tree import source
from perf_ladders.tree.build import Build, Compiler, Program
from perf_ladders.tree.git import git

# Makes, times and verifies as it is asked; one call takes a tenth of a millisecond by its own clock.
SERVES = f"""#!{sys.executable}
import sys, time
while head := sys.stdin.buffer.read(4):
    words = sys.stdin.buffer.read(int.from_bytes(head, "little")).decode().split()
    begin = time.perf_counter_ns()
    calls = int(words[1]) if words[0] == "slice" else 3
    while time.perf_counter_ns() - begin < 2_000 * calls: pass
    passed = time.perf_counter_ns() - begin
    said = {{"slice": f"ok {{passed}}", "warm": f"ok {{calls}} {{passed}}"}}.get(words[0], "ok")
    sys.stdout.buffer.write(len(said).to_bytes(4, "little") + said.encode())
    sys.stdout.buffer.flush()
    if words[0] == "end":
        break
"""

CASE = SimpleNamespace(name="fake")
_AUTHOR = ("-c", "user.name=fake", "-c", "user.email=fake@example.org", "-c", "commit.gpgsign=false")


def repository(folder: Path) -> Path:
    """Of two commits with one source each; the first one is checked out."""
    place = folder / "tree"
    if not place.exists():  # a fault may hit this, too
        tree = folder / f"unfinished-{os.getpid()}"
        text = tree / "stages" / CASE.name / "00-s0" / "stage.cpp"
        text.parent.mkdir(parents=True)
        git(tree, "init", "--quiet", "--initial-branch=main", "--template=")  # without hooks: a small disk is a fault
        for number in (1, 2):
            text.write_text(f"// commit {number}\n")
            git(tree, "add", "--all")
            git(tree, *_AUTHOR, "commit", "--quiet", "-m", "Add")
        git(tree, "checkout", "--quiet", "HEAD~")
        tree.replace(place)
    return place


def clock(folder: Path) -> str:
    ahead = 0.0
    with contextlib.suppress(FileNotFoundError):
        ahead = float((folder / "clock").read_text())
    return (datetime.now(UTC) + timedelta(seconds=ahead)).isoformat(timespec="seconds")


def measured(folder: Path, count: int) -> tuple[Journal, Measured]:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "fake-program"
    if not path.exists():
        path.write_text(SERVES)
        path.chmod(0o755)
    programs = [
        Program("fake", "stage", f"fake-0{n}", "x86-64", "gcc", False, path, path, [], Path(f"0{n}-s{n}/stage.cpp"))
        for n in range(2)
    ]
    runners = [Runner.of(program) for program in programs]
    build = Build("gcc", Compiler("gcc"), "", "", {}, {}, None, [], [])
    step = Step(part="main", base=runners[0].id, stage=runners[1].id, workloads=["work"], together=1, rounds=count)
    speed.clock_ghz = lambda build, cpu: 3.0
    speed.operations_per_ns = lambda build, cpu: 12.0
    speed.rates = lambda build, cpu: {}
    alone.LOCKS = folder
    tree = repository(folder)
    source.ROOT, source.STAGES, sessions.ROOT = tree, tree / "stages", tree
    rounds._now = lambda: clock(folder)
    plan = Plan(cpu=topology.cpu_to_pin(), rounds=count)
    kept = Journal(folder / "fake", plan, [step], runners)
    console = Console(stderr=True, soft_wrap=True)
    with session(kept, plan, build, console, 1) as begun:
        now = kept.once("sources", lambda: Sources(sources={}, files=source.files(CASE)), Sources)
        found = rounds.measured(begun, {one.id: one for one in runners}, [step], {"work": 0.1})
    if said := sources.moved(CASE, now, begun.made):
        console.print(said, markup=False)
    return kept, found


def main(folder: Path, count: int) -> None:
    _, found = measured(folder, count)
    print(len(found.pairs), *(f"{one.base_ns}/{one.stage_ns}" for one in found.pairs))


if __name__ == "__main__":
    cli.stop_at_signals()
    sys.exit(cli.ending_well(lambda: main(Path(sys.argv[1]), int(sys.argv[2]))))
