"""A first-time learner's path, in pseudo-terminals of 80 columns: a part of `make proof`, for it builds and measures.

What is wrong fails by its check. What is right interchanges the loops of XTEA, which gains several times the speed, so
that the verdict does not hang on a quiet machine.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest
from conftest import needs

from perf_ladders.tree import catalogue
from perf_ladders.tree.paths import ROOT

_COLUMNS, _LINES = 80, 24
_LIMIT_S = 600  # of one answer, builds included; a busy machine takes its time

pytestmark = [needs("xtea-04"), pytest.mark.skipif(not shutil.which("ninja"), reason="no ninja")]


class Terminal:
    """A command that runs in a pseudo-terminal of its own."""

    def __init__(self, folder, *words):
        self.said = ""
        pid, self.screen = pty.fork()
        if pid == 0:
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as a shell leaves it; Python ignores it
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))
            os.chdir(folder)
            kept = {key: value for key, value in os.environ.items() if not re.match(r"COLUMNS|LINES|MAKE|PYTEST", key)}
            os.execvpe(words[0], words, {**kept, "TERM": "xterm"})  # noqa: S606 - as a shell does
        self.pid = pid

    def read(self, seconds):
        """False where the command has ended."""
        if not select.select([self.screen], [], [], seconds)[0]:
            return True
        try:
            got = os.read(self.screen, 1 << 16)
        except OSError:  # the other end is closed
            return False
        self.said += got.decode("utf-8", "replace")
        return bool(got)

    @property
    def text(self):
        """All of it, without what moves the cursor or sets colours, and without the ^C that the terminal echoes."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\^C", "", self.said)

    @property
    def now(self):
        """What stands on the screen since it was last cleared."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", re.split(r"\x1b\[2J", self.said)[-1])

    def wait_for(self, *words):
        """Until all of them stand on the screen."""
        end = time.monotonic() + _LIMIT_S
        while not all(word in self.now for word in words):
            assert self.read(0.5), f"it ended without {words}:\n{self.text}"
            assert time.monotonic() < end, f"it did not say {words}:\n{self.text}"

    def type(self, keys):
        os.write(self.screen, keys)

    def end(self):
        """Its exit code, once all has been read."""
        end = time.monotonic() + _LIMIT_S
        while self.read(0.5):
            assert time.monotonic() < end, self.text
        os.close(self.screen)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    @property
    def too_wide(self):
        return [line for line in re.split(r"[\r\n]+", self.text) if len(line) > _COLUMNS]


@pytest.fixture
def clone(tmp_path):
    """A tree of its own with XTEA alone: nothing happens to a learner's files, and no other measurement holds it up."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    ).stdout.splitlines()
    for name in listed:
        parts = Path(name).parts
        other_case = parts[0] in ("stages", "tests") and len(parts) > 2 and parts[1] not in ("xtea", "scripts")
        if other_case or parts[0] in ("reports", "exercise") or not (ROOT / name).is_file():
            continue
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    alone = tmp_path / "scripts/perf_ladders/machine/alone.py"
    text = alone.read_text("utf-8")
    assert text.count('SYSTEM / "tmp"') == 1
    alone.write_text(text.replace('SYSTEM / "tmp"', f"Path({str(tmp_path)!r})"), "utf-8")
    return tmp_path


def made(clone, *words, code=0):
    """What a command says that ends by itself."""
    terminal = Terminal(clone, "make", *words)
    ended = terminal.end()
    assert ended == code, terminal.text
    assert not terminal.too_wide
    assert "make: ***" not in terminal.text
    return " ".join(terminal.text.split())


def test_the_path_of_a_learner(clone):
    xtea = catalogue.read_case("xtea")
    text = xtea.stage("04").source.read_text("utf-8")
    answer = "// Mine\n" + text[text.index("#include") :]
    file = clone / "exercise/xtea/stage.cpp"
    wrong = answer.replace("right += mix(left) ^ (next_sum", "right += mix(left) ^ (sum", 1)
    assert wrong != answer

    said = made(clone, "exercise", "CASE=xtea", "STEP=4", "WHO=Ada")
    assert "XTEA, step 04" in said
    assert "Loop interchange What does the core wait for?" in said
    assert "To pass: every check passes, and a call takes at least 1 % less time than with xtea-02." in said

    assert "xtea-02" in file.read_text("utf-8").splitlines()[0]
    file.write_text(wrong, "utf-8")
    watch = Terminal(clone, "make", "watch")
    watch.wait_for("WRONG", "encrypt, ", "make hint (0 of 3 seen)")
    assert "Bounds" not in watch.now
    assert "hint 1 of 3: Where to look" in made(clone, "hint")
    watch.wait_for("WRONG", "make hint (1 of 3 seen)")
    file.write_text(answer, "utf-8")
    watch.wait_for("CORRECT", "PASSED make next goes on")
    assert "message-decrypt: yours is" in watch.now
    watch.type(b"\x03")
    watch.wait_for("Stopped. To go on, type: make watch")
    assert watch.end() in (0, -signal.SIGINT)  # which the terminal sends to make, too
    assert not watch.too_wide

    said = made(clone, "next")
    following = next(stage for stage in xtea.main_path if stage.number > "04")
    assert f"XTEA, step {following.number}" in said
    assert following.notes.title in said
    file.write_text(wrong, "utf-8")
    said = made(clone, "watch", "ONCE=1", code=1)
    assert "WRONG" in said
    assert said.endswith("This file does not pass the step.")
    assert f"is as step {following.number} began." in made(clone, "reset")
    assert wrong in [path.read_text("utf-8") for path in (clone / "exercise/xtea/set-aside").iterdir()]
    assert file.read_text("utf-8").startswith("// Mine")
