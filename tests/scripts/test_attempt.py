"""What an attempt is judged by, and kernels that do not play fair."""

import io
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import needs, program_of
from exercise_sample import DIFFERS, XTEA, attempted, compared, field, gained
from rich.console import Console

from perf_ladders.machine import speed
from perf_ladders.measure import pairs, rounds
from perf_ladders.measure.pairs import PairTimes
from perf_ladders.measure.runner import Plan
from perf_ladders.pages import formatting
from perf_ladders.stats import Comparison
from perf_ladders.tree import files, paths
from perf_ladders.tree.build import Program
from perf_ladders.workshop import cheating, judge, objects
from perf_ladders.workshop.building import CONTROL
from perf_ladders.workshop.judge import Attempt

# --- What an attempt is judged by ---


def test_whoever_is_faster_passes():
    assert attempted(gained(1.5, 4.0)).passes
    assert not attempted(gained(1.0, 4.0)).passes
    assert not attempted(gained(1.5, 4.0, verdict="undecided")).passes
    found = attempted(gained(2.1, 4.0))
    found.against = {"b": compared(2.1)}
    assert found.share_of_way("b") == pytest.approx(0.535, abs=0.001)


def test_all_that_the_contract_demands_is_judged():
    """Such as decrypt, where encrypt alone was changed."""
    assert attempted(gained(3.0, 3.0), gained(3.0, 3.0)).passes
    assert not attempted(gained(3.0, 3.0), gained(1.0, 3.0)).passes
    assert attempted(gained(3.0, 3.0), gained(1.0, 1.0)).passes, "the answer gains nothing there"


def test_what_is_faster_passes_whatever_is_known_of_the_answer():
    unsure = replace(gained(1.5, 1.5), answer=compared(1.5, "undecided"))
    assert unsure.hidden
    assert attempted(unsure).passes
    assert not attempted(unsure).untold


def test_where_the_answer_gains_nothing_one_must_not_be_slower():
    found = gained(1.0, 1.0)
    assert found.gains_nothing
    assert found.passes
    slow = Comparison(0.5, 0.49, 0.51, "slower")
    assert not replace(found, mine=slow, mine_over_answer=slow).passes
    assert replace(found, mine=slow).passes, "the answer is as slow"
    unsure = replace(found, mine=slow, mine_over_answer=compared(1.5, "undecided"))
    assert not unsure.passes, "the few rounds beside the answer do not excuse what is slower"
    assert replace(unsure, answer=slow).passes


def test_where_the_answers_gain_is_not_seen_one_must_not_be_slower():
    found = gained(1.05, 1.05, verdict="undecided")
    assert found.gain_unknown
    assert not found.gains_nothing
    assert not found.hidden
    assert found.passes
    slow = Comparison(0.5, 0.49, 0.51, "slower")
    assert not replace(found, mine=slow, mine_over_answer=slow).passes


def takes(monkeypatch, times):
    """No program runs: a call takes so many nanoseconds. What asked for the length of slices is listed."""

    def pair(base, stage, workloads, slice_ms, cpu, generator):
        return [PairTimes(name, [times[base.id]] * 2, [times[stage.id]] * 2) for name in workloads]

    def slices_for(runner, names, cpu, generator):
        asked.append(runner.id)
        return dict.fromkeys(names, 1.0)

    asked = []
    clock = iter(range(60))
    monkeypatch.setattr(pairs, "measured", pair)
    monkeypatch.setattr(pairs, "slices_for", slices_for)
    monkeypatch.setattr(rounds, "_now", lambda: f"2026-01-01T00:{next(clock):02}:00+00:00")
    monkeypatch.setattr(speed, "clock_ghz", lambda build, cpu: 3.0)
    monkeypatch.setattr(speed, "operations_per_ns", lambda build, cpu: 12.0)
    monkeypatch.setattr(speed, "rates", lambda build, cpu: {})
    monkeypatch.setattr(files, "sha256", lambda path: "0" * 64)
    return asked


