"""Waits for the learner's file to be saved, judges it, and shows what became of it.

It looks at the file's text and time twice a second: no service of the system is needed, so it works in WSL and
containers, too.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.machine import topology
from perf_ladders.machine.alone import WAITS
from perf_ladders.model.evidence import Evidence
from perf_ladders.tree.catalogue import Stage
from perf_ladders.workshop import building, cheating, exercise, failures, judge, passing, screen
from perf_ladders.workshop.building import Field, Unbuilt
from perf_ladders.workshop.exercise import Exercise
from perf_ladders.workshop.failures import Outdated, Saved
from perf_ladders.workshop.judge import Attempt, Say

_LOOK_S = 0.5


@dataclass
class Watch:
    """What is known from one save to the next."""

    exercise: Exercise
    rounds: int
    console: Console
    looked: bool = False  # somebody has looked at what is faster than it should be
    once: bool = False  # the file is judged as it is; else each time that it is saved
    cpu: int = field(default_factory=topology.cpu_to_pin)
    head: str | None = None  # of the file, as CMake has read it
    lanes: int | None = None
    evidence: dict[str, Evidence] = field(default_factory=dict)  # of the stages beside the learner's
    place: Field | None = None

    @property
    def text(self) -> str | None:
        """Of the file as it is now."""
        return self.exercise.text

    @property
    def saved_ns(self) -> int:
        """When. Saving the same text asks for another measurement of it."""
        with contextlib.suppress(FileNotFoundError):
            return self.exercise.source.stat().st_mtime_ns
        return 0

    @property
    def unchanged(self) -> bool:
        """Since the step began: that passes nowhere, not even where the answer gains nothing."""
        return cheating.same_code(self.text or "", self.exercise.start_of_step())

    @property
    def task(self) -> tuple[Stage, str, str]:
        """What is asked for, and how it is built."""
        return self.exercise.step, self.exercise.level, self.exercise.state.preset

    def view(self, found: Attempt) -> screen.View:
        passes, unchanged = self.passes(found), self.unchanged
        return screen.View(self.exercise, found, self.place, self.evidence, passes, unchanged, self.once)

    def reread(self) -> None:
        """`make hint` and `make next` write the scoreboard in another terminal meanwhile."""
        before = self.task
        self.exercise = exercise.current(self.exercise.board.path.parent, may_lack_file=True)
        if self.task != before:
            self.head = self.place = self.lanes = None
            self.evidence = {}

    def passes(self, found: Attempt) -> bool:
        return (found.passes or (self.looked and found.is_fast_enough)) and not self.unchanged

    def look(self) -> Attempt:
        """Judges the file as it is now; progress goes to the console. Saved, if it is another one meanwhile."""
        judged = self.text
        if judged is None:
            raise exercise.lost(self.exercise)
        with self.console.status("Building") as status:
            try:
                self._build(_head(judged))
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
            found = judge.judge(place, self.rounds, self.lanes, self.cpu, self.console, say, outdated, wait)
        passed = passing.passed(place, found, judged)  # which takes a moment: the scoreboard is read after it
        self.reread()
        current = self.place is place and self.text == judged  # else it is judged again
        if current and self.passes(found):
            self.exercise.pass_step(passed)
        return found

    def profile(self, found: Attempt) -> None:
        """Of the learner's program, and, the first time, of the two stages beside it."""
        if not found.rounds or self.place is None:
            return
        place = self.place
        beside = {program.id: program for program in (place.base, place.answer)}
        new = [program for name, program in beside.items() if name not in self.evidence]
        self.evidence |= judge.evidence(place, [place.mine, *new], found, self.cpu, self.console)

    def _waiting(self, say: Say, outdated: Outdated) -> Callable[[], None]:
        """For what else is measured: told once where no line can be changed."""
        told = self.console.is_terminal

        def wait() -> None:
            nonlocal told
            say(WAITS)
            if not told:
                self.console.print(WAITS)
            told = True
            if outdated():
                raise Saved
            time.sleep(_LOOK_S)

        return wait

    def _build(self, head: str) -> None:
        case, preset, level = self.exercise.case, self.exercise.state.preset, self.exercise.level
        mine = f"{case.name}-mine"
        if head != self.head:
            building.configure(preset)
            building.expect_planned(preset, mine, level)
            self.head, self.place = head, None  # it says whether there are threads, and what is linked
        building.build(preset, [f"{mine}.{level}"], case)
        if self.place is None:
            self.place = building.field_of(case, self.exercise.step, preset, level, mine)
            self.lanes = failures.lanes_of(case, self.place.build, level, self.cpu)


def next_step(climbed: Exercise) -> tuple[Stage | None, list[str]]:
    """The next that this machine can run, and why those before it are passed over."""
    passed_over: list[str] = []
    for stage in climbed.steps:
        if stage.number <= climbed.step.number:
            continue
        try:
            building.field_of(climbed.case, stage, climbed.state.preset, climbed.level, f"{climbed.case.name}-00")
            return stage, passed_over
        except UserError as complaint:
            if complaint.code != 77:
                raise
            passed_over.append(f"{stage.name} is passed over. {complaint}")
    return None, passed_over


def run(watch: Watch) -> Attempt:
    """What was found; not `once`, it goes on until it is stopped."""
    seen: tuple[object, ...] | None = None
    found: Attempt | None = None
    record = watch.exercise.record
    while True:
        watch.reread()
        now = watch.task, watch.text, watch.saved_ns
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
    watch.console.print(screen.heading(watch.exercise), *screen.task(watch.exercise), sep="\n")
    try:
        found = watch.look()
        show(watch, found)
        if found.rounds and watch.place:
            watch.profile(found)
            show(watch, found)
    except UserError as complaint:
        if watch.once:
            raise
        again = "" if watch.text is None else " Save the file to try again."
        watch.console.print(f"{complaint}{again}", style="bold red", markup=False)
        return None
    return found


def show(watch: Watch, found: Attempt) -> None:
    """Where nothing can be cleared, once: when the profile is there."""
    if watch.console.is_terminal:
        watch.console.clear()
    elif found.rounds and watch.place and watch.place.mine.id not in watch.evidence:
        return
    watch.console.print(screen.screen(watch.view(found)))


def _head(text: str) -> str:
    """The comment that opens it, but for its first line: what the build reads."""
    lines = text.splitlines()[1:]
    end = next((place for place, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return "\n".join(lines[:end])
