"""Stage tags: what is in their trees, what making them leaves alone, and that such a tree builds and passes tests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import tomllib

import pytest

from perf_ladders import cli
from perf_ladders.commands import grammar
from perf_ladders.errors import LATER, UserError
from perf_ladders.tree import catalogue, files, git_refs, git_tags
from perf_ladders.tree.paths import ROOT


def git(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


pytestmark = pytest.mark.usefixtures("whole_tree")


def cloned(folder, *cases):
    """Of HEAD; with these cases alone, so that it is done sooner."""
    git(ROOT, "clone", "--quiet", "--no-tags", "--single-branch", str(ROOT), str(folder))
    git(folder, "checkout", "--quiet", "-B", "main", git(ROOT, "rev-parse", "HEAD").strip())
    git(folder, "config", "gc.auto", "0")  # git would pack many loose objects while tags are made
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
    monkeypatch.setattr(git_tags, "ROOT", folder)
    return folder


def with_tags(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(git_tags, "ROOT", folder)
        git_tags.make()
    return folder


@pytest.fixture(scope="module")
def tagged(tmp_path_factory):
    """A clone with tags, for tests that change nothing."""
    return with_tags(cloned(tmp_path_factory.mktemp("tagged") / "clone"))


@pytest.fixture(scope="module")
def one_case(tmp_path_factory):
    """The same of one case whose stages share headers."""
    return with_tags(cloned(tmp_path_factory.mktemp("one-case") / "clone", "aes-cbc"))


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


def test_another_clone_with_another_history_makes_the_same(one_case, tmp_path, monkeypatch):
    other = cloned(tmp_path / "other", "aes-cbc")
    git(other, "commit", "--quiet", "--amend", "--message", "Another history")
    for setting in ("grep.lineNumber=true", "grep.column=true", "color.grep=always"):
        git(other, "config", *setting.split("="))
    monkeypatch.setattr(git_tags, "ROOT", other)
    git_tags.make()
    assert commits_of(other) == commits_of(one_case)


def test_a_tree_ends_with_its_stage(tagged):
    for tag in git(tagged, "tag", "--list").split():
        case, _, number = tag.rpartition("-")
        there = paths(tagged, tag)
        folders = [match[1] for path in there if (match := re.match(rf"stages/{case}/(\d\d-[^/]+)/", path))]
        assert max(folders)[:2] == number
        mutants = {match[1] for path in there if (match := re.match(rf"tests/{case}/mutants/([^/]+)/", path))}
        assert mutants <= {folder[3:] for folder in folders}
        said = tomllib.loads(git(tagged, "show", f"{tag}:stages/{case}/case.toml"))
        assert {
            name.partition(":")[0] for claim in said.get("claims", []) for name in (claim["stage"], claim["base"])
        } <= {folder[3:] for folder in folders}
        # Of the other cases all is there.
        others = {p for p in paths(tagged, "main") if not re.match(rf"(stages|tests)/{case}/|reports/", p)}
        assert others <= paths(tagged, tag)


def test_a_header_is_there_from_the_first_stage_that_includes_it(tagged):
    header = "stages/aes-cbc/manager_functions.hpp"
    first = catalogue.read_case("aes-cbc").stages[0]
    assert header in paths(tagged, first.name)
    owned = "stages/aes-cbc/10-padded-groups/groups.hpp"
    assert owned not in paths(tagged, "aes-cbc-09")
    assert owned in paths(tagged, "aes-cbc-10") & paths(tagged, "aes-cbc-11")
    assert "stages/aes-cbc/aes_cbc.hpp" in paths(tagged, "aes-cbc-00")


def test_what_tells_how_the_case_goes_on_is_gone(clone):
    """Its results, its pages and the tables; those of other cases stay."""
    mine = [
        "reports/README.md",
        "reports/xtea.md",
        "reports/xtea.svg",
        "reports/xtea-sizes.svg",
        "reports/results/xtea/a.json.xz",
    ]
    others = ["reports/sha3.md", "reports/results/sha3/a.json.xz", "reports/results/self-check/a.json.xz"]
    table = "| XTEA | stage 14 |\n".join(git_tags.TABLE)
    for name in [*mine, *others, "README.md"]:
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text(f"before\n{table}after\n", encoding="utf-8")
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "Results")
    git_tags.make()
    found = paths(clone, "xtea-03")
    assert not {*mine} & found
    assert {*others} <= found
    assert git(clone, "show", "xtea-03:README.md") == f"before\n{git_tags.NO_TABLE.join(git_tags.TABLE)}after\n"


def test_every_link_of_readme_leads_to_a_file_of_the_tree(tagged):
    def links(tag):
        text = git(tagged, "show", f"{tag}:README.md")
        return [link for link in re.findall(r"\]\(([^)#:]+)", text) if "stages/" in link or link.endswith(".md")]

    for tag in ("xtea-00", "xtea-03", "sha3-00"):
        assert {*links(tag)} <= paths(tagged, tag)
    later = "stages/xtea/04-interchange/stage.cpp"
    assert later in links("main")
    assert later in links("sha3-00")
    assert later not in links("xtea-03")
    assert "**04 Loop interchange.**" in git(tagged, "show", "xtea-03:README.md"), "the words stay"


def test_a_shallow_clone_makes_the_same(one_case, tmp_path, monkeypatch):
    shallow = tmp_path / "shallow"
    git(
        one_case,
        "clone",
        "--quiet",
        "--no-tags",
        "--depth",
        "1",
        "--branch",
        "main",
        f"file://{one_case}",
        str(shallow),
    )
    assert git(shallow, "rev-parse", "--is-shallow-repository") == "true\n"
    monkeypatch.setattr(git_tags, "ROOT", shallow)
    assert git_tags.wanted_by_setup()
    git_tags.make()
    assert git_tags.wrong() == []
    assert commits_of(shallow) == commits_of(one_case)
    git(shallow, "checkout", "--quiet", "aes-cbc-00")


def test_making_them_needs_python_and_git_alone(one_case):
    """Not the packages of .venv: `make tags` works before set-up has run."""
    command = "import sys; sys.path.insert(0, 'scripts'); from perf_ladders import cli; sys.exit(cli.main(['tags']))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", command], cwd=one_case, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "All tags and commit series are as they should be.\n")


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
    assert git_tags.make()
    assert state() == before
    assert git_tags.make() == []


def test_killed_while_it_changes_refs_it_works_when_called_again(clone, monkeypatch):
    """git is killed while it holds the lock of every ref."""
    monkeypatch.setattr(git_refs, "_GIT_S", 0.01)
    hook = clone / ".git/hooks/reference-transaction"
    hook.write_text('#!/bin/sh\n[ "$1" != prepared ] || kill -9 $PPID\n')
    hook.chmod(0o755)
    with pytest.raises(UserError, match="git update-ref failed: exit code -9"):
        git_tags.make()
    assert [*(clone / ".git/refs").rglob("*.lock")]
    hook.unlink()
    assert git_tags.make()
    assert git_tags.wrong() == []
    assert not [*(clone / ".git").rglob("*.lock")]


def test_a_lock_that_a_living_git_holds_stays(clone, monkeypatch):
    lock = clone / ".git/refs/tags/xtea-00.lock"
    lock.touch()
    monkeypatch.setattr(git_refs.time, "sleep", lambda _: os.utime(lock, ns=(1, 1)))  # taken anew meanwhile
    with pytest.raises(UserError, match=r"git update-ref failed: .*xtea-00"):
        git_tags.make()
    assert lock.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("moment", ["trees are written", "refs are locked"])
def test_ended_at_any_moment_it_works_when_called_again(clone, tmp_path, monkeypatch, number, moment):
    folder, locked, hook = tmp_path / "tmp", tmp_path / "locked", clone / ".git/hooks/reference-transaction"
    folder.mkdir()
    hook.write_text(f'#!/bin/sh\n[ "$1" != prepared ] || {{ touch "{locked}"; sleep 60; }}\n')
    hook.chmod(0o755)

    def written():
        return sum(1 for _ in (clone / ".git/objects").rglob("*"))

    before = written()
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": "scripts"}
    process = subprocess.Popen(
        [sys.executable, "-m", "perf_ladders", "tags"],
        cwd=clone,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while process.poll() is None and not (locked.exists() if moment == "refs are locked" else written() > before):
        time.sleep(0.002)
    if process.poll() is None:
        os.killpg(process.pid, number)
    _, error = process.communicate(timeout=60)
    assert process.returncode == (LATER if number == signal.SIGTERM else -number), error
    assert "Traceback" not in error
    hook.unlink()
    monkeypatch.setattr(files, "_NEW_S", -1)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    git_tags.make()
    assert git_tags.wrong() == []
    assert not [*folder.iterdir()], "litter"


def test_a_stage_without_notes_is_told(clone):
    stage = clone / "stages/xtea/90-mine"
    stage.mkdir()
    (stage / "stage.cpp").write_text("// Mine.\n", "utf-8")
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "--message", "Mine")
    with pytest.raises(UserError, match=r"stages/xtea/90-mine/notes\.md is missing in the last commit"):
        git_tags.make()


def test_two_at_once_are_refused(clone):
    with git_refs.alone(clone / ".git"), pytest.raises(UserError, match="wait for the other make tags"):
        git_tags.make()


def test_a_name_that_is_taken_stays_taken(clone):
    git(clone, "tag", "xtea-00")
    before = commits_of(clone)
    with pytest.raises(UserError, match="xtea-00 was not made here"):
        git_tags.make()
    assert commits_of(clone) == before


def test_a_lecture_that_is_open_is_not_moved(clone):
    git_tags.make()
    git(clone, "checkout", "--quiet", "lecture/xtea")
    with pytest.raises(UserError, match="git checkout main"):
        git_tags.make()
    git(clone, "checkout", "--quiet", "main")
    git(clone, "update-ref", "refs/heads/lecture/xtea", "lecture/xtea~1")
    git(clone, "checkout", "--quiet", "-B", "other")
    git(clone, "worktree", "add", "--quiet", str(clone.parent / "beside"), "lecture/xtea")
    with pytest.raises(UserError, match="lecture/xtea is checked out"):
        git_tags.make()


def test_not_on_a_tags_own_tree_nor_on_what_comes_from_it(clone):
    assert git_tags.wanted_by_setup()
    git_tags.make()
    assert not git_tags.wanted_by_setup(), "it has them"
    git(clone, "checkout", "--quiet", "xtea-03")
    before = commits_of(clone)
    for _ in range(2):
        with pytest.raises(UserError, match="git checkout main"):
            git_tags.make()
        assert not git_tags.wanted_by_setup()
        git(clone, "commit", "--quiet", "--allow-empty", "--message", "My own")
    assert commits_of(clone) == before


def test_where_there_is_no_repository(tmp_path, monkeypatch):
    monkeypatch.setattr(git_tags, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert not git_tags.wanted_by_setup()
    with pytest.raises(UserError, match="no clone of a Git repository"):
        git_tags.make()


def test_a_clone_that_git_does_not_read_is_told_its_reason(clone, monkeypatch):
    """As root does not read that of another owner."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    assert not git_tags.wanted_by_setup()
    with pytest.raises(UserError, match=r"Git does not read this clone: .*dubious ownership"):
        git_tags.make()
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UserError, match="git is not installed"):
        git_tags.make()


