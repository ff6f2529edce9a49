"""What a campaign's file may say, what is handed to ReFrame, and how results come together."""

from __future__ import annotations

import importlib.util
import lzma
import os
import shlex
import subprocess
import sys
from types import ModuleType, SimpleNamespace

import pytest
from conftest import needs
from measurement_sample import paired

from perf_ladders import cli
from perf_ladders.commands import campaign
from perf_ladders.measure import session
from perf_ladders.model.measurement import Made
from perf_ladders.results import store
from perf_ladders.tree import files

pytestmark = needs("xtea-02")
GOOD = 'cases = ["xtea"]\ntime_limit = "2h"\n'
SYSTEMS = """[{"name": "cluster", "partitions": [
  {"name": "zen4", "scheduler": "slurm"}, {"name": "login", "scheduler": "local"}]}]"""
PART = f"cluster-zen4-{campaign.Campaign(cases=['xtea'], time_limit='2h').design}"
MEASURED = (PART, "xtea")
AGAIN = {"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 2}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """ReFrame is a script that keeps its words, and knows two partitions."""
    reframe = tmp_path / "bin/reframe"
    reframe.parent.mkdir()
    reframe.write_text(
        f'#!/bin/sh\ncase "$*" in *--show-config*) echo \'{SYSTEMS}\' ;; *) echo "$*" >> said; exit $(cat code) ;; esac'
    )
    reframe.chmod(0o755)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/code").write_text("0")
    monkeypatch.setattr(campaign, "REFRAME", reframe)
    monkeypatch.setattr(campaign, "known_features", lambda: ["avx2", "avx512"])
    monkeypatch.setattr(campaign, "made_now", lambda: Made(date="2026-01-01", commit="0123456789ab"))
    return tmp_path


def run(place, text=GOOD, dry_run=False):
    (place / "all.toml").write_text(text)
    words = [str(place / "all.toml"), f"--out={place / 'out'}", *(["--dry-run"] if dry_run else [])]
    return cli.main(["campaign", *words])


def said(place):
    """The words of ReFrame's last run."""
    return shlex.split((place / "out/said").read_text().splitlines()[-1])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('cases = ["xtee"]\ntime_limit = "2h"', "There is no case 'xtee'. Did you mean `xtea`?"),
        (GOOD + 'compilers = ["gc"]', "There is no preset 'gc'. Did you mean `gcc`?"),
        (GOOD + 'compilers = ["sanitize"]', "The preset sanitize is for tests"),
        (GOOD + 'features = ["avx51"]', "There is no feature 'avx51'. Did you mean `avx512`?"),
        (GOOD + 'partitions = ["cluster:zen5"]', "There is no partition 'cluster:zen5'. Did you mean `cluster:zen4`?"),
        (GOOD + "feature = []", "unknown field `feature`. Its fields are: cases, compilers, time_limit"),
        (GOOD + 'rounds = "60"', "rounds: expected `int | null`, got `str`"),
        (GOOD + "rounds = 11", "rounds: expected `int` >= 12"),
        ('cases = "xtea"\ntime_limit = "2h"', "cases: expected `array`, got `str`"),
        ('cases = []\ntime_limit = "2h"', "cases: expected `array` of length >= 1"),
        ('cases = ["xtea"]', "missing required field `time_limit`"),
        ('cases = ["xtea"]\ntime_limit = 2', "time_limit: expected `str`, got `int`"),
        ('cases = ["xtea"]\ntime_limit = "2 hours"', "'2 hours' is no time limit. Write it as "),
        ('cases = ["xtea"]\ntime_limit = "2h\\n"', "is no time limit"),
        ('cases = ["xtea"]\ntime_limit = "0h"', "is no time limit"),
        ('cases = ["xtea", "xtea"]\ntime_limit = "2h"', "names xtea twice"),
        (GOOD + 'reframe = "nowhere.py"', "ReFrame's configuration nowhere.py, and there is no such file"),
        (
            GOOD + 'reframe = "../site.py"',
            "ReFrame's configuration ../site.py, and there is no such file in its folder",
        ),
        (GOOD + f'reframe = "{campaign.__file__}"', "campaign.py, and there is no such file in its folder"),
        (GOOD + 'reframe = "link/site.py"', "configuration link/site.py, and there is no such file in its folder"),
        (GOOD + f'reframe = "{"x" * 400}"', "and there is no such file in its folder"),
        ("cases = [", "is no TOML"),
    ],
)
def test_a_mistake_gets_one_sentence_and_starts_nothing(place, capsys, text, sentence):
    (place / "outside/campaign").mkdir(parents=True)
    (place / "outside/site.py").touch()
    (place / "outside/campaign/link").symlink_to(place / "outside")
    place = place / "outside/campaign"
    assert run(place, text) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert len(told.splitlines()) == 1
    assert not (place / "out/said").exists()


