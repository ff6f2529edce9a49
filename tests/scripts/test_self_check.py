"""The method tried on itself: its programs, its run, and tables from made-up times whose truth is known."""

from __future__ import annotations

import copy
import json
import re
import subprocess
from itertools import pairwise

import numpy as np
import pytest
from rich.console import Console

from perf_ladders import measure, report, result, self_check
from perf_ladders.catalogue import REFERENCE_REPORTS, ROOT, Build, Program
from perf_ladders.complaint import Complaint

NAMES = ["same-0", "same-1", "same-2", "same-3", "shorter"]
USUAL, POOLED, ALONE, TOGETHER, REPORTED = range(5)  # lines of the table


def made(times, experiments=20, blocks=20):
    """A result whose repetitions are what `times(name, count)` gives, process after process."""
    runners = [{"id": f"{name}.novec.gcc", "name": name, "kind": name.split("-")[0]} for name in NAMES]
    runners.append({"id": "same-0-again.novec.gcc", "name": "same-0-again", "kind": "control"})

    def block(number, timed, count):
        runs = [
            {
                "runner": runner["id"],
                "padding": 0,
                "involuntary_switches": 0,
                "times_ns": {"chain": times(runner["name"], count)},
            }
            for runner in timed
        ]
        fixed = {"part": "part", "started": "2026-01-01T00:00:00+00:00", "clock_ghz": [3.0, 3.0], "stolen_ticks": 0}
        return {**fixed, "number": number, "runs": runs}

    return {
        "schema": "perf-ladders self-check",
        "version": 1,
        "made": {"date": "2026-01-01T00:00:00+00:00", "commit": "0123456789ab", "changed": False},
        "seed": 7,
        "machine": {
            "cpu": "A processor",
            "cpu_family_model_stepping": "1/2/3",
            "cpus": 2,
            "memory_gib": 8,
            "architecture": "x86_64",
            "system": "Linux",
            "kernel": "6",
            "virtual_machine": "no",
            "core_kinds": {"performance": [], "efficiency": []},
            "governor": None,
        },
        "compilers": [
            {
                "name": "gcc",
                "version": "12",
                "flags": "-O3",
                "flags_of_level": {},
                "preset": "gcc",
                "build_type": "Release",
                "benchmark_version": "1.7",
            }
        ],
        "design": {"blocks": blocks, "repetitions": 5, "usual_repetitions": 20, "least_ms": 5, "cpu": 1},
        "runners": runners,
        "experiments": [
            {"blocks": [block(n, runners, 5) for n in range(blocks)], "usual_way": block(0, runners[:5], 20)}
            for _ in range(experiments)
        ],
    }


def noisy(drift, seed=1):
    """Repetitions of 0.3 % noise, around a level that wanders from process to process."""
    generator = np.random.default_rng(seed)
    level = 0.0

    def times(name, count):
        nonlocal level
        level = 0.98 * level + drift * generator.normal()
        truth = 30_000 * (31 / 32 if name == "shorter" else 1)
        return (truth * np.exp(level) * (1 + 0.003 * generator.exponential(size=count))).round(2).tolist()

    return times


@pytest.fixture(scope="module")
def quiet():
    return made(noisy(drift=0))


def test_where_nothing_drifts_every_way_is_right(quiet):
    lines = self_check.table(quiet)
    assert [line.alarms.n for line in lines] == [6 * 20] * 5
    assert all(line.found.k == line.found.n == 20 for line in lines)
    assert all(line.alarms.k <= 0.1 * line.alarms.n for line in lines)
    assert lines[REPORTED].alarms.k == 0


def test_blocks_are_those_of_every_program(quiet, tmp_path):
    uneven = copy.deepcopy(quiet)
    uneven["experiments"][0]["blocks"][7]["runs"].pop()
    result.save(uneven, tmp_path / "self-check.json")
    with pytest.raises(Complaint, match=r"block 7 of the part part has 0 runs of same-0-again\.novec\.gcc, not 1"):
        self_check.load(tmp_path / "self-check.json")


def test_drift_fools_repetitions_of_one_process_but_not_blocks():
    lines = self_check.table(made(noisy(drift=0.006)))
    assert lines[USUAL].alarms.k > 0.4 * lines[USUAL].alarms.n
    assert lines[ALONE].alarms.k <= 0.1 * lines[ALONE].alarms.n
    assert lines[REPORTED].alarms.k == 0
    assert lines[REPORTED].found.k == lines[REPORTED].found.n


