"""The offline kit: what it takes from the repository, and how its script behaves where it does not belong."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile

import pytest
from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.tree.paths import ROOT
from perf_ladders.workshop import offline_kit

whole = pytest.mark.skipif(not os.environ.get("PERF_LADDERS_KIT"), reason="PERF_LADDERS_KIT=1 asks for the network")


def git(*words, cwd=ROOT):
    return subprocess.run(["git", *words], cwd=cwd, capture_output=True, text=True, check=False).stdout.strip()


@pytest.fixture
def folder(tmp_path):
    """A kit for this system, with a repository whose set-up only tells what it was given, and nothing to install."""
    folder, tree = tmp_path / offline_kit.NAME, tmp_path / "tree"
    (folder / "packages").mkdir(parents=True)
    (folder / "packages/wanted").write_text("bash\n", "utf-8")
    (folder / "system").write_text(f"{offline_kit.this_system()}\n", "utf-8")
    shutil.copy(ROOT / "scripts/install-kit.sh", folder / "install.sh")
    (tree / "scripts").mkdir(parents=True)
    (tree / "Makefile").write_text("doctor:\n\t@echo You are ready\n", "utf-8")
    (tree / "scripts/setup.sh").write_text(
        '#!/bin/sh\necho "$PIP_NO_INDEX $PIP_FIND_LINKS" > told\nexit ${SET_UP_FAILS:-0}\n', "utf-8"
    )
    (tree / "scripts/setup.sh").chmod(0o755)
    git("init", "-q", cwd=tree)
    git("add", ".", cwd=tree)
    git("-c", "user.name=A test", "-c", "user.email=test@example.org", "commit", "-qm", "A tree", cwd=tree)
    git("clone", "-q", "--bare", tree, folder / "repository.git", cwd=tree)
    offline_kit.write_sums(folder)
    return folder


def install(folder, *words):
    ours = ("MAKE", "MFLAGS")  # of the make that tests
    environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    command = [folder / "install.sh", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_what_is_not_committed_is_named(tmp_path):
    git("init", "-q", cwd=tmp_path)
    assert offline_kit.not_committed(tmp_path) == ""
    (tmp_path / "notes.md").touch()
    assert offline_kit.not_committed(tmp_path) == "Not in the kit, because it is not committed: notes.md."
    for name in ("one", "two"):
        (tmp_path / name).touch()
    assert offline_kit.not_committed(tmp_path).endswith(" notes.md and 2 more.")


def test_the_repository_can_be_cloned_from_it(tmp_path):
    offline_kit.add_repository(tmp_path, "kit.tar")
    offline_kit.pack(tmp_path, tmp_path.parent / f"{tmp_path.name}.tar")
    (tmp_path / "unpacked").mkdir()
    kit = tmp_path.parent / f"{tmp_path.name}.tar"
    subprocess.run(["tar", "-xf", kit, "-C", tmp_path / "unpacked"], check=True)
    repository = tmp_path / "unpacked" / tmp_path.name / "repository.git"
    git("clone", "-q", "--no-local", "--depth", "1", "--no-checkout", repository, tmp_path / "clone")
    assert git("rev-parse", "HEAD", cwd=tmp_path / "clone") == git("rev-parse", "HEAD")
    assert git("rev-parse", "--abbrev-ref", "HEAD", cwd=tmp_path / "clone") == "main"
    assert "tar -xf kit.tar && perf-ladders-kit/install.sh" in (tmp_path / "README.txt").read_text("utf-8")


def test_a_shallow_clone_without_a_branch_makes_a_kit(monkeypatch, tmp_path):
    """As a release has it, where a tag is checked out."""
    shallow = tmp_path / "shallow"
    git("clone", "-q", "--depth", "1", f"file://{ROOT}", shallow)
    git("checkout", "-q", "--detach", cwd=shallow)
    monkeypatch.setattr(offline_kit, "ROOT", shallow)
    (tmp_path / "kit").mkdir()
    offline_kit.add_repository(tmp_path / "kit", "kit.tar")
    git("clone", "-q", "--no-local", "--depth", "1", tmp_path / "kit/repository.git", tmp_path / "clone")
    assert git("rev-parse", "HEAD", cwd=tmp_path / "clone") == git("rev-parse", "HEAD", cwd=shallow)
    assert (tmp_path / "clone/README.md").is_file()


def test_on_another_system_it_says_what_it_is_for(folder, tmp_path):
    (folder / "system").write_text("debian 3 m68k\n", "utf-8")
    offline_kit.write_sums(folder)
    done = install(folder, tmp_path / "target")
    assert done.returncode == 2
    assert f"This kit is for debian 3 m68k, and this is {offline_kit.this_system()}:" in done.stderr
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize("change", ["changed", "missing", "no sums"])
def test_a_kit_that_was_changed_installs_nothing(folder, tmp_path, change):
    if change == "changed":
        (folder / "packages/wanted").write_text("bash\nother\n", "utf-8")
    else:
        (folder / ("packages/wanted" if change == "missing" else offline_kit.SUMS)).unlink()
    done = install(folder, tmp_path / "target")
    assert done.returncode == 2
    assert "A file of this kit is missing, damaged or changed." in done.stderr
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize("is_link", [False, True])
def test_a_file_that_was_added_to_a_kit_installs_nothing(folder, tmp_path, is_link):
    added = folder / "packages/cmake_99_amd64.deb"
    (tmp_path / "package").write_text("no package", "utf-8")
    added.symlink_to(tmp_path / "package") if is_link else added.write_text("no package", "utf-8")
    for number in range(9_000):
        (folder / "packages" / f"{number}").touch()
    done = install(folder, tmp_path / "target")
    assert done.returncode == 2
    assert "This kit has a file that it was not made with: " in done.stderr
    assert f"'{folder}/packages/0'" in done.stderr, "the first of them"
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "target").exists()


def test_what_is_there_is_not_overwritten(folder, tmp_path):
    (tmp_path / "target").mkdir()
    done = install(folder, tmp_path / "target")
    assert done.returncode == 2
    assert "is there already: name another folder" in done.stderr


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_asked_how_it_is_used_it_says_so_and_installs_nothing(folder, tmp_path, monkeypatch, word):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    done = install(folder, word)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: ")
    assert done.stdout.count("\n") == 1
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("words", [["--prefix=x"], ["-v"], ["x", "--yes"], ["x", "y"]])
def test_what_it_does_not_know_installs_nothing(folder, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    before = sorted(tmp_path.iterdir())
    done = install(folder, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage: " in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_without_a_kit_around_it_the_script_says_so():
    done = subprocess.run([ROOT / "scripts/install-kit.sh"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "make kit makes one" in done.stderr


def test_everything_is_set_up_from_the_kit_alone(folder, tmp_path):
    done = install(folder, tmp_path / "target")
    assert done.returncode == 0, done.stderr
    assert "all system packages are there" in done.stdout
    assert "You are ready" in done.stdout
    assert done.stdout.endswith(f"cd '{tmp_path / 'target'}' && make build CASE=xtea\n")
    assert (tmp_path / "target/told").read_text("utf-8") == f"1 file://{folder}/wheels\n"


def test_a_set_up_that_fails_can_be_begun_again(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SET_UP_FAILS", "1")
    done = install(folder, "target")
    assert done.returncode == 2
    assert f"this kit needs no network. {tmp_path / 'target'} is removed" in done.stderr
    assert not (tmp_path / "target").exists()
    monkeypatch.delenv("SET_UP_FAILS")
    assert install(folder, "target").returncode == 0
    assert (tmp_path / "target/told").exists()


def test_the_archive_holds_every_file_under_one_folder(tmp_path):
    (tmp_path / "kit/inside").mkdir(parents=True)
    (tmp_path / "kit/install.sh").write_text("#!/bin/sh\n", "utf-8")
    (tmp_path / "kit/install.sh").chmod(0o755)
    (tmp_path / "kit/inside/file").write_text("text", "utf-8")
    if os.getuid() == 0:
        os.chown(tmp_path / "kit/inside/file", 1234, 1234)  # else it is root's already
    offline_kit.pack(tmp_path / "kit", tmp_path / "out/kit.tar")
    with tarfile.open(tmp_path / "out/kit.tar") as tar:
        assert sorted(tar.getnames()) == ["kit/inside", "kit/inside/file", "kit/install.sh"]
        assert tar.getmember("kit/install.sh").mode & 0o111
        assert {(one.uid, one.gid, one.uname) for one in tar} == {(0, 0, "root")}, "git trusts no other's repository"


def test_an_archive_stays_until_the_new_one_is_whole(tmp_path):
    (tmp_path / "kit").mkdir()
    archive = tmp_path / "kit.tar"
    archive.write_text("the old one")

    def stopped(*_, **__):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        offline_kit.pack(tmp_path / "kit", archive, stopped)
    assert archive.read_text() == "the old one"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["kit", "kit.tar"]


def test_it_says_how_large_it_is_what_for_and_what_to_type(tmp_path, monkeypatch):
    monkeypatch.setattr(offline_kit, "this_system", lambda: "debian 12 amd64")
    (tmp_path / "our.tar").write_bytes(bytes(2_600_000))
    first, *typed = offline_kit.what_next(tmp_path / "our.tar").splitlines()
    assert first.startswith("our.tar: 3 MB, for Debian 12, amd64. ")
    assert [line.strip() for line in typed] == ["tar -xf our.tar", "perf-ladders-kit/install.sh"]


def package(folder, name, version, more=""):
    """A package without files."""
    control = folder.parent / "package/DEBIAN/control"
    control.parent.mkdir(parents=True, exist_ok=True)
    control.write_text(
        f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a test\n{more}",
        "utf-8",
    )
    command = ["dpkg-deb", "--build", control.parents[1], folder / f"{name}_{version}_all.deb"]
    subprocess.run(command, capture_output=True, check=True)


@pytest.mark.skipif(not shutil.which("apt-get"), reason="no apt-get")
def test_packages_are_installed_by_path_with_what_they_need(folder, tmp_path, monkeypatch):
    """apt-get says what it would do. What the system has in a newer version stays."""
    package(folder / "packages", "perf-ladders-test", "2", "Depends: perf-ladders-test-needs (>= 1), bash\n")
    package(folder / "packages", "perf-ladders-test-needs", "1")
    package(folder / "packages", "perf-ladders-test-other", "1")
    package(folder / "packages", "bash", "1")
    (folder / "packages/wanted").write_text("bash\nperf-ladders-test\n", "utf-8")
    offline_kit.write_sums(folder)
    programs, apt = tmp_path / "bin", shutil.which("apt-get")
    programs.mkdir()
    (programs / "apt-get").write_text(f'#!/bin/sh\nexec {apt} --simulate "$@"\n', "utf-8")
    (programs / "apt-get").chmod(0o755)
    (programs / "sudo").write_text('#!/bin/sh\nexec "$@"\n', "utf-8")
    (programs / "sudo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    done = install(folder, tmp_path / "target")
    assert done.returncode == 0, done.stderr
    installed = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("Inst ")]
    assert installed == ["perf-ladders-test-needs", "perf-ladders-test"]


def test_no_source_of_packages_is_trusted_without_a_signature():
    assert "trusted" not in (ROOT / "scripts/install-kit.sh").read_text("utf-8")


@whole
def test_the_whole_kit(tmp_path):
    archive = offline_kit.write(tmp_path / "kit.tar", ["gcc"], Console(stderr=True))
    with tarfile.open(archive) as tar:
        names = {name.removeprefix(f"{offline_kit.NAME}/") for name in tar.getnames()}
    assert {
        "install.sh",
        "system",
        "repository.git/HEAD",
        "site/index.html",
        "packages/wanted",
        "slides/xtea.html",
    } <= names
    assert any(name.startswith("packages/cmake_") for name in names)
    assert any(name.startswith("wheels/numpy-") for name in names)


def test_a_source_of_packages_out_of_reach_makes_no_kit(tmp_path, monkeypatch):
    """apt-get takes it for an empty one, and ends with 0, unless it is told otherwise."""
    failing = 'case "$*" in *" update "*Error-Mode=any*) echo "E: Some index files failed" && exit 100 ;; esac'
    for name, script in (("bin/apt-get", failing), ("bin/apt-cache", "exit 100"), ("scripts/setup.sh", "echo cmake")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "packages").mkdir()
    monkeypatch.setattr(offline_kit, "ROOT", tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with pytest.raises(UserError, match="is there a network"):
        offline_kit._add_packages(tmp_path / "packages", ["gcc"], Console(stderr=True))
