"""The atlas of CPUs, from measurements of several machines that are made up."""

from __future__ import annotations

import dataclasses
import re
from types import SimpleNamespace

from conftest import text_of
from evidence_sample import full
from measurement_sample import analysed, made, paired
from msgspec.structs import replace

from perf_ladders.pages import atlas_view, columns_view, export, render
from perf_ladders.results import shown, store
from perf_ladders.stats import Comparison

FAMILIES = {3: "25/1/1", 4: "25/17/1", 5: "26/2/1"}
BY_CORE = "With the same source, level and compiler, and no shared core, they disagree on 04."
SPEED = {"xtea-00": 1.0, "xtea-00-again": 1.0, "xtea-01": 1.0, "xtea-02": 1.0, "xtea-04": 4.0}


def on_zen(number, measurement):
    measurement.machine = replace(measurement.machine, cpu="AMD EPYC", family_model_stepping=FAMILIES[number])
    return measurement


def zen(number, speed=None, **changes):
    """A measurement by fixed blocks; `changes` are speeds of stages: s04=0.5. None leaves the stage out."""
    named = (speed or SPEED) | {f"xtea-{name[1:]}": value for name, value in changes.items()}
    return on_zen(number, made({name: value for name, value in named.items() if value is not None}))


def atlas_of(*measurements):
    return atlas_view.of_case([analysed(one) for one in measurements])


def line_of(found, number="04"):
    return next(line for line in found.lines if line.stage.number == number)


def page_of(found):
    folder = render.Folder()
    folder.page("atlas.html", "atlas.html.j2", cases=[found])
    return folder.files["atlas.html"]


def test_cpus_that_agree():
    found = atlas_of(zen(4), zen(5))
    line = line_of(found)
    assert found.cpus == ["AMD Zen 4", "AMD Zen 5"]
    assert (line.said, line.kind, line.twin) == ("faster on 2 of 2 CPUs", "", None)
    assert line_of(found, "01").said == "no difference on 2 of 2 CPUs"
    assert found.disagreements == []
    assert "No two CPUs were measured that disagree on a step." in text_of(page_of(found))


def test_cpus_that_disagree():
    found = atlas_of(zen(4), zen(5, s04=0.5))
    line = line_of(found)
    assert (line.said, line.kind, line.rank) == ("faster on AMD Zen 4, slower on AMD Zen 5", "opposite", 1)
    assert line.by_core
    assert found.disagreements == [line]
    assert "With the same source, level and compiler, and no shared core, they disagree on 04." in text_of(
        page_of(found)
    )


def test_a_gain_that_another_cpu_does_not_show():
    line = line_of(atlas_of(zen(4), zen(5, s04=1.0)))
    assert (line.said, line.kind) == ("faster on AMD Zen 4, no difference on AMD Zen 5", "partly")


def test_the_most_cpus_are_counted_and_the_others_named():
    assert line_of(atlas_of(zen(3, s04=0.5), zen(4), zen(5))).said == "faster on 2 of 3 CPUs, slower on AMD Zen 3"


def test_two_columns_of_a_cpu_are_one_cpu():
    found = atlas_of(zen(4), zen(4, s04=0.5))
    assert (len(found.columns), found.several) == (2, False)
    assert (line_of(found).said, line_of(found).kind) == ("both faster and slower on AMD Zen 4", "")


def test_opposite_verdicts_come_before_others_and_large_differences_before_small_ones():
    found = atlas_of(zen(4, s01=8.0), zen(5, s01=1.0, s04=0.5))
    assert [line.stage.number for line in found.disagreements] == ["04", "01"]
    assert sorted(line.rank for line in found.lines) == list(range(1, len(found.lines) + 1))


