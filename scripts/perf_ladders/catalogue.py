"""What there is: cases, stages and their notes from the tree, programs from what CMake wrote into the build folder."""

from __future__ import annotations

import contextlib
import difflib
import json
import re
import tomllib
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from perf_ladders.complaint import Complaint
from perf_ladders.schema import wrong

ROOT = Path(__file__).resolve().parents[2]
STAGES = ROOT / "stages"
OWN_STAGES = "90"  # numbers from here up are a reader's own
LOCAL_REPORTS = ROOT / "reports" / "local"
REFERENCE_REPORTS = ROOT / "reports" / "reference"
_MOST = 1e6  # times as fast, which nobody predicts
SELF_CHECK = "self-check"  # the name of its files there
SCHEMA = Path(__file__).with_name("case.schema.json")


@dataclass(frozen=True)
class Notes:
    """A stage's notes.md: TOML between lines of +++, then Markdown."""

    title: str
    base: str | None  # the number of the stage it builds on, where that is not the one before
    predicts: dict[str, tuple[float, float]]  # by level: the speed-up over the base, from and to
    source: str | None  # what the source document reports
    text: str
    beyond: str | None = None  # why the limit of the vector units is not its own


def read_notes(path: Path, number: str) -> Notes:
    try:
        return parse_notes(path.read_text(encoding="utf-8"), shown(path), number)
    except UnicodeDecodeError:
        raise Complaint(f"{shown(path)} is no UTF-8 text.") from None
    except FileNotFoundError:
        raise Complaint(f"{shown(path)} is missing; docs/adding-a-case.md shows what stands in it.") from None


def parse_notes(text: str, path: str, number: str) -> Notes:
    """`path` is for complaints."""
    parts = text.split("+++\n", 2)
    if len(parts) != 3 or parts[0]:
        raise Complaint(f"{path} must begin with fields between two lines of +++ (docs/adding-a-case.md).")
    try:
        fields = tomllib.loads(parts[1])
    except tomllib.TOMLDecodeError as error:
        raise Complaint(f"{path}: its fields are no TOML: {error}.") from None
    unknown = fields.keys() - {"title", "from", "predicts", "source", "beyond"}
    if unknown:
        there = "title, from, predicts, source and beyond"
        raise Complaint(f"{path} has a field '{min(unknown)}'; there are {there}.")
    if not isinstance(fields.get("title"), str):
        raise Complaint(f'{path} lacks the field `title = "..."`.')
    for name in ("source", "beyond"):
        if not isinstance(fields.get(name, ""), str):
            raise Complaint(f'{path}: `{name}` is text, such as {name} = "...".')
    base = fields.get("from")
    if base is not None and not (isinstance(base, str) and re.fullmatch(r"\d\d", base) and base < number):
        raise Complaint(f'{path}: `from` names an earlier stage by its two digits, such as from = "02".')
    predicts = fields.get("predicts", {})
    if "00" < number < OWN_STAGES and not predicts:
        raise Complaint(f"{path} lacks the table [predicts]: for each level the speed-up, from and to.")
    if not isinstance(predicts, dict):
        raise Complaint(f"{path}: [predicts] is a table of levels and ranges.")
    for level, span in predicts.items():
        if level not in known_levels():
            raise Complaint(f"{path}: there is no level '{level}'; there are: {', '.join(known_levels())}.")
        numbers = isinstance(span, list) and len(span) == 2 and all(type(end) in (int, float) for end in span)
        if not numbers or not 0 < span[0] <= span[1] <= _MOST:
            raise Complaint(f"{path}: `{level}` in [predicts] must be a range such as [1.5, 2.0], the lower end first.")
        if span[0] == span[1]:
            raise Complaint(f"{path}: `{level}` in [predicts] is a point, which no interval can lie in: widen it.")
    return Notes(
        title=fields["title"],
        base=base,
        predicts={level: (float(low), float(high)) for level, (low, high) in predicts.items()},
        source=fields.get("source"),
        text=parts[2].strip() + "\n",
        beyond=fields.get("beyond"),
    )


def headline_of(source: str) -> list[str]:
    """The lines of the comment that a stage begins with: one, or as many as its sentence takes."""
    lines: list[str] = []
    for line in source.splitlines():
        if not line.startswith("//") or (lines and re.match(r"// [a-z]+:", line)):
            break
        lines.append(line)
        if line.endswith("."):
            break
    return lines


