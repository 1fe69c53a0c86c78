"""Design a heading autopilot for an Otter at 1.5 m/s: trim, linearize, place poles, look at margins, try it out.

The gains follow from the boat's mass and damping in yaw. Then the loop is closed around the boat with all its six
degrees of freedom, whose sway drives yaw, and with thrusters that take 0.2 s to answer and have limits: what the design
does not know of. Writes `autopilot_design.png`.
"""

from __future__ import annotations

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from blocks import Diagram, Result, simulate
from blocks.basic import Constant, FirstOrderLag, MatrixGain, Mux
from blocks.control import HeadingAutopilot, SpeedController
from blocks.dynamics import Vessel6DOF
from blocks.lab import table
from blocks.lab.analysis import LinearSystem, OperatingPoint, linearize, margins, trim
from blocks.style import SERIES, SETTINGS, WAYPOINT
from blocks.thrust import DifferentialThrust

SPEED = 1.5  # m/s
FREQUENCIES = (1.0, 2.0, 3.0)  # rad/s, of the poles that are placed
LAG = 0.2  # s, of the thrusters
TURN = np.radians(10.0)
STILL = {"current": np.zeros(3), "disturbance": np.zeros(6)}


def otter(**start: object) -> Vessel6DOF:
    """The boat."""
    return Vessel6DOF.from_vehicle("otter", "dynamics", **start)


def cruise() -> OperatingPoint:
    """Straight ahead: trim angle, depth and thrust at which everything is at rest."""
    targets = {"nu[u]": SPEED, "nu[v]": 0.0, "nu[r]": 0.0, "eta[psi]": 0.0}
    return trim(otter(), targets, given=STILL, free=["force[X]"])


def autopilot(frequency: float) -> HeadingAutopilot:
    """Poles at -ω twice and at -ω/10."""
    return HeadingAutopilot.by_pole_placement(
        otter(), natural_frequency=frequency, speed=SPEED, lower=-60.0, upper=60.0
    )


def loop(frequency: float, point: OperatingPoint) -> Diagram:
    """Course and speed held by two thrusters, from the operating point on; `course` is an input."""
    made = Diagram("otter", title="Heading and speed of an Otter")
    vessel = made.add("vessel", otter(initial_eta=point["vessel_6dof.eta"], initial_nu=point["vessel_6dof.nu"]))
    thrusters = made.add("thrusters", DifferentialThrust.from_vehicle("otter", "thrusters"))
    made.add("heading", autopilot(frequency))
    speed = SpeedController.by_pole_placement(vessel, natural_frequency=1.0, speed=SPEED)
    speed.set(initial_integral=float(point["force"][0]) - speed.damping * SPEED)
    made.add("speed", speed)
    made.add("cruise", Constant(SPEED))
    made.add("wanted", Mux([1, 1]))
    arm = float(thrusters.spacing)
    made.add("split", MatrixGain([[0.5, 1.0 / arm], [0.5, -1.0 / arm]]))  # to port and starboard thrust
    half = 0.5 * float(point["force"][0])
    made.add("motors", FirstOrderLag(LAG, initial_x=[half, half]))
    made.add("still", Constant(np.zeros(3)))
    made.inputs(course="heading.heading")
    made.connect("cruise.y", "speed.speed")
    made.connect("vessel.eta", "heading.eta")
    made.connect("vessel.nu", "heading.nu", "speed.nu")
    made.connect("vessel.nu_r", "thrusters.nu_r")
    made.connect("still.y", "vessel.current")
    made.connect("heading.moment", "wanted.in2")
    made.connect("speed.force", "wanted.in1")
    made.connect("wanted.y", "split.u")
    made.connect("split.y", "motors.u")
    made.connect("motors.y", "thrusters.command")
    made.connect("thrusters.force", "vessel.force")
    return made


def design(frequency: float, point: OperatingPoint) -> tuple[LinearSystem, LinearSystem, Result]:
    """The opened loop, the closed one, and a turn of the nonlinear boat."""
    made = loop(frequency, point)
    opened = linearize(made, opened="heading.moment")
    closed = linearize(made, inputs="course", outputs="vessel.eta[psi]")
    return opened, closed, simulate(made, 40.0, step=0.02, inputs={"course": TURN})


