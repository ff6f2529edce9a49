"""Files that other people made: read within limits, so that none fills the memory, writes to a terminal, or says one
thing twice. All readers of such files begin here.
"""

from __future__ import annotations

import json
import lzma
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from perf_ladders.errors import UserError

MAX_BYTES = 32 * 2**20
MAX_UNPACKED = 64 * 2**20
MAX_VALUES = 4_000_000  # of JSON; the largest result that is kept has 570,000
MAX_TEXT = 4 * 2**20  # of a source, a note or a case.toml
# What a terminal obeys, or what turns the direction of a line so that it reads as another one; but for tabs and ends of
# lines.
_OBEYED = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069"
_IN_TEXT = re.compile(f"[{_OBEYED}\ud800-\udfff]")
_BARE = re.compile(rb"\x7f|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")  # these in JSON's UTF-8
# In JSON: one that is escaped, where the backslash is not escaped itself.
_ESCAPED = re.compile(
    rb"(?<!\\)((?:\\\\)*)\\u(?:00(?!09|0a|0d)(?:[01][0-9a-f]|7f|[89][0-9a-f])|20(?:0[ef]|2[89a-e]|6[6-9]))",
    re.IGNORECASE,
)


class _TwiceError(ValueError):
    """A key that an object of JSON has twice."""


def read(path: Path, most: int = MAX_BYTES) -> bytes:
    """A regular file of no more than so many bytes; raises OSError as reading does."""
    if path.is_fifo() or path.is_char_device() or path.is_block_device() or path.is_socket():  # which may never end
        raise UserError(f"{path} is no file.")
    with path.open("rb") as file:
        data = file.read(most + 1)
        if len(data) > most:
            size = max(len(data), path.stat().st_size)
            raise UserError(f"{path} has {size:,} bytes, and none of these files has over {most:,}.")
    return data


def unpacked(data: bytes, path: Path, most: int = MAX_UNPACKED) -> bytes:
    """Of an .xz file; raises LZMAError and EOFError as decompressing does."""
    unpacker = lzma.LZMADecompressor(memlimit=MAX_UNPACKED)
    text = unpacker.decompress(data, max_length=most + 1)
    if len(text) > most:
        raise UserError(f"{path} unpacks to over {most:,} bytes, and none of these files does.")
    if not unpacker.eof:
        raise EOFError("Compressed file ended before the end-of-stream marker was reached")
    if unpacker.unused_data:
        raise lzma.LZMAError("something follows the end of the compressed data")
    return text


def json_text(path: Path, most: int = MAX_BYTES) -> bytes:
    """JSON, as `without_controls` leaves it, in whose objects no key is twice; raises as `read` does. The decoder says
    what is no JSON. Unpacked it has no more bytes than that either."""
    text = unchecked_json(path, most, most)
    expect_keys_once(text, path)
    return text


def unchecked_json(path: Path, most: int = MAX_BYTES, most_unpacked: int = MAX_UNPACKED) -> bytes:
    """As `json_text`, but a key may be there twice."""
    data = read(path, most)
    try:
        text = unpacked(data, path, most_unpacked) if path.suffix == ".xz" else data
    except (lzma.LZMAError, EOFError) as error:
        raise UserError(f"{path} is damaged or truncated ({error}): take another copy of it.") from None
    _expect_few_values(text, path)
    return without_controls(text)


def _expect_few_values(text: bytes, path: Path) -> None:
    """An empty list is three bytes of text, and eighty of memory once it is decoded."""
    if sum(map(text.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise UserError(f"{path} holds over {MAX_VALUES:,} values, and none of these files does.")


def expect_keys_once(text: bytes, path: Path) -> None:
    try:
        json.loads(text, object_pairs_hook=_expect_once, parse_int=len)  # a long integer would end it
    except _TwiceError as twice:
        raise UserError(f"{path} is not valid: an object has the key `{twice}` twice.") from None
    except (ValueError, RecursionError):
        pass


def without_controls(text: bytes) -> bytes:
    """JSON whose texts hold nothing that a terminal would obey. A mark takes the place of each: without it, what was
    left could join to another."""
    if rb"\u" in text:  # to look for a pattern takes long in a measurement
        text = _ESCAPED.sub(rb"\1?", text)
    return text if text.isascii() and b"\x7f" not in text else _BARE.sub(b"?", text)


def _expect_once(pairs: list[tuple[str, None]]) -> None:
    """Of a key that is there twice one reader takes the first value, another the last."""
    if len(dict(pairs)) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _TwiceError(key)


def plain(text: str) -> str:
    """Without what a terminal would obey."""
    return _IN_TEXT.sub("?", text)


def read_text(path: Path) -> str:
    """A text in UTF-8 that holds nothing a terminal would obey; raises OSError as reading does."""
    try:
        return plain(read(path, MAX_TEXT).decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise UserError(f"{path} is no UTF-8 text.") from None


def toml(text: str) -> dict[str, Any]:
    """Of TOML, whose texts may hold escapes; raises TOMLDecodeError."""
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        raise tomllib.TOMLDecodeError("a number has too many digits") from None
    return {plain(key): _plain(value) for key, value in found.items()}


def toml_file(path: Path) -> dict[str, Any]:
    """What a file of TOML holds; raises OSError as reading does."""
    try:
        return toml(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is no TOML: {error}.") from None


def _plain(found: Any) -> Any:
    if isinstance(found, str):
        return plain(found)
    if isinstance(found, list):
        return [_plain(one) for one in found]
    if isinstance(found, dict):
        return {plain(key): _plain(value) for key, value in found.items()}
    return found
