#!/usr/bin/env bash
# Says what this machine can do and, for each lack, the command that mends it. Runs no such command, installs nothing,
# changes nothing, and needs no more than bash and coreutils.
#   scripts/doctor.sh    exit code 1: something needed is missing that `make setup` cannot mend
# DOCTOR_ROOT is put before /proc, /sys and /etc, so that tests can describe other machines.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
root=${DOCTOR_ROOT:-}

# --- Words ---

coloured=
[ ! -t 1 ] || [ -n "${NO_COLOR:-}" ] || [ "${TERM:-dumb}" = dumb ] || coloured=yes
better=0     # lines with an arrow
hopeless=()  # what is needed and what setup cannot mend
set_up=yes   # no: setup has something to do

coloured() {
  if [ "$coloured" ]; then printf '\e[%sm%s\e[0m' "$1" "$2"; else printf '%s' "$2"; fi
}

section() {
  echo
  coloured 1 "$1"
  echo
}

# folded TEXT [END]: under the marks, in 80 columns; END closes each line but the last.
folded() {
  local end=${2:-} line='' word words
  read -ra words <<< "$1"
  for word in "${words[@]}"; do
    if [ -n "$line" ] && [ $((${#line} + 1 + ${#word} + ${#end})) -gt 71 ]; then
      printf '%s\n         ' "$line$end"
      line=$word
    else
      line+=${line:+ }$word
    fi
  done
  printf '%s\n' "$line"
}

# say MARK TEXT [COMMAND]
say() {
  local mark=$1 text=$2 command=${3:-} colour=0
  case $mark in ok) colour=32 ;; lacks) colour=31 ;; note) colour=33 ;; esac
  printf '  '
  coloured "$colour" "$mark"
  printf '%*s' $((7 - ${#mark})) ''
  if [ -z "$command" ]; then
    folded "$text"
    return
  fi
  better=$((better + 1))
  if [ $((${#text} + ${#command})) -le 66 ]; then
    echo "$text  -> $command"
  else
    folded "$text"
    printf '         '
    folded "-> $command" $' \\'
  fi
}

join() {
  local all
  printf -v all '%s, ' "$@"
  echo "${all%, }"
}

# --- Looking ---

here() { command -v "$1" >/dev/null; }

contents() { [ -r "$root$1" ] && [ -f "$root$1" ] && { echo "$(<"$root$1")"; } 2>/dev/null; }

# The value of the first line `key : value` or `key=value`, by the first key that is there.
value_in() {
  local file=$root$1 key line
  shift
  [ -r "$file" ] || return
  for key in "$@"; do
    while read -r line; do
      if [[ $line =~ ^"$key"[[:space:]]*[:=][[:space:]]*(.*)$ ]]; then
        line=${BASH_REMATCH[1]#\"}
        echo "${line%\"}"
        return
      fi
    done < "$file"
  done
}

version_of() { [[ $("$1" --version 2>/dev/null) =~ [0-9]+(\.[0-9]+)+ ]] && echo "${BASH_REMATCH[0]}"; }

# older VERSION MAJOR MINOR
older() {
  local major minor
  IFS=. read -r major minor _ <<< "$1"
  ((major < $2 || (major == $2 && minor < $3)))
}

# 0-2,5 as 0 1 2 5
expanded() {
  local part number
  for part in ${1//,/ }; do
    for ((number = ${part%-*}; number <= ${part#*-}; ++number)); do echo "$number"; done
  done
}

gigahertz() { printf '%d.%d GHz' $(($1 / 1000000)) $(($1 / 100000 % 10)); }

# --- Packages: the lists are those of setup ---

sudo=
[ "$(id -u)" -eq 0 ] || sudo='sudo '
clang=$(bash scripts/setup.sh --newest-clang)
mapfile -t needed < <(bash scripts/setup.sh --list-needed)
mapfile -t welcome < <(bash scripts/setup.sh --list-welcome ${clang:+clang})
distribution=$(value_in /etc/os-release ID)

# The name that this system has for a|b.
name_here() {
  local name
  if here apt-cache; then
    for name in ${1//|/ }; do
      if [ -n "$(apt-cache show "$name" 2>/dev/null)" ]; then
        echo "$name"
        return
      fi
    done
  fi
  if [ "$distribution" = ubuntu ]; then echo "${1##*|}"; else echo "${1%%|*}"; fi
}

installing() {
  if here apt-get; then
    echo "${sudo}apt-get install $(name_here "$1")"
  else
    echo "install what Debian calls $(name_here "$1")"
  fi
}

installed() { [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# What pkg-config and the stages call a package's libraries: libbotan-2-dev is botan-2, with or without lib.
names_of() {
  local name=${1#lib}
  name=${name%-dev}
  case $1 in
    libssl-dev) echo openssl libssl libcrypto ;;
    libgcrypt20-dev) echo libgcrypt ;;
    libipsec-mb-dev) echo IPSec_MB ;;
    libcli11-dev) echo CLI11 ;;
    nlohmann-json3-dev) echo nlohmann_json ;;
    rapidjson-dev) echo RapidJSON ;;
    libtbb-dev) echo tbb TBB ;;
    ocl-icd-opencl-dev) echo OpenCL ;;
    *) echo "$name lib$name" ;;
  esac
}

has_library() {
  local name
  installed "$1" && return
  here pkg-config || return
  for name in $(names_of "$1"); do pkg-config --exists "$name" && return; done
  return 1
}

# The stages, peers and programs whose line `links:` names the library of a package.
users_of() {
  local names source folder case line link users=()
  names=" $(names_of "$1") "
  for source in stages/*/peers/*/stage.cpp stages/*/[0-9][0-9]-*/stage.cpp stages/*/apps/*/main.cpp; do
    [ -e "$source" ] || continue
    case=${source#stages/} case=${case%%/*}
    while read -r line && [[ $line == //* ]]; do
      [[ $line == '// links: '* ]] || continue
      for link in ${line#// links: }; do
        [[ $names == *" $link "* ]] || continue
        folder=${source%/*} folder=${folder##*/}
        users+=("$case-${folder/#[0-9][0-9]-*/${folder%%-*}}")
      done
    done < "$source"
  done
  [ ${#users[@]} -eq 0 ] || join "${users[@]}"
}

# --- The machine ---

machine=$(uname -m)
kernel=$(contents /proc/sys/kernel/osrelease || uname -r)
flags=" $(value_in /proc/cpuinfo flags Features) "
cpus=0
while read -r key _; do [ "$key" != processor ] || cpus=$((cpus + 1)); done < "$root/proc/cpuinfo"

virtual=
container=
case $kernel in
  *[Mm]icrosoft*WSL2*) virtual='WSL 2' ;;
  *Microsoft*) virtual='WSL 1' ;;
  *)
    if [ -z "$root" ] && here systemd-detect-virt; then
      virtual=$(systemd-detect-virt --vm)
      container=$(systemd-detect-virt --container)
      virtual=${virtual#none} container=${container#none}
    elif [[ $flags == *' hypervisor '* ]]; then
      virtual=$(contents /sys/class/dmi/id/sys_vendor || echo 'not known which')
    fi
    ;;
esac
if [ -z "$container" ]; then
  if [ -e "$root/.dockerenv" ]; then container=docker; elif [ -e "$root/run/.containerenv" ]; then container=podman; fi
fi

section System
system="$(value_in /etc/os-release PRETTY_NAME || true), kernel $kernel, $machine"
if here apt-get; then
  say ok "$system"
else
  say lacks "$system: make setup knows Debian and Ubuntu only" 'see README.md'
  hopeless+=('a Debian or an Ubuntu')
fi
case $virtual in
  'WSL 1') say lacks 'WSL 1: no perf, and slow files' 'wsl --set-version <distribution> 2   (in Windows)' ;;
  'WSL 2') say note "WSL 2, a virtual machine: Windows rules clock and power; choose its best performance" ;;
  ?*) say note "virtual machine ($virtual): other guests can take time away" ;;
  *) [ "$container" ] || say ok 'no virtual machine, no container' ;;
esac
[[ $virtual != WSL* || $PWD != /mnt/[a-z]/* ]] || say lacks 'this tree lies on a Windows drive, which is slow' 'git clone it to ~'
[ -z "$container" ] || say note "container ($container): perf and ptrace are what its host permits"

model=$(value_in /proc/cpuinfo 'model name' Model)
numbers=()
for key in 'cpu family' model stepping 'CPU implementer' 'CPU part' 'CPU revision'; do
  number=$(value_in /proc/cpuinfo "$key")
  [ -z "$number" ] || numbers+=("${key#[cC][pP][uU] } $number")
done
say ok "$(join "${model:-CPU without a name}" "${numbers[@]}"); CPUs: $cpus"

# --- Building ---

section Building
compilers=()
while read -r name; do
  [[ $name =~ ^(g|clang)\+\+(-[0-9]+)?$ && $name != g++ && $name != "$clang" ]] || continue
  compilers+=("$name $(version_of "$name")")
done < <({ compgen -c g++; compgen -c clang++; } | sort -uV)
[ -z "$(version_of g++)" ] || say ok "preset gcc: g++ $(version_of g++)"
if [ "$clang" ]; then
  say ok "preset clang: $clang $(version_of "$clang")"
else
  say note 'no Clang, which only PRESET=clang needs' 'make setup PRESET=clang'
fi
[ ${#compilers[@]} -eq 0 ] || say ok "more compilers: $(join "${compilers[@]}")"

ready=()
! here python3 || ready+=("python3 $(version_of python3)")
for package in "${needed[@]}"; do
  command=${package%-build}
  if here "$command"; then
    [[ $command == g++ || $command == python3 ]] || ready+=("$command $(version_of "$command")")
  elif [[ $package == lib* ]] && has_library "$package"; then
    ready+=("$package")
  else
    say lacks "$package, needed" "$(installing "$package")"
    set_up=no
    if ! here apt-get || { [ "$sudo" ] && ! here sudo; }; then hopeless+=("$package"); fi
  fi
done
[ ${#ready[@]} -eq 0 ] || say ok "$(join "${ready[@]}")"
if here cmake && older "$(version_of cmake)" 3 24; then
  say lacks "cmake $(version_of cmake): 3.24 is needed" "${sudo}snap install cmake --classic"
  hopeless+=('cmake 3.24')
fi
if here python3 && older "$(version_of python3)" 3 11; then
  say lacks "python3 $(version_of python3): 3.11 is needed" 'use Debian 12, Ubuntu 24.04 or newer'
  hopeless+=('python3 3.11')
fi

read -r wanted _ < <(sha256sum requirements.txt)
built=()
for file in build/*/programs.json; do
  [ ! -e "$file" ] || { file=${file%/*} && built+=("${file#*/}"); }
done
if [ "$(cat .venv/requirements.sha256 2>/dev/null)" != "$wanted" ] || ! .venv/bin/python -c '' 2>/dev/null; then
  say lacks 'the Python environment .venv (making it needs a network)' 'make setup'
  set_up=no
elif [ ${#built[@]} -gt 0 ]; then
  say ok "the Python environment .venv; built presets: $(join "${built[@]}")"
else
  say ok 'the Python environment .venv; nothing is built yet'
fi

free() { printf '%d.%d GiB' $(($1 / 1048576)) $(($1 % 1048576 * 10 / 1048576)); }
{ read -r _ && read -r disk; } < <(df -k --output=avail .)
memory=$(value_in /proc/meminfo MemAvailable)
memory=${memory%% *}
if [ "${memory:-0}" -lt 1048576 ]; then
  say lacks "memory: $(free "${memory:-0}") free, a build takes 1 GiB" 'close programs'
elif [ "$disk" -lt 2097152 ]; then
  say lacks "disk: $(free "$disk") free, builds take 2 GiB" 'make clean, or make room elsewhere'
else
  say ok "free: memory $(free "$memory"), disk $(free "$disk")"
fi

# --- Instruction sets ---

section 'Instruction sets'
lacking() {
  local flag
  for flag in "$@"; do [[ $flags == *" $flag "* ]] || echo "$flag"; done
}
if [ "$machine" = x86_64 ]; then
  mapfile -t lacking_v3 < <(lacking avx avx2 bmi1 bmi2 f16c fma abm movbe xsave)
  mapfile -t lacking_v4 < <(lacking avx512f avx512bw avx512cd avx512dq avx512vl)
  if [ ${#lacking_v3[@]} -gt 0 ]; then
    say ok 'runs: x86-64 (and novec)'
    say note "does not run: x86-64-v3 and up, for want of ${lacking_v3[*]}"
  elif [ ${#lacking_v4[@]} -gt 0 ]; then
    say ok 'runs: x86-64 (and novec), x86-64-v3 (AVX2)'
    say note 'does not run: x86-64-v4 (AVX-512); its programs are not built'
  else
    say ok 'runs: x86-64 (and novec), x86-64-v3 (AVX2), x86-64-v4 (AVX-512)'
  fi
  extras=(aes sha_ni vaes gfni bmi2)
elif [ "$machine" = aarch64 ]; then
  say ok 'runs: aarch64'
  extras=(aes sha2 sha3 sve)
else
  say lacks "levels for $machine" 'add them to common/cmake/Levels.cmake'
  hopeless+=("levels for $machine")
  extras=()
fi
mapfile -t absent < <(lacking "${extras[@]}")
present=()
for extra in "${extras[@]}"; do [[ " ${absent[*]} " == *" $extra "* ]] || present+=("$extra"); done
[ ${#extras[@]} -eq 0 ] || say ok "features: ${present[*]:-none}; not: ${absent[*]:-none}"

# --- Evidence ---

section 'Looking into a program'
paranoid=$(contents /proc/sys/kernel/perf_event_paranoid || echo 0)
no_counters() {
  if [ "$virtual" ]; then
    say note "this virtual machine has no hardware counters; perf takes cpu-clock samples instead"
  else
    say note "no hardware counters here; perf takes cpu-clock samples instead"
  fi
}
permit_perf="${sudo}sysctl kernel.perf_event_paranoid=2"
if ! here perf; then
  say lacks 'perf: where the time goes' "$(installing 'linux-perf|linux-tools-generic')"
  [ "$paranoid" -le 2 ] || [ -z "$sudo" ] || say lacks "permission for perf (perf_event_paranoid is $paranoid)" "$permit_perf"
  devices=("$root"/sys/bus/event_source/devices/{cpu,cpu_core,armv[0-9]*})
  counters=
  for device in "${devices[@]}"; do [ ! -e "$device" ] || counters=yes; done
  [ "$counters" ] || no_counters
elif counted=$(timeout 10 perf stat -e cycles,instructions -x, true 2>&1); then
  if [[ $counted =~ (^|$'\n')[0-9]+,,[^,]*cycles ]]; then
    say ok "perf $(version_of perf), with hardware counters"
  else
    say ok "perf $(version_of perf)"
    no_counters
  fi
elif [[ $counted == *'not found for kernel'* ]]; then
  own=
  for file in /usr/lib/linux-tools/*/perf; do [ ! -x "$file" ] || own=$file; done
  if [ "$own" ] && { [[ $virtual == WSL* ]] || [ "$container" ]; }; then
    say lacks "perf for kernel $kernel; another is here and will do" "${sudo}ln -s $own /usr/local/bin/perf"
  else
    say lacks "perf for kernel $kernel" "${sudo}apt-get install linux-tools-$kernel"
  fi
elif [ "$paranoid" -gt 2 ] && [ "$sudo" ]; then
  say lacks "permission for perf (perf_event_paranoid is $paranoid); until the next start:" "$permit_perf"
elif [ "$container" ]; then
  say lacks 'permission for perf: this container has none' "$container run --cap-add PERFMON ..."
else
  say lacks "perf does not work: ${counted:0:200}" 'perf stat true'
fi

if here valgrind; then
  say ok "valgrind $(version_of valgrind): counts up to x86-64-v3; it knows no AVX-512, SHA-NI or VAES, which are single-stepped"
else
  say lacks 'valgrind: exact counts' "$(installing valgrind)"
fi
case $(contents /proc/sys/kernel/yama/ptrace_scope) in
  3) say lacks 'single-stepping: ptrace_scope is 3 until the next start' "set kernel.yama.ptrace_scope to 1 in /etc/sysctl.d" ;;
  2)
    if [ "$sudo" ]; then
      say lacks 'single-stepping: ptrace_scope is 2' "${sudo}sysctl kernel.yama.ptrace_scope=1"
    else
      say ok 'single-stepping (ptrace) is permitted, to root only'
    fi
    ;;
  *) say ok 'single-stepping (ptrace) of own programs is permitted' ;;
esac

ready=()
# tool NAME WHAT_FOR PACKAGE [COMMAND]
tool() {
  if [ -n "${4:-}" ] && here "$4"; then
    ready+=("$4 $(version_of "$4")")
  else
    say lacks "$1: $2" "$(installing "$3")"
  fi
}
newest() { compgen -c "$1" | sort -rV | while read -r name; do [[ $name =~ ^$1(-[0-9]+)?$ ]] && echo "$name" && break; done; }
llvm='llvm-19|llvm'
for package in "${welcome[@]}"; do
  [[ $package != llvm* ]] || llvm=$package
done
tool hyperfine 'times of whole programs' hyperfine hyperfine
tool objdump 'what the compiler made' binutils objdump
tool llvm-mca 'a loop, cycle by cycle' "$llvm" "$(newest llvm-mca)"
if [ "$clang" ]; then
  major=$(version_of "$clang")
  major=${major%%.*}
  profdata="llvm-profdata-$major"
  [[ $(version_of llvm-profdata) != "$major".* ]] || profdata='llvm-profdata'
  tool llvm-profdata "profiles of $clang" "$llvm" "$profdata"
fi
[ ${#ready[@]} -eq 0 ] || say ok "$(join "${ready[@]}")"
for package in "${welcome[@]}"; do
  case $package in *-dev | valgrind | hyperfine | linux-perf* | llvm*) continue ;; esac
  if installed "$package" || here "$package"; then say ok "$package"; else say lacks "$package" "$(installing "$package")"; fi
done
if here chromium || here chromium-browser || here google-chrome; then
  say ok 'chromium, for the tests of the report pages'
elif [ "$distribution" = ubuntu ]; then
  say note 'no chromium: the report pages are not tested' "${sudo}snap install chromium"
else
  say note 'no chromium: the report pages are not tested' "$(installing chromium)"
fi
if here pandoc; then
  say ok "pandoc $(version_of pandoc), for make slides and make kit"
else
  say note 'no pandoc: make slides and make kit, which a teacher needs, do not work' "$(installing pandoc)"
fi

# --- Peers ---

section 'Libraries to compare with'
ready=()
for package in "${welcome[@]}"; do
  [[ $package == *-dev ]] || continue
  left_out=$(users_of "$package")
  if has_library "$package"; then
    ready+=("$package${left_out:+ ($left_out)}")
  else
    say lacks "$package${left_out:+: $left_out left out}" "$(installing "$package")"
  fi
done
[ ${#ready[@]} -eq 0 ] || say ok "$(join "${ready[@]}")"

# --- Cores, clock, power ---

section 'Cores, clock and power'
cpu=/sys/devices/system/cpu
allowed=$(value_in /proc/self/status Cpus_allowed_list)
# As cpu_to_pin in perf_ladders/machine.py: the fastest, and of these the last.
pin=0
fastest=0
slowest=
for number in $(expanded "${allowed:-0-$((cpus - 1))}"); do
  speed=$(contents "$cpu/cpu$number/cpufreq/cpuinfo_max_freq" || echo 0)
  if [ "$speed" -ge "$fastest" ]; then
    fastest=$speed
    pin=$number
  fi
  [ -n "$slowest" ] && [ "$slowest" -le "$speed" ] || slowest=$speed
done
performance=$(contents /sys/devices/cpu_core/cpus)
efficiency=$(contents /sys/devices/cpu_atom/cpus)
if [ "$efficiency" ]; then
  say note "two kinds: performance cores are CPUs $performance, efficiency cores $efficiency"
elif [ "$slowest" != "$fastest" ]; then
  say note "cores are not alike: top speeds from $(gigahertz "$slowest") to $(gigahertz "$fastest")"
else
  say ok 'all cores are alike'
fi
on=ok
kind=
if [ "$efficiency" ]; then
  kind=', a performance core'
  if [[ " $(expanded "$efficiency" | tr '\n' ' ')" == *" $pin "* ]]; then
    on=note
    kind=', an efficiency core'
  fi
fi
siblings=()
for number in $(expanded "$(contents "$cpu/cpu$pin/topology/thread_siblings_list")"); do
  [ "$number" = "$pin" ] || siblings+=("$number")
done
if [ ${#siblings[@]} -gt 0 ]; then
  say note "measuring is pinned to CPU $pin$kind; it shares its core with CPU ${siblings[*]}, which should be idle"
elif [ "$virtual" ]; then
  say "$on" "measuring is pinned to CPU $pin$kind; who else is on its core, a virtual machine does not show"
else
  say "$on" "measuring is pinned to CPU $pin$kind, which has its core for itself"
fi

governor=$(contents "$cpu/cpu$pin/cpufreq/scaling_governor")
case $governor in
  performance) say ok 'governor: performance' ;;
  '') say note 'no frequency governor: firmware or host choose the clock' ;;
  *) say note "governor: $governor; steadier:" "echo performance | ${sudo}tee $cpu/cpu*/cpufreq/scaling_governor" ;;
esac
if [ "$(contents $cpu/intel_pstate/no_turbo)" = 0 ]; then
  say note 'turbo: the clock follows the heat; steadier, but slower:' "echo 1 | ${sudo}tee $cpu/intel_pstate/no_turbo"
elif [ "$(contents $cpu/cpufreq/boost)" = 1 ]; then
  say note 'turbo: the clock follows the heat; steadier, but slower:' "echo 0 | ${sudo}tee $cpu/cpufreq/boost"
elif [ "$governor" ]; then
  say ok 'no turbo, or it is off'
fi
battery=
charger=
for supply in "$root"/sys/class/power_supply/*/; do
  supply=${supply#"$root"}
  [ "$(contents "${supply}scope")" != Device ] || continue
  case $(contents "${supply}type") in
    Battery) battery=$(contents "${supply}status") ;;
    Mains) charger=$(contents "${supply}online") ;;
  esac
done
if [ "$battery" = Discharging ] || { [ "$battery" ] && [ "$charger" = 0 ]; }; then
  say lacks 'mains power: on battery, the clock is held down' 'plug the charger in'
elif [ "$battery" ]; then
  say ok 'a laptop on mains power'
fi
load=$(contents /proc/loadavg)
load=${load%% *}
if [ "${load%.*}" = 0 ] && [ "$((10#${load#*.}))" -lt 50 ]; then
  say ok "load average: $load"
elif [ "$load" ]; then
  say note "load average $load: something else runs; see which:" top
fi

# --- Noise ---

section Noise
program=
for folder in build/gcc build/*; do
  for level in x86-64 aarch64; do
    [ -n "$program" ] || [ ! -x "$folder/machine.$level" ] || program=$folder/machine.$level
  done
done

readings=12
# The CPU is kept awake in between, so that the governor has no reason to lower the clock.
read_clock() {
  local reading until
  taskset -cp "$pin" "$BASHPID" >/dev/null 2>&1
  for ((reading = 0; reading < readings; ++reading)); do
    "$program" clock 2>/dev/null || return
    until=$((${EPOCHREALTIME/./} + 300000))
    while ((${EPOCHREALTIME/./} < until)); do :; done
  done
}
stolen_ticks() {
  local stolen=0
  ! read -r _ _ _ _ _ _ _ _ stolen _ < "$root/proc/stat" || echo "${stolen:-0}"
}

lock=${TMPDIR:-/tmp}/perf-ladders-$(id -u).lock
if [ -z "$program" ]; then
  say note 'nothing is built: how steady the clock is shows after' 'make build'
elif [ -e "$lock" ] && here flock && ! flock --nonblock --shared "$lock" true; then
  say note 'a measurement is running: not disturbed'
else
  printf '  ...    reading the clock %d times, 4 seconds' "$readings"
  if [ -t 1 ]; then end=$'\r\e[K'; else end=$'\n'; fi
  began=${EPOCHREALTIME/./}
  stolen=$(stolen_ticks)
  clocks=()
  while read -r _ clock; do clocks+=("${clock/./}"); done < <(read_clock)
  stolen=$(($(stolen_ticks) - stolen))
  seconds=$(((${EPOCHREALTIME/./} - began + 500000) / 1000000))
  printf '%s' "$end"
  if [ ${#clocks[@]} -lt "$readings" ]; then
    say lacks "$program does not run" 'make clean build'
  else
    mapfile -t clocks < <(printf '%s\n' "${clocks[@]}" | sort -n)
    least=$((10#${clocks[0]}))
    most=$((10#${clocks[readings - 1]}))
    apart=$(((most - least) * 1000 / least))
    printf -v found '%d readings of the clock of CPU %d, %d.%02d to %d.%02d GHz, lie %d.%d %% apart' "$readings" "$pin" \
      $((least / 10000)) $((least / 100 % 100)) $((most / 10000)) $((most / 100 % 100)) $((apart / 10)) $((apart % 10))
    if [ "$apart" -le 10 ]; then
      say ok "$found: within the 1 % below which reports call nothing faster"
    else
      say note "$found: more than the 1 % below which reports call nothing faster (docs/method.md); small differences will stay unresolved" \
        'close what else runs'
    fi
  fi
  # As perf_ladders/neighbour.py: where another program has the core's other thread, fewer are started in a cycle.
  looks=20
  operations_per_cycle() {
    local look
    taskset -cp "$pin" "$BASHPID" >/dev/null 2>&1
    for ((look = 0; look < looks; ++look)); do
      { "$program" clock && "$program" rates; } 2>/dev/null |
        awk '{ value[$1] = $2 } END { if (value["clock_ghz"]) print value["all"] / value["clock_ghz"] }'
      sleep 0.05
    done
  }
  if here taskset && here awk; then
    read -r busy seen least < <(operations_per_cycle | sort -g | awk '
      { found[NR] = $1 }
      END {
        for (i = 1; i <= NR; ++i) busy += found[i] < 0.9 * found[NR]
        if (NR) printf "%d %d %.0f\n", busy, NR, 100 * found[1] / found[NR]
      }')
    if [ "${seen:-0}" -lt "$looks" ]; then
      say lacks "$program does not run" 'make clean build'
    elif [ $((10 * busy)) -le "$looks" ]; then
      say ok "the core of CPU $pin started as many operations a cycle in $looks looks: nothing else uses it"
    else
      say note "something else uses the core of CPU $pin: in $busy of $looks looks it started less than 90 % of the vector operations that it can, $least % at worst; programs that want all of a core are slowed most" \
        'measure at a quieter time, or on another machine'
    fi
  fi
  pairs=9
  same=("${program%/*}"/self-check-same-0.*)
  # The same program as A and as B in turn, and the least of each turn, as reports compare.
  against_itself() {
    local turn
    for ((turn = 0; turn < 2 * pairs; ++turn)); do
      taskset -c "$pin" "${same[0]}" sample 300 2>/dev/null | sort -g | head -n 1
    done
  }
  if [ -x "${same[0]}" ] && here taskset && here awk; then
    read -r middle most < <(against_itself | paste - - |
      awk '{ apart = $1 > $2 ? $1 / $2 - 1 : $2 / $1 - 1; printf "%.2f\n", 100 * apart }' | sort -g |
      awk '{ found[NR] = $1 } END { if (NR) print found[int((NR + 1) / 2)], found[NR] }')
    found="a program against itself, $pairs pairs: ${middle:-?} % apart in the middle, ${most:-?} % at most"
    if [ -z "${most:-}" ]; then
      say lacks "${same[0]} does not run" 'make clean build'
    elif [ "${most%.*}" -lt 1 ]; then
      say ok "$found"
    else
      say note "$found; reports average over such moments (make self-check shows how well)"
    fi
  fi
  if [ "$stolen" -gt 0 ]; then
    say note "stolen by the host in these $seconds seconds: ${stolen}0 ms of the CPUs' time"
  else
    say ok "no time was stolen by a host in these $seconds seconds"
  fi
fi

# --- Verdict ---

echo
case $better in
  0) echo 'Nothing could be better.' ;;
  1) echo '1 thing could be better.' ;;
  *) echo "$better things could be better." ;;
esac
if [ ${#hopeless[@]} -gt 0 ]; then
  echo "What make setup cannot mend: $(join "${hopeless[@]}")." | fold -s -w 80
  coloured '1;31' 'Not ready: mend that first; make test and make report cannot work yet.'
elif [ "$set_up" = no ]; then
  coloured '1;33' 'Not ready yet, this is what to do: make setup'
elif [ ${#built[@]} -eq 0 ]; then
  coloured '1;33' 'Ready but for the first build, which takes minutes: make build CASE=xtea'
else
  coloured '1;32' 'You are ready: make test, make report and make run-stage work.'
fi
echo
[ ${#hopeless[@]} -eq 0 ]