def test_a_file_that_is_missing_is_named(place, capsys):
    assert cli.main(["campaign", str(place / "none.toml")]) == 2
    assert "none.toml (No such file or directory)" in capsys.readouterr().err


def test_without_reframe_the_command_that_installs_it_is_named(place, capsys, monkeypatch):
    monkeypatch.setattr(campaign, "REFRAME", place / "nowhere")
    assert run(place) == 2
    assert campaign.INSTALL in capsys.readouterr().err
    assert (campaign.ROOT / campaign.INSTALL.split()[-1]).is_file()


def test_reframe_is_told_to_run_the_check_one_job_after_the_other_where_there_is_no_scheduler(place):
    assert run(place) == 0
    assert {"--checkpath=check.py", "--exec-policy=serial", "--run"} <= {*said(place)}
    assert run(place, GOOD + 'partitions = ["cluster:zen4"]', dry_run=True) == 0
    assert {"--exec-policy=async", "--dry-run"} <= {*said(place)}
    settings = (place / "out/settings.yaml").read_text()
    assert '"remote_detect": false' in settings, "a dry run starts no job"


def test_a_configuration_of_the_site_comes_first_and_is_found_beside_the_file(place):
    (place / "site.py").touch()
    assert run(place, GOOD + 'reframe = "site.py"') == 0
    configured = [word for word in said(place) if word.startswith("--config-file")]
    assert configured == [f"--config-file={place / name}" for name in ("site.py", "out/settings.yaml")]


def test_a_link_to_a_campaign_finds_what_lies_beside_the_file_itself(place):
    (place / "site.py").touch()
    (place / "all.toml").write_text(GOOD + 'reframe = "site.py"')
    (place / "links").mkdir()
    (place / "links/all.toml").symlink_to(place / "all.toml")
    assert cli.main(["campaign", str(place / "links/all.toml"), f"--out={place / 'out'}"]) == 0
    assert f"--config-file={place / 'site.py'}" in said(place)


def test_a_second_campaign_in_one_folder_is_refused(place, capsys):
    with files.locked(place / "out"):
        assert run(place) == 2
    assert "A campaign runs in" in capsys.readouterr().err
    assert not (place / "out/said").exists()


def test_a_file_system_without_locks_stops_no_campaign(place, monkeypatch):
    def unlocked(*_):
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(files.fcntl, "flock", unlocked)
    assert run(place) == 0


@pytest.mark.parametrize(
    ("journal", "code"),
    [("xtea.journal.jsonl", 75), ("xtea.finished.journal.jsonl", 1), ("sha3.journal.jsonl", 1)],
    ids=["begun", "finished", "of another case"],
)
def test_the_exit_code_says_whether_to_go_on(place, journal, code):
    (place / "out/code").write_text("1")
    for commit, name in (("0123456789ab", journal), ("older", "xtea.journal.jsonl")):
        (place / "out" / commit / PART / "on-n").mkdir(parents=True)
        (place / "out" / commit / PART / "on-n" / name).touch()
    assert run(place) == code


def test_a_journal_of_a_node_that_a_job_left_does_not_go_on(place, monkeypatch):
    """The case was measured elsewhere, so what failed now is something else."""
    (place / "out/code").write_text("1")
    (place / "out/0123456789ab" / PART / "on-a").mkdir(parents=True)
    (place / "out/0123456789ab" / PART / "on-a" / "xtea.0a1b.journal.jsonl").touch()
    assert run(place) == 75
    monkeypatch.setattr(campaign, "measured", lambda folder, case: [folder] if (folder.name, case) == MEASURED else [])
    assert run(place) == 1


# --- The check ---


class Skipped(Exception):
    pass


def skip_if(condition, why):
    if condition:
        raise Skipped(why)


