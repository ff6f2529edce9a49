"""Pictures of notes: each is drawn, none says what is not so, and a line that is not understood is refused."""

from __future__ import annotations

import itertools
import re
from html import unescape
from types import SimpleNamespace

import pytest

from perf_ladders import lint_notes
from perf_ladders.errors import UserError
from perf_ladders.pages import charts, svg
from perf_ladders.pages.charts import canvas, graphs
from perf_ladders.pages.pictures import pictures_of
from perf_ladders.tree.catalogue import Stage, case_names, read_case
from perf_ladders.tree.paths import STAGES
from perf_ladders.tree.picture import Graph, Mixes, Node, Pipeline, Share
from perf_ladders.tree.pictures import read_pictures

EVERY = [
    (stage, found)
    for name in case_names()
    for stage in read_case(name).stages
    for found in read_pictures(stage.directory)
]


def of(pattern, place=0):
    (folder,) = STAGES.glob(pattern)
    return read_pictures(folder)[place]


def grids(pattern, place=0):
    return [[[cell.text for cell in row.cells] for row in grid.rows] for grid in of(pattern, place).source.grids]


def of_stage(pattern):
    return pytest.mark.skipif(not [*STAGES.glob(pattern)], reason="this tree has no such stage")


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
    before, after = grids("salsa20/*-transpose")
    assert after == [[*row] for row in zip(*before, strict=True)]
    before, first, last = grids("salsa20/*-transpose", 1)
    assert first == swapped(before, 1)
    assert last == swapped(swapped(first, 2), 4)
    assert last == [[*row] for row in zip(*before, strict=True)]


@pytest.mark.parametrize("stage", ["hmac-sha1/*-scheduler", "des3-cbc/*-refilled-lanes", "sha3/*-different-lengths"])
def test_the_picture_of_a_scheduler_gives_each_free_lane_the_next_message(stage):
    if not [*STAGES.glob(stage)]:
        pytest.skip("this tree has no such stage")
    before, scheduled = grids(stage)
    blocks = {letter: sum(row.count(letter) for row in before) for row in before for letter in row if letter != "."}
    lanes = [[] for _ in scheduled]
    for letter, count in sorted(blocks.items()):
        free = min(lanes, key=len)
        free += [letter] * count
    assert scheduled == lanes


@of_stage("sha3/*-planes")
def test_the_picture_of_pi_is_what_it_does():
    before, after = grids("sha3/*-planes")
    assert after == [[before[x][(x + 3 * y) % 5] for x in range(5)] for y in range(5)]


@of_stage("salsa20/*-simd-within-a-block")
def test_the_picture_of_the_diagonals_is_what_the_stage_makes_of_the_matrix():
    matrix, vectors = grids("salsa20/*-simd-within-a-block")
    assert matrix == [[f"x{4 * row + column}" for column in range(4)] for row in range(4)]
    assert vectors == [[matrix[(row + column) % 4][column] for column in range(4)] for row in range(4)]
    drawn = of("salsa20/*-simd-within-a-block").source.grids[1]
    assert all(len({cell.colour for cell in row.cells}) == 1 for row in drawn.rows), "a vector is a diagonal"


def test_eight_sets_fill_the_units_and_one_set_waits_for_its_chain():
    nodes = [Node("a", "a", [], None, 0), Node("x", "+", ["a"], None, 3), Node("y", "+", ["x"], None, 1)]
    found = Pipeline(nodes, {"a": "y"}, 2, 8, [1, 8], "set")
    assert found.schedule(1) == [[0], [], [], [0], [0], [], [], [0]], "a chain of 3 + 1 cycles"
    assert [len(now) for now in found.schedule(8)] == [2] * 8
    assert len(found.schedule(2)[0]) == 2


def test_the_longest_path_counts_latencies():
    nodes = [Node("a", "a", [], None, 0), Node("x", "x", ["a"], None, 1), Node("y", "y", ["x"], None, 1)]
    nodes += [Node("slow", "slow", ["a"], None, 5), Node("end", "end", ["y", "slow"], None, 1)]
    assert Graph(nodes, marked=True).critical() == ["a", "slow", "end"]


GRAPHS = [(stage, found) for stage, found in EVERY if isinstance(found.source, Graph)]


@pytest.mark.parametrize(("stage", "found"), GRAPHS, ids=[stage.slug for stage, _ in GRAPHS])
def test_no_box_is_over_another_and_no_arrow_crosses_one(stage, found):
    at = graphs.places(found.source)
    for one, other in itertools.combinations(at.values(), 2):
        assert one.down != other.down or abs(one.across - other.across) >= (one.width + other.width) / 2
    for place in at.values():
        assert place.width / 2 <= place.across <= canvas.WIDTH - place.width / 2
    for node in found.source.nodes:
        for name in node.inputs:
            (x, y), (to_x, to_y) = graphs.arrow_of(at[name], at[node.name])
            assert y < to_y
            for other in at.keys() - {name, node.name}:
                if y < at[other].down < to_y:
                    across = x + (to_x - x) * (at[other].down - y) / (to_y - y)
                    assert abs(across - at[other].across) > at[other].width / 2, f"{name} to {node.name}: {other}"


