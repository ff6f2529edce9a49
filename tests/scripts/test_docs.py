"""The documents: what they name exists, what they quote is there, their commands are accepted, the example works."""

from __future__ import annotations

import json
import lzma
import re
import shlex
import shutil
import subprocess
from dataclasses import replace

import pytest

from perf_ladders import cli
from perf_ladders.commands.grammar import Grammar
from perf_ladders.errors import UserError
from perf_ladders.measure import assemble
from perf_ladders.results import acceptance
from perf_ladders.tree import catalogue, levels, paths
from perf_ladders.tree.paths import ROOT
from perf_ladders.workshop import new_case, teaching_plan

DOCS = ROOT / "docs"
EXAMPLE = DOCS / "examples/crc32"
KERNEL = DOCS / "your-own-kernel.md"
MAIN = ROOT / "common/main.cpp"
PAGES = [*ROOT.glob("*.md"), *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("workshop/*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
each_page = pytest.mark.parametrize("page", PAGES, ids=NAMES)


# The trees of tags lack later stages and all reports, which documents name.
pytestmark = pytest.mark.usefixtures("whole_tree")


def without_fences(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """As GitHub makes them from headings."""
    headings = re.findall(r"^#+ (.+)$", without_fences(page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(text):
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", without_fences(text)) if "://" not in link]


def spans(text):
    """What stands in backticks, also where it goes on in the next line."""
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", without_fences(text))]


def commands(text):
    """What stands in backticks and in blocks of commands, without comments."""
    lines = [*spans(text), *"".join(re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)).splitlines()]
    return [command.strip() for line in lines for command in re.split(r"\s#", line)[0].split(" && ")]


def refusal(command):
    """Why `make` or `./ladders` does not accept it. COMMAND stands for any; cases and stages to be written stand for
    those that there are.
    """
    program, *words = shlex.split(re.sub(r"(?<!PLAN=)\b90\b", "15", re.sub("crc32|adler32|<case>", "xtea", command)))
    if "COMMAND" in words:
        return ""
    if len(words) == 1 and words[0] in {known.name for known in cli.COMMANDS}:
        return ""  # a sentence that names a command
    try:
        lines = Grammar(cli.COMMANDS, from_make=program == "make").lines(words)
    except UserError as complaint:
        return str(complaint)
    plans = [options.plan for _, options in lines if getattr(options, "plan", None)]
    return " ".join(f"There is no plan of {plan} minutes." for plan in plans if plan not in teaching_plan.lengths())


def refusals(text):
    """Of all commands that a text names, and of the options that it names alone: STEP=6, --level."""
    typed = [command for command in commands(text) if command.startswith(("make ", "./ladders "))]
    said = [why for command in typed if (why := refusal(command))]
    options = [option for command in cli.COMMANDS for option in command.options]
    known = {"--help", *(option.name for option in options), *(f"{option.variable}=" for option in options)}
    named = [found[1] for span in spans(text) if (found := re.match(r"([A-Z]+=|--[a-z][a-z-]*)", span))]
    return said + [f"No command takes {name}." for name in named if name not in known]


def programs(text):
    """(stage or its app, level), as typed."""
    return re.findall(r"build/gcc/([a-z0-9-]+)\.([a-z0-9-]+)", text.replace("crc32", "xtea").replace("-90", "-15"))


@each_page
def test_links_lead_somewhere(page):
    for link in links(page.read_text()):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@each_page
def test_commands_are_accepted(page):
    assert refusals(page.read_text()) == []


def test_commands_of_notes_hints_and_templates_are_accepted():
    for page in [*ROOT.glob("stages/*/[0-9]*/*.md"), *ROOT.glob(".github/**/*.*")]:
        assert refusals(page.read_text()) == [], page


NAMED = re.compile(r"build/(?:gcc|clang)/([\w-]+\.(?:novec|x86-64(?:-v[34])?))\b(?!-)")
EXAMPLES = re.compile(r"crc32-|[a-z0-9-]+-9\d\.")  # which the reader writes


def test_programs_that_texts_name_exist(build):
    there = {path.name for one in build.programs for path in (one.path, *one.apps.values())}
    if not {"xtea-04.x86-64-v3", "xtea-16-transfer.x86-64-v3"} <= there:
        pytest.skip("programs of x86-64-v3 are not planned, or without OpenCL")
    texts = [*PAGES, *ROOT.glob("stages/*/[0-9]*/*.md")]
    named = {(name, page) for page in texts for name in NAMED.findall(page.read_text()) if not EXAMPLES.match(name)}
    assert len(named) > 10
    assert {(name, str(page)) for name, page in named if name not in there} == set()


SPOILT = (
    (r"`make run-stage ", "`make run-stages "),
    (r"`make watch`", "`make watch TWICE=1`"),
    (r"`make exercise CASE=xtea", "`make exercise CASE=tea"),
    (r"LEVEL=x86-64-v3`", "LEVEL=x86-64-v5`"),
    (r"PLAN=\d+`", "PLAN=45`"),
    (r"`LEVEL=x86-64`", "`LEVELS=x86-64`"),
    (r"make run-stage xtea-\d\d", "make run-stage xtea-77"),
)


@pytest.mark.parametrize("known", [known for known, _ in SPOILT])
def test_what_is_spoilt_stands_in_a_plan(known):
    plans = [(DOCS / f"workshop/plan-{length}.md").read_text() for length in teaching_plan.lengths()]
    assert any(re.search(known, text) for text in plans)


@pytest.mark.parametrize("length", teaching_plan.lengths())
def test_a_plan_names_nothing_unknown(length):
    """Every line that says what is typed has commands; one that is spoilt is found."""
    text = (DOCS / f"workshop/plan-{length}.md").read_text()
    typed = re.findall(r"^- \*\*They type\*\*: (.+(?:\n  .+)*)", text, re.MULTILINE)
    assert typed
    assert all(commands(line)[0].startswith("make ") for line in typed)
    assert any("LEVEL=" in line for line in typed)
    for known, unknown in SPOILT:
        spoilt = re.sub(known, unknown, text)
        assert (spoilt == text) == (refusals(spoilt) == []), unknown


def test_a_command_that_does_not_exist_is_found():
    assert commands("Type `make reprot`.\n```sh\nmake test && ./ladders nothing  # why\n```\n") == [
        "make reprot",
        "make test",
        "./ladders nothing",
    ]
    assert refusal("make reprot")
    assert refusal("make report CASE=des")
    assert not refusal("make report CASE=xtea")


@each_page
def test_programs_are_those_of_stages(page):
    stages = {stage.name for case in catalogue.case_names() for stage in catalogue.read_case(case).stages}
    for name, level in programs(page.read_text()):
        stage, app = (name, "") if name in stages else name.rsplit("-", 1)
        assert stage in stages, name
        assert not app or (paths.STAGES / stage.rpartition("-")[0] / "apps" / app).is_dir(), name
        assert level in levels.known_levels(), name


@each_page
def test_lines_are_short(page):
    """But those of generated parts, which other tests look at."""
    text = re.sub(r"<!-- (\S+): begin -->\n.*?<!-- \1: end -->\n", "", page.read_text(), flags=re.DOTALL)
    assert [line for line in text.splitlines() if len(line) > 120] == []


# --- The glossary ---


def entries():
    found = re.findall(r"^- \*\*(.+?)\*\*: (.+\n(?:  .+\n)*)", (DOCS / "glossary.md").read_text(), re.MULTILINE)
    return [(term, " ".join(said.split())) for term, said in found]


def test_the_glossary_is_sorted_and_says_where_to_look():
    found = entries()
    terms = [term for term, _ in found]
    lines = (DOCS / "glossary.md").read_text().splitlines()
    assert len(terms) == len([line for line in lines if line.startswith("-")]) > 60
    assert len(lines) <= 220
    assert terms == sorted(terms, key=str.casefold)
    assert len(set(terms)) == len(terms)
    for term, text in found:
        assert re.search(r"\bSee\s(?:\[|`)", text), f"{term} does not say where to see it"
        for program, verb in re.findall(r"`(build/\S+) (\w+)", text):
            assert programs(program), term
            assert f'"{verb}"' in MAIN.read_text(), (term, verb)


def test_the_glossary_explains_what_is_said():
    """No word that notes, documents, pages and scripts do not use."""
    files = [*ROOT.glob("stages/*/*/notes.md"), *PAGES, *ROOT.glob("scripts/perf_ladders/**/*.*[2y]")]
    said = "\n".join(path.read_text() for path in files if path.name != "glossary.md").casefold()
    for term, _ in entries():
        for word in re.split(r", | \(", term.casefold()):
            assert word.rstrip(")").removesuffix("e") in said, term


# --- Measurements that others give ---


def test_measurements_are_fit_for_all():
    """Named as the documents say, and without a path of the machine that they were made on."""
    files = [path for path in ROOT.glob("reports/results/**/*") if path.is_file()]
    assert files
    for path in files:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d-[a-z0-9-]+-[0-9a-f]{8}\.json\.xz", path.name), path.name
        assert acceptance.folders(lzma.decompress(path.read_bytes())) == [], path.name


def test_a_measurement_does_not_say_where_the_compiler_lies(build):
    elsewhere = replace(build, compiler=replace(build.compiler, command="/home/ada/g++"))
    assert assemble.compiler(elsewhere).command == "g++"


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
        "contract, `case.toml`": ["stages/crc32/crc32.hpp", "stages/crc32/case.toml"],
        "oracle": ["tests/crc32/oracle.*"],
        "check, with known answers": ["tests/crc32/check.cpp", "tests/crc32/vectors/*"],
        "workloads": ["stages/crc32/workloads.cpp"],
        "two mutants": ["tests/crc32/mutants/*/*"],
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
    for part in ("common", "scripts"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "CMakeLists.txt", folder)
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    new_case.write("my-kernel", folder)
    for header in (ROOT / "tests").glob("*.hpp"):
        shutil.copy(header, folder / "tests")
    return folder


def test_the_example_reads_as_a_case(tree, monkeypatch):
    monkeypatch.setattr(catalogue, "STAGES", tree / "stages")
    assert catalogue.case_names() == ["crc32", "my-kernel"]
    case = catalogue.read_case("crc32")
    assert [stage.number for stage in case.stages] == ["00", "01", "02", "03"]
    assert all(stage.notes.title and stage.headline for stage in case.stages)
    assert all("<!-- rows -->" in stage.notes.text for stage in case.stages)
    assert case.symbols == ["crc::update"]


@pytest.fixture(scope="module")
def kept(tree, build):
    """What is compiled once is kept in the build folder, where there is ccache: most is the harness, which is large."""
    folder = ROOT / "build" / build.preset / "ccache"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("DIR", folder), ("BASEDIR", tree), ("NOHASHDIR", "1"), ("MAXSIZE", "200M")):
            patch.setenv(f"CCACHE_{name}", str(value))
        yield ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []


@pytest.fixture(scope="module")
def configure(tree, build, kept):
    """Runs CMake in the one build folder of that tree, which looks for the compiler once."""
    usual = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={build.compiler.command}"]
    usual += ["-DCMAKE_CXX_FLAGS_RELEASE=-O0", *kept]  # nothing of it is timed

    def call(*levels):
        command = ["cmake", "-S", tree, "-B", tree / "build", "-GNinja", *usual]
        command.append(f"-DPERF_LADDERS_LEVELS={';'.join(levels)}")
        return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)

    return call


@pytest.fixture
def changeable(tree):
    """The tree, which is as it was when the test is over."""
    yield tree
    for part in ("stages", "tests"):
        shutil.rmtree(tree / part)
        shutil.copytree(EXAMPLE / part, tree / part)
    for header in (ROOT / "tests").glob("*.hpp"):
        shutil.copy(header, tree / "tests")


def lowest(build):
    return next(level for level in build.flags if level != "novec")


def test_the_example_builds_and_its_mutants_are_rejected(tree, build, configure):
    if build.preset.startswith("sanitize"):
        pytest.skip("once is enough")
    level = lowest(build)
    done = configure(level)
    assert done.returncode == 0, done.stdout + done.stderr
    numbers = (
        ("00", "01", "02", "03") if level.startswith("x86-64") else ("00", "01")
    )  # the others: // requires: pclmul
    names = [f"crc32-{number}.{level}" for number in numbers]
    found = (tree / "tests/crc32/mutants").glob("*/*.cpp")
    mutants = [f"crc32-mutant-{path.parent.name}-{path.stem}" for path in found]
    names += [f"my-kernel-{number}.{level}" for number in ("00", "01")]
    mutants.append("my-kernel-mutant-four-bytes-forgets-the-rest")
    run("cmake", "--build", tree / "build", "--target", *names, *(f"{name}.{level}" for name in mutants))
    wanted = "|".join(map(re.escape, [*names, *mutants]))
    done = run("ctest", "--test-dir", tree / "build", "--tests-regex", f"^({wanted})$", "--parallel", "2")
    assert f"100% tests passed, 0 tests failed out of {len(names) + len(mutants)}" in done


def misspell_a_flag(tree):
    return tree / "stages/crc32/09-spoilt/stage.cpp", "// Spoilt.\n// requires: sse42\n", "compiler knows no -msse42"


def misspell_a_key(tree):
    return tree / "stages/crc32/09-spoilt/stage.cpp", "// Spoilt.\n// link: zlib\n", "there is no `link:`"


def end_at_no_level(tree):
    return tree / "stages/crc32/09-spoilt/stage.cpp", "// Spoilt.\n// until: v3\n", "`until: v3` is no level"


def name_a_mutant_wrongly(tree):
    return tree / "tests/crc32/mutants/02/name.cpp", "", "such as mutants/interchange/rest-dropped.cpp"


def leave_out_the_oracle(tree):
    (tree / "tests/crc32/oracle.cpp").unlink()
    return tree / "tests/crc32/notes.txt", "", "tests/crc32/oracle.cpp is missing"


@pytest.mark.parametrize(
    "spoil", [misspell_a_flag, misspell_a_key, end_at_no_level, name_a_mutant_wrongly, leave_out_the_oracle]
)
def test_a_mistake_is_named_where_it_was_made(changeable, build, configure, spoil):
    if spoil is misspell_a_flag and not lowest(build).startswith("x86-64"):
        pytest.skip("no flags of x86 here")
    file, text, sentence = spoil(changeable)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    done = configure(lowest(build))
    assert done.returncode != 0
    assert sentence in " ".join(done.stderr.split())


def test_a_stage_is_made_up_to_the_level_that_it_names(changeable, build, configure):
    if "x86-64" not in build.flags:
        pytest.skip("levels of x86-64")
    source = changeable / "stages/crc32/01-eight-tables/stage.cpp"
    before = source.read_text("utf-8")
    first, rest = before.split("\n", 1)
    source.write_text(f"{first}\n// until: x86-64-v3\n{rest}", "utf-8")
    done = configure("x86-64", "x86-64-v3", "x86-64-v4")
    assert done.returncode == 0, done.stdout + done.stderr
    programs = json.loads((changeable / "build/plan.json").read_text("utf-8"))["programs"]
    levels = {name: [p["level"] for p in programs if p["name"] == name] for name in ("crc32-00", "crc32-01")}
    assert levels == {"crc32-00": ["x86-64", "x86-64-v3", "x86-64-v4"], "crc32-01": ["x86-64", "x86-64-v3"]}


def run(*command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
