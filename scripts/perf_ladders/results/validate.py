"""Do the parts of a measurement fit together? The types cannot say that names mean something and nothing is missing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Protocol, TypeVar

from perf_ladders.measure.aa_test import NAMES
from perf_ladders.measure.self_check import CHAIN
from perf_ladders.model.java import JavaMeasurement
from perf_ladders.model.measurement import AATest, Block, Made, Measurement, Program, Quantity, Round
from perf_ladders.model.record import LEAST
from perf_ladders.model.self_check import SelfCheck

T = TypeVar("T")


class _Run(Protocol):
    @property
    def program(self) -> str: ...
    @property
    def round(self) -> int: ...


class _Dated(Protocol):
    @property
    def made(self) -> Made: ...


def misfit(measured: Measurement) -> str | None:
    """The first misfit, with its field; None if all fits."""
    of_parts = (_blocks, _keys, _calls, _whole_programs, _apps, _aa_test, _kind, _pairs)
    checks = (_names, _programs, _rates, *of_parts)
    dates = _dates(measured, [*measured.rounds, *measured.blocks])
    return next(chain(dates, chain.from_iterable(check(measured) for check in checks)), None)


def date_misfit(found: _Dated) -> str | None:
    """Of a file whose parts say nothing of each other."""
    return next(_dates(found, []), None)


def self_check_misfit(found: SelfCheck) -> str | None:
    kinds = [program.kind for program in found.programs]
    if kinds.count("control") != 1 or kinds.count("shorter") != 1 or kinds.count("same") < 2:
        return "programs: it needs one control, one shorter program, and two or more that are the same"
    if all(one.noisy for one in found.experiments):
        return "experiments: there is none without noise"
    every = [program.id for program in found.programs if program.kind != "less"]
    once = [program.id for program in found.programs if program.kind in ("same", "shorter")]
    work = {program.id: program.work for program in found.programs}
    for said in _dates(found, [block for one in found.experiments for block in (*one.blocks, one.usual_way)]):
        return said
    for trial in found.trials:
        if not work.get(trial.base) or not work.get(trial.stage):
            return f"trials: {trial.base} and {trial.stage} are not both in `programs` with their work"
    for experiment in found.experiments:
        if not experiment.blocks:
            return "experiments: one of them has no blocks"
        for blocks, programs, repetitions in (
            (experiment.blocks, every, found.design.repetitions),
            ([experiment.usual_way], once, found.design.usual_repetitions),
        ):
            workloads = {block.part: [CHAIN] for block in blocks}
            for said in of_blocks(blocks, programs, workloads, repetitions):
                return said
    return None


def java_misfit(found: JavaMeasurement) -> str | None:
    """Every comparison has a value of each of its rounds, from the first on."""
    for said in _dates(found, []):
        return said
    numbers: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for fork in found.forks:
        numbers[fork.way, fork.workload][fork.round] += 1
    for step in found.steps:
        if len(step.workloads) != 1:
            return f"steps: {step.stage} over {step.base} is not on one workload"
        for way in (step.base, step.stage):
            if way not in found.ways or step.workloads[0] not in found.workloads:
                return f"steps: {way} on {step.workloads[0]} is not in `ways` and `workloads`"
            if (way, step.workloads[0]) not in numbers:
                return f"forks: there are none of {way} on {step.workloads[0]}"
    for (way, workload), mine in numbers.items():
        if sorted(mine) != list(range(len(mine))) or set(mine.values()) != {2}:
            return f"forks: {way} on {workload} does not have two JVMs in each of its rounds"
    return None


def of_blocks(
    blocks: Sequence[Block], programs: Iterable[str], workloads: Mapping[str, Sequence[str]], repetitions: int
) -> Iterator[str]:
    """Each block is there once and holds each program once with all its times: else unlike blocks would be compared.
    `workloads` by part."""
    expected = Counter(programs)
    if not blocks:
        yield "blocks: there are none"
    if again := _twice((block.part, block.number) for block in blocks):
        yield f"blocks: block {again[1]} of the part {again[0]} is there twice"
    for block in blocks:
        where = f"blocks: block {block.number} of the part {block.part}"
        asked = workloads.get(block.part)
        if asked is None:
            yield f"{where} belongs to no part of the design"
            continue
        ran = Counter(run.program for run in block.runs)
        for name in sorted((expected - ran) + (ran - expected)):
            yield f"{where} has {ran[name]} runs of {name}, not {expected[name]}"
        for run in block.runs:
            if {name: len(times) for name, times in run.times_ns.items()} != dict.fromkeys(asked, repetitions):
                yield f"{where}: {run.program} does not have {repetitions} times of each of {', '.join(asked)}"


def _dates(found: _Dated, rounds: Iterable[Round]) -> Iterator[str]:
    """The types hold digits where digits belong; not that there is such a day."""
    for date in (found.made.date, *(one.started for one in rounds)):
        try:
            datetime.fromisoformat(date)
        except ValueError:
            yield f"made.date or started: there is no {date}"


def _rates(measured: Measurement) -> Iterator[str]:
    """Without them nobody could say that a time is below what the core can do."""
    for level in dict.fromkeys(program.level for program in measured.programs):
        rates = measured.rates.get(level, {})
        if rates.get("vector_bytes", 0) < 1 or not all(rates.values()) or "all" not in rates:
            yield f"rates: those of {level} are not all there, or one of them is 0"


def _names(measured: Measurement) -> Iterator[str]:
    for what, names in (
        ("programs", [program.id for program in measured.programs]),
        ("workloads", [workload.name for workload in measured.workloads]),
        ("compilers", [one.name for one in measured.compilers]),
        ("design.parts", [part.name for part in measured.design.parts]),
    ):
        if again := _twice(names):
            yield f"{what}: {again} is there twice"
    if not any(workload.role == "main" for workload in measured.workloads):
        yield "workloads: none of them has the role main"
    asked = [part.workloads for part in measured.design.parts] + [step.workloads for step in measured.design.steps]
    planned = {*chain.from_iterable(asked)}
    if apart := planned.symmetric_difference(workload.name for workload in measured.workloads):
        yield f"workloads: {min(apart)} is in `workloads` or in `design`, but not in both"


def _programs(measured: Measurement) -> Iterator[str]:
    """The reference and its control are there at every level and with every compiler that was measured."""
    compilers = {compiler.name for compiler in measured.compilers}
    ladders: dict[tuple[str, str], list[Program]] = {}
    for program in measured.programs:
        ladders.setdefault((program.level, program.compiler), []).append(program)
        if program.compiler not in compilers:
            yield f"programs: {program.id} has a compiler that is not in `compilers`"
        if not program.id.endswith(f".{program.level}.{program.compiler}"):
            yield f"programs: {program.id} is built at {program.level} with {program.compiler}"
    if not ladders:
        yield "programs: there is none"
    for (level, compiler), programs in ladders.items():
        controls = [one.stage for one in programs if one.kind == "control"]
        if len(controls) != 1:
            yield f"programs: there is no control at {level} with {compiler}, or more than one"
        for reference in controls:
            if not any(one.kind == "stage" and one.stage == reference and not one.device for one in programs):
                yield f"programs: the control's stage {reference} is not there at {level} with {compiler}"


def _kind(measured: Measurement) -> Iterator[str]:
    if measured.design.kind == "blocks" and (measured.pairs or measured.slices):
        yield "design.kind: it is blocks, but there are pairs"
    if measured.design.kind == "pairs" and measured.blocks:
        yield "design.kind: it is pairs, but there are blocks"


def _pairs(measured: Measurement) -> Iterator[str]:
    """Each step has one value of each of its workloads in each of its rounds, from the first on."""
    if measured.design.kind != "pairs":
        return
    programs = {program.id for program in measured.programs}
    asked = {(one.part, one.base, one.stage, one.of): one for one in measured.design.steps}
    rounds: dict[tuple[str, str, str, Quantity, str], list[int]] = defaultdict(list)
    for one in measured.pairs:
        rounds[one.part, one.base, one.stage, one.of, one.workload].append(one.round)
    slices = {(one.program, one.workload) for one in measured.slices}
    for (part, base, stage, of, workload), numbers in rounds.items():
        step = asked.get((part, base, stage, of))
        where = f"pairs: {stage} over {base} on {workload}"
        if step is None or workload not in step.workloads:
            yield f"{where} is not in `design.steps`"
        elif sorted(numbers) != list(range(len(numbers))) or len(numbers) > step.rounds:
            yield f"{where} does not have one value in each of at most {step.rounds} rounds"
        for name in (base, stage):
            if name not in programs:
                yield f"{where}: {name} is not in `programs`"
            if of == "time" and (name, workload) not in slices:
                yield f"slices: there are none of {name} on {workload}"
    for step in measured.design.steps:
        for workload in step.workloads:
            if (step.part, step.base, step.stage, step.of, workload) not in rounds:
                yield f"pairs: there are none of {step.stage} over {step.base} on {workload}"
    places = [(one.program, one.workload) for one in measured.slices]
    if again := _twice(places):
        yield f"slices: those of {again[0]} on {again[1]} are there twice"
    timed = {
        (name, workload)
        for step in measured.design.steps
        if step.of == "time"
        for name in (step.base, step.stage)
        for workload in step.workloads
    }
    for name, workload in places:
        if (name, workload) not in timed:
            yield f"slices: those of {name} on {workload} belong to no step of the design"
    numbers_of = Counter((one.part, one.number) for one in measured.rounds)
    if missing := next((one for one in measured.pairs if numbers_of[one.part, one.round] != 1), None):
        yield f"rounds: round {missing.round} of the part {missing.part} is not there once"


def _blocks(measured: Measurement) -> Iterator[str]:
    if measured.design.kind != "blocks":
        return
    workloads = {part.name: part.workloads for part in measured.design.parts}
    found = Counter(block.part for block in measured.blocks)
    for part in measured.design.parts:
        if found[part.name] != part.blocks:
            yield f"blocks: the part {part.name} has {found[part.name]} blocks, not {part.blocks}"
    programs = [program.id for program in measured.programs]
    yield from of_blocks(measured.blocks, programs, workloads, measured.design.repetitions)


def _keys(measured: Measurement) -> Iterator[str]:
    """Whatever is said of a program is said of one that was measured."""
    programs = {program.id for program in measured.programs}
    of_apps = (name for app in measured.apps for name in app.profiles)
    for field, names in (
        ("calls", measured.calls),
        ("benchmark", measured.benchmark),
        ("evidence", measured.evidence),
        ("apps", of_apps),
    ):
        for name in names:
            if name not in programs:
                yield f"{field}: {name} is not in `programs`"


def _calls(measured: Measurement) -> Iterator[str]:
    for program in measured.programs:
        calls = measured.calls.get(program.id)
        if calls is None:
            yield f"calls: there are none of {program.id}"
        elif sum(calls.histogram) != calls.count:
            yield f"calls: the histogram of {program.id} holds {sum(calls.histogram)} of {calls.count} calls"


def _whole_programs(measured: Measurement) -> Iterator[str]:
    yield from _rounds(measured, measured.whole_programs.runs, "whole_programs")


def _apps(measured: Measurement) -> Iterator[str]:
    for place, app in enumerate(measured.apps):
        yield from _rounds(measured, app.runs, f"apps[{place}]")
        if app.measure == "sizes":
            sizes = {tuple(one.bytes for one in run.sizes) for run in app.runs}
            if len(sizes) > 1 or () in sizes or any(run.device is None for run in app.runs):
                yield f"apps[{place}]: its runs do not all have the same sizes, or do not name the device"
        elif app.measure != "counts" and any(run.value < LEAST for run in app.runs):
            yield f"apps[{place}]: a run has a value of 0, or nearly so"
        if len({tuple(one.policy for one in run.waits) for run in app.runs}) > 1:
            yield f"apps[{place}]: its runs do not all have the same policies"
        if len({tuple(run.counts) for run in app.runs}) > 1:
            yield f"apps[{place}]: its runs do not all count on the same workloads"


def _rounds(measured: Measurement, runs: Sequence[_Run], field: str) -> Iterator[str]:
    """Each program that takes part does so once in each round."""
    programs = {program.id for program in measured.programs}
    found: dict[str, list[int]] = {}
    for run in runs:
        found.setdefault(run.program, []).append(run.round)
    every = sorted({number for numbers in found.values() for number in numbers})
    for name, numbers in found.items():
        if name not in programs:
            yield f"{field}: {name} is not in `programs`"
        if sorted(numbers) != every:
            yield f"{field}: {name} does not have one run in each of {len(every)} rounds"


def _aa_test(measured: Measurement) -> Iterator[str]:
    found: AATest | None = measured.aa_test
    if found is None:
        return
    if not found.in_a_row or any(len(pair) != 2 for pair in found.in_a_row):
        yield "aa_test.in_a_row holds pairs"
    if not (found.experiments or found.rounds) or not all(found.rounds):
        yield "aa_test: it has no experiments, or one of them has no rounds"
    for program in measured.programs:
        calls = measured.calls.get(program.id)
        if calls and program.kind != "variant" and calls.count < found.skip + found.count:
            yield f"calls: {program.id} has {calls.count}, and the A/A test needs {found.skip + found.count}"
    for number, blocks in enumerate(found.experiments, 1):
        names = {run.program for block in blocks for run in block.runs}
        if sorted(name.split(".")[0] for name in names) != sorted(NAMES):
            yield f"aa_test: experiment {number} is not of {', '.join(NAMES)}"
        workloads = {block.part: [found.workload] for block in blocks}
        for said in of_blocks(blocks, names, workloads, measured.design.repetitions):
            yield f"aa_test, experiment {number}: {said}"


def _twice(names: Iterable[T]) -> T | None:
    return next((name for name, count in Counter(names).items() if count > 1), None)
