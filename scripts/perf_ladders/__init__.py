"""Measures the ladders and writes the reports. `python -m perf_ladders --help` lists what it can do."""
