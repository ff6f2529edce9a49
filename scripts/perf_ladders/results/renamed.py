"""Stages that have another slug than when they were measured: reading a measurement replaces their names."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from perf_ladders.model.measurement import Measurement
from perf_ladders.tree.catalogue import Case


def as_named_now(case: Case, measurement: Measurement) -> Measurement:
    """With the slugs of the tree."""
    slugs = {old: stage.slug for stage in case.stages if not stage.is_own for old in stage.notes.formerly}
    renamed = [one for one in measurement.programs if one.kind != "peer" and one.stage in slugs]
    if not renamed:
        return measurement
    ids = {one.id: slugs[one.stage] + one.id.removeprefix(one.stage) for one in renamed}
    units = {f"stage/{old}": f"stage/{new}" for old, new in slugs.items()}
    named = msgspec.json.decode(_replaced(msgspec.json.encode(measurement), ids | units), type=Measurement)
    for one in named.programs:
        if one.kind != "peer":
            one.stage = slugs.get(one.stage, one.stage)
    for left_out in named.left_out:
        slug, dot, rest = left_out.name.partition(".")
        left_out.name = f"{slugs.get(slug, slug)}{dot}{rest}"
    return named


def _replaced(text: bytes, names: Mapping[str, str]) -> bytes:
    """JSON with another name in place of every whole string that is one of these, also where it is a key."""
    new = {msgspec.json.encode(one): msgspec.json.encode(name) for one, name in names.items()}
    string = re.compile(rb"(?<!\\)(?:" + b"|".join(map(re.escape, new)) + b")")
    return string.sub(lambda one: new[one[0]], text)
