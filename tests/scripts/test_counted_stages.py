"""Counts of instructions that are kept, and those of now."""

from __future__ import annotations

from msgspec.structs import replace

from perf_ladders.evidence.counted_stages import joined
from perf_ladders.model.proof import CountedStage

KEPT = CountedStage(
    case="made",
    stage="reference",
    level="x86-64",
    compiler="gcc 12.2.0",
    source="0" * 64,
    workload="message",
    instructions=1000,
)


def test_a_count_that_changed_without_its_source_is_kept_and_says_so():
    (row,) = joined([replace(KEPT, instructions=1001)], [KEPT])
    assert (row.instructions, row.now) == (1000, 1001)
    (again,) = joined([replace(KEPT, instructions=1001)], [row])
    assert again == row, "until somebody has looked"
    assert [*joined([KEPT], [row])] == [KEPT], "it was the compiler's flags, which are back"


def test_a_new_source_or_workload_has_a_new_count():
    for new in (replace(KEPT, source="1" * 64, instructions=7), replace(KEPT, workload="batch", instructions=7)):
        assert [*joined([new], [KEPT])] == [new]


def test_what_is_not_counted_now_is_kept():
    others = [replace(KEPT, compiler="clang 15.0.6"), replace(KEPT, case="other"), replace(KEPT, level="x86-64-v3")]
    assert sorted([*joined([KEPT], others)], key=lambda one: one.key) == sorted(
        [KEPT, *others], key=lambda one: one.key
    )
