"""The test that may stop at any round: exact where that can be computed by hand, and counted by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from perf_ladders import sequential
from perf_ladders.sequential import ALIKE, FLOOR, decide, evidence, fewest_rounds, won


def test_evidence_by_hand():
    # One hit of one: 2 * 2 * integral of p over [1/2, 1] = 4 * 3/8.
    assert math.exp(evidence(1, 1)) == pytest.approx(1.5)
    # No hit of one: 4 * integral of 1 - p over [1/2, 1] = 4 * 1/8.
    assert math.exp(evidence(0, 1)) == pytest.approx(0.5)
    assert math.exp(evidence(0, 0)) == pytest.approx(1)


@pytest.mark.parametrize("rounds", range(8))
def test_evidence_is_a_fair_bet(rounds):
    """Whatever was seen so far, the next throw of a fair coin changes E by nothing on average."""
    for hits in range(rounds + 1):
        now = math.exp(evidence(hits, rounds))
        after = (math.exp(evidence(hits, rounds + 1)) + math.exp(evidence(hits + 1, rounds + 1))) / 2
        assert after == pytest.approx(now)


def test_twelve_rounds_that_agree_decide_ten_comparisons():
    assert won([True] * 12, 10)
    assert not won([True] * 8, 10)
    assert won([True] * 8, 1)


@pytest.mark.parametrize(("together", "rounds"), [(1, 12), (10, 12), (17, 13), (33, 14)])
def test_the_fewest_rounds_that_can_decide(together, rounds):
    assert fewest_rounds(together) == rounds
    assert decide([0.1] * rounds, together).verdict == "faster"
    assert decide([0.1] * (rounds - 1), together).verdict == "undecided"


@pytest.mark.parametrize(
    ("percent", "verdict"),
    [
        (10, "faster"),
        (3.2, "faster"),
        (1.5, "slightly faster"),
        (0, "same"),
        (-1.5, "slightly slower"),
        (-10, "slower"),
    ],
)
def test_verdicts_of_steady_times(percent, verdict):
    found = decide([math.log1p(percent / 100)] * 40)
    assert (found.verdict, found.rounds) == (verdict, 40)
    assert found.ratio == pytest.approx(1 + percent / 100)
    assert found.low <= found.ratio * (1 + 1e-12)
    assert found.high >= found.ratio * (1 - 1e-12)


def test_before_the_twelfth_round_there_is_no_verdict():
    assert decide([0.1] * 11).verdict == "undecided"
    assert decide([0.1] * 12).verdict == "faster"
    assert decide([0.1] * 2).low is None
    assert decide([0.1] * 2).high is None
    with pytest.raises(ValueError, match="No round"):
        decide([])


def test_times_that_changed_while_they_were_measured_give_no_verdict():
    found = decide([0.1] * 30 + [-0.1] * 90)
    assert (found.verdict, found.changed) == ("undecided", True)


def test_what_changed_or_has_too_few_rounds_or_no_gate_does_not_count():
    assert decide([0.1] * 12).counts
    assert not decide([0.1] * 11).counts
    assert not decide([0.1] * 12, gate=False).counts
    assert not decide([0.1] * 30 + [-0.1] * 90).counts


@pytest.mark.parametrize("comparisons", [1, 20])
def test_the_least_count_is_the_first_with_the_evidence(comparisons):
    """By trying every count."""
    asked = math.log(2 * comparisons / 0.05)
    for n, least in enumerate(sequential._least_hits(70, comparisons), 1):
        assert least == next((k for k in range(n + 1) if sequential.evidence(k, n) >= asked), n + 1)


def test_the_sequence_is_what_was_not_rejected():
    """By trying every candidate, one by one."""
    generator = np.random.default_rng(5)
    d = generator.normal(0.02, 0.05, 40)
    low, high = sequential.confidence_sequence(d, 3)
    for c in np.linspace(-0.2, 0.2, 401):
        rejected = won(d > c, 3) or won(d < c, 3)
        assert rejected == (not low <= c <= high), c


def simulated(shift, spread, experiments, rounds=60, comparisons=10, seed=1):
    generator = np.random.default_rng(seed)
    heavy = generator.standard_t(2, (experiments, rounds)) * spread / 1.63  # its interquartile range is 1.63
    return [decide(shift + row, comparisons) for row in heavy]


def test_no_difference_is_hardly_ever_called_one():
    """At the true border of 1 %, where a false verdict is likeliest, and for identical programs."""
    at_border = simulated(FLOOR, 0.02, 400)
    assert sum(one.verdict in ("faster", "slightly faster") for one in at_border) <= 4
    identical = simulated(0, 0.02, 400)
    assert not any(one.verdict not in ("same", "undecided") for one in identical)
    assert sum(not one.low <= 1 <= one.high for one in identical) <= 4  # it promises 2 of 400 at most, on average


def test_a_true_difference_of_3_percent_is_found():
    found = simulated(math.log(1.032), 0.02, 200)
    assert sum(one.verdict == "faster" for one in found) >= 195


def test_a_difference_at_the_border_of_alike_is_hardly_ever_called_none():
    found = simulated(ALIKE, 0.01, 400)
    assert sum(one.verdict == "same" for one in found) <= 4
