"""A diagram whose wires to the ports that a learner commands are cut, and what those ports are called then."""

from __future__ import annotations

from dataclasses import dataclass

from blocks.diagram import Diagram
from blocks.errors import WiringError


@dataclass(frozen=True)
class Alias:
    """The signal that a port of a block carries: the name of an input or an output, and its first element there."""

    name: str
    first: int = 0


def opened(diagram: Diagram, ports: list[str], *, wired: bool = False) -> tuple[Diagram, dict[str, Alias]]:
    """A copy of a diagram that a learner commands at these ports, and for each of them the signal that it carries.

    ports: inputs of the diagram, or "block.port" of a block in it, whose wire is cut.
    wired: leave the wires as they are: the diagram's own controllers command.

    Raises WiringError for a port that is not there, or that with `wired` nothing commands.
    """
    made = diagram.copy()
    aliases: dict[str, Alias] = {}
    for port in dict.fromkeys(text.partition("[")[0] for text in ports):
        if port in made.boundary_inputs:
            if wired:
                raise WiringError(
                    f"'{port}' is an input of the diagram, which nothing in it commands: the scenario has no "
                    f"controllers of its own to compare with"
                )
            aliases[port] = Alias(port)
            continue
        block, _, name = port.partition(".")
        if not name or block not in made.components:
            inputs = [f"{key}.{each}" for key, item in made.components.items() for each in item.input_ports]
            raise WiringError(
                f"no port '{port}' to command", code="unknown-name", wrong=port, valid=[*made.boundary_inputs, *inputs]
            )
        if name in made.components[block].output_ports:
            there = ", ".join(made.components[block].input_ports) or "it has none"
            raise WiringError(f"'{port}' is an output, and actions go to inputs; those of '{block}': {there}")
        sink = made.components[block].input_port(name)
        source = made.wires.get((sink.block, sink.name))
        if wired:
            if source is None:
                raise WiringError(f"nothing commands {port} in the scenario: there is nothing to compare with")
            owner = "" if source.component is None else f"{source.component.name}."
            aliases[port] = Alias(f"{owner}{source.port}", source.start or 0)
            continue
        if source is not None:
            made.disconnect(sink)
        given = f"{block}_{name}".replace(".", "_")
        made.inputs(**{given: sink})
        aliases[port] = Alias(given)
    return made, aliases
