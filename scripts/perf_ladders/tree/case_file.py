"""What case.toml says of a case, checked field by field."""

from __future__ import annotations

import difflib
import tomllib
import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree.claim import Claim
from perf_ladders.tree.levels import known_levels
from perf_ladders.tree.paths import shown

T = TypeVar("T")
INPUT = "{input}"  # in the arguments of a program
IN_FILE = "in file"  # of a field's metadata: its name there, which is a keyword of Python
_COUNTED = ("shift", "xor", "add")
Operations = dict[str, float | dict[str, float]]  # of one byte, by kind; at a level that needs fewer, by its name


@dataclass(frozen=True)
class Command:
    """A command line of a program in apps/, measured around each stage."""

    app: str
    title: str
    arguments: list[str]
    measure: Literal["time", "rate", "sizes", "counts"]  # but for a time it prints JSON with trials, sizes or counts
    unit: str = "s"
    levels: list[str] | None = None  # None: the highest that runs
    rounds: int | None = None
    profile: bool = False
    profile_arguments: list[str] | None = None  # where callgrind needs a smaller work
    workload: str | None = None  # that calls the kernel as the program does; None: the first
    stages: list[str] | None = None  # the slugs of those that take part; None: all, and the libraries
    libraries: bool = False  # take part beside `stages`, too
    input: list[str] = field(default_factory=list)  # folders whose files it reads, where its arguments say INPUT


@dataclass(frozen=True)
class Lesson:
    """What a case teaches of statistics: its programs timed in the document's way, beside what rounds say of them."""

    title: str
    warm_up: int  # calls in a row that the document does not count
    rounds: int  # and those after them, of which it takes the mean
    pair: list[str]  # the two stages that it sets against each other
    identical: str  # the stage that is timed against itself


@dataclass(frozen=True)
class Model:
    """What a stage should cost, by latency or throughput of instructions: docs/machine-model.md works it out."""

    stage: str  # its slug
    level: str
    bound: Literal["latency", "throughput"]  # of one chain, or of many independent instructions
    text: str  # where the counts come from
    bytes: int  # for which they are
    instructions: dict[str, int]  # by the names that `ladders machine` prints
    workload: str | None = None  # None: the first


@dataclass(frozen=True)
class BreakdownPart:
    name: str
    of: str  # the workload whose time it is,
    without: str | None = None  # less the time of this one


@dataclass(frozen=True)
class Breakdown:
    """What a buffer costs, part by part."""

    title: str
    parts: list[BreakdownPart]


@dataclass(frozen=True)
class CaseFile:
    title: str
    summary: str
    workloads: str = ""  # what their names mean
    source: str = ""  # where the algorithm comes from, of a case without a document
    document: str = ""  # of stages/documents.toml: whose claims it judges
    order: float = 1  # in which cases are shown
    links: int = 1  # of each program: every process draws one, where addresses change times by more than 1 %
    # On lanes of lane_bits each, for one byte; at a level that needs fewer, by its name.
    operations: Operations = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    standards: dict[str, str] = field(default_factory=dict)  # what a library of another standard does instead
    lacks: dict[str, str] = field(default_factory=dict)  # what a library cannot do and is not checked for
    apps: dict[str, str] = field(default_factory=dict)  # what its programs are, in a sentence each
    programs: list[Command] = field(default_factory=list)
    exercise: list[str] = field(default_factory=list)  # workloads that enter what the first one does not: timed, too
    jobs: dict[str, int] = field(default_factory=dict)  # how many buffers a call processes, where these are many
    breakdown: list[Breakdown] = field(default_factory=list)
    lesson: Lesson | None = None
    model: Model | None = None
    long_path: str = ""  # why the main path has more steps than others may have


class WrongError(Exception):
    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place.removeprefix('.')}: {why}" if place else why)


def read_case_file(path: Path) -> CaseFile:
    return parsed(foreign.read_text(path), CaseFile, shown(path), _check)


def parsed(
    text: str,
    kind: type[T],
    place: str,
    check: Callable[[T], None] = lambda _: None,
    told_in: str = " (docs/adding-a-case.md)",
) -> T:
    """TOML as a value of this type. `check` raises WrongError for what the type does not say; `place` and `told_in`
    begin and end complaints."""
    try:
        found: T = _decoded(foreign.toml(text), kind, "")
        check(found)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{place} is no TOML: {error}.") from None
    except WrongError as wrong:
        raise UserError(f"{place}: {wrong}{told_in}.") from None
    return found


