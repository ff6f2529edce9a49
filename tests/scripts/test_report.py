"""From a result to pages, Markdown and pictures, without a browser."""

from __future__ import annotations

import copy
import json
import re
from html import unescape

import pytest
from conftest import made_result
from evidence_sample import enriched, without

from perf_ladders import catalogue, jobs, program_view, report, result, rows, rungs, stage_view, views, wording
from perf_ladders.complaint import Complaint


@pytest.fixture(scope="session")
def sample(small_result):
    return enriched(small_result)


@pytest.fixture(scope="session")
def written(sample, tmp_path_factory):
    """For tests that change nothing."""
    return write(sample, tmp_path_factory.mktemp("written"))


def write(found, folder):
    result.save(found, folder / "xtea.json")
    report.write(found, folder / "xtea.json")
    report.write_index(folder)
    return folder


def test_the_same_result_gives_the_same_files(sample, tmp_path):
    first, second = (write(sample, tmp_path / name) for name in ("a", "b"))
    names = sorted(path.name for path in first.iterdir())
    stages = ["xtea-00.html", "xtea-01.html", "xtea-02.html", "xtea-04.html"]
    pictures = [f"xtea-{kind}.svg" for kind in ("instructions", "ladder", "latency", "overview", "sizes")]
    assert names == sorted(["index.html", *stages, *pictures, "xtea.html", "xtea.json", "xtea.md"])
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_pages_need_no_network_and_escape_what_they_show(sample, tmp_path):
    hostile = copy.deepcopy(sample)
    evil = '<script>alert("x")</script>'
    hostile["title"] = hostile["summary"] = hostile["machine"]["cpu"] = evil
    for stage in hostile["stages"]:
        stage["title"] = stage["headline"] = evil
        stage["notes"] = stage["notes"].replace("## Result\n", f"## Result\n\n{evil}\n")
        stage["diff"] += f"\n+{evil}"
    for found in hostile["evidence"].values():
        found["instructions"]["functions"][0]["name"] = evil
        found["instructions"]["lines"][0]["text"] = found["loop"]["instructions"][0]["text"] = evil
        found["loop"]["symbol"] = evil
        found["counters"] = {"missing": evil}
    for claim in hostile["claims"]:
        claim["text"] = evil
    pages = list(write(hostile, tmp_path).glob("*.html"))
    assert len(pages) == 6
    for path in pages:
        page = path.read_text()
        assert page.count("<script>") == 1, path.name
        assert "&lt;script&gt;" in page
        assert "&lt;svg" not in page
        assert "&amp;lt;" not in page
        assert not re.search(r'\s(?:src|href|data-src)="(?:[a-z]+:|//)', page)
        assert "@import" not in page
        assert "url(http" not in page


def test_numbers_on_the_pages_are_those_of_the_result(written, sample):
    page = (written / "xtea.html").read_text()
    for place, row in enumerate(sample["rows"]):
        if row["workload"] != "message":
            continue
        lines = re.findall(rf'<tr[^>]*data-json="rows\[{place}\]".*?</tr>', page, re.DOTALL)
        text = unescape(re.sub(r"<[^>]+>", " ", " ".join(lines)))
        assert wording.time(row["mean_ns"]) in text
        assert wording.number(row["ns_byte"]) in text
        assert wording.number(row["instructions_byte"]) in text
        assert wording.ratio(row["vs_reference"]) in text
        assert wording.verdict(row["vs_base"]) in text


def test_places_that_pages_name_exist_in_the_result(written, sample):
    named = {place for page in written.glob("*.html") for place in re.findall('data-json="([^"]*)"', page.read_text())}
    assert len(named) > 100
    for place in named:
        found = sample
        for key, quoted, number in re.findall(r"\.?([a-z_]+)|\['([^']+)'\]|\[(\d+)\]", unescape(place)):
            found = found[int(number) if number else key or quoted]


