"""The package is divided into rooms: a module imports only from its own room and from those above it."""

from __future__ import annotations

import ast
import sys

import pytest

from perf_ladders import cli
from perf_ladders.tree.paths import ROOT

PACKAGE = ROOT / "scripts" / "perf_ladders"
ORDER = (
    "errors",
    "foreign",
    "tree",
    "model",
    "stats",
    "sequential",
    "machine",
    "measure",
    "evidence",
    "results",
    "pages",
    "workshop",
    "lint_notes",
    "prose",
    "lint",
    "commands",
    "cli",
    "__main__",
)
MAX_LINES = 320
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


def name_of(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def room_of(module):
    return module.split(".")[0]


def imported(path, at_once=False):
    """The modules that it names, however deep in a function; `at_once`: only those that importing it imports."""
    module = ast.parse(path.read_text("utf-8"))
    for node in module.body if at_once else ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_only_from_rooms_above_its_own(path):
    mine = ORDER.index(room_of(name_of(path)))
    for name in imported(path):
        if name.startswith("perf_ladders."):
            other = room_of(name.removeprefix("perf_ladders."))
            assert ORDER.index(other) <= mine, f"{name_of(path)} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_takes_a_second_to_import(path):
    """scipy.stats does. A function that needs it imports it; most commands call none."""
    assert not [name for name in imported(path, at_once=True) if name.startswith("scipy.stats")]


def reached(module, found=None):
    """The modules of the package that importing it imports, itself among them."""
    found = set() if found is None else found
    path = PACKAGE / f"{module.replace('.', '/')}.py"
    if module in found or not path.is_file():
        return found
    found.add(module)
    for name in imported(path, at_once=True):
        inner = name.removeprefix("perf_ladders.")
        for one in (inner, inner.rpartition(".")[0]) if inner != name else ():
            reached(one, found)
    return found


def bare():
    """Modules of the commands that run before there is an environment, such as doctor, setup, tags, plan and help."""
    commands = {f"commands.{one.does.split(':')[0]}" for one in cli.COMMANDS if one.needs in ("", cli.TOOLS)}
    tree = {name_of(path) for path in MODULES if room_of(name_of(path)) == "tree"}
    return sorted(set.union(*map(reached, {"cli", *commands, *tree})))


@pytest.mark.parametrize("module", bare())
def test_what_runs_without_an_environment_needs_the_standard_library_alone(module):
    for name in imported(PACKAGE / f"{module.replace('.', '/')}.py"):
        assert name.split(".")[0] in (*sys.stdlib_module_names, "perf_ladders"), name


def test_the_doctor_is_among_them_with_all_that_it_asks():
    assert {"commands.doctor", "machine.noise", "machine.speed", "tree.build"} <= {*bare()}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_short(path):
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES


def subscripts():
    """Places that index by a string constant: what a type would name is not checked there."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
                continue
            is_type = isinstance(node.value, ast.Name) and node.value.id in ("Literal", "Annotated")
            if isinstance(node.slice.value, str) and not is_type:
                yield f"{name_of(path)}:{node.lineno}"


def test_data_has_types_and_no_string_keys():
    found = [*subscripts()]
    assert len(found) < 60, found
