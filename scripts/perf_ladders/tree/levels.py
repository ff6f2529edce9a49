"""The instruction-set levels, from common/levels.toml: their only list."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree.paths import ROOT, shown

LEVELS = ROOT / "common" / "levels.toml"
_ALSO = "also"


@dataclass(frozen=True)
class Level:
    name: str
    architecture: str  # as `uname -m` names it; "also": another machine beside the level `beside`
    flags: list[str]
    gcc: list[str] = field(default_factory=list)
    clang: list[str] = field(default_factory=list)
    cases: list[str] | None = None  # it is built for these alone; None: for all
    beside: str = ""

    def told(self, compiler_id: str) -> list[str]:
        """All flags for a compiler, by CMake's name for it."""
        return [*self.flags, *(self.clang if "Clang" in compiler_id else self.gcc)]

    def is_of(self, case: str) -> bool:
        return self.cases is None or case in self.cases


@cache
def _every() -> list[Level]:
    tables = foreign.toml_file(LEVELS)
    try:
        return [Level(name, family, **table) for family, levels in tables.items() for name, table in levels.items()]
    except TypeError as error:
        raise UserError(f"{shown(LEVELS)}: {str(error).removeprefix('Level.__init__() ')}.") from None


def levels_of(architecture: str) -> list[Level]:
    """From low to high."""
    family = {"AMD64": "x86_64", "amd64": "x86_64", "arm64": "aarch64"}.get(architecture, architecture)
    found = [level for level in _every() if level.architecture == family != _ALSO]
    if not found:
        raise UserError(f"perf-ladders knows no levels for '{architecture}': add them to {shown(LEVELS)}.")
    return found


def families() -> list[list[Level]]:
    """The levels of each processor family, from low to high."""
    return [levels_of(name) for name in dict.fromkeys(level.architecture for level in _every()) if name != _ALSO]


def other_machines() -> list[Level]:
    return [level for level in _every() if level.architecture == _ALSO]


def known_levels() -> list[str]:
    return [level.name for level in _every() if level.architecture != _ALSO]


def built_levels(case: str) -> list[str]:
    """Those of every processor family that `make build` makes for the case."""
    return [level.name for level in _every() if level.architecture != _ALSO and level.is_of(case)]
