"""ROV Minerva follows a minimum-snap trajectory through five waypoints in three dimensions.

The trajectory is at rest at both ends and smooth up to its sixth derivative, so that the thrust it takes has no steps.
Dynamic positioning follows it in all of position and heading, with a current that it does not know of. Writes
`minimum_snap.png`.
"""

from __future__ import annotations

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from blocks import Diagram, Result, simulate
from blocks.control import DynamicPositioning
from blocks.dynamics import Vessel6DOF
from blocks.environment import UniformCurrent
from blocks.guidance import MinimumSnapTrajectory
from blocks.style import ACTUAL, LEGEND, REFERENCE, SERIES, SETTINGS, WAYPOINT

WAYPOINTS = np.array([[0, 0, 1], [12, 4, 3], [16, 16, 6], [6, 24, 8], [-4, 14, 4]], dtype=float)  # m
SPEED, ACCELERATION = 0.4, 0.05  # m/s and m/s², of the legs
OMEGA = [0.8, 0.8, 0.8, 3.2, 3.2, 0.8]  # rad/s; roll and pitch stiffer than weight and buoyancy make them


def mission() -> Diagram:
    """Trajectory, controller, vehicle and a current of 0.1 m/s to the east."""
    made = Diagram("minimum_snap", title="Minerva on a minimum-snap trajectory")
    trajectory = made.add(
        "trajectory", MinimumSnapTrajectory(WAYPOINTS, cruise_speed=SPEED, cruise_acceleration=ACCELERATION)
    )
    start = np.r_[WAYPOINTS[0], 0.0, 0.0, trajectory.evaluate(t=0.0).outputs["heading"]]
    vessel = made.add("vessel", Vessel6DOF.from_vehicle("minerva", initial_eta=start))
    # Margins at 0.5 m/s: 78° of phase and more in all axes; a disk margin of 1.4 of all together.
    control = made.add("control", DynamicPositioning.by_pole_placement(vessel, OMEGA, degrees_of_freedom=6))
    current = made.add("current", UniformCurrent(0.1, "90 deg"))
    made.connect(trajectory.eta_d, control.pose)
    made.connect(trajectory.nu_d, control.velocity)
    made.connect(trajectory.nu_dot_d, control.acceleration)
    made.connect(vessel.eta, control.eta)
    made.connect(vessel.nu, control.nu)
    made.connect(control.force, vessel.force)
    made.connect(current.current, vessel.current)
    return made


def run() -> Result:
    """To the end of the trajectory, and half a minute on."""
    made = mission()
    duration = float(made["trajectory"].evaluate().calculated["duration"])
    return simulate(made, duration + 30.0, step=0.05, every=2)


def draw(result: Result) -> Figure:
    """Where it was to go and went, from above and over time."""
    wanted, was = result.values("trajectory.position"), result.values("vessel.eta")
    error = was[:, :3] - wanted
    with rc_context(SETTINGS):
        figure = Figure(figsize=(14.0, 6.4), layout="constrained")
        figure.suptitle("Minerva on a minimum-snap trajectory", x=0.01, ha="left")
        grid = figure.add_gridspec(3, 2, width_ratios=(1.0, 1.3))
        chart = figure.add_subplot(grid[:, 0])
        chart.plot(wanted[:, 1], wanted[:, 0], color=REFERENCE, linewidth=3.0, alpha=0.5, label="wanted")
        chart.plot(was[:, 1], was[:, 0], color=ACTUAL, label="Minerva")
        chart.plot(WAYPOINTS[:, 1], WAYPOINTS[:, 0], "o", color=WAYPOINT, markersize=7)
        halo = [withStroke(linewidth=3.0, foreground="white")]  # the track runs through some of them
        for point in WAYPOINTS:
            chart.annotate(
                f"{point[2]:.0f} m", (point[1], point[0]), xytext=(8, 6), textcoords="offset points", path_effects=halo
            )
        chart.set(xlabel="east, m", ylabel="north, m", aspect="equal", title="From above, with depths")
        chart.margins(0.08)
        chart.legend(**LEGEND, ncols=2)
        depth, speed, miss = (figure.add_subplot(grid[row, 1]) for row in range(3))
        depth.plot(result.time, wanted[:, 2], color=REFERENCE, linewidth=3.0, alpha=0.5)
        depth.plot(result.time, was[:, 2], color=ACTUAL)
        depth.invert_yaxis()
        depth.set(ylabel="depth, m", title="Over time")
        speed.plot(result.time, np.linalg.norm(result.values("trajectory.velocity"), axis=1), color=REFERENCE)
        speed.set(ylabel="wanted speed, m/s", ylim=(0.0, None))
        for column, (name, colour) in enumerate(zip(("north", "east", "down"), SERIES, strict=False)):
            miss.plot(result.time, 100.0 * error[:, column], color=colour, label=name)
        miss.set(xlabel="time, s", ylabel="off, cm")
        miss.legend(**LEGEND, ncols=3)
        return figure


def main() -> None:
    """Run, say how near it was, and draw."""
    result = run()
    error = result.values("vessel.eta")[:, :3] - result.values("trajectory.position")
    force = result.values("control.force")
    print(f"{result.time[-1] - 30.0:.1f} s for {len(WAYPOINTS)} waypoints")
    size = 100.0 * np.linalg.norm(error, axis=1)
    print(f"greatest error {size.max():.1f} cm, at the end {size[-1]:.2f} cm")
    print(f"greatest force {np.linalg.norm(force[:, :3], axis=1).max():.0f} N")
    draw(result).savefig("minimum_snap.png")


if __name__ == "__main__":
    main()
