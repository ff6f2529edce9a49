"""From an analysis to pages and pictures, without a browser."""

from __future__ import annotations

import html
import io
import re
from collections import Counter
from dataclasses import replace
from html import unescape

import pytest
from evidence_sample import case_of, full, sampled, without
from measurement_sample import analysed, made, paired, program, small
from msgspec.structs import replace as changed
from rich.console import Console

from perf_ladders.model.evidence import HotLine
from perf_ladders.model.measurement import WholePrograms, Workload
from perf_ladders.model.record import LeftOut
from perf_ladders.pages import (
    answer,
    app_view,
    case_view,
    charts,
    export,
    formatting,
    index_view,
    numbers_view,
    render,
    stage_view,
    steps_view,
    templating,
)
from perf_ladders.results import analysis as of_measurement
from perf_ladders.results import claims, libraries, multibuffer, queries, store
from perf_ladders.results.shown import shown as shown_analysis
from perf_ladders.stats import Comparison
from perf_ladders.tree import catalogue, paths
from perf_ladders.tree.case_file import Breakdown, BreakdownPart
from perf_ladders.tree.catalogue import Case
from perf_ladders.tree.notes import section


@pytest.fixture(scope="module")
def sample():
    """For tests that change nothing."""
    return sampled()


@pytest.fixture(scope="module")
def written(sample, tmp_path_factory):
    return write(sample, tmp_path_factory.mktemp("written"))


def write(analysis, folder):
    store.save(analysis.measurement, folder / "xtea.json.xz")
    render.write_local(analysis, folder, folder / "xtea.json.xz")
    made_index = render.Folder()
    render.index_page(made_index, [(analysis, "xtea.json.xz")], [[analysis]])
    made_index.write(folder)
    return folder


EMPTY = '<svg viewBox="0 0 1 1"></svg>'


def quick(analysis, folder, *drawn):
    """Without drawing, but for the pictures that are named: for tests of what pages say."""
    pictures = {kind: (lambda _: EMPTY, render._PICTURES[kind][1]) for kind in ("overview", "ladder")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "_PICTURES", {**pictures, **{kind: render._PICTURES[kind] for kind in drawn}})
        patch.setattr(charts, "overview", lambda _: EMPTY)
        patch.setattr(charts, "latency_of_step", lambda *_: None)
        return write(analysis, folder)


def text_of(page):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.read_text())).split())


def row_of(analysis, stage, level="x86-64", workload="message"):
    return next(r for r in analysis.rows if (r.stage, r.level, r.workload) == (stage, level, workload))


def test_the_same_measurement_gives_the_same_files(sample, written, tmp_path):
    again = write(sample, tmp_path)
    names = sorted(path.name for path in written.iterdir())
    assert names == sorted(path.name for path in again.iterdir())
    stages = {f"{stage.name}.html" for stage in sample.case.stages}
    pictures = {f"xtea-{kind}.svg" for kind in ("instructions", "ladder", "latency", "overview", "sizes")}
    assert {"index.html", "xtea.html", "xtea-programs.html", "xtea-numbers-x86-64.html"} | stages | pictures < {*names}
    for name in names:
        assert (written / name).read_bytes() == (again / name).read_bytes()


def test_pages_need_no_network_and_escape_what_they_show(tmp_path, monkeypatch):
    evil = '<script>alert("x")</script>'
    measurement = full()
    measurement.machine = changed(measurement.machine, cpu=evil, family_model_stepping=None)
    for found in measurement.evidence.values():
        found.instructions.functions[0].name = found.instructions.lines[0].text = evil
        found.loop.instructions[0].text = found.loop.symbol = evil
        found.counters, found.missing = None, {"counters": evil}
    case = case_of(measurement, title=evil, summary=evil)
    case = replace(case, claims=[replace(claim, text=evil) for claim in case.claims])
    for stage in case.stages:
        stage.__dict__["headline"] = evil
        text = stage.notes.text.replace("## Result\n", f"## Result\n\n{evil}\n")
        stage.__dict__["notes"] = replace(stage.notes, title=evil, text=text)
    monkeypatch.setattr(Case, "diff", lambda *_: f"--- a\n+++ b\n+{evil}")
    pages = list(quick(of_measurement.Analysis(case, measurement), tmp_path).glob("*.html"))
    assert len(pages) == 8 + len(case.stages)
    for path in pages:
        page = path.read_text()
        assert page.count("<script>") == 1, path.name
        assert "&lt;script&gt;" in page
        assert "&amp;lt;" not in page
        assert not re.search(r'\s(?:src|href|data-src)="(?:[a-z]+:|//)', page)
        assert "@import" not in page
        assert "url(http" not in page


def test_numbers_on_the_pages_follow_from_the_measurement(written, sample):
    for level in ("x86-64", "x86-64-v3"):
        page = (written / f"xtea-numbers-{level}.html").read_text()
        for row in (row for row in sample.first_rows if row.level == level):
            lines = re.findall(rf'<tr[^>]*title="{re.escape(row.place)}".*?</tr>', page, re.DOTALL)
            text = unescape(re.sub(r"<[^>]+>", " ", " ".join(lines)))
            assert formatting.time(row.mean_ns) in text
            assert formatting.number(row.ns_byte) in text
            assert formatting.number(row.instructions_byte) in text
            assert formatting.ratio(row.vs_reference) in text
            assert formatting.verdict(row.vs_base) in text


