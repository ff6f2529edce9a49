"""The words of a command line: which there are, how they are checked, and what a mistyped one may have meant.

`make run-stage 6 PRESET=clang` is `./ladders run-stage 6 --preset clang`: one grammar, two spellings.
"""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from perf_ladders.errors import UserError
from perf_ladders.machine import configure
from perf_ladders.tree import catalogue, git_tags, levels, notes, paths


@dataclass(frozen=True)
class Option:
    name: str  # --case; or file, which is given by its place
    help: str
    check: Callable[[str], object] = str  # raises UserError or ArgumentTypeError
    many: bool = False  # may be given more than once
    switch: bool = False  # is there or not
    text: bool = False  # may hold spaces
    raw: bool = False  # and all that follows the first `--`, as it is
    known: Callable[[], Sequence[str]] = tuple  # for the completion of the shell
    make: str = ""  # its name there, where it is another

    @property
    def variable(self) -> str:
        return self.make or self.name.removeprefix("--").replace("-", "_").upper()

    @property
    def placed(self) -> bool:
        """A word by itself, without a name before it."""
        return not self.name.startswith("--")

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        if self.switch:
            parser.add_argument(self.name, help=self.help, action="store_true")
            return
        if self.placed:
            found = parser.add_argument(self.name, help=self.help, type=self.check, nargs="*" if self.many else None)
        else:
            action = "append" if self.many else "store"
            found = parser.add_argument(self.name, help=self.help, type=self.check, action=action)
        setattr(found, "completer", lambda **_: self.known())  # noqa: B010 - which argcomplete looks for

    def words(self, value: str) -> list[str]:
        """What `NAME=value` of make is here."""
        if self.switch:
            if value != "1":
                raise UserError(f"{self.variable}=1 switches it on; leave {self.variable} out otherwise.")
            return [self.name]
        words = re.findall(r"(?:\\.|\S)+", value)  # a backslash keeps a space in a word
        values = [re.sub(r"\\(.)", r"\1", word) for word in words] if self.many else [value]
        if not self.many and not self.text and len(value.split()) > 1:
            raise UserError(f"Name one {self.variable}, not '{value}'.")
        return values if self.placed else [f"{self.name}={one}" for one in values]


@dataclass(frozen=True)
class Command:
    name: str
    does: str  # module:function, of perf_ladders.commands
    help: str
    options: tuple[Option, ...] = ()
    needs: str = ""  # tools, environment (tools and .venv), build (both, and programs), or packages (works anywhere)


def nearest(word: str, known: Iterable[str]) -> str:
    """Nothing, or a question."""
    near = difflib.get_close_matches(word, list(known), 1) or difflib.get_close_matches(word.upper(), list(known), 1)
    return f" Did you mean `{near[0]}`?" if near else ""


def expect(kind: str, word: str, known: Sequence[str]) -> str:
    if word not in known:
        raise UserError(f"There is no {kind} '{word}'.{nearest(word, known)} There are: {' '.join(known)}")
    return word


# --- What the words name ---

SHELLS = ("bash", "zsh", "tcsh", "fish")
FORMATS = ("csv", "google-benchmark", "benchstat", "speedscope", "collapsed")


def preset(word: str) -> str:
    return expect("preset", word, configure.presets())


def timed_preset(word: str) -> str:
    if not configure.is_timed(preset(word)):
        raise UserError(f"The preset {word} is for tests: its times mean nothing.")
    return word


def level(word: str) -> str:
    return expect("level", word, levels.known_levels())


def case(word: str) -> str:
    _expect_case_toml(word)
    return expect("case", word, catalogue.case_names())


def case_or_all(word: str) -> str:
    return word if word == "all" else case(word)


def one_case(without: str) -> Option:
    """`without`: what the command takes if no case is named."""
    return Option("--case", f"a case (without --case: {without})", case, known=catalogue.case_names)


def cases(without: str) -> Option:
    return Option("--case", f"a case, or all (without --case: {without})", case_or_all, known=cases_or_all)


def _expect_case_toml(word: str) -> None:
    for folder in (word, word.rpartition("-")[0]):
        catalogue.expect_case_file(folder)


def cases_or_all() -> list[str]:
    return [*catalogue.case_names(), "all"]


