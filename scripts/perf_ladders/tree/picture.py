"""What a picture of notes shows, and what follows from it: levels and the longest path of a graph, the schedule of a
pipeline.
"""

from __future__ import annotations

from dataclasses import dataclass

EMPTY = "."  # a cell without data
PLAIN = "-"  # the colour of cells without one


@dataclass(frozen=True)
class Cell:
    text: str
    colour: str  # cells of one colour have the same letter or word here

    @property
    def empty(self) -> bool:
        return self.text == EMPTY


@dataclass(frozen=True)
class Row:
    name: str
    cells: list[Cell]  # from left to right


@dataclass(frozen=True)
class Grid:
    title: str
    follows: bool  # an arrow leads to it from the grid before
    rows: list[Row]


@dataclass(frozen=True)
class Grids:
    grids: list[Grid]
    bars: bool  # adjacent equal cells are one bar, as on a line of time


@dataclass(frozen=True)
class Node:
    name: str
    label: str
    inputs: list[str]  # names of nodes before it
    column: float | None
    latency: int


@dataclass(frozen=True)
class Graph:
    nodes: list[Node]  # those without inputs are data
    marked: bool  # the longest path is marked

    def levels(self) -> dict[str, int]:
        """By node, how many steps lie before it."""
        found: dict[str, int] = {}
        for node in self.nodes:
            found[node.name] = max((found[name] + 1 for name in node.inputs), default=0)
        return found

    def critical(self) -> list[str]:
        """The longest path; the first of several."""
        time, before = self._times()
        at = max(time, key=lambda name: time[name])
        path = [at]
        while path[-1] in before:
            path.append(before[path[-1]])
        return path[::-1]

    def _times(self) -> tuple[dict[str, int], dict[str, str]]:
        time: dict[str, int] = {}
        before: dict[str, str] = {}
        for node in self.nodes:
            if node.inputs:
                before[node.name] = max(node.inputs, key=lambda name: time[name])
            time[node.name] = time[before[node.name]] + node.latency if node.inputs else 0
        return time, before


@dataclass(frozen=True)
class Pipeline:
    """Operations of a loop body, for one or more independent sets of data, on units that start one a cycle each."""

    nodes: list[Node]
    carried: dict[str, str]  # what is this input in the next iteration
    units: int
    cycles: int  # that are drawn
    sets: list[int]  # a picture for each
    name: str  # of a set: buffer

    def schedule(self, sets: int) -> list[list[int]]:
        """By cycle, the sets whose operations start in it: those of the earliest iteration first."""
        iterations = self.cycles + 1
        work = [node for node in self.nodes if node.inputs]
        waiting = [(i, place, s) for i in range(iterations) for place in range(len(work)) for s in range(sets)]
        ready: dict[tuple[str, int, int], int] = {}
        for node in (one for one in self.nodes if not one.inputs):
            for s in range(sets):
                every = range(1) if node.name in self.carried else range(iterations)
                ready |= {(node.name, i, s): 0 for i in every}
        started: list[list[int]] = []
        for cycle in range(self.cycles):
            now: list[tuple[int, int, int]] = []
            for i, place, s in waiting:
                if len(now) == self.units:
                    break
                if all(self._ready(ready, name, i, s) <= cycle for name in work[place].inputs):
                    now.append((i, place, s))
            for i, place, s in now:
                ready[work[place].name, i, s] = cycle + work[place].latency
            waiting = [one for one in waiting if one not in now]
            started.append([s for _, _, s in now])
        return started

    def _ready(self, ready: dict[tuple[str, int, int], int], name: str, iteration: int, s: int) -> float:
        while iteration and name in self.carried:
            name, iteration = self.carried[name], iteration - 1
        return ready.get((name, iteration, s), float("inf"))


@dataclass(frozen=True)
class Share:
    per_cent: int
    least: int  # bytes
    most: int


@dataclass(frozen=True)
class Mixes:
    """The lengths of buffers in the workloads of Intel's paper, as the workloads make them."""

    shares: list[list[Share]]


@dataclass(frozen=True)
class Picture:
    title: str
    source: Grids | Graph | Pipeline | Mixes
