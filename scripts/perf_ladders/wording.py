"""How numbers are written, the same in the terminal, in HTML and in Markdown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

NOT_MEASURED = "n/a"
MARKS = {"faster": "▲", "slower": "▼", "same": "=", "unresolved": "~"}
_HIDDEN = str.maketrans("() ", "\1\2\3")  # what belongs to the name of an operator
_SHOWN = str.maketrans("\1\2\3", "() ")
MARKS |= {"held": "✓", "refuted": "✗", "open": "?"}


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


def ratio(comparison: dict[str, Any] | None) -> str:
    """1.85x [1.84, 1.86]"""
    if comparison is None:
        return ""
    if comparison["low"] is None:
        return f"{_three(comparison['ratio'])}x [too few blocks]"
    decimals = 2 if comparison["ratio"] >= 2 else 3 if comparison["ratio"] >= 0.1 else 4
    low, middle, high = (f"{comparison[key]:.{decimals}f}" for key in ("low", "ratio", "high"))
    return f"{middle}x [{low}, {high}]"


def times(value: float | None) -> str:
    """4.31x, without an interval."""
    return NOT_MEASURED if value is None else f"{_three(value)}x"


def missing(found: dict[str, str]) -> str:
    return f"{NOT_MEASURED} ({found['missing']})"


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


def verdict(comparison: dict[str, Any] | None) -> str:
    """Never 'no difference' for what is not known."""
    if comparison is None:
        return ""
    return "~ unresolved" if comparison["verdict"] == "unresolved" else comparison["verdict"]


def prediction(found: dict[str, Any] | None) -> str:
    if not found:
        return ""
    side = f", {found['side']}" if found["side"] else ""
    return f"{found['low']:g}-{found['high']:g}: {found['outcome']}{side}"


def share(found: dict[str, Any]) -> str:
    """3 of 20: 15.0% [3.2, 37.9]"""
    middle, low, high = (f"{100 * value:.1f}" for value in (found["k"] / found["n"], found["low"], found["high"]))
    return f"{found['k']} of {found['n']}: {middle}% [{low}, {high}]"


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


def source_line(line: dict[str, Any]) -> str:
    """What is written there; of a header of the system, which is not quoted, its name."""
    return str(line["text"]).strip() or f"in {Path(line['file']).name}"


def size(count: int) -> str:
    return f"{count:,} byte{'s' if count != 1 else ''}"


def machine_line(result: dict[str, Any]) -> str:
    machine = result["machine"]
    virtual = "" if machine["virtual_machine"] == "no" else f", virtual machine ({machine['virtual_machine']})"
    numbers = machine["cpu_family_model_stepping"]
    cpu = f"{machine['cpu']}{f' ({numbers})' if numbers else ''}, {machine['cpus']} CPUs"
    return f"{cpu}{virtual}, {machine['system']}"


def compiler_line(result: dict[str, Any]) -> str:
    return "; ".join(f"{c['name']} {c['version']} {c['flags']}" for c in result["compilers"])


def left_out(result: dict[str, Any]) -> list[str]:
    """One sentence a reason, however many programs it concerns."""
    names: dict[str, list[str]] = {}
    for entry in result["left_out"]:
        names.setdefault(entry["reason"], []).append(entry["name"])
    return [
        f"{found[0]}{f' and {len(found) - 1} more' if len(found) > 1 else ''}: {reason}"
        for reason, found in names.items()
    ]


def _three(value: float) -> str:
    """Three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"
