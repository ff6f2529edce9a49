"""`ladders new-case`: a case that builds, checks itself and is measured, to be changed step by step."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from perf_ladders.errors import UserError
from perf_ladders.tree import catalogue, files, paths
from perf_ladders.tree.paths import shown

_TEMPLATES = Path(__file__).with_name("templates") / "new_case"
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TARGETS = {
    *("all", "clean", "help", "install", "preinstall", "test"),  # of CMake
    *("every-level", "instructions", "machine", "plan", "self-check", "steps"),  # of common/cmake, and of the plan
    "layout-check",  # of reports/results
    *("atlas", "claims", "index", "scoreboard", "techniques"),  # pages
}


def write(name: str, root: Path | None = None) -> list[Path]:
    """Its files; none is changed that is there already."""
    _check(name)
    root = root or paths.ROOT
    words = {"NAME": name, "SPACE": f"{name.replace('-', '_')}_case", "TITLE": name.replace("-", " ").capitalize()}
    made = {}
    for path in sorted(path for path in _TEMPLATES.rglob("*") if path.is_file()):
        place = root / str(path.relative_to(_TEMPLATES)).replace("NAME", name)
        made[place] = re.sub("NAME|SPACE|TITLE", lambda word: words[word[0]], path.read_text("utf-8"))
    if there := [path for path in made if path.exists()]:
        raise UserError(f"{shown(there[0])} exists already: choose another name.")
    try:
        return [files.write(path, text) for path, text in made.items()]
    except BaseException:  # half a case would stop every build, and its name would be taken
        for folder in (root / "stages" / name, root / "tests" / name):
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _check(name: str) -> None:
    folders = (paths.STAGES / name, paths.STAGES.parent / "tests" / name)
    if name in _TARGETS or (name and any(folder.exists() for folder in folders)):
        raise UserError(f"'{name}' is taken already: choose another name.")
    for other in catalogue.case_names():  # a program belongs to the case that its name begins with
        if name.startswith(f"{other}-") or other.startswith(f"{name}-"):
            raise UserError(f"'{name}' and the case '{other}' begin alike: choose another name.")
    if not _NAME.fullmatch(name) or re.search(r"-\d\d$", name):
        raise UserError(
            f"'{name}' is no name for a case: write small letters, digits and hyphens, such as adler32. It must not "
            "end with a hyphen and two digits, as stages do."
        )