def test_the_full_table_is_on_no_other_page(written):
    assert "SD inside / between processes" in (written / "xtea-numbers-x86-64.html").read_text()
    for path in written.glob("*.html"):
        if "numbers" not in path.name:
            assert "SD inside / between processes" not in path.read_text()


def test_a_profile_is_on_the_page_of_its_stage_alone(written):
    pages = {path.name: path.read_text().count('<section class="profile"') for path in written.glob("*.html")}
    measured = {f"xtea-{number}.html" for number in ("00", "01", "02", "04")}
    assert {name for name, count in pages.items() if count} == measured
    assert {pages[name] for name in measured} == {2}  # one for each level
    assert '<a href="xtea-02.html#profile">' in (written / "xtea-04.html").read_text()
    assert 'id="profile"' in (written / "xtea-02.html").read_text()


def test_reasons_are_given_for_what_is_missing(written, tmp_path):
    reason = "n/a (the kernel lets nobody count: perf_event_paranoid is 3)"
    assert any(reason in page.read_text() for page in written.glob("xtea-*.html"))
    assert any("n/a (this compiler gives none)" in page.read_text() for page in written.glob("xtea-*.html"))
    bare = full()
    bare.whole_programs = WholePrograms(missing="hyperfine is not installed")
    for name, found in bare.evidence.items():
        fields = ("instructions", "counters", "samples", "loop", "estimate", "remarks")
        bare.evidence[name] = changed(found, **dict.fromkeys(fields), missing=dict.fromkeys(fields, "because"))
    folder = quick(sampled(bare), tmp_path)
    assert "n/a (hyperfine is not installed)" in (folder / "xtea-numbers-x86-64.html").read_text()
    assert (folder / "xtea-04.html").read_text().count("n/a (because)") >= 5


def test_the_control_comes_first(written):
    text = (written / "xtea-numbers-x86-64.html").read_text()
    assert text.index("the reference again") < text.index("A for loop")


def test_what_was_left_out_is_said(written):
    assert "parallel: TBB is not installed" in (written / "xtea.html").read_text()


def test_notes_stand_around_what_was_measured(written):
    page = (written / "xtea-04.html").read_text()
    order = ["The rounds of one block", "The loop over rounds moves outside", 'class="plus"', "The profile"]
    order += ["At level <code>novec</code> the compiler", "over 02", "At novec it comes from overlapping"]
    places = [page.index(text) for text in order]
    assert places == sorted(places)
    assert "3x to 5.5x" in page


def test_a_stage_that_is_not_measured_has_a_page_that_says_so(written):
    page = (written / "xtea-05.html").read_text()
    assert "Not measured yet." in page
    assert 'class="plus"' in page
    assert "not measured yet" in (written / "xtea.html").read_text()
    assert "not measured yet" in (written / "index.html").read_text()


def test_rows_of_an_older_source_are_marked_in_one_word(written, tmp_path):
    assert ">older<" not in (written / "xtea.html").read_text()
    old = full()
    old.sources["stage/interchange"] = "0" * 64
    folder = quick(sampled(old), tmp_path)
    page = (folder / "xtea.html").read_text()
    marked = re.findall(r'<a href="(xtea-\d\d).html">[^<]*</a> <span class="open">older</span>', page)
    assert {*marked} == {"xtea-04"}
    assert page.count("has changed since it was measured") == 1
    assert "has changed since it was measured" in (folder / "xtea-04.html").read_text()


def test_a_hot_line_is_quoted_or_the_header_named():
    line = HotLine(file="stages/x/stage.cpp", line=3, text="  x += y;", share=1)
    assert formatting.source_line(line) == "x += y;"
    assert formatting.source_line(changed(line, file="/usr/lib/vaesintrin.h", text="")) == "in vaesintrin.h"


def test_a_stage_whose_base_was_not_measured_has_a_page(tmp_path):
    found = sampled(without(full(), {"transform"}))
    page = (quick(found, tmp_path) / "xtea-04.html").read_text()
    row = row_of(found, "xtea-04")
    assert row.vs_base is None
    assert formatting.number(row.ns_byte) in page


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("xtea::cipher<xtea::Encrypt>(int)", "xtea::cipher<xtea::Encrypt>"),
        ("void sha3::(anonymous namespace)::permute(unsigned long*) [clone .cold]", "sha3::permute"),
        ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"),
        ("operator new(unsigned long) in libstdc++.so.6", "operator new in libstdc++.so.6"),
        ("__memset_avx2 in libc.so.6", "__memset_avx2 in libc.so.6"),
        ("main", "main"),
    ],
)
def test_names_of_functions_are_short(name, short):
    assert formatting.function(name) == short


def test_notes_without_markers_still_show_diff_and_rows():
    found = stage_view.sections("Before all.\n\n## Hypothesis\n\nGuess.\n\n## Mine\n\nMore.\n", changed=True)
    assert [part.kind for part in found["Change"] + found["Result"]] == ["diff", "rows"]
    assert found[""][0].text.strip() == "Before all."
    assert found["Mine"][0].text.strip() == "More."