def test_a_step_that_a_machine_did_not_measure():
    found = atlas_of(zen(4), zen(5, s04=None))
    line = line_of(found)
    assert line.said == "faster on AMD Zen 4, not measured on AMD Zen 5"
    assert [cell.why for cell in line.cells] == ["", "not measured yet"]
    assert ">n/a: not measured<" in page_of(found)
    assert "n/a: not measured there" in export.atlas({"xtea": [analysed(zen(4)), analysed(zen(5, s04=None))]})
    lacks = dataclasses.replace(line.cells[1], why="not measured: this CPU lacks AVX-512")
    assert lacks.briefly == "no AVX-512"
    assert dataclasses.replace(lacks, why="not at x86-64").briefly == "not at x86-64"
    assert line.kind == ""
    assert "05" in [stage.number for stage in found.unmeasured]


def test_fixed_blocks_are_a_column_and_are_marked():
    found = atlas_of(zen(4), on_zen(5, paired(SPEED)))
    assert [column.notes for column in found.columns] == [["fixed blocks"], []]
    assert line_of(found, "01").said == "no difference on 2 of 2 CPUs"


def test_a_core_that_somebody_else_used_is_marked():
    shared = paired(SPEED)
    for one in shared.rounds[::2]:
        one.operations_per_ns = [6.0, 6.0]
    assert [column.notes for column in atlas_of(paired(SPEED), on_zen(5, shared)).columns] == [[], ["shared core"]]


def test_two_columns_of_one_cpu_and_compiler_are_told_apart_by_their_dates():
    later = on_zen(5, paired(SPEED))
    later.made.date = "2026-02-03T04:05:06+00:00"
    first, second, third = atlas_of(zen(4), on_zen(5, paired(SPEED)), later).columns
    assert (first.cpu, first.notes) == ("AMD Zen 4", ["fixed blocks"])
    assert second.cpu == third.cpu
    assert second.notes != third.notes == ["2026-02-03 04:05"]


def test_verdicts_of_a_ladder_whose_control_failed_are_not_counted():
    noisy = {"xtea-00-again": 1.5, **SPEED, "xtea-04": 0.1} | {"xtea-00-again": 1.5}
    found = atlas_of(zen(4), zen(5, noisy))
    assert "A/A control failed" in found.columns[1].notes
    line = line_of(found)
    assert (line.said, line.kind) == ("faster on AMD Zen 4, not counted on AMD Zen 5", "")


def test_older_sources_are_marked_and_explain_a_difference():
    old = zen(5, s04=0.5)
    old.sources["stage/interchange"] = "0" * 64
    line = line_of(atlas_of(zen(4), old))
    assert [cell.older for cell in line.cells] == [False, True]
    assert not line.one_source
    assert not line.by_core
    page = text_of(page_of(atlas_of(zen(4), old)))
    assert "Measured from different sources." in page
    assert "None was shown with the same source, level and compiler, and no shared core." in page


def test_a_step_whose_base_has_changed_is_older_too():
    old = zen(5)
    old.sources["stage/transform"] = "0" * 64
    assert line_of(atlas_of(old)).cells[0].older


def test_what_changed_for_all_rows_is_said_once_for_a_measurement():
    old = zen(5)
    old.sources["workloads"] = "0" * 64
    changes = atlas_of(zen(4), old).changes
    assert changes == {"AMD Zen 5, 2026-01-01": "Every row of xtea: its workloads changed since it was measured."}


def test_sources_in_no_commit_are_marked():
    changed = zen(5)
    changed.made.changed = True
    assert "sources in no commit" in atlas_of(changed).columns[0].notes


def test_counts_of_instructions_are_shown_where_cpus_disagree():
    slow = {**SPEED, "xtea-04": 0.5}
    found = atlas_of(on_zen(4, full(SPEED)), on_zen(5, full(slow)))
    twin = line_of(found).twin
    assert twin.ladder == list(analysed(full(SPEED)).ladders)[-1]
    assert twin.counted
    assert twin.equal
    assert [(one.cell.column.cpu, one.row.stage) for one in twin.witnesses] == [
        ("AMD Zen 4", "xtea-02"),
        ("AMD Zen 4", "xtea-04"),
        ("AMD Zen 5", "xtea-02"),
        ("AMD Zen 5", "xtea-04"),
    ]
    assert "equal for the step and its base. So the core may make the difference." in text_of(page_of(found))


