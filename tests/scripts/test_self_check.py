"""The method tried on itself: its programs, its run, and tables from made-up times whose truth is known."""

from __future__ import annotations

import contextlib
import multiprocessing
import re
import subprocess

import msgspec
import numpy as np
import pytest
from measurement_sample import GCC, MACHINE
from rich.console import Console

from perf_ladders import sequential
from perf_ladders.errors import UserError
from perf_ladders.machine import alone, identity, speed, topology
from perf_ladders.measure import checking, noisy_neighbour, pairs, self_check, session
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.model.measurement import Block, Made, Run
from perf_ladders.model.self_check import Experiment, SelfCheck, SelfCheckDesign, SelfCheckProgram
from perf_ladders.pages import self_check_view
from perf_ladders.pages.render import between
from perf_ladders.results import self_check_pairs, store
from perf_ladders.results.self_check import Judged
from perf_ladders.tree import build as built
from perf_ladders.tree.build import Build, Program
from perf_ladders.tree.paths import ROOT
from perf_ladders.tree.planner import SELF_CHECK_WORK

IN_BLOCKS = ["same-0", "same-1", "same-2", "same-3", "less-10"]
NAMES = ["same-0", "same-1", "same-2", "same-3", "shorter"]
USUAL, POOLED, ALONE, TOGETHER, REPORTED = range(5)  # lines of the table


def made(times, experiments=20, blocks=20):
    """A self-check whose repetitions are what `times(name, count)` gives, process after process."""
    programs = [SelfCheckProgram(id=f"{name}.novec.gcc", name=name, kind=name.split("-")[0]) for name in NAMES]
    programs.append(SelfCheckProgram(id="same-0-again.novec.gcc", name="same-0-again", kind="control"))

    def block(number, timed, count):
        runs = [Run(program=one.id, padding=0, switches=0, times_ns={"chain": times(one.name, count)}) for one in timed]
        date = "2026-01-01T00:00:00+00:00"
        return Block(part="part", number=number, started=date, clock_ghz=[3.0, 3.0], stolen_ticks=0, runs=runs)

    return SelfCheck(
        made=Made(date="2026-01-01T00:00:00+00:00", commit="0123456789ab"),
        machine=MACHINE,
        compilers=[GCC],
        design=SelfCheckDesign(seed=7, cpu=1, blocks=blocks, repetitions=5, usual_repetitions=20, min_ms=5),
        programs=programs,
        experiments=[
            Experiment(
                blocks=[block(number, programs, 5) for number in range(blocks)],
                usual_way=block(0, programs[:5], 20),
            )
            for _ in range(experiments)
        ],
    )


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
    lines = Judged(quiet).table
    assert [line.alarms.n for line in lines] == [6 * 20] * 5
    assert all(line.found.k == line.found.n == 20 for line in lines)
    assert all(line.alarms.k <= 0.1 * line.alarms.n for line in lines)
    assert lines[REPORTED].alarms.k == 0


def test_blocks_are_those_of_every_program(quiet, tmp_path):
    uneven = msgspec.json.decode(msgspec.json.encode(quiet), type=SelfCheck)
    uneven.experiments[0].blocks[7].runs.pop()
    path = store.save(uneven, tmp_path / "self-check.json")
    with pytest.raises(UserError, match=r"block 7 of the part part has 0 runs of same-0-again\.novec\.gcc, not 1"):
        store.load_self_check(path)


@pytest.mark.parametrize("kind", ["control", "shorter"])
def test_a_control_and_a_true_difference_are_needed(quiet, tmp_path, kind):
    kept = [one for one in quiet.programs if one.kind != kind]
    path = store.save(msgspec.structs.replace(quiet, programs=kept), tmp_path / "self-check.json")
    with pytest.raises(UserError, match="programs: it needs one control, one shorter program"):
        store.load_self_check(path)


def test_an_experiment_without_blocks_is_refused(quiet, tmp_path):
    empty = msgspec.json.decode(msgspec.json.encode(quiet), type=SelfCheck)
    empty.experiments[0].blocks = []
    with pytest.raises(UserError, match="experiments: one of them has no blocks"):
        store.load_self_check(store.save(empty, tmp_path / "self-check.json"))


