"""Runs commands in a network namespace of their own, in which there is no network."""

from __future__ import annotations

import os
import shutil
import subprocess

ALONE = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-current-user", "--net"]


def has_namespaces() -> bool:
    return bool(shutil.which("unshare")) and subprocess.run([*ALONE, "true"], check=False).returncode == 0
