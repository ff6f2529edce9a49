"""The JSON schema of a measurement file, generated from its types: for reading the files with other tools."""

from __future__ import annotations

from pathlib import Path

import msgspec

from perf_ladders.model.measurement import Measurement
from perf_ladders.tree import files
from perf_ladders.tree.paths import ROOT

PATH = ROOT / "docs" / "measurement.schema.json"


def text() -> str:
    found = msgspec.json.schema(Measurement)
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n"


def write() -> Path:
    return files.write(PATH, text())
