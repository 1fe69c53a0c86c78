"""An Otter USV follows seven legs by model-predictive control: its FMU in CasADi, 20 times a second.

CasADi's `DaeBuilder` opens the FMU of propellers and hull, and takes derivatives from it. Every 50 ms one quadratic
programme is made of the linearised model and solved (a real-time iteration); the boat itself runs in the engine, in a
current that the controller has to find out. Beside it sails `otter_los.yaml`, line of sight with PIDs, as it is and
with the integral action and gains of `docs/tuning.md`. Writes `mpc_otter.png` and `otter.fmu`; `--legs 2` is a shorter
trip. Needs CasADi: pip install 'keelblocks[mpc]'.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import fmu
from blocks import Diagram, Simulator
from blocks.dynamics import Vessel3DOF
from blocks.scenario import Scenario
from blocks.style import LEGEND, REFERENCE, SERIES, SETTINGS, WAYPOINT
from blocks.thrust import DifferentialThrust

try:
    import casadi as ca
except ModuleNotFoundError:
    raise SystemExit("this example needs CasADi: pip install 'keelblocks[mpc]'") from None

Array = NDArray[np.float64]

LOS = Scenario.load(Path(__file__).with_name("otter_los.yaml"))
WAYPOINTS = np.array(LOS.diagram["guidance"].waypoints)[:, :2]  # m, north and east
CURRENT = np.array([0.0, 0.3])  # m/s, to north and east, as in otter_los.yaml
TUNED = {
    "guidance.steering": "proportional_integral", "guidance.kp": 0.48999, "guidance.ki": 0.033345, "heading.kp": 315.22,
}  # fmt: skip
CRUISE, ARRIVED = 1.0, 4.0  # m/s through the water; m before the end of the path, where both arrive

PERIOD = 0.05  # s, from one command to the next
NODES, INTERVAL = 20, 0.4  # of the horizon, 8 s
PLANE = [0, 1, 5, 6, 7, 11]  # of the FMU's states: north, east, heading and their velocities u, v, r
STATES, RATES = 9, 3  # with the distance along the path and two thrusts; and the rates of those three
MARGIN = 0.99  # of the thrust limits: at the limit itself the derivative is a mean of both sides
THRUST_RATE, UNBOUNDED = 200.0, 1e6  # N/s; for HPIPM, which takes no infinity

ACROSS, ALONG, SPEED, TURN = 2.0, 1.0, 3.0, 0.5  # weights: 1/m, 1/m, s/m, s/rad
UNEVEN, EFFORT, PROGRESS = 0.003, 0.005, 0.1  # 1/N, s/N, s/m


def plant() -> Diagram:
    """Propellers and hull: wanted thrusts and current in, pose, velocity and power out."""
    made = Diagram("otter", title="Otter USV: propellers and hull")
    thrusters = made.add("thrusters", DifferentialThrust.from_vehicle("otter"))
    vessel = made.add("vessel", Vessel3DOF.from_vehicle("otter"))
    made.connect(thrusters.force, vessel.force)
    made.connect(vessel.nu_r, thrusters.nu_r)
    made.inputs(command=thrusters.command, current=vessel.current)
    made.outputs(eta=vessel.eta, nu=vessel.nu, power=thrusters.power)
    return made


@dataclass
class Path2D:
    """Straight legs through waypoints, n x 2, m."""

    waypoints: Array

    def __post_init__(self) -> None:
        legs = np.diff(self.waypoints, axis=0)
        length = np.hypot(*legs.T)
        self.begins = np.r_[0.0, np.cumsum(length)]
        self.tangents = legs / length[:, None]
        self.length = float(self.begins[-1])

    def legs(self, along: Array) -> Array:
        """Of the legs at these distances, m: start, tangent and distance of the start, 5 x n."""
        number = np.clip(np.searchsorted(self.begins, along, side="right") - 1, 0, len(self.tangents) - 1)
        return np.vstack([self.waypoints[number].T, self.tangents[number].T, self.begins[number]])

    def distance(self, track: Array) -> Array:
        """How far points, n x 2, are from the path, m."""
        found = []
        for start, tangent, begin, end in zip(
            self.waypoints, self.tangents, self.begins, self.begins[1:], strict=False
        ):
            along = np.clip((track - start) @ tangent, 0.0, end - begin)
            found.append(np.linalg.norm(track - start - along[:, None] * tangent, axis=1))
        return np.min(found, axis=0)


class Model:
    """The FMU as functions of CasADi."""

    def __init__(self, path: Path) -> None:
        self.dae = ca.DaeBuilder("otter", str(path))
        self.rates = self.dae.create("rates", ["x", "u"], ["ode"])
        ahead, astern = self.dae.start([f"thrusters.thrust_limit_{way}" for way in ("forward", "reverse")])
        self.thrust = -MARGIN * astern, MARGIN * ahead  # N
        x, u, current = ca.MX.sym("x", STATES), ca.MX.sym("u", RATES), ca.MX.sym("current", 2)

        def rates(x: ca.MX) -> ca.MX:
            return ca.vertcat(self.motion(x[:6], x[7:], current), u)

        self.ahead = ca.Function("ahead", [x, u, current], [_runge_kutta(rates, x, INTERVAL, 2)])
        """The state an interval later, by its value, its rates and the current."""
        step = _runge_kutta(lambda pose: self.motion(pose, x[7:], current), x[:6], PERIOD, 1)[3:]
        self.next = ca.Function("next", [x, current], [step, ca.jacobian(step, current)])
        """The velocity after a period with these thrusts, and its derivative by the current."""

    def motion(self, x: ca.MX, thrust: ca.MX, current: ca.MX) -> ca.MX:
        """Derivatives of position, heading and velocity."""
        whole = [ca.MX(0.0)] * 12
        for place, value in zip(PLANE, ca.vertsplit(x), strict=True):
            whole[place] = value
        return self.rates(ca.vertcat(*whole), ca.vertcat(thrust, current, 0.0))[PLANE]


def _runge_kutta(rates, x: ca.MX, duration: float, steps: int) -> ca.MX:  # type: ignore[no-untyped-def]
    h = duration / steps
    for _ in range(steps):
        k1 = rates(x)
        k2 = rates(x + h / 2 * k1)
        k3 = rates(x + h / 2 * k2)
        k4 = rates(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


class CurrentFilter:
    """The current by a Kalman filter: what it did to the velocity in the last period, by the FMU's derivative."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.current = np.zeros(2)  # m/s, of which nothing is known
        self.covariance = 0.1 * np.eye(2)

    def update(self, before: Array, velocity: Array) -> None:
        """before: state and thrusts a period ago; velocity: u, v, r now."""
        predicted, slope = (np.array(value) for value in self.model.next(before, self.current))
        self.covariance += 1e-7 * np.eye(2)
        gain = self.covariance @ slope.T @ np.linalg.inv(slope @ self.covariance @ slope.T + 1e-6 * np.eye(3))
        self.current = self.current + gain @ (velocity - predicted.ravel())
        self.covariance = self.covariance - gain @ slope @ self.covariance


