"""A ship rolls in a turn: how far, over speed and metacentric height, and what the rudder's own roll moment does to it.

The ship is the container ship of Son and Nomoto (1981), 175 m, whose derivatives know roll; see
`blocks/vehicles/container.yaml`. Each run starts steady and straight at its revolutions, and puts the rudder to 15° to
starboard. Writes `ferry_rolls.png`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from blocks import Diagram, Result, simulate
from blocks.dynamics import PolynomialVessel
from blocks.lab.analysis import trim
from blocks.style import SERIES, SETTINGS
from blocks.thrust import PropellerRudder

VEHICLE = "container"
RUDDER = np.radians(15.0)  # rad
REVOLUTIONS = (40.0, 55.0, 70.0, 85.0, 100.0)  # rev/min
HEIGHTS = (0.3, 0.6, 1.2)  # m, GM; that of the source is 0.3 m
END = 500.0  # s


def ferry(height: float, coupled: bool = True) -> Diagram:
    """The ship with its propeller and rudder: inputs `rudder` and `shaft`. Not coupled: the rudder on the roll axis."""
    ship = Diagram("ferry", title="A ship rolls in a turn")
    hull = ship.add("hull", PolynomialVessel.from_vehicle(VEHICLE, metacentric_height=height))
    rudder = ship.add("rudder", PropellerRudder.from_vehicle(VEHICLE))
    if not coupled:
        rudder.set(rudder_position=[rudder.rudder_position[0], 0.0])
    ship.connect(hull.nu_r, rudder.nu_r)
    ship.connect(rudder.force, hull.force)
    ship.inputs(rudder=rudder.command, shaft=rudder.shaft_command)
    return ship


@dataclass(frozen=True)
class Turn:
    """A turn: speed before it, m/s; greatest roll inwards and outwards, and in the steady turn, °; the run itself."""

    speed: float
    inwards: float
    outwards: float
    steady: float
    run: Result


def turn(ship: Diagram, revolutions: float) -> Turn:
    """Straight ahead at these revolutions, rev/min, then the rudder over."""
    ship, n = ship.copy(), revolutions / 60.0
    point = trim(ship, given={"rudder": 0.0, "shaft": n}, guess={"hull.nu[u]": 6.0 * n})
    speed = float(point.states["hull.nu"][0])
    blocks = ship.blocks()
    blocks["hull"].set(initial_nu=[speed, 0, 0, 0, 0, 0])
    blocks["rudder"].set(initial_speed=n)
    run = simulate(ship, END, step=0.1, inputs={"rudder": RUDDER, "shaft": n})
    roll = np.degrees(run.values("hull.eta")[:, 3])
    return Turn(speed, float(roll.max()), float(-roll.min()), float(-roll[-1]), run)


turns = {height: [turn(ferry(height), n) for n in REVOLUTIONS] for height in HEIGHTS}
without = [turn(ferry(HEIGHTS[0], coupled=False), n) for n in REVOLUTIONS]
print("speed, m/s   " + "".join(f"{it.speed:8.2f}" for it in without))
for height, found in turns.items():
    print(f"GM {height:.1f} m" + 5 * " " + "".join(f"{it.outwards:7.1f}°" for it in found) + "   greatest")
    print(14 * " " + "".join(f"{it.steady:7.1f}°" for it in found) + "   steady")
print("without      " + "".join(f"{it.outwards:7.1f}°" for it in without) + "   greatest, rudder on the roll axis")


def figure() -> Figure:
    """Roll over time, roll over speed, and the tracks."""
    drawn = Figure(figsize=(13.0, 4.6), layout="constrained")
    over_time, over_speed, plan = drawn.subplots(1, 3)
    k = REVOLUTIONS.index(85.0)
    for (height, found), colour in zip(turns.items(), SERIES, strict=False):
        roll = -np.degrees(found[k].run.values("hull.eta")[:, 3])
        over_time.plot(found[k].run.time, roll, color=colour, label=f"GM {height:.1f} m")
        speeds = [it.speed for it in found]
        over_speed.plot(speeds, [it.outwards for it in found], "o-", color=colour, label=f"GM {height:.1f} m")
        over_speed.plot(speeds, [it.steady for it in found], "--", color=colour)
    roll = -np.degrees(without[k].run.values("hull.eta")[:, 3])
    grey = SERIES[6]
    over_time.plot(without[k].run.time, roll, ":", color=grey, label="0.3 m, rudder on the roll axis")
    over_speed.plot([it.speed for it in without], [it.outwards for it in without], "o:", color=grey)
    for found, style, colour, label in (
        (turns[HEIGHTS[0]], "-", SERIES[0], "GM 0.3 m"),
        (turns[HEIGHTS[-1]], "-", SERIES[2], "GM 1.2 m"),
        (without, ":", grey, "0.3 m, rudder on the roll axis"),
    ):
        x, y = found[k].run.values("hull.eta")[:, :2].T
        plan.plot(y, x, style, color=colour, label=label)
    over_time.set(title="Roll outwards, 9 m/s", xlabel="time, s", ylabel="roll, °")
    over_time.set(xlim=(0.0, 250.0), ylim=(-1.0, 19.0))
    over_speed.set(title="Greatest roll; steady dashed", xlabel="speed before the turn, m/s", ylabel="roll, °")
    over_speed.set(xlim=(4.0, 10.7), ylim=(0.0, None))
    plan.set(title="Track, 15° of rudder", xlabel="east, m", ylabel="north, m", aspect="equal")
    over_time.legend()
    over_speed.legend()
    return drawn


with rc_context(SETTINGS):
    figure().savefig("ferry_rolls.png")