def test_counts_by_hand():
    # In the first of four experiments same-1 takes 10 % longer, always: three of six pairs differ, so 3 of 24.
    processes = 20 * 6 + 5
    started = 0

    def times(name, count):
        nonlocal started
        slow = 1.1 if name == "same-1" and started < processes else 31 / 32 if name == "shorter" else 1
        started += 1
        return [1000 * slow * (1 + repetition / 1e5) for repetition in range(count)]

    found = made(times, experiments=4)
    for line in self_check.table(found):
        assert (line.alarms.k, line.alarms.n, line.found.k, line.found.n) == (3, 24, 4, 4)
    # Clopper and Pearson: at the ends, 3 or more (or fewer) of 24 come about with 2.5 %; of 4 of 4, 0.025 ** (1 / 4).
    (share,) = {line.alarms for line in self_check.table(found)}
    assert (share.low, share.high) == pytest.approx((0.0266, 0.3236), abs=1e-4)
    assert self_check.table(found)[USUAL].found.low == pytest.approx(0.025**0.25)
    assert self_check.table(found)[USUAL].found.high == 1
    facts = self_check.facts(found)
    assert facts.shorter["ratio"] == pytest.approx(32 / 31)
    assert (facts.raised_floors, facts.highest_floor) == (0, 0.01)


def test_a_slower_one_is_not_found():
    lines = self_check.table(made(lambda name, count: [1000.0 + 50 * (name == "shorter") + n for n in range(count)], 2))
    assert [line.found.k for line in lines] == [0] * 5
    assert [line.alarms.k for line in lines] == [0] * 5


def test_only_intervals_have_a_width_and_more_comparisons_make_it_wider(quiet):
    widths = [line.width for line in self_check.table(quiet)]
    assert widths[:2] == [None, None]
    assert 0 < widths[ALONE] < widths[TOGETHER] == widths[REPORTED] < 0.01


def test_too_few_blocks_give_no_interval_and_no_alarm():
    lines = self_check.table(made(noisy(drift=0), experiments=2, blocks=5))
    assert [(line.alarms.k, line.width) for line in lines[ALONE:]] == [(0, None)] * 3


def test_the_same_result_gives_the_same_text(quiet):
    text = self_check.section(quiet)
    assert text == self_check.section(copy.deepcopy(quiet))
    assert len(re.findall(r"^\| (?:one after|shuffled)", text, re.MULTILINE)) == 5
    assert "A processor" in text
    assert "gcc 12 -O3" in text
    assert "0123456789ab" in text


def test_one_page_in_80_columns(quiet, tmp_path):
    with (tmp_path / "page").open("w") as page:
        self_check.show(quiet, Console(width=80, file=page))
    text = (tmp_path / "page").read_text()
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "0 of 120" in text


def test_published_it_stands_between_its_markers(quiet, tmp_path, monkeypatch):
    monkeypatch.setattr(self_check, "ROOT", tmp_path)
    monkeypatch.setattr(self_check, "REFERENCE_REPORTS", tmp_path / "reference")
    page = tmp_path / "docs" / "method.md"
    page.parent.mkdir()
    page.write_text("before\n<!-- self-check: begin -->\nstale\n<!-- self-check: end -->\nafter\n")
    files = self_check.publish(quiet)
    assert [path.name for path in files] == ["self-check.json.gz", "method.md"]
    assert self_check.load(files[0]) == quiet
    assert page.read_text() == (
        f"before\n<!-- self-check: begin -->\n{self_check.section(quiet).rstrip()}\n<!-- self-check: end -->\nafter\n"
    )


def test_the_committed_result_is_what_the_documentation_shows():
    text = (ROOT / "docs" / "method.md").read_text("utf-8")
    shown = text.split("<!-- self-check: begin -->\n")[1].split("<!-- self-check: end -->\n")[0]
    committed = REFERENCE_REPORTS / "self-check.json.gz"
    if committed.exists():
        assert shown == self_check.section(self_check.load(committed)).rstrip() + "\n"
    else:
        assert shown == "not measured yet\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "`make self-check` writes one to reports/local"),
        ('{"schema": "perf-ladders self-check", ', "damaged, or no self-check at all"),
        ('{"schema": "perf-ladders result", "version": 1}', "no perf-ladders self-check"),
        ('{"schema": "perf-ladders self-check", "version": 99}', "version 99"),
        ('{"schema": "perf-ladders self-check", "version": 1}', "no valid self-check"),
    ],
)
def test_foreign_and_damaged_files_get_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "self-check.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(Complaint, match=sentence) as caught:
        self_check.load(path)
    assert "\n" not in str(caught.value)


