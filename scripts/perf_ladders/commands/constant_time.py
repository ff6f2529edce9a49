"""Which stages keep their secrets out of branches and addresses?"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from perf_ladders.evidence.constant_time import check
from perf_ladders.model.proof import CheckedStage, ConstantTime, TimedSecrets, TimingLeaks
from perf_ladders.results import proof, store
from perf_ladders.results.constant_time import has_secrets, said
from perf_ladders.tree.build import Build, read_build
from perf_ladders.tree.catalogue import cases_named, read_case
from perf_ladders.tree.paths import shown


def constant_time(options: argparse.Namespace) -> None:
    if options.out:
        store.expect_place(options.out)
    names = cases_named(options.case or "all")
    build = read_build(options.preset or "gcc")
    found = [one for name in names for one in checked(name, build)]
    if options.out and found:
        print(f"wrote {shown(write(found, build, options.out))}")


def checked(name: str, build: Build) -> Iterator[CheckedStage]:
    """The stages of a case. Prints what is known of each as soon as it is."""
    if not has_secrets(name):
        print(f"{name}: not applicable, for nothing in this case is secret")
        return
    stages = [stage for stage in read_case(name).stages if not stage.is_own]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for stage, found in zip(stages, pool.map(lambda one: check(one, build), stages), strict=True):
            print(f"{stage.name}  {said(found)}", flush=True)
            for at in found.levels:
                print(f"    {at.level:<10}  {at.verdict}{f' ({at.reason})' if at.reason else ''}")
            for leak in found.leaks:
                print(f"    {leak.place}: the {leak.kind} depends on a secret: {leak.text}")
            yield found


def write(found: Sequence[CheckedStage], build: Build, path: Path) -> Path:
    cases = ", ".join(read_case(name).title for name in dict.fromkeys(one.case for one in found))
    what = (
        f"Constant time: stages of {cases}, compiled by {build.compiler.name} {build.compiler.version}. "
        "Found: those with a branch or an address that depends on keys or contents."
    )
    leaks = sum(one.verdict == "leaks" for one in found)
    return proof.write(ConstantTime(tried=len(found), found=leaks, what=what, details=[*found], **proof.now()), path)


def write_timed(found: Sequence[TimedSecrets], path: Path, limit: float) -> Path:
    what = f"Stages whose calls were timed with fixed and with random secrets. Found: Welch's t beyond {limit:g}."
    leaks = sum(abs(one.t) > limit for one in found)
    return proof.write(TimingLeaks(tried=len(found), found=leaks, what=what, details=[*found], **proof.now()), path)
