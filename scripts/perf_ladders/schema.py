"""What a JSON schema says of something: where it is broken, and why."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema_rs

_DIGITS = 20  # what 64 bits hold, with a sign


def parse(text: str | bytes) -> Any:
    """JSON whose numbers can be reckoned with; a ValueError says what is wrong."""
    try:
        return json.loads(text, parse_int=_integer, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"a number has {len(digits)} digits")
    return int(digits)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def wrong(found: Any, schema: Path) -> str | None:
    """Where the first two things are that the schema does not allow, and why; None if there is none. Two, for of a name
    that is written wrongly it says both that it is not known and that another is missing."""
    validator = jsonschema_rs.validator_for(json.loads(schema.read_text("utf-8")), mask="what is there")
    try:
        return "; ".join(map(_said, islice(validator.iter_errors(found), 2))) or None
    except ValueError as error:  # of the bindings, which go less deep than Python does
        return f"its outermost part: {error}"


def _said(error: jsonschema_rs.ValidationError) -> str:
    where = "".join(f".{step}" if isinstance(step, str) else f"[{step}]" for step in error.instance_path)
    return f"{where.removeprefix('.') or 'its outermost part'}: {error.message[:200]}"
