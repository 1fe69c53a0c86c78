"""What depends on what within a block at the same instant, element by element: how a declaration says it.

An output, the derivative of a continuous state, the next value of a mode and the start value of a state each have
their *sources*: inputs, states and parameters by name, and `TIME`, each with a pattern that says which elements count.

    y = Output(AnySignal, "K u", depends=each("u", "gain"))                      y_i on u_i and K_i
    y = Output(AnySignal, "A u", depends=whole("u", "matrix"))                   every y_i on every u_j
    heading = Output(Angle, "ψ_d", depends={"eta": elements("x y")} | whole("course"))
    current = Output(Velocity, "v_c", depends={"vertical": rows("down")})        only its last element
    nu_r = Output(BodyVelocity, "ν_r", depends={"eta": between({"u": "theta psi", "v w": "phi theta psi"})})

What is not named does not count. Of parameters only the whole is told apart, not their elements: a pattern says which
elements of the target depend on the parameter. Where nothing is declared everything counts that could: see
`blocks.plan.dependencies`. Say it as the kernel computes it: a factor that may be set to another value than 0 is a
dependence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from blocks.errors import DeclarationError, did_you_mean

TIME = "the time itself"
"""The name of the time among sources. It is no identifier, so that nothing else can have it."""


@dataclass(frozen=True)
class Elements:
    """The target or the source of a pattern: how many elements there are, and their labels if they have any."""

    count: int
    labels: tuple[str, ...] = ()
    name: str = ""

    def numbers(self, text: str) -> Iterator[int]:
        """The elements that labels name: "x y psi", or "*" for all. Raises DeclarationError."""
        if text == "*":
            yield from range(self.count)
            return
        for label in text.split():
            if label not in self.labels:
                raise DeclarationError(
                    f"{self.name} has no element '{label}'", code="unknown-element", wrong=label, valid=self.labels
                )
            yield self.labels.index(label)


class Pattern:
    """Which elements of a source each element of a target depends on."""

    def masks(self, target: Elements, source: Elements) -> list[int]:
        """A number per element of the target whose bit j is set where it depends on element j of the source."""
        raise NotImplementedError


class _Whole(Pattern):
    def masks(self, target: Elements, source: Elements) -> list[int]:
        return [(1 << source.count) - 1] * target.count


class _Each(Pattern):
    def masks(self, target: Elements, source: Elements) -> list[int]:
        if source.count == 1:
            return [1] * target.count
        if source.count != target.count:
            raise DeclarationError(
                f"{target.name} has {target.count} elements and {source.name} {source.count}: they do not depend on "
                f"each other element by element"
            )
        return [1 << i for i in range(target.count)]


class _EachRow(Pattern):
    def masks(self, target: Elements, source: Elements) -> list[int]:
        count, rest = divmod(source.count, target.count)
        if rest:
            raise DeclarationError(f"{source.name} does not have rows of {target.count} elements, as {target.name} has")
        first = ((1 << count * target.count) - 1) // ((1 << target.count) - 1)
        return [first << i for i in range(target.count)]


class _Between(Pattern):
    def __init__(self, pairs: Mapping[str, str]) -> None:
        self.pairs = dict(pairs)

    def masks(self, target: Elements, source: Elements) -> list[int]:
        found = [0] * target.count
        for rows_, columns in self.pairs.items():
            mask = sum(1 << j for j in set(source.numbers(columns)))
            for i in target.numbers(rows_):
                found[i] |= mask
        return found


class _Matrix(Pattern):
    def __init__(self, table: ArrayLike) -> None:
        self.table = np.asarray(table, dtype=bool)

    def masks(self, target: Elements, source: Elements) -> list[int]:
        if self.table.shape != (target.count, source.count):
            raise DeclarationError(
                f"the dependence of {target.name} on {source.name} must be a table of {target.count}×{source.count}, "
                f"not of {'×'.join(map(str, self.table.shape))}"
            )
        return [sum(1 << int(j) for j in np.flatnonzero(row)) for row in self.table]


WHOLE: Pattern = _Whole()
EACH: Pattern = _Each()
EACH_ROW: Pattern = _EachRow()

Sources = Mapping[str, Pattern]
"""What something depends on: inputs, states, parameters and `TIME` by name."""


def unknown_source(target: str, name: str, known: Iterable[str]) -> DeclarationError:
    """What is to be raised where `target` depends on `name`, which is not among `known`."""
    near = did_you_mean(name, known)
    return DeclarationError(f"{target} depends on '{name}', which is no input, state or parameter{near}")


def each(*names: str) -> dict[str, Pattern]:
    """Element i depends on element i of these, and on a single number in every element."""
    return dict.fromkeys(names, EACH)


def each_row(*names: str) -> dict[str, Pattern]:
    """Element i depends on element i of every row of these."""
    return dict.fromkeys(names, EACH_ROW)


def whole(*names: str) -> dict[str, Pattern]:
    """Every element depends on every element of these."""
    return dict.fromkeys(names, WHOLE)


def elements(labels: str) -> Pattern:
    """Every element depends on the elements of these labels: "x y"."""
    return _Between({"*": labels})


def rows(labels: str) -> Pattern:
    """Only the elements of these labels depend on the source, and on all of it."""
    return _Between({labels: "*"})


def same(labels: str) -> Pattern:
    """The elements of these labels each depend on the one of the same label."""
    return _Between({label: label for label in labels.split()})


def between(pairs: Mapping[str, str]) -> Pattern:
    """Labels of the target, and on which of the source they depend: {"u": "theta psi", "v w": "phi theta psi"}."""
    return _Between(pairs)


def matrix(table: ArrayLike) -> Pattern:
    """A table with a row per element of the target and a column per element of the source, true where it counts."""
    return _Matrix(table)
