"""The page of a step: its evidence on each machine, of which the reader picks two."""

from __future__ import annotations

import re

import msgspec
import pytest
from conftest import text_of
from evidence_sample import full
from measurement_sample import paired
from test_atlas import SPEED, atlas_of, line_of, on_zen, zen

from perf_ladders.evidence import port_pressure as models
from perf_ladders.model.port_pressure import Answer, Asked, PortPressure
from perf_ladders.pages import atlas_view, render, step_evidence
from perf_ladders.results import port_pressure

SLOW = {**SPEED, "xtea-04": 0.5}


def pages_of(*measurements):
    made = render.Folder()
    render.atlas_pages(made, [[one.analysis for one in atlas_of(*measurements).columns]])
    return made.files


def evidence_of(*measurements, number="04"):
    found = atlas_of(*measurements)
    return step_evidence.of_line(found, line_of(found, number))


def sections(page):
    """By what is picked, the text of each machine's evidence."""
    parts = page.split('<section data-choice="')[1:]
    return {part.partition('"')[0]: text_of(part.partition(">")[2]) for part in parts}


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Keeps what models say of the hot loop of a measurement on a core."""
    loops = []
    monkeypatch.setattr(port_pressure, "FILE", tmp_path / "kept.json")
    monkeypatch.setattr(port_pressure, "LOCAL", tmp_path / "local.json")

    def keep(measurement, core, *answers, stage="interchange", level="x86-64-v3"):
        evidence = measurement.evidence[f"{stage}.{level}.gcc"]
        text = models.text_of(evidence.loop)
        loops.append(Asked(loop=models.digest(text), core=core, instructions=evidence.loop.length, answers=answers))
        kept = PortPressure(when="2026-01-01", commit="0123456789ab", loops=loops)
        port_pressure.FILE.write_bytes(msgspec.json.encode(kept))
        port_pressure._kept.cache_clear()

    port_pressure._kept.cache_clear()
    yield keep
    port_pressure._kept.cache_clear()


def llvm(cycles, **fields):
    return Answer(tool="llvm-mca", version="19.1.7", model="znver3", cycles=cycles, ports={"FP0": 3.0}, **fields)


def osaca(cycles=None, **fields):
    return Answer(tool="OSACA", version="0.7.1", model="ZEN3", cycles=cycles, **fields)


def own_loops(measurement):
    """A hot loop of its own for each program: the sample has one for all."""
    for name, evidence in measurement.evidence.items():
        if evidence.loop:
            first = msgspec.structs.replace(evidence.loop.instructions[0], text=f"nop  # {len(name)}", address="1")
            first.text = f"mov ${sum(name.split('.')[0].encode())},%eax"
            evidence.loop.instructions = [first]
            evidence.loop.length = 1
    return measurement


def test_each_machine_level_and_compiler_can_be_picked():
    found = evidence_of(on_zen(4, full(SPEED)), on_zen(5, full(SLOW)))
    assert [one.id for one in found.choices] == [
        f"AMD Zen {number}, 2026-01-01: GCC 12, {level}" for number in (4, 5) for level in ("x86-64", "x86-64-v3")
    ]
    assert list(found.machines) == ["AMD Zen 4, 2026-01-01", "AMD Zen 5, 2026-01-01"]
    page = pages_of(on_zen(4, full(SPEED)), on_zen(5, full(SLOW)))["xtea-04-machines.html"]
    assert page.count("<option") == 2 * len(found.choices)
    shown = sections(page)
    assert list(shown) == [one.id for one in found.choices]
    for one in found.choices:
        assert f"xtea-04, {one.profile.level}, gcc" in shown[one.id]
        assert "The hot loop" in shown[one.id]


def test_two_cpus_that_disagree_are_shown_first():
    found = evidence_of(on_zen(4, full(SPEED)), on_zen(3, full(SPEED)), on_zen(5, full(SLOW)))
    left, right = found.first
    assert (left, right) == ("AMD Zen 4, 2026-01-01: GCC 12, x86-64-v3", "AMD Zen 5, 2026-01-01: GCC 12, x86-64-v3")
    page = pages_of(on_zen(4, full(SPEED)), on_zen(3, full(SPEED)), on_zen(5, full(SLOW)))["xtea-04-machines.html"]
    selected = re.findall(r'<option value="([^"]*)" selected>', page)
    assert selected == [left, right]


def test_two_cpus_that_agree_are_shown_too():
    found = evidence_of(zen(4), zen(5))
    assert [one.split(",")[0] for one in found.first] == ["AMD Zen 4", "AMD Zen 5"]


def test_without_javascript_all_machines_are_shown_and_nothing_can_be_picked():
    page = pages_of(zen(4), zen(5))["xtea-04-machines.html"]
    parts = re.findall(r"<section data-choice[^>]*>", page)
    assert len(parts) == 2
    assert not any("hidden" in part or "style" in part for part in parts)
    assert len(re.findall(r"<label hidden>(?:Left|Right) <select", page)) == 2


def test_two_measurements_of_a_day_can_be_told_apart():
    found = evidence_of(zen(4), zen(4, s04=0.5), zen(5))
    names = [one.id for one in found.choices]
    assert len(set(names)) == len(names)


def test_a_machine_without_the_step_is_named():
    found = evidence_of(zen(4), zen(5, s04=None))
    assert found.absent == ["AMD Zen 5, 2026-01-01, GCC 12: not measured yet"]
    assert "AMD Zen 5, 2026-01-01, GCC 12: not measured yet." in text_of(
        pages_of(zen(4), zen(5, s04=None))["xtea-04-machines.html"]
    )


def test_blocks_and_a_failed_control_are_marked_beside_the_evidence():
    noisy = {**SPEED, "xtea-00-again": 1.5}
    page = pages_of(zen(4, noisy), on_zen(5, paired(SPEED)))["xtea-04-machines.html"]
    first, second = sections(page).values()
    assert "fixed blocks , A/A control failed" in first
    assert "fixed blocks" not in second
    table = text_of(re.search(r"<table class=\"sortable\">.*?</table>", page, re.DOTALL)[0])
    assert re.search(r"AMD Zen 4, 2026-01-01 GCC 12, x86-64 [\d.]+x A/A control failed", table)


def test_a_click_on_a_step_leads_to_it_where_there_are_several_cpus():
    files = pages_of(zen(4), zen(5))
    assert 'href="xtea-04-machines.html"' in files["atlas.html"]
    assert set(files) == {"atlas.html", *(f"xtea-{number}-machines.html" for number in ("01", "02", "04"))}
    assert set(pages_of(zen(4))) == {"atlas.html"}


def test_port_pressure_of_both_models_is_beside_the_disagreement(asked):
    first, second = own_loops(on_zen(3, full(SPEED))), own_loops(on_zen(5, full(SLOW)))
    asked(first, "AMD Zen 3", llvm(20.0), osaca(20.0, chain=18.0, ports={"0": 5.0}), stage="transform")
    asked(first, "AMD Zen 3", llvm(10.0), osaca(10.0, chain=9.0, ports={"0": 2.5}))
    asked(
        second,
        "AMD Zen 5",
        llvm(20.0, stand_in="AMD Zen 4"),
        osaca(missing="OSACA does not know it"),
        stage="transform",
    )
    asked(second, "AMD Zen 5", llvm(40.0, stand_in="AMD Zen 4"), osaca(missing="OSACA does not know it"))
    files = pages_of(first, second)
    for name in ("atlas.html", "xtea-04-machines.html"):
        page = text_of(files[name])
        assert "AMD Zen 3: llvm-mca 19.1.7, znver3; cycles an iteration" in page
        assert "llvm-mca has no ports of AMD Zen 5. It takes those of AMD Zen 4." in page
        assert "AMD Zen 3: OSACA 0.7.1, ZEN3; cycles an iteration" in page
        assert "OSACA for AMD Zen 5: n/a (OSACA does not know it)" in page
        assert "llvm-mca expects of the step 2.00x on AMD Zen 3, 0.500x on AMD Zen 5" in page
        assert "It takes the ports of AMD Zen 4 for AMD Zen 5, so it says little of them." in page
    assert '<td class="bar" style="--part: 30%">3.00</td>' in files["xtea-04-machines.html"]  # of 10 cycles


@pytest.mark.parametrize(
    ("cycles", "said"),
    [
        ((10.0, 40.0), "It tells the cores apart as measured"),
        ((10.0, 10.0), "It expects the same of these cores, so it shows no reason"),
        ((40.0, 10.0), "It expects the opposite of the measured order"),
    ],
)
def test_a_model_is_compared_with_what_was_measured(asked, cycles, said):
    both = own_loops(on_zen(3, full(SPEED))), own_loops(on_zen(5, full(SLOW)))
    for one, core, step in zip(both, ("AMD Zen 3", "AMD Zen 5"), cycles, strict=True):
        asked(one, core, llvm(20.0), stage="transform")
        asked(one, core, llvm(step))
    assert said in text_of(pages_of(*both)["xtea-04-machines.html"])


def test_a_model_that_leaves_out_instructions_expects_nothing(asked):
    both = own_loops(on_zen(3, full(SPEED))), own_loops(on_zen(5, full(SLOW)))
    for one, core in zip(both, ("AMD Zen 3", "AMD Zen 5"), strict=True):
        for stage in ("transform", "interchange"):
            asked(one, core, osaca(10.0, ports={"0": 1.0}, unknown={"vpsrld": 2}), stage=stage)
    page = text_of(pages_of(*both)["xtea-04-machines.html"])
    assert "02 and 04: OSACA does not know vpsrld (2 of them), which add no cycles to these figures" in page
    assert "at least 10.0" in page
    assert "OSACA expects" not in page


def test_models_that_were_not_asked_are_told_in_one_line_with_the_command(asked):
    page = text_of(pages_of(on_zen(3, full(SPEED)), on_zen(5, full(SLOW)))["xtea-04-machines.html"])
    why = "Port pressure: n/a (the models were not asked: ./ladders port-pressure asks them)."
    assert page.count(why) == page.count("were not asked") == 1
    assert "Two models of each core" not in page


def test_a_step_on_which_cpus_agree_asks_no_model():
    page = text_of(pages_of(on_zen(3, full(SPEED)), on_zen(5, full(SPEED)))["xtea-04-machines.html"])
    assert "Port pressure" not in page


def test_of_one_cpu_there_is_no_page():
    (found,) = atlas_view.atlas([[one.analysis for one in atlas_of(zen(4)).columns]])
    assert not found.several
