"""Waits for the learner's file to be saved, judges it, and shows one screen of 80 columns and 24 lines.

It looks at the file's text twice a second: no service of the system is needed, so it works in WSL and containers, too.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from math import log
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from perf_ladders import attempt, exercise, machine, terminal, wording
from perf_ladders.attempt import Attempt, Field, Outdated, Saved, Say, Unbuilt
from perf_ladders.catalogue import ROOT, Case, Program, Stage, read_build, shown
from perf_ladders.complaint import Complaint
from perf_ladders.evidence.collect import Evidence
from perf_ladders.exercise import Exercise, State, read_hints
from perf_ladders.stats import Comparison

_LOOK_S = 0.5
_MOST_LINES = 12  # of what a compiler or a check says
_LINKER_SAYS = ("undefined reference to", "collect2: error", "linker command failed")
_LABEL, _BAR = 15, 12  # columns
_WAITS = "Another measurement is running on this machine: waiting for its end."


@dataclass
class Watch:
    """What is known from one save to the next."""

    exercise: Exercise
    blocks: int
    console: Console
    once: bool = False  # the file is judged as it is; else each time that it is saved
    cpu: int = field(default_factory=machine.cpu_to_pin)
    head: str | None = None  # of the file, as CMake has read it
    lanes: int | None = None
    evidence: Evidence = field(default_factory=dict)  # of the stages beside the learner's
    place: Field | None = None

    @property
    def level(self) -> str:
        level: str = self.exercise.state["level"]
        return level

    @property
    def text(self) -> str | None:
        """Of the file as it is now."""
        source = self.exercise.source
        return source.read_text("utf-8", errors="replace") if source.is_file() else None

    @property
    def unchanged(self) -> bool:
        """Since the rung began: that passes nowhere, not even where the answer gains nothing."""
        return self.text == self.exercise.start_of_rung()

    @property
    def task(self) -> tuple[Stage, str, str]:
        """What is asked for, and how it is built."""
        return self.exercise.rung, self.level, self.exercise.state["preset"]

    def reread(self) -> None:
        """`make hint` and `make next` write the scoreboard in another terminal meanwhile."""
        before = self.task
        self.exercise = exercise.current(self.exercise.board.path.parent, may_lack_file=True)
        if self.task != before:
            self.head = self.place = self.lanes = None
            self.evidence = {}

    def passes(self, found: Attempt) -> bool:
        return found.passes(self.exercise.base.name, self.exercise.rung.name) and not self.unchanged

    def look(self) -> Attempt:
        """Judges the file as it is now; progress goes to the console. Saved, if it is another one meanwhile."""
        judged = self.text
        with self.console.status("Building") as status:
            try:
                self._build()
            except Unbuilt as complaint:
                return Attempt(uncompiled=str(complaint))
            place = self.place
            assert place
            self.evidence.pop(place.mine.id, None)  # it is of an older text

            def say(what: str) -> None:
                status.update(what)
                if what.startswith("Measuring"):
                    status.stop()  # there is a bar for that

            def outdated() -> bool:
                return self.text != judged

            wait = self._waiting(say, outdated)
            found = attempt.judge(place, self.blocks, self.lanes, self.cpu, self.console, say, outdated, wait)
        self.reread()
        if self.place is place and self.text == judged and self.passes(found):  # else it is judged anew
            self.exercise.pass_rung(self._passed(place, found))
        return found

    def profile(self, found: Attempt) -> None:
        """Of the learner's program, and, the first time, of the two stages beside it."""
        if not found.blocks or self.place is None:
            return
        place = self.place
        beside = {program.id: program for program in (place.base, place.answer)}
        new = [program for name, program in beside.items() if name not in self.evidence]
        self.evidence |= attempt.evidence(place, [place.mine, *new], found.blocks, self.cpu, self.console)

    def _waiting(self, say: Say, outdated: Outdated) -> Callable[[], None]:
        """For what else is measured: told once where no line can be changed."""
        told = self.console.is_terminal

        def wait() -> None:
            nonlocal told
            say(_WAITS)
            if not told:
                self.console.print(_WAITS)
            told = True
            if outdated():
                raise Saved
            time.sleep(_LOOK_S)

        return wait

    def _build(self) -> None:
        case, preset = self.exercise.case, self.exercise.state["preset"]
        head = _head(self.exercise.source)
        mine = f"{case.name}-mine"
        if head != self.head:
            attempt.configure(preset)
            self.head = head
        attempt.build(preset, [f"{mine}.{self.level}"], case)
        if self.place is None:
            rung, base = self.exercise.rung, self.exercise.base
            workload = read_hints(rung).workload
            self.place = attempt.field_of(case, rung, base, preset, self.level, mine, workload)
            self.lanes = attempt.lanes_of(case, self.place.build, self.level, self.cpu)

    def _passed(self, place: Field, found: Attempt) -> dict[str, Any]:
        compiler = place.build.compiler
        roles = {"reference": place.reference.name, "base": place.base.name, "answer": place.answer.name}
        return {
            "machine": machine.describe(),
            "compiler": f"{compiler['name']} {compiler['version']} {compiler['flags']}",
            "level": self.level,
            "workload": place.workload,
            "blocks": len(found.blocks),
            **found.figures(roles),
            "remark": found.remark,
        }


