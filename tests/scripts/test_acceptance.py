"""Whether a result can be taken in: what is refused, what is named, and what a screen says of it."""

from __future__ import annotations

import hashlib
import subprocess

import pytest
from measurement_sample import SMALL, made, paired, small

from perf_ladders import cli
from perf_ladders.results import acceptance, store
from perf_ladders.tree import history


def found(measurement, mark="fails"):
    return {one.what: one.found for one in acceptance.checks(measurement) if one.mark == mark}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Of two files; two commits of main and one beside it change the first. By name the commit, and the digests."""
    folder = tmp_path / "repository"
    folder.mkdir()

    def git(*words):
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgSign=false"]
        done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(text):
        texts = {"stage.cpp": text, "case.hpp": "shared"}
        for name, written in texts.items():
            (folder / name).write_text(written)
        git("add", *texts)
        git("commit", "--quiet", "--message", text)
        digests = {name: hashlib.sha256(written.encode()).hexdigest() for name, written in texts.items()}
        return git("rev-parse", "--short=12", "HEAD"), digests

    git("init", "--quiet", "--initial-branch=main")
    commits = {"first": commit("first"), "second": commit("second")}
    git("checkout", "--quiet", "-b", "mine", "HEAD~1")
    commits["mine"] = commit("mine")
    git("checkout", "--quiet", "main")
    monkeypatch.setattr(history, "ROOT", folder)
    history.main_branch.cache_clear()
    yield commits
    history.main_branch.cache_clear()


# --- What is refused ---


@pytest.mark.parametrize(
    "measurement",
    [
        small(),
        paired(SMALL),
        paired({**SMALL, "xtea-botan-no-cipher": 50}),
        paired({**SMALL, "xtea-04-no-rounds": 50}),  # beyond the peak, because it leaves out work
    ],
    ids=["blocks", "pairs", "adapter", "variant"],
)
def test_a_quiet_measurement_of_these_sources_can_be_taken_in(measurement):
    assert found(measurement) == {}
    assert found(measurement, "ok")["sources"] == "each program's are those of this tree"


def noisy():
    return made({"xtea-00": 1, "xtea-00-again": 1.3, "xtea-04": 4})


def impossible():
    return made({**SMALL, "xtea-04": 1e6})


def changed(change):
    def measurement():
        one = small()
        change(one)
        return one

    return measurement


def without_control():
    one = paired(SMALL)
    control = next(program.id for program in one.programs if program.kind == "control")
    one.design.steps = [step for step in one.design.steps if step.stage != control]
    one.pairs = [pair for pair in one.pairs if pair.stage != control]
    one.slices = [slices for slices in one.slices if slices.program != control]
    return one


def eleven_rounds():
    """The reference twice as fast as itself in each, and nothing is decided."""
    one = paired({**SMALL, "xtea-00-again": 2})
    one.pairs = [pair for pair in one.pairs if pair.round < 11]
    return one


REFUSED = {
    "control": (noisy, "A/A control", "failed (xtea-00-again at x86-64 (gcc), message"),
    "no control": (without_control, "A/A control", "was not measured"),
    "peak": (impossible, "peak", "a stage is faster than the machine's peak"),
    "changed": (changed(lambda one: setattr(one.made, "changed", True)), "sources", "from sources that no commit has"),
    "no commit": (changed(lambda one: setattr(one.made, "commit", None)), "sources", "from sources that no commit has"),
    "machine": (
        changed(lambda one: (setattr(one.machine, "cpu", ""), setattr(one.machine, "family_model_stepping", None))),
        "machine",
        "the CPU is not named",
    ),
    "folder": (changed(lambda one: setattr(one.compilers[0], "flags", "-I/home/ada/x")), "privacy", "/home/ada/x"),
    "system": (
        changed(lambda one: setattr(one.compilers[0], "flags", "-isystem/home/ada/x -B/var/home/ada/y")),
        "privacy",
        "/home/ada/x, /home/ada/y",
    ),
    "files": (changed(lambda one: setattr(one, "files", {})), "sources", "are not named: `files` is empty"),
    "digests": (
        changed(lambda one: setattr(one, "sources", {})),
        "sources",
        "have no digest, so nobody could tell that they changed: peer/botan, stage/for-loop, stage/interchange",
    ),
    "few rounds": (eleven_rounds, "A/A control", "has too few rounds to fail (xtea-00-again at x86-64 (gcc), message"),
    "scratch": (changed(lambda one: setattr(one.compilers[0], "flags", "-I/scratch/x -O3")), "privacy", "/scratch/x"),
}


@pytest.mark.parametrize(("measurement", "what", "sentence"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused_and_the_screen_says_why(tmp_path, monkeypatch, capsys, measurement, what, sentence):
    one = measurement()
    assert list(found(one)) == [what]
    assert sentence in found(one)[what]
    monkeypatch.chdir(tmp_path)
    store.save(one, tmp_path / "xtea.json.xz")
    assert cli.main(["result-check", "xtea.json.xz"]) == 1
    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("  fails  ") for line in lines) == 1
    assert told.err == "It cannot be published: xtea.json.xz. The lines with `fails` say why.\n"


def test_a_kind_without_a_case_is_checked_too():
    folder = store.RESULTS / store.MACHINE
    path = next(iter(sorted(folder.glob("*.json.xz"))), None)
    if path is None:
        pytest.skip("this tree has no measurement of instructions")
    one = store.load_any(path)
    assert found(one) == {}
    one.made.changed = True
    assert list(found(one)) == ["sources"]


# --- Its commit ---


def of_commit(commit, files):
    one = small()
    one.made.commit, one.files = commit, files
    return one


def test_its_sources_are_those_of_a_commit_of_main(repository):
    for commit, files in (repository["first"], repository["second"]):
        assert found(of_commit(commit, files), "ok")["sources"] == f"those of commit {commit} of main"


def test_a_commit_that_main_does_not_have_may_have_the_sources_of_one(repository):
    """As after a rebase."""
    name, (_, files) = repository["mine"][0], repository["first"]
    said = found(of_commit(name, files), "ok")["sources"]
    assert said == f"those of commit {repository['first'][0]} of main, under another name"


def test_sources_that_are_not_those_of_the_commit_are_refused(repository):
    (commit, _), (_, files) = repository["first"], repository["second"]
    assert found(of_commit(commit, files))["sources"] == f"are not those of commit {commit}: stage.cpp"


def test_one_git_reads_all_new_files_of_a_commit(repository, monkeypatch):
    read, blobs = [], history.blobs
    monkeypatch.setattr(history, "_DIGESTS", {})
    monkeypatch.setattr(history, "blobs", lambda folder, ids: read.append(len(ids)) or blobs(folder, ids))
    for name in ("first", "second", "first"):
        commit, files = repository[name]
        assert history.apart(files, commit) == []
    assert read == [2, 1]


@pytest.mark.parametrize("commit", ["mine", "--output=here", "0123456789ab"])
def test_sources_that_main_does_not_have_are_named(repository, tmp_path, commit):
    name, files = repository["mine"]
    one = of_commit(name if commit == "mine" else commit, files)
    one.sources["stage/for-loop"] = "0" * 64
    assert found(one) == {}
    notes = [check.found for check in acceptance.checks(one) if check.mark == "note"]
    assert notes[0].startswith(f"commit {one.made.commit} is not in main")
    assert notes[1] == "other than in this tree, so pages mark their rows: stage/for-loop"
    assert not list(tmp_path.rglob("here"))


def test_without_git_nothing_is_known_of_main(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    history.main_branch.cache_clear()
    try:
        assert not history.in_main("0123456789ab")
        assert history.commit_of({"stage.cpp": "0" * 64}) is None
    finally:
        history.main_branch.cache_clear()


# --- The command ---


def test_a_file_that_can_be_taken_in_is_told_the_next_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("a.json.xz", "b.json.xz"):
        store.save(small(), tmp_path / name)
    assert cli.main(["result-check", "a.json.xz", "b.json.xz"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "It can be published: ./ladders publish b.json.xz"
    assert "It can be published: ./ladders publish a.json.xz" in lines
    assert len(lines) <= 2 * 24


@pytest.mark.parametrize("what", ["nothing", "missing", "damaged", "version", "case"])
def test_bad_input_is_one_sentence(tmp_path, capsys, what):
    path = tmp_path / "xtea.json.xz"
    one = small()
    if what == "version":
        one.version = 2
    if what == "case":
        one.case = "nothing"
    if what != "missing":
        store.save(one, path)
    if what == "damaged":
        path.write_bytes(path.read_bytes()[:100])
    assert cli.main(["result-check", *([str(path)] if what != "nothing" else [])]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