@of_stage("hmac-sha1/00-*")
def test_the_mixes_are_those_of_the_workloads():
    (mixes,) = (
        one.source for one in read_pictures(STAGES / "hmac-sha1" / "00-reference") if isinstance(one.source, Mixes)
    )
    assert mixes.shares == [
        [Share(100, 64, 64)],
        [Share(66, 64, 64), Share(21, 544, 544), Share(13, 1360, 1360)],
        [Share(40, 48, 100), Share(20, 101, 1023), Share(40, 1024, 1450)],
        [Share(100, 2048, 2048)],
    ]


OURS = ("xtea", "salsa20", "hmac-sha1", "aes-cbc", "sha3", "threefish", "des3-cbc", "json")


@pytest.mark.parametrize("name", OURS)
def test_a_case_has_pictures(name, whole_tree):
    least = 4 if name in ("xtea", "salsa20", "hmac-sha1") else 2
    assert sum(one.case == name for one, _ in EVERY) >= least


def test_a_stage_without_a_picture_has_none(tmp_path):
    (tmp_path / "notes.md").write_text("## Picture\n\n```c\nint i;\n```\n")
    assert read_pictures(tmp_path) == []


def written(folder, *lines):
    text = "\n".join(lines)
    (folder / "notes.md").write_text(f"## Picture\n\n```picture\n{text}\n```\n")
    return read_pictures(folder)


IN = "in: a, b"


@pytest.mark.parametrize(
    ("number", "said", "lines"),
    [
        (4, "no kind of picture 'cake'", ["cake: A cake"]),
        (4, "needs a sentence", ["grid:"]),
        (4, "the picture is empty", []),
        (5, "A row comes before the first title", ["grid: All", "r | a b"]),
        (6, "'r' has no cells", ["grid: All", "words", "r |"]),
        (6, "too wide for a phone", ["grid: All", "words", "r | " + "abc " * 20]),
        (4, "Each title", ["grid: All", "words"]),
        (6, "does not understand 'c = a + b'", ["graph: All", IN, "c = a + b"]),
        (6, "'d' is no data and no operation above", ["graph: All", IN, "c: + <- a, d"]),
        (6, "'a' is there twice", ["graph: All", IN, "a: + <- b"]),
        (5, "'a b' is no name of data", ["graph: All", "in: a b"]),
        (6, "does not understand 'c@1.2.3: + <- a, b'", ["graph: All", IN, "c@1.2.3: + <- a, b"]),
        (4, "has no operation", ["boxes: All", IN]),
        (4, "`units: N`", ["pipeline: All", IN, "c: + <- a", "cycles: 3", "sets: 1"]),
        (8, "`units:` is there twice", ["pipeline: All", IN, "c: + <- a", "units: 3", "units: 3"]),
        (4, "`next: c = a` is not", ["pipeline: All", IN, "c: + <- a", "next: c = a"]),
        (5, "its title alone, without 'least: 3'", ["mixes: All", "least: 3"]),
    ],
)
def test_what_is_not_understood_is_named_with_file_and_line(tmp_path, number, said, lines):
    with pytest.raises(UserError, match=rf"notes\.md:{number}: .*{re.escape(said)}"):
        written(tmp_path, *lines)


def test_lint_says_it_in_one_sentence_for_each_stage(tmp_path):
    folders = [tmp_path / name for name in ("00-right", "01-wrong")]
    for folder, line in zip(folders, ("row | a", "row |"), strict=True):
        folder.mkdir()
        (folder / "notes.md").write_text(f"## Picture\n\n```picture\ngrid: All\nall\n{line}\n```\n")
    case = SimpleNamespace(stages=[Stage("mine", folder.name[:2], folder) for folder in folders])
    (sentence,) = lint_notes.of_pictures(case)
    assert sentence.endswith("01-wrong/notes.md:6: The row 'row' has no cells: `name | cell cell`.")


def test_a_picture_under_another_heading_is_refused(tmp_path):
    (tmp_path / "notes.md").write_text("## Result\n\n```picture\ngrid: All\nall\nrow | a\n```\n")
    with pytest.raises(UserError, match=r"notes\.md:3: A picture belongs under"):
        read_pictures(tmp_path)


def test_a_page_gets_pictures_in_light_and_dark_with_a_text_for_those_who_do_not_see_them():
    (stage,) = {stage for stage, _ in EVERY[:1]}
    drawn = pictures_of(stage)[0]
    assert f'aria-label="{drawn.title}"' in unescape(drawn.svg)
    assert r'aria-label="a \oplus b"' in svg.inline(drawn.svg, "one", r"a \oplus b")
    assert "@media (prefers-color-scheme: dark)" in drawn.svg
    assert "#0072b2" not in drawn.svg[drawn.svg.index("</style>") :]


def test_more_letters_than_colours_get_a_hatch(tmp_path):
    (found,) = written(tmp_path, "grid: All", "all", "row | " + " ".join("abcdefghij"))
    assert "pattern" in charts.picture(found)
