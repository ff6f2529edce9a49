"""How long packets wait in the programs of a case, under one policy and another: medians over the rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from perf_ladders import stats
from perf_ladders.model.apps import App, Waits
from perf_ladders.results import apps, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, OfLadder
from perf_ladders.stats import Comparison

QUANTITIES: dict[str, Callable[[Waits], float]] = {
    "median": lambda one: one.median_ns,
    "99th percentile": lambda one: one.p99_ns,
    "longest": lambda one: one.longest_ns,
}
_Values = Mapping[tuple[str, str], Sequence[float]]  # by quantity and policy, round after round


@dataclass(frozen=True)
class Cell:
    """One quantity under one policy."""

    ns: float
    low: float | None
    high: float | None
    vs_first: Comparison | None  # over the first policy, of the same program in the same rounds; over 1 is shorter


@dataclass(frozen=True)
class Line:
    stage: str
    kind: str
    title: str
    cells: list[Cell]  # quantity by quantity, in each of them policy by policy


@dataclass(frozen=True)
class Table(OfLadder):
    title: str
    app: App
    policies: list[str]
    quantities: list[str]
    lines: list[Line]


def tables(analysis: Analysis) -> list[Table]:
    """Of each program that tells waiting times, on each ladder."""
    found = [(app, _values(app)) for app in analysis.measurement.apps]
    return [
        table
        for app, values in found
        for ladder in analysis.ladders
        if (table := _table(analysis, app, values, ladder)).lines
    ]


def _values(app: App) -> dict[str, _Values]:
    """By program."""
    found: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for run in sorted(app.runs, key=lambda run: run.round):
        for one in run.waits:
            for quantity, of in QUANTITIES.items():
                found[run.program][quantity, one.policy].append(of(one))
    return dict(found)


def _table(analysis: Analysis, app: App, values: Mapping[str, _Values], ladder: Ladder) -> Table:
    titles = queries.titles(analysis)
    policies = list(dict.fromkeys(one.policy for run in app.runs[:1] for one in run.waits))
    both = [analysis.at(name, ladder) for name in (analysis.reference, analysis.control)]
    control = [values[one.id] for one in both if one is not None and one.id in values]
    lines = [
        Line(
            name,
            one.kind,
            titles[name],
            [
                _cell(values[one.id], quantity, policy, policies, control)
                for quantity in QUANTITIES
                for policy in policies
            ],
        )
        for one in analysis.ladders[ladder]
        if one.id in values and one.kind in ("stage", "peer")
        for name in [analysis.name[one.id]]
    ]
    return Table(*ladder, apps.title(analysis, app), app, policies, list(QUANTITIES), lines)


def _cell(values: _Values, quantity: str, policy: str, policies: Sequence[str], control: Sequence[_Values]) -> Cell:
    mine = values[quantity, policy]
    low, high = stats.sign_interval(mine) or (None, None)
    comparison = None
    if policy != policies[0]:
        together = len(QUANTITIES) * (len(policies) - 1)
        first = values[quantity, policies[0]]
        comparison = stats.compare(first, mine, _floor(control, quantity, policy), together)
    return Cell(float(np.median(mine)), low, high, comparison)


def _floor(control: Sequence[_Values], quantity: str, policy: str) -> float | None:
    """What the reference differs by from itself in this quantity; None without a control."""
    if len(control) < 2:
        return None
    sides = [one[quantity, policy] for one in control]
    return stats.floor_between(sides[0], sides[1])
