"""The Java programs: fetched as pinned, timed by a JMH that is a script, judged by the sequential test, shown."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import stat
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from rich.progress import Progress

from perf_ladders import sequential
from perf_ladders.errors import UserError
from perf_ladders.evidence import jit
from perf_ladders.measure import java_project, java_rounds, jmh
from perf_ladders.measure.journal import Journal
from perf_ladders.model.java import Fork, JavaMeasurement
from perf_ladders.pages import claims_view, export, java_view
from perf_ladders.results import acceptance, java, shown, store, validate
from perf_ladders.results import claims as of_document
from perf_ladders.tree import java as java_tree
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.java import java_cases

# By way the nanoseconds that the false JMH says. A buffer takes as long as a builder.
TIMES = {"format": 50_000, "json-lib": 102_120, "builder": 10_000, "buffer": 10_000, "jackson": 9_500}
FAKE = """#!{python} -IS
import json, pathlib, random, sys
for line in sys.stdin:
    words = line.rstrip().split("\\t")
    asked = dict(zip(words, words[1:]))
    way = next(word for word in words if word.startswith("way="))[4:]
    with open({log!r}, "a") as log:
        log.write(way + "\\n")
    if way == {broken!r}:
        pathlib.Path(asked["-o"]).write_text("java.lang.AssertionError: byte 3 of 64 is wrong")
        print("failed", flush=True)
        continue
    base = {times}.get(way, 20_000)
    raw = [[base * random.uniform(1, 1.001) for _ in range(int(asked["-i"]))]]
    metric = {{"score": base, "scoreUnit": "ns/op", "rawData": raw}}
    result = {{"jmhVersion": "1.37", "vmName": "False VM", "vmVersion": "17.0.0", "primaryMetric": metric}}
    pathlib.Path(asked["-rff"]).write_text(json.dumps([result]))
    print("done", flush=True)
