"""Files of other people: none fills the memory, and none writes to a terminal."""

from __future__ import annotations

import json
import lzma
import os
from pathlib import Path

import msgspec
import pytest
from kept_sample import KINDS
from measurement_sample import small

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.model.instruction_times import InstructionTimes
from perf_ladders.model.java import JavaMeasurement
from perf_ladders.model.layout_check import LayoutCheck
from perf_ladders.model.measurement import Measurement
from perf_ladders.model.self_check import SelfCheck
from perf_ladders.pages import templating
from perf_ladders.results import store
from perf_ladders.tree import flatten


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


@pytest.mark.parametrize("data", [b"abc", lzma.compress(b"{}")[:-9], lzma.compress(b"{}") + b"more"])
def test_a_damaged_archive_is_refused_by_every_reader(tmp_path, data):
    path = tmp_path / "a.json.xz"
    path.write_bytes(data)
    with pytest.raises(UserError, match=r"a\.json\.xz is damaged or truncated"):
        foreign.json_text(path)


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <script>alert(1)</script>", "a &lt;script>alert(1)&lt;/script>"),
        ("`std::vector<int>` and 1 < 2", "`std::vector<int>` and 1 < 2"),
        ("`a` <!-- hidden", "`a` &lt;!-- hidden"),
        ("``<img src=x>`", "``&lt;img src=x>`"),  # no code: it ends with fewer backticks
        ("\\`<b>\\`", "\\`&lt;b>\\`"),
        ("`a\nb` and `v<int>`", "`a\nb` and `v<int>`"),
        ("`a\n\n<b>`", "`a\n\n&lt;b>`"),
    ],
)
def test_raw_html_in_markdown_is_shown(text, shown):
    template = templating.environment(html=False).from_string("{{ text }}")
    assert template.render(text=text) == shown


def test_an_object_with_a_key_twice_is_refused(tmp_path):
    path = tmp_path / "wild.json"
    path.write_bytes(msgspec.json.encode(small()).replace(b'"cpus":', b'"cpus":1,"cpus":', 1))
    with pytest.raises(UserError, match="an object has the key `cpus` twice"):
        store.load(path)


def test_a_long_integer_does_not_hide_a_key_that_is_there_twice(tmp_path):
    path = tmp_path / "wild.json"
    path.write_text('{"long": ' + "1" * 5_000 + ', "a": 1, "a": 2}')
    with pytest.raises(UserError, match="an object has the key `a` twice"):
        foreign.json_text(path)


def test_a_file_whose_size_says_nothing_is_read_no_further_than_the_limit():
    path = Path("/proc/self/status")  # of 0 bytes, as stat says
    assert path.stat().st_size == 0
    with pytest.raises(UserError, match="none of these files has over 10"):
        foreign.read(path, most=10)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"level":"x86-64"', b'"level":"../../x"'),
        (b'"case":"xtea"', b'"case":"../xtea"'),
        (b'"files":{"stages/', b'"files":{"../../'),
        (b'"commit":"0123456789ab"', b'"commit":"--output=x"'),
        (b'"cpu":1', b'"cpu":-1'),
        (b'"blocks":20', b'"blocks":1000000000000000000'),
        (b'"2026-01-01T00:00:00+00:00"', b'"2026-13-01T00:00:00+00:00"'),
    ],
)
def test_names_that_lead_elsewhere_and_numbers_beyond_their_range_are_refused(tmp_path, old, new):
    data = msgspec.json.encode(small())
    assert old in data
    path = tmp_path / "wild.json"
    path.write_bytes(data.replace(old, new))
    with pytest.raises(UserError, match="is not a valid"):
        store.load(path)


@pytest.mark.parametrize(("kind", "field"), [*((kind, "date") for kind in KINDS), ("self-check", "started")])
def test_a_day_that_does_not_exist_is_refused_in_every_kind_of_file(tmp_path, kind, field):
    data = msgspec.json.encode(KINDS[kind]())
    old = f'"{field}":"2026-01-01'.encode()
    assert old in data
    path = tmp_path / "wild.json"
    path.write_bytes(data)
    assert store.load_any(path) == KINDS[kind]()
    path.write_bytes(data.replace(old, f'"{field}":"2026-13-45'.encode()))
    with pytest.raises(UserError, match="there is no 2026-13-45"):
        store.load_any(path)


@pytest.mark.parametrize(
    ("kind", "old"),
    [
        ("measurement", "message"),
        ("measurement", "A <processor>"),
        ("java", "objects"),
        ("java", "A VM"),
        ("self-check", "chain"),
        ("layout-check", "message"),
        ("instructions", "add"),
    ],
)
def test_a_name_that_would_end_code_on_a_page_is_refused(tmp_path, kind, old):
    """Pages of Markdown have them between backticks: what follows would be raw HTML."""
    data = msgspec.json.encode({**KINDS, "measurement": small}[kind]())
    assert f'"{old}"'.encode() in data
    path = tmp_path / "wild.json"
    path.write_bytes(data.replace(f'"{old}"'.encode(), b'"a`<img src=x>`b"'))
    with pytest.raises(UserError, match="expected `str` matching regex"):
        store.load_any(path)


def test_a_measurement_without_rates_is_refused(tmp_path):
    measurement = small()
    measurement.rates = {}
    with pytest.raises(UserError, match="rates: those of x86-64"):
        store.load(store.save(measurement, tmp_path / "wild.json.xz"))


def test_every_number_of_a_result_has_a_range():
    """A bare int or float of the types would take whatever a file says."""
    seen = set()

    def bare(kind, place):
        if isinstance(kind, msgspec.inspect.StructType) and kind.cls not in seen:
            seen.add(kind.cls)
            for one in kind.fields:
                yield from bare(one.type, f"{kind.cls.__name__}.{one.name}")
        for name in ("item_type", "key_type", "value_type"):
            if inner := getattr(kind, name, None):
                yield from bare(inner, place)
        for inner in (*getattr(kind, "types", ()), *getattr(kind, "item_types", ())):
            yield from bare(inner, place)
        if isinstance(kind, msgspec.inspect.IntType | msgspec.inspect.FloatType):
            ends = (kind.ge, kind.gt), (kind.le, kind.lt)
            if not all(any(end is not None for end in pair) for pair in ends) and place not in UNBOUNDED:
                yield place

    for kind in (Measurement, SelfCheck, LayoutCheck, InstructionTimes, JavaMeasurement):
        assert [*bare(msgspec.inspect.type_info(kind), "")] == []


KEPT = ("Measurement", "SelfCheck", "LayoutCheck", "InstructionTimes", "JavaMeasurement")
UNBOUNDED = {f"{name}.version" for name in KEPT}  # which the reader compares with its own


def test_an_include_that_leads_out_of_the_tree_is_not_followed(tmp_path):
    (tmp_path / "tree/stages").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    read = flatten.reader((tmp_path / "tree").resolve())
    assert read("../secret") is None
    (tmp_path / "tree/link").symlink_to(tmp_path / "secret")
    assert read("link") is None
