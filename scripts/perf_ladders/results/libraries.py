"""The closing stages over the libraries: where they are best and where worst, also with equal instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perf_ladders.machine import identity
from perf_ladders.results import multibuffer, queries
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, PeerComparison, Row
from perf_ladders.stats import Comparison
from perf_ladders.tree.levels import known_levels
from perf_ladders.tree.peer import AS_BUILT, UNKNOWN, Instructions, read_peer

_OLDER = "†"  # behind the name of a library whose adapter has changed since


@dataclass(frozen=True)
class Adapter:
    """What a library's adapter takes alone, where that was measured beside it."""

    parts: dict[str, Comparison]  # by main workload: of the library's time
    elsewhere: Analysis | None = None  # that measured it, where the one that is shown did not


@dataclass(frozen=True)
class Library:
    name: str
    title: str  # with the standard that it keeps to, if that is another one
    version: str | None  # None: the measurement does not say it
    interface: str
    copied: str  # what the adapter alone copies in place of ciphering it: message
    adapter: Adapter
    is_older: bool  # its adapter has changed since
    uses: Instructions | None
    equal: str | None  # the highest level measured here whose instructions it uses; None: not known

    @property
    def mark(self) -> str:
        return _OLDER if self.is_older else ""

    @property
    def named(self) -> str:
        return f"{self.name} {self.version or 'n/a'}{self.mark}"

    @property
    def level_here(self) -> str:
        """That of `equal`, or why there is none."""
        if self.equal:
            return self.equal
        return f"{self.uses.level}, not measured here" if self.uses and self.uses.level in known_levels() else "unknown"

    @property
    def short(self) -> str:
        """For a table whose text says why a version is missing."""
        return f"{self.name} {self.version or ''}".strip() + self.mark


@dataclass(frozen=True)
class Standing:
    """Of each workload the library that is fastest on it, in the order of the workloads."""

    hardest: list[PeerComparison]

    @property
    def best(self) -> PeerComparison | None:
        return max(self.hardest, key=_ratio, default=None)

    @property
    def worst(self) -> PeerComparison | None:
        return min(self.hardest, key=_ratio, default=None)

    @property
    def ends(self) -> list[PeerComparison]:
        """Both of them: one where there is one workload, and none where no library was measured."""
        return [one for one in dict.fromkeys((self.best, self.worst)) if one]


@dataclass(frozen=True)
class Against:
    """Of one ladder; `equal` compares each library at its own level, with the same compiler."""

    libraries: dict[str, Library]  # by the name in rows
    here: Standing
    equal: Standing
    equal_all: list[PeerComparison]  # on the main workloads

    @property
    def left_out(self) -> list[Library]:
        """Those that no level is known of, so `equal` lacks them."""
        there = {one.peer for one in self.equal_all}
        return [one for name, one in self.libraries.items() if name not in there]


@dataclass(frozen=True)
class Place:
    """A ladder of a measurement on one CPU: its closing stage over the fastest library of each workload."""

    analysis: Analysis
    closing: Row
    standing: Standing

    @property
    def is_of_blocks(self) -> bool:
        return self.analysis.measurement.design.kind == "blocks"

    @property
    def names_older(self) -> bool:
        """Whether an adapter has changed since, of a library that is named."""
        return self.analysis.is_stale(*(one.peer for one in self.standing.ends))

    def named(self, one: PeerComparison) -> str:
        bare = queries.peer_name(self.analysis, one.peer)
        version = self.analysis.measurement.libraries.get(bare, "")
        return f"{bare} {version}".strip() + (_OLDER if self.analysis.is_stale(one.peer) else "")