def test_tables_of_notes_scroll_as_all_others(tmp_path):
    found = sampled()
    stage = found.case.stages[1]
    text = "## Hypothesis\n\n| a | b |\n|---|---|\n| `<table>` | 2 |\n"
    stage.__dict__["notes"] = replace(stage.notes, text=text)
    page = (quick(found, tmp_path) / "xtea-01.html").read_text()
    assert len(re.findall(r'<div class="wide"[^>]*><table>\n<thead>\n<tr>\n<th>a</th>', page)) == 1
    assert "<code>&lt;table&gt;</code>" in page
    assert page.count("<table") == page.count("</table></div>")


def test_the_first_sentence_of_a_result_in_words():
    notes = "## Change\n\nNo.\n\n## Result\n\n<!-- rows -->\n\n{{ ratio() }} is all.\nNothing, as\npredicted. More.\n"
    assert case_view.in_words(section(notes, "Result")) == "Nothing, as predicted."
    assert not case_view.in_words(section("## Result\n\nOn `a` it is {{ ratio() }}.\n", "Result"))
    assert not case_view.in_words(section("## Change\n", "Result"))
    assert section("## Hypothesis\n\n### Result\n\nNo.\n", "Result") == "", "a heading of a lower rank is none"


def test_claims_are_judged(sample):
    """At the level of the document's machine; the others are beside that row."""
    fifteen, more = claims.claims(sample)
    assert (fifteen.outcome, fifteen.here.level) == ("less than claimed", "x86-64-v3")
    assert {one.level for one in fifteen.others} == {"x86-64"}
    assert more.outcome == "reproduced"


def test_what_did_not_help(sample, written):
    """A step that gained, but less than was predicted, did help: it has a place of its own."""
    found = {step.stage.name: step for step in case_view.unhelpful(sample)}
    assert {*found} == {"xtea-01", "xtea-02"}
    assert all(any(step.idle.values()) for step in found.values())
    (short,) = case_view.short(sample)
    assert (short.stage.name, [row.level for row in short.rows]) == ("xtea-04", ["x86-64-v3"])  # 5 to 8, measured 4
    page = text_of(written / "xtea.html")
    unhelpful, less = page.split("What did not help ")[-1].split("Gained less than predicted ")
    assert "04 Loop interchange" not in unhelpful
    assert "04 Loop interchange" in less.split("Time and instructions")[0]
    assert re.search(r"1 of 2: \S x86-64-v3 gcc: 4\.0\dx, not 5", less)


def test_a_step_that_helps_another_workload_did_help(tmp_path):
    """Stages 01 and 02 gain nothing on messages; 02 halves the time of packets."""
    found = made({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4})
    found.workloads.insert(1, Workload(name="packets", role="main", bytes=8))
    found.design.parts[0].workloads.append("packets")
    for run in (run for block in found.blocks if block.part == "main" for run in block.runs):
        faster = 2 if run.program.startswith("transform.") else 1
        run.times_ns["packets"] = [one / faster for one in run.times_ns["message"]]
    case = case_view.CaseView(analysed(found), published=False)
    assert [step.stage.name for step in case.unhelpful] == ["xtea-01"]
    said = " ".join(case.answer.sentences)
    assert "Faster only on other main workloads: stage 02." in said
    assert "Most came from 04 " in said
    assert re.search(r"on packets 2\.0\dx [^.]*faster", text_of(quick(analysed(found), tmp_path) / "xtea.html"))


def test_a_stage_of_another_level_says_what_it_gains_there():
    found = made({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4})
    higher = [program(name, "x86-64-v3") for name in ("xtea-00", "xtea-00-again", "xtea-01", "xtea-02")]
    for block in found.blocks:
        there = {run.program: run for run in block.runs}
        block.runs += [changed(there[one.id.replace("-v3", "")], program=one.id) for one in higher]
    found.programs += higher
    found.calls |= {one.id: found.calls[one.id.replace("-v3", "")] for one in higher}
    of = {step.stage.number: step for step in steps_view.sections(analysed(found))[1].in_order}
    assert of["02"].row
    assert re.fullmatch(r"not at x86-64-v3 with gcc; 4\.\d+x \[\S+ \S+\] faster \(x86-64 with gcc\)", of["04"].why)
    assert (
        "Each builds on the one before. Measured here: 1. The list says where"
        in steps_view.sections(analysed(found))[1].path
    )


