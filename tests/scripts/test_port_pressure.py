"""Models of cores that are asked about hot loops: what is handed to them, and how their answers are read."""

from __future__ import annotations

import importlib.util
import json
import shutil

import msgspec
import pytest
from evidence_sample import full
from measurement_sample import analysed
from test_atlas import SPEED, on_zen

from perf_ladders import cli
from perf_ladders.commands import port_pressure as command
from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence import estimate
from perf_ladders.evidence import port_pressure as models
from perf_ladders.machine.microarchitecture import _names, microarchitecture
from perf_ladders.model.evidence import Evidence, Loop, LoopInstruction
from perf_ladders.model.port_pressure import Answer, PortPressure
from perf_ladders.results import port_pressure, store
from perf_ladders.tree.paths import ROOT

LOOP = [
    "add    $0x8,%rax",
    "vpslld $0x4,%ymm2,%ymm0",
    "lea    0x6d7(%rip),%rcx        # 8d0e0 <iota+0xc0>",
    "jne    {}",
]

TOLD = """Header: {Architecture: zen3, FileName: loop.s, Version: 0.7.1}
Kernel:
- Comment: null
  Flags: [tp_unknown, lt_unknown]
  Instruction: vpsrld
  Throughput: 0.0
- Comment: null
  Flags: []
  Instruction: vpslld
Summary:
  CriticalPath: 14.0
  LCD: 11.0
  PortPressure: {'0': 3.5, '10': 0.0, '11': 1.0, '2':
      3.5, 8DV: 0.0, DV0: 0.5}
Target:
  Name: ZEN3
Warnings: [UnknownInstrWarning]
"""


def loop(begin, texts=None, length=None):
    """As a measurement keeps it, linked at an address."""
    written = [text.format(f"{begin:x}") for text in texts or LOOP]
    instructions = [LoopInstruction(address=f"{begin + 4 * place:x}", text=text) for place, text in enumerate(written)]
    return Loop(symbol="f", share=1.0, found_by="executions", length=length or len(written), instructions=instructions)


def simulation(resources, usage, cycles=2_208):
    """What llvm-mca prints."""
    pressure = [{"InstructionIndex": at, "ResourceIndex": place, "ResourceUsage": busy} for at, place, busy in usage]
    summary = {"Iterations": 200, "Instructions": 3800, "TotalCycles": cycles, "BlockRThroughput": 3.2, "TotaluOps": 1}
    region = {"SummaryView": summary, "ResourcePressureView": {"ResourcePressureInfo": pressure}}
    return json.dumps({"CodeRegions": [region], "TargetInfo": {"CPUName": "x", "Resources": resources}})


@pytest.fixture
def llvm(monkeypatch):
    """An llvm-mca that knows these cores and prints that."""

    def make(known, said):
        asked = []
        monkeypatch.setattr(models, "tool", lambda *_: "llvm-mca")
        monkeypatch.setattr(models, "version", lambda _: "19.1.7")
        monkeypatch.setattr(models, "osaca_version", lambda: "0.7.1")
        monkeypatch.setattr(models, "known_models", lambda *_: frozenset(known))
        monkeypatch.setattr(estimate, "output", lambda words, *_: asked.append(words) or said)
        return asked

    return make


def test_the_same_code_is_the_same_loop_wherever_it_was_linked():
    assert models.text_of(loop(0x1000)) == models.text_of(loop(0x13268))
    assert models.text_of(loop(0x1000)).splitlines() == [
        "add    $0x8,%rax",
        "vpslld $0x4,%ymm2,%ymm0",
        "lea    0x6d7(%rip),%rcx",
        "jne    somewhere",
    ]
    other = [*LOOP[:1], "vpslld $0x5,%ymm2,%ymm0", *LOOP[2:]]
    assert models.digest(models.text_of(loop(0x1000, other))) != models.digest(models.text_of(loop(0x1000)))


@pytest.mark.parametrize(
    ("kept", "sentence"),
    [
        (loop(0x10, length=467), "the measurement holds 4 of the 467 instructions of the loop"),
        (loop(0x10, ["call   10 <memcpy@plt>", "jne    {}"]), "the loop calls functions"),
        (loop(0x10, ["dec    %eax", "jne    {}", "jne    {}"]), "the loop holds another loop"),
    ],
)
def test_a_loop_that_no_model_can_judge_says_why(kept, sentence):
    with pytest.raises(Missing, match=sentence):
        models.text_of(kept)


