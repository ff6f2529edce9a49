"""Whatever a foreign file holds, its reader takes it or says in one sentence what is wrong: properties of all readers.
`make proof` tries many more examples (test_proof_readers).
"""

from __future__ import annotations

import json
import lzma
import os
import re
import subprocess
import sys
from functools import reduce
from operator import getitem

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kept_sample import KINDS
from measurement_sample import paired, small

from perf_ladders import foreign
from perf_ladders.commands import campaign
from perf_ladders.errors import UserError
from perf_ladders.measure.journal import Journal
from perf_ladders.measure.runner import Plan
from perf_ladders.pages import java_view, layout_check_view, self_check_view
from perf_ladders.results import acceptance, store
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.java import JavaAnalysis
from perf_ladders.tree import java as java_tree
from perf_ladders.tree.case_file import read_case_file
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.notes import read_notes
from perf_ladders.tree.paths import ROOT, STAGES
from perf_ladders.workshop import scoreboard
from perf_ladders.workshop.board import MAX_BYTES, Board

EXAMPLES = int(os.environ.get("PERF_LADDERS_EXAMPLES", "30"))
many = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize="PERF_LADDERS_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_wild_texts = st.sampled_from(
    [
        "\x1b[2J",
        "../../x",
        "/etc/passwd",
        "-x",
        "<script>alert(1)</script>",
        "\u202e",
        "a|b",
        "",
        "nan",
        "x\n",
        "9" * 400,
    ]
)
_wild_numbers = st.sampled_from([-1, 0, 10**18, 2**63, 2**64, 10**400, 1e308, -1e308, 5e-324, -0.0, 0.5, True])
wild = st.recursive(
    st.none()
    | st.booleans()
    | _wild_numbers
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | _wild_texts
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_wild_texts | st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(found, way=()):
    """Of all values in it, from the outermost on."""
    yield way
    inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    for key, value in inner:
        yield from places(value, (*way, key))


def changed(found, way, change):
    """A copy with another value in one place, without it, or with its key renamed."""
    if not way:
        return change
    key, *rest = way
    copy = dict(found) if isinstance(found, dict) else list(found)
    copy[key] = changed(found[key], rest, change)
    return copy


@st.composite
def altered(draw, valid):
    """Valid JSON in which one to three values are wild, or others of their kind."""
    found = valid
    for _ in range(draw(st.integers(1, 3))):
        every = list(places(found))
        way = every[draw(st.integers(0, len(every) - 1))]
        found = changed(found, way, draw(wild | of_kind(reduce(getitem, way, found))))
    return found


def of_kind(value):
    """Of the same type, which a reader more often takes."""
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, int | float):
        return st.sampled_from([0, 1, 2, 20, 2**52, 5e-324, 1e-9, 0.5, 1e17])
    if isinstance(value, str):
        return _wild_texts
    if isinstance(value, list):
        return st.sampled_from([[], value[:-1], value[1:], value * 2])
    if not value:  # nothing, or an object without keys
        return wild
    return st.sampled_from([{key: one for key, one in value.items() if key != gone} for gone in value])


def expect_harmless(found):
    """No text that a terminal obeys, however deep it lies."""
    assert not OBEYED.search(msgspec.json.encode(found).decode().encode("utf-8", "surrogatepass").decode("utf-8"))
    for way in places(msgspec.to_builtins(found)):
        value = msgspec.to_builtins(found)
        for key in way:
            value = value[key]
        if isinstance(value, str):
            assert not OBEYED.search(value)


def refused(read, *arguments):
    """What was read; None if it was refused with one sentence, whose code says bad input."""
    complaint = None
    try:
        return read(*arguments)
    except UserError as error:
        complaint = error
    assert str(complaint).strip()
    assert complaint.code == 2
    return None


SAMPLES = {
    "blocks": lambda: small(),
    "pairs": lambda: paired({"xtea-00": 1.0, "xtea-00-again": 1.0, "xtea-01": 2.0}, 2),
}


@pytest.fixture(scope="module", params=SAMPLES)
def sample(request):
    return json.loads(msgspec.json.encode(SAMPLES[request.param]()))


@many
@given(data=st.data())
def test_a_result_is_read_or_refused(sample, tmp_path, data):
    path = tmp_path / "wild.json"
    path.write_text(json.dumps(data.draw(altered(sample))), "utf-8")
    found = refused(store.load, path)
    if found is not None:
        place = store.place(found)
        assert place.resolve().is_relative_to(ROOT / "reports/results")
        expect_harmless(found)
        refused(rows_of, found)


def rows_of(found):
    acceptance.checks(found)
    return Analysis(read_case(found.case), found).rows


