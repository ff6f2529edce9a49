"""The Ethash program, as somebody at a terminal meets it: main-net blocks, bad input, and what befalls a dataset."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shutil
import signal
import statistics
import subprocess
import time
from pathlib import Path

import pytest
from scipy import stats

from perf_ladders.tree.paths import ROOT

VECTORS = ROOT / "tests/sha3/vectors/ethash"
BLOCKS = [
    dict(line.split(" = ") for line in lines)
    for record in (VECTORS / "pow.txt").read_text().split("\n\n")
    if (lines := [line for line in record.splitlines() if line and not line.startswith("#")])
]
CACHES = [line.split() for line in (VECTORS / "light_cache.txt").read_text().splitlines() if not line.startswith("#")]
BLOCK = BLOCKS[0]

# Of a file: its header, a checksum for each chunk, padding to a page, the items.
PAGE, CHECKSUM, CHUNK = 4_096, 32, 1 << 20
CHUNKS = 8
SIZES = ["--cache-bytes", "65536", "--dataset-bytes", str(CHUNKS * CHUNK)]
NAME = f"epoch-0-65536-{CHUNKS * CHUNK}.dataset"


@pytest.fixture(scope="session")
def program(build):
    """That of the last stage which runs everywhere."""
    mine = [one for one in build.programs if (one.case, one.kind) == ("sha3", "stage")]
    lowest = next(level for level in build.flags if any(one.level == level for one in mine))
    stages = [one for one in mine if one.level == lowest]
    path = max(stages, key=lambda one: one.name).apps.get("ethash", Path("missing"))
    if not path.exists():
        pytest.skip("ethash has not been built")
    return path


@pytest.fixture
def ethash(program, tmp_path):
    """Calls the program, with a home of its own, and gives its output; where it fails, what it says about that."""

    def call(*words, code=0, **keywords):
        environment = {"HOME": str(tmp_path)} | keywords.pop("environment", {})
        command = [str(word) for word in (program, *words)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, **keywords)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stderr if code == 2 else done.stdout

    return call


@pytest.fixture
def slow(build):
    if build.preset.startswith("sanitize"):
        pytest.skip("this takes minutes with a sanitizer")


@pytest.fixture(scope="session")
def whole(program, tmp_path_factory):
    """A dataset made without any incident."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run([program, "dataset", "--folder", folder, *SIZES], check=True, capture_output=True)
    return folder / NAME


@pytest.fixture
def file(whole, tmp_path):
    return Path(shutil.copy(whole, tmp_path))


def verify_words(**changes):
    words = {"block": "0", "header": BLOCK["header_hash"], "nonce": BLOCK["nonce"], "mix": BLOCK["mix_hash"]} | changes
    return ["verify", *(part for name, value in words.items() if value is not None for part in (f"--{name}", value))]


def one_sentence(text, *parts):
    """Not a line more, whatever it is about."""
    assert text.count("\n") == 1, text
    for part in parts:
        assert part in text


def patch(path, place, data):
    with path.open("r+b") as stream:
        stream.seek(place)
        stream.write(data)


def checksums(path):
    """Of each chunk; of one that is not made yet, false."""
    if not path.exists():
        return []
    with path.open("rb") as stream:
        stream.seek(PAGE)
        return [any(stream.read(CHECKSUM)) for _ in range(CHUNKS)]


# Blocks and caches


@pytest.mark.parametrize("record", BLOCKS, ids=lambda record: f"{record['block']}-{record['nonce']}")
def test_main_net_blocks(ethash, record, build):
    if build.preset.startswith("sanitize") and int(record["block"]) > 0:
        pytest.skip("this takes minutes with a sanitizer")
    given = {name: record[key] for name, key in (("header", "header_hash"), ("nonce", "nonce"), ("block", "block"))}
    # Not every source gives the mix; the final hash has to be right all the same.
    mix = record.get("mix_hash", "00" * 32)
    text = ethash(*verify_words(**given, mix=mix), code=0 if "mix_hash" in record else 1)
    assert text.splitlines()[-1] == f"final hash {record['final_hash']}"
    if "mix_hash" in record:
        assert text.splitlines()[:2] == ["right", f"mix hash   {mix}"]