"""


@pytest.fixture(scope="module")
def json_case():
    return next(one for one in java_cases() if one.name == "json")


def fake(folder: Path, broken: str = "") -> jmh.Host:
    """A program in the place of java, which writes what JMH writes."""
    program = folder / "java"
    python = shutil.which("python3")
    log = str(folder / "log")
    program.write_text(FAKE.format(python=python, log=log, broken=broken, times=TIMES), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return jmh.Host(program, "classes")


def measured(case, host, folder: Path, rounds: int = 12) -> JavaMeasurement:
    journal = Journal.of_parts(folder / "java-json", ["the same"])
    with host, Progress(console=Console(quiet=True)) as progress:
        task = progress.add_task("x", total=None)
        begun = java_rounds.Session(case, host, journal, Console(quiet=True), progress, task)
        return java_rounds.measured(begun, 0, {}, rounds)


@pytest.fixture(scope="module")
def found(json_case, tmp_path_factory):
    folder = tmp_path_factory.mktemp("java")
    return measured(json_case, fake(folder), folder)


def test_every_claim_of_a_document_on_java_names_what_judges_it():
    for case in java_cases():
        asked = [claim for claim in case.case.claims if "language" in claim.needs]
        there = {(one.base, one.stage, one.workload) for one in case.comparisons}
        assert asked
        for claim in asked:
            assert claim.java, claim.text
            assert (claim.java.base, claim.java.stage, claim.workload or case.first) in there


def test_every_stage_has_a_class_of_its_name_and_notes_that_are_read():
    for case in java_cases():
        for way, folder in case.ways.items():
            assert (folder / f"{way.title().replace('-', '')}.java").is_file(), way
            assert bool(case.notes(way)) == folder.name[:2].isdigit()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("benchmark =", "is no TOML: Invalid value"),
        ('benchmark = "B"', "ladder.toml: the field `workloads` is missing."),
        ('benchmark = "B"\ncompare = []\nworkloads = {a = 0}', "ladder.toml: workloads: there is one or more"),
        ('benchmark = "B"\ncompare = [["a"]]\nworkloads = {a = 1}', "ladder.toml: compare: it lists pairs, such as"),
    ],
)
def test_a_wrong_ladder_toml_is_told(tmp_path, monkeypatch, text, sentence):
    monkeypatch.setattr(java_tree, "PROJECT", tmp_path)
    (tmp_path / "made").mkdir()
    (tmp_path / "made/ladder.toml").write_text(text)
    with pytest.raises(UserError) as complaint:
        java_cases()
    assert sentence in str(complaint.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("title = 'A'", "notes.md must begin with fields between two lines of +++."),
        ("+++\ntitle =\n+++\n", "notes.md is no TOML: Invalid value"),
        ("+++\n+++\n", "notes.md: the field `title` is missing."),
        ("+++\ntitle = 5\n+++\n", "notes.md: title: it must be text."),
        ("+++\ntitle = 'A'\npredict = [1, 2]\n+++\n", "there is no field `predict`; did you mean `predicts`?"),
        ("+++\ntitle = 'A'\npredicts = [2, 1]\n+++\n", "notes.md: predicts: it is a range such as [1.1, 1.3]"),
        ("+++\ntitle = 'A'\npredicts = []\n+++\n", "notes.md: predicts: it is a range such as [1.1, 1.3]"),
        ("+++\ntitle = 'A'\nfrom = 'b'\n+++\n", "notes.md: from: it names a stage by its slug: first."),
    ],
)
def test_wrong_notes_are_told(tmp_path, monkeypatch, text, sentence):
    monkeypatch.setattr(java_tree, "PROJECT", tmp_path)
    (tmp_path / "made/01-first").mkdir(parents=True)
    (tmp_path / "made/ladder.toml").write_text('benchmark = "B"\ncompare = []\nworkloads = {a = 1}')
    notes = tmp_path / "made/01-first/notes.md"
    (case,) = java_cases()
    notes.write_text("+++\ntitle = 'A'\nfrom = 'first'\npredicts = [1, 1.5]\n+++\n")
    assert case.notes("first") == java_tree.Notes("A", "first", [1, 1.5])
    notes.write_text(text)
    with pytest.raises(UserError) as complaint:
        case.notes("first")
    assert sentence in str(complaint.value)


def test_claims_get_verdicts_of_the_jvm_beside_those_of_cpp(found, json_case, monkeypatch):
    analysis = java.JavaAnalysis(found)
    assert (analysis.apart, len(analysis.controls)) == ([], len(json_case.ways))
    by_step = {(one.base, one.stage): one.found for one in java_view.steps(analysis)}
    assert by_step["builder", "buffer"].verdict == "same"
    assert by_step["format", "builder"].ratio == pytest.approx(5, rel=0.01)
    assert by_step["format", "json-lib"].verdict == "slower"

    monkeypatch.setattr(java, "shown", lambda: {"json": java.Shown(json_case, analysis)})
    mine = shown.shown(read_case("json"))
    outcomes = {one.claim.java.stage: one for one in of_document.claims(mine)}
    assert {way: one.outcome for way, one in outcomes.items()} == {
        "jackson": "the other way round",  # of the last claim with this stage: a builder is faster there
        "json-lib": "reproduced",
        "builder": "less than claimed",
        "buffer": "reproduced",
    }
    content = claims_view.content([[mine]])
    assert sum(content["in_java"].values()) == sum(content["in_cpp"].values()) == 6
    page = export.claims({"json": [mine]})
    assert "here in C++ | verdict in C++ | here in Java | verdict |" in page
    assert "needs Java" not in page
    assert re.search(r"^\*here\* without a name: .+, 20\d\d-.*\. In Java: .+, 20\d\d-\d\d-\d\d\.$", page, re.MULTILINE)
    assert "On a JVM](docs/java.md) (17.0.0)" in export.claims({"json": [mine]}, "claims_readme.md.j2")


def test_changed_sources_take_the_verdict_back(found, json_case, monkeypatch):
    old = msgspec.structs.replace(found, sources={**found.sources, "stage/buffer": "0" * 64})
    monkeypatch.setattr(java, "shown", lambda: {"json": java.Shown(json_case, java.JavaAnalysis(old))})
    judged = of_document.claims(shown.shown(read_case("json")))
    stale = [one.said for one in judged if one.claim.java.stage == "buffer"]
    assert stale == ["not measured yet: the sources have changed since"] * 2


def test_a_way_that_is_not_like_itself_gets_no_verdict(found):
    """The second JVM of each round is slower: the order of the pair is by the place, so give it to one side alone."""
    forks = []
    for fork in found.forks:
        first = min(one.place for one in found.forks if (one.round, one.way) == (fork.round, fork.way))
        is_first = (fork.place == first) == bool(first % 2)
        slow = 1.1 if fork.way == "buffer" and is_first else 1
        forks.append(msgspec.structs.replace(fork, times_ns=[slow * one for one in fork.times_ns]))
    wrong = msgspec.structs.replace(found, forks=forks)
    analysis = java.JavaAnalysis(wrong)
    assert analysis.apart == ["buffer on objects"]
    assert analysis.compared("builder", "buffer").verdict == "undecided"
    assert analysis.compared("format", "builder").verdict == "faster"
    (control,) = [one for one in acceptance.checks(wrong) if one.what == "A/A control"]
    assert control.mark == "fails"


def test_a_result_of_no_java_case_is_refused(found):
    unknown = msgspec.structs.replace(found, case="nothing")
    assert [one.found for one in acceptance.checks(unknown) if one.mark == "fails" and one.what == "case"] == [
        "there is no stages/java/nothing"
    ]
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(msgspec.structs.replace(found, case="../../xtea")), type=type(found))
    step = msgspec.structs.replace(found.steps[0], workloads=[])
    assert "is not on one workload" in validate.java_misfit(msgspec.structs.replace(found, steps=[step]))


def test_a_round_is_a_pass_and_the_same_backwards(found):
    for number in range(sequential.FIRST_ROUNDS):
        order = [one.way for one in sorted(found.forks, key=lambda one: one.place) if one.round == number]
        assert order == order[::-1]
        assert len(order) == 2 * len({*order})
    assert len({tuple(one.way for one in found.forks if one.round == number) for number in range(3)}) > 1


def test_a_stopped_measurement_goes_on(json_case, tmp_path):
    with pytest.raises(UserError, match=r"of jackson failed: java.lang.AssertionError: byte 3"):
        measured(json_case, fake(tmp_path, broken="jackson"), tmp_path, rounds=2)
    before = (tmp_path / "log").read_text().splitlines()
    all_of_it = measured(json_case, fake(tmp_path), tmp_path, rounds=2)
    runs = (tmp_path / "log").read_text().splitlines()
    in_file = len(all_of_it.forks) + len(all_of_it.warm_up.forks)
    assert len(runs) == in_file + 1  # that which failed
    assert before[-1] == "jackson"


def test_the_warm_up_is_the_shortest_after_which_nothing_gets_faster():
    def fork(slow: int) -> Fork:
        times = [200.0] * slow + [100.0] * (java_rounds.TRIAL_ITERATIONS - slow)
        return Fork(round=0, place=0, way="x", workload="y", times_ns=times)

    first, second = java_rounds.CANDIDATES_MS[:2]
    settled = java_rounds.warm_up([fork(0)] * 14)
    assert settled == first
    assert java_rounds.warm_up([fork(second // jmh.ITERATION_MS)] * 14) == second
    assert java_rounds.warm_up([fork(java_rounds.TRIAL_ITERATIONS - 3)] * 14) == java_rounds.CANDIDATES_MS[-1]


def test_a_host_that_has_ended_is_a_sentence(json_case, tmp_path):
    program = tmp_path / "java"
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(UserError, match="failed: nothing"):
        measured(json_case, jmh.Host(program, "classes"), tmp_path)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '[{"jmhVersion": "1"}]', '[{"primaryMetric": {"scoreUnit": "s/op", "rawData": [[1, 2]]}}]']
)
def test_what_is_no_output_of_jmh_is_refused(text):
    with pytest.raises(UserError, match="It says: it went wrong"):
        jmh.read(text.encode(), 2, "it went wrong", [])


def test_times_in_another_unit_or_number_are_refused():
    metric = {"scoreUnit": "ns/op", "rawData": [[1.0, 2.0]]}
    result = {"jmhVersion": "1", "vmName": "a", "vmVersion": "b", "primaryMetric": metric}
    assert jmh.read(json.dumps([result]).encode(), 2, "", []).times_ns == [1.0, 2.0]
    with pytest.raises(UserError, match="asked for 3 times in ns/op"):
        jmh.read(json.dumps([result]).encode(), 3, "", [])
    metric["scoreUnit"] = "s/op"
    with pytest.raises(UserError, match="asked for 2 times in ns/op"):
        jmh.read(json.dumps([result]).encode(), 2, "", [])


def test_a_result_is_kept_and_read_again(found, tmp_path):
    path = store.save(found, tmp_path / "java-json.json.xz")
    assert store.load_any(path) == found
    assert store.place(found).parent == store.RESULTS / "java" / "json"
    text = msgspec.json.decode(msgspec.json.encode(found))
    assert (text["language"], text["jvm"]["name"]) == ("java", "False VM")
    torn = msgspec.structs.replace(found, forks=found.forks[:-1])
    with pytest.raises(UserError, match="does not have two JVMs in each of its rounds"):
        store.load_java(store.save(torn, tmp_path / "torn.json.xz"))
    # On a workload of no step, which tables show, too.
    alone = msgspec.structs.replace(found.forks[0], workload="alone")
    torn = msgspec.structs.replace(found, forks=[*found.forks, alone])
    with pytest.raises(UserError, match="on alone does not have two JVMs in each of its rounds"):
        store.load_java(store.save(torn, tmp_path / "torn.json.xz"))


def test_the_page_answers_from_the_result(found, json_case):
    said = java_view.section({"json": java.Shown(json_case, java.JavaAnalysis(found))})
    assert "as fast as StringBuilder: no difference over 2 %." in said
    assert f"Of {len(json_case.ways)} A/A pairs of JVMs 0 came out different." in said


def test_the_page_shows_what_is_published():
    text = java_view.PAGE.read_text(encoding="utf-8")
    filled = text.split("<!-- java: begin -->\n")[1].split("<!-- java: end -->\n")[0]
    published = java.shown()
    assert filled == (java_view.section(published).strip() + "\n" if published else "Nothing is measured yet.\n")


def test_without_a_jdk_there_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="need a JDK 17 or newer, and there is none: `sudo apt install") as complaint:
        java_project.tools()
    assert complaint.value.code == 2
    old = tmp_path / "javac"
    old.write_text("#!/bin/sh\necho javac 1.8.0_402\n", encoding="utf-8")
    old.chmod(0o755)
    with pytest.raises(UserError, match="there is JDK 8:"):
        java_project.tools()


def test_files_are_compared_with_their_checksums_before_use(tmp_path):
    source, repository = tmp_path / "central", tmp_path / "repository"
    (source / "a").mkdir(parents=True)
    (source / "a" / "b.jar").write_bytes(b"right")
    wanted = {"a/b.jar": hashlib.sha256(b"right").hexdigest()}
    java_project.fetch(wanted, repository, print, f"{source.as_uri()}/")
    assert (repository / "a" / "b.jar").read_bytes() == b"right"

    (repository / "a" / "c.jar").write_bytes(b"of somebody else")
    with pytest.raises(UserError, match=r"has a/c.jar, which .* does not list"):
        java_project.fetch(wanted, repository, print)
    (repository / "a" / "c.jar").unlink()
    (repository / "a" / "b.jar").write_bytes(b"changed")
    with pytest.raises(UserError, match=r"a/b.jar has another checksum"):
        java_project.fetch(wanted, repository, print)

    shutil.rmtree(repository)
    (source / "a" / "b.jar").write_bytes(b"wrong")
    with pytest.raises(UserError, match=r"a/b.jar has another checksum"):
        java_project.fetch(wanted, repository, print, f"{source.as_uri()}/")
    assert not (repository / "a" / "b.jar").exists()


def test_the_list_pins_all_that_the_project_names():
    wanted = java_project.pinned(java_project.ARTEFACTS)
    for name, version in java_project.libraries().items():
        assert any(f"/{name}/{version}/{name}-{version}" in path and path.endswith(".jar") for path in wanted), name


CODE = """Compiled method (c1)    1  1  3  salsa20.Vectors::step (9 bytes)
[MachCode]
  0x00007f0000000000: c5f1 fec2
