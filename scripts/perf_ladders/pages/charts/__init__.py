"""The pictures of a report, as SVG, from nothing but an analysis."""

from perf_ladders.pages.charts.buffers import parts
from perf_ladders.pages.charts.calls import latency, latency_of_step
from perf_ladders.pages.charts.curves import crossings, sizes
from perf_ladders.pages.charts.data_layouts import data_layout
from perf_ladders.pages.charts.means import against_itself, rankings
from perf_ladders.pages.charts.places import pool
from perf_ladders.pages.charts.steps import ladder, overview
from perf_ladders.pages.charts.work import instructions

__all__ = [
    "against_itself",
    "crossings",
    "data_layout",
    "instructions",
    "ladder",
    "latency",
    "latency_of_step",
    "overview",
    "parts",
    "pool",
    "rankings",
    "sizes",
]
