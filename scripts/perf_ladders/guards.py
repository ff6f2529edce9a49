"""What a reader must know before trusting the numbers: every guard of docs/method.md with what it found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import binom

from perf_ladders import stats
from perf_ladders.neighbour import FREE, MOST_BUSY, looks_of
from perf_ladders.rows import Result, most_rungs, times_of

_SPREAD, _CLOCK, _SWITCHES = 0.10, 0.02, 5
_BY_CHANCE = 0.05  # of independent steps, beyond two standard errors of the correlation


@dataclass(frozen=True)
class Guard:
    guard: str
    value: str
    limit: str
    ok: bool
    sentence: str  # what to say when it is not ok; else empty
    error: bool = False  # then something is broken, and the report is no result
    known: bool = True  # what was not looked at is neither in order nor not

    @property
    def holds(self) -> str:
        return "n/a" if not self.known else "yes" if self.ok else "no"


def guards(result: Result) -> list[Guard]:
    every = (_control, _limit, _spread, _clock, _neighbour, _stolen, _switches, _dependence, _blocks)
    found = [guard(result) for guard in every]
    return [replace(guard, sentence="") if guard.ok else guard for guard in found]


def warnings(result: Result) -> list[str]:
    return [guard.sentence for guard in guards(result) if not guard.ok]


def errors(result: Result) -> list[str]:
    return [guard.sentence for guard in guards(result) if guard.error and not guard.ok]


def _main_rows(result: Result) -> list[dict[str, Any]]:
    main = {workload["name"] for workload in result["workloads"] if workload["role"] == "main"}
    return [row for row in result["rows"] if row["workload"] in main]


def _where(row: dict[str, Any]) -> str:
    return f"{row['stage']} at {row['level']} ({row['compiler']}), {row['workload']}"


def _control(result: Result) -> Guard:
    controls = [row for row in _main_rows(result) if row["kind"] == "control" and row["vs_reference"]]
    failed = [row for row in controls if row["vs_reference"]["verdict"] in ("faster", "slower")]
    said = [
        f"CONTROL FAILED: {_where(row)} came out {row['vs_reference']['verdict']} than itself; this machine was too "
        "noisy, do not trust verdicts of that ladder."
        for row in failed
    ]
    return Guard(
        "the reference against itself",
        f"{len(failed)} of {len(controls)} differ",
        "none differs",
        not failed,
        " ".join(said),
    )


def _limit(result: Result) -> Guard:
    known = [row for row in result["rows"] if row["limit_share"] is not None]
    broken = [row for row in known if row["limit_share"] > 1]
    worst = max(known, key=lambda row: float(row["limit_share"]), default=None)
    stages = ", ".join(dict.fromkeys(row["stage"] for row in broken))
    said = ""
    if worst and broken:
        said = (
            f"BROKEN: in {len(broken)} rows ({stages}) a stage is faster than the machine's limit, most of all "
            f"{_where(worst)}: {worst['limit_share']:.0%} of it. Either the stage leaves work out, or `operations` in "
            'case.toml counts too many, or it does them in another way: then `beyond = "..."` in its notes says so.'
        )
    unknown = "the limit was not measured" if result["operations"] else "case.toml names no operations"
    most = f"at most {worst['limit_share']:.0%}" if worst else f"n/a ({unknown})"
    return Guard("share of the machine's limit", most, "100 %", not broken, said, True, bool(known))


def _spread(result: Result) -> Guard:
    rows = _main_rows(result)
    wide = [row for row in rows if row["cv"] > _SPREAD]
    worst = max(rows, key=lambda row: float(row["cv"]))
    return Guard(
        "standard deviation over mean",
        f"over {_SPREAD:.0%} in {len(wide)} of {len(rows)} rows",
        f"{_SPREAD:.0%}",
        not wide,
        f"The standard deviation is over 10 % of the mean in {len(wide)} of {len(rows)} rows, most of all for "
        f"{_where(worst)}: {worst['cv']:.0%}.",
    )


def _clock(result: Result) -> Guard:
    clocks = np.array([ghz for block in result["blocks"] for ghz in block["clock_ghz"]])
    return Guard(
        "core clock, before and after each block",
        f"{clocks.min():.2f} to {clocks.max():.2f} GHz",
        f"within {_CLOCK:.0%}",
        bool(np.ptp(clocks) <= _CLOCK * np.median(clocks)),
        f"The core clock was between {clocks.min():.2f} and {clocks.max():.2f} GHz.",
    )


def _neighbour(result: Result) -> Guard:
    looks = looks_of(result["blocks"])
    return Guard(
        "vector operations that the core started, of its best",
        f"under {FREE:.0%} in {looks.busy} of {looks.all} looks" if looks else "n/a (nobody looked)",
        f"in {MOST_BUSY:.0%} of them",
        looks is None or looks.ok,
        looks.sentence if looks else "",
        known=looks is not None,
    )


def _stolen(result: Result) -> Guard:
    stolen = sum(block["stolen_ticks"] for block in result["blocks"]) * 10
    return Guard(
        "time taken by the hypervisor",
        f"{stolen} ms",
        "0 ms",
        stolen == 0,
        f"The hypervisor took {stolen} ms of CPU time away while blocks were measured.",
    )


def _switches(result: Result) -> Guard:
    # Threads of one program take the CPUs from each other.
    alone = {runner["id"] for runner in result["runners"] if not runner["threads"]}
    runs = [run for block in result["blocks"] for run in block["runs"] if run["runner"] in alone]
    a_run = sum(run["involuntary_switches"] for run in runs) / len(runs) if runs else 0.0
    return Guard(
        "times that a program was taken off its CPU",
        f"{a_run:.1f} a run",
        f"{_SWITCHES} a run",
        a_run <= _SWITCHES,
        f"Programs were taken off their CPU {a_run:.0f} times a run: something else was running.",
    )


def _dependence(result: Result) -> Guard:
    """Steps whose neighbouring blocks are correlated: intervals count on independent ones."""
    times = times_of(result["blocks"])
    found: list[tuple[float, float, str]] = []
    for row in _main_rows(result):
        if not row["vs_base"]:
            continue
        pair = [
            times[f"{name}.{row['level']}.{row['compiler']}", row["workload"]] for name in (row["base"], row["stage"])
        ]
        correlation = stats.lag_one([np.log(min(a) / min(b)) for a, b in zip(*pair, strict=True)])
        if correlation is not None:
            found.append((correlation, 2 / np.sqrt(row["n"]), _where(row)))
    strong = [(correlation, where) for correlation, limit, where in found if abs(correlation) > limit]
    most = int(binom.ppf(0.99, len(found), _BY_CHANCE)) if found else 0
    worst = max(strong, key=lambda one: abs(one[0]), default=None)
    return Guard(
        "neighbouring blocks of a step that are correlated",
        f"in {len(strong)} of {len(found)} steps" if found else "n/a (too few blocks)",
        f"{most} of them, by chance",
        len(strong) <= most,
        f"Neighbouring blocks depend on each other in {len(strong)} of {len(found)} steps, most of all for {worst[1]} "
        f"({worst[0]:+.2f}): intervals hold less often than they say."
        if worst
        else "",
        known=bool(found),
    )


def _blocks(result: Result) -> Guard:
    least = stats.least_blocks(most_rungs(result))
    few = {row["workload"]: row["n"] for row in _main_rows(result) if row["n"] < least}
    blocks = min(row["n"] for row in _main_rows(result))
    return Guard(
        "blocks",
        str(blocks),
        f"at least {least}",
        not few,
        " ".join(f"Blocks of {name}: {n}; verdicts need at least {least}." for name, n in few.items()),
    )