def test_drift_fools_repetitions_of_one_process_but_not_blocks():
    lines = Judged(made(noisy(drift=0.006))).table
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
    for line in Judged(found).table:
        assert (line.alarms.k, line.alarms.n, line.found.k, line.found.n) == (3, 24, 4, 4)
    # Clopper and Pearson: at the ends, 3 or more (or fewer) of 24 come about with 2.5 %; of 4 of 4, 0.025 ** (1 / 4).
    (share,) = {line.alarms for line in Judged(found).table}
    assert (share.low, share.high) == pytest.approx((0.0266, 0.3236), abs=1e-4)
    assert Judged(found).table[USUAL].found.low == pytest.approx(0.025**0.25)
    assert Judged(found).table[USUAL].found.high == 1
    facts = Judged(found).facts
    assert facts.shorter.ratio == pytest.approx(32 / 31)


def test_a_slower_one_is_not_found():
    lines = Judged(made(lambda name, count: [1000.0 + 50 * (name == "shorter") + n for n in range(count)], 2)).table
    assert [line.found.k for line in lines] == [0] * 5
    assert [line.alarms.k for line in lines] == [0] * 5


def test_only_intervals_have_a_width_and_more_comparisons_make_it_wider(quiet):
    widths = [line.width for line in Judged(quiet).table]
    assert widths[:2] == [None, None]
    assert 0 < widths[ALONE] < widths[TOGETHER] == widths[REPORTED] < 0.01


def test_too_few_blocks_give_no_interval_and_no_alarm():
    lines = Judged(made(noisy(drift=0), experiments=2, blocks=5)).table
    assert [(line.alarms.k, line.width) for line in lines[ALONE:]] == [(0, None)] * 3


def test_the_same_self_check_gives_the_same_text(quiet, tmp_path):
    text = self_check_view.section(quiet)
    assert text == self_check_view.section(store.load_self_check(store.save(quiet, tmp_path / "self-check.json.xz")))
    assert len(re.findall(r"^\| (?:one after|fixed blocks)", text, re.MULTILINE)) == 5
    assert MACHINE.cpu in text
    assert "gcc 12 -O3" in text
    assert "0123456789ab" in text


def test_one_page_in_80_columns(quiet, tmp_path):
    with (tmp_path / "page").open("w") as page:
        self_check_view.show(quiet, Console(width=80, file=page))
    text = (tmp_path / "page").read_text()
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "0 of 120" in text


def test_the_committed_self_check_is_what_the_documentation_shows():
    path = ROOT / "docs" / "method.md"
    text = path.read_text("utf-8")
    _, shown, _ = between(text, store.SELF_CHECK, path)
    committed = store.newest_first(store.SELF_CHECK, store.load_self_check)
    if committed:
        assert shown == self_check_view.section(committed[0]).rstrip() + "\n"
        assert between(text, "self-check-answer", path)[1] == self_check_view.answer(committed[0]) + "\n"
    else:
        assert shown == "not measured yet\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "`make self-check` writes one to reports/local"),
        ('{"format": "perf-ladders self-check", ', "damaged or truncated"),
        ('{"format": "perf-ladders measurement", "version": 3}', "not a perf-ladders self-check"),
        ('{"format": "perf-ladders self-check", "version": 99}', "version 99"),
        ('{"format": "perf-ladders self-check", "version": 3}', "not a valid perf-ladders self-check"),
    ],
)
def test_foreign_and_damaged_files_get_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "self-check.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=sentence) as caught:
        store.load_self_check(path)
    assert "\n" not in str(caught.value)


