"""How proofs count the checks of a case: what was not built is no check that was skipped."""

from __future__ import annotations

from pathlib import Path

import checked_cases

ENDED = """<testsuite name="(empty)" tests="4">
	<testcase name="xtea-00.novec" classname="xtea-00.novec" time="0.1" status="run">
		<system-out>GTEST_SKIP &lt;skipped message="x"</system-out>
	</testcase>
	<testcase name="xtea-16.novec" classname="xtea-16.novec" time="0.1" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
	</testcase>
	<testcase name="xtea-00-big.novec" classname="xtea-00-big.novec" time="0" status="notrun">
		<skipped message="Unable to find executable"/>
	</testcase>
	<testcase name="xtea-mutant-a" classname="xtea-mutant-a" time="0.1" status="fail">
		<failure message=""/>
	</testcase>
</testsuite>
"""


def test_what_was_not_built_has_failed(monkeypatch):
    built = []
    monkeypatch.setattr(checked_cases, "build_targets", lambda preset, targets: built.append((preset, targets)))
    monkeypatch.setattr(
        checked_cases.subprocess, "run", lambda command, **_: Path(command[-1]).write_text(ENDED, "utf-8")
    )
    found = checked_cases.checked("xtea", "aarch64")
    assert built == [("aarch64", ["xtea-tests"])], "mutants and other standards, too"
    assert (found.passed, found.skipped) == (1, ["xtea-16.novec"])
    assert found.failed == ["xtea-00-big.novec: Unable to find executable", "xtea-mutant-a"]
