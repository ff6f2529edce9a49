"""A measurement in the formats of other tools, read back: every value is the one that the file holds."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from measurement_sample import SMALL, analysed, paired, small

from perf_ladders import cli
from perf_ladders.commands import grammar
from perf_ladders.errors import UserError
from perf_ladders.evidence import call_stacks, instructions
from perf_ladders.pages import exchange
from perf_ladders.results import store

COMPARE = Path("/usr/share/benchmark/compare.py")  # of Debian's libbenchmark-tools
NAMES = sorted(SMALL)


def of_kind(kind):
    return analysed(small() if kind == "blocks" else paired(SMALL))


each_kind = pytest.mark.parametrize("kind", ["blocks", "pairs"])


def kept(analysis):
    """How often the file holds each value: the least time of each process, by program and workload."""
    measured, name = analysis.measurement, analysis.name
    found = Counter()
    for block in measured.blocks:
        for run in block.runs:
            found.update((name[run.program], workload, min(times)) for workload, times in run.times_ns.items())
    for pair in measured.pairs:
        found[name[pair.base], pair.workload, pair.base_ns] += 1
        found[name[pair.stage], pair.workload, pair.stage_ns] += 1
    return found


# --- CSV ---


@each_kind
def test_csv_holds_every_value(kind):
    analysis = of_kind(kind)
    lines = list(csv.DictReader(io.StringIO(exchange.to_csv(analysis))))
    assert Counter((one["program"], one["workload"], float(one["ns"])) for one in lines) == kept(analysis)
    first = lines[0]
    assert (first["case"], first["level"], first["compiler"], first["quantity"]) == ("xtea", "x86-64", "gcc", "time")
    sizes = {workload.name: str(workload.bytes) for workload in analysis.workloads}
    assert all(one["bytes"] == sizes[one["workload"]] for one in lines)


def test_csv_keeps_pairs_together():
    """From it alone the ratios of each round follow."""
    analysis = of_kind("pairs")
    lines = list(csv.DictReader(io.StringIO(exchange.to_csv(analysis))))
    ns = {(one["program"], one["beside"], int(one["round"])): float(one["ns"]) for one in lines}
    found = [ns["xtea-00", "xtea-04", number] / ns["xtea-04", "xtea-00", number] for number in range(20)]
    ids = [program.id for name in ("xtea-00", "xtea-04") if (program := analysis.at(name, ("x86-64", "gcc")))]
    assert found == pytest.approx(analysis.times.ratios(*ids, "message"))


def test_a_text_that_csv_must_quote_comes_back():
    changed = small()
    changed.workloads[0].name = changed.design.parts[0].workloads[0] = 'a "message", or two'
    for block in changed.blocks:
        for run in block.runs:
            if "message" in run.times_ns:
                run.times_ns['a "message", or two'] = run.times_ns.pop("message")
    lines = list(csv.DictReader(io.StringIO(exchange.to_csv(analysed(changed)))))
    assert {one["workload"] for one in lines} == {'a "message", or two', "sweep/8"}


# --- Google Benchmark ---


@each_kind
def test_google_benchmarks_json_holds_every_value(kind):
    analysis = of_kind(kind)
    found = json.loads(exchange.to_google_benchmark(analysis))
    assert found["context"]["case"] == "xtea"
    assert "host_name" not in found["context"]
    read = Counter()
    for one in found["benchmarks"]:
        program, level, compiler, workload = one["name"].split("/", 3)
        assert (level, compiler, one["time_unit"]) == ("x86-64", "gcc", "ns")
        assert one["real_time"] == one["cpu_time"]
        read[program, workload, one["real_time"]] += 1
    assert read == kept(analysis)
    for name in {one["name"] for one in found["benchmarks"]}:
        mine = [one for one in found["benchmarks"] if one["name"] == name]
        assert [one["repetition_index"] for one in mine] == list(range(mine[0]["repetitions"]))


@pytest.mark.skipif(not COMPARE.exists(), reason="libbenchmark-tools is not installed")
@each_kind
def test_googles_compare_reads_its_json(tmp_path, kind):
    """Two programs of one file: by the filters that it takes the place of. By pairs, the first was timed more often."""
    path = tmp_path / "xtea.json"
    path.write_text(exchange.to_google_benchmark(of_kind(kind)))
    filters = ["xtea-00/x86-64/gcc/message", "xtea-04/x86-64/gcc/message"]
    command = [sys.executable, COMPARE, "--no-color", "-d", tmp_path / "diff.json", "filters", path, *filters]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = [one for one in json.loads((tmp_path / "diff.json").read_text()) if one["run_type"] == "iteration"]
    lines = json.loads(path.read_text())["benchmarks"]
    before, after = ([one["real_time"] for one in lines if one["name"] == name] for name in filters)
    assert (len(before) == len(after)) == (kind == "blocks")
    read = [(one["real_time"], one["real_time_other"]) for one in found["measurements"]]
    assert read == list(zip(before, after, strict=False))
    assert found["utest"]["nr_of_repetitions"] == len(before)


# --- benchstat ---


def read_benchfmt(text):
    """The rules of golang.org/x/perf/benchfmt, without what it forgives: configuration, and (name, times) of lines."""
    configuration, found = {}, []
    for line in text.splitlines():
        if line.startswith("Benchmark"):
            name, iterations, *rest = line.split()
            assert re.fullmatch(r"Benchmark([A-Z/]\S*)?", name), name
            assert int(iterations) > 0
            assert rest
            assert len(rest) % 2 == 0, line
            found.append((name.removeprefix("Benchmark"), dict(zip(rest[1::2], map(float, rest[::2]), strict=True))))
        else:
            match = re.fullmatch(r"([a-z][^\sA-Z:]*):(?:[ \t]+(\S.*)?)?", line)
            assert match, line
            configuration[match[1]] = match[2]
    return configuration, found


@each_kind
def test_gos_format_holds_every_value(kind):
    analysis = of_kind(kind)
    text = exchange.to_benchstat(analysis)
    configuration, lines = read_benchfmt(text)
    assert configuration["case"] == "xtea"
    assert configuration["cpu"]
    read = Counter()
    for name, values in lines:
        assert not re.search(r"-\d+$", name), "benchstat would take it for a number of CPUs"
        parts = dict(part.split("=") for part in name.removeprefix("/").split("/"))
        assert (parts["level"], parts["compiler"], list(values)) == ("x86-64", "gcc", ["ns/op"])
        read[parts["program"], parts["workload"].replace(":", "/"), values["ns/op"]] += 1
    assert read == kept(analysis)


@pytest.mark.skipif(not shutil.which("benchstat"), reason="benchstat is not installed")
@each_kind
def test_benchstat_compares_two_programs_of_a_file(tmp_path, kind):
    path = tmp_path / "xtea.txt"
    path.write_text(exchange.to_benchstat(of_kind(kind)))
    words = ["-format", "csv", "-filter", "/workload:message /program:(xtea-00 OR xtea-04)", "-col", "/program"]
    done = subprocess.run(["benchstat", *words, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^,xtea-00,,xtea-04,*$", done.stdout, re.MULTILINE)  # newer versions end lines in commas
    (row,) = re.findall(r"^.*/level=x86-64.*$", done.stdout, re.MULTILINE)
    _, lines = read_benchfmt(path.read_text())
    for column, program in ((1, "xtea-00"), (3, "xtea-04")):
        wanted = (f"/program={program}/", "/workload=message")
        times = [values["ns/op"] for name, values in lines if all(word in f"{name}/" for word in wanted)]
        assert float(row.split(",")[column]) == pytest.approx(statistics.median(times) / 1e9)


# --- Profiles ---

# main calls split, which calls mix, and mix itself; mix calls itself.
CALLGRIND = """events: Ir
ob=xtea-04
fn=main
0x10 1 10
cfn=split
calls=1 0x20 5
0x12 2 130
cfn=mix
calls=1 0x30 9
0x14 3 50

