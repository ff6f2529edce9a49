"""The list of commands, and the completion of their words."""

from __future__ import annotations

import argparse
import importlib
from types import ModuleType

from perf_ladders.commands.grammar import Grammar
from perf_ladders.errors import UserError
from perf_ladders.machine import configure
from perf_ladders.tree import catalogue, levels, paths

_BEFORE = """./ladders COMMAND --option value      make COMMAND OPTION=value

Each command has two spellings. These two lines do the same:
    ./ladders report --case sha3 --preset gcc --preset clang
    make report CASE=sha3 PRESET="gcc clang"
"""
_AFTER = """
--case    {cases} all
--preset  {presets}
--level   {levels}

`./ladders report --help` prints the options of one command.
Without --case, `report` measures XTEA with few rounds.
`git checkout xtea-03` gives the project as it was at stage 03.
eval "$(./ladders completion bash)" lets the Tab key complete these words.
Each command first names and installs what it needs. Some tools it only names:
pandoc (slides, kit), Clang (fuzz, mutation-score), a JDK and Maven
(claims-java), ReFrame (campaign), OSACA (port-pressure).
Only these install nothing: {bare}."""


def overview(options: argparse.Namespace) -> None:
    grammar_of: Grammar = options.grammar
    if options.word:
        commands = [grammar_of.command(word) for word in options.word]
        for command in commands:
            Grammar(commands).parser(command).print_help()  # as ./ladders spells it, also for make
        return
    width = max(map(len, grammar_of.commands)) + 2
    print(_BEFORE)
    for command in grammar_of.commands.values():
        print(f"  {command.name:{width}}{command.help}")
    if not paths.STAGES.is_dir():  # installed, without the repository
        return
    print(
        _AFTER.format(
            cases=" ".join(catalogue.case_names()),
            presets=" ".join(configure.presets()),
            levels=" ".join(levels.known_levels()),
            bare=" ".join(
                name for name, command in grammar_of.commands.items() if not command.needs and name != "setup"
            ),
        )
    )


def completion(options: argparse.Namespace) -> None:
    print(_argcomplete().shellcode(["ladders"], shell=options.shell))


def complete(options: argparse.Namespace) -> None:
    """Called by the shell, for a word that is half typed; ends the program."""
    parser = argparse.ArgumentParser(prog="ladders")
    commands = parser.add_subparsers()
    grammar_of: Grammar = options.grammar
    for command in grammar_of.commands.values():
        words = commands.add_parser(command.name, help=command.help)
        for option in command.options:
            option.add_to(words)
    _argcomplete().autocomplete(parser)


def _argcomplete() -> ModuleType:
    try:
        return importlib.import_module("argcomplete")
    except ImportError:
        raise UserError("Completion needs argcomplete, which ./ladders setup puts into .venv.") from None
