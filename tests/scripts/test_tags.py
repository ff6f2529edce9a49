"""Stage tags: what is in their trees, what making them leaves alone, and that such a tree builds and passes tests."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from perf_ladders import catalogue, cli, tags
from perf_ladders.catalogue import ROOT
from perf_ladders.complaint import Complaint


def git(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module", autouse=True)
def whole_tree():
    try:
        tags._expect_whole_tree()
    except Complaint as complaint:
        pytest.skip(str(complaint))


def cloned(folder, *cases):
    """Of HEAD; with these cases alone, so that it is done sooner."""
    git(ROOT, "clone", "--quiet", "--no-tags", "--single-branch", str(ROOT), str(folder))
    git(folder, "checkout", "--quiet", "-B", "main", git(ROOT, "rev-parse", "HEAD").strip())
    git(folder, "config", "user.name", "A learner")
    git(folder, "config", "user.email", "learner@example.org")
    others = [name for name in catalogue.case_names() if cases and name not in cases]
    if others:
        git(folder, "rm", "--quiet", "-r", *(f"stages/{name}" for name in others))
        git(folder, "commit", "--quiet", "--message", "Fewer cases")
    return folder


@pytest.fixture
def clone(tmp_path, monkeypatch):
    folder = cloned(tmp_path / "clone", "xtea")
    monkeypatch.setattr(tags, "ROOT", folder)
    return folder


@pytest.fixture(scope="module")
def tagged(tmp_path_factory):
    """A clone with tags, for tests that change nothing."""
    folder = cloned(tmp_path_factory.mktemp("tagged") / "clone")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tags, "ROOT", folder)
        tags.make()
    return folder


def commits_of(folder):
    return git(folder, "for-each-ref", "refs/tags", "refs/heads/lecture")


def paths(folder, tag):
    return set(git(folder, "ls-tree", "-r", "--name-only", tag).splitlines())


def every_stage():
    return [stage for name in catalogue.case_names() for stage in catalogue.read_case(name).stages]


def test_every_stage_has_a_tag_and_every_case_a_lecture(tagged):
    found = git(tagged, "tag", "--list").split()
    assert found == sorted(stage.name for stage in every_stage() if paths(tagged, "main") >= {stage_path(stage)})
    lectures = git(tagged, "branch", "--list", "lecture/*", "--format=%(refname:lstrip=3)").split()
    assert sorted(lectures) == sorted({tag.rpartition("-")[0] for tag in found})


def stage_path(stage):
    return str(stage.source.relative_to(ROOT))


def test_another_clone_with_another_history_makes_the_same(tagged, tmp_path, monkeypatch):
    other = cloned(tmp_path / "other")
    git(other, "commit", "--quiet", "--amend", "--message", "Another history")
    monkeypatch.setattr(tags, "ROOT", other)
    tags.make()
    assert commits_of(other) == commits_of(tagged)


def test_a_tree_ends_with_its_stage(tagged):
    for tag in git(tagged, "tag", "--list").split():
        case, _, number = tag.rpartition("-")
        found = [re.match(rf"(stages/{case}|tests/{case}/mutants)/(\d\d)-", path) for path in paths(tagged, tag)]
        numbers = [match[2] for match in found if match]
        assert max(numbers) == number
        # Of the other cases all is there.
        others = {p for p in paths(tagged, "main") if not re.match(rf"(stages|tests)/{case}/|reports/", p)}
        assert others <= paths(tagged, tag)


def test_a_header_is_there_from_the_first_stage_that_includes_it(tagged):
    header = "stages/aes-cbc/gathering.hpp"
    assert header not in paths(tagged, "aes-cbc-09")
    assert header in paths(tagged, "aes-cbc-10")
    assert "stages/aes-cbc/aes_cbc.hpp" in paths(tagged, "aes-cbc-00")


def test_reports_which_tell_how_it_ends_are_gone(tagged):
    assert {path for path in paths(tagged, "xtea-03") if path.startswith("reports/reference/")} <= {
        "reports/reference/self-check.json.gz"
    }
    readme = git(tagged, "show", "xtea-03:README.md")
    assert tags.NO_REPORT in readme
    assert "reports/reference/xtea" not in readme
    assert "make report" in readme


def test_all_else_is_left_alone(clone):
    git(clone, "tag", "mine")
    (clone / "README.md").write_text("changed\n")
    (clone / "new.txt").write_text("new\n")
    git(clone, "add", "new.txt")

    def state():
        others = git(clone, "for-each-ref", "refs/tags/mine", "refs/heads/main", "refs/remotes")
        return (
            (clone / ".git/index").read_bytes(),
            git(clone, "status", "--porcelain"),
            others,
            git(clone, "stash", "list"),
        )

    before = state()
    assert tags.make()
    assert state() == before
    assert tags.make() == []


def test_a_name_that_is_taken_stays_taken(clone):
    git(clone, "tag", "xtea-00")
    before = commits_of(clone)
    with pytest.raises(Complaint, match="xtea-00 was not made here"):
        tags.make()
    assert commits_of(clone) == before


def test_a_lecture_that_is_open_is_not_moved(clone):
    tags.make()
    git(clone, "checkout", "--quiet", "lecture/xtea")
    with pytest.raises(Complaint, match="git checkout main"):
        tags.make()
    git(clone, "checkout", "--quiet", "main")
    git(clone, "update-ref", "refs/heads/lecture/xtea", "lecture/xtea~1")
    git(clone, "checkout", "--quiet", "-B", "other")
    git(clone, "worktree", "add", "--quiet", str(clone.parent / "beside"), "lecture/xtea")
    with pytest.raises(Complaint, match="lecture/xtea is checked out"):
        tags.make()


def test_not_on_a_tags_own_tree_nor_on_what_comes_from_it(clone):
    assert tags.wanted_by_setup()
    tags.make()
    assert not tags.wanted_by_setup(), "it has them"
    git(clone, "checkout", "--quiet", "xtea-03")
    before = commits_of(clone)
    for _ in range(2):
        with pytest.raises(Complaint, match="git checkout main"):
            tags.make()
        assert not tags.wanted_by_setup()
        git(clone, "commit", "--quiet", "--allow-empty", "--message", "My own")
    assert commits_of(clone) == before


def test_where_there_is_no_repository(tmp_path, monkeypatch):
    monkeypatch.setattr(tags, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert not tags.wanted_by_setup()
    with pytest.raises(Complaint, match="no clone of a Git repository"):
        tags.make()


def test_the_check_names_what_is_missing_old_or_left_over(clone):
    tags.make()
    assert tags.wrong() == []
    git(clone, "tag", "--delete", "xtea-01")
    git(clone, "tag", "--force", "xtea-02", "xtea-03")
    git(clone, "tag", "xtea-77", "xtea-03")
    git(clone, "tag", "xtea-90", "xtea-03")  # numbers from here up are a reader's own
    assert tags.wrong() == [
        "xtea-01 is not there.",
        "xtea-02 is not what this tree gives.",
        "xtea-77 is the tag of no stage: git tag -d xtea-77",
    ]


def test_a_lecture_is_the_stages_one_after_the_other(tagged):
    case = catalogue.read_case("hmac-sha1")
    said = git(tagged, "log", "--reverse", "--format=%s", "lecture/hmac-sha1").splitlines()
    assert [line for line in said if not line.startswith("Back to")] == [
        f"{stage.name}: {stage.notes.title}" for stage in case.stages
    ]
    assert "Back to hmac-sha1-10: " + case.stage("10").notes.title in said, "12 builds on 10"
    whole = git(tagged, "log", "--format=%B", "lecture/hmac-sha1")
    assert "The next stage, hmac-sha1-12, builds on hmac-sha1-10 and not on hmac-sha1-11:" in whole
    commits = dict(
        line.split(":")[0].split(" ")[::-1]
        for line in git(tagged, "log", "--format=%H %s", "lecture/hmac-sha1").splitlines()
        if "Back to" not in line
    )
    for stage in case.stages[1:]:
        commit, base = commits[stage.name], case.base(stage)
        assert git(tagged, "show", f"{commit}:hmac-sha1/stage.cpp") == git(tagged, "show", f"main:{stage_path(stage)}")
        assert git(tagged, "show", f"{commit}~:hmac-sha1/stage.cpp") == git(tagged, "show", f"main:{stage_path(base)}")


def test_how_many_were_made_is_said_not_which(clone, capsys):
    stages = len(catalogue.read_case("xtea").stages)
    for said in (
        f"Tags of stages made: {stages}. Lectures made: 1.\n",
        "All tags and lectures are as they should be.\n",
    ):
        assert cli.main(["tags"]) == 0
        assert capsys.readouterr().err == said


def test_trees_build_and_pass_their_tests(tagged, build, tmp_path):
    """The first, a middle and the last one of the case with the fewest stages, at the lowest level that was built.
    A program that a later tree need not build anew has passed its test already."""
    cases = [catalogue.read_case(name) for name in catalogue.case_names()]
    case = min(cases, key=lambda case: len(case.stages))
    level = next(iter(build.flags))
    git(tagged, "worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"))
    tree, folder = tmp_path / "tree", tmp_path / "build"
    configure = [f"-DCMAKE_CXX_COMPILER={build.compiler['command']}", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]
    configure += [f"-DPERF_LADDERS_LEVELS={level}", "-DCMAKE_BUILD_TYPE=Release", "-GNinja"]
    passed = {}
    for stage in (case.stages[0], case.stages[len(case.stages) // 2], case.stages[-1]):
        git(tree, "checkout", "--quiet", stage.name)
        run("cmake", "-S", tree, "-B", folder, *configure)
        tests = re.findall(rf"Test +#\d+: ({case.name}\S+)", run("ctest", "--test-dir", folder, "--show-only"))
        names = {test.removesuffix(f".{level}") for test in tests}
        assert {s.name for s in case.stages if s.number <= stage.number} <= names
        assert not {s.name for s in case.stages if s.number > stage.number} & names
        run("cmake", "--build", folder, "--target", *(f"{name}.{level}" for name in names))
        built = {test: (folder / f"{test.removesuffix(f'.{level}')}.{level}").stat().st_mtime_ns for test in tests}
        new = [test for test in tests if built[test] != passed.get(test)]
        wanted = "|".join(map(re.escape, new))
        done = run("ctest", "--test-dir", folder, "--tests-regex", f"^({wanted})$", "--no-tests=error")
        assert f"100% tests passed, 0 tests failed out of {len(new)}" in done
        passed = built


def run(*command):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
