"""One stage: measured, profiled, or compared with the one it builds on."""

from __future__ import annotations

import argparse
import os
from contextlib import nullcontext

from perf_ladders.commands.compare import sentence
from perf_ladders.commands.measuring import measured, optimised, programs_of
from perf_ladders.commands.profiling import profiled
from perf_ladders.machine import topology
from perf_ladders.measure.rounds import Measured
from perf_ladders.measure.runner import Plan, workloads_of
from perf_ladders.measure.steps import FIRST
from perf_ladders.model.measurement import AGAIN
from perf_ladders.pages import figures, formatting, stage_in_terminal, terminal
from perf_ladders.pages.profile_in_terminal import Side, show_comparison, show_profile
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.shown import by_file, of_stage
from perf_ladders.results.times import OfPairs
from perf_ladders.sequential import CAP
from perf_ladders.stats import MIN_FLOOR
from perf_ladders.tree import catalogue
from perf_ladders.tree.idea import idea_lines
from perf_ladders.tree.notes import section, without_markers
from perf_ladders.tree.paths import LOCAL_REPORTS


def run_stage(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    case, stage = catalogue.find_stage(options.stage)
    builds = [optimised(preset) for preset in options.preset or ["gcc"]]
    ladders = {(program.level, program.compiler) for program in programs_of(stage, builds, options.level)}
    base = case.base(stage)
    wanted = {stage.name, f"{case.name}-00"} | ({base.name} if base else set())
    every = [program for build in builds for program in build.programs]
    programs = [p for p in every if p.name in wanted and (p.level, p.compiler) in ladders]
    plan = Plan(cpu=topology.cpu_to_pin(), rounds=options.rounds or CAP, calls=2_500)

    def tell(part: str, so_far: Measured) -> None:
        if part != FIRST or not base:
            return
        times = OfPairs(so_far.pairs, so_far.slices, so_far.steps, so_far.codes)
        first = [one for one in so_far.steps if one.part == FIRST]
        sides = f"{base.slug}.", f"{stage.slug}."
        mine = next((one for one in first if one.base.startswith(sides[0]) and one.stage.startswith(sides[1])), None)
        control = next((one for one in first if one.stage.split(".")[0].endswith(AGAIN)), None)
        if mine and control:
            workload = mine.workloads[0]
            gate = times.compare(control.base, control.stage, workload, MIN_FLOOR, 1)
            found = times.compare(mine.base, mine.stage, workload, times.floor(gate) if gate else None, 1)
            if found:
                name = f"{workload}, {mine.stage.split('.')[1]}"
                console.print(sentence(found, (base.name, stage.name), name), markup=False)

    stem = LOCAL_REPORTS / stage.name
    found, journal = measured(case, builds, programs, plan, options.level, stem, console, tell=tell)
    stage_in_terminal.show(Analysis(case, found), stage.name, terminal.output())
    journal.delete()


def profile(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    case, stage = catalogue.find_stage(options.stage)
    builds = [optimised(preset) for preset in options.preset or ["gcc"]]
    found = profiled(case, stage, builds, options.level, console)
    out = terminal.output()
    out.print(f"{stage.name}: {stage.notes.title}", style="bold", markup=False)
    for one in found:
        sides = [Side(part.runner.program.name, part.evidence, part.call_ns) for part in (one.base, one) if part]
        show_comparison(one.runner.id, sides, workloads_of(one.runner.program)[0], out)
        show_profile(one.evidence, out)
    commands = [command for one in found for command in one.commands]
    if commands:
        out.print("To open the profiles:")
        for command in commands:
            out.print(f"    {command}", markup=False, soft_wrap=True)


def read_stage(options: argparse.Namespace) -> None:
    """What a stage needs to be read: the lines that carry its idea, then all in the order of its notes."""
    case, stage = catalogue.find_stage(options.stage)
    found, base = by_file(case), case.base(stage)
    analysis = of_stage(stage, found)[1] if found else None
    notes = figures.filled(stage, case, analysis)
    out = terminal.output()
    os.environ.setdefault("LESS", "-FRX")  # colours as they are; no window for what fits
    with out.pager(styles=True) if out.is_terminal else nullcontext():
        out.print(f"{stage.name}: {stage.notes.title}", style="bold", markup=False)
        if lines := idea_lines(case, stage):
            out.print("\nThe idea", style="bold underline")
            terminal.show_code(lines, out)
        for heading in ("Hypothesis", "Change", "Result"):
            out.print(f"\n{heading}", style="bold underline")
            terminal.show_prose(without_markers(section(notes, heading)), out)
            if heading == "Change" and base:
                terminal.show_diff(case.diff(stage), out)
        if analysis:
            out.print(f"\nMeasured on: {formatting.machine_line(analysis.measurement)}", style="dim", markup=False)
        out.print(f"Your own machine: make run-stage {stage.name}", style="dim")


def diff_stage(options: argparse.Namespace) -> None:
    console = terminal.output(stderr=True)
    case, stage = catalogue.find_stage(options.stage)
    base, diff = case.base(stage), case.diff(stage)
    console.print(f"{stage.name}: {stage.headline}", style="bold", markup=False)
    if base is None:
        console.print("It is the reference: there is no stage before it.")
    elif diff:
        console.print(f"From {base.name}: {base.headline}", markup=False)
    else:
        console.print(f"Its code is that of {base.name}.")
    terminal.show_diff(diff, terminal.output(soft_wrap=True))
