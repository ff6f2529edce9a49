"""A program is read from the disk again before its first process starts, and only then."""

from __future__ import annotations

import os
from pathlib import Path

from perf_ladders.measure import placement


def test_the_pages_of_a_program_are_read_anew_once_after_each_build(tmp_path, monkeypatch):
    program, dropped = tmp_path / "program", []

    def drop(file, *asked):
        dropped.append((Path(f"/proc/self/fd/{file}").readlink(), asked))

    monkeypatch.setattr(os, "posix_fadvise", drop)
    program.write_bytes(b"first")
    placement.read_anew(program)
    placement.read_anew(program)
    assert dropped == [(program, (0, 0, os.POSIX_FADV_DONTNEED))]
    program.write_bytes(b"second")
    os.utime(program, ns=(1, 1))
    placement.read_anew(program)
    assert len(dropped) == 2


def test_a_program_stays_as_it_is(tmp_path):
    program = tmp_path / "program"
    program.write_bytes(bytes(range(256)) * 8192)
    placement.read_anew(program)
    assert program.read_bytes() == bytes(range(256)) * 8192
