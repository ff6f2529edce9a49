"""Both faces: one grammar, whose words are checked before anything runs."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import needs

from perf_ladders import cli
from perf_ladders.commands import build
from perf_ladders.commands.grammar import Grammar
from perf_ladders.errors import UserError
from perf_ladders.machine import configure
from perf_ladders.tree import catalogue, paths
from perf_ladders.tree.paths import ROOT
from perf_ladders.workshop import building


def run(command, **environment):
    return subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def parsed(*words):
    """What `make` with these words asks for: a command's name and what it was given."""
    return [
        (
            command.name,
            {key: value for key, value in vars(options).items() if value and key not in ("command", "grammar")},
        )
        for command, options in Grammar(cli.COMMANDS, from_make=True).lines(words)
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["reprot"], "Did you mean `report`?"),
        (["report", "xtea"], "Did you mean `make report CASE=xtea`?"),
        (["report", "CSE=xtea"], "Did you mean `CASE`?"),
        (["report", "CASE=des"], "There is no case 'des'. There are: xtea "),
        (["report", "CASE=slasa20"], "Did you mean `salsa20`?"),
        (["report", "LEVEL=v3"], "There is no level 'v3'. There are: novec "),
        (["report", "LEVEL=x86-64-v5"], "Did you mean `x86-64-v4`?"),
        (["report", "ROUNDS=many"], "ROUNDS takes a number from 1 to 9999, not 'many'"),
        (["report", "ROUNDS=0"], "ROUNDS takes a number from 1 to 9999, not '0'"),
        (["report", "QUICK=0"], "leave QUICK out"),
        (["report", "PRESET=sanitize"], "its times mean nothing"),
        (["self-check", "PRESET=sanitize"], "its times mean nothing"),
        (["report", "PRESET=aarch64"], "its times mean nothing"),
        (["self-check", "PRESET=gcc clang"], "Name one PRESET"),
        (["self-check", "CASE=xtea"], "takes PRESET QUICK"),
        (["test", "PRESET=msvc"], "There is no preset 'msvc'. There are: gcc clang "),
        (["test", "PRESET=sanitise"], "Did you mean `sanitize`?"),
        (["run-stage"], "Name one stage: make run-stage 4, or make run-stage xtea-04."),
        (["run-stage", "3", "4"], "Name one stage"),
        (["run-stage", "xtea-99"], "There is no stage 'xtea-99'."),
        (["run-stage", "xtea-99"], "There are: xtea-00 "),
        (["run-stage", "sha3-99"], "There are: sha3-00"),
        (["diff-stage", "json"], "There are: json-00"),
        (["run-stage", "sah3-00"], "Did you mean `sha3-00`?"),
        (["diff-stage", "99"], "There is no stage '99'"),
        (["diff-stage", "0", "CASE=all"], "There is no case 'all'"),
        (["run-stage", "0", "QUICK=1"], "QUICK is no option of `make run-stage`"),
        (["diff-stage", "99", "CASE=sha3"], "There are: sha3-00"),
        (["sha3-00"], "Did you mean `make run-stage sha3-00`?"),
        pytest.param(["xtea-04"], "Did you mean `make run-stage xtea-04`?", marks=needs("xtea-04")),
        pytest.param(["4"], "Did you mean `make run-stage 4`?", marks=needs("xtea-04")),
        (["report", "case=xtea"], "Did you mean `CASE`?"),
        (["hint", "CASE=salsa20"], "CASE is no option of `make hint`, which takes no option. It belongs to: "),
        (["watch", "LEVEL=x86-64"], "LEVEL is no option of `make watch`, which takes ONCE LOOKED ROUNDS."),
        (["exercise", "STEP=99"], "There is no stage '99'"),
        (["fuzz", "CASE=all", "STEP=4"], "A step is of one case: name it alone, as in `make fuzz STEP=xtea-04`."),
        (["exercise", "PRESET=gcc clang"], "Name one PRESET"),
        (["exercise", "PRESET=sanitize"], "its times mean nothing"),
    ],
)
def test_a_wrong_word_is_told_what_exists(words, sentence):
    with pytest.raises(UserError, match=re.escape(sentence)) as caught:
        parsed(*words)
    assert caught.value.code == 2
    assert "\n" not in str(caught.value)


