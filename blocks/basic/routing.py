"""Routing: mux, demux, selector, switch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from blocks.basic.common import AnyScalar, ModeBlock, NumberedPorts
from blocks.block import Block, Sizes, Units
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State, Value
from blocks.model.dependence import Sources, each, matrix, whole
from blocks.model.derived import Crossing, Derived
from blocks.signal import AnySignal, Number, Signal


class _Parts(NumberedPorts, Block, abstract=True):
    """What mux and demux have in common."""

    sizes = ("ports",)
    positional = ("widths",)

    widths = Parameter(
        shape=("ports",),
        integer=True,
        at_least=1,
        at_most=1_000_000,
        structural=True,
        doc="number of elements of each part, in order",
    )

    def validate(self) -> None:
        """A list of widths."""
        if np.ndim(self.widths) != 1:
            raise ParameterError(
                f"{self._called()}.widths must be an array with the number of elements of each part, such as [1, 3], "
                f"not the single number {self.widths:g}"
            )

    def kernel_sizes(self, sizes: Sizes) -> list[int]:
        """The number of parts, and the width of each."""
        return [len(self.widths), *(int(w) for w in self.widths)]

    def _places(self) -> dict[str, NDArray[np.float64]]:
        """By the number of each part, from 1, the rows of the identity that it is of the whole."""
        parts = np.split(np.eye(int(sum(self.widths))), np.cumsum(self.widths[:-1]).astype(int))
        return {str(i): part for i, part in enumerate(parts, start=1)}

    _made: tuple[Value, Mapping[str, Input], Mapping[str, Output]] | None = None

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """One input per width of a mux, one for the whole of a demux."""
        return self._ports()[1]

    @property
    def output_ports(self) -> Mapping[str, Output]:
        """One output for the whole of a mux, one per width of a demux."""
        return self._ports()[2]

    def _ports(self) -> tuple[Value, Mapping[str, Input], Mapping[str, Output]]:
        """The ports, made once for the widths that the block has: there may be a thousand."""
        widths = self.values["widths"]
        if self._made is None or self._made[0] is not widths:
            signals = [_any(width) for width in np.atleast_1d(widths)]
            self._made = (widths, *self._make_ports(signals, _any(np.sum(widths))))
        return self._made

    def _make_ports(self, parts: list[Signal], whole: Signal) -> tuple[dict[str, Input], dict[str, Output]]:
        raise NotImplementedError


def _any(width: float) -> Signal:
    return Signal("Any", (int(width),)) if width > 1 else AnyScalar


class Mux(_Parts):
    """Puts signals one after the other into one: y = (in1, in2, …).

    in1, in2, …: inputs of the `widths` given, in any unit; y: output with all their elements.

    Raises ParameterError if `widths` is no array of whole numbers of at least 1.
    """

    examples = ({"widths": [1, 2]},)

    kernel = "mux"
    concatenates = True

    y = Output(AnySignal, "all inputs one after the other")

    def _make_ports(self, parts: list[Signal], whole: Signal) -> tuple[dict[str, Input], dict[str, Output]]:
        names = [f"in{i}" for i in range(1, len(parts) + 1)]
        inputs = [Input(s, "a part of the output", name=n) for n, s in zip(names, parts, strict=True)]
        return dict(zip(names, inputs, strict=True)), {"y": Output(whole, "all inputs one after the other", name="y")}

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Each input in its place."""
        return {f"in{number}": matrix(place.T) for number, place in self._places().items()}

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """Those of the inputs, one after the other."""
        return tuple(unit for units in inputs.values() for unit in units)


class Demux(_Parts):
    """Takes a signal apart: (out1, out2, …) = u.

    u: input, in any unit, as wide as all outputs together; out1, out2, …: outputs of the `widths` given. To take out
    single elements, `vessel.eta["psi"]` or `gain.y[0:2]` in a connection does without a block.

    Raises ParameterError if `widths` is no array of whole numbers of at least 1.
    """

    examples = ({"widths": [1, 2]},)

    kernel = "demux"

    u = Input(AnySignal, "all outputs one after the other")

    def _make_ports(self, parts: list[Signal], whole: Signal) -> tuple[dict[str, Input], dict[str, Output]]:
        names = [f"out{i}" for i in range(1, len(parts) + 1)]
        outputs = [Output(s, "a part of the input", name=n) for n, s in zip(names, parts, strict=True)]
        return {"u": Input(whole, "all outputs one after the other", name="u")}, dict(zip(names, outputs, strict=True))

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On its own part of the input."""
        return {"u": matrix(self._places()[output.removeprefix("out")])}

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """Those of its part of the input."""
        ends = np.cumsum(np.atleast_1d(self.widths)).astype(int)
        last = int(ends[int(output.removeprefix("out")) - 1])
        return inputs["u"][last - int(np.atleast_1d(self.widths)[int(output.removeprefix("out")) - 1]) : last]


class Selector(Block):
    """Picks elements of a signal, in any order and as often as wanted: y_i = u[k_i].

    u: input, n, in any unit; y: output, m; k: `indices`, m, counted from 0.

    Raises ParameterError if an index is negative or not a whole number, and, when the diagram is planned, if the input
    has no such element.
    """

    examples = ({"indices": [2, 0]},)

    kernel = "selector"
    sizes = ("m", "n")
    positional = ("indices",)

    u = Input(AnySignal, "any signal")
    y = Output(Signal("Any", ("m",)), "the chosen elements")
    indices = Parameter(shape=("m",), integer=True, at_least=0, structural=True, doc="which elements, counted from 0")

    places = Derived("the indices, none of which leads out of the input", shape=("m",))

    def kernel_sizes(self, sizes: Sizes) -> list[int]:
        """How many are picked. Raises ParameterError if the input has no such element."""
        highest = int(np.max(self.indices))
        if highest >= sizes["n"]:
            raise ParameterError(
                f"{self._called()}.indices asks for element {highest}, but {self._called()}.u has {sizes['n']} "
                f"element{'s' * (sizes['n'] > 1)}, numbered from 0"
            )
        return super().kernel_sizes(sizes)

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On the elements that are picked."""
        return {"u": matrix(np.eye(sizes["n"])[np.atleast_1d(self.indices).astype(int)])}

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """Those of the elements that are picked."""
        units = inputs["u"]  # of the first elements, where there are many
        return tuple(units[int(i)] if i < len(units) else None for i in np.atleast_1d(self.indices))


class Switch(ModeBlock):
    """One of two signals: y = u1 where the control is at or above the threshold, else u2.

    u1, u2, y: inputs and output, n, in equal units; `control`: one number in the unit of `threshold`. With
    criterion=">" the control has to be above the threshold. The switching is an event.
    """

    kernel = "switch"
    sizes = ("n",)
    positional = ("threshold",)

    u1 = Input(AnySignal, "passes while the control is high")
    control = Input(AnyScalar, "decides")
    u2 = Input(AnySignal, "passes while the control is low")
    y = Output(AnySignal, "one of the two", like="u1", depends=each("u1", "u2") | whole("passing"))
    threshold = Parameter(0.5, unit=None, doc="the control from which on u1 passes")
    criterion = Parameter(">=", choices=(">=", ">"), doc="whether the threshold itself lets u1 pass")
    passing = State(
        Number,
        "1 while u1 passes",
        discrete=True,
        private=True,
        depends=whole("control", "threshold", "criterion"),
    )

    switching = Crossing("distance of the control from the threshold")
