"""Claims of documents: the ranges of their figures, the verdicts, and what cannot be tested here."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from evidence_sample import full, sampled

from perf_ladders.model.apps import App, AppRun, Device
from perf_ladders.pages import claims_view, export
from perf_ladders.results import claims
from perf_ladders.stats import Comparison
from perf_ladders.tree.catalogue import case_names, read_case
from perf_ladders.tree.claim import Claim
from perf_ladders.tree.documents import documents

BASE = Claim("It is faster.", "the end", "xtea-04", "xtea-00", document="althoff", level="x86-64-v3")
DOCUMENT = documents()["althoff"]


@pytest.mark.parametrize(
    ("fields", "low", "high"),
    [
        ({"ratio": ["4.3"]}, 4.25, 4.35),
        ({"ratio": ["2.5", "3"]}, 2.5, 3),
        ({"ratio": ["2"], "about": True}, 1.8, 2.2),
        ({"ratio": ["2.5", "3"], "about": True}, 2.25, 3.3),
        ({"times": ["267", "62"]}, 266.5 / 62.5, 267.5 / 61.5),
        ({"rates": ["97", "193"]}, 192.5 / 97.5, 193.5 / 96.5),
        ({"times": ["0.91", "0.60"], "about": True}, 0.9 * 91 / 60, 1.1 * 91 / 60),
        ({"at_least": 5}, 5, math.inf),
        ({"faster": True}, 1.02, math.inf),
        ({"same": True}, 1 / 1.02, 1.02),
    ],
)
def test_figures_allow_a_range(fields, low, high):
    assert replace(BASE, **fields).span == pytest.approx((low, high))


def test_with_a_spread_the_range_is_two_standard_errors_either_way():
    """Shares of 50/200 and 10/50 are 0.32 together; of 100 values that is 0.032, and twice that 0.064."""
    low, high = replace(BASE, times=["200", "50"], sd=["50", "10"], n=100).span
    assert (low, high) == pytest.approx((4 * (1 - 0.0640312), 4 * (1 + 0.0640312)))
    assert replace(BASE, rates=["50", "200"], sd=["10", "50"], n=100).span == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("fields", "low", "high", "outcome"),
    [
        ({"ratio": ["2"], "about": True}, 1.9, 2.1, "reproduced"),
        ({"ratio": ["2"], "about": True}, 2.1, 2.3, "reproduced"),  # it overlaps, and is narrow
        ({"ratio": ["2"], "about": True}, 1.5, 2.5, "open"),  # it overlaps, and is wide
        ({"ratio": ["2"], "about": True}, 2.3, 2.4, "more than claimed"),
        ({"ratio": ["2"], "about": True}, 1.1, 1.5, "less than claimed"),
        ({"ratio": ["2"], "about": True}, 0.98, 1.1, "less than claimed"),
        ({"ratio": ["2"], "about": True}, 0.5, 0.6, "the other way round"),
        ({"ratio": ["0.5"], "about": True}, 0.4, 0.44, "more than claimed"),
        ({"ratio": ["0.5"], "about": True}, 0.6, 0.9, "less than claimed"),
        ({"ratio": ["0.5"], "about": True}, 1.1, 1.2, "the other way round"),
        ({"at_least": 5}, 5.1, 50, "reproduced"),
        ({"at_least": 5}, 4.9, 5.1, "open"),
        ({"at_least": 5}, 0.5, 0.6, "the other way round"),
        ({"faster": True}, 1.0, 1.01, "less than claimed"),
        ({"ratio": ["1", "2.38"]}, 0.3, 1.0, "open"),  # it reaches over to the other side of 1
        ({"ratio": ["0.83"], "about": True}, 0.8, 1.05, "open"),
        ({"ratio": ["1"], "about": True}, 0.3, 0.5, "less than claimed"),
        ({"ratio": ["1"], "about": True}, 1.5, 2, "more than claimed"),
        ({"times": ["50", "50"], "about": True}, 0.3, 0.5, "less than claimed"),
    ],
)
def test_a_verdict_follows_from_two_intervals(fields, low, high, outcome):
    found = Comparison(math.sqrt(low * high), low, high, "undecided")
    assert claims.judge(replace(BASE, **fields), found) == outcome


@pytest.mark.parametrize(
    ("verdict", "low", "high", "outcome"),
    [
        ("same code", 0.9, 1.2, "reproduced"),
        ("same code", None, None, "reproduced"),
        ("same", 0.99, 1.01, "reproduced"),
        ("undecided", 0.9, 1.2, "open"),
        ("faster", 1.1, 1.2, "more than claimed"),
        ("slower", 0.8, 0.9, "less than claimed"),
        ("faster", 1.018, 1.09, "more than claimed"),
    ],
)
def test_no_difference_is_a_claim_too(verdict, low, high, outcome):
    assert claims.judge(replace(BASE, same=True), Comparison(1.0, low, high, verdict)) == outcome


@pytest.mark.parametrize("ends", [(0.99, 1.01), (None, None)])
def test_a_difference_cannot_be_tested_where_the_machine_code_is_the_same(ends, monkeypatch):
    found = Comparison(1.0, *ends, "same code")
    assert claims.judge(replace(BASE, ratio=["1.25"]), found) == "not testable here"
    here, older = (sampled(claims=[replace(BASE, ratio=["1.25"])]) for _ in range(2))
    told = Comparison(1.0, 0.8, 1.05, "undecided")
    monkeypatch.setattr(claims, "_compared", lambda analysis, *_: told if analysis is older else found)
    (judged,) = claims.claims(here, [older])
    assert judged.said == "not testable here: the same machine code"


def test_too_few_rounds_leave_a_claim_open():
    assert claims.judge(replace(BASE, ratio=["2"]), Comparison(2.0, None, None, "undecided")) == "open"


@pytest.mark.parametrize(
    ("same", "low", "high", "counts", "why"),
    [
        (False, None, None, True, "too few rounds"),
        (False, None, None, False, "too few rounds"),
        (False, 1.5, 2.5, True, "the interval is too wide"),
        (False, 0.9, 2.5, True, "the interval reaches across 1"),
        (False, 1.5, 2.5, False, "its A/A control failed, or its times changed"),
        (True, 0.9, 1.2, True, "these rounds cannot tell"),
    ],
)
def test_a_claim_that_stays_open_says_why(monkeypatch, same, low, high, counts, why):
    claim = replace(BASE, same=True) if same else replace(BASE, ratio=["2"], about=True)
    monkeypatch.setattr(claims, "_compared", lambda *_: Comparison(1.8, low, high, "undecided", counts=counts))
    (judged,) = claims.claims(sampled(claims=[claim]))
    assert judged.said == f"open: {why}"


@pytest.mark.parametrize("low", [1.99, 2.5])
def test_where_the_control_failed_no_claim_is_judged(low):
    closed = Comparison(2.0, low, 2.51, "undecided", counts=False)
    assert claims.judge(replace(BASE, ratio=["2"]), closed) == "open"
    sure = replace(closed, counts=True)
    assert not claims._divided(closed, sure).counts
    assert not claims._divided(sure, closed).counts
    assert claims._divided(sure, sure).counts


@pytest.mark.parametrize(
    ("needs", "of_document", "cpus", "why"),
    [
        (["cores"], {"cores": 4}, 2, "needs 4 cores"),
        (["cores"], {"cores": 4}, 4, ""),
        ([], {"cores": 4}, 2, ""),
        (["bits"], {"bits": 32}, 4, "needs a program of 32 bits"),
        (["device"], {"device": "GPU"}, 4, "needs a GPU"),
        (["language"], {"language": "Java"}, 4, "needs Java"),
        (["language"], {"language": "C++"}, 4, ""),
    ],
)
def test_no_verdict_where_a_condition_fails(needs, of_document, cpus, why):
    measurement = full()
    measurement.machine.cpus = cpus
    claim = replace(BASE, ratio=["4"], needs=needs)
    analysis = sampled(measurement, claims=[claim])
    assert claims.unmet(analysis, claim, replace(DOCUMENT, **of_document)) == why


@pytest.mark.parametrize(("kind", "why"), [("GPU", ""), ("CPU", "needs a GPU")])
def test_the_device_that_was_used_decides(kind, why):
    """PoCL offers the processor as a device."""
    measurement = full()
    run = AppRun(program="opencl.x86-64-v3.gcc", round=0, value=1.0, device=Device(name="Some", kind=kind))
    measurement.apps = [App(app="transfer", arguments=[], measure="sizes", rounds=1, runs=[run])]
    claim = replace(BASE, ratio=["4"], needs=["device"])
    assert claims.unmet(sampled(measurement, claims=[claim]), claim, DOCUMENT) == why


def test_a_claim_that_cannot_be_tested_shows_what_was_measured():
    measurement = full()
    measurement.machine.cpus = 2
    (found,) = claims.claims(sampled(measurement, claims=[replace(BASE, ratio=["4"], needs=["cores"])]))
    assert found.said == "not testable here: needs 4 cores"
    assert found.here is not None


def test_what_cannot_be_tested_here_is_judged_on_a_machine_that_can():
    few, many = full(), full()
    few.machine.cpus, many.machine.cpus = 2, 16
    many.machine.cpu, many.machine.family_model_stepping = "Intel(R) Xeon(R) Processor", "6/207/2"
    said = [replace(BASE, ratio=["4"], needs=["cores"])]
    here, elsewhere = sampled(few, claims=said), sampled(many, claims=said)
    (alone,) = claims.claims(here)
    (found,) = claims.claims(here, [elsewhere])
    assert (alone.outcome, alone.machine) == ("not testable here", "")
    assert (found.outcome in claims.DECIDED, found.machine) == (True, "Intel Emerald Rapids, 16 CPUs")
    (reversed_,) = claims.claims(elsewhere, [here])
    assert reversed_.machine == ""
    page = export.claims({"xtea": [here, elsewhere]})
    assert "(x86-64-v3, gcc, Intel Emerald Rapids, 16 CPUs)" in page
    assert f"*here* without a name: A &lt;processor> (1/2/3), {few.made.date[:10]}." in page
    assert found.cpu == alone.cpu != "Intel Emerald Rapids"
    many.machine.cpu, many.machine.family_model_stepping = few.machine.cpu, few.machine.family_model_stepping
    (found,) = claims.claims(here, [sampled(many, claims=said)])
    assert found.machine.endswith(f", {many.made.date[:10]}, 16 CPUs"), "the same CPU, measured at another time"


def test_speed_ups_on_two_workloads_are_set_against_each_other():
    """The second workload of the sample has too few blocks for an interval."""
    first, second = (one.name for one in full().workloads[:2])
    claim = replace(BASE, ratio=["1"], about=True, workload=first, beside=second)
    (few,) = claims.claims(sampled(claims=[claim]))
    assert few.outcome == "open"
    one, other = Comparison(4.0, 3.8, 4.2, "faster"), Comparison(2.0, 1.9, 2.5, "faster")
    divided = claims._divided(one, other)
    assert (divided.ratio, divided.low, divided.high) == pytest.approx((2, 3.8 / 2.5, 4.2 / 1.9))


def test_without_the_level_of_the_document_a_claim_is_not_measured():
    """As on a CPU without AVX2."""
    (found,) = claims.claims(sampled(claims=[replace(BASE, ratio=["4"], level="x86-64-v4")]))
    assert (found.outcome, found.here) == ("not measured yet", None)
    assert len(found.others) == 2


def test_a_claim_of_changed_sources_is_not_measured():
    measurement = full()
    measurement.sources = dict.fromkeys(measurement.sources, "0" * 64) | {"stage/interchange": "0" * 64}
    (found,) = claims.claims(sampled(measurement, claims=[replace(BASE, ratio=["4"])]))
    assert found.said == "not measured yet: the sources have changed since"


@pytest.mark.parametrize("unit", ["app/miner", "stage/reference", "stage/interchange"])
def test_any_changed_source_takes_the_verdict_of_a_program_back(unit):
    measurement = full()
    measurement.sources[unit] = "0" * 64
    claim = replace(BASE, of="program", program="Mining <b>light</b>", ratio=["1.6"], about=True)
    (found,) = claims.claims(sampled(measurement, claims=[claim]))
    assert found.said == "not measured yet: the sources have changed since"


def test_the_score_counts_each_claim_once():
    found = claims.claims(sampled(claims=[replace(BASE, at_least=3), replace(BASE, ratio=["2"])]))
    score = claims.score(found)
    assert (score["reproduced"], score["more than claimed"], sum(score.values())) == (1, 1, 2)


def test_pages_show_score_verdict_and_slip():
    said = [replace(BASE, at_least=3, surprise=1, means="So it is."), replace(BASE, ratio=["2"], slip="A slip.")]
    measured = {"xtea": [sampled(claims=said)]}
    page = export.claims(measured)
    assert "Of 2 claims: 1 reproduced, 1 more than claimed." in page
    assert "| It is faster. | 00 to 04 | at least 3x |" in page
    assert "A slip." in page
    readme = export.claims(measured, "claims_readme.md.j2")
    assert "**reproduced**. So it is." in readme
    assert "On A &lt;processor> (1/2/3), x86-64-v3: " in readme
    assert [one.claim.surprise for one in claims_view.surprises(measured.values())] == [1]


def test_each_claim_of_the_tree_can_be_judged():
    for name in case_names():
        for claim in read_case(name).claims:
            low, high = claim.span
            assert 0 < low <= high, claim.text
            assert claim.means, claim.text
