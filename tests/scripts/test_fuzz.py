"""What is read from a fuzzer, with programs that only say what libFuzzer would."""

from __future__ import annotations

import pytest

from perf_ladders.errors import UserError
from perf_ladders.evidence import fuzzing

_STATS = "stat::number_of_executed_units: 1234"


@pytest.fixture
def said(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzzing, "FOLDER", tmp_path)

    def fuzzed(code, *lines):
        program = tmp_path / "made-00.x86-64-fuzz"
        program.write_text("#!/bin/sh\ncat >&2 <<'END'\n" + "\n".join(lines) + f"\nEND\nexit {code}\n")
        program.chmod(0o755)
        return fuzzing.fuzzed(program, tmp_path / "corpus", 1)

    return fuzzed


def test_nothing_was_found(said, tmp_path):
    one = said(0, "INFO: Seed: 1", "#2 INITED cov: 3", _STATS)
    assert (one.program, one.inputs, one.found, one.input) == ("made-00.x86-64", 1234, "", "")
    sizes = sorted(path.stat().st_size for path in (tmp_path / "corpus").iterdir())
    assert sizes == [*fuzzing._SEEDS], "an empty corpus begins with these"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("wrong: block 3 of 5 is wrong", "wrong: block 3 of 5 is wrong"),
        ("==9==ERROR: AddressSanitizer: heap-buffer-overflow on address", "heap-buffer-overflow"),
        ("stage.cpp:3:4: runtime error: shift exponent 32 is too large", "shift exponent 32"),
        ("==9== ERROR: libFuzzer: timeout after 61 seconds", "timeout after 61 seconds"),
    ],
)
def test_what_was_found_is_named(said, tmp_path, line, found):
    one = said(
        77, "INFO: Seed: 1", line, "==9== ERROR: libFuzzer: deadly signal", f"Test unit written to {tmp_path}/a", _STATS
    )
    assert found in one.found
    assert one.input == f"{tmp_path}/a"


def test_a_fuzzer_that_ends_for_another_reason_is_no_result(said):
    with pytest.raises(UserError, match=r"made-00.x86-64-fuzz ended with exit code 1: .*no such file"):
        said(1, "loading: no such file")
    with pytest.raises(UserError, match="ended with exit code 0"):
        said(0, "INFO: Seed: 1")
