"""What is older than the tree, and results side by side."""

from __future__ import annotations

import copy
import json
import shutil

import pytest
from conftest import needs

from perf_ladders import catalogue, cli, freshness, merged, report, result
from perf_ladders.complaint import Complaint


@pytest.fixture(scope="module")
def written(small_result, tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / "xtea.json"
    result.save(small_result, path)
    report.write(small_result, path)
    return path


@pytest.fixture
def fresh(written, tmp_path):
    """A report of the tree as it is; some stages were not measured."""
    shutil.copytree(written.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / written.name


def about_measured(path):
    return [sentence for sentence in freshness.stale(path) if "not measured yet" not in sentence]


@needs("xtea-12")
def test_a_report_of_this_tree_is_fresh_but_for_what_was_not_measured(fresh):
    found = freshness.stale(fresh)
    assert [sentence for sentence in found if "not measured yet" not in sentence] == []
    assert "Section xtea-12: not measured yet." in found
    assert "Section xtea-03: not measured yet." not in found  # left out, and the report says why


def changed(path, change):
    """What is said of all but the pages, which take long to write."""
    found = result.load(path)
    change(found)
    result.save(found, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(freshness, "_pages", lambda result, path: [])
        return about_measured(path)


def test_a_changed_stage_is_named(fresh):
    name = "stages/xtea/04-interchange/stage.cpp"

    def change(found):
        found["sources"][name] = "0" * 64

    assert changed(fresh, change) == [f"Section xtea-04: {name} has changed since it was measured."]


def test_what_all_share_is_named_once(fresh):
    def change(found):
        found["sources"]["stages/xtea/xtea.hpp"] = "0" * 64

    assert changed(fresh, change) == ["Every section of xtea: stages/xtea/xtea.hpp has changed since it was measured."]


def test_libraries_notes_and_predictions(fresh):
    def change(found):
        found["sources"]["stages/xtea/peers/botan/stage.cpp"] = "0" * 64
        found["stages"][1]["notes"] += "More."
        found["stages"][2]["predicts"] = {"novec": [1, 2]}
        found |= result.with_rows(found)

    assert changed(fresh, change) == [
        "Section a library: stages/xtea/peers/botan/stage.cpp has changed since it was measured.",
        "Section xtea-01: the notes have changed; publishing takes them over.",
        "Section xtea-02: its prediction was changed after it was measured.",
    ]


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("stages/xtea/variants/inlined/xtea/border.hpp", "variants"),
        ("stages/xtea/standards/fips202/xtea/constants.hpp", "other standards"),
        ("stages/xtea/apps/miner/main.cpp", "the program"),
        ("nowhere.hpp", "a library"),
    ],
)
def test_parts_of_some_programs_have_their_own_section(fresh, name, section):
    def change(found):
        found["sources"][name] = "0" * 64

    assert changed(fresh, change) == [f"Section {section}: {name} has changed since it was measured."]


def test_rows_that_were_edited_by_hand_are_found(fresh):
    def change(found):
        found["rows"][0]["median_ns"] /= 2

    (sentence,) = changed(fresh, change)
    assert "xtea.json holds rows that do not follow from what was measured" in sentence


def test_a_stage_that_is_no_more(small_result):
    gone = copy.deepcopy(small_result["stages"][1]) | {"name": "xtea-89"}
    found = {**small_result, "stages": [*small_result["stages"], gone]}
    assert "Section xtea-89: no such stage any more." in freshness._stages(found)


def test_a_page_that_was_edited_by_hand_is_found(fresh):
    page = fresh.with_name("xtea-04.html")
    page.write_text(page.read_text().replace("4.0", "9.9"))
    (sentence,) = about_measured(fresh)
    assert "xtea-04.html is not what its result gives" in sentence


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("<p>1.5x</p><svg><path d='M 1.250000 7.000000'/></svg>", True),
        ("<p>1.5x</p><svg><path d='M 1.250001 7.000000'/></svg>", True),
        ("<p>1.5x</p><svg><path d='M 1.250003 7.000000'/></svg>", False),
        ("<p>1.5x</p><svg><path d='L 1.250000 7.000000'/></svg>", False),
        ("<p>1.5x</p><svg><path d='M 1.250000'/></svg>", False),
        ("<p>1.500001x</p><svg><path d='M 1.250000 7.000000'/></svg>", False),
    ],
)
def test_pictures_may_differ_in_the_last_digit(other, same):
    one = "<p>1.5x</p><svg><path d='M 1.250000 7.000000'/></svg>"
    assert freshness.same_page(one, other) is same


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ('<td data-sort="1.0248288863977975">1.025x</td>', True),
        ('<td data-sort="1.0248288863977983">1.025x</td>', True),
        ('<td data-sort="1.0248288963977975">1.025x</td>', False),
        ('<td data-sort="1.0248288863977983">1.026x</td>', False),
        ('<td data-sort="">1.025x</td>', False),
    ],
)
def test_what_tables_are_sorted_by_may_differ_in_the_last_digits(other, same):
    assert freshness.same_page('<td data-sort="1.0248288863977975">1.025x</td>', other) is same


