"""A result: what was measured, raw, and the rows that follow from it; one JSON file (result.schema.json)."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np

from perf_ladders import stats
from perf_ladders.catalogue import Build, Case, read_case, shown
from perf_ladders.complaint import Complaint
from perf_ladders.measure import AGAIN, Design, Part, Runner, Workload

VERSION = 1
SCHEMA = Path(__file__).with_name("result.schema.json")

Result = dict[str, Any]
Row = dict[str, Any]
Times = dict[tuple[str, str], list[list[float]]]  # by runner and workload: the repetitions of each block


def assemble(
    case: Case,
    builds: list[Build],
    runners: list[Runner],
    workloads: list[Workload],
    left_out: list[dict[str, str]],
    design: Design,
    parts: list[Part],
    machine: dict[str, Any],
    raw: dict[str, Any],
) -> Result:
    result: Result = {
        "schema": "perf-ladders result",
        "version": VERSION,
        "case": case.name,
        "title": case.title,
        "summary": case.summary,
        "source": case.source,
        "operations": case.operations,
        "machine": machine,
        "compilers": [compiler(build) for build in builds],
        "design": {**asdict(design), "parts": [asdict(part) for part in parts]},
        "workloads": [asdict(workload) for workload in workloads],
        "stages": [
            {
                "name": stage.name,
                "title": stage.notes.title,
                "headline": stage.headline,
                "base": base.name if (base := case.base(stage)) else None,
                "predicts": {level: list(span) for level, span in stage.notes.predicts.items()},
                "source": stage.notes.source,
                "notes": stage.notes.text,
                "diff": case.diff(stage),
            }
            for stage in case.stages
            if any(runner.name == stage.name for runner in runners)
        ],
        "runners": [
            {
                "id": runner.id,
                "stage": runner.name,
                "kind": "control" if runner.name.endswith(AGAIN) else runner.program.kind,
                "level": runner.program.level,
                "compiler": runner.program.compiler,
                "threads": runner.program.threads,
            }
            for runner in runners
        ],
        "left_out": left_out,
        **raw,
    }
    result["rows"] = rows(result)
    return result


def compiler(build: Build) -> dict[str, Any]:
    return {
        **build.compiler,
        "preset": build.preset,
        "build_type": build.build_type,
        "benchmark_version": build.benchmark_version,
        "flags_of_level": build.flags,
    }


def rows(result: Result) -> list[Row]:
    """One a runner and workload, in the order of the runners; the control of each ladder decides what counts there."""
    times = times_of(result["blocks"])
    clock = float(np.median([ghz for block in result["blocks"] for ghz in block["clock_ghz"]]))
    stages = {stage["name"]: stage for stage in result["stages"]}
    made: list[Row] = []
    for workload in result["workloads"]:
        name, size = workload["name"], workload["bytes"]
        for runner in result["runners"]:
            ladder = f"{runner['level']}.{runner['compiler']}"
            mine = times.get((runner["id"], name))
            if mine is None:
                continue
            reference = f"{result['case']}-00"
            control = _against(
                times, f"{reference}.{ladder}", f"{reference}{AGAIN}.{ladder}", name, stats.LEAST_FLOOR, 1
            )
            floor = stats.floor_from(control) if control else stats.LEAST_FLOOR
            rungs = sum(
                r["kind"] == "stage" and r["level"] == runner["level"] and r["compiler"] == runner["compiler"]
                for r in result["runners"]
            )
            spread = stats.spread(mine)
            per_byte = spread.median / size
            row: Row = {
                "case": result["case"],
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
                "cycles_byte": None if runner["threads"] else per_byte * clock,
                "limit_ns_byte": limit(result, runner["level"]) if not runner["threads"] else None,
                "floor": floor,
                "vs_reference": None,
                "base": None,
                "vs_base": None,
                "prediction": None,
                "latency": _latency(result, runner["id"]) if name == result["workloads"][0]["name"] else None,
            }
            row["limit_share"] = row["limit_ns_byte"] / per_byte if row["limit_ns_byte"] else None
            if runner["kind"] == "control":
                row["vs_reference"] = asdict(control) if control else None
            elif runner["stage"] != reference:
                found = _against(times, f"{reference}.{ladder}", runner["id"], name, floor, max(1, rungs - 1))
                row["vs_reference"] = asdict(found) if found else None
            stage = stages.get(runner["stage"])
            if stage and stage["base"]:
                row["base"] = stage["base"]
                found = _against(times, f"{stage['base']}.{ladder}", runner["id"], name, floor, max(1, rungs - 1))
                row["vs_base"] = asdict(found) if found else None
                span = stage["predicts"].get(runner["level"])
                if found and span and name == result["workloads"][0]["name"]:
                    row["prediction"] = {
                        "low": span[0],
                        "high": span[1],
                        "outcome": stats.judge_prediction(found, span[0], span[1]),
                    }
            made.append(row)
    return made


def limit(result: Result, level: str) -> float | None:
    """The least time of a byte: its operations over what the vector units were measured to start."""
    operations, rates = result["operations"], result["rates"].get(level)
    kinds = [kind for kind in operations if kind != "lane_bits"]
    if not kinds or rates is None or any(kind not in rates for kind in kinds):
        return None
    lanes = rates["vector_bytes"] * 8 / operations["lane_bits"]
    of_a_kind = max(operations[kind] / rates[kind] for kind in kinds)
    of_all = sum(operations[kind] for kind in kinds) / rates["all"]
    return float(max(of_a_kind, of_all) / lanes)


def against_peers(result: Result) -> list[dict[str, Any]]:
    """The last stage of each ladder against each library, in the same blocks."""
    times = times_of(result["blocks"])
    floors = {(r["level"], r["compiler"], r["workload"]): r["floor"] for r in result["rows"]}
    found: list[dict[str, Any]] = []
    for workload in result["workloads"]:
        if workload["role"] != "main":
            continue
        for (level, compiler), runners in ladders(result).items():
            stages = [r for r in runners if r["kind"] == "stage"]
            peers = [r for r in runners if r["kind"] == "peer"]
            for peer in peers if stages else []:
                key = (level, compiler, workload["name"])
                comparison = _against(
                    times,
                    peer["id"],
                    stages[-1]["id"],
                    workload["name"],
                    floors.get(key, stats.LEAST_FLOOR),
                    len(peers),
                )
                if comparison:
                    found.append(
                        {
                            "stage": stages[-1]["stage"],
                            "peer": peer["stage"],
                            "level": level,
                            "compiler": compiler,
                            "workload": workload["name"],
                            **asdict(comparison),
                        }
                    )
    return found


def ladders(result: Result) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The runners by level and compiler."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for runner in result["runners"]:
        found.setdefault((runner["level"], runner["compiler"]), []).append(runner)
    return found


def warnings(result: Result) -> list[str]:
    """What a reader must know before trusting the numbers."""
    said: list[str] = []
    main = {workload["name"] for workload in result["workloads"] if workload["role"] == "main"}
    for row in result["rows"]:
        where = f"{row['stage']} at {row['level']} ({row['compiler']}), {row['workload']}"
        if (
            row["kind"] == "control"
            and row["workload"] in main
            and row["vs_reference"]["verdict"] in ("faster", "slower")
        ):
            said.append(
                f"CONTROL FAILED: {where} came out {row['vs_reference']['verdict']} than itself; "
                "this machine was too noisy, do not trust verdicts of that ladder."
            )
        if row["limit_share"] is not None and row["limit_share"] > 1:
            said.append(f"BROKEN: {where} is faster than the machine's limit; the stage or the limit is wrong.")
    wide = [row for row in result["rows"] if row["workload"] in main and row["cv"] > 0.10]
    if wide:
        rows_of_main = sum(row["workload"] in main for row in result["rows"])
        worst = max(wide, key=lambda row: float(row["cv"]))
        said.append(
            f"The standard deviation is over 10 % of the mean in {len(wide)} of {rows_of_main} rows, most of all for "
            f"{worst['stage']} at {worst['level']} ({worst['compiler']}, {worst['workload']}): {worst['cv']:.0%}."
        )
    clocks = np.array([ghz for block in result["blocks"] for ghz in block["clock_ghz"]])
    if np.ptp(clocks) > 0.02 * np.median(clocks):
        said.append(f"The core clock was between {clocks.min():.2f} and {clocks.max():.2f} GHz.")
    stolen = sum(block["stolen_ticks"] for block in result["blocks"])
    if stolen:
        said.append(f"The hypervisor took {stolen * 10} ms of CPU time away while blocks were measured.")
    switches = sum(run["involuntary_switches"] for block in result["blocks"] for run in block["runs"])
    runs = sum(len(block["runs"]) for block in result["blocks"])
    if switches > runs * 5:
        said.append(f"Programs were taken off their CPU {switches / runs:.0f} times a run: something else was running.")
    said += _dependent_blocks(result, main)
    for workload in result["workloads"]:
        rungs = max((sum(r["kind"] == "stage" for r in runners) for runners in ladders(result).values()), default=2)
        least = stats.least_blocks(max(1, rungs - 1))
        blocks = max((row["n"] for row in result["rows"] if row["workload"] == workload["name"]), default=0)
        if workload["name"] in main and blocks < least:
            said.append(f"{workload['name']} has {blocks} blocks: verdicts need at least {least}.")
    return said


def with_present_notes(result: Result) -> Result:
    """With the prose of the tree, where what a stage did was written down after it was measured. Predictions stay."""
    present = {stage.name: stage.notes.text for stage in read_case(result["case"]).stages}
    stages = [{**stage, "notes": present.get(stage["name"], stage["notes"])} for stage in result["stages"]]
    return {**result, "stages": stages}


def save(result: Result, path: Path) -> None:
    """As JSON, compressed where the name ends in .gz; what stood there is replaced at once or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        unfinished = path.with_name(path.name + ".unfinished")
        data = (json.dumps(result, separators=(",", ":")) + "\n").encode()
        unfinished.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
        unfinished.replace(path)
    except OSError as error:
        raise Complaint(f"Cannot write {shown(path)} ({error.strerror}); the measurement itself is kept.") from None