def levels_of(case: Case, preset: str) -> list[str]:
    """Those at which the case runs here, the highest first."""
    if not (ROOT / "build" / preset / "programs.json").is_file():
        attempt.configure(preset)
    found = read_build(preset)
    attempt.build(preset, [f"machine.{level}" for level in found.machine])
    built = [program.level for program in found.programs if program.name == f"{case.name}-00"]
    return [level for level in attempt.levels_here(found) if level in built]


def choose_level(climbed: Exercise) -> None:
    """The highest that runs here, unless the learner has said which."""
    here = levels_of(climbed.case, climbed.state["preset"])
    wanted = climbed.state["level"]
    if wanted and wanted not in here:
        raise Complaint(f"{climbed.case.name} does not run at {wanted} here; it runs at {', '.join(here)}.")
    climbed.state["level"] = wanted or here[0]
    climbed.board.write()


def next_rung(climbed: Exercise) -> tuple[Stage | None, list[str]]:
    """The next that this machine can run, and why those before it are passed over."""
    passed_over: list[str] = []
    for stage in climbed.rungs:
        if stage.number <= climbed.rung.number:
            continue
        base = climbed.case.base(stage)
        assert base
        state, name = climbed.state, f"{climbed.case.name}-00"
        try:
            attempt.field_of(climbed.case, stage, base, state["preset"], state["level"], name, None)
        except Unbuilt:
            raise
        except Complaint as complaint:
            passed_over.append(f"{stage.name} is passed over. {complaint}")
            continue
        return stage, passed_over
    return None, passed_over


def run(watch: Watch) -> Attempt:
    """What was found; not `once`, it goes on until it is stopped."""
    seen: tuple[Any, str | None] | None = None
    found: Attempt | None = None
    record: State = {}
    while True:
        watch.reread()
        now = watch.task, watch.text
        if now != seen:
            try:
                seen, found = now, _judged(watch)
            except Saved:
                seen = found = None
                continue
            if watch.once and found:
                return found
            record = watch.exercise.record
        elif found and record != watch.exercise.record and watch.console.is_terminal:
            record = watch.exercise.record  # a hint was taken in another terminal
            show(watch, found)
        else:
            time.sleep(_LOOK_S)


def _judged(watch: Watch) -> Attempt | None:
    """And shown; None if that cannot be done."""
    if watch.console.is_terminal:
        watch.console.clear()
    watch.console.print(_heading(watch))
    try:
        if watch.text is None:
            raise exercise.lost(watch.exercise)
        found = watch.look()
        show(watch, found)
        if found.blocks and watch.place:
            watch.profile(found)
            show(watch, found)
    except Complaint as complaint:
        if watch.once:
            raise
        again = "" if watch.text is None else " Save the file to try again."
        watch.console.print(f"{complaint}{again}", style="bold red", markup=False)
        return None
    return found


def show(watch: Watch, found: Attempt) -> None:
    if watch.console.is_terminal:
        watch.console.clear()
        watch.console.print(screen(watch, found))
    elif not found.blocks or watch.place is None or watch.place.mine.id in watch.evidence:
        watch.console.print(screen(watch, found))  # where nothing can be cleared, it is shown once


def screen(watch: Watch, found: Attempt) -> Group:
    parts: list[RenderableType] = [_heading(watch), Rule(style="dim")]
    parts += _judgement(watch, found)
    if found.against and watch.place:
        parts += [_table(watch.place, found), *_ways(watch, watch.place, found), *_profile(watch, found)]
    parts += [Rule(style="dim"), *_next(watch, found)]
    return Group(*parts)


