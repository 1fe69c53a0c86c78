"""Held or linear: what logged inputs are from one sample to the next, as logs say it or as their data tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.log import Log
from blocks.run.inputs import INTERPOLATIONS

_DECISIVE_MARGIN = 2.0 * math.log(100.0)
"""The data tell if the likelihood is a hundred times larger one way than the other."""
MIXED = "mixed"
_WORDS = {"hold": "held", "linear": "linear"}


@dataclass(frozen=True)
class Between:
    """What a column is between two samples, and how that is known.

    interpolation: "hold" or "linear", of the logs that do not say it, or "mixed" where all say it, and not the same.
    source: "log", which says it, "data", in which it was found, or "guess", where the data cannot tell. margin: by how
    much -2 ln(likelihood) of the outputs is larger the other way. said: what logs say, (name, interpolation) each;
    silent: names of those that do not.
    """

    interpolation: str
    source: str
    margin: float = 0.0
    said: tuple[tuple[str, str], ...] = ()
    silent: tuple[str, ...] = ()

    @property
    def other(self) -> str:
        """The other of the two."""
        return next(way for way in INTERPOLATIONS if way != self.interpolation)

    @property
    def where(self) -> str:
        """Of which logs it was found, if not of all."""
        return f" in {', '.join(self.silent)}" if self.said else ""

    def __str__(self) -> str:
        each = ", ".join(f"{_WORDS[way]} in {log}" for log, way in self.said)
        if self.interpolation == MIXED:
            return f"as the logs say: {each}"
        word = _WORDS[self.interpolation]
        if self.source == "log":
            return f"{word}, as the log{'s say' if len(self.said) > 1 else ' says'}"
        odds = "over a million" if self.margin > 2.0 * math.log(1e6) else f"{math.exp(0.5 * self.margin):.3g}"
        told = f"; as the log{'s say' if len(self.said) > 1 else ' says'}: {each}" if each else ""
        if self.source == "data":
            return f"{word}{self.where}, found from the data ({odds} to 1){told}"
        return f"taken as {word}{self.where}, for the data cannot tell ({odds} to 1){told}"


def between_samples(columns: Sequence[str], logs: Sequence[Log], held_out: Sequence[Log] = ()) -> dict[str, Between]:
    """What is said of each column, and where some log says nothing a guess, by whether values mostly repeat.

    A column that never changes is left out. Raises IdentificationError if all logs that are fitted say it, and not the
    same, and one that is held out does not.
    """
    found = {}
    for column in dict.fromkeys(columns):
        said = tuple((log.name, log.interpolation[column]) for log in logs if column in log.interpolation)
        silent = [log for log in logs if column not in log.interpolation and _changes(log, column).any()]
        ways = {way for _, way in said}
        if silent:
            repeats = np.mean(np.concatenate([_changes(log, column) for log in silent])) < 0.5
            names = tuple(log.name for log in silent)
            found[column] = Between("hold" if repeats else "linear", "guess", 0.0, said, names)
        elif said:
            found[column] = Between(MIXED if len(ways) > 1 else said[0][1], "log", 0.0, said)
            for log in held_out:
                if len(ways) > 1 and column not in log.interpolation and _changes(log, column).any():
                    raise IdentificationError(
                        f"{column} is {', '.join(f'{_WORDS[way]} in {name}' for name, way in said)}: say what it is "
                        f"in {log.name}, which is held out, interpolation: {{{column}: hold}} or linear"
                    )
    return found


def _changes(log: Log, column: str) -> NDArray[np.bool_]:
    return np.concatenate([np.diff(log.values(column)[part]) != 0.0 for part in log.segments])


class Candidate(Protocol):
    """A fit with one choice for each column."""

    @property
    def deviance(self) -> float:
        """-2 ln(likelihood), but for a constant."""


C = TypeVar("C", bound=Candidate)


def decide(
    between: Mapping[str, Between], fit: Callable[[Mapping[str, Between], C | None], C]
) -> tuple[dict[str, Between], C]:
    """Turn what is a guess to what the data say: each column is fitted the other way too, and the likelier one stays.

    fit: the candidate of a choice, from the best one yet on if there is one.
    """
    chosen = dict(between)
    best = fit(chosen, None)
    open_ones = [column for column, one in chosen.items() if one.source == "guess"]
    for _ in range(len(open_ones)):
        turned = False
        for column in open_ones:
            one = chosen[column]
            other = replace(one, interpolation=one.other)
            rival = fit(chosen | {column: other}, best)
            margin = rival.deviance - best.deviance
            if margin < 0.0:
                one, best, turned = other, rival, True
            chosen[column] = replace(one, margin=abs(margin))
        if not turned:
            break
    for column in open_ones:
        if chosen[column].margin > _DECISIVE_MARGIN:
            chosen[column] = replace(chosen[column], source="data")
    return chosen, best
