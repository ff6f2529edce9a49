"""Stage tags: `<case>-NN`, a tree in which that stage is the newest of its case, and `lecture/<case>`, the stages of
the main path as commits to one path. Both are made from the numbered directories of HEAD: equal trees give equal ids
in every clone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path, PurePosixPath

from perf_ladders.errors import UserError
from perf_ladders.tree import git_refs
from perf_ladders.tree.flatten import stage_text
from perf_ladders.tree.git import Trees, blobs, git, git_or_none
from perf_ladders.tree.headers import Header, parse_header
from perf_ladders.tree.main_path import chain, may_close
from perf_ladders.tree.notes import Notes, parse_notes
from perf_ladders.tree.paths import OWN_STAGES, ROOT

_MAIL = "tags@perf-ladders.invalid"  # whoever made a tag, it says this: so it is known for one of ours
_SIGNATURE = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "perf-ladders"), ("EMAIL", _MAIL), ("DATE", "2000-01-01T00:00:00+0000"))
}
TABLE = ("<!-- table: begin -->\n", "<!-- table: end -->\n")  # what README has between these is generated
_MARKED = re.compile(f"(?<={re.escape(TABLE[0])}).*(?={re.escape(TABLE[1])})", re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#:]+)(?:#[^)]*)?\)")  # to a file; a page of the web has a colon
_README = "README.md"
NO_TABLE = (
    "This is the project as it was at one stage. The table of results is left out: it tells how the case goes on.\n"
)

Files = dict[str, tuple[str, str]]  # by path: mode and blob


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

    @property
    def slug(self) -> str:
        return PurePosixPath(self.directory).name[3:]

    @cached_property
    def header(self) -> Header:
        return parse_header(_at_head(f"{self.directory}/stage.cpp"), f"{self.directory}/stage.cpp")


def refs() -> list[Ref]:
    """What there should be and what there is. Commits are written to the repository, refs are not."""
    _expect_whole_tree()
    for cached in (_readme, _blob, _includes, _files, _texts):  # of an earlier HEAD
        cached.cache_clear()
    files = _files()
    wanted: dict[str, tuple[str, str]] = {}
    with Trees(ROOT) as trees:
        for case, stages in _stages(files).items():
            parent = None
            for stage in stages:
                name = f"{case}-{stage.number}"
                later = [other for other in stages if other.number > stage.number]
                tree = trees.write(_tree_of(files, case, later))
                parent = _commit(tree, parent, _message(name, stage.notes))
                wanted[name] = f"refs/tags/{name}", parent
            if any(may_close(stage) for stage in stages):
                wanted[f"lecture/{case}"] = f"refs/heads/lecture/{case}", _lecture(files, trees, case, stages)
    listed = git(ROOT, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    present = dict(line.split(" ") for line in listed)
    return [Ref(name, path, commit, present.get(path)) for name, (path, commit) in wanted.items()]


def make() -> list[Ref]:
    """Those that were not there, or pointed to something else; now they are right."""
    _expect_whole_tree()
    folder = Path(git(ROOT, "rev-parse", "--path-format=absolute", "--git-common-dir").strip())
    with git_refs.alone(folder):
        return _made(folder)


def _made(folder: Path) -> list[Ref]:
    stale = [ref for ref in refs() if ref.present != ref.wanted]
    for ref in stale:
        if ref.present and _committer(ref.present) != _MAIL:
            raise UserError(f"{ref.name} was not made here: rename or delete it (it is {ref.path}), then try again.")
    used = git(ROOT, "worktree", "list", "--porcelain").splitlines()
    for ref in stale:
        if f"branch {ref.path}" in used:
            raise UserError(f"{ref.name} is checked out: git checkout another branch, then try again.")
    orders = "".join(f"update {ref.path} {ref.wanted} {ref.present or '0' * 40}\n" for ref in stale)
    git_refs.remove_dead_locks(folder, [ref.path for ref in stale])
    git(ROOT, "update-ref", "--stdin", stdin=orders, environment=_SIGNATURE)
    return stale


def wrong() -> list[str]:
    """What `make` would change, and tags of stages that are no more, in a sentence each."""
    found = refs()
    said = [f"{ref.name} is not there." for ref in found if ref.present is None]
    said += [f"{ref.name} is not what this tree gives." for ref in found if ref.present not in (None, ref.wanted)]
    names = {ref.name for ref in found}
    cases = {name.removeprefix("lecture/") for name in names if name.startswith("lecture/")}
    for tag in git(ROOT, "for-each-ref", "--format=%(refname:strip=2)", "refs/tags/").splitlines():
        case, _, number = tag.rpartition("-")
        if case in cases and re.fullmatch(r"\d\d", number) and number < OWN_STAGES and tag not in names:
            said.append(f"{tag} is the tag of no stage: git tag -d {tag}")
    return said


def wanted_by_setup() -> bool:
    """In a clone that has none, whose tree is whole."""
    try:
        _expect_whole_tree()
    except UserError:
        return False
    return not git(ROOT, "for-each-ref", "refs/heads/lecture/")


def _expect_whole_tree() -> None:
    if not (ROOT / ".git").exists():
        raise UserError("This is no clone of a Git repository, so there is nothing to tag.")
    try:
        git(ROOT, "rev-parse", "--git-dir", failed="Git does not read this clone")
    except FileNotFoundError:
        raise UserError("git is not installed, which makes the tags: apt-get install git") from None
    if git(ROOT, "log", "-1", "--format=%H", f"--committer={_MAIL}", "HEAD"):
        raise UserError(
            "This tree is, or comes from, that of a stage's tag, which has not all stages: git checkout main."
        )


def _committer(ref: str) -> str:
    return git(ROOT, "show", "--no-patch", "--format=%ce", f"{ref}^{{commit}}").strip()


@cache
def _files() -> Files:
    entries = [entry.split("\t") for entry in git(ROOT, "ls-tree", "-r", "-z", "HEAD").split("\0")[:-1]]
    return {path: (about.split()[0], about.split()[2]) for about, path in entries}


def _stages(files: Files) -> dict[str, list[_Stage]]:
    directories: dict[str, list[str]] = defaultdict(list)
    for path in sorted(files):
        if match := re.fullmatch(r"(stages/([^/]+)/\d\d-[^/]+)/stage\.cpp", path):
            directories[match[2]].append(match[1])
    return {case: [_stage(one, mine) for one in mine] for case, mine in directories.items()}


def _stage(directory: str, every: Sequence[str]) -> _Stage:
    folders = [PurePosixPath(one).name for one in every]
    number, path = PurePosixPath(directory).name[:2], f"{directory}/notes.md"
    return _Stage(number, directory, parse_notes(_at_head(path), path, number, folders))


def _tree_of(files: Files, case: str, later: Sequence[_Stage]) -> Files:
    gone = [folder for one in later for folder in (f"{one.directory}/", f"tests/{case}/mutants/{one.slug}/")]
    left = {path for path in files if not path.startswith(tuple(gone)) and not _reported(path, case)}
    left -= _unused_headers({*files}, left, case)
    found = {path: files[path] for path in left}
    if _README in left:
        found[_README] = _blob(_without_dead_links(_readme(), left))
    about = f"stages/{case}/case.toml"
    if about in left:
        found[about] = _blob(_without_stages(_at_head(about), [one.slug for one in later]))
    return found


def _without_stages(text: str, slugs: Sequence[str]) -> str:
    """case.toml without the tables that name one of these stages: claims, and the lesson. Empty lines part tables."""
    parts = text.rstrip("\n").split("\n\n")
    named = re.compile(rf'"({"|".join(map(re.escape, slugs))})[":]') if slugs else None
    return "\n\n".join(part for part in parts if not (named and named.search(part))) + "\n"


@cache
def _readme() -> str:
    """Without its table."""
    return _MARKED.sub(NO_TABLE, _at_head(_README))


def _without_dead_links(text: str, left: set[str]) -> str:
    """A link to what the tree does not have becomes its words."""

    def is_there(target: str) -> bool:
        return target in left or any(path.startswith(f"{target}/") for path in left)

    return _LINK.sub(lambda link: link[0] if is_there(link[2].rstrip("/")) else link[1], text)


@cache
def _blob(text: str) -> tuple[str, str]:
    return "100644", git(ROOT, "hash-object", "-w", "--stdin", stdin=text).strip()


def _reported(path: str, case: str) -> bool:
    """The results and pages of the case, which tell how it goes on, and the index of pages."""
    return re.match(rf"reports/(results/{case}/|{case}[-.][^/]*$|README\.md$)", path) is not None


def _unused_headers(files: set[str], left: set[str], case: str) -> set[str]:
    """Headers that a later stage or mutant includes, and nothing else does."""
    includes = _includes(case)

    def included(by: set[str]) -> set[str]:
        return {found for path in by for found in includes[path]}

    candidates = included(files) & left
    unused: set[str] = set()
    while more := candidates - unused - included(left - unused):
        unused |= more
    return unused


@cache
def _includes(case: str) -> dict[str, set[str]]:
    """Of each source of the case, the headers of the case that it includes."""
    found: dict[str, set[str]] = defaultdict(set)
    pattern = re.compile(r'HEAD:([^:]+):#include "([^"]+)"')
    plain = ("--no-line-number", "--no-column", "--no-color")  # whatever the reader's git is set to
    grep = git(ROOT, "grep", "-I", *plain, '^#include "', "HEAD", "--", f"stages/{case}", f"tests/{case}")
    for path, name in pattern.findall(grep):
        beside = str(PurePosixPath(path).parent / name)
        found[path] |= {beside, f"stages/{name}", f"tests/{case}/{name}"}
    return found


def _lecture(files: Files, trees: Trees, case: str, stages: list[_Stage]) -> str:
    """Each stage of the main path builds on the one before, so that each diff is one idea."""
    tip: str | None = None
    closing = [stage for stage in stages if may_close(stage)][-1]
    for stage in chain(closing, partial(_base, stages)):
        tree = trees.write(_lecture_tree(files, case, stage))
        tip = _commit(tree, tip, _message(f"{case}-{stage.number}", stage.notes))
    assert tip
    return tip


def _base(stages: list[_Stage], stage: _Stage) -> _Stage | None:
    """The stage that it builds on: the one before, unless its notes name another."""
    before = [other for other in stages if other.number < stage.number]
    named = [other for other in before if other.slug == stage.notes.base]
    return next(reversed(named or before), None)


def _lecture_tree(files: Files, case: str, stage: _Stage) -> Files:
    text = stage_text(f"{stage.directory}/stage.cpp", _texts().get)
    return {f"{case}/stage.cpp": _blob(text), f"{case}/notes.md": files[f"{stage.directory}/notes.md"]}


def _message(name: str, notes: Notes) -> str:
    """Without the Result, whose figures only a measurement can fill in."""
    text = re.sub(r"^## Result\n.*?(?=^## |\Z)", "", notes.text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!-- .*? -->\n*", "", text).rstrip() + "\n"
    return f"{name}: {notes.title}\n\n{text}"


def _commit(tree: str, parent: str | None, message: str) -> str:
    parents = ["-p", parent] if parent else []
    words = ("-c", "i18n.commitEncoding=UTF-8", "-c", "commit.gpgSign=false", "commit-tree", tree, *parents)
    return git(ROOT, *words, failed="git commit-tree failed", stdin=message, environment=_SIGNATURE).strip()


def tag_of_head() -> str:
    """xtea-03 after `git checkout xtea-03`; else empty."""
    tags = git_or_none(ROOT, "tag", "--points-at", "HEAD") or ""
    return next((word for word in tags.split() if re.fullmatch(r"[a-z0-9-]+-\d\d", word)), "")


def _at_head(path: str) -> str:
    if path not in _texts():
        raise UserError(f"{path} is missing in the last commit: write and commit it (docs/adding-a-case.md).")
    return _texts()[path]


@cache
def _texts() -> dict[str, str]:
    """By path, of all that stages are made from, and of README. Lines end as those that foreign.read_text reads."""
    files = {path: blob for path, (_, blob) in _files().items() if path.startswith(("stages/", "common/"))}
    found = blobs(ROOT, files | {_README: _files()[_README][1]})
    return {path: text.replace("\r\n", "\n") for path, text in found.items()}