def test_pressure_is_read_for_the_whole_iteration_and_ports_have_short_names(llvm):
    usage = [(0, 0, 0.5), (2, 0, 0.6), (2, 1, 3.33), (2, 2, 1.0)]
    asked = llvm({"znver3"}, simulation(["Zn3ALU0", "Zn3FP0", "Zn3FP45.\x01"], usage))
    found = models.ask("nop\n", "AMD Zen 3")[0]
    assert found.ports == {"ALU0": 0.6, "FP0": 3.33, "FP45.1": 1.0}
    assert (found.model, found.stand_in, found.cycles, max(found.ports.values())) == ("znver3", "", 11.04, 3.33)
    assert asked[0][:2] == ["llvm-mca", "--mcpu=znver3"]


def test_a_core_with_the_ports_of_another_one_is_marked(llvm):
    llvm({"znver5"}, simulation(["Zn4ALU0"], [(1, 0, 1.0)]))
    assert models.ask("nop\n", "AMD Zen 5")[0].stand_in == "AMD Zen 4"


def test_a_core_that_a_model_does_not_know_has_a_reason(llvm):
    asked = llvm({"znver3"}, simulation(["Zn3ALU0"], [(1, 0, 1.0)]))
    mca, osaca = models.ask("nop\n", "AMD Zen 5")
    assert mca.missing == "llvm-mca 19.1.7 does not know AMD Zen 5: a newer LLVM may"
    assert osaca.missing == "OSACA 0.7.1 does not know AMD Zen 5"
    assert asked == []


def test_an_llvm_of_an_arm_core_is_told_so(llvm):
    asked = llvm({"neoverse-n1"}, simulation(["N1UnitB"], [(1, 0, 1.0)]))
    assert models.ask("add x0, x0, x1\n", "Arm Neoverse N1")[0].stand_in == ""
    assert "--mtriple=aarch64" in asked[0]


def test_the_summary_of_osaca_is_read(monkeypatch):
    monkeypatch.setattr(models, "osaca_version", lambda: "0.7.1")
    found = models.read_osaca(TOLD, "ZEN3", 19)
    assert (found.cycles, found.chain, found.unknown) == (11.0, 11.0, {"vpsrld": 1})
    assert list(found.ports.items()) == [("0", 3.5), ("2", 3.5), ("11", 1.0), ("DV0", 0.5)]
    late = models.read_osaca(TOLD.replace("Warnings: [", "Warnings: [LCDWarning, "), "ZEN3", 19)
    assert (late.cycles, late.chain) == (3.5, None)
    with pytest.raises(Missing, match="knows none of the instructions"):
        models.read_osaca(TOLD, "ZEN3", 1)
    with pytest.raises(Missing, match="wrote no summary"):
        models.read_osaca("", "ZEN3", 19)


@pytest.mark.skipif(importlib.util.find_spec("osaca") is None, reason="OSACA is not installed: it is optional")
@pytest.mark.skipif(shutil.which("llvm-mca") is None, reason="there is no llvm-mca")
def test_both_models_answer():
    """A chain of three additions, each of which takes a cycle."""
    chain = "add    $0x1,%rax\nadd    $0x2,%rax\nadd    $0x3,%rax\njne    somewhere\n"
    for found in models.ask(chain, "AMD Zen 3"):
        assert found.missing == ""
        assert found.cycles == pytest.approx(3.0, abs=0.2)
        assert found.ports
    assert models.ask(chain, "AMD Zen 3")[1].chain == 3.0


def test_osaca_is_pinned_by_hash_and_set_up_leaves_it_out():
    pinned = (ROOT / "requirements-models.txt").read_text("utf-8").replace("\\\n", "").splitlines()
    assert all("==" in line and "--hash=sha256:" in line for line in pinned)
    assert any(line.startswith("osaca==") for line in pinned)
    assert "osaca" not in (ROOT / "requirements.txt").read_text("utf-8")


def test_every_core_has_a_name_that_measurements_use():
    names = {microarchitecture("Intel", 6, 85, stepping) for stepping in (4, 7)}  # one model number for both
    for vendor, families in _names().items():
        for known in families.values():
            names |= {name if vendor == "Arm" else f"{vendor} {name}" for name in known}
    assert set(models.cores()) <= names


