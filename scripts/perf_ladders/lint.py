"""Does what case.toml, notes and hints say fit the programs that were built? Is the English plain?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from perf_ladders import lint_notes, prose
from perf_ladders.errors import UserError
from perf_ladders.evidence import tools
from perf_ladders.measure.runner import workloads_of
from perf_ladders.model.measurement import Workload
from perf_ladders.tree import techniques
from perf_ladders.tree.build import Build
from perf_ladders.tree.catalogue import Case, case_names, read_case
from perf_ladders.tree.contract import named
from perf_ladders.tree.paths import ROOT, STAGES, shown
from perf_ladders.tree.peer import read_peer
from perf_ladders.workshop import exercise

_PINNED = re.compile(r"docker://\S+@sha256:[0-9a-f]{64}|[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+|\./\S+")
_IMAGE = re.compile(r"(?<![\w/.@-])([a-z][\w./-]*:\d[\w.]*)(?!\S*@sha256:[0-9a-f]{64})\b")
_GLOBAL = "TDBRC"  # letters of nm: code and data that other files can see


def of_texts() -> Iterator[str]:
    """What needs no build."""
    yield from lint_notes.misfits()
    yield from prose.misfits()
    yield from techniques.misfits([read_case(name) for name in case_names()])
    yield from _of_peers()
    yield from of_workflows()


def of_workflows() -> Iterator[str]:
    folders = (".github/workflows/*", ".devcontainer/*", "docs/examples/*.yml")
    for path in sorted(path for folder in folders for path in ROOT.glob(folder)):
        yield from of_workflow(shown(path), path.read_text("utf-8"))


def of_workflow(name: str, text: str) -> Iterator[str]:
    """Whoever owns an action or an image can move its tag, but not its digest. A latest version moves by itself."""
    for number, line in enumerate(text.splitlines(), 1):
        action = re.match(r"\s*(?:- )?uses: *(.+)", line)
        if action and not _PINNED.fullmatch(action[1]):
            yield f"{name}:{number} takes {action[1]} by name: write ACTION@DIGEST  # VERSION, the digest of a commit."
        rest = "" if action else line
        for image in _IMAGE.findall(rest):
            yield f"{name}:{number} takes {image} by name: write {image}@sha256:DIGEST."
        for module in re.findall(r"\S+(?=@latest\b)", rest):
            yield f"{name}:{number} takes {module} by name: write {module}@VERSION."


def misfits(case: Case, build: Build) -> Iterator[str]:
    """A sentence for each; the case is built, but for what this CPU cannot run."""
    here = [program for program in build.programs if program.case == case.name and not program.cannot]
    reference = next((program for program in here if program.kind == "stage" and program.number == "00"), None)
    if reference:
        workloads = workloads_of(reference)
        yield from of_workloads(case, workloads)
        yield from _of_hints(case, workloads)
        yield from lint_notes.of_placeholders(case, [workload.name for workload in workloads])
    yield from _of_symbols(case, build)
    yield from lint_notes.of_path(case)
    yield from lint_notes.of_pictures(case)


def _of_peers() -> Iterator[str]:
    for source in sorted(STAGES.glob("*/peers/*/stage.cpp")):
        try:
            read_peer(source.parent)
        except UserError as error:
            yield str(error)


def of_workloads(case: Case, workloads: list[Workload]) -> Iterator[str]:
    """What no report could be made of."""
    place = f"stages/{case.name}/workloads.cpp"
    names = Counter(workload.name for workload in workloads)
    yield from (f"{place} has {times} workloads named '{name}'." for name, times in names.items() if times > 1)
    if not any(workload.role == "main" for workload in workloads):
        yield f"{place} has no workload of Role::main: the one that the ladder is measured on."
    for what, name in _workloads_named(case):
        if name not in names:
            where = f"{shown(STAGES / case.name / 'case.toml')}: {what}"
            yield f"{where} is of a workload '{name}'; there are: {', '.join(names)}."


def _workloads_named(case: Case) -> Iterator[tuple[str, str]]:
    """What in case.toml is of a workload, and of which."""
    for claim in case.claims:
        yield from ((f"'{claim.text}'", name) for name in (claim.workload, claim.beside) if name)
    yield from (("`exercise`", name) for name in case.exercise)
    if case.model and case.model.workload:
        yield "[model]", case.model.workload
    yield from ((f"the program '{one.title}'", one.workload) for one in case.commands if one.workload)
    for part in (part for one in case.breakdown for part in one.parts):
        yield from ((f"the part '{part.name}'", words.split()[0]) for words in (part.of, part.without) if words)


def _of_hints(case: Case, workloads: list[Workload]) -> Iterator[str]:
    names = [workload.name for workload in workloads]
    for stage in case.stages:
        path = stage.directory / "hints.md"
        if path.is_file() and (name := exercise.read_hints(stage).workload) and name not in names:
            yield f"{shown(path)} is of a workload '{name}'; there are: {', '.join(names)}."


def _of_symbols(case: Case, build: Build) -> Iterator[str]:
    contract = shown(case.contract)
    mine = [one for one in build.programs if one.case == case.name and one.kind == "stage" and not one.cannot]
    defined = _defined([program.object for program in mine])
    for program in mine:
        found = Counter(map(named, defined[program.object]))
        if lacking := {*case.symbols} - found.keys():
            others = f"it defines: {'; '.join(sorted(found))}" if found else "it defines none"
            yield f"{contract} declares {min(lacking)}, which {shown(program.source)} does not define; {others}."
        elif more := found - Counter(case.symbols):
            yield (
                f"{shown(program.source)} defines {min(more)}, which {contract} does not declare: what is not of the "
                "contract goes into an unnamed namespace."
            )


def _defined(files: Sequence[Path]) -> dict[Path, list[str]]:
    """By object file; all in one call of nm, which a hundred calls would take seconds for. FileNotFoundError where one
    is not built."""
    for file in files:
        file.stat()
    found: dict[Path, list[str]] = {file: [] for file in files}
    command = ["nm", "--print-file-name", "--defined-only", "--demangle", *map(str, files)]
    for line in tools.output(command, "nm").splitlines() if files else []:
        if match := re.match(rf"(.+?):[0-9a-f]{{8,}} [{_GLOBAL}] (.+)", line):
            found[Path(match[1])].append(match[2])
    return found
