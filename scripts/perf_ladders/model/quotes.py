"""Which comparisons the Result of a note quotes, so that they are measured: its placeholders name workload and base."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import jinja2
from jinja2 import nodes

_COMPARING = ("ratio", "verdict", "measured", "faster", "slower", "same", "undecided")
DEFAULT_COMPILER = "gcc"  # where a note names none


class Quote(NamedTuple):
    workload: str = ""  # empty: the first
    level: str = ""  # empty: the highest
    compiler: str = DEFAULT_COMPILER
    base: str = ""  # the slug of a stage; empty: that which the stage builds on


def quotes(result: str) -> Iterator[Quote]:
    """Each once. A placeholder that cannot be read quotes nothing: filling the note in says what is wrong with it."""
    return iter(dict.fromkeys(_quotes(result)))


def _quotes(result: str) -> Iterator[Quote]:
    try:
        calls = [*jinja2.Environment(autoescape=True).parse(result).find_all(nodes.Call)]
    except jinja2.TemplateSyntaxError:
        return
    for call in calls:
        if (
            isinstance(call.node, nodes.Name)
            and call.node.name in _COMPARING
            and not (call.dyn_args or call.dyn_kwargs)
        ):
            try:
                words = [one.as_const() for one in call.args]
                named = {one.key: one.value.as_const() for one in call.kwargs}
                found = Quote(*words, **named)
            except (nodes.Impossible, TypeError):
                continue
            if all(isinstance(word, str) for word in found):
                yield found if found.compiler else found._replace(compiler=DEFAULT_COMPILER)
