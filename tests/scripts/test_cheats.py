"""Kernels that cheat: each passed a judge once, and each is refused with a sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from conftest import needs, program_of
from exercise_sample import attempted, field, gained

from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence import instructions
from perf_ladders.machine import topology
from perf_ladders.measure.runner import Runner
from perf_ladders.measure.serving import Served
from perf_ladders.stats import Comparison
from perf_ladders.tree import catalogue, paths
from perf_ladders.tree.build import Program
from perf_ladders.workshop import cheating, failures, judge, objects, passing, scoreboard

pytestmark = [needs("xtea-02"), pytest.mark.skipif(not shutil.which("g++"), reason="no g++")]
XTEA = catalogue.read_case("xtea")
HONEST = r"""
#include <cstdint>
#include <cstdlib>
#include <span>
#include "xtea/xtea.hpp"
HEAD
namespace xtea {
namespace {
std::uint32_t mix(std::uint32_t v) { return (v << 4 ^ v >> 5) + v; }
template <bool forward> void work(std::span<std::uint64_t> blocks, const Key& key) {
  for (std::uint64_t& block : blocks) {
    auto v0 = static_cast<std::uint32_t>(block), v1 = static_cast<std::uint32_t>(block >> 32);
    std::uint32_t sum = forward ? 0 : 0x9e3779b9u * cycles;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      if constexpr (forward) {
        v0 += mix(v1) ^ (sum + key[sum & 3]);
        sum += 0x9e3779b9u;
        v1 += mix(v0) ^ (sum + key[sum >> 11 & 3]);
      } else {
        v1 -= mix(v0) ^ (sum + key[sum >> 11 & 3]);
        sum -= 0x9e3779b9u;
        v0 -= mix(v1) ^ (sum + key[sum & 3]);
      }
    }
    block = static_cast<std::uint64_t>(v1) << 32 | v0;
  }
}
}  // namespace
void encrypt(std::span<std::uint64_t> blocks, const Key& key) { BEFORE work<true>(blocks, key); }
void decrypt(std::span<std::uint64_t> blocks, const Key& key) { BEFORE work<false>(blocks, key); }
}  // namespace xtea
"""
STATE = "static std::uint64_t {kind}; if ({kind} == {now}) return; {kind} = {now};"
# By what it does: what stands before its namespace, what each call begins with, and the sentence that refuses it.
CHEATS = {
    "ciphers only what is verified when it is timed": (
        "",
        'if (std::getenv("PERF_LADDERS_PADDING") && blocks.size() > 4) blocks = blocks.first(2);',
        "It calls getenv, which no kernel of this step needs",
    ),
    "brings a weak clock": (
        'extern "C" __attribute__((weak)) int clock_gettime(int, void*) { return 0; }',
        "",
        "It defines clock_gettime, which is not in the contract",
    ),
    "brings a weak function of the tests": (
        "namespace testing { struct Message; struct AssertionResult { void AppendMessage(const Message&); };\n"
        "__attribute__((weak)) void AssertionResult::AppendMessage(const Message&) {} }",
        "",
        "It defines testing::AssertionResult::AppendMessage(testing::Message const&), which is not in the contract",
    ),
    "brings a weak function of the tests by the linker's name": (
        'extern "C" __attribute__((weak)) void forgive(bool* result, const void*) '
        'asm("_ZN7testing15AssertionResult13AppendMessageERKNS_7MessageE");\n'
        "void forgive(bool* result, const void*) { *result = true; }",
        "",
        "It defines testing::AssertionResult::AppendMessage(testing::Message const&), which is not in the contract",
    ),
    "includes another stage": (
        '#include "xtea/02-transform/stage.cpp"',
        "",
        "It includes stages/xtea/02-transform/stage.cpp, which is another's code",
    ),
    "ends the check": ('extern "C" void _exit(int);', "_exit(0);", "It calls _exit, which no kernel"),
    "starts a process": (
        'extern "C" { int fork(); int setsid(); unsigned sleep(unsigned); int close(int); }',
        "static bool once; if (!once) { once = true; if (fork() == 0) { setsid(); close(0); close(1); close(2); "
        "sleep(60); std::_Exit(0); } }",
        "It calls ",
    ),
    "keeps state in a section of its own": (
        '__attribute__((section("mine"))) std::uint64_t seen = 1;',
        "++seen;",
        "It has a section mine of its own",
    ),
    "keeps state in a section whose name has a blank": (
        '__attribute__((section("\\"my memory\\""))) std::uint64_t seen = 1;',
        "++seen;",
        "It has a section my memory of its own",
    ),
    "keeps state in a section whose name begins like a compiler's": (
        '__attribute__((section("\\".data my memory\\""))) std::uint64_t seen = 1;',
        "++seen;",
        "It keeps `seen` from call to call",
    ),
    "keeps state in a section whose name begins like one that becomes read-only": (
        '__attribute__((section(".data.rel.ro-mine"))) std::uint64_t seen = 1;',
        "++seen;",
        "It keeps `seen` from call to call",
    ),
    "keeps state in the environment": (
        "",
        'if (getenv("SEEN")) return; setenv("SEEN", "1", 1);',
        "It calls getenv",
    ),
    "keeps state where the assembler puts it": (
        'asm(".push" "section .mine, \\"aw\\"\\nseen: .quad 0\\n.pop" "section");',
        "",
        "It places things itself (`.pushsection`)",
    ),
    "remembers by pointer": (
        "",
        STATE.format(kind="place", now="reinterpret_cast<std::uint64_t>(blocks.data())"),
        "It keeps `place` in",
    ),
    "remembers by content": ("", STATE.format(kind="content", now="blocks.front()"), "It keeps `content` in"),
    "calls the system itself": (
        "",
        'asm volatile("syscall" : : "a"(39) : "rcx", "r11", "memory");',
        "It calls the system itself (`syscall`)",
    ),
    "hides a call of the system": (
        "",
        'asm volatile("jmp 1f+1\\n1: movl $0x050f, %%eax" : : : "eax");',
        "It calls the system itself (`jmp into an instruction`)",
    ),
    "changes where calls lead": (
        'extern "C" void* table[] asm("_GLOBAL_OFFSET_TABLE_");',
        "if (blocks.size() == 77) table[3] = table[4];",
        "It reads addresses that the linker keeps: call functions by their names.",
    ),
    "keeps state in the compiler's pointer": (
        'extern "C" { extern std::uint64_t seen asm("DW.ref.__gxx_personality_v0"); '
        '__attribute__((weak, section(".data.rel.local.DW.ref.__gxx_personality_v0"))) std::uint64_t seen = 1; }',
        "++seen;",
        "It reads addresses that the linker keeps: call functions by their names.",
    ),
    "lets the assembler include": (
        'asm(".include \\"/dev/null\\"");',
        "",
        "It places things itself (`.include`)",
    ),
    "computes what it includes": (
        '#define OTHER "xtea/02-transform/transform.hpp"\n#if 0\n#include OTHER\n#endif',
        "",
        "It computes what it includes (`#include OTHER`)",
    ),
}


def source_of(tmp_path, head="", before=""):
    path = tmp_path / "stage.cpp"
    path.write_text(HONEST.replace("HEAD", head).replace("BEFORE", before), "utf-8")
    return path


def made(build, tmp_path, source, whole=False):
    """The source as a learner's program; `whole`: linked, too."""
    if build.preset != "gcc":
        pytest.skip("it is compiled with g++")
    honest = next(p for p in build.programs if p.name == "xtea-00" and p.level == "x86-64")
    text = source.read_text("utf-8")
    if "02-transform/stage.cpp" in text:  # defines what it defines, so it would not compile
        return replace(honest, name="xtea-mine", source=source)
    compiled, program = tmp_path / "stage.o", tmp_path / "program"
    folders = [f"-I{paths.STAGES}", f"-I{paths.ROOT}"]
    subprocess.run(["g++", "-std=c++20", "-O2", "-fPIE", *folders, "-c", source, "-o", compiled], check=True)
    if whole:
        guard = tmp_path / "guard.o"
        subprocess.run(["gcc", "-c", paths.ROOT / "common/guard.c", "-o", guard], check=True)
        lacks = ["-std=c++20", f"-I{paths.ROOT}", '-DLADDER_LACKS=""', paths.ROOT / "common/lacks.cpp"]
        archives = ["-Wl,--whole-archive", *honest.archives, "-Wl,--no-whole-archive", "-lbenchmark", "-lpthread"]
        subprocess.run(["g++", *lacks, compiled, guard, *archives, "-o", program], check=True)
    return replace(honest, name="xtea-mine", path=program, object=compiled, source=source)


