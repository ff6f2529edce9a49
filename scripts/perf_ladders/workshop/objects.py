"""What the object file of a kernel must not hold: state that lasts from call to call, code that takes the place of
another's, and calls of the system.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from perf_ladders.evidence.tools import output, tool
from perf_ladders.tree.build import Program
from perf_ladders.tree.contract import named

# Of a C++ compiler. Writable ones that hold nothing after the start are for addresses.
_USUAL = re.compile(
    r"\.(text|rodata|data|bss|tdata|tbss|lrodata|eh_frame|gcc_except_table|init_array|fini_array|note|ARM\.\w+)\b"
)
# A pointer that the compiler writes for code that exceptions pass through, and its section.
OF_EXCEPTIONS = re.compile(r"(\.data(\.rel(\.local)?)?\.)?DW\.ref\.(__gxx_personality_v0|_ZTI\w+)$")
# A line of readelf. A name may hold blanks; the numbers behind it cannot.
_SECTION = re.compile(
    r"\s*\[ *\d+\] (.*) +\S+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +([A-Za-z]*) +\d+ +\d+ +\d+\s*$"
)
_UNWINDING = re.compile(r"\.rela?\.(eh_frame|gcc_except_table)\b")  # refers to it
# Read-only after the start, if the linker knows the name.
_AT_START = re.compile(r"\.data\.rel\.ro(\.[\w.$]+)?|\.(init|fini)_array(\.\d+)?")
_GLOBAL = "TDBRCiVWu"  # kinds of symbols that other files see
_LIBRARIES = ("libc.so.6", "libstdc++.so.6", "libm.so.6")
_TAKEN = re.compile(r"operator (new|delete)\b")  # of libstdc++, where they are weak
# As the linker names what is in std, and in other namespaces. An honest kernel and the harness both have instances of
# the templates of std, and what Clang writes where an exception may not pass.
_STANDARD = re.compile(
    r"_Z(G[RV]|T[ISTV])*Z?N?[VrK]*[RO]?(S[tabsiod]|9__gnu_cxx|10__cxxabiv1)|DW\.ref\.|__clang_call_terminate$"
)
_NAMESPACE = re.compile(r"_Z(?:G[RV]|T[ISTV])*Z?N?[VrK]*[RO]?(\d+)")
_OF_HARNESS = {"ladder", "testing"}
# What compilers call by themselves, and what a kernel may ask of the C library: memory, and a way to say that it is
# wrong.
_HARMLESS = re.compile(
    r"(__)?(mem(cpy|move|set|cmp)|bcmp|strlen)(_chk)?$|(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|abort)$"
    r"|__(stack_chk_fail|assert_fail|gxx_personality_v0|tls_get_addr|popcountdi2|cpu_model)$"
    r"|__cxa_((allocate|free)_exception|get_exception_ptr|throw\w*|rethrow|(begin|end)_catch)$"
    r"|__cxa_(guard_\w+|\w*atexit|finalize|\w+_virtual|call_\w+)$"
    r"|_Unwind_Resume$|_GLOBAL_OFFSET_TABLE_$|operator (new|delete)\b|(vtable|typeinfo) for |__[su](div|mod)"
    r"|std::(__throw_\w+|terminate|\w+::(\w+_error|bad_\w+|invalid_argument|out_of_range|~?exception))\("
)
_OF_THREADS = re.compile(r"pthread_|std::(thread|condition_variable|this_thread|jthread)|tbb::|GOMP_|omp_|__gthread")
_PREFIXES = r"(?:(?:rex[.\w]*|rep\w*|data16|addr32|lock|bnd|notrack|[c-gs]s)\s+)*"
_PLACE = re.compile(r"^ *([0-9a-f]+):\t", re.MULTILINE)
_JUMP = re.compile(rf"^ *[0-9a-f]+:\t{_PREFIXES}(j\w+|call\w*|loop\w*|xbegin)(?:,p[nt])? +([0-9a-f]+) <", re.MULTILINE)
_TRAPS = re.compile(rf"^\s*[0-9a-f]+:\t{_PREFIXES}(syscall|sysenter|int|svc)\b", re.MULTILINE)


def sections_with_state(program: Program) -> list[str]:
    """That can be written and are not empty, whatever they are called."""
    written = [name for name, flags, size in _sections(program) if "W" in flags and size]
    return [name for name in written if not (_AT_START.fullmatch(name) or OF_EXCEPTIONS.match(name))]


def unusual_sections(program: Program) -> list[str]:
    """That are loaded, and that no compiler makes by itself."""
    loaded = [(name, flags) for name, flags, _ in _sections(program) if "A" in flags]
    return [name for name, flags in loaded if not _USUAL.match(name) or {"W", "X"} <= {*flags}]


def foreign_symbols(program: Program, contract: Sequence[str], beside: Sequence[Program] = ()) -> list[str]:
    """Functions and objects that are none of the contract's, but could take the place of another's. A weak one may: it
    counts where a library or the harness has one of that name. Those of templates and inline functions are weak, too.
    Of two weak ones the linker keeps the first, which is the kernel's. `beside`: what these define, it may define, and
    also others of the libraries that they use."""
    known = {name for one in beside for _, name in _symbols(one.object, "--defined-only")}
    libraries = {_outermost(name) for name in known} - {"", *_OF_HARNESS, *(one.split("::")[0] for one in contract)}
    harness = {name for archive in program.archives if archive.is_file() for name in _defined_in(archive)} - known
    found = set()
    # In the same order: once as the linker names them, once as C++ does.
    names, symbols = (_symbols(program.object, "--defined-only", "--no-sort", *how) for how in ([], ["--demangle"]))
    for (kind, name), (_, symbol) in zip(names, symbols, strict=True):
        is_weak = kind in "VWu"
        of_harness = name in harness and not _STANDARD.match(name) and _outermost(name) not in libraries
        replaces = not is_weak or bool(_TAKEN.match(symbol)) or symbol in _exported() or of_harness
        if kind in _GLOBAL and named(symbol) not in contract and replaces:
            found.add(symbol)
    return sorted(found)


def _outermost(name: str) -> str:
    """The namespace of a name as the linker has it; of one that is in none, itself or nothing."""
    match = _NAMESPACE.match(name)
    return name[match.end() :][: int(match[1])] if match else ""


def foreign_calls(program: Program, contract: Sequence[str], beside: Sequence[Program]) -> list[str]:
    """What it asks of the system or of the harness: functions that none of `beside` asks for either."""
    allowed = {symbol for one in beside for _, symbol in _symbols(one.object, "--undefined-only", "--demangle")}
    called = {symbol for _, symbol in _symbols(program.object, "--undefined-only", "--demangle")} - allowed
    has_threads = any(one.threads for one in beside)
    of_threads = {symbol for symbol in called if has_threads and _OF_THREADS.search(symbol)}
    return sorted(s for s in called - of_threads if not _HARMLESS.match(s) and named(s) not in contract)


def reads_table(program: Program) -> bool:
    """Whether it refers to the linker's table of addresses, by which it could call another function than it names; or
    to a pointer for exceptions, which it could keep something in. The assembler mentions the table in honest objects,
    too, but no code of theirs refers to it."""
    said = output([tool("readelf", "binutils"), "--relocs", "--wide", program.object], "readelf")
    for part in said.split("Relocation section '")[1:]:
        name, _, lines = part.partition("\n")
        if "_GLOBAL_OFFSET_TABLE_" in lines or ("DW.ref." in lines and not _UNWINDING.match(name)):
            return True
    return False


def traps(program: Program) -> list[str]:
    """Instructions that call the system without a function, and jumps to within an instruction, which hide some."""
    code = output([tool("objdump", "binutils"), "--disassemble", "--no-show-raw-insn", program.object], "objdump")
    return sorted({found[1] for found in _TRAPS.finditer(code)} | hidden(code))


def hidden(code: str) -> set[str]:
    """Of a disassembly: jumps whose target is no instruction that is shown."""
    found = set()
    for section in code.split("Disassembly of section ")[1:]:
        shown = {int(one, 16) for one in _PLACE.findall(section)}
        last = max(shown, default=0)
        for jump, target in _JUMP.findall(section):
            if int(target, 16) < last and int(target, 16) not in shown:
                found.add(f"{jump} into an instruction")
    return found


def _sections(program: Program) -> list[tuple[str, str, int]]:
    """Name, flags and size. A line that cannot be read is taken as a section that can be written, so it is refused."""
    said = output([tool("readelf", "binutils"), "--sections", "--wide", program.object], "readelf")
    lines = [line for line in said.splitlines() if re.match(r"\s*\[ *\d+\]", line)]
    read = [(line, _SECTION.match(line)) for line in lines]
    return [(m[1].strip(), m[3], int(m[2], 16)) if m else (line.strip(), "WA", 1) for line, m in read]


def _symbols(path: Path, *which: str) -> list[tuple[str, str]]:
    """Kind and name, of an object or an archive."""
    said = output([tool("nm", "binutils"), *which, path], "nm")
    return [(m[1], m[2]) for m in (re.match(r"[0-9a-f ]* ([A-Za-z]) (.+)", line) for line in said.splitlines()) if m]


@cache
def _defined_in(archive: Path) -> frozenset[str]:
    return frozenset(name for kind, name in _symbols(archive, "--defined-only") if kind in _GLOBAL)


@cache
def _exported() -> frozenset[str]:
    """What the libraries of every program define. In libstdc++ what is weak is an instance of a template."""
    found = set()
    for library in _LIBRARIES:
        path = output([tool("g++", "g++"), f"-print-file-name={library}"], "g++").strip()
        said = output([tool("nm", "binutils"), "--demangle", "--dynamic", "--defined-only", path], "nm")
        kinds = "TDBRWi" if library != "libstdc++.so.6" else "TDBR"
        lines = (line.split(" ", 2) for line in said.splitlines())
        found |= {words[2].split("@")[0] for words in lines if len(words) == 3 and words[1] in kinds}
    return frozenset(found)
