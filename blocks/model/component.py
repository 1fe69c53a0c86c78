"""Component: what can stand in a diagram, and PortRef: a reference to one of its ports, or to some elements of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from blocks.errors import WiringError
from blocks.model import wiring
from blocks.model.declare import Input, Output
from blocks.signal import UNKNOWN, Signal


class Component:
    """What can stand in a diagram: a block or a diagram. It has a name there, and ports."""

    name: str = ""
    parent: Component | None = None

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """Input ports by name, in order."""
        raise NotImplementedError

    @property
    def output_ports(self) -> Mapping[str, Output]:
        """Output ports by name, in order."""
        raise NotImplementedError

    def inputs_to_name(self) -> Iterable[str]:
        """The inputs that a message may propose: all, and what more there would be once it is connected."""
        return self.input_ports

    def unit_hint(self, output: str, sink: Signal) -> str:
        """What a refused wire adds if its units differ and the author of the component can say more of the output."""
        return ""

    def copy(self) -> Component:
        """The same component, in no diagram."""
        raise NotImplementedError

    def find_input(self, name: str) -> Input | None:
        """An input port by name, if there is one."""
        return self.input_ports.get(name)

    def find_output(self, name: str) -> Output | None:
        """An output port by name, if there is one."""
        return self.output_ports.get(name)

    def known_sizes(self) -> dict[str, int]:
        """The sizes of ports that are known before the diagram is planned, by name."""
        return {}

    @property
    def path(self) -> str:
        """The dotted name from the outermost diagram, "plant.vessel"."""
        names: list[str] = []
        here: Component = self
        while here.parent is not None:
            names.append(here.name)
            here = here.parent
        return ".".join(reversed(names))

    def port(self, name: str) -> PortRef:
        """A port by name. A name that is an input and an output means the output; `input_port` gives the other."""
        output = self.find_output(name)
        return self.input_port(name) if output is None else PortRef(self, name, "output", output.signal)

    def input_port(self, name: str) -> PortRef:
        """An input port by name."""
        found = self.find_input(name)
        if found is not None:
            return PortRef(self, name, "input", found.signal)
        raise WiringError(
            f"no port '{name}' on {self.name or type(self).__name__}",
            code="unknown-port",
            wrong=name,
            valid=[*self.input_ports, *self.output_ports],
            block=self.name,
            port=name,
        )


@dataclass(frozen=True, eq=False)
class PortRef:
    """`vessel.eta`, or with an index `vessel.eta["psi"]`, `vessel.eta[5]` or `vessel.eta[0:3]`."""

    block: Component
    name: str
    direction: str  # "input" or "output"
    signal: Signal
    start: int | None = None  # first element taken; None: the whole port
    stop: int | None = None

    def __getitem__(self, index: int | str | slice) -> PortRef:
        """Some elements, by label, number (from 0) or slice without a step."""
        if self.signal is UNKNOWN:
            return replace(self, start=0, stop=0)  # some elements, nobody knows which
        if self.start is not None:
            raise WiringError(f"{self}: elements have been selected already")
        width = self._width()
        if isinstance(index, str):
            labels = self.signal.labels
            if index not in labels:
                raise WiringError(
                    f"{self} has no element '{index}'",
                    code="unknown-element",
                    wrong=index,
                    valid=labels,
                    hint="" if labels else "its elements have no names, only numbers from 0",
                    block=self.block.name,
                    port=self.name,
                )
            first = labels.index(index)
            return self._elements(first, first + 1, index)
        if isinstance(index, slice):
            if width is None and (index.stop is None or index.stop < 0 or (index.start or 0) < 0):
                raise WiringError(f"{self}: elements cannot be counted from the end before its size is known")
            first, last, stride = index.indices(index.stop if width is None else width)
            if stride != 1 or last <= first:
                raise WiringError(f"{self}[{index.start}:{index.stop}:{index.step}]: neighbouring elements are wanted")
            return self._elements(first, last, f"{first}:{last}")
        if not isinstance(index, (int, np.integer)):
            raise WiringError(f"{self}[{index}]: an element is named by its label, its number or a slice")
        if width is None and index < 0:
            raise WiringError(f"{self}: elements cannot be counted from the end before its size is known")
        if width is not None and not -width <= index < width:
            raise WiringError(
                f"{self} has {wiring.count(width, 'element')}: there is no element {index}",
                code="unknown-element",
                block=self.block.name,
                port=self.name,
            )
        first = int(index if width is None else index % width)
        return self._elements(first, first + 1, self.signal.labels[first] if self.signal.labels else str(first))

    def _width(self) -> int | None:
        """How many elements the port has; None if that is decided when the diagram is planned."""
        if not self.signal.shape:
            return 1
        (first, *rest) = self.signal.shape
        if rest:
            raise WiringError(f"{self}: elements of a matrix cannot be selected")
        return first if isinstance(first, int) else self.block.known_sizes().get(first)

    def _elements(self, first: int, last: int, text: str) -> PortRef:
        unit = self.signal.units(last)[first:last]
        taken = Signal(
            f"{self.signal.name}[{text}]",
            () if last - first == 1 else (last - first,),
            unit[0] if len(set(unit)) == 1 else unit,  # type: ignore[arg-type]
            self.signal.frame,
            self.signal.labels[first:last] if last - first > 1 else (),
        )
        return replace(self, start=first, stop=last, signal=taken)

    @property
    def selection(self) -> str:
        """The selected elements as text for scenario files: "", "[psi]" or "[0:3]"."""
        chosen = self.start is not None and self.signal is not UNKNOWN
        return self.signal.name[self.signal.name.rindex("[") :] if chosen else ""

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.signal.labels)

    def __str__(self) -> str:
        return f"{self.block.name or type(self.block).__name__}.{self.name}{self.selection}"

    def __repr__(self) -> str:
        return f"<{self.direction} {self}: {self.signal}>"
