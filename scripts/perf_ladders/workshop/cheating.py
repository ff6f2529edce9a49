"""Does a kernel that passes its check do the work each time it is called? One that stores answers, counts calls or
brings a clock of its own is told so. Nothing here is timed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from perf_ladders.errors import Missing, UserError
from perf_ladders.evidence.instructions import callgrind, costs, entered, switches, undecodable
from perf_ladders.evidence.tools import output, tool
from perf_ladders.measure.pairs import SLICE_MS
from perf_ladders.measure.runner import Runner
from perf_ladders.measure.serving import Served, message
from perf_ladders.pages import formatting
from perf_ladders.tree.build import Program
from perf_ladders.tree.catalogue import Case, Stage
from perf_ladders.tree.headers import Header, read_header
from perf_ladders.tree.paths import ROOT, STAGES, shown
from perf_ladders.tree.source import without_comments
from perf_ladders.workshop import compiling, objects
from perf_ladders.workshop.board import MAX_SOURCE

_WRITABLE = re.compile(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro(?:\.|$))\b")
_COMPUTED = re.compile(r"^\s*(?:#|%:)\s*(?:include|include_next|import|embed)\b\s*[^\s\"<].*", re.MULTILINE)
# A definition in the namespace std or a specialisation of what is there, or a shorter name for it, which would hide
# both. Each part is limited, so that no text takes long to look through.
_OF_STD = re.compile(
    r"\bnamespace\s+std\b|\btemplate\s*<\s*>\s*(?:struct|class|union)\s+(?:::\s*)?std\s*::"
    r"|\bnamespace\s+\w+\s*=\s*(?:::\s*)?std\s*(?:::\s*__\w+\s*)?;"
    r"|\btemplate\s*<\s*>[^;{}()]{0,400}\bstd\s*::\s*[\w:]{1,300}+(?:~\w+)?(?:<[^;{}()<>]{0,400}>)?(?:\s*::\s*~?\w+){0,9}+\s*[(={]"
)
# String literals, and the escapes in one. A character or a number may hold a quotation mark that begins no string.
_LITERAL = re.compile(
    r'(?<!\w)(?:u8|[uUL])?R"([^()\\\s]{0,16})\((.*?)\)\1"|"((?:\\.|[^"\\\n])*)"'
    r"|(?<![\w.])\.?[0-9](?:'?[\w.])*|'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|o\{([0-7]+)\}|x([0-9A-Fa-f]+)|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xu]\{([0-9A-Fa-f]+)\}|.)",
    re.DOTALL,
)
_RAW = re.compile(r'R"([^()\\\s]{0,16})\(')
_PLACES = re.compile(r"\.?\b(?:push|pop)section\b|\.section\b|\.inc(?:bin|lude)\b")
_TARGET = re.compile(r'\b(?:__)?target(?:_clones)?(?:__)?\s*(?:\(([^()]*"[^()]*)\)|("[^\n]*))')
_TOO_LONG = f"It has over {MAX_SOURCE:,} bytes, or very many more with its macros expanded: write less."
_EXPANDED = 8  # times as long as a source may be
_CALLS = 8  # whose instructions are counted for those of one
_WARM_NS, _LEAST_CALLS, _MOST_CALLS = 300_000, 6, 100_000  # of a slice
_CALLS_OF_A_SLICE: dict[tuple[Path, int, str], int] = {}  # by program and workload
_SERVED: dict[tuple[Path, int, str, tuple[int, ...]], int] = {}
_ALIKE = 0.05  # the first call finds and fills what later ones have: a share of the instructions
# Instructions that the first call may take more on top, to find functions of libraries and, where these work with
# threads, to start them. But no more than this share: a message that is remembered takes fewer instructions than that.
_STARTS, _SHARE = 2_000, 0.5
_STARTS_THREADS, _SHARE_THREADS = 1_000_000, 0.9


def kept_between_calls(program: Program) -> list[str]:
    """The names of what it could remember: objects of its own that can be written, or that each thread has."""
    found = []
    for line in output([tool("objdump", "binutils"), "--syms", "--demangle", program.object], "objdump").splitlines():
        match = re.match(r"[0-9a-f]+ (.{7}) (.+)\t[0-9a-f]+ +(?:\.hidden )?(.+)", line)
        if not match or not _WRITABLE.match(match[2]) or objects.OF_EXCEPTIONS.match(match[3]):
            continue
        if match[3] != match[2]:  # a section has a symbol of its own name
            found.append(match[3])
    return sorted(found)


def calls_differ(
    program: Program, contract: list[str], workload: str, cpu: int, starts_threads: bool = False
) -> list[str]:
    """A sentence, if later calls of the workload do less than the first; Missing where nothing can be counted.
    `starts_threads`: a stage of the repository does so in its first call, too."""
    first = _served(program, contract, workload, cpu, ())
    calls = _calls_of_a_slice(program, workload, cpu)
    later = (_served(program, contract, workload, cpu, (calls, calls)) - first) / (2 * calls)
    most, share = (_STARTS_THREADS, _SHARE_THREADS) if starts_threads else (_STARTS, _SHARE)
    if later >= first * (1 - _ALIKE) - min(most, share * first):
        return []
    return [f"The first call takes {first:,} instructions, later ones {later:,.0f}: does it remember its answer?"]


def can_be_compared(program: Program, contract: list[str], workload: str, cpu: int) -> bool:
    """Whether its calls of the workload can be counted here."""
    try:
        calls_differ(program, contract, workload, cpu)
    except Missing:
        return False
    return True


def a_call(program: Program, contract: list[str], workload: str, cpu: int) -> float:
    """How many instructions a call of the workload takes; Missing where nothing can be counted."""
    first = _served(program, contract, workload, cpu, ())
    return (_served(program, contract, workload, cpu, (_CALLS,)) - first) / _CALLS


# Each start of Valgrind takes a second on a busy core, so counts are kept as long as the program is the same: those of
# the answer from one save to the next.


def _served(program: Program, contract: list[str], workload: str, cpu: int, slices: tuple[int, ...]) -> int:
    """How many instructions a call takes, and slices of so many calls behind it, in the conversation in which they are
    timed: what knows that it is timed knows it here, too."""
    built_ns, pinned = program.path.stat().st_mtime_ns, ("taskset", "--cpu-list", str(cpu)) if program.threads else ()
    key = program.path, built_ns, workload, slices
    if key not in _SERVED:
        if _unknown(program.path, built_ns):
            raise Missing("Valgrind does not know these instructions")
        asked = [f"make {workload} 0", *(f"slice {calls}" for calls in (1, *slices)), "end"]
        toggles = switches(_entered(program.path, built_ns, tuple(contract), workload, pinned))
        lines = callgrind([program.path, "serve"], toggles, pinned, given=b"".join(map(message, asked)))
        _SERVED[key] = sum(cost for _, _, _, cost in costs(lines))
    return _SERVED[key]


def _calls_of_a_slice(program: Program, workload: str, cpu: int) -> int:
    """At least a number that is drawn, so that a kernel that works in its first calls alone is found."""
    key = program.path, program.path.stat().st_mtime_ns, workload
    if key not in _CALLS_OF_A_SLICE:
        least = _LEAST_CALLS + secrets.randbelow(10)
        try:
            with Served(Runner.of(program), cpu, 0) as live:
                live.make(workload, 0)
                calls = 1e6 * SLICE_MS / live.warm(_WARM_NS)
        except UserError:  # it sleeps or is wrong, which is told where it is measured
            calls = 0
        drawn = round(calls * (1 + secrets.randbelow(2_000) / 10_000))
        _CALLS_OF_A_SLICE[key] = min(max(drawn, least), _MOST_CALLS)
    return _CALLS_OF_A_SLICE[key]


@cache
def _unknown(path: Path, built_ns: int) -> bool:
    return undecodable(path)


@cache
def _entered(path: Path, built_ns: int, contract: tuple[str, ...], workload: str, pinned: tuple[str, ...]) -> list[str]:
    return entered(path, list(contract), workload, pinned)


def unfair(program: Program, contract: list[str], may_keep: bool, beside: Sequence[Program] | None = None) -> list[str]:
    """What its object must not hold; `may_keep`: the repository's own stage keeps something between calls, too.
    `beside`: stages of the repository; what they call, it may call, too. None: its calls are not looked at."""
    said = []
    if foreign := objects.foreign_symbols(program, contract, beside or ()):
        said.append(f"It defines {foreign[0]}, which is not in the contract: put it into an unnamed namespace.")
    if unusual := objects.unusual_sections(program):
        said.append(f"It has a section {unusual[0]} of its own: leave it to the compiler where things are placed.")
    if trapping := objects.traps(program):
        said.append(
            f"It calls the system itself (`{trapping[0]}`): a kernel computes, and asks the system for nothing."
        )
    if beside is not None and (asked := objects.foreign_calls(program, contract, beside)):
        said.append(f"It calls {_short(asked[0])}, which no kernel of this step needs: remove the call.")
    if objects.reads_table(program) and not any(map(objects.reads_table, beside or ())):
        said.append("It reads addresses that the linker keeps: call functions by their names.")
    kept = [] if may_keep else kept_between_calls(program) or objects.sections_with_state(program)
    if kept:
        said.append(
            f"It keeps {_placed(kept[0])} from call to call: what a call computes must be computed in that call."
        )
    return said


def same_code(text: str, other: str) -> bool:
    """But for comments and white space."""
    return without_comments(text).split() == without_comments(other).split()


def of_source(source: Path, case: Case, step: Stage) -> list[str]:
    """What its text must not hold: the answer from elsewhere, or words for the assembler that place something. Nor may
    it have checks left out that the stages of the repository pass, or be built for more than they are."""
    if source.stat().st_size > MAX_SOURCE:
        return [_TOO_LONG]
    text = _read(source)
    if text is None:
        return ["It has a raw string without an end: end it."]
    beside = [stage for stage in (step, case.base(step)) if stage]
    said = [*_beyond_level(source, _with_plain_strings(text), case, beside), *_of_text(text)]
    if renamed := re.search(r"^\s*(?:#|%:)\s*(?:line\b|\d).*", text, re.MULTILINE):
        said.append(f"It names its lines by another file (`{renamed[0].strip()}`): remove that line.")
    for name, path in _included(text, source, case):
        if path is None:
            said.append(f"It includes {name} by its place: name a header as the stages do.")
            continue
        if not path.is_relative_to(STAGES):
            said.append(f"It includes {path.name} of its own: put that into {source.name}, which alone is handed in.")
            continue
        number = path.parent.name[:2]
        is_later = path.parent.parent == case.directory and number.isdigit() and number >= step.number
        if path.suffix != ".hpp" or is_later or len(path.relative_to(STAGES).parts) > 3:
            said.append(f"It includes {shown(path)}, which is another's code: write this step yourself.")
    if computed := _COMPUTED.search(text):
        said.append(f"It computes what it includes (`{computed[0].strip()}`): write the name of the file.")
    return said


def of_macros(source: Path, answer: Program) -> list[str]:
    """What its text must not hold once its macros are expanded, as for the answer of its step."""
    text = compiling.expanded(answer, source, _EXPANDED * MAX_SOURCE)
    return [_TOO_LONG] if text is None else _of_text(text)


def _of_text(text: str) -> list[str]:
    said, plain = [], _with_plain_strings(text)
    if placed := _PLACES.search(plain):
        said.append(f"It places things itself (`{placed[0]}`): leave it to the compiler where things are placed.")
    if of_linker := re.search(r"\b_Z\w+", plain):
        said.append(f"It names {of_linker[0]} as the linker does: write C++ in place of that name.")
    if _OF_STD.search(re.sub(r"\busing\s+namespace\b[^;]{0,200};", "", text)):
        said.append("It changes the standard library, which the harness uses, too: write functions of your own.")
    return said


def _beyond_level(source: Path, plain: str, case: Case, beside: Sequence[Stage]) -> Iterator[str]:
    """A sentence on each word to the build or to the compiler that none of `beside` has."""
    known = [_to_build(stage.header) for stage in beside]
    for key, words in _to_build(read_header(source)).items():
        why = "must do" if key == "lacks" else "does without"
        for word in sorted({*words}.difference(*(other[key] for other in known))):
            yield f"Its `{key}:` line has {word}, which this step {why}: remove that word."
    targets = [_targets(without_comments(case.text(stage))) for stage in beside]
    for word in sorted(_targets(plain).difference(*targets, *(other["requires"] for other in known))):
        yield f"It is compiled for {word} by itself: remove that target. The level of the step names its instructions."


def _to_build(header: Header) -> dict[str, list[str]]:
    """The words that change what is built or checked, by key. Fewer instructions than a level has are no advantage."""
    return {
        "lacks": header.lacks,
        "requires": [word for word in header.requires if not word.startswith("no-")],
        "links": header.links,
        "threads": header.threads.split(),
        "standard": header.standard.split(),
        "device": header.device.split(),
    }


def _targets(text: str) -> set[str]:
    """The words of its attributes and pragmas that name instruction sets."""
    said = " ".join(one[1] or one[2] for one in _TARGET.finditer(text))
    return {word for word in re.findall(r"[\w.=+-]+", said) if word != "default" and not word.startswith("no-")}


def _read(source: Path) -> str | None:
    """Without comments, with continued lines in one. Compilers continue one that ends with a backslash and blanks.
    None: a raw string has no end, which would be looked for from every such beginning to the end of the text."""
    text = re.sub(r"\\[ \t\f\v]*\n", "", source.read_text("utf-8", errors="replace"))
    end = 0
    while begin := _RAW.search(text, end):
        end = text.find(f'){begin[1]}"', begin.end())
        if end < 0:
            return None
    return without_comments(text)


def _with_plain_strings(text: str) -> str:
    """Escapes in string literals as the characters that they mean, and literals behind each other as one."""

    def character(escape: re.Match[str]) -> str:
        octal, *hexadecimal = escape[1] or escape[2], *escape.groups()[2:]
        digits = octal or next(filter(None, hexadecimal), "")
        if not digits:
            return " " if escape[0][1] in "abefnrtv" else escape[0]
        code = int(digits, 8 if octal else 16)
        if code < ord(" "):
            return " "
        return chr(code) if code <= ord("~") and chr(code) not in '"\\' else escape[0]

    def literal(found: re.Match[str]) -> str:
        if found[2] is not None:
            return '"' + found[2].replace('"', "'") + '"'
        return found[0] if found[3] is None else f'"{_ESCAPE.sub(character, found[3])}"'

    return re.sub(r'"\s*"', "", _LITERAL.sub(literal, text))


def _included(text: str, source: Path, case: Case) -> Iterator[tuple[str, Path | None]]:
    """The files of the repository that it names, but for the harness, and others that it names by their place. None:
    only a compiler, which runs in another folder, may find it."""
    named = re.findall(r"(?:#|%:)\s*(?:include|include_next|import|embed)\s*[\"<]([^\">\n]+)[\">]", text)
    for name in named:
        paths = [(folder / name).resolve() for folder in (source.parent, ROOT, STAGES)]
        found = [path for path in paths if path.is_file() and path != case.contract]
        others = [path for path in found if not path.is_relative_to(ROOT / "common")]
        yield from ((name, path) for path in others)
        if not others and (name.startswith("/") or ".." in Path(name).parts):
            yield name, None


def _short(name: str) -> str:
    return formatting.function(name) if "(" in name else name


def _placed(name: str) -> str:
    """`calls` in crypt, of salsa20::crypt(unsigned char*, ...)::calls."""
    name = name.removeprefix("guard variable for ").replace("(anonymous namespace)::", "")
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    place, _, bare = name.rpartition("::")
    function = formatting.function(place).rpartition("::")[2] if "(" in place else ""
    return f"`{bare}` in {function}" if function else f"`{bare}`"
