import sys

try:  # importing all of it takes seconds, in which a Ctrl-C may come
    from perf_ladders.cli import main

    code = main(sys.argv[1:])
except KeyboardInterrupt:
    print("Stopped.", file=sys.stderr)
    code = 2
sys.exit(code)
