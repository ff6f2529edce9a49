"""What the page over all cases shows of each."""

from __future__ import annotations

from collections.abc import Sequence

from perf_ladders.pages import answer, app_view
from perf_ladders.pages.steps_view import steps
from perf_ladders.results import claims as of_document
from perf_ladders.results import guards, queries
from perf_ladders.results.analysis import Analysis


class IndexEntry:
    """On the ladder on which the closing stage gains most; `data` leads to the file that holds the measurement."""

    def __init__(self, analysis: Analysis, data: str, published: bool, elsewhere: Sequence[Analysis] = ()) -> None:
        top = queries.top(analysis)
        self.analysis = analysis
        self.data = data
        self.answer = answer.answer(analysis, published)
        self.top = top
        self.reference = queries.rows_at(analysis, top.ladder).get(analysis.reference)
        self.warnings = guards.warnings(analysis)
        self.libraries = queries.peers(analysis)
        found = analysis.against_peers(analysis.main_workloads)
        self.peers = [one for one in found if (one.level, one.compiler) == top.ladder]
        self.claims = of_document.score(of_document.claims(analysis, elsewhere))
        self.gains = app_view.at_a_glance(analysis)
        self.lesson = analysis.case.lesson if analysis.measurement.aa_test else None
        self.steps = steps(analysis, top.ladder, elsewhere)
