"""The commands: one line for each. `./ladders help` prints them; commands/grammar.py reads their words."""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import signal
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NoReturn

from perf_ladders.commands import build, grammar
from perf_ladders.commands.grammar import Command, Grammar, Option
from perf_ladders.errors import Terminated, UserError, code_of
from perf_ladders.machine import configure
from perf_ladders.tree import levels

FIRST = "xtea"  # of catalogue.case_names(), which are not read for each command
ONE = grammar.one_case(FIRST)
OF_STAGE = grammar.one_case(f"that of the stage, or {FIRST}")
REPORTED = grammar.cases(f"{FIRST}, with few rounds")
FIRST_OR_ALL = grammar.cases(FIRST)
ALL = grammar.cases("all cases")
STAGE = Option("stage", "4, or xtea-04", many=True, known=grammar.stages)
PRESET = Option("--preset", "a preset (gcc)", grammar.preset, known=configure.presets)
PRESETS = Option("--preset", "a preset (gcc); may be given twice", grammar.preset, many=True, known=configure.presets)
TIMED = Option("--preset", "a preset (gcc)", grammar.timed_preset, known=configure.presets)
TIMED_MANY = Option(
    "--preset", "a preset (gcc); may be given twice", grammar.timed_preset, True, known=configure.presets
)
CLIMBED = Option("--preset", "a preset (as before, or gcc)", grammar.timed_preset, known=configure.presets)
LEVEL = Option("--level", "an instruction set (the highest that runs here)", grammar.level, known=levels.known_levels)
USUAL = Option("--level", "an instruction set (x86-64-v3 if it runs)", grammar.level, known=levels.known_levels)
LEVELS = Option(
    "--level", "only this instruction set; may be given twice", grammar.level, True, known=levels.known_levels
)
ROUNDS = Option("--rounds", "at most so many rounds", grammar.positive)
SPANNED = Option("--rounds", "at most so many rounds, but for 5 seconds at least", grammar.positive)
MORE = Option("--more", "go on with a finished measurement where steps are undecided, up to 180 rounds", switch=True)
QUICK = Option("--quick", "fewer rounds", switch=True)
EXPERIMENTS = Option("--experiments", "how many pairs of a program and itself (100; with --quick 5)", grammar.positive)
MUTANTS = Option("--mutants", "how many faults (60)", grammar.positive)
SEED = Option("--seed", "which faults are drawn (1)", grammar.positive)
MINUTES = Option("--minutes", "how long for each stage (1)", grammar.positive)
FUZZED = Option("--step", "this stage instead of the closing one: 4, or xtea-04", known=grammar.stages)
OUT = Option("--out", "the folder to write to", Path, text=True)
FILE = Option("--out", "the file to write (standard output)", Path, text=True)
PROOF = Option("--out", "the file to write (none)", Path, text=True)
PRESSURE = Option("--out", "the file to write (reports/local/port-pressure.json)", Path, text=True)
ARCHIVE = Option("--out", "the archive to write", Path, text=True)
RESULT = Option("result", "a measurement file", Path, text=True)
RESULTS = Option("result", "measurement files", Path, many=True)
MERGED = Option("result", "two measurement files or more", Path, many=True, make="MERGE")
FILES = Option("result", "scoreboard.json of each learner, under any name", Path, many=True, make="FILES")
CAMPAIGN = Option("file", "a campaign: docs/many-machines.md", Path, text=True)
DRY_RUN = Option("--dry-run", "print what would run where, and run nothing", switch=True)
FORMAT = Option("--format", " ".join(grammar.FORMATS), grammar.export_format, known=lambda: grammar.FORMATS)
EXPORTED = Option("result", "a measurement file; for speedscope and collapsed a file of callgrind", Path, text=True)
STAGES = Option("--stage", "only this stage; may be given more than once", many=True, make="STAGES")
PLAN = Option("--plan", "the stages and levels of this plan of docs/workshop: 60, 90 or 180 minutes")
WHO = Option("--who", "your name on the scoreboard", text=True)
NAME = Option("--name", "the name of the new case: small letters, digits, hyphens", text=True)
STEP = Option("--step", "the stage to begin at: 4, or xtea-04", known=grammar.stages)
ONCE = Option("--once", "judge the file once; exit code 0 if it passes", switch=True)
LOOKED = Option("--looked", "somebody has looked at a file that is too fast, or that cannot be compared", switch=True)
VERIFY = Option("--verify", "build and measure all kernels again: it runs their code", switch=True)
UNLESS = Option("--setup", "do nothing in a clone that has tags", switch=True)
SHELL = Option("shell", "bash, zsh, tcsh or fish", grammar.shell, known=lambda: grammar.SHELLS)
WORD = Option("word", "a command", many=True)
WORDS = Option("words", "two stages, or two commands: -- ./a ARGUMENTS -- ./b ARGUMENTS", many=True, raw=True)
FILTER = Option("--google-benchmark", "both are Google Benchmark programs: compare what this matches", text=True)
PREPARE = Option("--prepare", "a command for the shell before each run; not timed", text=True)
CPUS = Option("--cpus", "how many CPUs the programs may use (1)", grammar.positive)
JSON = Option("--json", "print JSON, with the value of every round", switch=True)
AS_JSON = Option("--json", "print JSON", switch=True)
SAME = Option("--expect-same", "exit code 0: no difference over 2 %%; 1: there is one; 3: not decided", switch=True)
SLOWDOWN = Option("--max-slowdown", "exit code 0: no slower than by this (2%%); 1: it is slower; 3: not decided")

