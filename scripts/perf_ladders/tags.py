"""Stage tags: `<case>-NN`, a tree in which that stage is the newest of its case, and `lecture/<case>`, the same stages
as commits to one path. Both are made from the numbered directories of HEAD: equal trees give equal ids in every clone.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from perf_ladders.catalogue import OWN_STAGES, ROOT, Notes, parse_notes
from perf_ladders.complaint import Complaint

_MAIL = "tags@perf-ladders.invalid"  # whoever made a tag, it says this: so it is known for one of ours
_DATE = "2000-01-01T00:00:00+0000"
_README = "README.md"
_MARKED = re.compile(r"(<!-- reference report: begin -->\n).*(<!-- reference report: end -->\n)", re.DOTALL)
NO_REPORT = (
    "This is the tree of a stage's tag: it has no reference report, for that would tell how the ladder goes on.\n"
)


@dataclass(frozen=True)
class Ref:
    name: str  # xtea-03, or lecture/xtea
    path: str  # refs/tags/xtea-03, or refs/heads/lecture/xtea
    wanted: str  # the commit that it should point to
    present: str | None  # the one that it points to


@dataclass(frozen=True)
class _Stage:
    number: str
    directory: str
    notes: Notes


def refs() -> list[Ref]:
    """What there should be and what there is. Commits are written to the repository, refs are not."""
    _expect_whole_tree()
    files = _git("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")[:-1]
    wanted: dict[str, tuple[str, str]] = {}
    for case, stages in _stages(files).items():
        parent = None
        for stage in stages:
            name = f"{case}-{stage.number}"
            parent = _commit(_tree_of(files, case, stage.number), parent, _message(name, stage.notes))
            wanted[name] = f"refs/tags/{name}", parent
        wanted[f"lecture/{case}"] = f"refs/heads/lecture/{case}", _lecture(case, stages)
    present = dict(line.split(" ") for line in _git("for-each-ref", "--format=%(refname) %(objectname)").splitlines())
    return [Ref(name, path, commit, present.get(path)) for name, (path, commit) in wanted.items()]


def make() -> list[Ref]:
    """Those that were not there, or pointed to something else; now they are right."""
    stale = [ref for ref in refs() if ref.present != ref.wanted]
    for ref in stale:
        if ref.present and _git("show", "--no-patch", "--format=%ce", f"{ref.present}^{{commit}}").strip() != _MAIL:
            raise Complaint(f"{ref.name} was not made here: rename or delete it (it is {ref.path}), then try again.")
    used = _git("worktree", "list", "--porcelain").splitlines()
    for ref in stale:
        if f"branch {ref.path}" in used:
            raise Complaint(f"{ref.name} is checked out: git checkout another branch, then try again.")
    orders = "".join(f"update {ref.path} {ref.wanted} {ref.present or '0' * 40}\n" for ref in stale)
    _git("update-ref", "--stdin", stdin=orders)
    return stale


def wrong() -> list[str]:
    """What `make` would change, and tags of stages that are no more, in a sentence each."""
    found = refs()
    said = [f"{ref.name} is not there." for ref in found if ref.present is None]
    said += [f"{ref.name} is not what this tree gives." for ref in found if ref.present not in (None, ref.wanted)]
    names = {ref.name for ref in found}
    cases = {name.removeprefix("lecture/") for name in names if name.startswith("lecture/")}
    for tag in _git("tag", "--list").splitlines():
        case, _, number = tag.rpartition("-")
        if case in cases and re.fullmatch(r"\d\d", number) and number < OWN_STAGES and tag not in names:
            said.append(f"{tag} is the tag of no stage: git tag -d {tag}")
    return said


def wanted_by_setup() -> bool:
    """In a clone that has none, whose tree is whole."""
    try:
        _expect_whole_tree()
    except Complaint:
        return False
    return not _git("for-each-ref", "refs/heads/lecture/")


def _expect_whole_tree() -> None:
    top = subprocess.run(["git", "rev-parse", "--show-toplevel"], cwd=ROOT, capture_output=True, text=True, check=False)
    if top.returncode != 0 or Path(top.stdout.strip()) != ROOT:
        raise Complaint("This is no clone of a Git repository, so there is nothing to tag.")
    if _git("log", "-1", "--format=%H", f"--committer={_MAIL}", "HEAD"):
        raise Complaint(
            "This tree is, or comes from, that of a stage's tag, which has not all stages: git checkout main."
        )


def _stages(files: Iterable[str]) -> dict[str, list[_Stage]]:
    found: dict[str, list[_Stage]] = defaultdict(list)
    for path in sorted(files):
        match = re.fullmatch(r"(stages/([^/]+)/(\d\d)-[^/]+)/stage\.cpp", path)
        if match:
            notes = parse_notes(_at_head(f"{match[1]}/notes.md"), f"{match[1]}/notes.md", match[3])
            found[match[2]].append(_Stage(match[3], match[1], notes))
    return found


def _tree_of(files: list[str], case: str, newest: str) -> str:
    left = {path for path in files if not _later(path, case, newest) and not _reported(path)}
    left -= _unused_headers(files, left, case)
    readme = _MARKED.sub(rf"\1{NO_REPORT}\2", _at_head(_README))
    with _index() as index:
        _git("read-tree", "HEAD", index=index)
        gone = "\0".join(sorted(set(files) - left))
        _git("update-index", "--force-remove", "-z", "--stdin", index=index, stdin=gone)
        blob = _git("hash-object", "-w", "--stdin", stdin=readme).strip()
        _git("update-index", "--cacheinfo", f"100644,{blob},{_README}", index=index)
        return _git("write-tree", index=index).strip()


def _later(path: str, case: str, newest: str) -> bool:
    match = re.match(rf"(?:stages/{case}|tests/{case}/mutants)/(\d\d)-", path)
    return match is not None and match[1] > newest


def _reported(path: str) -> bool:
    return path.startswith("reports/reference/") and not path.endswith("/self-check.json.gz")


def _unused_headers(files: Iterable[str], left: set[str], case: str) -> set[str]:
    """Headers that a later stage or mutant includes, and nothing else does."""
    includes = _includes(case)

    def included(by: set[str]) -> set[str]:
        return {found for path in by for found in includes[path]}

    candidates = {path for path in included({*files}) if path in left}
    unused: set[str] = set()
    while more := candidates - unused - included(left - unused):
        unused |= more
    return unused


def _includes(case: str) -> dict[str, set[str]]:
    """Of each source of the case, the headers of the case that it includes."""
    found: dict[str, set[str]] = defaultdict(set)
    pattern = re.compile(r'HEAD:([^:]+):#include "([^"]+)"')
    grep = _git("grep", "-I", '^#include "', "HEAD", "--", f"stages/{case}", f"tests/{case}")
    for path, name in pattern.findall(grep):
        beside = str(PurePosixPath(path).parent / name)
        found[path] |= {beside, f"stages/{name}", f"tests/{case}/{name}"}
    return found


def _lecture(case: str, stages: list[_Stage]) -> str:
    """A stage that builds on an earlier one than the last comes after a commit that goes back there."""
    tip: str | None = None
    shown: _Stage | None = None
    by_number = {stage.number: stage for stage in stages}
    for stage in stages:
        base = by_number.get(stage.notes.base or "")
        if base and base is not shown:
            assert shown, "a base is an earlier stage"
            tip = _commit(_lecture_tree(case, base), tip, _way_back(case, base, shown, stage))
        tip = _commit(_lecture_tree(case, stage), tip, _message(f"{case}-{stage.number}", stage.notes))
        shown = stage
    assert tip
    return tip


def _way_back(case: str, base: _Stage, shown: _Stage, following: _Stage) -> str:
    return (
        f"Back to {case}-{base.number}: {base.notes.title}\n\n"
        f"The next stage, {case}-{following.number}, builds on {case}-{base.number} and not on {case}-{shown.number}:\n"
        "this commit takes back what came in between, so that the next diff is its idea alone.\n"
    )


def _lecture_tree(case: str, stage: _Stage) -> str:
    with _index() as index:
        for name in ("stage.cpp", "notes.md"):
            blob = _git("rev-parse", f"HEAD:{stage.directory}/{name}").strip()
            _git("update-index", "--add", "--cacheinfo", f"100644,{blob},{case}/{name}", index=index)
        return _git("write-tree", index=index).strip()


def _message(name: str, notes: Notes) -> str:
    text = re.sub(r"<!-- .*? -->\n*", "", notes.text)
    return f"{name}: {notes.title}\n\n{text}"


def _commit(tree: str, parent: str | None, message: str) -> str:
    parents = ["-p", parent] if parent else []
    return _git("commit-tree", tree, *parents, stdin=message).strip()


def _at_head(path: str) -> str:
    return _git("show", f"HEAD:{path}")


@contextlib.contextmanager
def _index() -> Iterator[Path]:
    """A file of its own, so that the index of the work tree is not touched."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "index"


def _git(*arguments: str, index: Path | None = None, stdin: str | None = None) -> str:
    environment = dict(os.environ)
    for who in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{who}_NAME": "perf-ladders", f"GIT_{who}_EMAIL": _MAIL, f"GIT_{who}_DATE": _DATE}
    if index:
        environment["GIT_INDEX_FILE"] = str(index)
    command = ["git", "-c", "i18n.commitEncoding=UTF-8", "-c", "commit.gpgSign=false", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Complaint(f"git {arguments[0]} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
