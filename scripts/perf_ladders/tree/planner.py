"""Which programs there are to build: every stage, library, variant and mutant of every case, at its levels."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from perf_ladders.errors import UserError
from perf_ladders.tree.cmake_text import Lines
from perf_ladders.tree.headers import Header, WrongHeaderError, read_header
from perf_ladders.tree.levels import LEVELS, Level, levels_of, other_machines
from perf_ladders.tree.main_path import ends
from perf_ladders.tree.notes import read_notes
from perf_ladders.tree.paths import ROOT, STAGES, shown
from perf_ladders.tree.planned import Asked, Planned

SELF_CHECK = "self-check"
# The same code at other addresses, and code of less work: `make self-check` has to tell these from the others. By
# name: the bytes by which it is shifted, and the parts of work in a call.
SELF_CHECK_WORK = {
    **{f"same-{place}": (16 * (place + 1), 320) for place in range(4)},
    **{f"less-{parts}": (16, 320 - parts) for parts in (3, 6, 10, 15, 29)},
}
# Those that `make layout-check` links again: a chain of integer operations, vectors over a message, and strings.
LAYOUT_STAGES = (("xtea", "declaration"), ("salsa20", "transpose"), ("json", "append"))
_ALWAYS_READ = {LEVELS, *Path(__file__).parent.glob("*.py")}
_ONCE = ("Oracle*", "InOrder.*")  # tests of no stage: with the reference alone


@dataclass(frozen=True)
class _Source:
    """A source as it is built, and what it is called."""

    case: str
    name: str
    path: Path
    header: Header
    alternative: Path | None = None  # a folder of standards/ or variants/, whose headers replace those of the case

    def built_as(self) -> dict[str, str | Iterable[str]]:
        return {
            "CASE": self.case,
            "SOURCE": shown(self.path),
            "ALTERNATIVE": _shown(self.alternative),
            "REQUIRES": self.header.requires,
            "LINKS": self.header.links,
            "LACKS": " ".join(self.header.lacks),
        }


class Plan(Lines):
    def __init__(self, asked: Asked) -> None:
        super().__init__()
        self.asked = asked
        self.every_level = levels_of(asked.architecture)
        names = [level.name for level in self.every_level]
        for name in asked.levels:
            if name not in names:
                raise UserError(f"There is no level '{name}' here; there are: {', '.join(names)}.")
        self.levels = [level for level in self.every_level if not asked.levels or level.name in asked.levels]
        self.programs: list[Planned] = []
        self.libraries: set[str] = set()
        self.read = {*_ALWAYS_READ}
        self._headers: dict[Path, Header] = {}
        self._known: dict[str, bool] = {}

    def levels_for(self, case: str) -> list[Level]:
        of_all = self.asked.novec == "all" or len(self.levels) == 1
        return [level for level in self.levels if of_all or level.is_of(case)]

    def header(self, source: Path) -> Header:
        if source not in self._headers:
            self.read.add(source)
            header = read_header(source)
            for word in header.requires:
                if "x86-64" in (level.name for level in self.every_level) and not self._knows(word):
                    flag = f"`requires: {word}` is no level, and this compiler knows no -m{word}"
                    raise WrongHeaderError(f"{shown(source)}: {flag}.")
            self._headers[source] = header
            self.libraries |= {*header.links}
        return self._headers[source]

    def _knows(self, word: str) -> bool:
        """Whether the compiler knows an instruction set."""
        if word not in self._known:
            command = [self.asked.compiler, f"-m{word}", "-fsyntax-only", "-x", "c++", "/dev/null"]
            done = subprocess.run(command, capture_output=True, check=False) if self.asked.compiler else None
            self._known[word] = done is None or done.returncode == 0
        return self._known[word]

    def found(self, folder: Path, pattern: str) -> list[Path]:
        """The folders that are looked into are noted, for a new file in one changes the plan."""
        within = [path for one in PurePath(pattern).parents if one.name for path in folder.glob(str(one))]
        self.read |= {path for path in (folder, *within) if path.is_dir()}
        return sorted(path for path in folder.glob(pattern) if not path.name.startswith("."))  # an editor's lock

    def harness(self, case: str, level: str, alternative: Path | None) -> str:
        """One of its own where constants or headers of the libraries are others: checks read no other header that an
        alternative replaces."""
        read = ("constants.hpp", "peers/*.hpp")
        if alternative and not any(self.found(alternative / case, pattern) for pattern in read):
            alternative = None
        name = f"{case}-{alternative.name}" if alternative else case
        if self.once(f"{name}-checks"):
            self._checks(name, case, alternative, self.levels[0].name)
        if self.once(f"{name}-harness.{level}"):
            timed = map(shown, self.found(STAGES / case, "*.cpp"))
            apps = [shown(path) for path in self.found(STAGES / case, "apps/*/*.cpp") if path.name != "main.cpp"]
            self.say("add_harness", name, level, ALTERNATIVE=_shown(alternative), SOURCES=timed, APPS=apps)
        return name

    def _checks(self, name: str, case: str, alternative: Path | None, level: str) -> None:
        tests = ROOT / "tests" / case
        standards = ("", alternative.name if alternative else "")
        found = self.found(tests, "*.cpp")
        fuzz = [shown(path) for path in found if path.stem == "fuzz"]
        mine = [path for path in found if path.stem != "fuzz" and self.header(path).standard in standards]
        sources = [path for path in mine if not self.header(path).links]
        oracles = [path for path in sources if path.stem.endswith("oracle")]
        words = {"ALTERNATIVE": _shown(alternative), "VECTORS": shown(tests / "vectors")}
        others = [shown(path) for path in sources if path not in oracles]
        self.say("add_checks", name, level, SOURCES=others, ORACLES=map(shown, oracles), FUZZ=fuzz, **words)
        for path in mine:
            if links := self.header(path).links:
                self.say("add_more_checks", name, shown(path), *links)

    def program(self, kind: str, source: _Source, level: str, **more: str | Iterable[str]) -> str:
        """Returns its harness."""
        harness = self.harness(source.case, level, source.alternative)
        command = "train_profile" if kind == "training" else "add_program"
        self.say(command, source.name, level, KIND=kind, HARNESS=harness, **source.built_as(), **more)
        return harness

    def at_levels(
        self, kind: str, case: str, name: str, path: Path, alternative: Path | None = None, **more: str
    ) -> None:
        """A source at every level from its floor up, as far as it says."""
        try:
            header = self.header(path)
        except WrongHeaderError as mistake:
            if kind != "exercise":
                raise
            self.say("leave_out", name, str(mistake))
            return
        if (levels := header.levels(self.every_level, self.levels_for(case))) is None:
            needs = " ".join(word for word in (header.floor, *(f"-m{word}" for word in header.requires)) if word)
            self.say("leave_out", name, f"needs {needs}, this is {self.asked.architecture}")
            return
        source = _Source(case, name, path, header, alternative)
        for level, *higher in (levels[place:] for place in range(len(levels))):
            once = () if name.endswith("-00") else _ONCE
            above = () if name.rpartition("-")[2] in self._ends.get(level, ()) else higher
            harness = self.program(kind, source, level, WITHOUT=once, ABOVE=above, HIGHER=higher, **more)
            apps = self._apps(kind, source, level) if kind in ("stage", "peer") else {}
            about = (header.threads, header.standard, header.lacks, header.device)
            self.programs.append(Planned(case, kind, name, level, shown(path), harness, *about, apps))
            if level == levels[0] and kind in ("stage", "peer") and not self.asked.kernels_alone:
                self._other_standards(source, level)

    def _other_standards(self, source: _Source, level: str) -> None:
        """Their constants change no instruction but its operands: the lowest level will do, and the check alone. Most
        libraries keep to one standard, and say so."""
        if not source.header.standard and "standards" not in source.header.lacks:
            for folder in self.found(STAGES / source.case, "standards/*"):
                other = _Source(source.case, f"{source.name}-{folder.name}", source.path, source.header, folder)
                self.program("standard", other, level, WITHOUT=_ONCE)

    def _apps(self, kind: str, source: _Source, level: str) -> dict[str, str]:
        """The programs in apps/ around this one, by their names."""
        found = {}
        for main in self.found(STAGES / source.case, "apps/*/main.cpp"):
            app = main.parent.name
            harness = self.harness(source.case, level, source.alternative)
            found[app] = self._app(app, f"{harness}-{app}", main, self.levels[0].name, source, level, harness)
            for other in [] if self.asked.checked_alone or kind != "stage" else other_machines():
                # Beside the lowest level that may have vectors, for it is another machine and no level above one.
                if other.beside == level and other.name in {*self.header(main).also} - {*source.header.lacks}:
                    harness = f"{source.case}-{other.name}"
                    if self.once(f"{harness}-checks"):
                        self._checks(harness, source.case, None, other.name)
                    words = {"KIND": "other", "HARNESS": harness, **source.built_as()}
                    self.say("add_program", source.name, other.name, WITHOUT=_ONCE, **words)
                    name = f"{app}-32"
                    found[name] = self._app(name, f"{harness}-{app}", main, other.name, source, other.name, harness)
        return found

    def _app(
        self, app: str, main_object: str, main: Path, main_level: str, source: _Source, level: str, harness: str
    ) -> str:
        links = self.header(main).links
        names = {"CASE": source.case, "APP": app, "MAIN": main_object}
        if self.once(main_object):
            self.say(
                "add_app_main", shown(main), main_level, LINKS=links, ALTERNATIVE=_shown(source.alternative), **names
            )
        header = source.header
        lacks, links = " ".join(header.lacks), [*header.links, *links]
        words: dict[str, str | Iterable[str]] = {"REQUIRES": header.requires, "LINKS": links, "LACKS": lacks}
        self.say("add_app", source.name, level, HARNESS=harness, **words, **names)
        return f"{source.name}-{app}.{level}"

    def case(self, case: str) -> None:
        folder, tests = STAGES / case, ROOT / "tests" / case
        for needed in (folder / "workloads.cpp", tests / "check.cpp", tests / "oracle.cpp"):
            if not needed.is_file():
                raise UserError(f"{shown(needed)} is missing; docs/adding-a-case.md shows what it holds.")
        stages = self._stages(case)
        every, built = self.every_level, self.levels_for(case)
        self._ends = ends({number: self.header(path).levels(every, built) for number, path in stages.items()})
        previous = ""
        for number, source in stages.items():
            name = f"{case}-{number}"
            self.at_levels("stage", case, name, source)
            self._stage_target(case, stages, number, previous)
            previous = number
            self._variants(case, name, source)
            if number == "00" and not self.asked.checked_alone:
                self._profile_guided(case, source)
        for source in self.found(folder, "peers/*/stage.cpp"):
            standard = self.header(source).standard
            alternative = folder / "standards" / standard if standard else None
            name = f"{case}-{source.parent.name}"
            self.at_levels("peer", case, name, source, alternative)
            self._variants(case, name, source)
        if not self.asked.kernels_alone:
            self._mutants(case, tests, stages)
        for source in (ROOT / "exercise" / case).glob("stage.cpp"):
            self.at_levels("exercise", case, f"{case}-mine", source)

    def _mutants(self, case: str, tests: Path, stages: Mapping[str, Path]) -> None:
        slugs = {source.parent.name[3:] for source in stages.values()}
        for source in [*self.found(tests, "mutants/*.cpp"), *self.found(tests, "mutants/*/*.cpp")]:
            slug = source.parent.name
            if slug not in slugs:
                raise UserError(
                    f"{shown(source)}: a mutant lies in a folder named after the stage in which it may be made, "
                    "such as mutants/interchange/rest-dropped.cpp."
                )
            mutant = _Source(case, f"{case}-mutant-{slug}-{source.stem}", source, self.header(source))
            self.program("mutant", mutant, self.levels_for(case)[0].name)

    def _stages(self, case: str) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for source in self.found(STAGES / case, "*/stage.cpp"):
            folder = source.parent.name
            number = folder[:2]
            if not re.fullmatch(r"[0-9]{2}-[A-Za-z0-9][A-Za-z0-9._+-]*", folder):  # a measurement takes no other name
                raise UserError(
                    f"stages/{case}/{folder} is no stage's folder: its name is two digits, a hyphen, then letters from "
                    "a to z, digits and hyphens, such as 04-interchange."
                )
            if number in found:
                before = found[number].parent.name
                raise UserError(f"{case} has two stages {number}: give {folder} or {before} another number.")
            found[number] = source
        if "00" not in found:
            raise UserError(
                f"stages/{case} has no stage 00: the reference, with which all others are compared, is 00-reference."
            )
        return found

    def _stage_target(self, case: str, stages: Mapping[str, Path], number: str, previous: str) -> None:
        """It builds what `make run-stage` compares: the stage, the one that it builds on, and the reference."""
        notes = stages[number].with_name("notes.md")
        if notes.is_file():
            self.read.add(notes)
            base = read_notes(notes, number).base
            previous = next((one for one, path in stages.items() if path.parent.name[3:] == base), previous)
        numbers = dict.fromkeys(one for one in (number, previous, "00") if one)
        self.say("add_stage_target", f"{case}-{number}", *(f"{case}-{one}" for one in numbers))

    def _variants(self, case: str, name: str, source: Path) -> None:
        """A stage or a library with headers of the case replaced or less optimised, where it asks for that; the
        reference is also built at -O2 without asking."""
        if self.asked.kernels_alone:
            return
        for word in dict.fromkeys([*self.header(source).variants, *(["O2"] if name.endswith("-00") else [])]):
            folder = STAGES / case / "variants" / word
            if word == "O2":
                if not self.asked.checked_alone:
                    self.at_levels("variant", case, f"{name}-O2", source, FLAGS="-O2")
                continue
            if not folder.is_dir():
                raise UserError(f"{name} asks for the variant '{word}', but there is no stages/{case}/variants/{word}.")
            if (STAGES / case / "standards" / word).is_dir():
                raise UserError(f"{case} has a standard and a variant '{word}': give one of them another name.")
            self.at_levels("variant", case, f"{name}-{word}", source, folder)

    def _profile_guided(self, case: str, path: Path) -> None:
        """The reference with its own profile, of the lowest level: the counts of its branches hold for all."""
        training = _Source(case, f"{case}-training", path, self.header(path))
        self.program("training", training, self.levels_for(case)[0].name)
        self.at_levels("variant", case, f"{case}-00-pgo", path, PROFILE=case)

    def self_check(self) -> None:
        path, level = ROOT / "common" / "self_check" / "kernel.cpp", self.levels[0].name
        self.say("add_checks", SELF_CHECK, level)
        self.say("add_harness", SELF_CHECK, level, SOURCES=shown(path.with_name("workloads.cpp")))
        for word, (shift, rounds) in SELF_CHECK_WORK.items():
            name = f"{SELF_CHECK}-{word}"
            flags = [f"-DSHIFT={shift}", f"-DROUNDS={rounds}", "-falign-functions=16", "-falign-loops=16"]
            words = _Source(SELF_CHECK, name, path, self.header(path)).built_as()
            self.say("add_program", name, level, KIND=SELF_CHECK, HARNESS=SELF_CHECK, FLAGS=flags, **words)
            self.programs.append(Planned(SELF_CHECK, SELF_CHECK, name, level, shown(path), SELF_CHECK))

    def machines(self) -> None:
        for level in self.every_level:
            self.say("set", f"flags_of_{level.name}", *level.told(self.asked.compiler_id))
        self.say("add_machine_programs", *(level.name for level in self.levels))
        for other in other_machines():
            if other.beside in (level.name for level in self.every_level) and not self.asked.checked_alone:
                self.say("add_other_machine", other.name, *other.flags)


def _shown(path: Path | None) -> str:
    return shown(path) if path else ""
