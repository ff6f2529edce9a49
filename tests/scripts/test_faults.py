"""A fault of each kind hits a measurement: nothing measured is lost, and nothing is left. `make proof` tries fifty."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import faults
import pytest
from conftest import needs
from faults import KINDS, TRIES, drawn, hit

from perf_ladders.measure import rounds
from perf_ladders.measure.rounds import Measured
from perf_ladders.model.measurement import Round
from perf_ladders.tree import files
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.paths import ROOT
from perf_ladders.workshop import exercise

SEED = 38
DRAWN = drawn(SEED, len(KINDS))


@pytest.mark.parametrize(("kind", "generator"), DRAWN, ids=lambda one: one if isinstance(one, str) else "")
def test_a_fault_loses_nothing_and_leaves_nothing(tmp_path, kind, generator):
    assert hit(tmp_path, kind, generator) == []


@pytest.mark.parametrize(("in_time", "said"), [(3, []), (TRIES + 1, [f"'SIGTERM' came too late {TRIES} times"])])
def test_a_fault_that_hits_nothing_comes_earlier(tmp_path, monkeypatch, in_time, said):
    moments = []

    def hit_once(folder, kind, late, generator):
        moments.append(late)
        return len(moments) == in_time, []

    monkeypatch.setattr(faults, "hit_once", hit_once)
    assert hit(tmp_path, "SIGTERM", DRAWN[0][1]) == said
    assert moments == [moments[0] / 2**number for number in range(min(in_time, TRIES))]


def test_a_fault_after_the_end_is_told_from_one_in_time(tmp_path, monkeypatch):
    monkeypatch.setattr(faults, "_wait_for_rounds", lambda folder, process, *_: process.wait(60))
    assert faults.hit_once(tmp_path, "SIGTERM", 0.5, DRAWN[0][1]) == (False, [])


@pytest.mark.parametrize(
    ("started", "seconds"),
    [
        (["10:00:00", "10:00:01", "10:00:02"], 2.0),
        (["10:00:00", "09:00:00", "09:00:01"], 1.0),  # set back
        (["10:00:00", "23:00:00"], 2.5),  # set forward: no span of its own
    ],
)
def test_a_clock_that_is_set_gives_no_round_much_time(started, seconds):
    of_rounds = [
        Round(part="main", number=n, started=f"2026-01-01T{at}+00:00", clock_ghz=[3.0], stolen_ticks=0)
        for n, at in enumerate(started)
    ]
    assert rounds._seconds(Measured(rounds=of_rounds), "main") == seconds


def test_what_a_killed_process_left_in_tmpdir_is_removed_and_what_lives_stays(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(files, "_NEW_S", -1)
    (tmp_path / "perf-ladders-scratch-dead_123").mkdir()
    (tmp_path / "perf-ladders-scratch-dead_123" / "out").write_text("x")
    not_made = ["of-others", "perf-ladders-main", "perf-ladders-scratch-of-somebody"]
    for name in not_made:
        (tmp_path / name).mkdir()
    with files.scratch() as mine, files.scratch() as second:
        assert mine.is_dir()
        assert second.is_dir()
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted([mine.name, second.name, *not_made])
    assert sorted(path.name for path in tmp_path.iterdir()) == not_made


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = files.write(tmp_path / "page.html", "old")

    def full(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        files.write(path, "new")
    monkeypatch.undo()
    assert path.read_text("utf-8") == "old"
    assert [*tmp_path.iterdir()] == [path]


def killed_at(renaming, change):
    """`change` in a process of its own, which kill -9 hits at its nth renaming; whether it came so far."""
    process = os.fork()
    if process == 0:
        left, rename = renaming, Path.replace

        def replace(self, target):
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return rename(self, target)

        Path.replace = replace
        with contextlib.suppress(BaseException):
            change()
        os._exit(0)
    return os.waitpid(process, 0)[1] == signal.SIGKILL


@needs("xtea-04")
def test_an_exercise_that_is_killed_loses_nothing_and_goes_on_when_called_again(tmp_path):
    """At each file that it writes, the first and the later ones; every attempt is in some file afterwards."""
    case = read_case("xtea")
    first, second = case.main_path[1:3]

    def begin(step):
        return exercise.begin(case, "gcc", step=step, folder=tmp_path, level="x86-64")

    hit = 0
    for number in range(1, 6):
        for one, other in ((first, second), (second, first)):
            hit += killed_at(number, lambda one=one: begin(one))
            assert begin(one).step.number == one.number
            begin(one).source.write_text(f"// attempt {number} at {one.number}\n")
            hit += killed_at(number, lambda other=other: begin(other).reset())
            found = begin(other)
            found.reset()
            assert (found.step.number, found.text) == (other.number, found.start_of_step())
            kept = [path.read_text() for path in tmp_path.rglob("*.cpp")]
            assert f"// attempt {number} at {one.number}\n" in kept
    assert hit >= 10, f"only {hit} of them were killed"
    assert not [*tmp_path.rglob("*.unfinished")]


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path):
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(target)
    assert files.write(link, "new") == link
    assert (link.is_symlink(), target.read_text()) == (True, "new")
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="Not a regular file"):
        files.write(pipe, "new")
    assert pipe.is_fifo()


def test_writers_of_one_file_take_turns_and_what_a_killed_one_left_is_written_over(tmp_path):
    path = tmp_path / "page.html"
    assert killed_at(1, lambda: files.write(path, "killed" * 1_000))
    assert [one.name for one in tmp_path.iterdir()] == ["page.html.unfinished"]
    children = []
    for letter in "abcd":
        children.append(os.fork())
        if children[-1] == 0:
            with contextlib.suppress(BaseException):
                for _ in range(50):
                    files.write(path, letter * 10_000)
                os._exit(0)
            os._exit(1)
    assert [os.waitpid(one, 0)[1] for one in children] == [0] * 4
    text = path.read_text()
    assert text in {letter * 10_000 for letter in "abcd"}
    assert [*tmp_path.iterdir()] == [path]


def test_a_program_that_is_built_again_while_it_is_measured_ends_the_measurement(tmp_path):
    """The rounds before are kept, and none of the other program."""
    process = faults.started(tmp_path)
    while len(faults.entries(tmp_path)) < 5 and process.poll() is None:
        time.sleep(0.002)
    faults.build_again(tmp_path)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "fake-program was built again while it was measured, so the measurement stopped." in error
    kept = faults.entries(tmp_path)
    done = faults.started(tmp_path)
    done.communicate(timeout=60)
    assert done.returncode == 0, "the same command measures the new program"
    assert len([*(tmp_path / "place").glob("*.journal.jsonl")]) == 2
    assert faults.entries(tmp_path).keys() >= kept.keys()


def test_a_file_system_without_locks_is_written_to(tmp_path, monkeypatch):
    def unsupported(handle, what):
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr(files.fcntl, "flock", unsupported)
    assert files.write(tmp_path / "page.html", "page").read_text() == "page"


LOOPS = """
import subprocess
from perf_ladders.machine import processes
child = subprocess.Popen([*processes.tied(), "sleep", "600"])
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.skipif(not shutil.which("setpriv"), reason="no setpriv")
def test_a_program_that_never_ends_by_itself_ends_with_a_killed_parent():
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    parent = subprocess.Popen([sys.executable, "-c", LOOPS], stdout=subprocess.PIPE, text=True, env=environment)
    child = Path("/proc") / parent.stdout.readline().strip()
    wait_until(lambda: (child / "cmdline").read_bytes().startswith(b"sleep"))
    parent.kill()
    parent.communicate()
    wait_until(lambda: not is_running(child))


def wait_until(holds):
    end = time.monotonic() + 60
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    assert holds()


def is_running(process):
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