def test_the_whole_way_of_a_mistyped_word():
    """Through make, which adds a line of its own, and through the launcher."""
    for face in (["make", "--no-print-directory"], ["./ladders"]):
        done = run([*face, "reprot"])
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("There is no 'reprot'. Did you mean `report`?")
    done = run(["./ladders", "run-stage", "4", "--prest", "gcc"])
    assert done.returncode == 2
    assert "There is no option '--prest'. Did you mean `--preset`?" in done.stderr


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"buildPresets": [1]}', "[" * 5_000, b"\xff"])
def test_presets_that_cannot_be_read_are_named(tmp_path, monkeypatch, text):
    monkeypatch.setattr(configure, "PRESETS", tmp_path / "CMakePresets.json")
    configure.PRESETS.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UserError, match=r"CMakePresets\.json has no list of build presets"):
        parsed("build", "PRESET=clang")


def test_a_case_without_case_toml_is_told_so(tmp_path, monkeypatch):
    for module in (paths, catalogue):
        monkeypatch.setattr(module, "STAGES", tmp_path / "stages")
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    (tmp_path / "stages/md5/00-reference").mkdir(parents=True)
    (tmp_path / "stages/md5/00-reference/stage.cpp").touch()
    (tmp_path / "stages/xtea").mkdir()
    (tmp_path / "stages/xtea/case.toml").touch()
    for words in (["build", "CASE=md5"], ["run-stage", "md5-00"]):
        with pytest.raises(UserError, match=r"stages/md5/case.toml is missing"):
            parsed(*words)


def test_a_backslash_keeps_a_space_in_a_name():
    words = {"result": [Path("Ada Lovelace.json"), Path("O'Brien.json")]}
    assert parsed("scoreboard", r"FILES=Ada\ Lovelace.json O'Brien.json") == [("scoreboard", words)]
    assert parsed("publish", "RESULT=my file.json.xz") == [("publish", {"result": Path("my file.json.xz")})]


@needs("xtea-04")
@pytest.mark.parametrize("word", ["4", "04", "xtea-04", "xtea-4", "interchange", "xtea-interchange"])
def test_a_stage_by_number_or_name(word):
    assert parsed("run-stage", word) == [("run-stage", {"stage": "xtea-04"})]


def test_a_stage_before_and_after_options():
    for words in (["sha3-00", "--level", "x86-64"], ["--level", "x86-64", "sha3-00"]):
        ((_, options),) = Grammar(cli.COMMANDS).lines(["run-stage", *words])
        assert (options.stage, options.level) == ("sha3-00", ["x86-64"])


@pytest.mark.parametrize(
    "words", [["sha3-00"], ["sha3-0"], ["0", "CASE=sha3"], ["00", "CASE=sha3"], ["sha3-00", "CASE=xtea"]]
)
@pytest.mark.parametrize("verb", ["run-stage", "diff-stage", "profile"])
def test_a_stage_of_another_case(verb, words):
    ((name, given),) = parsed(verb, *words)
    assert (name, given["stage"]) == (verb, "sha3-00")


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ([], [("help", {})]),
        (["report"], [("report", {})]),
        (
            ["report", "CASE=sha3", "PRESET=gcc clang", "ROUNDS=30", "QUICK=1"],
            [("report", {"case": "sha3", "preset": ["gcc", "clang"], "rounds": 30, "quick": True})],
        ),
        (["test", "CASE=xtea", "PRESET=sanitize"], [("test", {"case": "xtea", "preset": ["sanitize"]})]),
        (["clean", "build", "CASE=xtea"], [("clean", {}), ("build", {"case": "xtea"})]),
        (["self-check", "PRESET=clang", "QUICK=1"], [("self-check", {"preset": "clang", "quick": True})]),
        (["watch", "ONCE=1"], [("watch", {"once": True})]),
        (["kit", "PRESET=gcc clang"], [("kit", {"preset": ["gcc", "clang"]})]),
        (["exercise", "WHO=Ada $Lovelace's"], [("exercise", {"who": "Ada $Lovelace's"})]),
        (["exercise", "WHO=-a=b"], [("exercise", {"who": "-a=b"})]),
        (["kit", "OUT=/media/USB STICK/a.tar"], [("kit", {"out": Path("/media/USB STICK/a.tar")})]),
        (["exercise", "CASE=", "WHO=Ada"], [("exercise", {"who": "Ada"})]),
    ],
)
def test_the_words_of_make(words, lines):
    assert parsed(*words) == lines


