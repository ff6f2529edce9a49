"""The scripts are typed and tidy."""

from __future__ import annotations

import subprocess
import sys

import pytest

from perf_ladders import lint
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


COMMIT, IMAGE = "0123456789abcdef" * 2 + "01234567", "debian:12@sha256:" + "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (f"      - uses: actions/checkout@{COMMIT}  # v4.2.2", None),
        ("      - uses: ./.github/actions/ours", None),
        (f"      - uses: docker://{IMAGE}", None),
        (f"    container: {IMAGE}", None),
        (f"          - {IMAGE}", None),
        ("    - cron: 17 2 * * *", None),
        ("      - uses: actions/checkout@v4", "actions/checkout@v4"),
        ("        uses: actions/checkout@main", "actions/checkout@main"),
        (f"      - uses: actions/checkout@{COMMIT}", f"actions/checkout@{COMMIT}"),
        (f"      - uses: actions/checkout@{COMMIT[:12]}  # v4.2.2", f"actions/checkout@{COMMIT[:12]}  # v4.2.2"),
        ("      - uses: docker://debian:12", "docker://debian:12"),
        ("    container: debian:12", "debian:12"),
        (f"    container: {IMAGE[:-1]}", "debian:12"),
        ('        system: ["debian:12", "ghcr.io/a/b:1.2"]', "debian:12 ghcr.io/a/b:1.2"),
        ('  "image": "debian:12",', "debian:12"),
    ],
)
def test_an_action_or_image_without_a_digest_is_refused(line, wrong):
    found = [sentence.partition(" takes ")[2].partition(" by name:")[0] for sentence in lint.of_workflow("ci", line)]
    assert " ".join(found) == (wrong or "")


def test_all_actions_and_images_of_this_tree_have_a_digest():
    assert [*lint.of_workflows()] == []
    assert "uses: actions/checkout@" in (ROOT / ".github/workflows/test.yml").read_text("utf-8"), "there are some"