def test_undecided_steps_are_no_failures(tmp_path):
    few = made({"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 1, "xtea-04": 4}, blocks=3)
    found = case_view.CaseView(analysed(few), published=False)
    assert found.unhelpful == []
    assert [step.name for step in found.undecided] == ["xtea-01", "xtea-02", "xtea-04"]
    page = (quick(analysed(few), tmp_path) / "xtea.html").read_text()
    assert "No step was shown to be the same" in page
    assert '<a href="xtea-04.html">04 Loop interchange</a> (1 of 1 ladder).' in page
    assert "<td>n/a" in page.split('class="control"', 1)[1], "no floor without an interval"


EXCEEDED = "is exceeded, so more rounds are needed."


@pytest.mark.parametrize(
    ("quiet", "open_", "said"),
    [
        (True, 10, "undecided (10.0%). The contention probes found the machine quiet: the limit of 10 % is kept."),
        (True, 11, f"undecided (11.0%). The contention probes found the machine quiet: the limit of 10 % {EXCEEDED}"),
        (False, 20, "undecided (20.0%). The contention probes found the machine busy: the limit of 20 % is kept."),
        (False, 21, f"undecided (21.0%). The contention probes found the machine busy: the limit of 20 % {EXCEEDED}"),
        (None, 21, "undecided (21.0%)."),
    ],
)
def test_how_many_may_be_undecided_depends_on_the_machine(quiet, open_, said):
    assert formatting.undecided(Counter(undecided=open_, same=100 - open_), quiet).endswith(f"are {said}")
    assert formatting.undecided(Counter(), quiet).endswith("are undecided.")


def earlier(workload, ratio, verdict):
    return queries.Earlier(workload, "xtea-02", Comparison(ratio, ratio - 0.01, ratio + 0.01, verdict))


def test_the_page_says_where_an_earlier_stage_is_faster():
    same = earlier("message", 1.0, "same")
    assert answer.about_earlier([]) == ""
    assert answer.about_earlier([same]).endswith(
        "on 1 workload, sizes included. No earlier stage was found to be faster."
    )
    one = answer.about_earlier([same, earlier("sweep/8", 0.9, "slower")])
    assert "An earlier stage is faster on 1 workload. The last stage has a speed-up over it of 0.9" in one
    assert one.endswith("on `sweep/8` (stage 02).")
    many = answer.about_earlier([earlier(f"sweep/{size}", 0.9 - size / 100, "slower") for size in range(1, 7)])
    assert [size for size in range(1, 7) if f"`sweep/{size}`" in many] == [3, 4, 5, 6], "those that are worst"
    assert many.endswith(", and a smaller loss on the others.")


def test_the_short_page_leaves_out_what_its_ladder_lacks(sample):
    """The list above the table says where these stages were measured."""
    page = export.page([sample])
    ladder = page.split("## The ladder")[1].split("## Against")[0]
    assert "not measured" not in ladder
    assert "not measured" in page.split("## The main path")[1].split("## The ladder")[0]
    assert "range after trials |" not in ladder
    assert re.search(r"^Predictions that this table leaves out: \d+ of \"[^.]*\. The notes have them\.$", ladder, re.M)
    assert re.search(r"^Constant time of stages that are not in this table: .*: 12, 16, ", ladder, re.M)


def test_a_side_branch_of_a_lower_level_is_called_so():
    case = catalogue.read_case("aes-cbc")
    assert {stage.number for stage in queries.of_lower_levels(case)} == {
        *["26", "30", "32", "33", "34", "35", "38", "39", "40", "41"]
    }
    page = export.page([shown_analysis(case)])
    assert re.search(r"^  - Towards a lower level: \[41 ", page, re.M)
    assert "Tried beside this step" not in page
    assert re.search(r"^  - Tried beside this step: \[03 ", export.page([sampled()]), re.M)


def test_a_stage_that_was_measured_with_an_older_source_says_so():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 2}
    here, there = made(speed), made(speed | {"xtea-04": 4})
    there.sources = {unit: "0" * 12 if unit == "stage/interchange" else of for unit, of in there.sources.items()}
    said = {step.stage.number: step.why for step in steps_view.sections(analysed(here), [analysed(there)])[0].in_order}
    assert said["04"] == "measured only with an older source"
    assert said["06"] == "not measured yet"


def test_the_page_says_whether_the_machine_was_quiet(tmp_path):
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 2}
    quiet = quick(analysed(paired(speed)), tmp_path / "quiet") / "xtea.html"
    assert "found the machine quiet: the limit of 10 % is kept." in text_of(quiet)
    busy = paired(speed)
    for one in busy.rounds[:10]:
        one.operations_per_ns = [6.0, 6.0]
    page = quick(analysed(busy), tmp_path / "busy") / "xtea.html"
    assert "found the machine busy: the limit of 20 % is kept." in text_of(page)


def test_variants_stand_behind_the_stages_and_have_no_page(tmp_path):
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-01-inlined": 1.5}
    speed |= {"xtea-02": 1.5, "xtea-02-no-rounds": 9, "xtea-02-inlined": 1.5}
    found = sampled(full({**speed, "xtea-botan": 2, "xtea-botan-no-cipher": 50}))
    columns = case_view.CaseView(found, published=False).columns
    assert [column.head for column in columns] == [
        *("00", "01", "02", "00-O2", "00-pgo", "01-inlined", "02-inlined", "02-no-rounds", "botan-no-cipher", "botan"),
    ]
    assert columns[7].title == "02 no-rounds"
    assert "xtea-02-no-rounds" not in queries.milestones(found, ("x86-64", "gcc"))
    folder = quick(found, tmp_path)
    for page in folder.glob("*.html"):
        for link in re.findall(r'href="([^"#]+\.html)', page.read_text()):
            assert (folder / link).exists(), link
    page = (folder / "xtea.html").read_text()
    assert "02 no-rounds" in page
    assert re.search(r"Its adapter alone takes 4\.0 % \[.+?\] \(<code>message</code>\) of its time\.</td>", page)


def test_only_what_is_known_to_be_faster_or_slower_is_tinted(sample, written):
    cells = re.findall(
        r'<td class="heat" style="--hue: var\(--(\w+)\).*?&nbsp;(.)</td>', (written / "xtea.html").read_text()
    )
    known = {("more", "▲"), ("less", "▼"), ("none", "="), ("none", "~")}
    assert {("more", "▲"), ("less", "▼"), ("none", "=")} <= {*cells} <= known