def test_reasons_are_given_for_what_is_missing(written, sample, tmp_path):
    reason = "n/a (the kernel lets nobody count: perf_event_paranoid is 3)"
    assert any(reason in page.read_text() for page in written.glob("xtea-*.html"))
    assert "n/a (this compiler gives none)" in (written / "xtea-02.html").read_text()
    bare = copy.deepcopy(sample)
    bare["whole_programs"] = {"missing": "hyperfine is not installed"}
    for found in bare["evidence"].values():
        found |= {key: {"missing": "because"} for key in found}
    for row in bare["rows"]:
        row |= dict.fromkeys(("instructions_byte", "instructions_vs_base", "bound_share", "whole_program"))
    report.write(bare, tmp_path / "xtea.json")
    assert "n/a (hyperfine is not installed)" in (tmp_path / "xtea.html").read_text()
    assert "n/a (hyperfine is not installed)" in (tmp_path / "xtea.md").read_text()
    assert (tmp_path / "xtea-04.html").read_text().count("n/a (because)") >= 5


def test_the_control_comes_first(written):
    for name in ("xtea.html", "xtea.md"):
        text = (written / name).read_text()
        numbers = text[text.index("The numbers") :]
        assert numbers.index("the reference again") < numbers.index("A for loop")


def test_what_was_left_out_is_said(written):
    assert "xtea-03: TBB is not installed" in (written / "xtea.md").read_text()
    assert "xtea-03: TBB is not installed" in (written / "xtea.html").read_text()


def test_notes_stand_around_what_was_measured(written, sample):
    page = (written / "xtea-04.html").read_text()
    order = [
        "The rounds of one block",
        "The profile before",
        "The round moves outside",
        'class="plus"',
        "The profile after",
    ]
    order += ["The <code>novec</code> level forbids", "over 02", "The largest step so far"]
    places = [page.index(text) for text in order]
    assert places == sorted(places)
    assert "3x to 5.5x" in page


def test_a_hot_line_is_quoted_or_the_header_named():
    assert wording.source_line({"file": "stages/x/stage.cpp", "line": 3, "text": "  x += y;"}) == "x += y;"
    assert wording.source_line({"file": "/usr/lib/vaesintrin.h", "line": 95, "text": ""}) == "in vaesintrin.h"


def test_a_stage_whose_base_was_not_measured_has_a_page(sample, tmp_path):
    found = without(sample, {"xtea-02"})
    page = (write(found, tmp_path) / "xtea-04.html").read_text()
    assert "The profile before" not in page
    row = next(row for row in found["rows"] if (row["stage"], row["workload"]) == ("xtea-04", "message"))
    assert wording.number(row["ns_byte"]) in page


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
    assert wording.function(name) == short


def test_notes_without_markers_still_show_diff_and_rows():
    found = stage_view.sections("Before all.\n\n## Hypothesis\n\nGuess.\n\n## Mine\n\nMore.\n", changed=True)
    assert [part["kind"] for part in found["Change"] + found["Result"]] == ["diff", "rows"]
    assert found[""][0]["text"].strip() == "Before all."
    assert found["Mine"][0]["text"].strip() == "More."


def test_tables_of_notes_scroll_as_all_others(sample, tmp_path):
    found = copy.deepcopy(sample)
    found["stages"][1]["notes"] = "## Hypothesis\n\n| a | b |\n|---|---|\n| `<table>` | 2 |\n"
    page = (write(found, tmp_path) / "xtea-01.html").read_text()
    assert page.count('<div class="wide"><table>\n<thead>\n<tr>\n<th>a</th>') == 1
    assert "<code>&lt;table&gt;</code>" in page
    assert page.count("<table") == page.count("</table></div>")


def test_the_first_sentence_of_a_result():
    notes = "## Hypothesis\n\nNo.\n\n## Result\n\n<!-- rows -->\n\nNothing, by 0.5 %\nas predicted. The rest.\n"
    assert views.first_sentence(notes, "Result") == "Nothing, by 0.5 % as predicted."
    assert views.first_sentence("## Change\n", "Result") == ""


def test_claims_are_judged(sample):
    fifteen, more = views.claims(sample)
    assert fifteen["count"] == {"confirmed": 0, "refuted": 2, "open": 0}
    assert fifteen["measured"][0]["side"] == "less"
    assert more["count"]["confirmed"] == 2


def test_what_did_not_help(sample):
    found = {step["stage"]["name"]: step for step in views.case(sample)["unhelpful"]}
    assert [name for name, step in found.items() if any(step["idle"].values())] == ["xtea-01", "xtea-02"]
    assert [row["level"] for row in found["xtea-04"]["refuted"]] == ["x86-64-v3"]  # predicted 5 to 8, measured 4


