"""The direct spiral test in one call."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.lab.manoeuvres.conditions import Conditions, Ground
from blocks.lab.manoeuvres.craft import Reference
from blocks.lab.manoeuvres.figures import spiral_figure
from blocks.lab.manoeuvres.outcome import Manoeuvre
from blocks.lab.manoeuvres.sides import order_of
from blocks.lab.spiral import measure_spiral
from blocks.lab.trial import ManoeuvreError, order_text

if TYPE_CHECKING:
    from typing_extensions import Unpack

PARTS = (1.0, 0.8, 0.6, 0.4, 0.2, 0.12, 0.04, 0.0)
"""Orders from the greatest to amidships: of 25° they are 25°, 20°, 15°, 10°, 5°, 3°, 1° and 0°."""


def spiral(
    craft: Diagram | Block,
    order: float | str = "25 deg",
    *,
    helm: Reference = "rudder",
    parts: Sequence[float] = PARTS,
    **conditions: Unpack[Conditions],
) -> Manoeuvre:
    """A direct spiral test of a vessel: the steady yaw rate at rudder angles from starboard to port and back.

    order: the greatest. parts: of it that are ordered, falling from 1 to 0 or not quite; the same to port. The vessel
    keeps each until its yaw rate is steady. Other arguments as of `turning_circle`.

    Raises ManoeuvreError if there are no such inputs, if the vessel is not under way, does not turn, or never turns
    steadily.

    Source: Dieudonné (1953), Collected French papers on the stability of route of ships at sea.
    """
    ground = Ground(craft, conditions)
    lever = ground.helm(helm, order)
    size = order_of(ground.craft, lever, order)
    down = [float(part) for part in parts]
    falling = all(one > other for one, other in pairwise(down))
    if len(down) < 2 or down[0] != 1.0 or not falling or down[-1] < 0.0:
        raise ManoeuvreError(f"parts must decrease from 1 to 0, such as {PARTS}, not {tuple(parts)}")
    there = [*down, *(-part for part in reversed(down) if part > 0.0)]
    sequence = [*there, *reversed(there[:-1])]
    helmsman = ground.set_out()
    try:
        least, greatest = 0.0, None
        for part in sequence:
            helmsman.put(lever, part * size)
            taken = helmsman.until_steady_turn(greatest, least)
            if greatest is None:  # the first turn is the slowest to settle, and the fastest when it has
                least, greatest = 0.5 * taken, abs(float(helmsman.yaw_rates()[-1]))
        run, trial = helmsman.result(), ground.trial(helmsman, lever.unit)
    finally:
        helmsman.close()
    column = f"up to {order_text(size, lever.unit)}"
    return Manoeuvre(
        "spiral test", {column: measure_spiral(trial)}, {column: trial}, {column: run}, ground.length,
        lambda it, title: spiral_figure(it.trials, title=title),
    )  # fmt: skip
