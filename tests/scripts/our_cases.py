"""The cases of the repository. A case of the reader's own, with a place from 90 on, need not keep to their rules: a
model, techniques, marked ideas, published measurements."""

from __future__ import annotations

from perf_ladders.tree import catalogue
from perf_ladders.tree.paths import OWN_STAGES, STAGES

OURS = [name for name in catalogue.case_names() if catalogue.order_of(STAGES / name / "case.toml") < float(OWN_STAGES)]
