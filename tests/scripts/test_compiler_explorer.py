"""Links to Compiler Explorer: they hold the sources of a stage and of its base, and these compile by themselves."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import zlib
from urllib.parse import unquote

import pytest
from measurement_sample import analysed, small

from perf_ladders.pages import compiler_explorer, render
from perf_ladders.pages.compiler_explorer import ADDRESS, MAX_LENGTH, link, self_contained
from perf_ladders.tree.catalogue import case_names, read_case
from perf_ladders.tree.headers import read_header
from perf_ladders.tree.paths import ROOT

LEVEL = "x86-64-v3"
EVERY = [stage for name in case_names() for stage in read_case(name).stages]


@pytest.fixture
def compiler():
    found = small().compilers[0]
    found.version, found.flags, found.flags_of_level = "12.2.0", "-O3 -gdwarf-4", {LEVEL: f"-march={LEVEL}"}
    return found


def decoded(url):
    assert url.startswith(ADDRESS)
    return json.loads(zlib.decompress(base64.b64decode(unquote(url.removeprefix(ADDRESS)))))["sessions"]


def path_of(stage):
    return str(stage.source.relative_to(ROOT))


def test_a_link_holds_base_and_stage_with_the_flags_of_the_level(compiler):
    case = read_case("xtea")
    stage = next(one for one in case.stages if one.slug == "interchange")
    base = case.base(stage)
    before, after = decoded(link(case, stage, LEVEL, compiler))
    assert [before["source"], after["source"]] == [self_contained(path_of(one)) for one in (base, stage)]
    assert before["compilers"] == after["compilers"] == [{"id": "g122", "options": f"-std=c++20 -O3 -march={LEVEL}"}]


def test_a_link_names_what_a_stage_requires(compiler):
    case = read_case("aes-cbc")
    stage = next(one for one in case.stages if one.slug == "aes-instructions")
    compiler.name, compiler.version = "clang", "19.1.7"
    before, after = decoded(link(case, stage, LEVEL, compiler))
    assert before["compilers"][0]["id"] == after["compilers"][0]["id"] == "clang1910"
    assert after["compilers"][0]["options"].endswith(" -maes")
    assert "-maes" not in before["compilers"][0]["options"]


def test_most_stages_have_a_link_and_none_is_too_long(compiler):
    found = {}
    for stage in EVERY:
        case = read_case(stage.case)
        found[stage.name] = link(case, stage, LEVEL, compiler)
    links = [url for url in found.values() if url]
    assert len(links) > len(EVERY) / 2
    assert all(len(url) <= MAX_LENGTH for url in links)
    assert found["xtea-00"] is None  # has no base
    assert all(found[stage.name] is None for stage in EVERY if read_header(stage.source).links)


def test_no_link_for_another_architecture_or_an_unknown_compiler(compiler):
    case = read_case("xtea")
    stage = case.stages[-1]
    assert link(case, stage, "aarch64", compiler) is None
    compiler.name = "icx"
    assert link(case, case.stages[1], LEVEL, compiler) is None


@pytest.mark.parametrize("stage", EVERY, ids=lambda stage: stage.name)
def test_a_source_in_a_link_needs_no_header_of_the_tree(stage):
    text = self_contained(path_of(stage))
    headers = re.findall(r'#include [<"]([^>"]+)', text)
    assert [name for name in headers if (ROOT / "stages" / name).exists() or (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", ["xtea-04", "hmac-sha1-03", "aes-cbc-03"])
def test_a_source_in_a_link_compiles_elsewhere(tmp_path, name):
    gcc = shutil.which("g++")
    if gcc is None:
        pytest.skip("no g++ here")
    stage = next(one for one in EVERY if one.name == name)
    (tmp_path / "stage.cpp").write_text(self_contained(path_of(stage)))
    flags = ["-std=c++20", "-fsyntax-only", *(f"-m{word}" for word in read_header(stage.source).requires)]
    done = subprocess.run([gcc, *flags, "stage.cpp"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_page_links_and_loads_nothing():
    made = render.Folder()
    measured = small()
    for one in measured.compilers:
        one.version = "12.2.0"
        one.flags_of_level = dict.fromkeys(("x86-64", LEVEL), "-march=x86-64")
    render.case_pages(made, analysed(measured), "xtea.json.xz")
    page = made.files["xtea-04.html"]
    (url,) = re.findall(rf'<a href="({re.escape(ADDRESS)}[^"]+)"', page)
    assert len(decoded(url)) == 2
    assert re.findall(r'(?:src|action)="https?:', page) == []
    assert compiler_explorer.ADDRESS not in made.files["xtea-00.html"]
