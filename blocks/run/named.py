"""Quantities of a plan by name: views on the numbers of an engine, which are not copied."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError
from blocks.plan.place import Place


def element_labels(place: Place) -> tuple[str, ...]:
    """What the elements of a quantity are called: by their labels, or by their numbers."""
    declared = place.parameter  # type: ignore[call-overload]
    labels = place.signal.labels if place.signal else declared.labels if declared else ()
    return labels if len(labels) == place.count else tuple(map(str, range(place.count)))


def element_of(place: Place, name: str) -> int:
    """Which number of a quantity is meant by "eta[psi]". Raises SimulationError if there is none."""
    label = name.partition("[")[2]
    label = label[:-1].strip() if label.endswith("]") else name
    labels = element_labels(place)
    if label in labels:
        return labels.index(label)
    if label.isdigit() and int(label) < place.count:
        return int(label)
    raise SimulationError(f"{place.name} has no element '{label}'", code="unknown-element", wrong=label, valid=labels)


def with_elements(places: Mapping[str, Place]) -> list[str]:
    """All names that stand for quantities or named elements of them."""
    return [*places, *(f"{name}[{label}]" for name, place in places.items() for label in element_labels(place))]


def called_so(name: str, places: Mapping[str, Place]) -> str:
    """What may be meant by the last word of a name, "psi" of "vessel.eta[psi]"; "" if nothing is."""
    full = [one for one in with_elements(places) if re.split(r"[.\[]", one.removesuffix("]"))[-1] == name]
    return f"did you mean {' or '.join(map(repr, full[:3]))}?" if full else ""


class Views(Mapping[str, NDArray[np.float64]]):
    """Arrays over the memory of an engine, by name: "vessel.eta", of its shape, or "vessel.eta[psi]", a single number.

    They stay where they are: what an array shows is what stands there now.
    Raises SimulationError for a name that is not there.
    """

    def __init__(self, kind: str, values: NDArray[np.float64], places: Mapping[str, Place], writable: bool) -> None:
        self.kind, self.places, self.writable = kind, places, writable
        self._values = values
        self._made: dict[str, NDArray[np.float64]] = {}

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        try:
            return self._made[name]
        except (KeyError, TypeError):
            return self._make(name)

    def _make(self, name: Any) -> NDArray[np.float64]:
        place = self.place(name)
        view = self._values[place.slice].reshape(place.shape)
        if "[" in name:
            view = view.reshape(-1)[element_of(place, name) :][:1].reshape(())
        view.flags.writeable = self.writable
        self._made[name] = view
        return view

    def place(self, name: str) -> Place:
        """Where a quantity, or an element of it, stands."""
        bare = name.partition("[")[0] if isinstance(name, str) else name
        if not isinstance(bare, str) or bare not in self.places:
            raise SimulationError(f"no {self.kind} '{name}'", code="unknown-name", wrong=str(bare), valid=self.places)
        return self.places[bare]

    def __contains__(self, name: object) -> bool:
        if not self.has(name):
            return False
        try:
            return "[" not in str(name) or element_of(self.place(str(name)), str(name)) >= 0
        except SimulationError:
            return False

    def has(self, name: object) -> bool:
        """Whether there is a quantity of that name, or that is named before an element."""
        return isinstance(name, str) and name.partition("[")[0] in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def _ipython_key_completions_(self) -> list[str]:
        return with_elements(self.places)

    def __repr__(self) -> str:
        return f"<{len(self)} {self.kind}s: {', '.join(self)}>"
