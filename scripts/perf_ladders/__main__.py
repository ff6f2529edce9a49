import sys

from perf_ladders.cli import main

sys.exit(main(sys.argv[1:]))
