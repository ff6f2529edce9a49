"""Five faults hit a measurement: nothing measured is lost, and nothing is left. `make proof` tries fifty."""

from __future__ import annotations

import pytest
from faults import drawn, hit

from perf_ladders.measure import rounds
from perf_ladders.measure.rounds import Measured
from perf_ladders.model.measurement import Round
from perf_ladders.tree import files

SEED, COUNT = 38, 5


@pytest.mark.parametrize(("kind", "generator"), drawn(SEED, COUNT), ids=lambda one: one if isinstance(one, str) else "")
def test_a_fault_loses_nothing_and_leaves_nothing(tmp_path, kind, generator):
    assert hit(tmp_path, kind, generator) == []


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
    (tmp_path / "perf-ladders-dead").mkdir()
    (tmp_path / "perf-ladders-dead" / "out").write_text("x")
    (tmp_path / "of-others").mkdir()
    with files.scratch() as mine, files.scratch() as second:
        assert mine.is_dir()
        assert second.is_dir()
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted([mine.name, second.name, "of-others"])
    assert [path.name for path in tmp_path.iterdir()] == ["of-others"]


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
