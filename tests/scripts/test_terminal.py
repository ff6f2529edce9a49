"""What is written to a terminal, and to what is none."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from evidence_sample import evidence, sampled
from measurement_sample import analysed, made
from msgspec.structs import replace as changed
from our_cases import OURS

from perf_ladders import cli
from perf_ladders.model.evidence import LoopInstruction, Remark
from perf_ladders.pages import answer, stage_answer, stage_in_terminal, terminal
from perf_ladders.pages.profile_in_terminal import Side, show_comparison, show_profile
from perf_ladders.results import guards
from perf_ladders.results.shown import shown as shown_analysis
from perf_ladders.stats import Comparison
from perf_ladders.tree import catalogue
from perf_ladders.workshop import exercise
from perf_ladders.workshop.board import Step

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
PROSE = "Say `code`.\n\n```cpp\nint values[2];\nif (true) {\n  done();\n}\n```\n"


def test_code_stands_as_it_is_typed():
    out = io.StringIO()
    terminal.show_prose(PROSE, terminal.output(file=out, width=40))
    assert "\nint values[2];\nif (true) {\n  done();\n}\n" in out.getvalue()


def test_code_that_is_wider_than_the_terminal_is_folded():
    """Where nothing of it is lost: the end of a line may be the hint."""
    out = io.StringIO()
    line = "  for (int i = /* from where? */; /* as long as what holds? */; /* how on? */) {"
    terminal.show_prose(f"```cpp\n{line}\n```\n", terminal.output(file=out, width=40))
    lines = out.getvalue().strip("\n").splitlines()
    assert all(len(one) <= 40 for one in lines)
    assert lines[1].startswith("      ")
    assert " ".join(out.getvalue().split()) == " ".join(line.split())


def test_code_has_the_background_of_the_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = io.StringIO()
    terminal.show_prose(PROSE, terminal.output(file=out, width=40, force_terminal=True))
    codes = {number for found in re.findall(r"\x1b\[([\d;]+)m", out.getvalue()) for number in found.split(";")}
    assert codes == {"0", "1", "36"}


def test_no_color_is_plain_text(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    out = io.StringIO()
    console = terminal.output(file=out, force_terminal=True)
    console.print("Heading", style="bold red")
    terminal.show_prose(PROSE, console)
    assert "Heading" in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_a_hint_and_its_heading_go_to_the_same_place(monkeypatch, capsys):
    begun = SimpleNamespace(
        record=Step(), finished=False, step=SimpleNamespace(name="xtea-04"), hint=lambda: (1, "Look.")
    )
    monkeypatch.setattr(exercise, "current", lambda **_: begun)
    assert cli.main(["hint"]) == 0
    told = capsys.readouterr()
    assert re.match(r"xtea-04, hint 1 of 3: .*\n\nLook\.", told.out)
    assert told.err == ""


def shown(show, *arguments):
    """In 80 columns."""
    out = io.StringIO()
    show(*arguments, terminal.output(file=out, width=80))
    lines = out.getvalue().splitlines()
    return out.getvalue(), lines


def test_a_report_ends_with_the_answer_and_the_place_of_its_pages(tmp_path):
    analysis = sampled()
    text, lines = shown(terminal.show_answer, analysis, tmp_path)
    for sentence in answer.answer(analysis, published=False).sentences:
        assert sentence in " ".join(text.split())
    assert all(len(line) <= 80 for line in lines[:-1])
    assert lines[-1] == f"The pages: {tmp_path / 'xtea.html'}"
    (two,) = [line for line in lines if line.startswith("02 std::transform ")]
    assert re.search(r"\d [um]s +\S+ (us|ns) +00 +\d\.\d\d+x ", two)
    (heading,) = [line for line in lines if line.startswith("   stage ")]
    assert re.search(r" base +over its base +over 00$", heading)
    assert "Ratios compare the minimum times round by round." in " ".join(text.split())
    taught = analysis.case.stage("03").notes.taught
    said = f"Tried beside 02: 03 All cores with std::execution::par: not measured: TBB is not installed. {taught}"
    assert said in " ".join(text.split())
    assert not [line for line in lines if line.startswith("03 ")], "the table is the main path"


@pytest.mark.usefixtures("whole_tree")
@pytest.mark.parametrize("name", OURS)
def test_the_titles_of_a_report_are_not_cut(tmp_path, name):
    analysis = shown_analysis(catalogue.read_case(name))
    assert analysis
    text, lines = shown(terminal.show_answer, analysis, tmp_path)
    assert all(len(line) <= 80 for line in lines[:-1])
    assert ELLIPSIS not in text
    for stage in analysis.case.main_path:
        assert {*stage.notes.title.split()} <= {*text.split()}


def test_a_report_names_the_guards_that_did_not_hold(tmp_path):
    failed = [guard.guard for guard in guards.guards(sampled()) if not guard.ok]
    text, _ = shown(terminal.show_answer, sampled(), tmp_path)
    assert ("Guards that did not hold: " in text) == bool(failed)
    noisy = analysed(made({"xtea-00": 1, "xtea-00-again": 1.3, "xtea-04": 4}))
    text, _ = shown(terminal.show_answer, noisy, tmp_path)
    said = " ".join(text.split()).split("Guards that did not hold: ")[1]
    for guard in guards.guards(noisy):
        assert (guard.guard in said) == (not guard.ok)


def test_the_page_of_a_stage_in_80_columns_ends_with_the_answer():
    text, lines = shown(stage_in_terminal.show, sampled(), "xtea-04")
    assert all(len(line) <= 80 for line in lines)
    assert len(lines) <= 40
    assert lines[0] == "xtea-04: Loop interchange"
    assert re.search(r"x86-64-v3 +4\.0\dx \[[\d., ]+\] +faster", text)
    assert re.search(r"^level +over 02 +verdict +predicted +mean +SD +over 00", text, re.MULTILINE)
    assert "The A/A control fails in none of" in text
    end = " ".join(text.rsplit("\n\n", 1)[1].split())
    assert end.startswith("xtea-04 is faster than xtea-02: 4.0")
    assert "Why: it executes " in end
    assert end.endswith("`make run-stage xtea-06` measures the next step of the main path.")


def test_the_longest_cells_of_a_stage_are_not_cut():
    slow = Comparison(0.0115, 0.0096, 0.0201, "undecided", changed=True)
    row = SimpleNamespace(workload="scattered/mix-1", vs_base=slow, mean_ns=123456.0, sd_ns=123.0)
    text, lines = shown(lambda out: out.print(stage_in_terminal._workloads([row], "aes-cbc-12")))
    assert all(len(line) <= 80 for line in lines)
    assert ELLIPSIS not in text
    for word in ("scattered/mix-1", "0.0115x", "0.0201]", "changed", "123 us", "123 ns"):
        assert word in text


def test_of_many_workloads_those_that_tell_most_are_shown():
    analysis = sampled()
    other = next(row for row in analysis.rows if row.stage == "xtea-04" and row.workload != analysis.first)
    names = [f"w/{number:02}" for number in range(20)]
    analysis.main_workloads = [analysis.main_workloads[0], *(SimpleNamespace(name=name) for name in names)]
    verdicts = ["faster" if name == "w/19" else "same" for name in names]
    many = [
        replace(other, level="x86-64-v3", workload=name, vs_base=Comparison(2.0, 1.9, 2.1, verdict))
        for name, verdict in zip(names, verdicts, strict=True)
    ]
    analysis.__dict__["rows"] = [row for row in analysis.rows if row.workload == analysis.first] + many
    text, lines = shown(stage_in_terminal.show, analysis, "xtea-04")
    assert len(re.findall(r"^w/", text, re.MULTILINE)) == 8
    assert re.search(r"^w/19 .* faster", text, re.MULTILINE)
    assert "12 more, which tell less: make report CASE=xtea shows all." in text
    assert len(lines) <= 40


@pytest.mark.parametrize(
    ("ratio", "fewer", "said"),
    [
        (2.0, 2.0, "2.00 times fewer instructions (10.0 a byte instead of 20.0), and as many in a cycle as before."),
        (2.0, 1.0, "about as many instructions (10.0 a byte), and 2.00 times as many in a cycle, so it waits less."),
        (1.5, 3.0, "and 2.00 times fewer in a cycle, so it waits more, or each of them takes longer."),
        (0.5, 0.5, "2.00 times more instructions (10.0 a byte instead of 5.00), and as many in a cycle as before."),
    ],
)
def test_why_a_stage_is_faster_is_said(ratio, fewer, said):
    analysis = sampled()
    row = [one for one in analysis.first_rows if one.stage == "xtea-04"][-1]
    verdict = "faster" if ratio > 1 else "slower"
    found = replace(row.vs_base, ratio=ratio, verdict=verdict)
    row = replace(row, vs_base=found, instructions_vs_base=fewer, instructions_byte=10.0, peak_share=None)
    analysis.__dict__["first_rows"] = [row]
    assert said in stage_answer.sentences(analysis, analysis.case.stage("04"))[1]


@pytest.mark.parametrize(
    ("verdict", "said", "sentences"),
    [
        ("same code", "xtea-04 and xtea-02 are the same machine code at x86-64-v3.", 2),
        ("same", "do not differ by more than 2 %", 3),
        ("undecided", "It is not decided at x86-64-v3 whether xtea-04 is faster than xtea-02", 2),
        ("slower", "xtea-04 is slower than xtea-02", 3),
    ],
)
def test_whether_a_stage_is_faster_is_said(verdict, said, sentences):
    analysis = sampled()
    row = [one for one in analysis.first_rows if one.stage == "xtea-04"][-1]
    analysis.__dict__["first_rows"] = [replace(row, vs_base=replace(row.vs_base, verdict=verdict))]
    found = stage_answer.sentences(analysis, analysis.case.stage("04"))
    assert said in found[0]
    assert len(found) == sentences
    assert ("sure" in found[0]) == (sentences == 3)


def test_counts_of_one_core_do_not_explain_several():
    analysis = sampled()
    row = [one for one in analysis.first_rows if one.stage == "xtea-04"][-1]
    analysis.program[row.id] = changed(analysis.program[row.id], threads=True)
    assert "several cores or on a device" in stage_answer.sentences(analysis, analysis.case.stage("04"))[1]


def test_a_base_that_was_not_measured_is_named():
    analysis = sampled()
    row = [one for one in analysis.first_rows if one.stage == "xtea-04"][-1]
    analysis.__dict__["first_rows"] = [replace(row, vs_base=None)]
    said = stage_answer.sentences(analysis, analysis.case.stage("04"))[0]
    assert said == "xtea-02, on which xtea-04 builds, was not measured."


def test_counts_of_a_lower_level_explain_nothing_where_the_answer_is_another():
    analysis = sampled()
    below, above = [one for one in analysis.first_rows if one.stage == "xtea-04"][-2:]
    above = replace(above, instructions_vs_base=None)
    analysis.__dict__["first_rows"] = [below, above]
    assert f"at {below.level}, where it is 4.0" in stage_answer.sentences(analysis, analysis.case.stage("04"))[1]
    slower = replace(above, vs_base=replace(above.vs_base, verdict="slower"))
    analysis.__dict__["first_rows"] = [below, slower]
    assert stage_answer.sentences(analysis, analysis.case.stage("04"))[1].startswith("Why is not known")


def test_of_a_reference_there_is_no_answer():
    analysis = sampled()
    first, _ = stage_answer.sentences(analysis, analysis.case.stage("00"))
    assert first == "xtea-00 is the reference: there is nothing to compare it with."


def test_a_line_that_only_moved_is_marked():
    diff = "--- a\n+++ b\n@@ -1,3 +1,3 @@\n-first_line();\n kept();\n+  first_line();\n-old_line();\n+new_line();\n"
    _, lines = shown(terminal.show_diff, diff)
    assert lines == [
        "from line 1",
        "<first_line();",
        " kept();",
        ">  first_line();",
        "-old_line();",
        "+new_line();",
        "Lines with < or > only moved.",
    ]


def test_each_row_of_a_long_line_of_a_diff_has_its_mark():
    diff = f"--- a\n+++ b\n@@ -1,0 +1,3 @@\n+  first({'argument, ' * 12}last);\n+\n"
    _, lines = shown(terminal.show_diff, diff)
    assert len(lines) == 4
    assert lines[1].startswith("+  first(argument,")
    assert lines[2].startswith("+      argument,")
    assert lines[3] == "+"


def test_a_stage_is_read_in_one_window(capsys):
    assert cli.main(["read-stage", "xtea-04"]) == 0
    said = capsys.readouterr().out
    places = [
        said.index(words) for words in ("xtea-04: Loop interchange", "Hypothesis", "Change", "from line", "Result")
    ]
    assert places == sorted(places)
    assert "{{" not in said
    assert "<!--" not in said
    assert all(len(line) <= 80 for line in said.splitlines())


def test_a_profile_begins_with_one_table_against_the_base():
    sides = [Side("xtea-02", evidence(0), 80_000.0), Side("xtea-04", evidence(1), 20_000.0)]
    text, lines = shown(show_comparison, "interchange.x86-64.gcc", sides, sampled().workloads[0])
    assert all(len(line) <= 80 for line in lines)
    assert re.search(r"time of a call .* 80\.0 us +20\.0 us", text)
    assert re.search(r"instructions a byte +[\d.]+ +[\d.]+", text)
    assert "cycles an iteration" in text


def test_a_profile_says_what_is_missing():
    text, _ = shown(show_profile, evidence(1))
    assert "Counters: n/a (the kernel lets nobody count: perf_event_paranoid is 3)" in text
    assert "Instructions by callgrind, message:" in text
    assert "jne 1f40" in text
    assert "40.0 cycles an iteration" in text


def test_a_profile_loses_no_operand_in_80_columns():
    symbol = "_ZN4sha312_GLOBAL__N_110hash_blockILm72ELm64EEEvPhPKhSt17integral_constantImLm24EE"
    texts = {
        "vpshufb 0x7c57b(%rip),%ymm10,%ymm11        # 92100 <_ZN9hmac_sha1L13initial_stateE+0x20>": False,
        "add    0x10(%rsp),%rax        # short": True,
        "ldr    w0, [x1, #16]": True,
        f"call   1f9e0 <{symbol}>": True,
    }
    found = evidence(1)
    instructions = [LoopInstruction(address="1f40", text=text, line=40, executions=12345.0) for text in texts]
    remarks = [Remark(line=7, kind="missed", text=text, source="") for text in ("control flow in loop", "x" * 90)]
    found = changed(found, loop=changed(found.loop, symbol=symbol, instructions=instructions), remarks=remarks)
    text, lines = shown(show_profile, found)
    assert all(len(line) <= 80 for line in lines)
    assert ELLIPSIS not in text
    without_gaps = "".join(text.split())
    for one, whole in texts.items():
        instruction, mark, comment = one.partition("  # ")
        assert "".join(instruction.split()) in without_gaps
        assert (mark + comment).replace(" ", "") in without_gaps or not whole
        assert whole or comment.split()[0] not in text
    assert "control flow in loop" in text
    assert "  1 more, each longer than a line" in lines
    assert "xxx" not in text


def test_a_profile_does_not_cut_its_table():
    sides = [Side(name, evidence(place), 80_000.0) for place, name in enumerate(("hmac-sha1-25", "hmac-sha1-26"))]
    workload = changed(sampled().workloads[0], name="multi-buffer/scattered/mix-3")
    text, lines = shown(show_comparison, "optimisation-barriers.x86-64-v4.gcc", sides, workload)
    assert all(len(line) <= 80 for line in lines)
    for word in ("hmac-sha1-25", "hmac-sha1-26", "multi-buffer/scattered/mix-3:", "calls)", "80.0"):
        assert word in text


def test_the_answer_is_that_of_the_first_compiler():
    analysis = sampled()
    row = [one for one in analysis.first_rows if one.stage == "xtea-04"][-1]
    other = replace(row, compiler="clang", vs_base=replace(row.vs_base, verdict="slower"))
    analysis.__dict__["first_rows"] = [row, other]
    assert stage_answer.sentences(analysis, analysis.case.stage("04"))[0].startswith("xtea-04 is faster than")
