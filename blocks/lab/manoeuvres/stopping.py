"""The stopping test in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.lab.manoeuvres.conditions import Conditions, Ground
from blocks.lab.manoeuvres.craft import Reference
from blocks.lab.manoeuvres.figures import stopping_figure
from blocks.lab.manoeuvres.helmsman import FIRST, Helmsman
from blocks.lab.manoeuvres.limits import check_astern
from blocks.lab.manoeuvres.outcome import Manoeuvre
from blocks.lab.manoeuvres.turning_circle import SLOWEST
from blocks.lab.motion import Motion
from blocks.lab.stopping import engine_order, measure_stopping, stands_still
from blocks.lab.trial import Trial, order_text

if TYPE_CHECKING:
    from typing_extensions import Unpack


def stopping(
    craft: Diagram | Block,
    astern: float | str,
    *,
    throttle: Reference = "throttle",
    helm: Reference | None = None,
    **conditions: Unpack[Conditions],
) -> Manoeuvre:
    """A stopping test of a vessel: after a straight approach full astern is ordered until it stands still.

    astern: the order, in the unit of the input or text with a unit. throttle: the input that takes it, as the `helm` of
    `turning_circle`; with several, each gets its factor times the order, in the place of what it was held at. What they
    were held at, `inputs={"throttle": 1.0}`, or what a `basic.Constant` fed them, is the order ahead. helm: what is
    kept amidships, by default the input "rudder" if there is one. conditions: see `Conditions`.

    Raises ManoeuvreError if there are no such inputs, if the vessel is not under way, if its limits leave nothing of
    the order astern, or if it does not stop.

    Source: IMO (2002), Resolution MSC.137(76), Standards for ship manoeuvrability, and MSC/Circ.1053.
    """
    ground = Ground(craft, conditions)
    lever = ground.craft.lever(throttle, "throttle", "1", astern, keeps=True)
    order = lever.order(astern, "astern")
    check_astern(ground.craft, lever, order)
    if helm is not None or "rudder" in ground.craft.diagram.input_ports:
        ground.helm(helm or "rudder")
    name, factors = next(iter(lever.factors.items()))
    first = int(abs(factors).argmax())
    ahead = float(ground.craft.held[name][first] / factors[first])
    helmsman = ground.set_out()
    try:
        helmsman.put(lever, order, instead=True, log="engine")
        begin = helmsman.now
        while helmsman.now - begin < helmsman.longest:
            helmsman.go(max(FIRST * helmsman.step, SLOWEST * (helmsman.now - begin)))
            trial = _trial(ground, helmsman, ahead)
            motion = Motion(trial, engine_order(trial), len(trial.time), 1.0)
            if stands_still(motion) is not None:
                break
        run, trial = helmsman.result(), _trial(ground, helmsman, ahead)
    finally:
        helmsman.close()
    column = f"order {order_text(order, lever.unit)}"
    return Manoeuvre(
        "stopping test", {column: measure_stopping(trial)}, {column: trial}, {column: run}, ground.length,
        lambda it, title: stopping_figure(it.trials, length=it.length, title=title),
    )  # fmt: skip


def _trial(ground: Ground, helmsman: Helmsman, ahead: float) -> Trial:
    return ground.trial(helmsman, "rad", helmsman.ordered("engine", ahead))