def _heading(watch: Watch) -> Text:
    climbed = watch.exercise
    rungs = climbed.rungs
    place = [stage.number for stage in rungs].index(climbed.rung.number) + 1
    passed = sum(1 for record in climbed.state["rungs"].values() if record["passed"])
    left = f"{climbed.case.title}, rung {climbed.rung.number} ({place} of {len(rungs)}), {watch.level}"
    right = f"{passed} passed   {datetime.now():%H:%M:%S}"
    return Text.assemble((left, "bold"), " " * max(1, 80 - len(left) - len(right)), (right, "dim"))


def _judgement(watch: Watch, found: Attempt) -> list[RenderableType]:
    if found.uncompiled:
        unlinked = any(said in found.uncompiled for said in _LINKER_SAYS)
        what = f"DOES NOT {'LINK: a library needs a line `// links: ...` below the first' if unlinked else 'COMPILE'}"
        return [Text(what, "bold red"), *_quoted(found.uncompiled.splitlines())]
    if found.wrong:
        return [Text("WRONG", "bold red"), *_quoted(found.wrong), _whole_story(watch)]
    if found.unfair:
        return [Text("NOT COUNTED: its answers are right, but", "bold yellow"), *_quoted(found.unfair)]
    calls = f"calls not compared: {found.uncompared}" if found.uncompared else "and every call does its work"
    right = Text(f"CORRECT: every check passed, {calls}", "bold green", overflow="ellipsis", no_wrap=True)
    if found.untold:
        return [right, Text(f"CANNOT TELL how fast: {found.untold}", "bold yellow")]
    return [right]


def _quoted(lines: list[str]) -> list[RenderableType]:
    folded = [part for line in lines for part in _folded(line)]
    return [Text(f"  {line}") for line in folded[:_MOST_LINES] + ["..."] * (len(folded) > _MOST_LINES)]


def _folded(line: str) -> list[str]:
    return textwrap.wrap(line, 78, subsequent_indent="    ", break_on_hyphens=False) or [""]


def _whole_story(watch: Watch) -> RenderableType:
    path = shown(watch.place.mine.path) if watch.place else ""
    return Text(f"  The whole story: {path} check", "dim", overflow="ellipsis", no_wrap=True)


