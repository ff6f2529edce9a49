#!/usr/bin/env bash
# Looks for each program, header and Python module that building, testing and measuring need; names what is missing and
# installs it, by apt where there is apt. Makes the Python environment .venv, which measuring and reports need. Does
# nothing, and needs no network, where everything is there.
#   scripts/setup.sh [--tools] [PRESET]...    --tools: without .venv
#   scripts/setup.sh --python WORD...         Python alone, which ./ladders needs to read its words
#   scripts/setup.sh --list [PRESET]...       a line for each thing: needed or welcome, there or missing, its package
#   scripts/setup.sh --list-all [PRESET]...   the packages of a system that has nothing; a|b means the first there is
set -euo pipefail
cd "$(dirname "$0")/.."

complain() {
  echo "$*" >&2
  exit 2
}

asked=setup
case ${1:-} in
  --tools | --python | --list | --list-all) asked=$1 && shift ;;
  --*) complain "There is no '$1'; there are: --tools --python --list --list-all" ;;
esac

newest_clang() {
  local number
  for number in {30..14}; do
    if command -v "clang++-$number"; then return; fi
  done
  command -v clang++
}

# --- What there is to look for: needed or welcome, package, and how it is found. Libraries to compare with and tools that
# --- look into a program are welcome: reports come without them too, and say so.
things='
needed  g++               command g++
needed  cmake             command cmake
needed  ninja-build       command ninja
needed  pkg-config        command pkg-config
needed  libgtest-dev      header gtest/gtest.h
needed  libbenchmark-dev  header benchmark/benchmark.h
needed  libcli11-dev      header CLI/CLI.hpp
needed  python3           command python3
needed  python3-venv      module ensurepip
welcome libtbb-dev        header tbb/tbb.h
welcome libcrypto++-dev   header cryptopp/aes.h
welcome libbotan-2-dev    header botan-2/botan/build.h
welcome libssl-dev        header openssl/evp.h
welcome libgcrypt20-dev   header gcrypt.h
welcome nettle-dev        header nettle/sha3.h
welcome libsodium-dev     header sodium.h
welcome nlohmann-json3-dev     header nlohmann/json.hpp
welcome rapidjson-dev          header rapidjson/document.h
welcome libboost-json-dev|libboost-json1.81-dev  header boost/json.hpp
welcome libfmt-dev             header fmt/core.h
welcome ocl-icd-opencl-dev     header CL/cl.h
welcome opencl-clhpp-headers   header CL/opencl.hpp
welcome pocl-opencl-icd        file /etc/OpenCL/vendors
welcome mold                   command mold
welcome valgrind               command valgrind
welcome hyperfine              command hyperfine
welcome linux-perf|linux-tools-generic  command perf'
[ "$(uname -m)" != x86_64 ] || things+='
welcome libipsec-mb-dev        header intel-ipsec-mb.h'
[[ $* != *aarch64* ]] || things+='
needed  g++-aarch64-linux-gnu  command aarch64-linux-gnu-g++
needed  qemu-user              command qemu-aarch64
needed  googletest             file /usr/src/googletest/googletest/src/gtest-all.cc'
llvm=$(compgen -c llvm-mca || true)
if [[ $* == *clang* || $* == *fuzz* ]]; then
  clang=$(newest_clang || true)
  if [ -z "$clang" ] || [ "$asked" = --list-all ]; then
    things+='
needed  clang-19|clang  command clang++
needed  libclang-rt-19-dev|libclang-rt-dev  command clang++
welcome llvm-19|llvm    command llvm-profdata-19'
  elif [[ $("$clang" --version) =~ version\ ([0-9]+) ]]; then
    # Other packages bring a Clang without its runtime.
    runtime=$(compgen -G "$("$clang" -print-resource-dir)/lib/*/libclang_rt.profile*" || true)
    things+="
needed  libclang-rt-${BASH_REMATCH[1]}-dev  file ${runtime%%$'\n'*}
welcome llvm-${BASH_REMATCH[1]}  command llvm-profdata-${BASH_REMATCH[1]}"  # it reads the profiles of its own version
  fi
elif [ -z "$llvm" ] || [ "$asked" = --list-all ]; then
  things+='
welcome llvm-22|llvm-19|llvm  command llvm-mca'  # the newest knows the most CPUs
fi

if [ "$asked" = --list-all ]; then
  while read -r _ package _; do echo "$package"; done <<< "${things#$'\n'}"
  exit
fi

# --- Looking ---

# All headers that the compiler finds, asked for at once; without a compiler those of the usual folders.
headers=$(
  {
    while read -r _ _ kind name; do
      [ "$kind" != header ] || printf '#if __has_include(<%s>)\nhas <%s>\n#endif\n' "$name" "$name"
    done <<< "$things"
  } | g++ -E -P -x c++ - 2>/dev/null || true
)
there() {
  local kind=$1 name=$2
  case $kind in
    command) command -v "$name" >/dev/null ;;
    module) python3 -c "import $name" 2>/dev/null ;;
    file) [ -e "$name" ] ;;
    header) [[ $headers == *"<$name>"* ]] || { [ -z "$headers" ] && [ -e "/usr/include/$name" ]; } ;;
  esac
}

