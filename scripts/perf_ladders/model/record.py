"""What all types of a measurement share."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

# No count and no time of a measurement is as large as these bounds.
Count = Annotated[int, Meta(ge=0, lt=2**53)]
Positive = Annotated[int, Meta(ge=1, lt=2**53)]
AboveZero = Annotated[float, Meta(gt=0, lt=1e18)]
NotBelowZero = Annotated[float, Meta(ge=0, lt=1e18)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Record(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A field that is misspelt fails under mypy, and in a file when that is read."""


class LeftOut(Record, kw_only=True):
    name: str  # a program's id, or a stage or library of which none could be built
    reason: str
