"""How often does the method err on this machine? Measures programs that are identical and programs that do less, in
pairs, in the former shuffled blocks and in the usual way; on the machine as it is, and beside a noisy neighbour."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
from rich.console import Console

from perf_ladders import sequential
from perf_ladders.errors import UserError
from perf_ladders.machine import identity, topology
from perf_ladders.machine.alone import expect_free
from perf_ladders.measure import checking, noisy_neighbour, pairs
from perf_ladders.measure.assemble import compiler
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.runner import MIN_MS, Plan, Runner
from perf_ladders.measure.session import Session, session
from perf_ladders.model.measurement import AGAIN, Part
from perf_ladders.model.self_check import Bias, Experiment, SelfCheck, SelfCheckDesign, SelfCheckProgram, Trial
from perf_ladders.tree.build import Build
from perf_ladders.tree.paths import ROOT
from perf_ladders.tree.planner import SELF_CHECK_WORK

CHAIN = "chain"  # the workload of the blocks
WORKLOADS = (CHAIN, "buffers", "texts")
TOGETHER = 10  # comparisons of which each is one: as many as a ladder has steps
_BLOCKS = 20
_REPETITIONS, _USUAL_REPETITIONS = 5, 20
_KINDS = {f"same-0{AGAIN}": "control", "less-10": "shorter"}
_LONG_MS = 25.0  # a slice that cools nothing
_ROUND_S = 0.11  # of all workloads, about


@dataclass(frozen=True)
class Counts:
    """How many trials there are of each kind, quiet and again noisy."""

    identical: int  # pairs of one program and itself
    moved: int  # pairs of the same code at two addresses
    different: int  # of each program that does less
    hardly: int  # of those that differ by less than the floor, or little more: they go to the cap
    blocks: int  # experiments in blocks
    biases: int  # programs alone and in alternating slices

    @staticmethod
    def from_pairs(identical: int) -> Counts:
        """As many of the other trials as go with so many pairs of identical programs."""
        tenth = max(1, identical // 10)
        return Counts(identical, moved=3 * tenth, different=4 * tenth, hardly=2 * tenth, blocks=tenth, biases=8)

    def of(self, name: str) -> int:
        """Of a program that does less."""
        same, less = (SELF_CHECK_WORK[one][1] for one in ("same-0", name))
        return self.hardly if math.log(same / less) < sequential.ALIKE else self.different


def run(build: Build, counts: Counts, stem: Path, console: Console) -> tuple[SelfCheck, Journal]:
    """The self-check, and the journal that holds it until it is written somewhere else."""
    expect_free()
    for _, sentence in checking.check(build.self_check, ROOT / "build" / build.preset, console):
        raise UserError(sentence, code=1)
    planned = Plan(cpu=topology.cpu_to_pin(), rounds=sequential.CAP, blocks=_BLOCKS, repetitions=_REPETITIONS)
    by_name = {_name(runner): runner for runner in map(Runner.of, build.self_check)}
    control = Runner.control(by_name["same-0"].program)
    every = [*by_name.values(), control]
    journal = Journal(stem, planned, [_part("self-check", _BLOCKS)], every)
    trials: list[Trial] = []
    experiments: list[Experiment] = []
    asked = [*_asked(counts, by_name)]
    in_blocks = [one for one in every if _kind(one) != "less"]
    steps = 2 * (len(asked) + counts.blocks * (_BLOCKS * len(in_blocks) + len(in_blocks) - 1)) + counts.biases
    with session(journal, planned, build, console, steps) as begun:
        slice_ms = _slices(by_name["same-0"], begun)
        biases = _biases(by_name["same-0"], counts.biases, slice_ms, begun)
        for noisy in (False, True):
            where = "beside a noisy neighbour" if noisy else "quiet"
            with noisy_neighbour.noisy(planned.cpu) if noisy else contextlib.nullcontext():
                for number, pair in enumerate(asked):
                    begun.describe(f"Pairs, {where}: {number + 1} of {len(asked)}")
                    key = f"{where}/{number}/{pair[0].id}/{pair[1].id}"  # another run may ask for other pairs
                    trials += _trials(key, noisy, pair, slice_ms, begun)
                for number in range(counts.blocks):
                    begun.say(f"Blocks, {where}: {number + 1} of {counts.blocks}")
                    experiments.append(_experiment(f"{where} {number + 1}", noisy, in_blocks, begun))
    design = SelfCheckDesign(
        seed=begun.seed,
        cpu=planned.cpu,
        blocks=_BLOCKS,
        repetitions=_REPETITIONS,
        usual_repetitions=_USUAL_REPETITIONS,
        min_ms=MIN_MS,
    )
    found = SelfCheck(
        made=begun.made,
        machine=identity.describe(),
        compilers=[compiler(build)],
        design=design,
        programs=[_about(one) for one in every],
        experiments=experiments,
        trials=trials,
        together=TOGETHER,
        slice_ms=slice_ms,
        biases=biases,
    )
    return found, journal


def _asked(counts: Counts, by_name: dict[str, Runner]) -> Iterator[tuple[Runner, Runner]]:
    """A program and itself, the first of the same code over each of the others, and each that does less over it."""
    first, *moved = (runner for name, runner in by_name.items() if name.startswith("same"))
    yield from [(first, first)] * counts.identical
    yield from ((first, moved[number % len(moved)]) for number in range(counts.moved))
    for name, runner in by_name.items():
        if name.startswith("less"):
            yield from [(first, runner)] * counts.of(name)


def _trials(
    key: str, noisy: bool, pair: tuple[Runner, Runner], slice_ms: dict[str, float], begun: Session
) -> list[Trial]:
    """Of each workload. The same code goes on to the cap."""
    identical = {_kind(one) for one in pair} == {"same"}

    def measured() -> list[Trial]:
        generator = np.random.default_rng([begun.seed, *key.encode()])
        values: dict[str, list[float]] = {name: [] for name in WORKLOADS}
        seconds = dict.fromkeys(WORKLOADS, 0.0)
        for _ in range(sequential.CAP):
            left = [one for one in WORKLOADS if identical or not sequential.decided(values[one], TOGETHER)]
            if not left:
                break
            began = time.monotonic()
            for found in pairs.measured(*pair, left, slice_ms, begun.plan.cpu, generator):
                values[found.workload].append(found.d)
            for name in left:
                seconds[name] += (time.monotonic() - began) / len(left)
        base, stage = (one.id for one in pair)
        return [
            Trial(noisy=noisy, workload=name, base=base, stage=stage, d=values[name], seconds=seconds[name])
            for name in WORKLOADS
        ]

    found = begun.journal.once(f"trial/{key}", measured, list[Trial])
    begun.advance()
    return found


def _experiment(name: str, noisy: bool, runners: Sequence[Runner], begun: Session) -> Experiment:
    usual = replace(begun, plan=replace(begun.plan, repetitions=_USUAL_REPETITIONS))
    once_each = [one for one in runners if _kind(one) != "control"]
    blocks = begun.blocks(runners, _part(f"experiment {name}", _BLOCKS))
    (usual_way,) = usual.blocks(once_each, _part(f"usual way {name}", 1))
    return Experiment(noisy=noisy, blocks=blocks, usual_way=usual_way)


def _slices(runner: Runner, begun: Session) -> dict[str, float]:
    def trial() -> dict[str, float]:
        return pairs.slices_for(runner, WORKLOADS, begun.plan.cpu, np.random.default_rng(begun.seed))

    return begun.journal.once("slices", trial, dict[str, float])


def _biases(runner: Runner, count: int, slice_ms: dict[str, float], begun: Session) -> list[Bias]:
    """Does alternating make a program slower or faster than it is alone?"""
    found: dict[str, list[float]] = {name: [] for name in WORKLOADS}
    cpu, generator = begun.plan.cpu, np.random.default_rng()

    def measured() -> dict[str, float]:
        short = {one.workload: one for one in pairs.measured(runner, runner, WORKLOADS, slice_ms, cpu, generator)}
        alone = {name: pairs.alone(runner, name, _LONG_MS, cpu, generator) for name in WORKLOADS}
        return {name: math.log(min(alone[name]) / min(short[name].base_ns)) for name in WORKLOADS}

    for number in range(count):
        begun.describe(f"Alternating or alone: {number + 1} of {count}")
        for name, value in begun.journal.once(f"bias/{number}", measured, dict[str, float]).items():
            found[name].append(value)
        begun.advance()
    return [Bias(workload=name, d=values) for name, values in found.items()]


def _part(name: str, blocks: int) -> Part:
    return Part(name=name, workloads=[CHAIN], blocks=blocks, min_ms=MIN_MS)


def _name(runner: Runner) -> str:
    """same-0, less-10: without the level and the compiler."""
    return runner.id.split(".")[0]


def _kind(runner: Runner) -> str:
    return _KINDS.get(_name(runner), _name(runner).split("-")[0])


def _about(runner: Runner) -> SelfCheckProgram:
    work = SELF_CHECK_WORK[_name(runner).removesuffix(AGAIN)][1]
    fields = {"id": runner.id, "name": _name(runner), "kind": _kind(runner), "work": work}
    return msgspec.convert(fields, SelfCheckProgram)


def plan(counts: Counts, cpu: int) -> str:
    """The first line: how long it will take."""
    # Google Benchmark needs about three repetitions to find out how long one is; a process needs 25 ms besides.
    in_blocks, in_a_row = ((repetitions + 3) * MIN_MS + 25 for repetitions in (_REPETITIONS, _USUAL_REPETITIONS))
    blocks_ms = counts.blocks * (_BLOCKS * 6 * in_blocks + 5 * in_a_row)
    less = [name for name in SELF_CHECK_WORK if name.startswith("less")]
    hardly = sum(counts.of(name) == counts.hardly for name in less)
    rounds = (
        sequential.CAP * (counts.identical + counts.moved + hardly * counts.hardly)
        + 20 * (len(less) - hardly) * counts.different
    )
    minutes = 2 * (rounds * _ROUND_S + blocks_ms / 1000) / 60
    return (
        f"Self-check: {counts.identical} pairs of one program and itself and {len(less)} true differences, quiet and "
        f"beside a noisy neighbour, about {math.ceil(minutes)} min, pinned to CPU {cpu}; run nothing else."
    )
