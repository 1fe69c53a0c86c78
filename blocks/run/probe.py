"""Evaluate one block alone: its outputs and derivatives for given time, states and inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import SimulationError, WiringError
from blocks.model.block import Block
from blocks.model.component import Component
from blocks.plan import Plan, make_plan
from blocks.plan.place import Place
from blocks.run.failure import explain


@dataclass(frozen=True)
class Evaluation:
    """What a block gives: outputs, derivatives of continuous states, states after an update, crossing functions, and
    the parameters that its kernel calculates."""

    outputs: dict[str, Any] = field(default_factory=dict)
    derivatives: dict[str, Any] = field(default_factory=dict)
    updated: dict[str, Any] = field(default_factory=dict)
    crossings: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    calculated: dict[str, Any] = field(default_factory=dict)


def evaluate(block: Block, t: float, states: Mapping[str, ArrayLike], inputs: Mapping[str, ArrayLike]) -> Evaluation:
    """See `Block.evaluate`."""
    for name in inputs:
        if name not in block.input_ports:
            if name in block.declared_inputs and type(block).input_port is not Component.input_port:
                # It knows with which parameters there is one.
                block.input_port(name)
            raise WiringError(
                f"{type(block).__name__} has no input '{name}'",
                code="unknown-input",
                wrong=name,
                valid=block.input_ports,
            )
    given = {name: _numbers(block, name, value) for name, value in inputs.items()}
    for name in states:
        if name not in block.states:
            raise WiringError(
                f"{type(block).__name__} has no state '{name}'", code="unknown-state", wrong=name, valid=block.states
            )
    plan = make_plan(block, input_shapes={name: value.shape for name, value in given.items()})
    engine = plan.engine()
    try:
        return _look(block, plan, engine, t, given, states)
    finally:
        plan.close(engine)


def along(
    block: Block, state: str, values: ArrayLike, output: str, t: float, states: Mapping[str, ArrayLike]
) -> NDArray[np.float64]:
    """An output for each of many values of one state, a row for each; inputs are 0, other states as given."""
    plan = make_plan(block)
    engine = plan.engine()
    leaf = plan.flat.leaves[0].name
    try:
        _stop_at_fault(plan, engine, engine.initialise(t))
        for name, value in states.items():
            _put(engine, plan.states[f"{leaf}.{name}"], value, f"{type(block).__name__}.{name}")
        place, wanted = plan.states[f"{leaf}.{state}"], plan.outputs[f"{leaf}.{output}"]
        rows = []
        for value in np.asarray(values, dtype=np.float64):
            _put(engine, place, value, f"{type(block).__name__}.{state}")
            _stop_at_fault(plan, engine, engine.look(t))
            rows.append(_get(engine, wanted))
        return np.array(rows)
    finally:
        plan.close(engine)


def _look(
    block: Block,
    plan: Plan,
    engine: Any,
    t: float,
    given: Mapping[str, NDArray[np.float64]],
    states: Mapping[str, ArrayLike],
) -> Evaluation:
    """Evaluate the one block of a plan."""
    leaf = plan.flat.leaves[0].name
    for name, value in given.items():
        _put(engine, plan.inputs[name], value, f"{type(block).__name__}.{name}")
    _stop_at_fault(plan, engine, engine.initialise(t))
    given_states = {name: _numbers(block, name, value) for name, value in states.items()}
    for name, state in given_states.items():
        _put(engine, plan.states[f"{leaf}.{name}"], state, f"{type(block).__name__}.{name}")
    _stop_at_fault(plan, engine, engine.look(t))
    own = len(leaf) + 1
    outputs = {name[own:]: _get(engine, place) for name, place in plan.outputs.items()}
    derivatives = {
        name[own:]: _get(engine, place, plan.derivative_offset)
        for name, place in plan.states.items()
        if not place.discrete
    }
    crossings = engine.crossings
    _stop_at_fault(plan, engine, engine.update(t))
    updated = {name[own:]: _get(engine, place) for name, place in plan.states.items() if place.discrete}
    calculated = {name[own:]: _get(engine, place) for name, place in plan.calculated.items()}
    return Evaluation(outputs, derivatives, updated, crossings, calculated)


def _numbers(block: Block, name: str, value: ArrayLike) -> NDArray[np.float64]:
    """An input or state as an array; not finite is allowed, to see what the block makes of it. Raises WiringError."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise WiringError(f"{type(block).__name__}.{name} must be a number or an array, not {value!r}") from None
    return array


def _stop_at_fault(plan: Plan, engine: Any, status: int) -> None:
    if status != 0:
        raise SimulationError(explain(plan, engine, status))


def _get(engine: Any, place: Place, offset: int = 0) -> Any:
    array = engine.values[place.first + offset : place.first + offset + place.count].reshape(place.shape)
    return float(array) if not place.shape else array.copy()


def _put(engine: Any, place: Place, value: ArrayLike, called: str) -> None:
    array = np.asarray(value, dtype=np.float64)
    if array.ndim and array.shape != place.shape and array.size != place.count:
        raise WiringError(f"{called} has shape {place.shape}, but a value of shape {array.shape} is given")
    engine.values[place.slice] = array.reshape(-1) if array.ndim else float(array)
