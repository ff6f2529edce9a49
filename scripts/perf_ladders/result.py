"""A result: what was measured, raw, and the rows that follow from it; one JSON file (result.schema.json)."""

from __future__ import annotations

import copy
import gzip
import json
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

from perf_ladders import catalogue, programs
from perf_ladders.catalogue import Build, Case, read_case, shown
from perf_ladders.coherence import misfit
from perf_ladders.complaint import Complaint
from perf_ladders.measure import AGAIN, Design, Part, Runner, Workload, sha256
from perf_ladders.rows import Result, rows
from perf_ladders.schema import parse, wrong

VERSION = 2
_VARIANTS = {"O2": "-O2", "pgo": "profile-guided (-fprofile-use)"}
SCHEMA = Path(__file__).with_name("result.schema.json")


def assemble(
    tree: dict[str, Any],
    builds: list[Build],
    runners: list[Runner],
    workloads: list[Workload],
    left_out: list[dict[str, str]],
    design: Design,
    parts: list[Part],
    machine: dict[str, Any],
    raw: dict[str, Any],
) -> Result:
    """`tree` as from `tree`, `raw` as measured."""
    result: Result = {
        "schema": "perf-ladders result",
        "version": VERSION,
        **tree,
        "machine": machine,
        "compilers": [compiler(build) for build in builds],
        "design": {**asdict(design), "parts": [asdict(part) for part in parts]},
        "workloads": [asdict(workload) for workload in workloads],
        "runners": [_runner(runner) for runner in runners],
        "left_out": left_out,
        **raw,
    }
    if "against_itself" in raw:
        result["lesson"]["against_itself"] = result.pop("against_itself")
    else:
        result.pop("lesson", None)  # a single stage, or nothing to teach
    return with_rows(result)


def with_rows(result: Result) -> Result:
    """With rows as they follow from what was measured."""
    found = {**result, "rows": rows(result)}
    if "programs" in result:
        found["programs"] = [{**program, "rows": programs.rows(result, program)} for program in result["programs"]]
    return found


def _runner(runner: Runner) -> dict[str, Any]:
    program, variant = runner.program, runner.program.variant
    return {
        "id": runner.id,
        "stage": runner.name,
        "kind": "control" if runner.name.endswith(AGAIN) else program.kind,
        "level": program.level,
        "compiler": program.compiler,
        "threads": program.threads,
        "title": _VARIANTS.get(variant, variant) if variant else None,
        "base": f"{program.case}-{program.number}" if variant else None,
        "standard": program.standard,
        "lacks": program.lacks,
        **({"device": program.device} if program.device else {}),
    }


def tree(case: Case, runners: list[Runner]) -> dict[str, Any]:
    """What a result takes from the tree. Taken before measuring: later the files may have been changed."""
    folders = {runner.program.source.parent for runner in runners}
    own = {path for folder in folders for path in catalogue.sources(folder)}
    return {
        "case": case.name,
        "title": case.title,
        "summary": case.summary,
        "source": case.source,
        "operations": case.operations,
        "claims": _claims(case),
        "standards": case.standards,
        "lacks": case.lacks,
        "apps": case.apps,
        **({"jobs": case.jobs} if case.jobs else {}),
        **({"breakdown": case.breakdown} if case.breakdown else {}),
        **({"lesson": asdict(case.lesson)} if case.lesson else {}),
        "stages": [
            {
                "name": stage.name,
                "title": stage.notes.title,
                "headline": stage.headline,
                "base": base.name if (base := case.base(stage)) else None,
                "predicts": {level: list(span) for level, span in stage.notes.predicts.items()},
                "source": stage.notes.source,
                "beyond": stage.notes.beyond,
                "notes": stage.notes.text,
                "diff": case.diff(stage),
                "files": [shown(path) for path in stage.files],
            }
            for stage in case.stages
            if any(runner.name == stage.name for runner in runners)
        ],
        "shared_files": [shown(path) for path in case.shared_files],
        "sources": {shown(path): sha256(path) for path in sorted({*own, *case.part_files, *case.shared_files})},
    }


def compiler(build: Build) -> dict[str, Any]:
    return {
        **build.compiler,
        "command": Path(build.compiler["command"]).name,  # not where it lies, which may be somebody's home
        "preset": build.preset,
        "build_type": build.build_type,
        "benchmark_version": build.benchmark_version,
        "flags_of_level": build.flags,
    }


def with_present_notes(result: Result) -> Result:
    """With the prose of the tree, where what a stage did was written down after it was measured, and with rows as they
    follow today. What was measured and predicted stays."""
    case = read_case(result["case"])
    present = {
        stage.name: {"headline": stage.headline, "notes": stage.notes.text, "beyond": stage.notes.beyond}
        for stage in case.stages
    }
    stages = [{**stage, **present.get(stage["name"], {})} for stage in result["stages"]]
    return with_rows({**copy.deepcopy(result), "stages": stages, "claims": _claims(case)})


def _claims(case: Case) -> list[dict[str, Any]]:
    return [{key: said for key, said in asdict(claim).items() if said is not None} for claim in case.claims]


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
    """With rows as they follow from what was measured, whatever rows the file holds."""
    return with_rows(as_written(path))


def as_written(path: Path) -> Result:
    """With the rows that the file holds."""
    found = read(path, "result", VERSION, SCHEMA, "make report")
    if why := misfit(found):
        raise Complaint(f"{shown(path)} is no valid result: {why}.")
    for evidence in found["evidence"].values():
        _withdraw_counts_of_functions(evidence)
    return found


def _withdraw_counts_of_functions(evidence: dict[str, Any]) -> None:
    """Older harnesses divided by the calls of functions, of which a call of the workload can make many."""
    counts = evidence.get("instructions", {})
    if counts.get("how") == "single-stepping" and counts["calls"] > 1:
        evidence["instructions"] = {
            "missing": f"the harness of that commit divided by {counts['calls']:,} calls of functions, not by those of "
            "the workload: measure again"
        }


def read(path: Path, kind: str, version: int, schema: Path, maker: str) -> Result:
    """A file of that kind and version, as `maker` makes it and the schema describes it."""
    try:
        data = path.read_bytes()
        found: Result = parse(gzip.decompress(data) if path.suffix == ".gz" else data)
    except FileNotFoundError:
        raise Complaint(f"There is no {shown(path)}; `{maker}` writes one to reports/local.") from None
    except OSError as error:
        if not isinstance(error, gzip.BadGzipFile):
            raise Complaint(f"Cannot read {shown(path)} ({error.strerror}).") from None
        raise Complaint(f"{shown(path)} is damaged, or no {kind} at all ({error}).") from None
    except (ValueError, EOFError, zlib.error) as error:
        raise Complaint(f"{shown(path)} is damaged, or no {kind} at all ({error}).") from None
    if not isinstance(found, dict) or found.get("schema") != f"perf-ladders {kind}":
        raise Complaint(f"{shown(path)} is JSON, but no perf-ladders {kind}.")
    if found.get("version") != version:
        raise Complaint(f"{shown(path)} has version {found.get('version')}; this is made for version {version}.")
    if why := wrong(found, schema):
        raise Complaint(f"{shown(path)} is no valid {kind}: {why}.")
    return found
