"""How numbers are written, the same in the terminal, in HTML and in Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from perf_ladders.machine import identity
from perf_ladders.model.evidence import HotLine
from perf_ladders.model.measurement import Measurement
from perf_ladders.results.libraries import Library
from perf_ladders.results.rows import AFTER_TRIALS, Prediction
from perf_ladders.results.store import Kept, Published
from perf_ladders.stats import ALIKE, Comparison, Share, Verdict

NOT_MEASURED = "n/a"
COMPILERS = {"gcc": "GCC", "clang": "Clang"}
MARKS = {"faster": "▲", "slightly faster": "△", "slower": "▼", "slightly slower": "▽", "same": "=", "undecided": "~"}
MARKS |= {"same code": "≡"}
SLIGHTLY = f"by under {100 * ALIKE:.2g} %"
_VERDICTS = {
    "slightly faster": f"faster, {SLIGHTLY}",
    "slightly slower": f"slower, {SLIGHTLY}",
    "same code": "same machine code",
    "undecided": "~ undecided",
}
MARKS |= {AFTER_TRIALS: "", "held": "✓", "refuted": "✗", "open": "?", "says little": "○"}
MARKS |= {"reproduced": "✓", "more than claimed": "▲", "less than claimed": "▼", "the other way round": "✗"}
MARKS |= {"not measured yet": "", "not testable here": ""}
# What a claim compares, where that is not the time.
QUANTITIES = {
    "sd": "standard deviation",
    "longest": "longest call",
    "trimmed": "mean within one standard deviation",
    "extremes": "the shortest call with the longest",
    "instructions": "instructions",
}
_NEAR_1 = (0.95, 1.05)
_MOST_IF_QUIET, _MOST_IF_BUSY = 0.1, 0.2  # of the comparisons may be undecided: docs/method.md
_HIDDEN = str.maketrans("() ", "\1\2\3")  # what belongs to the name of an operator
_SHOWN = str.maketrans("\1\2\3", "() ")


def time(nanoseconds: float | None) -> str:
    if nanoseconds is None:
        return NOT_MEASURED
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{_three(nanoseconds / size)} {unit}"
    return f"{_three(nanoseconds)} ns"


def number(value: float | None) -> str:
    return NOT_MEASURED if value is None else _three(value)


def percent(share: float | None) -> str:
    return NOT_MEASURED if share is None else f"{share:.1%}"


def stage_number(name: str) -> str:
    """Of xtea-04: 04; of its variant xtea-04-O2: 04-O2"""
    found = re.search(r"-(\d\d(-.+)?)$", name)
    return found[1] if found else name.rpartition("-")[2]


def score(counts: Mapping[str, int]) -> str:
    """Of 20 claims: 12 reproduced, 3 open"""
    said = [f"{count} {word}" for word, count in counts.items() if count]
    every = sum(counts.values())
    return f"Of {counted(every, 'claim')}: {', '.join(said)}" if said else "No claims"


def undecided(verdicts: Counter[Verdict], quiet: bool | None) -> str:
    """Of all comparisons of a stage with its base on main workloads, and whether that is as few as there should be.
    `quiet`: by the contention probes; None without any."""
    every, open_ = verdicts.total(), verdicts["undecided"]
    said = f"On the main workloads, {open_} of {counted(every, 'comparison')} of a stage with its base are undecided"
    if not every or quiet is None:
        return f"{said}{f' ({percent(open_ / every)})' if every else ''}."
    machine, most = ("quiet", _MOST_IF_QUIET) if quiet else ("busy", _MOST_IF_BUSY)
    held = "is kept" if open_ <= most * every else "is exceeded, so more rounds are needed"
    return (
        f"{said} ({percent(open_ / every)}). The contention probes found the machine {machine}: the limit of "
        f"{per_cent(most)} {held}."
    )


def counted(number: int, word: str) -> str:
    """1 round, 2,000 rounds"""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def listed(words: Iterable[str]) -> str:
    """a, b and c"""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def per_cent(share: float) -> str:
    """In whole per cent, for sentences: 5 %"""
    return f"{100 * share:.0f} %"


def ratio(found: Comparison | None) -> str:
    """1.85x [1.84, 1.86]"""
    if found is None:
        return ""
    return f"{_ends(found)[1]}x {interval(found)}".rstrip()


def interval(found: Comparison) -> str:
    """[1.84, 1.86]; an end that is not known yet is a question mark. Programs of the same code need none."""
    low, _, high = _ends(found)
    return "" if found.verdict == "same code" and found.low is None else _brackets(low, high)


def _brackets(low: str, high: str) -> str:
    return "[too few rounds]" if low == high == "?" else f"[{low}, {high}]"


def _ends(found: Comparison) -> tuple[str, str, str]:
    if found.low is None and found.high is None:
        return "?", factor(found.ratio), "?"
    decimals = 2 if found.ratio >= 2 else 3 if found.ratio >= 0.1 else 4
    low, middle, high = ("?" if one is None else f"{one:.{decimals}f}" for one in (found.low, found.ratio, found.high))
    return low, middle, high


def times(value: float | None) -> str:
    """4.31x, without an interval."""
    return NOT_MEASURED if value is None else f"{factor(value)}x"


def factor(value: float) -> str:
    """4.31; near 1 with as many decimals as beside one: 1.004"""
    return f"{value:.3f}" if _NEAR_1[0] <= value <= _NEAR_1[1] else _three(value)


def missing(reason: str) -> str:
    return f"{NOT_MEASURED} ({reason})"


def seconds(value: float) -> str:
    return time(value * 1e9) if value < 1 else f"{_three(value)} s"


def bytes(value: float) -> str:  # noqa: A001 - a filter of the templates
    """A size that was reckoned, to two digits."""
    return f"{float(f'{value:.2g}'):,.0f} bytes"


def rate(value: float, unit: str) -> str:
    """What a program of the case takes, or does."""
    return seconds(value) if unit == "s" else f"{_three(value)} {unit}"


def span(low: float, high: float) -> str:
    """A range of speed-ups, as claimed or predicted."""
    return f"{low:g}x" if low == high else f"{low:g}x to {high:g}x"


def verdict(found: Comparison | None) -> str:
    """Never 'no difference' for what is not known."""
    if found is None:
        return ""
    if found.changed:
        return "~ undecided: the times changed"
    if found.verdict == "same":
        return f"no difference over {100 * found.alike:.2g} %"
    return word(found.verdict)


def word(found: Verdict) -> str:
    """Of several comparisons with this verdict."""
    return _VERDICTS.get(found, found)


def prediction(found: Prediction | None) -> str:
    if found is None:
        return ""
    side = f", {found.side}" if found.side else ""
    return f"{found.low:g}-{found.high:g}: {found.outcome}{side}"


def share(found: Share) -> str:
    """3 of 20: 15.0% [3.2, 37.9]"""
    middle, low, high = (f"{100 * value:.1f}" for value in (found.k / found.n, found.low, found.high))
    return f"{found.k} of {found.n}: {middle}% [{low}, {high}]"


def part(found: Comparison) -> str:
    """Of two times, the part that the shorter is of the longer: 3.1 % [2.9, 3.3]"""
    ends = (found.low, found.ratio, found.high)
    low, middle, high = ("?" if one is None else f"{100 * one:.1f}" for one in ends)
    return f"{middle} % {_brackets(low, high)}"


def interface(library: Library) -> str:
    """What it forces on the library, and the time of its adapter where that was measured: its least and its most."""
    by_part = sorted(library.adapter.parts.items(), key=lambda one: one[1].ratio)
    ends = [f"{part(found)} (`{workload}`)" for workload, found in dict([*by_part[:1], *by_part[-1:]]).items()]
    copies = f", with a copy of each {library.copied} that the library does not make" if library.copied else ""
    elsewhere = library.adapter.elsewhere
    whose = f"On {short_machine(elsewhere.measurement)} its" if elsewhere else "Its"
    alone = f"{whose} adapter alone takes {' to '.join(ends)} of its time{copies}." if ends else ""
    return f"{library.interface or NOT_MEASURED} {alone}".strip()


def function(name: str) -> str:
    """Without its parameters and what it returns: xtea::cipher<xtea::Encrypt>"""
    name = re.sub(r"\{lambda\([^{}]*\)#(\d+)\}", r"{lambda#\1}", name)
    name = re.sub(r"operator(\(\)| new| delete)", lambda m: m[0].translate(_HIDDEN), name)
    bare, _, file = name.replace("(anonymous namespace)::", "").partition(" in ")
    if "(" not in bare:
        return name.translate(_SHOWN)
    start = depth = 0
    for place, letter in enumerate(bare):
        depth += (letter == "<") - (letter == ">")
        if letter == " " and depth == 0:
            start = place + 1
        if letter == "(" and depth == 0:
            bare = bare[start:place]
            break
    short = re.sub(r"<.{40,}>", "<...>", bare).translate(_SHOWN)
    return f"{short} in {file}" if file else short


def source_line(line: HotLine) -> str:
    """What is written there; of a header of the system, which is not quoted, its name."""
    return line.text.strip() or f"in {Path(line.file).name}"


def size(count: int) -> str:
    return counted(count, "byte")


def machine_line(measurement: Kept) -> str:
    machine = measurement.machine
    virtual = "" if machine.virtual_machine == "no" else f", virtual machine ({machine.virtual_machine})"
    return f"{identity.name(machine)}, {counted(machine.cpus, 'CPU')}{virtual}, {machine.system}"


def short_machine(measurement: Published) -> str:
    return identity.short_name(measurement.machine)


def compiler_line(measurement: Kept) -> str:
    return "; ".join(f"{one.name} {one.version} {one.flags}" for one in measurement.compilers)


def compiler(preset: str) -> str:
    """As it is called in sentences."""
    return COMPILERS.get(preset, preset)


def made_line(measurement: Kept) -> str:
    """Commit 0123456 with changes, 2026-01-01 10:20"""
    made = measurement.made
    changed = " with changes" if made.changed else ""
    return f"Commit {made.commit or 'not known'}{changed}, {made.date[:16].replace('T', ' ')}"


def brackets(measurement: Measurement) -> str:
    """The brackets behind a ratio."""
    if measurement.design.kind == "blocks":
        return "Brackets are 95 % intervals."
    return "Brackets are 95 % intervals, simultaneous for all stages on one workload (confidence sequences)."


def amount(measurement: Measurement, *workloads: str) -> str:
    """How much was measured of a workload (of the first): 20 fixed blocks, or up to 60 rounds."""
    wanted, design = {*workloads} or {measurement.workloads[0].name}, measurement.design
    if design.kind == "blocks":
        blocks = max((part.blocks for part in design.parts if wanted & {*part.workloads}), default=0)
        return counted(blocks, "fixed block")
    rounds = max((step.rounds for step in design.steps if wanted & {*step.workloads}), default=0)
    return f"up to {rounds} rounds" if rounds != 1 else "1 round"


def left_out(measurement: Measurement) -> list[str]:
    """One sentence a reason, however many programs it concerns."""
    names: dict[str, list[str]] = {}
    for one in measurement.left_out:
        names.setdefault(one.reason, []).append(one.name)
    return [
        f"{found[0]}{f' and {len(found) - 1} more' if len(found) > 1 else ''}: {reason}"
        for reason, found in names.items()
    ]


def _three(value: float) -> str:
    """Three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    first, *others = (f"| {' | '.join(cells)} |" for cells in (headings, *rows))
    return "\n".join([first, f"|{'|'.join('---' for _ in headings)}|", *others])


def about_secrets(has_secrets: object) -> str:
    """What the column *constant time* says."""
    if not has_secrets:
        return "Constant time: not applicable, for nothing in this case is secret."
    return (
        "Constant time: keys and contents are secret, lengths are public. *Yes*: Valgrind's memcheck found no branch "
        "and no address that depends on a secret, at the levels that it runs. *No*: it found the named lines. *n/a*: "
        "Valgrind does not know the instructions, or a device does the work. *Not checked*: the source has changed "
        "since the check."
    )
