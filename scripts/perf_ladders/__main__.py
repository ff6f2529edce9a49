import os
import sys

os.environ.pop("PYTHONSAFEPATH", None)  # set by ./ladders; commands that are compared do not inherit it

if sys.version_info < (3, 11):  # noqa: UP036 - a system may have an older one
    found = f"Python {sys.version_info[0]}.{sys.version_info[1]} is too old"
    print(f"{found}: 3.11 or newer is needed, which Debian 12 and Ubuntu 24.04 have.", file=sys.stderr)
    sys.exit(2)

try:  # importing takes a moment, in which a Ctrl-C may come
    from perf_ladders.cli import entry

    code = entry()
except KeyboardInterrupt:
    print("Stopped.", file=sys.stderr)
    code = 2
sys.exit(code)
