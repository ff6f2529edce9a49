"""Reports: measured, rendered again, merged, published, compared with the tree."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console

from perf_ladders.commands.findings import Report
from perf_ladders.commands.grammar import FORMATS
from perf_ladders.commands.measuring import measured, optimised
from perf_ladders.errors import UserError
from perf_ladders.evidence.call_stacks import read_stacks
from perf_ladders.machine import topology
from perf_ladders.measure.runner import Plan
from perf_ladders.pages import (
    exchange,
    export,
    java_view,
    layout_check_view,
    machine_view,
    machines_view,
    proof_view,
    render,
    self_check_view,
    site,
    terminal,
)
from perf_ladders.results import acceptance, guards, publish, schema, staleness, store
from perf_ladders.results.analysis import Analysis
from perf_ladders.sequential import CAP, MOST_ROUNDS
from perf_ladders.tree import files, paths
from perf_ladders.tree.catalogue import Case, case_names, cases_named, read_case
from perf_ladders.tree.paths import LOCAL_REPORTS, ROOT, shown

_QUICK_APP_S = 15.0  # the longest that a quick report may take for a program of the case


def report(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    names = cases_named(options.case)
    quick, out = options.quick or options.case is None, options.out or LOCAL_REPORTS
    found = [_measured(read_case(name), quick, options, out, console) for name in names]
    written(render.write_index(out, console), console)
    for analysis in found:
        terminal.show_answer(analysis, out, terminal.output())
    if broken := [sentence for analysis in found for sentence in guards.errors(analysis)]:
        raise UserError(" ".join(broken), code=1)


def _measured(case: Case, quick: bool, options: argparse.Namespace, out: Path, console: Console) -> Analysis:
    builds = [optimised(preset) for preset in options.preset or ["gcc"]]
    programs = [program for build in builds for program in build.programs if program.case == case.name]
    rounds = options.rounds or (MOST_ROUNDS if options.more else 20 if quick else CAP)
    plan = Plan(
        cpu=topology.cpu_to_pin(),
        rounds=rounds,
        other_rounds=min(rounds, 1 if quick else CAP if options.more else 20),
        calls=max(2_500, case.lesson.warm_up + case.lesson.rounds if case.lesson else 0),
        whole_rounds=10 if quick else 12,
        app_rounds=5 if quick else 12,
        app_limit_s=_QUICK_APP_S if quick else None,
        aa_experiments=20 if quick else 100,
    )
    measurement, journal = measured(case, builds, programs, plan, options.level, out / case.name, console, options.more)
    data = store.save(measurement, out / f"{case.name}.json.xz", store.IN_JOURNAL)
    journal.finish()
    analysis = Analysis(case, measurement)
    written([data, *render.write_local(analysis, out, data)], console)
    return analysis


def render_again(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    data: Path = options.result.resolve()
    measurement = store.load(data)
    folder = LOCAL_REPORTS if data.parent == LOCAL_REPORTS else LOCAL_REPORTS / data.name.split(".")[0]
    files = render.write_local(Analysis(read_case(measurement.case), measurement), folder, data)
    index = render.write_index(folder, console, () if folder == LOCAL_REPORTS else [data])
    written(list(dict.fromkeys([*files, *index])), console)


def export_result(options: argparse.Namespace) -> None:
    path, form = options.result, options.format
    if form is None:
        raise UserError(f"Name a format: --format {', --format '.join(FORMATS)}.")
    if form in exchange.PROFILE_FORMATS:
        text = exchange.PROFILE_FORMATS[form](read_stacks(path), f"{path.parent.name} {path.name}")
    else:
        found = store.load(path)
        text = exchange.FORMATS[form](Analysis(read_case(found.case), found))
    if options.out and options.out.resolve() == path.resolve():
        raise UserError(f"--out {options.out} is the result itself: name another file.")
    if options.out:
        written([render.write_text(options.out, text)], terminal.output(stderr=True))
    else:
        sys.stdout.write(text)


def merge(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    paths = files.matching(options.result)
    if len(paths) < 2:
        raise UserError("Name two measurement files or more: ./ladders merge a.json.xz b.json.xz")
    with console.status("Reading the measurements ..."):
        page = machines_view.write(paths, options.out or LOCAL_REPORTS)
    written([page], console)


def write_site(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    folder = options.out or ROOT / "build" / "site"
    with console.status("Writing the site ..."):
        index = site.write(folder)
    written([index], console)


def write_pages(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    with console.status("Writing the pages of all cases ..."):
        files = [*_pages_of_results(), schema.write()]
    written(files, console)


def _pages_of_results() -> list[Path]:
    return [
        *export.write(),
        *self_check_view.write(),
        *layout_check_view.write(),
        *machine_view.write(),
        *java_view.write(),
        *proof_view.write(),
    ]


def publish_result(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    kept, gone = publish.publish(options.result)
    for path in gone:
        console.print(f"deleted {shown(path)}, which {shown(kept)} supersedes", markup=False)
    written([kept, *_pages_of_results()], console)


def report_check(options: argparse.Namespace) -> None:
    every = files.matching(options.result) or [path for name in case_names() for path in store.paths(name)]
    if not every:
        raise UserError(f"There is no measurement in {shown(paths.RESULTS)}.")
    out = terminal.output(soft_wrap=True)
    stale = 0
    for path in every:
        found = staleness.stale(path)
        stale += len(found)
        out.print(f"{shown(path.resolve())}: {f'stale, {len(found)}' if found else 'fresh'}", markup=False)
        for sentence in found:
            out.print(f"  {sentence}", markup=False)
    if stale:
        raise UserError(f"Stale: {stale}. CONTRIBUTING.md says how to measure and publish again.", code=1)


def result_check(options: argparse.Namespace) -> None:
    """A screen for each file. One that does not decode ends it with exit code 2."""
    if not options.result:
        raise UserError("Name a measurement file: ./ladders result-check reports/local/xtea.json.xz.")
    refused = []
    for path in files.matching(options.result):
        found = acceptance.checks(store.load_any(path))
        told = Report()
        told.section(str(path))
        for one in found:
            told.say(one.mark, f"{one.what}: {one.found}")
        if any(one.mark == "fails" for one in found):
            refused.append(str(path))
        else:
            kept = paths.RESULTS in path.resolve().parents
            print(f"It can be published{'.' if kept else f': ./ladders publish {path}'}")
    if refused:
        sys.stdout.flush()
        raise UserError(f"It cannot be published: {', '.join(refused)}. The lines with `fails` say why.", code=1)


def written(paths: list[Path], console: Console) -> None:
    for path in paths:
        console.print(f"wrote {shown(path.resolve())}", markup=False, soft_wrap=True)
