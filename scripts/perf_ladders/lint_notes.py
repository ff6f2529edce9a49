"""Are the notes of stages as they must be? Measured figures come from placeholders, and every placeholder is right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from perf_ladders.errors import UserError
from perf_ladders.pages import figures
from perf_ladders.tree.catalogue import Case, Stage, case_names, read_case
from perf_ladders.tree.main_path import MOST_STEPS
from perf_ladders.tree.notes import section
from perf_ladders.tree.paths import STAGES, shown
from perf_ladders.tree.pictures import read_pictures

_NUMBER = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|several|many|a few)"
_PART = r"(?:third|quarter|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|fifteenth|twentieth)s?"
_OF_CODE = r"(?: of)? (?:the|a|an|each|every|its|their) (?:\d+ )?(?:width|register|vector|lane|block|round)s?"
QUANTITIES = (  # what is measured, not counted in the code: 64 bytes, four lanes and half a register may be typed
    r"\d[\d.,]* ?x(?!\w)",
    rf"{_NUMBER} ?(?:%|per cent)",
    r"per cent",
    rf"{_NUMBER} (?:times|cycles?)",
    r"\d[\d.,]* ?(?:ns|us|ms|[KMG]i?B/s)",
    r"twice|thrice|doubl(?:e|ed|es|ing)|halved?|halving|threefold|tenfold",
    rf"half(?!{_OF_CODE})",
    rf"(?:a|one|two|three|four|five|nine) {_PART}",
    r"factor of \w+",
)
_QUANTITY = re.compile(rf"(?<![\w.-])(?:{'|'.join(QUANTITIES)})(?![\w-])", re.IGNORECASE)
_NO_PROSE = re.compile(r"^```.*?^```$|`[^`\n]*`|\{\{.*?\}\}|\{%.*?%\}|<!--.*?-->", re.DOTALL | re.MULTILINE)


def typed(text: str) -> list[str]:
    """The quantities that are typed under Result."""
    prose = " ".join(_NO_PROSE.sub(" ", section(text, "Result")).split())
    return _QUANTITY.findall(prose)


def offending() -> dict[Stage, list[str]]:
    """Stages of the tree whose notes have typed quantities, with these."""
    every = [stage for name in case_names() for stage in read_case(name).stages if not stage.is_own]
    return {stage: found for stage in every if (found := typed(stage.notes.text))}


def of_placeholders(case: Case, workloads: Sequence[str] | None) -> Iterator[str]:
    """A sentence for each stage with a wrong one; workloads are judged if they are given."""
    for stage in case.stages:
        try:
            figures.check(stage, case, workloads)
        except UserError as error:
            yield str(error)


def of_path(case: Case) -> Iterator[str]:
    """Each side branch says what it taught, no stage of the main path does, and the path is short or says why not."""
    for stage in case.stages:
        notes = shown(stage.directory / "notes.md")
        if stage in case.main_path:
            if stage.notes.taught:
                yield f"{notes} has the field `taught`, but this stage is on the main path to {case.closing.name}."
        elif not stage.is_own and not stage.notes.taught:
            yield f'{notes} is of a side branch: say in one sentence what it taught, taught = "...".'
    steps = len(case.main_path) - 1
    if steps > MOST_STEPS and not case.long_path:
        yield (
            f"{shown(STAGES / case.name / 'case.toml')}: the main path has {steps} steps, and {MOST_STEPS} are enough: "
            'make some of them side branches, or say why not, long_path = "One sentence.".'
        )


def of_pictures(case: Case) -> Iterator[str]:
    """What a picture's source says that is not understood, the first of each stage."""
    for stage in case.stages:
        try:
            read_pictures(stage.directory)
        except UserError as error:
            yield str(error)


def misfits() -> Iterator[str]:
    """A sentence for each."""
    for case in map(read_case, case_names()):
        yield from of_pictures(case)
        yield from of_placeholders(case, None)
        yield from of_path(case)
    for stage, quantities in offending().items():
        words = ", ".join(f"'{one}'" for one in quantities)
        yield f"{shown(stage.directory / 'notes.md')} types {words} under Result: use a placeholder."