def test_a_library_of_another_standard_says_so_wherever_it_stands(tmp_path):
    words, measurement = "SHA-3's padding: the same work", full()
    for one in measurement.programs:
        if one.kind == "peer":
            one.standard = "fips202"
    found = sampled(measurement, standards={"fips202": words})
    assert queries.titles(found)["xtea-botan"] == f"library: botan ({words})"
    folder = quick(found, tmp_path)
    for name in ("xtea.html", "index.html"):
        assert f"botan ({words})" in unescape((folder / name).read_text())
    assert f"* botan: {words}" in unescape((folder / "xtea.html").read_text())
    assert "botan*" in (folder / "xtea.html").read_text()
    assert any("* botan" in line for line in re.findall(r">([^<]+)</text>", charts.overview(found)))


def test_what_a_library_lacks_stands_under_the_tables(tmp_path):
    measurement = full()
    for one in measurement.programs:
        if one.kind == "peer":
            one.lacks = ["short-key", "standards"]  # the second is for the build alone
    found = sampled(measurement, lacks={"short-key": "keys of 128 bits", "counter": "a first block"})
    said = "* botan: not supported, so not checked: keys of 128 bits"
    assert queries.footnotes(found) == [said]
    assert said in unescape((quick(found, tmp_path) / "xtea.html").read_text())


def test_sizes_of_the_document_stand_in_its_own_table(tmp_path):
    measurement = full()
    once = next(one for one in measurement.workloads if one.role == "once")
    old, once.name = once.name, f"document/{once.name}"
    for part in measurement.design.parts:
        part.workloads = [once.name if name == old else name for name in part.workloads]
    for block in measurement.blocks:
        for run in block.runs:
            run.times_ns = {once.name if name == old else name: times for name, times in run.times_ns.items()}
    found = sampled(measurement)
    (numbers,) = numbers_view.numbers(found, "x86-64")
    (line,) = numbers.document
    assert {one.row.stage for one in line} == {"xtea-00", "xtea-04"}
    for one in line:
        least, average, most = one.speeds
        assert least <= average <= most
        assert most == pytest.approx(1e3 * one.row.bytes / one.row.min_ns)
    assert "The table of the source document" in (quick(found, tmp_path) / "xtea-numbers-x86-64.html").read_text()


def test_a_case_of_jobs_says_what_a_buffer_costs(tmp_path):
    parts = [BreakdownPart("all", "message"), BreakdownPart("nothing", "message", "message")]
    other = [BreakdownPart("all", "message no-such-variant")]
    found = sampled(jobs={"buffers": 4}, breakdown=[Breakdown("Mixed", parts), Breakdown("Not measured", other)])
    section = multibuffer.section(found)
    by_stage = {(r.stage, r.level, r.compiler): r for r in found.first_rows if r.kind == "stage"}
    assert {one.title for one in section.parts} == {"Mixed"}
    assert len(section.parts) == len(by_stage)
    for one in section.parts:
        row = by_stage[one.stage, one.level, one.compiler]
        assert one.cycles == pytest.approx([row.median_ns * found.clock_ghz / 4, 0])
    measurement = small()
    measurement.workloads.append(Workload(name="few/2", role="once", bytes=8))
    measurement.design.parts[1].workloads.append("few/2")
    for run in (run for block in measurement.blocks if block.part == "others" for run in block.runs):
        run.times_ns["few/2"] = run.times_ns["sweep/8"]
    few = multibuffer.section(sampled(measurement, jobs={"buffers": 4}))
    assert {name for table in few.costs for name in table.workloads} == {"message"}, "a call has another number"
    for table in section.costs:
        place = table.workloads.index("message")
        for line in table.lines:
            cell = line.cells[place]
            assert cell.cycles == pytest.approx(cell.row.median_ns * found.clock_ghz / 4)
            assert cell.mb_s == pytest.approx(1e3 * cell.row.bytes / cell.row.median_ns)
    folder = quick(found, tmp_path, "parts", "sizes")
    page = unescape((folder / "xtea.html").read_text())
    assert "The cost of a buffer" in page
    assert "4 messages of one size in a call" in page
    assert '<img src="xtea-parts.svg"' in page
    assert (folder / "xtea-parts.svg").exists()
    assert "The cost of a buffer" in (folder / "xtea-numbers-x86-64.html").read_text()


def test_the_line_through_the_sweep_is_that_of_its_times():
    """Made-up times, at 3 GHz: 100 cycles a buffer and 2.5 a byte; of 04 it is 40 and 0.5."""
    known = {"reference": (100, 2.5), "interchange": (40, 0.5)}
    measurement, buffers = small(), 4
    sweep = [Workload(name=f"sweep/{size}", role="sweep", bytes=buffers * size) for size in (16, 64, 256, 1024)]
    measurement.workloads = [measurement.workloads[0], *sweep]
    measurement.design.parts[1].workloads = [one.name for one in sweep]
    for block in measurement.blocks[-2:]:
        for run in block.runs:
            a_buffer, a_byte = known.get(run.program.split(".")[0], (7, 7))
            cycles = {one.name: buffers * a_buffer + a_byte * one.bytes for one in sweep}
            run.times_ns = {name: [count / 3] * 5 for name, count in cycles.items()}
    (fits,) = multibuffer.section(sampled(measurement, jobs={"buffers": buffers})).lines
    assert (fits.level, fits.compiler) == ("x86-64", "gcc")
    found = {one.title: one for one in fits.programs}
    for title, line in (("00 The reference", (100, 2.5)), ("04 Loop interchange", (40, 0.5))):
        assert (found[title].a_buffer, found[title].a_byte) == pytest.approx(line)
        assert found[title].share == pytest.approx(1)