missing=()  # packages
wished=()
unavailable=$(cat build/not-to-be-had 2>/dev/null || true)  # what this system turned out not to have
while read -r need package kind name; do
  [ "$asked" != --python ] || [ "$package" = python3 ] || continue
  [ "$package" != python3-venv ] || [ "$asked" = --list ] || [ "$asked" = setup ] || continue
  state=there
  if ! there "$kind" "$name"; then
    state=missing
    if [ "$need" = needed ]; then
      missing+=("$package")
    elif [[ $'\n'$unavailable$'\n' != *$'\n'"$package"$'\n'* ]]; then
      wished+=("$package")
    fi
  fi
  [ "$asked" != --list ] || echo "$need $state $package $kind $name"
done <<< "${things#$'\n'}"
[ "$asked" != --list ] || exit 0

# --- Installing ---

case "$asked: $* " in
"--python:  " | "--python:"*" doctor "* | "--python:"*" help "* | "--python:"*" tags"* | "--python:"*" clean "* | \
  "--python:"*" plan "* | "--python:"*" completion "* | "--python:"*" --help "* | "--python:"*" -h "*)
  complain "Python 3.11 or newer is missing, which all commands need. This installs it and all else: make setup"
  ;;
esac

names() { local words="$*" && echo "${words//|/ or }"; }
do_without() { echo "Not installed, so reports leave out what these would add: $(names "$@")"; }
never_again() {
  mkdir -p build
  printf '%s\n' "$@" >> build/not-to-be-had
}
# The first that this system has; nothing where it has none. No pipe into grep: where grep leaves early, the pipe fails.
to_be_had() {
  local package
  for package in ${1//|/ }; do
    if grep -q '^Package:' <<< "$(apt-cache show "$package" 2>/dev/null)"; then
      echo "$package"
      return
    fi
  done
}

if ! command -v apt-get >/dev/null; then
  [ ${#missing[@]} -eq 0 ] || complain "Install these with your system's package manager, under its names for them, and try" \
    "again: $(names "${missing[@]}")."
elif [ $((${#missing[@]} + ${#wished[@]})) -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
    command -v sudo >/dev/null || {
      [ ${#missing[@]} -eq 0 ] || complain "These are missing: $(names "${missing[@]}"). Have them installed by root:" \
        "apt-get install ${missing[*]//|*/}"
      do_without "${wished[@]}"
      wished=()
    }
  fi
fi

if command -v apt-get >/dev/null && [ $((${#missing[@]} + ${#wished[@]})) -gt 0 ]; then
  echo "These system packages are missing and will be installed now: $(names "${missing[@]}" "${wished[@]}")"
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
      echo "This system has no package $(names "$word"), so reports leave out what it would add."
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
[ "$asked" != --python ] || exit 0

# older PROGRAM MAJOR MINOR: than what is needed
older() {
  [[ $("$1" --version 2>&1) =~ ([0-9]+)\.([0-9]+) ]] && ((BASH_REMATCH[1] < $2 || (BASH_REMATCH[1] == $2 && BASH_REMATCH[2] < $3)))
}
! older cmake 3 24 || complain "CMake is too old: 3.24 or newer is needed (Debian 12, Ubuntu 24.04, or: pip install cmake)."
! older python3 3 11 || complain "Python is too old: 3.11 or newer is needed (Debian 12, Ubuntu 24.04)."

# --- The Python environment, which is ours if it holds the stamp ---

stamp=.venv/requirements.sha256
wanted=$(sha256sum requirements.txt | cut -d ' ' -f 1)
# Where the system has another Python than before, .venv has the packages of the old one.
has_packages() { [ "$(cat $stamp 2>/dev/null)" = "$wanted" ] && .venv/bin/python -c 'import msgspec' 2>/dev/null; }
# Another command may be making it now. macOS has no flock, and some file systems have no locks.
await_others() {
  mkdir -p build
  exec 9> build/setup.lock
  if command -v flock >/dev/null && ! flock --nonblock 9; then
    echo "Waiting for another set-up in this folder ..."
    flock 9 || true
  fi
}
if [ "$asked" = setup ] && ! has_packages && await_others && ! has_packages; then
  [ ! -e .venv ] || [ -e $stamp ] || complain ".venv is there, but set-up did not make it. Move it away (mv .venv .venv-other)," \
    "then try again."
  echo "Setting up the Python environment .venv ..."
  echo "(numpy, scipy, matplotlib and what they need, pinned by hash)"
  # If the new one cannot be made, for example without a network, the old one comes back.
  [ -e .venv-before ] || [ ! -e .venv ] || mv .venv .venv-before
  trap '[ ! -e .venv-before ] || { rm -rf .venv && mv .venv-before .venv; }' EXIT
  rm -rf .venv
  mkdir .venv
  echo unfinished > $stamp
  python3 -m venv .venv || complain "python3 -m venv failed: install python3-venv."
  .venv/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements.txt ||
    complain "The Python packages of requirements.txt could not be installed: is there a network?"
  echo "$wanted" > $stamp
  rm -rf .venv-before
fi
# So that it needs no PYTHONPATH. An environment that several trees share by a link stays as it is.
for folder in .venv/lib/python3*/site-packages; do
  [ ! -d "$folder" ] || [ -L .venv ] || [ -e "$folder/perf-ladders.pth" ] || echo "$PWD/scripts" > "$folder/perf-ladders.pth"
done

# Those of every stage, in a clone that has none: git checkout xtea-03.
PYTHONPATH=scripts python3 -m perf_ladders tags --setup || echo "There are no stage tags: make tags says why."
