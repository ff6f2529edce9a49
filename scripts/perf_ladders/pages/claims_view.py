"""What the pages of all claims show: by document, with a score; and what README shows of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from perf_ladders.results import claims
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.claims import Judged, Outcome
from perf_ladders.tree.claim import ABOUT, Document
from perf_ladders.tree.documents import documents


@dataclass(frozen=True)
class Section:
    """Of one document."""

    name: str
    document: Document
    cases: list[tuple[str, list[Judged]]]  # by the title of the case

    @property
    def found(self) -> list[Judged]:
        return [one for _, several in self.cases for one in several]

    @property
    def score(self) -> dict[Outcome, int]:
        return claims.score(self.found)

    @property
    def in_cpp(self) -> dict[Outcome, int]:
        """What C++ says of the claims that a JVM judged."""
        return in_cpp(self.found)


def sections(measured: Iterable[Sequence[Analysis]]) -> list[Section]:
    """In the order of documents.toml; `measured`: by case, the first one is shown."""
    return by_document((shown.case.title, claims.claims(shown, elsewhere)) for shown, *elsewhere in measured)


def by_document(found: Iterable[tuple[str, list[Judged]]]) -> list[Section]:
    """`found`: by the title of its case."""
    judged = list(found)
    made = []
    for name, document in documents().items():
        mine = [(title, [one for one in found if one.claim.document == name]) for title, found in judged]
        made.append(Section(name, document, [(title, found) for title, found in mine if found]))
    return [section for section in made if section.cases]


def content(measured: Iterable[Sequence[Analysis]]) -> dict[str, object]:
    found = sections(measured)
    every = [one for section in found for one in section.found]
    in_java = [one for one in every if one.java]
    return {
        "sections": found,
        "total": claims.score(every),
        "in_java": claims.score(in_java),
        "in_cpp": in_cpp(every),
        "jvms": sorted({one.java.compiler for one in in_java if one.java}),
        "about": ABOUT,
    }


def in_cpp(found: Iterable[Judged]) -> dict[Outcome, int]:
    return claims.score(replace(one, outcome=one.here.outcome) for one in found if one.java and one.here)


def surprises(measured: Iterable[Sequence[Analysis]]) -> list[Judged]:
    """The findings that README shows, where they are decided."""
    found = [one for section in sections(measured) for one in section.found if one.claim.surprise]
    return sorted((one for one in found if one.outcome in claims.DECIDED), key=lambda one: one.claim.surprise)