@pytest.fixture
def check(place, monkeypatch):
    """The written check, loaded with a ReFrame of few lines; what it would ask of a partition is set here."""

    class Test:
        stagedir, stderr = place, "rfm_job.err"
        skip_if = staticmethod(skip_if)

        @staticmethod
        def is_dry_run():
            return False

    def same(found):
        return found

    stages = {name: lambda stage: same for name in ("run_after", "run_before")}
    modules = {
        "reframe": {"RunOnlyRegressionTest": Test, "simple_test": same},
        "reframe.core.builtins": {"parameter": same, "sanity_function": same, **stages},
        "reframe.utility.sanity": {"assert_true": lambda found, why: found or why},
        "archspec.cpu": {"TARGETS": {"zen3": {"avx2"}, "zen4": {"avx2", "avx512"}}},
    }
    for name, parts in modules.items():
        made = ModuleType(name)
        vars(made).update(parts)
        monkeypatch.setitem(sys.modules, name, made)

    def load(text, arch="zen4", launcher="srun", features=(), environ="first"):
        run(place, text)
        spec = importlib.util.spec_from_file_location("written_check", place / "out/check.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        one = module.Report()
        one.case = one.case[0]
        one.current_environ = SimpleNamespace(name=environ)
        one.current_partition = SimpleNamespace(
            fullname="cluster:zen4",
            environs=[SimpleNamespace(name="first"), SimpleNamespace(name="second")],
            features=features,
            processor=SimpleNamespace(arch=arch, num_cpus=8),
            launcher_type=SimpleNamespace(registered_name=launcher),
        )
        one.leave_out()
        one.command()
        return one

    return load


def test_a_job_is_one_report_of_its_own_tree_and_node(place, check):
    one = check(GOOD + 'compilers = ["gcc", "clang"]\nrounds = 30\npartitions = ["cluster:zen4"]')
    assert one.exclusive_access
    assert one.valid_systems == ["cluster:zen4"]
    assert (one.num_tasks, one.num_cpus_per_task) == (1, 8)
    at = one.place
    assert at.parent == place / "out/0123456789ab"
    here = f'{at}/on-"$(uname -n)"'
    told = f"timeout --foreground --preserve-status 7200 {here}/tree/ladders report --case=xtea"
    asked = f"--preset=gcc --preset=clang --rounds=30 --out={here}"
    assert " ".join([one.executable, *one.executable_opts]) == f"{told} {asked}"
    assert one.time_limit == "7320s", "the scheduler's limit comes later"


def test_each_node_works_in_a_copy_of_its_own(check):
    one = check(GOOD)
    (one.place / "tree").mkdir(parents=True)
    (one.place / "tree/ladders").write_text('#!/bin/sh\ncd "$(dirname "$0")" && pwd -P && echo built >> build\n')
    (one.place / "tree/ladders").chmod(0o755)
    job = "\n".join([*one.prerun_cmds, " ".join([one.executable, *one.executable_opts])])
    here = one.place / f"on-{os.uname().nodename}"
    (here / "tree-begun").mkdir(parents=True)  # of a job that was killed while it copied
    for _ in range(2):
        done = subprocess.run(["sh", "-euc", job], capture_output=True, text=True, check=True)
        assert done.stdout == f"{here}/tree\n"
    assert (here / "tree/build").read_text() == "built\nbuilt\n", "what was built is kept"
    assert [path.name for path in (one.place / "tree").iterdir()] == ["ladders"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"arch": "zen3"}, "ReFrame finds no avx512 here (processor: zen3)"),
        ({"arch": None}, "ReFrame finds no avx512 here (processor: None)"),
        ({"environ": "second"}, "a partition measures a case once"),
    ],
)
def test_what_does_not_fit_is_skipped_with_a_reason(check, given, why):
    with pytest.raises(Skipped) as skipped:
        check(GOOD + 'features = ["avx512"]', **given)
    assert str(skipped.value) == why


def test_a_feature_may_come_from_the_configuration_where_detection_does_not_see_it(check):
    assert check(GOOD + 'features = ["avx512"]', arch="x86_64_v3", features=["avx512"]).case == "xtea"


def result(place, node="a", seed=1, failed=False, part="c/p"):
    speed = {**AGAIN, "xtea-00-again": 2} if failed else AGAIN
    return store.save(paired(speed, seed=seed), place / "out" / part / f"on-{node}/xtea.json.xz")


