"""From a declaration to what a class of blocks is made of: equations, program, ports, parameters and states."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from blocks.errors import raise_all
from blocks.formula.declaration import Declaration, Quantity, fixed
from blocks.formula.errors import FormulaError, brief
from blocks.formula.program import Program, program_of
from blocks.formula.reading import read_equations
from blocks.formula.shapes import words
from blocks.formula.tree import Equations, Node
from blocks.model.declare import Input, Output, Parameter, State
from blocks.signal import Signal


@dataclass(frozen=True, eq=False)
class Parts:
    """What a formula block is made of, by name."""

    equations: Equations
    program: Program
    inputs: dict[str, Input]
    outputs: dict[str, Output]
    states: dict[str, State]
    parameters: dict[str, Parameter]


@functools.lru_cache(maxsize=256)
def parts_of(declaration: Declaration) -> Parts:
    """What a declaration makes. Raises FormulaError for all that is wrong in the equations."""
    said = dict(declaration.signals)
    equations = read_equations(
        declaration.symbols(),
        let=dict(declaration.let),
        outputs=dict(declaration.outputs),
        states=dict(declaration.derivatives),
        update=dict(declaration.updates),
        sampled=declaration.sampled,
        units={name: signal.unit for name, signal in said.items() if signal.unit is not None},
    )
    raise_all(list(_misshapen(equations, said)))
    program = program_of(equations)
    described = dict(declaration.descriptions)
    inputs = {q.name: Input(q.signal, q.doc, default=q.default, name=q.name) for q in declaration.inputs}
    outputs = {
        name: Output(
            _signal(node, said.get(name)),
            described.get(name, ""),
            state=program.is_state.get(name),
            name=name,
        )
        for name, node in equations.outputs.items()
    }
    states = {}
    for group, discrete in ((declaration.states, False), (declaration.discrete, True)):
        for q in group:
            signal = replace(q.signal, unit=equations.symbols[q.name].unit)
            states[q.name] = State(signal, q.doc, discrete=discrete, name=q.name)
    parameters = {q.name: _parameter(q) for q in declaration.parameters}
    return Parts(equations, program, inputs, outputs, states, parameters)


def _misshapen(equations: Equations, said: Mapping[str, Signal]) -> Iterator[FormulaError]:
    """Outputs whose shape is not the stated one."""
    for name, node in equations.outputs.items():
        shape = fixed(said[name].shape) if name in said else ()
        if shape and shape != node.shape:
            yield FormulaError(
                f"{name} is stated as {words(shape)}, and '{brief(node)}' is {words(node.shape)}",
                place=node.place,
                code="shape-mismatch",
            )


def _parameter(q: Quantity) -> Parameter:
    return Parameter(
        shape=q.signal.shape, unit=q.signal.unit, frame=q.signal.frame, labels=q.signal.labels, doc=q.doc, name=q.name
    )


def _signal(node: Node, said: Signal | None) -> Signal:
    """The type of an output: what `units` says of it, else what its equation gives."""
    if said is not None and said.shape == node.shape:
        return said
    unit = None if isinstance(node.unit, tuple) and None in node.unit else node.unit
    return Signal("Signal", node.shape, unit)  # type: ignore[arg-type]