@dataclass(frozen=True)
class Stage:
    case: str
    number: str  # two digits
    directory: Path

    @property
    def name(self) -> str:
        return f"{self.case}-{self.number}"

    @property
    def source(self) -> Path:
        return self.directory / "stage.cpp"

    @property
    def files(self) -> list[Path]:
        """What its machine code is made from, but for what it shares with others."""
        return sources(self.directory)

    @cached_property
    def notes(self) -> Notes:
        return read_notes(self.directory / "notes.md", self.number)

    @cached_property
    def headline(self) -> str:
        lines = headline_of(self.source.read_text(encoding="utf-8"))
        said = re.sub(r"\A\d\d(\s+|\Z)", "", " ".join(line.removeprefix("//").strip() for line in lines))
        if not said:
            raise Complaint(f"{shown(self.source)} must begin with its headline: // {self.number} One idea, one line.")
        return said


@dataclass(frozen=True)
class Claim:
    """What the source document reports of a step."""

    text: str
    stage: str
    base: str
    ratio: list[float]  # the speed-up, from and to
    workload: str | None = None  # None: the first


@dataclass(frozen=True)
class Command:
    """A command line of a program in apps/, measured around each stage."""

    app: str
    title: str
    arguments: list[str]
    measure: str  # time; or rate, then it prints JSON with trials, in this unit; or sizes, then JSON with these
    unit: str = "s"
    levels: list[str] | None = None  # None: the highest that runs
    rounds: int | None = None
    profile: bool = False
    profile_arguments: list[str] | None = None  # where callgrind needs a smaller work
    workload: str | None = None  # that calls the kernel as the program does; None: the first
    stages: list[str] | None = None  # the numbers of those that take part; None: all, and the libraries


@dataclass(frozen=True)
class Lesson:
    """What a case teaches of statistics: its programs timed in the document's way, beside what blocks say of them."""

    title: str
    warm_up: int  # calls in a row that the document does not count
    rounds: int  # and those after them, of which it takes the mean
    pair: list[str]  # the two stages that it sets against each other
    identical: str  # the stage that is timed against itself


@dataclass(frozen=True)
class Case:
    name: str
    title: str
    summary: str
    source: str
    symbols: list[str]
    operations: dict[str, Any]  # on lanes of lane_bits each, for one byte; at a level that needs fewer, by its name
    claims: list[Claim]
    standards: dict[str, str] = field(default_factory=dict)  # what a library of another standard does instead
    lacks: dict[str, str] = field(default_factory=dict)  # what a library cannot do and is not checked for
    apps: dict[str, str] = field(default_factory=dict)  # what its programs are, in a sentence each
    commands: list[Command] = field(default_factory=list)
    jobs: dict[str, int] = field(default_factory=dict)  # how many buffers a call processes, where these are many
    breakdown: list[dict[str, Any]] = field(default_factory=list)  # what a buffer costs, part by part
    lesson: Lesson | None = None

    @cached_property
    def stages(self) -> list[Stage]:
        found = sorted((STAGES / self.name).glob("[0-9][0-9]-*/stage.cpp"))
        return [Stage(self.name, source.parent.name[:2], source.parent) for source in found]

    @property
    def shared_files(self) -> list[Path]:
        """What all of its programs are made from, and timed with."""
        names = ("cmake/Levels.cmake", "bytes.hpp", "guard.c", "machine.cpp", "main.cpp", "workload.hpp")
        folder = STAGES / self.name
        headers = sorted(folder.glob("*.hpp"))
        tests = ROOT / "tests" / self.name
        timed = [*sorted(tests.glob("in_order.*")), tests / "workloads.cpp"]
        fixed = [ROOT / "common" / name for name in names]
        more = {path for source in (*headers, *timed) for path in _common_headers(source)}
        return [ROOT / "CMakeLists.txt", *fixed, *sorted(more - {*fixed}), folder / "case.toml", *headers, *timed]

    @property
    def part_files(self) -> list[Path]:
        """What some of its programs are made from: other constants and borders, and the programs around stages."""
        folder = STAGES / self.name
        headers = [path for kind in ("standards", "variants") for path in folder.glob(f"{kind}/*/{self.name}/*.hpp")]
        return sorted([*headers, *(path for app in folder.glob("apps/*") for path in sources(app))])

    def stage(self, number: str) -> Stage:
        for stage in self.stages:
            if stage.number == number:
                return stage
        numbers = ", ".join(stage.number for stage in self.stages)
        raise Complaint(f"There is no stage {self.name}-{number}; {self.name} has the stages {numbers}.")

    def base(self, stage: Stage) -> Stage | None:
        """The stage that it builds on; None for the reference."""
        if stage.notes.base is not None:
            if stage.notes.base not in (other.number for other in self.stages):
                notes = shown(stage.directory / "notes.md")
                raise Complaint(f'{notes}: from = "{stage.notes.base}", but {self.name} has no such stage.')
            return self.stage(stage.notes.base)
        before = [other for other in self.stages if other.number < stage.number]
        return before[-1] if before else None

    def diff(self, stage: Stage) -> str:
        """The change from the stage it builds on; empty for the reference."""
        base = self.base(stage)
        if base is None:
            return ""
        before, after = (s.source.read_text(encoding="utf-8").splitlines() for s in (base, stage))
        old, new = (f"{s.case}/{s.directory.name}/stage.cpp" for s in (base, stage))
        return "\n".join(difflib.unified_diff(before, after, old, new, lineterm=""))


