"""Runs git and gives its output."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

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
