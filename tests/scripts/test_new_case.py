"""`ladders new-case`: what it writes reads as a case; test_docs.py builds it."""

from __future__ import annotations

import errno
import re

import pytest

from perf_ladders import cli
from perf_ladders.errors import UserError
from perf_ladders.tree import catalogue, files, idea, paths, techniques
from perf_ladders.tree.planner import SELF_CHECK
from perf_ladders.workshop import new_case


@pytest.fixture
def empty(tmp_path, monkeypatch):
    (tmp_path / "stages").mkdir()
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(paths, "STAGES", tmp_path / "stages")
    monkeypatch.setattr(catalogue, "STAGES", tmp_path / "stages")
    return tmp_path


def test_what_it_writes_reads_as_a_case(empty, capsys):
    assert cli.main(["new-case", "--name", "my-kernel"]) == 0
    assert "make run-stage my-kernel-01" in capsys.readouterr().out
    case = catalogue.read_case("my-kernel")
    assert case.title == "My kernel"
    assert [stage.slug for stage in case.stages] == ["reference", "four-bytes"]
    assert all(stage.notes.title and stage.headline for stage in case.stages)
    assert case.symbols == ["my_kernel_case::hash"]
    assert [*idea.misfits(case)] == []
    assert [said for said in techniques.misfits([case]) if "my-kernel" in said] == []
    texts = [path.read_text("utf-8") for path in empty.rglob("*") if path.is_file()]
    assert not [text for text in texts if "NAME" in text or "SPACE" in text or "TITLE" in text]


def test_what_a_learner_changes_is_little(empty):
    """Until the first verdict on a kernel of one's own: contract, two stages, oracle and the class of the workload."""
    new_case.write("mine")
    kinds = ("stages/mine/*.hpp", "stages/mine/*/stage.cpp", "tests/mine/oracle.*")
    changed = [path for kind in kinds for path in empty.glob(kind)]
    lines = [line for path in changed for line in path.read_text("utf-8").splitlines()]
    code = [line for line in lines if line.strip() and not line.lstrip().startswith(("//", "#", "namespace", "}"))]
    assert len(code) <= 30


@pytest.mark.parametrize("name", ["xtea", "all", "scripts", "My", "a_b", "../x", "9x", "kernel-01", "-x", ""])
def test_a_name_that_cannot_be_is_refused(name, capsys):
    before = sorted(paths.STAGES.glob("*"))
    assert cli.main(["new-case", "--name", name]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) <= 3
    assert sorted(paths.STAGES.glob("*")) == before


@pytest.mark.parametrize("name", ["hmac", "hmac-sha1-tests"])
def test_no_case_begins_as_another_does(empty, name):
    new_case.write("hmac-sha1")
    with pytest.raises(UserError, match=f"'{name}' and the case 'hmac-sha1' begin alike"):
        new_case.write(name)
    new_case.write("hmac2")


@pytest.mark.parametrize("name", ["test", "self-check", "atlas", "index"])
def test_the_name_of_a_target_or_of_a_page_is_taken(empty, name):
    with pytest.raises(UserError, match="is taken already"):
        new_case.write(name)


def test_the_targets_of_cmake_are_no_names_of_cases():
    listed = (paths.ROOT / "common/cmake/Programs.cmake").read_text("utf-8")
    listed += (paths.ROOT / "CMakeLists.txt").read_text("utf-8")
    made = re.findall(r"^ *add_(?:custom_target|executable)\(([a-z-]+)[ )]", listed, re.MULTILINE)
    assert {*made, SELF_CHECK} <= new_case._TARGETS


def test_without_a_name_one_is_asked_for(capsys):
    assert cli.main(["new-case"]) == 2
    assert "make new-case NAME=adler32" in capsys.readouterr().err


def test_a_file_that_is_there_stays(empty):
    kept = empty / "tests" / "mine" / "check.cpp"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine", "utf-8")
    with pytest.raises(UserError, match="is taken already"):
        new_case.write("mine")
    assert kept.read_text("utf-8") == "mine"
    assert not (empty / "stages" / "mine").exists()


def test_half_a_case_is_taken_away(empty, monkeypatch):
    """It would stop every build, and its name would be taken."""
    write = files.write

    def full_disk(path, text):
        if path.name == "workloads.cpp":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return write(path, text)

    monkeypatch.setattr(new_case.files, "write", full_disk)
    with pytest.raises(OSError, match="No space left"):
        new_case.write("mine")
    monkeypatch.setattr(new_case.files, "write", write)
    assert new_case.write("mine")