def test_the_check_names_what_is_missing_old_or_left_over(clone):
    git_tags.make()
    assert git_tags.wrong() == []
    git(clone, "tag", "--delete", "xtea-01")
    git(clone, "tag", "--force", "xtea-02", "xtea-03")
    git(clone, "config", "column.ui", "always")  # then `git tag` prints several in a line
    git(clone, "tag", "xtea-77", "xtea-03")
    git(clone, "tag", "xtea-90", "xtea-03")  # numbers from here up are a reader's own
    assert git_tags.wrong() == [
        "xtea-01 is not there.",
        "xtea-02 is not what this tree gives.",
        "xtea-77 is the tag of no stage: git tag -d xtea-77",
    ]


def test_a_lecture_is_the_main_path_one_stage_after_the_other(tagged):
    case = catalogue.read_case("hmac-sha1")
    said = git(tagged, "log", "--reverse", "--format=%s", "lecture/hmac-sha1").splitlines()
    assert said == [f"{stage.name}: {stage.notes.title}" for stage in case.main_path]
    assert len(said) < len(case.stages), "side branches have a tag alone"
    commits = dict(
        line.split(":")[0].split(" ")[::-1]
        for line in git(tagged, "log", "--format=%H %s", "lecture/hmac-sha1").splitlines()
    )
    for stage in case.main_path[1:]:
        commit, base = commits[stage.name], case.base(stage)
        assert git(tagged, "show", f"{commit}:hmac-sha1/stage.cpp") == case.text(stage)
        assert git(tagged, "show", f"{commit}~:hmac-sha1/stage.cpp") == case.text(base)


