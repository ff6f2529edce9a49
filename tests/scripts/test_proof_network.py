"""After set-up nothing needs a network: a part of `make proof`, in a network namespace that has none."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from no_network import ALONE, has_namespaces
from test_tags import cloned

from perf_ladders.tree.paths import ROOT

COMMANDS = (
    "make setup",
    "make tags-check",
    "make doctor",
    "make read-stage xtea-04",
    "make exercise CASE=xtea",
    "make hint",
    "make slides PLAN=90",
    "make new-case NAME=adler32",
    "make site",
)


def without_network(folder, *words):
    ours = ("MAKE", "MFLAGS")  # of the make that tests
    environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    command = [*ALONE, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


pytestmark = [
    pytest.mark.skipif(not has_namespaces(), reason="no network namespaces here"),
    pytest.mark.usefixtures("whole_tree"),
]


def test_in_the_namespace_nothing_is_reached(tmp_path):
    script = "import socket; socket.create_connection(('192.0.2.1', 80), 5)"
    assert "Network is unreachable" in without_network(tmp_path, "python3", "-c", script).stderr


def test_every_command_that_builds_nothing_works(tmp_path):
    """In a clone whose Python environment is there."""
    clone = cloned(tmp_path / "clone")
    (clone / ".venv").symlink_to(ROOT / ".venv")
    for command in COMMANDS:
        if command.startswith("make slides") and not shutil.which("pandoc"):
            continue
        done = without_network(clone, *command.split())
        assert done.returncode == 0, f"{command}: {done.stdout[-500:]}{done.stderr[-500:]}"


def test_what_is_built_is_checked_and_measured(build, tmp_path):
    """It is built again first, from the configuration on."""
    words = ["run-stage", "xtea-04", "--level", next(iter(build.flags)), "--rounds", "1"]
    done = without_network(ROOT, "./ladders", *words)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-500:]
