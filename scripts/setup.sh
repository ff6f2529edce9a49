#!/usr/bin/env bash
# Sets up what building, testing and measuring need: system packages (named before they are installed) and a Python
# environment in .venv. Does nothing, and needs no network, where everything is there.
#   scripts/setup.sh [PRESET]...
set -euo pipefail
cd "$(dirname "$0")/.."

complain() {
  echo "$*" >&2
  exit 2
}

needed=(g++ cmake ninja-build pkg-config libgtest-dev libbenchmark-dev)
python3 -c 'import ensurepip, venv' 2>/dev/null || needed+=(python3 python3-venv)
# Libraries to compare with: the report comes without them too, and says so.
welcome=(libtbb-dev libcrypto++-dev libbotan-2-dev)

command -v apt-get >/dev/null || complain "This set-up knows Debian and Ubuntu only. Install by hand what these packages" \
  "hold: ${needed[*]} ${welcome[*]}; then run: cmake --preset gcc && cmake --build --preset gcc."

installed() { dpkg-query --show --showformat='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }
available() { apt-cache show "$1" 2>/dev/null | grep -q '^Package:'; }

for preset in "$@"; do
  [[ $preset == *clang* ]] || continue
  compgen -c clang++ >/dev/null || needed+=(clang libclang-rt-dev)
done

absent() {
  for package in "$@"; do installed "$package" || echo "$package"; done
}
mapfile -t missing < <(absent "${needed[@]}")
# What this system turned out not to have is not asked for again.
mapfile -t wished < <(absent "${welcome[@]}" | grep -vxFf <(cat build/not-to-be-had 2>/dev/null || true) || true)

if [ $((${#missing[@]} + ${#wished[@]})) -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
    command -v sudo >/dev/null || {
      [ ${#missing[@]} -eq 0 ] || complain "These system packages are missing: ${missing[*]}. Have them installed with:" \
        "apt-get install ${missing[*]} ${wished[*]}"
      echo "Not installed, so the comparison with them is left out: ${wished[*]}"
      wished=()
    }
  fi
fi

if [ $((${#missing[@]} + ${#wished[@]})) -gt 0 ]; then
  echo "These system packages are missing and will be installed now: ${missing[*]} ${wished[*]}"
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -qq || echo "apt-get update failed (no network?); trying with what is known."
  to_install=("${missing[@]}")
  for package in "${wished[@]}"; do
    if available "$package"; then
      to_install+=("$package")
    else
      echo "This system has no package $package: the comparison with it is left out."
      mkdir -p build
      echo "$package" >> build/not-to-be-had
    fi
  done
  # The newest Clang that Debian 12 has is not the one it calls clang.
  for i in "${!to_install[@]}"; do
    case ${to_install[i]} in clang | libclang-rt-dev) ;; *) continue ;; esac
    newer=${to_install[i]/clang-rt/clang-rt-19}
    [ "$newer" != clang ] || newer=clang-19
    if available "$newer"; then to_install[i]=$newer; fi
  done
  [ ${#to_install[@]} -eq 0 ] ||
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${to_install[@]}" >/dev/null ||
    complain "Installing failed. Try it by hand: apt-get install ${to_install[*]}"
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
