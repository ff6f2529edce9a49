"""What a source document says of two stages, and the range of ratios that its figures allow."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

ABOUT = 0.1  # "about twice" allows this share more or less
SAME = 0.02  # "the same" allows a difference of this share
_ERRORS = 2  # standard errors, either way
FIGURES = ("times", "rates", "ratio", "at_least", "faster", "same")
Need = Literal["cores", "bits", "device", "language"]


@dataclass(frozen=True)
class Document:
    """Where claims come from, and the machine that they were measured on. Of stages/documents.toml."""

    title: str
    author: str
    published: str  # where and when
    machine: str
    level: str  # whose instructions its programs used
    language: str = "C++"
    cores: int = 1  # that its parallel programs used
    bits: int = 64
    device: str = ""
    method: str = ""  # how its way of timing differs from ours

    def __str__(self) -> str:
        return f"{self.author}, {self.title} ({self.published})"

    def need(self, name: Need) -> str:
        """needs four cores"""
        said = {
            "cores": f"{self.cores} cores",
            "bits": f"a program of {self.bits} bits",
            "device": f"a {self.device}",
            "language": self.language,
        }
        return f"needs {said[name]}"


@dataclass(frozen=True)
class InJava:
    """The ways of stages/java that are what the document compared."""

    base: str
    stage: str


@dataclass(frozen=True)
class Claim:
    """`stage` over `base`; one of the fields of FIGURES says how many times as fast."""

    text: str
    place: str  # in the document
    stage: str  # its slug, and so the base's
    base: str
    means: str = ""  # what follows from the answer; no figures
    document: str = ""  # "": that of the case
    workload: str | None = None  # None: the first
    beside: str | None = None  # the claim is of the speed-up on `workload`, divided by that on this one
    # What is compared: the time; of single calls of the first workload the standard deviation, the longest one, the
    # mean of those within one standard deviation, or the base's shortest with the stage's longest; the instructions of
    # a call; or what a program of [[programs]] prints.
    of: Literal["time", "sd", "longest", "trimmed", "extremes", "instructions", "program"] = "time"
    program: str = ""  # the title of that program
    java: InJava | None = None  # where the document's programs are Java
    level: str = ""  # "" in case.toml: that of the document
    needs: list[Need] = field(default_factory=list)  # facts of the document that must hold here
    slip: str = ""  # of the document in its own figures
    surprise: int = 0  # README shows those above 0, in this order
    times: list[str] = field(default_factory=list)  # of base and stage, as the document prints them
    rates: list[str] = field(default_factory=list)  # likewise; more is faster
    sd: list[str] = field(default_factory=list)  # of either
    n: int = 0  # of values behind either
    ratio: list[str] = field(default_factory=list)  # one, or from and to
    about: bool = False  # the document says "about" of the figures above
    at_least: float = 0
    faster: bool = False  # it says no more
    same: bool = False

    def wrong(self) -> tuple[str, str] | None:
        """The field that cannot be, and why."""
        given = [name for name in FIGURES if getattr(self, name)]
        if len(given) != 1:
            return given[-1] if given else "ratio", f"a claim has one of {', '.join(FIGURES)}"
        for name in ("times", "rates", "sd", "ratio"):
            values = getattr(self, name)
            allowed = (1, 2) if name == "ratio" else (2,)
            if values and (len(values) not in allowed or not all(map(_is_figure, values))):
                return name, 'it holds positive numbers as the document prints them, such as ["267", "55"]'
        if not 0 <= self.at_least < 1e9:
            return "at_least", "it is a positive number"
        if self.about and not (self.times or self.rates or self.ratio):
            return "about", "it is of `times`, `rates` or `ratio`"
        if bool(self.sd) != bool(self.n) or (self.sd and not (self.times or self.rates)):
            return "sd", "`sd` and `n` belong together, and to `times` or `rates`"
        if not 0 <= self.n < 1e9:
            return "n", "it is 1 or more, and below 1,000,000,000"
        low, high = self.span
        if not 0 < low <= high:
            return given[0], f"its figures allow ratios from {low:.3g} to {high:.3g}"
        if self.beside and self.same:
            return "same", "with `beside` write a ratio of 1, and how close"
        if (self.of == "program") != bool(self.program):
            return "program", 'it is the title of one of [[programs]], and goes with of = "program"'
        if self.of != "time" and (self.workload or self.beside):
            return "workload", "only times are of another workload than the first: leave the field out"
        return None

    @property
    def span(self) -> tuple[float, float]:
        """The ratios that the document's figures allow."""
        if self.same:
            return 1 / (1 + SAME), 1 + SAME
        if self.at_least or self.faster:
            return self.at_least or 1 + SAME, math.inf
        if self.ratio:
            value, half = _rounded(self.ratio[0])
            last = float(self.ratio[-1])
            if self.about:
                return value * (1 - ABOUT), last * (1 + ABOUT)
            return (value - half, value + half) if len(self.ratio) == 1 else (value, last)
        figures = self.times or [*reversed(self.rates)]
        (over, half_over), (under, half_under) = map(_rounded, figures)
        if self.about:
            return over / under * (1 - ABOUT), over / under * (1 + ABOUT)
        if not self.sd:
            return (over - half_over) / (under + half_under), (over + half_over) / (under - half_under)
        spreads = map(float, self.sd if self.times else reversed(self.sd))
        shares = [spread / value for spread, value in zip(spreads, (over, under), strict=True)]
        error = over / under * math.hypot(*shares) / math.sqrt(self.n)
        return over / under - _ERRORS * error, over / under + _ERRORS * error

    @property
    def centre(self) -> float:
        """The ratio that the document prints; over 1 is faster."""
        if self.same:
            return 1.0
        if self.at_least or self.faster:
            return math.inf
        if self.ratio:
            return math.sqrt(float(self.ratio[0]) * float(self.ratio[-1]))
        over, under = map(float, self.times or reversed(self.rates))
        return over / under

    @property
    def printed(self) -> str:
        """The document's figures, as a reader finds them there."""
        if self.same:
            return "the same"
        if self.faster:
            return "faster"
        if self.at_least:
            return f"at least {self.at_least:g}x"
        said = f"{' to '.join(self.ratio)}x" if self.ratio else f"from {' to '.join(self.times or self.rates)}"
        return f"{said}, about" if self.about else said


def _is_figure(text: str) -> bool:
    return re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) is not None and 0 < float(text) < math.inf


def _rounded(text: str) -> tuple[float, float]:
    """A printed figure, and half a unit of its last digit."""
    exponent = Decimal(text).as_tuple().exponent
    assert isinstance(exponent, int)
    return float(text), 0.5 * 10.0**exponent