def load(path: Path) -> Result:
    return read(path, "result", VERSION, SCHEMA, "make report")


def read(path: Path, kind: str, version: int, schema: Path, maker: str) -> Result:
    """A file of that kind and version, as `maker` makes it and the schema describes it."""
    try:
        data = path.read_bytes()
        found: Result = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    except FileNotFoundError:
        raise Complaint(f"There is no {shown(path)}: `{maker}` makes one.") from None
    except OSError as error:
        if not isinstance(error, gzip.BadGzipFile):
            raise Complaint(f"Cannot read {shown(path)} ({error.strerror}).") from None
        raise Complaint(f"{shown(path)} is damaged or no {kind} ({error}): delete it and measure again.") from None
    except (json.JSONDecodeError, UnicodeDecodeError, EOFError, zlib.error) as error:
        raise Complaint(f"{shown(path)} is damaged or no {kind} ({error}): delete it and measure again.") from None
    if not isinstance(found, dict) or found.get("schema") != f"perf-ladders {kind}":
        raise Complaint(f"{shown(path)} is JSON, but no perf-ladders {kind}.")
    if found.get("version") != version:
        raise Complaint(f"{shown(path)} has version {found.get('version')}; this is made for version {version}.")
    try:
        jsonschema.validate(found, json.loads(schema.read_text("utf-8")))
    except jsonschema.ValidationError as error:
        raise Complaint(f"{shown(path)} is no valid {kind}: {error.json_path}: {error.message[:200]}.") from None
    return found