@needs("xtea-02")
@pytest.mark.parametrize(("control", "verdict"), [(1.0, "same"), (2.0, "undecided")])
def test_while_the_reference_differs_from_itself_a_difference_beyond_that_stands(monkeypatch, control, verdict):
    """Four times as fast, where two equal programs differ by two."""
    found, place = Attempt(), field()
    times = {runner.id: 100.0 for runner in place.runners.values()}
    times |= {"your-file.x86-64.gcc": 25.0, place.runners[CONTROL].id: 100 / control}
    takes(monkeypatch, times)
    out = io.StringIO()
    judge._measure(found, place, Plan(cpu=0, rounds=20), Console(file=out, width=80))
    mine = found.main.mine
    told = f"{place.workload}: {formatting.ratio(mine)} as fast as {place.base.name}: {formatting.verdict(mine)}"
    assert out.getvalue().count(told) == 1  # as soon as it is decided
    assert found.against["xtea-00"].verdict == "faster"
    assert found.main.noisy == (control > 1)
    assert found.main.answer.verdict == verdict
    assert found.is_fast_enough
    assert found.remark == "4.0 times as fast as xtea-02: too good to be true?"
    assert not found.passes
    assert {*found.samples["xtea-00"]} == {(100.0, 25.0)}
    assert found.times["xtea-mine"] == 25.0
    assert [one.part for one in found.rounds].count(judge.JUDGED) >= 12


@needs("xtea-02")
def test_the_verdict_waits_for_nothing_but_the_file_the_start_and_the_control(monkeypatch):
    place = field()
    takes(monkeypatch, {runner.id: 100.0 for runner in place.runners.values()} | {"your-file.x86-64.gcc": 50.0})
    measured, told, seen = pairs.measured, [], set()

    def noted(base, stage, *others):
        seen.add((base.id, stage.id))
        return measured(base, stage, *others)

    def tell(console, said="", **how):
        told.append((said, set(seen)))

    monkeypatch.setattr(pairs, "measured", noted)
    monkeypatch.setattr(Console, "print", tell)
    judge._measure(Attempt(), place, Plan(cpu=0, rounds=12), Console(quiet=True))
    before = next(already for said, already in told if "faster" in said)
    named = {name: runner.id for name, runner in place.runners.items()}
    start, answer = named[place.base.name], named[place.answer.name]
    assert before == {(named["xtea-00"], named[CONTROL]), (start, named["xtea-mine"])}
    assert (start, answer) in seen


@needs("xtea-02")
def test_what_somebody_should_look_at_before_it_is_timed_stays(monkeypatch):
    place, found = field(), Attempt(remark="Look at it.")
    takes(monkeypatch, {runner.id: 100.0 for runner in place.runners.values()} | {"your-file.x86-64.gcc": 25.0})
    judge._measure(found, place, Plan(cpu=0, rounds=12), Console(quiet=True))
    assert found.remark == "Look at it."
    assert found.is_fast_enough
    assert not found.passes


@needs("xtea-02")
def test_the_length_of_slices_is_found_once_for_all_saves_of_a_step(monkeypatch):
    place = field()
    asked = takes(monkeypatch, {runner.id: 100.0 for runner in place.runners.values()})
    for _ in range(2):
        judge._measure(Attempt(), place, Plan(cpu=0, rounds=12), Console(quiet=True))
    assert asked == [place.runners[place.answer.name].id]


def test_on_a_busy_machine_only_what_lies_beyond_its_noise_passes():
    assert attempted(gained(4.0, 4.0, control=DIFFERS)).passes
    found = attempted(gained(1.5, 4.0, control=DIFFERS))
    assert "the reference came out 1.500 times as fast as itself" in found.untold
    assert not found.passes
    assert attempted(gained(1.5, 1.5, verdict="undecided")).untold
    assert not attempted(gained(1.5, 1.5, verdict="undecided")).passes


def test_a_verdict_that_noise_could_make_does_not_stand():
    for ratio, stands in ((1.55, False), (1.65, True), (1 / 1.55, False), (1 / 1.65, True), (1.0, False)):
        verdict = "faster" if ratio > 1 else "slower" if ratio < 1 else "same"
        found = judge.standing(Comparison(ratio, 0.995 * ratio, 1.005 * ratio, verdict), DIFFERS)
        assert found.verdict == (verdict if stands else "undecided")
    unknown = Comparison(1.5, 1.4, None, "faster")
    closed = judge.standing(Comparison(9.0, 8.0, 10.0, "faster"), unknown)
    assert (closed.verdict, closed.counts) == ("undecided", False)


