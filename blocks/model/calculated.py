"""Calculated parameters: derived constants of a block that its kernel's setup computes and that users want to see."""

from __future__ import annotations

from typing import Any, Protocol, overload

from blocks.model.derived import Derived
from blocks.signal import Dimension


class Evaluates(Protocol):
    """A block whose kernel can be asked."""

    def evaluate(self) -> Any:
        """What the kernel gives; see `Block.evaluate`."""


class CalculatedParameter(Derived):
    """A constant that follows from parameters, such as a mass matrix: `vessel.mass_matrix` evaluates it.

    It is a derived constant, `b.w.mass_matrix[i]` in the kernel; `depends` names the parameters that it follows from.
    In an FMU it has the causality calculatedParameter.
    """

    def __init__(
        self,
        shape: tuple[Dimension, ...] = (),
        unit: str | tuple[str, ...] | None = "1",
        doc: str = "",
        *,
        depends: tuple[str, ...],
        frame: str | None = None,
        labels: tuple[str, ...] = (),
        name: str = "",
    ) -> None:
        super().__init__(doc, shape=shape, unit=unit, name=name)
        self.depends = depends
        self.frame = frame
        self.labels = labels

    @overload  # type: ignore[override]
    def __get__(self, instance: None, owner: type) -> CalculatedParameter: ...
    @overload
    def __get__(self, instance: Evaluates, owner: type) -> Any: ...
    def __get__(self, instance: Evaluates | None, owner: type) -> Any:
        if instance is None:
            return self
        return instance.evaluate().calculated[self.name]

    def __set__(self, instance: object, value: object) -> None:
        raise AttributeError(
            f"{type(instance).__name__}.{self.name} is calculated from {', '.join(self.depends)}: set those"
        )
