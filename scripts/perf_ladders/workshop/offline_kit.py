"""The offline kit: one archive from which a room of laptops is set up without a network."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from perf_ladders.errors import UserError
from perf_ladders.measure.runner import Track, progress_bar
from perf_ladders.pages import site
from perf_ladders.results import store
from perf_ladders.tree import files
from perf_ladders.tree.catalogue import case_names
from perf_ladders.tree.git import git
from perf_ladders.tree.paths import ROOT
from perf_ladders.workshop import slides

NAME = "perf-ladders-kit"
SUMS = "SHA256SUMS"
_BEFORE_SETUP = ["git", "make", "ca-certificates"]  # what setup takes for granted
_READ_ME = """This is all of perf-ladders for {system}, to be set up without a network:

    tar -xf {archive} && {name}/install.sh

It asks for the administrator's password where system packages are missing, puts the repository into ~/perf-ladders
(or the folder that you name), and ends with what `make doctor` says and what to type next.

To read without installing: site/index.html, and slides/, which holds slides and worksheets.
"""


def write(archive: Path, presets: list[str], console: Console) -> Path:
    """Everything, collected in build/kit, where what was downloaded is kept for the next time."""
    if not shutil.which("apt-get"):
        raise UserError("make kit collects packages with apt-get: run it on the Debian or Ubuntu of the laptops.")
    if archive.is_dir():
        raise UserError(f"{archive} is a folder: OUT={archive}/{NAME}.tar names the archive to write.")
    if not shutil.which("pandoc"):
        raise UserError(slides.NO_PANDOC)
    store.expect_place(archive)
    folder = ROOT / "build" / "kit" / NAME
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "packages").mkdir(parents=True)
    console.print("1 of 5: the repository")
    if sentence := not_committed(ROOT):
        console.print(sentence, markup=False, soft_wrap=True)
    add_repository(folder, archive.name)
    console.print("2 of 5: pages, slides and worksheets")
    with console.status("Writing pages ...") as status:
        site.write(folder / "site")
        for page in slides.write_all(case_names(), folder / "slides"):
            status.update(f"wrote {page.name}")
    console.print("3 of 5: system packages")
    _add_packages(folder / "packages", presets, console)
    console.print("4 of 5: Python packages")
    _add_wheels(folder / "wheels", console)
    console.print("5 of 5: the archive")
    write_sums(folder)
    with progress_bar(console) as progress:
        pack(folder, archive, progress.track)
    return archive


def add_repository(folder: Path, archive: str) -> None:
    """The last commit, as the branch main of a bare repository, and the script that installs. Any clone can make it:
    a bundle of a shallow one could not be cloned.
    """
    repository, failed = folder / "repository.git", "git could not make the kit's part of the repository"
    git(folder, "init", "--quiet", "--bare", "--initial-branch", "main", str(repository), failed=failed)
    commit = (f"file://{ROOT}", "HEAD:refs/heads/main")
    git(repository, "fetch", "--quiet", "--depth", "1", *commit, failed=failed)
    shutil.copy(ROOT / "scripts/install-kit.sh", folder / "install.sh")
    system = this_system()
    (folder / "system").write_text(system + "\n", "utf-8")
    (folder / "README.txt").write_text(_READ_ME.format(system=system, name=NAME, archive=archive), "utf-8")


def not_committed(folder: Path) -> str:
    """What the repository of the kit will lack, in a sentence; empty if nothing."""
    names = [line[3:] for line in git(folder, "status", "--porcelain").splitlines()]
    others = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"Not in the kit, because it is not committed: {names[0]}{others}." if names else ""


def this_system() -> str:
    """debian 12 amd64: what a kit is for; install-kit.sh asks in the same words."""
    release = platform.freedesktop_os_release()
    architecture = _output(["dpkg", "--print-architecture"], "dpkg does not say which architecture this is")
    return f"{release['ID']} {release.get('VERSION_ID', 'testing')} {architecture.strip()}"


def what_next(archive: Path) -> str:
    """How large it is, what for, and what is typed on the laptops."""
    system, version, architecture = this_system().split()
    return (
        f"{archive.name}: {archive.stat().st_size / 1e6:,.0f} MB, for {system.title()} {version}, {architecture}. "
        "Copy it to each laptop, then type there:\n"
        f"    tar -xf {archive.name}\n"
        f"    {NAME}/install.sh"
    )


def pack(folder: Path, archive: Path, track: Track | None = None) -> None:
    paths = sorted(folder.rglob("*"))  # and folders: without its empty ones a repository is none
    with files.written_aside(archive) as unfinished, tarfile.open(unfinished, "w") as tar:
        for path in track(paths, description="Packing") if track else paths:
            tar.add(path, path.relative_to(folder.parent), recursive=False, filter=_of_root)


def _of_root(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Where root unpacks the kit, git refuses a repository of another user."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def write_sums(folder: Path) -> None:
    """Of every file of the kit: install.sh begins with them."""
    held = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  ./{path.relative_to(folder)}\n" for path in held]
    (folder / SUMS).write_text("".join(lines), "utf-8")


def _add_packages(packages: Path, presets: list[str], console: Console) -> None:
    """The packages of setup, with all that they need on a system that has nothing."""
    apt = _Apt(ROOT / "build" / "kit" / "apt")
    with console.status("Asking for the newest lists ..."):
        # Otherwise apt-get ends with 0 where it cannot reach a source, and the kit lacks what is in it.
        apt.run("update", "--quiet", "-o", "APT::Update::Error-Mode=any")
    lists = [*_BEFORE_SETUP, *_output([ROOT / "scripts/setup.sh", "--list-all", *presets], "setup").split()]
    wanted = [name for word in lists if (name := apt.first_there(word.split("|")))]
    apt.run("autoclean")
    install = ["--yes", "--no-install-recommends", "install", *wanted]
    uris = [line for line in apt.run("--print-uris", *install).splitlines() if line.startswith("'")]
    with progress_bar(console) as progress:
        task = progress.add_task("Downloading", total=len(uris))
        for line in apt.lines("--quiet", "--download-only", *install):
            progress.advance(task, line.startswith("Get:"))
    for path in apt.archives.glob("*.deb"):
        shutil.copy(path, packages / path.name.replace("%3a", "."))  # a colon in its version
    (packages / "wanted").write_text("\n".join(wanted) + "\n", "utf-8")


def _add_wheels(wheels: Path, console: Console) -> None:
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--require-hashes"]
    command += ["--only-binary", ":all:", "--requirement", "requirements.txt", "--dest", str(wheels)]
    names = len(re.findall(r"^\S+==", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE))
    with progress_bar(console) as progress:
        task = progress.add_task("Downloading", total=names)
        for line in _lines(command, "pip could not download the Python packages: is there a network?"):
            progress.advance(task, line.startswith("Collecting "))


class _Apt:
    """apt-get on lists and archives of its own, as if no package were installed; it needs no root."""

    def __init__(self, folder: Path) -> None:
        self.archives = folder / "cache/archives"
        for path in (folder / "state/lists/partial", self.archives / "partial"):
            path.mkdir(parents=True, exist_ok=True)
        (folder / "status").touch()
        self._settings = folder / "apt.conf"
        self._settings.write_text(
            f'Dir::State "{folder}/state";\nDir::State::status "{folder}/status";\nDir::Cache "{folder}/cache";\n'
            'APT::Sandbox::User "root";\nAPT::Keep-Downloaded-Packages "true";\n'
            # What the system does after its own downloads; some containers delete them.
            "#clear APT::Update::Post-Invoke;\n#clear APT::Update::Post-Invoke-Success;\n#clear DPkg::Post-Invoke;\n",
            "utf-8",
        )

    def lines(self, *words: str) -> Iterator[str]:
        failed = "apt-get could not download what the kit needs: is there a network?"
        yield from _lines(["apt-get", "-c", str(self._settings), *words], failed)

    def run(self, *words: str) -> str:
        return "\n".join(self.lines(*words))

    def first_there(self, names: list[str]) -> str | None:
        for name in names:
            done = subprocess.run(
                ["apt-cache", "-c", self._settings, "show", name], capture_output=True, text=True, check=False
            )
            if done.stdout.startswith("Package:"):
                return name
        return None


def _lines(command: list[str], failed: str) -> Iterator[str]:
    """What a command says, as it says it."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    last = ""
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or []:
            last = line.strip() or last
            yield line.rstrip("\n")
    if process.returncode:
        raise UserError(f"{failed} It says: {last}")


def _output(command: Sequence[str | Path], failed: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UserError(f"{failed}: {done.stderr.strip()}")
    return done.stdout
