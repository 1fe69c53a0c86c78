"""From a declaration to what a class of blocks is made of: equations, program, ports, parameters and states."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace

from blocks.formula.declaration import Declaration, Quantity
from blocks.formula.program import Program, program_of
from blocks.formula.reading import read_equations
from blocks.formula.tree import Equations, Node, Symbol
from blocks.model.declare import Input, Output, Parameter, State
from blocks.signal import Signal
from blocks.unit_products import product


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
    equations = _equations(declaration)
    program = program_of(equations)
    described = dict(declaration.descriptions)
    said = dict(declaration.signals)
    inputs = {
        q.name: Input(q.signal, q.doc, default=q.default, name=q.name)  # type: ignore[arg-type]
        for q in declaration.inputs
    }
    outputs = {
        name: Output(
            _signal(node, said.get(name)),
            described.get(name, ""),
            state=program.is_state.get(name),
            feedthrough=program.feedthrough[name],
            depends=program.sources["output", name],
            name=name,
        )
        for name, node in equations.outputs.items()
    }
    states = {}
    for kind, group, discrete in (("derivative", declaration.states, False), ("update", declaration.discrete, True)):
        for q in group:
            symbol = equations.symbols[q.name]
            signal = q.signal if q.signal.unit is not None else replace(q.signal, unit=symbol.unit)
            depends = program.sources[kind, q.name]  # type: ignore[index]
            states[q.name] = State(signal, q.doc, discrete=discrete, depends=depends, name=q.name)
    parameters = {q.name: _parameter(q) for q in declaration.parameters}
    return Parts(equations, program, inputs, outputs, states, parameters)


def _parameter(q: Quantity) -> Parameter:
    return Parameter(
        shape=q.signal.shape, unit=q.signal.unit, frame=q.signal.frame, labels=q.signal.labels, doc=q.doc, name=q.name
    )


def _signal(node: Node, said: Signal | None) -> Signal:
    """The type of an output: what `units` says of it, else what its equation gives."""
    if said is not None and (said.shape == node.shape or not said.shape):
        return replace(said, shape=node.shape)
    unit = node.unit if not isinstance(node.unit, tuple) or None not in node.unit else None
    return Signal("Signal", node.shape, unit)  # type: ignore[arg-type]


def _equations(declaration: Declaration) -> Equations:
    """The equations, where units of states that nobody says follow from their derivatives and next values."""
    symbols = declaration.symbols()
    units = {name: signal.unit for name, signal in declaration.signals if signal.unit is not None}
    open_ones = [q.name for q in (*declaration.states, *declaration.discrete) if q.signal.unit is None]
    while True:
        equations = read_equations(
            symbols,
            let=dict(declaration.let),
            outputs=dict(declaration.outputs),
            states=dict(declaration.derivatives),
            update=dict(declaration.updates),
            sampled=declaration.sampled,
            units=units,
        )
        found = dict(_followed(equations, open_ones))
        if not found:
            return equations
        open_ones = [name for name in open_ones if name not in found]
        symbols |= found


def _followed(equations: Equations, names: Iterable[str]) -> Iterable[tuple[str, Symbol]]:
    """States whose unit the equations tell."""
    for name in names:
        node = equations.derivatives.get(name) or equations.updates[name]
        per_second = name in equations.derivatives
        if node.unit is None or (isinstance(node.unit, tuple) and None in node.unit):
            continue
        symbol = equations.symbols[name]
        each = node.unit if isinstance(node.unit, tuple) else (node.unit,)
        units = tuple(product((str(one), 1), ("s", 1)) if per_second else str(one) for one in each)
        yield name, replace(symbol, unit=units if isinstance(node.unit, tuple) else units[0])