@pytest.fixture
def started(tmp_path, monkeypatch):
    """A build whose programs are never started, and what would have been."""
    programs = []
    for name in SELF_CHECK_WORK:
        path = tmp_path / name
        path.write_text(name)
        about = ("self-check", "self-check", f"self-check-{name}", "novec", "gcc", False)
        programs.append(Program(*about, path, path, [], path))
    compiler = built.Compiler("gcc", "12", "g++", "-O3")
    build = Build("gcc", compiler, "Release", "1.7", {"novec": ""}, {}, None, [], [], programs)
    calls, trials = [], []
    times = noisy(drift=0)

    def bench(runner, padding, part, plan):
        name = runner.id.split(".")[0]
        calls.append((name, plan.repetitions))
        return Run(program=runner.id, padding=padding, switches=0, times_ns={"chain": times(name, plan.repetitions)})

    monkeypatch.setattr(alone, "LOCKS", tmp_path)
    monkeypatch.setattr(checking, "check", lambda programs, folder, console: [])

    def speed_of(runner):
        return 320 / SELF_CHECK_WORK[runner.id.split(".")[0]][1]

    def pair(base, stage, workloads, slice_ms, cpu, generator):
        trials.append((base.id, stage.id, *workloads))
        return [PairTimes(name, [1 / speed_of(base)], [1 / speed_of(stage)]) for name in workloads]

    @contextlib.contextmanager
    def neighbour_on(cpu):
        trials.append("neighbour")
        yield

    monkeypatch.setattr(pairs, "measured", pair)
    monkeypatch.setattr(pairs, "alone", lambda runner, name, slice_ms, cpu, generator: [1.0])
    monkeypatch.setattr(pairs, "slices_for", lambda runner, names, cpu, generator: dict.fromkeys(names, 1.0))
    monkeypatch.setattr(noisy_neighbour, "noisy", neighbour_on)
    monkeypatch.setattr(session, "bench", bench)
    monkeypatch.setattr(identity, "describe", lambda: MACHINE)
    monkeypatch.setattr(speed, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(speed, "operations_per_ns", lambda build, cpu: 12.0)
    monkeypatch.setattr(speed, "rates", lambda build, cpu: {})
    return build, calls, tmp_path / "reports" / "self-check", trials


COUNTS = self_check.Counts(identical=6, moved=3, different=2, hardly=1, blocks=1, biases=2)


def run(started):
    build, _, stem, _ = started
    return self_check.run(build, COUNTS, stem, Console(quiet=True))


def test_a_run_is_blocks_and_then_the_usual_way_for_each_experiment(started):
    _, calls, stem, _ = started
    found, kept = run(started)
    assert store.load_self_check(store.save(found, stem.with_suffix(".json.xz"))) == found
    assert [one.noisy for one in found.experiments] == [False, True]
    assert Judged(found).table[REPORTED].alarms.n == Judged(found, noisy=True).table[REPORTED].alarms.n == 6
    one = calls[: 20 * 6 + 5]
    assert len(calls) == 2 * len(one)
    assert sorted(one[:120]) == sorted([(name, 5) for name in [*IN_BLOCKS, "same-0-again"]] * 20)
    assert sorted(one[120:]) == sorted((name, 20) for name in IN_BLOCKS)
    assert kept.path.exists()


def test_stopped_it_goes_on_from_there(started, monkeypatch):
    _, calls, _, _ = started
    counting = session.bench

    def stopping(*arguments):
        if len(calls) == 130:
            raise KeyboardInterrupt
        return counting(*arguments)

    monkeypatch.setattr(session, "bench", stopping)
    with pytest.raises(UserError, match="goes on from there"):
        run(started)
    monkeypatch.setattr(session, "bench", counting)
    found, _ = run(started)
    assert len(found.experiments) == 2
    assert len(calls) == 2 * 125 + 5  # five processes of the second experiment began anew
    again, _ = run(started)
    assert again == found


def test_a_wrong_program_is_not_measured(started, monkeypatch):
    monkeypatch.setattr(checking, "check", lambda programs, folder, console: [(programs[0], "It is wrong.")])
    with pytest.raises(UserError, match="It is wrong"):
        run(started)


def output(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def test_the_programs_check_their_own_results(build):
    assert [program.name for program in build.self_check] == [f"self-check-{name}" for name in SELF_CHECK_WORK]
    for program in build.self_check:
        output(program.path, "check")
        output(program.path, "bench", "--benchmark_min_time=0.001")


def test_identical_programs_differ_in_the_address_of_their_kernel_only(build):
    if build.preset.startswith("sanitize"):
        pytest.skip("sanitized programs are not measured")
    addresses, code = {}, {}
    for program in build.self_check:
        symbols, text = (
            output(*tool, program.path) for tool in (("nm", "--demangle"), ("objdump", "-d", "--demangle"))
        )
        for kernel in ("chain", "buffers", "texts"):
            (line,) = (line for line in symbols.splitlines() if re.search(rf"self_check::{kernel}\b(?!.*cold)", line))
            body = re.search(rf"<self_check::{kernel}\b[^\n]*\)>:\n((?:.+\n)+)", text)[1]
            name = program.name.removeprefix("self-check-")
            addresses[name, kernel] = int(line.split()[0], 16)
            # Without what is called, for that lies elsewhere.
            words = (line.split("\t") for line in body.splitlines())
            code[name, kernel] = [word[2].split("<")[0].split("#")[0].split()[:1] for word in words if len(word) > 2]
    same = [name for name in SELF_CHECK_WORK if name.startswith("same")]
    for kernel in ("chain", "buffers", "texts"):
        assert len({addresses[name, kernel] % 64 for name in same}) == 4
        assert all(code[name, kernel] == code[same[0], kernel] for name in SELF_CHECK_WORK)


@pytest.fixture
def tried(started):
    found, _ = run(started)
    return found, started[3]


def test_identical_programs_go_on_to_the_cap_and_others_until_they_are_decided(tried):
    found, trials = tried
    assert trials.count("neighbour") == 1
    rounds = {(one.base, one.stage): len(one.d) for one in found.trials}
    assert (
        rounds["same-0.novec.gcc", "same-0.novec.gcc"]
        == rounds["same-0.novec.gcc", "same-1.novec.gcc"]
        == sequential.CAP
    )
    assert rounds["same-0.novec.gcc", "less-29.novec.gcc"] == 12
    assert len(found.trials) == 2 * 3 * (6 + 3 + 2 * 1 + 3 * 2), "quiet and noisy, three kernels, pairs and differences"


def test_what_follows_from_the_trials(tried):
    found, _ = tried
    every = self_check_pairs.lines(found)
    lines = {(one.noisy, one.workload, round(one.ratio, 3)): one for one in every if not one.moved}
    assert {one.wrong.n for one in every if one.moved} == {3}
    identical, tenth, hardly = (lines[False, "chain", ratio] for ratio in (1.0, 1.1, 1.009))
    assert (identical.wrong.k, identical.wrong.n, identical.same.k, identical.found) == (0, 6, 6, None)
    assert (tenth.found.k, tenth.found.n, tenth.soon.k, tenth.rounds) == (2, 2, 2, 12)
    assert (hardly.found.k, hardly.same.k, hardly.wrong.k) == (0, 1, 0)
    (bias, *_) = self_check_pairs.biases(found)
    assert (bias.workload, bias.ratio) == ("chain", 1.0)


def test_a_wrong_verdict_is_counted(tried):
    found, _ = tried
    for one in found.trials:
        if one.workload == "chain":
            one.d = [-0.1] * 12
    lines = [one for one in self_check_pairs.lines(found) if one.workload == "chain"]
    assert all(one.wrong.k == one.wrong.n for one in lines)
    assert all(one.found is None or one.found.k == 0 for one in lines)


def test_a_wrong_verdict_stays_wrong_whatever_later_rounds_say(tried):
    """A measurement would have stopped there."""
    found, _ = tried
    for one in found.trials:
        if one.workload == "chain":
            one.d = [-0.1] * 12 + [0.0] * 48
    assert all(one.wrong.k == one.wrong.n for one in self_check_pairs.lines(found) if one.workload == "chain")


def test_the_tables_of_trials_are_shown(tried):
    assert self_check_view.answer(tried[0]).startswith("A program was called different from itself in 0 of 36 trials. ")
    text = self_check_view.section(tried[0])
    assert "| chain | no | itself | 0 of 6: 0.0% [0.0, 45.9] | - |" in text
    assert "| texts | yes | 1.1x |" in text
    assert "Slices: chain 1 ms, buffers 1 ms, texts 1 ms." in text


def test_trials_are_of_programs_that_are_there(tried, tmp_path):
    found, _ = tried
    found.trials[0].stage = "nobody.novec.gcc"
    with pytest.raises(UserError, match=r"trials: same-0\.novec\.gcc and nobody\.novec\.gcc are not both in"):
        store.load_self_check(store.save(found, tmp_path / "self-check.json.xz"))


def test_a_neighbour_works_while_it_is_there_and_no_longer(tmp_path):
    (cpu, *_) = topology.allowed_cpus()
    with noisy_neighbour.noisy(cpu):
        begun = multiprocessing.active_children()
        assert begun
    assert not [one for one in begun if one.is_alive()]


def test_a_neighbour_ends_with_the_process_that_began_it():
    (cpu, *_) = topology.allowed_cpus()
    no_process = -1
    orphan = multiprocessing.get_context("fork").Process(target=noisy_neighbour._disturb, args=(cpu, no_process))
    orphan.start()
    try:
        orphan.join(5)
        assert orphan.exitcode == 0
    finally:
        orphan.kill()


def test_only_quiet_experiments_can_be_judged(quiet, tmp_path):
    found = msgspec.json.decode(msgspec.json.encode(quiet), type=SelfCheck)
    for one in found.experiments:
        one.noisy = True
    with pytest.raises(UserError, match="experiments: there is none without noise"):
        store.load_self_check(store.save(found, tmp_path / "self-check.json"))
