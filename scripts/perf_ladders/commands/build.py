"""Set-up, building and testing. Standard library alone: this runs before anything else is installed."""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from perf_ladders.commands.grammar import Command
from perf_ladders.errors import UserError
from perf_ladders.machine import processes
from perf_ladders.machine.configure import configured
from perf_ladders.tree import catalogue, idea, paths, step_size
from perf_ladders.tree import plan as build_plan
from perf_ladders.tree.build import one_at_a_time
from perf_ladders.tree.paths import ROOT
from perf_ladders.tree.planner import LAYOUT_STAGES

_BUILD = ROOT / "build"
_PYTHON = ROOT / ".venv/bin/python"
_STAMP = ROOT / ".venv/requirements.sha256"  # set-up writes it into the .venv that it makes
_STDERR = 2  # the file descriptor: standard output is for what a command prints, such as JSON


def prepare(lines: Sequence[tuple[Command, argparse.Namespace]]) -> None:
    """Sets up what the commands need; goes on in .venv where they need that."""
    if not (ROOT / "scripts/setup.sh").is_file():  # installed as a package, which brings what it imports
        if all(command.needs == "packages" or command.name in ("help", "completion") for command, _ in lines):
            return
        raise UserError("This command works in a clone of the perf-ladders repository: type ./ladders there.")
    needs = {command.needs for command, _ in lines} - {""}
    if not needs:
        return
    presets = [preset for _, options in lines for preset in presets_of(options)]
    set_up(presets, environment=bool(needs - {"tools"}))
    # Set-up may have made .venv anew beneath this very Python.
    goes_on_here = Path(sys.prefix).resolve() == (ROOT / ".venv").resolve() and importlib.util.find_spec("msgspec")
    if needs - {"tools"} and not goes_on_here:
        os.execv(_PYTHON, [str(_PYTHON), "-P", "-m", "perf_ladders", *sys.argv[1:]])  # noqa: S606


def set_up(presets: Sequence[str], environment: bool = True) -> None:
    words = [*([] if environment else ["--tools"]), *dict.fromkeys(presets)]
    if subprocess.run([ROOT / "scripts/setup.sh", *words], stdout=_STDERR, check=False).returncode:
        sys.exit(2)  # it has said why


def is_set_up() -> bool:
    """Whether .venv has the packages, and for the Python that the system has now."""
    wanted = hashlib.sha256((ROOT / "requirements.txt").read_bytes()).hexdigest()
    if not _STAMP.exists() or _STAMP.read_text("utf-8").strip() != wanted:
        return False
    try:
        return subprocess.run([_PYTHON, "-c", "import msgspec"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def setup(options: argparse.Namespace) -> None:
    set_up(presets_of(options))


def presets_of(options: argparse.Namespace) -> list[str]:
    given = getattr(options, "preset", None) or ["gcc"]
    return [given] if isinstance(given, str) else list(given)


def build(options: argparse.Namespace) -> None:
    """Everything, or what the words name: a case, or a stage and those that it is compared with."""
    presets = presets_of(options)
    for preset in presets:
        build_targets(preset, _targets(options))
    database = ROOT / "compile_commands.json"
    new = database.with_name(f"{database.name}.{secrets.token_hex(4)}")  # another node may build in this folder
    new.symlink_to(Path("build", presets[0], database.name))
    new.replace(database)


def _targets(options: argparse.Namespace) -> list[str]:
    if options.command in ("self-check", "machine"):
        return [options.command]
    if options.command == "layout-check":
        return [case for case, _ in LAYOUT_STAGES]
    case = options.case
    if options.command == "report" and case is None:
        case = catalogue.case_names()[0]
    is_checked = options.command in ("build", "test", "proof")
    name = getattr(options, "stage", None) or case
    if name and name != "all":
        return [f"{name}-tests" if is_checked and name == case else name]
    if not is_checked:
        return catalogue.case_names()
    # Mutants, variants, other standards and lower levels are built with their case. `make test` without a case leaves
    # them to `make proof`.
    return [] if options.command == "test" else ["all", *(f"{case}-tests" for case in catalogue.case_names())]


def build_targets(preset: str, targets: Sequence[str]) -> None:
    with one_at_a_time(_BUILD / preset), processes.stopped_with_us():
        log = configured(preset)
        for line in re.findall(r"^-- (Not built: .*|Left out: .* is not installed)$", log, re.MULTILINE):
            print(f"{line} (./ladders doctor)" if line.startswith("Not built") else line, file=sys.stderr)
        print(f"Building with preset {preset} ...", file=sys.stderr, flush=True)
        command = ["cmake", "--build", "--preset", preset]
        command += [word for target in targets for word in ("--target", target)]
        if subprocess.run(command, cwd=ROOT, stdout=_STDERR, check=False).returncode:
            raise UserError(f"Building with preset {preset} failed: the first error above says where.")


def test(options: argparse.Namespace) -> None:
    case = options.case if options.case != "all" else None
    if case:
        from perf_ladders.commands import words  # which needs .venv

        words.check(case, presets_of(options)[0])
    chosen = ["--label-regex", f"^{case}$"] if case else []
    if options.command == "test":
        left_out = ["proof", "variant"]
        if not case:
            left_out += ["other-core", "standard", "mutant", "lower-level"]
        chosen += ["--label-exclude", f"^({'|'.join(left_out)})$"]
    failed = next((preset for preset in presets_of(options) if not _passes(preset, chosen)), None)
    if options.command == "proof":
        from perf_ladders.pages import proof_view  # which needs .venv

        proof_view.write()  # also where a proof failed: what it found stands there
    if failed:
        raise UserError(f"Tests failed with preset {failed}: the list above names them.", code=1)


def _passes(preset: str, chosen: list[str]) -> bool:
    with processes.stopped_with_us():
        tests = ["ctest", "--preset", preset, *chosen]
        return subprocess.run(tests, cwd=ROOT, env=processes.environment(), check=False).returncode == 0


def plan(options: argparse.Namespace) -> None:
    """Writes what CMake writes itself, so that it can be read."""
    for preset in presets_of(options):
        folder = _BUILD / preset
        build_plan.write(build_plan.asked_before(folder), folder)
        print(f"wrote {paths.shown(folder / 'plan.cmake')} and plan.json")


def lint(options: argparse.Namespace) -> None:
    tools = Path(sys.prefix) / "bin"
    for command in (["ruff", "check", "scripts", "tests"], ["ruff", "format", "--check", "scripts", "tests"], ["mypy"]):
        if subprocess.run([tools / command[0], *command[1:]], cwd=ROOT, check=False).returncode:
            raise UserError(f"{command[0]} found what is listed above.", code=1)
    from perf_ladders.lint import of_texts  # which needs .venv

    if found := [*of_texts()]:
        print(*found, sep="\n")
        raise UserError("The texts have what is listed above.", code=1)
    cases = [catalogue.read_case(name) for name in catalogue.case_names()]
    if wrong := [one for case in cases for misfits in (step_size.misfits, idea.misfits) for one in misfits(case)]:
        print(*wrong, sep="\n")
        raise UserError("The steps have what is listed above.", code=1)


def clean(options: argparse.Namespace) -> None:
    if _BUILD.is_symlink():
        _BUILD.unlink()
    elif _BUILD.exists():
        shutil.rmtree(_BUILD)
