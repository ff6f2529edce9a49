"""The trees of tags build and pass their tests: a part of `make proof`, for it builds a case three times."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from test_tags import git, tagged

from perf_ladders.tree import catalogue

__all__ = ["tagged"]  # a fixture

pytestmark = pytest.mark.usefixtures("whole_tree")


def test_trees_build_and_pass_their_tests(tagged, build, tmp_path):
    """The first, a middle and the last one of the case with the fewest stages, at the lowest level that was built.
    A program that a later tree need not build anew has passed its test already."""
    cases = [catalogue.read_case(name) for name in catalogue.case_names()]
    case = min(cases, key=lambda case: len(case.stages))
    level = next(iter(build.flags))
    git(tagged, "worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"))
    tree, folder = tmp_path / "tree", tmp_path / "build"
    configure = [f"-DCMAKE_CXX_COMPILER={build.compiler.command}", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]
    configure += [f"-DPERF_LADDERS_LEVELS={level}", "-DCMAKE_BUILD_TYPE=Release", "-GNinja"]
    passed = {}
    for stage in (case.stages[0], case.stages[len(case.stages) // 2], case.stages[-1]):
        git(tree, "checkout", "--quiet", stage.name)
        run("cmake", "-S", tree, "-B", folder, *configure)
        tests = re.findall(rf"Test +#\d+: ({case.name}\S+)", run("ctest", "--test-dir", folder, "--show-only"))
        names = {test.removesuffix(f".{level}") for test in tests}
        assert {s.name for s in case.stages if s.number <= stage.number} <= names
        assert not {s.name for s in case.stages if s.number > stage.number} & names
        run("cmake", "--build", folder, "--target", *(f"{name}.{level}" for name in names))
        built = {test: (folder / f"{test.removesuffix(f'.{level}')}.{level}").stat().st_mtime_ns for test in tests}
        new = [test for test in tests if built[test] != passed.get(test)]
        wanted = "|".join(map(re.escape, new))
        done = run("ctest", "--test-dir", folder, "--tests-regex", f"^({wanted})$", "--no-tests=error")
        assert f"100% tests passed, 0 tests failed out of {len(new)}" in done
        passed = built


def run(*command):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
