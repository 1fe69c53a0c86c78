"""Every port, state and parameter says what it is, in units that there are."""

from __future__ import annotations

from blocks.errors import KeelblocksError
from blocks.model.declare import Input, Output, State
from blocks.trials.samples import Sample
from blocks.units import same

_ANOTHER = "kg"


def check_descriptions(sample: Sample) -> None:
    """Ports, states and parameters have a `doc`, units that can be read, and sizes with a name."""
    block = sample()
    parameters = type(block).parameters
    signals: dict[str, Input | Output | State] = {**block.input_ports, **block.output_ports, **block.states}
    described = {**{name: item.doc for name, item in signals.items()}, **{n: p.doc for n, p in parameters.items()}}
    if silent := [name for name, doc in described.items() if not doc.strip()]:
        raise sample.fault(f'it says nothing about {", ".join(silent)}: give each its doc="…"')
    units = {name: parameter.unit for name, parameter in parameters.items()}
    for name, unit in {**units, **{name: item.signal.unit for name, item in signals.items()}}.items():
        for one in unit if isinstance(unit, tuple) else (unit,):
            try:
                same(one, _ANOTHER)
            except KeelblocksError as problem:
                raise sample.fault(f"{name} has a unit that is none: {problem}") from None
    for name, parameter in parameters.items():
        odd = [size for size in parameter.shape if isinstance(size, str) and not size.isidentifier()]
        if odd:
            raise sample.fault(f"{name} has the size {', '.join(map(repr, odd))}, which is no name: is that its doc?")