def test_a_result_is_sane_if_it_decodes_and_its_control_holds(place, check):
    one = check(GOOD)
    (place / "rfm_job.err").write_text("Building ...\n\nStopped. It goes on.\nsrun: error\n")
    assert one.decodes_and_its_control_holds().endswith(": Stopped. It goes on. srun: error")
    at = f"0123456789ab/{PART}"
    path = result(place, failed=True, part=at)
    assert "no result whose control holds: failed (" in one.decodes_and_its_control_holds()
    path.write_bytes(path.read_bytes()[:-9])
    assert "damaged or truncated" in one.decodes_and_its_control_holds()
    assert result(place, part=at) == path
    assert one.decodes_and_its_control_holds() == [path]
    for same in (GOOD, GOOD.replace("2h", "1h")):
        with pytest.raises(Skipped, match="it is measured"):
            check(same)
    for other in ('compilers = ["gcc", "clang"]', "rounds = 120"):
        assert check(GOOD + other).place.parent == one.place.parent, "it is measured again, as it is another result"


def test_each_partition_has_a_clone_of_the_commit_that_holds_no_change(tmp_path):
    root = tmp_path / "root"
    git = ["git", "-C", root, "-c", "user.name=A", "-c", "user.email=a@b"]
    root.mkdir()
    (root / "file").write_text("committed")
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "One"]):
        subprocess.run([*git, *words], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    (root / "file").write_text("changed")
    (root / ".venv").mkdir()
    asked = campaign.Asked(campaign=campaign.Campaign(cases=["xtea"], time_limit="1h"), root=str(root), commit=commit)
    tree = tmp_path / "p/tree"
    for _ in range(2):
        campaign.cloned(asked, tree)
        assert (tree / "file").read_text() == "committed"
        assert (tree / ".venv").resolve() == root / ".venv"
        done = subprocess.run(["git", "-C", tree, "status", "--porcelain"], capture_output=True, text=True, check=True)
        assert done.stdout == ""


# --- The results ---


def test_results_come_together_as_files_and_are_not_pooled(place):
    mine = [result(place, "a", 1), result(place, "b", 2)]
    result(place, "c", 3, failed=True)
    assert run(place) == 0
    kept = sorted((place / "out/results/xtea").iterdir())
    assert sorted(path.read_bytes() for path in kept) == sorted(path.read_bytes() for path in mine)
    before = {path: path.stat().st_mtime_ns for path in kept}
    assert run(place) == 0
    assert {path: path.stat().st_mtime_ns for path in (place / "out/results/xtea").iterdir()} == before


def test_two_results_of_one_id_are_refused_and_nothing_is_written(place, capsys):
    result(place, "a"), result(place, "b")
    assert run(place) == 2
    assert "are one result: delete one of them" in capsys.readouterr().err
    assert not (place / "out/results").exists()


def test_a_result_that_is_there_is_not_overwritten(place, capsys):
    path = result(place)
    kept = place / "out/results/xtea" / store.name(store.load(path))
    store.save(paired(AGAIN, seed=9), kept)
    before = kept.read_bytes()
    assert run(place) == 2
    assert "have one name and differ" in capsys.readouterr().err
    assert kept.read_bytes() == before


def test_a_result_of_another_version_is_named_and_nothing_is_written(place, capsys):
    result(place, "a", 1)
    path = result(place, "b", 2, part="older/p")
    path.write_bytes(lzma.compress(lzma.decompress(path.read_bytes()).replace(b'"version":3', b'"version":2')))
    assert run(place) == 2
    told = capsys.readouterr().err
    assert "older/p/on-b/xtea.json.xz has version 2" in told
    assert "or rename it. Nothing was overwritten." in told
    assert not (place / "out/results").exists()


def test_a_result_that_cannot_be_read_is_not_measured_again(place, capsys):
    """A job would write over it."""
    path = result(place, "a", 1, part=f"0123456789ab/{PART}")
    path.write_bytes(b"damaged")
    assert run(place) == 2
    assert "Nothing was overwritten." in capsys.readouterr().err
    assert not (place / "out/said").exists(), "no job was started"
    assert path.read_bytes() == b"damaged"


def test_the_campaign_is_of_a_commit(place, capsys, monkeypatch):
    monkeypatch.setattr(campaign, "made_now", session.made_now)
    monkeypatch.setattr(session, "ROOT", place)
    assert run(place) == 2
    assert "A campaign measures a commit" in capsys.readouterr().err
