"""The name of a CPU's microarchitecture, from the numbers that it gives. Standard library alone."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from perf_ladders.machine import topology


@cache
def _names() -> dict[str, dict[str, dict[str, str]]]:
    """By vendor and family: names, and the models of each."""
    return tomllib.loads(Path(__file__).with_name("cpus.toml").read_text(encoding="utf-8"))


def microarchitecture(vendor: str, family: int, model: int, stepping: int = 0) -> str:
    """AMD Zen 4; its vendor and numbers, if it is not known. Arm: `family` is the implementer, `model` the part."""
    known = ""
    for name, models in _names().get(vendor, {}).get(str(family), {}).items():
        for span in models.split():
            first, _, last = span.partition("-")
            if not known and int(first, 0) <= model <= int(last or first, 0):
                known = name
    if known == "Skylake-SP" and stepping >= 5:  # one model number for three
        known = "Cascade Lake" if stepping < 10 else "Cooper Lake"
    elif known == "Kaby Lake" and stepping >= 10:
        known = "Coffee Lake" if model == 158 else "Whiskey Lake"
    if vendor == "Arm":
        return known or f"Arm implementer {family:#x} part {model:#x}"
    return f"{vendor} {known or f'family {family} model {model}'}"


def told_by_features(named: str, flags: str, instruction_cache: str) -> str | None:
    """The CPU that has these features, where the one that its model names has them not: a hypervisor can report the
    model of another CPU. None where the model may be right."""
    for name, known in tomllib.loads(Path(__file__).with_name("features.toml").read_text(encoding="utf-8")).items():
        has_them = set(known["flags"].split()) <= set(flags.split()) and instruction_cache == known["instruction_cache"]
        if has_them and named not in known["since"]:
            return name
    return None


def of_this_machine() -> str | None:
    """As told_by_features."""
    named = short_name(topology.cpu_info("model name") or "", topology.cpu_numbers())
    first_level = "sys/devices/system/cpu/cpu0/cache/index1"  # index0 has the data
    size = topology.read(f"{first_level}/size") if topology.read(f"{first_level}/type") == "Instruction" else None
    return told_by_features(named, topology.cpu_info("flags") or "", size or "")


def short_name(cpu: str, numbers: str | None, told: str | None = None) -> str:
    """From what a CPU calls itself and `family/model/stepping`, as measurements keep them, or as its features tell."""
    if told:
        return told
    if not numbers:
        return _model_of(cpu) or cpu
    family, model, stepping = (int(number, 0) for number in [*numbers.split("/"), "0", "0"][:3])
    if numbers.startswith("0x"):
        return microarchitecture("Arm", family, model)
    vendor = next((vendor for vendor in ("AMD", "Intel") if vendor.lower() in cpu.lower()), "")
    return microarchitecture(vendor, family, model, stepping) if vendor else f"{cpu} ({numbers})"


def full_name(cpu: str, numbers: str | None, told: str | None = None) -> str:
    """AMD Zen 4 (EPYC 9654): with the model, where the CPU says it."""
    short, model = short_name(cpu, numbers, told), _model_of(cpu)
    return f"{short} ({model})" if model and cpu not in short and model != short else short


def _model_of(cpu: str) -> str:
    """EPYC 9654, of `AMD EPYC 9654 96-Core Processor`."""
    bare = re.sub(r"\((R|TM|r|tm)\)| with Radeon.*| @ .*|\bnot known\b", "", cpu)
    noise = r"\b(AMD|Intel|CPU|Processor|\d+-Core|\d+(st|nd|rd|th) Gen|Genuine)\b"
    return " ".join(re.sub(noise, "", bare).split())
