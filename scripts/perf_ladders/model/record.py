"""What all types of a measurement share."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

# No count and no time of a measurement is as large as these bounds.
Count = Annotated[int, Meta(ge=0, lt=2**53)]
Positive = Annotated[int, Meta(ge=1, lt=2**53)]
Rounds = Annotated[int, Meta(ge=1, le=9_999)]  # as many as may be asked for
LEAST = 1e-18
AboveZero = Annotated[float, Meta(ge=LEAST, lt=1e18)]  # so that the ratio of any two is a number
NotBelowZero = Annotated[float, Meta(ge=0, lt=1e18)]
Logarithm = Annotated[float, Meta(ge=-100, le=100)]  # of how many times as fast
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
# What names of files and folders are made of, or words of a command: none leads out of its folder or is an option.
Name = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._+-]*$(?!\n)", max_length=200)]
WorkloadName = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._/-]*$(?!\n)", max_length=200)]  # ethash/items-alone
Shown = Annotated[str, Meta(pattern="^[^`]*$")]  # a backtick would begin or end code on a page of Markdown
Path = Annotated[str, Meta(pattern=r"^(?![-/])(?!(.*/)?\.\.(/|$))[^\\\n]+$(?!\n)")]  # below the root of the repository
Commit = Annotated[str, Meta(pattern="^[0-9a-f]{7,40}$(?!\n)")]
Date = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$(?!\n)")]  # ISO 8601


class Record(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A field that is misspelt fails under mypy, and in a file when that is read."""


class LeftOut(Record, kw_only=True):
    name: str  # a program's id, or a stage or library of which none could be built
    reason: str
