"""The journal of a measurement under way: every finished piece is on disk before the next begins."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import msgspec

from perf_ladders import foreign
from perf_ladders.errors import UserError, code_of
from perf_ladders.machine import identity
from perf_ladders.measure.runner import Plan, Runner
from perf_ladders.measure.unchanged import Unchanged
from perf_ladders.model.measurement import VERSION, Part, Step
from perf_ladders.tree import files
from perf_ladders.tree.case_file import Command
from perf_ladders.tree.paths import shown

T = TypeVar("T")
_MAX_BYTES = 256 * 2**20  # it keeps every slice
_LINE = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Journal:
    """What has been measured so far: a key and its value a line. The name of the file holds a hash of the plan, of the
    programs and of the CPU. So another plan, a program that was compiled again, or another machine with the same disk
    begins a journal of its own. How many rounds there are at most is no part of it: a measurement may go on for more.
    """

    def __init__(
        self,
        stem: Path,
        plan: Plan,
        asked: Sequence[Part] | Sequence[Step],
        runners: Sequence[Runner],
        commands: Sequence[Command] = (),
    ) -> None:
        self._unchanged = Unchanged(runners)  # before they are read
        programs = {runner.id: files.sha256(runner.program.path) for runner in runners}
        for runner in runners if commands else []:
            programs |= {f"{runner.id} {app}": files.sha256(path) for app, path in runner.program.apps.items()}
        endless = [msgspec.structs.replace(one, rounds=1) if isinstance(one, Step) else one for one in asked]
        parts = [VERSION, replace(plan, rounds=0, other_rounds=0), endless, commands, programs]
        self._begin(stem, parts)

    @classmethod
    def of_parts(cls, stem: Path, parts: object) -> Journal:
        """Of a measurement whose programs are no runners: `parts` is all that its values depend on."""
        found = cls.__new__(cls)
        found._unchanged = Unchanged([])
        found._begin(stem, parts)
        return found

    def _begin(self, stem: Path, parts: object) -> None:
        machine = identity.describe()
        cpu = [machine.cpu, machine.family_model_stepping, machine.told_by_features]
        planned = msgspec.json.encode([parts, cpu], order="sorted")
        name = f"{stem.name}.{hashlib.sha256(planned).hexdigest()[:8]}"
        self.path = stem.with_name(f"{name}.journal.jsonl")
        self._finished = stem.with_name(f"{name}.finished.journal.jsonl")
        self._others = f"{stem.name}.*.finished.journal.jsonl"
        self._entries: dict[str, bytes] = {}
        self._read()

    def _read(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            for line in foreign.without_controls(foreign.read(self.path, _MAX_BYTES)).splitlines():
                # But for the line that a power cut left unfinished.
                with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    self._entries.update({key: bytes(value) for key, value in _LINE.decode(line).items()})

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def get(self, key: str, kind: type[T]) -> T:
        """What is known under a key that is there."""
        try:
            return msgspec.json.decode(self._entries[key], type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UserError(
                f"{shown(self.path)} does not fit this version of the scripts ({key}: {error}); to measure again, "
                f"rm {shown(self.path)}"
            ) from None

    def put(self, key: str, value: object) -> None:
        """A UserError where a program was built again meanwhile: its times are of another one."""
        self._unchanged.expect()
        data = msgspec.json.encode(value)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            # The line break comes first: it parts this line from one that was left unfinished.
            file.write(b"\n" + msgspec.json.encode({key: msgspec.Raw(data)}))
            file.flush()
            os.fsync(file.fileno())
        self._entries[key] = data

    def once(self, key: str, measure: Callable[[], T], kind: type[T]) -> T:
        """What is known under `key`, measured now if nothing is."""
        if key not in self:
            self.put(key, measure())
        return self.get(key, kind)

    def delete(self) -> None:
        self.path.unlink(missing_ok=True)

    def finish(self) -> None:
        """Kept, so that the measurement may go on; that of an earlier measurement of the same name goes."""
        for earlier in self.path.parent.glob(self._others):
            earlier.unlink()
        self.path.replace(self._finished)

    def reopen(self) -> None:
        """A finished measurement goes on."""
        if self._finished.exists() and not self.path.exists():
            self._finished.replace(self.path)
            self._read()
        if not self._entries:
            raise UserError(
                "There is no finished measurement of these programs to go on with: make one without --more. A program "
                "that was compiled again, another CPU, or other options begin a new one."
            )


@contextlib.contextmanager
def kept_when_stopped(journal: Journal) -> Iterator[None]:
    """Stopped, or without room on the disk, it says where the finished pieces are."""
    kept = f"All finished pieces are kept in {shown(journal.path)}, and the same command goes on from there."
    try:
        yield
    except KeyboardInterrupt as stop:
        raise UserError(f"Stopped. {kept}", code_of(stop)) from None
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        what = f"{error.strerror}{f': {error.filename}' if error.filename else ''}"
        raise UserError(f"Cannot go on ({what}){': make room' if full else ''}. {kept}") from None
