"""What was built: the plan of a build folder, joined with what CMake alone knows of it."""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from perf_ladders.errors import UserError
from perf_ladders.tree.paths import ROOT, shown
from perf_ladders.tree.planned import Planned

_Tables = dict[str, dict[str, str]]
_BUILT, _PLAN = "build.tsv", "plan.json"


@dataclass(frozen=True)
class Program:
    case: str
    kind: str  # stage, peer, variant (one of both compiled in another way), self-check or exercise
    name: str  # xtea-06, xtea-botan
    level: str
    compiler: str
    threads: bool  # runs on all cores, so it is not pinned to one
    path: Path
    object: Path
    archives: list[Path]  # that it is linked with
    source: Path
    standard: str = ""  # of standards/, where it does not keep to that of the case
    lacks: list[str] = field(default_factory=list)  # what the library cannot do, in the words of case.toml
    apps: dict[str, Path] = field(default_factory=dict)  # command-line programs around it
    device: str = ""  # that does its work, such as OpenCL: then its own instructions say little
    cannot: str = ""  # run here, and so was not built: what this CPU lacks

    @property
    def id(self) -> str:
        return f"{self.name}.{self.level}.{self.compiler}"

    @property
    def number(self) -> str | None:
        """Of the stage that it is or is a variant of."""
        word = self.name.removeprefix(f"{self.case}-")[:2]
        return word if self.kind in ("stage", "variant") and word.isdigit() else None

    @property
    def variant(self) -> str | None:
        """O2, pgo, or a folder of variants/."""
        base = self.number or self.source.parent.name  # of a library its name
        return self.name.removeprefix(f"{self.case}-{base}-") if self.kind == "variant" else None


@dataclass(frozen=True)
class Compiler:
    name: str  # gcc or clang
    version: str = ""
    command: str = ""
    flags: str = ""


@dataclass(frozen=True)
class NotBuilt:
    name: str  # of a stage, a library or an app: xtea-botan
    reason: str


@dataclass(frozen=True)
class Build:
    preset: str
    compiler: Compiler
    build_type: str
    benchmark_version: str
    flags: dict[str, str]  # by level
    machine: dict[str, Path]  # the machine program, by level
    steps: Path | None  # the program that counts by single-stepping
    programs: list[Program]
    left_out: list[NotBuilt]
    self_check: list[Program] = field(default_factory=list)
    exercises: list[Program] = field(default_factory=list)  # what a learner writes (exercise.py)
    linker: str = ""  # of all programs that are measured, as it names itself
    instructions: Path = Path("instructions")  # the program that times single instructions


def is_configured(preset: str) -> bool:
    return all((ROOT / "build" / preset / name).is_file() for name in (_BUILT, _PLAN))


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """One build in a build folder: `watch` may build there in another terminal."""
    folder.parent.mkdir(exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        with contextlib.suppress(OSError):  # some file systems have no locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def read_build(preset: str) -> Build:
    folder = ROOT / "build" / preset
    try:
        return _joined(preset, folder, _tables(folder / _BUILT), json.loads((folder / _PLAN).read_text("utf-8")))
    except FileNotFoundError as error:
        raise UserError(f"{shown(Path(error.filename))} is missing: `make build PRESET={preset}` makes it.") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UserError(f"build/{preset} is damaged: `make build PRESET={preset}` makes it again.") from None


def _tables(path: Path) -> _Tables:
    """What CMake wrote: on each line a table, a key and a value."""
    found: _Tables = {"left_out": {}, "apps": {}, "objects": {}}
    for line in path.read_text("utf-8").splitlines():
        table, key, value = line.split("\t")
        found.setdefault(table, {})[key] = value
    return found


def _joined(preset: str, folder: Path, built: _Tables, plan: dict[str, list[dict[str, Any]]]) -> Build:
    about = built["about"]
    compiler = Compiler(**built["compiler"])
    compiler = replace(compiler, name=compiler.name.lower().replace("gnu", "gcc"))

    def program(planned: Planned) -> Program:
        target = f"{planned.name}.{planned.level}"
        archives = (f"lib{planned.harness}-harness.{planned.level}.a", f"lib{planned.harness}-checks.a")
        return Program(
            case=planned.case,
            kind=planned.kind,
            name=planned.name,
            level=planned.level,
            compiler=compiler.name,
            threads=planned.threads == "all",
            path=folder / target,
            object=folder / built["objects"][target],
            archives=[*(folder / archive for archive in archives), Path(about["gtest"])],
            source=ROOT / planned.source,
            standard=planned.standard,
            lacks=planned.lacks,
            apps={name: folder / app for name, app in planned.apps.items() if app in built["apps"]},
            device=planned.device,
            cannot=built["cannot"][planned.level],
        )

    planned = [Planned(**entry) for entry in plan["programs"]]
    programs = [program(one) for one in planned if f"{one.name}.{one.level}" in built["objects"]]
    return Build(
        preset=preset,
        compiler=replace(compiler, flags=compiler.flags.strip()),
        build_type=about["build_type"],
        benchmark_version=about["benchmark_version"],
        flags=built["flags"],
        machine={level: folder / f"machine.{level}" for level in built["flags"]},
        steps=folder / "steps" if "steps" in about else None,
        programs=[program for program in programs if program.kind in ("stage", "peer", "variant")],
        left_out=[NotBuilt(name, reason) for name, reason in built["left_out"].items()],
        self_check=[program for program in programs if program.kind == "self-check"],
        exercises=[program for program in programs if program.kind == "exercise"],
        linker=about["linker"],
        instructions=folder / "instructions",
    )
