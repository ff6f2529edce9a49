"""Two models of a core are asked about a hot loop that a measurement holds: llvm-mca, and OSACA.

Both run as programs of their own. A core that a model does not know has no answer of it, but a reason.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec

from perf_ladders.errors import Missing
from perf_ladders.evidence.assembly import Instruction
from perf_ladders.evidence.estimate import Simulated, for_models, known_models, simulated
from perf_ladders.evidence.tools import output, tool, version
from perf_ladders.model.evidence import Loop
from perf_ladders.model.port_pressure import Answer
from perf_ladders.tree import files

LLVM_MCA, OSACA = "llvm-mca", "OSACA"
_OSACA = (sys.executable, "-m", "osaca")
_CHAIN_S = 20  # OSACA looks for chains so long
_JUMP = re.compile(r"(?!call|bl\b)(?:j|b\.|b\b|cb|tb)\S*\s+(?:\S+,\s*)*([0-9a-f]+)$")  # as measurements keep it

# Of OSACA's YAML, which names Python's objects; the summary is plain.
_SUMMARY = re.compile(
    r"^Summary:\n  CriticalPath: \S+\n  LCD: ([\d.]+)\n  PortPressure: \{(.*?)\}", re.DOTALL | re.MULTILINE
)
_PORT = re.compile(r"'?(\w+)'?:\s+([\d.e+-]+)")
_UNKNOWN = re.compile(r"Flags: \[[^\]]*tp_unknown[^\]]*\]\n  Instruction: (\S+)")


class Core(msgspec.Struct, forbid_unknown_fields=True):
    """What the models call it."""

    llvm: str
    ports: str  # how llvm-mca's names of its ports begin
    osaca: str = ""


@cache
def cores() -> dict[str, Core]:
    return msgspec.toml.decode(Path(__file__).with_name("cores.toml").read_bytes(), type=dict[str, Core])


def text_of(loop: Loop) -> str:
    """As models read it. It is the same for the same code, wherever that was linked."""
    if loop.length > len(loop.instructions):
        raise Missing(f"the measurement holds {len(loop.instructions)} of the {loop.length} instructions of the loop")
    return for_models([_instruction(int(one.address, 16), one.text) for one in loop.instructions])


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _instruction(address: int, text: str) -> Instruction:
    jump = _JUMP.match(text)
    return Instruction(address, f"{text} <>" if jump else text, int(jump[1], 16) if jump else None)


def ask(text: str, core: str) -> list[Answer]:
    """One answer of each model."""
    mca = tool("llvm-mca", "llvm")
    return [
        _attempt(LLVM_MCA, version(mca), lambda: _of_llvm(text, core, mca)),
        _attempt(OSACA, osaca_version(), lambda: _of_osaca(text, core)),
    ]


@cache
def osaca_version() -> str:
    try:
        return output([*_OSACA, "--version"], "osaca").split()[-1]
    except Missing:
        raise Missing("OSACA is not installed (`.venv/bin/pip install -r requirements-models.txt`)") from None


def _attempt(name: str, number: str, gather: Callable[[], Answer]) -> Answer:
    try:
        return gather()
    except Missing as reason:
        return Answer(tool=name, version=number, missing=str(reason))


def _of_llvm(text: str, core: str, mca: str) -> Answer:
    known = cores().get(core)
    arm = [mca, "--mtriple=aarch64"] if core.startswith("Arm") else [mca]
    if known is None or known.llvm not in known_models(*arm):
        raise Missing(f"llvm-mca {version(mca)} does not know {core}: a newer LLVM may")
    found = simulated(text, [*arm, f"--mcpu={known.llvm}"])
    prefix = _prefix(found.target_info.resources)
    return Answer(
        tool=LLVM_MCA,
        version=version(mca),
        model=known.llvm,
        stand_in="" if prefix == known.ports else _stand_in(prefix),
        cycles=found.cycles,
        ports=_ports(found, prefix),
    )


def _prefix(resources: list[str]) -> str:
    """Zn4, of Zn4AGU0."""
    found = re.match(r"Zn\d?|[A-Z]+?\d*(?=Port|Unit|FP|Div)", resources[0]) if resources else None
    return found[0] if found else ""


def _stand_in(prefix: str) -> str:
    return next((name for name, core in cores().items() if core.ports == prefix), "another core")


def _ports(found: Simulated, prefix: str) -> dict[str, float]:
    usage = found.code_regions[0].resource_pressure_view.resource_pressure_info
    total = max((one.instruction_index for one in usage), default=0)
    names = [
        re.sub(r"\.([\x00-\x1f])$", lambda unit: f".{ord(unit[1])}", one).removeprefix(prefix)
        for one in found.target_info.resources
    ]
    return {names[one.resource_index]: one.resource_usage for one in usage if one.instruction_index == total}


def _of_osaca(text: str, core: str) -> Answer:
    known = cores().get(core)
    if known is None or not known.osaca:
        raise Missing(f"OSACA {osaca_version()} does not know {core}")
    with files.scratch() as folder:
        loop, told = folder / "loop.s", folder / "told.yml"
        loop.write_text(text, encoding="utf-8")
        words: list[str | Path] = [
            "--arch",
            known.osaca,
            "--ignore-unknown",
            "--lcd-timeout",
            str(_CHAIN_S),
            "--yaml-out",
            told,
        ]
        if not core.startswith("Arm"):
            words += ["--syntax", "ATT"]
        output([*_OSACA, *words, loop], "OSACA cannot read the loop")
        said = told.read_text("utf-8") if told.is_file() else ""
    return read_osaca(said, known.osaca, len(text.splitlines()))


def read_osaca(said: str, model: str, instructions: int) -> Answer:
    """Its YAML."""
    summary, unknown = _SUMMARY.search(said), Counter(_UNKNOWN.findall(said))
    if summary is None:
        raise Missing("OSACA wrote no summary of the form that is known")
    if unknown.total() >= instructions:
        raise Missing("OSACA knows none of the instructions")
    ports = {name: float(cycles) for name, cycles in _PORT.findall(summary[2]) if float(cycles)}
    chain = None if "LCDWarning" in said else float(summary[1])  # which it did not search to the end
    return Answer(
        tool=OSACA,
        version=osaca_version(),
        model=model,
        cycles=max(chain or 0.0, *ports.values(), 0.0),
        chain=chain,
        ports=dict(sorted(ports.items(), key=lambda one: (not one[0].isdigit(), len(one[0]), one[0]))),
        unknown=dict(sorted(unknown.items())),
    )
