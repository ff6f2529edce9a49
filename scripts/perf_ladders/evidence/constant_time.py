"""Which branches and addresses of a stage depend on its secrets? Valgrind's memcheck says it, of a test
(common/secrets.hpp) in which keys and contents are marked as undefined.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from functools import partial

from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence.assembly import line_text
from perf_ladders.evidence.instructions import VALGRIND_LEVEL, beyond_valgrind
from perf_ladders.evidence.tools import attempt, output, output_file, tool
from perf_ladders.machine import processes
from perf_ladders.model.proof import AtLevel, CheckedStage, Leak
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.catalogue import Stage
from perf_ladders.tree.paths import shown
from perf_ladders.tree.source import digest_of, flattened

_LIMIT_S = 900
_TEST = ("check", "--gtest_also_run_disabled_tests", "--gtest_filter=Secrets.DISABLED_ReachEveryResult")
_MARKED = "All secrets were marked."
_KINDS = {"UninitCondition": "branch", "UninitValue": "address"}
_OF_SYSTEM = re.compile(r"^#include <.*\n?", re.MULTILINE)
_IN_TREE = re.compile(r"(?:^|/)((?:stages|common|tests)/.+)$")


def check(stage: Stage, build: Build) -> CheckedStage:
    """At every level. Above those that Valgrind runs, a lower one stands for it if it has the same source."""
    programs = [one for one in build.programs if (one.kind, one.name) == ("stage", stage.name)]
    others = {one.level: one for one in build.programs if one.name == f"{stage.name}-other-core"}
    found: list[AtLevel] = []
    for program in programs:
        lower = [*zip(programs, found, strict=False)]
        if beyond_valgrind(program, build):
            found.append(_stand_in(program, build, lower))
        else:
            found.append(_at_level(program, others.get(program.level)))
    return CheckedStage(case=stage.case, stage=stage.slug, source=digest_of(stage.source), levels=found)


def _at_level(program: Program, other_core: Program | None) -> AtLevel:
    """`other_core`: the same stage with the kernels that it chooses on other cores than the one that Valgrind shows."""
    missing: dict[str, str] = {}
    found: dict[tuple[str, int, str], Leak] = {}
    for one in (program, other_core) if other_core else (program,):
        leaks = attempt("leaks", partial(_leaks, one), missing)
        found |= {(leak.file, leak.line, leak.kind): leak for leak in leaks or []}
    if found:
        return AtLevel(level=program.level, verdict="leaks", leaks=[found[place] for place in sorted(found)])
    if missing:
        return AtLevel(level=program.level, verdict="n/a", reason=missing["leaks"])
    return AtLevel(level=program.level, verdict="constant")


def _leaks(program: Program) -> list[Leak]:
    if program.device:
        raise Missing(f"the work is done by a kernel on an {program.device} device")
    if not program.path.exists():
        raise Missing(f"not built: make build CASE={program.case}")
    with output_file(None) as out:
        words = ["--tool=memcheck", "--error-limit=no", "--num-callers=20", "--xml=yes", f"--xml-file={out}"]
        command = [*processes.tied(), tool("valgrind", "valgrind"), *words, str(program.path), *_TEST]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=_LIMIT_S,
                env=processes.environment(),
            )
        except subprocess.TimeoutExpired:
            raise Missing(f"not finished under Valgrind after {_LIMIT_S} s") from None
        said = done.stderr.strip()
        if done.returncode == 1:
            raise UserError(f"{program.id} check: {_failure(done.stdout) or said}", code=1)
        if done.returncode == 77:
            raise Missing(f"Valgrind does not know {lacking(said)}")
        if done.returncode != 0:
            raise Missing(said.splitlines()[-1].rstrip(".") if said else f"Valgrind ended with {done.returncode}")
        if _MARKED not in done.stdout:
            raise Missing("it was built without valgrind/memcheck.h (package valgrind)")
        return leaks_in(out.read_text("utf-8"))


def _failure(printed: str) -> str:
    return " ".join(line.strip() for line in printed.splitlines() if line and not line.startswith("["))


def lacking(said: str) -> str:
    """The features that the guard of a program names."""
    named = re.search(r"lacks: ([^.]+(?:\.\d[^.]*)*)\.", said)
    return named[1] if named else "its instructions"


def leaks_in(report: str) -> list[Leak]:
    """Of memcheck's report in XML: each place of the tree once, in order. What a library never frees is no matter."""
    found: dict[tuple[str, int, str], Leak] = {}
    for error in re.findall(r"<error>(.*?)</error>", report, re.DOTALL):
        named = _inner("kind", error) or ""
        if named.startswith("Leak_"):
            continue
        kind = _KINDS.get(named)
        if kind is None:
            raise UserError(f"memcheck found something else: {_inner('text', error) or _inner('what', error)}.", code=1)
        file, line = _place(error)
        known = Leak(kind="branch" if kind == "branch" else "address", file=file, line=line, text=line_text(file, line))
        found[file, line, kind] = known
    return [found[key] for key in sorted(found)]


def _inner(name: str, text: str) -> str | None:
    match = re.search(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)
    return match[1] if match else None


def _place(error: str) -> tuple[str, int]:
    """The innermost frame of a source of the tree."""
    for frame in re.findall(r"<frame>(.*?)</frame>", error, re.DOTALL):
        inside = _IN_TREE.search(f"{_inner('dir', frame)}/{_inner('file', frame)}")
        line = _inner("line", frame)
        if inside and line:
            return inside[1], int(line)
    raise UserError("memcheck found a leak outside the sources of this tree.", code=1)


def _stand_in(program: Program, build: Build, lower: Sequence[tuple[Program, AtLevel]]) -> AtLevel:
    """What was found at the highest level at which the program has the same source."""
    for other, at in reversed(lower):
        if at.verdict != "n/a" and preprocessed(other, build) == preprocessed(program, build):
            reason = f"as at {at.level}: the same source"
            return AtLevel(level=program.level, verdict=at.verdict, leaks=at.leaks, reason=reason)
    known = any(at.verdict != "n/a" for _, at in lower)
    reason = f"Valgrind stops at {VALGRIND_LEVEL}{', where the source is another' if known else ''}"
    return AtLevel(level=program.level, verdict="n/a", reason=reason)


def preprocessed(program: Program, build: Build) -> str:
    """The program's source as its level leaves it, without headers of the system."""
    text = _OF_SYSTEM.sub("", flattened(shown(program.source)))
    command = [build.compiler.command, "-E", "-P", "-w", *build.flags[program.level].split(), "-x", "c++", "-"]
    return output(command, "the preprocessor", given=text.encode())
