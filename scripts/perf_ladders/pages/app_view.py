"""What is shown of a case's own programs: where their time goes, and what of the kernel's gain arrives in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from perf_ladders.model.apps import App, AppProfile, Profile
from perf_ladders.pages import formatting
from perf_ladders.results import apps, queries, waits
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.apps import AppRow, command_of
from perf_ladders.results.rows import Ladder, OfLadder, Row


@dataclass(frozen=True)
class Cell:
    """`text` is shown of the reference, which is compared with nothing."""

    row: Row | AppRow
    text: str


@dataclass(frozen=True)
class Column:
    kind: Literal["kernel", "workload", "program"]
    title: str
    cells: dict[str, Cell]  # by program


@dataclass(frozen=True)
class GainLine:
    stage: str
    kind: str
    title: str
    is_reference: bool
    cells: list[Cell | None]

    @property
    def alone(self) -> bool:
        """Whether it was measured where the reference was not."""
        return not self.is_reference and any(cell and not cell.row.vs_reference for cell in self.cells)


@dataclass(frozen=True)
class Gains(OfLadder):
    columns: list[Column]
    lines: list[GainLine]


@dataclass(frozen=True)
class Function:
    """By instructions and by samples, side by side."""

    name: str
    own: bool
    instructions: float | None
    samples: float | None


@dataclass(frozen=True)
class StageProfile:
    title: str
    profile: AppProfile
    functions: list[Function]

    @property
    def parts(self) -> list[tuple[str, Profile]]:
        """Those that are there, by name."""
        both = (("samples", self.profile.samples), ("instructions", self.profile.instructions))
        return [(name, one) for name, one in both if one is not None]


@dataclass(frozen=True)
class LadderProfiles(OfLadder):
    title: str
    stages: list[StageProfile]


@dataclass(frozen=True)
class AmdahlLine:
    title: str
    row: Row
    ratio: float  # of the kernel
    expected: float
    measured: AppRow | None


@dataclass(frozen=True)
class Amdahl(OfLadder):
    title: str
    workload: str
    by: str  # samples or instructions
    share: float  # of the program's time that the stage's own functions take
    lines: list[AmdahlLine]

    @property
    def most(self) -> float | None:
        return 1 / (1 - self.share) if self.share < 1 else None


@dataclass(frozen=True)
class TitledApp:
    title: str
    app: App


class Section:
    def __init__(self, analysis: Analysis, found: Sequence[App]) -> None:
        rows = [row for app in found for row in apps.rows(analysis, app)]
        places = {".".join(row.ladder): " with ".join(row.ladder) for row in rows}
        tables = [table for ladder in analysis.ladders if (table := gains(analysis, ladder))]
        ids = [".".join(ladder) for ladder in analysis.ladders]
        titled = [TitledApp(apps.title(analysis, app), app) for app in found]
        self.apps = {app.app: analysis.case.apps.get(app.app, "") for app in found}  # with what each is
        self.profiles = [view for app in found for view in _profiles(analysis, app)]
        # No program was measured at the highest level: then the reader of that level sees all tables.
        self.only_below = not {".".join(ladder) for ladder in queries.highest(analysis)} & places.keys()
        self.gains = [table for table in tables if table.id in places] if self.only_below else tables
        self.measured_at = list(places.values())
        self.elsewhere = [] if self.only_below else [name for name in ids if name not in places]
        self.absent = [one for one in titled if one.app.missing]
        self.measured = [one for one in titled if not one.app.missing]
        self.amdahl = [view for app in found for view in _amdahl(analysis, app)]
        self.waits = waits.tables(analysis)


def section(analysis: Analysis) -> Section | None:
    """None for a case without programs. Those of many sizes or counts are shown apart (crossover.py, pool.py)."""
    found = _apps(analysis)
    return Section(analysis, found) if found else None


def at_a_glance(analysis: Analysis) -> Gains | None:
    """The table of the ladder on which the closing stage gains most, or of another where its programs ran."""
    best = queries.best_ladder(analysis)
    tables = [table for ladder in analysis.ladders if (table := gains(analysis, ladder))]
    with_programs = [table for table in tables if any(column.kind == "program" for column in table.columns)]
    same_compiler = [table for table in with_programs if table.compiler == best[1]]
    return next(iter(same_compiler or with_programs), None)


def gains(analysis: Analysis, ladder: Ladder) -> Gains | None:
    """Stages and libraries against the reference: on the first workload, on those of its programs, and in these."""
    found = {app.app for app in analysis.measurement.apps}
    columns = [Column("kernel", analysis.first, _timed(analysis, ladder, analysis.first))]
    for workload in analysis.workloads[1:]:
        if workload.name.split("/")[0] in found:
            columns.append(Column("workload", workload.name, _timed(analysis, ladder, workload.name)))
    for app in _apps(analysis):
        cells = {
            row.stage: Cell(row, formatting.rate(row.median, app.unit))
            for row in apps.rows(analysis, app)
            if row.ladder == ladder
        }
        columns.append(Column("program", apps.title(analysis, app), cells))
    columns = [column for column in columns if column.cells]
    if len(columns) < 2:
        return None
    titles, reference = queries.titles(analysis), analysis.reference
    lines = [
        GainLine(name, one.kind, titles[name], name == reference, [column.cells.get(name) for column in columns])
        for one in analysis.ladders[ladder]
        if one.kind in ("stage", "peer")
        for name in [analysis.name[one.id]]
    ]
    return Gains(*ladder, columns, lines)


def expected(share: float, ratio: float) -> float:
    """Amdahl: the share is so much faster, the rest takes what it took."""
    return 1 / ((1 - share) + share / ratio)


def own_share(profile: AppProfile) -> tuple[str, float] | None:
    """Of a program's time that the stage's own functions take, by samples; by instructions where there are none."""
    if profile.samples:
        return "samples", profile.samples.own_share
    return ("instructions", profile.instructions.own_share) if profile.instructions else None


def _apps(analysis: Analysis) -> list[App]:
    return [app for app in analysis.measurement.apps if app.measure in ("time", "rate")]


def _timed(analysis: Analysis, ladder: Ladder, workload: str) -> dict[str, Cell]:
    rows = [row for row in analysis.rows_on(workload) if row.ladder == ladder]
    return {row.stage: Cell(row, formatting.time(row.median_ns)) for row in rows}


def _profiles(analysis: Analysis, app: App) -> list[LadderProfiles]:
    """The programs that were profiled, at each of their ladders: the reference and the closing stage."""
    titles = queries.titles(analysis)
    found: dict[Ladder, list[StageProfile]] = {}
    for one in analysis.programs:
        if profile := app.profiles.get(one.id):
            view = StageProfile(titles[analysis.name[one.id]], profile, _functions(profile))
            found.setdefault((one.level, one.compiler), []).append(view)
    return [LadderProfiles(*ladder, apps.title(analysis, app), stages) for ladder, stages in found.items()]


def _functions(profile: AppProfile) -> list[Function]:
    """The heaviest by samples first, for these are of time."""
    own: dict[str, bool] = {}
    shares: dict[str, dict[str, float]] = {"instructions": {}, "samples": {}}
    for kind, part in (("instructions", profile.instructions), ("samples", profile.samples)):
        for one in part.functions if part else []:
            own.setdefault(one.name, one.own)
            shares[kind][one.name] = one.share
    order: Sequence[str] = ("samples", "instructions") if profile.samples else ("instructions", "samples")
    names = sorted(own, key=lambda name: [-shares[kind].get(name, 0) for kind in order])
    by_instructions, by_samples = shares.values()
    return [Function(name, own[name], by_instructions.get(name), by_samples.get(name)) for name in names]


def _amdahl(analysis: Analysis, app: App) -> list[Amdahl]:
    """The gain of the program by the kernel's gain and the reference's profile, beside the measured one."""
    titles, command = queries.titles(analysis), command_of(analysis, app)
    workload = (command.workload if command else None) or analysis.first
    found = []
    for ladder in analysis.ladders:
        reference = analysis.at(analysis.reference, ladder)
        profile = app.profiles.get(reference.id) if reference else None
        own = own_share(profile) if profile else None
        if own is None:
            continue
        measured = {row.stage: row for row in apps.rows(analysis, app) if row.ladder == ladder}
        kernel = {row.stage: row for row in analysis.rows_on(workload) if row.ladder == ladder}
        lines = [
            AmdahlLine(
                titles[stage.name],
                row,
                row.vs_reference.ratio,
                expected(own[1], row.vs_reference.ratio),
                measured.get(stage.name),
            )
            for stage in analysis.stages[1:]
            if (row := kernel.get(stage.name)) and row.vs_reference
        ]
        found.append(Amdahl(*ladder, apps.title(analysis, app), workload, *own, lines))
    return found
