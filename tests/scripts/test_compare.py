"""`ladders compare`: rounds, verdicts and exit codes, on programs that only pretend to take time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from perf_ladders import cli
from perf_ladders.commands import compare
from perf_ladders.errors import UserError
from perf_ladders.measure import commands, pairs
from perf_ladders.measure.commands import GoogleBenchmark, Whole
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.model.measurement import Workload
from perf_ladders.sequential import decide
from perf_ladders.tree import paths
from perf_ladders.tree.build import Build, Compiler, Program

TRUE = "true"


@pytest.fixture
def seconds(monkeypatch, tmp_path):
    """Sets what each program takes; the clock of the rounds goes on by it."""
    taken = {"a": 0.3, "b": 0.3}
    now = [0.0]

    def run(command):
        now[0] += taken[command[0]]
        return taken[command[0]]

    monkeypatch.setattr(commands, "_seconds", run)
    monkeypatch.setattr(commands.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(compare, "_pin", lambda cpus: None)
    monkeypatch.setattr("perf_ladders.machine.alone.LOCKS", tmp_path)
    return taken


def told(capsys, *words):
    code = cli.main(["compare", *words, "--", "a", "--", "b"])
    return code, capsys.readouterr()


def test_a_faster_program_is_called_faster(seconds, capsys):
    seconds["b"] = 0.2
    code, said = told(capsys)
    assert code == 0
    assert said.out.startswith("b is 1.500x [1.500, 1.500] as fast as a: faster, 12 rounds")


@pytest.mark.parametrize(
    ("b", "words"),
    [
        (0.297, "faster, by under 2 %"),
        (0.3, "no difference over 2 %"),
        (0.304, "slower, by under 2 %"),
        (0.4, "slower"),
    ],
)
def test_verdicts_are_told_in_words(seconds, capsys, b, words):
    seconds["b"] = b - 0.002 if b == 0.297 else b
    assert f"as fast as a: {words}, " in told(capsys)[1].out


@pytest.mark.parametrize(
    ("b", "words", "code"),
    [
        (0.3, ["--expect-same"], 0),
        (0.295, ["--expect-same"], 0),  # faster, by under 2 %
        (0.304, ["--expect-same"], 0),
        (0.4, ["--expect-same"], 1),
        (0.3, ["--max-slowdown", "2%"], 0),
        (0.2, ["--max-slowdown", "0.02"], 0),
        (0.4, ["--max-slowdown", "2%"], 1),
        (0.3, ["--max-slowdown", "2%", "--rounds", "3"], 3),
        (0.3, ["--expect-same", "--rounds", "11"], 3),
        (0.2, ["--max-slowdown", "2%", "--rounds", "11"], 3),
        (0.4, [], 0),
    ],
)
def test_a_script_reads_the_exit_code(seconds, capsys, b, words, code):
    seconds["b"] = b
    assert told(capsys, *words)[0] == code


def test_so_few_rounds_still_span_5_seconds(seconds, capsys):
    seconds.update(a=0.06, b=0.05)
    rounds = json.loads(told(capsys, "--rounds", "3", "--json")[1].out)[0]["rounds"]
    assert rounds == 8  # in each, six runs of both: 0.66 s


def test_a_command_has_all_variables_of_its_caller(monkeypatch):
    monkeypatch.setenv("BENCHMARK_DATA", "here")
    assert commands._seconds(["sh", "-c", '[ "$BENCHMARK_DATA" = here ]']) > 0


def test_a_command_does_not_outlive_a_signal(monkeypatch):
    begun = []
    wait = subprocess.Popen.wait

    def interrupted(process, *args, **kwargs):
        if not begun:
            begun.append(process)
            raise KeyboardInterrupt
        return wait(process, *args, **kwargs)

    monkeypatch.setattr(subprocess.Popen, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        commands._seconds(["sleep", "60"])
    assert begun[0].returncode == -9


def test_what_a_command_started_does_not_outlive_a_signal(stopping, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(compare, "_pin", lambda cpus: None)
    monkeypatch.setattr("perf_ladders.machine.alone.LOCKS", tmp_path)
    assert cli.main(["compare", "--", "sh", "-c", stopping, "--", "sh", "-c", stopping]) == 2
    assert capsys.readouterr().err == "Stopped.\n"


def test_json_holds_every_round(seconds, capsys):
    seconds["b"] = 0.15
    code, said = told(capsys, "--json")
    (found,) = json.loads(said.out)
    assert (code, found["verdict"], found["rounds"], len(found["values"])) == (0, "faster", 12, 12)
    assert found["ratio"] == pytest.approx(2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["a"], "Name two commands"),
        (["--", "a", "--"], "One of the two commands is empty"),
        (["--", "a", "--", "b", "--", "c"], "Name two commands"),
        (["--max-slowdown", "much", "--", "a", "--", "b"], "takes a share such as 2% or 0.02, not 'much'"),
        (["--expect-same", "--max-slowdown", "2%", "--", "a", "--", "b"], "not both"),
        (["--prepare", "sync", "--google-benchmark", ".", "--", "a", "--", "b"], "--prepare runs before each whole"),
        (["--cpus", "4096", "--", "a", "--", "b"], "CPUs to use, not 4096"),
    ],
)
def test_bad_input_gets_one_sentence(capsys, words, sentence):
    assert cli.main(["compare", *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["/no/such/program"], "There is no program '/no/such/program'"),
        ([sys.executable, "-c", "import sys; sys.exit('out of tea')"], r"ended with exit code 1. It says: out of tea"),
        ([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], "was ended by SIGKILL"),
    ],
)
def test_a_program_that_fails_is_named(command, sentence):
    with pytest.raises(UserError, match=sentence):
        Whole(([TRUE], command)).round(np.random.default_rng(1))


def test_a_command_that_prepares_may_leave_something_in_the_background(tmp_path):
    left = tmp_path / "left"
    begin = time.monotonic()
    Whole(([TRUE], [TRUE]), prepare=f"sleep 60 & echo $! > {left}")._prepare()
    os.kill(int(left.read_text()), signal.SIGKILL)
    assert time.monotonic() - begin < 50, "it was waited for"


def test_a_command_that_prepares_must_succeed():
    with pytest.raises(UserError, match="--prepare: `exit 3` ended with exit code 3"):
        Whole(([TRUE], [TRUE]), prepare="exit 3").round(np.random.default_rng(1))


def test_neither_side_goes_first_always():
    generator = np.random.default_rng(1)
    assert {pairs.quad(generator) for _ in range(20)} == {(0, 1, 1, 0), (1, 0, 0, 1)}


BENCHMARK = """#!/bin/sh
for word; do case $word in --benchmark_out=*) out=${word#*=};; esac; done
cat > $out <<END
{"benchmarks": [%s]}
END
"""


def benchmark(folder, name, **times):
    entries = [
        f'{{"run_name": "{name}", "run_type": "iteration", "real_time": {time}, "time_unit": "us"}},'
        f'{{"run_name": "{name}", "run_type": "iteration", "real_time": {2 * time}, "time_unit": "us"}}'
        for name, time in times.items()
    ]
    path = folder / name
    path.write_text(BENCHMARK % ", ".join(entries))
    path.chmod(0o755)
    return [str(path)]


def test_benchmarks_in_common_are_compared_by_their_minimum(tmp_path):
    pair = GoogleBenchmark((benchmark(tmp_path, "a", sort=4, find=3), benchmark(tmp_path, "b", sort=2, copy=1)), ".")
    assert pair.round(np.random.default_rng(1)) == {"sort": (pytest.approx(4e-6), pytest.approx(2e-6))}


def test_programs_without_a_benchmark_in_common(tmp_path):
    pair = GoogleBenchmark((benchmark(tmp_path, "a", sort=4), benchmark(tmp_path, "b", copy=1)), "x")
    with pytest.raises(UserError, match="no benchmark in common that matches 'x'"):
        pair.round(np.random.default_rng(1))


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("", "no benchmark in common that matches '.'. Are both Google Benchmark programs"),
        ("no times", "wrote no times: is it a Google Benchmark program"),
        ('{"rates": []}', "wrote no times: is it a Google Benchmark program"),
        (
            '{"benchmarks": [{"run_name": "x", "error_occurred": true, "error_message": "no file"}]}',
            "a, x: no file",
        ),
        ('{"benchmarks": [{"run_name": "x", "run_type": "iteration", "real_time": 0}]}', "x: its time is 0, and only"),
        ('{"benchmarks": [{"run_name": "x", "run_type": "iteration", "real_time": NaN}]}', "its time is nan, and only"),
    ],
)
def test_what_is_no_time_of_a_benchmark_gets_one_sentence(tmp_path, said, sentence):
    path = tmp_path / "a"
    path.write_text(BENCHMARK.replace('{"benchmarks": [%s]}', said))
    path.chmod(0o755)
    with pytest.raises(UserError, match=sentence):
        GoogleBenchmark(([str(path)], [str(path)]), ".").round(np.random.default_rng(1))


def test_statistics_of_repetitions_are_no_times(tmp_path):
    """Their coefficient of variation is NaN where a counter is 0."""
    more = '{"run_name": "sort", "run_type": "aggregate", "real_time": NaN}, '
    sides = benchmark(tmp_path, "a", sort=4), benchmark(tmp_path, "b", sort=2)
    path = tmp_path / "a"
    path.write_text(path.read_text().replace('"benchmarks": [', f'"benchmarks": [{more}'))
    assert GoogleBenchmark(sides, ".").round(np.random.default_rng(1)) == {
        "sort": (pytest.approx(4e-6), pytest.approx(2e-6))
    }


def test_an_open_interval_is_told_as_such():
    said = compare.sentence(decide([0.001, -0.001]), ("a", "b"))
    assert said == "b is 1.000x [too few rounds] as fast as a: ~ undecided, 2 rounds"


@pytest.fixture
def stages(seconds, monkeypatch, tmp_path):
    """Two stages of XTEA at two levels; nothing is built, and the second takes two thirds of the time."""

    def program(name, level):
        path = tmp_path / f"{name}.{level}"
        folder = paths.STAGES / "xtea" / ("00-reference" if name == "xtea-00" else "02-transform")
        return Program("xtea", "stage", name, level, "gcc", False, path, path, [], folder / "stage.cpp")

    asked = []

    def pair(base, stage, workloads, slice_ms, cpu, generator):
        asked.append((base.id, stage.id, slice_ms))
        now[0] += 1.0
        return [PairTimes(name, [3.0], [2.0]) for name in workloads]

    now = [0.0]
    monkeypatch.setattr(commands.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(compare.build, "set_up", lambda presets, environment: None)
    monkeypatch.setattr(compare.build, "build_targets", lambda preset, targets: None)
    monkeypatch.setattr(
        compare, "optimised", lambda preset: Build(preset, Compiler("gcc"), "", "", {}, {}, None, [], [])
    )
    monkeypatch.setattr(
        compare,
        "programs_of",
        lambda stage, builds, levels: [program(stage.name, one) for one in levels or ["x86-64", "x86-64-v3"]],
    )
    monkeypatch.setattr(compare, "check", lambda programs, folder, console: [])
    monkeypatch.setattr(compare, "workloads_of", lambda program: [Workload(name="message", role="main", bytes=8)])
    monkeypatch.setattr(commands.pairs, "slices_for", lambda runner, names, cpu, generator: dict.fromkeys(names, 5.0))
    monkeypatch.setattr(commands.pairs, "measured", pair)
    return asked


def test_a_stage_that_is_wrong_is_no_difference(stages, monkeypatch, capsys):
    monkeypatch.setattr(compare, "check", lambda programs, folder, console: [(programs[0], "xtea-00 is wrong")])
    assert cli.main(["compare", "--expect-same", "xtea-00", "xtea-02"]) == 2
    assert "xtea-00 is wrong" in capsys.readouterr().err


def test_a_stage_that_is_wrong_while_it_is_timed_is_no_difference(stages, monkeypatch, capsys):
    def wrong(*_):
        raise UserError("xtea-00 gave a wrong answer", code=1)

    monkeypatch.setattr(commands.pairs, "measured", wrong)
    assert cli.main(["compare", "--expect-same", "xtea-00", "xtea-02"]) == 2
    assert "xtea-00 gave a wrong answer" in capsys.readouterr().err


def test_a_stage_that_does_not_start_is_no_difference(stages, monkeypatch):
    def broken(*_):
        raise UserError("xtea-00 ended with exit code 127 when it was asked for its workloads.", code=1)

    monkeypatch.setattr(compare, "programs_of", broken)
    assert cli.main(["compare", "--expect-same", "xtea-00", "xtea-02"]) == 2


def test_two_stages_are_compared_at_the_highest_level_at_which_both_run(stages, capsys):
    assert cli.main(["compare", "xtea-00", "xtea-02"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("message: xtea-02 is 1.500x [1.500, 1.500] as fast as xtea-00: faster, 12 rounds")
    assert {*(one[:2] for one in stages)} == {("reference.x86-64-v3.gcc", "transform.x86-64-v3.gcc")}
    assert stages[0][2] == {"message": 5.0}
    assert cli.main(["compare", "xtea-00", "xtea-02", "--level", "x86-64"]) == 0
    assert stages[-1][0] == "reference.x86-64.gcc"
    assert cli.main(["compare", "xtea-reference", "xtea-transform"]) == 0, "by their slugs"
    assert stages[-1][:2] == stages[0][:2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["xtea-00", "sha3-02"], "are of two cases"),
        (["xtea-00", "xtea-02", "--cpus", "1"], "are for commands: leave them out with two stages"),
        (["xtea-00", "xtea-99"], "There is no stage 'xtea-99'"),
        (["xtea-00"], "or two stages: xtea-06 xtea-07"),
        (["./a", "./b"], "or two stages: xtea-06 xtea-07"),
        (["--level", "x86-64", "--", "a", "--", "b"], "leave it out with commands"),
    ],
)
def test_what_goes_with_stages_and_what_does_not(stages, capsys, words, said):
    assert cli.main(["compare", *words]) == 2
    assert said in capsys.readouterr().err
