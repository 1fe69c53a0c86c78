"""Turning circles and zigzag tests of the tanker KVLCC2 beside its free-running model tests and a published simulation.

The ship is the 7 m model of `blocks/vehicles/kvlcc2_l7.yaml`, by the MMG standard method, at 15.5 kn full scale.
Measures count from the rudder order and the position of midship then. Two numbers of revolutions: 11.86 rev/s, which
hold that speed straight ahead by these coefficients, and 10.33 rev/s, at which free-running tests were run; 1.779 rev/s
at full scale. Prints the table, writes `tanker_turns.png`, with circles in shallow water, and `tanker_zigzags.png`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blocks import Diagram
from blocks.dynamics import MMGVessel
from blocks.lab import Trial
from blocks.lab.manoeuvres import Manoeuvre, turning_circle, zigzag
from blocks.style import LEGEND, SERIES, SETTINGS, WAYPOINT
from blocks.thrust import MMGPropulsion

SPEED = 15.5 * 1852.0 / 3600.0  # m/s, full scale
LENGTHS = {"kvlcc2_l7": 7.0, "kvlcc2": 320.0}
SHIPS = {
    "model, 10.33 rev/s": ("kvlcc2_l7", 10.33),
    "model, 11.86 rev/s": ("kvlcc2_l7", 11.86),
    "ship, 1.779 rev/s": ("kvlcc2", 1.779),
}
DEPTHS = (1.5, 1.2)  # over the draught

PUBLISHED = {
    "advance, 35° to starboard": (3.25, 3.31), "tactical diameter, 35° to starboard": (3.34, 3.36),
    "advance, 35° to port": (3.11, 3.26), "tactical diameter, 35° to port": (3.08, 3.26),
    "first overshoot, 10°/10°": (8.2, 5.2), "second overshoot, 10°/10°": (21.9, 15.8),
    "first overshoot, 10°/10° to port first": (9.5, 7.6), "second overshoot, 10°/10° to port first": (15.0, 10.2),
    "first overshoot, 20°/20°": (13.7, 10.9), "first overshoot, 20°/20° to port first": (15.1, 14.5),
}  # fmt: skip
"""Model test and simulation in Yasukawa and Yoshimura (2015): lengths and degrees."""


def tanker(vehicle: str, revolutions: float, **water: float) -> tuple[Diagram, dict[str, Any]]:
    """The ship with the input `rudder`, and the conditions of its trials: as Froude's law has them."""
    length = LENGTHS[vehicle]
    scale = np.sqrt(length / 320.0)
    ship = Diagram("tanker", title="The tanker KVLCC2")
    vessel = ship.add("vessel", MMGVessel.from_vehicle(vehicle, initial_nu=[scale * SPEED, 0, 0, 0, 0, 0], **water))
    propulsion = ship.add("propulsion", MMGPropulsion.from_vehicle(vehicle))
    ship.connect(vessel.nu_r, propulsion.nu_r)
    ship.connect(propulsion.force, vessel.force)
    ship.inputs(revolutions=propulsion.command, rudder=propulsion.rudder)
    step = float(scale) * 0.5
    conditions = {
        "length": length,
        "solver": "rk4",
        "step": step,
        "approach": 20 * step,
        "rudder": "propulsion.angle[0]",
    }
    return ship, conditions | {"inputs": {"revolutions": [revolutions]}}


def measured(vehicle: str, revolutions: float) -> tuple[dict[str, float], dict[str, Manoeuvre]]:
    """The measures by the names above, and the trials."""
    ship, conditions = tanker(vehicle, revolutions)
    length = LENGTHS[vehicle]
    done = {"turns": turning_circle(ship, "35 deg", **conditions)}
    found = {}
    for name, turn in done["turns"].measures.items():
        found[f"advance, {name}"] = turn.advance / length
        found[f"tactical diameter, {name}"] = turn.tactical_diameter / length
    for order in ("10 deg", "20 deg"):
        done[order] = zigzag(ship, order, sides=("starboard", "port"), **conditions)
        for name, test in done[order].measures.items():
            for which, angle in zip(("first", "second"), np.degrees(test.overshoot_angles), strict=False):
                found[f"{which} overshoot, {name}"] = float(angle)
    return found, done


def shallow_turns() -> dict[str, Trial]:
    """To starboard, by the depth over the draught."""
    found = {}
    for ratio in DEPTHS:
        ship, conditions = tanker("kvlcc2_l7", 11.86, water_depth=0.46 * ratio)
        found[f"{ratio:g} draughts"] = turning_circle(ship, "35 deg", sides="starboard", **conditions).trial
    return found


