"""Files that other people made: read within limits, so that none of them fills the memory or writes to a terminal."""

from __future__ import annotations

import lzma
import re
from pathlib import Path

from perf_ladders.errors import UserError

MAX_BYTES = 64 * 2**20
MAX_UNPACKED = 512 * 2**20
# In JSON: a control character that is escaped, but for tabs and line breaks; not where the backslash is escaped itself.
_CONTROL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u00(?!09|0a|0d)(?:[01][0-9a-f]|7f|[89][0-9a-f])", re.IGNORECASE)
_BARE = re.compile(rb"[\x7f]|\xc2[\x80-\x9f]")  # those that JSON allows unescaped


def read(path: Path, most: int = MAX_BYTES) -> bytes:
    """A regular file of no more than so many bytes; raises OSError as reading does."""
    if path.is_file() and path.stat().st_size > most:
        raise UserError(f"{path} has {path.stat().st_size:,} bytes, and none of these files has over {most:,}.")
    if path.is_fifo() or path.is_char_device() or path.is_socket():  # which may never end
        raise UserError(f"{path} is no file.")
    return path.read_bytes()


def unpacked(data: bytes, path: Path, most: int = MAX_UNPACKED) -> bytes:
    """Of an .xz file; raises LZMAError and EOFError as decompressing does."""
    unpacker = lzma.LZMADecompressor(memlimit=MAX_UNPACKED)
    text = unpacker.decompress(data, max_length=most + 1)
    if len(text) > most:
        raise UserError(f"{path} unpacks to over {most:,} bytes, and none of these files does.")
    if not unpacker.eof:
        raise EOFError("Compressed file ended before the end-of-stream marker was reached")
    return text


def without_controls(json: bytes) -> bytes:
    """JSON whose texts hold no control characters, which a terminal would obey. A mark takes the place of each: without
    it, what was left could join to another."""
    return _BARE.sub(b"?", _CONTROL.sub(rb"\1?", json))