def test_what_nobody_can_tell_is_no_failure(small_result, tmp_path):
    few = copy.deepcopy(small_result)
    few["blocks"] = [block for block in few["blocks"] if block["number"] < 3]
    page = (write(result.with_rows(few), tmp_path) / "xtea.html").read_text()
    found = views.case(result.with_rows(few))
    assert found["unhelpful"] == []
    assert [step["name"] for step in found["undecided"]] == ["xtea-01", "xtea-02", "xtea-04"]
    assert "No step was shown to be the same" in page
    assert '<a href="xtea-04.html">04 Interchange the loops</a> (1 of 1 ladders).' in page
    assert "<td>n/a" in page.split('class="control"', 1)[1], "no floor without an interval"


def test_markdown_holds_the_change_and_the_evidence_in_brief(written):
    text = (written / "xtea.md").read_text()
    assert "<details><summary>The change from xtea-02</summary>" in text
    assert "instructions/byte of `message`; " in text
    assert "| 00 -O2" in text
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1, table.splitlines()[0]


def test_variants_stand_behind_the_stages_and_have_no_page(tmp_path):
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-01": 1, "xtea-01-inlined": 1.5}
    found = enriched(made_result({**speed, "xtea-02": 1.5, "xtea-02-no-rounds": 9, "xtea-02-inlined": 1.5}))
    columns = views.case(found)["matrix"]["columns"]
    assert [column["head"] for column in columns] == [
        *("00", "01", "02", "00-O2", "00-pgo", "01-inlined", "02-inlined", "02-no-rounds"),
    ]
    assert columns[7]["title"] == "02 no-rounds"
    assert "02-no-rounds" not in rungs.milestones(found, "x86-64", "gcc")
    written = write(found, tmp_path)
    for page in written.glob("*.html"):
        for link in re.findall(r'href="([^"#]+\.html)', page.read_text()):
            assert (written / link).exists(), link
    assert "02 no-rounds" in (written / "xtea.html").read_text()
    assert "02 inlined" in (written / "xtea.md").read_text()


def test_only_what_is_known_to_be_faster_or_slower_is_tinted(sample, tmp_path):
    found = copy.deepcopy(sample)
    next(row for row in rungs.first_rows(found) if row["stage"] == "xtea-04")["vs_reference"]["verdict"] = "unresolved"
    written = write(found, tmp_path)
    cells = re.findall(
        r'<td class="heat" style="--hue: var\(--(\w+)\).*?&nbsp;(.)</td>', (written / "xtea.html").read_text()
    )
    assert (
        {("more", "▲"), ("none", "="), ("none", "~")}
        <= {*cells}
        <= {("more", "▲"), ("less", "▼"), ("none", "="), ("none", "~")}
    )


def test_a_library_of_another_standard_says_so_wherever_it_stands(sample, tmp_path):
    found = copy.deepcopy(sample)
    words = "SHA-3's padding: the same work"
    found["standards"] = {"fips202": words}
    for one in found["runners"]:
        if one["kind"] == "peer":
            one["standard"] = "fips202"
    assert rungs.titles(found)["xtea-botan"] == f"library: botan ({words})"
    written = write(found, tmp_path)
    for name in ("xtea.html", "index.html"):
        text = unescape((written / name).read_text())
        assert f"botan ({words})" in text
        assert f"* botan: {words}" in text
    assert "botan*" in (written / "xtea.html").read_text()
    text = (written / "xtea.md").read_text()
    assert text.count(f"botan ({words})") > 3
    assert f"\\* botan: {words}" in text


def test_what_a_library_lacks_stands_under_the_tables(sample, tmp_path):
    found = copy.deepcopy(sample)
    found["lacks"] = {"short-key": "keys of 128 bits", "counter": "a first block"}
    for one in found["runners"]:
        if one["kind"] == "peer":
            one["lacks"] = ["short-key", "standards"]  # the second is for the build alone
    said = "* botan: not checked with keys of 128 bits, which it lacks"
    assert rungs.footnotes(found) == [said]
    written = write(found, tmp_path)
    assert said in unescape((written / "xtea.html").read_text())
    assert said.replace("*", "\\*") in unescape((written / "xtea.md").read_text())


