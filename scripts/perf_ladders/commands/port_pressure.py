"""What do models of cores say of the loops on which CPUs disagree?"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence import port_pressure as models
from perf_ladders.evidence.tools import tool
from perf_ladders.model.evidence import Loop
from perf_ladders.model.port_pressure import Answer, Asked, PortPressure
from perf_ladders.pages import atlas_view, terminal
from perf_ladders.results import proof, shown, store
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.port_pressure import LOCAL, known, newest
from perf_ladders.tree import files
from perf_ladders.tree.catalogue import case_names, read_case
from perf_ladders.tree.paths import shown as path_shown


def port_pressure(options: argparse.Namespace) -> None:
    """Of the measurements in the repository, and of those that are named."""
    try:
        tool("llvm-mca", "llvm")
        models.osaca_version()
    except Missing as reason:
        raise UserError(f"{reason}.") from None
    out, console = store.expect_place(options.out or LOCAL), terminal.output(stderr=True, soft_wrap=True)
    mine = [Analysis(read_case(one.case), one) for one in map(store.load, files.matching(options.result))]
    found: dict[tuple[str, str], Asked] = {}
    before: dict[tuple[str, str], list[Answer]] = {}
    with contextlib.suppress(UserError):  # a damaged file is written again
        before = known(out)
    for title, cpu, loop in _loops(mine):
        try:
            text = models.text_of(loop)
        except Missing as reason:
            console.print(f"{title}, {cpu}: n/a ({reason})", markup=False)
            continue
        key = models.digest(text), cpu
        if key not in found:
            answers = newest(models.ask(text, cpu), before.get(key, []))
            found[key] = Asked(loop=key[0], core=cpu, instructions=loop.length, answers=answers)
            for one in found[key].answers:
                said = f"{one.cycles:.4g} cycles an iteration" if one.cycles is not None else f"n/a ({one.missing})"
                console.print(f"{title}, {cpu}: {one.tool} {one.version}: {said}", markup=False)
    kept = sorted(found.values(), key=lambda one: (one.loop, one.core))
    print(f"wrote {path_shown(_write(kept, out))}")


def _write(found: Sequence[Asked], path: Path) -> Path:
    return proof.write(PortPressure(loops=[*found], **proof.now()), path.resolve())


def _loops(mine: Sequence[Analysis]) -> Iterator[tuple[str, str, Loop]]:
    """The hot loops of steps on which CPUs disagree, and of their bases: stage, CPU and loop."""
    for name in case_names():
        analyses = [*(one for one in mine if one.case.name == name), *shown.analyses(read_case(name))]
        for case in atlas_view.atlas([analyses]):
            for line in case.disagreements:
                for one in line.twin.witnesses if line.twin else []:
                    if one.evidence and one.evidence.loop:
                        yield one.row.stage, one.cell.column.cpu, one.evidence.loop
