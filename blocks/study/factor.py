"""Factors: what differs between the members of a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks.model.component import Component
from blocks.study.distribution import Choice, is_distribution
from blocks.study.errors import StudyError

Label = float | int | str


@dataclass(frozen=True)
class Level:
    """One level of a factor: what it is called, and what each target is set to."""

    label: Label
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
        self.of = (of,) if isinstance(of, str) else tuple(dict.fromkeys(of)) if of is not None else None
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
        if factor.of == ():
            raise StudyError(f"factor '{name}': `of` names nothing: say what the levels are for, or leave it out")
        if is_distribution(values):
            if self.chosen:
                raise StudyError(
                    f"factor '{name}': Choice draws from levels, and {values!r} is a distribution: give it as it is"
                )
            self.distribution = values
            return
        self.levels = self._read(values, bool(factor.of))
        self._check()

    @property
    def sampled(self) -> bool:
        """True if the values follow from the samples of the design."""
        return self.distribution is not None or self.chosen

    def _read(self, values: Any, targeted: bool) -> list[Level]:
        pairs: list[tuple[Label, Any]]
        if isinstance(values, Mapping):
            pairs = [(self._own(label), value) for label, value in values.items()]
        elif isinstance(values, (str, Component, set, frozenset)) or not isinstance(values, Iterable):
            order = ", for a set has no order" if isinstance(values, (set, frozenset)) else ""
            raise StudyError(
                f"factor '{self.name}' needs a list or a mapping of levels, or a distribution, not {values!r}{order}"
            )
        else:
            given = list(values)
            labels = [_label(value) for value in given]
            named = [label for label in labels if label is not None]
            pairs = list(zip(named if len(named) == len(given) else range(len(given)), given, strict=True))
        levels = []
        for label, value in pairs:
            if isinstance(value, type) and issubclass(value, Component):
                raise StudyError(
                    f"factor '{self.name}', level '{label}': {value.__name__} is a kind of block; give a block of it, "
                    f"{value.__name__}(…)"
                )
            if isinstance(value, Mapping) and not targeted and set(value) != {"diag"}:
                if not isinstance(values, Mapping):
                    raise StudyError(f"factor '{self.name}': levels with several targets need labels: {{label: {{…}}}}")
                changes = dict(value)
            else:
                changes = dict.fromkeys(self.targets, value)
            levels.append(Level(label, changes))
        return levels

    def _own(self, label: Any) -> Label:
        """A label that the user gave."""
        found = _label(label)
        if found is None:
            raise StudyError(f"factor '{self.name}': a label is text or a number, not {label!r}")
        return found

    def _check(self) -> None:
        if not self.levels:
            raise StudyError(f"factor '{self.name}' has no levels: give at least one")
        if not any(level.changes for level in self.levels):
            raise StudyError(f"factor '{self.name}': none of its levels changes anything")
        twice = first_twice([level.label for level in self.levels])
        if twice is not None:
            raise StudyError(f"factor '{self.name}' has the level {twice!r} twice")

    def all_targets(self) -> set[str]:
        """Every target that the factor changes."""
        return {target for level in self.levels for target in level.changes} or set(self.targets)

    def __repr__(self) -> str:
        values = self.distribution if self.distribution is not None else [level.label for level in self.levels]
        return f"<factor '{self.name}': {values!r}>"


def first_twice(items: Iterable[Any]) -> Any:
    """The first item that was there before; None if all differ."""
    seen = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None


def _label(value: Any) -> Label | None:
    """What a level is called by this: by its value, if it has no label, and if that is one number or text."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, str):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value)
    return None