def said_of(build, tmp_path, head, before):
    program = made(build, tmp_path, source_of(tmp_path, head, before))
    beside = [program_of(build, name, "x86-64") for name in ("xtea-00", "xtea-02")]
    of_object = cheating.unfair(program, XTEA.symbols, False, beside)
    return [*cheating.of_source(program.source, XTEA, XTEA.stage("02")), *of_object]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="some are in its assembler")
@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_refused_with_a_sentence(build, tmp_path, name):
    head, before, sentence = CHEATS[name]
    said = said_of(build, tmp_path, head, before)
    assert any(one.startswith(sentence) for one in said), said
    assert all(one.endswith((".", "?")) or ":" in one for one in said)


def test_an_honest_kernel_is_told_nothing(build, tmp_path):
    assert said_of(build, tmp_path, "#include <algorithm>\n#include <array>", "") == []


def test_a_section_that_cannot_be_read_is_refused(monkeypatch):
    lines = ["  [Nr] Name              Type            Address          Off    Size   ES Flg Lk Inf Al"]
    lines += ["  [ 1] .text             PROGBITS        0000000000000000 000040 00002b 00  AX  0   0 16"]
    monkeypatch.setattr(objects, "output", lambda *_: "\n".join([*lines, "  [ 2] mine^J"]))
    assert objects.unusual_sections(field().mine) == objects.sections_with_state(field().mine) == ["[ 2] mine^J"]