def _table(place: Field, found: Attempt) -> Table:
    """Times, and mine over each of the others."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="underline")
    for heading, justify in (("", "left"), ("a call", "right"), ("yours is", "left"), ("verdict", "left")):
        table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    table.add_row("yours", wording.time(found.times[place.mine_name]), "", "")
    roles = {
        place.reference.name: "the reference",
        place.best.name: "the best stage here",
        place.base.name: "where this rung began",
        place.answer.name: "the answer",
    }
    for name in sorted(roles):
        mine = found.against[name]
        style = terminal.STYLES[mine.verdict]
        label = f"{name}, {roles[name]}"
        verdict = Text(wording.verdict(_fields(mine)), style)
        table.add_row(label, wording.time(found.times[name]), Text(wording.ratio(_fields(mine))), verdict)
    return table


def _fields(comparison: Comparison) -> dict[str, Any]:
    return dict(vars(comparison))


def _ways(watch: Watch, place: Field, found: Attempt) -> list[RenderableType]:
    """How far to the answer, and to the best."""
    best = _way("to the best", _of_best(place, found), place.reference, place.best, found)
    return [*_to_answer(watch, place, found), *([] if found.noisy else [best])]


def _to_answer(watch: Watch, place: Field, found: Attempt) -> list[RenderableType]:
    """And what passing takes."""
    share = found.share_of_way(place.base.name)
    label = f"to {place.answer.name}"
    if share is not None:
        word = "passed:" if watch.passes(found) else "passed when"
        wanted = f"{word} the whole interval is over {attempt.ENOUGH:.0%} of the way"
        return [_way(label, share, place.base, place.answer, found), _told("", wanted, "dim")]
    gain = "the answer gains nothing here" if found.gains_nothing else "these blocks cannot tell what the answer gains"
    if found.untold:
        return [_told(label, gain, "yellow")]
    return [_told(label, gain, "blue"), _told("", "be right and not shown to be slower", "blue")]


def _told(label: str, what: str, style: str) -> Text:
    return Text(f"{label:<{_LABEL}} {what}", style)


def _of_best(place: Field, found: Attempt) -> float:
    """By logarithms, from the reference."""
    best = found.times[place.reference.name] / found.times[place.best.name]
    mine = found.times[place.reference.name] / found.times[place.mine_name]
    return log(mine) / log(best) if best > 1 else 1.0


def _way(label: str, share: float, start: Program, end: Program, found: Attempt) -> RenderableType:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=_LABEL)
    grid.add_column(width=_BAR)
    grid.add_column(width=5, justify="right")
    grid.add_column(no_wrap=True)
    forward = max(0.0, share)
    slower = found.against[start.name].verdict == "slower"
    about = f"of the way: slower than {start.name}" if slower else f"of the way from {start.name} to {end.name}"
    bar = ProgressBar(total=1, completed=min(1, forward), width=_BAR)
    grid.add_row(label, bar, f"{forward:.0%}", Text(about, "dim"))
    return grid


def _profile(watch: Watch, found: Attempt) -> list[RenderableType]:
    place = watch.place
    assert place
    mine = watch.evidence.get(place.mine.id)
    if mine is None:
        return [Text("profile         being taken ...", "dim")]
    lines: list[str] = []
    counts = {
        p.name: watch.evidence.get(p.id, {}).get("instructions", {}) for p in (place.mine, place.base, place.answer)
    }
    if "per_byte" in counts[place.mine.name]:
        said = [
            f"{counts[name]['per_byte']:.1f} {label}" for name, label in _labels(place) if "per_byte" in counts[name]
        ]
        lines.append(f"instructions a byte: {', '.join(said)}")
        hottest = next(iter(counts[place.mine.name]["lines"]), None)
        if hottest:
            file = Path(hottest["file"]).name
            lines.append(f"{hottest['share']:.0%} of them in {file}:{hottest['line']}  {hottest['text']}")
    else:
        lines.append(f"instructions n/a ({counts[place.mine.name].get('missing', 'not counted')})")
    bound = mine["bound"]
    if "missing" not in bound and bound["cycles_byte"] is not None:
        limit = "waiting" if bound["cycles"] > 1.15 * bound["resource_cycles"] else "busy units"
        lines.append(
            f"llvm-mca: {wording.number(bound['cycles_byte'])} cycles a byte in the hot loop, bound by {limit}"
        )
    if isinstance(mine["remarks"], list):
        lines.append(f"compiler: {_of_vectors(mine['remarks'])}")
    return [
        Text(f"{'profile' if place == 0 else '':<15} {line}", overflow="ellipsis", no_wrap=True)
        for place, line in enumerate(lines)
    ]


def _of_vectors(remarks: list[dict[str, Any]]) -> str:
    """What it made vectors of, and only if that is nothing, the first of its reasons."""
    made = [one for one in remarks if "vectorized" in one["text"] and "not vectorized" not in one["text"]]
    for one in made or remarks:
        return f"{'' if made else 'no vectors; '}line {one['line']}: {one['text']}"
    return "says nothing about vectorising"


def _labels(place: Field) -> list[tuple[str, str]]:
    return [(place.mine.name, "yours"), (place.base.name, "before"), (place.answer.name, "the answer")]


def _next(watch: Watch, found: Attempt) -> list[Text]:
    record = watch.exercise.record
    hints = f"make hint ({record['hints']} of 3 seen)"
    file = shown(watch.exercise.source)
    if found.remark:
        file = f"{found.remark} Show it to somebody."
    way = Text(f"{hints}   make reveal   make reset", "dim")
    if watch.exercise.finished:
        way = Text.assemble(_state_of_rung(watch, found), "make next goes on; make reveal shows the answer")
    elif found.against and watch.unchanged:
        way = Text("The file is as the rung began: change it.   " + hints, "dim")
    again = "make watch looks again" if watch.once else "save it to look again, Ctrl-C ends"
    return [way, Text(f"{file}: {again}", "dim", overflow="ellipsis", no_wrap=True)]


def _state_of_rung(watch: Watch, found: Attempt) -> tuple[str, str]:
    if watch.passes(found):
        return "PASSED ", "bold green"
    when = watch.exercise.passed_at
    return (f"PASSED BEFORE, {when}: ", "green") if when else ("REVEALED ", "bold yellow")


def _head(source: Path) -> str:
    """The comment that opens the file, but for its first line: what the build reads."""
    lines = source.read_text("utf-8", errors="replace").splitlines()[1:]
    end = next((place for place, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return "\n".join(lines[:end])
