"""The scripts are typed and tidy."""

from __future__ import annotations

import subprocess
import sys

import pytest

from perf_ladders.tree.paths import ROOT


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--no-cache", "scripts", "tests"],
        ["ruff", "format", "--check", "--no-cache", "scripts", "tests"],
        ["mypy"],  # with its usual cache, which spares most of its work
    ],
    ids=["ruff check", "ruff format", "mypy"],
)
def test_clean(command):
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
