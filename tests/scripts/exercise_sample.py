"""An exercise that has begun, and attempts as a judge may leave them."""

from datetime import UTC, datetime

import pytest

from perf_ladders.stats import Comparison
from perf_ladders.tree import catalogue, paths
from perf_ladders.tree.build import Build, Compiler, Program
from perf_ladders.workshop import exercise, judge
from perf_ladders.workshop.board import Passed, Where
from perf_ladders.workshop.building import Field
from perf_ladders.workshop.gain import Gain
from perf_ladders.workshop.judge import Attempt

XTEA = catalogue.read_case("xtea")
SAME, DIFFERS = Comparison(1.0, 0.99, 1.01, "same"), Comparison(1.5, 1.4, 1.6, "faster")  # the reference and itself


def begin(case, preset=None, level=None, who=None, **more):
    if len(XTEA.stages) == 1:
        pytest.skip("the tree of xtea-00 has no step")
    begun = exercise.begin(case, preset, who, **more)
    begun.state.level = level or begun.state.level
    begun.board.write()
    return begun


def how(ratio, source="// a kernel\n"):
    """As a passed attempt is kept."""
    found = Comparison(ratio, 0.9 * ratio, 1.1 * ratio, "faster")
    machine = Where(cpu="C", cpus=2, memory_gib=8, architecture="x", system="S", kernel="6", virtual_machine="no")
    known = {"compiler": "gcc", "level": "x86-64", "workload": "message", "rounds": 10, "remark": ""}
    ratios = {"vs_reference": found, "vs_base": found, "vs_answer": found}
    return Passed(date=datetime.now(UTC), machine=machine, source=source, **known, **ratios)


def passed(climbed, ratio):
    """With what stands in the file."""
    climbed.pass_step(how(ratio, climbed.source.read_text("utf-8")))


def compared(ratio, verdict="faster"):
    return Comparison(ratio, 0.99 * ratio, 1.01 * ratio, verdict if ratio > 1.02 else "same")


def gained(mine, answer, control=SAME, verdict="faster"):
    judged = [judge.standing(compared(one, verdict), control) for one in (mine, answer, mine / answer)]
    return Gain(*judged, control)


def attempted(*gains):
    """On one workload after the other."""
    return Attempt(gains={f"w{place}": one for place, one in enumerate(gains)})


def field(mine="xtea-mine"):
    nowhere = paths.ROOT / "nowhere"

    def program(name):
        return Program("xtea", "stage", name, "x86-64", "gcc", False, nowhere, nowhere, [], nowhere)

    names = (mine, "xtea-00", "xtea-00", "xtea-01", "xtea-02")
    build = Build("gcc", Compiler("gcc"), "", "", {}, {}, None, [], [])
    return Field(XTEA, build, "message", *map(program, names))
