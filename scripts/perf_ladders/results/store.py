"""Measurement files: read, written once, found. What they hold is raw; `analysis` says what follows from it."""

from __future__ import annotations

import hashlib
import lzma
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from perf_ladders import foreign
from perf_ladders.errors import UserError
from perf_ladders.machine import identity
from perf_ladders.model.instruction_times import INSTRUCTIONS_FORMAT, InstructionTimes
from perf_ladders.model.java import JAVA_FORMAT, JavaMeasurement
from perf_ladders.model.layout_check import LAYOUT_FORMAT, LayoutCheck
from perf_ladders.model.measurement import FORMAT, VERSION, Measurement
from perf_ladders.model.record import Record
from perf_ladders.model.self_check import SELF_CHECK_FORMAT, SelfCheck
from perf_ladders.results.validate import date_misfit, java_misfit, misfit, self_check_misfit
from perf_ladders.tree import files
from perf_ladders.tree.paths import RESULTS, shown

T = TypeVar("T", Measurement, SelfCheck, LayoutCheck, InstructionTimes, JavaMeasurement)
S = TypeVar("S", bound=msgspec.Struct)
Kept = Measurement | SelfCheck | LayoutCheck  # of compiled programs
Published = Kept | InstructionTimes | JavaMeasurement
SELF_CHECK, LAYOUT_CHECK = "self-check", "layout-check"
MACHINE = "machine"
IN_JOURNAL = "The journal still holds the times."
JAVA = "java"  # the folder of measurements by case


class _Head(msgspec.Struct):
    format: str = ""
    version: Annotated[int, msgspec.Meta(ge=0, le=9_999)] = 0


def save(value: Record, path: Path, otherwise: str = "") -> Path:
    """As JSON, compressed where the name ends in .xz. The file is there as a whole or not at all. `otherwise`: what
    then still holds the values, in a sentence."""
    data = msgspec.json.encode(value)
    try:
        return files.write(path, lzma.compress(data) if path.suffix == ".xz" else data)
    except OSError as error:
        raise UserError(f"Cannot write {shown(path)} ({error.strerror}). {otherwise}".rstrip()) from None


def expect_place(path: Path) -> Path:
    """Asked before minutes are spent on what has no journal: whether a file can be written there."""
    try:
        folder = files.replaceable(path).parent
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return path
    except OSError as error:
        raise UserError(f"Cannot write {shown(path)} ({error.strerror}).") from None


def load(path: Path, text: bytes | None = None) -> Measurement:
    """`text`, here and below: what the file holds, where it has been read already."""
    return _read(path, text, Measurement, FORMAT, "make report", misfit)


def load_self_check(path: Path, text: bytes | None = None) -> SelfCheck:
    return _read(path, text, SelfCheck, SELF_CHECK_FORMAT, "make self-check", self_check_misfit)


def load_layout_check(path: Path, text: bytes | None = None) -> LayoutCheck:
    return _read(path, text, LayoutCheck, LAYOUT_FORMAT, "make layout-check", date_misfit)


def load_instructions(path: Path, text: bytes | None = None) -> InstructionTimes:
    return _read(path, text, InstructionTimes, INSTRUCTIONS_FORMAT, "make machine", date_misfit)


def load_java(path: Path, text: bytes | None = None) -> JavaMeasurement:
    return _read(path, text, JavaMeasurement, JAVA_FORMAT, "make claims-java", java_misfit)


def load_any(path: Path) -> Published:
    """By what the file says that it is."""
    text = _text(path, "make report")
    head = _head(path, text, "make report")
    if head.format == INSTRUCTIONS_FORMAT:
        return load_instructions(path, text)
    if head.format == JAVA_FORMAT:
        return load_java(path, text)
    if head.format == LAYOUT_FORMAT:
        return load_layout_check(path, text)
    return load_self_check(path, text) if head.format == SELF_CHECK_FORMAT else load(path, text)


def name(value: Published) -> str:
    """<date>-<cpu>-<id>.json.xz: two measurements never share a name."""
    cpu = re.sub(r"[^a-z0-9]+", "-", identity.short_name(value.machine).lower()).strip("-")
    digest = hashlib.sha256(msgspec.json.encode(value)).hexdigest()[:8]
    return f"{value.made.date[:10]}-{cpu}-{digest}.json.xz"


def place(value: Published) -> Path:
    """Where a measurement is kept in the repository."""
    if isinstance(value, Measurement):
        return RESULTS / value.case / name(value)
    if isinstance(value, JavaMeasurement):
        return RESULTS / JAVA / value.case / name(value)
    folders = {SelfCheck: SELF_CHECK, LayoutCheck: LAYOUT_CHECK, InstructionTimes: MACHINE}
    return RESULTS / folders[type(value)] / name(value)


def paths(case: str, folder: Path | None = None) -> list[Path]:
    """Its measurements by their names: by day, then by CPU. Of the repository where no folder is named."""
    return sorted(((folder or RESULTS) / case).glob("*.json.xz"))


def newest_first(case: str, load_one: Callable[[Path], T]) -> list[T]:
    """The measurements in the repository. The name of a file has the day alone, so it puts none of one day before
    another."""
    return sorted(map(load_one, paths(case)), key=lambda one: one.made.date, reverse=True)


def _read(
    path: Path,
    text: bytes | None,
    kind: type[T],
    form: str,
    maker: str,
    misfit_of: Callable[[T], str | None],
) -> T:
    text = _text(path, maker) if text is None else text
    head = _head(path, text, maker)
    if head.format != form:
        raise UserError(f"{shown(path)} is JSON, but not a {form}: `{maker}` writes one.")
    if head.version != VERSION:
        raise UserError(
            f"{shown(path)} has version {head.version}, and this program reads version {VERSION}: measure again with "
            f"`{maker}`, or check out the commit that made the file."
        )
    found = _decoded(path, text, kind, f"is not a valid {form}", maker)
    if msgspec.json.encode(found) != text:  # a file of `save` has no key twice, and looking takes long
        foreign.expect_keys_once(text, path)
    if why := misfit_of(found):
        raise _refusal(path, f"is not a valid {form}", why, maker)
    return found


def _head(path: Path, text: bytes, maker: str) -> _Head:
    return _decoded(path, text, _Head, "is damaged or truncated", maker)


def _text(path: Path, maker: str) -> bytes:
    try:
        return foreign.unchecked_json(path)
    except FileNotFoundError:
        raise UserError(f"There is no {shown(path)}: `{maker}` writes one to reports/local.") from None
    except OSError as error:
        raise UserError(f"Cannot read {shown(path)} ({error.strerror}).") from None


def _decoded(path: Path, text: bytes, kind: type[S], what: str, maker: str) -> S:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _refusal(path, what, sentence(error), maker) from None


def _refusal(path: Path, what: str, why: str, maker: str) -> UserError:
    return UserError(f"{shown(path)} {what} ({why}): take another copy of it, or measure again with `{maker}`.")


def sentence(error: Exception) -> str:
    """blocks[0].number: expected `int`, got `str`"""
    said, _, where = str(error).partition(" - at `$")
    where = where.rstrip("`").lstrip(".")
    return f"{where}: {said[:1].lower()}{said[1:]}" if where else said