def test_cases_of_jobs_count_as_many_buffers_as_their_workloads_make():
    for name in catalogue.case_names():
        case = catalogue.read_case(name)
        text = (paths.ROOT / f"stages/{name}/workloads.cpp").read_text()
        found = re.search(r"^constexpr std::size_t buffers = ([\d']+);", text, re.MULTILINE)
        assert case.jobs.get("buffers", 0) == (int(found[1].replace("'", "")) if found else 0), name


def test_pages_begin_with_the_answer(written, sample):
    page = (written / "xtea.html").read_text()
    assert re.findall(r'<h2 id="(\w+)">', page)[:4] == ["tree", "path", "steps", "ladder"]
    sentence = answer.answer(sample, published=False).sentences[0]
    assert page.index('class="lead"') < page.index(html.escape(sentence)) < page.index("xtea-overview.svg")
    assert page.index("xtea-overview.svg") < page.index('<h2 id="steps">')


def test_the_switch_begins_with_the_ladder_of_the_headline(sample):
    found = case_view.CaseView(sample, published=False)
    assert [choice.id for choice in found.switch if choice.chosen] == [f"{found.top.level}.{found.top.compiler}"]


def test_a_stage_that_was_measured_nowhere_says_why(sample, tmp_path):
    assert steps_view.absent(sample)["xtea-03"] == "not measured: TBB is not installed"
    lacks = (
        "This program was compiled for features that this CPU (or its kernel) lacks: AVX-512F, AVX-512BW, VAES. Choose."
    )
    measurement = full()
    names = ("interchange.x86-64.gcc", "avx512.x86-64.gcc")
    measurement.left_out = [LeftOut(name=name, reason=lacks) for name in names]
    found = sampled(measurement)
    said = "not measured: this CPU lacks AVX-512, VAES"
    absent = steps_view.absent(found)
    assert absent["xtea-12"] == said
    assert "xtea-04" not in absent
    folder = quick(found, tmp_path)
    for name, text, told in (
        ("xtea.html", "Step by step</h2>", said),
        ("index.html", "The main path, over the reference</h3>", "12 AVX-512 intrinsics"),
    ):
        after = (folder / name).read_text().split(text)[1]
        assert after.index("04 Loop interchange") < after.index(told)
    for stage, why in (
        ("12", "Not measured: this CPU lacks AVX-512, VAES."),
        ("03", "Not measured yet."),
    ):
        page = (folder / f"xtea-{stage}.html").read_text()
        assert f'<p class="warning">{why}</p>' in page
        assert f"There is no profile. {why}" in page
        assert f"There are no rows. {why}" in page
        assert "What the compiler says" not in page
        assert "of the peak" not in page
    assert "The profile before is that of" not in (folder / "xtea-12.html").read_text(), "10 was not measured either"


def test_flags_are_not_broken(written):
    assert '<span class="unbroken">-O3</span>' in (written / "xtea.html").read_text()


def test_a_stage_s_page_leads_to_its_parts(written):
    page = (written / "xtea-04.html").read_text()
    for place in ("hypothesis", "change", "profile", "result"):
        assert f'<a href="#{place}">' in page
        assert f'<h2 id="{place}">' in page


def test_programs_have_a_page_with_their_profiles(written):
    page = (written / "xtea-programs.html").read_text()
    text = text_of(written / "xtea-programs.html")
    for words in ("50.0% of the samples", "25.0% of the instructions", "20.0% of the samples", "__memset_avx2 in libc"):
        assert words in text
    assert len(re.findall('<tr class="own"', page)) == 2
    assert "Counters: n/a (this machine shows no <counters>)" in text
    assert "It mines <code>light</code>ly &amp; &lt;b&gt;fast" in page
    assert "The cache: n/a (not part of a quick report)" in text
    assert "botan.x86-64-v3.gcc: n/a (no <memory>)" in text
    assert 'href="xtea-programs.html"' in (written / "xtea.html").read_text()


def test_kernel_and_program_stand_side_by_side(sample, written):
    low, high = app_view.section(sample).gains
    assert [column.title for column in low.columns] == ["message", "miner/cache"]
    assert [column.title for column in high.columns] == ["message", "miner/cache", "Mining <b>light</b>"]
    four = next(line for line in high.lines if line.stage == "xtea-04")
    assert [round(cell.row.vs_reference.ratio, 1) for cell in four.cells] == [4.0, 4.0, 1.6]
    assert four.cells[2].row.vs_reference.verdict == "faster"
    botan = next(line for line in high.lines if line.kind == "peer")
    assert botan.cells[2] is None
    text = text_of(written / "xtea-programs.html")
    assert "program: Mining <b>light</b>" in text
    assert "101 H/s" in text
    assert "1.600x [1.600, 1.600] ▲ faster" in text
    index = (written / "index.html").read_text()
    assert "Kernel and program" in index
    assert "1.600x [1.600, 1.600]" in index