PACKAGES, TOOLS, VENV, BUILD = "packages", "tools", "environment", "build"  # what a command needs
MEASURING = (TIMED_MANY, LEVELS, ROUNDS)
FIGURES = (TIMED, AS_JSON, OUT)
MUTATED = (ALL, PRESET, MUTANTS, SEED, PROOF)
FUZZING = (ALL, FUZZED, LEVEL, MINUTES, PROOF)
REPORT = (REPORTED, *MEASURING, QUICK, MORE, OUT)
COMMANDS = (
    Command("report", "report:report", "measure a case and write its report", REPORT, BUILD),
    Command("test", "build:test", "build all stages and run their tests", (ALL, PRESETS), BUILD),
    Command("proof", "build:test", "run all tests, with those that take long", (ALL, PRESETS), BUILD),
    Command("run-stage", "stage:run_stage", "measure one stage", (STAGE, OF_STAGE, *MEASURING), BUILD),
    Command(
        "compare",
        "compare:compare",
        "compare two stages or commands until it is decided",
        (WORDS, LEVEL, FILTER, PREPARE, CPUS, SPANNED, SAME, SLOWDOWN, JSON),
        PACKAGES,
    ),
    Command(
        "claims-java",
        "java:claims_java",
        "judge the claims on Java programs (needs a JDK)",
        (ALL, ROUNDS, MORE, OUT),
        VENV,
    ),
    Command("machine", "machine:machine", "measure latency and throughput of instructions", FIGURES, BUILD),
    Command(
        "profile", "stage:profile", "show where a stage spends its time", (STAGE, OF_STAGE, TIMED_MANY, LEVELS), BUILD
    ),
    Command(
        "constant-time", "constant_time:constant_time", "say which stages keep secrets", (ALL, PRESET, PROOF), BUILD
    ),
    Command("mutation-score", "mutation:mutation_score", "say how many faults the checks reject", MUTATED, BUILD),
    Command("fuzz", "fuzz:fuzz", "look for inputs for which a stage is wrong (needs Clang)", FUZZING, VENV),
    Command(
        "read-stage", "stage:read_stage", "read a stage: idea, hypothesis, change, result", (STAGE, OF_STAGE), VENV
    ),
    Command("diff-stage", "stage:diff_stage", "show the change from the stage it builds on", (STAGE, OF_STAGE), VENV),
    Command("new-case", "workshop:begin_case", "write a case of your own, which builds and is measured", (NAME,), VENV),
    Command(
        "exercise", "workshop:begin", "write the stages of a case yourself", (ONE, CLIMBED, USUAL, STEP, WHO), VENV
    ),
    Command("watch", "workshop:watch_file", "judge your file whenever you save it", (ONCE, LOOKED, ROUNDS), VENV),
    Command("hint", "workshop:show_hint", "show the next hint", needs=VENV),
    Command("reveal", "workshop:reveal", "show the answer", needs=VENV),
    Command("next", "workshop:go_on", "go on to the next stage", needs=VENV),
    Command("reset", "workshop:reset", "put your file back as the step began", needs=VENV),
    Command(
        "scoreboard", "workshop:show_scoreboard", "show what learners handed in", (FILES, VERIFY, ROUNDS, OUT), VENV
    ),
    Command(
        "exercise-check", "workshop:check_exercises", "test all exercises", (FIRST_OR_ALL, TIMED, USUAL, ROUNDS), VENV
    ),
    Command("slides", "workshop:write_slides", "write slides and a worksheet", (FIRST_OR_ALL, STAGES, PLAN, OUT), VENV),
    Command("kit", "workshop:write_kit", "write an archive that sets up laptops offline", (PRESETS, ARCHIVE), VENV),
    Command("merge", "report:merge", "show measurements of several machines side by side", (MERGED, OUT), VENV),
    Command("campaign", "campaign:campaign", "measure cases on many machines", (CAMPAIGN, DRY_RUN, OUT), VENV),
    Command("render", "report:render_again", "write the report of a measurement again", (RESULT,), VENV),
    Command("report-check", "report:report_check", "say which sources of a measurement changed", (RESULTS,), VENV),
    Command("result-check", "report:result_check", "say whether a measurement can be published", (RESULTS,), VENV),
    Command(
        "export",
        "report:export_result",
        "write a measurement or profile for other tools",
        (EXPORTED, FORMAT, FILE),
        VENV,
    ),
    Command(
        "port-pressure",
        "port_pressure:port_pressure",
        "ask models about the loops on which CPUs disagree",
        (RESULTS, PRESSURE),
        VENV,
    ),
    Command("publish", "report:publish_result", "keep a measurement in the repository", (RESULT,), VENV),
    Command("pages", "report:write_pages", "write reports/*.md, their pictures and README's table", needs=VENV),
    Command("site", "report:write_site", "write the web site to build/site", (OUT,), VENV),
    Command("self-check", "self_check:self_check", "count wrong verdicts", (TIMED, QUICK, EXPERIMENTS, OUT), BUILD),
    Command(
        "layout-check",
        "layout_check:layout_check",
        "link stages again and again, to see what addresses change",
        (TIMED, OUT),
        BUILD,
    ),
    Command("tags", "tags:tags", "make the stage tags and commit series, in seconds", (UNLESS,)),
    Command("tags-check", "tags:tags_check", "say which tags are missing or old"),
    Command("setup", "build:setup", "install what is missing", (PRESETS,)),
    Command("build", "build:build", "build everything, or one case", (ALL, PRESETS), TOOLS),
    Command("plan", "build:plan", "write what CMake reads: build/PRESET/plan.cmake", (PRESETS,)),
    Command("words", "words:words", "check notes, hints and case.toml of a case", (ONE, PRESET), VENV),
    Command("lint", "build:lint", "check the scripts, all texts and the size of steps", needs=VENV),
    Command("clean", "build:clean", "delete build/"),
    Command("doctor", "doctor:doctor", "check this machine; print how to install the rest"),
    Command("completion", "help:completion", "print shell code that completes words", (SHELL,)),
    Command("help", "help:overview", "print this, or the help of one command", (WORD,)),
)