def _dependent_blocks(result: Result, main: set[str]) -> list[str]:
    """Correlation of neighbouring blocks, where it is too strong to be chance for that many ladders."""
    times = times_of(result["blocks"])
    strong: list[str] = []
    for (level, compiler), _ in ladders(result).items():
        for name in sorted(main):
            reference = f"{result['case']}-00"
            pair = [times.get((f"{stage}.{level}.{compiler}", name)) for stage in (reference, reference + AGAIN)]
            if pair[0] is None or pair[1] is None:
                continue
            correlation = stats.lag_one([np.log(min(a) / min(b)) for a, b in zip(*pair, strict=True)])
            if correlation is not None and abs(correlation) > 3 / np.sqrt(len(pair[0])):
                strong.append(f"{level} {compiler} {name}: {correlation:+.2f}")
    return [f"Neighbouring blocks of the control depend on each other ({'; '.join(strong)})."] if strong else []


def times_of(blocks: list[dict[str, Any]]) -> Times:
    found: Times = {}
    for block in blocks:
        for run in block["runs"]:
            for workload, times in run["times_ns"].items():
                found.setdefault((run["runner"], workload), []).append(times)
    return found


def _against(
    times: Times,
    base: str,
    other: str,
    workload: str,
    floor: float,
    comparisons: int,
) -> stats.Comparison | None:
    """By the minimum of each process, for noise only adds time."""
    if (base, workload) not in times or (other, workload) not in times:
        return None
    least = [[min(block) for block in times[name, workload]] for name in (base, other)]
    return stats.compare(least[0], least[1], floor, comparisons)


def _latency(result: Result, runner: str) -> dict[str, float] | None:
    samples = result["latency"].get(runner)
    if not samples:
        return None
    return {
        "n": len(samples),
        "mean_ns": float(np.mean(samples)),
        "sd_ns": float(np.std(samples, ddof=1)) if len(samples) > 1 else 0.0,
        "worst_ns": max(samples),
        # With 95 % confidence a share of at least 0.05 ** (1 / n) of all calls is no slower than the worst of n.
        "share_below_worst": 0.05 ** (1 / len(samples)),
    }
