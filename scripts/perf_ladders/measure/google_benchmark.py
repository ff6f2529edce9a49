"""What a Google Benchmark program writes with --benchmark_out_format=json."""

from __future__ import annotations

import json
import math
from typing import Literal

import msgspec


class Repetition(msgspec.Struct):
    run_name: str = ""
    run_type: str = ""  # iteration; or aggregate, which is a statistic of those
    real_time: float = math.nan  # of one iteration, in time_unit
    time_unit: Literal["ns", "us", "ms", "s"] = "ns"
    error_occurred: bool = False
    error_message: str = ""


class _Report(msgspec.Struct):
    benchmarks: list[Repetition]


def repetitions(text: bytes) -> list[Repetition]:
    """In the order in which they ran; none where nothing matched the filter. ValueError: it is no such text."""
    if not text.strip():
        return []
    try:
        found = msgspec.convert(json.loads(text), _Report)  # json: Google Benchmark may write NaN
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    return [one for one in found.benchmarks if one.run_type == "iteration" or one.error_occurred]
