"""The placeholders of a note's Result, filled from the measurement that is shown. docs/adding-a-case.md lists them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from perf_ladders.errors import UserError
from perf_ladders.model.quotes import DEFAULT_COMPILER
from perf_ladders.pages import formatting
from perf_ladders.results import queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, Row
from perf_ladders.stats import Comparison
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.levels import known_levels
from perf_ladders.tree.paths import shown

NOT_HERE = "not measured here"
_ALIKE = 0.005  # of instructions: what prints as the same number
_RESULT = re.compile(r"^## Result\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_CONDITION_ALONE = re.compile(r"^[ \t]*(\{%[^%]*%\})[ \t]*\n", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}|\{%-?\s*(?:el)?if\b(.*?)-?%\}", re.DOTALL)
_IS: dict[str, Callable[[Comparison], bool]] = {
    "faster": lambda found: found.is_faster,
    "slower": lambda found: found.is_slower,
    "same": lambda found: found.verdict in ("same", "same code"),
    "undecided": lambda found: found.verdict == "undecided",
}
_Functions = dict[str, object]


class _UnknownError(Exception):
    """A name in a placeholder that nothing has; without its full stop."""


# What a wrong placeholder may raise.
_WRONG = (jinja2.TemplateError, _UnknownError, TypeError, ValueError, ArithmeticError)


class _Figures:
    """What the placeholders of a stage may call. Empty: the first workload, the highest level, GCC."""

    def __init__(self, case: Case, stage: Stage, analysis: Analysis | None, workloads: Sequence[str] | None) -> None:
        self._case = case
        self._stage = stage
        self._analysis = analysis
        self._workloads = workloads

    def functions(self) -> _Functions:
        plain = ("ratio", "verdict", "time", "instructions", "cycles", "peak", "where", "measured")
        return {name: getattr(self, name) for name in plain} | {name: partial(self._is, name) for name in _IS}

    def ratio(self, workload: str = "", level: str = "", compiler: str = "", base: str = "") -> str:
        found = self._compared(workload, level, compiler, base)
        return f"{formatting.ratio(found[1])}{_place(found[0], level, compiler)}" if found else NOT_HERE

    def verdict(self, workload: str = "", level: str = "", compiler: str = "", base: str = "") -> str:
        found = self._compared(workload, level, compiler, base)
        return (
            f"{formatting.verdict(found[1]).removeprefix('~ ')}{_place(found[0], level, compiler)}"
            if found
            else NOT_HERE
        )

    def measured(self, workload: str = "", level: str = "", compiler: str = "", base: str = "") -> bool:
        return self._compared(workload, level, compiler, base) is not None

    def where(self, verdict: str) -> str:
        """The levels and compilers with this verdict on the first workload."""
        _expect("verdict", verdict, _IS)
        found = self._comparisons("", "")
        chosen = [ladder for ladder, comparison in found if _IS[verdict](comparison)]
        if not chosen:
            return "no level" if found else "no level that was measured here"
        if len(chosen) == len(found):
            compilers = dict.fromkeys(formatting.compiler(compiler) for _, compiler in chosen)
            return f"every level with {formatting.listed(compilers)}"
        levels: dict[str, list[str]] = {}
        for level, compiler in chosen:
            levels.setdefault(formatting.compiler(compiler), []).append(level)
        return ", and ".join(f"{formatting.listed(those)} with {compiler}" for compiler, those in levels.items())

    def time(self, workload: str = "", level: str = "", compiler: str = "") -> str:
        row = self._row(self._stage.name, workload, level, compiler)
        return f"{formatting.time(row.median_ns)}{_place(row.ladder, level, compiler)}" if row else NOT_HERE

    def cycles(self, level: str = "", compiler: str = "") -> str:
        row = self._row(self._stage.name, "", level, compiler)
        if row is None or row.cycles_byte is None:
            return f"a number of cycles that was {NOT_HERE}"
        return f"{formatting.number(row.cycles_byte)} cycles a byte{_place(row.ladder, level, compiler)}"

    def peak(self, level: str = "", compiler: str = "") -> str:
        row = self._row(self._stage.name, "", level, compiler)
        if row is None or row.peak_share is None:
            return f"a share of the peak that was {NOT_HERE}"
        return f"{formatting.percent(row.peak_share)} of the peak{_place(row.ladder, level, compiler)}"

    def instructions(self, level: str = "", compiler: str = "", base: str = "") -> str:
        """On the first workload, which is the one that is counted."""
        other = self._base(base)
        for row in self._rows(self._stage.name, "", level, compiler):
            before = next(iter(self._rows(other, "", row.level, compiler)), None)
            if row.instructions_byte and before and before.instructions_byte:
                fewer, name = before.instructions_byte / row.instructions_byte, self._called(other)
                place = _place(row.ladder, level, compiler)
                if abs(fewer - 1) < _ALIKE:
                    return f"as many instructions as {name}{place}"
                times, word = (fewer, "fewer") if fewer > 1 else (1 / fewer, "more")
                return f"{formatting.times(times)} {word} instructions than {name}{place}"
        return "a number of instructions that was not counted here"

    def _is(self, verdict: str, workload: str = "", level: str = "", compiler: str = "", base: str = "") -> bool:
        found = self._compared(workload, level, compiler, base)
        return found is not None and _IS[verdict](found[1])

    def _compared(self, workload: str, level: str, compiler: str, base: str) -> tuple[Ladder, Comparison] | None:
        """Of this stage over its base, or another."""
        _expect_ladder(level, compiler)
        found = self._comparisons(workload, base)
        wanted = compiler or DEFAULT_COMPILER
        return next((one for one in reversed(found) if one[0] == (level or one[0][0], wanted)), None)

    def _comparisons(self, workload: str, base: str) -> list[tuple[Ladder, Comparison]]:
        other = self._base(base)
        self._expect_workload(workload)
        if self._analysis is None:
            return []
        every = ((one, self._analysis.compared(other, self._stage.name, one, workload)) for one in self._ladders())
        return [(ladder, comparison) for ladder, comparison in every if comparison]

    def _row(self, name: str, workload: str, level: str, compiler: str) -> Row | None:
        return next(self._rows(name, workload, level, compiler), None)

    def _rows(self, name: str, workload: str, level: str, compiler: str) -> Iterator[Row]:
        """Those of the highest level first."""
        _expect_ladder(level, compiler)
        self._expect_workload(workload)
        if self._analysis is None:
            return
        every = self._analysis.rows_on(workload or self._analysis.first)
        rows = [row for row in every if (row.stage, row.compiler) == (name, compiler or DEFAULT_COMPILER)]
        for ladder in reversed(self._ladders()):
            yield from (row for row in rows if row.ladder == ladder and level in ("", row.level))

    def _ladders(self) -> list[Ladder]:
        return list(self._analysis.ladders) if self._analysis else []

    def _base(self, slug: str) -> str:
        """A stage by its slug, a library by its name."""
        if slug == "":
            base = self._case.base(self._stage)
            if base is None:
                raise _UnknownError("the reference has no base")
            return base.name
        if slug == self._stage.slug:
            raise _UnknownError(f"'{slug}' is this stage itself: name another base")
        stages = {stage.slug: stage.name for stage in self._case.stages}
        libraries = [path.parent.name for path in self._case.directory.glob("peers/*/stage.cpp")]
        _expect("stage or library", slug, [*stages, *libraries])
        return stages.get(slug, f"{self._case.name}-{slug}")

    def _called(self, name: str) -> str:
        word = queries.peer_name(self._analysis, name) if self._analysis else name
        return f"stage {word}" if word.isdigit() else word

    def _expect_workload(self, name: str) -> None:
        """A measurement may be older than a workload: then there is nothing of it, and no error."""
        _expect("workload", name, ["", *(self._workloads if self._workloads is not None else [name])])


def filled(stage: Stage, case: Case, analysis: Analysis | None) -> str:
    """The notes of a stage, as they are read; without a measurement they say that there is none."""
    return _filled(stage, _Figures(case, stage, analysis, None).functions())


def check(stage: Stage, case: Case, workloads: Sequence[str] | None = None) -> None:
    """Raises where a placeholder is wrong, whatever is measured; workloads are judged if they are given."""
    functions = _Figures(case, stage, None, workloads).functions()
    for found in _RESULT.finditer(stage.notes.text):
        _find_wrong(found[0], stage, functions)
    _filled(stage, functions)


def _filled(stage: Stage, functions: _Functions) -> str:
    def fill(found: re.Match[str]) -> str:
        try:
            return _render(_CONDITION_ALONE.sub(r"\1", found[0]), functions)
        except _WRONG as error:
            _find_wrong(found[0], stage, functions)
            reason = str(error).split(". ")[0].rstrip(".")
            raise UserError(f"{_path(stage)}: the conditions under Result are wrong: {reason}.") from None

    return _RESULT.sub(fill, stage.notes.text)


def _find_wrong(text: str, stage: Stage, functions: _Functions) -> None:
    """Raises at the first placeholder that is wrong by itself."""
    for found in _PLACEHOLDER.finditer(text):
        try:
            _render(f"{{{{ {found[1] or found[2]} }}}}", functions)
        except _WRONG as error:
            reason = str(error).replace("_Figures.", "").rstrip(".")
            there = f"; there are {', '.join(functions)}" if isinstance(error, jinja2.UndefinedError) else ""
            raise UserError(f"{_path(stage)}: the placeholder {found[0]} is wrong: {reason}{there}.") from None


def _render(text: str, functions: _Functions) -> str:
    return _environment().from_string(text).render(functions)


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    return ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # what it makes is Markdown, which pages escape
        keep_trailing_newline=True,
    )


def _path(stage: Stage) -> str:
    return shown(stage.directory / "notes.md")


def _expect(kind: str, name: str, known: Iterable[str]) -> None:
    if name not in (names := list(known)):
        raise _UnknownError(f"there is no {kind} '{name}'; there are: {', '.join(filter(None, names))}")


def _expect_ladder(level: str, compiler: str) -> None:
    _expect("level", level, ["", *known_levels()])
    _expect("compiler", compiler, ["", *formatting.COMPILERS])


def _place(ladder: Ladder, level: str, compiler: str) -> str:
    """Where it was measured, unless the note names that itself."""
    if level:
        return ""
    return f" at {ladder[0]}" if compiler else f" at {ladder[0]} with {formatting.compiler(ladder[1])}"
