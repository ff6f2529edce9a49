"""Runs git and gives its output."""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from perf_ladders.errors import UserError


def git(
    folder: Path, *words: str, failed: str = "", stdin: str | None = None, environment: Mapping[str, str] | None = None
) -> str:
    """What git prints. Bytes that are not UTF-8 become surrogates, so that no byte is lost."""
    given = None if stdin is None else stdin.encode(errors="surrogateescape")
    variables = {**os.environ, **(environment or {})}
    done = subprocess.run(["git", *words], cwd=folder, env=variables, input=given, capture_output=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).decode(errors="replace")
        raise UserError(f"{failed or f'git {words[0]} failed'}: {said or f'exit code {done.returncode}'}")
    return done.stdout.decode(errors="surrogateescape")


def git_or_none(folder: Path, *words: str) -> str | None:
    """None if git fails or is not installed."""
    try:
        return git(folder, *words)
    except (FileNotFoundError, UserError):
        return None


def blobs(folder: Path, ids: Mapping[str, str]) -> dict[str, str]:
    """The texts of blobs, by the names that `ids` gives them: one git reads them all."""
    said = git(folder, "cat-file", "--batch", stdin="".join(f"{one}\n" for one in ids.values()))
    rest, found = said.encode(errors="surrogateescape"), {}
    place = 0
    for name in ids:
        end = rest.index(b"\n", place) + 1  # of the line: id, kind, size
        size = int(rest[place:end].split()[2])
        found[name] = rest[end : end + size].decode(errors="surrogateescape")
        place = end + size + 1  # behind the text is an empty line
    return found


class Trees:
    """Writes trees to the repository: one git writes them all, and each folder that trees share once."""

    def __init__(self, folder: Path) -> None:
        self._ids: dict[str, str] = {}
        command = ["git", "mktree", "--batch"]
        self._git = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Trees:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._git.communicate()

    def write(self, files: Mapping[str, tuple[str, str]]) -> str:
        """The id of the tree. `files`: by path the mode and the blob."""
        here: dict[str, str] = {}
        below: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
        for path, (mode, blob) in files.items():
            name, _, rest = path.partition("/")
            if rest:
                below[name][rest] = mode, blob
            else:
                here[name] = f"{mode} blob {blob}"
        here |= {name: f"040000 tree {self.write(inner)}" for name, inner in below.items()}
        return self._written("".join(f"{about}\t{name}\n" for name, about in sorted(here.items())))

    def _written(self, entries: str) -> str:
        if entries not in self._ids:
            assert self._git.stdin, "it was asked for"
            assert self._git.stdout, "it was asked for"
            self._git.stdin.write(f"{entries}\n".encode(errors="surrogateescape"))
            self._git.stdin.flush()
            self._ids[entries] = self._git.stdout.readline().decode().strip()
            if not self._ids[entries]:
                raise UserError("git mktree failed: it has said why.")
        return self._ids[entries]
