"""What this machine can do and, for each thing that is missing, the command that installs or allows it. Runs no such
command, changes nothing, and needs the standard library alone.
"""

from __future__ import annotations

import argparse
import platform
import re
import shutil
from dataclasses import dataclass

from perf_ladders.commands import doctor_cpu
from perf_ladders.commands.build import is_set_up
from perf_ladders.commands.findings import Report, architecture, output, release, sudo, version_of
from perf_ladders.errors import UserError
from perf_ladders.evidence import tools
from perf_ladders.machine import microarchitecture, topology
from perf_ladders.machine.topology import cpu_info, read
from perf_ladders.tree.build import read_build
from perf_ladders.tree.headers import read_header
from perf_ladders.tree.paths import OWN_STAGES, ROOT, STAGES

# The libraries of a package, as stages name them in `links:`.
_LIBRARIES = {
    "libboost-json-dev|libboost-json1.81-dev": "boost_json",
    "libbotan-2-dev": "botan-2",
    "libcli11-dev": "CLI11",
    "libcrypto++-dev": "libcrypto++",
    "libfmt-dev": "fmt",
    "libgcrypt20-dev": "libgcrypt",
    "libipsec-mb-dev": "IPSec_MB",
    "libsodium-dev": "libsodium",
    "libssl-dev": "libcrypto",
    "libtbb-dev": "TBB",
    "nettle-dev": "nettle",
    "nlohmann-json3-dev": "nlohmann_json",
    "ocl-icd-opencl-dev": "OpenCL",
    "rapidjson-dev": "RapidJSON",
}


@dataclass(frozen=True)
class Thing:
    """That set-up looks for."""

    needed: bool
    there: bool
    package: str  # a|b: the first that there is
    kind: str
    name: str

    @property
    def install(self) -> str:
        if not shutil.which("apt-get"):
            return f"install {self._package} or what your system calls it"
        return f"{sudo()}apt-get install {self._package}"

    @property
    def _package(self) -> str:
        names = self.package.split("|")
        for name in names:
            if output("apt-cache", "show", name):
                return name
        return names[-1] if release("ID") == "ubuntu" else names[0]


def doctor(options: argparse.Namespace) -> None:
    report = Report()
    clang = tools.newest("clang++")
    listing = output("bash", str(ROOT / "scripts/setup.sh"), "--list").splitlines()
    if not listing:
        raise UserError("scripts/setup.sh does not say what it installs: is there no bash? Type: apt-get install bash")
    things = [Thing(a == "needed", b == "there", *words) for a, b, *words in map(str.split, listing)]
    virtual = _system(report)
    presets = sorted(path.parent.name for path in ROOT.glob("build/*/plan.json"))
    whole = {preset: cases for preset in presets if (cases := _whole_cases(preset))}
    _building(report, things, clang, whole)
    doctor_cpu.instruction_sets(report)
    _tools(report, [thing for thing in things if not thing.needed], virtual)
    _libraries(report, [thing for thing in things if not thing.needed and thing.package in _LIBRARIES])
    cpu = doctor_cpu.cores(report, virtual)
    doctor_cpu.noise_of(report, presets, cpu)
    _verdict(report, is_built=bool(whole))


def _system(report: Report) -> str:
    """The virtual machine that this is, or nothing."""
    report.section("System")
    kernel = read("proc/sys/kernel/osrelease") or platform.release()
    report.say("ok", f"{release('PRETTY_NAME') or 'a system without a name'}, kernel {kernel}, {architecture()}")
    if not shutil.which("apt-get"):
        report.say("note", "no apt-get: set-up lists what is missing, and you install it")
    virtual, container = _virtual_machine(kernel), _container()
    if virtual == "WSL 1":
        report.say("lacks", "WSL 1: no perf, and slow files", "wsl --set-version <distribution> 2   (in Windows)")
    elif virtual == "WSL 2":
        report.say("note", "WSL 2, a virtual machine: choose the best performance in Windows, which sets the clock")
    elif virtual:
        report.say("note", f"virtual machine ({virtual}): other guests can take time away")
    elif not container:
        report.say("ok", "no virtual machine, no container")
    if virtual.startswith("WSL") and str(ROOT).startswith("/mnt/"):
        report.say("lacks", "this tree lies on a Windows drive, which is slow", "git clone it to ~")
    if container:
        report.say("note", f"container ({container}): its host decides whether perf and ptrace work")
    cpu, told = cpu_info("model name", "Model") or "CPU without a name", microarchitecture.of_this_machine()
    name = microarchitecture.full_name(cpu, topology.cpu_numbers(), told)
    report.say("ok", f"{name}; CPUs: {len(re.findall('^processor', read('proc/cpuinfo') or '', re.MULTILINE))}")
    return virtual