def draw_turn(axes: Axes, trial: Trial, label: str, colour: str) -> None:
    """From the rudder order on for 540°, in lengths of the 7 m model."""
    begin = int(np.flatnonzero(trial.order)[0])
    turned = np.abs(trial.heading - trial.heading[begin])
    track = (trial.position[begin : np.searchsorted(turned, np.radians(540.0))] - trial.position[begin]) / 7.0
    axes.plot(track[:, 1], track[:, 0], color=colour, label=label)


def turns_figure(trials: dict[str, dict[str, Manoeuvre]], shallow: dict[str, Trial]) -> Figure:
    """Circles to both sides beside the tests, and to starboard in shallow water."""
    with rc_context(SETTINGS):
        figure = Figure(figsize=(12.0, 5.4), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        for (name, done), colour in zip(trials.items(), SERIES, strict=False):
            for number, trial in enumerate(done["turns"].trials.values()):
                draw_turn(left, trial, name if number == 0 else "_", colour)
        for side, name in ((1, "35° to starboard"), (-1, "35° to port")):
            advance, diameter = (PUBLISHED[f"{what}, {name}"][0] for what in ("advance", "tactical diameter"))
            label = "model test" if side > 0 else "_"
            left.plot([side, side * diameter], [advance, advance], ":", color=WAYPOINT, label=label)
            left.plot([side * diameter] * 2, [1.0, advance], ":", color=WAYPOINT)
        left.set_title("35° of rudder")
        draw_turn(right, trials["model, 11.86 rev/s"]["turns"].trial, "deep", SERIES[1])
        for (name, trial), colour in zip(shallow.items(), SERIES[2:], strict=False):
            draw_turn(right, trial, name, colour)
        right.set_title("Depth")
        for axes in (left, right):
            axes.set(aspect="equal", xlabel="east, lengths", ylabel="north, lengths")
            axes.margins(0.05)
            axes.legend(**LEGEND, ncols=3)
    return figure


def zigzags_figure(done: dict[str, Manoeuvre]) -> Figure:
    """Heading and rudder over time, with the overshoots of the model test."""
    with rc_context(SETTINGS):
        figure = Figure(figsize=(12.0, 5.4), layout="constrained")
        for axes, order, size in zip(figure.subplots(1, 2), ("10 deg", "20 deg"), (10.0, 20.0), strict=True):
            for (name, trial), side, colour in zip(done[order].trials.items(), (1, -1), SERIES, strict=False):
                begin, measures = int(np.flatnonzero(trial.order)[0]), done[order].measures[name]
                time, heading = trial.time[begin:] - trial.time[begin], np.degrees(trial.heading[begin:])
                axes.plot(time, heading, color=colour, label="to starboard first" if side > 0 else "to port first")
                axes.plot(time, np.degrees(trial.rudder[begin:]), color=colour, linewidth=0.8)
                for number, which in enumerate(("first", "second")):
                    test = PUBLISHED.get(f"{which} overshoot, {name}")
                    if test:
                        level = side * (-1) ** number * (size + test[0])
                        peak = measures.execute_times[1 + number] + measures.check_times[number] - trial.time[begin]
                        axes.plot((peak - 12.0, peak + 12.0), (level, level), ":", color=colour)
            axes.plot([], [], ":", color=WAYPOINT, label="greatest in model tests")
            axes.plot([], [], color=WAYPOINT, linewidth=0.8, label="rudder")
            axes.set(title=f"{size:.0f}°/{size:.0f}°", xlabel="time, s", ylabel="heading, rudder, °", xlim=(0, 80))
            axes.legend(**LEGEND, ncols=2)
    return figure


results = {name: measured(*ship) for name, ship in SHIPS.items()}
columns = ["model test", "simulation of 2015", *SHIPS]
print(f"{'':42}" + "".join(f"{name:>20}" for name in columns))
for row, (test, simulated) in PUBLISHED.items():
    numbers = [test, simulated, *(found[row] for found, _ in results.values())]
    places, unit = (2, "L") if "overshoot" not in row else (1, "°")
    print(f"{row:42}" + "".join(f"{number:18.{places}f} {unit}" for number in numbers))
shallow = shallow_turns()
turns_figure({name: done for name, (_, done) in results.items() if "model" in name}, shallow).savefig(
    "tanker_turns.png"
)
zigzags_figure(results["model, 10.33 rev/s"][1]).savefig("tanker_zigzags.png")
