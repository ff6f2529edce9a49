"""Do right answers pass on a busy machine? The first three steps of two cases, each judged again and again beside a
neighbour on the same core: a part of `make proof`, for it measures for half an hour.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from rich.console import Console

from perf_ladders.machine import alone, topology
from perf_ladders.sequential import CAP
from perf_ladders.tree import catalogue
from perf_ladders.workshop import building, judge

_TRIES, _PASS = 20, 19
_WRONG_TRIES = 5  # of the code that a step begins with, which may take until the last round each time
_STEPS = 3
# Half of the time, in turns that are longer than a slice and shorter than a round.
_NEIGHBOUR = """
import time
while True:
    end = time.perf_counter() + 0.05
    while time.perf_counter() < end:
        pass
    time.sleep(0.05)
"""


@pytest.fixture
def neighbour():
    cpu = topology.cpu_to_pin()
    with subprocess.Popen([sys.executable, "-c", _NEIGHBOUR]) as process:
        os.sched_setaffinity(process.pid, {cpu})
        yield cpu
        process.kill()


def first_steps():
    found = [catalogue.read_case(name) for name in ("xtea", "salsa20") if name in catalogue.case_names()]
    return [(case.name, stage.number) for case in found for stage in case.main_path[1 : 1 + _STEPS]]


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize(("name", "number"), first_steps())
def test_right_answers_pass_beside_a_neighbour(build, neighbour, monkeypatch, tmp_path, name, number):
    if build.preset not in ("gcc", "clang"):
        pytest.skip(f"times of the preset {build.preset} mean nothing")
    case = catalogue.read_case(name)
    stage = case.stage(number)
    base = case.base(stage)
    level = building.level_of(case, build.preset, None)
    monkeypatch.setattr(alone, "LOCKS", tmp_path)  # else another measurement would hold this one up

    def passes(mine):
        place = building.field_of(case, stage, build.preset, level, mine)
        found = judge.judge(place, CAP, None, neighbour, Console(quiet=True), lambda what: None)
        assert not found.wrong
        return found.passes, bool(found.alike)

    tries = [passes(stage.name)]
    passed, untimed = tries[0]
    if untimed:  # the same, however often
        assert passed
        return
    tries += [passes(stage.name) for _ in range(_TRIES - 1)]
    assert sum(one for one, _ in tries) >= _PASS
    assert not any(one for one, _ in (passes(base.name) for _ in range(_WRONG_TRIES)))
