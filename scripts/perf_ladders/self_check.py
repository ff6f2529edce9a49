"""How often does the method err on this machine? Programs that are the same, and one that is not, told apart or not.

docs/method.md says what is done; the raw times are one JSON file (self_check.schema.json), the table follows from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.stats import mannwhitneyu

from perf_ladders import machine, measure, report, stats, wording
from perf_ladders.catalogue import REFERENCE_REPORTS, ROOT, SELF_CHECK, Build, shown
from perf_ladders.coherence import of_blocks
from perf_ladders.complaint import Complaint
from perf_ladders.measure import AGAIN, Design, Journal, Part, Runner
from perf_ladders.result import compiler, read, save
from perf_ladders.rows import Result, times_of

VERSION = 1
SCHEMA = Path(__file__).with_name("self_check.schema.json")
_WORKLOAD = "chain"
_USUAL_REPETITIONS = 20
_DESIGN = Design(blocks=20, sweep_blocks=0, latency_samples=0, cpu=0)


def run(build: Build, experiments: int, stem: Path, console: Console) -> tuple[Result, Journal]:
    """The result, and the journal that holds it until it is written somewhere else."""
    for _, sentence in measure.check(build.self_check, ROOT / "build" / build.preset, console):
        raise Complaint(sentence)
    design = replace(_DESIGN, cpu=machine.cpu_to_pin())
    usual = replace(design, repetitions=_USUAL_REPETITIONS)
    once_each = [Runner(program, program.name.removeprefix(f"{SELF_CHECK}-")) for program in build.self_check]
    control = Runner(once_each[0].program, once_each[0].name + AGAIN)
    runners = [*once_each, control]
    parts = [Part(f"experiment {number + 1}", [_WORKLOAD], design.blocks) for number in range(experiments)]
    usual_parts = [Part(f"usual way {number + 1}", [_WORKLOAD], 1) for number in range(experiments)]
    journal = Journal(stem, design, [*parts, *usual_parts], runners)
    steps = experiments * (design.blocks * len(runners) + len(once_each))
    found: list[dict[str, Any]] = []
    with measure.session(journal, console, steps) as begun:
        for part, usual_part in zip(parts, usual_parts, strict=True):
            if not console.is_terminal:
                console.print(f"{part.name} of {experiments}")
            blocks = begun.blocks(runners, part, design, build, lines=False)
            (usual_way,) = begun.blocks(once_each, usual_part, usual, build, lines=False)
            found.append({"blocks": blocks, "usual_way": usual_way})
    kinds = {control.name: "control", "shorter": "shorter"}
    result: Result = {
        "schema": f"perf-ladders {SELF_CHECK}",
        "version": VERSION,
        "made": begun.made,
        "seed": begun.seed,
        "machine": machine.describe(),
        "compilers": [compiler(build)],
        "design": {
            "blocks": design.blocks,
            "repetitions": design.repetitions,
            "usual_repetitions": usual.repetitions,
            "least_ms": measure.LEAST_MS,
            "cpu": design.cpu,
        },
        "runners": [
            {"id": runner.id, "name": runner.name, "kind": kinds.get(runner.name, "same")} for runner in runners
        ],
        "experiments": found,
    }
    return result, journal


def plan(experiments: int, cpu: int) -> str:
    """The first line: how long it will take."""
    # Google Benchmark needs about three repetitions to find out how long one is; a process needs 25 ms besides.
    in_blocks, in_a_row = (
        (repetitions + 3) * measure.LEAST_MS + 25 for repetitions in (_DESIGN.repetitions, _USUAL_REPETITIONS)
    )
    programs = 5  # and the control
    minutes = experiments * (_DESIGN.blocks * (programs + 1) * in_blocks + programs * in_a_row) / 60_000
    return (
        f"Self-check: {experiments} experiments of {_DESIGN.blocks} shuffled blocks, about {math.ceil(minutes)} min, "
        f"pinned to CPU {cpu}; nothing else should run meanwhile."
    )


def load(path: Path) -> Result:
    found = read(path, SELF_CHECK, VERSION, SCHEMA, "make self-check")
    for said in _misfits(found):
        raise Complaint(f"{shown(path)} is no valid {SELF_CHECK}: {said}.")
    return found


def _misfits(result: Result) -> Iterator[str]:
    design = result["design"]
    every = [runner["id"] for runner in result["runners"]]
    once_each = [runner["id"] for runner in result["runners"] if runner["kind"] != "control"]
    for one in result["experiments"]:
        for blocks, runners, repetitions in (
            (one["blocks"], every, design["repetitions"]),
            ([one["usual_way"]], once_each, design["usual_repetitions"]),
        ):
            workloads = {block["part"]: [_WORKLOAD] for block in blocks}
            yield from of_blocks(blocks, runners, workloads, repetitions)


@dataclass(frozen=True)
class Experiment:
    """By runner's name: the repetitions of each block, and those of its one process of the usual way."""

    blocks: dict[str, list[list[float]]]
    usual: dict[str, list[float]]

    def least(self, name: str) -> list[float]:
        return [min(block) for block in self.blocks[name]]

    def pooled(self, name: str) -> list[float]:
        return [time for block in self.blocks[name] for time in block]


@dataclass(frozen=True)
class Judgement:
    verdict: stats.Verdict
    width: float | None  # of the interval, as a share


@dataclass(frozen=True)
class Method:
    design: str
    test: str
    judge: Callable[[Experiment, str, str], Judgement]


@dataclass(frozen=True)
class Line:
    design: str
    test: str
    alarms: stats.Share  # of pairs of identical programs: called different
    found: stats.Share  # of true differences: the right one called faster
    width: float | None  # the median interval of identical pairs, as a share


