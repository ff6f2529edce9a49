"""`./ladders report` of a tree whose programs are fake: the journal is a real one, which faults can hit, and so is the
file of the result. Its times are made up, so that its control holds on every machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import fake_measurement
from measurement_sample import paired

from perf_ladders import cli
from perf_ladders.measure import pairs
from perf_ladders.model.measurement import Made
from perf_ladders.results import store

ROUNDS = 12
ROUND_S = 2.0  # so that a fault or a time limit finds it in the middle


def report(words: list[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["report"])
    parser.add_argument("--case", required=True)
    parser.add_argument("--preset", action="append")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args(words)
    once = pairs.measured

    def slowly(*given):
        time.sleep(ROUND_S)
        return once(*given)

    pairs.measured = slowly
    kept, found = fake_measurement.measured(asked.out, asked.rounds)
    made = paired({"xtea-00": 1, "xtea-00-again": 1, "xtea-02": 2}, rounds=len(found.pairs))
    made.case, made.made = asked.case, kept.get("made", Made)
    store.save(made, asked.out / f"{asked.case}.json.xz")
    kept.finish()


if __name__ == "__main__":
    cli.stop_at_signals()
    sys.exit(cli.ending_well(lambda: report(sys.argv[1:])))
