#!/usr/bin/env python3
"""Asks four tools the same two questions, again and again: do they call a program different from itself, and do they
find that one does 3.2 % less work? Prints the table of docs/compare.md.

    .venv/bin/python docs/examples/against_others.py --compare-py /usr/share/benchmark/compare.py

It needs g++, libbenchmark-dev and hyperfine; compare.py comes with the package libbenchmark-tools."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHAIN = """
#include <cstdint>
__attribute__((noinline)) std::uint64_t chain(std::uint64_t x) {
#pragma GCC unroll 1
  for (int i = 0; i < STEPS; ++i) x = (x ^ x >> 31) * 0x9E3779B97F4A7C15;
  return x;
}
"""
COMMAND = CHAIN + "int main() { std::uint64_t x = 1; for (int i = 0; i < CALLS; ++i) x = chain(x); return x == 0; }"
BENCHMARK = (
    "#include <benchmark/benchmark.h>"
    + CHAIN
    + "void step(benchmark::State& state) { std::uint64_t x = 1; for (auto _ : state) x = chain(x);"
    " benchmark::DoNotOptimize(x); }\nBENCHMARK(step);\nBENCHMARK_MAIN();"
)
MORE, LESS = 1000, 968  # steps of a call
CALLS = 100_000  # of a command, which then takes about half a second


def built(folder: Path, name: str, source: str, steps: int, *libraries: str) -> Path:
    code, program = folder / f"{name}.cpp", folder / name
    code.write_text(source, encoding="utf-8")
    subprocess.run(
        ["g++", "-O2", f"-DSTEPS={steps}", f"-DCALLS={CALLS}", str(code), "-o", str(program), *libraries], check=True
    )
    return program


def by_hyperfine(first: Path, second: Path) -> bool:
    """The means lie further apart than both standard deviations: what its summary (1.03 ± 0.02) is read for."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = ["hyperfine", "-N", "--warmup", "2", "--export-json", file.name, str(first), str(second)]
        subprocess.run(command, check=True, capture_output=True)
        one, other = json.load(file)["results"]
    return abs(one["mean"] - other["mean"]) > one["stddev"] + other["stddev"]


def by_compare_py(script: Path) -> Callable[[Path, Path], bool]:
    def differ(first: Path, second: Path) -> bool:
        """Its U test over 10 repetitions of each, at its own 5 %."""
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            command = [sys.executable, script, "-d", file.name, "benchmarks", first, second]
            subprocess.run([*command, "--benchmark_repetitions=10"], check=True, capture_output=True)
            found = json.load(file)
        return any(one["utest"]["time_pvalue"] < 0.05 for one in found if one.get("utest"))

    return differ


def by_ladders(*words: str) -> Callable[[Path, Path], bool]:
    def differ(first: Path, second: Path) -> bool:
        command = [ROOT / "ladders", "compare", "--json", *words, "--", first, "--", second]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return any("faster" in one["verdict"] or "slower" in one["verdict"] for one in found)

    return differ


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compare-py", type=Path, required=True, help="the script of Google Benchmark")
    parser.add_argument("--tries", type=int, default=10, help="of each question (default: 10)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        of_commands = [built(folder, f"command-{n}", COMMAND, steps) for n, steps in enumerate((MORE, MORE, LESS))]
        of_benchmarks = [
            built(folder, f"benchmark-{n}", BENCHMARK, steps, "-lbenchmark", "-pthread")
            for n, steps in enumerate((MORE, MORE, LESS))
        ]
        tools: dict[str, tuple[list[Path], Callable[[Path, Path], bool]]] = {
            "hyperfine": (of_commands, by_hyperfine),
            "`ladders compare`": (of_commands, by_ladders()),
            "compare.py": (of_benchmarks, by_compare_py(options.compare_py)),
            "`ladders compare --google-benchmark`": (of_benchmarks, by_ladders("--google-benchmark", "step")),
        }
        seconds = dict.fromkeys(tools, 0.0)
        said = {tool: [0, 0] for tool in tools}
        for number in range(options.tries):
            for tool, (programs, differ) in tools.items():  # in turn, so that all meet the same noise
                began = time.monotonic()
                for question in (0, 1):
                    said[tool][question] += differ(programs[0], programs[1 + question])
                seconds[tool] += time.monotonic() - began
            print(f"try {number + 1} of {options.tries}: {said}", file=sys.stderr)
    print("| tool | calls a program different from itself | finds 3.2 % | time of one answer |\n|---|---|---|---|")
    for tool, (same, less) in said.items():
        n = options.tries
        print(f"| {tool} | {same} of {n} | {less} of {n} | {seconds[tool] / (2 * n):.1f} s |")


if __name__ == "__main__":
    main()