[/MachCode]
Compiled method (c2)    2  2  4  salsa20.Vectors::nextBlock (49 bytes)
[MachCode]
[Verified Entry Point]
  0x00007f0000000000: c5f1 fec2 | c5f1 efc2 | c5f1 efc9 | 4889

  0x00007f000000000e: ;   {poll_return}
  0x00007f000000000e: d8c3
[/MachCode]
"""


@pytest.mark.skipif(not shutil.which("objdump"), reason="objdump is not installed")
def test_the_code_of_the_highest_tier_is_decoded():
    found = jit.of_output(CODE)
    assert (found.compiled, found.instructions) == (["salsa20.Vectors::nextBlock"], 5)
    assert found.vector == {"vpaddd": 1, "vpxor": 1}


def test_the_ways_are_right():
    """Compiled as make claims-java does, and checked: known answers, edges, hostile strings."""
    try:
        tools = java_project.tools()
    except UserError as complaint:
        pytest.skip(str(complaint))
    wanted = java_project.pinned(java_project.ARTEFACTS)
    if not all((java_project.BUILD / "repository" / name).is_file() for name in wanted):
        pytest.skip("make claims-java fetches the libraries that the Java programs are compiled with")
    host = java_project.build(tools, print)
    modules = java_project.modules(tools.home)
    for case in java_cases():
        for way in case.ways.keys() - case.without(modules).keys():
            java_project.check(host, case, way)
    with pytest.raises(UserError, match=r"is wrong: .*there is no way 'other'"):
        java_project.check(host, java_cases()[0], "other")
