"""The pictures of a report, as SVG, from nothing but an analysis."""

from perf_ladders.pages.charts.bases import bases
from perf_ladders.pages.charts.buffers import parts
from perf_ladders.pages.charts.calls import latency, latency_of_step
from perf_ladders.pages.charts.curves import crossings, sizes
from perf_ladders.pages.charts.means import against_itself, rankings
from perf_ladders.pages.charts.pictures import picture
from perf_ladders.pages.charts.steps import ladder, overview
from perf_ladders.pages.charts.work import instructions

__all__ = [
    "against_itself",
    "bases",
    "crossings",
    "instructions",
    "ladder",
    "latency",
    "latency_of_step",
    "overview",
    "parts",
    "picture",
    "rankings",
    "sizes",
]
