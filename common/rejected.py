"""rejected.py PROGRAM...: succeeds if the mutant's own check ends with exit code 1, neither 0 nor a crash."""

import subprocess
import sys
from pathlib import Path

if not Path(sys.argv[-1]).is_file():  # an emulator, too, ends with exit code 1 then
    sys.exit("The mutant was not built.")
try:
    done = subprocess.run(
        [*sys.argv[1:], "check", "--gtest_brief=1", "--gtest_fail_fast"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
except OSError as error:
    sys.exit(f"The mutant was not started: {error}.")
if done.returncode == 0:
    sys.exit("The mutant passes all checks: the case lacks a test that sees what is wrong with it.")
if done.returncode != 1:
    print(done.stdout.decode(errors="replace"))
    sys.exit(
        f"The mutant was not rejected by a test, but ended with {done.returncode}: let a test with guard pages come "
        "before the one in which it dies."
    )
