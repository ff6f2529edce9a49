"""Which comparisons the Result of a note quotes, so that they are measured: its placeholders name workload and base."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

_COMPARING = ("ratio", "verdict", "measured", "faster", "slower", "same", "undecided")
_CALL = re.compile(rf"\b(?:{'|'.join(_COMPARING)})\([^()]*\)")
_PLACEHOLDER = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)
DEFAULT_COMPILER = "gcc"  # where a note names none


class Quote(NamedTuple):
    workload: str = ""  # empty: the first
    level: str = ""  # empty: the highest
    compiler: str = DEFAULT_COMPILER
    base: str = ""  # the slug of a stage; empty: that which the stage builds on


def quotes(text: str) -> Iterator[Quote]:
    """A placeholder that cannot be read quotes nothing: filling the note in says what is wrong with it."""
    calls = (call for place in _PLACEHOLDER.findall(text) for call in _CALL.findall(place))
    for call in dict.fromkeys(calls):
        try:
            read = ast.parse(call, mode="eval").body
            assert isinstance(read, ast.Call), "the pattern is that of a call"
            given = [ast.literal_eval(one) for one in read.args]
            named = {str(one.arg): ast.literal_eval(one.value) for one in read.keywords}
            yield Quote(*given, **named)
        except (SyntaxError, TypeError, ValueError):
            continue
