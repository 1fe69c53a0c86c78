"""The signals that expressions are of: where they stand, and their values for all vehicles, a row for each element."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import WiringError
from blocks.live.learning.opening import Alias
from blocks.metrics.signals import Kind
from blocks.plan.place import Place
from blocks.scenario.expression import Expression, Reference

Array = NDArray[np.float64]
View = Callable[[str], Array]
"""From the name of an input or an output to its values, vehicles × elements, which the engine keeps up to date."""

TIME = "time"
"""In expressions: the time since the episode began, s."""


@dataclass(frozen=True)
class Span:
    """Elements of an input or an output."""

    name: str
    first: int
    last: int
    units: tuple[str, ...]


class Signals:
    """What expressions may name: outputs, inputs, and ports that are commanded."""

    def __init__(self, places: Mapping[str, Place], aliases: Mapping[str, Alias]) -> None:
        self.places = dict(places)
        self.aliases = dict(aliases)

    def span(self, reference: Reference, besides: Collection[str] = ()) -> Span:
        """Where a signal stands. Raises WiringError for one that is not there; `besides`: what else could be meant."""
        alias = self.aliases.get(reference.name, Alias(reference.name))
        if alias.name not in self.places:
            valid = [*self.places, *self.aliases, *besides, TIME]
            raise WiringError(f"no signal '{reference.name}'", code="unknown-output", wrong=reference.name, valid=valid)
        kind = Kind.of(self.places[alias.name])
        first, last = elements(reference, kind)
        return Span(alias.name, alias.first + first, alias.first + last, kind.units[first:last])

    def names(self, reference: Reference) -> list[str]:
        """What the elements of a signal are called: "vessel.nu[u]"."""
        alias = self.aliases.get(reference.name, Alias(reference.name))
        labels = Kind.of(self.places[alias.name]).labels
        if len(labels) == 1:
            return [reference.name]
        span = self.span(reference)
        return [f"{reference.name}[{label}]" for label in labels[span.first : span.last]]

    def unit(self, expression: Expression) -> str | None:
        """The unit of an expression that is one signal; None if it is more than that, or if it is not known."""
        if len(expression.references) != 1 or str(expression.references[0]) != expression.text.strip():
            return None
        (reference,) = expression.references
        if self.aliases.get(reference.name, Alias(reference.name)).name not in self.places:
            return None
        units = set(self.span(reference).units)
        return (units.pop() or None) if len(units) == 1 else None


def elements(reference: Reference, kind: Kind) -> tuple[int, int]:
    """The first element of a reference and the one behind its last. Raises WiringError."""
    count, element = len(kind.labels), reference.element
    if element is None:
        return 0, count
    if isinstance(element, tuple):
        first, last, _ = slice(*element).indices(count)
        if last <= first:
            raise WiringError(f"{reference} has no elements; there are {count}")
        return first, last
    number = kind.number(str(element))
    if number is None:
        raise WiringError(
            f"{reference.name} has no element '{element}'",
            code="unknown-element",
            wrong=str(element),
            valid=kind.labels,
        )
    return number, number + 1


class Rows:
    """The values of signals, vehicles side by side: an array for one element, a row for each of several.

    They are copied from where the engine has them, so that each row is contiguous: numbers then have the same bits for
    one vehicle and for many.
    """

    def __init__(self, references: Iterable[Reference], signals: Signals, view: View, count: int) -> None:
        self.of: dict[Reference, Array] = {}
        self.time = np.zeros(count)
        self._copies: list[tuple[Array, Array]] = []
        for reference in references:
            if reference.name == TIME:
                self.of[reference] = self.time
                continue
            if reference in self.of:
                continue
            span = signals.span(reference)
            rows = np.zeros((span.last - span.first, count))
            self._copies.append((rows, view(span.name)[:, span.first : span.last].T))
            self.of[reference] = rows[0] if len(rows) == 1 else rows

    def take(self) -> None:
        """Copy the present values."""
        for rows, source in self._copies:
            np.copyto(rows, source)


class Bound:
    """An expression over rows. `rows` are those of its signals; `check` finds widths that do not go together."""

    def __init__(self, expression: Expression, of: Mapping[Reference, Any]) -> None:
        self.expression = expression
        self.rows = [of[reference] for reference in expression.references]
        self.inner = [Bound(change, of) for change in expression.changes]
        self.before: list[Array] = []
        self.differences: list[Array] = []

    def width(self) -> int:
        """How many numbers it gives for each vehicle. Raises WiringError where widths do not go together."""
        sample = [np.zeros((*np.shape(row)[:-1], 1)) for row in self.rows]
        changes = [np.zeros((inner.width(), 1)) for inner in self.inner]
        try:
            with np.errstate(all="ignore"):
                found = self.expression.evaluate(sample, [c[0] if len(c) == 1 else c for c in changes])
        except ValueError:
            widths = ", ".join(f"{r} {len(s) if s.ndim > 1 else 1}" for r, s in zip(
                self.expression.references, sample, strict=True))  # fmt: skip
            raise WiringError(f"'{self.expression}': widths do not go together: {widths}") from None
        return len(found) if np.ndim(found) > 1 else 1

    def value(self) -> Any:
        """The present value: an array over the vehicles, a row for each element, or one number for all."""
        return self.expression.evaluate(self.rows, self.differences)

    def step(self) -> None:
        """Take the changes since the last time."""
        for inner, before, difference in zip(self.inner, self.before, self.differences, strict=True):
            now = inner.value()
            np.subtract(now, before, out=difference)
            before[...] = now

    def begin(self, mask: NDArray[np.bool_]) -> None:
        """Where an episode begins there is no change yet."""
        for number, inner in enumerate(self.inner):
            now = np.asarray(inner.value())
            if number == len(self.before):
                shape = np.broadcast_shapes(now.shape, mask.shape)
                self.before.append(np.array(np.broadcast_to(now, shape), dtype=float))
                self.differences.append(np.zeros(shape))
                continue
            self.before[number][..., mask] = np.broadcast_to(now, self.before[number].shape)[..., mask]
            self.differences[number][..., mask] = 0.0
