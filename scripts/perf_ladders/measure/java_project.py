"""The Java programs are built by Maven, without a network: each file that it reads is one of artefacts.sha256, fetched
from Maven Central and compared with its checksum before anything uses it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from xml.etree import ElementTree

from perf_ladders.errors import UserError
from perf_ladders.measure.jmh import Host
from perf_ladders.tree import files
from perf_ladders.tree.java import PROJECT, JavaCase
from perf_ladders.tree.paths import ROOT, shown

CENTRAL = "https://repo.maven.apache.org/maven2/"
ARTEFACTS = PROJECT / "artefacts.sha256"
BUILD = ROOT / "build" / "java"
OLDEST = 17
_WORKERS = 8  # files that are fetched at a time
_INSTALL = "`sudo apt install openjdk-17-jdk maven` installs both on Debian and Ubuntu"
_GOAL = "org.apache.maven.plugins:maven-compiler-plugin:compile"
_POM = {"m": "http://maven.apache.org/POM/4.0.0"}


@dataclass(frozen=True)
class Tools:
    home: Path  # of the JDK
    maven: str


def tools() -> Tools:
    """Of the machine; of the JDKs that of JAVA_HOME, or the one whose javac is found first."""
    home = os.environ.get("JAVA_HOME")
    javac = Path(home, "bin", "javac") if home else Path(shutil.which("javac") or "javac")
    version = _version(javac)
    if version < OLDEST:
        found = f"there is JDK {version}" if version else f"JAVA_HOME={home} has none" if home else "there is none"
        raise UserError(f"The Java programs need a JDK {OLDEST} or newer, and {found}: {_INSTALL}.")
    maven = shutil.which("mvn")
    if maven is None:
        raise UserError(f"The Java programs are built by Maven (mvn), and there is none: {_INSTALL}.")
    return Tools(javac.resolve().parent.parent, maven)


def _version(javac: Path) -> int:
    """17 of javac 17.0.15; 0 where there is none."""
    try:
        done = subprocess.run([javac, "-version"], capture_output=True, text=True, check=False)
    except OSError:
        return 0
    found = re.search(r"javac (?:1\.)?(\d+)", done.stdout + done.stderr)
    return int(found[1]) if found else 0


def modules(home: Path) -> list[str]:
    """Of this JVM: jdk.incubator.vector@17.0.15 without its version."""
    done = subprocess.run([home / "bin" / "java", "--list-modules"], capture_output=True, text=True, check=False)
    return [line.partition("@")[0] for line in done.stdout.splitlines()]


def pinned(path: Path) -> dict[str, str]:
    """The checksums by file, as sha256sum prints them."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.fullmatch(r"([0-9a-f]{64})  (\S+)", line)
        if match is None or ".." in match[2]:
            raise UserError(f"{shown(path)} has a line that is no checksum and file: {line}.")
        found[match[2]] = match[1]
    return found


def fetch(wanted: dict[str, str], repository: Path, tell: Callable[[str], None], source: str = CENTRAL) -> None:
    """Every file of the list is there, as it is pinned, and no other jar or pom."""
    missing = [name for name in wanted if not (repository / name).is_file()]
    if missing:
        tell(f"Fetching {len(missing)} files from {source}")
        with ThreadPoolExecutor(_WORKERS) as pool:
            list(pool.map(lambda name: _fetched(source, name, wanted[name], repository), missing))
    for name, checksum in wanted.items():
        _compare((repository / name).read_bytes(), name, checksum, f"delete {shown(repository)}")
    if extra := [name for name in _files(repository) if name not in wanted]:
        raise UserError(f"{shown(repository)} has {extra[0]}, which {shown(ARTEFACTS)} does not list: delete it.")


def _fetched(source: str, name: str, checksum: str, repository: Path) -> None:
    try:
        with urllib.request.urlopen(source + name, timeout=60) as answer:  # noqa: S310 - of a list in the repository
            data = answer.read()
    except (OSError, HTTPException) as error:
        raise UserError(f"Cannot fetch {source}{name} ({error}): try again with a network.") from None
    _compare(data, name, checksum, "do not use it")
    files.write(repository / name, data)


def _compare(data: bytes, name: str, checksum: str, advice: str) -> None:
    if hashlib.sha256(data).hexdigest() != checksum:
        raise UserError(f"{name} has another checksum than {shown(ARTEFACTS)} says: {advice}.")


def _files(repository: Path) -> Iterator[str]:
    for path in sorted(repository.rglob("*")):
        if path.suffix in (".jar", ".pom"):
            yield str(path.relative_to(repository))


def build(found: Tools, tell: Callable[[str], None]) -> Host:
    """Compiled again where a source or the JDK is another one than last time."""
    wanted = pinned(ARTEFACTS)
    repository = BUILD / "repository"
    fetch(wanted, repository, tell)
    stamp, state = BUILD / "compiled.sha256", _state(found)
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != state:
        tell("Compiling the Java programs with Maven")
        stamp.unlink(missing_ok=True)
        shutil.rmtree(BUILD / "classes", ignore_errors=True)
        command = [found.maven, "-B", "-q", "-o", "-C", f"-Dmaven.repo.local={repository}", _GOAL]
        environment = {**os.environ, "JAVA_HOME": str(found.home)}
        done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [line for line in done.stdout.splitlines() if "ERROR" in line] or [done.stderr.strip()]
            raise UserError(f"Maven cannot compile stages/java: {lines[0].removeprefix('[ERROR] ')}", code=1)
        stamp.write_text(state, encoding="utf-8")
    jars = [repository / name for name in wanted if name.endswith(".jar")]
    return Host(found.home / "bin" / "java", ":".join(map(str, [BUILD / "classes", *jars])))


def check(host: Host, case: JavaCase, way: str) -> None:
    """Known answers, and other inputs, without timing. The file of known answers is given where the case has one."""
    vectors = sorted(map(str, (ROOT / "tests" / case.name / "vectors").glob("*.test-vectors")))
    module = [f"--add-modules={case.ladder.modules[way]}"] if way in case.ladder.modules else []
    command = [str(host.program), *module, "-cp", host.classpath, "harness.Check", case.name, way, *vectors]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "Error" in line or "Exception" in line] or [done.stderr]
        raise UserError(f"{way} of stages/java/{case.name} is wrong: {said[0].strip()}", code=1)


def _state(found: Tools) -> str:
    files = [*sorted(PROJECT.rglob("*.java")), PROJECT / "pom.xml", ARTEFACTS]
    text = b"\0".join([str(found.home).encode(), *(path.read_bytes() for path in files)])
    return hashlib.sha256(text).hexdigest()


def libraries() -> dict[str, str]:
    """The versions of the artefacts that pom.xml names."""
    found = ElementTree.parse(PROJECT / "pom.xml").iterfind(".//m:dependency", _POM)  # noqa: S314 - of this repository
    return {one.findtext("m:artifactId", "", _POM): one.findtext("m:version", "", _POM) for one in found}
