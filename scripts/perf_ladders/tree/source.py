"""What a program is compiled from, as one text: headers of the tree in place of their includes, comments left out.

Two texts with the same digest are the same program, wherever its files lie and whatever their comments say.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

from perf_ladders.tree.catalogue import Case
from perf_ladders.tree.flatten import INCLUDE, Read, existing, in_tree, included_file
from perf_ladders.tree.paths import ROOT, STAGES

# A literal is kept as it is, so that what looks like a comment in it stays. Raw strings come first.
_TOKEN = re.compile(
    r'(?<!\w)(?:u8|[uUL])?R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![\w.])\.?[0-9](?:'?[\w.])*"  # a number, whose digits ' parts
    r"|'(?:\\.|[^'\\\n])+'"
    r"|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)
# The files that measure. The rest of the harness starts and ends a program, and no number depends on it.
_OF_EVERY_ROW = {"serve": "common/serve.cpp", "timed": "common/timed.cpp", "peak": "common/machine.cpp"}
_SHARED = (*_OF_EVERY_ROW.values(), "common/main.cpp", "common/guard.c", "common/workload.hpp", "common/levels.toml")


def flattened(path: str, read: Read = in_tree) -> str:
    return "\n".join(line for line in _flattened(path, read, set()).splitlines() if line)


def _flattened(path: str, read: Read, seen: set[str]) -> str:
    seen.add(path)

    def included(match: re.Match[str]) -> str:
        found = included_file(match[1], path, read)
        if found is None:
            return match[0]  # of the system, or of a library
        return "" if found in seen else _flattened(found, read, seen)

    joined = INCLUDE.sub(included, without_comments(existing(path, read)))
    return "\n".join(" ".join(line.split()) for line in joined.splitlines() if line.strip() != "#pragma once")


@cache
def without_comments(text: str) -> str:
    return _TOKEN.sub(lambda one: " " if one[0].startswith("/") else one[0], text)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of(path: Path) -> str:
    """Of a source file of the tree."""
    return digest(flattened(_shown(path)))


def units(case: Case) -> dict[str, str]:
    """By name the digest of all that is measured of a case: stage/interchange, peer/botan, workloads, serve."""
    folder = f"stages/{case.name}"
    found = {f"stage/{stage.slug}": f"{folder}/{stage.directory.name}/stage.cpp" for stage in case.stages}
    for kind, file in (("peer", "peers/*/stage.cpp"), ("app", "apps/*/main.cpp")):
        found |= {f"{kind}/{path.parent.name}": _shown(path) for path in (STAGES / case.name).glob(file)}
    read = cache(in_tree)  # a header is of many stages
    digests = {name: digest(flattened(path, read)) for name, path in sorted(found.items())}
    for kind in ("variants", "standards"):
        for path in sorted((STAGES / case.name).glob(f"{kind}/*")):
            headers = sorted(_shown(header) for header in path.rglob("*.hpp"))
            digests[f"{kind[:-1]}/{path.name}"] = digest("\n".join(flattened(one, read) for one in headers))
    digests["workloads"] = digest(flattened(f"{folder}/workloads.cpp", read))
    return digests | {unit: digest(flattened(path, read)) for unit, path in _OF_EVERY_ROW.items()}


def files(case: Case) -> dict[str, str]:
    """By path the digest of each source file of the case and of what it shares with others."""
    own = [path for path in sorted((STAGES / case.name).rglob("*")) if path.suffix in (".cpp", ".hpp", ".h", ".toml")]
    shared = [ROOT / name for name in _SHARED]
    return {_shown(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in (*shared, *own) if path.is_file()}


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT))
