"""What the doctor says of the CPU: instruction sets, cores, clock and noise. Standard library alone."""

from __future__ import annotations

from perf_ladders.commands.findings import Report, architecture, sudo
from perf_ladders.errors import UserError
from perf_ladders.machine import alone, noise, topology
from perf_ladders.machine.topology import cpu_info, listed, read
from perf_ladders.tree import levels
from perf_ladders.tree.paths import ROOT

_LEVEL_FLAGS = {
    "x86-64-v3": ("AVX2", "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"),
    "x86-64-v4": ("AVX-512", "avx512f avx512bw avx512cd avx512dq avx512vl"),
}
_FEATURES = {"x86_64": "aes sha_ni vaes gfni bmi2", "aarch64": "aes sha2 sha3 sve"}


def instruction_sets(report: Report) -> None:
    report.section("Instruction sets")
    family, flags = architecture(), set((cpu_info("flags", "Features") or "").split())
    try:
        runs = [level.name for level in levels.levels_of(family)]
    except UserError as complaint:
        report.say("lacks", str(complaint))
        report.hopeless.append(f"levels for {family}")
        return
    missing: list[str] = []
    for name in [name for name in runs if name in _LEVEL_FLAGS]:
        missing = missing or [flag for flag in _LEVEL_FLAGS[name][1].split() if flag not in flags]
        if missing:
            runs.remove(name)
    report.say("ok", "runs: " + ", ".join(f"{n} ({_LEVEL_FLAGS[n][0]})" if n in _LEVEL_FLAGS else n for n in runs))
    for name in [name for name in _LEVEL_FLAGS if missing and family == "x86_64" and name not in runs][:1]:
        what = f"{name} ({_LEVEL_FLAGS[name][0]})"
        report.say("note", f"does not run, and is not built: {what} and up, without {' '.join(missing)}")
    features = _FEATURES.get(family, "").split()
    present, absent = ([one for one in features if (one in flags) is there] for there in (True, False))
    report.say("ok", f"features: {' '.join(present) or 'none'}; not: {' '.join(absent) or 'none'}")


def cores(report: Report, virtual: str) -> int:
    """The CPU that is measured on."""
    report.section("Cores, clock and power")
    kinds, cpu = topology.core_kinds(), topology.cpu_to_pin()
    speeds = {topology.top_speed(one) for one in topology.allowed_cpus()}
    if kinds["efficiency"]:
        fast, slow = (read(f"sys/devices/{name}/cpus") for name in ("cpu_core", "cpu_atom"))
        report.say("note", f"two kinds: performance cores are CPUs {fast}, efficiency cores {slow}")
    elif len(speeds) > 1:
        low, high = min(speeds) / 1e6, max(speeds) / 1e6
        report.say("note", f"cores are not alike: top speeds from {low:.1f} to {high:.1f} GHz")
    folder = f"sys/devices/system/cpu/cpu{cpu}"
    kind = next((f" (a {kind} core)" for kind, cpus in kinds.items() if cpu in cpus), "")
    others = [one for one in listed(read(f"{folder}/topology/thread_siblings_list")) if one != cpu]
    if others:
        shares = f"shares its core with CPU {' '.join(map(str, others))}, which should be idle"
        report.say("note", f"measuring is pinned to CPU {cpu}{kind}; it {shares}")
    else:
        unseen = "; a virtual machine does not show who else is on its core" if virtual else ""
        report.say("ok", f"measuring is pinned to CPU {cpu}{kind}{unseen}")
    governor, every = read(f"{folder}/cpufreq/scaling_governor"), "/sys/devices/system/cpu"
    if governor not in (None, "performance"):
        command = f"echo performance | {sudo()}tee {every}/cpu*/cpufreq/scaling_governor"
        report.say("note", f"governor: {governor}; steadier:", command)
    for file, value, steady in (("intel_pstate/no_turbo", "0", "1"), ("cpufreq/boost", "1", "0")):
        if read(f"sys/devices/system/cpu/{file}") == value:
            command = f"echo {steady} | {sudo()}tee {every}/{file}"
            report.say("note", "turbo: the clock follows the heat; steadier, but slower:", command)
    places = [f"sys/class/power_supply/{path.name}" for path in (topology.SYSTEM / "sys/class/power_supply").glob("*")]
    supplies = [[read(f"{place}/{name}") for name in ("type", "scope", "status", "online")] for place in places]
    own = [supply for supply in supplies if supply[1] != "Device"]  # not of a mouse
    if any(kind == "Battery" for kind, *_ in own) and any(
        "Discharging" in one or one[0::3] == ["Mains", "0"] for one in own
    ):
        report.say("lacks", "mains power: on battery, the clock is held down", "plug the charger in")
    load = float((read("proc/loadavg") or "0").split()[0])
    report.say(
        *(
            ("ok", f"load average: {load}")
            if load < 0.5
            else ("note", f"load average {load}: other programs run; to see them:", "top")
        )
    )
    return cpu


def noise_of(report: Report, built: list[str], cpu: int) -> None:
    report.section("Noise")
    if alone.is_taken():
        report.say("note", "a measurement is running: not disturbed")
        return
    folders = [ROOT / "build" / preset for preset in ("gcc", *built)]
    lowest = [folder / name for folder in folders for name in ("machine.x86-64", "machine.aarch64")]
    programs = [path for path in lowest if path.exists()]
    if not programs:
        report.say("note", "nothing is built, so the clock is not measured", "make build CASE=xtea")
        return
    stolen = topology.stolen_ticks()
    found = noise.probes(programs[0], cpu)
    if not found:
        report.say("lacks", f"{programs[0].name} does not run", "make clean build")
        return
    low, high = min(probe.clock_ghz for probe in found), max(probe.clock_ghz for probe in found)
    clock = f"clock of CPU {cpu}: {low:.2f} to {high:.2f} GHz in {len(found)} readings"
    if high / low - 1 <= 0.01:
        report.say("ok", clock)
    else:
        report.say("note", f"{clock}, more than 1 % apart: small differences stay undecided", "close what else runs")
    shares = noise.shares(found)
    busy = sum(share < noise.FREE for share in shares)
    said = f"in {busy} of {len(shares)} contention probes"
    if busy <= noise.MAX_BUSY * len(shares):
        report.say("ok", f"nothing else uses the core of CPU {cpu} ({said})")
    else:
        worst = (
            f"{said} the core started less than {noise.FREE:.0%} of its vector operations, {min(shares):.0%} at worst"
        )
        report.say("note", f"something else uses the core of CPU {cpu}: {worst}", "measure at a quieter time")
    stolen = topology.stolen_since(stolen)
    report.say(
        "note" if stolen else "ok", f"stolen by a host meanwhile: {stolen}0 ms" if stolen else "no time was stolen"
    )
