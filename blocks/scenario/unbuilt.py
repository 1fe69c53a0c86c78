"""What stands for a block that could not be made, so that all else in the file is checked."""

from __future__ import annotations

from blocks.block import Block
from blocks.model.component import Component
from blocks.model.declare import Input, Output
from blocks.signal import UNKNOWN


class Unbuilt(Component):
    """A component with the ports that its class declares, or with whatever ports are asked for."""

    def __init__(self, cls: type[Block] | None = None, name: str = "") -> None:
        ports = ("input_ports", "output_ports")  # some classes decide them by their parameters
        declared = (
            cls and not cls.declaration_keys and all(getattr(cls, each) is getattr(Block, each) for each in ports)
        )
        self.cls = cls if declared else None
        self.name = name

    @property
    def input_ports(self) -> dict[str, Input]:
        """Those that every block of the class has, or can have."""
        return self.cls.declared_inputs if self.cls else {}

    @property
    def output_ports(self) -> dict[str, Output]:
        """Those that every block of the class has, or can have."""
        return self.cls.declared_outputs if self.cls else {}

    def find_input(self, name: str) -> Input | None:
        """An input of the class, or any."""
        return self.cls.declared_inputs.get(name) if self.cls else Input(UNKNOWN, name=name)

    def find_output(self, name: str) -> Output | None:
        """An output of the class, or any."""
        return self.cls.declared_outputs.get(name) if self.cls else Output(UNKNOWN, name=name)

    def wanting(self) -> list[str]:
        """The inputs that every block of the class wants to be connected."""
        return [name for name, port in self.input_ports.items() if port.default is None and port.when is None]
