"""Pictures of data layouts: those of the tree are right, and are drawn."""

from __future__ import annotations

import re

import pytest

from perf_ladders.errors import UserError
from perf_ladders.pages import charts
from perf_ladders.tree.data_layout import DataLayout, Grid, read_data_layout
from perf_ladders.tree.paths import STAGES

FOUND = sorted(STAGES.glob("*/*/data-layout.toml"))


def grids(pattern):
    (path,) = STAGES.glob(f"{pattern}/data-layout.toml")
    found = read_data_layout(path.parent)
    assert found
    return [[*grid.rows.values()] for grid in found.grids]


def of_stage(pattern):
    return pytest.mark.skipif(not [*STAGES.glob(f"{pattern}/data-layout.toml")], reason="this tree has no such stage")


@pytest.mark.parametrize("path", FOUND, ids=[path.parent.name for path in FOUND])
def test_each_picture_shows_all_its_cells(path):
    found = read_data_layout(path.parent)
    drawn = charts.data_layout(found)
    cells = [cell for grid in found.grids for row in grid.rows.values() for cell in row if cell != "."]
    assert len(re.findall(r">([A-Za-z]\d?)</text>", drawn)) == len(cells)
    for grid in found.grids:
        assert f">{grid.title}</text>" in drawn
    data = {frozenset(cell for row in grid.rows.values() for cell in row) - {"."} for grid in found.grids}
    assert len(data) == 1, "a layout moves data: none appears or goes"


def shuffled(low, high, choice):
    """_mm256_shuffle_ps: in each half of 128 bits two words of `low`, then two of `high`."""
    places = [choice >> 2 * i & 3 for i in range(4)]
    halves = [[low[h + p] for p in places[:2]] + [high[h + p] for p in places[2:]] for h in (0, 4)]
    return halves[0] + halves[1]


@of_stage("xtea/*-avx2")
def test_the_picture_of_shuffles_is_what_they_do():
    (low, high), after = grids("xtea/*-avx2")
    assert after == [shuffled(low, high, 0x88), shuffled(low, high, 0xDD)]


def swapped(rows, span):
    """swap_groups of the stage, on all rows."""
    rows = [[*row] for row in rows]
    for i in (i for i in range(8) if not i & span):
        a, b = rows[i], rows[i + span]
        rows[i] = [b[j - span] if j & span else a[j] for j in range(8)]
        rows[i + span] = [b[j] if j & span else a[j + span] for j in range(8)]
    return rows


@of_stage("salsa20/*-transpose")
def test_the_picture_of_a_transposition_is_what_its_passes_do():
    before, first, last = grids("salsa20/*-transpose")
    assert first == swapped(before, 1)
    assert last == swapped(swapped(first, 2), 4)
    assert last == [[*row] for row in zip(*before, strict=True)]


@of_stage("hmac-sha1/*-scheduler")
def test_the_picture_of_the_scheduler_gives_each_free_lane_the_next_message():
    groups, scheduled = grids("hmac-sha1/*-scheduler")
    blocks = {letter: sum(row.count(letter) for row in groups) for letter in "ABCDEFGH"}
    lanes = [[] for _ in groups]
    for letter, count in blocks.items():
        free = min(lanes, key=len)
        free += [letter] * count
    assert scheduled == lanes


def test_a_stage_without_a_file_has_no_picture(tmp_path):
    assert read_data_layout(tmp_path) is None


@pytest.mark.parametrize("text", ["says = 1", 'says = "a"\ngrids = []', 'says = "a"\n[[grids]]\ntitle = 1', "no TOML"])
def test_a_mistake_is_named(tmp_path, text):
    (tmp_path / "data-layout.toml").write_text(text)
    with pytest.raises(UserError, match=r"data-layout\.toml: "):
        read_data_layout(tmp_path)


def test_more_letters_than_colours_get_a_hatch():
    cells = [*"abcdefghij"]
    assert "pattern" in charts.data_layout(DataLayout("All.", [Grid("all", {"row": cells})]))
