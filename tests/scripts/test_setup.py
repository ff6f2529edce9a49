"""The set-up, with an apt that only says what it was asked for."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess

import pytest

from perf_ladders.catalogue import ROOT

TOOLS = "bash cat cut dirname env grep mkdir sha256sum sleep"
NEEDED = ["g++", "cmake", "ninja-build", "pkg-config", "libgtest-dev", "libbenchmark-dev"]
LIBRARIES = ["libtbb-dev", "libcrypto++-dev", "libbotan-2-dev", "libssl-dev", "libgcrypt20-dev", "nettle-dev"]
LIBRARIES += ["libsodium-dev", "libcli11-dev", "nlohmann-json3-dev", "rapidjson-dev", "libfmt-dev"]
LIBRARIES += ["ocl-icd-opencl-dev", "opencl-clhpp-headers", "pocl-opencl-icd"]
WELCOME = [*LIBRARIES, "valgrind", "hyperfine", "linux-perf", "libipsec-mb-dev", "llvm-19"]


class System:
    def __init__(self, folder):
        self.tree, self.path, self.calls = folder / "tree", folder / "bin", folder / "calls"
        self.path.mkdir()
        for name in TOOLS.split():
            (self.path / name).symlink_to(shutil.which(name))
        for name in ("scripts/setup.sh", "requirements.txt", "common/cmake/newest-clang.cmake"):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.tree / name)
        (self.tree / ".venv/bin").mkdir(parents=True)
        self.ladders = folder / "ladders"  # what the package was asked for
        self.command("python3", "exit 0")
        self.command(self.tree / ".venv/bin/python", f'echo "$*" >> {self.ladders}')
        pins = hashlib.sha256((self.tree / "requirements.txt").read_bytes()).hexdigest()
        (self.tree / ".venv/requirements.sha256").write_text(pins, encoding="utf-8")
        self.command("id", "echo 0")
        self.command("uname", "echo x86_64")
        self.has(installed=[*NEEDED, *WELCOME], available=[*NEEDED, *WELCOME])
        self.apt(0)

    def command(self, name, script):
        (self.path / name).write_text(f"#!/usr/bin/env bash\n{script}\n", encoding="utf-8")
        (self.path / name).chmod(0o755)

    def has(self, installed, available):
        self.command("dpkg-query", f'[[ " {" ".join(installed)} " != *" ${{!#}} "* ]] || echo installed')
        self.command("apt-cache", f'[[ " {" ".join(available)} " != *" $2 "* ]] || echo "Package: $2"')

    def apt(self, code):
        self.command("apt-get", f'echo "$*" >> {self.calls}; exit {code}')

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
    assert (done.returncode, done.stdout, calls) == (0, "", [])


def test_stage_tags_are_made_where_there_are_none(system):
    assert system.setup()[0].returncode == 0
    assert system.ladders.read_text(encoding="utf-8") == "-m perf_ladders tags --setup\n"
    system.command(system.tree / ".venv/bin/python", "exit 2")
    done, *_ = system.setup()
    assert (done.returncode, done.stdout) == (0, "There are no stage tags: make tags says why.\n")


def test_ubuntu_has_other_names(system):
    system.has(installed=NEEDED, available=["valgrind", "linux-tools-generic", "llvm"])
    _, _, installs = system.setup()
    assert installs == ["valgrind linux-tools-generic llvm"]


def test_a_package_with_much_to_say_is_not_taken_for_missing(system):
    system.has(installed=NEEDED, available=WELCOME)
    system.command("apt-cache", 'echo "Package: $2" && sleep 0.1 && printf "Description: %0100000d\\n" 0')
    done, _, installs = system.setup()
    assert installs == [" ".join(WELCOME)]
    assert "has no package" not in done.stdout


def test_what_a_system_does_not_have_is_asked_for_once(system):
    system.has(installed=[*NEEDED, *WELCOME[1:]], available=[])
    done, _, installs = system.setup()
    assert "no package libtbb-dev: reports come without what it gives." in done.stdout
    assert (done.returncode, installs) == (0, [])
    assert system.setup()[1] == []


def test_what_is_for_another_architecture_is_not_asked_for(system):
    system.command("uname", "echo aarch64")
    listed = system.setup("--list-welcome")[0].stdout.splitlines()
    assert "libtbb-dev" in listed
    assert "libipsec-mb-dev" not in listed


def test_without_a_network_what_is_only_welcome_stops_nothing(system):
    system.has(installed=NEEDED, available=WELCOME)
    system.apt(100)
    done, _, _ = system.setup()
    assert done.returncode == 0
    assert "reports come without what they give: libtbb-dev" in done.stdout
    assert system.setup()[1] == []


def test_without_a_network_what_is_needed_stops_everything(system):
    system.has(installed=WELCOME, available=NEEDED)
    system.apt(100)
    done, _, _ = system.setup()
    assert done.returncode == 2
    assert "Try it by hand: apt-get install g++" in done.stderr


def test_llvm_is_of_the_version_of_the_clang_asked_for(system):
    system.command("clang++-16", "echo Debian clang version 16.0.6")
    system.has(installed=[*NEEDED, *WELCOME], available=["llvm-16"])
    assert system.setup("gcc")[2] == []
    assert system.setup("gcc", "clang")[2] == ["llvm-16"]


def test_clang_comes_with_its_llvm(system):
    names = ["clang-19", "libclang-rt-19-dev", "clang", "libclang-rt-dev", "llvm-19", "llvm"]
    system.has(installed=[*NEEDED, *WELCOME[:-1]], available=names)
    assert system.setup("clang")[2] == ["clang-19 libclang-rt-19-dev", "llvm-19"]


def test_all_packages_are_listed_whatever_is_there(system):
    system.command("llvm-mca", "exit 0")
    done, calls, _ = system.setup("--list-all")
    listed = done.stdout.split()
    assert listed[: len(NEEDED)] == NEEDED
    assert {"python3", "python3-venv", "llvm-19|llvm", "linux-perf|linux-tools-generic", *LIBRARIES} <= {*listed}
    assert "clang-19|clang" in system.setup("--list-all", "gcc", "clang")[0].stdout.split()
    assert calls == []
