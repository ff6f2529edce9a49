"""The machine that measures: its description, and its name."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from perf_ladders.machine import microarchitecture, topology
from perf_ladders.model.measurement import CoreKinds, Machine


def describe() -> Machine:
    """Shown in every report. No path, no host name."""
    system = platform.freedesktop_os_release() if Path("/etc/os-release").exists() else {}
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(
        cpu=topology.cpu_info("model name", "Model") or "not known",
        family_model_stepping=topology.cpu_numbers(),
        told_by_features=microarchitecture.of_this_machine(),
        cpus=os.cpu_count() or 1,
        memory_gib=round(memory / 2**30),
        architecture=platform.machine(),
        system=system.get("PRETTY_NAME", "not known"),
        kernel=platform.release(),
        virtual_machine=_virtual_machine(),
        core_kinds=CoreKinds(**topology.core_kinds()),
        governor=topology.read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    )


def _virtual_machine() -> str:
    try:
        found = subprocess.run(
            ["systemd-detect-virt", "--vm"], capture_output=True, text=True, check=False
        ).stdout.strip()
    except FileNotFoundError:
        flags = topology.cpu_info("flags")  # of x86 alone
        return "not known whether" if flags is None else "not known which" if "hypervisor" in flags.split() else "no"
    return {"none": "no", "": "not known whether"}.get(found, found)


def short_name(machine: Machine) -> str:
    """AMD Zen 4"""
    return microarchitecture.short_name(machine.cpu, machine.family_model_stepping, machine.told_by_features)


def name(machine: Machine) -> str:
    """AMD Zen 4 (EPYC)"""
    return microarchitecture.full_name(machine.cpu, machine.family_model_stepping, machine.told_by_features)


def is_named(machine: Machine) -> bool:
    """Whether a reader can tell on which CPU something was measured."""
    return name(machine) not in ("", "not known")
