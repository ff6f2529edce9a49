"""Is the exercise fair? For each rung what it begins with must compile, be right and not be fast enough, and the
repository's answer must pass. It measures, so it is no test.
"""

from __future__ import annotations

from rich.console import Console

from perf_ladders import attempt, machine, watch, wording
from perf_ladders.attempt import Attempt, Unbuilt
from perf_ladders.catalogue import OWN_STAGES, Case, Stage
from perf_ladders.complaint import Complaint
from perf_ladders.exercise import read_hints


def run(case: Case, preset: str, level: str | None, blocks: int, out: Console, console: Console) -> list[str]:
    """A line for each rung, and the sentences on those that are not as they should be."""
    level = level or watch.levels_of(case, preset)[0]
    out.print(f"{case.title} at {level}, {blocks} blocks for each program", style="bold")
    wrong = []
    for stage in case.stages:
        if "00" < stage.number < OWN_STAGES:
            said, fair = _rung(case, stage, preset, level, blocks, console)
            out.print(f"{stage.name:<12} {said}", markup=False)
            wrong += [] if fair else [f"{stage.name}: {said}"]
    return wrong


def _rung(case: Case, stage: Stage, preset: str, level: str, blocks: int, console: Console) -> tuple[str, bool]:
    base = case.base(stage)
    assert base
    try:
        start, answer = (
            _judged(case, stage, base, preset, level, mine.name, blocks, console) for mine in (base, stage)
        )
    except Unbuilt:
        raise
    except Complaint as complaint:
        if complaint.code != 77:
            raise
        return f"passed over: {complaint}", True
    for what, found in (("what it begins with", start), ("the answer", answer)):
        if found.wrong or found.unfair:
            return f"{what} is not accepted: {(found.wrong or found.unfair)[0]}", False
    gain = wording.ratio(vars(answer.against[base.name]))
    if start.untold or answer.untold:
        return f"cannot tell: {start.untold or answer.untold}", False
    if answer.asks_no_gain:
        what = "nothing to gain here" if answer.gains_nothing else "no gain to be seen here"
        return f"{what} ({gain}): asks for right and not shown to be slower", answer.passes(base.name, stage.name)
    if start.passes(base.name, stage.name):
        return "what it begins with passes already", False
    if not answer.passes(base.name, stage.name):
        return f"the answer does not pass: {gain}", False
    return f"fair: the answer is {gain} of where it begins", True


def _judged(
    case: Case, stage: Stage, base: Stage, preset: str, level: str, mine: str, blocks: int, console: Console
) -> Attempt:
    place = attempt.field_of(case, stage, base, preset, level, mine, read_hints(stage).workload)
    cpu = machine.cpu_to_pin()
    return attempt.judge(place, blocks, None, cpu, console, lambda what: None)