def test_files_and_stages_are_lists():
    ((name, given),) = parsed("report", "MERGE=a.json b.json")
    assert (name, [path.name for path in given["result"]]) == ("merge", ["a.json", "b.json"])
    ((_, given),) = parsed("scoreboard", "FILES=ada.json bob.json")
    assert [path.name for path in given["result"]] == ["ada.json", "bob.json"]
    assert parsed("slides", "STAGES=0 1 4") == [("slides", {"stage": ["0", "1", "4"]})]


def test_make_hands_on_what_was_typed():
    done = run(["make", "--dry-run", "exercise", "STEP=4", "WHO=Ada $Lovelace's"])
    assert re.search(r"\./ladders --make exercise\s+(\\\s+)?", done.stdout)
    assert "'STEP=4'" in done.stdout
    assert r"'WHO=Ada $Lovelace'\''s'" in done.stdout
    done = run(["make", "--dry-run", "clean", "build"])
    assert done.stdout.count("ladders --make clean build") == 1


def test_make_takes_no_word_from_the_environment():
    assert "nonsense" not in run(["make", "--dry-run", "build"], CASE="nonsense").stdout


def targets(*words):
    ((_, options),) = Grammar(cli.COMMANDS, from_make=True).lines(words)
    return build._targets(options)


def test_one_case_is_built_where_the_words_name_one():
    """What is only checked, such as mutants, is built by commands that check."""
    assert targets("test") == []
    assert targets("build") == targets("proof") == ["all", *(f"{name}-tests" for name in catalogue.case_names())]
    assert targets("report", "CASE=all") == catalogue.case_names()
    assert targets("build", "CASE=xtea") == targets("test", "CASE=xtea") == ["xtea-tests"]
    assert targets("report") == ["xtea"]
    assert targets("run-stage", "sha3-00", "CASE=xtea") == targets("profile", "sha3-00") == ["sha3-00"]
    assert targets("self-check") == ["self-check"]


def test_every_command_is_there_and_has_help():
    names = [command.name for command in cli.COMMANDS]
    assert len({*names}) == len(names)
    for command in cli.COMMANDS:
        assert callable(cli._function(command.does)), command.name
    done = run(["./ladders", "help"])
    assert all(f"\n  {name} " in done.stdout for name in names)
    assert max(map(len, done.stdout.splitlines())) <= 80
    for words in (["report", "--help"], ["help", "report"], ["--make", "help", "tags", "report"]):
        done = run(["./ladders", *words])
        assert done.returncode == 0
        assert "--rounds" in done.stdout


@pytest.mark.parametrize(
    ("name", "without"),
    [
        *((name, "all cases") for name in ("fuzz", "constant-time", "mutation-score", "claims-java", "test", "build")),
        *((name, "xtea") for name in ("exercise", "exercise-check", "slides", "words")),
        ("report", "xtea, with few rounds"),
        ("run-stage", "that of the stage, or xtea"),
    ],
)
def test_help_says_which_case_a_command_takes_without_one(name, without):
    assert catalogue.case_names()[0] == "xtea"
    grammar_of = Grammar(cli.COMMANDS)
    text = grammar_of.parser(grammar_of.command(name)).format_help()
    assert f"(without --case: {without})" in " ".join(text.split())


BARE = ("doctor", "clean", "setup", "tags", "plan")


@pytest.mark.parametrize("words", [["help"], *([name, "--help"] for name in BARE), ["reprot"]])
def test_words_need_the_standard_library_alone(words):
    """Without the packages of an environment, and with the module of the command."""
    begin = "import sys; sys.path.insert(0, 'scripts'); from perf_ladders import cli; "
    load = "[cli._function(one.does) for one in cli.COMMANDS if one.name == sys.argv[1]]; "
    done = run([sys.executable, "-I", "-S", "-c", f"{begin}{load}sys.exit(cli.main(sys.argv[1:]))", *words])
    assert done.returncode == (2 if words == ["reprot"] else 0), done.stderr
    assert "Traceback" not in done.stderr


def test_an_error_of_the_system_without_a_name_is_told(capsys, tmp_path):
    """SameFileError has a sentence in place of a number and its meaning."""
    file = tmp_path / "file"
    file.touch()
    assert cli.ending_well(lambda: shutil.copy(file, file)) == 2
    assert "are the same file" in capsys.readouterr().err