def test_how_many_were_made_is_said_not_which(clone, capsys):
    stages = len(catalogue.read_case("xtea").stages)
    for said in (
        f"Tags of stages made: {stages}. Commit series made: 1.\n",
        "All tags and commit series are as they should be.\n",
    ):
        assert cli.main(["tags"]) == 0
        assert capsys.readouterr().err == said


def test_in_the_tree_of_a_tag_a_later_stage_is_elsewhere(monkeypatch):
    monkeypatch.setattr(git_tags, "tag_of_head", lambda: "xtea-03")
    with pytest.raises(UserError, match="This tree ends at xtea-03: `git checkout main` leads back"):
        grammar.stage("xtea-98", "xtea")
    with pytest.raises(UserError, match=r"There is no stage 'sha3-98'\. "):
        grammar.stage("sha3-98", "xtea")


def test_the_tag_of_a_tree_is_found(tagged, monkeypatch):
    monkeypatch.setattr(git_tags, "ROOT", tagged)
    assert git_tags.tag_of_head() == ""
    git(tagged, "checkout", "--quiet", "xtea-03")
    assert git_tags.tag_of_head() == "xtea-03"
    git(tagged, "checkout", "--quiet", "main")


def test_lines_that_end_as_on_windows_are_read_as_in_the_work_tree(clone):
    case = clone / "stages/xtea"
    for path in (case / "case.toml", case / "00-reference/notes.md", case / "00-reference/stage.cpp"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    git(clone, "-c", "core.autocrlf=false", "commit", "--quiet", "--all", "--message", "Written on Windows")
    git_tags.make()
    assert 'title = "XTEA"' in git(clone, "show", "xtea-00:stages/xtea/case.toml")
    assert git_tags.wrong() == []
