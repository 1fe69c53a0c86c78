"""Three ships hold a station in a current, and an underwater vehicle dives: vessels of MSS and PythonVehicleSimulator.

The scenarios are files of their own beside this one, to be run and shared each by itself; here they are drawn together.
"""

from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blocks import Result
from blocks.scenario import Scenario
from blocks.style import SERIES, SETTINGS, WAYPOINT
from blocks.vehicles.vehicle import describe

HERE = Path(__file__).resolve().parent
SHIPS = {
    "supply_dp": ("supply", "Supply vessel, 76 m, 0.4 m/s"),
    "osv_dp": ("osv", "Offshore vessel, 83 m, 0.8 m/s"),
    "semisub_station_keeping": ("semisub", "Semi-submersible, 85 m, 0.6 m/s"),
}
"""The vehicle of each scenario, and what the figure says of it."""


def run(name: str) -> Result:
    """The run of a scenario."""
    return Scenario.load(HERE / f"{name}.yaml").run()


def outline(vehicle: str, eta: np.ndarray) -> np.ndarray:
    """The waterplane of a ship where it is, east and north."""
    sizes = describe(vehicle).dimensions
    length, breadth = sizes.metres("length") or 1.0, sizes.metres("breadth") or 1.0
    bow = 0.5 if vehicle == "semisub" else 0.25
    shape = np.array([[0.5, 0.0], [bow, 0.5], [-0.5, 0.5], [-0.5, -0.5], [bow, -0.5], [0.5, 0.0]])
    if vehicle == "semisub":
        shape = np.array([[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [0.5, 0.5]])
    x, y = (shape * [length, breadth]).T
    c, s = np.cos(eta[5]), np.sin(eta[5])
    return np.array([eta[1] + s * x + c * y, eta[0] + c * x - s * y])


def from_above(axes: Axes, name: str, result: Result, colour: str) -> None:
    """Where a ship is at the start, after one and two minutes, and at the end."""
    vehicle, title = SHIPS[name]
    eta, current = result.values("vessel.eta"), result.values("current.current")[0]
    moments = [0.0, 60.0, 120.0, float(result.time[-1])]
    for shade, moment in zip((0.25, 0.4, 0.6, 1.0), moments, strict=True):
        at = int(np.searchsorted(result.time, moment - 1e-9))
        axes.plot(*outline(vehicle, eta[at]), color=colour, alpha=shade)
    axes.plot(eta[:, 1], eta[:, 0], color=WAYPOINT, linewidth=1.0)
    reach = 0.8 * (describe(vehicle).dimensions.metres("length") or 1.0)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="east, m", title=title)
    way = 0.3 * reach * current[:2] / np.linalg.norm(current[:2])
    axes.annotate(
        "",
        (-0.75 * reach + way[1], 0.75 * reach + way[0]),
        (-0.75 * reach, 0.75 * reach),
        arrowprops={"arrowstyle": "->", "color": SERIES[5], "linewidth": 2.0},
    )


def figure(ships: dict[str, Result], dive: Result) -> Figure:
    """Three ships from above, how far they are from their stations, and the dive."""
    drawn = Figure(figsize=(15.0, 9.0), layout="constrained")
    grid = drawn.subplots(2, 3)
    for axes, (name, result), colour in zip(grid[0], ships.items(), SERIES, strict=False):
        from_above(axes, name, result, colour)
        off = np.hypot(*result.values("vessel.eta")[:, :2].T)
        grid[1, 0].plot(result.time / 60.0, off, color=colour, label=SHIPS[name][1].split(",")[0])
    grid[0, 0].set_ylabel("north, m")
    grid[1, 0].set(title="Off the station", xlabel="time, min", ylabel="distance, m")
    grid[1, 0].set(xlim=(0.0, 20.0), ylim=(0.0, None))
    grid[1, 0].legend()
    eta, angle = dive.values("vessel.eta"), np.degrees(dive.values("surfaces.angle"))
    grid[1, 1].plot(dive.time / 60.0, eta[:, 2], color=SERIES[0])
    grid[1, 1].plot(dive.time / 60.0, dive.values("guidance.depth"), color=WAYPOINT, linewidth=1.0, linestyle="--")
    grid[1, 1].set(title="NPS AUV: depth, and what is wanted", xlabel="time, min", ylabel="depth, m")
    grid[1, 1].invert_yaxis()
    for column, label in enumerate(("rudder", "stern planes", "bow planes")):
        grid[1, 2].plot(dive.time / 60.0, angle[:, column], color=SERIES[column], label=label, linewidth=1.2)
    grid[1, 2].set(title="NPS AUV: surfaces", xlabel="time, min", ylabel="angle, °")
    grid[1, 2].legend()
    return drawn


ships = {name: run(name) for name in SHIPS}
dive = run("npsauv_dive")
for name, result in ships.items():
    off = np.hypot(*result.values("vessel.eta")[:, :2].T)
    late = result.time > 0.5 * result.time[-1]
    print(f"{name}: {off[0]:.0f} m off at first, {off[late].max():.2f} m at most in the second half")
with rc_context(SETTINGS):
    figure(ships, dive).savefig("fleet.png")