def test_the_index_and_the_readme_are_compared_too(fresh, monkeypatch):
    monkeypatch.setattr(freshness, "ROOT", fresh.parent)
    report.write_index(fresh.parent)
    (fresh.parent / "README.md").write_text(f"Before.\n{report.readme_part([result.load(fresh)])}After.\n")
    assert freshness.stale_index(fresh.parent) == []
    (fresh.parent / "README.md").write_text("18.8x, typed by hand\n")
    (fresh.parent / "index.html").unlink()
    assert [sentence.split(" is ")[0].rsplit("/", 1)[-1] for sentence in freshness.stale_index(fresh.parent)] == [
        "index.html",
        "The table of README.md",
    ]


def test_side_by_side_nothing_is_pooled(small_result, tmp_path):
    other = copy.deepcopy(small_result)
    other["machine"]["cpu"] = "Another processor"
    for block in other["blocks"]:
        for run in block["runs"]:
            if run["runner"].startswith("xtea-04"):
                run["times_ns"] = {name: [8 * time for time in times] for name, times in run["times_ns"].items()}
    other = result.with_rows(other)
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, one in zip(paths, (small_result, other), strict=True):
        result.save(one, path)
    found = merged.view([small_result, other])
    line = {
        name: line
        for name in ("xtea-00", "xtea-01", "xtea-04")
        for line in found["lines"]
        if line["title"][:2] == name[-2:]
    }
    assert [cell["median_ns"] for cell in line["xtea-04"]["cells"]] == [
        next(r for r in one["rows"] if (r["stage"], r["workload"]) == ("xtea-04", "message"))["median_ns"]
        for one in (small_result, other)
    ]
    assert line["xtea-04"]["agreement"] == {"verdict": "faster", "k": 1, "n": 2}
    assert line["xtea-01"]["agreement"]["k"] == 2
    assert line["xtea-00"]["agreement"] is None
    assert all(one["one_source"] for one in found["lines"])
    other["sources"]["stages/xtea/04-interchange/stage.cpp"] = "0" * 64
    found = merged.view([small_result, other])
    assert [one["title"] for one in found["lines"] if not one["one_source"]] == ["04 Interchange the loops"]
    page = merged.write(paths, tmp_path / "out").read_text()
    assert "Another processor" in page
    assert "on 1 of 2" in page
    assert page.count("All guards held.") == 2
    with pytest.raises(Complaint, match=r"a\.json is named twice"):
        merged.write([paths[0], tmp_path / "out" / ".." / "a.json"], tmp_path / "out")


def test_columns_with_too_few_blocks_have_no_voice():
    cells = [{"vs_base": {"verdict": verdict, "low": low}} for verdict, low in (("faster", 1.5), ("unresolved", None))]
    assert merged.agreement([*cells, None]) == {"verdict": "faster", "k": 1, "n": 1}
    assert merged.agreement(cells[1:]) is None


def of_case(found, name):
    """As if the case were called so."""
    return json.loads(json.dumps({**found, "case": name}).replace('"xtea-', f'"{name}-'))


def test_other_cases_are_not_merged(small_result, tmp_path):
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, name in zip(paths, ("xtea", "other"), strict=True):
        result.save(of_case(small_result, name), path)
    with pytest.raises(Complaint, match="merge one case at a time"):
        merged.write(paths, tmp_path)


def test_a_case_that_is_no_more(small_result, tmp_path):
    result.save(of_case(small_result, "gone"), tmp_path / "gone.json")
    assert "no case 'gone' any more" in freshness.stale(tmp_path / "gone.json")[0]
    assert "gone" not in catalogue.case_names()


def test_what_is_stale_stands_below_the_result_that_it_is_of(monkeypatch, capsys, tmp_path):
    said = {"sha3.json": [], "xtea.json": ["One piece.", "Another."]}
    monkeypatch.setattr(freshness, "stale", lambda path: said[path.name])
    monkeypatch.setattr(catalogue, "ROOT", tmp_path)
    both = [str(tmp_path / name) for name in said]
    assert cli.main(["report-check", *both]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == ["sha3.json: fresh", "xtea.json: stale, 2", "  One piece.", "  Another."]
    assert "Stale: 2." in err
    assert cli.main(["report-check", both[0]]) == 0
    assert capsys.readouterr().out == "sha3.json: fresh\n"
