"""What a campaign's file says, and what the check that ReFrame runs reads."""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec
from msgspec import Meta

from perf_ladders.model.record import Record

_UNITS = {"h": 3600, "m": 60, "s": 1}
Names = Annotated[list[str], Meta(min_length=1)]


class Campaign(Record, kw_only=True):
    """What FILE.toml says."""

    cases: Names
    compilers: Names = msgspec.field(default_factory=lambda: ["gcc"])  # presets
    time_limit: str  # of a job: 4h, 90m or 600s
    rounds: Annotated[int, Meta(ge=12, le=9_999)] | None = None  # with fewer the A/A control cannot fail
    features: list[str] = []  # that the CPU must have
    partitions: list[str] = []  # system:partition; without any all that ReFrame knows here
    reframe: str | None = None  # ReFrame's configuration, relative to FILE.toml; None: this machine alone

    @property
    def seconds(self) -> int:
        return int(self.time_limit[:-1]) * _UNITS[self.time_limit[-1]]

    @property
    def design(self) -> str:
        """With other compilers or rounds a case is measured again. All else changes no result."""
        return hashlib.sha256(msgspec.json.encode([self.compilers, self.rounds])).hexdigest()[:8]


class Asked(Record, kw_only=True):
    """What the check reads."""

    campaign: Campaign
    root: str  # the repository
    commit: str
