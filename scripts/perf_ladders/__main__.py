import sys

if sys.version_info < (3, 11):  # noqa: UP036 - a system may have an older one
    sys.exit(f"Python {sys.version_info[0]}.{sys.version_info[1]} is too old: 3.11 or newer is needed.")

try:  # importing takes a moment, in which a Ctrl-C may come
    from perf_ladders.cli import entry

    code = entry()
except KeyboardInterrupt:
    print("Stopped.", file=sys.stderr)
    code = 2
sys.exit(code)
