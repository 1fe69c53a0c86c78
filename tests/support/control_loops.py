"""Small closed loops of a vessel and its controllers, and their poles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks import Block, Diagram
from blocks.basic import Constant
from blocks.control import ComposeWrench
from blocks.dynamics import DiagonalVessel3DOF

Floats = NDArray[np.float64]


def boat(**changes: Any) -> DiagonalVessel3DOF:
    """Surge, sway and yaw that are linear and apart from each other at rest."""
    return DiagonalVessel3DOF(**({"inertia": [80.0, 120.0, 40.0], "linear_damping": [30.0, 60.0, 25.0]} | changes))


def closed_loop(vessel: Block, controller: Block, axis: str | None, **sources: Any) -> Diagram:
    """`vessel` under `controller`, which gives one axis of the wrench or all of it.

    sources: what else is wired to inputs of the controller, or of the vessel: numbers, arrays or blocks. A block named
    `through_water=True` among them wires `nu_r` instead of `nu`.
    """
    diagram = Diagram()
    diagram.add("vessel", vessel)
    diagram.add("controller", controller)
    through_water = sources.pop("through_water", False)
    diagram.connect(vessel.nu_r if through_water else vessel.nu, controller.nu)  # type: ignore[attr-defined]
    if "eta" in controller.input_ports:
        diagram.connect(vessel.eta, controller.eta)  # type: ignore[attr-defined]
    if axis is None:
        diagram.connect(controller.port("force"), vessel.input_port("force"))
    else:
        wrench = diagram.add("wrench", ComposeWrench())
        (first, *_) = controller.output_ports
        diagram.connect(controller.port(first), wrench.input_port(axis))
        diagram.connect(wrench.force, vessel.input_port("force"))
    for name, given in sources.items():
        source = diagram.add(f"source_{name}", given if isinstance(given, Block) else Constant(given))
        (output,) = source.output_ports
        sink = controller if name in controller.input_ports else vessel
        diagram.connect(source.port(output), sink.input_port(name))
    return diagram


def poles(diagram: Diagram, step: float = 1e-5) -> Floats:
    """Eigenvalues of a closed loop at its start, by central differences."""
    plan = diagram.plan(step=0.1)
    engine = plan.engine()
    assert engine.start(0.0) == 0
    places = [p for place in plan.states.values() if not place.discrete for p in range(place.first, place.slice.stop)]

    def rates() -> Floats:
        engine.look(0.0)
        return np.array([engine.values[p + plan.derivative_offset] for p in places])

    jacobian = np.empty((len(places), len(places)))
    for column, place in enumerate(places):
        before = engine.values[place]
        ends = []
        for side in (step, -step):
            engine.values[place] = before + side
            ends.append(rates())
        engine.values[place] = before
        jacobian[:, column] = (ends[0] - ends[1]) / (2.0 * step)
    return np.asarray(np.linalg.eigvals(jacobian))


def has_poles(found: Floats, wanted: Any, tolerance: float = 1e-4) -> bool:
    """Whether each wanted pole is among those found; a double one is spread by the root of the rounding errors."""
    left = list(found)
    for pole in np.atleast_1d(wanted):
        nearest = int(np.argmin(np.abs(np.array(left) - pole)))
        if abs(left.pop(nearest) - pole) > tolerance * max(1.0, abs(pole)):
            return False
    return True


HEADING_LOOP = """keelblocks: 1
name: turn
diagram:
  blocks:
    wanted: {type: basic.Step, parameters: {time: 5, after: 0.5}}
    heading:                            # of last year
      type: control.PID
      parameters: {kp: 50, kd: 4, derivative: rate, angle: true}  # rings
    wrench: {type: control.ComposeWrench}
    vessel: {type: dynamics.DiagonalVessel3DOF, parameters: {inertia: [60, 60, 20], linear_damping: [20, 40, 4]}}
  connections:
    wanted.y: heading.reference
    vessel.eta[psi]: heading.measurement
    vessel.nu[r]: heading.rate
    heading.output: wrench.N
    wrench.force: vessel.force
run: {step: 0.05, end: 60}
"""
"""A boat that turns by a PID whose loop rings, as a scenario."""
