"""How much the place of code in memory changes a time."""

from __future__ import annotations

import argparse

from perf_ladders.commands.measuring import busy, optimised
from perf_ladders.commands.report import written
from perf_ladders.measure import layout_check as links_of
from perf_ladders.pages import layout_check_view, terminal
from perf_ladders.results import store
from perf_ladders.tree.paths import LOCAL_REPORTS
from perf_ladders.tree.planner import LAYOUT_STAGES


def layout_check(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    stages = ", ".join(f"{slug} of {case}" for case, slug in LAYOUT_STAGES)
    console.print("\n".join([f"Each of {stages} is linked {links_of.LINKS} times, about 5 min.", *busy()]))
    path = store.expect_place((options.out or LOCAL_REPORTS) / f"{store.LAYOUT_CHECK}.json.xz")
    found = links_of.run(optimised(options.preset or "gcc"), console)
    store.save(found, path)
    layout_check_view.show(found, terminal.output())
    written([path], console)
