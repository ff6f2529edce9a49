#!/usr/bin/env bash
# Goes through docs/your-own-kernel.md in a clone of its own and prints, as Markdown, how long the machine took for each
# step. The last commit is what it clones; nothing outside a temporary folder is changed.
#   docs/examples/walk.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -e .venv/requirements.sha256 ] || {
  echo "The Python environment is missing. Type: make setup" >&2
  exit 2
}

unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER  # no cache: a reader has compiled nothing yet
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git clone --quiet --no-tags . "$clone"
cp -r docs/examples/crc32/* "$clone"
ln -s "$PWD/.venv" "$clone/.venv"
cd "$clone"

step() {
  local began=$SECONDS log=$clone/walk.log
  "$@" > "$log" 2>&1 || {
    cat "$log" >&2
    echo "This step failed: $*" >&2
    exit 1
  }
  echo "| \`$*\` | $((SECONDS - began)) s |"
}

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
echo "| step | the machine takes |"
echo "|---|--:|"
step make build CASE=crc32
step build/gcc/crc32-00.x86-64 check
step make test CASE=crc32
step make run-stage crc32-01
step make report CASE=crc32 QUICK=1
echo
echo "Measured on $(date --utc +%Y-%m-%d) by docs/examples/walk.sh on $cpu, $(nproc) CPUs,"
echo "load average $(cut -d ' ' -f 1 /proc/loadavg) at the end; $(g++ --version | sed -n 1p)."
