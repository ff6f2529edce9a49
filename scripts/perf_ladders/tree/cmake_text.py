"""Lines of CMake, made for plan.cmake."""

from __future__ import annotations

from collections.abc import Iterable


class Lines:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._done: set[str] = set()

    def say(self, command: str, *words: str, **lists: str | Iterable[str]) -> None:
        """A line of plan.cmake: a command, its words, then each keyword that has any."""
        said = [*map(_quoted, words)]
        for key, values in lists.items():
            some = [values] if isinstance(values, str) else values
            if some := [_quoted(word) for word in some if word]:
                said += [key, *some]
        self.lines.append(f"{command}({' '.join(said)})")

    def once(self, target: str) -> bool:
        """True at the first call for a target."""
        if target in self._done:
            return False
        self._done.add(target)
        return True


def _quoted(word: str) -> str:
    if not any(letter in ' \t;"()#$\\' for letter in word):
        return word
    for letter in '\\"$':
        word = word.replace(letter, f"\\{letter}")
    return f'"{word}"'
