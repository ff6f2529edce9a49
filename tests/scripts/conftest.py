"""What the tests share: the build under test, and what this tree has."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from perf_ladders.errors import UserError
from perf_ladders.tree import catalogue, git_tags
from perf_ladders.tree.build import Build, Program, is_configured, one_at_a_time, read_build
from perf_ladders.tree.headers import read_header
from perf_ladders.tree.paths import ROOT


def needs(*stages: str) -> pytest.MarkDecorator:
    """For tests about stages that the trees of earlier tags have not yet."""
    cases = {stage.rsplit("-", 1)[0] for stage in stages}
    there = {stage.name for case in cases for stage in catalogue.read_case(case).stages}
    missing = sorted({*stages} - there)
    return pytest.mark.skipif(bool(missing), reason=f"this tree has no {', '.join(missing)}")


@pytest.fixture(scope="session")
def build() -> Build:
    """The build that these tests were started from; without one (plain pytest) the default one."""
    folder = os.environ.get("PERF_LADDERS_BUILD")
    preset = Path(folder).name if folder else "gcc"
    if not is_configured(preset):
        pytest.skip(f"build/{preset} has not been built")
    return read_build(preset)


@pytest.fixture(scope="session")
def built(build: Build) -> Build:
    """With each program at the highest level that runs here. `make test` leaves variants and lower levels to `make
    proof`: of these, an older tree may have left some."""
    highest = {one.name: one for one in build.programs if one.kind != "variant" and not one.cannot}
    if missing := [one.path.name for one in highest.values() if not one.path.exists()]:
        pytest.skip(f"{missing[0]} has not been built")
    return replace(build, programs=[*highest.values()])


@pytest.fixture(scope="session")
def whole_tree() -> None:
    """For tests about all stages of a case, which the trees of tags do not have."""
    try:
        git_tags._expect_whole_tree()
    except UserError as complaint:
        pytest.skip(str(complaint))


@pytest.fixture
def begun(tmp_path: Path):
    """A learner's exercise on XTEA."""
    from exercise_sample import XTEA, begin

    return begin(XTEA, "gcc", "x86-64", "Ada", folder=tmp_path)


@pytest.fixture
def stopping(tmp_path: Path) -> Iterator[str]:
    """A line of sh that starts a process and stops the tests by SIGTERM, as a scheduler does; the process must end."""
    caught = signal.signal(signal.SIGTERM, signal.default_int_handler)
    noted = tmp_path / "started"
    try:
        yield f"sleep 77 & echo $! > {noted}; kill -TERM $PPID; wait"
    finally:
        signal.signal(signal.SIGTERM, caught)
    process = Path("/proc", noted.read_text("ascii").strip())
    outlived = process.exists()
    if outlived:
        os.kill(int(process.name), signal.SIGKILL)
    assert not outlived


def words_of(drawn: str) -> list[str]:
    """Of a picture, line by line."""
    return [unescape(re.sub("<[^>]+>", "", text)) for text in re.findall("<text.*?</text>", drawn, re.DOTALL)]


def text_of(page: str) -> str:
    """Without what HTML is for."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())


def program_of(build: Build, name: str, level: str) -> Program:
    """Built now if `make test` left it to `make proof`."""
    program = next((one for one in build.programs if (one.name, one.level) == (name, level)), None)
    if program is None or program.cannot:
        pytest.skip(f"there is no {name} for {level} here")
    if not program.path.exists():
        folder = ROOT / "build" / build.preset
        with one_at_a_time(folder):
            command = ["cmake", "--build", folder, "--target", program.path.name]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            pytest.fail(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return program


def app_program(build: Build, case: str, app: str, slug: str = "") -> Path:
    """A case's program around the stage of that slug, or around the last of the stages that run on every CPU: at the
    highest level that runs here, for an older tree may have left it at others."""
    mine = [program for program in build.programs if (program.case, program.kind) == (case, "stage")]
    mine = [one for one in mine if slug in ("", one.source.parent.name[3:]) and not read_header(one.source).requires]
    lowest = next(level for level in build.flags if any(program.level == level for program in mine))
    last = max(one.name for one in mine if one.level == lowest)
    highest = next(one for one in reversed(mine) if one.name == last and not one.cannot)
    if app not in highest.apps or not highest.apps[app].exists():
        pytest.skip(f"{app} has not been built")
    return highest.apps[app]
