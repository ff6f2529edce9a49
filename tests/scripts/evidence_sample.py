"""Makes a small result a full one: a second level, variants of the reference, evidence, whole programs, claims."""

from __future__ import annotations

import copy
from typing import Any

from perf_ladders.result import with_rows

CODE = "const auto sum = left + right; // <script>alert(1)</script>"


def enriched(result: dict[str, Any]) -> dict[str, Any]:
    found = copy.deepcopy(result)
    first = found["workloads"][0]["name"]
    _add_level(found)
    _add_variants(found)
    runners = [one for one in found["runners"] if one["kind"] != "control"]
    found["evidence"] = {one["id"]: evidence(place, one) for place, one in enumerate(runners)}
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
            {"runner": one["id"], "round": number, "result": {"command": "run", "mean": 0.3, "times": [0.3]}}
            for one in found["runners"]
            for number in range(3)
        ],
    }
    _add_programs(found)
    return with_rows(found)


def without(result: dict[str, Any], stages: set[str]) -> dict[str, Any]:
    """As if these programs had not been measured."""
    found = copy.deepcopy(result)
    gone = {one["id"] for one in found["runners"] if one["stage"] in stages}
    found["stages"] = [stage for stage in found["stages"] if stage["name"] not in stages]
    found["runners"] = [one for one in found["runners"] if one["id"] not in gone]
    for holder in (*found["blocks"], found["whole_programs"], *found.get("programs", [])):
        holder["runs"] = [run for run in holder.get("runs", []) if run["runner"] not in gone]
    for key in ("latency", "evidence"):
        found[key] = {name: held for name, held in found[key].items() if name not in gone}
    return with_rows(found)


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
            "workload": "message",
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
        "loop": {
            "symbol": "xtea::encrypt",
            "share": 0.93,
            "found_by": "executions",
            "iterations": 3_200.0,
            "length": len(instructions),
            "instructions": instructions,
        },
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


def _add_programs(result: dict[str, Any]) -> None:
    """A rate at the higher level, with profiles, a time that was not measured, and workloads of that program."""
    highest = [one for one in result["runners"] if one["level"] == "x86-64-v3" and one["kind"] != "variant"]
    speed = {result["stages"][-1]["name"]: 160.0}
    about = {"app": "miner", "measure": "rate", "unit": "H/s", "levels": None, "rounds": 12, "profile_arguments": None}
    rate = {
        **about,
        "title": "Mining <b>light</b>",
        "arguments": ["bench", "--light"],
        "profile": True,
        "left_out": [{"name": "xtea-botan.x86-64-v3.gcc", "reason": "no <memory>"}],
        "runs": [
            {"runner": one["id"], "round": number, "value": speed.get(one["stage"], 100.0) * (1 + 0.001 * number)}
            for number in range(12)
            for one in highest
            if one["kind"] != "peer"
        ],
        "profiles": {
            f"{name}.x86-64-v3.gcc": whole_profile(own)
            for name, own in ((result["stages"][0]["name"], 0.5), (result["stages"][-1]["name"], 0.2))
        },
    }
    late = {**about, "measure": "time", "unit": "s", "title": "The cache", "arguments": ["cache"], "profile": False}
    late |= {"missing": "not part of a quick look", "rounds": 0, "runs": [], "left_out": []}
    result["programs"] = [rate, late]
    result["apps"] = {"miner": "It mines `light`ly & <b>fast</b>."}
    result["workloads"].append({"name": "miner/cache", "role": "once", "bytes": 64})
    result["design"]["parts"][1]["workloads"].append("miner/cache")
    for block in result["blocks"]:
        for run in block["runs"] if block["part"] == "others" else []:
            run["times_ns"]["miner/cache"] = run["times_ns"]["sweep/8"]


def whole_profile(own: float) -> dict[str, Any]:
    functions = [
        {"name": "xtea::encrypt(std::span<unsigned long>)", "share": own, "own": True},
        {"name": "miner::mix(unsigned*)", "share": 0.9 - own, "own": False},
        {"name": "__memset_avx2 in libc.so.6", "share": 0.1, "own": False},
    ]
    return {
        "instructions": {"how": "callgrind", "arguments": ["bench"], "count": 10**9, "own_share": own / 2}
        | {"functions": functions[:2]},
        "samples": {"event": "cpu-clock", "count": 5_000, "own_share": own, "functions": functions},
        "counters": {"missing": "this machine shows no <counters>"},
    }


def _add_level(result: dict[str, Any]) -> None:
    """A second ladder, a level higher, on which everything takes as long."""
    level = "x86-64-v3"
    renamed = {one["id"]: one["id"].replace(".x86-64.", f".{level}.") for one in result["runners"]}
    result["runners"] += [{**one, "id": renamed[one["id"]], "level": level} for one in result["runners"]]
    for block in result["blocks"]:
        block["runs"] += [{**run, "runner": renamed[run["runner"]]} for run in block["runs"]]
    result["latency"] |= {renamed[runner]: samples for runner, samples in result["latency"].items()}


def _add_variants(result: dict[str, Any]) -> None:
    """Stage 00 compiled otherwise, a little slower and a little faster than it is."""
    reference = f"{result['case']}-00"
    for one in [one for one in result["runners"] if one["stage"] == reference]:
        for suffix, title, speed in (("O2", "-O2", 0.97), ("pgo", "profile-guided (-fprofile-use)", 1.04)):
            stage = f"{reference}-{suffix}"
            identity = f"{stage}.{one['level']}.{one['compiler']}"
            variant = {"id": identity, "stage": stage, "kind": "variant", "title": title, "base": reference}
            result["runners"].append({**one, **variant})
            for block in result["blocks"]:
                run = next(run for run in block["runs"] if run["runner"] == one["id"])
                times = {name: [time / speed for time in times] for name, times in run["times_ns"].items()}
                block["runs"].append({**run, "runner": identity, "times_ns": times})
            result["latency"][identity] = result["latency"][one["id"]]
