"""Metrics: what is kept of each member, as one number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blocks.errors import did_you_mean
from blocks.run.result import Result
from blocks.study.errors import StudyError
from blocks.study.fingerprint import digest, full_name
from blocks.swarm.result import STATISTICS

FINAL, END_TIME = "final", "end_time"
WORDS = (*STATISTICS, FINAL, END_TIME)
"""What a metric in text may begin with."""

_TEXT = re.compile(r"(?P<word>\w+)(\((?P<output>[\w.]+)(\[(?P<element>[^\]]+)\])?\))?\Z")


class Metric:
    """A number that a function of the result of a run gives.

    needs: the outputs that are recorded for it; the `Result` that the function gets has nothing else. Its arrays are
        read-only and of that member only while the function runs.
    unit: of the number.

    A member at which the function raises an exception, or gives what is not a number, is kept with the reason.
    """

    def __init__(self, function: Callable[[Result], float], needs: str | Sequence[str], *, unit: str = "1") -> None:
        if not callable(function):
            raise StudyError(f"a metric needs a function of the result, not {function!r}")
        self.function = function
        self.needs = (needs,) if isinstance(needs, str) else tuple(needs)
        self.unit = unit
        if not self.needs:
            raise StudyError(f"the metric {self!r} must say what it needs: Metric(…, needs=('vessel.eta',))")

    @property
    def signals(self) -> tuple[str, ...]:
        """The signals that it is of."""
        return self.needs

    def description(self) -> Mapping[str, Any]:
        """What tells this metric from another one."""
        return {
            "function": full_name(self.function), "source": digest(self.function), "needs": list(self.needs),
            "unit": self.unit,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"Metric({full_name(self.function)})"


@dataclass(frozen=True)
class Statistic:
    """A number that the engine finds on the way, at every step, without recording: "rms(vessel.eta[z])".

    The words are those of `STATISTICS` (mean, rms, standard_deviation, significant, least, greatest), `final` for the
    value at the end, and `end_time` for when that was.
    """

    word: str
    output: str = ""
    element: str = ""

    @classmethod
    def of(cls, text: str) -> Statistic:
        """Read a metric in text. Raises StudyError."""
        found = _TEXT.match(text.strip())
        if found is None:
            raise StudyError(f"'{text}' must be like rms(vessel.eta[z]), final(meter.energy) or end_time")
        word, output = found["word"], found["output"]
        if word not in WORDS:
            raise StudyError(f"there is no '{word}'{did_you_mean(word, WORDS)}")
        if (word == END_TIME) != (output is None):
            say = "end_time stands alone" if word == END_TIME else f"{word} of what? Write {word}(vessel.eta[z])"
            raise StudyError(say)
        return cls(word, output or "", found["element"] or "")

    @property
    def signals(self) -> tuple[str, ...]:
        """The output that it is of, if it is of one."""
        return (self.output,) if self.output else ()

    def description(self) -> Mapping[str, Any]:
        """What tells this metric from another one."""
        return {"statistic": str(self)}

    def __str__(self) -> str:
        element = f"[{self.element}]" if self.element else ""
        return f"{self.word}({self.output}{element})" if self.output else self.word


Read = Callable[[str, str], Iterable[tuple[str, Metric | Statistic]]]
"""Reads a metric of that name and text: one, or one for each leg, with their names."""


def metrics_of(given: Mapping[str, Any] | Sequence[str], read: Read) -> dict[str, Metric | Statistic]:
    """Metrics by name, text as `read` has it; a list of texts is a mapping of each to itself. Raises StudyError."""
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, (Mapping, list, tuple)):
        raise StudyError(f"metrics are a mapping of names to metrics, {{'y': 'rms(vessel.eta[y])'}}, not {given!r}")
    named = dict(given) if isinstance(given, Mapping) else {text: text for text in given}
    if not named:
        raise StudyError("a study needs at least one metric, such as metrics={'roll': 'significant(vessel.eta[phi])'}")
    found: dict[str, Metric | Statistic] = {}
    for name, metric in named.items():
        if isinstance(metric, (Metric, Statistic)):
            found[name] = metric
        elif isinstance(metric, str):
            for own, made in read(name, metric):
                if own in found or (own != name and own in named):
                    raise StudyError(f"metric '{name}': there is another metric '{own}'; give one of them another name")
                found[own] = made
        else:
            raise StudyError(
                f"the metric '{name}' must be text such as 'rms(vessel.eta[z])', or a Metric(function, needs=…), not "
                f"{metric!r}"
            )
        if name == END_TIME and str(found.get(name)) != name:
            raise StudyError(f"a metric cannot be called '{name}': every table has a column of that name")
    return found
