"""The history of main: is a commit in it, and which commit has these files? Without git or history, no answer."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache

from perf_ladders.tree.git import blobs, git_or_none
from perf_ladders.tree.paths import ROOT

_MAX_COMMITS = 500  # that are looked through, the newest first
_DIGESTS: dict[str, str] = {}  # the SHA-256 by blob: commits share most of theirs


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
    there = _digests(_blobs(files, commit))
    return [path for path, digest in files.items() if there.get(path) != digest]


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
    found = {path: about.split() for about, path in entries}
    return {path: blob for path, (_, kind, blob) in found.items() if kind == "blob" and path in files}


def _digests(there: Mapping[str, str]) -> dict[str, str]:
    """By path; one git reads all blobs that are new."""
    new = {blob: blob for blob in there.values() if blob not in _DIGESTS}
    for blob, text in (blobs(ROOT, new) if new else {}).items():
        _DIGESTS[blob] = hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
    return {path: _DIGESTS[blob] for path, blob in there.items()}
