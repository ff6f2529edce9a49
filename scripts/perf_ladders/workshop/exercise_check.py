"""Is the exercise fair? For each step what it begins with must compile, be right and not be fast enough, and the
repository's answer must pass. It measures, so it is no test.
"""

from __future__ import annotations

from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.machine import topology
from perf_ladders.pages import formatting
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.workshop import building, judge
from perf_ladders.workshop.exercise import to_climb
from perf_ladders.workshop.judge import Attempt


def run(case: Case, preset: str, level: str | None, rounds: int, out: Console, console: Console) -> list[str]:
    """A line for each step, and the sentences on those that are not as they should be."""
    steps = to_climb(case)
    if not steps:
        out.print(f"{case.title} is passed over: its stages have no hints", markup=False)
        return []
    level = building.level_of(case, preset, level)
    out.print(f"{case.title} at {level}, {rounds} rounds at most", style="bold")
    wrong = []
    for stage in steps:
        said, fair = _step(case, stage, preset, level, rounds, console)
        out.print(f"{stage.name:<12} {said}", markup=False)
        wrong += [] if fair else [f"{stage.name}: {said}"]
    return wrong


def _step(case: Case, stage: Stage, preset: str, level: str, rounds: int, console: Console) -> tuple[str, bool]:
    base = case.base(stage)
    assert base

    def judged(mine: Stage) -> Attempt:
        place = building.field_of(case, stage, preset, level, mine.name)
        cpu = topology.cpu_to_pin()
        return judge.judge(place, rounds, None, cpu, console, lambda what: None, always_timed=True)

    try:
        start, answer = judged(base), judged(stage)
    except UserError as complaint:
        if complaint.code != 77:
            raise
        return f"passed over: {complaint}", True
    for what, found in (("what it begins with", start), ("the answer", answer)):
        if found.wrong or found.unfair:
            return f"{what} is not accepted: {(found.wrong or found.unfair)[0]}", False
    gain = formatting.ratio(answer.against[base.name])
    if start.untold or answer.untold:
        return f"cannot tell: {start.untold or answer.untold}", False
    if answer.main.asks_no_gain:
        what = "nothing to gain here" if answer.main.gains_nothing else "no gain to be seen here"
        return f"{what} ({gain}): asks for right and not shown to be slower", answer.passes
    if start.passes:
        return "what it begins with passes already", False
    if not answer.passes:
        return f"the answer does not pass: {gain}", False
    return f"fair: the answer is {gain} of where it begins", True
