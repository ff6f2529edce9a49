"""The self-check in the terminal and in docs/method.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from perf_ladders.model.self_check import SelfCheck
from perf_ladders.pages import formatting, terminal
from perf_ladders.pages.render import fill
from perf_ladders.results import self_check_pairs, store
from perf_ladders.results.self_check import Judged, Line
from perf_ladders.tree.paths import ROOT

_BLOCKS = ("design and test", "identical pairs called different", "true difference found", "width")
_PAIRS = ("kernel", "noisy neighbour", "truly", "wrong", "found", "no difference", "rounds", "time")
_LARGE = 1.08  # times as fast: a difference that should be found soon


def show(found: SelfCheck, console: Console) -> None:
    for headings, rows in _tables(found):
        shown = terminal.table(*headings, folded=range(len(headings)))
        for first, *others in rows:  # the intervals are in the documentation
            shown.add_row(first.replace(": ", "\n"), *(cell.split(": ")[0] for cell in others))
        console.print(shown)
        console.print()
    console.print(" ".join(_notes(found)), style="dim", markup=False)


def section(found: SelfCheck) -> str:
    """What docs/method.md shows of it."""
    tables = [formatting.markdown_table(headings, rows) for headings, rows in _tables(found)]
    return "\n\n".join([*tables, "\n".join(_notes(found))]) + "\n"


def answer(found: SelfCheck) -> str:
    """How often a verdict was wrong, before all evidence."""
    lines = self_check_pairs.lines(found)
    itself = [line for line in lines if line.found is None and not line.moved]
    moved = [line for line in lines if line.moved]
    others = [line for line in lines if line.found is not None]
    if not lines:
        return ""
    kernels = dict.fromkeys(f"`{line.workload}`" for line in moved if line.wrong.k)
    where = f", all with {' or '.join(kernels)}" if kernels else ""
    return (
        f"A program was called different from itself in {_wrong(itself)} trials. The same code at another address was "
        f"called different in {_wrong(moved)}{where}. A program that does more work was called faster in "
        f"{_wrong(others)}."
    )


def _wrong(lines: Sequence[self_check_pairs.Line]) -> str:
    return f"{sum(line.wrong.k for line in lines)} of {sum(line.wrong.n for line in lines)}"


def write() -> list[Path]:
    """Puts the newest published self-check into docs/method.md; nothing where there is none."""
    published = store.newest_first(store.SELF_CHECK, store.load_self_check)
    if not published:
        return []
    document = ROOT / "docs" / "method.md"
    fill(document, f"{store.SELF_CHECK}-answer", answer(published[0]))
    return [fill(document, store.SELF_CHECK, section(published[0]))]


def _tables(found: SelfCheck) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Pairs, then blocks and the usual way: on the machine as it is, and beside a noisy neighbour."""
    made: list[tuple[tuple[str, ...], list[tuple[str, ...]]]] = []
    if found.trials:
        made.append((_PAIRS, [_of_pairs(line) for line in self_check_pairs.lines(found)]))
    for noisy in sorted({one.noisy for one in found.experiments}):
        where = " (noisy neighbour)" if noisy else ""
        made.append((_BLOCKS, [_of_blocks(line, where) for line in Judged(found, noisy).table]))
    return made


def _of_pairs(line: self_check_pairs.Line) -> tuple[str, ...]:
    identical = line.found is None or line.soon is None
    return (
        line.workload,
        "yes" if line.noisy else "no",
        "moved" if line.moved else "itself" if identical else f"{line.ratio:.4g}x",
        formatting.share(line.wrong),
        "-" if line.found is None else formatting.share(line.found),
        formatting.share(line.same),
        "-" if line.rounds is None else f"{line.rounds:.0f}",
        "-" if line.seconds is None else formatting.seconds(line.seconds),
    )


def _of_blocks(line: Line, where: str) -> tuple[str, ...]:
    return (
        f"{line.design}{where}: {line.test}",
        formatting.share(line.alarms),
        formatting.share(line.found),
        "-" if line.width is None else formatting.percent(line.width),
    )


def _notes(found: SelfCheck) -> list[str]:
    facts = Judged(found).facts
    changed = " with changes" if found.made.changed else ""
    said = ["Intervals are exact, 95 %, in per cent."]
    if found.trials:
        soon = [line for line in self_check_pairs.lines(found) if line.soon and line.ratio > _LARGE]
        least = min((one.soon.k / one.soon.n for one in soon if one.soon), default=None)
        said.append(
            "Pairs: a program against itself, the same code moved to another address, and programs that do less. The "
            f"same code goes on for all rounds, others until they are decided. Each is one of {found.together} "
            "comparisons that hold together. Rounds and time: the median until the verdict."
        )
        if least is not None:
            said.append(
                f"Of the largest difference at least {least:.0%} were found within {self_check_pairs.SOON_S:.0f} s."
            )
        lengths = ", ".join(f"{name} {length:g} ms" for name, length in found.slice_ms.items())
        said.append(f"Slices: {lengths}.")
        for bias in self_check_pairs.biases(found):
            ends = "too few trials" if bias.low is None or bias.high is None else f"{bias.low:.3f}, {bias.high:.3f}"
            said.append(f"In alternating slices {bias.workload} is {bias.ratio:.3f}x [{ends}] as fast as alone.")
    said += [
        f"Blocks: {len(found.experiments)} experiments, each with {facts.pairs} pairs of identical programs.",
        "Width: the median 95 % interval of identical pairs.",
        f"In all {facts.blocks} quiet blocks the speed-up of the shorter program is {formatting.ratio(facts.shorter)}.",
        f"The identical programs furthest apart are {' and '.join(facts.apart_names)}: "
        f"{formatting.ratio(facts.apart)}.",
        f"{formatting.machine_line(found)}; {formatting.compiler_line(found)}.",
        f"Commit {found.made.commit or 'not known'}{changed}, {found.made.date}, seed {found.design.seed}.",
    ]
    return said
