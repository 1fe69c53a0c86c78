"""What stands in the place of an FMU in the remainder of a diagram, and gives the rest of it what the FMU gives.

A container steps its FMUs one after the other, ours last and with what those before it have given by then. Ours so gets
at t_k what the others give at t_{k+1}. At t_{k+1} it has to show what follows from that, but on the way there what they
gave at t_k counts, as in `simulate`. A unit delay does so: what it takes at t_k it shows from t_{k+1} on.

In the first step it has taken nothing yet. What was there at t_0 comes back then: a container keeps what a model gives
for the next step, so an output of ours that is an input of ours remembers it. While the FMUs are initialized a
container passes values on twice, so the first step is known by a 1 that has gone round twice.

What a block shows first belongs to the start values of its inputs. So these are what an FMU gets the first time that
values are passed on; what it shows of them comes back the second time, and what follows from that is there for its
first step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blocks.basic import Compare, Constant, Gain, Product, Rounding, Sum, Switch, UnitDelay
from blocks.block import Units
from blocks.diagram import Diagram
from blocks.model.declare import Input, Output
from blocks.signal import Signal
from fmu.container.starts import start_of
from fmu.foreign.importer import FmuBlock
from fmu.foreign.variables import FLOATS, Variable


@dataclass
class StandIn:
    """A diagram with the ports of an FMU, and further ones by which it meets the FMU."""

    diagram: Diagram
    to_fmu: dict[str, str] = field(default_factory=dict)
    """Outputs, by the inputs of the FMU that they are for."""
    from_fmu: dict[str, str] = field(default_factory=dict)
    """Inputs, by the outputs of the FMU that they are from."""
    loops: list[tuple[str, str, tuple[int, ...]]] = field(default_factory=list)
    """Outputs that are inputs of the next step, and their shape."""


def stand_in(block: FmuBlock, taken: Iterable[str], given: Iterable[str], step: float) -> StandIn:
    """For an FMU, of which those inputs are fed and those outputs are read; `step` is the communication step, s."""
    made = StandIn(Diagram(block.name))
    taken, given = list(taken), list(given)
    if taken or given:
        _begin(made, step)
    for port in taken:
        _take(made, block, port)
    for port in given:
        _give(made, block, port, step)
    return made


def _take(made: StandIn, block: FmuBlock, port: str) -> None:
    """What the FMU gets: in its own unit, a whole number or 0 or 1 where it wants one."""
    inside, variable = made.diagram, block.face.sources[port]
    names = _Names(port)
    own = block.input_ports[port]
    inside.add(names.first, _typed(block, port, variable, own.doc, own.default))
    inside.inputs(**{port: f"{names.first}.u"})
    scale = np.array([conversion.scale for conversion in variable.conversions])
    offset = np.array([conversion.offset for conversion in variable.conversions])
    last = names.first
    if np.any(offset != 0.0):
        last = _with(inside, names, last, Sum("++"), -offset)
    if np.any(scale != 1.0):
        last = _with(inside, names, last, Product("*/"), scale)
    if variable.kind == "Boolean":
        last = _with(inside, names, last, Compare(">"), np.full(variable.width, 0.5), ("u1", "u2"))
    elif variable.kind not in FLOATS:
        last = _next(inside, names, last, Rounding())
    last = _started(inside, names, last, block, port)
    made.to_fmu[port] = f"_{port}_taken"
    inside.outputs(**{made.to_fmu[port]: f"{last}.y"})


def _started(inside: Diagram, names: _Names, last: str, block: FmuBlock, port: str) -> str:
    """The start value of an input, in the FMU's words, until all have been initialized once; from then on the input."""
    start = inside.add(names.new(), Constant(_one(start_of(block, port))))
    name = _next(inside, names, last, Switch(), "u1")
    inside.connect(start.y, f"{name}.u2")
    inside.connect("_begun_once.y", f"{name}.control")
    return name


