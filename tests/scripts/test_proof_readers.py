"""The readers of foreign files with many more drawn files: a part of `make proof`."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from perf_ladders.model.proof import Told
from perf_ladders.results import proof
from perf_ladders.tree.paths import PROOF, ROOT

EXAMPLES = 1_000


def test_readers_take_or_refuse_many_drawn_files():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/scripts/test_readers.py", "-k"]
    environment = {**os.environ, "PERF_LADDERS_EXAMPLES": str(EXAMPLES)}
    done = subprocess.run(
        [*command, "read or result or hand_in or journal"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    found = re.findall(r"^FAILED .*::(\S+)", done.stdout, re.MULTILINE)
    passed = re.search(r"(\d+) passed", done.stdout)
    tests = int(passed[1]) if passed else 0
    what = f"drawn foreign files, at most {EXAMPLES:,} for each property"
    tried = (tests + len(found)) * EXAMPLES
    proof.write(Told(what=what, tried=tried, found=len(found), details=found, **proof.now()), PROOF / "readers.json")
    assert done.returncode == 0, done.stdout[-2_000:]