def residual(x: ca.MX, u: ca.MX | None, leg: ca.MX, current: ca.MX) -> ca.MX:
    """What is to be small at a node, each by its weight."""
    off, tangent = x[:2] - leg[:2], leg[2:4]
    across = tangent[0] * off[1] - tangent[1] * off[0]
    along = ca.dot(tangent, off) - (x[6] - leg[4])
    through_water = x[3] - current[0] * ca.cos(x[2]) - current[1] * ca.sin(x[2])
    terms = [ACROSS * across, ALONG * along, SPEED * (through_water - CRUISE), TURN * x[5], UNEVEN * (x[7] - x[8])]
    if u is not None:
        terms += [EFFORT * u[1], EFFORT * u[2], PROGRESS * (u[0] - CRUISE)]
    return ca.vertcat(*terms)


class Controller:
    """Real-time iterations: one quadratic programme (Gauss-Newton, multiple shooting) for each command."""

    def __init__(self, model: Model, path: Path2D) -> None:
        self.path = path
        xs = [ca.MX.sym(f"x{k}", STATES) for k in range(NODES + 1)]
        us = [ca.MX.sym(f"u{k}", RATES) for k in range(NODES)]
        legs, current = ca.MX.sym("legs", 5, NODES + 1), ca.MX.sym("current", 2)
        w = ca.vertcat(*[part for pair in zip(xs, us, strict=False) for part in pair], xs[-1])
        gaps = ca.vertcat(*[model.ahead(x, u, current) - y for x, u, y in zip(xs, us, xs[1:], strict=False)])
        terms = ca.vertcat(
            *[residual(x, u, legs[:, k], current) for k, (x, u) in enumerate(zip(xs, [*us, None], strict=True))]
        )
        slope = ca.jacobian(terms, w)
        parts = [ca.mtimes(slope.T, slope), ca.mtimes(slope.T, terms), ca.jacobian(gaps, w), gaps]
        self.linearised = ca.Function("linearised", [w, legs, current], parts)
        self.solver = ca.conic(
            "solver",
            "hpipm",
            {"h": self.linearised.sparsity_out(0), "a": self.linearised.sparsity_out(2)},
            {"N": NODES, "nx": [STATES] * (NODES + 1), "nu": [RATES] * NODES + [0], "ng": [0] * (NODES + 1)},
        )
        low = np.tile(np.r_[[-UNBOUNDED] * 7, [model.thrust[0]] * 2, 0.0, [-THRUST_RATE] * 2], NODES + 1)[:-RATES]
        high = np.tile(np.r_[[UNBOUNDED] * 7, [model.thrust[1]] * 2, 3.0, [THRUST_RATE] * 2], NODES + 1)[:-RATES]
        self.low, self.high = low, high
        ahead = CRUISE * INTERVAL * np.arange(NODES + 1)
        leg = path.legs(ahead)
        self.x = np.zeros((NODES + 1, STATES))  # the plan: how it goes on, at the nodes
        self.x[:, :2] = leg[:2].T + leg[2:4].T * (ahead - leg[4])[:, None]
        self.x[:, 2] = np.unwrap(np.arctan2(leg[3], leg[2]))
        self.x[:, 3], self.x[:, 6] = CRUISE, ahead
        self.u = np.zeros((NODES, RATES))
        self.u[:, 0] = CRUISE
        self.along = 0.0  # m, what the boat has come along the path

    def command(self, pose: Array, current: Array) -> Array:
        """Both thrusts of the next period, N, from north, east, heading, u, v and r now, and the current."""
        self.x[0, :6] = pose
        w = np.r_[np.hstack([self.x[:-1], self.u]).ravel(), self.x[-1]]
        h, g, a, gaps = self.linearised(w, self.path.legs(self.x[:, 6]), current)
        low, high = self.low - w, self.high - w
        low[:STATES] = high[:STATES] = 0.0
        found = self.solver(h=h, g=g, a=a, lba=-gaps, uba=-gaps, lbx=low, ubx=high)
        w = w + np.array(found["x"]).ravel()
        rows = np.r_[w, np.zeros(RATES)].reshape(NODES + 1, STATES + RATES)
        self.x, self.u = rows[:, :STATES].copy(), rows[:-1, STATES:].copy()
        thrust = self.x[0, 7:] + PERIOD * self.u[0, 1:]
        share = PERIOD / INTERVAL  # the plan as it will stand a period later
        change = np.diff(self.x, axis=0)
        self.x += share * np.vstack([change, change[-1:]])
        self.u[:-1] += share * np.diff(self.u, axis=0)
        self.x[0, 7:] = thrust
        self.along = float(self.x[0, 6])
        return thrust