def test_a_count_of_one_is_no_plural(sample):
    assert [formatting.counted(number, "round") for number in (0, 1, 2_000)] == ["0 rounds", "1 round", "2,000 rounds"]
    one = full()
    one.machine.cpus = 1
    assert ", 1 CPU," in formatting.machine_line(one)


def test_near_1_a_speed_up_has_the_decimals_of_the_one_beside_it():
    said = [formatting.times(value) for value in (0.9, 0.951, 1.0, 1.046, 1.06, 12.3)]
    assert said == ["0.900x", "0.951x", "1.000x", "1.046x", "1.06x", "12.3x"]


def test_a_cell_of_the_matrix_has_these_decimals_too(written):
    matrix = (written / "xtea.html").read_text().split('<h2 id="matrix">')[1].split("<h2")[0]
    assert ">1.000&nbsp;=</td>" in matrix
    assert ">1.00&nbsp;" not in matrix


def test_the_legend_of_the_matrix_has_each_mark(written):
    assert "≡ same machine code" in text_of(written / "xtea.html")


def test_links_of_notes_lead_to_pages_or_name_the_file():
    prose = templating.environment(html=True).filters["prose"]
    assert '<a href="atlas.html#xtea">atlas</a>' in prose("[atlas](../../../reports/atlas.md#xtea)")
    assert "a model (<code>docs/machine-model.md</code>)" in prose("[a model](../../../docs/machine-model.md#loops)")
    assert '<a href="https://example.org">web</a>' in prose("[web](https://example.org)")


def test_where_the_reference_was_not_measured_nothing_is_compared(sample):
    _, high = app_view.section(sample).gains
    four = next(line for line in high.lines if line.stage == "xtea-04")
    one, *others = four.cells
    alone = replace(four, cells=[replace(one, row=replace(one.row, vs_reference=None)), *others])
    macro = templating.environment(html=True).get_template("gains.html.j2").module.gains
    text = str(macro(replace(high, lines=[high.lines[0], alone])))
    assert f">{one.text}<" not in text
    assert 'data-sort="">n/a: no reference</td>' in text
    assert "the reference was not measured beside the program" in text
    assert "n/a: no reference" not in macro(high)


def test_amdahl_s_arithmetic(sample, written):
    (found,) = app_view.section(sample).amdahl
    assert (found.by, found.share, found.most) == ("samples", 0.5, 2)
    four = found.lines[-1]
    assert four.expected == pytest.approx(1 / (0.5 + 0.5 / 4), rel=0.01)
    assert four.measured.vs_reference.ratio == pytest.approx(1.6)
    assert "1.60x" in (written / "xtea-programs.html").read_text()


def test_without_samples_the_share_is_that_of_instructions(sample):
    profile = next(iter(sample.measurement.apps[0].profiles.values()))
    assert app_view.own_share(changed(profile, samples=None)) == ("instructions", 0.25)
    assert app_view.own_share(changed(profile, samples=None, instructions=None)) is None


def test_a_case_without_programs_has_no_such_page(tmp_path):
    folder = quick(analysed(small()), tmp_path)
    assert not (folder / "xtea-programs.html").exists()
    assert "programs.html" not in (folder / "xtea.html").read_text()
    assert "Kernel and program" not in (folder / "index.html").read_text()


def test_the_index_is_in_the_order_of_the_cases(sample, tmp_path, monkeypatch):
    other = replace(sample.case, name="abc", title="Another")
    monkeypatch.setattr(render, "case_names", lambda: ["xtea", "abc", "none"])
    monkeypatch.setattr(render, "read_case", lambda name: sample.case if name == "xtea" else other)
    for name in ("xtea", "abc"):
        store.save(small(), tmp_path / f"{name}.json.xz")
    monkeypatch.setattr(render, "Analysis", lambda case, _: sample)
    monkeypatch.setattr(render, "others", lambda _: [])
    (tmp_path / "none.json.xz").write_bytes(b"damaged")
    said = io.StringIO()
    page = render.write_index(tmp_path, Console(file=said, width=200))[-1].read_text()
    assert page.count('<article class="card"') == 2
    assert "Not in the index: " in said.getvalue()
    assert "none.json.xz is damaged" in said.getvalue()


def test_the_best_library_is_the_fastest():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4, "xtea-botan": 2, "xtea-cryptopp": 3, "xtea-other": 1.5}
    (best,) = case_view.best(analysed(made(speed)))
    (fastest,) = best.against.here.ends
    assert fastest.peer == "xtea-cryptopp"
    assert fastest.comparison.ratio == pytest.approx(4 / 3, rel=0.01)


def test_pictures_name_libraries_only_where_there_are_some(written, tmp_path):
    alone = analysed(made({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4}))
    folder = quick(alone, tmp_path)
    for name in ("xtea.html", "index.html"):
        alt = r'alt="([^"]*he main path[^"]*)"'
        assert "and the libraries" in re.search(alt, (written / name).read_text())[1]
        assert "librar" not in re.search(alt, (folder / name).read_text())[1]
    assert "![The main path of XTEA against the reference](xtea.svg)" in export.page([alone])


