"""Writes what there is to build into a build folder: plan.cmake, which CMake includes, and plan.json, which the scripts
read (build.py). It needs Python alone: CMake runs it as a module, and `./ladders plan` writes it for readers.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.tree import files
from perf_ladders.tree.catalogue import case_names
from perf_ladders.tree.paths import ROOT, STAGES, shown
from perf_ladders.tree.planned import Asked
from perf_ladders.tree.planner import Plan


def make(asked: Asked) -> Plan:
    plan = Plan(asked)
    plan.machines()
    plan.self_check()
    plan.read |= {ROOT / "CMakeLists.txt", STAGES, ROOT / "tests"}
    for case in sorted(case_names()):
        plan.read.add(STAGES / case / "case.toml")
        plan.case(case)
    for path in plan.found(ROOT / "tests/scripts", "test_*.py"):
        size = path.stat().st_size // 10_000  # in steps: no new plan for each letter
        proof = ["proof"] if path.stem.startswith("test_proof_") else []
        plan.say("add_scripts_test", f"scripts-{path.stem}", shown(path), str(size), *proof)
    return plan


def write(asked: Asked, folder: Path) -> None:
    """A file that would not change is left as it is: CMake begins again where one is newer."""
    plan = make(asked)
    text = "# Made by scripts/perf_ladders/tree/plan.py from the tree.\n"
    text += f"find_libraries({' '.join(sorted(plan.libraries))})\n"
    text += "\n".join(plan.lines) + "\n"
    found = {"asked": asdict(asked), "programs": [asdict(program) for program in plan.programs]}
    target, *read = (str(path).replace(" ", "\\ ") for path in (folder / "plan.cmake", *sorted(plan.read)))
    files.write(folder / "plan.d", f"{target}: {' '.join(read)}\n")
    for name, content in (("plan.cmake", text), ("plan.json", json.dumps(found, indent=1) + "\n")):
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != content:
            files.write(path, content)


def asked_before(folder: Path) -> Asked:
    """What CMake asked for when it was configured."""
    try:
        return Asked(**json.loads((folder / "plan.json").read_text(encoding="utf-8"))["asked"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return Asked()


def main(arguments: Sequence[str]) -> int:
    """As CMake asks."""
    parser = argparse.ArgumentParser(prog="perf_ladders.tree.plan")
    parser.add_argument("--into", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--architecture", default=platform.machine())
    parser.add_argument("--levels", default="", help="separated by commas; without it all of the architecture")
    parser.add_argument("--compiler", default="")
    parser.add_argument("--compiler-id", default="GNU")
    parser.add_argument("--sanitize", default="")
    parser.add_argument("--cross", default="")
    parser.add_argument("--novec", default="", help="all: build every case at every level")
    options = parser.parse_args(arguments)
    try:
        levels = [level for level in options.levels.split(",") if level]
        alone = options.sanitize != "" or options.cross in ("TRUE", "ON", "1")
        kernels = options.sanitize != "" and "fuzzer" not in options.sanitize  # which has to find some mutants
        compiler = (options.compiler, options.compiler_id)
        asked = Asked(options.architecture, levels, *compiler, alone, kernels, options.novec)
        write(asked, options.into)
    except UserError as error:
        print(error, file=sys.stderr)
        return error.code
    except OSError as error:  # of a file that cannot be read or written
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