@dataclass
class Track:
    """How a boat went: time, s; pose and velocity, n x 6; thrusts and power of both propellers, n x 2, N and W."""

    time: Array
    pose: Array
    thrust: Array
    power: Array
    current: Array | None = None
    solve: Array | None = None
    """The seconds that each command took."""

    def measures(self, path: Path2D) -> dict[str, float]:
        """What the table shows, by name with its unit."""
        off = path.distance(self.pose[:, :2])
        over_ground = np.hypot(self.pose[:, 3], self.pose[:, 4])
        return {
            "RMS distance from the path, m": float(np.sqrt(np.mean(off**2))),
            "greatest distance, m": float(off.max()),
            "time, s": float(self.time[-1]),
            "way over ground, m": float(np.trapezoid(over_ground, self.time)),
            "energy, kJ": float(np.trapezoid(self.power.sum(axis=1), self.time)) / 1000.0,
        }


class Commands(Protocol):
    """What `follow` asks of a controller."""

    along: float

    def command(self, pose: Array, current: Array) -> Array:
        """Both thrusts of the next period."""


def follow(path: Path2D, model: Model, controller: Commands, current: Array = CURRENT, most: float = np.inf) -> Track:
    """The boat in the engine, under a controller, to the end of the path or for `most` seconds."""
    estimate = CurrentFilter(model)
    rows, spent, pose, before = [], [], np.zeros(6), None
    with Simulator(plant(), step=PERIOD, inputs={"command": np.zeros(2), "current": np.r_[current, 0.0]}) as boat:
        boat.start()
        while controller.along < path.length - ARRIVED and boat.time < min(most, 3.0 * path.length / CRUISE):
            pose = np.r_[boat["vessel.eta"], boat["vessel.nu"]][PLANE]
            began = time.perf_counter()
            if before is not None:
                estimate.update(before, pose[3:])
            thrust = controller.command(pose, estimate.current)
            spent.append(time.perf_counter() - began)
            boat["command"] = thrust
            boat.refresh()
            rows.append(np.r_[boat.time, pose, thrust, boat["thrusters.power"], estimate.current])
            before = np.r_[pose, 0.0, thrust]
            boat.advance(PERIOD)
    table = np.array(rows)
    return Track(table[:, 0], table[:, 1:7], table[:, 7:9], table[:, 9:11], table[:, 11:], np.array(spent))