@pytest.mark.parametrize("part", ["uncompiled", "wrong", "unfair"])
def test_what_is_not_right_passes_nowhere(part):
    found = attempted(gained(4.0, 4.0))
    found.alike = "is the same machine code"
    setattr(found, part, ["no"] if part != "uncompiled" else "no")
    assert not found.passes


# --- Fair play, on real objects ---

CONTRACT = ["work"]
CHEATS = {
    "counts calls": ("static int calls; void work(unsigned* p) { if (calls++ < 3) *p ^= 1; }", "calls"),
    "in a function": (
        "void work(unsigned* p) { static unsigned answer; if (!answer) answer = *p ^ 1; *p = answer; }",
        "answer",
    ),
    "of each thread": ("thread_local unsigned seen; void work(unsigned* p) { *p ^= ++seen; }", "seen"),
    "behind a pointer": ("static unsigned* memo = new unsigned; void work(unsigned* p) { *p ^= ++*memo; }", "memo"),
}
FAIR = "static const unsigned table[] = {1, 2}; void work(unsigned* p) { *p ^= table[*p & 1]; }"


def compiled(tmp_path, text):
    source, made = tmp_path / "stage.cpp", tmp_path / "stage.o"
    source.write_text(text, "utf-8")
    subprocess.run(["g++", "-O3", "-fPIC", "-c", source, "-o", made], check=True)
    return Program("xtea", "exercise", "xtea-mine", "x86-64", "gcc", False, made, made, [], source)


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
@pytest.mark.parametrize("name", CHEATS)
def test_what_a_kernel_keeps_between_calls_is_found(tmp_path, name):
    text, kept = CHEATS[name]
    found = cheating.kept_between_calls(compiled(tmp_path, text))
    assert any(kept in one for one in found), found


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
@pytest.mark.parametrize(
    ("name", "said"),
    [("counts calls", "`calls` from"), ("in a function", "`answer` in work from"), ("behind a pointer", "`memo` from")],
)
def test_what_it_keeps_is_named_in_short(tmp_path, name, said):
    text = f"namespace xtea {{ namespace {{ }} {CHEATS[name][0]} }}"
    (found,) = cheating.unfair(compiled(tmp_path, text), ["xtea::work"], may_keep=False)
    assert f"It keeps {said} call to call" in found


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
def test_tables_are_no_memory(tmp_path):
    program = compiled(tmp_path, FAIR)
    assert cheating.kept_between_calls(program) == []
    assert objects.foreign_symbols(program, CONTRACT) == []


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
def test_a_clock_of_its_own_is_found(tmp_path):
    program = compiled(tmp_path, FAIR + ' extern "C" int clock_gettime(int, void*) { return 0; }')
    assert objects.foreign_symbols(program, CONTRACT) == ["clock_gettime"]


CACHED = r"""
#include <cstdlib>
#include <string>
#include "xtea/xtea.hpp"
namespace xtea {
namespace {
template <typename Work> void once(Work work) {
  const char* seen = getenv("SEEN");  // where no object of its own remembers
  const int calls = seen ? atoi(seen) : 0;
  if (calls == WORKS) return;
  setenv("SEEN", std::to_string(calls + 1).c_str(), 1);
  work();
}
std::uint32_t mix(std::uint32_t v) { return (v << 4 ^ v >> 5) + v; }
void work(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) {
    for (unsigned i = 0; i < 64; ++i) block += mix(static_cast<std::uint32_t>(block)) ^ key[i & 3];
  }
}
}  // namespace
void encrypt(std::span<std::uint64_t> blocks, const Key& key) { once([&] { work(blocks, key); }); }
void decrypt(std::span<std::uint64_t> blocks, const Key& key) { once([&] { work(blocks, key); }); }
}  // namespace xtea
"""


@pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind")
@pytest.mark.parametrize("works", [1, 5, 12])
def test_a_kernel_that_works_only_at_its_first_calls_is_found(build, tmp_path, works):
    if build.preset != "gcc":
        pytest.skip("it is compiled with g++")
    honest = next(p for p in build.programs if p.name == "xtea-00")
    assert cheating.calls_differ(honest, XTEA.symbols, "sweep/4096", 0) == []
    source, program = tmp_path / "stage.cpp", tmp_path / "cheat"
    source.write_text(CACHED.replace("WORKS", str(works)), "utf-8")
    whole = ["-Wl,--whole-archive", *honest.archives, "-Wl,--no-whole-archive"]
    folders = [f"-I{paths.STAGES}", f"-I{paths.ROOT}"]
    lacks = ['-DLADDER_LACKS=""', paths.ROOT / "common/lacks.cpp"]
    guard = tmp_path / "guard.o"
    subprocess.run(["gcc", "-c", paths.ROOT / "common/guard.c", "-o", guard], check=True)
    command = ["g++", "-std=c++20", "-O2", *folders, *lacks, source, guard, *whole, "-lbenchmark", "-lpthread"]
    subprocess.run([*command, "-o", program], check=True)
    cheat = replace(honest, path=program)
    assert "does it remember" in cheating.calls_differ(cheat, XTEA.symbols, "sweep/4096", 0)[0]
    # A library may start its threads in the first call, the same one at every level; that is no leave to remember.
    if any(p.name == "xtea-03" for p in build.programs):
        parallel = program_of(build, "xtea-03", next(iter(build.flags)))
        assert cheating.calls_differ(parallel, XTEA.symbols, "message", 0, starts_threads=True) == []
    for workload in ("message", "sweep/4096") if works == 1 else ():
        assert "does it remember" in cheating.calls_differ(cheat, XTEA.symbols, workload, 0, starts_threads=True)[0]


@pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind")
def test_a_count_is_kept_until_the_program_is_another(build, tmp_path, monkeypatch):
    program = next(p for p in build.programs if p.name == "xtea-00")
    path = shutil.copy(program.path, tmp_path)
    program, started, callgrind = replace(program, path=Path(path)), [], cheating.callgrind
    monkeypatch.setattr(cheating, "callgrind", lambda *rest, **more: started.append(1) or callgrind(*rest, **more))
    assert cheating.calls_differ(program, XTEA.symbols, "sweep/4096", 0) == []
    assert cheating.calls_differ(program, XTEA.symbols, "sweep/4096", 0) == []
    assert len(started) == 2  # of one call and of a slice
    count = cheating.a_call(program, XTEA.symbols, "sweep/4096", 0)
    assert len(started) == 3
    os.utime(path, ns=(0, 0))
    assert cheating.a_call(program, XTEA.symbols, "sweep/4096", 0) == count > 0
    assert len(started) == 5  # both counts again


@pytest.mark.parametrize("code", ["syscall", "rex.W syscall", "repz syscall", "data16 syscall", "int    $0x80"])
def test_a_prefix_hides_no_call_of_the_system(code):
    assert objects._TRAPS.search(f"   4:\t{code}\n")


def test_a_jump_to_within_an_instruction_is_found():
    code = "Disassembly of section .text:\n\n0 <f>:\n   0:\tjmp    3 <f+0x3>\n   2:\tmov    $0x50f,%eax\n   7:\tret\n"
    assert objects.hidden(code) == {"jmp into an instruction"}
    assert objects.hidden(code.replace("3 <f+0x3>", "7 <f+0x7>")) == set()
    assert objects.hidden(code.replace("3 <f+0x3>", "8 <f+0x8>")) == set(), "what is called is in another file"
    for jump in ("bnd jmp", "jne,pt", "callq", "xbegin"):
        assert objects.hidden(code.replace("jmp   ", jump)), jump
    other = "Disassembly of section .text.cold:\n\n0 <g>:\n   3:\tret\n"
    assert objects.hidden(code + other) == {"jmp into an instruction"}, "each section has addresses of its own"


@pytest.mark.parametrize("name", ["__errno_location", "__cxa_get_globals"])
def test_what_lends_memory_that_lasts_is_not_harmless(name):
    assert not objects._HARMLESS.match(name)
