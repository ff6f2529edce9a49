"""The statistics: worked by hand where that can be done, by simulation where not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from perf_ladders import stats
from perf_ladders.model.measurement import BINS, QUANTILES
from perf_ladders.stats import Comparison


def test_least_blocks_are_those_of_the_method():
    assert {m: stats.min_blocks(m) for m in (1, 10, 20, 40, 100)} == {1: 6, 10: 9, 20: 10, 40: 11, 100: 12}


def test_interval_by_hand():
    # For n = 10 the chance of at most one value below the median is 11 / 1024 = 0.0107 and of at most two is
    # 56 / 1024 = 0.0547: with 0.025 on each side the second smallest and second largest value bound the interval.
    assert stats.sign_interval([5, 1, 9, 2, 8, 3, 7, 4, 6, 10]) == (2, 9)


def test_binomial_quantiles_and_shares_are_those_of_scipy():
    for n in (0, 1, 12, 60, 180):
        for p in (0.05, 0.5):
            for share in (0.025 / 300, 0.025, 0.99):
                assert stats.binomial_quantile(share, n, p) == (binom.ppf(share, n, p) if n else 0)
    for n in (1, 7, 60):
        for k in range(n + 1):
            found = stats.share([True] * k + [False] * (n - k))
            wanted = binomtest(k, n).proportion_ci(1 - stats.ALPHA, "exact")
            assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)


def test_too_few_blocks_give_no_interval():
    assert stats.sign_interval([1, 2, 3, 4, 5]) is None
    assert stats.compare([1] * 5, [1] * 5, 0.01, 1).verdict == "undecided"


@pytest.mark.parametrize("noise", ["normal", "lognormal", "exponential"])
def test_interval_covers_the_median_as_often_as_it_says(noise):
    generator = np.random.default_rng(3)
    draw = {
        "normal": (lambda: generator.normal(size=20), 0.0),
        "lognormal": (lambda: generator.lognormal(sigma=2, size=20), 1.0),
        "exponential": (lambda: generator.exponential(size=20), math.log(2)),
    }
    sample, median = draw[noise]
    covered = 0
    for _ in range(4_000):
        low, high = stats.sign_interval(sample().tolist())
        covered += low <= median <= high
    assert covered / 4_000 > 0.95


def test_intervals_of_many_comparisons_hold_together():
    generator = np.random.default_rng(4)
    all_cover = 0
    for _ in range(1_000):
        intervals = [stats.sign_interval(generator.normal(size=20).tolist(), 12) for _ in range(12)]
        all_cover += all(low <= 0 <= high for low, high in intervals)
    assert all_cover / 1_000 > 0.95


def test_identical_programs_give_no_claim():
    generator = np.random.default_rng(5)
    verdicts = set()
    for _ in range(500):
        base, other = 100 + generator.exponential(3, (2, 20))
        verdicts.add(stats.compare(base, other, 0.01, 12).verdict)
    assert verdicts <= {"same", "undecided"}


def test_a_true_difference_is_found_and_its_size():
    generator = np.random.default_rng(6)
    found = 0
    for _ in range(200):
        base, other = 100 + generator.exponential(1, (2, 20))
        comparison = stats.compare(base, other / 1.05, 0.01, 12)
        found += comparison.verdict == "faster"
        assert comparison.low <= 1.06
        assert comparison.high >= 1.04
    assert found == 200


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [(1.0, "same"), (1.009, "same"), (1.02, "faster"), (0.98, "slower"), (0.992, "same")],
)
def test_verdict_against_the_floor(ratio, verdict):
    comparison = stats.compare([100.0 * ratio] * 20, [100.0] * 20, 0.01, 1)
    assert comparison.ratio == pytest.approx(ratio)
    assert comparison.verdict == verdict


@pytest.mark.parametrize(
    ("ratio", "floor", "verdict"),
    [
        (1.02, 0.03, "same"),
        (1.04, 0.3, "same"),
        (1.06, 0.3, "undecided"),
        (0.9, 0.3, "undecided"),
        (1.5, 0.3, "faster"),
    ],
)
def test_a_noisy_floor_makes_nothing_the_same(ratio, floor, verdict):
    assert stats.compare([100.0 * ratio] * 20, [100.0] * 20, floor, 1).verdict == verdict


def test_an_interval_across_the_floor_is_undecided():
    base = [100.0] * 10 + [103.0] * 10
    assert stats.compare(base, [100.0] * 20, 0.01, 1).verdict == "undecided"


@pytest.mark.parametrize(
    ("base", "other", "sentence"),
    [
        ([1.0] * 14, [1.0] * 15, "14 blocks against 15"),
        ([1.0], [1.0] * 15, "1 blocks against 15"),
        ([], [], "0 blocks against 0"),
        ([1.0] * 15, [1.0] * 14 + [math.inf], "finite and above 0"),
        ([1.0] * 15, [1.0] * 14 + [math.nan], "finite and above 0"),
        ([0.0] * 15, [1.0] * 15, "finite and above 0"),
    ],
)
def test_only_times_of_the_same_blocks_are_compared(base, other, sentence):
    with pytest.raises(ValueError, match=sentence):
        stats.compare(base, other, 0.01, 1)


def test_the_control_raises_the_floor_but_never_lowers_it():
    assert stats.floor_from(Comparison(1, 0.999, 1.001, "same")) == 0.01
    assert stats.floor_from(Comparison(1, 0.95, 1.001, "undecided")) == pytest.approx(1 / 0.95 - 1)
    assert stats.floor_from(Comparison(1, 0.999, 1.04, "undecided")) == pytest.approx(0.04)
    assert stats.floor_from(Comparison(1, None, None, "undecided")) == 0.01


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [(1.5, 1.6, "held"), (1.4, 1.6, "open"), (2.0, 2.2, "open"), (2.2, 2.3, "refuted"), (1.0, 1.2, "refuted")],
)
def test_predictions(low, high, outcome):
    assert stats.judge_prediction(Comparison(1.5, low, high, "faster"), 1.5, 2.1) == outcome


def test_where_the_control_failed_no_prediction_is_judged():
    closed = Comparison(1.5, 1.5, 1.6, "undecided", counts=False)
    assert stats.judge_prediction(closed, 1.5, 2.1) == stats.judge_prediction(closed, 3, 4) == "open"
    assert not stats.compare([2.0] * 20, [1.0] * 20, None, 1).counts


def test_a_prediction_without_interval_is_open():
    assert stats.judge_prediction(Comparison(1.5, None, None, "undecided"), 1.1, 2) == "open"


@pytest.mark.parametrize(("low", "high"), [(0.99, 1.0), (0.9, 1.02), (None, None)])
@pytest.mark.parametrize("predicted", [(0.95, 1.1), (1, 1.1), (0.95, 1)])
def test_a_range_that_contains_1_says_little_and_never_holds(low, high, predicted):
    assert stats.judge_prediction(Comparison(1, low, high, "undecided"), *predicted) == "says little"
    assert stats.judge_prediction(Comparison(1.15, 1.11, 1.2, "faster"), *predicted) == "refuted"


def test_spread_by_hand():
    found = stats.spread([[1, 3], [5, 7]])
    assert (found.n, found.median, found.mean, found.minimum, found.maximum) == (2, 4, 4, 1, 7)
    assert found.sd == pytest.approx(math.sqrt(20 / 3))
    assert found.sd_within == pytest.approx(math.sqrt(2))
    assert found.sd_between == pytest.approx(math.sqrt(8))
    assert (found.low, found.high) == (None, None)


def test_calls_are_summed_up():
    samples = [100.0] * 98 + [200.0, 10_000.0]
    found = stats.calls(samples)
    assert (found.count, found.min_ns, found.max_ns) == (100, 100.0, 10_000.0)
    assert found.mean_ns == pytest.approx((9_800 + 200 + 10_000) / 100)
    assert found.sd_ns == pytest.approx(np.std(samples, ddof=1), abs=0.01)
    assert len(found.quantiles_ns) == len(QUANTILES) == 41
    assert (found.quantiles_ns[0], stats.median_call(found)) == (100.0, 100.0)
    assert found.quantiles_ns[-1] == pytest.approx(np.quantile(samples, 0.99), abs=0.01)
    assert len(found.histogram) == BINS == 40
    # From 100 to 10,000 a bin is a factor of 100 ** (1 / 40): twice the minimum lies in bin 6, the maximum in the last.
    assert {place: count for place, count in enumerate(found.histogram) if count} == {0: 98, 6: 1, 39: 1}


def test_one_call_and_calls_that_take_the_same_time_are_in_the_first_bin():
    for samples in ([5.0], [5.0, 5.0, 5.0]):
        found = stats.calls(samples)
        assert (found.mean_ns, found.sd_ns, found.histogram[0]) == (5.0, 0.0, len(samples))


@pytest.mark.parametrize("samples", [[], [1.0, 0.0], [1.0, math.nan], [math.inf]])
def test_calls_without_a_time_are_refused(samples):
    with pytest.raises(ValueError, match="finite and above 0"):
        stats.calls(samples)


def test_lag_one():
    assert stats.lag_one([1, 2, 3, 4, 5, 6]) == pytest.approx(1)
    assert stats.lag_one([1, -1, 1, -1, 1, -1]) == pytest.approx(-1)
    assert stats.lag_one([2, 2, 2, 2, 2]) is None
