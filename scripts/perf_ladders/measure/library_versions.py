"""The versions of the libraries that take part, as the libraries or pkg-config say them."""

from __future__ import annotations

import ctypes
import ctypes.util
import subprocess
from collections.abc import Sequence

from perf_ladders.measure.runner import Runner
from perf_ladders.tree.headers import read_header

_TOLD_BY = {"IPSec_MB": "imb_get_version_str"}  # a function of the library, whose package says nothing to pkg-config


def versions(runners: Sequence[Runner]) -> dict[str, str]:
    """By the name of the peer. One that says nothing is not in it."""
    sources = {one.about.stage: one.program.source for one in runners if one.about.kind == "peer"}
    found = {name: _version(read_header(source).links) for name, source in sources.items()}
    return {name: version for name, version in found.items() if version}


def _version(links: Sequence[str]) -> str:
    """Of the first library that a peer is linked with: the one that it is named after."""
    if not links:
        return ""
    if links[0] in _TOLD_BY:
        return _told(links[0], _TOLD_BY[links[0]])
    return _of_package(links[0]) or _of_file(links[0])


def _of_package(name: str) -> str:
    try:
        done = subprocess.run(["pkg-config", "--modversion", name], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _of_file(name: str) -> str:
    """As in libboost_json.so.1.81.0, of which pkg-config knows nothing."""
    return (ctypes.util.find_library(name) or "").partition(".so.")[2]


def _told(name: str, function: str) -> str:
    try:
        call = getattr(ctypes.CDLL(ctypes.util.find_library(name) or name), function)
    except (OSError, AttributeError):
        return ""
    call.restype = ctypes.c_char_p
    said = call()
    return said.decode() if said else ""
