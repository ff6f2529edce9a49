"""A link that opens a stage and its base side by side in Compiler Explorer. The link holds the sources: a page loads
nothing from there."""

from __future__ import annotations

import base64
import json
import re
import zlib
from urllib.parse import quote

from perf_ladders.model.measurement import Compiler
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.flatten import Read, existing, in_tree, included_file
from perf_ladders.tree.headers import read_header
from perf_ladders.tree.levels import levels_of
from perf_ladders.tree.paths import ROOT

ADDRESS = "https://godbolt.org/clientstate/"
MAX_LENGTH = 8 * 1024
# Constants of a case are in angle brackets, so that a standard or a variant can replace them.
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include [<"]([^>"]+)[>"]', re.MULTILINE)


def link(case: Case, stage: Stage, level: str, compiler: Compiler) -> str | None:
    """None for a stage that Compiler Explorer cannot compile, or whose link is too long."""
    base = case.base(stage)
    name = _compiler_name(compiler)
    if base is None or name is None or level not in [one.name for one in levels_of("x86_64")]:
        return None
    if any(read_header(one.source).links for one in (base, stage)):  # libraries
        return None
    options = {one.name: _options(one, level, compiler) for one in (base, stage)}
    sessions = [
        {
            "id": place,
            "language": "c++",
            "source": self_contained(str(one.source.relative_to(ROOT))),
            "compilers": [{"id": name, "options": options[one.name]}],
        }
        for place, one in enumerate((base, stage), 1)
    ]
    state = json.dumps({"sessions": sessions}, ensure_ascii=False, separators=(",", ":"))
    found = ADDRESS + quote(base64.b64encode(zlib.compress(state.encode(), 9)), safe="")
    return found if len(found) <= MAX_LENGTH else None


def self_contained(path: str, read: Read = in_tree) -> str:
    """The source with each header of the tree in place of its first include."""
    seen: set[str] = set()

    def inlined(file: str) -> str:
        seen.add(file)

        def header(match: re.Match[str]) -> str:
            found = included_file(match[1], file, read)
            return match[0] if found is None else "" if found in seen else inlined(found)

        return _INCLUDE.sub(header, existing(file, read).replace("#pragma once\n", ""))

    return inlined(path)


def _options(stage: Stage, level: str, compiler: Compiler) -> str:
    optimisation = [word for word in compiler.flags.split() if word.startswith("-O")]
    required = [f"-m{word}" for word in read_header(stage.source).requires]
    return " ".join(["-std=c++20", *optimisation, compiler.flags_of_level[level], *required])


def _compiler_name(compiler: Compiler) -> str | None:
    """As Compiler Explorer names it: GCC by its two first numbers, Clang by the first release of its branch."""
    version = re.match(r"(\d+)\.(\d+)", compiler.version)
    if version is None or compiler.name not in ("gcc", "clang"):
        return None
    major = int(version[1])
    if compiler.name == "gcc":
        return f"g{major}{version[2]}"
    first = "10" if major >= 18 else "01" if major == 17 else "00"
    return f"clang{major}{first}"