def _virtual_machine(kernel: str) -> str:
    if "microsoft" in kernel.lower():
        return "WSL 2" if "WSL2" in kernel else "WSL 1"
    if str(topology.SYSTEM) == "/" and shutil.which("systemd-detect-virt"):
        return output("systemd-detect-virt", "--vm").strip().removeprefix("none")
    if "hypervisor" in (cpu_info("flags") or "").split():
        return read("sys/class/dmi/id/sys_vendor") or "not known which"
    return ""


def _container() -> str:
    if str(topology.SYSTEM) == "/" and shutil.which("systemd-detect-virt"):
        return output("systemd-detect-virt", "--container").strip().removeprefix("none")
    if (topology.SYSTEM / ".dockerenv").exists():
        return "docker"
    return "podman" if (topology.SYSTEM / "run/.containerenv").exists() else ""


def _whole_cases(preset: str) -> list[str]:
    """The cases of which each stage and library is built at its highest level that runs here. A build that was stopped
    leaves some out."""
    try:
        programs = read_build(preset).programs
    except UserError:
        return []
    highest = {one.name: one for one in programs if one.kind in ("stage", "peer") and not one.cannot}
    ours = [one for one in highest.values() if (one.number or "") < OWN_STAGES]
    lacking = {one.case for one in ours if not one.path.exists()}
    return sorted({one.case for one in ours} - lacking)


def _building(report: Report, things: list[Thing], clang: str, whole: dict[str, list[str]]) -> None:
    """`whole`: by preset the cases that are built."""
    report.section("Building")
    if version := version_of("g++"):
        report.say("ok", f"preset gcc: g++ {version}")
    if shutil.which(clang):
        report.say("ok", f"preset clang: {clang} {version_of(clang)}")
    else:
        report.say("note", "no Clang, which only PRESET=clang needs", "make setup PRESET=clang")
    ready = []
    can_install = shutil.which("apt-get") and (not sudo() or shutil.which("sudo"))
    for thing in (thing for thing in things if thing.needed):
        version = f" {version_of(thing.name)}" if thing.kind == "command" else ""
        if thing.there:
            ready += [f"{thing.name}{version}" if version else thing.package] if thing.name != "g++" else []
            continue
        report.say("lacks", f"{thing.package}, needed", thing.install)
        report.set_up = False
        if not can_install:
            report.hopeless.append(thing.package)
    if ready:
        report.say("ok", ", ".join(ready))
    for program, least in (("cmake", (3, 24)), ("python3", (3, 11))):
        version = version_of(program)
        if version and tuple(map(int, version.split(".")[:2])) < least:
            wanted = ".".join(map(str, least))
            report.say("lacks", f"{program} {version}: {wanted} is needed", "use Debian 12, Ubuntu 24.04 or newer")
            report.hopeless.append(f"{program} {wanted}")
    if not is_set_up():
        report.say("lacks", "the Python environment .venv (making it needs a network)", "make setup")
        report.set_up = False
    else:
        built = [f"built with the preset {preset}: {', '.join(cases)}" for preset, cases in whole.items()]
        report.say("ok", "; ".join(["the Python environment .venv", *(built or ["no case is built yet"])]))
    memory = re.search(r"^MemAvailable: +(\d+) kB", read("proc/meminfo") or "", re.MULTILINE)
    memory_gib, disk_gib = int(memory[1]) / 2**20 if memory else 0, shutil.disk_usage(ROOT).free / 2**30
    if memory_gib < 1:
        report.say("lacks", f"memory: {memory_gib:.1f} GiB free, a build takes 1 GiB", "close programs")
    elif disk_gib < 2:
        report.say("lacks", f"disk: {disk_gib:.1f} GiB free, builds take 2 GiB", "make clean, or delete other files")
    else:
        report.say("ok", f"free: memory {memory_gib:.1f} GiB, disk {disk_gib:.1f} GiB")


