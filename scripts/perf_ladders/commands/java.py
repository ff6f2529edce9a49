"""The Java programs of the documents, judged on a JVM: an optional part, which no other command needs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from perf_ladders import sequential
from perf_ladders.commands.measuring import busy
from perf_ladders.commands.report import written
from perf_ladders.errors import UserError
from perf_ladders.evidence import jit
from perf_ladders.machine import topology
from perf_ladders.machine.alone import alone
from perf_ladders.measure import java_project, java_rounds
from perf_ladders.measure.jmh import Host
from perf_ladders.measure.journal import Journal, kept_when_stopped
from perf_ladders.measure.runner import progress_bar
from perf_ladders.pages import java_view, terminal
from perf_ladders.results import store
from perf_ladders.results.java import JavaAnalysis
from perf_ladders.tree.java import JavaCase, java_cases
from perf_ladders.tree.paths import LOCAL_REPORTS

_ROUNDS = 16  # at most: all in about 20 minutes


def claims_java(options: argparse.Namespace) -> None:
    """Each JVM is on disk before the next starts: stopped, the same command goes on."""
    console = terminal.output(stderr=True)
    tools = java_project.tools()
    cases = [case for case in java_cases() if options.case in (None, "all", case.name)]
    if not cases:
        raise UserError(
            f"{options.case} has no Java programs; there are: {', '.join(one.name for one in java_cases())}."
        )
    host = java_project.build(tools, lambda said: console.print(f"{said} ...", markup=False))
    there = java_project.modules(tools.home)
    for case in cases:
        _check(case, host, there)
    names = ", ".join(case.name for case in cases)
    console.print("\n".join([f"{names}: each way in fresh JVMs, about 20 min.", *busy()]), markup=False)
    rounds = options.rounds or (sequential.MOST_ROUNDS if options.more else _ROUNDS)
    with host:
        found = [_measured(case, host, there, rounds, options, console) for case in cases]
    out = terminal.output()
    for analysis in found:
        java_view.show(analysis, out)
    if apart := [f"{one.measurement.case}: {name}" for one in found for name in one.apart]:
        raise UserError(f"A way beside itself came out different ({', '.join(apart)}): measure again.", code=1)


def _check(case: JavaCase, host: Host, modules: Sequence[str]) -> None:
    """Known answers, before anything is timed."""
    for way in case.ways:
        if way not in case.without(modules):
            java_project.check(host, case, way)


def _measured(
    case: JavaCase, host: Host, modules: Sequence[str], rounds: int, options: argparse.Namespace, console: Console
) -> JavaAnalysis:
    cpu = topology.cpu_to_pin()
    os.sched_setaffinity(0, {cpu})  # the JVMs inherit it
    stem: Path = (options.out or LOCAL_REPORTS) / f"{store.JAVA}-{case.name}"
    missing = case.without(modules)
    steps = java_rounds.steps_of(case, [*missing], 1)
    journal = Journal.of_parts(stem, [cpu, str(host.program), host.flags, java_rounds.FIXED, steps, case.sources()])
    if options.more:
        journal.reopen()
    with alone(), progress_bar(console) as progress, kept_when_stopped(journal):
        begun = java_rounds.Session(case, host, journal, console, progress, progress.add_task(case.name, total=None))
        measured = java_rounds.measured(begun, cpu, missing, rounds)
        evidence = jit.of_ways(begun, measured.ways)
    measured = msgspec.structs.replace(measured, jit=evidence)
    path = store.save(measured, stem.with_name(f"{stem.name}.json.xz"), store.IN_JOURNAL)
    journal.finish()
    written([path], console)
    return JavaAnalysis(store.load_java(path))
