#!/usr/bin/env bash
# Sets up perf-ladders from the kit that this script lies in, without a network: system packages, the repository with its
# tags, the Python environment. `make kit` puts it there as install.sh.
#   ./install.sh [FOLDER]    where the repository goes (~/perf-ladders)
set -euo pipefail
usage="Usage: $0 [FOLDER] sets up perf-ladders in FOLDER (~/perf-ladders) from this kit, without a network."

complain() {
  echo "$*" >&2
  exit 2
}

for word in "$@"; do
  case $word in
    -h | --help) echo "$usage" && exit ;;
    -*) complain "There is no option '$word'. $usage" ;;
  esac
done
[ $# -le 1 ] || complain "Name one folder, not $#. $usage"

kit=$(cd "$(dirname "$0")" && pwd)
target=$(realpath -ms "${1:-$HOME/perf-ladders}")

read -r for_system < "$kit/system" || complain "This script belongs into a kit: make kit makes one."
# shellcheck source=/dev/null
mine=$(. /etc/os-release && echo "$ID ${VERSION_ID:-testing}") || complain "This system does not say what it is (/etc/os-release)."
mine+=" $(dpkg --print-architecture 2>/dev/null || uname -m)"
[ "$mine" = "$for_system" ] || complain "This kit is for $for_system, and this is $mine: make kit on a system like this one," \
  "or, with a network: git clone '$kit/repository.git' perf-ladders && cd perf-ladders && make setup"
(cd "$kit" && sha256sum --check --quiet --strict SHA256SUMS >/dev/null 2>&1) || complain "A file of this kit is missing, damaged" \
  "or changed. To see which: cd '$kit' && sha256sum --check --quiet SHA256SUMS. Then copy the kit again."
# A package that nobody listed would be installed, too.
added=$(cd "$kit" && LC_ALL=C comm -13 <(cut -c 67- SHA256SUMS | LC_ALL=C sort) <(find . ! -type d ! -path ./SHA256SUMS | LC_ALL=C sort))
added=${added%%$'\n'*}
[ -z "$added" ] || complain "This kit has a file that it was not made with: '$kit/${added#./}'. Remove it, or copy the kit again."
[ ! -e "$target" ] || complain "$target is there already: name another folder, ./install.sh FOLDER"

work=$(mktemp -d)
unfinished=
trap 'rm -rf "$work" "$unfinished"' EXIT
place=file://${kit// /%20}

mapfile -t wanted < "$kit/packages/wanted"
absent=()
for package in "${wanted[@]}"; do
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || absent+=("$package")
done
if [ ${#absent[@]} -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || complain "Installing needs root, and there is no sudo: run this as root."
    as_root=(sudo)
  fi
  echo "1 of 3: installing system packages: ${absent[*]}"
  mkdir -p "$work/lists" "$work/cache"
  # apt chooses among what is installed and these files, which SHA256SUMS vouches for: no other source, no lists of packages.
  files=()
  for file in "$kit"/packages/*.deb; do files+=(--with-source "$file"); done
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0 \
    install -y -q --no-install-recommends "${files[@]}" "${absent[@]}" || complain "The kit's packages do not go with" \
    "those of this system, which are newer, perhaps: make the kit again."
else
  echo "1 of 3: all system packages are there."
fi

echo "2 of 3: the repository goes to $target"
unfinished=$target # left there, it would stop the next run
git clone -q --no-local --depth 1 "$kit/repository.git" "$target"

echo "3 of 3: the Python environment"
cd "$target"
PIP_CONFIG_FILE=/dev/null PIP_NO_INDEX=1 PIP_FIND_LINKS=$place/wheels scripts/setup.sh ||
  complain "Set-up failed, as said above, though this kit needs no network. $target is removed: start this script again."
unfinished=
make doctor
echo
echo "Everything is in $target. The pages to read: $kit/site/index.html"
echo "What to type next, which takes minutes: cd '$target' && make build CASE=xtea"
