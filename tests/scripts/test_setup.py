"""The set-up: what it looks for, with an apt that only says what it was asked for."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess

import pytest

from perf_ladders.tree.paths import ROOT

TOOLS = "bash cat cut dirname env grep mkdir mv rm sha256sum sleep"
COMMANDS = ["g++", "cmake", "ninja", "pkg-config", "python3", "mold", "valgrind", "hyperfine", "perf", "llvm-mca"]
NEEDED = ["g++", "cmake", "ninja-build", "pkg-config", "libgtest-dev", "libbenchmark-dev", "libcli11-dev", "python3"]
LIBRARIES = ["libtbb-dev", "libcrypto++-dev", "libbotan-2-dev", "libssl-dev", "libgcrypt20-dev", "nettle-dev"]
LIBRARIES += ["libsodium-dev", "nlohmann-json3-dev", "rapidjson-dev", "libfmt-dev"]
LIBRARIES += ["ocl-icd-opencl-dev", "opencl-clhpp-headers", "libipsec-mb-dev"]
WELCOME = [*LIBRARIES, "libboost-json-dev", "mold", "valgrind", "hyperfine", "linux-perf", "llvm-22"]


class System:
    """Its programs are what stands in `path`; its g++ finds the headers that `headers` names."""

    def __init__(self, folder):
        self.tree, self.path, self.calls = folder / "tree", folder / "bin", folder / "calls"
        self.path.mkdir()
        for name in TOOLS.split():
            (self.path / name).symlink_to(shutil.which(name))
        for name in ("scripts/setup.sh", "requirements.txt"):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.tree / name)
        self.ladders = folder / "ladders"  # what the package was asked for
        for name in COMMANDS:
            self.command(name, "echo 99.1")
        self.command(
            "python3", f'case $* in *perf_ladders*) echo "$*" >> {self.ladders} ;; --version) echo 3.12 ;; esac'
        )
        self.command("g++", f"exec {shutil.which('sed')} -n 's/^has //p'")  # it finds every header
        self.command("id", "echo 0")
        self.command("uname", "echo x86_64")
        self.venv(self.pins)
        self.apt()

    @property
    def pins(self):
        return hashlib.sha256((self.tree / "requirements.txt").read_bytes()).hexdigest()

    def venv(self, stamp):
        (self.tree / ".venv/bin").mkdir(parents=True, exist_ok=True)
        (self.tree / ".venv/lib/python3.11/site-packages").mkdir(parents=True, exist_ok=True)
        self.python("exit 0")
        if stamp:
            (self.tree / ".venv/requirements.sha256").write_text(f"{stamp}\n", encoding="utf-8")

    def python(self, script):
        """That of .venv."""
        (self.tree / ".venv/bin/python").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (self.tree / ".venv/bin/python").chmod(0o755)

    def command(self, name, script):
        (self.path / name).write_text(f"#!/usr/bin/env bash\n{script}\n", encoding="utf-8")
        (self.path / name).chmod(0o755)

    def without(self, *names):
        for name in names:
            (self.path / name).unlink()

    def without_headers(self, *names):
        self.command(
            "g++", f"{shutil.which('sed')} -n 's/^has //p' | grep -v {' '.join(f'-e {name}' for name in names)}"
        )

    def apt(self, code=0, available=(*NEEDED, *WELCOME)):
        self.command("apt-get", f'echo "$*" >> {self.calls}; exit {code}')
        self.command("apt-cache", f'[[ " {" ".join(available)} " != *" $2 "* ]] || echo "Package: $2"')

    def setup(self, *words):
        self.calls.write_text("", encoding="utf-8")
        done = subprocess.run(
            [self.tree / "scripts/setup.sh", *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": str(self.path)},
        )
        lines = self.calls.read_text(encoding="utf-8").splitlines()
        installs = [line.split("--no-install-recommends ")[1] for line in lines if line.startswith("install")]
        return done, lines, installs


@pytest.fixture
def system(tmp_path):
    return System(tmp_path)


def test_where_everything_is_there_nothing_is_asked_for(system):
    done, calls, _ = system.setup()
    assert (done.returncode, done.stdout, done.stderr, calls) == (0, "", "", [])


def test_this_system_needs_no_apt(tmp_path):
    """PATH without apt-get: set-up looks for tools, not for a distribution."""
    tree, path = tmp_path / "tree", tmp_path / "bin"  # a copy: set-up makes stage tags in a clone
    shutil.copytree(ROOT / "scripts", tree / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "requirements.txt", tree)
    path.mkdir()
    for name in [*TOOLS.split(), *COMMANDS, "git", "id", "uname", "as"]:
        if found := shutil.which(name):
            (path / name).symlink_to(found)
    done = subprocess.run(
        [tree / "scripts/setup.sh", "--tools"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": str(path)},
    )
    assert done.returncode == 0, done.stderr
    assert "missing" not in done.stdout + done.stderr


def test_stage_tags_are_made_where_there_are_none(system):
    for words in ([], ["--tools"]):
        system.ladders.unlink(missing_ok=True)
        assert system.setup(*words)[0].returncode == 0
        assert system.ladders.read_text(encoding="utf-8") == "-m perf_ladders tags --setup\n"
    system.command("python3", "[ $1 != -m ]")
    done, *_ = system.setup()
    assert (done.returncode, done.stdout) == (0, "There are no stage tags: make tags says why.\n")


def test_the_environment_finds_the_package(system):
    system.setup()
    path = system.tree / ".venv/lib/python3.11/site-packages/perf-ladders.pth"
    assert path.read_text(encoding="utf-8") == f"{system.tree}/scripts\n"


def test_an_environment_that_trees_share_stays_as_it_is(system):
    (system.tree / ".venv").rename(system.tree / "shared")
    (system.tree / ".venv").symlink_to(system.tree / "shared")
    assert system.setup()[0].returncode == 0
    assert list((system.tree / "shared/lib/python3.11/site-packages").iterdir()) == []


def test_only_what_is_missing_is_installed(system):
    system.without("ninja", "hyperfine")
    system.without_headers("CLI/CLI.hpp", "fmt/core.h")
    done, _, installs = system.setup()
    assert (done.returncode, installs) == (0, ["ninja-build libcli11-dev", "libfmt-dev hyperfine"])
    assert "missing and will be installed now: ninja-build libcli11-dev libfmt-dev hyperfine" in done.stdout


@pytest.mark.parametrize("word", ["setup", "--tools"])
def test_without_apt_what_is_missing_is_listed_in_one_sentence(system, word):
    system.without("apt-get", "cmake", "hyperfine")
    system.without_headers("gtest/gtest.h")
    done, *_ = system.setup(*([] if word == "setup" else [word]))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.endswith("under its names for them, and try again: cmake libgtest-dev.\n")


def test_without_apt_what_is_only_welcome_stops_nothing(system):
    system.without("apt-get", "hyperfine", "valgrind")
    done, *_ = system.setup()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_ubuntu_has_other_names(system):
    system.without("perf", "llvm-mca")
    system.apt(available=["linux-tools-generic", "llvm"])
    assert system.setup()[2] == ["linux-tools-generic llvm"]


def test_a_package_with_much_to_say_is_not_taken_for_missing(system):
    system.without("valgrind")
    system.command("apt-cache", 'echo "Package: $2" && sleep 0.1 && printf "Description: %0100000d\\n" 0')
    done, _, installs = system.setup()
    assert installs == ["valgrind"]
    assert "has no package" not in done.stdout


def test_what_a_system_does_not_have_is_asked_for_once(system):
    system.without_headers("tbb/tbb.h")
    system.apt(available=[])
    done, _, installs = system.setup()
    assert "no package libtbb-dev, so reports leave out what it would add." in done.stdout
    assert (done.returncode, installs) == (0, [])
    assert system.setup()[1] == []


def test_what_is_for_another_architecture_is_not_asked_for(system):
    assert "libipsec-mb-dev" in system.setup("--list")[0].stdout
    system.command("uname", "echo aarch64")
    listed = system.setup("--list")[0].stdout
    assert "welcome there libtbb-dev header tbb/tbb.h\n" in listed
    assert "libipsec-mb-dev" not in listed


def test_without_a_network_what_is_only_welcome_stops_nothing(system):
    system.without("hyperfine")
    system.apt(100)
    done, _, _ = system.setup()
    assert done.returncode == 0
    assert "reports leave out what these would add: hyperfine" in done.stdout
    assert system.setup()[1] == []


def test_without_a_network_what_is_needed_stops_everything(system):
    system.without("cmake")
    system.apt(100)
    done, _, _ = system.setup()
    assert done.returncode == 2
    assert "Try it by hand: apt-get install cmake" in done.stderr


def test_who_is_not_root_and_has_no_sudo_is_told_what_root_types(system):
    system.command("id", "echo 1000")
    system.without("cmake")
    done, calls, _ = system.setup()
    assert (done.returncode, calls) == (2, [])
    assert done.stderr == "These are missing: cmake. Have them installed by root: apt-get install cmake\n"


@pytest.mark.parametrize(
    ("name", "says", "sentence"),
    [
        ("cmake", "cmake version 3.22.1", "CMake is too old: 3.24"),
        ("python3", "Python 3.10.4", "Python is too old: 3.11"),
    ],
)
def test_an_old_tool_is_named(system, name, says, sentence):
    system.command(name, f"echo {says}")
    done, *_ = system.setup("--tools")
    assert done.returncode == 2
    assert sentence in done.stderr


def test_llvm_is_of_the_version_of_the_clang_asked_for(system):
    folder = system.tree.parent / "clang"
    system.command("clang++-16", f"[ $1 = --version ] && echo Debian clang version 16.0.6 || echo {folder}")
    system.apt(available=["llvm-16", "libclang-rt-16-dev"])
    assert system.setup("gcc")[2] == []
    assert system.setup("gcc", "clang")[2] == ["libclang-rt-16-dev", "llvm-16"], "another package brought this Clang"
    (folder / "lib/linux").mkdir(parents=True)
    (folder / "lib/linux/libclang_rt.profile-x86_64.a").touch()
    assert system.setup("gcc", "clang")[2] == ["llvm-16"]


def test_clang_comes_with_its_llvm(system):
    system.apt(available=["clang-19", "libclang-rt-19-dev", "clang", "libclang-rt-dev", "llvm-19", "llvm"])
    for preset in ("clang", "fuzz"):
        assert system.setup(preset)[2] == ["clang-19 libclang-rt-19-dev", "llvm-19"]


@pytest.mark.skipif(not shutil.which("cmake"), reason="CMake is not installed")
@pytest.mark.parametrize("version", [30, 22])
def test_the_build_takes_a_clang_that_set_up_finds(tmp_path, version):
    """Set-up asks for no other where there is a newer one."""
    for number in (14, version):
        compiler = tmp_path / f"clang++-{number}"
        compiler.write_text("#!/bin/sh\n")
        compiler.chmod(0o755)
    chosen = "${CMAKE_CXX_COMPILER} ${CMAKE_C_COMPILER}"
    script = tmp_path / "chosen.cmake"
    script.write_text(f'include({ROOT}/common/cmake/newest-clang.cmake)\nmessage("{chosen}")\n')
    done = subprocess.run(
        [shutil.which("cmake"), "-P", script], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    assert done.stderr.split() == [f"{tmp_path}/clang++-{version}", f"{tmp_path}/clang-{version}"]


def test_another_machine_takes_a_cross_compiler_and_an_emulator(system):
    needed = ["g++-aarch64-linux-gnu", "qemu-user", "googletest"]
    system.apt(available=needed)
    assert system.setup("--list-all", "aarch64")[0].stdout.split()[-4:-1] == needed
    system.command("aarch64-linux-gnu-g++", "echo 12.2")
    (installed,) = system.setup("gcc", "aarch64")[2]
    assert "qemu-user" in installed.split()
    assert "g++-aarch64-linux-gnu" not in installed.split()
    assert system.setup("gcc")[2] == []


def test_all_packages_are_listed_whatever_is_there(system):
    done, calls, _ = system.setup("--list-all")
    listed = done.stdout.split()
    assert listed[: len(NEEDED)] == NEEDED
    either = {"llvm-22|llvm-19|llvm", "linux-perf|linux-tools-generic", "libboost-json-dev|libboost-json1.81-dev"}
    assert {"python3-venv", "pocl-opencl-icd", *either, *LIBRARIES} <= {*listed}
    assert "clang-19|clang" in system.setup("--list-all", "gcc", "clang")[0].stdout.split()
    assert calls == []


# --- The environment ---


def test_an_environment_that_is_not_ours_is_not_touched(system):
    (system.tree / ".venv/requirements.sha256").unlink()
    (system.tree / ".venv/mine").touch()
    done, *_ = system.setup()
    assert done.returncode == 2
    assert done.stderr == (
        ".venv is there, but set-up did not make it. Move it away (mv .venv .venv-other), then try again.\n"
    )
    assert (system.tree / ".venv/mine").exists()
    assert system.setup("--tools")[0].returncode == 0, "building does without it"


@pytest.mark.parametrize("why", ["unfinished", "of older pins", "of another Python", "of no Python"])
def test_an_environment_of_ours_is_made_again_where_it_is_old(system, why):
    if "Python" not in why:
        system.venv(why)
    elif why == "of another Python":
        system.python("exit 1")  # it finds no packages
    else:
        (system.tree / ".venv/bin/python").unlink()
        (system.tree / ".venv/bin/python").symlink_to("/no/such/python")
    (system.tree / ".venv/old").touch()
    fake = "mkdir -p .venv/bin && printf '#!/bin/sh\\nexit 0\\n' > .venv/bin/pip && chmod +x .venv/bin/pip"
    (system.path / "chmod").symlink_to(shutil.which("chmod"))
    system.command("python3", f'case $* in "-m venv .venv") {fake} ;; --version) echo 3.12 ;; esac')
    done, *_ = system.setup()
    assert done.returncode == 0, done.stderr
    assert "Setting up the Python environment .venv" in done.stdout
    assert all(len(line) < 80 for line in done.stdout.splitlines())
    assert not (system.tree / ".venv/old").exists()
    assert (system.tree / ".venv/requirements.sha256").read_text(encoding="utf-8").strip() == system.pins


@pytest.mark.skipif(not shutil.which("flock"), reason="flock is not installed")
def test_of_two_set_ups_the_later_one_waits_and_finds_the_environment(system):
    system.venv("unfinished")
    (system.path / "flock").symlink_to(shutil.which("flock"))
    (system.tree / "build").mkdir()
    with (system.tree / "build/setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [system.tree / "scripts/setup.sh"]
        later = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PATH": system.path})
        assert later.stdout.readline() == "Waiting for another set-up in this folder ...\n"
        system.venv(system.pins)
    assert later.communicate() == ("", None)
    assert later.returncode == 0
    assert (system.tree / ".venv/bin/python").is_file(), "it was not made again"


# --- A system without Python, where ./ladders begins ---


def test_python_comes_first(system):
    system.without("python3", "cmake")
    done, _, installs = system.setup("--python", "--make", "report")
    assert (done.returncode, installs) == (0, ["python3"])


@pytest.mark.parametrize(
    "words", [[], ["doctor"], ["--make", "doctor"], ["help"], ["tags"], ["completion", "bash"], ["report", "-h"]]
)
def test_what_installs_nothing_does_not_install_python(system, words):
    system.without("python3")
    done, calls, _ = system.setup("--python", *words)
    assert (done.returncode, calls) == (2, [])
    assert done.stderr == (
        "Python 3.11 or newer is missing, which all commands need. This installs it and all else: make setup\n"
    )


def test_without_a_network_the_environment_of_before_stays(system):
    """Back at the commit that it was made for, it works."""
    system.venv("of older pins")
    (system.tree / ".venv/old").touch()
    (system.path / "chmod").symlink_to(shutil.which("chmod"))
    fake = "mkdir -p .venv/bin && printf '#!/bin/sh\\nexit 1\\n' > .venv/bin/pip && chmod +x .venv/bin/pip"
    system.command("python3", f'case $* in "-m venv .venv") {fake} ;; --version) echo 3.12 ;; esac')
    done, *_ = system.setup()
    assert done.returncode == 2
    assert "is there a network?" in done.stderr
    assert (system.tree / ".venv/old").exists()
    assert (system.tree / ".venv/requirements.sha256").read_text(encoding="utf-8").strip() == "of older pins"
    assert not (system.tree / ".venv-before").exists()
