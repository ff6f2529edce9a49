#!/usr/bin/env bash
# Sets up what building, testing and measuring need: system packages (named before they are installed) and a Python
# environment in .venv. Does nothing, and needs no network, where everything is there.
#   scripts/setup.sh [PRESET]...
#   scripts/setup.sh --list-needed|--list-welcome [PRESET]...    the packages, one a line; a|b means the first there is
#   scripts/setup.sh --list-all [PRESET]...                      both, of a system that has nothing yet
#   scripts/setup.sh --newest-clang                              the Clang of the clang presets
set -euo pipefail
cd "$(dirname "$0")/.."

complain() {
  echo "$*" >&2
  exit 2
}

asked=setup
case ${1:-} in --*)
  asked=$1
  shift
  ;;
esac

newest_clang() {
  local names name
  names=$(<common/cmake/newest-clang.cmake)
  names=${names#*NAMES } names=${names%%)*}
  for name in $names; do
    if command -v "$name" >/dev/null; then
      echo "$name"
      return
    fi
  done
}

# has COMMAND...: whether it says that this system has something; where all is asked for, none has anything.
has() { [ "$asked" != --list-all ] && "$@"; }

needed=(g++ cmake ninja-build pkg-config libgtest-dev libbenchmark-dev)
has python3 -c 'import ensurepip, venv' 2>/dev/null || needed+=(python3 python3-venv)
# Libraries to compare with, and tools that look into a program: reports come without them too, and say so.
welcome=(libtbb-dev libcrypto++-dev libbotan-2-dev libssl-dev libgcrypt20-dev nettle-dev libsodium-dev
  libcli11-dev nlohmann-json3-dev rapidjson-dev libfmt-dev ocl-icd-opencl-dev opencl-clhpp-headers pocl-opencl-icd
  valgrind hyperfine 'linux-perf|linux-tools-generic')
[ "$(uname -m)" != x86_64 ] || welcome+=(libipsec-mb-dev)  # which is for this architecture alone

# The newest Clang that Debian 12 has is not the one it calls clang; LLVM goes with it.
llvm=
has compgen -c llvm-mca >/dev/null || llvm='llvm-19|llvm'
if [[ $* == *clang* ]]; then
  llvm='llvm-19|llvm'
  clang=$(has newest_clang || true)
  if [ -z "$clang" ]; then
    needed+=('clang-19|clang' 'libclang-rt-19-dev|libclang-rt-dev')
  elif [[ $("$clang" --version) =~ version\ ([0-9]+) ]]; then
    llvm=llvm-${BASH_REMATCH[1]}  # llvm-profdata reads the profiles of its own version only
  fi
fi
[ -z "$llvm" ] || welcome+=("$llvm")

case $asked in
  setup) ;;
  --list-needed) printf '%s\n' "${needed[@]}" && exit ;;
  --list-welcome) printf '%s\n' "${welcome[@]}" && exit ;;
  --list-all) printf '%s\n' "${needed[@]}" "${welcome[@]}" && exit ;;
  --newest-clang) newest_clang && exit ;;
  *) complain "There is no '$asked'; there are: --list-needed --list-welcome --list-all --newest-clang" ;;
esac

command -v apt-get >/dev/null || complain "This set-up knows Debian and Ubuntu only. Install by hand what these packages" \
  "hold: ${needed[*]//|//} ${welcome[*]//|//}; then run: cmake --preset gcc && cmake --build --preset gcc."

installed() { [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
# No pipe into grep: where grep has seen enough and leaves, apt-cache fails to write the rest, and so does the pipe.
available() { grep -q '^Package:' <<< "$(apt-cache show "$1" 2>/dev/null)"; }

# A word such as a|b stands for packages of which any one will do.
any_installed() {
  local package
  for package in ${1//|/ }; do
    if installed "$package"; then return; fi
  done
  return 1
}
# The first that this system has; nothing where it has none.
to_be_had() {
  local word package
  for word in "$@"; do
    for package in ${word//|/ }; do
      if available "$package"; then
        echo "$package"
        break
      fi
    done
  done
}

absent() {
  for word in "$@"; do any_installed "$word" || echo "$word"; done
}
mapfile -t missing < <(absent "${needed[@]}")
# What this system turned out not to have is not asked for again.
mapfile -t wished < <(absent "${welcome[@]}" | grep -vxFf <(cat build/not-to-be-had 2>/dev/null || true) || true)

do_without() {
  local words="$*"
  echo "Not installed, so reports come without what they give: ${words//|//}"
}
never_again() {
  mkdir -p build
  printf '%s\n' "$@" >> build/not-to-be-had
}

if [ $((${#missing[@]} + ${#wished[@]})) -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
    command -v sudo >/dev/null || {
      [ ${#missing[@]} -eq 0 ] || complain "These system packages are missing: ${missing[*]//|//}. Have them installed with:" \
        "apt-get install $(to_be_had "${missing[@]}" "${wished[@]}" | tr '\n' ' ')"
      do_without "${wished[@]}"
      wished=()
    }
  fi
fi

if [ $((${#missing[@]} + ${#wished[@]})) -gt 0 ]; then
  echo "These system packages are missing and will be installed now: ${missing[*]//|//} ${wished[*]//|//}"
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -qq || echo "apt-get update failed (no network?); trying with what is known."
  install() { "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
  to_install=()
  for word in "${missing[@]}"; do
    package=$(to_be_had "$word")
    to_install+=("${package:-${word##*|}}")
  done
  [ ${#to_install[@]} -eq 0 ] || install "${to_install[@]}" ||
    complain "Installing failed. Try it by hand: apt-get install ${to_install[*]}"
  to_install=()
  for word in "${wished[@]}"; do
    package=$(to_be_had "$word")
    if [ -n "$package" ]; then
      to_install+=("$package")
    else
      echo "This system has no package ${word//|//}: reports come without what it gives."
      never_again "$word"
    fi
  done
  # All works without these: what this system or its owner refuses is not asked for each time.
  [ ${#to_install[@]} -eq 0 ] || install "${to_install[@]}" || {
    do_without "${to_install[@]}"
    never_again "${wished[@]}"
    echo "To have it tried again: rm build/not-to-be-had"
  }
fi

wanted=$(sha256sum requirements.txt | cut -d ' ' -f 1)
if [ "$(cat .venv/requirements.sha256 2>/dev/null)" != "$wanted" ]; then
  echo "Setting up the Python environment .venv (numpy, scipy, matplotlib and what they need, pinned by hash) ..."
  rm -rf .venv
  python3 -m venv .venv || complain "python3 -m venv failed: install python3-venv."
  .venv/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements.txt ||
    complain "The Python packages of requirements.txt could not be installed: is there a network?"
  echo "$wanted" > .venv/requirements.sha256
fi

# Those of every stage, in a clone that has none: git checkout xtea-03.
PYTHONPATH=scripts .venv/bin/python -m perf_ladders tags --setup || echo "There are no stage tags: make tags says why."