def test_the_answer_says_what_brought_most_and_what_did_not_help():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-02": 2, "xtea-04": 8, "xtea-05": 9, "xtea-botan": 3}
    gain, steps, library = answer.answer(analysed(made(speed)), published=True).sentences
    assert re.match(
        r"Stage 05 .* has a speed-up of 9\.0\dx \[\S+ \S+\] over the reference \(message, 25,600 bytes", gain
    )
    assert steps.startswith("Most came from 04 Loop interchange (4.0")
    assert ", 02 " in steps
    assert "01 " not in steps, "it is a side branch"
    assert re.match(r"On message it is faster than the fastest library, botan: 3\.0\dx", library)


def test_a_step_that_makes_good_a_loss_brought_nothing():
    """02 is slower than the reference, and 06 is as much faster than 02. So 08 alone brought something."""
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 0.5, "xtea-06": 1.01, "xtea-08": 2}
    found = analysed(made(speed))
    assert [one.stage for one in queries.gains(found, queries.best_ladder(found))][:1] == ["xtea-08"]
    steps = answer.answer(found, published=True).sentences[1]
    assert re.match(r"Most came from 08 [^;]* \((2\.0\d|1\.9\d)x\), over the fastest stage before it on the ", steps)
    assert queries.milestones(found, queries.best_ladder(found)) == ["xtea-00", "xtea-06", "xtea-08"]


def test_the_answer_is_of_the_closing_stage_even_if_another_level_gains_more():
    """At x86-64 the ladder ends with 21, which is 8 times as fast as the reference. At x86-64-v4 the closing stage is 4
    times as fast."""
    found = made({"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 4, "xtea-21": 8})
    like = {"xtea-00": "xtea-00", "xtea-00-again": "xtea-00-again", "xtea-22": "xtea-02"}
    copies = {program(of).id: program(name, "x86-64-v4") for name, of in like.items()}
    for block in found.blocks:
        block.runs += [changed(run, program=copies[run.program].id) for run in block.runs if run.program in copies]
    found.programs += copies.values()
    found.calls |= {one.id: found.calls[of] for of, one in copies.items()}
    top = queries.top(analysed(found))
    assert (top.stage, top.level) == ("xtea-22", "x86-64-v4")
    assert [row.stage for row in queries.tops(analysed(found))] == ["xtea-22"]
    found.programs = [one for one in found.programs if one.stage != copies[program("xtea-02").id].stage]
    assert queries.top(analysed(found)).stage == "xtea-21", "the closing stage was not measured"


def test_the_answer_says_that_an_earlier_stage_is_faster():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 4, "xtea-06": 2}
    said = answer.answer(analysed(made(speed)), published=True).sentences[-1]
    assert re.match(
        r"An earlier stage is faster on 1 of 2 workloads, sizes included\. "
        r"Stage 06 loses most on message: 0\.5\S* \[\S+ \S+\] over stage 02\.$",
        said,
    )


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("faster", "On its best workload (x) it is faster than the fastest library, botan: 1.000x [0.990, 1.010]."),
        ("undecided", "On its best workload (x) the comparison with the fastest library, botan, is undecided: 1.000x"),
        ("same", "On its best workload (x) it differs by no more than 2 % from the fastest library, botan: 1.000x"),
    ],
)
def test_the_answer_uses_the_words_of_the_verdicts(verdict, said):
    found = analysed(made({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4, "xtea-botan": 2}))
    against = libraries.against(found, queries.best_ladder(found))
    one = replace(against.here.ends[0], comparison=Comparison(1.0, 0.99, 1.01, verdict))
    assert answer._over(against, one, "On its best workload (x)").startswith(said)


def test_a_side_branch_brought_nothing_to_the_closing_stage():
    """04 builds on 02 and so does 06: its gain is not on the way to a stage that builds on 06."""
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 1, "xtea-04": 5, "xtea-06": 2, "xtea-08": 3}
    steps = answer.answer(analysed(made(speed)), published=True).sentences[1]
    assert "04 " not in steps.split(" did not help")[0].split(";")[0]


@pytest.mark.parametrize(("published", "figure"), [(True, False), (False, True)])
def test_what_is_not_to_be_quoted_says_so_in_one_word(published, figure):
    noisy = analysed(made({"xtea-00": 1, "xtea-00-again": 1.3, "xtea-04": 4}))
    uncommitted = small()
    uncommitted.made.changed = True
    for found, word in ((noisy, "noisy"), (analysed(uncommitted), "uncommitted")):
        assert answer.trouble(found) == word
        said = answer.answer(found, published)
        assert bool(re.search(r"\dx \[", " ".join(said.sentences))) == figure
        entry = index_view.IndexEntry(found, "x", published)
        assert (entry.answer.trouble == word) == published


def test_a_program_needs_no_control_to_have_a_page(tmp_path):
    bare = analysed(made({"xtea-00": 1, "xtea-04": 4}))
    assert charts.ladder(analysed(made({"xtea-00": 1})))
    assert "04 Loop interchange" in (quick(bare, tmp_path) / "xtea.html").read_text()
    assert program("xtea-04").stage == "interchange"


def test_the_best_earlier_stage_is_that_over_which_the_closing_one_gains_least():
    speed = {"xtea-00": 3.5, "xtea-00-again": 3.5, "xtea-01": 3, "xtea-02": 2, "xtea-04": 4}
    (found,) = numbers_view.numbers(analysed(made(speed)), "x86-64")
    (size,) = found.sizes
    assert (size.best, size.vs_best.ratio) == ("xtea-01", pytest.approx(4 / 3, rel=0.02))
