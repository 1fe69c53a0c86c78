"""The turning circle in one call."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.lab.figures import turning_circle_figure
from blocks.lab.manoeuvres.conditions import Conditions, Ground
from blocks.lab.manoeuvres.craft import Array, Lever, Reference
from blocks.lab.manoeuvres.helmsman import FIRST, Helmsman
from blocks.lab.manoeuvres.outcome import Manoeuvre
from blocks.lab.manoeuvres.sides import both, order_of
from blocks.lab.trial import order_text, side_name
from blocks.lab.turning_circle import measure_turning_circle
from blocks.model.declare import Parameter

if TYPE_CHECKING:
    from typing_extensions import Unpack

_TURN = Parameter(unit="rad", at_least=math.pi)
SLOWEST = 0.25
"""Pieces of a turn are this part of what it has taken until then."""
UNSTEADY = 0.01
"""A yaw rate that changes by more than this part of it in a full turn is not steady."""
MOST = math.radians(1800.0)
"""No vessel turns further, be it steady then or not: in waves it never is."""


def turning_circle(
    craft: Diagram | Block,
    order: float | str = "35 deg",
    *,
    helm: Reference = "rudder",
    sides: str | Iterable[str] = ("starboard", "port"),
    turn: float | str = "540 deg",
    **conditions: Unpack[Conditions],
) -> Manoeuvre:
    """Turning circles of a vessel, to both sides: after a straight approach the rudder is put over and stays there.

    craft: a diagram with an input that takes the rudder order. order: of the rudder, in the unit of that input or text
    with a unit. helm: its name, "rudder"; of a block inside, "rudder.command"; an element of it, "force[N]"; or several
    with factors, {"command[port]": 1, "command[starboard]": -1}, which follow the order on top of what they are held
    at. A positive order must turn to starboard. sides: "starboard", "port" or both. turn: how far the heading is to
    change, rad; 540° are needed for the steady turn. It goes on, for 1800° at most, until the yaw rate of a
    full turn is steady to 1 %. conditions: see `Conditions`.

    Raises ManoeuvreError if there are no such inputs, if the vessel is not under way, or if it does not turn.

    Source: IMO (2002), Resolution MSC.137(76), Standards for ship manoeuvrability, 4.2.2.
    """
    ground = Ground(craft, conditions)
    lever = ground.helm(helm, order)
    size = order_of(ground.craft, lever, order)
    wanted = float(_TURN.read(turn, "turning_circle: turn"))
    runs, trials = {}, {}
    for side in both(sides):
        helmsman = ground.set_out()
        try:
            _go_round(helmsman, lever, side * size, wanted)
            name = f"{order_text(size, lever.unit)} to {side_name(side)}"
            runs[name], trials[name] = helmsman.result(), ground.trial(helmsman, lever.unit)
        finally:
            helmsman.close()
    measures = {name: measure_turning_circle(trial) for name, trial in trials.items()}
    return Manoeuvre(
        "turning circle", measures, trials, runs, ground.length,
        lambda it, title: turning_circle_figure(it.trials, length=it.length, title=title),
    )  # fmt: skip


def _go_round(helmsman: Helmsman, lever: Lever, order: float, turn: float) -> None:
    """Until the heading has changed far enough and the last turn was steady, or for as long as it may take."""
    begin, heading = helmsman.now, helmsman.heading()[-1]
    helmsman.put(lever, order)
    while helmsman.now - begin < helmsman.longest:
        helmsman.go(max(FIRST * helmsman.step, SLOWEST * (helmsman.now - begin)))
        turned = np.abs(helmsman.heading() - heading)
        if turned[-1] >= MOST or (turned[-1] >= turn and _is_steady(helmsman, turned)):
            return


def _is_steady(helmsman: Helmsman, turned: Array) -> bool:
    """Whether the yaw rate hardly changed in the last full turn; without one, there is nothing to wait for."""
    if turned[-1] < 2.0 * math.pi:
        return True
    first = int(np.searchsorted(turned, turned[-1] - 2.0 * math.pi))
    rates = np.abs(helmsman.yaw_rates(helmsman.time[first]))
    return bool(np.ptp(rates) <= UNSTEADY * rates[-1])