def test_words_are_completed():
    pytest.importorskip("argcomplete")
    done = run(
        ["bash", "-c", 'exec 8>&1 9>&2; "$0" -m perf_ladders 8>&1 >/dev/null', sys.executable],
        PYTHONPATH="scripts",
        _ARGCOMPLETE="1",
        _ARGCOMPLETE_IFS="\n",
        COMP_LINE="ladders report --case sa",
        COMP_POINT="24",
    )
    assert done.stdout.strip() == "salsa20"
    assert "complete" in run(["./ladders", "completion", "bash"]).stdout


# --- CMake, as build.py runs it ---


@pytest.fixture
def cmake(tmp_path, monkeypatch):
    """A cmake that says what a test puts into `says`, and fails where `fails` is there; `calls` has its words."""
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin/cmake"
    script.write_text(
        f'#!/bin/sh\necho "$*" >> {tmp_path}/calls\ncase $1 in --build) exit 0 ;; esac\n'
        f"cat {tmp_path}/says 2>/dev/null\nif [ -e {tmp_path}/fails ]; then exit 1; fi\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "_BUILD", tmp_path / "build")
    return tmp_path


def test_building_configures_and_says_what_is_left_out(cmake, capsys):
    (cmake / "says").write_text("-- Not built: x86-64-v4\n-- Left out: xtea-03: TBB is not installed\n-- Done\n")
    build.build_targets("gcc", ["xtea"])
    assert (cmake / "calls").read_text().splitlines() == ["--preset gcc", "--build --preset gcc --target xtea"]
    shown = capsys.readouterr()
    assert shown.out == "", "that is for what a command prints, such as JSON"
    assert shown.err.splitlines() == [
        "Not built: x86-64-v4 (./ladders doctor)",
        "Left out: xtea-03: TBB is not installed",
        "Building with preset gcc ...",
    ]


def test_an_error_of_cmake_is_one_sentence(cmake):
    (cmake / "fails").touch()
    (cmake / "says").write_text(
        "-- Checking\nCMake Error at CMakeLists.txt:7 (message):\n  stages/xtea/90-mine: there is no\n  level v5.\n"
        "Call Stack (most recent call first):\n  CMakeLists.txt:1 (include)\n\n-- Configuring incomplete\n"
    )
    with pytest.raises(UserError) as caught:
        build.build_targets("gcc", [])
    assert str(caught.value).startswith("stages/xtea/90-mine: there is no level v5. (all that CMake says: ")
    (cmake / "says").write_text("No CMAKE_CXX_COMPILER\n")
    with pytest.raises(UserError, match="No CMAKE_CXX_COMPILER"):
        build.build_targets("gcc", [])


@pytest.mark.parametrize(
    "asked", [lambda: build.build_targets("gcc", []), lambda: building.configure("gcc")], ids=["build", "watch"]
)
def test_what_cmake_started_does_not_outlive_a_signal(cmake, monkeypatch, stopping, asked):
    monkeypatch.setattr(building, "ROOT", cmake)
    (cmake / "bin/cmake").write_text(f"#!/bin/sh\n{stopping}\n")
    with pytest.raises(KeyboardInterrupt):
        asked()


def test_what_ctest_started_does_not_outlive_a_signal(cmake, stopping):
    (cmake / "bin/ctest").write_text(f"#!/bin/sh\n{stopping}\n")
    (cmake / "bin/ctest").chmod(0o755)
    ((_, options),) = Grammar(cli.COMMANDS).lines(["test"])
    with pytest.raises(KeyboardInterrupt):
        build.test(options)


def test_a_compiler_at_another_place_begins_afresh(cmake):
    (cmake / "says").write_text("You have changed variables that require your cache to be deleted.\n")
    build.build_targets("gcc", [])
    assert (cmake / "calls").read_text().splitlines()[:2] == ["--preset gcc", "--fresh --preset gcc"]


def test_ctest_runs_the_tests_of_one_case_by_its_label(monkeypatch):
    started = []
    done = subprocess.CompletedProcess([], 0)
    monkeypatch.setattr(build.subprocess, "run", lambda command, **_: started.append(command) or done)
    monkeypatch.setattr("perf_ladders.commands.words.check", lambda case, preset: started.append([case, preset]))
    for words in (["test"], ["test", "CASE=xtea", "PRESET=gcc clang"], ["proof", "CASE=all"]):
        ((_, options),) = Grammar(cli.COMMANDS, from_make=True).lines(words)
        build.test(options)
    assert [" ".join(command) for command in started] == [
        "ctest --preset gcc --label-exclude ^(proof|variant|other-core|standard|mutant|lower-level)$",
        "xtea gcc",
        "ctest --preset gcc --label-regex ^xtea$ --label-exclude ^(proof|variant)$",
        "ctest --preset clang --label-regex ^xtea$ --label-exclude ^(proof|variant)$",
        "ctest --preset gcc",
    ]


def test_failing_tests_end_with_1(monkeypatch):
    monkeypatch.setattr(build.subprocess, "run", lambda command, **_: subprocess.CompletedProcess([], 8))
    ((_, options),) = Grammar(cli.COMMANDS).lines(["test"])
    with pytest.raises(UserError) as caught:
        build.test(options)
    assert caught.value.code == 1


@pytest.mark.parametrize("words", ["build", "clean", "doctor", "exercise --step 4", "fuzz --step 4", "run-stage 4"])
def test_without_the_repository_a_sentence_says_so(tmp_path, monkeypatch, words):
    """Before anything is deleted: the folder above an installed package is another project's."""
    monkeypatch.setattr(build, "ROOT", tmp_path)
    for module in (paths, catalogue):
        monkeypatch.setattr(module, "STAGES", tmp_path / "stages")
    lines = Grammar(cli.COMMANDS).lines(words.split())
    with pytest.raises(UserError, match="works in a clone"):
        build.prepare(lines)


def test_an_installed_package_sets_nothing_up(tmp_path, monkeypatch):
    """`ladders compare` outside of the repository: there is no set-up to run, and no .venv to go on in."""
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "set_up", lambda *_, **__: pytest.fail("set-up was started"))
    for words in (["compare", "--", "a", "--", "b"], ["help"], ["completion", "bash"]):
        build.prepare(Grammar(cli.COMMANDS).lines(words))


