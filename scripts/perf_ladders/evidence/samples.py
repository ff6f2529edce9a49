"""What perf sees: counters where the machine shows them, and where the time goes by samples."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from perf_ladders.errors import Missing
from perf_ladders.evidence.assembly import by_readable_name, functions
from perf_ladders.evidence.tools import output, output_file, tool
from perf_ladders.measure.runner import Runner, command_line
from perf_ladders.model.apps import AppCounters
from perf_ladders.model.evidence import Counters
from perf_ladders.model.measurement import Workload
from perf_ladders.model.record import Record
from perf_ladders.tree.build import Build

_SAMPLED_S = 0.25
_RATE_HZ = 5_000
_EVENTS = ["cycles", "instructions", "branch-misses", "cache-misses"]
_NO_COUNTERS = {
    "none": "this machine shows no performance counters, as most virtual machines do not",
    "forbidden": "the system forbids them: sysctl kernel.perf_event_paranoid=2 would permit them",
}


class Sampled(Record, kw_only=True):
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


def counted(runner: Runner, build: Build, workload: Workload, call_ns: float, cpu: int) -> Counters:
    """By the difference of many calls and one, so that starting the program does not count."""
    need_counters(build)
    calls = calls_for(_SAMPLED_S, call_ns) + 1
    many, one = (stat(_run(runner, workload, number, cpu)) for number in (calls, 1))
    size = (calls - 1) * workload.bytes

    def per(first: float | None, second: float | None, unit: int = 1) -> float | None:
        return None if first is None or second is None else max(0.0, first - second) * unit / size

    cycles, instructions = per(many.cycles, one.cycles), per(many.instructions, one.instructions)
    return Counters(
        calls=calls - 1,
        cycles_byte=cycles,
        instructions_byte=instructions,
        ipc=instructions / cycles if cycles and instructions else None,
        branch_misses_kib=per(many.branch_misses, one.branch_misses, 1024),
        cache_misses_kib=per(many.cache_misses, one.cache_misses, 1024),
    )


def stat(command: Sequence[str | Path], limit_s: float = 300) -> AppCounters:
    with output_file(None) as out:
        events = ",".join(f"{event}:u" for event in _EVENTS)
        perf = [_perf(), "stat", "--field-separator=;", f"--output={out}", f"--event={events}"]
        output([*perf, *command], "perf stat", limit_s=limit_s)
        return parse_stat(out.read_text("utf-8"))


def parse_stat(text: str) -> AppCounters:
    """The counts; None where perf writes `<not supported>` or `<not counted>`, or names a kind of core."""
    found = AppCounters()
    for line in text.splitlines():
        fields = line.split(";")
        event = fields[2].split(":")[0] if len(fields) > 3 else ""
        if event in _EVENTS and fields[0].replace(".", "").isdigit():
            setattr(found, event.replace("-", "_"), float(fields[0]))
    return found


def sampled(
    runner: Runner, build: Build, workload: Workload, call_ns: float, cpu: int, keep: Path | None = None
) -> Sampled:
    """perf's file stays where `keep` says."""
    command = _run(runner, workload, calls_for(_SAMPLED_S, call_ns), cpu)
    return record(command, runner.program.path, build, keep=keep)


def record(
    command: Sequence[str | Path], program: Path, build: Build, limit_s: float = 300, keep: Path | None = None
) -> Sampled:
    event = "cycles" if counters(next(iter(build.machine.values()))) == "yes" else "cpu-clock"
    with output_file(keep) as out:
        perf = [_perf(), "record", "--quiet", f"--output={out}", f"--event={event}:u", f"--freq={_RATE_HZ}"]
        perf += ["--no-bpf-event"]  # else it waits half a second for what it is not asked for
        output([*perf, *command], "perf record", limit_s=limit_s)
        fields = "--fields=ip,sym,symoff,dso"
        lines = output([_perf(), "script", f"--input={out}", "--no-demangle", fields], "perf script")
    return parse_script(lines, program, event)


def parse_script(lines: str, program: Path, event: str) -> Sampled:
    """Lines such as `  559b0a3138cf _ZN4xtea7encryptE+0x14f (/the/program)`."""
    by_name = {function.mangled: function for function in functions(program)}
    places: Counter[tuple[str, str]] = Counter()  # samples by symbol and file
    addresses: Counter[int] = Counter()
    for line in lines.splitlines():
        match = re.match(r"\s*[0-9a-f]+ (\S+?)(?:\+0x([0-9a-f]+))? \((.*)\)$", line)
        if not match:
            continue
        symbol, offset, file = match.groups()
        places[symbol, file] += 1
        if Path(file) == program and symbol in by_name and offset:
            addresses[by_name[symbol].begin + int(offset, 16)] += 1
    if not places:
        raise Missing("perf took no samples")
    return Sampled(event=event, count=places.total(), functions=by_readable_name(places, program), addresses=addresses)


def _run(runner: Runner, workload: Workload, calls: int, cpu: int) -> list[str | Path]:
    return command_line(runner, cpu, "run", str(calls), workload.name)


@cache
def _perf() -> str:
    """Ubuntu's perf is a script that may find none for this kernel."""
    found = tool("perf", "linux-perf or linux-tools-generic")
    if subprocess.run([found, "--version"], capture_output=True, check=False).returncode != 0:
        raise Missing("perf is installed, but none that fits this kernel")
    return found
