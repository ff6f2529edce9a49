"""The techniques that stages teach: docs/techniques.toml lists them, and the notes of a stage name its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.paths import ROOT, shown

LIST = ROOT / "docs" / "techniques.toml"


@dataclass(frozen=True)
class Technique:
    name: str
    sentence: str  # says what it is
    also: list[str]  # other names that people search for
    stages: list[tuple[Case, list[Stage]]]  # that teach it

    @property
    def anchor(self) -> str:
        return anchor(self.name)


def anchor(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def techniques(cases: Sequence[Case]) -> list[Technique]:
    """By name, each with its stages."""
    found = []
    for name, said in sorted(foreign.toml_file(LIST).items(), key=lambda one: one[0].casefold()):
        match said:
            case {"is": str(sentence), "also": list(also), **rest} if not rest:
                found.append(Technique(name, sentence, also, _teaching(name, cases)))
            case _:
                raise UserError(f'{shown(LIST)}: "{name}" has the fields `is`, a sentence, and `also`, a list.')
    return found


def misfits(cases: Sequence[Case]) -> Iterator[str]:
    """A sentence for each technique that no stage teaches, and for each stage that teaches none or an unknown one."""
    known = techniques(cases)
    yield from (f'{shown(LIST)}: no stage teaches "{one.name}".' for one in known if not one.stages)
    names = {one.name for one in known}
    for stage in (stage for case in cases for stage in case.stages):
        notes = shown(stage.directory / "notes.md")
        if not stage.notes.techniques and stage.number != "00" and not stage.is_own:
            yield f"{notes} names no technique; {shown(LIST)} lists them."
        yield from (f'{notes}: "{one}" is not in {shown(LIST)}.' for one in stage.notes.techniques if one not in names)


def _teaching(name: str, cases: Sequence[Case]) -> list[tuple[Case, list[Stage]]]:
    found = [(case, [stage for stage in case.stages if name in stage.notes.techniques]) for case in cases]
    return [(case, stages) for case, stages in found if stages]
