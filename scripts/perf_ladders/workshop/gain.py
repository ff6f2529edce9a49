"""What a learner's file and the answer gain over what the step begins with, and whether that passes."""

from __future__ import annotations

from dataclasses import dataclass

from perf_ladders.stats import Comparison

_LITTLE = 0.1  # a gain that may be none as long as it is undecided


@dataclass(frozen=True)
class Gain:
    """On one workload: the learner's file and the answer, each over what the step begins with."""

    mine: Comparison
    answer: Comparison
    mine_over_answer: Comparison
    control: Comparison  # the reference against itself

    @property
    def gains_nothing(self) -> bool:
        """The answer itself is not faster here."""
        return self.answer.verdict in ("same", "same code") or self.answer.is_slower

    @property
    def gain_unknown(self) -> bool:
        """The rounds do not say whether the answer is faster."""
        return self.answer.verdict == "undecided"

    @property
    def asks_no_gain(self) -> bool:
        """To be correct and not shown to be slower is enough. So it is where nobody can see the answer's gain; a gain
        that should be seen with more rounds is another matter (`hidden`)."""
        return self.gains_nothing or self.gain_unknown

    @property
    def noisy(self) -> bool:
        return self.control.fails

    @property
    def hidden(self) -> bool:
        """The answer may well gain something that these rounds do not show."""
        little = self.answer.low is not None and self.answer.ratio <= 1 + _LITTLE
        return self.gain_unknown and (self.noisy or not little)

    @property
    def passes(self) -> bool:
        """Faster than the stage it builds on. An answer that is itself slower than that asks for no more than it
        gives; one that is not shown to be slower excuses only what is shown to be as fast."""
        if self.mine.is_faster:
            return True
        if self.hidden or not self.asks_no_gain or (self.noisy and self.mine.verdict == "undecided"):
            return False
        if not self.mine.is_slower:
            return True
        unknown = self.mine_over_answer.verdict == "undecided" and not self.answer.is_slower
        return not self.mine_over_answer.is_slower and not unknown
