"""Held or linear: what logged inputs are from one sample to the next, as logs say it or as their data tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from blocks.inputs import INTERPOLATIONS
from blocks.lab.identification.log import Log

_SURE = 2.0 * math.log(100.0)
"""The data tell if the likelihood is a hundred times larger one way than the other."""
_WORDS = {"hold": "held", "linear": "linear"}


@dataclass(frozen=True)
class Between:
    """What a column is between two samples, and how that is known.

    interpolation: "hold" or "linear". source: "log", which says it, "data", in which it was found, or "guess", where
    the data cannot tell. margin: by how much -2 ln(likelihood) of the outputs is larger the other way.
    """

    interpolation: str
    source: str
    margin: float = 0.0

    @property
    def other(self) -> str:
        """The other of the two."""
        return next(way for way in INTERPOLATIONS if way != self.interpolation)

    def __str__(self) -> str:
        word = _WORDS[self.interpolation]
        if self.source == "log":
            return f"{word}, as the log says"
        odds = "over a million" if self.margin > 2.0 * math.log(1e6) else f"{math.exp(0.5 * self.margin):.3g}"
        if self.source == "data":
            return f"{word}, found from the data ({odds} to 1)"
        return f"taken as {word}, for the data cannot tell ({odds} to 1)"


def between_samples(columns: Sequence[str], logs: Sequence[Log]) -> dict[str, Between]:
    """What is said of each column, and where some log says nothing a guess, by whether values mostly repeat.

    A column that never changes is left out.
    """
    found = {}
    for column in dict.fromkeys(columns):
        silent = [log for log in logs if column not in log.interpolation]
        changes = [np.diff(log.values(column)[part]) != 0.0 for log in silent for part in log.segments]
        if not silent:
            found[column] = Between(logs[0].interpolation[column], "log")
        elif np.concatenate(changes).any():
            repeats = np.mean(np.concatenate(changes)) < 0.5
            found[column] = Between("hold" if repeats else "linear", "guess")
    return found


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
        if chosen[column].margin > _SURE:
            chosen[column] = replace(chosen[column], source="data")
    return chosen, best
