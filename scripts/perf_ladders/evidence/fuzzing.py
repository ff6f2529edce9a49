"""Is there an input for which a stage does not do what the oracle does? libFuzzer looks for one (tests/fuzz.hpp)."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.machine import processes
from perf_ladders.measure.relink import Recipe
from perf_ladders.model.proof import Fuzzed
from perf_ladders.tree import files
from perf_ladders.tree.build import Program
from perf_ladders.tree.paths import ROOT, shown

FOLDER = ROOT / "build" / "fuzz"
CORPORA = FOLDER / "corpora"  # a folder for each case: kept, so that the next run begins where this one ends
_MOST_BYTES = 4096  # of an input
_CALL_S, _LATE_S = 60, 300  # a call that takes longer is found; a fuzzer that does not end
_SEEDS = (1, 16, 64, 256, 1024)  # bytes of the inputs with which a corpus begins
_FOUND = re.compile(r"^(wrong: .*|.*runtime error: .*|.*ERROR: \w+: .*)$", re.MULTILINE)
_INPUTS = re.compile(r"^stat::number_of_executed_units: (\d+)$", re.MULTILINE)
_WRITTEN = re.compile(r"Test unit written to (.+)$", re.MULTILINE)


def fuzzed(program: Path, corpus: Path, seconds: int) -> Fuzzed:
    """The first line that says what is wrong, if an input is found for which something is."""
    _begin(corpus)
    ends = FOLDER / "found"
    ends.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-max_len={_MOST_BYTES}", f"-timeout={_CALL_S}", "-print_final_stats=1"]
    command = [*processes.tied(), str(program), str(corpus), *options, f"-artifact_prefix={ends / program.name}-"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=seconds + _LATE_S
        )
    except subprocess.TimeoutExpired:
        raise UserError(f"{shown(program)} did not end after {seconds + _LATE_S} s.", code=1) from None
    inputs, found, written = (one.search(done.stderr) for one in (_INPUTS, _FOUND, _WRITTEN))
    if (done.returncode and not found) or not inputs:
        raise UserError(
            f"{shown(program)} ended with exit code {done.returncode}: {done.stderr[-300:].strip()}", code=1
        )
    return Fuzzed(
        program=program.name.removesuffix("-fuzz"),
        seconds=seconds,
        inputs=int(inputs[1]),
        found=found[1].strip() if found and done.returncode else "",
        input=shown(Path(written[1])) if written else "",
    )


def fuzzed_text(program: Program, text: str, seconds: int) -> Fuzzed:
    """Another text of the program's stage."""
    recipe = Recipe.of(program, fuzzer(program).name)
    with files.scratch() as folder:
        source, made, other = folder / "stage.cpp", folder / "stage.o", folder / fuzzer(program).name
        source.write_text(text, "utf-8")
        for command in ([*recipe.compile(source, made), "-w"], recipe.link(made, other)):
            done = subprocess.run(command, cwd=recipe.folder, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise UserError(f"{other.name} could not be built: {done.stderr.strip()[-300:]}", code=1)
        return fuzzed(other, CORPORA / program.case, seconds)


def fuzzer(program: Program) -> Path:
    return program.path.with_name(f"{program.path.name}-fuzz")


def _begin(corpus: Path) -> None:
    """A few inputs that look random: from none, libFuzzer would begin with empty ones."""
    for size in _SEEDS:
        path = corpus / f"seed-{size}"
        if not path.exists():
            files.write(path, random.Random(size).randbytes(size))  # noqa: S311 - no secret
