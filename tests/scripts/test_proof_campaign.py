"""A campaign on a Slurm of one node that this test starts and stops: a part of `make proof`, for it takes minutes.

The tree that it measures is fake, and so are the times; ReFrame, Slurm and the journal are real.
"""

from __future__ import annotations

import argparse
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fake_report
import pytest
from conftest import needs

from perf_ladders.commands import campaign
from perf_ladders.errors import LATER, UserError
from perf_ladders.measure import session
from perf_ladders.model.measurement import Measurement
from perf_ladders.results import store
from perf_ladders.tree.paths import ROOT

DAEMONS = ("munged", "slurmctld", "slurmd")
PARTITIONS = ("one", "two")
_STARTS_S, _ENDS_S = 60, 20
# Slurm runs a job again that ends with these: our exit code, and that of a job whose program was killed.
CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
RequeueExit={later},137
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=one Nodes={host} Default=YES MaxTime=INFINITE State=UP
PartitionName=two Nodes={host} MaxTime=INFINITE State=UP
"""
SITE = """
site_configuration = {
    "systems": [{"name": "cluster", "hostnames": [".*"], "partitions": [
        {"name": name, "scheduler": "squeue", "launcher": "srun", "access": [f"--partition={name}"],
         "environs": ["first", "second"]}
        for name in ("one", "two")
    ]}],
    "environments": [{"name": "first"}, {"name": "second"}],
}
"""
FILE = 'cases = ["xtea"]\ncompilers = ["gcc", "clang"]\ntime_limit = "{limit}"\n'
ON_SLURM = 'reframe = "site.py"\npartitions = ["cluster:one", "cluster:two"]\n'

pytestmark = [
    needs("xtea-02"),
    pytest.mark.skipif(not campaign.REFRAME.exists(), reason=f"ReFrame is not installed: {campaign.INSTALL}"),
]


def free_ports(count):
    """That nothing listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    found = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return found


def found(name):
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """Both partitions have the same node."""
    munged, slurmctld, slurmd, sbatch = (found(name) for name in (*DAEMONS, "sbatch"))
    if not (munged and slurmctld and slurmd and sbatch):
        pytest.skip("Slurm is not installed: sudo apt-get install slurmctld slurmd slurm-client munge")
    folder = tmp_path_factory.mktemp("slurm")
    folder.chmod(0o755)
    host = socket.gethostname().partition(".")[0]
    for name in ("state", "spool"):
        (folder / name).mkdir()
    (folder / "munge.key").write_bytes(os.urandom(128))
    (folder / "munge.key").chmod(0o600)
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(
            host=host, folder=folder, user=getpass.getuser(), ports=free_ports(2), later=LATER, cpus=os.cpu_count()
        )
    )
    munge = ["--foreground", "--force", f"--key-file={folder}/munge.key", f"--socket={folder}/munge.socket"]
    munge += [f"--{name}-file={folder}/munge.{name}" for name in ("pid", "log", "seed")]
    conf = str(folder / "slurm.conf")
    commands = (
        [munged, *munge],
        [slurmctld, "-D", "-f", conf],
        [slurmd, "-D", "-f", conf, "-N", host],
    )
    before = os.environ.get("SLURM_CONF")
    os.environ["SLURM_CONF"] = conf
    started = []
    try:
        for command in commands:
            with (folder / f"{Path(command[0]).name}.screen").open("w") as screen:
                started.append(subprocess.Popen(command, stdout=screen, stderr=screen, start_new_session=True))
            time.sleep(1)
        if not comes_up(host):
            logs = [path.read_text(errors="replace")[-500:] for path in sorted(folder.glob("*.screen"))]
            pytest.skip(f"Slurm does not start here: {' '.join(logs)}")
        yield folder
    finally:
        for process in reversed(started):
            process.terminate()
            try:
                process.wait(_ENDS_S)
            except subprocess.TimeoutExpired:
                process.kill()
        os.environ.pop("SLURM_CONF") if before is None else os.environ.update(SLURM_CONF=before)


