"""What peer.toml says of a library: what its interface forces on it, and which instructions it uses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from perf_ladders import foreign
from perf_ladders.tree.case_file import WrongError, parsed
from perf_ladders.tree.levels import known_levels
from perf_ladders.tree.paths import shown

UNKNOWN = "unknown"
AS_BUILT = "as built"  # stage.cpp asks the library for the instructions of the level that it is built at


@dataclass(frozen=True)
class Instructions:
    """Those of a library from a version on. No tool can read them from it, so somebody says where he found them."""

    level: str  # of the newest of them, but for those that no level has; or UNKNOWN, or AS_BUILT
    text: str  # which they are
    source: str  # where that is written
    since: str = ""  # the first version that uses them; of the first entry empty


@dataclass(frozen=True)
class Peer:
    interface: str = ""  # what it forces on the library, in a sentence
    copied: str = ""  # what the variant without the cipher copies, and the library does not: message
    instructions: list[Instructions] = field(default_factory=list)

    def uses(self, version: str | None) -> Instructions | None:
        """What that version uses. None: nobody says it, or entries differ and the version is not known."""
        if version is not None:
            return next((one for one in reversed(self.instructions) if _key(one.since) <= _key(version)), None)
        return self.instructions[0] if len(self.instructions) == 1 else None


def read_peer(folder: Path) -> Peer:
    """Of a folder of peers/. A library of which nothing is said has no peer.toml."""
    path = folder / "peer.toml"
    if not path.is_file():
        return Peer()
    return parse_peer(foreign.read_text(path), shown(path))


def parse_peer(text: str, place: str) -> Peer:
    """`place` is for complaints."""
    return parsed(text, Peer, place, _check)


def _check(found: Peer) -> None:
    levels = [*known_levels(), AS_BUILT, UNKNOWN]
    for place, one in enumerate(found.instructions):
        if one.level not in levels:
            raise WrongError(
                f"instructions[{place}].level", f"there is no level '{one.level}'; there are: {', '.join(levels)}"
            )
    versions = [_key(one.since) for one in found.instructions]
    if versions != sorted({*versions}):
        raise WrongError("instructions", "each entry is `since` a later version than the one before")


def _key(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
