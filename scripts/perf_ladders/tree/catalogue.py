"""What there is: cases, their stages and what is said of them."""

from __future__ import annotations

import contextlib
import difflib
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.tree.case_file import Breakdown, CaseFile, Command, Lesson, Model, Operations, read_case_file
from perf_ladders.tree.claim import Claim
from perf_ladders.tree.contract import declared, file_names
from perf_ladders.tree.documents import document
from perf_ladders.tree.flatten import reader, stage_text
from perf_ladders.tree.headers import Header, headline_of, read_header
from perf_ladders.tree.levels import families
from perf_ladders.tree.main_path import chain, may_close
from perf_ladders.tree.notes import Notes, folders_beside, read_notes
from perf_ladders.tree.paths import OWN_STAGES, ROOT, STAGES, shown


@dataclass(frozen=True)
class Stage:
    case: str
    number: str  # two digits
    directory: Path

    @property
    def name(self) -> str:
        return f"{self.case}-{self.number}"

    @cached_property
    def slug(self) -> str:
        """Its name in measurements, whatever its number becomes: interchange."""
        return self.directory.name[3:]

    @property
    def is_own(self) -> bool:
        """A reader's own, which no committed measurement holds."""
        return self.number >= OWN_STAGES

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
    def header(self) -> Header:
        return read_header(self.source)

    @cached_property
    def headline(self) -> str:
        lines = headline_of(foreign.read_text(self.source))
        said = " ".join(line.removeprefix("//").strip() for line in lines)
        if not said:
            raise UserError(f"{shown(self.source)} must begin with its headline: // One idea, one line.")
        return said


@dataclass(frozen=True)
class Case:
    """case.toml, with what the tree has; its fields are told of in case_file.py."""

    name: str
    title: str
    summary: str
    source: str
    operations: Operations
    claims: list[Claim]
    workloads: str = ""
    standards: dict[str, str] = field(default_factory=dict)
    lacks: dict[str, str] = field(default_factory=dict)
    apps: dict[str, str] = field(default_factory=dict)
    commands: list[Command] = field(default_factory=list)
    jobs: dict[str, int] = field(default_factory=dict)
    breakdown: list[Breakdown] = field(default_factory=list)
    lesson: Lesson | None = None
    links: int = 1
    model: Model | None = None
    long_path: str = ""
    exercise: list[str] = field(default_factory=list)

    @property
    def directory(self) -> Path:
        return STAGES / self.name

    @property
    def contract(self) -> Path:
        """The header that every stage implements."""
        found = [self.directory / name for name in file_names(self.name)]
        return next((path for path in found if path.exists()), found[-1])

    @cached_property
    def symbols(self) -> list[str]:
        """The functions of the contract, by their qualified names: every stage defines them, and nothing else."""
        return declared(foreign.read_text(self.contract))

    @cached_property
    def stages(self) -> list[Stage]:
        found = sorted((STAGES / self.name).glob("[0-9][0-9]-*/stage.cpp"))
        return [Stage(self.name, source.parent.name[:2], source.parent) for source in found]

    def stage(self, number: str) -> Stage:
        found = [stage for stage in self.stages if stage.number == number]
        if len(found) > 1:
            names = " or ".join(stage.directory.name for stage in found)
            raise UserError(f"{self.name} has two stages {number}: give {names} another number.")
        if found:
            return found[0]
        numbers = ", ".join(stage.number for stage in self.stages)
        raise UserError(f"There is no stage {self.name}-{number}; {self.name} has the stages {numbers}.")

    def base(self, stage: Stage) -> Stage | None:
        """The stage that it builds on; None for the reference."""
        before = [other for other in self.stages if other.number < stage.number]
        if stage.notes.base is not None:
            return next(other for other in before if other.slug == stage.notes.base)
        return before[-1] if before else None

    def text(self, stage: Stage) -> str:
        """Its source with the headers of the case in it."""
        if stage not in self._texts:
            root = STAGES.parent
            self._texts[stage] = stage_text(str(stage.source.relative_to(root)), reader(root))
        return self._texts[stage]

    @cached_property
    def _texts(self) -> dict[Stage, str]:
        """Those that were asked for."""
        return {}

    @cached_property
    def closing(self) -> Stage:
        found = [stage for stage in self.stages if may_close(stage)]
        if not found:
            raise UserError(
                f"{shown(self.directory)} has no stage that closes it: write 00-reference (docs/adding-a-case.md)."
            )
        return found[-1]

    def closing_of(self, there: Sequence[Stage]) -> Stage | None:
        """Where a ladder ends that has these stages, in their order: at the closing stage or, where that does not run,
        at the last of them."""
        found = [stage for stage in there if not stage.is_own]
        return self.closing if self.closing in found else found[-1] if found else None

    @cached_property
    def ends(self) -> list[Stage]:
        """Where the ladder of each level ends, of all processor families."""
        found: dict[Stage, None] = {}
        for every in families():
            for level in every:
                there = [one for one in self.stages if level.name in (one.header.levels(every, every) or ())]
                if end := self.closing_of([one for one in there if not one.header.device]):
                    found[end] = None
        return [*found]

    @cached_property
    def main_path(self) -> list[Stage]:
        return self.path_to(self.closing)

    def path_to(self, stage: Stage) -> list[Stage]:
        return chain(stage, self.base)

    def branches(self, stage: Stage) -> list[Stage]:
        """What leaves the main path at this stage: the side branches, also those that build on another of them, and
        stages of the reader's own."""
        return self._beside.get(stage, [])

    @cached_property
    def _beside(self) -> dict[Stage, list[Stage]]:
        """What leaves the main path, by the stage where it does."""
        found: dict[Stage, list[Stage]] = {}
        for stage in self.stages:
            if stage not in self.main_path:
                found.setdefault(self.leaves(stage), []).append(stage)
        return found

    def leaves(self, stage: Stage) -> Stage:
        """The last stage of the main path that leads to this one."""
        return [before for before in self.path_to(stage) if before in self.main_path][-1]

    def diff(self, stage: Stage) -> str:
        """The change from the stage it builds on; empty for the reference."""
        base = self.base(stage)
        if base is None:
            return ""
        before, after = (self.text(one).splitlines() for one in (base, stage))
        old, new = (f"{s.case}/{s.directory.name}/stage.cpp" for s in (base, stage))
        return "\n".join(difflib.unified_diff(before, after, old, new, lineterm=""))


