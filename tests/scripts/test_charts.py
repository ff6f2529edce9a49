"""What stands in the pictures, read from their SVG."""

from __future__ import annotations

import copy
import re
from html import unescape

import pytest
from evidence_sample import enriched

from perf_ladders import charts


@pytest.fixture(scope="module")
def sample(small_result):
    return enriched(small_result)


def words(svg: str) -> list[str]:
    """Line by line."""
    return [unescape(re.sub("<[^>]+>", "", text)) for text in re.findall("<text.*?</text>", svg, re.DOTALL)]


def height(svg: str) -> float:
    return float(re.search(r'viewBox="0 0 \S+ (\S+)"', svg)[1])


@pytest.mark.parametrize("draw", [charts.overview, charts.sizes, charts.ladder, charts.latency])
def test_footnotes_are_wrapped_and_take_nothing_from_the_picture(sample, draw):
    found = copy.deepcopy(sample)
    found["lacks"] = {"much": "messages " + "with a key of so many bits " * 8}
    for one in found["runners"]:
        if one["kind"] == "peer":
            one["lacks"] = ["much"]
    bare, svg = draw(sample), draw(found)
    lines = len(words(svg)) - len(words(bare))
    assert lines > 1
    assert max(map(len, words(svg))) <= 11 * 12
    assert height(svg) == pytest.approx(height(bare) + lines * 0.21 * 72)
