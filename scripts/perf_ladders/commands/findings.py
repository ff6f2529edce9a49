"""The lines that the doctor prints, and how it asks the programs of this machine. Standard library alone."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field

from perf_ladders.machine import processes
from perf_ladders.machine.topology import read

_COLOURS = {"ok": 32, "lacks": 31, "fails": 31, "note": 33}
_WIDTH = 80
_LIMIT_S = 20  # of a program that is asked


@dataclass
class Report:
    """Prints lines as they are found, and keeps what the last ones need."""

    better: int = 0  # lines with a command
    hopeless: list[str] = field(default_factory=list)  # is needed, and set-up cannot install it
    set_up: bool = True  # False: set-up has something to do
    coloured: bool = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def paint(self, colour: str, text: str) -> str:
        return f"\033[{colour}m{text}\033[0m" if self.coloured else text

    def section(self, title: str) -> None:
        print(f"\n{self.paint('1', title)}")

    def say(self, mark: str, text: str, command: str = "") -> None:
        head = f"  {self.paint(str(_COLOURS[mark]), mark)}{' ' * (7 - len(mark))}"
        self.better += bool(command)
        if command and len(text) + len(command) + 4 <= _WIDTH - 9:
            text, command = f"{text}  -> {command}", ""
        print(head + f"\n{' ' * 9}".join(textwrap.wrap(text, _WIDTH - 9, break_on_hyphens=False)), flush=True)
        if command:
            lines = textwrap.wrap(f"-> {command}", _WIDTH - 11, break_on_hyphens=False, break_long_words=False)
            print(" " * 9 + f" \\\n{' ' * 9}".join(lines))


def sudo() -> str:
    return "" if output("id", "-u").strip() == "0" else "sudo "


def output(*command: str) -> str:
    """Of a program, with what it complains of; empty where it is not there or fails without a word."""
    if not shutil.which(command[0]):
        return ""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            env=processes.untranslated(),
            timeout=_LIMIT_S,
        )
    except (subprocess.TimeoutExpired, OSError):
        return ""
    return done.stdout + done.stderr


def version_of(program: str) -> str:
    found = re.search(r"\d+(\.\d+)+", output(program, "--version"))
    return found[0] if found else ""


def release(key: str) -> str:
    found = re.search(rf'^{key}="?([^"\n]*)', read("etc/os-release") or "", re.MULTILINE)
    return found[1] if found else ""


def architecture() -> str:
    return output("uname", "-m").strip() or platform.machine()