def case_names() -> list[str]:
    """In the order in which they are shown, which case.toml may say; the first is that of commands without a case."""
    return [path.parent.name for path in sorted(STAGES.glob("*/case.toml"), key=lambda path: (order_of(path), path))]


def cases_named(word: str | None) -> list[str]:
    """Those that a command line means: without a word the first, with `all` every one."""
    return case_names() if word == "all" else [word or case_names()[0]]


def order_of(path: Path) -> float:
    with contextlib.suppress(tomllib.TOMLDecodeError, UserError):  # of which read_case complains
        return _order_said(foreign.read_text(path))
    return 1


@cache
def _order_said(text: str) -> float:
    order = foreign.toml(text).get("order", 1)
    return order if isinstance(order, int | float) else 1


def expect_case_file(name: str) -> None:
    """Of a folder that has what a case has; stages/java is none."""
    path = STAGES / name / "case.toml"
    begun = [*path.parent.glob("workloads.cpp"), *path.parent.glob("[0-9][0-9]-*/stage.cpp")]
    if name and begun and not path.is_file():
        raise UserError(f"{shown(path)} is missing; docs/adding-a-case.md shows what it holds.")


def read_case(name: str) -> Case:
    expect_case_file(name)
    path = STAGES / name / "case.toml"
    if not path.is_file():
        raise UserError(f"There is no case '{name}'; there are: {', '.join(case_names())}.")
    said = read_case_file(path)
    for command in said.programs:
        app = command.app.removesuffix("-32")  # of the same source: `// also: x86-32`
        if not (path.parent / "apps" / app / "main.cpp").is_file():
            names = f"{shown(path)}: an entry of [[programs]] names the app '{command.app}'"
            raise UserError(f"{names}, but there is no apps/{app}/main.cpp.")
        for folder in command.input:
            if not (ROOT / folder).is_dir():
                raise UserError(
                    f"{shown(path)}: the input of '{command.title}' is of a folder '{folder}': none is there."
                )
    return Case(
        name=name,
        title=said.title,
        summary=said.summary,
        workloads=said.workloads,
        source=str(document(said.document, path)) if said.document else said.source,
        operations=said.operations,
        claims=[_claim(path, name, claim, said) for claim in said.claims],
        standards=said.standards,
        lacks=said.lacks,
        apps=said.apps,
        commands=[_command(path, name, command) for command in said.programs],
        jobs=said.jobs,
        breakdown=said.breakdown,
        lesson=_lesson(path, name, said.lesson) if said.lesson else None,
        links=said.links,
        model=_model(path, name, said.model) if said.model else None,
        long_path=said.long_path,
        exercise=said.exercise,
    )


def _model(path: Path, case: str, model: Model) -> Model:
    return replace(model, stage=_namer(path, case, "the model")(model.stage))


def _lesson(path: Path, case: str, said: Lesson) -> Lesson:
    name = _namer(path, case, "the lesson")
    return replace(said, pair=[name(slug) for slug in said.pair], identical=name(said.identical))


def _claim(path: Path, case: str, claim: Claim, said: CaseFile) -> Claim:
    name = _namer(path, case, f"the claim '{claim.text}'")
    of = claim.document or said.document
    level = claim.level or document(of, path).level
    if any(claim.program == one.title and level not in (one.levels or []) for one in said.programs):
        raise UserError(f"{shown(path)}: a claim is of '{claim.program}' at {level}: add this level to its `levels`.")
    return replace(claim, stage=name(claim.stage), base=name(claim.base), document=of, level=level)


def _command(path: Path, case: str, command: Command) -> Command:
    name = _namer(path, case, f"the program '{command.title}'")
    for slug in command.stages or []:
        name(slug)
    return command


def _namer(path: Path, case: str, what: str) -> Callable[[str], str]:
    """The names of stages by their slugs: xtea-04 of interchange; and of variants: xtea-04-O2 of interchange:O2."""
    names = {folder[3:]: f"{case}-{folder[:2]}" for folder in folders_beside(path.parent / "*" / "notes.md")}

    def name(word: str) -> str:
        slug, _, variant = word.partition(":")
        if slug not in names:
            raise UserError(f"{shown(path)}: {what} is of a stage '{slug}'; there are: {', '.join(names)}.")
        return f"{names[slug]}-{variant}" if variant else names[slug]

    return name


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in (".cpp", ".hpp", ".h"))


def find_stage(name: str) -> tuple[Case, Stage]:
    """By its whole name: xtea-04."""
    of, _, number = name.rpartition("-")
    case = read_case(of)
    return case, case.stage(number)