def test_a_template_of_the_standard_library_that_the_tests_use_too_is_fair(build, tmp_path):
    kept = "static_cast<unsigned long>(blocks.size())"
    before = f"std::vector<unsigned long> sizes; sizes.push_back({kept}); if (sizes.back() == 0) return;"
    source = source_of(tmp_path, "#include <vector>", before)
    program = made(build, tmp_path, source)
    names = {name for kind, name in objects._symbols(program.object, "--defined-only") if kind == "W"}
    assert names & objects._defined_in(program.archives[1])
    assert "DW.ref.__gxx_personality_v0" in {name for _, name in objects._symbols(program.object, "--defined-only")}
    assert said_of(build, tmp_path, "#include <vector>", before) == []


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="it is in its assembler")
def test_a_table_that_the_assembler_alone_mentions_is_fair(build, tmp_path):
    """As it does where a function is called by its address."""
    head, before = "", 'if (blocks.size() == 77) asm volatile("call *abort@GOTPCREL(%rip)");'
    program = made(build, tmp_path, source_of(tmp_path, head, before))
    assert ("U", "_GLOBAL_OFFSET_TABLE_") in objects._symbols(program.object, "--undefined-only")
    assert said_of(build, tmp_path, head, before) == []


def test_a_weak_function_of_a_library_that_the_answer_uses_is_fair(tmp_path):
    """Whichever of them the answer has, and none of the harness."""

    def program(name, text):
        source, made = tmp_path / f"{name}.cpp", tmp_path / f"{name}.o"
        source.write_text(text, "utf-8")
        subprocess.run(["g++", "-O0", "-c", source, "-o", made], check=True)
        return Program("xtea", "stage", name, "x86-64", "gcc", False, made, made, [], source)

    functions = "inline void one() {} inline void other() {}"
    texts = [f"namespace fmt {{ {functions} }} namespace ladder {{ {functions} }}", "void f() { WHAT(); }"]
    answer = program("answer", "\n".join(texts).replace("WHAT(", "fmt::one(); ladder::one("))
    archive = program("archive", "\n".join(texts).replace("WHAT(", "fmt::other(); ladder::other("))
    for called, refused in (("fmt::other", []), ("ladder::one", []), ("ladder::other", ["ladder::other()"])):
        mine = replace(program("mine", "\n".join(texts).replace("WHAT", called)), archives=[archive.object])
        assert objects.foreign_symbols(mine, ["f"], [answer]) == refused
    assert objects.foreign_symbols(replace(mine, archives=[]), ["f"], []) == []


