"""A campaign: for each case one `ladders report` on each machine. ReFrame does all scheduling."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from perf_ladders import foreign
from perf_ladders.commands import grammar
from perf_ladders.errors import LATER, UserError, code_of
from perf_ladders.measure.session import made_now
from perf_ladders.model.campaign import Asked, Campaign
from perf_ladders.model.measurement import Measurement
from perf_ladders.results import acceptance, store
from perf_ladders.results.analysis import Analysis
from perf_ladders.tree import files
from perf_ladders.tree.catalogue import read_case
from perf_ladders.tree.git import git
from perf_ladders.tree.paths import LOCAL_REPORTS, ROOT, shown

REFRAME = Path(sys.prefix) / "bin" / "reframe"
INSTALL = ".venv/bin/pip install --require-hashes --only-binary :all: -r requirements-campaign.txt"
CHECK = Path(__file__).with_name("campaign_check.py")


class _Partition(msgspec.Struct):
    name: str
    scheduler: str = "local"


class _System(msgspec.Struct):
    name: str
    partitions: list[_Partition]


def campaign(options: argparse.Namespace) -> None:
    asked = read(options.file)
    if not REFRAME.exists():
        raise UserError(f"A campaign needs ReFrame, which is missing; this installs it: {INSTALL}")
    for name in asked.features:
        grammar.expect("feature", name, known_features())
    folder = (options.out or LOCAL_REPORTS / "campaign" / options.file.stem).resolve()
    commit = _commit()
    with _alone(folder):
        _run(options, asked, commit, folder)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two would clone and measure into the same folders."""
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(files.locked(folder))
        except BlockingIOError:
            raise UserError(f"A campaign runs in {shown(folder)}: wait for its end, or choose --out.") from None
        except OSError:  # some file systems of clusters have no locks
            pass
        yield


def _run(options: argparse.Namespace, asked: Campaign, commit: str, folder: Path) -> None:
    configured = _write(asked, commit, folder, options.dry_run)
    if asked.reframe:
        configured = [f"--config-file={_configuration(options.file, asked.reframe)}", *configured]
    schedulers = _schedulers(configured, folder)
    for name in asked.partitions:
        grammar.expect("partition", name, list(schedulers))
    if not options.dry_run:
        _expect_results(folder / commit, asked)
    used = [schedulers[name] for name in asked.partitions or schedulers]
    # On a node without a scheduler nothing else keeps two jobs apart.
    policy = "serial" if "local" in used else "async"
    words = [*configured, "--checkpath=check.py", f"--exec-policy={policy}", "--prefix=reframe", "--nocolor"]
    code = _ended([str(REFRAME), *words, "--dry-run" if options.dry_run else "--run"], folder)
    if not options.dry_run:
        for path in collect(folder):
            print(f"wrote {shown(path)}", file=sys.stderr)
    if code:
        _complain(folder / commit, asked)


def read(path: Path) -> Campaign:
    try:
        found = msgspec.convert(foreign.toml_file(path), Campaign)
    except OSError as error:
        raise UserError(f"Cannot read {path} ({error.strerror}).") from None
    except msgspec.ValidationError as error:
        fields = ", ".join(Campaign.__struct_fields__)
        raise UserError(f"{path} is no campaign: {store.sentence(error)}. Its fields are: {fields}.") from None
    if not re.fullmatch(r"[1-9][0-9]{0,4}[hms]", found.time_limit):
        raise UserError(f'{path}: {found.time_limit!a} is no time limit. Write it as "4h", "90m" or "600s".')
    for name in found.cases:
        grammar.case(name)
    for name in found.compilers:
        grammar.timed_preset(name)
    for names in (found.cases, found.compilers):
        if twice := [name for name in names if names.count(name) > 1]:
            raise UserError(f"{path} names {twice[0]} twice: name it once.")
    if found.reframe:
        _configuration(path, found.reframe)
    return found


def _configuration(path: Path, name: str) -> Path:
    """ReFrame runs it, so it is a file of whoever gave the campaign."""
    folder = path.resolve().parent
    try:
        found = (folder / name).resolve()
        if found.is_relative_to(folder) and found.is_file():
            return found
    except (OSError, RuntimeError):  # a name that is too long, links in a circle
        pass
    raise UserError(f"{path} names ReFrame's configuration {name}, and there is no such file in its folder.")


def known_features() -> list[str]:
    """Of all CPUs that ReFrame's auto-detection knows."""
    from archspec.cpu import TARGETS  # which ReFrame brings
    from archspec.cpu.alias import FEATURE_ALIASES

    return sorted({*FEATURE_ALIASES, *(feature for target in TARGETS.values() for feature in target.features)})


def asked_in(folder: Path) -> Asked:
    return msgspec.json.decode((folder / "campaign.json").read_bytes(), type=Asked)


def cloned(asked: Asked, tree: Path) -> None:
    """What the nodes of a partition copy: each builds and measures a tree of its own."""
    if tree.exists():
        return
    begun = tree.with_name("tree-begun")
    shutil.rmtree(begun, ignore_errors=True)
    git(Path(asked.root), "clone", "--quiet", "--no-checkout", asked.root, str(begun))
    git(begun, "checkout", "--quiet", "--detach", asked.commit)
    (begun / ".git/info/exclude").write_text(".venv\n", encoding="utf-8")  # else it counts as a change
    (begun / ".venv").symlink_to(Path(asked.root) / ".venv")
    begun.rename(tree)