def test_other_versions_of_a_compiler_may_be_the_reason():
    newer = zen(5, s04=0.5)
    newer.compilers[0].version = "15"
    found = atlas_of(zen(4), newer)
    assert line_of(found).twin.versions == ["12", "15"]
    assert not line_of(found).by_core
    page = text_of(page_of(found))
    assert "All at x86-64 with GCC 12 and 15: " in page
    assert "The compilers differ in version, which may be the reason." in page


def test_measurements_by_one_version_of_a_compiler_are_compared_first():
    newer, older = zen(5, s04=0.5), zen(5, s04=0.5)
    newer.compilers[0].version = "15"
    found = atlas_of(zen(4), newer, older)
    assert line_of(found).twin.versions == ["12"]
    assert line_of(found).by_core
    assert "differ in version" not in text_of(page_of(found))


def test_two_cpus_disagree_by_the_core_whatever_a_third_was_measured_with():
    """An older source or another compiler on a third CPU hides nothing."""
    older = zen(3)
    older.sources["stage/interchange"] = "0" * 64
    older.compilers[0].version = "11"
    found = atlas_of(older, zen(4), zen(5, s04=0.5))
    line = line_of(found)
    assert line.by_core
    assert [cell.column.cpu for cell in line.twin.cells] == ["AMD Zen 4", "AMD Zen 5"]
    assert "With the same source, level and compiler, and no shared core, they disagree on 04." in text_of(
        page_of(found)
    )
    alike = atlas_of(zen(3, s04=0.5), zen(4), zen(5, s04=0.5))
    assert len(line_of(alike).twin.cells) == 3, "all of them, where all are alike"


def test_what_runs_on_several_cpus_tells_nothing_of_the_core():
    four, five = zen(4), zen(5, s04=0.5)
    for one in four.programs + five.programs:
        one.threads = one.stage == "interchange"
    line = line_of(atlas_of(four, five))
    assert line.said == "faster on AMD Zen 4, slower on AMD Zen 5; it depends on the number of CPUs"
    assert (line.kind, line.disputed) == ("", False)


def test_sources_in_no_commit_are_not_counted():
    changed = zen(5, s04=0.5)
    changed.made.changed = True
    line = line_of(atlas_of(zen(4), changed))
    assert (line.said, line.kind) == ("faster on AMD Zen 4, not counted on AMD Zen 5", "")


def test_opposite_verdicts_stand_beside_an_undecided_one():
    faster, slower, open_ = cell("faster", 1.1, 1.2), cell("slower", 0.8, 0.9), cell("undecided", 0.9, 1.2)
    assert outcome(faster, slower, open_) == "disagree"
    assert outcome(slower, open_) == "undecided"
    assert outcome(slower, slower) == "agree"
    assert outcome(slower, slower, open_) == "undecided", "the third may be the one that disagrees at its own level"


def cell(verdict, low, high, lower=""):
    """On some CPU."""
    found = Comparison((low * high) ** 0.5, low, high, verdict)
    column, row = SimpleNamespace(counts=True, cpu="AMD Zen 4"), SimpleNamespace(vs_base=found)
    return columns_view.Cell(column, row, "", older=False, lower=lower)


def outcome(*cells):
    return columns_view.Twin(("x86-64", "gcc"), [*cells]).outcome


def test_cpus_whose_intervals_overlap_do_not_disagree():
    """Up to 2 %, both verdicts may be true."""
    same, slightly, faster = cell("same", 0.984, 1.02), cell("faster", 1.013, 1.034), cell("faster", 1.021, 1.05)
    assert not same.contradicts(slightly)
    assert outcome(same, slightly) == "undecided"
    assert not faster.contradicts(cell("same code", 0.999, 1.001))
    assert same.contradicts(faster)
    assert outcome(same, slightly, faster) == "disagree"
    assert atlas_view._kind([[same], [slightly]]) == ""
    assert atlas_view._kind([[same, slightly], [faster]]) == "", "one of them may be true of the other CPU, too"
    assert atlas_view._kind([[same], [faster]]) == "partly"
    assert atlas_view._kind([[cell("slower", 0.8, 0.9)], [faster], []]) == "opposite"