def test_what_was_asked_here_counts_more_than_what_the_repository_holds(monkeypatch, tmp_path):
    kept = loop(0x10)
    for name, cycles in (("FILE", 1.0), ("LOCAL", 2.0)):
        path = tmp_path / f"{name}.json"
        monkeypatch.setattr(port_pressure, name, path)
        answer = {"tool": "llvm-mca", "version": "19", "cycles": cycles}
        asked = {"loop": models.digest(models.text_of(kept)), "core": "AMD Zen 3", "instructions": 4}
        path.write_text(json.dumps({"when": "2026-01-01", "commit": "0123", "loops": [asked | {"answers": [answer]}]}))
    port_pressure._kept.cache_clear()
    assert port_pressure.answers(Evidence(loop=kept), "AMD Zen 3")[0].cycles == 2.0
    for evidence, core, sentence in (
        (Evidence(loop=kept), "AMD Zen 4", "the models were not asked"),
        (Evidence(missing={"loop": "straight code"}), "AMD Zen 3", "straight code"),
        (None, "AMD Zen 3", "not profiled"),
    ):
        with pytest.raises(Missing, match=sentence):
            port_pressure.answers(evidence, core)
    port_pressure._kept.cache_clear()


@pytest.fixture
def results(monkeypatch, tmp_path):
    """Two measurements that disagree on xtea-04, one of them in the repository; and a place to write to."""
    slow = on_zen(5, full({**SPEED, "xtea-04": 0.5}))
    store.save(on_zen(3, full(SPEED)), tmp_path / "results" / "xtea" / "a.json.xz")
    mine = store.save(slow, tmp_path / "mine.json.xz")
    monkeypatch.setattr(store, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(command, "tool", lambda *_: "llvm-mca")
    monkeypatch.setattr(models, "osaca_version", lambda: "0.7.1")
    monkeypatch.setattr(models, "text_of", lambda kept: f"{kept.symbol}\n")
    monkeypatch.setattr(
        models,
        "ask",
        lambda text, core: [
            Answer(tool="llvm-mca", version="19", cycles=3.0),
            Answer(tool="OSACA", version="0.7.1", missing="no"),
        ],
    )
    assert analysed(slow).case.name == "xtea"
    return mine, tmp_path / "asked.json"


def test_the_command_asks_about_each_loop_once_for_each_core(results, capsys):
    mine, out = results
    assert cli.main(["port-pressure", str(mine), "--out", str(out)]) == 0
    kept = msgspec.json.decode(out.read_bytes(), type=PortPressure)
    assert [one.core for one in kept.loops] == ["AMD Zen 3", "AMD Zen 5"]
    assert capsys.readouterr().out == f"wrote {out}\n"


def test_the_answer_of_a_newer_version_is_kept(results, monkeypatch):
    """An older llvm-mca does not know the newest cores."""
    mine, out = results
    answers = [
        Answer(tool="llvm-mca", version="14.0.6", missing="it does not know the core"),
        Answer(tool="llvm-mca", version="22.1.8", cycles=4.0),
        Answer(tool="llvm-mca", version="9.0.1", cycles=5.0),
        Answer(tool="llvm-mca", version="23.0.0", missing="it does not know the core"),
        Answer(tool="llvm-mca", version="22.1.8", cycles=6.0),
    ]
    kept = []
    for answer in answers:
        monkeypatch.setattr(models, "ask", lambda text, core, answer=answer: [answer])
        assert cli.main(["port-pressure", str(mine), "--out", str(out)]) == 0
        (found, *_) = msgspec.json.decode(out.read_bytes(), type=PortPressure).loops
        kept.append(found.answers)
    assert kept == [[answers[place]] for place in (0, 1, 1, 1, 4)]


def test_a_model_that_is_not_installed_ends_the_command_and_loses_nothing(results, monkeypatch, capsys):
    mine, out = results
    out.write_text("{}", encoding="utf-8")

    def absent():
        raise Missing("OSACA is not installed (.venv/bin/pip install -r requirements-models.txt)")

    monkeypatch.setattr(models, "osaca_version", absent)
    assert cli.main(["port-pressure", str(mine), "--out", str(out)]) == 2
    assert capsys.readouterr().err.startswith("OSACA is not installed (")
    assert out.read_text(encoding="utf-8") == "{}"


def test_a_damaged_file_of_answers_is_refused_and_can_be_written_again(results, monkeypatch, capsys):
    mine, out = results
    out.write_text('{"when": 1}', encoding="utf-8")
    monkeypatch.setattr(port_pressure, "FILE", out)
    port_pressure._kept.cache_clear()
    with pytest.raises(UserError, match=r"`\./ladders port-pressure` writes it again"):
        port_pressure.answers(Evidence(loop=loop(0x10)), "AMD Zen 3")
    assert cli.main(["port-pressure", str(mine), "--out", str(out)]) == 0
    port_pressure._kept.cache_clear()
    assert "wrote" in capsys.readouterr().out


def test_what_the_repository_holds_can_be_read():
    if not port_pressure.FILE.is_file():
        pytest.skip("the models were not asked yet")
    assert port_pressure._read(port_pressure.FILE)
