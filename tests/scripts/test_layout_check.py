"""The layout check: links of a stage that differ in their addresses alone, and what is said of them."""

from __future__ import annotations

import io
import subprocess

import numpy as np
import pytest
from conftest import program_of
from measurement_sample import GCC, MACHINE
from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.machine import alone
from perf_ladders.measure import layout_check, machine_code, pairs, relink
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.model.layout_check import LayoutCheck, LayoutOfStage
from perf_ladders.model.measurement import Made
from perf_ladders.pages import layout_check_view
from perf_ladders.results import publish, store
from perf_ladders.tree import paths
from perf_ladders.tree.build import Build, Compiler, Program
from perf_ladders.tree.planner import LAYOUT_STAGES

FOUND = LayoutCheck(
    made=Made(date="2026-01-01T00:00:00+00:00", commit="0123456789ab"),
    machine=MACHINE,
    compilers=[GCC],
    rounds=20,
    seed=7,
    stages=[
        LayoutOfStage(program="xtea-05.x86-64-v3.gcc", workload="message", links=[0.99, 1.0, 1.01], copies=[1.0, 1.001])
    ],
)


def measured_program(build, case):
    slug = dict(LAYOUT_STAGES)[case]
    try:
        program = layout_check._program(build, case, slug)
    except UserError:
        pytest.skip(f"{slug} of {case} does not run here at {layout_check.LEVEL}")
    return program_of(build, program.name, program.level)


def address(program, path):
    """Of the code of its stage."""
    lines = subprocess.run(["nm", "--demangle", path], capture_output=True, text=True, check=True).stdout.splitlines()
    return next(line.split()[0] for line in lines if "xtea::encrypt(" in line)


def test_a_link_is_the_same_code_at_another_place(build, tmp_path):
    program = measured_program(build, "xtea")
    generator = np.random.default_rng(3)
    links = [relink.linked(build, program, tmp_path / f"link-{number}", generator) for number in range(4)]
    assert len({address(program, link) for link in links}) > 1
    assert all(subprocess.run([link, "check", "--gtest_brief=1"], check=False).returncode == 0 for link in links[:1])
    assert machine_code.digest(program.object), "what the links share"


def test_links_and_copies_are_compared_with_the_first(build, monkeypatch, tmp_path):
    program = measured_program(build, "xtea")
    monkeypatch.setattr(alone, "LOCKS", tmp_path)  # this measures nothing, so another measurement may run
    monkeypatch.setattr(layout_check, "LINKS", 2)
    monkeypatch.setattr(layout_check, "LAYOUT_STAGES", (("xtea", dict(LAYOUT_STAGES)["xtea"]),))

    def measured(one, two, names, *rest):
        assert one.program.path.name == "first"
        return [PairTimes(names[0], [2.0], [1.0])]

    monkeypatch.setattr(pairs, "measured", measured)
    monkeypatch.setattr(pairs, "slices_for", lambda one, names, *rest: {names[0]: 1.0})
    found = layout_check.run(build, Console(quiet=True))
    (stage,) = found.stages
    assert (stage.program, stage.links, stage.copies) == (program.id, [2.0, 2.0], [2.0, 2.0])


def test_objects_stand_together_where_the_first_of_them_stood():
    words = ["g++", "a.o", "-O3", "b.o", "-o", "x", "lib.a"]
    found = list(relink.with_others(words, ["a.o", "b.o"], ["gap.s", "b.o", "a.o"]))
    assert found == ["g++", "gap.s", "b.o", "a.o", "-O3", "-o", "x", "lib.a"]


def test_a_target_that_ninja_does_not_know(tmp_path):
    (tmp_path / "build.ninja").write_text("rule none\n  command = none\n")
    with pytest.raises(UserError, match="ninja does not know how nothing is made"):
        relink.ninja_command(tmp_path, "nothing")


def test_spreads_are_shown():
    said = layout_check_view.section(FOUND)
    assert "| xtea-05.x86-64-v3.gcc | message | 3 | 1.00 % | 2.02 % | 0.07 % | 0.10 % |" in said
    console = Console(width=80, file=io.StringIO())
    layout_check_view.show(FOUND, console)
    assert max(map(len, console.file.getvalue().splitlines())) <= 80
    assert "xtea-05.x86-64-v3.gcc" in console.file.getvalue(), "nothing is cut"


def test_it_is_kept_and_supersedes_an_older_one_of_the_same_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "RESULTS", tmp_path / "results")
    kept, gone = publish.publish(store.save(FOUND, tmp_path / "layout-check.json.xz"))
    assert (kept.parent.name, gone) == ("layout-check", [])
    assert store.load_any(kept) == FOUND
    newer = LayoutCheck(**{name: getattr(FOUND, name) for name in FOUND.__struct_fields__})
    newer.made = Made(date="2026-02-01T00:00:00+00:00", commit="0123456789ab")
    assert publish.publish(store.save(newer, tmp_path / "layout-check.json.xz"))[1] == [kept]


def test_the_committed_check_is_what_the_documentation_shows():
    text = (paths.ROOT / "docs" / "method.md").read_text("utf-8")
    shown = text.split("<!-- layout-check: begin -->\n")[1].split("<!-- layout-check: end -->\n")[0]
    published = store.newest_first(store.LAYOUT_CHECK, store.load_layout_check)
    if published:
        assert shown == layout_check_view.section(published[0])
    else:
        assert shown == "not measured yet\n"


def test_a_link_that_was_cut_short_is_made_again(tmp_path, monkeypatch):
    folder = tmp_path / "build/gcc"
    folder.mkdir(parents=True)
    path = folder / "made-00.x86-64"
    path.touch()
    program = Program("made", "stage", "made-00", "x86-64", "gcc", False, path, path, [], path)
    build = Build("gcc", Compiler("gcc"), "", "", {}, {}, None, [], [])
    script = ['echo half > "$3"; kill -KILL $$']
    monkeypatch.setattr(relink, "ROOT", tmp_path)
    monkeypatch.setattr(relink, "ninja_command", lambda *_: ["sh", "-c", script[0], "a.o", "-o", "x"])
    with pytest.raises(UserError, match="could not be linked again"):
        relink.several(build, program, 2)
    script[0] = 'echo whole > "$3"'
    assert relink.several(build, program, 2)[1].read_text() == "whole\n"
