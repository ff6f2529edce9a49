"""The documents for newcomers: what they name is there, what they quote is so, and the worked example works."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from conftest import made_result

from perf_ladders import catalogue, guards, report, result, tags
from perf_ladders.catalogue import ROOT
from perf_ladders.complaint import Complaint

DOCS = ROOT / "docs"
EXAMPLE = DOCS / "examples/crc32"
KERNEL = DOCS / "your-own-kernel.md"
MAIN = ROOT / "common/main.cpp"
READING = DOCS / "reading-a-report.md"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]


@pytest.fixture(scope="module", autouse=True)
def whole_tree():
    """The trees of tags lack later stages and all reports, which documents name."""
    try:
        tags._expect_whole_tree()
    except Complaint as complaint:
        pytest.skip(str(complaint))


def without_fences(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """As GitHub makes them from headings."""
    headings = re.findall(r"^#+ (.+)$", without_fences(page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(text):
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", without_fences(text)) if "://" not in link]


def verbs_named(text):
    """Of `make`, in code and in fences of commands."""
    code = re.findall(r"`([^`\n]+)`", without_fences(text)) + re.findall(
        r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL
    )
    return {verb for span in code for verb in re.findall(r"(?:^|&& |; )make ([a-z][a-z-]*)", span, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in links(page.read_text()):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_knows_what_it_is_asked(page):
    makefile = (ROOT / "Makefile").read_text()
    goals = set(" ".join(re.findall(r"^goals [:+]= (.+)$", makefile, re.MULTILINE)).split())
    assert verbs_named(page.read_text()) <= goals


def test_the_cells_are_those_of_the_reference_report():
    path = report.results_in(catalogue.REFERENCE_REPORTS)[0]
    part = re.search(r"<!-- cells: begin -->\n(.*)<!-- cells: end -->\n", READING.read_text(), re.DOTALL)
    assert part[1].rstrip() == report.cells_part(json.loads(gzip.decompress(path.read_bytes()))).rstrip(), (
        "publishing writes them anew"
    )
    published = path.with_name(f"{path.name.split('.')[0]}.md")
    cells = re.findall(r"\*\*([\d.]+x \[[\d., ]+\])", part[1])
    assert cells
    assert all(cell in published.read_text() for cell in cells)


# --- The glossary ---


def entries():
    text = (DOCS / "glossary.md").read_text()
    return [
        (term, " ".join(said.split())) for term, said in re.findall(r"^### (.+)\n\n((?:.+\n)+)", text, re.MULTILINE)
    ]


def test_the_glossary_is_sorted_and_says_where_to_look():
    found = entries()
    terms = [term for term, _ in found]
    assert len(terms) == len(re.findall(r"^###", (DOCS / "glossary.md").read_text(), re.MULTILINE)) > 60
    assert terms == sorted(terms, key=str.casefold)
    assert len(set(terms)) == len(terms)
    for term, text in found:
        assert re.search(r"\bSee\s(?:\[|`)", text), f"{term} does not say where to see it"
        for named in re.findall(r"`((?:make|build/)[^`]+)`", text):
            assert verbs_named(f"`{named}`") or program_is_known(named), (term, named)


def test_the_glossary_explains_what_is_said():
    """No word that notes, documents, pages and scripts do not use."""
    files = [*ROOT.glob("stages/*/*/notes.md"), *PAGES, *ROOT.glob("scripts/perf_ladders/**/*.*[2y]")]
    said = "\n".join(path.read_text() for path in files if path.name != "glossary.md").casefold()
    for term, _ in entries():
        for word in re.split(r", | \(", term.casefold()):
            assert word.rstrip(")").removesuffix("e") in said, term


def program_is_known(command):
    program, verb = command.split()[:2]
    name, _, level = program.rpartition("/")[2].partition(".")
    stages = {stage.name for case in catalogue.case_names() for stage in catalogue.read_case(case).stages}
    return name in stages and level in catalogue.known_levels() and f'verb == "{verb}"' in MAIN.read_text()


# --- Results of other machines ---


def wrong_about(path):
    """What forbids a result in reports/machines."""
    found = result.load(path)
    said = []
    if not re.fullmatch(rf"{found['case']}-[a-z0-9-]+\.json\.gz", path.name):
        said.append("it is not named <case>-<machine>.json.gz")
    if found["made"]["changed"]:
        said.append("its tree had changes that no commit has")
    said += guards.errors(found)
    about = json.dumps([found["machine"], found["compilers"], found["made"], found["left_out"]])
    return said + [f"it names {name}" for name in re.findall(r"/(?:home|root|Users|mnt|tmp)/\S*", about)]


def test_results_of_other_machines_are_fit_for_all(small_result, tmp_path):
    for path in (ROOT / "reports/machines").glob("*.json*"):
        assert wrong_about(path) == [], path.name
    good, bad = tmp_path / "xtea-a-laptop.json.gz", tmp_path / "Laptop.json.gz"
    result.save(small_result, good)
    assert wrong_about(good) == []
    beyond = made_result({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 50})
    result.save({**beyond, "made": {**beyond["made"], "changed": True}}, good)
    assert [sentence.split(" ")[0] for sentence in wrong_about(good)] == ["its", "BROKEN:"]
    compilers = [{**small_result["compilers"][0], "flags": "-I/home/ada/include"}]
    result.save({**small_result, "compilers": compilers}, bad)
    assert len(wrong_about(bad)) == 2


def test_a_result_does_not_say_where_the_compiler_lies(build):
    assert (
        "/" not in result.compiler(replace(build, compiler={**build.compiler, "command": "/home/ada/g++"}))["command"]
    )


# --- The worked example ---


def excerpts():
    """Each fence that is no command, with the file of the link before it."""
    text = KERNEL.read_text()
    found = []
    for fence in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if fence[1] != "sh":
            *_, link = re.findall(r"\]\((examples/crc32/[^)]+)\)", text[: fence.start()])
            found.append((link, fence[2]))
    return found


def test_the_document_quotes_its_example():
    found = excerpts()
    assert len(found) >= 10
    for path, lines in found:
        assert f"\n{lines}" in "\n" + (DOCS / path).read_text(), f"{path} has no longer:\n{lines}"


def lines_to_write():
    """A table of what a reader writes."""
    groups = {
        "contract, `case.toml`": ["stages/crc32/*.*"],
        "oracle": ["tests/crc32/oracle.*"],
        "check, with known answers": ["tests/crc32/check.cpp", "tests/crc32/vectors/*"],
        "workloads": ["tests/crc32/workloads.cpp"],
        "two mutants": ["tests/crc32/mutants/*"],
        "the peer": ["stages/crc32/peers/*/*"],
    }
    folders = sorted(path.name for path in EXAMPLE.glob("stages/crc32/[0-9][0-9]-*"))
    groups |= {f"stage {name[:2]}, with its notes": [f"stages/crc32/{name}/*"] for name in folders}
    counted = {
        name: sum(len(path.read_text().splitlines()) for pattern in patterns for path in EXAMPLE.glob(pattern))
        for name, patterns in groups.items()
    }
    rows = "".join(f"| {name} | {lines} |\n" for name, lines in counted.items())
    every = sum(len(path.read_text().splitlines()) for path in EXAMPLE.rglob("*") if path.is_file())
    assert sum(counted.values()) == every
    return f"| to write | lines |\n|---|--:|\n{rows}"


def test_the_times_are_those_of_the_walk():
    part = re.search(r"<!-- walk: begin -->\n(.*)<!-- walk: end -->\n", KERNEL.read_text(), re.DOTALL)
    steps = re.findall(r"^step (\S.*)$", (DOCS / "examples/walk.sh").read_text(), re.MULTILINE)
    assert re.findall(r"^\| `(.*)` \| \d+ s \|$", part[1], re.MULTILINE) == steps
    assert re.search(r"^Measured on \d{4}-\d\d-\d\d by docs/examples/walk.sh on ", part[1], re.MULTILINE)


def test_the_lines_to_write_are_counted():
    part = re.search(r"<!-- lines: begin -->\n(.*)<!-- lines: end -->\n", KERNEL.read_text(), re.DOTALL)
    assert part[1] == lines_to_write(), f"docs/your-own-kernel.md should say:\n{lines_to_write()}"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """What builds programs, and the example as the only case."""
    folder = tmp_path_factory.mktemp("example")
    shutil.copytree(ROOT / "common", folder / "common")
    shutil.copy(ROOT / "CMakeLists.txt", folder)
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    for header in (ROOT / "tests").glob("*.hpp"):
        shutil.copy(header, folder / "tests")
    return folder


def test_the_example_reads_as_a_case(tree, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tree / "stages")
    assert catalogue.case_names() == ["crc32"]
    case = catalogue.read_case("crc32")
    assert [stage.number for stage in case.stages] == ["00", "01", "02", "03"]
    assert all(stage.notes.title and stage.headline for stage in case.stages)
    assert all("<!-- rows -->" in stage.notes.text for stage in case.stages)


def test_the_example_builds_and_its_mutants_are_rejected(tree, build):
    if build.preset.startswith("sanitize"):
        pytest.skip("once is enough")
    level = next(level for level in build.flags if level != "novec")
    configure = [f"-DCMAKE_CXX_COMPILER={build.compiler['command']}", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]
    run("cmake", "-S", tree, "-B", tree / "build", "-GNinja", "-DCMAKE_BUILD_TYPE=Release",
        f"-DPERF_LADDERS_LEVELS={level}", *configure)  # fmt: skip
    numbers = (
        ("00", "01", "02", "03") if level.startswith("x86-64") else ("00", "01")
    )  # the others: // requires: pclmul
    names = [f"crc32-{number}.{level}" for number in numbers]
    mutants = [f"crc32-mutant-{path.stem}" for path in (tree / "tests/crc32/mutants").glob("*.cpp")]
    run("cmake", "--build", tree / "build", "--target", *names, *(f"{name}.{level}" for name in mutants))
    wanted = "|".join(map(re.escape, [*names, *mutants]))
    done = run("ctest", "--test-dir", tree / "build", "--tests-regex", f"^({wanted})$", "--parallel", "2")
    assert f"100% tests passed, 0 tests failed out of {len(names) + len(mutants)}" in done


def misspell_a_flag(tree):
    return tree / "stages/crc32/09-spoilt/stage.cpp", "// 09 Spoilt.\n// requires: sse42\n", "compiler knows no -msse42"


def misspell_a_key(tree):
    return tree / "stages/crc32/09-spoilt/stage.cpp", "// 09 Spoilt.\n// link: zlib\n", "there is no `link:`"


def end_at_no_level(tree):
    return tree / "stages/crc32/09-spoilt/stage.cpp", "// 09 Spoilt.\n// until: v3\n", "`until: v3` is no level"


def name_a_mutant_wrongly(tree):
    return tree / "tests/crc32/mutants/2-name.cpp", "", "such as 02-rest-dropped.cpp"


def leave_out_the_oracle(tree):
    (tree / "tests/crc32/oracle.cpp").unlink()
    return tree / "tests/crc32/notes.txt", "", "tests/crc32/oracle.cpp is missing"


@pytest.mark.parametrize(
    "spoil", [misspell_a_flag, misspell_a_key, end_at_no_level, name_a_mutant_wrongly, leave_out_the_oracle]
)
def test_a_mistake_is_named_where_it_was_made(tree, build, tmp_path, spoil):
    level = next(level for level in build.flags if level != "novec")
    if spoil is misspell_a_flag and not level.startswith("x86-64"):
        pytest.skip("no flags of x86 here")
    spoilt = tmp_path / "tree"
    shutil.copytree(tree, spoilt, ignore=shutil.ignore_patterns("build"))
    file, text, sentence = spoil(spoilt)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    done = subprocess.run(
        ["cmake", "-S", spoilt, "-B", spoilt / "build", "-GNinja", f"-DCMAKE_CXX_COMPILER={build.compiler['command']}",
         f"-DPERF_LADDERS_LEVELS={level}"], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert sentence in " ".join(done.stderr.split())


def test_a_stage_is_made_up_to_the_level_that_it_names(tree, build, tmp_path):
    if "x86-64" not in build.flags:
        pytest.skip("levels of x86-64")
    branched = tmp_path / "tree"
    shutil.copytree(tree, branched, ignore=shutil.ignore_patterns("build"))
    source = branched / "stages/crc32/01-eight-tables/stage.cpp"
    before = source.read_text("utf-8")
    first, rest = before.split("\n", 1)
    source.write_text(f"{first}\n// until: x86-64-v3\n{rest}", "utf-8")
    run("cmake", "-S", branched, "-B", branched / "build", "-GNinja", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_CXX_COMPILER={build.compiler['command']}",
        "-DPERF_LADDERS_LEVELS=x86-64;x86-64-v3;x86-64-v4")  # fmt: skip
    programs = json.loads((branched / "build/programs.json").read_text("utf-8"))["programs"]
    levels = {name: [p["level"] for p in programs if p["name"] == name] for name in ("crc32-00", "crc32-01")}
    assert levels == {"crc32-00": ["x86-64", "x86-64-v3", "x86-64-v4"], "crc32-01": ["x86-64", "x86-64-v3"]}


def run(*command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