def main() -> None:
    """Design for three frequencies, and compare."""
    point = cruise()
    pitch = np.degrees(point["vessel_6dof.eta"][4])
    print(f"at {SPEED} m/s: thrust {point['force'][0]:.1f} N, pitch {pitch:.2f}°")
    print("modes of sway and yaw without an autopilot:")
    modes = linearize(otter(), point).modes()
    print(
        modes[modes["states"].str.contains("nu.r.")][["real", "time_constant", "states"]]
        .round(3)
        .to_string(index=False)
    )
    print()
    found = {f"ω = {frequency:g} rad/s": design(frequency, point) for frequency in FREQUENCIES}
    print(table({name: margins(opened) for name, (opened, _, _) in found.items()}))
    draw(found).savefig("autopilot_design.png")


def draw(found: dict[str, tuple[LinearSystem, LinearSystem, Result]]) -> Figure:
    """Loops, poles that were placed and poles that are there, and turns."""
    with rc_context(SETTINGS):
        figure = Figure(figsize=(14.0, 6.6), layout="constrained")
        figure.suptitle("Heading autopilot of an Otter at 1.5 m/s", x=0.01, ha="left")
        grid = figure.add_gridspec(2, 3)
        gain, phase = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[1, 0])
        plane, turn, moment = (
            figure.add_subplot(grid[:, 1]),
            figure.add_subplot(grid[0, 2]),
            figure.add_subplot(grid[1, 2]),
        )
        omega = np.geomspace(0.03, 30.0, 400)
        for colour, (frequency, (name, (opened, closed, run))) in zip(
            SERIES, zip(FREQUENCIES, found.items(), strict=True), strict=False
        ):
            response = -opened.frequency_response(omega)[:, 0, 0]
            gain.semilogx(omega, 20.0 * np.log10(np.abs(response)), color=colour, label=name)
            phase.semilogx(
                omega, np.degrees(np.unwrap(np.angle(response))) - 360.0 * (np.angle(response[0]) > 0), color=colour
            )
            poles = closed.eigenvalues
            plane.plot(poles.real, poles.imag, "x", color=colour, markersize=9, markeredgewidth=2)
            placed = -frequency * np.array([1.0, 1.0, 0.1])
            plane.plot(placed, 0.0 * placed, "o", color=colour, markerfacecolor="none", markersize=11)
            turn.plot(run.time, np.degrees(run.values("vessel.eta[psi]")), color=colour)
            at, linear = step_response(closed)
            turn.plot(at, np.degrees(TURN) * linear, "--", color=colour, linewidth=1.0)
            moment.plot(run.time, run.values("heading.moment"), color=colour)
        gain.axhline(0.0, color=WAYPOINT, linewidth=0.8)
        phase.axhline(-180.0, color=WAYPOINT, linewidth=0.8)
        gain.set(title="Loop", ylabel="magnitude, dB")
        figure.legend(loc="upper right", ncols=3)
        phase.set(xlabel="frequency, rad/s", ylabel="phase, °")
        plane.axvline(0.0, color=WAYPOINT, linewidth=0.8)
        plane.set(title="Poles: o placed, x of the loop", xlabel="real part, 1/s", ylabel="imaginary part, rad/s")
        plane.set(xlim=(-6.0, 0.3), ylim=(-6.0, 6.0))
        turn.axhline(np.degrees(TURN), color=WAYPOINT, linewidth=0.8)
        turn.set(title="A turn: 6 DOF, and linear (dashed)", ylabel="heading, °", xlim=(0.0, 20.0))
        moment.set(xlabel="time, s", ylabel="yaw moment, N·m", xlim=(0.0, 20.0))
        return figure


def step_response(closed: LinearSystem) -> tuple[np.ndarray, np.ndarray]:
    """Of the closed loop."""
    import control

    response = control.step_response(closed.to_control(), np.linspace(0.0, 40.0, 400))
    return response.time, np.asarray(response.outputs)


if __name__ == "__main__":
    main()