def comes_up(host):
    end = time.monotonic() + _STARTS_S
    while time.monotonic() < end:
        said = subprocess.run(["sinfo", "--noheader", "--format=%T"], capture_output=True, text=True, check=False)
        if said.returncode == 0 and "idle" in said.stdout:
            return True
        time.sleep(0.5)
    return False


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A tree whose `ladders` reports of fake programs, and the folder of a campaign."""
    tree = tmp_path / "tree"
    tree.mkdir()
    here = f"PYTHONPATH={ROOT / 'scripts'}:{ROOT / 'tests/scripts'}"
    (tree / "ladders").write_text(f'#!/bin/sh\n{here} exec {sys.executable} {fake_report.__file__} "$@"\n')
    (tree / "ladders").chmod(0o755)
    git = ["git", "-C", tree, "-c", "user.name=A", "-c", "user.email=a@b"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Fake"]):
        subprocess.run([*git, *words], check=True)
    monkeypatch.setattr(campaign, "ROOT", tree)
    monkeypatch.setattr(session, "ROOT", tree)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "scripts"))
    (tmp_path / "site.py").write_text(SITE)
    return tmp_path


def run(place, limit="10m", more="", dry_run=False):
    (place / "all.toml").write_text(FILE.format(limit=limit) + more)
    campaign.campaign(argparse.Namespace(file=place / "all.toml", out=place / "out", dry_run=dry_run))


def results(place):
    return sorted((place / "out/results").glob("*/*.json.xz"))


def plain(place):
    """What the same report gives without a campaign."""
    out = place / "plain"
    subprocess.run([place / "tree/ladders", "report", "--case=xtea", "--preset=gcc", f"--out={out}"], check=True)
    return store.load(out / "xtea.json.xz")


def shape(found: Measurement):
    """All that does not change from one run to the next."""
    pairs = [(one.part, one.round, one.base, one.stage, one.workload) for one in found.pairs]
    return found.case, found.machine, [one.id for one in found.programs], found.workloads, pairs


def kept(place):
    """What is on disk of each measurement under way, by its journal."""
    journals = [path for path in place.glob("out/*/*/on-*/*.journal.jsonl") if ".finished." not in path.name]
    return {path: path.read_text().splitlines() for path in journals}


def finished(journal):
    return journal.with_name(journal.name.replace(".journal", ".finished.journal"))


def killed(place):
    """Kills the first report in the middle with SIGKILL; what was on disk then."""
    end = time.monotonic() + _STARTS_S
    while time.monotonic() < end:
        if any(len([line for line in lines if '"main/' in line]) >= 4 for lines in kept(place).values()):
            for one in reports(place):
                os.kill(one, signal.SIGKILL)
            return kept(place)
        time.sleep(0.1)
    return {}


def reports(place):
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if str(fake_report.__file__).encode() in words and any(str(place).encode() in word for word in words):
            found.append(int(path.parent.name))
    return found


def test_killed_and_timed_out_jobs_are_queued_again_and_go_on(slurm, place, capfd):
    run(place, more=ON_SLURM, dry_run=True)
    said = capfd.readouterr().out
    assert all(f"@cluster:{name}+first" in said for name in PARTITIONS)
    assert "Ran 2/4" in said, "a partition of two environments measures a case once"
    assert not list(place.glob("out/*/*/tree"))

    with ThreadPoolExecutor() as pool:
        killing = pool.submit(killed, place)
        run(place, limit=f"{fake_report.ROUNDS * fake_report.ROUND_S * 0.75:.0f}s", more=ON_SLURM)
    before = killing.result()
    assert before, "nothing was killed"
    log = (slurm / "slurmctld.log").read_text()
    assert all(f"WEXITSTATUS {code}" in log for code in (LATER, 128 + signal.SIGKILL))
    found = [store.load(path) for path in results(place)]
    assert [shape(one) for one in found] == [shape(plain(place))] * len(PARTITIONS)
    for path, lines in before.items():
        assert finished(path).read_text().splitlines()[: len(lines)] == lines, "what was measured is kept"

    capfd.readouterr()
    run(place, more=ON_SLURM)
    assert "it is measured" in capfd.readouterr().out
    assert [store.load(path) for path in results(place)] == found


def test_without_a_scheduler_the_same_command_goes_on(place):
    with pytest.raises(UserError, match="The same command goes on") as stopped:
        run(place, limit="6s")
    assert stopped.value.code == LATER
    assert results(place) == []
    ((path, before),) = kept(place).items()
    run(place)
    assert [shape(store.load(one)) for one in results(place)] == [shape(plain(place))]
    assert finished(path).read_text().splitlines()[: len(before)] == before


def test_a_campaign_that_is_stopped_leaves_no_job(place):
    """Without a scheduler nothing else would end it."""

    def interrupted():
        end = time.monotonic() + _STARTS_S
        while not any(kept(place).values()) and time.monotonic() < end:
            time.sleep(0.1)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    with ThreadPoolExecutor() as pool:
        pool.submit(interrupted)
        with pytest.raises(UserError, match=r"Stopped\. The same command goes on"):
            run(place)
    assert any(kept(place).values())
    assert reports(place) == []