def test_a_wrong_block_is_called_wrong(ethash):
    wrong_mix = "00" + BLOCK["mix_hash"][2:]
    text = ethash(*verify_words(mix=wrong_mix), code=1)
    assert text.startswith("wrong: header and nonce have another mix hash\n")
    assert BLOCK["mix_hash"] in text
    ethash(*verify_words(block="30000"), code=1)


def test_the_boundary_itself_is_met(ethash):
    final = int(BLOCK["final_hash"], 16)
    assert ethash(*verify_words(boundary=f"0x{final:064x}")).startswith("right\n")
    text = ethash(*verify_words(boundary=f"{final - 1:064x}"), code=1)
    assert text.startswith("wrong: the final hash is above the boundary\n")


def test_an_epoch_will_do_for_a_block(ethash):
    assert ethash(*verify_words(block=None, epoch="0")).startswith("right\n")


# The last one takes ten seconds and more with a slow stage.
@pytest.mark.parametrize(("epoch", "known"), CACHES[:2])
def test_caches(ethash, epoch, known, request):
    if epoch != "0":
        request.getfixturevalue("slow")
    assert ethash("cache", "--epoch", epoch) == f"{known}\n"


def test_items_in_flight_are_the_same_items(ethash):
    alone = ethash("items", "--mock", "--count", "1000")
    assert len(alone) == 65
    for in_flight in (2, 8, 32):
        assert ethash("items", "--mock", "--count", "1000", "--in-flight", in_flight) == alone
    assert ethash("items", "--mock", "--count", "999") != alone


# Bad input


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"header": "12"}, ["--header", "64", "has 2"]),
        ({"header": "g" + "0" * 63}, ["--header", "not hexadecimal"]),
        ({"nonce": "0" * 15}, ["--nonce", "16", "has 15"]),
        ({"nonce": "0x" + "0" * 17}, ["--nonce", "16", "has 17"]),
        ({"mix": "0" * 65}, ["--mix", "64", "has 65"]),
        ({"boundary": "0"}, ["--boundary", "64", "has 1"]),
        ({"boundary": ""}, ["--boundary", "64", "has 0"]),
        ({"header": None}, ["--header is required"]),
        ({"block": None}, ["--epoch"]),
        ({"epoch": "1"}, ["--epoch"]),
        ({"block": "-1"}, ["--block", "'-1'", "979199999"]),
        ({"block": "979200000"}, ["--block", "979199999"]),
    ],
)
def test_blocks_that_are_none(ethash, changes, parts):
    one_sentence(ethash(*verify_words(**changes), code=2), *parts)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("", ["A subcommand is required"]),
        ("mine", []),
        ("cache --fast", ["--fast"]),
        ("cache now", ["now"]),
        ("cache --epoch 32640", ["--epoch", "32639"]),
        ("cache --epoch 010", ["'010'"]),
        ("cache --epoch 1x", ["'1x'"]),
        ("cache --epoch", ["--epoch"]),
        ("cache --cache-bytes 100", ["no multiple of 64"]),
        ("cache --cache-bytes 0", ["no multiple of 64"]),
        ("dataset --dataset-bytes 64", ["no multiple of 128"]),
        ("bench --tiny --dataset-bytes 128", ["--tiny"]),
        ("bench --in-flight 33", ["--in-flight", "32"]),
        ("bench --trials 0", ["--trials"]),
        ("bench --seconds nan", ["--seconds"]),
        ("bench --warm-up -1", ["--warm-up"]),
        ("items", ["--count is required"]),
        ("items --count 16777216", ["--count is larger than the dataset", "16777186"]),
        ("items --count 1 --mock --epoch 0", ["--mock"]),
    ],
)
def test_words_that_mean_nothing(ethash, words, parts):
    one_sentence(ethash(*words.split(), code=2), *parts)


def test_help(ethash):
    for verb in ("verify", "bench", "cache", "items", "dataset"):
        assert verb in ethash("--help")
        assert "--epoch" in ethash(verb, "--help")


