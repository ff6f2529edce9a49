"""Stage tags and commit series. Standard library and git alone."""

from __future__ import annotations

import argparse
import sys

from perf_ladders.errors import UserError
from perf_ladders.tree import git_tags


def tags(options: argparse.Namespace) -> None:
    if options.setup and not git_tags.wanted_by_setup():
        return
    made = git_tags.make()
    lectures = sum(ref.name.startswith("lecture/") for ref in made)
    said = (
        f"Tags of stages made: {len(made) - lectures}. Commit series made: {lectures}."
        if made
        else "All tags and commit series are as they should be."
    )
    print(said, file=sys.stderr)


def tags_check(options: argparse.Namespace) -> None:
    wrong = git_tags.wrong()
    for sentence in wrong:
        print(sentence)
    if wrong:
        raise UserError(f"Wrong: {len(wrong)}. make tags makes what is missing or old.", code=1)
    print("All tags are those of this tree.")
