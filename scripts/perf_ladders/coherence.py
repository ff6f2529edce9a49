"""Do the parts of a result fit together? What its schema cannot say: names mean something, and nothing is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from perf_ladders.lesson import NAMES
from perf_ladders.measure import AGAIN
from perf_ladders.rows import Result, ladders


def misfit(result: Result) -> str | None:
    """The first thing that does not fit, in words; None if all fits."""
    checks = (_names, _ladders, _blocks, _of_runners, _whole_programs, _programs, _lesson)
    return next((said for check in checks for said in check(result)), None)


def of_blocks(
    blocks: Sequence[Mapping[str, Any]],
    runners: Iterable[str],
    workloads: Mapping[str, Sequence[str]],
    repetitions: int,
) -> Iterator[str]:
    """Each block is there once, and in it each runner once with all times; else blocks would be compared that are not
    the same. `workloads` by part."""
    expected = Counter(runners)
    if again := _twice((block["part"], block["number"]) for block in blocks):
        yield f"block {again[1]} of the part {again[0]} is there twice"
    for block in blocks:
        where = f"block {block['number']} of the part {block['part']}"
        asked = workloads.get(block["part"])
        if asked is None:
            yield f"{where} is of no part that was planned"
            continue
        ran = Counter(run["runner"] for run in block["runs"])
        for name in sorted((expected - ran) + (ran - expected)):
            yield f"{where} has {ran[name]} runs of {name}, not {expected[name]}"
        for run in block["runs"]:
            if {name: len(times) for name, times in run["times_ns"].items()} != dict.fromkeys(asked, repetitions):
                yield f"{run['runner']} has not {repetitions} times of each of {', '.join(asked)} in {where}"


def _names(result: Result) -> Iterator[str]:
    stages = [stage["name"] for stage in result["stages"]]
    if stages[0] != f"{result['case']}-00":
        yield f"its first stage is {stages[0]}, not {result['case']}-00"
    found = {
        "stage": stages,
        "runner": [one["id"] for one in result["runners"]],
        "workload": [workload["name"] for workload in result["workloads"]],
        "part": [part["name"] for part in result["design"]["parts"]],
    }
    for what, names in found.items():
        if again := _twice(names):
            yield f"the {what} {again} is there twice"
    files = [*result["shared_files"], *(file for stage in result["stages"] for file in stage["files"])]
    for file in sorted({*files}.difference(result["sources"])):
        yield f"the file {file} stands in a list of files, but not in `sources`"
    if not any(workload["role"] == "main" for workload in result["workloads"]):
        yield "none of its workloads is a main one"
    planned = {name for part in result["design"]["parts"] for name in part["workloads"]}
    if apart := planned.symmetric_difference(found["workload"]):
        yield f"the workload {min(apart)} stands in `workloads` or in the parts of its design, but not in both"


def _ladders(result: Result) -> Iterator[str]:
    """What everything is compared with is there, and each stage has a program."""
    reference = f"{result['case']}-00"
    compilers = {compiler["name"] for compiler in result["compilers"]}
    stages = {stage["name"] for stage in result["stages"]}
    for one in result["runners"]:
        if one["id"] != f"{one['stage']}.{one['level']}.{one['compiler']}":
            yield f"the runner {one['id']} is {one['stage']} at {one['level']} with {one['compiler']}"
        if one["compiler"] not in compilers:
            yield f"the runner {one['id']} is of a compiler that does not stand in `compilers`"
        if (one["kind"] == "control") != (one["stage"] == reference + AGAIN):
            yield f"the runner {one['id']} cannot be of the kind {one['kind']}"
        if one["kind"] == "stage" and one["stage"] not in stages:
            yield f"the runner {one['id']} is of a stage that does not stand in `stages`"
    for name in sorted(stages - {one["stage"] for one in result["runners"] if one["kind"] == "stage"}):
        yield f"no program of the stage {name} was measured"
    for (level, compiler), mine in ladders(result).items():
        for name in sorted({reference, reference + AGAIN} - {one["stage"] for one in mine}):
            yield f"{name}, with which all is compared, was not measured at {level} with {compiler}"
    if all(one.get("device") for one in result["runners"] if one["stage"] == reference):
        yield f"a device does the work of {reference}"


def _blocks(result: Result) -> Iterator[str]:
    design = result["design"]
    workloads = {part["name"]: part["workloads"] for part in design["parts"]}
    for name in sorted(workloads.keys() - {block["part"] for block in result["blocks"]}):
        yield f"the part {name} of its design has no block"
    yield from of_blocks(
        result["blocks"], (one["id"] for one in result["runners"]), workloads, repetitions=design["repetitions"]
    )


def _of_runners(result: Result) -> Iterator[str]:
    runners = {one["id"] for one in result["runners"]}
    for name in sorted(runners.symmetric_difference(result["latency"])):
        yield f"the runner {name} stands in `runners` or in `latency`, but not in both"
    for name in sorted(result["evidence"].keys() - runners):
        yield f"there is evidence of {name}, which does not stand in `runners`"


def _whole_programs(result: Result) -> Iterator[str]:
    yield from _rounds(result, result["whole_programs"].get("runs", []), "whole programs")


def _programs(result: Result) -> Iterator[str]:
    for program in result.get("programs", []):
        what = f"the program '{program['title']}'"
        yield from _rounds(result, program["runs"], what)
        for name in sorted(program.get("profiles", {}).keys() - {one["id"] for one in result["runners"]}):
            yield f"{what} has a profile of {name}, which does not stand in `runners`"
        if program["measure"] == "sizes":
            sizes = {tuple(one["bytes"] for one in run.get("sizes", [])) for run in program["runs"]}
            if len(sizes) > 1 or () in sizes or any("device" not in run for run in program["runs"]):
                yield f"the runs of {what} have not all the same sizes, or do not name the device"


def _rounds(result: Result, runs: Sequence[Mapping[str, Any]], what: str) -> Iterator[str]:
    """Whoever takes part does so once in each round."""
    runners = {one["id"] for one in result["runners"]}
    found: dict[str, list[int]] = {}
    for run in runs:
        found.setdefault(run["runner"], []).append(run["round"])
    every = sorted({number for numbers in found.values() for number in numbers})
    for name, numbers in found.items():
        if name not in runners:
            yield f"{what} were run by {name}, which does not stand in `runners`"
        if sorted(numbers) != every:
            yield f"{name} has not one run of {what} in each of {len(every)} rounds"


def _lesson(result: Result) -> Iterator[str]:
    if "lesson" not in result:
        return
    lesson = result["lesson"]
    calls = lesson["warm_up"] + lesson["rounds"]
    for one in result["runners"]:
        counted = len(result["latency"][one["id"]])
        if counted < calls and one["kind"] != "variant":
            yield f"there are {counted} single calls of {one['id']}, of {calls} that the lesson needs"
    itself = lesson["against_itself"]
    for number, blocks in enumerate(itself["experiments"], 1):
        names = {run["runner"] for run in blocks[0]["runs"]}
        if sorted(name.split(".")[0] for name in names) != sorted(NAMES):
            yield f"experiment {number} of the lesson is not of {', '.join(NAMES)}"
        workloads = {block["part"]: [itself["workload"]] for block in blocks}
        for said in of_blocks(blocks, names, workloads, result["design"]["repetitions"]):
            yield f"in experiment {number} of the lesson {said}"


def _twice(names: Iterable[Any]) -> Any:
    return next((name for name, count in Counter(names).items() if count > 1), None)