def main(words: list[str], ready: bool = True) -> int:
    """`ready`: tools, environment and programs are there, and need not be looked for."""

    def run() -> None:
        from_make = words[:1] == ["--make"]
        lines = Grammar(COMMANDS, from_make).lines(words[from_make:])
        if not ready:
            build.prepare(lines)
        for command, options in lines:
            if not ready and command.needs == BUILD:
                build.build(options)
            _function(command.does)(options)

    return ending_well(run)


def ending_well(run: Callable[[], None]) -> int:
    """The exit code; what stops it becomes one sentence."""
    try:
        run()
    except UserError as complaint:
        return _say(str(complaint), complaint.code)
    except KeyboardInterrupt as stop:
        return _say("Stopped.", code_of(stop))
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _say(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    return 0


def stop_at_signals() -> None:
    """As Ctrl-C does: what was started is ended, and what was measured is kept. Under nohup a hang-up is no end."""
    for name in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(name) is not signal.SIG_IGN:
            signal.signal(name, _terminated if name == signal.SIGTERM else signal.default_int_handler)


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated


def entry() -> int:
    if "_ARGCOMPLETE" in os.environ:
        _function("help:complete")(argparse.Namespace(grammar=Grammar(COMMANDS)))
    stop_at_signals()
    return main(sys.argv[1:], ready=False)


def _function(place: str) -> Callable[[argparse.Namespace], None]:
    """Imported now, so that `tags` and `help` need the standard library alone."""
    module, _, name = place.partition(":")
    found: Callable[[argparse.Namespace], None] = getattr(
        importlib.import_module(f"perf_ladders.commands.{module}"), name
    )
    return found


def _say(sentence: str, code: int = 2) -> int:
    plain = os.environ.get("NO_COLOR") or not sys.stderr.isatty()
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        lines = (textwrap.wrap(line, width, break_on_hyphens=False) or [""] for line in sentence.split("\n"))
        sentence = "\n".join(part for line in lines for part in line)
    print(sentence if plain else f"\033[1;31m{sentence}\033[0m", file=sys.stderr)
    return code