def test_sizes_of_the_document_stand_in_its_own_table(sample, tmp_path):
    found = copy.deepcopy(sample)
    for entry in found["workloads"]:
        if entry["role"] == "once":
            entry["name"], once = f"document/{entry['name']}", entry["name"]
            break
    else:
        pytest.fail("the sample has no workload that is timed a few times")
    text = (
        json.dumps(found)
        .replace(f'"{once}": [', f'"document/{once}": [')
        .replace(f'"workload": "{once}"', f'"workload": "document/{once}"')
        .replace(f', "{once}"]', f', "document/{once}"]')
    )
    found = json.loads(text)
    found["rows"] = rows.rows(found)
    ladders = views.case(found)["document"]
    assert ladders
    line = ladders[0]["lines"][0]
    claimed = {stage for claim in found["claims"] for stage in (claim["base"], claim["stage"])}
    assert {row["stage"] for row in line} == claimed | {found["stages"][-1]["name"]}
    for row in line:
        assert row["least"] <= row["average"] <= row["most"]
        assert row["most"] == pytest.approx(1e3 * row["bytes"] / row["min_ns"])
    assert "The document's table" in unescape((write(found, tmp_path) / "xtea.html").read_text())


def test_a_case_of_jobs_says_what_a_buffer_costs(sample, tmp_path):
    found = copy.deepcopy(sample)
    first = found["workloads"][0]["name"]
    found["jobs"] = {"buffers": 4}
    parts = [{"name": "all", "of": first}, {"name": "nothing", "of": first, "without": first}]
    found["breakdown"] = [
        {"title": "Mixed", "parts": parts},
        {"title": "Not measured", "parts": [{"name": "all", "of": f"{first} no-such-variant"}]},
    ]
    section = views.case(found)["jobs"]
    clock = rows.clock_of(found["blocks"])
    by_stage = {(r["stage"], r["level"], r["compiler"]): r for r in rungs.first_rows(found) if r["kind"] == "stage"}
    assert {one["title"] for one in section["parts"]} == {"Mixed"}
    assert len(section["parts"]) == len(by_stage)
    for one in section["parts"]:
        row = by_stage[one["stage"], one["level"], one["compiler"]]
        assert one["cycles"] == pytest.approx([row["median_ns"] * clock / 4, 0])
    for table in section["costs"]:
        place = table["workloads"].index(first)
        for line in table["lines"]:
            cell = line["cells"][place]
            assert cell["cycles"] == pytest.approx(cell["row"]["median_ns"] * clock / 4)
            assert cell["mb_s"] == pytest.approx(1e3 * cell["row"]["bytes"] / cell["row"]["median_ns"])
    page = unescape((write(found, tmp_path) / "xtea.html").read_text())
    assert "What a buffer costs" in page
    assert "4 messages of one size in a call" in page
    assert (tmp_path / "xtea-parts.svg").exists()
    assert "](xtea-parts.svg)" in (tmp_path / "xtea.md").read_text()


def test_the_line_through_the_sweep_is_found_again(sample):
    found = copy.deepcopy(sample)
    found["jobs"] = {"buffers": 2}
    level, compiler = rungs.highest(found)[0]
    clock = rows.clock_of(found["blocks"])
    template = next(r for r in found["rows"] if r["workload"].startswith("sweep/") and r["kind"] == "stage")
    sizes = [64, 128, 512]
    made = {"level": level, "compiler": compiler}
    found["rows"] = [
        {**template, **made, "workload": f"sweep/{n}", "bytes": 2 * n, "median_ns": 2 * (30 + 0.5 * n) / clock}
        for n in sizes
    ]
    (table,) = jobs.section(found)["lines"]
    (line,) = table["programs"]
    assert (line["a_buffer"], line["a_byte"], line["share"]) == pytest.approx((30, 0.5, 1))


def test_cases_of_jobs_count_as_many_buffers_as_their_workloads_make():
    for name in catalogue.case_names():
        case = catalogue.read_case(name)
        text = (catalogue.ROOT / f"tests/{name}/workloads.cpp").read_text()
        made = re.search(r"^constexpr std::size_t buffers = ([\d']+);", text, re.MULTILINE)
        assert case.jobs.get("buffers", 0) == (int(made[1].replace("'", "")) if made else 0), name


