"""What `make proof` found, as reports/proof keeps it. docs/proof.md is made from these files."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from perf_ladders.model.record import AboveZero, Count, Date, Positive, Record, Sha256


class Proof(Record, kw_only=True):
    what: str  # was tried, in a few words
    tried: Count
    found: Count  # of these, what should not be
    when: Date
    commit: str


class Leak(Record, kw_only=True):
    """A place whose time depends on a secret."""

    kind: Literal["branch", "address"]
    file: str
    line: Positive
    text: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


class AtLevel(Record, kw_only=True):
    """`reason`: why it is not known; or, where another level stands for this one, which."""

    level: str
    verdict: Literal["constant", "leaks", "n/a"]
    leaks: list[Leak] = []
    reason: str = ""


class CheckedStage(Record, kw_only=True):
    case: str
    stage: str  # its slug
    source: Sha256  # of its flattened source
    levels: list[AtLevel]

    @property
    def leaks(self) -> list[Leak]:
        """Of all levels, each place once."""
        found = {one.place: one for at in self.levels for one in at.leaks}
        return [found[place] for place in sorted(found)]

    @property
    def verdict(self) -> str:
        """A leak at one level is a leak; n/a only where no level could be checked."""
        verdicts = {at.verdict for at in self.levels}
        return next((one for one in ("leaks", "constant") if one in verdicts), "n/a")


class TimedSecrets(Record, kw_only=True):
    """Times of calls with fixed secrets and with random ones, and Welch's t of the two."""

    case: str
    stage: str
    level: str
    calls: Positive
    fixed_ns: AboveZero
    random_ns: AboveZero
    t: float


class Survivor(Record, kw_only=True):
    """A mutant that the checks did not reject; `why` it gives the same results, as far as somebody has said so.

    A fuzzer with sanitizers then compared it with the oracle on so many `inputs`; `found`: what was wrong for one."""

    line: Positive
    before: str
    after: str
    why: str = ""
    inputs: Count = 0
    found: str = ""

    @property
    def equivalent(self) -> bool:
        return self.why != "" and self.inputs > 0 and not self.found

    @property
    def missed(self) -> bool:
        """Neither equivalent nor found by the fuzzer; or found, though somebody explained it."""
        return not self.equivalent and (self.why != "" or self.found == "")


class Reason(Record, kw_only=True):
    before: str
    after: str
    why: str
    stage: str = ""  # its number, where others have the line, too, for which the reason does not hold; empty: any
    nth: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0  # of the lines with this text, from 1 on; 0: it is the only one


class Explained(Record, kw_only=True):
    """tests/<case>/survivors.toml: mutants that give the same results, so that no check can reject them."""

    mutant: list[Reason] = []


class MutationScore(Record, kw_only=True):
    case: str
    program: str
    seed: Count
    mutants: Count
    rejected: Count
    same: Count  # more were drawn, of which the compiler made the machine code of the stage
    fuzzed: Count  # of those rejected, how many were given to the fuzzer, too, to learn what it finds
    fuzzer_found: Count  # of these
    survivors: list[Survivor]

    @property
    def rejected_share(self) -> float:
        """Of all mutants, with those that are equivalent."""
        return self.rejected / max(1, self.mutants)

    @property
    def score(self) -> float:
        """Of the mutants that are not equivalent: the usual definition, for no test can reject the others."""
        return self.rejected / max(1, self.mutants - len(self.equivalent))

    @property
    def equivalent(self) -> list[Survivor]:
        return [one for one in self.survivors if one.equivalent]

    @property
    def missed(self) -> list[Survivor]:
        return [one for one in self.survivors if one.missed]


class CheckedCase(Record, kw_only=True):
    """What became of the tests of a case: a program's checks, or a mutant that has to be rejected."""

    case: str
    preset: str  # that built them
    passed: Count
    skipped: list[str] = []  # their names
    failed: list[str] = []


class Fuzzed(Record, kw_only=True):
    """What a fuzzer found in a program; `input`: the file that shows it again."""

    program: str
    seconds: Positive
    inputs: Count
    found: str = ""
    input: str = ""


class CountedStage(Record, kw_only=True):
    """Instructions of a stage's own functions in a call of the workload."""

    case: str
    stage: str  # its slug
    level: str
    compiler: str  # gcc 12.2.0
    source: Sha256  # of its flattened source
    workload: str
    instructions: Positive
    now: Count = 0  # where the count changed, and neither source nor workload did

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.case, self.stage, self.level, self.compiler


class Told(Proof, kw_only=True):
    """A sentence for each that was found."""

    details: list[str]


class Checked(Proof, kw_only=True):
    details: list[CheckedCase]


class ConstantTime(Proof, kw_only=True):
    details: list[CheckedStage]


class TimingLeaks(Proof, kw_only=True):
    details: list[TimedSecrets]


class Fuzzing(Proof, kw_only=True):
    details: list[Fuzzed]


class InstructionCounts(Proof, kw_only=True):
    details: list[CountedStage]


class Mutation(Proof, kw_only=True):
    details: list[MutationScore]