def measured(place: Path, case: str) -> list[Path]:
    """The results of a case whose control holds."""
    return [path for path in sorted(place.glob(f"on-*/{case}.json.xz")) if not misfit(path)]


def misfits(place: Path, case: str) -> str:
    """What is wrong with the results that are there; empty where there is none."""
    return " ".join(filter(None, map(misfit, sorted(place.glob(f"on-*/{case}.json.xz")))))


def misfit(path: Path) -> str:
    """Why it is no result: empty if it decodes and its control holds."""
    try:
        found = store.load(path)
        control = acceptance.control(Analysis(read_case(found.case), found))
    except UserError as complaint:
        return str(complaint)
    return control.found if control.mark == "fails" else ""


def _expect_results(place: Path, asked: Campaign) -> None:
    """Before a job measures again what cannot be read, and writes over it."""
    for case in asked.cases:
        for path in sorted(place.glob(f"*-{asked.design}/on-*/{case}.json.xz")):
            _read(path)


def _read(path: Path) -> Measurement:
    try:
        return store.load(path)
    except UserError as complaint:
        raise UserError(f"{str(complaint)[:-1]}, or rename it. Nothing was overwritten.") from None


def collect(folder: Path) -> list[Path]:
    """The results of all machines, each as a file of its own in results/CASE: those that were not there yet. One that
    cannot be read is named."""
    found: dict[Path, Path] = {}
    for path in sorted(folder.glob("*/*/on-*/*.json.xz")):
        measurement = _read(path)
        if misfit(path):
            continue
        kept = folder / "results" / measurement.case / store.name(measurement)
        if kept in found:
            raise UserError(f"{found[kept]} and {path} are one result: delete one of them. Nothing was overwritten.")
        if kept.exists() and store.load(kept) != measurement:
            raise UserError(f"{kept} and {path} have one name and differ: rename the first. Nothing was overwritten.")
        found[kept] = path
    new = {kept: path for kept, path in found.items() if not kept.exists()}
    return [files.write(kept, path.read_bytes()) for kept, path in new.items()]


def _commit() -> str:
    made = made_now()
    if made.commit is None:
        raise UserError("A campaign measures a commit, and this folder is no git repository with one.")
    if made.changed:
        print(f"It measures commit {made.commit}, without the changes in this folder.", file=sys.stderr)
    return made.commit


def _write(asked: Campaign, commit: str, folder: Path, dry_run: bool) -> list[str]:
    """The check and all that it reads; and the words that tell ReFrame so."""
    files.write(folder / "check.py", CHECK.read_bytes())
    written = Asked(campaign=asked, root=str(ROOT), commit=commit)
    files.write(folder / "campaign.json", msgspec.json.encode(written))
    general = {
        "remote_detect": not dry_run,
        "remote_install": [f"export PATH={shlex.quote(str(REFRAME.parent))}:$PATH"],  # the node has this folder, too
        "topology_prefix": str(folder / "processors"),
        "report_file": str(folder / "reframe" / "report.json"),
    }
    files.write(folder / "settings.yaml", json.dumps({"general": [general]}).encode())
    return [f"--config-file={folder / 'settings.yaml'}"]


def _schedulers(configured: Sequence[str], folder: Path) -> dict[str, str]:
    """Of each partition that ReFrame knows here."""
    done = subprocess.run(
        [REFRAME, *configured, "--show-config=systems"], cwd=folder, capture_output=True, text=True, check=False
    )
    try:
        systems = msgspec.json.decode(done.stdout, type=list[_System])
    except msgspec.DecodeError:
        said = (done.stderr.strip() or done.stdout.strip() or "it says nothing").splitlines()[-1]
        raise UserError(f"ReFrame cannot read its configuration: {said}") from None
    return {f"{system.name}:{one.name}": one.scheduler for system in systems for one in system.partitions}


def _ended(command: Sequence[str], folder: Path) -> int:
    """ReFrame's exit code. Stopped, it cancels its jobs before it ends."""
    sys.stdout.flush()
    process = subprocess.Popen(command, cwd=folder, start_new_session=True)  # so that Ctrl-C reaches it once
    try:
        return process.wait()
    except KeyboardInterrupt as stop:
        process.terminate()
        process.wait()
        raise UserError("Stopped. The same command goes on with what is not finished.", code_of(stop)) from None


def _complain(folder: Path, asked: Campaign) -> None:
    """A journal of a case that was measured on another node after all goes on no more."""
    journals = folder.glob(f"*-{asked.design}/on-*/*.journal.jsonl")
    begun = [
        path
        for path in journals
        if ".finished." not in path.name
        and (case := path.name.partition(".")[0]) in asked.cases
        and not measured(path.parents[1], case)
    ]
    if begun:
        raise UserError(
            f"Not finished: {len(begun)} measurements. The same command goes on from {shown(begun[0])}.", code=LATER
        )
    raise UserError("ReFrame says above what failed. The same command tries it again.", code=1)
