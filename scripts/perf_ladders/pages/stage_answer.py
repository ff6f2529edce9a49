"""What the measurement of one stage ends with: is it faster, why, and what to type next."""

from __future__ import annotations

from perf_ladders.pages import formatting
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Row
from perf_ladders.stats import ALIKE, Comparison
from perf_ladders.tree.catalogue import Stage

_EQUAL = 1.05  # counts and ratios that are closer than this are alike


def sentences(analysis: Analysis, stage: Stage) -> list[str]:
    """Of the highest level of the first compiler."""
    mine = [row for row in analysis.first_rows if row.stage == stage.name]
    if not mine:
        return [f"{stage.name} could not be measured here."]
    row = [one for one in mine if one.compiler == mine[0].compiler][-1]
    base, found = analysis.case.base(stage), row.vs_base
    if base is None:
        return [f"{stage.name} is the reference: there is nothing to compare it with.", _next(analysis, stage)]
    if found is None:
        return [f"{base.name}, on which {stage.name} builds, was not measured.", _next(analysis, stage)]
    why = [_why(analysis, row, found)] if found.verdict not in ("undecided", "same code") else []
    return [_whether(row, found, base.name), *why, _next(analysis, stage)]


def _whether(row: Row, found: Comparison, base: str) -> str:
    words = {
        "faster": f"{row.stage} is faster than {base}",
        "slightly faster": f"{row.stage} is faster than {base}, {formatting.SLIGHTLY}",
        "slower": f"{row.stage} is slower than {base}",
        "slightly slower": f"{row.stage} is slower than {base}, {formatting.SLIGHTLY}",
        "same": f"{row.stage} and {base} do not differ by more than {formatting.per_cent(ALIKE)}",
        "same code": f"{row.stage} and {base} are the same machine code at {row.level}",
        "undecided": f"It is not decided at {row.level} whether {row.stage} is faster than {base}",
    }
    if found.verdict == "same code":
        return f"{words[found.verdict]}."
    measured = f"{formatting.ratio(found)} as fast"
    if found.verdict == "undecided":
        return f"{words[found.verdict]}: {measured}, {found.rounds} rounds."
    sure = f"{found.rounds} rounds, {found.confidence:.1%} sure"
    return f"{words[found.verdict]}: {measured} at {row.level}, {sure}."


def _why(analysis: Analysis, row: Row, found: Comparison) -> str:
    program = analysis.program[row.id]
    if program.threads or program.device:
        return "Why: it works on several cores or on a device, so counts of one core do not explain it."
    mine = [one for one in analysis.first_rows if (one.stage, one.compiler) == (row.stage, row.compiler)]
    counted = next((one for one in reversed(mine) if one.instructions_vs_base and one.vs_base), None)
    if counted is None or counted.vs_base is None or not counted.instructions_vs_base:
        return f"Why is not known: the instructions of both could not be counted. {_units(row)}".strip()
    if _sign(counted.vs_base) != _sign(found):
        return f"Why is not known: instructions were counted up to {counted.level}, where the answer is another."
    fewer, speed = counted.instructions_vs_base, counted.vs_base.ratio
    at = "" if counted is row else f", at {counted.level}, where it is {formatting.times(speed)} as fast"
    now = formatting.number(counted.instructions_byte)
    before = formatting.number((counted.instructions_byte or 0) * fewer)
    if max(fewer, 1 / fewer) < _EQUAL:
        effect = f"it executes about as many instructions ({now} a byte{at})"
    else:
        word, factor = ("fewer", fewer) if fewer > 1 else ("more", 1 / fewer)
        effect = f"it executes {factor:.2f} times {word} instructions ({now} a byte instead of {before}{at})"
    return f"Why: {effect}, {_per_cycle(speed / fewer)}. {_units(row)}".strip()


def _sign(found: Comparison) -> int:
    return int(found.is_faster) - int(found.is_slower)


def _per_cycle(ratio: float) -> str:
    if max(ratio, 1 / ratio) < _EQUAL:
        return "and as many in a cycle as before"
    if ratio > 1:
        return f"and {ratio:.2f} times as many in a cycle, so it waits less"
    return f"and {1 / ratio:.2f} times fewer in a cycle, so it waits more, or each of them takes longer"


def _units(row: Row) -> str:
    if row.peak_share is None:
        return ""
    return f"It reaches {formatting.percent(row.peak_share)} of what the vector units could do at {row.level}."


def _next(analysis: Analysis, stage: Stage) -> str:
    path = analysis.case.main_path
    later = [one for one in path if one.number > stage.number]
    said = f"Next: `make profile {stage.name}` shows where its time goes"
    if later:
        return f"{said}, and `make run-stage {later[0].name}` measures the next step of the main path."
    end = " It is the end of the main path." if stage == path[-1] else ""
    return f"{said}.{end} `make exercise CASE={analysis.case.name}` lets you try your own."