def _begin(made: StandIn, step: float) -> None:
    """What tells how far it is.

    `_begun_once` is 1 from the second time on that values are passed on, `_begun_twice` from the beginning of the first
    step on, `_begun_running` from its end on.
    """
    inside = made.diagram
    inside.add("_begun", Constant(1.0))
    inside.add("_begun_once", Gain())
    inside.add("_begun_twice", Gain())
    inside.add("_begun_running", UnitDelay(period=step))
    inside.connect("_begun.y", "_begun_running.u")
    inside.inputs(_begun_once_in="_begun_once.u", _begun_twice_in="_begun_twice.u")
    inside.outputs(_begun_out="_begun.y", _begun_once_out="_begun_once.y")
    made.loops += [("_begun_out", "_begun_once_in", ()), ("_begun_once_out", "_begun_twice_in", ())]


def _give(made: StandIn, block: FmuBlock, port: str, step: float) -> None:
    """What the FMU gives: in the unit of the port, with that of the first step in its place."""
    inside, variable = made.diagram, block.face.sources[port]
    names = _Names(port)
    scale = np.array([conversion.scale for conversion in variable.conversions])
    offset = np.array([conversion.offset for conversion in variable.conversions])
    now = names.first
    inside.add(now, Gain(_one(scale)))
    made.from_fmu[port] = f"_{port}_given"
    inside.inputs(**{made.from_fmu[port]: f"{now}.u"})
    if np.any(offset != 0.0):
        now = _with(inside, names, now, Sum("++"), offset)
    delayed = _next(inside, names, now, UnitDelay(period=step))
    first = _next(inside, names, now, Switch(), "u2")
    inside.connect("_begun_twice.y", f"{first}.control")
    inside.inputs(**{f"_{port}_seen_in": f"{first}.u1"})
    inside.outputs(**{f"_{port}_seen_out": f"{now}.y"})
    made.loops.append((f"_{port}_seen_out", f"_{port}_seen_in", variable.shape))
    chosen = _next(inside, names, first, Switch(), "u2")
    inside.connect(f"{delayed}.y", f"{chosen}.u1")
    inside.connect("_begun_running.y", f"{chosen}.control")
    shown = inside.add(port, _typed(block, port, variable, block.output_ports[port].doc))
    inside.connect(f"{chosen}.y", shown.u)
    inside.outputs(**{port: shown.y})


class _Names:
    """Names of the blocks of one port: no port begins with an underscore."""

    def __init__(self, port: str) -> None:
        self.port, self.number = port, 1
        self.first = f"_{port}_1"

    def new(self) -> str:
        self.number += 1
        return f"_{self.port}_{self.number}"


def _next(inside: Diagram, names: _Names, last: str, block: Any, port: str = "u") -> str:
    name = names.new()
    inside.add(name, block)
    inside.connect(f"{last}.y", f"{name}.{port}")
    return name


def _with(
    inside: Diagram, names: _Names, last: str, block: Any, values: Any, ports: tuple[str, str] = ("in1", "in2")
) -> str:
    """The next block, and constants for its second input."""
    constant = inside.add(names.new(), Constant(_one(values)))
    name = _next(inside, names, last, block, ports[0])
    inside.connect(constant.y, f"{name}.{ports[1]}")
    return name


def _one(values: Any) -> Any:
    """One number where all are equal; a row of one is none."""
    return values.tolist() if values.size > 1 else float(values[0])


def _typed(block: FmuBlock, port: str, variable: Variable, doc: str, default: Any = None) -> Gain:
    """A factor of 1 whose input and output are as those of the FMU's port."""
    shape = ("n",) if variable.shape else ()
    own = Signal(variable.name, shape, variable.unit)

    def output_units(self: Gain, output: str, inputs: Mapping[str, Units]) -> Units:
        return own.units(variable.width)

    own_members = {"__doc__": doc, "__module__": __name__, "output_units": output_units}
    kind: Any = type("FmuPort", (Gain,), own_members, abstract=True)
    kind.declared_inputs = {"u": Input(own, doc, default=default, name="u")}
    kind.declared_outputs = {"y": Output(own, doc, name="y", depends=Gain.declared_outputs["y"].depends)}
    made: Gain = kind()
    return made