def _check(found: CaseFile) -> None:
    """What types do not say."""
    if found.jobs and (found.jobs.keys() != {"buffers"} or found.jobs["buffers"] < 1):
        raise WrongError("jobs", "it has one field, `buffers`, which is 1 or more")
    if found.links < 1:
        raise WrongError("links", "it is 1 or more")
    if bool(found.source) == bool(found.document):
        raise WrongError("source", "a case has either a `source` or a `document` of stages/documents.toml")
    titles = [command.title for command in found.programs if command.measure in ("time", "rate")]
    for place, claim in enumerate(found.claims):
        where = f"claims[{place}]"
        if wrong := claim.wrong():
            raise WrongError(f"{where}.{wrong[0]}", wrong[1])
        if claim.program and claim.program not in titles:
            raise WrongError(f"{where}.program", f"there is no such program; there are: {', '.join(titles)}")
        if not (claim.document or found.document):
            raise WrongError(where, "a claim needs the `document` of the case")
        _check_levels(where, [claim.level] if claim.level else [])
    for place, command in enumerate(found.programs):
        where = f"programs[{place}]"
        if (command.measure == "rate") != (command.unit != "s"):
            raise WrongError(where, 'measure = "rate" has a unit, such as unit = "H/s", and nothing else has one')
        if bool(command.input) != (INPUT in command.arguments):
            raise WrongError(f"{where}.input", f'it names folders, and the word "{INPUT}" of `arguments` their files')
        if command.rounds is not None and not 1 <= command.rounds <= 9_999:
            raise WrongError(f"{where}.rounds", "it is from 1 to 9,999")
        if command.libraries and command.stages is None:
            raise WrongError(f"{where}.libraries", "without `stages` they take part as it is")
        _check_levels(where, command.levels or [])
    for place, breakdown in enumerate(found.breakdown):
        for number, part in enumerate(breakdown.parts):
            for name, said in (("of", part.of), ("without", part.without)):
                if said is not None and len(said.split()) not in (1, 2):
                    where = f"breakdown[{place}].parts[{number}].{name}"
                    raise WrongError(where, "it names a workload, and may name a variant behind a space")
    if found.model:
        _check_levels("model.level", [found.model.level])
        if min(found.model.bytes, *found.model.instructions.values(), 1) < 1 or not found.model.instructions:
            raise WrongError("model", "`bytes` and each count of instructions are 1 or more")
    if found.lesson:
        if len(found.lesson.pair) != 2:
            raise WrongError("lesson.pair", "it names two stages")
        if found.lesson.warm_up < 0 or found.lesson.rounds < 1:
            raise WrongError("lesson", "rounds is 1 or more, and warm_up is 0 or more")


def _check_levels(place: str, names: list[str]) -> None:
    for name in names:
        if name not in known_levels():
            raise WrongError(place, f"there is no level '{name}'; there are: {', '.join(known_levels())}")


def _operations(found: object) -> Operations:
    tables = {"operations": _table(found, "operations")}
    lane_bits = tables["operations"].pop("lane_bits", None)
    if lane_bits not in (8, 16, 32, 64):
        raise WrongError("operations.lane_bits", "it is 8, 16, 32 or 64, and must be there")
    for level in known_levels():
        if level in tables["operations"]:
            tables[f"operations.{level}"] = _table(tables["operations"].pop(level), f"operations.{level}")
    counts = {place.removeprefix("operations."): _counts(table, place) for place, table in tables.items()}
    return {"lane_bits": lane_bits, **counts.pop("operations"), **counts}


def _table(found: object, place: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise WrongError(place, "it is a table")
    return {**found}


def _counts(table: dict[str, Any], place: str) -> dict[str, float]:
    for key, value in table.items():
        if key not in _COUNTED:
            raise _unknown(place, key, [*_COUNTED, *known_levels()])
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            raise WrongError(f"{place}.{key}", "it is a positive number")
    return table


def _decoded(found: object, kind: Any, place: str) -> Any:
    """`found`, which TOML gave, if it is of this type."""
    if kind == Operations:
        return _operations(found)
    if isinstance(kind, types.UnionType):
        return _decoded(found, get_args(kind)[0], place)  # ... | None: TOML has no null
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list and isinstance(found, list):
        return [_decoded(one, inner[0], f"{place}[{number}]") for number, one in enumerate(found)]
    if origin is dict and isinstance(found, dict):
        return {key: _decoded(value, inner[1], f"{place}.{key}") for key, value in found.items()}
    if origin is Literal:
        if found not in inner:
            raise WrongError(place, f"it is one of {', '.join(inner)}")
        return found
    if hasattr(kind, "__dataclass_fields__") and isinstance(found, dict):
        return kind(**_fields(found, kind, place))
    if kind is Any or type(found) is kind or (kind is float and type(found) is int):
        return found
    names = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}
    raise WrongError(place, f"it must be {names.get(origin or kind, 'a table')}")


def _fields(found: dict[str, object], kind: Any, place: str) -> dict[str, object]:
    hints = get_type_hints(kind, include_extras=True)
    by_name = {one.metadata.get(IN_FILE, one.name): one for one in fields(kind)}
    if unknown := found.keys() - by_name.keys():
        raise _unknown(place, min(unknown), list(by_name))
    for name, one in by_name.items():
        if name not in found and one.default is MISSING and one.default_factory is MISSING:
            raise WrongError(place, f"the field `{name}` is missing")
    return {
        by_name[name].name: _decoded(value, hints[by_name[name].name], f"{place}.{name}")
        for name, value in found.items()
    }


def _unknown(place: str, name: str, known: list[str]) -> WrongError:
    close = difflib.get_close_matches(name, known, 1)
    there = f"did you mean `{close[0]}`?" if close else f"there are {', '.join(known)}"
    return WrongError(place, f"there is no field `{name}`; {there}")
