"""Scope: a figure of signals that comes with the run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from blocks.basic.common import AnyScalar, NumberedPorts
from blocks.block import Block, Sizes, Units
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Sources, matrix
from blocks.model.text_parameter import NamesParameter, TextParameter, names_in
from blocks.signal import AnySignal, Signal

_INPUT = re.compile(r"in([1-9]\d{0,2})\Z")


class Scope(NumberedPorts, Block):
    """Shows signals over time: `keelblocks run` writes its figure among the others, `result.plot("scope")` draws it.

    y = (in1, in2, …)

    in1, in2, …: inputs in any unit, as many as are connected and as wide as what they are connected to, each with a
    panel of its own, or with `together` one panel for all of one unit; y: all their elements one after the other, which
    is what is recorded, whatever `record` says.
    `widths`: how many elements each input has, where that is to be checked; 0 means as many as it is connected to.
    `labels`: names of the inputs, or of all elements, a list; without them they have the names of what they show.
    `limits`: of the vertical axes, in SI; (0, 0) leaves them to the values.

    A signal that can stand where the scope has it costs no time in a run; others are copied. In an FMU a scope does
    nothing; one with local variables has y among them.

    Raises ParameterError if `widths` is no array of whole numbers of at least 0, if there are `labels` for another
    number of inputs or elements, or if the first of the `limits` is not below the second.
    """

    examples = ({"widths": [1, 2], "title": "Speeds"}, {"widths": [0, 2]})

    kernel = "scope"
    sizes = ("ports",)
    positional = ("widths",)
    concatenates = True

    widths = Parameter(
        0,
        shape=("ports",),
        integer=True,
        at_least=0,
        at_most=1_000_000,
        structural=True,
        doc="number of elements of each input, in order; 0: as many as it is connected to",
    )
    title = TextParameter("", structural=True, doc="of the figure; the name of the block if not given")
    labels = NamesParameter("", structural=True, doc="names of the inputs, or of all elements")
    limits = Parameter((0.0, 0.0), shape=(2,), unit=None, fixed="it is of the figure only", doc="of the vertical axes")
    together = Parameter(False, fixed="it is of the figure only", doc="one panel for all inputs of one unit")

    y = Output(AnySignal, "all inputs one after the other")

    def validate(self) -> None:
        """Widths, labels and limits that fit each other."""
        widths = np.asarray(self.widths)
        if not widths.ndim and widths:
            raise ParameterError(
                f"{self._called()}.widths must be an array with the number of elements of each input, such as [1, 3], "
                f"not the single number {int(widths)}; without it inputs take what they are connected to"
            )
        if widths.all():
            self._check_labels(widths.astype(int).tolist())
        low, high = self.limits
        if low > high or (low == high != 0.0):
            raise ParameterError(
                f"{self._called()}.limits: the first must be below the second, not {low:g} and {high:g}"
            )

    def names(self) -> list[str]:
        """The labels, one by one."""
        return names_in(self.labels)

    def _count(self) -> int:
        """How many inputs there are: as many as widths, or up to the last one that is connected."""
        if np.ndim(self.widths):
            return len(self.widths)
        wires = getattr(self.parent, "wires", {})
        return max((int(port.removeprefix("in")) for block, port in wires if block is self), default=1)

    def _input(self, number: int, count: int) -> Input:
        """One of so many inputs. That of a scope with no other shares its size with y, and may be a scalar as y may."""
        width = int(self.widths[number - 1]) if np.ndim(self.widths) else 0
        if width:
            signal = Signal("Any", (width,)) if width > 1 else AnyScalar
        else:
            signal = AnySignal if count == 1 else Signal("Any", (f"n{number}",))
        return Input(signal, "what is shown", name=f"in{number}")

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """One for each width, or for each that is connected, and at least one."""
        count = self._count()
        return {f"in{i}": self._input(i, count) for i in range(1, count + 1)}

    def find_input(self, name: str) -> Input | None:
        """An input by its name: without widths there is one of any number as soon as it is connected."""
        match, count = _INPUT.match(name), self._count()
        if match is None or (np.ndim(self.widths) and int(match[1]) > count):
            return None
        return self._input(int(match[1]), max(int(match[1]), count))

    def inputs_to_name(self) -> Iterable[str]:
        """All, and the next one where all are connected."""
        names, wires = list(self.input_ports), getattr(self.parent, "wires", {})
        full = np.ndim(self.widths) == 0 and all((self, name) in wires for name in names)
        return [*names, f"in{len(names) + 1}"] if full else names

    @property
    def output_ports(self) -> Mapping[str, Output]:
        """All inputs in one."""
        total = int(np.sum(self.widths)) if np.all(self.widths) else 0
        whole = AnySignal if not total else Signal("Any", (total,)) if total > 1 else AnyScalar
        return {"y": Output(whole, "all inputs one after the other", name="y")}

    def _spans(self, sizes: Sizes) -> list[int]:
        """How many elements each input has, 0 where that is not known."""
        shapes = (port.signal.shape or (1,) for port in self.input_ports.values())
        return [sizes.get(size, 0) if isinstance(size, str) else size for size, *_ in shapes]

    def sizes_that_follow(self, sizes: Sizes) -> Sizes:
        """That of y, when those of all inputs are known."""
        spans = self._spans(sizes)
        return {"n": sum(spans)} if all(spans) else {}

    def kernel_sizes(self, sizes: Sizes) -> list[int]:
        """The number of inputs, and the width of each. Raises ParameterError if there are other numbers of labels."""
        spans = self._spans(sizes)
        self._check_labels(spans)
        return [len(spans), *spans]

    def _check_labels(self, spans: Sequence[int]) -> None:
        given, whole = len(self.names()), sum(spans)
        if given not in (0, len(spans), whole):
            elements = "" if whole == len(spans) else f", or {whole}, one for each element"
            raise ParameterError(
                f"{self._called()}.labels has {given} names: give {len(spans)}, one for each input{elements}"
            )

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Each input in its place."""
        spans = self._spans(sizes)
        parts = np.split(np.eye(sum(spans)), np.cumsum(spans[:-1]))
        return {f"in{number}": matrix(part.T) for number, part in enumerate(parts, start=1)}

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """Those of the inputs, one after the other."""
        return tuple(unit for units in inputs.values() for unit in units)
