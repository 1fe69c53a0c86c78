"""The zigzag test in one call."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from blocks.basic import Constant, Gain, MatrixGain, Sum
from blocks.block import Block
from blocks.diagram import Diagram
from blocks.guidance import ZigzagSteering
from blocks.lab.figures import zigzag_figure
from blocks.lab.manoeuvres.conditions import Conditions, Ground
from blocks.lab.manoeuvres.craft import Array, Lever, Reference
from blocks.lab.manoeuvres.opening import free, open_output
from blocks.lab.manoeuvres.outcome import Manoeuvre
from blocks.lab.manoeuvres.sides import both, order_of
from blocks.lab.trial import ManoeuvreError, Trial, order_text, side_name
from blocks.lab.zigzag import measure_zigzag
from blocks.model.component import PortRef
from blocks.model.declare import Parameter
from blocks.run.result import Result
from blocks.simulation import RunStopped, simulate

if TYPE_CHECKING:
    from typing_extensions import Unpack

_CHANGE = Parameter(unit="rad", above=0.0, below=math.pi)


def zigzag(
    craft: Diagram | Block,
    order: float | str = "10 deg",
    heading_change: float | str | None = None,
    *,
    helm: Reference = "rudder",
    sides: str | Iterable[str] = "starboard",
    executes: int = 5,
    **conditions: Unpack[Conditions],
) -> Manoeuvre:
    """A zigzag test of a vessel: the rudder is reversed whenever the heading has changed far enough.

    order: of the rudder, and heading_change: at which it is reversed, rad or text with a unit; by default that of the
    order, if it is an angle. sides: to which it is put first, "starboard", "port" or both. executes: how often it is
    put over. Other arguments as of `turning_circle`. The solver is "dopri5" if none is given: with it the rudder is
    reversed exactly when the heading has changed far enough, with others at the next step, which adds to the overshoot.

    Raises ManoeuvreError if there are no such inputs, if the vessel is not under way, or if it does not turn.

    Source: IMO (2002), Resolution MSC.137(76), Standards for ship manoeuvrability, 4.2.5 and 4.2.6.
    """
    ground = Ground(craft, {"solver": "dopri5", **conditions})
    lever = ground.helm(helm, order)
    size = order_of(ground.craft, lever, order)
    if heading_change is None and lever.unit != "rad":
        raise ManoeuvreError(
            f"a zigzag test with an order in {lever.unit} needs the heading change at which it is reversed: "
            f"heading_change='10 deg'"
        )
    change = size if heading_change is None else float(_CHANGE.read(heading_change, "zigzag: heading_change"))
    helmsman = ground.set_out()
    begin = helmsman.now
    helmsman.close()
    runs, trials = {}, {}
    for side in both(sides):
        name = f"{order_text(size, lever.unit)}/{math.degrees(change):.3g}°"
        name += "" if side > 0.0 else " to port first"
        runs[name], trials[name] = _run(ground, lever, size, change, begin, side_name(side), executes)
    measures = {name: measure_zigzag(trial, change) for name, trial in trials.items()}
    return Manoeuvre(
        "zigzag test", measures, trials, runs, ground.length,
        lambda it, title: zigzag_figure(it.trials, heading_change=dict.fromkeys(it.trials, change), title=title),
    )  # fmt: skip


def _run(
    ground: Ground, lever: Lever, size: float, change: float, begin: float, side: str, executes: int
) -> tuple[Result, Trial]:
    """One test, steered by a block, so that executes are where they belong."""
    craft = ground.craft
    diagram = craft.diagram.copy()
    angle = size if lever.unit == "rad" else 1.0
    steering = ZigzagSteering(angle, change, start_time=begin, first_side=side, executes=executes)
    name = free(diagram, "zigzag")
    diagram.add(name, steering)
    diagram.connect(open_output(diagram, craft.pose), steering.eta)
    for port, factors in lever.factors.items():
        source = _steer(diagram, steering, factors * size / angle, craft.held[port], port)
        diagram.feed_input(port, source)
    inputs = {
        port: value if craft.shapes[port] else float(value[0])
        for port, value in craft.held.items()
        if port not in lever.factors
    }
    end = begin + ground.longest
    try:
        run = simulate(diagram, end, inputs=inputs, stop=f"{name}.finished", **ground.settings)
    except RunStopped as problem:
        raise ManoeuvreError(str(problem)) from None
    eta = run.values(craft.pose)
    rudder = None if ground.rudder is None else run.values(ground.rudder)
    ordered = run.values(f"{name}.rudder") * size / angle
    return run, Trial(run.time, eta[:, :2], eta[:, 5], ordered, rudder, None, lever.unit)


def _steer(diagram: Diagram, steering: ZigzagSteering, factors: Array, held: Array, port: str) -> PortRef:
    """What goes to an input: factors times the order, on top of what it is held at."""
    gain: Gain | MatrixGain = Gain(float(factors[0])) if factors.size == 1 else MatrixGain(factors[:, np.newaxis])
    diagram.add(free(diagram, f"zigzag_{port}"), gain)
    diagram.connect(steering.rudder, gain.u)
    if not held.any():
        return gain.port("y")
    constant = diagram.add(free(diagram, f"zigzag_{port}_held"), Constant(held if held.size > 1 else float(held[0])))
    total = diagram.add(free(diagram, f"zigzag_{port}_total"), Sum("++"))
    diagram.connect(gain.port("y"), total.in1)
    diagram.connect(constant.y, total.in2)
    return total.port("y")
