"""What the page of a case and the index show, worked out from an analysis; nothing here writes HTML or Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from perf_ladders.pages import answer, claims_view
from perf_ladders.pages.steps_view import Section, sections
from perf_ladders.results import claims as of_document
from perf_ladders.results import constant_time, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.guards import contention, guards
from perf_ladders.results.libraries import Against, against, places
from perf_ladders.results.rows import Ladder, LevelComparison, PeerComparison, Row
from perf_ladders.results.staleness import of_whole_case
from perf_ladders.stats import Comparison, Verdict
from perf_ladders.tree.catalogue import Stage
from perf_ladders.tree.notes import LEFT, section, sentences, without_markers

_NO_PROSE = ("|", "#", "```", "- ", "{%")  # a table, a heading, code, a list, a condition
_IDLE: tuple[Verdict, ...] = ("slower", "slightly slower", "same", "same code")


@dataclass(frozen=True)
class Choice:
    """Of the switch between levels and compilers."""

    id: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class PeerLine:
    level: str
    compiler: str
    workload: str
    cells: list[Comparison | None]


@dataclass(frozen=True)
class Column:
    name: str
    kind: str
    title: str
    head: str


@dataclass(frozen=True)
class MatrixLine:
    level: str
    compiler: str
    reference: Row | None
    cells: list[Row | None]


@dataclass(frozen=True)
class Unhelpful:
    """A step that was shown not to be faster than its base somewhere."""

    stage: Stage
    idle: dict[Verdict, list[Row]]  # by verdict
    of: int
    said: str


@dataclass(frozen=True)
class Short:
    """A step that gained less than was predicted somewhere, and was not shown to gain nothing there."""

    stage: Stage
    rows: list[Row]
    of: int


@dataclass(frozen=True)
class Undecided:
    name: str
    k: int
    of: int


@dataclass(frozen=True)
class Disagreement:
    stage: str
    said: str
    rows: list[Row]


@dataclass(frozen=True)
class OverLevel:
    """The closing stage of a level over that of the level below, on every workload where both were measured."""

    level: str
    below: str
    compiler: str
    found: list[LevelComparison]

    @property
    def faster(self) -> int:
        return sum(one.comparison.is_faster for one in self.found)

    @property
    def slower(self) -> list[LevelComparison]:
        return [one for one in self.found if one.comparison.is_slower]

    def count(self, *verdicts: Verdict) -> int:
        return sum(one.comparison.verdict in verdicts for one in self.found)


class CaseView:
    def __init__(self, analysis: Analysis, published: bool, elsewhere: Sequence[Analysis] = ()) -> None:
        main = {workload.name for workload in analysis.main_workloads}
        found = analysis.against_peers(analysis.main_workloads)
        self.analysis = analysis
        self.answer = answer.answer(analysis, published)
        self.top = queries.top(analysis)
        self.guards = guards(analysis)
        self.warnings = [guard.sentence for guard in self.guards if not guard.ok]
        self.controls = [row for row in analysis.rows if row.kind == "control" and row.workload in main]
        self.sections = sections(analysis, elsewhere)
        self.here = next(one for one in self.sections if (one.level, one.compiler) == self.top.ladder)
        self.of_lower_levels = queries.of_lower_levels(analysis.case)
        self.idle_predictions = _idle_predictions(self.here)
        self.peers = list(dict.fromkeys(one.peer for one in found))
        self.peer_lines = _peer_lines(found, self.peers)
        self.against = against(analysis, self.top.ladder, [one for one in elsewhere if not answer.trouble(one)])
        self.places = places([analysis, *elsewhere])
        self.equal_lines = _equal_lines(self.against, self.peers)
        self.claims = of_document.claims(analysis, elsewhere)
        self.claims_by_document = claims_view.by_document([(analysis.case.title, self.claims)])
        self.columns = _columns(analysis)
        self.matrix = _matrix(analysis)
        self.over_levels = _over_levels(analysis)
        self.levels_apart = _levels_apart(analysis, self.over_levels)
        self.earlier = answer.about_earlier(queries.earlier_stages(analysis, queries.best_ladder(analysis)))
        self.unhelpful = unhelpful(analysis)
        self.short = short(analysis)
        self.undecided = _undecided(analysis)
        self.steps_on_main = _steps_on_main(analysis)
        probed = contention(analysis)
        self.quiet = probed.ok if probed.known else None
        self.disagreements = _disagreements(analysis)
        self.titles = queries.titles(analysis)
        self.libraries = queries.peers(analysis)
        self.footnotes = queries.footnotes(analysis)
        self.switch = switch(analysis.ladders, queries.best_ladder(analysis))
        self.constant_time = constant_time.of_case(analysis.case)  # by stage
        self.not_here = _not_here(self.here, self.constant_time)
        self.older = any(row.stale for row in analysis.rows if row.kind == "stage")  # of an older source
        self.changes = of_whole_case(analysis)


@dataclass(frozen=True)
class Best:
    """The closing stage of a compiler's best ladder, over the reference and over the libraries."""

    analysis: Analysis
    row: Row
    title: str
    against: Against


