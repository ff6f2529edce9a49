"""What the tests share: a small result as `measure` and `assemble` would make it, and the build under test."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perf_ladders import catalogue, result
from perf_ladders.catalogue import Build, Program
from perf_ladders.measure import AGAIN, Design, Part, Runner, Workload


def needs(*stages: str) -> pytest.MarkDecorator:
    """For tests about stages that the trees of earlier tags have not yet."""
    cases = {stage.rsplit("-", 1)[0] for stage in stages}
    there = {stage.name for case in cases for stage in catalogue.read_case(case).stages}
    missing = sorted({*stages} - there)
    return pytest.mark.skipif(bool(missing), reason=f"this tree has no {', '.join(missing)}")


RATES = {"x86-64": {"vector_bytes": 16.0, "shift": 6.0, "xor": 12.0, "add": 12.0, "all": 12.0}}


@pytest.fixture(scope="session")
def build() -> Build:
    """The build that these tests were started from; without one (plain pytest) the default one."""
    folder = os.environ.get("PERF_LADDERS_BUILD")
    preset = Path(folder).name if folder else "gcc"
    if not (catalogue.ROOT / "build" / preset / "programs.json").exists():
        pytest.skip(f"build/{preset} has not been built")
    return catalogue.read_build(preset)


def made_result(speed: dict[str, float], blocks: int = 20, seed: int = 1) -> dict[str, Any]:
    """XTEA's first stages, with times that are `speed` times shorter than 1,000 ns, and 1 % of noise."""
    case = catalogue.read_case("xtea")
    there = {stage.name for stage in case.stages}
    missing = sorted(name for name in {name[: len("xtea-00")] for name in speed} - there if name[-1].isdigit())
    if missing:
        pytest.skip(f"this tree has no {', '.join(missing)}")
    generator = np.random.default_rng(seed)
    nowhere = Path("nowhere")

    def runner(name: str) -> Runner:
        bare = name.removesuffix(AGAIN)
        _, number, *variant = bare.split("-")
        kind = "peer" if not number.isdigit() else "variant" if variant else "stage"
        source = catalogue.STAGES / "xtea/peers/botan/stage.cpp" if kind == "peer" else case.stage(number).source
        program = Program("xtea", kind, bare, "x86-64", "gcc", False, nowhere, nowhere, [], source)
        return Runner(program, name)

    runners = [runner(name) for name in speed]
    workloads = [Workload("message", "main", 25_600), Workload("sweep/8", "sweep", 8)]
    design = Design(blocks, 2, 5, 1)
    parts = [Part("main", ["message"], blocks), Part("others", ["sweep/8"], 2)]

    def block(part: Part, number: int) -> dict[str, Any]:
        runs = []
        for one in runners:
            noise = 1 + 0.01 * generator.random((len(part.workloads), 5))
            times = {
                name: (1_000_000 / speed[one.name] * row).tolist()
                for name, row in zip(part.workloads, noise, strict=True)
            }
            runs.append({"runner": one.id, "padding": 0, "involuntary_switches": 0, "times_ns": times})
        clock = [3.0, 3.0]
        return {
            "part": part.name,
            "number": number,
            "started": "2026-01-01T00:00:00+00:00",
            "clock_ghz": clock,
            "stolen_ticks": 0,
            "runs": runs,
        }

    raw = {
        "made": {"date": "2026-01-01T00:00:00+00:00", "commit": "0123456789ab", "changed": False},
        "seed": 7,
        "blocks": [block(part, number) for part in parts for number in range(part.blocks)],
        "latency": {one.id: [1_000.0, 1_100.0, 1_050.0, 900.0, 5_000.0] for one in runners},
        "rates": RATES,
        "whole_programs": {"missing": "not part of this measurement"},
        "evidence": {},
    }
    machine = {
        "cpu": "A <processor>",
        "cpu_family_model_stepping": "1/2/3",
        "cpus": 2,
        "memory_gib": 8,
        "architecture": "x86_64",
        "system": "Linux",
        "kernel": "6",
        "virtual_machine": "no",
        "core_kinds": {"performance": [], "efficiency": []},
        "governor": None,
    }
    compiler = {"name": "gcc", "version": "12", "command": "g++", "flags": "-O3"}
    builds = [Build("gcc", compiler, "Release", "1.7", {"x86-64": "-march=x86-64"}, {}, None, [], [])]
    left_out = [{"name": "xtea-03", "reason": "TBB is not installed"}]
    return result.assemble(
        result.tree(case, runners), builds, runners, workloads, left_out, design, parts, machine, raw
    )


@pytest.fixture(scope="session")
def small_result() -> dict[str, Any]:
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4, "xtea-botan": 2}
    return made_result(speed)


def app_program(build: Build, case: str, app: str) -> Path:
    """A case's program around the last of the stages that run on every CPU."""
    raw = json.loads((catalogue.ROOT / "build" / build.preset / "programs.json").read_text())
    built = {entry["level"] for entry in raw["programs"] if entry["case"] == case}
    lowest = next(level for level in build.flags if level in built)
    stages = [
        entry
        for entry in raw["programs"]
        if (entry["case"], entry["kind"], entry["level"]) == (case, "stage", lowest)
        and "\n// requires:" not in Path(entry["source"]).read_text()
    ]
    path = Path(max(stages, key=lambda entry: entry["name"])["apps"].get(app, "missing"))
    if not path.exists():
        pytest.skip(f"{app} has not been built")
    return path
