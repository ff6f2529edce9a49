"""What perf sees: counters where the machine shows them, and where the time goes by samples."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from perf_ladders.catalogue import Build, Program
from perf_ladders.evidence import Missing
from perf_ladders.evidence.assembly import functions, readable
from perf_ladders.evidence.tools import output, tool
from perf_ladders.measure import Workload

_SAMPLED_S = 0.25
_RATE_HZ = 5_000
_EVENTS = ["cycles", "instructions", "branch-misses", "cache-misses"]
_NO_COUNTERS = {
    "none": "this machine shows no performance counters, as most virtual machines do not",
    "forbidden": "the system forbids them: sysctl kernel.perf_event_paranoid=2 would permit them",
}


@dataclass(frozen=True)
class Samples:
    event: str
    count: int
    functions: dict[str, int]
    addresses: dict[int, int]  # in the program's own file


@cache
def counters(machine: Path) -> str:
    """yes, none or forbidden."""
    return output([machine, "counters"], "the machine program").split()[1]


def need_counters(build: Build) -> None:
    state = counters(next(iter(build.machine.values())))
    if state != "yes":
        raise Missing(_NO_COUNTERS[state])


def calls_for(seconds: float, call_ns: float) -> int:
    return max(1, round(seconds * 1e9 / call_ns))


def counted(program: Program, build: Build, workload: Workload, call_ns: float, cpu: int) -> dict[str, Any]:
    """By the difference of many calls and one, so that starting the program does not count."""
    need_counters(build)
    calls = calls_for(_SAMPLED_S, call_ns) + 1
    many, one = (stat(_run(program, workload, number, cpu)) for number in (calls, 1))
    size = (calls - 1) * workload.bytes

    def per(event: str, unit: int) -> float | None:
        first, second = many.get(event), one.get(event)
        return None if first is None or second is None else max(0.0, first - second) * unit / size

    cycles, instructions = per("cycles", 1), per("instructions", 1)
    return {
        "calls": calls - 1,
        "cycles_byte": cycles,
        "instructions_byte": instructions,
        "ipc": instructions / cycles if cycles and instructions else None,
        "branch_misses_kib": per("branch-misses", 1024),
        "cache_misses_kib": per("cache-misses", 1024),
    }


def stat(command: Sequence[str | Path], limit_s: float = 300) -> dict[str, float | None]:
    with tempfile.NamedTemporaryFile(prefix="perf-ladders-", suffix=".stat") as out:
        events = ",".join(f"{event}:u" for event in _EVENTS)
        perf = [_perf(), "stat", "--field-separator=;", f"--output={out.name}", f"--event={events}"]
        output([*perf, *command], "perf stat", limit_s=limit_s)
        return parse_stat(Path(out.name).read_text("utf-8"))


def parse_stat(text: str) -> dict[str, float | None]:
    """Events and their counts; None where perf writes `<not supported>` or `<not counted>`."""
    found: dict[str, float | None] = {}
    for line in text.splitlines():
        fields = line.split(";")
        if len(fields) > 3:
            found[fields[2].split(":")[0]] = float(fields[0]) if fields[0].replace(".", "").isdigit() else None
    return found


def sampled(program: Program, build: Build, workload: Workload, call_ns: float, cpu: int) -> Samples:
    return record(_run(program, workload, calls_for(_SAMPLED_S, call_ns), cpu), program.path, build)


def record(command: Sequence[str | Path], program: Path, build: Build, limit_s: float = 300) -> Samples:
    event = "cycles" if counters(next(iter(build.machine.values()))) == "yes" else "cpu-clock"
    with tempfile.NamedTemporaryFile(prefix="perf-ladders-", suffix=".perf") as out:
        perf = [_perf(), "record", "--quiet", f"--output={out.name}", f"--event={event}:u", f"--freq={_RATE_HZ}"]
        perf += ["--no-bpf-event"]  # else it waits half a second for what it is not asked for
        output([*perf, *command], "perf record", limit_s=limit_s)
        lines = output(
            [_perf(), "script", f"--input={out.name}", "--no-demangle", "--fields=ip,sym,symoff,dso"], "perf script"
        )
    return parse_script(lines, program, event)


def parse_script(lines: str, program: Path, event: str) -> Samples:
    """Lines such as `  559b0a3138cf _ZN4xtea7encryptE+0x14f (/the/program)`."""
    by_name = {function.mangled: function for function in functions(program)}
    places: dict[tuple[str, str], int] = {}  # samples by symbol and file
    addresses: dict[int, int] = {}
    for line in lines.splitlines():
        match = re.match(r"\s*[0-9a-f]+ (\S+?)(?:\+0x([0-9a-f]+))? \((.*)\)$", line)
        if not match:
            continue
        symbol, offset, file = match.groups()
        places[symbol, file] = places.get((symbol, file), 0) + 1
        if Path(file) == program and symbol in by_name and offset:
            address = by_name[symbol].begin + int(offset, 16)
            addresses[address] = addresses.get(address, 0) + 1
    if not places:
        raise Missing("perf took no samples")
    names = readable([symbol for symbol, _ in places])
    found = {
        name if Path(file) == program else f"{name} in {Path(file).name}": number
        for name, ((_, file), number) in zip(names, places.items(), strict=True)
    }
    return Samples(event, sum(places.values()), found, addresses)


def _run(program: Program, workload: Workload, calls: int, cpu: int) -> list[str | Path]:
    pinned: list[str | Path] = [] if program.threads else ["taskset", "--cpu-list", str(cpu)]
    return [*pinned, program.path, "run", str(calls), workload.name]


@cache
def _perf() -> str:
    """Ubuntu's perf is a script that may find none for this kernel."""
    found = tool("perf", "linux-perf or linux-tools-generic")
    if subprocess.run([found, "--version"], capture_output=True, check=False).returncode != 0:
        raise Missing("perf is installed, but none that fits this kernel")
    return found