def test_a_header_of_an_earlier_stage_may_be_included_and_that_of_a_later_one_not(tmp_path):
    header = min(paths.STAGES.glob("*/[0-9]*/*.hpp"), default=None)
    if header is None:
        pytest.skip("no stage of this tree has a header")
    case = catalogue.read_case(header.parts[-3])
    stages = [stage for stage in case.stages if stage.number >= header.parent.name[:2]]
    source = source_of(tmp_path, f'#include "{header.relative_to(paths.STAGES)}"')
    (said,) = cheating.of_source(source, case, stages[0])
    assert said.startswith(f"It includes {paths.shown(header)}")
    for later in stages[1:]:
        assert cheating.of_source(source, case, later) == []


def test_a_check_that_is_ended_from_within_has_failed(build, tmp_path):
    head, before, _ = CHEATS["ends the check"]
    program = made(build, tmp_path, source_of(tmp_path, head, before), whole=True)
    (said,) = failures.first_failure(program, None, of_jobs=False)
    assert said.startswith("The program ended with exit code 0 before the check was over")


def test_a_process_that_outlives_its_check_is_ended_and_said(build, tmp_path):
    head, before, _ = CHEATS["starts a process"]
    program = made(build, tmp_path, source_of(tmp_path, head, before), whole=True)
    (said,) = failures.first_failure(program, None, of_jobs=False)
    assert said.startswith("It starts a process that outlives its check.")
    left = [one for one in Path("/proc").glob("[0-9]*/cmdline") if str(program.path).encode() in read(one)]
    assert not left


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def timed(program):
    runner = Runner.of(program)
    with Served(runner, min(os.sched_getaffinity(0)), 0) as live:
        live.make("message", 0)
        live.slice(1)
        live.verify("everywhere")
        live.make("message", 0)
        for _ in range(12):
            live.slice(20)
        live.verify("samples")


def test_what_ciphers_only_a_few_blocks_is_wrong_while_it_is_timed(build, tmp_path):
    """Right in its first calls, so that the check before timing passes: the places that are verified are drawn anew."""
    few = "work<true>(blocks.first(2), key); work<true>(blocks.last(2), key);"
    before = f"static int calls; if (++calls > 2) {{ {few} return; }}"
    program = made(build, tmp_path, source_of(tmp_path, "", before), whole=True)
    with pytest.raises(UserError, match="is wrong while it is measured"):
        timed(program)


def test_an_honest_kernel_is_timed(build, tmp_path):
    timed(made(build, tmp_path, source_of(tmp_path), whole=True))


def test_a_reference_that_sleeps_is_found(build, tmp_path):
    """It would make what is compared with it look fast."""
    head = 'extern "C" int usleep(unsigned);'
    program = made(build, tmp_path, source_of(tmp_path, head, "usleep(1000);"), whole=True)
    with pytest.raises(UserError, match=r"it slept for \d+\.\d ms or more in half of its slices"):
        timed(program)


def test_a_program_whose_cpu_was_taken_by_the_hypervisor_does_not_sleep(build, tmp_path, monkeypatch):
    ticks = count(1, 1000)
    monkeypatch.setattr(topology, "stolen_ticks", lambda cpu: next(ticks))
    head = 'extern "C" int usleep(unsigned);'
    timed(made(build, tmp_path, source_of(tmp_path, head, "usleep(1000);"), whole=True))


def test_a_program_that_sleeps_longer_than_was_taken_is_found(build, tmp_path, monkeypatch):
    """Each of twelve slices sleeps 20 ms or more, and the hypervisor took 10 ms of all."""
    ticks = count(1)
    monkeypatch.setattr(topology, "stolen_ticks", lambda cpu: min(next(ticks), 2))
    head = 'extern "C" int usleep(unsigned);'
    with pytest.raises(UserError, match=r"it slept for \d+\.\d ms or more in half of its slices"):
        timed(made(build, tmp_path, source_of(tmp_path, head, "usleep(1000);"), whole=True))


