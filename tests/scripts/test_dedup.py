"""The de-duplication program, as somebody at a terminal meets it: every chunk's digest is what hashlib gives."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import resource
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import app_program

MEGABYTES = 2_000_007


@pytest.fixture(scope="session")
def program(build):
    return app_program(build, "hmac-sha1", "dedup")


@pytest.fixture
def dedup(program):
    """Calls the program, and gives its output; where it fails, what it says about that."""

    def call(*words, code=0, **keywords):
        command = [str(word) for word in (program, *words)]
        done = subprocess.run(command, capture_output=True, check=False, **keywords)
        assert done.returncode == code, done.stderr
        if code:
            assert done.stderr.count(b"\n") == 1, done.stderr
        return (done.stderr if code else done.stdout).decode()

    return call


@pytest.fixture(scope="session")
def file(tmp_path_factory):
    """A half of it is there twice, and chunks of zeros many times."""
    path = tmp_path_factory.mktemp("dedup") / "file"
    data = np.random.default_rng(1).bytes(800_000)
    path.write_bytes((data + data[:400_000] + bytes(MEGABYTES))[:MEGABYTES])
    return path


def chunks_of(data, size):
    sha1 = functools.cache(lambda chunk: hashlib.sha1(chunk, usedforsecurity=False).hexdigest())
    return [(sha1(data[at : at + size]), at, len(data[at : at + size])) for at in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 63, 64, 65, 4_096, 65_536, 1_000_000, MEGABYTES, MEGABYTES + 1, 1 << 30])
def test_chunks_agree_with_hashlib(dedup, file, size):
    chunks = chunks_of(file.read_bytes(), size)
    assert dedup("--chunk", size, "--list", file) == "".join(f"{d}  {at}  {n}\n" for d, at, n in chunks)
    report = json.loads(dedup("--chunk", size, "--json", file))
    first = {digest: n for digest, _, n in reversed(chunks)}
    assert report["mb_per_second"] > 0
    assert report["hashing_seconds"] > 0
    (rate,) = report["trials"]
    assert 0 < rate <= report["mb_per_second"], "reading and counting take time, too"
    del report["mb_per_second"], report["hashing_seconds"], report["trials"]
    assert report == {
        "files": 1,
        "chunk_bytes": size,
        "bytes": MEGABYTES,
        "chunks": len(chunks),
        "distinct": len(first),
        "duplicate_bytes": MEGABYTES - sum(first.values()),
    }


def test_each_trial_begins_with_an_empty_store(dedup, file):
    once, often = (json.loads(dedup("--json", "--trials", count, file)) for count in (1, 3))
    assert (len(once["trials"]), len(often["trials"])) == (1, 3)
    assert all(often[name] == once[name] for name in ("files", "bytes", "chunks", "distinct", "duplicate_bytes"))


def test_a_line_of_the_list_is_what_other_tools_say(dedup, file):
    digest, offset, size = dedup("--list", file).splitlines()[7].split()
    command = f"dd if={file} bs={size} skip={int(offset) // int(size)} count=1 status=none | sha1sum"
    assert subprocess.run(["sh", "-c", command], capture_output=True, check=True, text=True).stdout.startswith(digest)


def test_totals_for_people(dedup, file):
    chunks = chunks_of(file.read_bytes(), 4_096)
    text = dedup(file)
    assert f"bytes     {MEGABYTES}\n" in text
    assert f"chunks    {len(chunks)} of at most 4096 bytes\n" in text
    assert f"distinct  {len({digest for digest, _, _ in chunks})}\n" in text
    assert "MB/s" in text


def test_several_files_are_one_store(dedup, file, tmp_path):
    copy = tmp_path / "a copy"
    copy.write_bytes(file.read_bytes()[:8_192])
    alone = json.loads(dedup("--json", file))
    both = json.loads(dedup("--json", file, copy))
    assert (both["files"], both["chunks"], both["bytes"]) == (2, alone["chunks"] + 2, MEGABYTES + 8_192)
    assert both["distinct"] == alone["distinct"]
    assert both["duplicate_bytes"] == alone["duplicate_bytes"] + 8_192
    share = 100 * both["duplicate_bytes"] / both["bytes"]
    assert f"saved     {both['duplicate_bytes']} bytes ({share:.1f} %)\n" in dedup(file, copy)
    lines = dedup("--list", file, copy).splitlines()
    assert lines[0].endswith(f"  0  4096  {file}")
    assert lines[-1].endswith(f"  4096  4096  {copy}")


def test_an_empty_file(dedup, tmp_path):
    empty = tmp_path / "empty"
    empty.touch()
    assert dedup("--list", empty) == ""
    report = json.loads(dedup("--json", empty))
    assert (report["bytes"], report["chunks"], report["distinct"], report["mb_per_second"]) == (0, 0, 0, None)
    assert "saved     0 bytes\n" in dedup(empty)


def test_pipes_give_their_data_in_pieces(dedup, file):
    data = file.read_bytes()
    assert dedup("--chunk", "999", "--list", "-", input=data) == dedup("--chunk", "999", "--list", file)
    assert dedup("--chunk", "999", "--list", "/dev/stdin", input=data) == dedup("--chunk", "999", "--list", file)


def test_memory_stays_bounded(dedup, tmp_path, build):
    """Half a gigabyte of zeros, which takes no room on the disk, with much less memory."""
    if build.preset.startswith("sanitize"):
        pytest.skip("the address sanitizer wants terabytes of addresses")
    path = tmp_path / "large"
    path.touch()
    os.truncate(path, 1 << 29)
    limit = 256 << 20

    def little_memory():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    report = json.loads(dedup("--json", "--chunk", "65536", path, preexec_fn=little_memory))
    assert (report["chunks"], report["distinct"]) == (1 << 13, 1)
    assert "not enough memory" in dedup("--chunk", 1 << 30, path, code=2, preexec_fn=little_memory)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("", ["FILE"]),
        ("FILE --chunk 0", ["--chunk", "'0'", "1073741824"]),
        ("FILE --chunk 1073741825", ["--chunk", "1073741824"]),
        ("FILE --chunk -1", ["--chunk", "'-1'"]),
        ("FILE --chunk 010", ["--chunk", "'010'"]),
        ("FILE --chunk 4k", ["--chunk", "'4k'"]),
        ("FILE --chunk", ["--chunk"]),
        ("FILE --fast", ["--fast"]),
        ("FILE --list --json", ["--list", "--json"]),
        ("FILE --list --trials 2", ["--list", "--trials"]),
        ("FILE --trials 0", ["--trials", "'0'"]),
        ("FILE - --trials 2", ["standard input", "--trials"]),
        ("nowhere", ["'nowhere'", "No such file"]),
        ("FILE nowhere", ["'nowhere'", "No such file"]),
        (".", ["'.'", "Is a directory"]),
        ("FILE/below", ["Not a directory"]),
        ("/proc/self/mem", ["'/proc/self/mem'", "cannot be read", "Input/output error"]),
    ],
)
def test_what_cannot_be_worked_with(dedup, file, words, parts):
    said = dedup(*words.replace("FILE", str(file)).split(), code=2)
    for part in parts:
        assert part in said


def test_a_file_that_may_not_be_read(dedup, tmp_path):
    secret = tmp_path / "secret"
    secret.touch(mode=0o000)
    if os.access(secret, os.R_OK):
        pytest.skip("root may read everything")
    assert "Permission denied" in dedup(secret, code=2)


@pytest.mark.parametrize("words", ["FILE", "--json FILE", "--list FILE", "--list /dev/zero"])
def test_output_that_nobody_takes(program, file, words):
    command = [program, *words.replace("FILE", str(file)).split()]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, b"The output cannot be written.\n")


def test_totals_that_nobody_takes(program, file):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([program, "--list", file], stdout=subprocess.PIPE, stderr=full, check=False)
    assert (done.returncode, done.stdout.count(b"\n")) == (2, len(chunks_of(file.read_bytes(), 4_096)))


def test_a_library_that_hashes_nothing_long_says_so(build, file):
    programs = list((Path(build.programs[0].path).parent).glob("hmac-sha1-ipsec-mb-dedup.*"))
    if not programs:
        pytest.skip("the program around ipsec-mb has not been built")
    command = [min(programs), "--list", file, "--chunk"]
    done = subprocess.run([*command, "65535"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "65534" in done.stderr
    done = subprocess.run([*command, "65534"], capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        d for d, _, _ in chunks_of(file.read_bytes(), 65_534)
    ]


def test_help(dedup):
    text = dedup("--help")
    assert all(word in text for word in ("FILE", "--chunk", "--list", "--json", "sha1sum"))
    assert max(len(line) for line in text.splitlines()) <= 80
