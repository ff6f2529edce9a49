"""Files of other people: none fills the memory, and none writes to a terminal."""

from __future__ import annotations

import json
import lzma
import os

import msgspec
import pytest
from measurement_sample import small

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.results import store


def test_a_large_file_is_not_read(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        os.truncate(file.fileno(), foreign.MAX_BYTES + 1)  # a hole, which takes no room on the disk
    with pytest.raises(UserError, match=f"has {foreign.MAX_BYTES + 1:,} bytes"):
        store.load(path)


def test_a_file_that_unpacks_to_much_is_not_unpacked(tmp_path):
    data = lzma.compress(bytes(10_000))
    assert foreign.unpacked(data, tmp_path, 10_000) == bytes(10_000)
    with pytest.raises(UserError, match="unpacks to over 9,999 bytes"):
        foreign.unpacked(data, tmp_path, 9_999)


def test_a_pipe_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match="is no file"):
        foreign.read(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("\x1b[31mred\x07", "?[31mred?"),
        ("a\tb\nc\r\u00e4", "a\tb\nc\r\u00e4"),
        ("del\x7f and c1 \x9b1m", "del? and c1 ?1m"),
        ("a backslash \\u001b stays", "a backslash \\u001b stays"),
        ("\\\x1b", "\\?"),
    ],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_texts_hold_no_control_characters(text, left, ascii_only):
    written = json.dumps({"who": text}, ensure_ascii=ascii_only).encode()
    assert json.loads(foreign.without_controls(written)) == {"who": left}


@pytest.mark.parametrize("text", [b'"\\u00\\u001b1b[2J"', b'"\\u00\x7f1b[2J"', b'"\xc2\x7f\x9b2J"'])
def test_what_is_left_does_not_join_to_a_control_character(text):
    left = foreign.without_controls(text)
    try:
        said = json.loads(left)
    except ValueError:
        return
    assert not [letter for letter in said if ord(letter) < 32 or 127 <= ord(letter) < 160]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"cpus":', b'"cpus":-1,"_":'),
        (b'"cpus":', b'"cpus":1000000000000000000,"_":'),
    ],
)
def test_counts_beyond_all_bounds_are_refused(tmp_path, old, new):
    data = msgspec.json.encode(small())
    assert old in data
    path = tmp_path / "wild.json"
    path.write_bytes(data.replace(old, new, 1))
    with pytest.raises(UserError, match="is not a valid"):
        store.load(path)


def test_a_time_beyond_all_bounds_is_refused(tmp_path):
    measurement = small()
    measurement.blocks[0].runs[0].times_ns["message"][0] = 1e308
    path = store.save(measurement, tmp_path / "wild.json.xz")
    with pytest.raises(UserError, match="is not a valid"):
        store.load(path)


def test_a_lone_surrogate_is_refused(tmp_path):
    path = tmp_path / "wild.json"
    path.write_bytes(msgspec.json.encode(small()).replace(b'"xtea"', b'"\\ud800"', 1))
    with pytest.raises(UserError, match=r"is not a valid|is damaged"):
        store.load(path)