SHOWN = {
    "self-check": self_check_view.section,
    "layout-check": layout_check_view.section,
    "instructions": str,
    "java": lambda found: [java_view.steps(JavaAnalysis(found)), JavaAnalysis(found).rows],
}


@pytest.fixture(params=SHOWN)
def kind(request):
    return request.param


@many
@given(data=st.data())
def test_a_result_of_another_kind_is_read_or_refused(kind, tmp_path, data):
    path = tmp_path / "wild.json"
    path.write_text(json.dumps(data.draw(altered(json.loads(msgspec.json.encode(KINDS[kind]()))))), "utf-8")
    found = refused(store.load_any, path)
    if found is not None:
        assert store.place(found).resolve().is_relative_to(ROOT / "reports/results")
        expect_harmless(found)
        SHOWN[kind](found)


@many
@given(data=st.binary(max_size=2_000), packed=st.booleans())
def test_any_bytes_are_no_result(tmp_path, data, packed):
    path = tmp_path / ("wild.json.xz" if packed else "wild.json")
    path.write_bytes(data)
    assert refused(store.load_any, path) is None


@many
@given(data=st.data())
def test_a_hand_in_is_shown_or_named_and_the_others_are_shown(tmp_path, data, hand_in):
    good, bad = tmp_path / "ada.json", tmp_path / "eve.json"
    good.write_text(json.dumps(hand_in), "utf-8")
    bad.write_text(json.dumps(data.draw(altered(hand_in))), "utf-8")
    boards, said = scoreboard.readable([bad, good])
    assert good in [board.path for board in boards]
    assert len(boards) + len(said) == 2
    assert all("eve.json" in sentence for sentence in said)
    lines = scoreboard.lines(boards)
    assert any(line.who == hand_in["who"] for line in lines)
    scoreboard.doubles(boards)
    page = scoreboard.write(lines, said, tmp_path / "out").read_text("utf-8")
    assert "<script>alert" not in page
    assert not OBEYED.search(page)


@pytest.fixture(scope="module")
def hand_in(tmp_path_factory):
    from exercise_sample import begin, passed

    begun = begin(read_case("xtea"), "gcc", "x86-64", "Ada", folder=tmp_path_factory.mktemp("ada"))
    passed(begun, 5.0)
    return json.loads(begun.board.path.read_bytes())


@many
@given(data=st.data())
def test_a_scoreboard_is_read_or_refused(tmp_path, data, hand_in):
    path = tmp_path / "scoreboard.json"
    path.write_text(json.dumps(data.draw(altered(hand_in))), "utf-8")
    found = refused(Board.read, path)
    if found is not None:
        expect_harmless(found.held)


@many
@given(lines=st.lists(st.binary(max_size=60) | wild.map(lambda one: json.dumps(one).encode()), max_size=6))
def test_a_journal_keeps_what_is_whole(tmp_path, lines):
    kept = Journal(tmp_path / "x", Plan(cpu=0), [], [])
    kept.delete()
    kept.put("whole", [1, 2])
    with kept.path.open("ab") as file:
        file.write(b"\n" + b"\n".join(line.replace(b"whole", b"other") for line in lines))
    again = Journal(tmp_path / "x", Plan(cpu=0), [], [])
    assert again.get("whole", list[int]) == [1, 2]
    again.put("after", 3)
    assert Journal(tmp_path / "x", Plan(cpu=0), [], []).get("after", int) == 3


NOTES = (STAGES / "xtea/04-interchange/notes.md").read_bytes() if (STAGES / "xtea/04-interchange").is_dir() else b""
CASE = (STAGES / "xtea/case.toml").read_bytes()
CAMPAIGN = b"""cases = ["xtea"]
compilers = ["gcc"]
time_limit = "2h"
rounds = 60
features = ["avx2"]
partitions = ["cluster:zen4"]
reframe = "wild.toml"
"""
JAVA_NOTES = b"""+++
title = "A"
from = "reference"
predicts = [1.1, 1.3]
+++

## Change
"""


@st.composite
def cut(draw, text):
    """A text with some bytes in place of others."""
    begin = draw(st.integers(0, len(text)))
    end = min(len(text), begin + draw(st.integers(0, 30)))
    return text[:begin] + draw(st.binary(max_size=20) | _wild_texts.map(str.encode)) + text[end:]


@many
@given(text=cut(NOTES))
def test_notes_are_read_or_refused(tmp_path, text):
    path = tmp_path / "xtea" / "04-interchange" / "notes.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    found = refused(read_notes, path, "04")
    if found is not None:
        assert not OBEYED.search(f"{found}")


def campaign_of(path):
    found = campaign.read(path)
    assert found.seconds > 0
    return found