def line_of_sight(path: Path2D, parameters: dict[str, str | float]) -> Track:
    """The same by otter_los.yaml with other parameters; its PID measures the speed through the water."""
    scenario = Scenario.load(Path(__file__).with_name("otter_los.yaml"))
    scenario.set("guidance.waypoints", np.c_[path.waypoints, 0.0 * path.waypoints[:, 0]].tolist())
    for name, value in parameters.items():
        scenario.set(name, value)
    run = scenario.run()
    pose = np.c_[run.values("vessel.eta")[:, [0, 1, 5]], run.values("vessel.nu")[:, [0, 1, 5]]]
    thrust, power = (run.values(f"thrusters.{name}") for name in ("thrust", "power"))
    return Track(run.time, pose, thrust, power)


def compare(tracks: dict[str, Track], path: Path2D) -> Table:
    """The table of all."""
    table = Table(title=f"{path.length:.0f} m in a current of {np.hypot(*CURRENT):g} m/s", title_justify="left")
    table.add_column("")
    for name in tracks:
        table.add_column(name, justify="right")
    columns = [track.measures(path) for track in tracks.values()]
    for quantity in columns[0]:
        table.add_row(quantity, *(f"{column[quantity]:.3g}" if "distance" in quantity else f"{column[quantity]:.1f}"
                                  for column in columns))  # fmt: skip
    return table