def table(result: Result) -> list[Line]:
    experiments = _experiments(result)
    same, shorter = _names(result, "same"), _names(result, "shorter")[0]
    lines = []
    for method in _methods(result):
        identical = [method.judge(one, *pair) for one in experiments for pair in combinations(same, 2)]
        different = [method.judge(one, same[0], shorter) for one in experiments]
        widths = [judgement.width for judgement in identical if judgement.width is not None]
        lines.append(
            Line(
                method.design,
                method.test,
                stats.share([judgement.verdict in ("faster", "slower") for judgement in identical]),
                stats.share([judgement.verdict == "faster" for judgement in different]),
                float(np.median(widths)) if widths else None,
            )
        )
    return lines


@dataclass(frozen=True)
class Facts:
    """What the table does not show, from all blocks of all experiments together."""

    experiments: int
    blocks: int
    pairs: int
    shorter: dict[str, Any]  # the true difference
    apart: dict[str, Any]  # the two identical programs that are furthest apart
    apart_names: tuple[str, str]
    raised_floors: int
    highest_floor: float


def facts(result: Result) -> Facts:
    experiments = _experiments(result)
    same, shorter = _names(result, "same"), _names(result, "shorter")[0]
    pairs = list(combinations(same, 2))
    every = {name: [time for one in experiments for time in one.least(name)] for name in [*same, shorter]}
    against = {pair: stats.compare(every[pair[0]], every[pair[1]], 0, len(pairs)) for pair in pairs}
    furthest = max(pairs, key=lambda pair: abs(math.log(against[pair].ratio)))
    floors = [_floor(one, same[0], _names(result, "control")[0]) for one in experiments]
    return Facts(
        experiments=len(experiments),
        blocks=result["design"]["blocks"],
        pairs=len(pairs),
        shorter=asdict(stats.compare(every[same[0]], every[shorter], 0, 1)),
        apart=asdict(against[furthest]),
        apart_names=furthest,
        raised_floors=sum(floor > stats.LEAST_FLOOR for floor in floors),
        highest_floor=max(floors),
    )


def show(result: Result, console: Console) -> None:
    shown = Table(box=None, pad_edge=False, padding=(0, 1, 1, 0), header_style="underline")
    for place, heading in enumerate(("design and test", "identical\ncalled different", "true 3 %\nfound", "width")):
        shown.add_column(heading, justify="right" if place == 3 else "left", vertical="top")
    for line in table(result):
        counts = (wording.share(asdict(share)).replace(": ", "\n") for share in (line.alarms, line.found))
        width = "-" if line.width is None else wording.percent(line.width)
        shown.add_row(f"{line.design}: {line.test}", *counts, width)
    console.print(shown)
    notes = report.markdown("self_check_notes.j2", result=result, facts=facts(result))
    console.print(" ".join(notes.split()), style="dim", markup=False)


def section(result: Result) -> str:
    """What docs/method.md shows of it."""
    lines = [asdict(line) for line in table(result)]
    return report.markdown("self_check.md.j2", result=result, lines=lines, facts=facts(result))


def publish(result: Result) -> list[Path]:
    path = REFERENCE_REPORTS / f"{SELF_CHECK}.json.gz"
    save(result, path)
    return [path, report.fill(ROOT / "docs" / "method.md", SELF_CHECK, section(result))]


def _methods(result: Result) -> list[Method]:
    same, control = _names(result, "same"), _names(result, "control")[0]
    together = len(same)  # of the programs all but the first are compared with it, as the rungs of a ladder

    def interval(experiment: Experiment, base: str, other: str, floor: float, comparisons: int) -> Judgement:
        found = stats.compare(experiment.least(base), experiment.least(other), floor, comparisons)
        width = None if found.low is None or found.high is None else found.high / found.low - 1
        return Judgement(found.verdict, width)

    return [
        Method(
            "one after the other",
            "Mann-Whitney on repetitions",
            lambda one, base, other: _mann_whitney(one.usual[base], one.usual[other]),
        ),
        Method(
            "shuffled blocks",
            "Mann-Whitney on all repetitions",
            lambda one, base, other: _mann_whitney(one.pooled(base), one.pooled(other)),
        ),
        Method(
            "shuffled blocks",
            "interval of one comparison, no floor",
            lambda one, base, other: interval(one, base, other, 0, 1),
        ),
        Method(
            "shuffled blocks",
            f"interval of {together} comparisons, no floor",
            lambda one, base, other: interval(one, base, other, 0, together),
        ),
        Method(
            "shuffled blocks",
            f"interval of {together} comparisons and floor, as in every report",
            lambda one, base, other: interval(one, base, other, _floor(one, same[0], control), together),
        ),
    ]


def _floor(experiment: Experiment, reference: str, control: str) -> float:
    against_itself = stats.compare(experiment.least(reference), experiment.least(control), stats.LEAST_FLOOR, 1)
    return stats.floor_from(against_itself)


def _mann_whitney(base: list[float], other: list[float]) -> Judgement:
    if mannwhitneyu(base, other, alternative="two-sided").pvalue >= stats.ALPHA:
        return Judgement("unresolved", None)
    return Judgement("faster" if np.median(other) < np.median(base) else "slower", None)


def _names(result: Result, kind: str) -> list[str]:
    return [runner["name"] for runner in result["runners"] if runner["kind"] == kind]


def _experiments(result: Result) -> list[Experiment]:
    names = {runner["id"]: runner["name"] for runner in result["runners"]}
    return [
        Experiment(
            {names[runner]: times for (runner, _), times in times_of(one["blocks"]).items()},
            {names[runner]: times[0] for (runner, _), times in times_of([one["usual_way"]]).items()},
        )
        for one in result["experiments"]
    ]
