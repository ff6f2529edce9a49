"""The one way in which this package says that something is wrong, and the one that says that evidence is missing."""

from __future__ import annotations

LATER = 75  # exit code of what was stopped and goes on when it runs again, as in sysexits.h


class Terminated(KeyboardInterrupt):
    """By SIGTERM, which schedulers send at a time limit; all else is as after Ctrl-C."""


def code_of(stop: KeyboardInterrupt) -> int:
    return LATER if isinstance(stop, Terminated) else 2


class UserError(Exception):
    """One clear sentence on what is wrong and what to do; the program prints it and ends with exit code `code`."""

    def __init__(self, sentence: str, code: int = 2) -> None:
        super().__init__(sentence)
        self.code = code


class Missing(Exception):
    """Why something could not be found out: a sentence without its full stop, which the result keeps in its place."""
