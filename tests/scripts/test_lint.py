"""The scripts are typed and tidy."""

from __future__ import annotations

import os
import re
import shutil
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
        ("          go install golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da", None),
        ("          go install golang.org/x/perf/cmd/benchstat@latest", "golang.org/x/perf/cmd/benchstat"),
        ("      - uses: actions/checkout@latest", "actions/checkout@latest"),
    ],
)
def test_an_action_or_image_without_a_digest_is_refused(line, wrong):
    found = [sentence.partition(" takes ")[2].partition(" by name:")[0] for sentence in lint.of_workflow("ci", line)]
    assert " ".join(found) == (wrong or "")


def test_all_actions_and_images_of_this_tree_have_a_digest():
    assert [*lint.of_workflows()] == []
    assert "uses: actions/checkout@" in (ROOT / ".github/workflows/test.yml").read_text("utf-8"), "there are some"


TOOLS = {
    "shellcheck": "tools.sh",
    "clang-format": "stages/a/00-reference/stage.cpp",
    "clang-tidy": "stages/a/00-reference",
}


@pytest.fixture
def styled(tmp_path):
    """Runs style.sh in a tree of a few files, with tools that note what they are asked for and end as they are told."""
    (tmp_path / "scripts").mkdir()
    for name in ("style.sh", "style-requirements.txt"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    tools = tmp_path / "build/style"
    (tools / "bin").mkdir(parents=True)
    shutil.copy(ROOT / "scripts/style-requirements.txt", tools / "installed")
    for name, text in (("00-reference", "// One\n"), ("01-linked", "// Two\n// links: TBB\n")):
        (tmp_path / "stages/a" / name).mkdir(parents=True)
        (tmp_path / "stages/a" / name / "stage.cpp").write_text(text)
    (tmp_path / "tools.sh").touch()
    for words in (["init", "-q"], ["add", "--force", "scripts", "stages", "tools.sh"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)

    def run(wrong=""):
        for name in TOOLS:
            path = tools / "bin" / name
            path.write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/asked\nexit {int(name == wrong)}\n')
            path.chmod(0o755)
        return subprocess.run([tmp_path / "scripts/style.sh"], capture_output=True, text=True, check=False)

    return run


def test_style_asks_each_tool_for_its_files(styled, tmp_path):
    assert styled().returncode == 0
    asked = (tmp_path / "asked").read_text()
    for tool, file in TOOLS.items():
        assert re.search(rf"^{tool} .*{file}", asked, re.MULTILINE), asked
    assert not re.search("^clang-tidy .*linked", asked, re.MULTILINE), "its library may be missing"


@pytest.mark.parametrize("tool", TOOLS)
def test_style_names_the_tool_that_complains(styled, tool):
    done = styled(tool)
    assert (done.returncode, done.stderr.count("Not in order")) == (1, 1)
    assert f"Not in order: {tool}." in done.stderr


def test_continuous_integration_runs_the_tools_of_style():
    said = (ROOT / ".github/workflows/test.yml").read_text("utf-8")
    assert "- run: scripts/style.sh" in said
    assert "docker://rhysd/actionlint:" in said
    assert os.access(ROOT / "scripts/style.sh", os.X_OK)


def test_root_in_a_container_reads_a_checkout_of_another_owner():
    """Else git refuses it, and with it the tests that clone it."""
    jobs = [
        job
        for path in sorted(ROOT.glob(".github/workflows/*.yml"))
        for job in re.split(r"(?m)^(?=  [\w-]+:)", path.read_text("utf-8"))
        if re.search(r"(?m)^    container:", job)
    ]
    assert len(jobs) == 3
    for job in jobs:
        assert re.search(r'actions/checkout@.*\n +- run: git config --global --add safe\.directory "\$GITHUB_W', job)


def test_a_case_of_which_a_part_is_not_built_is_no_crash_of_nm(tmp_path):
    with pytest.raises(FileNotFoundError):
        lint._defined([tmp_path / "stage.cpp.o"])