def best(analysis: Analysis) -> list[Best]:
    """By compiler, the ladder on which its closing stage gains most over the reference."""
    found = []
    for row in queries.tops(analysis):
        found.append(Best(analysis, row, queries.titles(analysis)[row.stage], against(analysis, row.ladder)))
    return found


def switch(found: Iterable[Ladder], chosen: Ladder) -> list[Choice]:
    """The choices of level and compiler, and which one is chosen."""
    return [Choice(".".join(ladder), ", ".join(ladder), ladder == chosen) for ladder in found]


def in_words(text: str) -> str:
    """Of a section of notes the first sentence that quotes no figure; empty where there is none."""
    paragraphs = map(str.strip, without_markers(text).partition(LEFT)[0].split("\n\n"))
    prose = " ".join(one for one in paragraphs if not one.startswith(_NO_PROSE))
    return next((one for one in sentences(prose) if "{{" not in one), "")


def unhelpful(analysis: Analysis) -> list[Unhelpful]:
    """The steps that gain on no main workload on some ladder. Where a step gains at one level, the same code at another
    is none of these, for the step leaves that level alone."""
    found = []
    for stage in analysis.stages:
        rows = [(row, row.vs_base) for row in analysis.first_rows if row.stage == stage.name and row.vs_base]
        on_none = [one for one in rows if not one[1].is_faster and not queries.helped_elsewhere(analysis, one[0])]
        words = [word for word in _IDLE if word != "same code" or len(on_none) == len(rows)]
        idle = {word: [row for row, found in on_none if found.verdict == word] for word in words}
        if any(idle.values()):
            said = stage.notes.taught or in_words(section(stage.notes.text, "Result")) or stage.headline
            found.append(Unhelpful(stage, idle, len(rows), said))
    return found


def short(analysis: Analysis) -> list[Short]:
    found = []
    for stage in analysis.stages:
        rows = [row for row in analysis.first_rows if row.stage == stage.name]
        open_or_faster = [row for row in rows if row.vs_base is not None and row.vs_base.verdict not in _IDLE]
        less = [row for row in open_or_faster if row.prediction and row.prediction.side == "less"]
        if less:
            found.append(Short(stage, less, len(rows)))
    return found


def _peer_lines(found: Sequence[PeerComparison], names: Sequence[str]) -> list[PeerLine]:
    """A line for each ladder and workload, a column for each library."""
    lines: dict[tuple[str, str, str], dict[str, Comparison]] = {}
    for one in found:
        lines.setdefault((one.level, one.compiler, one.workload), {})[one.peer] = one.comparison
    return [PeerLine(*place, [cells.get(name) for name in names]) for place, cells in lines.items()]