def test_a_step_that_does_nothing_at_a_lower_level_says_nothing_of_the_cpu():
    assert cell("same code", 0.999, 1.001).side == "same"
    assert cell("same code", 0.999, 1.001, lower="x86-64").side is None
    assert atlas_view._open([cell("same code", 0.999, 1.001, lower="x86-64")]) == "same code at a lower level"
    both = [cell("same code", 0.999, 1.001, lower="x86-64"), cell("undecided", 0.9, 1.2)]
    assert atlas_view._open(both) == "undecided"


def test_a_shared_core_may_be_the_reason_itself():
    four, five = (on_zen(number, paired({**SPEED, "xtea-01": speed})) for number, speed in ((4, 2.0), (5, 0.5)))
    assert line_of(atlas_of(four, five), "01").by_core
    for one in five.rounds[::2]:
        one.operations_per_ns = [6.0, 6.0]
    found = atlas_of(four, five)
    assert (line_of(found, "01").kind, line_of(found, "01").by_core) == ("opposite", False)
    assert "A core was shared, which may be the reason." in text_of(page_of(found))


def test_a_cpu_that_cannot_run_a_step_is_not_counted():
    lacking = dataclasses.replace(cell("same", 1.0, 1.0), row=None, why="not measured: this CPU lacks AVX-512")
    older = dataclasses.replace(lacking, why="not measured yet")
    found = {"A": [cell("faster", 1.1, 1.2)], "B": [cell("faster", 1.1, 1.2)], "C": [older, lacking]}
    assert atlas_view._sentence(found) == "faster on 2 of 2 CPUs, cannot run on C"


def test_two_compilers_on_one_cpu_are_named_where_they_differ():
    one, other = cell("faster", 1.1, 1.2), cell("same", 0.99, 1.01)
    one.column.place, other.column.place = "GCC 14, x86-64", "Clang 19, x86-64"
    said = atlas_view._sentence({"A": [one, other]})
    assert said == "faster (GCC 14, x86-64) and no difference (Clang 19, x86-64) on A"
    other.column.place = one.column.place
    assert atlas_view._sentence({"A": [one, other]}) == "both faster and no difference on A"


def test_at_a_common_level_cpus_may_agree():
    """The best level of one CPU is one that the other does not have."""
    wide = on_zen(5, full(SPEED))
    slower = {"reference": 100, "reference-again": 100, "transform": 0.1}
    for run in (run for block in wide.blocks for run in block.runs if ".x86-64-v3." in run.program):
        factor = slower.get(run.program.split(".")[0], 1)
        run.times_ns = {name: [factor * time for time in times] for name, times in run.times_ns.items()}
    found = atlas_of(zen(4), wide)
    line = line_of(found)
    assert [column.ladder[0] for column in found.columns] == ["x86-64", "x86-64-v3"]
    assert (line.kind, line.twin.ladder[0], line.twin.outcome) == ("opposite", "x86-64", "agree")
    assert not line.by_core
    assert line not in found.disagreements, "the cores agree"
    assert "The CPUs agree there: the level or compiler makes the difference." in text_of(page_of(found))


def test_counts_that_differ_are_told():
    slow = on_zen(5, full({**SPEED, "xtea-04": 0.5}))
    for name, evidence in slow.evidence.items():
        if name.startswith("interchange."):
            evidence.instructions.per_call *= 1.5
    found = atlas_of(on_zen(4, full(SPEED)), slow)
    assert not line_of(found).twin.equal
    assert "not equal for the step and its base." in text_of(page_of(found))
    bare = atlas_of(zen(4), zen(5, s04=0.5))
    assert "Instructions were not counted on each of them." in text_of(page_of(bare))


