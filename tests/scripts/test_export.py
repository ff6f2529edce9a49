"""The pages in git, the tables between markers, and the whole site."""

from __future__ import annotations

import re
import shutil
from html import unescape

import pytest
from evidence_sample import full, sampled
from measurement_sample import SMALL, analysed, made, paired, small
from msgspec.structs import replace as changed

from perf_ladders.errors import UserError
from perf_ladders.pages import compiler_explorer, export, machines_view, render, site
from perf_ladders.results import guards, queries, store
from perf_ladders.results import shown as of_cases
from perf_ladders.tree import catalogue, paths
from perf_ladders.tree.catalogue import case_names, read_case
from perf_ladders.tree.git_tags import NO_TABLE
from perf_ladders.tree.paths import ROOT

REPORTS = ROOT / "reports"
KIB = 1024
README = "[before](stages/xtea/02-transform/stage.cpp), [after](stages/xtea/04-interchange/stage.cpp)"


@pytest.fixture(scope="module")
def measured():
    return {name: found for name in case_names() if (found := of_cases.analyses(read_case(name)))}


def test_every_measurement_in_git_is_read_and_none_is_broken(measured):
    for several in measured.values():
        for found in several:
            assert found.rows
            assert guards.errors(found) == []


# A tree of a tag has not all stages that were measured.
WHOLE = pytest.mark.skipif(NO_TABLE in export.README.read_text(), reason="a tree of a tag has no pages of its case")


@WHOLE
@pytest.mark.parametrize("name", case_names())
def test_pages_in_git_are_those_that_the_measurements_give(measured, name):
    """Written with `make pages`, exactly."""
    if name not in measured:
        assert not (REPORTS / f"{name}.md").exists(), "a page without a measurement"
        return
    assert (REPORTS / f"{name}.md").read_text() == export.page(measured[name]).rstrip() + "\n"
    assert (REPORTS / f"{name}.svg").read_text() == export.picture(measured[name][0]).rstrip() + "\n"
    assert len((REPORTS / f"{name}.md").read_bytes()) < 60 * KIB
    assert len((REPORTS / f"{name}.svg").read_bytes()) < 150 * KIB


@WHOLE
def test_tables_between_markers_are_those_that_the_measurements_give(measured):
    shown = {name: found[0] for name, found in measured.items()}
    readme = export.README.read_text()
    assert (REPORTS / "README.md").read_text() == export.index(shown).rstrip() + "\n"
    assert (REPORTS / "atlas.md").read_text() == export.atlas(measured).rstrip() + "\n"
    assert (REPORTS / "claims.md").read_text() == export.claims(measured).rstrip() + "\n"
    for name, part in export.readme_parts(measured, readme).items():
        assert f"<!-- {name}: begin -->\n{part.rstrip()}\n<!-- {name}: end -->" in readme
    cells = export.cells(next(iter(shown.values()))).rstrip()
    assert f"<!-- cells: begin -->\n{cells}\n<!-- cells: end -->" in export.CELLS.read_text()


def test_there_is_no_html_in_git():
    assert not [path for path in REPORTS.glob("**/*.html") if "local" not in path.parts]


def test_a_page_begins_with_the_answer_and_its_tables_are_whole():
    text = export.page([sampled()])
    order = ["# XTEA", "over the reference", "Most came from", "](xtea.svg)"]
    order += [
        "## The main path",
        "## The ladder",
        "## Against the libraries",
        "## Against the source document",
        "## What did not help",
    ]
    order += ["## Gained less than predicted", "## Guards", "## Machines", "## Where to read on"]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    ladder = text.split("## The ladder")[1].split("\n## ")[0]
    assert re.search(r"^\| ↳ \[04 Loop interchange\]\(\S+\) \| 25\d us \| .* faster \| 02 \| ", ladder, re.MULTILINE)
    assert "not measured" not in ladder, "the list above it says so"
    path = text.split("## The main path")[1].split("\n## ")[0]
    taught = read_case("xtea").stage("03").notes.taught
    assert re.search(rf"^- \[02 .*\n  - Tried beside this step: \[03 .*TBB is not installed\. {taught}$", path, re.M)
    assert re.search(r"^\| \[02 .*\n\| ↳ \[04 ", ladder, re.MULTILINE), "a side branch is under the step that it leaves"
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(tables) == 9
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1, table.splitlines()[0]


