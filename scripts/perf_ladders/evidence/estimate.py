"""A model estimate of the hot loop: llvm-mca simulates it on a core like this one."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from functools import cache

import msgspec

from perf_ladders.errors import Missing
from perf_ladders.evidence.assembly import Instruction
from perf_ladders.evidence.tools import output, tool, version
from perf_ladders.machine import topology
from perf_ladders.model.evidence import Estimate

_SIMULATED = 200  # iterations

# LLVM's names of the CPUs of a vendor, from the newest.
_MODELS = {
    "AuthenticAMD": ("znver5", "znver4", "znver3", "znver2", "znver1"),
    "GenuineIntel": ("sapphirerapids", "lunarlake", "alderlake", "icelake-server", "skylake-avx512", "skylake"),
}


class _Summary(msgspec.Struct, rename="pascal"):
    iterations: int
    instructions: int
    total_cycles: int
    block_throughput: float = msgspec.field(name="BlockRThroughput")
    uops: int = msgspec.field(name="TotaluOps")


class Usage(msgspec.Struct, rename="pascal"):
    """How long an instruction keeps a resource; the sum of all has the number behind the last instruction."""

    instruction_index: int
    resource_index: int
    resource_usage: float


class _Pressure(msgspec.Struct, rename="pascal"):
    resource_pressure_info: list[Usage]


class _Region(msgspec.Struct, rename="pascal"):
    summary_view: _Summary
    resource_pressure_view: _Pressure


class _Target(msgspec.Struct, rename="pascal"):
    resources: list[str]


class Simulated(msgspec.Struct, rename="pascal"):
    """Of llvm-mca's JSON."""

    code_regions: list[_Region]
    target_info: _Target

    @property
    def summary(self) -> _Summary:
        return self.code_regions[0].summary_view

    @property
    def cycles(self) -> float:
        """Of an iteration."""
        return self.summary.total_cycles / self.summary.iterations


def estimate(loop: Sequence[Instruction], iterations_byte: float | None) -> Estimate:
    """`iterations_byte`: how often the loop runs for one byte."""
    mca = tool("llvm-mca", "llvm")
    text = for_models(loop)
    cpu = _modelled(mca)
    simulation = simulated(text, [mca, f"--mcpu={cpu}"])
    found, cycles = simulation.summary, simulation.cycles
    return Estimate(
        tool=f"llvm-mca {version(mca)}",
        cpu=cpu,
        instructions=found.instructions // found.iterations,
        uops=found.uops // found.iterations,
        cycles=cycles,
        resource_cycles=found.block_throughput,
        cycles_byte=cycles * iterations_byte if iterations_byte else None,
    )


@cache
def _modelled(mca: str) -> str:
    """This CPU as llvm-mca calls it; of a CPU that is newer than llvm-mca, the newest of its vendor that is known."""
    about = output([mca, "--version"], "llvm-mca")
    match = re.search(r"Host CPU: (\S+)", about)
    if match and match[1] != "(unknown)":
        return match[1]
    known = known_models(mca)
    vendor = topology.cpu_info("vendor_id") or ""
    for name in _MODELS.get(vendor, ()):
        if name in known:
            return name
    raise Missing(f"llvm-mca {version(mca)} does not know this CPU: a newer LLVM may")


def simulated(text: str, mca: Sequence[str]) -> Simulated:
    said = output([*mca, f"--iterations={_SIMULATED}", "--json"], "llvm-mca cannot simulate the loop", text.encode())
    try:
        found = msgspec.json.decode(said, type=Simulated)
    except msgspec.DecodeError as error:
        raise Missing(f"llvm-mca printed no JSON of the form that is known ({error})") from None
    if not found.code_regions:
        raise Missing("llvm-mca found no instruction in the loop")
    return found


def for_models(loop: Sequence[Instruction]) -> str:
    """The loop as a model of a core reads it; a model follows no call and no inner loop."""
    if any(re.match(r"call|bl\b", instruction.text) for instruction in loop):
        raise Missing("the loop calls functions, which llvm-mca does not follow")
    first = loop[0].address
    if any(i.jumps_to is not None and first <= i.jumps_to <= i.address for i in loop[:-1]):
        raise Missing("the loop holds another loop, which llvm-mca does not follow")
    return "\n".join(_for_model(instruction) for instruction in loop) + "\n"


@cache
def known_models(*mca: str) -> frozenset[str]:
    """llvm-mca takes another model for one that it does not know, and only warns."""
    told = subprocess.run([*mca, "--mcpu=help"], capture_output=True, text=True, check=False, input="nop\n")
    return frozenset(told.stderr.split())


def _for_model(instruction: Instruction) -> str:
    """Without objdump's comments; a jump goes to a label instead of an address."""
    text = re.sub(r"\s+(?:# |//|; ).*$", "", instruction.text)
    if instruction.jumps_to is not None:
        text = re.sub(r"[0-9a-f]+ <.*$", "somewhere", text)
    return re.sub(r" <[^>]*>$", "", text)