def test_a_measurement_of_another_workload_is_left_out():
    other = zen(5)
    other.workloads[0].bytes = 1
    found = atlas_of(zen(4), other)
    assert found.cpus == ["AMD Zen 4"]
    assert "It timed another main workload." in text_of(page_of(found))


def test_a_step_leads_to_its_page_and_a_cell_has_a_sign():
    page = page_of(atlas_of(zen(4), zen(5, s04=0.5)))
    row = re.search(r'<tr id="xtea-04">.*?</tr>', page, re.DOTALL)[0]
    assert 'href="xtea-04-machines.html"' in row
    assert "&nbsp;▲" in row
    assert "&nbsp;▼" in row
    assert "var(--more)" in row
    assert "var(--less)" in row


def test_the_table_in_git_shows_cases_of_several_cpus_and_names_the_others():
    two = export.atlas({"xtea": [analysed(zen(4)), analysed(zen(5, s04=0.5))]})
    assert "| AMD Zen 4; GCC 12, x86-64 (fixed blocks) |" in two
    line = next(line for line in two.splitlines() if "[04 " in line)
    assert re.search(r"x ▲ \| 0.5\d*x ▼ \| faster on Zen 4, slower on Zen 5 \|$", line), "in short"
    one = export.atlas({"xtea": [analysed(zen(4))]})
    assert "- [XTEA](xtea.md): AMD Zen 4" in one
    assert "| step |" not in one


def test_a_measurement_of_ones_own_is_beside_those_of_the_repository(tmp_path, monkeypatch):
    mine, theirs = zen(4), zen(5)
    store.save(theirs, tmp_path / "xtea" / "a.json.xz")
    store.save(mine, tmp_path / "xtea" / "b.json.xz")
    monkeypatch.setattr(store, "RESULTS", tmp_path)
    found = [mine.machine, *(one.measurement.machine for one in shown.others(analysed(mine)))]
    assert found == [mine.machine, theirs.machine]


def test_a_step_that_was_not_measured_at_the_level_of_the_column_has_a_lower_one():
    measurement = on_zen(4, full())
    (top,) = {column.ladder for column in atlas_of(measurement).columns if column.ladder[1] == "gcc"}
    gone = f"for-loop.{top[0]}.gcc"
    measurement.programs = [one for one in measurement.programs if one.id != gone]
    for block in measurement.blocks:
        block.runs = [run for run in block.runs if run.program != gone]
    whole = on_zen(5, full())
    found = atlas_of(measurement, whole)
    lower, *_ = line_of(found, "01").cells
    assert lower.column.ladder[1] == "gcc"
    assert lower.lower not in ("", top[0])
    assert lower.found is not None
    assert f"{lower.lower}</span>" in page_of(found)
    assert {cell.lower for cell in line_of(atlas_of(whole), "01").cells} == {""}


def with_failed_control(measurement, level, **factors):
    """The control of that level takes half of the time. `factors` multiply times of programs at x86-64-v3."""
    for run in (run for block in measurement.blocks for run in block.runs):
        name, at, _ = run.program.split(".")
        factor = 0.5 if (name, at) == ("reference-again", level) else factors.get(name, 1) if at != "x86-64" else 1
        if name == "reference-again" and at != level:
            factor = factors.get("reference", 1)
        run.times_ns = {one: [factor * time for time in times] for one, times in run.times_ns.items()}
    return measurement


def test_at_a_common_level_whose_control_failed_nothing_is_compared():
    wide = with_failed_control(on_zen(5, full(SPEED)), "x86-64", reference=100, transform=0.1)
    line = line_of(atlas_of(zen(4), wide))
    assert (line.kind, line.twin.ladder[0], line.twin.outcome) == ("opposite", "x86-64", "undecided")


def test_a_lower_level_whose_control_failed_shows_no_side():
    found = with_failed_control(on_zen(4, full()), "x86-64")
    found.programs = [one for one in found.programs if one.id != "for-loop.x86-64-v3.gcc"]
    cell = line_of(atlas_of(found), "01").cells[0]
    assert (cell.lower, cell.column.noisy, cell.side) == ("x86-64", True, None)