# Mining


@pytest.mark.parametrize("mode", [[], ["--light"], ["--in-flight", "5"], ["--light", "--in-flight", "3"]])
def test_bench_reports_what_its_trials_give(ethash, mode):
    words = ["bench", "--tiny", "--seconds", "0.01", "--warm-up", "0", "--trials", "9", "--json", *mode]
    report = json.loads(ethash(*words))
    trials = report["trials"]
    assert len(trials) == 9
    assert all(rate > 0 for rate in trials)
    assert report["mode"] == ("light" if "--light" in mode else "full")
    assert (report["min"], report["max"]) == (min(trials), max(trials))
    assert report["mean"] == pytest.approx(statistics.mean(trials))
    assert report["inner_mean"] == pytest.approx(statistics.mean(sorted(trials)[1:-1]))
    assert report["standard_deviation"] == pytest.approx(statistics.stdev(trials))
    # Fewer than two of nine on one side: that is what the second from below and above miss.
    interval = report["median_interval"]
    assert (interval["low"], interval["high"]) == (sorted(trials)[1], sorted(trials)[-2])
    assert interval["confidence"] == pytest.approx(1 - 2 * stats.binom.cdf(1, 9, 0.5))


def test_the_interval_of_many_trials(ethash):
    words = ["bench", "--tiny", "--light", "--seconds", "0.001", "--warm-up", "0", "--trials", "20", "--json"]
    report = json.loads(ethash(*words))
    trials, interval = sorted(report["trials"]), report["median_interval"]
    assert (interval["low"], interval["high"]) == (trials[5], trials[14]), "the sixth from either end"
    assert interval["confidence"] == pytest.approx(1 - 2 * stats.binom.cdf(5, 20, 0.5))


def test_few_trials_say_how_little_they_tell(ethash):
    words = ["bench", "--tiny", "--light", "--seconds", "0.001", "--warm-up", "0"]
    five = json.loads(ethash(*words, "--json"))
    assert five["median_interval"] == {"low": five["min"], "high": five["max"], "confidence": 0.9375}
    one = json.loads(ethash(*words, "--json", "--trials", "1"))
    assert one["inner_mean"] is one["standard_deviation"] is one["median_interval"] is None
    text = ethash(*words, "--trials", "3")
    assert "with 75.00 %" in text
    assert "inner mean" in text


# The file of a dataset


def make(ethash, folder, code=0, **keywords):
    return ethash("dataset", "--folder", folder, *SIZES, code=code, **keywords)


def test_the_folder_is_the_caches(ethash, tmp_path):
    tiny = "perf-ladders/ethash/epoch-0-1024-32768.dataset"
    assert ethash("dataset", "--tiny") == f"{tmp_path / '.cache' / tiny}\n"
    elsewhere = {"XDG_CACHE_HOME": str(tmp_path / "xdg")}
    assert ethash("dataset", "--tiny", environment=elsewhere) == f"{tmp_path / 'xdg' / tiny}\n"
    one_sentence(ethash("dataset", "--tiny", code=2, environment={"HOME": ""}), "--folder")


def test_a_killed_generator_is_gone_on_with(program, ethash, whole, tmp_path):
    """Killed when the first chunk is there. On one CPU, the others take their time."""
    command = [program, "dataset", "--folder", tmp_path, *SIZES]
    path = tmp_path / NAME
    alone = {min(os.sched_getaffinity(0))}
    for _ in range(5):  # the last chunk may be made before this looks again
        path.unlink(missing_ok=True)
        with subprocess.Popen(
            command, stderr=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, alone)
        ) as process:
            while process.poll() is None and not any(checksums(path)):
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        if not all(checksums(path)):
            break
    assert process.returncode == -signal.SIGKILL
    assert any(checksums(path))
    assert not all(checksums(path))
    make(ethash, tmp_path)
    assert path.read_bytes() == whole.read_bytes()