def test_pages_begin_with_what_is_read_first(written):
    page, markdown = ((written / name).read_text() for name in ("xtea.html", "xtea.md"))
    headings = re.findall(r'<h2 id="(\w+)">', page)
    assert headings[:4] == ["steps", "ladder", "nothing", "program"]
    assert page.index('class="lead"') < page.index('id="overview-') < page.index('<h2 id="steps">')
    assert re.findall("^## (.*)", markdown, re.MULTILINE)[:4] == [
        *("Step by step", "The ladder", "What nothing looks like", "The program")
    ]
    assert markdown.index("From the reference to stage") < markdown.index("(xtea-overview.svg)")
    assert markdown.index("(xtea-overview.svg)") < markdown.index("## Step by step")
    table = markdown.split("## Step by step")[1].split("## The ladder")[0]
    assert re.search(r"^\| 04 Interchange the loops \|.* faster \| 02 \| .* \| 4.0\dx \|$", table, re.MULTILINE)


def test_the_switch_begins_with_the_ladder_of_the_headline(sample):
    found = views.case(sample)
    chosen = [choice["id"] for choice in found["switch"] if choice["chosen"]]
    assert chosen == [f"{found['top']['level']}.{found['top']['compiler']}"]


def test_a_stage_that_was_measured_nowhere_says_why(sample, tmp_path):
    assert views.absent(sample) == [{"name": "xtea-03", "why": "TBB is not installed"}]
    found = copy.deepcopy(sample)
    lacks = (
        "This program was compiled for features that this CPU (or its kernel) lacks: AVX-512F, AVX-512BW, VAES. Choose."
    )
    found["left_out"] = [{"name": name, "reason": lacks} for name in ("xtea-04.x86-64.gcc", "xtea-09.x86-64.gcc")]
    assert views.absent(found) == [{"name": "xtea-09", "why": "this CPU lacks AVX-512, VAES"}]
    written = write(found, tmp_path)
    for name, text in (
        ("xtea.html", "Step by step</h2>"),
        ("xtea.md", "## Step by step"),
        ("index.html", "Stage by stage"),
    ):
        after = (written / name).read_text().split(text)[1]
        assert after.index("04 Interchange") < after.index("not measured: this CPU lacks AVX-512, VAES")


def test_flags_are_not_broken(written):
    assert '<span class="unbroken">-O3</span>' in (written / "xtea.html").read_text()


def test_a_stage_s_page_leads_to_its_parts(written):
    page = (written / "xtea-04.html").read_text()
    for place in ("hypothesis", "change", "after", "result"):
        assert f'<a href="#{place}">' in page
        assert f'<h2 id="{place}">' in page


def test_the_program_stands_on_the_page_with_its_profile(written):
    page = (written / "xtea.html").read_text()
    text = unescape(re.sub(r"<[^>]+>", " ", page))
    for words in ("50.0% of the samples", "25.0% of the instructions", "20.0% of the samples", "__memset_avx2 in libc"):
        assert words in text
    assert len(re.findall('<tr class="own"', page)) == 2
    assert "Counters: n/a (this machine shows no <counters>)" in text
    assert "It mines <code>light</code>ly &amp; &lt;b&gt;fast" in page
    assert "The cache: n/a (not part of a quick look)" in text
    assert "xtea-botan.x86-64-v3.gcc: n/a (no <memory>)" in text
    markdown = (written / "xtea.md").read_text()
    assert "| 50.0% | 50.0% | `xtea::encrypt` | yes |" in markdown


def test_kernel_and_program_stand_side_by_side(sample, written):
    found = program_view.section(sample)
    low, high = found["gains"]
    assert [column["title"] for column in low["columns"]] == ["message", "miner/cache"]
    assert [column["title"] for column in high["columns"]] == ["message", "miner/cache", "Mining <b>light</b>"]
    four = next(line for line in high["lines"] if line["stage"] == "xtea-04")
    assert [round(cell["vs_reference"]["ratio"], 1) for cell in four["cells"]] == [4.0, 4.0, 1.6]
    assert four["cells"][2]["vs_reference"]["verdict"] == "faster"
    botan = next(line for line in high["lines"] if line["kind"] == "peer")
    assert botan["cells"][2] is None
    text = unescape(re.sub(r"<[^>]+>", " ", (written / "xtea.html").read_text()))
    assert "program: Mining <b>light</b>" in text
    assert "101 H/s" in text
    assert "1.600x [1.600, 1.600] ▲ faster" in " ".join(text.split())
    index = (written / "index.html").read_text()
    assert "Kernel and program" in index
    assert "1.600x [1.600, 1.600]" in index