def stages() -> list[str]:
    """By name, in the order of cases and numbers."""
    return [name for name, _ in _stages()]


def _stages() -> list[tuple[str, str]]:
    """xtea-04 and xtea-interchange."""
    folders = {name: notes.folders_beside(paths.STAGES / name / "*" / "notes.md") for name in catalogue.case_names()}
    return [(f"{name}-{one[:2]}", f"{name}-{one[3:]}") for name, found in folders.items() for one in found]


def stage(word: str, default_case: str) -> str:
    """The name that 4, 04, xtea-04, interchange or xtea-interchange stands for."""
    _expect_case_toml(word)
    match = re.fullmatch(r"(?:(.+)-)?(\d{1,2})", word)
    by_slug = {slug: name for name, slug in _stages()}
    name = f"{match[1] or default_case}-{int(match[2]):02}" if match else ""
    name = by_slug.get(word) or by_slug.get(f"{default_case}-{word}") or name
    known = stages()
    if name in known or not known:  # installed as a package, it has none, which `prepare` says
        return name
    names = catalogue.case_names()
    of = next((one for one in names if word == one or word.startswith(f"{one}-")), default_case)
    others = "|".join(one for one in names if one != of)
    near = " ".join(one for one in known if one.rpartition("-")[0] == of)
    tag = git_tags.tag_of_head()
    ends = f" This tree ends at {tag}: `git checkout main` leads back." if tag.rpartition("-")[0] == of else ""
    raise UserError(
        f"There is no stage '{word}'.{ends or nearest(word, known)} There are: {near}, and those of CASE={others}"
    )


def is_stage(word: str) -> bool:
    """By its whole name: xtea-04 or xtea-interchange."""
    return any(word in names for names in _stages())


def shell(word: str) -> str:
    return expect("completion for the shell", word, SHELLS)


def export_format(word: str) -> str:
    return expect("format", word, FORMATS)


