"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, data: str | bytes) -> Path:
    """Aside, then renamed: a full disk or a sudden end leaves the old file. Raises OSError as writing does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return path