def test_amdahl_s_arithmetic(sample, written):
    (found,) = program_view.section(sample)["amdahl"]
    assert (found["own"], found["most"]) == ({"by": "samples", "share": 0.5}, 2)
    four = found["lines"][-1]
    assert four["predicted"] == pytest.approx(1 / (0.5 + 0.5 / 4), rel=0.01)
    assert four["measured"]["vs_reference"]["ratio"] == pytest.approx(1.6)
    assert "1.60x" in (written / "xtea.html").read_text()


def test_without_samples_the_share_is_that_of_instructions(sample):
    profile = {"samples": {"missing": "no perf"}, "instructions": {"own_share": 0.3}}
    assert program_view.own_share(profile) == {"by": "instructions", "share": 0.3}
    assert program_view.own_share({kind: {"missing": "no"} for kind in profile}) is None


def test_a_case_without_programs_has_no_such_section(small_result, tmp_path):
    page = (write(small_result, tmp_path) / "xtea.html").read_text()
    assert "The program" not in page
    assert "Kernel and program" not in (tmp_path / "index.html").read_text()


def test_all_results_stand_in_order_and_in_one_table(sample, tmp_path, monkeypatch):
    other = without(sample, {"xtea-botan"})
    other["case"], other["title"] = "abc", "Another"
    other = json.loads(json.dumps(other).replace('"xtea-', '"abc-'))
    for one in (sample, other):
        result.save(one, tmp_path / f"{one['case']}.json")
    monkeypatch.setattr(report, "case_names", lambda: ["xtea", "abc"])
    results = report.load_all(tmp_path)
    assert [one["case"] for one in results] == ["xtea", "abc"]
    text = report.readme_part(results)
    assert text.startswith("![Every stage of the XTEA ladder")
    assert text.index("| [XTEA]") < text.index("| [Another](reports/reference/abc.md), `message` | 04 ")
    assert "n/a (no library was measured)" in text
    assert report.index(tmp_path).index('id="xtea"') < report.index(tmp_path).index('id="abc"')


def test_a_claim_of_one_number_stands_for_what_rounds_to_it(small_result):
    found = copy.deepcopy(small_result)  # in which 04 is 4 times as fast
    claim = {"text": "so fast", "stage": "xtea-04", "base": "xtea-00"}
    found["claims"] = [{**claim, "ratio": [ratio, ratio]} for ratio in (3.7, 3.9, 4.1, 4.3)]
    outcomes = [one["measured"][0]["outcome"] for one in views.claims(found)]
    assert outcomes == ["refuted", "confirmed", "confirmed", "refuted"]


def test_the_best_library_is_the_fastest():
    speed = {"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4, "xtea-botan": 2, "xtea-cryptopp": 3, "xtea-other": 1.5}
    (best,) = views.best(made_result(speed))
    assert best["library"] == "cryptopp"
    assert best["vs_library"]["ratio"] == pytest.approx(4 / 3, rel=0.01)


def test_the_readme_is_filled_between_its_markers(sample, tmp_path, monkeypatch):
    monkeypatch.setattr(report, "ROOT", tmp_path)
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- reference report: begin -->\nstale\n<!-- reference report: end -->\nafter\n")
    report.fill_readme([sample])
    text = readme.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "stale" not in text
    assert "| [XTEA](reports/reference/xtea.md), `message` | 04 Interchange the loops: x86-64, gcc | 4.00x [" in text
    assert re.search(r"\| [\d.]+x \[[\d., ]+\], botan \| A, 20\d\d-\d\d-\d\d", text)
    assert "- A: A <processor>" in text
    readme.write_text("no markers\n")
    with pytest.raises(Complaint, match="has lost the lines"):
        report.fill_readme([sample])
