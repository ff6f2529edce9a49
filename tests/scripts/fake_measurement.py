"""A measurement of fake programs, as a process of its own that faults can hit: FOLDER is its place, ROUNDS how many it
takes. The programs speak as common/serve.cpp does, and take no time of their own.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from perf_ladders import cli
from perf_ladders.machine import alone, speed, topology
from perf_ladders.measure import rounds
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.rounds import Measured
from perf_ladders.measure.runner import Plan, Runner
from perf_ladders.measure.session import session
from perf_ladders.model.measurement import Step
from perf_ladders.tree.build import Build, Compiler, Program

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
    plan = Plan(cpu=topology.cpu_to_pin(), rounds=count)
    kept = Journal(folder / "fake", plan, [step], runners)
    with session(kept, plan, build, Console(stderr=True), 1) as begun:
        return kept, rounds.measured(begun, {one.id: one for one in runners}, [step], {"work": 0.1})


def main(folder: Path, count: int) -> None:
    _, found = measured(folder, count)
    print(len(found.pairs), *(f"{one.base_ns}/{one.stage_ns}" for one in found.pairs))


if __name__ == "__main__":
    cli.stop_at_signals()
    sys.exit(cli.ending_well(lambda: main(Path(sys.argv[1]), int(sys.argv[2]))))