def positive(word: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", word):
        raise argparse.ArgumentTypeError(f"takes a number from 1 to 9999, not '{word}'")
    return int(word)


# --- Parsing ---


class Parser(argparse.ArgumentParser):
    """Of one command; its complaints are sentences."""

    def __init__(self, command: Command, prog: str, spelled: dict[str, str]) -> None:
        super().__init__(prog=prog, description=f"{command.help[0].upper()}{command.help[1:]}.", allow_abbrev=False)
        self._spelled, self._verb = spelled, command.name
        for option in command.options:
            option.add_to(self)

    def error(self, message: str) -> NoReturn:
        match = re.fullmatch(r"argument ([\w-]+): (.*)", message, re.DOTALL)
        if match:
            message = f"{self._spelled.get(match[1], match[1])} {match[2]}"
        raise UserError(f"{message[0].upper()}{message[1:]}. `./ladders {self._verb} --help` says more.")


def _takes_stage(command: Command) -> bool:
    return any(option.name == "stage" for option in command.options)


class Grammar:
    """The commands that there are, spelled as in `make` or as in `./ladders`."""

    def __init__(self, commands: Sequence[Command], from_make: bool = False) -> None:
        self.commands = {command.name: command for command in commands}
        self._make = from_make

    def spell(self, verb: str, *words: str) -> str:
        return " ".join(["make" if self._make else "./ladders", verb, *words])

    def lines(self, words: Sequence[str]) -> list[tuple[Command, argparse.Namespace]]:
        """All that is asked for; every word is checked before anything runs."""
        line = ["help", *words[1:]] if not words or words[0] in ("-h", "--help") else list(words)
        return [self._parsed(line) for line in (self._lines_of_make(words) if self._make else [line])]

    def parser(self, command: Command) -> Parser:
        spelled = {option.name: option.variable for option in command.options} if self._make else {}
        return Parser(command, self.spell(command.name), spelled)

    def _parsed(self, words: list[str]) -> tuple[Command, argparse.Namespace]:
        command = self.command(words[0])
        parser = self.parser(command)
        given = argparse.Namespace(command=command.name, grammar=self)
        end = words.index("--") if "--" in words else len(words)
        options, left = parser.parse_known_intermixed_args(words[1:end], given)
        for option in command.options:
            place = option.name.removeprefix("--").replace("-", "_")
            if option.many and not option.placed and (several := getattr(options, place)):
                setattr(options, place, [*dict.fromkeys(several)])  # else one thing would be measured twice
        if any(option.raw for option in command.options):
            options.words += words[end + 1 :]
        elif words[end + 1 :]:
            left = [*left, *words[end + 1 :]]
        if left:
            self._complain_of(left[0], command)
        if _takes_stage(command):
            self._find_stage(options, command.name)
        elif getattr(options, "step", None):
            if options.case == "all":
                alone = "STEP=xtea-04" if self._make else "--step xtea-04"
                raise UserError(f"A step is of one case: name it alone, as in `{self.spell(command.name, alone)}`.")
            options.step = stage(options.step, options.case or next(iter(catalogue.case_names()), ""))
        return command, options

    def _find_stage(self, options: argparse.Namespace, verb: str) -> None:
        default = options.case or next(iter(catalogue.case_names()), "")
        if len(options.stage) != 1:
            raise UserError(f"Name one stage: {self.spell(verb, '4')}, or {self.spell(verb, f'{default}-04')}.")
        options.stage = stage(options.stage[0], default)

    def command(self, word: str, before: str = "") -> Command:
        if word in self.commands:
            return self.commands[word]
        said = nearest(word, self.commands)
        if word in catalogue.case_names():
            said = f" Did you mean `{self._with_case(before or 'report', word)}`?"
        elif {word, f"{next(iter(catalogue.case_names()), '')}-{word:0>2}"} & {*stages()}:
            said = f" Did you mean `{self.spell('run-stage', word)}`?"
        raise UserError(f"There is no '{word}'.{said} There are: {' '.join(self.commands)}")

    def _with_case(self, verb: str, word: str) -> str:
        return self.spell(verb, *([f"CASE={word}"] if self._make else ["--case", word]))

    def _complain_of(self, word: str, command: Command) -> NoReturn:
        """Of a word that this command does not take."""
        if word.startswith("-"):
            self._complain_of_option(word.partition("=")[0], command)
        if word in catalogue.case_names() and any(option.name == "--case" for option in command.options):
            raise UserError(f"'{word}' is a case. Did you mean `{self._with_case(command.name, word)}`?")
        raise UserError(f"`{self.spell(command.name)}` does not take the word '{word}'.")

    def _names(self, command: Command) -> list[str]:
        return [option.variable if self._make else option.name for option in command.options]

    def _complain_of_option(self, name: str, command: Command) -> NoReturn:
        has = [word for word in self._names(command) if word.startswith("--") or self._make]
        mine = [other.name for other in self.commands.values() if name in self._names(other)]
        if mine:
            takes = f"takes {' '.join(has)}" if has else "takes no option"
            raise UserError(
                f"{name} is no option of `{self.spell(command.name)}`, which {takes}. It belongs to: {' '.join(mine)}"
            )
        near = nearest(name, has) or nearest(name, {word for c in self.commands.values() for word in self._names(c)})
        raise UserError(
            f"There is no option '{name}'.{near} `{self.spell(command.name)}` takes: {' '.join(has) or 'none'}"
        )

    def _lines_of_make(self, words: Sequence[str]) -> list[list[str]]:
        """Goals and variables, `run-stage 6 PRESET=clang`, as command lines."""
        goals = [word for word in words if "=" not in word] or ["help"]
        variables = dict(word.split("=", 1) for word in words if "=" in word)
        lines: list[list[str]] = []
        for goal in goals:
            if lines and any(option.placed for option in self.commands[lines[-1][0]].options):
                lines[-1].append(goal)
            else:
                lines.append([self.command(goal, lines[-1][0] if lines else "").name])
        for line in lines:
            if line[0] == "report" and "MERGE" in variables:
                line[0] = "merge"
        taken: set[str] = set()
        for line in lines:
            for option in self.commands[line[0]].options:
                if variables.get(option.variable):
                    line += option.words(variables[option.variable])
                    taken.add(option.variable)
        for name in (name for name, value in variables.items() if value and name not in taken):
            self._complain_of_option(name, self.commands[lines[-1][0]])
        return lines