def test_the_schema_asks_for_a_control(quiet, tmp_path):
    broken = {**quiet, "runners": quiet["runners"][:5]}
    (tmp_path / "self-check.json").write_text(json.dumps(broken))
    with pytest.raises(Complaint, match="no valid self-check"):
        self_check.load(tmp_path / "self-check.json")


def test_the_index_of_reports_passes_it_over(quiet, small_result, tmp_path):
    result.save(small_result, tmp_path / "xtea.json")
    result.save(quiet, tmp_path / "self-check.json")
    assert "xtea" in report.write_index(tmp_path).read_text()


@pytest.fixture
def started(tmp_path, monkeypatch):
    """A build whose programs are never started, and what would have been."""
    programs = []
    for name in NAMES:
        path = tmp_path / name
        path.write_text(name)
        identity = ("self-check", "self-check", f"self-check-{name}", "novec", "gcc", False)
        programs.append(Program(*identity, path, path, [], path))
    compiler = {"name": "gcc", "version": "12", "command": "g++", "flags": "-O3"}
    build = Build("gcc", compiler, "Release", "1.7", {"novec": ""}, {}, None, [], [], programs)
    calls = []
    times = noisy(drift=0)

    def bench(runner, padding, part, design):
        calls.append((runner.name, design.repetitions))
        return {"involuntary_switches": 0, "times_ns": {"chain": times(runner.name, design.repetitions)}}

    monkeypatch.setattr(measure.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(measure, "check", lambda programs, folder, console: [])
    monkeypatch.setattr(measure, "_bench", bench)
    monkeypatch.setattr(measure.machine, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(measure.machine, "operations_per_ns", lambda build, cpu: 12.0)
    return build, calls, tmp_path / "reports" / "self-check"


def run(started, experiments=2):
    build, _, stem = started
    return self_check.run(build, experiments, stem, Console(quiet=True))


def test_a_run_is_blocks_and_then_the_usual_way_for_each_experiment(started):
    _, calls, stem = started
    found, journal = run(started)
    path = stem.with_suffix(".json")
    result.save(found, path)
    assert self_check.load(path) == found
    assert self_check.table(found)[REPORTED].alarms.n == 12
    one = calls[: 20 * 6 + 5]
    assert len(calls) == 2 * len(one)
    assert sorted(one[:120]) == sorted([(name, 5) for name in [*NAMES, "same-0-again"]] * 20)
    assert sorted(one[120:]) == sorted((name, 20) for name in NAMES)
    assert journal.path.exists()


def test_stopped_it_goes_on_from_there(started, monkeypatch):
    _, calls, _ = started
    counting = measure._bench

    def stopping(*arguments):
        if len(calls) == 130:
            raise KeyboardInterrupt
        return counting(*arguments)

    monkeypatch.setattr(measure, "_bench", stopping)
    with pytest.raises(Complaint, match="goes on from there"):
        run(started)
    monkeypatch.setattr(measure, "_bench", counting)
    found, _ = run(started)
    assert len(found["experiments"]) == 2
    assert len(calls) == 2 * 125 + 5  # five processes of the second experiment began anew
    again, _ = run(started)
    assert again == found


def test_a_wrong_program_is_not_measured(started, monkeypatch):
    monkeypatch.setattr(measure, "check", lambda programs, folder, console: [(programs[0], "It is wrong.")])
    with pytest.raises(Complaint, match="It is wrong"):
        run(started)


def output(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def test_the_programs_check_their_own_results(build):
    assert [program.name for program in build.self_check] == [f"self-check-{name}" for name in NAMES]
    for program in build.self_check:
        output(program.path, "check")
        output(program.path, "bench", "--benchmark_min_time=0.001")


def test_identical_programs_differ_in_the_address_of_their_kernel_only(build):
    if build.preset.startswith("sanitize"):
        pytest.skip("sanitized programs are not measured")
    addresses, code = {}, {}
    for program in build.self_check:
        (line,) = (
            line for line in output("nm", "--demangle", program.path).splitlines() if "self_check::kernel(" in line
        )
        addresses[program.name] = int(line.split()[0], 16) % 64
        text = output("objdump", "--disassemble", "--demangle", program.path)
        body = re.search(r"<self_check::kernel\(.*\)>:\n((?:.+\n)+)", text)[1]
        code[program.name] = [line.split("\t")[1].split() for line in body.splitlines()]
    *same, shorter = code
    assert sorted(addresses[name] for name in same) == [0, 16, 32, 48]
    assert addresses[shorter] == addresses[same[0]]
    assert all(code[first] == code[second] for first, second in pairwise(same))
    assert len(code[shorter]) == len(code[same[0]])
    assert sum(a != b for a, b in zip(code[shorter], code[same[0]], strict=True)) == 1
