"""The placeholders of notes: what they print with a measurement, without one, and where they are wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from measurement_sample import analysed, made, small

from perf_ladders import lint_notes
from perf_ladders.errors import UserError
from perf_ladders.pages import figures, formatting, stage_view
from perf_ladders.results.shown import by_file, of_stage
from perf_ladders.tree.catalogue import case_names, read_case

CASE = read_case("xtea")


def noted(case, number, result):
    """The stage, if its Result said this."""
    stage = next(stage for stage in case.stages if stage.number == number)
    text = f"## Hypothesis\n\n{{{{ nothing }}}}\n\n## Result\n\n{result}\n\n## Later\n\n{{{{ nothing }}}}\n"
    stage.__dict__["notes"] = replace(stage.notes, text=text)
    return stage


def filled(result, analysis=None, number="04"):
    case = analysis.case if analysis else read_case("xtea")
    text = figures.filled(noted(case, number, result), case, analysis)
    assert text.count("{{ nothing }}") == 2, "only the Result has placeholders"
    return text.split("## Result\n\n")[1].split("\n\n## Later")[0]


@pytest.fixture
def measured():
    return analysed(small())


def test_figures_are_those_of_the_pages(measured):
    row = next(row for row in measured.first_rows if row.stage == "xtea-04")
    said = formatting.ratio(row.vs_base)
    assert said.startswith("4.0")
    assert filled("{{ ratio() }}", measured) == f"{said} at x86-64 with GCC"
    assert filled('{{ ratio(compiler="gcc") }}', measured) == f"{said} at x86-64", (
        "a note that names it is not repeated"
    )
    assert filled('{{ ratio("message", "x86-64") }}', measured) == said
    assert filled('{{ ratio(base="reference", level="x86-64") }}', measured) == formatting.ratio(row.vs_reference)
    assert filled('{{ ratio(base="botan", level="x86-64") }}', measured).startswith("1.99")
    assert filled('{{ verdict(level="x86-64") }}', measured) == "faster"
    assert filled('{{ time(level="x86-64") }}', measured) == formatting.time(row.median_ns)


def test_conditions_follow_the_verdict(measured):
    either = '{% if faster("message") %}\nIt gains.\n{% elif same() %}\nThe same.\n{% else %}\nOpen.\n{% endif %}\nSo.'
    assert filled(either, measured) == "It gains.\nSo.", "lines of conditions leave no paragraph behind"
    assert filled(either, measured, "01") == "The same.\nSo."
    assert filled(either) == "Open.\nSo."
    assert filled("{{ measured() }} {{ slower() }} {{ undecided() }}", measured) == "True False False"


def test_where_lists_levels(measured):
    assert filled('{{ where("faster") }}; {{ where("slower") }}', measured) == "every level with GCC; no level"
    assert filled('{{ where("faster") }}') == "no level that was measured here"


def test_instructions_are_compared_in_words():
    measurement = small()
    analysis = analysed(measurement)
    for number, count in (("xtea-00", 30.0), ("xtea-02", 30.0), ("xtea-04", 12.0)):
        index = next(place for place, row in enumerate(analysis.first_rows) if row.stage == number)
        analysis.first_rows[index] = replace(analysis.first_rows[index], instructions_byte=count)
    fewer = "2.50x fewer instructions than stage 02"
    assert filled('{{ instructions(level="x86-64") }}', analysis) == fewer
    more = "2.50x more instructions than stage 04"
    assert filled('{{ instructions(base="interchange", level="x86-64") }}', analysis, "02") == more
    same = "as many instructions as stage 00 at x86-64 with GCC"
    assert filled('{{ instructions(base="reference") }}', analysis, "02") == same


def test_what_was_not_measured_is_said_in_words(measured):
    for analysis in (None, measured):
        assert filled('{{ ratio(compiler="clang") }}', analysis) == figures.NOT_HERE
        assert filled('{{ verdict(level="x86-64-v4") }}', analysis) == figures.NOT_HERE
        assert filled('{{ time("game-server") }}', analysis) == figures.NOT_HERE, (
            "a workload newer than the measurement"
        )
        assert filled("{{ instructions() }}", analysis) == "a number of instructions that was not counted here"
    assert filled("{{ cycles() }}") == "a number of cycles that was not measured here"
    assert filled("{{ peak() }}") == "a share of the peak that was not measured here"


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ("{{ rato() }}", "placeholder {{ rato() }} is wrong: 'rato' is undefined; there are ratio, verdict,"),
        ('{{ ratio("mesage") }}', "there is no workload 'mesage'; there are: message"),
        ('{{ ratio(level="v3") }}', "there is no level 'v3'; there are: novec,"),
        ('{{ ratio(compiler="icc") }}', "there is no compiler 'icc'; there are: gcc, clang"),
        ('{{ ratio(base="nothing") }}', "there is no stage or library 'nothing'; there are: reference,"),
        ('{{ where("fast") }}', "there is no verdict 'fast'; there are: faster,"),
        ('{{ ratio(lvl="x86-64") }}', "unexpected keyword argument 'lvl'"),
        ("{{ ratio( }}", "placeholder {{ ratio( }} is wrong: "),
        ('{% if faster("mesage") %}It is.{% endif %}', "there is no workload 'mesage'"),
        ('{% if false %}{{ ratio("mesage") }}{% endif %}', "there is no workload 'mesage'"),
        ("{% if faster() %}It is.", "the conditions under Result are wrong: Unexpected end of template"),
        ("{{ ratio.__globals__ }}", "is wrong: "),
        ("{{ 1 / 0 }}", "placeholder {{ 1 / 0 }} is wrong: division by zero"),
    ],
)
def test_a_wrong_placeholder_gets_one_sentence(result, sentence):
    case = read_case("xtea")
    stage = noted(case, "04", result)
    with pytest.raises(UserError) as caught:
        figures.check(stage, case, ["message", "game-server"])
    assert str(caught.value).startswith("stages/xtea/04-")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code == 2


def test_a_range_after_trials_is_not_judged():
    analysis = analysed(made({"xtea-00": 1, "xtea-00-again": 1, "xtea-04": 4}))
    stage = next(stage for stage in analysis.case.stages if stage.number == "04")
    stage.__dict__["notes"] = replace(stage.notes, base="reference", post_hoc=True)
    row = next(row for row in analysis.first_rows if row.stage == "xtea-04")
    assert formatting.prediction(row.prediction) == "3-5.5: range after trials"
    assert stage_view.StageView(analysis, stage).predictions


@pytest.mark.parametrize("name", case_names())
def test_the_notes_of_the_tree_are_right(name):
    case = read_case(name)
    files = by_file(case)
    found = files[0][1] if files else None
    workloads = [workload.name for workload in found.workloads] if found else None
    assert list(lint_notes.of_placeholders(case, workloads)) == []
    for stage in case.stages:
        measured = of_stage(stage, files)[1] if files else None
        text = figures.filled(stage, case, measured).split("## Result")[1]
        assert "{{" not in text
        assert "{%" not in text


def test_no_notes_have_typed_quantities():
    assert list(lint_notes.misfits()) == []


@pytest.mark.parametrize(
    ("prose", "quantities"),
    [
        ("It is 1.5x as fast, and loses 3 %.", ["1.5x", "3 %"]),
        ("A round takes about five cycles, or 12 cycles.", ["five cycles", "12 cycles"]),
        ("It gains three times as much, several times faster.", ["three times", "several times"]),
        ("Twice\nas fast, less than half; it doubles.", ["Twice", "half", "doubles"]),
        ("It loses nearly a tenth, two thirds of it in vain, a\nfifth.", ["a tenth", "two thirds", "a fifth"]),
        ("A few per cent at most, a factor of two.", ["A few per cent", "factor of two"]),
        ("A call took 12 us.", ["12 us"]),
        ("Blocks of 64 bytes, four lanes, x86-64-v3, AVX-512 and stage 02 in 72 rounds.", []),
        ("It uses half of each register and half the width; the third quarter has 20 steps.", []),
        ("Each block is loaded once, then `2x` and {{ ratio('twice') }}{% if faster('half') %}.{% endif %}", []),
        ("```c\nx = 2 * half;\n```\n", []),
    ],
)
def test_typed_quantities(prose, quantities):
    assert lint_notes.typed(f"## Evidence\n\nTwice.\n\n## Result\n\n<!-- rows -->\n\n{prose}\n\n## Mine\n\n5x\n") == (
        quantities
    )