def draw(tracks: dict[str, Track], path: Path2D) -> Figure:
    """Tracks from above and at the first corner, distance from the path, thrusts there, the time of each command."""
    with rc_context(SETTINGS):
        figure = Figure(figsize=(16.0, 9.0), layout="constrained")
        figure.suptitle("Otter USV: model-predictive control on its FMU, and line of sight", x=0.01, ha="left")
        grid = figure.add_gridspec(4, 2, width_ratios=(1.0, 1.25))
        chart, corner = (figure.add_subplot(grid[rows, 0]) for rows in (slice(0, 2), slice(2, 4)))
        off, port, starboard, times = (figure.add_subplot(grid[row, 1]) for row in range(4))
        turn = path.waypoints[min(1, len(path.waypoints) - 1)]
        for axes in (chart, corner):
            axes.plot(*path.waypoints.T[::-1], color=REFERENCE, linewidth=4.0, alpha=0.4, label="path")
        for (name, track), colour in zip(tracks.items(), SERIES, strict=False):
            for axes in (chart, corner):
                axes.plot(track.pose[:, 1], track.pose[:, 0], color=colour, label=name, linewidth=1.4)
            off.plot(track.time, path.distance(track.pose[:, :2]), color=colour, label=name)
            near = np.argmin(np.hypot(*(track.pose[:, :2] - turn).T))
            late = track.time - track.time[near]
            for side, axes in enumerate((port, starboard)):
                axes.plot(late, track.thrust[:, side], color=colour, label=name)
        chart.set(xlabel="east, m", ylabel="north, m", title="From above", aspect="equal")
        chart.margins(0.08)
        off.legend(**LEGEND, ncols=3)
        corner.set(xlim=(turn[1] - 8, turn[1] + 22), ylim=(turn[0] - 13, turn[0] + 5), aspect="equal")
        corner.set(xlabel="east, m", ylabel="north, m", title="At the first corner")
        off.set(xlabel="time, s", ylabel="m", title="Distance from the path")
        for axes, side in ((port, "port"), (starboard, "starboard")):
            axes.set(xlim=(-15, 20), ylabel="N", title=f"Thrust at {side}, at the first corner")
        starboard.set_xlabel("time from there, s")
        spent = 1000.0 * np.concatenate([track.solve for track in tracks.values() if track.solve is not None])
        most = max(1000.0 * PERIOD, float(spent.max())) + 2.0
        times.hist(spent, bins=np.arange(0.0, most, 0.5), log=True, color=SERIES[0])
        times.axvline(1000.0 * PERIOD, color=WAYPOINT, linestyle="--")
        times.set(xlim=(0.0, most), xlabel="ms; there are 50", ylabel="commands", title="Time that each command took")
        figure.align_ylabels([off, port, starboard, times])
    return figure


def main() -> None:
    """Sail the legs with each, print the table, draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    number = range(1, len(WAYPOINTS))
    parser.add_argument(
        "--legs", type=int, choices=number, default=number[-1], help="how many legs of the path to sail"
    )
    path = Path2D(WAYPOINTS[: parser.parse_args().legs + 1])
    model = Model(fmu.export(plant(), "otter.fmu", step=PERIOD))
    tracks = {
        "MPC": follow(path, model, Controller(model, path)),
        "LOS": line_of_sight(path, {}),
        "LOS with integral": line_of_sight(path, TUNED),
    }
    console = Console()
    console.print(compare(tracks, path))
    spent = 1000.0 * np.asarray(tracks["MPC"].solve)
    console.print(
        f"a command took {np.median(spent):.1f} ms in the median, {np.quantile(spent, 0.999):.1f} ms in all but a "
        f"thousandth, {spent.max():.1f} ms at most; {np.sum(spent > 1000.0 * PERIOD)} of {len(spent)} more than 50 ms"
    )
    draw(tracks, path).savefig("mpc_otter.png")


if __name__ == "__main__":
    main()
