"""Do the checks of a case notice small faults in a stage? Each fault becomes a program, which `check` has to reject."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec

from perf_ladders.errors import UserError
from perf_ladders.evidence.mutants import Mutant, drawn
from perf_ladders.measure import machine_code
from perf_ladders.model.proof import Equivalent, MutationScore, Survivor
from perf_ladders.tree import files
from perf_ladders.tree.build import Program
from perf_ladders.tree.catalogue import Case
from perf_ladders.tree.paths import ROOT, shown

_LIMIT_S = 300  # then it is caught in a loop: rejected, too


@dataclass(frozen=True)
class Commands:
    """How the program's object is compiled and how the program is linked, as ninja knows them."""

    folder: Path
    compile: list[str]
    link: str
    object: str

    @classmethod
    def of(cls, program: Program) -> Commands:
        folder = program.path.parent
        words = ["ninja", "-C", str(folder), "-t", "commands", program.path.name]
        said = subprocess.run(words, capture_output=True, text=True, check=False).stdout.splitlines()
        made = str(program.object.relative_to(folder))
        compiling = [line for line in said if f" -o {made} " in line]
        if not compiling:
            raise UserError(f"{shown(program.path)} is not built: `make build CASE={program.case}`.")
        return cls(folder, shlex.split(compiling[0]), said[-1], made)

    def compiled(self, text: str, into: Path) -> Path | None:
        """The object; None where the text does not compile. With little optimisation, for it is never timed."""
        source, out = into / "stage.cpp", into / "stage.o"
        source.write_text(text, "utf-8")
        words = [*self.compile]
        words[words.index("-o") + 1], words[words.index("-c") + 1] = str(out), str(source)
        if "-MF" in words:
            words[words.index("-MF") + 1] = str(into / "stage.d")
        done = self._run([*words, "-O1", "-g0", "-w"])
        return out if done == 0 else None

    def linked(self, made: Path, into: Path) -> Path | None:
        """None where it does not link: a definition is gone."""
        program = into / "program"
        line = self.link.replace(self.object, str(made))
        line = re.sub(r" -o \S+ ", f" -o {program} ", line)
        return program if self._run(["sh", "-c", line]) == 0 else None

    def _run(self, words: Sequence[str]) -> int:
        environment = {**os.environ, "CCACHE_DISABLE": "1"}
        return subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, check=False).returncode


def score(case: Case, program: Program, count: int, seed: int, tell: Callable[[str], None]) -> MutationScore:
    """Of so many mutants of the program's stage. Those that do not compile, or whose machine code is that of the stage,
    are not counted; others are drawn for them."""
    commands = Commands.of(program)
    text = case.text(case.stage(str(program.number)))
    known = equivalent(case.name)
    survivors: list[Survivor] = []
    tried = 0
    with files.scratch() as folder:
        original = commands.compiled(text, folder)
        if original is None or commands.linked(original, folder) is None:
            raise UserError(f"{program.name} does not compile or link as one text.")
        code = machine_code.digest(original)
        waiting = drawn(text, seed)
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            while tried < count and waiting:
                batch = [waiting.pop() for _ in range(min(count - tried, len(waiting)))]
                for mutant, lives in zip(batch, pool.map(lambda one: _lives(one, commands, code), batch), strict=True):
                    tried += lives is not None
                    if not lives:
                        continue
                    why = known.get((mutant.before, mutant.after), "")
                    survivors.append(Survivor(line=mutant.line, before=mutant.before, after=mutant.after, why=why))
                    tell(f"{program.id}: {mutant}: {why or 'survives'}")
    return MutationScore(
        case=case.name,
        program=program.id,
        seed=seed,
        mutants=tried,
        rejected=tried - len(survivors),
        survivors=survivors,
    )


def _lives(mutant: Mutant, commands: Commands, original: str | None) -> bool | None:
    """Whether the checks pass; None where it is no mutant."""
    with files.scratch() as folder:
        made = commands.compiled(mutant.text, folder)
        if made is None or machine_code.digest(made) == original:
            return None
        program = commands.linked(made, folder)
        if program is None:
            return None
        words = [str(program), "check", "--gtest_brief=1", "--gtest_fail_fast", "--gtest_filter=-Oracle.*:InOrder.*"]
        try:
            done = subprocess.run(words, capture_output=True, check=False, timeout=_LIMIT_S)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def equivalent(case: str) -> dict[tuple[str, str], str]:
    """By the line before and after: why such a mutant gives the same results. tests/<case>/equivalent.toml."""
    path = ROOT / "tests" / case / "equivalent.toml"
    said = msgspec.toml.decode(path.read_bytes(), type=Equivalent) if path.is_file() else Equivalent()
    return {(one.before, one.after): one.why for one in said.mutant}