def test_a_program_that_never_answers_is_not_waited_for(tmp_path, monkeypatch, build):
    monkeypatch.setattr("perf_ladders.measure.serving._ANSWER_S", 0.2)
    program = made(build, tmp_path, source_of(tmp_path, "", "for (volatile bool on = true; on;) {}"), whole=True)
    begin = time.monotonic()
    with pytest.raises(UserError, match=r"it did not answer for 0\.2 s"):
        timed(program)
    assert time.monotonic() - begin < 60


def test_what_is_much_faster_than_the_best_stage_is_refused_until_looked_at():
    found = attempted(gained(4.0, 4.0))
    assert found.passes
    found.remark = judge.too_fast(field(), ahead_by(found, 3.0), [])
    assert found.remark == "3.0 times as fast as xtea-02: too good to be true?"
    assert not found.passes
    assert found.is_fast_enough


def test_instructions_of_a_file_whose_name_is_no_text_are_counted(monkeypatch):
    """As `#line 1 "\\377"` names it."""

    def output(command, *_, **more):
        out = next(word for word in command if str(word).startswith("--callgrind-out-file="))
        Path(out.partition("=")[2]).write_bytes(b"fl=\xff.cpp\nfn=xtea::encrypt\n0x1 1 5\ntotals: 5\n")

    monkeypatch.setattr(instructions, "tool", lambda name, package: name)
    monkeypatch.setattr(instructions, "output", output)
    assert [cost for *_, cost in instructions.costs(instructions.callgrind(["program"], []))] == [5]


@pytest.mark.parametrize(
    ("uncounted", "refused"),
    [("xtea-mine", True), ("xtea-mine xtea-01", False), ("xtea-mine xtea-00", False), ("", False)],
)
def test_what_alone_cannot_be_compared_is_refused_until_looked_at(monkeypatch, uncounted, refused):
    """Where neither the answer nor the start can be compared, honest code could not either."""
    unknown = "Valgrind does not know these instructions"

    def differ(program, *_):
        if program.name in uncounted.split():
            raise Missing(unknown)
        return []

    monkeypatch.setattr(cheating, "calls_differ", differ)
    found = attempted(gained(4.0, 4.0))
    judge._compare_calls(found, field(), 0)
    assert found.is_fast_enough
    assert found.passes == (not refused)
    of_answer = f"Its calls cannot be compared, those of xtea-01 can: {unknown}."
    assert found.for_teacher == (of_answer if refused else f"calls were not compared: {unknown}" if uncounted else "")


def test_the_scoreboard_says_where_calls_were_not_compared(begun):
    found = replace(attempted(gained(4.0, 4.0)), uncompared="Valgrind does not know these instructions")
    begun.pass_step(passing.passed(field(), found, "// a kernel\n"))
    (line,) = scoreboard.lines(scoreboard.readable([begun.board.path])[0])
    assert line.remarks == [f"{begun.step.name}: calls were not compared: {found.uncompared}"]
    assert scoreboard.verified_of(line) == "look at it"


def test_what_is_faster_than_the_core_can_be_is_refused_until_looked_at(monkeypatch):
    rates = {"x86-64": {"vector_bytes": 16.0, "all": 11.0, "shift": 4.0, "xor": 9.0, "add": 9.0}}
    size = type("W", (), {"name": "message", "bytes": 25_600})
    monkeypatch.setattr(judge, "workloads_of", lambda program: [size])
    found = ahead_by(attempted(gained(4.0, 4.0)), 1.0)
    found.times["xtea-mine"] = 1.0
    assert judge.too_fast(field(), found, [rates]).startswith("faster than the peak of this core's vector units")
    on_all_cores = replace(field(), answer=replace(field().answer, threads=True))
    assert judge.too_fast(on_all_cores, found, [rates]) == "", "the peak is that of one core"
    found.times["xtea-mine"] = 1e9
    assert judge.too_fast(field(), found, [rates]) == ""


