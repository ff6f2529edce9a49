"""Call stacks with their instructions, from callgrind's file, for tools that draw flame graphs.

The file counts calls between two functions and keeps no whole stack. A function that several others call is shared
among their stacks in proportion to what its calls cost there. Where each function has one caller, stacks are exact.
Functions that call each other are one frame.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from perf_ladders import foreign
from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence.instructions import entries
from perf_ladders.tree.paths import shown

Stack = tuple[str, ...]  # the outermost function first
_LEAST, _SMALL = 0.5, 1e-5  # instructions, and a share of all: a stack with fewer is left to its caller
_MOST = 100_000  # stacks: functions that call two others each double them at every level


def read_stacks(path: Path) -> dict[Stack, int]:
    """Of a file that `make profile` keeps."""
    try:
        lines = foreign.without_controls(foreign.read(path)).decode("utf-8", errors="replace").splitlines()
        found = stacks(lines)
    except FileNotFoundError:
        raise UserError(
            f"There is no {shown(path)}: `make profile xtea-04` writes one to reports/local/profile."
        ) from None
    except (Missing, ValueError, IndexError, ArithmeticError, RecursionError) as error:
        raise UserError(f"{shown(path)} is no file of callgrind that `make profile xtea-04` keeps ({error}).") from None
    return found


def stacks(lines: Iterable[str]) -> dict[Stack, int]:
    """Instructions of the last function of each stack alone; but for rounding they add up to callgrind's total."""
    every = [(function, callee, cost) for _, function, callee, _, cost in entries(lines)]
    cycle = _cycles({(function, callee) for function, callee, _ in every if callee})
    own: Counter[str] = Counter()
    calls: dict[str, Counter[str]] = defaultdict(Counter)
    called: Counter[str] = Counter()
    for function, callee, cost in every:
        caller, target = cycle.get(function, function), cycle.get(callee, callee)
        if not target:
            own[caller] += cost
        elif target != caller:  # a recursion costs nothing beyond its functions
            calls[caller][target] += cost
            called[target] += cost
    # What runs while counting is switched off has a cost for its caller alone.
    whole = {name: max(own[name] + calls[name].total(), called[name]) for name in {*own, *calls, *called}}
    least = max(_LEAST, own.total() * _SMALL)
    found: Counter[Stack] = Counter()

    def follow(stack: Stack, cost: float) -> None:
        if len(found) > _MOST:
            raise ValueError(f"it has over {_MOST:,} call stacks")
        share = cost / whole[stack[-1]]
        left = cost
        for function, part in calls[stack[-1]].items():
            if part * share >= least:
                follow((*stack, function), part * share)
                left -= part * share
        found[stack] += round(left)

    for name, cost in sorted(whole.items()):
        if (uncalled := cost - called[name]) > 0:
            follow((name,), uncalled)
    return {stack: cost for stack, cost in sorted(found.items()) if cost > 0}


def _cycles(calls: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Functions that call each other, at first hand or not, are one: by function the name of all of them."""
    after: dict[str, set[str]] = defaultdict(set)
    before: dict[str, set[str]] = defaultdict(set)
    for caller, function in calls:
        after[caller].add(function)
        before[function].add(caller)
    found: dict[str, str] = {}
    for name in sorted({*after} & {*before}):
        if name not in found and len(alike := _reached(name, after) & _reached(name, before)) > 1:
            found |= dict.fromkeys(alike, " / ".join(sorted(alike)))
    return found


def _reached(name: str, following: dict[str, set[str]]) -> set[str]:
    found, waiting = {name}, [name]
    while waiting:
        new = following[waiting.pop()] - found
        found |= new
        waiting += new
    return found
