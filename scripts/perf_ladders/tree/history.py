"""The history of main: is a commit in it, and which commit has these files? Without git or history, no answer."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache

from perf_ladders.tree.git import git_or_none
from perf_ladders.tree.paths import ROOT

_MAX_COMMITS = 500  # that are looked through, the newest first


@cache
def main_branch() -> str | None:
    """As the remote has it, where there is one: a contributor's own main may hold more."""
    names = ("refs/remotes/origin/main", "refs/heads/main")
    return next((name for name in names if git_or_none(ROOT, "rev-parse", "--verify", "--quiet", name)), None)


def in_main(commit: str) -> bool:
    branch = main_branch()
    if branch is None or not re.fullmatch("[0-9a-f]{7,40}", commit):  # a file of others may hold an option here
        return False
    return git_or_none(ROOT, "merge-base", "--is-ancestor", commit, branch) is not None


def apart(files: Mapping[str, str], commit: str) -> list[str]:
    """Those that the commit has otherwise, or not at all. `files`: by path the SHA-256 of each."""
    blobs = _blobs(files, commit)
    return [path for path, digest in files.items() if path not in blobs or _sha256(blobs[path]) != digest]


def commit_of(files: Mapping[str, str]) -> str | None:
    """The newest commit of main that has all of these files as they are here."""
    branch = main_branch()
    if branch is None or not files:
        return None
    newest = (f"--max-count={_MAX_COMMITS}", "--format=%h", "--abbrev=12", branch)
    log = git_or_none(ROOT, "--literal-pathspecs", "log", *newest, "--", *files) or ""
    return next((commit for commit in log.split() if not apart(files, commit)), None)


def _blobs(files: Mapping[str, str], commit: str) -> dict[str, str]:
    listed = git_or_none(ROOT, "--literal-pathspecs", "ls-tree", "-r", "-z", commit, "--", *files) or ""
    entries = [entry.split("\t") for entry in listed.split("\0")[:-1]]
    return {path: about.split()[2] for about, path in entries}


@cache
def _sha256(blob: str) -> str:
    text = git_or_none(ROOT, "cat-file", "blob", blob) or ""
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