def _equal_lines(found: Against, names: Sequence[str]) -> dict[str, list[Comparison | None]]:
    """By workload, a cell for each library; no line where the table of the best level has all of it."""
    if {one.level for one in found.equal_all} <= {one.level for one in found.here.hardest}:
        return {}
    cells: dict[str, dict[str, Comparison]] = {}
    for one in found.equal_all:
        cells.setdefault(one.workload, {})[one.peer] = one.comparison
    return {workload: [line.get(name) for name in names] for workload, line in cells.items()}


def _columns(analysis: Analysis) -> list[Column]:
    kinds = {analysis.name[one.id]: one.kind for one in analysis.programs}
    titles = queries.titles(analysis)
    return [
        Column(name, kinds[name], titles[name], queries.short_peer_name(analysis, name))
        for name in queries.columns(analysis)
    ]


def _matrix(analysis: Analysis) -> list[MatrixLine]:
    """Compiler and level against every program; each cell is compared with the reference of its own row."""
    first = analysis.measurement.compilers[0].name
    lines = []
    for ladder in sorted(analysis.ladders, key=lambda ladder: ladder[1] != first):
        rows = queries.rows_at(analysis, ladder)
        cells = [rows.get(name) for name in queries.columns(analysis)]
        lines.append(MatrixLine(*ladder, rows.get(analysis.reference), cells))
    return lines


def _undecided(analysis: Analysis) -> list[Undecided]:
    """Steps that the rounds cannot decide somewhere, and at how many of their ladders: nothing is said of these."""
    found = []
    for stage in analysis.stages:
        verdicts = [row.vs_base.verdict for row in analysis.first_rows if row.stage == stage.name and row.vs_base]
        if "undecided" in verdicts:
            found.append(Undecided(stage.name, verdicts.count("undecided"), len(verdicts)))
    return found


def _steps_on_main(analysis: Analysis) -> Counter[Verdict]:
    """How many comparisons of a stage with its base there are on the main workloads, by verdict."""
    rows = [row for workload in analysis.main_workloads for row in analysis.rows_on(workload.name)]
    return Counter(row.vs_base.verdict for row in rows if row.kind == "stage" and row.vs_base)


def _over_levels(analysis: Analysis) -> list[OverLevel]:
    found: dict[tuple[str, str, str], list[LevelComparison]] = {}
    for one in queries.over_levels(analysis):
        found.setdefault((one.level, one.below, one.compiler), []).append(one)
    return [OverLevel(*place, several) for place, several in found.items()]


def _levels_apart(analysis: Analysis, measured: Sequence[OverLevel]) -> list[tuple[str, str, str]]:
    """Compiler and two neighbouring levels whose closing stages were not measured beside each other."""
    there = {(one.compiler, one.below, one.level) for one in measured}
    return [one for one in queries.neighbouring_levels(analysis) if one not in there]


def _idle_predictions(section: Section) -> Counter[str]:
    """By outcome: those that allow a gain and a loss, or were made after trials."""
    predictions = [step.row.prediction for step in section.in_order if step.row and step.row.prediction]
    return Counter(str(one.outcome) for one in predictions if not one.tells)


def _not_here(section: Section, found: Mapping[str, constant_time.OfStage]) -> dict[str, list[str]]:
    """The stages that this ladder lacks, by what is known of their secrets."""
    numbers: dict[str, list[str]] = {}
    for step in sorted(section.in_order, key=lambda one: one.stage.number):
        if not step.row and step.stage.name in found:
            numbers.setdefault(found[step.stage.name].in_short, []).append(step.stage.number)
    return numbers


def _disagreements(analysis: Analysis) -> list[Disagreement]:
    """By stage and sentence: the rows of which it is said."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in analysis.first_rows:
        if row.disagreement and row.kind == "stage":
            found.setdefault((row.stage, row.disagreement), []).append(row)
    return [Disagreement(stage, said, found[stage, said]) for stage, said in sorted(found)]
