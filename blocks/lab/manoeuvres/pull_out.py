"""The pull-out test in one call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.lab.manoeuvres.conditions import Conditions, Ground
from blocks.lab.manoeuvres.craft import Reference
from blocks.lab.manoeuvres.figures import pull_out_figure
from blocks.lab.manoeuvres.outcome import Manoeuvre
from blocks.lab.manoeuvres.sides import both, order_of
from blocks.lab.pull_out import measure_pull_out
from blocks.lab.trial import order_text, side_name

if TYPE_CHECKING:
    from typing_extensions import Unpack


def pull_out(
    craft: Diagram | Block,
    order: float | str = "20 deg",
    *,
    helm: Reference = "rudder",
    sides: str | Iterable[str] = ("starboard", "port"),
    **conditions: Unpack[Conditions],
) -> Manoeuvre:
    """Pull-out tests of a vessel, to both sides: the rudder is put over until the turn is steady, then amidships.

    The rudder stays amidships until the yaw rate is steady again. Arguments as of `turning_circle`.

    Raises ManoeuvreError if there are no such inputs, if the vessel is not under way, does not turn, or never turns
    steadily.

    Source: IMO (2002), MSC/Circ.1053, Explanatory notes to the Standards for ship manoeuvrability.
    """
    ground = Ground(craft, conditions)
    lever = ground.helm(helm, order)
    size = order_of(ground.craft, lever, order)
    runs, trials = {}, {}
    for side in both(sides):
        helmsman = ground.set_out()
        try:
            helmsman.put(lever, side * size)
            taken = helmsman.until_steady_turn()
            turning = abs(float(helmsman.yaw_rates()[-1]))
            helmsman.put(lever, 0.0)
            helmsman.until_steady_turn(turning, 0.5 * taken)
            name = f"from {side_name(side)}"
            runs[name], trials[name] = helmsman.result(), ground.trial(helmsman, lever.unit)
        finally:
            helmsman.close()
    measures = {order_text(size, lever.unit): measure_pull_out(*trials.values())}
    return Manoeuvre(
        "pull-out test", measures, trials, runs, ground.length,
        lambda it, title: pull_out_figure(it.trials, title=title),
    )  # fmt: skip
