"""Linearization: from a diagram to a linear system about a point."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ParameterError
from blocks.lab.analysis.elements import Element, elements_of, find, find_all
from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.analysis.linear_system import LinearSystem
from blocks.lab.analysis.model import Array, Model
from blocks.lab.analysis.point import OperatingPoint
from blocks.plan.place import Place
from blocks.run.pieces import PAUSED, next_piece
from blocks.units import to_unit

FINE = 2.0**-14
"""Beside differences over a thousandth of a magnitude, those over this part of it tell of kinks in between."""
SAME = 1e-6
KINK = 1e-4
"""Derivatives ahead and behind that are further apart than this part of them make a kink."""


def linearize(
    component: Diagram | Block,
    at: OperatingPoint | float | str | None = None,
    *,
    inputs: Sequence[str] | str | None = None,
    outputs: Sequence[str] | str | None = None,
    opened: Sequence[str] | str = (),
    given: Mapping[str, Any] | None = None,
    step: float | str = 0.01,
    solver: str = "rk4",
) -> LinearSystem:
    """Linearize a diagram, or a block, about a point: A, B, C and D with names.

    at: an `OperatingPoint`, as `trim` finds it; or a time, s, up to which the diagram is run (with `step`, `solver`);
        by default the initial state.
    inputs: of the diagram, opened outputs, or parameters ("current.speed"); by default all inputs, or what is opened.
    outputs: any outputs, "vessel.nu" or "vessel.nu[u]"; by default those of the diagram, else the states, or what is
        opened.
    opened: outputs at which loops are opened, such as "heading.output": what reads them is driven by an input of the
        same name, so that the system from it to the output is that of the open loop, its sign included.
    given: constant values of inputs of the diagram.

    Derivatives are those of the kernels themselves, by central differences of two widths, extrapolated: to rounding
    where the model is linear, elsewhere within about 1e-10 of magnitudes, next to a kink about 1e-7. Samples and modes
    are held.

    Raises AnalysisError for names that are not there and points where the model cannot be evaluated.
    """
    names = (opened,) if isinstance(opened, str) else tuple(opened)
    model = stand_at(component, at, given or {}, names, step=step, solver=solver)
    try:
        time = at.time if isinstance(at, OperatingPoint) else model.engine.time
        return linearized(model, time, inputs, outputs, names)
    finally:
        model.close()


def stand_at(
    component: Diagram | Block,
    at: OperatingPoint | float | str | None,
    given: Mapping[str, Any],
    opened: tuple[str, ...] = (),
    **settings: Any,
) -> Model:
    """A model with the loops `opened`, whose engine stands at a point. Raises AnalysisError."""
    if opened and isinstance(at, OperatingPoint) and all(name in at.outputs for name in opened):
        model = Model(component, given, opened, **settings)
        model.start(at.time)
        at.put(model)
        for name in opened:
            model.values[model.plan.inputs[name].slice] = np.reshape(at.outputs[name], -1)
        model.hold(at.time)
        return model
    closed = Model(component, given, **settings)
    if isinstance(at, OperatingPoint):
        closed.start(at.time)
        at.put(closed)
        closed.hold(at.time)
    else:
        closed.start(0.0)
        if at is not None:
            _run(closed, at)
        closed.hold(closed.engine.time)
    if not opened:
        return closed
    model = Model(component, given, opened, **settings)
    model.start(closed.engine.time)
    model.take(closed)
    model.hold(closed.engine.time)
    closed.close()
    return model


def _run(model: Model, until: float | str) -> None:
    """Go on to a time. Raises AnalysisError."""
    try:
        end = to_unit(until, "s") if isinstance(until, str) else float(until)
    except (ParameterError, TypeError, ValueError) as problem:
        raise AnalysisError(f"at: {problem}") from None
    if not 0.0 <= end < np.inf:
        raise AnalysisError(f"at must be a time ≥ 0 s, or an operating point, not {end:g} s")
    if end == 0.0:
        return
    if model.plan.settings.solver not in ("euler", "heun", "rk4", "dopri5"):
        raise AnalysisError(
            f"a point at a time is reached by euler, heun, rk4 or dopri5, not {model.plan.settings.solver}"
        )
    steps, status = 1000, PAUSED
    while status == PAUSED:  # in pieces, so that Ctrl-C is heard
        begin = time.perf_counter()
        status = model.engine.advance(end, steps)
        steps = next_piece(steps, time.perf_counter() - begin)
    if status != 0:
        model.check(status)


def linearized(
    model: Model,
    time: float,
    inputs: Sequence[str] | str | None,
    outputs: Sequence[str] | str | None,
    opened: tuple[str, ...],
) -> LinearSystem:
    """The linear system of a model where it stands; see `linearize`."""
    plan = model.plan
    states = [element for place in model.continuous.values() for element in elements_of(place)]
    known, varied = _inputs(model, (opened or None) if inputs is None else inputs)
    unknown = _outputs(model, (opened or None) if outputs is None else outputs)
    places = [state.place + plan.derivative_offset for state in states] + [one.place for one in unknown]
    n = len(states)
    found, kinks = derivatives(model, time, [*states, *known], [False] * n + varied, places)
    model.hold(time)
    rows = [f"d/dt {one.name}" for one in states] + [one.name for one in unknown]
    columns = [one.name for one in [*states, *known]]
    return LinearSystem(
        A=found[:n, :n],
        B=found[:n, n:],
        C=found[n:, :n],
        D=found[n:, n:],
        states=tuple(one.name for one in states),
        inputs=tuple(one.name for one in known),
        outputs=tuple(one.name for one in unknown),
        state_units=tuple(one.unit for one in states),
        input_units=tuple(one.unit for one in known),
        output_units=tuple(one.unit for one in unknown),
        point=OperatingPoint.of(model, time),
        kinks=tuple((rows[i], columns[j]) for i, j in np.argwhere(kinks)),
        held=tuple(leaf.name for leaf in plan.flat.leaves if leaf.block.sampled),
        opened=opened,
    )


def derivatives(
    model: Model, time: float, knowns: list[Element], varied: list[bool], places: list[int]
) -> tuple[Array, NDArray[np.bool_]]:
    """Derivatives of the values at `places` by numbers, some of them parameters, and which of them are at a kink."""
    found = np.zeros((len(places), len(knowns)))
    kinks = np.zeros(found.shape, dtype=np.bool_)
    for parameter in (False, True):
        which = [i for i, is_parameter in enumerate(varied) if is_parameter == parameter]
        if not which:
            continue
        chosen = [knowns[i] for i in which]
        wide, _ = model.differences(time, chosen, places, parameters=parameter)
        fine, jumps = model.differences(time, chosen, places, parameters=parameter, part=FINE)
        scale = np.array([model.scale(one, parameter=parameter) for one in chosen])
        large = np.maximum(np.abs(wide), np.abs(fine)) * scale
        floor = np.max(large, axis=1, initial=0.0, keepdims=True)
        apart = np.abs(wide - fine) * scale
        found[:, which] = np.where(apart > SAME * (large + floor), fine, wide)
        kinks[:, which] = np.abs(jumps) * scale > KINK * (large + 1e-3 * floor)
    return found, kinks


def _inputs(model: Model, wanted: Sequence[str] | str | None) -> tuple[list[Element], list[bool]]:
    """The numbers that are inputs of the linear system, and which of them are parameters."""
    plan = model.plan
    if wanted is None:
        found = [element for place in plan.inputs.values() for element in elements_of(place)]
        return found, [False] * len(found)
    found, varied = [], []
    for name in [wanted] if isinstance(wanted, str) else wanted:
        bare = name.partition("[")[0]
        parameter = None if bare in plan.inputs else model.parameter(bare)
        if parameter is None and bare not in plan.inputs and bare in model.outputs:
            raise AnalysisError(
                f"'{bare}' is an output: to drive what reads it, open the loop there with opened=['{bare}']"
            )
        elements = find(plan.inputs | model.parameters, name, "input or parameter")
        found += elements
        varied += [parameter is not None] * len(elements)
    return found, varied


def _outputs(model: Model, wanted: Sequence[str] | str | None) -> list[Element]:
    """The numbers that are outputs of the linear system."""
    plan = model.plan
    if wanted is None:
        chosen: dict[str, Place] = plan.external_outputs or model.continuous
        return [element for place in chosen.values() for element in elements_of(place)]
    tables = {"outputs": model.outputs, "states": model.states}
    return find_all(tables, [wanted] if isinstance(wanted, str) else wanted, "output")
