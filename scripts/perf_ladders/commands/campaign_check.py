"""What ReFrame runs of a campaign: `ladders campaign` copies it to the folder of the campaign, beside campaign.json."""

from __future__ import annotations

import shlex
from pathlib import Path

import reframe as rfm
from archspec.cpu import TARGETS
from reframe.core.builtins import parameter, run_after, run_before, sanity_function
from reframe.utility.sanity import assert_true

from perf_ladders.commands import campaign

FOLDER = Path(__file__).resolve().parent
ASKED = campaign.asked_in(FOLDER)
_GRACE_S = 120  # beyond the time limit, for a job to begin and to end


@rfm.simple_test
class Report(rfm.RunOnlyRegressionTest):
    """One report of a case, alone on its node."""

    case = parameter(ASKED.campaign.cases)
    valid_systems = ASKED.campaign.partitions or ["*"]
    valid_prog_environs = ["*"]  # noqa: RUF012 - as ReFrame reads it
    exclusive_access = True
    num_tasks = 1
    time_limit = f"{ASKED.campaign.seconds + _GRACE_S}s"
    sourcesdir = None

    @run_after("setup")
    def leave_out(self) -> None:
        partition = self.current_partition
        self.place = FOLDER / ASKED.commit / f"{partition.fullname.replace(':', '-')}-{ASKED.campaign.design}"
        self.skip_if(self.current_environ.name != partition.environs[0].name, "a partition measures a case once")
        self.skip_if(bool(campaign.measured(self.place, self.case)), "it is measured")
        found = partition.processor.arch
        if self.is_dry_run() and found is None:  # no job asks the node
            return
        for feature in ASKED.campaign.features:
            has = feature in partition.features or (found in TARGETS and feature in TARGETS[found])
            self.skip_if(not has, f"ReFrame finds no {feature} here (processor: {found})")

    @run_after("setup")
    def command(self) -> None:
        if self.current_partition.launcher_type.registered_name != "local":
            self.num_cpus_per_task = self.current_partition.processor.num_cpus
        presets = [f"--preset={one}" for one in ASKED.campaign.compilers]
        rounds = [f"--rounds={ASKED.campaign.rounds}"] if ASKED.campaign.rounds else []
        # Node by node: two never build in one folder, and a measurement that goes on elsewhere begins again there.
        place = shlex.quote(str(self.place))
        here = f'{place}/on-"$(uname -n)"'
        begun = f"{here}/tree-begun"
        copied = f"mkdir -p {here} && rm -rf {begun} && cp -a {place}/tree {begun} && mv {begun} {here}/tree"
        self.prerun_cmds = [f"[ -e {here}/tree ] || {{ {copied}; }}"]
        # SIGTERM ends the report with exit code 75, whichever scheduler there is. In the foreground it stays in the
        # group of processes that a scheduler ends.
        self.executable = "timeout"
        self.executable_opts = [f"--foreground --preserve-status {ASKED.campaign.seconds} {here}/tree/ladders report"]
        self.executable_opts += [f"--case={self.case}", *presets, *rounds, f"--out={here}"]

    @run_before("run")
    def clone(self) -> None:
        if not self.is_dry_run():
            campaign.cloned(ASKED, self.place / "tree")

    @sanity_function
    def decodes_and_its_control_holds(self) -> object:
        found = campaign.measured(self.place, self.case)
        said = (Path(self.stagedir) / str(self.stderr)).read_text(encoding="utf-8", errors="replace").split("\n")
        why = campaign.misfits(self.place, self.case) or " ".join([line for line in said if line.strip()][-2:])
        return assert_true(found, f"no result whose control holds: {why}")