@many
@pytest.mark.parametrize(
    ("sample", "read"),
    [
        (CAMPAIGN, campaign_of),
        (JAVA_NOTES, lambda path: java_tree._read_notes(path, ["reference"])),
        (CASE, read_case_file),
    ],
    ids=["campaign", "notes of Java", "case.toml"],
)
@given(data=st.data())
def test_a_text_is_read_or_refused(tmp_path, sample, read, data):
    path = tmp_path / "wild"
    path.write_bytes(data.draw(cut(sample)))
    found = refused(read, path)
    if found is not None:
        assert not OBEYED.search(f"{found}")


READER = r"""
#include <exception>
#include <iostream>
#include "common/records.hpp"
int main(int, char** argv) try {
  for (const ladder::Record& record : ladder::read_records(argv[1])) {
    for (const auto& [name, value] : record) std::cout << name << '=' << value << '\n';
    std::cout << '\n';
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """A program that prints the records of a file of vectors."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "reader.cpp").write_text(READER, "utf-8")
    sources = [folder / "reader.cpp", ROOT / "common/records.cpp"]
    options = ["-std=c++20", "-fsanitize=address,undefined", f"-I{ROOT}"]
    subprocess.run(["g++", *options, *sources, "-o", folder / "reader"], check=True)
    return folder / "reader"


def records(reader, path, text):
    path.write_bytes(text)
    return subprocess.run([reader, path], capture_output=True, check=False)


@many
@given(text=st.binary(max_size=300))
def test_vectors_are_read_or_refused(reader, tmp_path, text):
    done = records(reader, tmp_path / "wild.txt", text)
    assert done.returncode in (0, 2)
    if done.returncode:
        assert re.match(rb".*wild\.txt:\d+: ", done.stderr)


def test_a_terminal_obeys_no_vector(reader, tmp_path):
    done = records(reader, tmp_path / "vectors.txt", b"source = a\x1b[2Jb\x07\x7f\n")
    assert done.stdout == b"source=a [2Jb\n\n"


def test_a_sparse_file_is_no_vector(reader, tmp_path):
    path = tmp_path / "sparse.txt"
    with path.open("wb") as file:
        file.truncate(6 * 2**30)
    done = subprocess.run([reader, path], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"sparse.txt" in done.stderr


_word = st.from_regex(r"[a-z]{1,8}", fullmatch=True)


@many
@given(found=st.lists(st.dictionaries(_word, _word, min_size=1, max_size=4), max_size=4))
def test_vectors_are_read_as_they_were_written(reader, tmp_path, found):
    text = "\n".join("".join(f"{name} = {value}\n" for name, value in one.items()) for one in found)
    done = records(reader, tmp_path / "vectors.txt", text.encode())
    said = [dict(line.split("=") for line in one.split("\n")) for one in done.stdout.decode().split("\n\n") if one]
    assert said == found


@pytest.mark.parametrize("text", [b"key = 1\nkey = 2\n", b"a" * (64 * 2**20 + 1)], ids=["twice", "large"])
def test_vectors_that_say_a_thing_twice_or_too_much_are_refused(reader, tmp_path, text):
    done = records(reader, tmp_path / "vectors.txt", text)
    assert done.returncode == 2
    assert re.search(rb"is there twice|has over ", done.stderr)


LISTS = '{"format": "perf-ladders measurement", "version": 3, "aa_test": {"in_a_row": ['
LIMITED = """
import resource, sys
from pathlib import Path
from perf_ladders.errors import UserError
from perf_ladders.results import store
from perf_ladders.workshop.board import Board

taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 512 * 2**20,) * 2)
try:
    (Board.read if "scoreboard" in sys.argv[1] else store.load_any)(Path(sys.argv[1]))
except UserError as error:
    print(error)
"""


def in_little_memory(path):
    """What the reader says of it, with 512 MiB beyond what its modules take."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    command = [sys.executable, "-c", LIMITED, str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("bomb.json.xz", " " * (foreign.MAX_UNPACKED + 1), f"unpacks to over {foreign.MAX_UNPACKED:,} bytes"),
        ("bomb.json.xz", LISTS + "[]," * 20_000_000, f"holds over {foreign.MAX_VALUES:,} values"),
        ("scoreboard.json.xz", " " * (MAX_BYTES + 1), f"unpacks to over {MAX_BYTES:,} bytes"),
    ],
    ids=["result", "lists", "scoreboard"],
)
def test_what_unpacks_to_much_takes_little_memory(tmp_path, name, text, said):
    """A few kilobytes that would be gigabytes: the reader stops before."""
    path = tmp_path / name
    path.write_bytes(lzma.compress(text.encode(), preset=0))
    assert said in in_little_memory(path)