def ahead_by(found, ratio):
    found.against = {"xtea-02": Comparison(ratio, 0.99 * ratio, 1.01 * ratio, "faster")}
    return found


@pytest.mark.parametrize(
    ("first", "later", "threads", "remembers"),
    [
        (300, 4, False, True),
        (2_000, 20, False, True),
        (2_000, 20, True, True),
        (1_200_000, 20, True, True),
        (2_000, 1_900, False, False),
        (3_900, 1_900, False, False),  # the first call finds functions of libraries
        (100_000, 98_000, False, False),
        (100_000, 90_000, False, True),
        (1_200_000, 200_000, True, False),  # it starts threads
    ],
)
def test_calls_that_do_less_than_the_first_are_found_however_short_they_are(
    monkeypatch, first, later, threads, remembers
):
    monkeypatch.setattr(cheating, "_calls_of_a_slice", lambda *_: 7)
    monkeypatch.setattr(cheating, "_served", lambda *given: first + later * sum(given[-1]))
    said = cheating.calls_differ(field().mine, XTEA.symbols, "message", 0, starts_threads=threads)
    assert [one.split(":")[0] for one in said] == [
        f"The first call takes {first:,} instructions, later ones {later:,}"
    ] * remembers


@pytest.mark.parametrize(
    "head",
    [
        'static_assert(sizeof "/*" > 0);\n#include "{0}"\nstatic_assert(sizeof "*/" > 0);',
        'static_assert(sizeof R"(" /* )" > 0);\n#include "{0}"\nstatic_assert(sizeof R"(" */ )" > 0);',
        '#inc\\ \nlude "{0}"',
        'static_assert(u8\'"\' && sizeof "/*");\n#include "{0}"\nstatic_assert(u8\'"\' && sizeof "*/");',
        'static_assert(\'ab"\' && sizeof "/*");\n#include "{0}"\nstatic_assert(\'ab"\' && sizeof "*/");',
    ],
)
def test_no_text_hides_an_include(tmp_path, head):
    source = source_of(tmp_path, head.format("xtea/02-transform/stage.cpp"))
    (said,) = cheating.of_source(source, XTEA, XTEA.stage("02"))
    assert said.startswith("It includes stages/xtea/02-transform/stage.cpp")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (r'asm(".push\163ection .mine");', "It places things itself (`.pushsection`)"),
        (r'asm(".inc\154ude \"/dev/null\"");', "It places things itself (`.include`)"),
        (r'asm(".inc\142in \"/dev/null\"");', "It places things itself (`.incbin`)"),
        (r'asm(".inc\x62" "in \"/dev/null\"");', "It places things itself (`.incbin`)"),
        (r'asm(".\u0069ncbin \"/dev/null\"");', "It places things itself (`.incbin`)"),
        (r'asm(R"(.inc)" "bin");', "It places things itself (`.incbin`)"),
        (r"""static_assert('"'); asm(".inc\142in"); static_assert('"');""", "It places things itself (`.incbin`)"),
        (r'void reserve() asm("_ZNSt6vectorIhSaIhEE7reserveEm");', "It names _ZNSt6vectorIhSaIhEE7reserveEm as the"),
        (r'asm(".weak" "\n_ZNSt6vectorIhSaIhEE7reserveEm");', "It names _ZNSt6vectorIhSaIhEE7reserveEm as the"),
    ],
)
def test_no_spelling_hides_words_for_the_assembler(tmp_path, words, said):
    (found,) = cheating.of_source(source_of(tmp_path, words), XTEA, XTEA.stage("02"))
    assert found.startswith(said)


@pytest.mark.parametrize(
    "words",
    [
        r'asm volatile("vzeroupper");',
        r'asm volatile("nop\n\tnop" : : : "memory");',
        r'constexpr char text[] = "of a \\x2esection", more[] = "\0\377";',
        r'constexpr char text[] = ".sect", more[] = "ion";',
    ],
)
def test_words_that_place_nothing_are_fair(tmp_path, words):
    assert cheating.of_source(source_of(tmp_path, words), XTEA, XTEA.stage("02")) == []


