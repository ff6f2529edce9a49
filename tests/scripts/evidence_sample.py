"""Adds to a result what version 2 holds beyond version 1: evidence, whole programs, variants, claims."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

CODE = "const auto sum = left + right; // <script>alert(1)</script>"


def enriched(result: dict[str, Any]) -> dict[str, Any]:
    found = copy.deepcopy(result)
    for stage in found["stages"]:
        stage["files"] = [f"stages/{found['case']}/{stage['name'][-2:]}/stage.cpp"]
    for runner in found["runners"]:
        runner.setdefault("title", None)
    found["shared_files"] = [f"stages/{found['case']}/{found['case']}.hpp"]
    found["sources"] = {path: "0" * 64 for stage in found["stages"] for path in stage["files"]}
    first = found["workloads"][0]["name"]
    _add_level(found)
    _add_variants(found)
    runners = [one for one in found["runners"] if one["kind"] != "control"]
    found["evidence"] = {one["id"]: evidence(place, one) for place, one in enumerate(runners)}
    for row in found["rows"]:
        _enrich_row(found, row, row["workload"] == first)
    base, last = found["stages"][0]["name"], found["stages"][-1]["name"]
    found["claims"] = [
        {"text": "fifteen times faster", "stage": last, "base": base, "ratio": [15, 15]},
        {"text": "faster without parallelism", "stage": last, "base": base, "ratio": [1.5, 1_000]},
    ]
    found["whole_programs"] = {
        "tool": "hyperfine 1.15.0",
        "calls": 1_000,
        "rounds": 3,
        "workload": first,
        "runs": [
            {"runner": one["id"], "round": number, "result": {"command": "run", "mean": 0.3}}
            for one in runners
            for number in range(3)
        ],
    }
    return found


def evidence(place: int, runner: dict[str, Any]) -> dict[str, Any]:
    """Of a made-up program; where the place is odd, the kernel lets nobody count."""
    reason = {"missing": "the kernel lets nobody count: perf_event_paranoid is 3"}
    per_byte = 90 / (place % 13 + 1)
    instructions = [
        {
            "address": f"{0x1F40 + 4 * number:x}",
            "text": ["vpslld $4,%ymm0,%ymm1", "vpxor %ymm1,%ymm2,%ymm3", "jne 1f40 <xtea::encrypt+0x40>"][number % 3],
            "line": 20 + number // 3,
            "executions": 800.0 * 32,
            "samples": None if place % 2 else (number % 5 + 1) / 40,
        }
        for number in range(14)
    ]
    return {
        "instructions": {
            "how": "callgrind",
            "calls": 2,
            "per_call": per_byte * 25_600,
            "per_byte": per_byte,
            "c_library": 0.0,
            "functions": [
                {"name": "xtea::encrypt(std::span<unsigned long>, std::array<unsigned, 4> const&)", "share": 0.982},
                {"name": "main", "share": 0.018},
            ],
            "lines": [
                {"file": "stage.cpp", "line": 20 + number, "text": CODE, "share": 0.6 / (number + 1) ** 2}
                for number in range(6)
            ],
        },
        "counters": reason
        if place % 2
        else {
            "calls": 1_000,
            "cycles_byte": 12.5,
            "instructions_byte": per_byte,
            "ipc": 3.2,
            "branch_misses_kib": 0.01,
            "cache_misses_kib": None,
        },
        "samples": reason
        if place % 2
        else {"event": "cpu-clock", "count": 4_321, "functions": [{"name": "xtea::encrypt", "share": 0.97}]},
        "loop": {"symbol": "xtea::encrypt", "share": 0.93, "iterations": 3_200.0, "instructions": instructions},
        "bound": {
            "tool": "llvm-mca 19.1.7",
            "cpu": "znver3",
            "cycles": 40.0,
            "resource_cycles": 18.5,
            "instructions": 14,
            "uops": 15,
            "cycles_byte": 5.0,
        },
        "remarks": {"missing": "this compiler gives none"}
        if place % 3 == 2
        else [
            {"line": 21, "kind": "vectorized", "text": "loop vectorized using 32 byte vectors", "source": CODE},
            {"line": 30, "kind": "missed", "text": "couldn't vectorize loop: <control flow>", "source": "while (i) {"},
        ],
    }


def _add_level(result: dict[str, Any]) -> None:
    """A second ladder, a level higher, on which everything takes as long."""
    level = "x86-64-v3"
    renamed = {one["id"]: one["id"].replace(".x86-64.", f".{level}.") for one in result["runners"]}
    result["runners"] += [{**one, "id": renamed[one["id"]], "level": level} for one in result["runners"]]
    for block in result["blocks"]:
        block["runs"] += [{**run, "runner": renamed[run["runner"]]} for run in block["runs"]]
    result["latency"] |= {renamed[runner]: samples for runner, samples in result["latency"].items()}
    result["rows"] += [{**copy.deepcopy(row), "level": level} for row in result["rows"]]


def _add_variants(result: dict[str, Any]) -> None:
    """Stage 00 compiled otherwise, a little slower and a little faster than it is."""
    reference = f"{result['case']}-00"
    for one in [one for one in result["runners"] if one["stage"] == reference]:
        for suffix, title, speed in (("O2", "-O2", 0.97), ("pgo", "profile-guided (-fprofile-use)", 1.04)):
            stage = f"{reference}-{suffix}"
            identity = f"{stage}.{one['level']}.{one['compiler']}"
            result["runners"].append({**one, "id": identity, "stage": stage, "kind": "variant", "title": title})
            for block in result["blocks"]:
                run = next(run for run in block["runs"] if run["runner"] == one["id"])
                times = {name: [time / speed for time in times] for name, times in run["times_ns"].items()}
                block["runs"].append({**run, "runner": identity, "times_ns": times})
            result["latency"][identity] = result["latency"][one["id"]]
            for row in [r for r in result["rows"] if _runner(r) == one["id"]]:
                verdict = "slower" if speed < 1 else "faster"
                found = {"ratio": speed, "low": speed - 0.01, "high": speed + 0.01, "verdict": verdict}
                result["rows"].append({**copy.deepcopy(row), "stage": stage, "kind": "variant", "vs_reference": found})


def _enrich_row(result: dict[str, Any], row: dict[str, Any], first: bool) -> None:
    found = result["evidence"].get(_runner(row)) if first else None
    base = result["evidence"].get(f"{row['base']}.{row['level']}.{row['compiler']}") if found else None
    row |= dict.fromkeys(("instructions_byte", "bound_cycles_byte", "bound_share", "whole_program"))
    row |= {"instructions_vs_base": None, "disagreement": None}
    if found:
        row["instructions_byte"] = found["instructions"]["per_byte"]
        row["bound_cycles_byte"] = found["bound"]["cycles_byte"]
        row["bound_share"] = 5 / row["cycles_byte"] if row["cycles_byte"] else None
        row["whole_program"] = {
            "median_s": row["median_ns"] / 1e6,
            "vs_reference": row["vs_reference"],
            "vs_base": row["vs_base"],
        }
    if base:
        row["instructions_vs_base"] = base["instructions"]["per_byte"] / found["instructions"]["per_byte"]
        if row["vs_base"]["ratio"] < 1:
            row["disagreement"] = "Fewer instructions, and yet it takes longer"
    if row["latency"]:
        samples = result["latency"][_runner(row)]
        shares = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
        row["latency"]["quantiles_ns"] = {str(share): float(np.quantile(samples, share)) for share in shares}
        row["latency"]["min_ns"] = min(samples)


def _runner(row: dict[str, Any]) -> str:
    return f"{row['stage']}.{row['level']}.{row['compiler']}"
