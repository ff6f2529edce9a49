"""What is written to a terminal, and to what is none."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace

from perf_ladders import cli, exercise, terminal

PROSE = "Say `code`.\n\n```cpp\nint values[2];\nif (true) {\n  done();\n}\n```\n"


def test_code_stands_as_it_is_typed():
    out = io.StringIO()
    terminal.show_prose(PROSE, terminal.output(file=out, width=40))
    assert "\nint values[2];\nif (true) {\n  done();\n}\n" in out.getvalue()


def test_code_that_is_wider_than_the_terminal_is_folded():
    """Where nothing of it is lost: the end of a line may be the hint."""
    out = io.StringIO()
    line = "  for (int i = /* from where? */; /* as long as what holds? */; /* how on? */) {"
    terminal.show_prose(f"```cpp\n{line}\n```\n", terminal.output(file=out, width=40))
    lines = out.getvalue().strip("\n").splitlines()
    assert all(len(one) <= 40 for one in lines)
    assert lines[1].startswith("      ")
    assert " ".join(out.getvalue().split()) == " ".join(line.split())


def test_code_has_the_background_of_the_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = io.StringIO()
    terminal.show_prose(PROSE, terminal.output(file=out, width=40, force_terminal=True))
    codes = {number for found in re.findall(r"\x1b\[([\d;]+)m", out.getvalue()) for number in found.split(";")}
    assert codes == {"0", "1", "36"}


def test_no_color_is_plain_text(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    out = io.StringIO()
    console = terminal.output(file=out, force_terminal=True)
    console.print("Heading", style="bold red")
    terminal.show_prose(PROSE, console)
    assert "Heading" in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_a_hint_and_its_heading_go_to_the_same_place(monkeypatch, capsys):
    begun = SimpleNamespace(
        record={"hints": 0, "asked": 0}, finished=False, rung=SimpleNamespace(name="xtea-04"), hint=lambda: (1, "Look.")
    )
    monkeypatch.setattr(exercise, "current", lambda **_: begun)
    assert cli.main(["hint"]) == 0
    told = capsys.readouterr()
    assert re.match(r"xtea-04, hint 1 of 3: .*\n\nLook\.", told.out)
    assert told.err == ""
