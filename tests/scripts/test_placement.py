"""A program that is to be timed is read from the disk again, once after each build."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from test_pairs import answering

from perf_ladders.measure import placement, runner
from perf_ladders.measure.serving import Served


@pytest.fixture
def done(monkeypatch):
    """What is asked of the kernel, and of which file."""
    asked = []

    def of(file):
        return Path(f"/proc/self/fd/{file}").readlink().name

    monkeypatch.setattr(os, "fsync", lambda file: asked.append(("fsync", of(file))))
    monkeypatch.setattr(os, "posix_fadvise", lambda file, *what: asked.append((*what, of(file))))
    return asked


DROPPED = [("fsync", "program"), (0, 0, os.POSIX_FADV_DONTNEED, "program")]


def test_the_pages_are_written_and_dropped_once_after_each_build(tmp_path, done):
    program = tmp_path / "program"
    program.write_bytes(b"first")
    placement.reread(program)
    placement.reread(program)
    assert done == DROPPED
    os.utime(program, ns=(1, 1))
    placement.reread(program)
    assert done == 2 * DROPPED


def test_a_file_system_that_cannot_do_it_stops_nothing(tmp_path, monkeypatch):
    def fails(_file):
        raise OSError(22, "Invalid argument")

    program = tmp_path / "program"
    program.write_bytes(b"")
    monkeypatch.setattr(os, "fsync", fails)
    placement.reread(program)
    placement.reread(tmp_path / "missing")


def test_every_program_that_is_timed_is_read_again(tmp_path, done):
    one = answering(tmp_path, "pass")
    runner.command_line(one, 0, "bench")
    assert [asked[-1] for asked in done] == 2 * [one.program.path.name]
    os.utime(one.program.path, ns=(1, 1))
    with Served(one, min(os.sched_getaffinity(0)), 0):
        assert len(done) == 4