def table(**measurements):
    lines = export.readme_parts({name: [analysed(one)] for name, one in measurements.items()}, README)["table"]
    return {line.split("|")[1].strip(): line for line in lines.splitlines()[2:]}


def test_cells_of_the_table_are_plain():
    found = table(xtea=small())["[XTEA](reports/xtea.md)"]
    assert re.fullmatch(
        r"\| \[XTEA\]\(reports/xtea.md\) \| 04 Loop interchange \| 4\.0\dx \[\d\.\d\d, \d\.\d\d\] "
        r"(\| (1\.99\d|2\.0\d)x \[\d\.\d+, \d\.\d+\] faster: botan, `message`(, x86-64)? ){4}"
        r"\| A &lt;processor> \(1/2/3\), 2026-01-01 \|",
        found,
    )


def test_a_case_that_is_not_to_be_quoted_shows_one_word_and_no_figure():
    uncommitted = small()
    uncommitted.made.changed = True
    noisy = made({"xtea-00": 1, "xtea-00-again": 1.3, "xtea-04": 4, "xtea-botan": 2})
    for found, word in ((uncommitted, "uncommitted"), (noisy, "noisy")):
        line = table(xtea=found)["[XTEA](reports/xtea.md)"]
        assert f"| {word} |" in line
        assert not re.search(r"\dx", line)
        page = export.page([analysed(found)])
        assert "There is no headline figure" in page.split("![")[0]
    assert "| unmeasured |" in table()["[XTEA](reports/xtea.md)"]


def test_the_gain_is_that_of_the_step_that_readme_links():
    gain = export.gain({"xtea": analysed(small())}, README)
    assert re.match(
        r"Measured speed-up: \*\*4\.0\dx \[\d\.\d\d, \d\.\d\d\]\*\* \(GCC 12, x86-64, 25,600 bytes;\n", gain
    )
    assert "not measured yet" in export.gain({}, README)
    with pytest.raises(UserError, match=r"README\.md links no step"):
        export.gain({"xtea": analysed(small())}, "no links")


def test_only_the_text_between_markers_is_replaced(tmp_path):
    path = tmp_path / "README.md"
    path.write_text("before\n<!-- table: begin -->\nstale\n<!-- table: end -->\nafter\n")
    render.fill(path, "table", "new\n")
    assert path.read_text() == "before\n<!-- table: begin -->\nnew\n<!-- table: end -->\nafter\n"
    path.write_text("no markers\n")
    with pytest.raises(UserError, match="lacks the lines <!-- table: begin -->"):
        render.fill(path, "table", "new\n")
    assert path.read_text() == "no markers\n"


def test_a_changed_note_changes_pages_and_no_measurement(tmp_path, monkeypatch):
    """The notes are those of the tree when a page is written: a measurement quotes nothing of them."""
    tree = tmp_path / "stages"
    shutil.copytree(paths.STAGES / "xtea", tree / "xtea")
    monkeypatch.setattr(catalogue, "STAGES", tree)
    path = store.save(small(), tmp_path / "xtea.json")
    before = export.page([analysed(store.load(path))])
    notes = next((tree / "xtea").glob("01-*/notes.md"))
    title = read_case("xtea").stages[1].notes.title
    assert title in before
    notes.write_text(notes.read_text().replace(title, "Another title"))
    after = export.page([analysed(store.load(path))])
    assert after == before.replace(f"01 {title}", "01 Another title") != before
    assert title not in path.read_text()


