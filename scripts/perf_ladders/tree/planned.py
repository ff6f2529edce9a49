"""What plan.json holds."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Planned:
    """A program that the scripts may ask for."""

    case: str
    kind: str  # stage, peer, variant, self-check or exercise
    name: str
    level: str
    source: str  # from the root of the repository
    harness: str  # whose archives it is linked with
    threads: str = ""
    standard: str = ""
    lacks: list[str] = field(default_factory=list)
    device: str = ""
    apps: dict[str, str] = field(default_factory=dict)  # the programs around it, by the name of the app


@dataclass(frozen=True)
class Asked:
    """For which machine the plan is, and what was asked of CMake."""

    architecture: str = field(default_factory=platform.machine)
    levels: Sequence[str] = ()  # none: all
    compiler: str = ""  # that is asked which instruction sets it knows; none: it is taken to know all
    compiler_id: str = "GNU"  # or Clang, as CMake says
    checked_alone: bool = False  # with sanitizers, or for another machine: nothing that is only there to be timed
    kernels_alone: bool = False  # with sanitizers, which find no more in mutants, variants and other standards
    novec: str = ""  # "all": levels that are of some cases are built for every case
