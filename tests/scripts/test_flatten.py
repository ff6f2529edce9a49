"""A stage as one text, with the headers of its case."""

from __future__ import annotations

import subprocess

import pytest
from conftest import needs

from perf_ladders.tree import catalogue, flatten, source
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.paths import ROOT, STAGES

STAGE = "stages/made/04-two/stage.cpp"


def text_of(stage, **files):
    files = {"contract": '#pragma once\n#include <span>\n#include "common/multibuffer/jobs.hpp"\n', **files}
    paths = {
        "contract": "stages/made/made.hpp",
        "lanes": "stages/made/lanes.hpp",
        "words": "stages/made/02-words/words.hpp",
        "own": "stages/made/04-two/own.hpp",
        "jobs": "common/multibuffer/jobs.hpp",
        "ring": "common/multibuffer/ring.hpp",
        "bytes": "common/bytes.hpp",
    }
    there = {paths[name]: text for name, text in files.items()}
    return flatten.stage_text(STAGE, {STAGE: stage, "common/multibuffer/jobs.hpp": "int job;\n", **there}.get)


def test_headers_of_the_case_take_the_place_of_their_includes():
    stage = (
        "// Two.\n// requires: aes\n#include <immintrin.h>\n\n#include <bit>\n\n"
        '#include "common/bytes.hpp"\n#include "common/multibuffer/ring.hpp"\n#include "made/lanes.hpp"\n'
        '#include "made/made.hpp"\n#include "own.hpp"\n\nint two;\n'
    )
    found = text_of(
        stage,
        lanes='// Lanes.\n#pragma once\n\n#include <array>\n#include <bit>\n\n#include "made/made.hpp"\n\nint lanes;\n',
        own='#pragma once\n#include "made/lanes.hpp"\nint own;\n',
        ring='#pragma once\n\n#include "common/multibuffer/jobs.hpp"\n\nint ring;\n',
        bytes="#pragma once\nint bytes;\n",
    )
    assert found == (
        "// Two.\n// requires: aes\n#include <immintrin.h>\n\n#include <array>\n#include <bit>\n\n"
        '#include "common/bytes.hpp"\n#include "common/multibuffer/jobs.hpp"\n#include "made/made.hpp"\n\n'
        "int ring;\n\n// Lanes.\nint lanes;\n\nint own;\n\nint two;\n"
    )


def test_headers_have_the_same_order_in_every_stage():
    """After those that they include, and that of a later stage after that of an earlier one."""
    files = {
        "lanes": '#include "made/02-words/words.hpp"\nint lanes;\n',
        "words": "int words;\n",
        "own": "int own;\n",
    }
    includes = ['#include "own.hpp"\n', '#include "made/lanes.hpp"\n', '#include "made/02-words/words.hpp"\n']
    for order in (includes, includes[::-1]):
        text = text_of("// Two.\n" + "".join(order) + "\nint two;\n", **files)
        assert text == "// Two.\n\nint words;\n\nint lanes;\n\nint own;\n\nint two;\n"


@pytest.mark.parametrize(("between", "order"), [("", ["lanes", "own", "two"]), ("\n", ["own", "lanes", "two"])])
def test_headers_above_an_empty_line_come_first(between, order):
    """What they define is found by templates of the headers below it."""
    stage = f'#include "own.hpp"\n{between}#include "made/lanes.hpp"\n\nint two;\n'
    found = text_of(stage, own="int own;\n", lanes="int lanes;\n")
    assert sorted(order, key=lambda name: found.index(f"int {name};")) == order


def test_what_stands_after_code_stays_there():
    text = text_of('// Two.\n#include "made/lanes.hpp"\nint two;\n', lanes="#define A\n#include <array>\nint lanes;\n")
    assert text == "// Two.\n\n#define A\n#include <array>\nint lanes;\n\nint two;\n"


def test_options_for_the_compiler_stay_in_front_of_headers():
    options = '#ifndef __clang__  // why\n#pragma GCC target("no-avx")\n#endif\n'
    stage = f'// Two.\n{options}#include <array>\n\n#include "made/lanes.hpp"\n\nint two;\n'
    assert text_of(stage, lanes="int lanes;\n") == f"// Two.\n{options}#include <array>\n\nint lanes;\n\nint two;\n"


def test_a_header_that_is_included_after_code_stays_behind_it():
    stage = '// Two.\n#include "made/lanes.hpp"\n\nint two;\n\n#include "own.hpp"\n'
    text = text_of(stage, lanes="int lanes;\n", own='#include <span>\n#include "made/lanes.hpp"\nint own;\n')
    assert text == "// Two.\n#include <span>\n\nint lanes;\n\nint two;\n\nint own;\n"


@pytest.mark.parametrize("name", catalogue.case_names())
def test_nothing_is_lost_and_a_stage_without_headers_is_as_it_was(name):
    case = read_case(name)
    for stage in case.stages:
        path = str(stage.source.relative_to(ROOT))
        text = case.text(stage)
        files = {path: text}
        as_file = source.flattened(path, lambda one, files=files: files.get(one) or flatten.in_tree(one))
        code = [
            sorted(line for line in one.splitlines() if not line.startswith("#include"))
            for one in (as_file, source.flattened(path))
        ]
        assert code[0] == code[1]
        written = stage.source.read_text("utf-8")
        if flatten.INCLUDE.findall(written) == [f"{name}/{case.contract.name}"]:
            assert text == written


@needs("hmac-sha1-14")
@pytest.mark.parametrize(("number", "flags"), [("12", []), ("32", ["-march=x86-64-v3", "-msha"])])
def test_the_text_compiles(number, flags, build, tmp_path):
    """As a commit of the lecture does beside the headers of the case."""
    case = read_case("hmac-sha1")
    (tmp_path / "stage.cpp").write_text(case.text(case.stage(number)))
    words = ["-std=c++20", "-fsyntax-only", *flags, f"-I{STAGES}", f"-I{ROOT}", str(tmp_path / "stage.cpp")]
    done = subprocess.run([build.compiler.command, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
