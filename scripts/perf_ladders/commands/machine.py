"""Latency and throughput of instructions on this machine."""

from __future__ import annotations

import argparse

from perf_ladders.commands.measuring import busy, optimised
from perf_ladders.commands.report import written
from perf_ladders.machine import topology
from perf_ladders.machine.alone import alone
from perf_ladders.measure import instructions
from perf_ladders.pages import machine_view, terminal
from perf_ladders.results import store
from perf_ladders.tree.paths import LOCAL_REPORTS


def machine(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    build = optimised(options.preset or "gcc")
    for warning in busy():
        console.print(warning)
    path = store.expect_place((options.out or LOCAL_REPORTS) / f"{store.MACHINE}.json.xz")
    with alone():
        found = instructions.measured(build, topology.cpu_to_pin())
    store.save(found, path)
    if options.json:
        print(machine_view.to_json(found))
    else:
        machine_view.show(found, terminal.output())
    written([path], console)
