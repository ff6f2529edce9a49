"""What a reader must know before trusting the numbers: every guard of docs/method.md with what it found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from perf_ladders import stats
from perf_ladders.machine.contention import probes_of
from perf_ladders.machine.noise import FREE, MAX_BUSY
from perf_ladders.results.analysis import Analysis
from perf_ladders.results.rows import Ladder, Row
from perf_ladders.results.times import rounds_of

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
    known: bool = True  # a guard without data neither holds nor fails

    @property
    def holds(self) -> str:
        return "n/a" if not self.known else "yes" if self.ok else "no"


def guards(analysis: Analysis) -> list[Guard]:
    every = (control, peak, _spread, _clock, contention, _stolen, _switches, _dependence, _second_clock, rounds)
    found = [guard(analysis) for guard in every]
    return [replace(guard, sentence="") if guard.ok else guard for guard in found]


def warnings(analysis: Analysis) -> list[str]:
    return [guard.sentence for guard in guards(analysis) if not guard.ok]


def errors(analysis: Analysis) -> list[str]:
    return [guard.sentence for guard in guards(analysis) if guard.error and not guard.ok]


def has_control(analysis: Analysis) -> bool:
    return bool(_controls(_main_rows(analysis)))


def short_controls(analysis: Analysis) -> list[str]:
    """Where a main workload has too few rounds for its A/A control to fail, which then says nothing."""
    found = [(row, row.vs_reference) for row in _controls(_main_rows(analysis))]
    return [
        f"{_where(row)}: {said.rounds} of at least {said.least_rounds}"
        for row, said in found
        if said and said.rounds < said.least_rounds
    ]


def control_failures(analysis: Analysis) -> list[str]:
    """Where the A/A control failed on a main workload: no verdict of such a ladder counts."""
    return [_told(row) for row in _failed(_controls(_main_rows(analysis)))]


def failed_ladders(analysis: Analysis) -> set[Ladder]:
    return {row.ladder for row in _failed(_controls(_main_rows(analysis)))}


def _failed(controls: Iterable[Row]) -> list[Row]:
    return [row for row in controls if row.vs_reference and row.vs_reference.fails]


def _told(row: Row) -> str:
    assert row.vs_reference, "controls have it"
    if not row.vs_reference.differs:
        return f"{_where(row)} changed its times while they were measured"
    return f"{_where(row)} came out {row.vs_reference.verdict} than itself"


def _controls(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row.kind == "control" and row.vs_reference]


def _main_rows(analysis: Analysis) -> list[Row]:
    return [row for workload in analysis.main_workloads for row in analysis.rows_on(workload.name)]


def _where(row: Row) -> str:
    return f"{row.stage} at {row.level} ({row.compiler}), {row.workload}"


def control(analysis: Analysis) -> Guard:
    controls = _controls(analysis.rows)
    failed = _failed(controls)
    main = {workload.name for workload in analysis.main_workloads}
    said = [
        f"CONTROL FAILED: {_told(row)}; this machine was too noisy, "
        + ("do not trust verdicts of that ladder." if row.workload in main else "nothing is decided there.")
        for row in failed
    ]
    workloads = sorted({f"`{row.workload}`" for row in failed})
    where = f", on {', '.join(workloads)}" if failed else ""
    return Guard(
        "A/A control: the reference against itself",
        f"{len(failed)} of {len(controls)} fail{where}" if controls else "n/a (none was measured)",
        "none fails",
        not failed,
        " ".join(said),
        known=bool(controls),
    )


def peak(analysis: Analysis) -> Guard:
    known = [(row.peak_share, row) for row in analysis.rows if row.peak_share is not None]
    broken = [row for share, row in known if share > 1]
    share, worst = max(known, key=lambda one: one[0], default=(0.0, None))
    stages = ", ".join(dict.fromkeys(row.stage for row in broken))
    said = ""
    if worst and broken:
        said = (
            f"BROKEN: in {len(broken)} rows ({stages}) a stage is faster than the machine's peak, most of all "
            f"{_where(worst)}: {share:.0%} of it. Either the stage leaves work out, or `operations` in case.toml "
            'counts too many, or it does them in another way: then `beyond = "..."` in its notes says so.'
        )
    unknown = "the peak was not measured" if analysis.case.operations else "case.toml names no operations"
    most = f"at most {share:.0%}" if worst else f"n/a ({unknown})"
    return Guard("share of the machine's peak", most, "100 %", not broken, said, True, bool(known))


def _spread(analysis: Analysis) -> Guard:
    rows = _main_rows(analysis)
    wide = [row for row in rows if row.cv > _SPREAD]
    name, limit = "standard deviation over mean", f"{_SPREAD:.0%}"
    if not rows:
        return Guard(name, "n/a (no program was measured)", limit, True, "", known=False)
    worst = max(rows, key=lambda row: row.cv)
    return Guard(
        name,
        f"over {_SPREAD:.0%} in {len(wide)} of {len(rows)} rows",
        limit,
        not wide,
        f"The standard deviation is over {_SPREAD:.0%} of the mean in {len(wide)} of {len(rows)} rows, most of all for "
        f"{_where(worst)}: {worst.cv:.0%}.",
    )


def _clock(analysis: Analysis) -> Guard:
    clocks = np.array([ghz for one in rounds_of(analysis.measurement) for ghz in one.clock_ghz])
    return Guard(
        "core clock, before and after each round",
        f"{clocks.min():.2f} to {clocks.max():.2f} GHz",
        f"within {_CLOCK:.0%}",
        bool(np.ptp(clocks) <= _CLOCK * np.median(clocks)),
        f"The core clock was between {clocks.min():.2f} and {clocks.max():.2f} GHz.",
    )


def contention(analysis: Analysis) -> Guard:
    probes = probes_of(rounds_of(analysis.measurement))
    return Guard(
        "contention probe: vector operations that the core started, of its best",
        f"under {FREE:.0%} in {probes.busy} of {probes.all} probes" if probes else "n/a (not probed)",
        f"in {MAX_BUSY:.0%} of them",
        probes is None or probes.ok,
        probes.sentence if probes else "",
        known=probes is not None,
    )


def _stolen(analysis: Analysis) -> Guard:
    stolen = sum(one.stolen_ticks for one in rounds_of(analysis.measurement)) * 10
    return Guard(
        "time taken by the hypervisor",
        f"{stolen} ms",
        "0 ms",
        stolen == 0,
        f"The hypervisor took {stolen} ms of CPU time away meanwhile.",
    )


def _switches(analysis: Analysis) -> Guard:
    # Threads of one program take the CPUs from each other.
    alone = {program.id for program in analysis.measurement.programs if not program.threads}
    runs = [run for block in analysis.measurement.blocks for run in block.runs if run.program in alone]
    a_run = sum(run.switches for run in runs) / len(runs) if runs else 0.0
    return Guard(
        "times that a program was taken off its CPU",
        f"{a_run:.1f} a run" if runs else "n/a (the shortest of many slices counts)",
        f"{_SWITCHES} a run",
        a_run <= _SWITCHES,
        f"Programs were taken off their CPU {a_run:.1f} times a run: something else was running.",
        known=bool(runs),
    )


def _dependence(analysis: Analysis) -> Guard:
    """Steps whose neighbouring rounds are correlated: intervals count on independent ones."""
    found: list[tuple[float, float, str]] = []
    for row in _main_rows(analysis):
        base = analysis.at(row.base or "", row.ladder)
        if base is None:
            continue
        ratios = analysis.times.ratios(base.id, row.id, row.workload)
        correlation = stats.lag_one(np.log(ratios).tolist())
        if correlation is not None:
            found.append((correlation, 2 / np.sqrt(len(ratios)), _where(row)))
    strong = [(correlation, where) for correlation, limit, where in found if abs(correlation) > limit]
    most = stats.binomial_quantile(0.99, len(found), _BY_CHANCE)
    worst = max(strong, key=lambda one: abs(one[0]), default=None)
    return Guard(
        "comparisons whose neighbouring rounds are correlated",
        f"{len(strong)} of {len(found)}" if found else "n/a (too few rounds)",
        f"at most {most}, which chance explains",
        len(strong) <= most,
        f"Neighbouring rounds depend on each other in {len(strong)} of {len(found)} comparisons, most for {worst[1]} "
        f"({worst[0]:+.2f}): intervals hold less often than they say."
        if worst
        else "",
        known=bool(found),
    )


def _second_clock(analysis: Analysis) -> Guard:
    known = [(row, row.benchmark) for row in analysis.first_rows if row.benchmark]
    apart = [row for row, clock in known if abs(clock.mean_ns - row.mean_ns) > clock.sd_ns + row.sd_ns]
    times_ours = float(np.median([clock.mean_ns / row.mean_ns for row, clock in known])) if known else 1.0
    return Guard(
        "rows where Google Benchmark's mean and ours differ by more than both standard deviations",
        f"{len(apart)} of {len(known)}; in the median its mean is {times_ours:.2f} times ours"
        if known
        else "n/a (not run)",
        "none",
        not apart,
        f"Google Benchmark's mean differs from ours by more than both standard deviations in {len(apart)} of "
        f"{len(known)} rows, the first of them {_where(apart[0])}. "
        f"In the median its mean is {times_ours:.2f} times ours."
        if apart
        else "",
        known=bool(known),
    )


def rounds(analysis: Analysis) -> Guard:
    """Which steps had too few for any verdict. Programs of the same code need none."""
    what = "blocks" if analysis.measurement.design.kind == "blocks" else "rounds"
    judged = [(row, row.vs_base or row.vs_reference) for row in _main_rows(analysis)]
    compared = [(row, found) for row, found in judged if found and found.verdict != "same code"]
    few = [(row, found) for row, found in compared if found.rounds < found.least_rounds]
    nearest = min((found for _, found in compared), key=lambda found: found.rounds - found.least_rounds, default=None)
    return Guard(
        f"fewest {what} of a comparison",
        str(nearest.rounds) if nearest else "n/a (nothing is compared)",
        f"at least {nearest.least_rounds}" if nearest else "enough for verdicts",
        not few,
        f"{len(few)} of {len(compared)} comparisons had too few {what} for a verdict, the first of them "
        f"{_where(few[0][0])}: {few[0][1].rounds}, of at least {few[0][1].least_rounds}."
        if few
        else "",
        known=bool(compared),
    )
