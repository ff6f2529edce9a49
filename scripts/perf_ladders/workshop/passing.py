"""What a scoreboard keeps of an attempt that passed its step."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime

import msgspec

from perf_ladders import foreign
from perf_ladders.machine import identity
from perf_ladders.workshop import judge
from perf_ladders.workshop.board import Passed, Where
from perf_ladders.workshop.building import Field
from perf_ladders.workshop.judge import Attempt


def passed(place: Field, found: Attempt, source: str) -> Passed:
    """On this machine, now."""
    compiler = place.build.compiler
    source = foreign.plain(re.sub(r"[\f\v]", " ", source))  # as the scoreboard is read
    return Passed(
        date=datetime.now(UTC).replace(microsecond=0),
        machine=Where(**msgspec.structs.asdict(identity.describe())),
        compiler=f"{compiler.name} {compiler.version} {compiler.flags}",
        level=place.mine.level,
        workload=place.workload,
        rounds=sum(one.part == judge.JUDGED for one in found.rounds),
        vs_reference=found.against.get(place.reference.name),
        vs_base=found.against.get(place.base.name),
        vs_answer=found.against.get(place.answer.name),
        remark=found.for_teacher,
        source=source,
        sha256=hashlib.sha256(source.encode()).hexdigest(),
        samples=found.samples,
    )
