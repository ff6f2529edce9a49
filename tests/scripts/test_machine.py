"""Names of CPUs, from known pairs of numbers and names."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import msgspec
import pytest

from perf_ladders.errors import UserError
from perf_ladders.machine import identity, speed, topology
from perf_ladders.machine.microarchitecture import full_name, microarchitecture, short_name, told_by_features


@pytest.mark.parametrize(
    ("vendor", "family", "model", "stepping", "name"),
    [
        ("AMD", 21, 2, 0, "AMD Piledriver"),
        ("AMD", 23, 1, 2, "AMD Zen"),  # Naples, Summit Ridge
        ("AMD", 23, 17, 0, "AMD Zen"),  # Raven Ridge
        ("AMD", 23, 8, 2, "AMD Zen+"),  # Pinnacle Ridge
        ("AMD", 23, 24, 1, "AMD Zen+"),  # Picasso
        ("AMD", 23, 49, 0, "AMD Zen 2"),  # Rome
        ("AMD", 23, 113, 0, "AMD Zen 2"),  # Matisse
        ("AMD", 25, 1, 1, "AMD Zen 3"),  # Milan
        ("AMD", 25, 33, 0, "AMD Zen 3"),  # Vermeer
        ("AMD", 25, 80, 0, "AMD Zen 3"),  # Cezanne
        ("AMD", 25, 17, 1, "AMD Zen 4"),  # Genoa
        ("AMD", 25, 97, 2, "AMD Zen 4"),  # Raphael
        ("AMD", 25, 116, 1, "AMD Zen 4"),  # Phoenix
        ("AMD", 25, 160, 2, "AMD Zen 4"),  # Bergamo
        ("AMD", 26, 2, 1, "AMD Zen 5"),  # Turin
        ("AMD", 26, 68, 0, "AMD Zen 5"),  # Granite Ridge
        ("AMD", 25, 200, 0, "AMD family 25 model 200"),
        ("AMD", 99, 1, 0, "AMD family 99 model 1"),
        ("Intel", 6, 26, 5, "Intel Nehalem"),
        ("Intel", 6, 44, 2, "Intel Westmere"),
        ("Intel", 6, 42, 7, "Intel Sandy Bridge"),
        ("Intel", 6, 62, 4, "Intel Ivy Bridge"),
        ("Intel", 6, 63, 2, "Intel Haswell"),
        ("Intel", 6, 79, 1, "Intel Broadwell"),
        ("Intel", 6, 94, 3, "Intel Skylake"),
        ("Intel", 6, 85, 4, "Intel Skylake-SP"),
        ("Intel", 6, 85, 7, "Intel Cascade Lake"),
        ("Intel", 6, 85, 11, "Intel Cooper Lake"),
        ("Intel", 6, 158, 9, "Intel Kaby Lake"),
        ("Intel", 6, 158, 10, "Intel Coffee Lake"),
        ("Intel", 6, 106, 6, "Intel Ice Lake-SP"),
        ("Intel", 6, 140, 1, "Intel Tiger Lake"),
        ("Intel", 6, 151, 2, "Intel Alder Lake"),
        ("Intel", 6, 183, 1, "Intel Raptor Lake"),
        ("Intel", 6, 143, 8, "Intel Sapphire Rapids"),
        ("Intel", 6, 207, 2, "Intel Emerald Rapids"),
        ("Intel", 6, 173, 0, "Intel Granite Rapids"),
        ("Intel", 6, 250, 0, "Intel family 6 model 250"),
        ("Arm", 0x41, 0xD0C, 1, "Arm Neoverse N1"),
        ("Arm", 0x41, 0xD4F, 1, "Arm Neoverse V2"),
        ("Arm", 0x61, 0x23, 1, "Apple M1"),
        ("Arm", 0x41, 0xFFF, 0, "Arm implementer 0x41 part 0xfff"),
    ],
)
def test_known_pairs(vendor, family, model, stepping, name):
    assert microarchitecture(vendor, family, model, stepping) == name


@pytest.mark.parametrize(
    ("cpu", "numbers", "short", "full"),
    [
        ("AMD EPYC", "25/17/1", "AMD Zen 4", "AMD Zen 4 (EPYC)"),
        ("AMD EPYC", "25/1/1", "AMD Zen 3", "AMD Zen 3 (EPYC)"),
        ("AMD EPYC 9654 96-Core Processor", "25/17/1", "AMD Zen 4", "AMD Zen 4 (EPYC 9654)"),
        ("AMD Ryzen 7 7840U w/ Radeon 780M Graphics", "25/116/1", "AMD Zen 4", None),
        (
            "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz",
            "6/106/6",
            "Intel Ice Lake-SP",
            "Intel Ice Lake-SP (Xeon Platinum 8375C)",
        ),
        ("12th Gen Intel(R) Core(TM) i7-1260P", "6/154/3", "Intel Alder Lake", "Intel Alder Lake (Core i7-1260P)"),
        ("not known", "0x41/0xd0c/1", "Arm Neoverse N1", "Arm Neoverse N1"),
        ("QEMU Virtual CPU version 2.5+", "15/107/1", "QEMU Virtual CPU version 2.5+ (15/107/1)", None),
        ("not known", None, "not known", "not known"),
        ("AMD EPYC", "26/250/0", "AMD family 26 model 250", "AMD family 26 model 250 (EPYC)"),
    ],
)
def test_stored_measurements_hold_numbers_and_the_name_of_the_shop(cpu, numbers, short, full):
    assert short_name(cpu, numbers) == short
    if full:
        assert full_name(cpu, numbers) == full


AMX = "fpu avx512f amx_bf16 avx512_fp16 amx_tile amx_int8"


@pytest.mark.parametrize(
    ("named", "flags", "instruction_cache", "told"),
    [
        ("Intel Rocket Lake", AMX, "64K", "Intel Granite Rapids"),  # as a hypervisor reported it
        ("Intel Rocket Lake", "fpu avx512f", "32K", None),
        ("Intel Sapphire Rapids", AMX, "32K", None),
        ("Intel Granite Rapids", AMX, "64K", None),
        ("Intel Diamond Rapids", AMX, "64K", None),
        ("Arm Neoverse N1", "", "64K", None),
    ],
)
def test_features_name_a_cpu_whose_model_is_that_of_another(named, flags, instruction_cache, told):
    assert told_by_features(named, flags, instruction_cache) == told


def test_a_name_told_by_features_takes_the_place_of_the_numbers():
    machine = msgspec.structs.replace(
        identity.describe(), cpu="Intel(R) Xeon(R)", family_model_stepping="6/167/1", told_by_features=None
    )
    assert identity.short_name(machine) == "Intel Rocket Lake"
    machine.told_by_features = "Intel Granite Rapids"
    assert identity.short_name(machine) == "Intel Granite Rapids"
    assert identity.name(machine) == "Intel Granite Rapids (Xeon)"


def test_this_machine_has_a_name():
    machine = identity.describe()
    assert identity.name(machine).startswith(identity.short_name(machine))
    assert machine.cpus >= 1
    assert topology.cpu_to_pin() in topology.allowed_cpus()


@pytest.mark.parametrize(
    ("lines", "numbers"),
    [
        ("cpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\nstepping\t: 1", "25/17/1"),
        ("CPU implementer\t: 0x41\nCPU part\t: 0xd0c\nCPU revision\t: 1", "0x41/0xd0c/1"),
        ("Hardware\t: none", None),
    ],
)
def test_numbers_as_the_kernel_prints_them(tmp_path, monkeypatch, lines, numbers):
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text(f"processor\t: 0\n{lines}\n", encoding="utf-8")
    monkeypatch.setattr(topology, "SYSTEM", tmp_path)
    assert topology.cpu_numbers() == numbers


@pytest.mark.parametrize(("before", "now", "stolen"), [(7, 7, 0), (7, 9, 2), (60_000, 3, 3)])
def test_stolen_time_where_the_counter_begins_again(tmp_path, monkeypatch, before, now, stolen):
    monkeypatch.setattr(topology, "SYSTEM", tmp_path)
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/stat").write_text(f"cpu  1 2 3 4 5 6 7 {now} 0 0\ncpu0 0 0 0 0 0 0 0 1 0 0\ncpu1 0\n")
    assert topology.stolen_since(before) == stolen
    assert [topology.stolen_ticks(cpu) for cpu in (0, 1, 2)] == [1, 0, 0]


def test_a_performance_core_is_measured_on(monkeypatch, tmp_path):
    monkeypatch.setattr(topology, "SYSTEM", tmp_path)
    for cpu, frequency in ((0, 3_000), (1, 3_000), (2, 5_000), (3, 5_000)):
        file = tmp_path / f"sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_max_freq"
        file.parent.mkdir(parents=True)
        file.write_text(str(frequency))
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text("\n".join(f"processor\t: {cpu}" for cpu in range(4)))
    assert topology.cpu_to_pin() == 3
    for name, listed in (("cpu_core", "0-1"), ("cpu_atom", "2,3")):  # as Linux tells hybrid processors apart
        (tmp_path / f"sys/devices/{name}").mkdir()
        (tmp_path / f"sys/devices/{name}/cpus").write_text(f"{listed}\n")
    assert topology.core_kinds() == {"performance": [0, 1], "efficiency": [2, 3]}
    assert topology.cpu_to_pin() == 1


@pytest.mark.parametrize(
    ("tool", "flags", "said"),
    [
        (None, "fpu hypervisor", "not known which"),
        (None, "fpu", "no"),
        (None, None, "not known whether"),  # Arm has no such flags
        ("", "fpu", "not known whether"),
        ("none\n", "fpu", "no"),
        ("kvm\n", "fpu", "kvm"),
    ],
)
def test_no_virtual_machine_is_said_only_where_something_can_tell(monkeypatch, tool, flags, said):
    def run(command, **_):
        if tool is None:
            raise FileNotFoundError
        return subprocess.CompletedProcess(command, 0, tool, "")

    monkeypatch.setattr(identity.subprocess, "run", run)
    monkeypatch.setattr(topology, "cpu_info", lambda *_: flags)
    assert identity._virtual_machine() == said


def test_a_machine_program_that_is_gone_is_told_so(tmp_path):
    build = SimpleNamespace(machine={"x86-64": tmp_path / "machine.x86-64"}, preset="gcc")
    with pytest.raises(UserError, match="does not run on CPU 0: make build PRESET=gcc"):
        speed.clock_ghz(build, 0)
