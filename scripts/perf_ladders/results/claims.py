"""What the source document reports of a step, and what was measured of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from perf_ladders import stats
from perf_ladders.results.analysis import Analysis
from perf_ladders.stats import Comparison
from perf_ladders.tree.case_file import Claim

EXACT = 0.05  # a claim of one number is confirmed by what rounds to it, give or take this share
WORDS = {"held": "confirmed", "refuted": "refuted", "open": "open"}


@dataclass(frozen=True)
class Measured:
    level: str
    compiler: str
    comparison: Comparison
    outcome: str
    side: str  # of a refuted claim: more or less than it says


@dataclass(frozen=True)
class ClaimResult:
    claim: Claim
    measured: list[Measured]

    @property
    def count(self) -> dict[str, int]:
        found = Counter(one.outcome for one in self.measured)
        return {word: found[word] for word in WORDS.values()}


def claims(analysis: Analysis) -> list[ClaimResult]:
    return [ClaimResult(claim, _measured(analysis, claim)) for claim in analysis.case.claims]


def _measured(analysis: Analysis, claim: Claim) -> list[Measured]:
    low, high = claim.ratio
    judged = (low * (1 - EXACT), high * (1 + EXACT)) if low == high else (low, high)
    found = []
    for ladder in analysis.ladders:
        if comparison := analysis.compared(claim.base, claim.stage, ladder, claim.workload, claim.of):
            outcome = stats.judge_prediction(comparison, *judged)
            side = "" if outcome != "refuted" else "more" if comparison.ratio > high else "less"
            found.append(Measured(*ladder, comparison, WORDS[outcome], side))
    return found
