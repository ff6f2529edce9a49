"""How often the method is wrong on this machine."""

from __future__ import annotations

import argparse

from perf_ladders.commands.measuring import busy, optimised
from perf_ladders.commands.report import written
from perf_ladders.machine import topology
from perf_ladders.measure import self_check as experiments_of
from perf_ladders.pages import self_check_view, terminal
from perf_ladders.results import store
from perf_ladders.tree.paths import LOCAL_REPORTS


def self_check(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    counts = experiments_of.Counts.from_pairs(options.experiments or (5 if options.quick else 100))
    console.print("\n".join([experiments_of.plan(counts, topology.cpu_to_pin()), *busy()]))
    stem = (options.out or LOCAL_REPORTS) / store.SELF_CHECK
    found, journal = experiments_of.run(optimised(options.preset or "gcc"), counts, stem, console)
    path = store.save(found, stem.with_name(f"{stem.name}.json.xz"), store.IN_JOURNAL)
    journal.delete()
    self_check_view.show(found, terminal.output())
    written([path], console)