def other_machine(measurement):
    measurement.machine = changed(measurement.machine, cpu="AMD EPYC", family_model_stepping="25/1/1")
    measurement.made.date = "2026-02-01T00:00:00+00:00"
    return measurement


def test_the_site_holds_every_page_and_the_data(tmp_path, monkeypatch):
    several = [sampled(), sampled(other_machine(full()))]
    data = tmp_path / "results" / "a-name-that-stays.json.xz"  # also where stages were renamed since
    monkeypatch.setattr(site, "case_names", lambda: ["xtea"])
    monkeypatch.setattr(site, "by_file", lambda _: [(data, one) for one in several])
    store.save(several[0].measurement, data)
    folder = tmp_path / "site"
    assert site.write(folder) == folder / "index.html"
    names = {path.name for path in folder.iterdir()}
    assert {
        "index.html",
        "atlas.html",
        "xtea.html",
        "xtea-04.html",
        "xtea-machines.html",
        "xtea-04-machines.html",
    } < names
    assert data.name in names
    machines = unescape((folder / "xtea-machines.html").read_text())
    assert "AMD Zen 3 (EPYC)" in machines
    assert "Faster on 2 of 2 CPUs" in machines
    assert 'id="xtea-04"' in (folder / "atlas.html").read_text()
    for page in folder.glob("*.html"):
        assert page.stat().st_size < 1_500_000
        for link in re.findall(r'(?:href|src)="([^"#]+)', page.read_text()):
            assert (folder / link).exists() or link.startswith(compiler_explorer.ADDRESS), f"{page.name}: {link}"


def test_a_stage_that_the_shown_measurement_lacks_has_the_page_of_another(tmp_path, monkeypatch):
    """Which names its machine and links its file."""
    less = made({name: speed for name, speed in SMALL.items() if name != "xtea-04"})
    several = {"less.json.xz": less, "more.json.xz": other_machine(small())}
    found = [(store.save(one, tmp_path / "results" / name), analysed(one)) for name, one in several.items()]
    monkeypatch.setattr(site, "case_names", lambda: ["xtea"])
    monkeypatch.setattr(site, "by_file", lambda _: found)
    folder = site.write(tmp_path / "site").parent
    pages = {name: " ".join((folder / f"xtea-{name}.html").read_text().split()) for name in ("02", "04", "05")}
    said = "Measured on AMD Zen 3. The measurement that the other pages show, on A &lt;processor&gt; (1/2/3), does not"
    assert {name: said in page for name, page in pages.items()} == {"02": False, "04": True, "05": False}
    assert '<span class="big">4.0' in pages["04"]
    older = other_machine(small())
    older.sources["stage/interchange"] = "0" * 64
    for other, word in (
        (found[1][1], "not in this measurement; on AMD Zen 3 4.0"),
        (analysed(older), "measured only with an older source"),
    ):
        page = export.page([found[0][1], other])
        (line,) = (line for line in page.splitlines() if line.startswith("  - ") and "[04 " in line)
        assert f": {word}" in line
    assert "less.json.xz" in pages["02"]
    assert "more.json.xz" in pages["04"]
    assert {*several} <= {path.name for path in folder.iterdir()}


def test_measurements_side_by_side(tmp_path):
    first = store.save(small(), tmp_path / "a.json.xz")
    second = store.save(other_machine(small()), tmp_path / "b.json.xz")
    page = unescape(machines_view.write([first, second], tmp_path).read_text())
    assert "1: x86-64, gcc" in page
    assert "2: x86-64, gcc" in page
    copy = store.save(small(), tmp_path / "copy.json")
    for again in (first, copy):
        with pytest.raises(UserError, match="are one measurement: name each once"):
            machines_view.write([first, second, again], tmp_path)
    third = small()
    third.workloads[0].bytes = 1
    with pytest.raises(UserError, match="timed different workloads"):
        machines_view.write([first, store.save(third, tmp_path / "c.json.xz")], tmp_path)