fn=split
0x20 5 30
cfn=mix
calls=2 0x30 9
0x22 6 100

fn=mix
0x30 9 150
cfn=mix
calls=1 0x30 9
0x32 9 20
totals: 190
"""
STACKS = {("main",): 10, ("main", "mix"): 50, ("main", "split"): 30, ("main", "split", "mix"): 100}


def test_stacks_hold_the_instructions_of_the_file():
    assert call_stacks.stacks(CALLGRIND.splitlines()) == STACKS


def test_a_shared_function_is_divided_by_what_its_calls_cost():
    """`mix` calls `rotate`: a third of it for main, two thirds for split."""
    inner = "cfn=rotate\ncalls=9 0x40 12\n0x34 9 90\nfn=rotate\n0x40 12 90\ntotals: 190"
    text = CALLGRIND.replace("0x30 9 150", "0x30 9 60").replace("totals: 190", inner)
    found = call_stacks.stacks(text.splitlines())
    assert found["main", "mix", "rotate"] == 30
    assert found["main", "split", "mix", "rotate"] == 60
    assert sum(found.values()) == 190


def test_functions_that_call_each_other_are_one_frame():
    """As start and main below, of which start has two instances: what it costs must not count twice."""
    lines = ["fn=start", "cfn=libc", "calls=1 0x1 1", "0x1 1 7", "cfn=main", "calls=1 0x2 1", "0x1 1 7"]
    lines += ["fn=libc", "cfn=start", "calls=1 0x1 1", "0x1 1 7", "fn=main", "0x2 1 7", "totals: 7"]
    assert call_stacks.stacks(lines) == {("libc / start", "main"): 7}


def test_collapsed_stacks_are_a_line_each():
    text = exchange.to_collapsed({("a", "b;c"): 3, ("a",): 1}, "xtea-04")
    assert text == "a;b:c 3\na 1\n"


def test_speedscopes_json_holds_the_stacks():
    found = json.loads(exchange.to_speedscope(STACKS, "xtea-04"))
    assert found["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    (profile,) = found["profiles"]
    names = [frame["name"] for frame in found["shared"]["frames"]]
    read = [tuple(names[number] for number in sample) for sample in profile["samples"]]
    assert dict(zip(read, profile["weights"], strict=True)) == STACKS
    assert (profile["type"], profile["unit"], profile["startValue"], profile["endValue"]) == ("sampled", "none", 0, 190)


def chain(length, cost):
    """Each function calls the next, and the last one works."""
    calls = [f"fn=f{place}\ncfn=f{place + 1}\ncalls=1 0x1 1\n0x1 1 {cost}\n" for place in range(length)]
    return "".join([*calls, f"fn=f{length}\n0x1 1 {cost}\ntotals: {cost}\n"])


def test_a_profile_beyond_all_bounds_is_refused(tmp_path):
    path = tmp_path / "callgrind.out"
    path.write_text(chain(3, 7))
    assert call_stacks.read_stacks(path) == {("f0", "f1", "f2", "f3"): 7}
    for text in (chain(1_100, 7), chain(3, 10**400), chain(3, -7), "totals:\n"):
        path.write_text(text)
        with pytest.raises(UserError, match="is no file of callgrind"):
            call_stacks.read_stacks(path)


def test_a_profile_with_too_many_stacks_is_refused(tmp_path):
    """Two ways from each of 60 levels to the next: 2^60 stacks."""

    def level(number, cost=2**70):
        ways = "".join(f"cfn={way}{number}\ncalls=1 0x1 1\n0x1 1 {cost}\n" for way in "ab")
        ends = (f"fn={way}{number}\ncfn=f{number + 1}\ncalls=1 0x1 1\n0x1 1 {cost}\n" for way in "ab")
        return f"fn=f{number}\n{ways}{''.join(ends)}"

    path = tmp_path / "callgrind.out"
    path.write_text("".join([*map(level, range(60)), "fn=f60\n0x1 1 1\ntotals: 1\n"]))
    with pytest.raises(UserError, match="it has over 100,000 call stacks"):
        call_stacks.read_stacks(path)


@pytest.mark.skipif(not shutil.which("valgrind"), reason="Valgrind is not installed")
def test_a_real_profile_keeps_its_total(tmp_path, capsys):
    path = tmp_path / "callgrind.out"
    lines = instructions.callgrind(["true"], [], keep=path)
    total = next(int(line.split()[1]) for line in lines if line.startswith("totals:"))
    assert cli.main(["export", str(path), "--format", "collapsed"]) == 0
    costs = [int(line.rpartition(" ")[2]) for line in capsys.readouterr().out.splitlines()]
    assert sum(costs) == pytest.approx(total, abs=len(costs))


def test_a_measurement_is_no_profile(tmp_path, capsys):
    path = store.save(small(), tmp_path / "xtea.json.xz")
    assert cli.main(["export", str(path), "--format", "speedscope"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "is no file of callgrind that `make profile xtea-04` keeps" in told.err
    assert cli.main(["export", str(tmp_path / "none"), "--format", "speedscope"]) == 2
    assert capsys.readouterr().err.startswith("There is no ")


# --- The command ---


def test_the_command_prints_each_format(tmp_path, capsys):
    path = store.save(small(), tmp_path / "xtea.json.xz")
    for name, made in exchange.FORMATS.items():
        assert cli.main(["export", str(path), "--format", name]) == 0
        assert capsys.readouterr().out == made(analysed(small()))
        assert cli.main(["export", str(path), "--format", name, "--out", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text() == made(analysed(small()))
        assert capsys.readouterr().out == ""
    assert (*exchange.FORMATS, *exchange.PROFILE_FORMATS) == grammar.FORMATS


def test_a_result_is_not_replaced_by_its_export(tmp_path, capsys):
    path = store.save(small(), tmp_path / "xtea.json.xz")
    before = path.read_bytes()
    (tmp_path / "link").symlink_to(path)
    assert cli.main(["export", str(path), "--format", "csv", "--out", str(tmp_path / "link")]) == 2
    assert "is the result itself: name another file." in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], f"Name a format: --format {', --format '.join(grammar.FORMATS)}."),
        (
            ["--format", "cvs"],
            f"There is no format 'cvs'. Did you mean `csv`? There are: {' '.join(grammar.FORMATS)}",
        ),
    ],
)
def test_a_format_must_be_one_of_these(tmp_path, capsys, words, sentence):
    path = store.save(small(), tmp_path / "xtea.json.xz")
    assert cli.main(["export", str(path), *words]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", sentence + "\n")


def test_of_a_file_of_another_version_nothing_is_printed(tmp_path, capsys):
    other = small()
    other.version = 2
    path = store.save(other, tmp_path / "xtea.json.xz")
    assert cli.main(["export", str(path), "--format", "csv"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "has version 2, and this program reads version 3" in told.err
