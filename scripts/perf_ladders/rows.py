"""What follows from the raw part of a result: a row for each program and workload, with its comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np

from perf_ladders import stats
from perf_ladders.measure import AGAIN

Result = dict[str, Any]
Row = dict[str, Any]
Times = dict[tuple[str, str], list[list[float]]]  # by runner and workload: the repetitions of each block

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_FEWER = 1.01  # times fewer instructions are fewer: counts are exact, but entering and leaving are counted too
_NEARLY_ALL = 0.9
_MOST_A_CYCLE = 12  # instructions that any core could start: a count beyond that is of something else
_OUT_OF_STEP = 1.5  # time and instructions that differ by more than this factor are worth a flag


def rows(result: Result) -> list[Row]:
    """In the order of workloads and runners; the control of each ladder decides what counts there."""
    measured = _Measured(result)
    return [
        measured.row(workload, runner)
        for workload in result["workloads"]
        for runner in result["runners"]
        if (runner["id"], workload["name"]) in measured.times
    ]


def against_peers(result: Result) -> list[dict[str, Any]]:
    """The last stage of each ladder that needs no device against each library, in the same blocks."""
    measured = _Measured(result)
    found: list[dict[str, Any]] = []
    for workload in result["workloads"]:
        if workload["role"] != "main":
            continue
        for (level, compiler), runners in ladders(result).items():
            stages = [r for r in runners if r["kind"] == "stage" and not r.get("device")]
            peers = [r for r in runners if r["kind"] == "peer"]
            for peer in peers if stages else []:
                comparison = measured.compared(peer, stages[-1], workload["name"], len(peers))
                if comparison:
                    found.append(
                        {
                            "stage": stages[-1]["stage"],
                            "peer": peer["stage"],
                            "level": level,
                            "compiler": compiler,
                            "workload": workload["name"],
                            **comparison,
                        }
                    )
    return found


def compared(
    result: Result, base: str, stage: str, level: str, compiler: str, workload: str | None = None
) -> stats.Comparison | None:
    """Any two programs of a ladder on a workload (the first), as rows compare them."""
    measured = _Measured(result)
    first, second = (measured.by_place.get((name, level, compiler)) for name in (base, stage))
    if first is None or second is None:
        return None
    found = measured.compared(first, second, workload or measured.first, measured.rungs(second))
    return stats.Comparison(**found) if found else None


def pairwise(result: Result, level: str, compiler: str) -> dict[tuple[str, str], stats.Comparison]:
    """Every two programs of a ladder that do the whole work, on the first workload; all of them hold together."""
    measured = _Measured(result)
    taking_part = [one for one in ladders(result)[level, compiler] if one["kind"] != "variant"]
    pairs = list(combinations(taking_part, 2))
    found = {}
    for first, second in pairs:
        # The floor comes from the reference against itself: that pair is judged by the least.
        of_itself = {first["stage"], second["stage"]} == {measured.reference, measured.reference + AGAIN}
        floor = stats.LEAST_FLOOR if of_itself else measured.floor_of_ladder(first, measured.first)
        comparison = measured.between(first, second, measured.first, floor, len(pairs))
        if comparison:
            found[first["stage"], second["stage"]] = comparison
    return found


def most_rungs(result: Result) -> int:
    """The comparisons that hold together in the longest ladder."""
    lengths = [[runner["kind"] for runner in runners].count("stage") for runners in ladders(result).values()]
    return max(1, max(lengths, default=1) - 1)


def ladders(result: Result) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The runners by level and compiler."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for runner in result["runners"]:
        found.setdefault((runner["level"], runner["compiler"]), []).append(runner)
    return found


def base_name(result: Result, runner: Mapping[str, Any]) -> str | None:
    """What a program builds on: a stage on another, a variant on its stage."""
    stages = {stage["name"]: stage["base"] for stage in result["stages"]}
    return stages.get(runner["stage"], runner.get("base"))


def times_of(blocks: Sequence[Mapping[str, Any]]) -> Times:
    """In the order of the blocks, each of which holds every runner."""
    found: Times = {}
    for block in blocks:
        for run in block["runs"]:
            for workload, times in run["times_ns"].items():
                found.setdefault((run["runner"], workload), []).append(times)
    return found


def clock_of(blocks: Sequence[Mapping[str, Any]]) -> float:
    return float(np.median([ghz for block in blocks for ghz in block["clock_ghz"]]))


def operations_at(result: Result, level: str) -> dict[str, float]:
    """Those of a byte, where the level may need fewer (a rotation is one instruction in AVX-512)."""
    operations: dict[str, Any] = result["operations"]
    found = {kind: count for kind, count in operations.items() if not isinstance(count, dict)}
    fewer: dict[str, float] = operations.get(level, {})
    return found | fewer


def limit(result: Result, level: str) -> float | None:
    """The least time of a byte: its operations over what the vector units were measured to start."""
    operations, rates = operations_at(result, level), result["rates"].get(level)
    kinds = [kind for kind in operations if kind != "lane_bits"]
    if not kinds or rates is None or any(kind not in rates for kind in kinds):
        return None
    lanes = rates["vector_bytes"] * 8 / operations["lane_bits"]
    of_a_kind = max(operations[kind] / rates[kind] for kind in kinds)
    of_all = sum(operations[kind] for kind in kinds) / rates["all"]
    return float(max(of_a_kind, of_all) / lanes)


def disagreement(verdict: str, ratio: float, fewer: float) -> str | None:
    """A sentence where time and instructions do not tell the same of a step."""
    if verdict == "unresolved":
        return None
    if verdict == "same":
        if 1 / (1 + stats.MOST_ALIKE) <= fewer <= 1 + stats.MOST_ALIKE:  # the time may differ by as much
            return None
        return f"{_times(fewer)}, and the same time"
    if (ratio > 1) != (fewer > 1) and not 1 / _FEWER <= fewer <= _FEWER:
        return f"{_times(fewer)}, and {verdict}"
    if 1 / _FEWER <= fewer <= _FEWER:
        return f"as many instructions, and {verdict}"
    if not 1 / _OUT_OF_STEP <= ratio / fewer <= _OUT_OF_STEP:
        return f"{_times(fewer)}, but {ratio:.2f} times as fast"
    return None


def _times(fewer: float) -> str:
    return f"{fewer:.2f} times fewer instructions" if fewer > 1 else f"{1 / fewer:.2f} times as many instructions"


@dataclass
class _Measured:
    """A result and what its rows are computed from."""

    result: Result

    def __post_init__(self) -> None:
        self.times = times_of(self.result["blocks"])
        self.clock = clock_of(self.result["blocks"])
        self.stages = {stage["name"]: stage for stage in self.result["stages"]}
        self.by_place = {(r["stage"], r["level"], r["compiler"]): r for r in self.result["runners"]}
        self.first = self.result["workloads"][0]["name"]
        self.reference = f"{self.result['case']}-00"
        self.floors: dict[tuple[str, str, str], float | None] = {}
        self.whole: dict[str, list[float]] = {}
        for run in sorted(self.result["whole_programs"].get("runs", []), key=itemgetter("round")):
            self.whole.setdefault(run["runner"], []).append(run["result"]["mean"])

    def row(self, workload: Mapping[str, Any], runner: Mapping[str, Any]) -> Row:
        name, size = workload["name"], workload["bytes"]
        spread = stats.spread(self.times[runner["id"], name])
        per_byte = spread.median / size
        one_core = not runner["threads"]
        is_first = name == self.first
        reference, base, rungs = self.beside(runner, self.reference), self.base_of(runner), self.rungs(runner)
        vs_reference = self.compared(reference, runner, name, rungs)
        vs_base = self.compared(base, runner, name, rungs)
        row: Row = {
            "case": self.result["case"],
            "stage": runner["stage"],
            "kind": runner["kind"],
            "level": runner["level"],
            "compiler": runner["compiler"],
            "workload": name,
            "bytes": size,
            "n": spread.n,
            "median_ns": spread.median,
            "median_low_ns": spread.low,
            "median_high_ns": spread.high,
            "mean_ns": spread.mean,
            "sd_ns": spread.sd,
            "sd_within_ns": spread.sd_within,
            "sd_between_ns": spread.sd_between,
            "cv": spread.sd / spread.mean,
            "min_ns": spread.minimum,
            "max_ns": spread.maximum,
            "mib_s": size / spread.median * 1e9 / 2**20,
            "ns_byte": per_byte,
            "cycles_byte": per_byte * self.clock if one_core else None,
            "limit_ns_byte": self.limit(runner),
            "floor": self.floor_of_ladder(runner, name),
            "vs_reference": vs_reference,
            "base": base["stage"] if base else None,
            "vs_base": vs_base,
            "prediction": self.prediction(runner, vs_base) if is_first else None,
            "latency": _latency(self.result["latency"].get(runner["id"])) if is_first else None,
            "whole_program": self.whole_program(runner, reference, base, rungs) if is_first else None,
        }
        row["limit_share"] = row["limit_ns_byte"] / per_byte if row["limit_ns_byte"] else None
        return row | self.explained(runner, base, row, is_first)

    def limit(self, runner: Mapping[str, Any]) -> float | None:
        """Of the vector units of one core. A library picks its instructions while it runs, whatever the level; and a
        stage may use other units beside those."""
        beyond = {stage["name"] for stage in self.result["stages"] if stage.get("beyond")}
        if runner["threads"] or runner["kind"] == "peer" or runner["stage"] in beyond:
            return None
        return limit(self.result, runner["level"])

    def at_place_of(self, runner: Mapping[str, Any], stage: str) -> Mapping[str, Any] | None:
        """That stage at the runner's level with its compiler."""
        return self.by_place.get((stage, runner["level"], runner["compiler"]))

    def beside(self, runner: Mapping[str, Any], stage: str | None) -> Mapping[str, Any] | None:
        """The same, unless it is the runner itself."""
        found = self.at_place_of(runner, stage or "")
        return None if found is None or found["id"] == runner["id"] else found

    def reference_and_control(
        self, runner: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """Of the runner's ladder; one of them may be the runner itself."""
        return self.at_place_of(runner, self.reference), self.at_place_of(runner, self.reference + AGAIN)

    def base_of(self, runner: Mapping[str, Any]) -> Mapping[str, Any] | None:
        return self.beside(runner, base_name(self.result, runner))

    def rungs(self, runner: Mapping[str, Any]) -> int:
        """How many comparisons hold together: those of the stages of one ladder. The control is judged by itself."""
        if runner["kind"] == "control":
            return 1
        ladder = ladders(self.result)[runner["level"], runner["compiler"]]
        return max(1, [other["kind"] for other in ladder].count("stage") - 1)

    def floor(self, runner: Mapping[str, Any], workload: str) -> float | None:
        """What the runner is judged against; the control, which makes the floor of the others, against the least."""
        return stats.LEAST_FLOOR if runner["kind"] == "control" else self.floor_of_ladder(runner, workload)

    def floor_of_ladder(self, runner: Mapping[str, Any], workload: str) -> float | None:
        """None where there was no control."""
        place = (runner["level"], runner["compiler"], workload)
        if place not in self.floors:
            found = self.between(*self.reference_and_control(runner), workload, stats.LEAST_FLOOR, 1)
            self.floors[place] = stats.floor_from(found) if found else None
        return self.floors[place]

    def compared(
        self, base: Mapping[str, Any] | None, runner: Mapping[str, Any], workload: str, comparisons: int
    ) -> dict[str, Any] | None:
        found = self.between(base, runner, workload, self.floor(runner, workload), comparisons)
        return asdict(found) if found else None

    def between(
        self,
        base: Mapping[str, Any] | None,
        other: Mapping[str, Any] | None,
        workload: str,
        floor: float | None,
        comparisons: int,
    ) -> stats.Comparison | None:
        """By the minimum of each process, for noise only adds time. None where one of the two was not measured."""
        if base is None or other is None:
            return None
        both = [self.times.get((runner["id"], workload)) for runner in (base, other)]
        if both[0] is None or both[1] is None:
            return None
        first, second = ([min(block) for block in blocks] for blocks in both if blocks)
        return stats.compare(first, second, floor, comparisons)

    def prediction(self, runner: Mapping[str, Any], vs_base: dict[str, Any] | None) -> dict[str, Any] | None:
        stage = self.stages.get(runner["stage"])
        span = stage["predicts"].get(runner["level"]) if stage else None
        if not span or not vs_base:
            return None
        outcome = stats.judge_prediction(stats.Comparison(**vs_base), span[0], span[1])
        side = None if outcome != "refuted" else "more" if vs_base["ratio"] > span[1] else "less"
        return {"low": span[0], "high": span[1], "outcome": outcome, "side": side}

    def whole_program(
        self,
        runner: Mapping[str, Any],
        reference: Mapping[str, Any] | None,
        base: Mapping[str, Any] | None,
        rungs: int,
    ) -> dict[str, Any] | None:
        """Of hyperfine's runs. Their control has its own floor, for starting a program is noise of its own."""
        mine = self.whole.get(runner["id"])
        if mine is None:
            return None
        itself = self._whole(*self.reference_and_control(runner), 0, 1)
        floor = stats.floor_from(itself) if itself else None
        if runner["kind"] == "control":
            floor = stats.LEAST_FLOOR
        found = [self._whole(other, runner, floor, rungs) for other in (reference, base)]
        vs_reference, vs_base = (asdict(comparison) if comparison else None for comparison in found)
        return {"median_s": float(np.median(mine)), "vs_reference": vs_reference, "vs_base": vs_base}

    def _whole(
        self, base: Mapping[str, Any] | None, other: Mapping[str, Any] | None, floor: float | None, comparisons: int
    ) -> stats.Comparison | None:
        if base is None or other is None or base["id"] not in self.whole or other["id"] not in self.whole:
            return None
        return stats.compare(self.whole[base["id"]], self.whole[other["id"]], floor, comparisons)

    def explained(
        self, runner: Mapping[str, Any], base: Mapping[str, Any] | None, row: Row, is_first: bool
    ) -> dict[str, Any]:
        """Instructions and llvm-mca's estimate, and whether they tell the same as the time."""
        evidence = self.evidence(runner) if is_first else {}
        instructions = evidence.get("instructions", {}).get("per_byte")
        if instructions and row["cycles_byte"] and instructions > _MOST_A_CYCLE * row["cycles_byte"]:
            instructions = None
        # The estimate is that of a loop: it can be held against the whole call only if that is nearly all of it.
        most = evidence.get("loop", {}).get("share", 0) >= _NEARLY_ALL and not runner["threads"]
        estimate = evidence.get("bound", {}).get("cycles_byte") if most else None
        before = self.evidence(base).get("instructions", {}).get("per_byte") if base and is_first else None
        fewer = before / instructions if instructions and before else None
        step = row["vs_base"]
        return {
            "instructions_byte": instructions,
            "instructions_vs_base": fewer,
            "bound_cycles_byte": estimate,
            "bound_share": estimate / row["cycles_byte"] if estimate and row["cycles_byte"] else None,
            "disagreement": disagreement(step["verdict"], step["ratio"], fewer) if step and fewer else None,
        }

    def evidence(self, runner: Mapping[str, Any]) -> Mapping[str, Any]:
        """Of the first workload; a count on another one says nothing about its rows."""
        found: Mapping[str, Any] = self.result["evidence"].get(runner["id"], {})
        return found if found.get("instructions", {}).get("workload", self.first) == self.first else {}


def _latency(samples: Sequence[float] | None) -> dict[str, Any] | None:
    if not samples:
        return None
    return {
        "n": len(samples),
        "mean_ns": float(np.mean(samples)),
        "sd_ns": float(np.std(samples, ddof=1)) if len(samples) > 1 else 0.0,
        "min_ns": min(samples),
        "quantiles_ns": {f"{q:g}": float(np.quantile(samples, q)) for q in _QUANTILES},
        "worst_ns": max(samples),
    }
