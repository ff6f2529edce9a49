"""From built programs to a measurement: who takes part, what stops it, and what a second run goes on with."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import msgspec
import pytest
from measurement_sample import MACHINE
from rich.console import Console

from perf_ladders.commands import measuring, profiling
from perf_ladders.errors import UserError
from perf_ladders.machine import alone, identity, speed
from perf_ladders.measure import assemble, pairs, session
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.measure.runner import Plan, Runner
from perf_ladders.model.evidence import Evidence
from perf_ladders.model.measurement import Run, Step
from perf_ladders.results import store
from perf_ladders.tree import source
from perf_ladders.tree.build import Build, Compiler, NotBuilt, Program
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.paths import STAGES

XTEA = replace(read_case("xtea"), claims=[], exercise=[])
# Of a stage program: it lists its workloads, checks itself, times single calls; what else it is asked for, it does.
SCRIPT = """#!/bin/sh
case "$1" in
  workloads) printf 'message\\tmain\\t25600\\nsweep/8\\tsweep\\t8\\n' ;;
  check) {check} ;;
  sample) seq 100 $((99 + $2)) ;;
esac
"""
RIGHT = "echo '[  PASSED  ] 9 tests.'"
WRONG = "echo '[  FAILED  ] Sizes.Odd'; exit 1"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Makes programs that are shell scripts; nothing is timed, and no tool gathers evidence."""

    def pair(base, stage, workloads, slice_ms, cpu, generator):
        return [PairTimes(name, [1.0] * pairs.SLICES, [1.0] * pairs.SLICES) for name in workloads]

    def no_evidence(runners, builds, context, kept, track):
        return {runner.id: Evidence(missing={"samples": "perf is not installed"}) for runner in runners}

    monkeypatch.setattr(alone, "LOCKS", tmp_path)
    monkeypatch.setattr(pairs, "measured", pair)

    def once(one, padding, part, plan):
        return Run(program=one.id, padding=padding, switches=0, times_ns={key: [1.0] for key in part.workloads})

    monkeypatch.setattr(assemble, "bench", once)
    monkeypatch.setattr(measuring.machine_code, "digest", lambda made: "0" * 64)
    monkeypatch.setattr(pairs, "slices_for", lambda runner, names, cpu, generator: dict.fromkeys(names, 1.0))
    monkeypatch.setattr(speed, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(speed, "operations_per_ns", lambda build, cpu: 12.0)
    monkeypatch.setattr(speed, "rates", lambda build, cpu: {"x86-64": {"vector_bytes": 16.0, "all": 11.0}})
    monkeypatch.setattr(identity, "describe", lambda: MACHINE)
    monkeypatch.setattr(measuring, "busy", list)
    monkeypatch.setattr(measuring, "ROOT", tmp_path)
    monkeypatch.setattr(measuring, "PROFILES", tmp_path / "profile")
    monkeypatch.setattr(measuring, "collect", no_evidence)
    (tmp_path / "build" / "gcc").mkdir(parents=True)

    def program(name, level="x86-64", check=RIGHT, kind="stage", folder=None):
        path = tmp_path / f"{name}.{level}"
        path.write_text(SCRIPT.format(check=check))
        path.chmod(0o755)
        number = name.split("-")[1]
        found = [stage.directory for stage in XTEA.stages if stage.number == number]
        source = (folder or (found[0] if found else STAGES / "xtea" / "peers" / number)) / "stage.cpp"
        return Program("xtea", kind, name, level, "gcc", False, path, path, [], source)

    return program


def measured(tmp_path, programs, levels=None, case=XTEA, **plan):
    flags = dict.fromkeys(("x86-64", "x86-64-v3"), "")
    left_out = [NotBuilt("xtea-03", "TBB is not installed"), NotBuilt("sha3-botan", "botan-2 is not installed")]
    build = Build("gcc", Compiler("gcc", "12", "g++", "-O3"), "Release", "1.7", flags, {}, None, programs, left_out)
    console = Console(file=(tmp_path / "screen").open("a"), width=200)
    asked = Plan(cpu=0, rounds=2, calls=9, **plan)
    return measuring.measured(case, [build], programs, asked, levels, tmp_path / "reports" / "xtea", console)


def commit(folder, monkeypatch):
    """Makes the folder a repository with one commit, and may make more."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A test")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "test@example.org")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        subprocess.run(["git", *words], cwd=folder, check=True)


def screen(tmp_path):
    return (tmp_path / "screen").read_text()


def test_a_measurement_is_whole_and_valid(tree, tmp_path):
    programs = [tree("xtea-00"), tree("xtea-02"), tree("xtea-botan", kind="peer")]
    found, kept = measured(tmp_path, programs, other_rounds=1)
    assert store.load(store.save(found, tmp_path / "xtea.json.xz")) == found
    ids = [one.id for one in found.programs]
    assert ids == [f"{name}.x86-64.gcc" for name in ("reference", "reference-again", "transform", "botan")]
    assert {(step.part, *step.workloads, step.rounds) for step in found.design.steps} == {
        ("main", "message", 2),
        ("others", "sweep/8", 1),
    }
    assert [workload.name for workload in found.workloads] == ["message", "sweep/8"]
    slug = next(stage.slug for stage in XTEA.stages if stage.number == "03")
    assert [(one.name, one.reason) for one in found.left_out] == [(slug, "TBB is not installed")]
    assert found.sources.keys() >= {"stage/reference", "peer/botan", "workloads"}
    assert found.evidence.keys() == {*ids} - {"reference-again.x86-64.gcc"}
    assert found.calls["transform.x86-64.gcc"].count == 9
    assert kept.path.exists(), "until the measurement is written somewhere else"
    again, _ = measured(tmp_path, programs, other_rounds=1)
    assert again == found
    assert "Going on from" in screen(tmp_path)


def test_without_a_sweep_only_the_main_workloads_are_timed(tree, tmp_path):
    found, _ = measured(tmp_path, [tree("xtea-00"), tree("xtea-02")])
    assert [workload.name for workload in found.workloads] == ["message"]
    few = "So few rounds give no verdict on 2 of 2 comparisons on main workloads: that takes 12 or more (ROUNDS=12)."
    assert few in screen(tmp_path)


@pytest.mark.parametrize("cpu", ["AMD EPYC", "not known"])
def test_a_measurement_that_will_not_name_its_cpu_says_so_at_once(tree, tmp_path, monkeypatch, cpu):
    machine = msgspec.structs.replace(MACHINE, cpu=cpu, family_model_stepping=None)
    monkeypatch.setattr(identity, "describe", lambda: machine)
    measured(tmp_path, [tree("xtea-00"), tree("xtea-02")])
    assert ("cannot be published: /proc/cpuinfo does not name the CPU" in screen(tmp_path)) == (cpu == "not known")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("true", None),
        ("echo '// more' >> stages/xtea/04-interchange/stage.cpp", "stages/xtea/04-interchange/stage.cpp"),
        ("git rm -q stages/xtea/04-interchange/stage.cpp", "stages/xtea/04-interchange/stage.cpp"),
        ("git commit -q --allow-empty -m Another", "another commit was checked out"),
    ],
)
def test_sources_or_a_commit_that_change_while_it_measures_are_named(tree, tmp_path, monkeypatch, change, said):
    """The program under measurement makes the change, while its single calls are timed."""
    folder = tmp_path / "tree"
    shutil.copytree(STAGES / "xtea", folder / "stages/xtea")
    monkeypatch.setattr(source, "ROOT", folder)
    monkeypatch.setattr(source, "STAGES", folder / "stages")
    monkeypatch.setattr(session, "ROOT", folder)
    commit(folder, monkeypatch)
    program = tree("xtea-00")
    program.path.write_text(program.path.read_text().replace("sample)", f"sample) (cd {folder}; {change}) ;"))
    measured(tmp_path, [program])
    shown = " ".join(screen(tmp_path).split())
    if said is None:
        assert "While it was measured" not in shown
    else:
        assert f"While it was measured, the tree changed ({said})." in shown


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        ("stages/xtea/stage.cpp", True),
        ("README.md", True),
        ("stages/xtea/another.hpp", True),
        ("notes/to-do.txt", False),
        ("reports/proof/faults.json", False),
    ],
)
def test_a_stray_file_is_no_change_of_what_is_measured(tmp_path, monkeypatch, path, changed):
    for name in ("stages/xtea/stage.cpp", "README.md", "reports/proof/faults.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("Before.")
    commit(tmp_path, monkeypatch)
    monkeypatch.setattr(session, "ROOT", tmp_path)
    assert not session.made_now().changed
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text("After.")
    assert session.made_now(besides=["reports/proof"]).changed == changed


def test_a_source_that_was_edited_after_its_program_was_built_is_not_measured(tree, tmp_path):
    """Its hash would be taken for that of the program."""
    program = tree("xtea-00")
    before = program.source.stat().st_mtime_ns - 1
    os.utime(program.object, ns=(before, before))
    with pytest.raises(UserError, match=r"00-reference/stage\.cpp was edited after .* was built: try again\."):
        measured(tmp_path, [program])
    assert not [*(tmp_path / "reports").glob("*")]


def test_a_file_that_is_edited_during_the_checks_is_not_measured(tree, tmp_path, monkeypatch):
    states = iter(["before", "afterwards"])
    monkeypatch.setattr(source, "files", lambda case: {"stages/xtea/xtea.hpp": next(states), "other": "the same"})
    with pytest.raises(
        UserError, match=r"^stages/xtea/xtea\.hpp was edited while the programs were checked: try again"
    ):
        measured(tmp_path, [tree("xtea-00")])


def test_sources_are_those_of_the_beginning(tree, tmp_path, monkeypatch):
    programs = [tree("xtea-00")]
    first, _ = measured(tmp_path, programs)
    assert "have changed" not in screen(tmp_path)
    monkeypatch.setattr(source, "units", lambda case: {"stage/reference": "other"})
    second, _ = measured(tmp_path, programs)
    assert second.sources == first.sources
    assert "Files of the case have changed since this measurement was begun" in screen(tmp_path)


def test_only_the_levels_that_are_asked_for(tree, tmp_path):
    programs = [tree("xtea-00"), tree("xtea-00", "x86-64-v3")]
    found, _ = measured(tmp_path, programs, ["x86-64-v3"])
    assert {one.level for one in found.programs} == {"x86-64-v3"}
    with pytest.raises(UserError, match="There is no level 'v3'; there are: x86-64, x86-64-v3"):
        measured(tmp_path, programs, ["v3"])
    with pytest.raises(UserError, match="Nothing of xtea was built"):
        measured(tmp_path, programs[:1], ["x86-64-v3"])


def test_a_ladder_without_the_reference_is_left_out(tree, tmp_path):
    found, _ = measured(tmp_path, [tree("xtea-00"), tree("xtea-02", "x86-64-v3")])
    assert found.left_out[-1].name == "transform.x86-64-v3.gcc"
    assert found.left_out[-1].reason == "there is no xtea-00 to compare with"
    with pytest.raises(UserError, match="xtea-00 was not built or does not run here"):
        measured(tmp_path, [tree("xtea-02")])


def test_where_nothing_runs_the_guard_is_quoted(tree, tmp_path):
    with pytest.raises(UserError, match="This CPU lacks AVX-512F") as caught:
        measured(tmp_path, [replace(tree("xtea-00"), cannot="This CPU lacks AVX-512F.")])
    assert caught.value.code == 77


def test_a_wrong_stage_stops_the_measurement_but_an_unfinished_one_of_the_reader_does_not(tree, tmp_path, monkeypatch):
    with pytest.raises(UserError, match=r"xtea-02.x86-64.gcc gives wrong answers \(Sizes.Odd\) and is not measured"):
        measured(tmp_path, [tree("xtea-00"), tree("xtea-02", check=WRONG)], other_rounds=1)
    mine = tree("xtea-90", check=WRONG, folder=STAGES / "xtea" / "90-mine")
    own = replace(XTEA)
    monkeypatch.setitem(own.__dict__, "stages", [*XTEA.stages, type(XTEA.stages[0])("xtea", "90", mine.source.parent)])
    monkeypatch.setattr(measuring, "expect_words", lambda stages, case: None)
    monkeypatch.setattr(source, "units", lambda case: {})
    found, _ = measured(tmp_path, [tree("xtea-00"), mine], case=own, other_rounds=1)
    assert [one.name for one in found.left_out if one.name.startswith("mine")] == ["mine.x86-64.gcc"]
    with pytest.raises(UserError, match=r"xtea-90.x86-64.gcc gives wrong answers"):
        measured(tmp_path, [tree("xtea-00"), mine], case=own)  # a single stage, which is what was asked for


def test_two_stages_of_one_name_are_told_apart_by_nobody(tree, tmp_path):
    copy = tree("xtea-91", folder=STAGES / "xtea" / "91-transform")
    with pytest.raises(UserError, match="02-transform and stages/xtea/91-transform have the same name"):
        measured(tmp_path, [tree("xtea-00"), tree("xtea-02"), copy])


def test_a_build_without_optimisation_is_not_measured(monkeypatch):
    build = Build("debug", Compiler("gcc", flags="-O0 -g"), "Debug", "1.7", {}, {}, None, [], [])
    monkeypatch.setattr(measuring, "read_build", lambda preset: build)
    with pytest.raises(UserError, match="build/debug was compiled without optimisation"):
        measuring.optimised("debug")


def test_the_programs_of_a_stage_are_those_that_run_here(tree):
    two = next(stage for stage in XTEA.stages if stage.number == "02")
    programs = [tree("xtea-02"), tree("xtea-02", "x86-64-v3"), tree("xtea-00")]
    left_out = [NotBuilt("xtea-02", "TBB is not installed")]
    build = Build("gcc", Compiler("gcc"), "Release", "1.7", {}, {}, None, programs, left_out)
    assert measuring.programs_of(two, [build], None) == programs[:2]
    assert measuring.programs_of(two, [build], ["x86-64-v3"]) == programs[1:2]
    with pytest.raises(UserError, match="xtea-02 does not run at novec; it runs at x86-64, x86-64-v3"):
        measuring.programs_of(two, [build], ["novec"])
    with pytest.raises(UserError, match="xtea-02 cannot run here: TBB is not installed") as caught:
        measuring.programs_of(two, [replace(build, programs=[])], None)
    assert caught.value.code == 77


def test_profiles_are_opened_with_the_files_that_are_there(tree, tmp_path):
    runner = Runner.of(tree("xtea-02"))
    found = profiling.Profiled(runner, Evidence(), 1_000.0)
    assert found.commands == []
    folder = tmp_path / "profile" / "xtea-02"
    folder.mkdir(parents=True)
    for name in ("callgrind.out.x86-64.gcc", "perf.x86-64.gcc.data"):
        (folder / name).touch()
    assert found.commands == [
        f"kcachegrind {folder}/callgrind.out.x86-64.gcc",
        f"perf report -i {folder}/perf.x86-64.gcc.data",
    ]


@pytest.mark.parametrize(
    ("levels", "level"),
    [
        (["novec", "x86-64", "x86-64-v3", "x86-64-v4"], "x86-64-v3"),
        (["x86-64"], "x86-64"),
        (["novec", "aarch64"], "aarch64"),
    ],
)
def test_a_profile_is_of_the_level_that_all_tools_know(levels, level):
    assert profiling._profiled_level([SimpleNamespace(level=one) for one in levels]) == level


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(("rounds", "short"), [(12, True), (13, False)])
def test_a_long_ladder_is_told_how_many_rounds_it_needs(rounds, short):
    step = Step(part="main", base="a", stage="b", workloads=["message"], together=17, rounds=rounds)
    said = measuring._announced(XTEA, [], [step], Plan(cpu=0, rounds=rounds, calls=9), [])
    assert ("1 of 1 comparisons on main workloads: that takes 13 or more (ROUNDS=13)" in said) is short
    assert ("No verdict on main workloads comes before round 13." in said) is not short


def test_a_second_measurement_ends_before_it_disturbs_the_first(tree, tmp_path, monkeypatch):
    def disturbing(*_):
        raise AssertionError("it checks programs")

    monkeypatch.setattr(measuring, "_checked", disturbing)
    with alone.alone(), pytest.raises(UserError, match="Another measurement is running"):
        measured(tmp_path, [tree("xtea-00")])