def test_stages_of_different_sources_are_told():
    old = small()
    old.sources["stage/interchange"] = "0" * 64
    both = [analysed(small()), analysed(old)]
    assert not queries.one_source(both, "xtea-04")
    assert queries.one_source(both, "xtea-01")


def test_a_folder_that_cannot_be_written_gets_a_sentence(tmp_path):
    (tmp_path / "file").write_text("in the way")
    made_pages = render.Folder()
    made_pages.files["index.html"] = "x"
    with pytest.raises(UserError, match="Cannot write"):
        made_pages.write(tmp_path / "file")


def shown_of(folder, *several):
    """The dates of these measurements of XTEA, the one that is shown first."""
    (folder / "xtea").mkdir(exist_ok=True)
    for number, one in enumerate(several):
        store.save(one, folder / "xtea" / f"{number}.json.xz")
    return [one.measurement.made.date for one in of_cases.analyses(read_case("xtea"), folder)]


def test_a_measurement_of_few_rounds_is_not_shown_before_a_whole_one(tmp_path):
    """Though it is newer, and of as many stages."""
    old, new, short = paired(SMALL), paired(SMALL), paired(SMALL, rounds=1)
    for day, one in enumerate((old, new, short), 1):
        one.made.date = f"2026-01-{day:02}T00:00:00+00:00"
    assert shown_of(tmp_path, old, new) == [new.made.date, old.made.date]
    assert shown_of(tmp_path, old, short) == [old.made.date, short.made.date]
    old.sources = dict.fromkeys(old.sources, "0" * 64)
    assert shown_of(tmp_path, old, short) == [short.made.date, old.made.date], "nothing of the whole one is current"


def test_a_measurement_that_decides_less_is_not_shown_before_one_that_decides_more(tmp_path):
    """As on a machine whose cores others use, too."""
    old, noisy = paired(SMALL), paired(SMALL)
    old.made.date, noisy.made.date = "2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00"
    for one in noisy.pairs[::2]:
        one.stage_ns *= 2
    assert shown_of(tmp_path, old, noisy) == [old.made.date, noisy.made.date]


def with_closing_stage(rounds=12):
    """Of fewer stages, so it decides less, and newer."""
    made_now = paired({"xtea-00": 4, "xtea-00-again": 4, read_case("xtea").closing.name: 1}, rounds=rounds)
    made_now.made.date = "2026-01-02T00:00:00+00:00"
    return made_now


def test_a_measurement_of_the_closing_stage_is_shown_before_one_of_more_levels_of_the_same_cpu(tmp_path):
    old, new = paired(SMALL), with_closing_stage()
    old.made.date = "2026-01-01T00:00:00+00:00"
    assert shown_of(tmp_path, old, new) == [new.made.date, old.made.date]
    new.machine.family_model_stepping = "0/0/0"
    assert shown_of(tmp_path, old, new) == [old.made.date, new.made.date]


def test_it_is_not_if_it_does_not_decide_that_stage_as_it_is_now(tmp_path):
    old, short, stale, noisy = paired(SMALL), with_closing_stage(1), with_closing_stage(), with_closing_stage()
    old.made.date = "2026-01-01T00:00:00+00:00"
    stale.sources[f"stage/{read_case('xtea').closing.slug}"] = "0" * 64
    for one in noisy.pairs[::2]:
        one.stage_ns *= 6
    for new in (short, stale, noisy):
        assert shown_of(tmp_path, old, new) == [old.made.date, new.made.date]


def test_a_new_stage_alone_does_not_bring_a_measurement_to_the_front(tmp_path):
    """Only the newest has it, and decides nothing."""
    old, noisy = paired(SMALL), paired({**SMALL, "xtea-05": 1})
    old.made.date, noisy.made.date = "2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00"
    for one in noisy.pairs[::2]:
        one.stage_ns *= 2
    assert shown_of(tmp_path, old, noisy) == [old.made.date, noisy.made.date]