@cache
def known_levels() -> list[str]:
    text = (ROOT / "common/cmake/Levels.cmake").read_text(encoding="utf-8")
    return re.findall(r"^set\(flags_of_(\S+) ", text, re.MULTILINE)


def case_names() -> list[str]:
    """In the order in which they are shown, which case.toml may say; the first is that of commands without a case."""
    return [path.parent.name for path in sorted(STAGES.glob("*/case.toml"), key=lambda path: (_order(path), path))]


def _order(path: Path) -> float:
    with contextlib.suppress(tomllib.TOMLDecodeError, UnicodeDecodeError):  # of which read_case complains
        order = tomllib.loads(path.read_text(encoding="utf-8")).get("order", 1)
        return order if isinstance(order, int | float) else 1
    return 1


def read_case(name: str) -> Case:
    path = STAGES / name / "case.toml"
    if path.parent.is_dir() and not path.is_file():
        raise Complaint(f"{shown(path)} is missing; docs/adding-a-case.md shows what stands in it.")
    if not path.is_file():
        raise Complaint(f"There is no case '{name}'; there are: {', '.join(case_names())}.")
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Complaint(f"{shown(path)} is no TOML: {error}.") from None
    if why := wrong(fields, SCHEMA):
        raise Complaint(f"{shown(path)}: {why} (docs/adding-a-case.md).")
    return Case(
        name,
        fields["title"],
        fields["summary"],
        fields["source"],
        fields["symbols"],
        fields.get("operations", {}),
        [_claim(path, name, claim) for claim in fields.get("claims", []) if claim["stage"] <= _newest(name)],
        fields.get("standards", {}),
        fields.get("lacks", {}),
        fields.get("apps", {}),
        [_command(path, command) for command in fields.get("programs", [])],
        fields.get("jobs", {}),
        fields.get("breakdown", []),
        _lesson(name, fields["lesson"]) if "lesson" in fields else None,
    )


def _command(path: Path, fields: dict[str, Any]) -> Command:
    wrong = f"{shown(path)}: an entry of [[programs]]"
    unknown = fields.keys() - Command.__dataclass_fields__.keys()
    if unknown:
        raise Complaint(f"{wrong} has a field '{min(unknown)}'; there are {', '.join(Command.__dataclass_fields__)}.")
    lacking = [name for name in ("app", "title", "arguments", "measure") if name not in fields]
    if lacking:
        raise Complaint(f"{wrong} lacks the field `{lacking[0]}`.")
    folder = fields["app"].removesuffix("-32")  # of the same source: `// also: x86-32`
    if not (path.parent / "apps" / folder / "main.cpp").is_file():
        raise Complaint(f"{wrong} names the app '{fields['app']}', but there is no apps/{folder}/main.cpp.")
    if fields["measure"] not in ("time", "rate", "sizes") or (fields["measure"] == "rate") != ("unit" in fields):
        raise Complaint(f'{wrong} says measure = "time", "sizes", or measure = "rate" and its unit.')
    for level in fields.get("levels", []):
        if level not in known_levels():
            raise Complaint(f"{wrong}: there is no level '{level}'; there are: {', '.join(known_levels())}.")
    for number in fields.get("stages", []):
        if not re.fullmatch(r"\d\d", number):
            raise Complaint(f'{wrong}: `stages` names stages by their two digits, such as stages = ["00", "12"].')
    return Command(**fields)


def _lesson(case: str, fields: dict[str, Any]) -> Lesson | None:
    """None in the trees of tags that end before one of its stages."""
    if max(*fields["pair"], fields["identical"]) > _newest(case):
        return None
    stages = {"pair": [f"{case}-{number}" for number in fields["pair"]], "identical": f"{case}-{fields['identical']}"}
    return Lesson(**{**fields, **stages})


def _newest(case: str) -> str:
    """The number of its last stage but for a reader's own: the trees of tags end before some that are claimed of."""
    numbers = [path.parent.name[:2] for path in (STAGES / case).glob("[0-9][0-9]-*/stage.cpp")]
    return max((number for number in numbers if number < OWN_STAGES), default="")


