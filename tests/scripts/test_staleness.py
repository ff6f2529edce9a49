"""What of a measurement is older than the tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import needs
from measurement_sample import small

from perf_ladders.results import staleness, store
from perf_ladders.tree import catalogue, paths, source
from perf_ladders.tree.catalogue import read_case


def said(measurement, folder):
    path = folder / "xtea.json"
    store.save(measurement, path)
    return staleness.stale(path)


def about_measured(measurement, folder):
    return [sentence for sentence in said(measurement, folder) if "not measured yet" not in sentence]


@needs("xtea-15")
def test_a_measurement_of_this_tree_is_fresh_but_for_what_was_not_measured(tmp_path):
    found = said(small(), tmp_path)
    assert about_measured(small(), tmp_path) == []
    assert "The stage small-messages (xtea-15) is not measured yet." in found
    assert not any("parallel" in sentence for sentence in found)  # it was left out, and the measurement says why
    assert "The library cryptopp is not measured yet." in found


@pytest.mark.parametrize(
    ("unit", "sentence"),
    [
        ("stage/interchange", "The stage interchange changed, or went away, since it was measured."),
        ("peer/botan", "The library botan changed, or went away, since it was measured."),
        ("stage/no-such-stage", "The stage no-such-stage changed, or went away, since it was measured."),
        ("app/no-such-app", "The program no-such-app changed, or went away, since it was measured."),
        ("variant/inlined", "The variant inlined changed, or went away, since it was measured."),
        ("standard/other", "The standard other changed, or went away, since it was measured."),
        ("foo", "The source foo changed, or went away, since it was measured."),
        ("foo/bar", "The source bar changed, or went away, since it was measured."),
        ("workloads", "Every row of xtea: its workloads changed since it was measured."),
        ("peak", "Every row of xtea: the way of finding the peak changed since it was measured."),
        ("serve", "Every row of xtea: the way of timing changed since it was measured."),
        ("timed", "Every row of xtea: the way of timing single calls changed since it was measured."),
    ],
)
def test_what_changed_is_named(tmp_path, unit, sentence):
    found = small()
    found.sources = {**found.sources, unit: "0" * 64}
    assert about_measured(found, tmp_path) == [sentence]


def test_a_change_of_the_harness_leaves_times_of_serve_fresh(tmp_path):
    found = small()
    found.sources = {**found.sources, "harness": "0" * 64}
    assert about_measured(found, tmp_path) == []
    del found.sources["serve"]
    assert about_measured(found, tmp_path) == ["Every row of xtea: the harness changed since it was measured."]


def test_a_case_that_is_gone(tmp_path):
    found = small()
    found.case = "rot13"
    assert said(found, tmp_path) == [f"{tmp_path / 'xtea.json'}: there is no case 'rot13' any more."]


def flat(text, **files):
    return source.flattened("stages/xtea/01-one/stage.cpp", {"stages/xtea/01-one/stage.cpp": text, **files}.get)


def test_comments_and_blanks_are_no_change():
    before = 'int a = 1; // one\n/* two\n lines */\n\nconst char* s = "// kept";\n'
    assert flat(before) == flat('int a  =  1;\nconst char* s = "// kept";\n')
    assert '"// kept"' in flat(before)
    assert flat("int a = 1'000; // it's one\n") == flat("int a = 1'000;\n")
    assert flat("int a = 1;\n") != flat("int a = 2;\n")


def test_a_header_of_the_case_is_part_of_the_stage_and_one_of_the_system_is_not():
    text = '#include "xtea/xtea.hpp"\n#include "xtea/xtea.hpp"\n#include "unknown.hpp"\n#include <array>\nint b;\n'
    header = {"stages/xtea/xtea.hpp": "#pragma once\n#include <span>\nint a;\n"}
    assert flat(text, **header).splitlines() == [
        "#include <span>",
        "int a;",
        '#include "unknown.hpp"',
        "#include <array>",
        "int b;",
    ]


def test_every_unit_of_every_case_has_a_digest():
    for name in catalogue.case_names():
        case = read_case(name)
        found = source.units(case)
        assert {f"stage/{stage.slug}" for stage in case.stages} <= found.keys()
        assert {"workloads", "peak", "serve", "timed"} <= found.keys()
        assert all(len(digest) == 64 for digest in found.values())


def test_files_are_those_of_the_case_and_the_harness():
    found = source.files(read_case("xtea"))
    assert {"common/main.cpp", "stages/xtea/case.toml", "stages/xtea/xtea.hpp"} <= found.keys()
    assert all((paths.ROOT / name).is_file() and not Path(name).is_absolute() for name in found)
