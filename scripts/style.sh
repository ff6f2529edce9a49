#!/usr/bin/env bash
# Checks what ./ladders lint does not: shell scripts, the format of C++, and a few faults in stages (.clang-tidy). Its tools
# come from PyPI, pinned by hash, into build/style; that needs a network the first time.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=scripts/style-requirements.txt
tools=build/style
if ! cmp -s "$wanted" "$tools/installed"; then
  rm -rf "$tools"
  { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --require-hashes --only-binary :all: -r "$wanted"; } || {
    echo "The tools of $wanted could not be installed into $tools: is there a network?" >&2
    exit 2
  }
  cp "$wanted" "$tools/installed"
fi
PATH=$PWD/$tools/bin:$PATH

failed=()
git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck || failed+=(shellcheck)
git ls-files -z '*.cpp' '*.hpp' '*.c' | xargs -0 clang-format --dry-run -Werror || failed+=(clang-format)
# Those without a library, for all instruction sets that they use.
# shellcheck disable=SC2016
grep -LZ '^// links:' stages/*/[0-9]*/stage.cpp |
  xargs -0 -n 1 -P "$(nproc)" sh -c 'clang-tidy --quiet "$1" -- -std=c++20 -I. -Istages -march=icelake-server' - ||
  failed+=(clang-tidy)
[ ${#failed[@]} -eq 0 ] || {
  echo "Not in order: ${failed[*]}. What is wrong is listed above; clang-format -i FILE formats one." >&2
  exit 1
}