def _tools(report: Report, welcome: list[Thing], virtual: str) -> None:
    report.section("Looking into a program")
    _perf(report, next(thing for thing in welcome if thing.name == "perf"), virtual)
    scope = read("proc/sys/kernel/yama/ptrace_scope")
    if scope == "3" or (scope == "2" and sudo()):
        report.say("lacks", f"single-stepping: ptrace_scope is {scope}", f"{sudo()}sysctl kernel.yama.ptrace_scope=1")
    else:
        whose, who = ("", " to root only") if scope == "2" else (" of own programs", "")
        report.say("ok", f"single-stepping (ptrace){whose} is permitted{who}")
    ready = []
    for thing in (thing for thing in welcome if thing.package not in _LIBRARIES and thing.name != "perf"):
        if not thing.there:
            report.say("lacks", thing.package.split("|")[0], thing.install)
        else:
            ready.append(f"{thing.name} {version_of(thing.name)}" if thing.kind == "command" else thing.package)
    report.say("ok", ", ".join(ready) or "nothing else")
    _model_of_the_core(report)
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        report.say("note", "no chromium: the report pages are not tested", f"{sudo()}apt-get install chromium")
    if not shutil.which("pandoc"):
        report.say("note", "no pandoc, which make slides and make kit need", f"{sudo()}apt-get install pandoc")


def _model_of_the_core(report: Report) -> None:
    name = tools.newest("llvm-mca")
    if "Host CPU: (unknown)" in output(name, "--version"):
        text = f"{name} is older than this CPU: its estimates are those of an earlier core"
        report.say("note", text, "" if name == "llvm-mca-22" else f"{sudo()}apt-get install llvm-22")


def _perf(report: Report, perf: Thing, virtual: str) -> None:
    paranoid = int(read("proc/sys/kernel/perf_event_paranoid") or 0)
    permit = f"{sudo()}sysctl kernel.perf_event_paranoid=2"
    forbidden = f"permission for perf (perf_event_paranoid is {paranoid}); until the next start:"
    if not perf.there:
        report.say("lacks", "perf: where the time goes", perf.install)
        if paranoid > 2 and sudo():
            report.say("lacks", forbidden, permit)
        return
    counted = output("perf", "stat", "-e", "cycles,instructions", "-x,", "true")
    if re.search(r"^\d+,,[^,]*cycles", counted, re.MULTILINE):
        report.say("ok", f"perf {version_of('perf')}, with hardware counters")
    elif "<not supported>" in counted:
        where = "this virtual machine has no hardware counters" if virtual else "no hardware counters here"
        report.say("note", f"perf {version_of('perf')}; {where}; perf takes cpu-clock samples instead")
    elif missing := re.search(r"not found for kernel (\S+)", counted):
        report.say("lacks", f"perf for kernel {missing[1]}", f"{sudo()}apt-get install linux-tools-{missing[1]}")
    elif paranoid > 2 and sudo():
        report.say("lacks", forbidden, permit)
    elif container := _container():
        report.say("lacks", "permission for perf in this container", f"{container} run --cap-add PERFMON ...")
    else:
        report.say("lacks", f"perf does not work: {counted.strip()[:200]}", "perf stat true")


def _libraries(report: Report, libraries: list[Thing]) -> None:
    report.section("Libraries to compare with")
    users: dict[str, list[str]] = {}
    for pattern in ("*/[0-9][0-9]-*/stage.cpp", "*/peers/*/stage.cpp", "*/apps/*/main.cpp"):
        for source in sorted(STAGES.glob(pattern)):
            folder = source.parent.name
            name = f"{source.relative_to(STAGES).parts[0]}-{folder[:2] if folder[:2].isdigit() else folder}"
            for library in read_header(source).links:
                users.setdefault(library, []).append(name)
    for thing in libraries:
        left_out = ", ".join(users.get(_LIBRARIES[thing.package], []))
        if not thing.there:
            report.say("lacks", f"{thing.package}{left_out and f': {left_out} left out'}", thing.install)
    report.say("ok", ", ".join(thing.package for thing in libraries if thing.there) or "none")


def _verdict(report: Report, is_built: bool) -> None:
    number = report.better
    print(f"\n{number or 'Nothing'}{' thing' * (number > 0)}{'s' * (number > 1)} could be better.")
    if report.hopeless:
        raise UserError(f"Not ready. Set-up cannot install these here: {', '.join(report.hopeless)}.", code=1)
    if not report.set_up:
        print(report.paint("1;33", "Not ready yet, this is what to do: make setup"))
    elif not is_built:
        print(report.paint("1;33", "Ready but for a build, which takes minutes: make build CASE=xtea"))
    else:
        print(report.paint("1;32", "You are ready: make test, make report and make run-stage work."))