def test_only_what_is_missing_is_made(program, file, whole, tmp_path):
    for chunk in (1, 6):
        patch(file, PAGE + CHECKSUM * chunk, bytes(CHECKSUM))
        patch(file, 2 * PAGE + CHUNK * chunk, b"half written")
    command = [program, "dataset", "--folder", tmp_path, *SIZES]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    made = [line.split(",")[0] for line in done.stderr.splitlines() if "Making" in line]
    assert made == ["Making the dataset: 50 %", "Making the dataset: 100 %"]
    assert file.read_bytes() == whole.read_bytes()


def test_one_that_was_ended_at_its_first_breath_is_begun_again(ethash, file, whole, tmp_path):
    for size in (0, PAGE):
        os.truncate(file, size)
        make(ethash, tmp_path)
        assert file.read_bytes() == whole.read_bytes()


def test_a_finished_file_is_left_alone(ethash, file, tmp_path):
    before = file.stat().st_mtime_ns
    make(ethash, tmp_path)
    file.chmod(0o444)
    make(ethash, tmp_path)
    assert file.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("harm", "parts"),
    [
        (lambda file: os.truncate(file, 3 * PAGE), ["is truncated", "12288", "Delete it"]),
        (lambda file: os.truncate(file, 100), ["is no dataset", "too short", "Delete it"]),
        (lambda file: os.truncate(file, file.stat().st_size + 1), ["is too long", "Delete it"]),
        (lambda file: patch(file, 0, b"something else"), ["is no dataset", "Delete it"]),
        (lambda file: patch(file, 16, b"\xff"), ["another version", "Delete it"]),
        (lambda file: patch(file, 20, b"\x01"), ["another epoch", "Delete it"]),
        (lambda file: patch(file, 2 * PAGE + 5 * CHUNK, b"\0\0\0\0"), ["is damaged", "chunk 6 of 8", "Delete it"]),
        (lambda file: patch(file, 2 * PAGE + 8 * CHUNK - 1, b"\0"), ["is damaged", "chunk 8 of 8", "Delete it"]),
        (lambda file: patch(file, PAGE + 3 * CHECKSUM, b"\xff"), ["is damaged", "chunk 4 of 8", "Delete it"]),
    ],
)
def test_a_spoilt_file_is_named_and_kept(ethash, file, harm, parts, tmp_path):
    harm(file)
    before = file.read_bytes()
    for words in (["dataset"], ["bench", "--seconds", "0.01", "--warm-up", "0", "--trials", "1"]):
        text = ethash(*words, "--folder", tmp_path, *SIZES, code=2)
        complaint = [line for line in text.splitlines() if not line.startswith("Verifying the dataset")]
        one_sentence("\n".join(complaint) + "\n", NAME, *parts)
    assert file.read_bytes() == before


def test_two_do_not_make_one_file(ethash, file, tmp_path):
    for makes_or_reads in (fcntl.LOCK_EX, fcntl.LOCK_SH):
        with file.open() as other:
            fcntl.flock(other, makes_or_reads)
            one_sentence(make(ethash, tmp_path, code=2), "Another process", NAME)
    make(ethash, tmp_path)


def test_folders_that_cannot_be(ethash, file, tmp_path):
    one_sentence(make(ethash, file / "below", code=2), "cannot be made", "--folder")
    (tmp_path / "taken" / NAME).mkdir(parents=True)
    one_sentence(make(ethash, tmp_path / "taken", code=2), NAME, "cannot be opened", "--folder")


def test_too_little_room_is_known_at_once(ethash, tmp_path):
    def little_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (CHUNK, CHUNK))

    text = make(ethash, tmp_path, code=2, preexec_fn=little_room, restore_signals=False)
    one_sentence(text, "no room", NAME, "--folder")
    make(ethash, tmp_path)


def test_a_disk_that_fills_up_meanwhile(ethash, file, tmp_path):
    """Room was there, and is not any more: what a copy-on-write file system can do."""
    patch(file, PAGE + CHECKSUM * (CHUNKS - 1), bytes(CHECKSUM))

    def little_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (CHUNK, CHUNK))

    text = make(ethash, tmp_path, code=2, preexec_fn=little_room, restore_signals=False)
    one_sentence(text, "cannot be written", NAME, "--folder")
    make(ethash, tmp_path)