def places(analyses: Sequence[Analysis]) -> list[Place]:
    """On each CPU, with each compiler at each level: the newest measurement that has a library there."""
    found: dict[tuple[str, Ladder], Place] = {}
    for analysis in sorted(analyses, key=lambda one: one.measurement.made.date):
        over: dict[Ladder, list[PeerComparison]] = {}
        for one in analysis.against_peers(analysis.workloads):
            over.setdefault((one.level, one.compiler), []).append(one)
        for ladder, several in over.items():
            closing = queries.rows_at(analysis, ladder)[several[0].stage]
            cpu = identity.short_name(analysis.measurement.machine)
            found[cpu, ladder] = Place(analysis, closing, _standing(several))
    order = list(dict.fromkeys(identity.short_name(one.measurement.machine) for one in analyses))
    return [place for (cpu, _), place in sorted(found.items(), key=lambda one: order.index(one[0][0]))]


def against(analysis: Analysis, ladder: Ladder, elsewhere: Sequence[Analysis] = ()) -> Against:
    """`elsewhere`: what may be quoted on how long an adapter takes, where this measurement does not say it."""
    level, compiler = ladder
    libraries = {
        name: _library(analysis, name, title, ladder, elsewhere) for name, title in queries.peers(analysis).items()
    }
    mine = [one for one in analysis.against_peers(analysis.workloads) if one.compiler == compiler]
    here = [one for one in mine if one.level == level]
    equal = [one for one in mine if one.level == libraries[one.peer].equal]
    there = {one.peer for one in mine}
    main = {workload.name for workload in analysis.main_workloads}
    return Against(
        {name: one for name, one in libraries.items() if name in there},
        _standing(here),
        _standing(equal),
        [one for one in equal if one.workload in main],
    )


def _library(analysis: Analysis, name: str, title: str, ladder: Ladder, elsewhere: Sequence[Analysis]) -> Library:
    bare = queries.peer_name(analysis, name)
    version = analysis.measurement.libraries.get(bare)
    said = read_peer(analysis.case.directory / "peers" / bare)
    uses = said.uses(version)
    others = (Adapter(_parts(one, name, queries.best_ladder(one)), one) for one in elsewhere)
    measured = (one for one in (Adapter(_parts(analysis, name, ladder)), *others) if one.parts)
    adapter, is_older = next(measured, Adapter({})), analysis.is_stale(name)
    equal = _equal(analysis, uses, ladder)
    return Library(bare, title, version, said.interface, said.copied, adapter, is_older, uses, equal)


def _parts(analysis: Analysis, name: str, ladder: Ladder) -> dict[str, Comparison]:
    """Of the library's variant without its own work, where that was measured beside it: the ratio of their times.
    Empty where the adapter has changed since."""
    if analysis.is_stale(name):
        return {}
    emptied = multibuffer.emptied(analysis)
    mine = [analysis.name[one.id] for one in analysis.ladders[ladder] if analysis.base_name(one) == name]
    places = [(alone, workload.name) for alone in mine if alone in emptied for workload in analysis.main_workloads]
    found = {workload: analysis.compared(alone, name, ladder, workload) for alone, workload in places}
    return {workload: comparison for workload, comparison in found.items() if comparison}


def _equal(analysis: Analysis, uses: Instructions | None, ladder: Ladder) -> str | None:
    if uses is None or uses.level == UNKNOWN:
        return None
    if uses.level == AS_BUILT:
        return ladder[0]
    order = known_levels()
    measured = [level for level, compiler in analysis.ladders if compiler == ladder[1] and level in order]
    within = [level for level in measured if order.index(level) <= order.index(uses.level)]
    return max(within, key=order.index, default=None)


def _standing(found: Sequence[PeerComparison]) -> Standing:
    """Leaves out workloads on which a library has no interval, unless that is so on all: such a ratio tells nothing."""
    by_workload: dict[str, list[PeerComparison]] = {}
    for one in found:
        by_workload.setdefault(one.workload, []).append(one)
    known = [
        several
        for several in by_workload.values()
        if all(one.comparison.low and one.comparison.high for one in several)
    ]
    return Standing([min(several, key=_ratio) for several in known or by_workload.values()])


def _ratio(one: PeerComparison) -> float:
    return one.comparison.ratio