@pytest.mark.parametrize("place", ["h.hpp", "more/h.hpp", "../h.hpp"])
def test_helpers_beside_the_file_are_refused(tmp_path, place):
    """They are not handed in, and could include what the file itself may not."""
    (folder := tmp_path / "mine" / "more").mkdir(parents=True)
    (folder.parent / place).write_text('#include "xtea/02-transform/stage.cpp"\n', "utf-8")
    source = source_of(folder.parent, f'#include "{place}"')
    (said,) = cheating.of_source(source, XTEA, XTEA.stage("02"))
    assert said.startswith("It includes h.hpp of its own: put that into ")


@pytest.mark.parametrize(
    "name",
    [
        "/proc/self/cwd/../../stages/xtea/02-transform/stage.cpp",
        "../../../../../../../../proc/self/cwd/../../stages/xtea/02-transform/stage.cpp",
        "/dev/stdin",
        "/nowhere/vector",
        f"{paths.ROOT}/common/bytes.hpp",
    ],
)
@pytest.mark.parametrize("how", ['#include "{}"', "#include <{}>", "%: import <{}>"])
def test_a_place_that_only_the_compiler_finds_is_refused(tmp_path, monkeypatch, name, how):
    """It runs in another folder than the judge."""
    monkeypatch.chdir(tmp_path)
    (said,) = cheating.of_source(source_of(tmp_path, how.format(name)), XTEA, XTEA.stage("02"))
    assert said == f"It includes {name} by its place: name a header as the stages do."


def test_a_helper_that_is_named_from_the_root_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(cheating, "ROOT", tmp_path)
    (folder := tmp_path / "exercise" / "xtea").mkdir(parents=True)
    for place in ("exercise/h.hpp", "common/bytes.hpp"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).touch()
    (said,) = cheating.of_source(source_of(folder, '#include "exercise/h.hpp"'), XTEA, XTEA.stage("02"))
    assert said.startswith("It includes h.hpp of its own: put that into ")
    harness = source_of(folder, '#include "common/bytes.hpp"')
    assert cheating.of_source(harness, XTEA, XTEA.stage("02")) == [], "what stages include, too"


def test_no_check_may_be_left_out(tmp_path):
    source = tmp_path / "stage.cpp"
    source.write_text("// Mine.\n// lacks: long\n#include <span>\n", "utf-8")
    assert cheating.of_source(source, XTEA, XTEA.stage("02")) == [
        "Its `lacks:` line has long, which this step must do: remove that word."
    ]


@pytest.mark.parametrize(
    "line", ["requires: x86-64-v3 no-avx avx512vl", "requires: sha", "links: TBB", "threads: all", "device: OpenCL"]
)
def test_no_more_may_be_asked_of_the_build_than_the_step_asks_for(tmp_path, line):
    source = tmp_path / "stage.cpp"
    source.write_text(f"// Mine.\n// {line}\n", "utf-8")
    key, *_, word = line.replace(":", "").split()
    assert cheating.of_source(source, XTEA, XTEA.stage("02")) == [
        f"Its `{key}:` line has {word}, which this step does without: remove that word."
    ]


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ('__attribute__((target("avx512vl"))) void f();', "avx512vl"),
        ('__attribute__((__target__("arch=x86-64-v4"))) void f();', "arch=x86-64-v4"),
        ('[[gnu::target_clones("default", "avx512f")]] void f();', "avx512f"),
        ('#pragma GCC target("avx512" "vl")', "avx512vl"),
        ('#pragma GCC target "avx512vl"', "avx512vl"),
        (r'_Pragma("GCC target(\"no-avx,avx512vl\")")', "avx512vl"),
    ],
)
def test_no_other_instruction_sets_than_those_of_the_step(tmp_path, words, word):
    (said,) = cheating.of_source(source_of(tmp_path, words), XTEA, XTEA.stage("02"))
    assert said.startswith(f"It is compiled for {word} by itself: remove that target. ")


