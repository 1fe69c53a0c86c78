"""Component: what can stand in a diagram."""

from __future__ import annotations

from collections.abc import Mapping

from blocks.errors import WiringError, did_you_mean
from blocks.model.declare import Input, Output
from blocks.model.port import PortRef


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
            f"no port '{name}' on {self.name or type(self).__name__}"
            f"{did_you_mean(name, [*self.input_ports, *self.output_ports])}"
        )
