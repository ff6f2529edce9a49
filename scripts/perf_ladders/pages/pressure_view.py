"""The port pressure of hot loops by two models, and what these expect of a step on each CPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perf_ladders.errors import Missing
from perf_ladders.evidence.port_pressure import LLVM_MCA, OSACA
from perf_ladders.model.evidence import Evidence
from perf_ladders.model.port_pressure import Answer
from perf_ladders.pages import formatting
from perf_ladders.results import port_pressure

_ALIKE = 1.02  # what a model expects of two cores is alike within this


@dataclass(frozen=True)
class Loop:
    """The hot loop of a stage on a CPU, with the answers of models, or why there are none."""

    stage: str
    cpu: str
    per_byte: float | None  # iterations
    answers: list[Answer]
    missing: str

    def answer(self, tool: str) -> Answer | None:
        return next((one for one in self.answers if one.tool == tool), None)


@dataclass(frozen=True)
class Line:
    """A stage by one model of one core."""

    stage: str
    per_byte: float | None
    answer: Answer | None
    missing: str

    @property
    def cycles_byte(self) -> float | None:
        """None also where the model leaves out instructions: its cycles are too few."""
        if self.answer is None or self.answer.cycles is None or self.per_byte is None or self.answer.unknown:
            return None
        return self.answer.cycles * self.per_byte

    @property
    def note(self) -> str:
        if self.missing:
            return formatting.missing(self.missing)
        if self.answer is None or not self.answer.unknown:
            return ""
        names = [f"{name} ({times} of them)" if times > 1 else name for name, times in self.answer.unknown.items()]
        said = f"{self.answer.tool} does not know {formatting.listed(names)}"
        return f"{said}, which add no cycles to these figures, so they are too low"


@dataclass(frozen=True)
class Pressure:
    """The base and the step by one model of one core."""

    tool: str
    cpu: str
    lines: list[Line]

    @property
    def _answers(self) -> list[Answer]:
        return [line.answer for line in self.lines if line.answer and not line.answer.missing]

    @property
    def ports(self) -> list[str]:
        """That any of the loops uses."""
        return list(dict.fromkeys(name for one in self._answers for name, cycles in one.ports.items() if cycles))

    @property
    def name(self) -> str:
        """llvm-mca 19.1.7, znver3"""
        one = next(iter(self._answers), None)
        return f"{one.tool} {one.version}, {one.model}" if one else self.tool

    @property
    def stand_in(self) -> str:
        return next((one.stand_in for one in self._answers), "")

    @property
    def missing(self) -> str:
        """Why there is no answer at all."""
        return "" if self._answers else next((line.missing for line in self.lines if line.missing), "not looked for")

    @property
    def has_chains(self) -> bool:
        return any(one.chain is not None for one in self._answers)

    @property
    def notes(self) -> list[tuple[list[str], str]]:
        """What is missing for a stage, or left out of its figures; stages with the same note are together."""
        found: dict[str, list[str]] = {}
        for line in self.lines:
            if note := line.note:
                found.setdefault(note, []).append(line.stage)
        return [(stages, said) for said, stages in found.items()]

    @property
    def ratio(self) -> float | None:
        """How many times as fast as its base the model expects the step to be."""
        cycles = [line.cycles_byte for line in self.lines]
        return cycles[0] / cycles[1] if len(cycles) == 2 and cycles[0] and cycles[1] else None


@dataclass(frozen=True)
class Expected:
    """What one model expects of a step on each CPU, and what was measured; `said`: whether that fits."""

    tool: str
    pairs: list[tuple[str, float, float]]  # CPU, expected, measured
    said: str


def loop_of(stage: str, cpu: str, evidence: Evidence | None) -> Loop:
    counted, loop = (evidence.instructions, evidence.loop) if evidence else (None, None)
    per_byte = loop.iterations / counted.bytes if loop and loop.iterations and counted else None
    try:
        return Loop(stage, cpu, per_byte, port_pressure.answers(evidence, cpu), "")
    except Missing as reason:
        return Loop(stage, cpu, per_byte, [], str(reason))


def pressures(loops: Sequence[Loop]) -> list[Pressure]:
    cpus = dict.fromkeys(loop.cpu for loop in loops)
    return [
        Pressure(tool, cpu, [_line(loop, tool) for loop in loops if loop.cpu == cpu])
        for tool in (LLVM_MCA, OSACA)
        for cpu in cpus
    ]


def _line(loop: Loop, tool: str) -> Line:
    found = loop.answer(tool)
    missing = loop.missing if found is None else found.missing
    return Line(loop.stage, loop.per_byte, found, missing)


def expected(found: Sequence[Pressure], measured: Mapping[str, float]) -> list[Expected]:
    """Of each model that answers for two CPUs or more."""
    result = []
    for tool in dict.fromkeys(one.tool for one in found):
        there = [one for one in found if one.tool == tool and one.cpu in measured]
        pairs = [(one.cpu, one.ratio, measured[one.cpu]) for one in there if one.ratio]
        if len(pairs) > 1:
            stand_ins = [f"the ports of {one.stand_in} for {one.cpu}" for one in there if one.stand_in]
            said = f"It takes {formatting.listed(stand_ins)}, so it says little of them" if stand_ins else _fits(pairs)
            result.append(Expected(tool, pairs, said))
    return result


def _fits(pairs: Sequence[tuple[str, float, float]]) -> str:
    """Whether the model tells the CPUs apart as they were measured."""
    by_model = sorted(pairs, key=lambda one: one[1])
    if by_model[-1][1] <= _ALIKE * by_model[0][1]:
        return "It expects the same of these cores, so it shows no reason"
    if by_model[0][2] < by_model[-1][2]:
        return "It tells the cores apart as measured, so its ports and latencies may show the reason"
    return "It expects the opposite of the measured order"