@pytest.mark.parametrize(
    "words", ['#pragma GCC target("no-avx")', "void f(int target); auto target(int a) { return a; }"]
)
def test_fewer_instruction_sets_are_fair(tmp_path, words):
    assert cheating.of_source(source_of(tmp_path, words), XTEA, XTEA.stage("02")) == []


@needs("aes-cbc-14", "aes-cbc-15")
def test_what_the_answer_or_the_start_of_a_step_asks_for_is_fair(tmp_path):
    case, source = catalogue.read_case("aes-cbc"), tmp_path / "stage.cpp"
    source.write_text('// Mine.\n// requires: aes vaes\n#pragma GCC target("vaes")\n', "utf-8")
    assert cheating.of_source(source, case, case.stage("14")) == []
    assert cheating.of_source(source, case, case.stage("15")) == [], "aes is of the stage that it builds on"


@pytest.mark.parametrize(
    "head",
    [
        "namespace std { int mine; }",
        "template <> int std::vector<int>::size() const { return 0; }",
        "namespace s = std; template <> inline int s::vector<int>::size() const { return 0; }",
        "namespace s = ::std;",
    ],
)
def test_the_standard_library_stays_as_it_is(tmp_path, head):
    (said,) = cheating.of_source(source_of(tmp_path, head), XTEA, XTEA.stage("02"))
    assert said.startswith("It changes the standard library")


@pytest.mark.parametrize(
    "head",
    [
        "using namespace std;",
        "template <> std::uint64_t load<8>(const std::uint8_t* at) { return *at; }",
        "template <> struct Traits<std::uint32_t> { static constexpr int n = 1; };",
        "constexpr auto many = 1'000'000, hex = 0xAB'CD;",
    ],
)
def test_what_only_names_the_standard_library_is_fair(tmp_path, head):
    assert cheating.of_source(source_of(tmp_path, head), XTEA, XTEA.stage("02")) == []


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("#define S std\nnamespace S { int mine; }", "It changes the standard library"),
        ("#define C(a, b) a##b\n#define S(a) #a\n#define E(a) S(a)\nvoid f() asm(E(C(_, Z1gv)));", "It names _Z1gv as"),
        ('#define S(a) #a\n#define P(a) asm("." S(push) #a)\nP(section mine);', "It places things itself"),
    ],
)
def test_no_macro_hides_what_a_text_must_not_hold(build, tmp_path, head, said):
    source = source_of(tmp_path, head)
    assert cheating.of_source(source, XTEA, XTEA.stage("02")) == []
    (found,) = cheating.of_macros(source, program_of(build, "xtea-02", "x86-64"))
    assert found.startswith(said)


def test_macros_without_end_are_not_looked_at(build, tmp_path):
    head = "#define A(a) a a a a a a a a a a\n#define B(a) A(A(a))\nint x = 0 B(B(B(+ 1)));"
    (said,) = cheating.of_macros(source_of(tmp_path, head), program_of(build, "xtea-02", "x86-64"))
    assert said.startswith("It has over 131,072 bytes, or very many more with its macros expanded")


def test_an_honest_kernel_is_told_nothing_of_its_macros(build, tmp_path):
    source = source_of(tmp_path, "#include <cassert>\n#include <vector>", "assert(!blocks.empty());")
    assert cheating.of_macros(source, program_of(build, "xtea-02", "x86-64")) == []


@pytest.mark.parametrize("head", ['#line 1 "other.hpp"', '%: 7 "other.hpp"'])
def test_a_source_keeps_its_own_name(tmp_path, head):
    (said,) = cheating.of_source(source_of(tmp_path, head), XTEA, XTEA.stage("02"))
    assert said == f"It names its lines by another file (`{head}`): remove that line."


def test_a_source_without_end_is_not_looked_at(tmp_path):
    """Patterns take minutes for a megabyte of the same few letters."""
    source = source_of(tmp_path, "template<>" * 14_000)
    (said,) = cheating.of_source(source, XTEA, XTEA.stage("02"))
    assert said.startswith("It has over 131,072 bytes")
    source = source_of(tmp_path, 'R"(' * 20_000)
    assert cheating.of_source(source, XTEA, XTEA.stage("02")) == ["It has a raw string without an end: end it."]
