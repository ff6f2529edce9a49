"""What a JSON schema says of something: where it is broken, and why."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema_rs


def wrong(found: Any, schema: Path) -> str | None:
    """Where the first two things are that the schema does not allow, and why; None if there is none. Two, for of a name
    that is written wrongly it says both that it is not known and that another is missing."""
    validator = jsonschema_rs.validator_for(json.loads(schema.read_text("utf-8")), mask="what is there")
    return "; ".join(map(_said, islice(validator.iter_errors(found), 2))) or None


def _said(error: jsonschema_rs.ValidationError) -> str:
    where = "".join(f".{step}" if isinstance(step, str) else f"[{step}]" for step in error.instance_path)
    return f"{where.removeprefix('.') or 'its outermost part'}: {error.message[:200]}"