def _claim(path: Path, case: str, fields: dict[str, Any]) -> Claim:
    for key in ("stage", "base"):
        if not list(path.parent.glob(f"{fields[key]}-*/stage.cpp")):
            raise Complaint(
                f"{shown(path)}: the claim '{fields['text']}' is of a stage {fields[key]}, which is not there."
            )
    low, high = fields["ratio"]
    stage, base = (f"{case}-{fields[key]}" for key in ("stage", "base"))
    return Claim(fields["text"], stage, base, [float(low), float(high)], fields.get("workload"))


def _common_headers(source: Path) -> list[Path]:
    """Those of common/ that it includes."""
    if not source.is_file():
        return []
    return [ROOT / name for name in re.findall(r'^#include "(common/[^"]+)"', source.read_text("utf-8"), re.MULTILINE)]


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in (".cpp", ".hpp", ".h"))


def find_stage(word: str, default_case: str) -> tuple[Case, Stage]:
    """From '4', '04' or 'xtea-04'."""
    match = re.fullmatch(r"(?:(.+)-)?(\d{1,2})", word)
    if not match:
        raise Complaint(f"'{word}' is no stage: write its number (4) or its name ({default_case}-04).")
    case = read_case(match[1] or default_case)
    return case, case.stage(f"{int(match[2]):02}")


@dataclass(frozen=True)
class Program:
    case: str
    kind: str  # stage, peer, variant (a stage compiled in another way), self-check or exercise
    name: str  # xtea-06, xtea-botan
    level: str
    compiler: str
    threads: bool  # runs on all cores, so it is not pinned to one
    path: Path
    object: Path
    archives: list[Path]  # that it is linked with
    source: Path
    standard: str = ""  # of standards/, where it does not keep to that of the case
    lacks: list[str] = field(default_factory=list)  # what the library cannot do, in the words of case.toml
    apps: dict[str, Path] = field(default_factory=dict)  # command-line programs around it
    device: str = ""  # that does its work, such as OpenCL: then its own instructions say little
    cannot: str = ""  # run here, and so was not built: what this CPU lacks

    @property
    def id(self) -> str:
        return f"{self.name}.{self.level}.{self.compiler}"

    @property
    def number(self) -> str | None:
        """Of the stage that it is or is a variant of."""
        return self.name.removeprefix(f"{self.case}-")[:2] if self.kind in ("stage", "variant") else None

    @property
    def variant(self) -> str | None:
        """O2, pgo, or a folder of variants/."""
        return self.name.removeprefix(f"{self.case}-{self.number}-") if self.kind == "variant" else None


@dataclass(frozen=True)
class Build:
    preset: str
    compiler: dict[str, str]
    build_type: str
    benchmark_version: str
    flags: dict[str, str]  # by level
    machine: dict[str, Path]  # the machine program, by level
    steps: Path | None  # the program that counts by single-stepping
    programs: list[Program]
    left_out: list[dict[str, str]]
    self_check: list[Program] = field(default_factory=list)
    exercises: list[Program] = field(default_factory=list)  # what a learner writes (exercise.py)


def read_build(preset: str) -> Build:
    path = ROOT / "build" / preset / "programs.json"
    try:
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Complaint(f"{shown(path)} is missing: `make build PRESET={preset}` makes it.") from None
    except json.JSONDecodeError:
        raise Complaint(f"{shown(path)} is damaged: `make build PRESET={preset}` makes it anew.") from None
    return Build(
        preset=preset,
        compiler=raw["compiler"],
        build_type=raw["build_type"],
        benchmark_version=raw["benchmark_version"],
        flags=raw["flags"],
        machine={level: Path(program) for level, program in raw["machine"].items()},
        steps=Path(raw["steps"]) if raw["steps"] else None,
        programs=_programs(raw, "programs"),
        left_out=raw["left_out"],
        self_check=_programs(raw, "self_check"),
        exercises=_programs(raw, "exercises"),
    )


def _programs(raw: dict[str, Any], key: str) -> list[Program]:
    return [
        Program(
            case=entry["case"],
            kind=entry["kind"],
            name=entry["name"],
            level=entry["level"],
            compiler=raw["compiler"]["name"],
            threads=entry["threads"] == "all",
            path=Path(entry["program"]),
            object=Path(entry["object"]),
            archives=[Path(archive) for archive in entry["archives"]],
            source=Path(entry["source"]),
            standard=entry["standard"],
            lacks=entry["lacks"].split(),
            apps={name: Path(app) for name, app in entry["apps"].items()},
            device=entry["device"],
            cannot=entry["cannot"],
        )
        for entry in raw[key]
    ]


def shown(path: Path) -> str:
    """The path as a reader of the repository knows it."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
