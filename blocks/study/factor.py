"""Factors: what differs between the members of a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks.component import Component
from blocks.study.distribution import Choice, Distribution, _Given
from blocks.study.errors import StudyError

Label = float | int | str


@dataclass(frozen=True)
class Level:
    """One level of a factor: what it is called, and what each target is set to."""

    label: Label | None
    changes: Mapping[str, Any]
    """By target: "vessel.initial_eta" (a parameter), "u" (an input of the diagram), "vessel" (a component)."""


class Factor:
    """What differs between members, where a list of levels or a distribution does not say it all.

    values: a list of levels, a mapping of labels to levels, or a distribution (`Uniform`, `Normal`, `Choice`, or a
        frozen one of scipy.stats).
    of: the parameter, the input or the component that the values are for, or several that all get the same value.
        Without it the factor's name is its target, or each level is a mapping of targets to values.
    circular: True for directions all around, whose levels have to close the circle evenly; False where levels of an
        angle mean something else. None: what looks like a circle of directions has to be one.
    """

    def __init__(self, values: Any, *, of: str | Sequence[str] | None = None, circular: bool | None = None) -> None:
        self.values = values
        self.of = (of,) if isinstance(of, str) else tuple(of) if of is not None else None
        self.circular = circular

    def __repr__(self) -> str:
        of = f", of={self.of}" if self.of else ""
        return f"Factor({self.values!r}{of})"


class NamedFactor:
    """A factor with its name, in the form that the rest of a study works with."""

    def __init__(self, name: str, given: Any) -> None:
        factor = given if isinstance(given, Factor) else Factor(given)
        self.name = name
        self.circular = factor.circular
        self.levels: list[Level] = []
        self.distribution: Any = None
        self.chosen = isinstance(factor.values, Choice)
        """True if the levels are sampled, and not crossed with those of other factors."""
        values = factor.values.levels if isinstance(factor.values, Choice) else factor.values
        self.targets = factor.of or (name,)
        if isinstance(values, _Given) or (isinstance(values, Distribution) and not isinstance(values, type)):
            self.distribution = values
            return
        self.levels = self._read(values, bool(factor.of))
        self._check()

    @property
    def sampled(self) -> bool:
        """True if the values follow from the samples of the design."""
        return self.distribution is not None or self.chosen

    def _read(self, values: Any, targeted: bool) -> list[Level]:
        pairs: list[tuple[Label | None, Any]]
        if isinstance(values, Mapping):
            pairs = [(label, value) for label, value in values.items()]
        elif isinstance(values, (str, Component)) or not isinstance(values, Iterable):
            raise StudyError(
                f"factor '{self.name}' needs a list or a mapping of levels, or a distribution, not {values!r}"
            )
        else:
            pairs = [(_label(value), value) for value in values]
        levels = []
        for number, (label, value) in enumerate(pairs):
            if isinstance(value, Mapping) and not targeted and set(value) != {"diag"}:
                if not isinstance(values, Mapping):
                    raise StudyError(f"factor '{self.name}': levels with several targets need labels: {{label: {{…}}}}")
                changes = dict(value)
            else:
                changes = dict.fromkeys(self.targets, value)
            levels.append(Level(number if label is None else label, changes))
        return levels

    def _check(self) -> None:
        if not self.levels:
            raise StudyError(f"factor '{self.name}' has no levels: give at least one")
        labels = [level.label for level in self.levels]
        twice = next((label for label in labels if labels.count(label) > 1), None) if len(labels) < 5000 else None
        if twice is not None:
            raise StudyError(f"factor '{self.name}' has the level {twice!r} twice")

    def all_targets(self) -> set[str]:
        """Every target that the factor changes."""
        return {target for level in self.levels for target in level.changes} or set(self.targets)

    def __repr__(self) -> str:
        values = self.distribution if self.distribution is not None else [level.label for level in self.levels]
        return f"<factor '{self.name}': {values!r}>"


def _label(value: Any) -> Label | None:
    """What a level without a label is called: its value, if that is one number or text."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, str):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value)
    return None