@pytest.mark.parametrize("found", [None, "msgspec"])
def test_in_an_environment_that_was_made_anew_python_begins_again(tmp_path, monkeypatch, found):
    """It looked for the folder of its packages when it began."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/setup.sh").touch()
    begun = []
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "set_up", lambda *_, **__: None)
    monkeypatch.setattr(build.sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda _: found)
    monkeypatch.setattr(build.os, "execv", lambda python, words: begun.append(python))
    build.prepare(Grammar(cli.COMMANDS).lines(["compare", "--", "a", "--", "b"]))
    assert len(begun) == (found is None)


@pytest.mark.parametrize(
    ("verb", "code", "ended", "adds"),
    [("watch", 0, 0, False), ("watch", 1, 1, False), ("watch", 2, 2, True), ("report", 1, 2, True)],
)
def test_make_ends_as_the_judgement_did(tmp_path, verb, code, ended, adds):
    """1 for a file that does not pass, without a line of make's own."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "ladders").write_text(f"#!/bin/sh\nexit {code}\n", "utf-8")
    (tmp_path / "ladders").chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    caught = signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # ignored behind `&`, and make would inherit that
    done = subprocess.run(
        ["make", verb, "ONCE=1"], cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
    )
    signal.signal(signal.SIGQUIT, caught)
    assert (done.returncode, "make: ***" in done.stderr, done.stdout) == (ended, adds, "")


def test_too_old_a_python_says_where_a_newer_one_is():
    begin = "import runpy, sys; sys.path.insert(0, 'scripts'); sys.version_info = (3, 10, 12); "
    ran = [sys.executable, "-c", f"{begin}runpy.run_module('perf_ladders', run_name='__main__')"]
    done = subprocess.run(ran, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "Python 3.10 is too old: 3.11 or newer is needed, which Debian 12 and Ubuntu 24.04 have.\n"


def test_what_is_named_twice_is_done_once():
    words = ("report", "PRESET=gcc clang gcc", "LEVEL=x86-64 x86-64")
    assert parsed(*words) == [("report", {"preset": ["gcc", "clang"], "level": ["x86-64"]})]


@needs("xtea-04")
def test_a_reader_who_has_seen_enough_is_no_failure():
    """`| head`; 1 would say that something is wrong."""
    begin = "import sys; sys.path.insert(0, 'scripts'); from perf_ladders import cli; "
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", f"{begin}sys.exit(cli.main(['diff-stage', 'xtea-04']))"]
    done = subprocess.run(command, cwd=ROOT, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_files_of_the_folder_it_is_called_in_are_not_its_own(tmp_path):
    (tmp_path / "difflib.py").write_text('raise SystemExit("not yours")\n', "utf-8")
    done = subprocess.run([ROOT / "ladders", "help"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
