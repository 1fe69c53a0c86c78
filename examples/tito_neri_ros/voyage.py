"""Simulator and autopilot as two processes that have nothing but topics of ROS 2 in common, and a figure of the voyage.

    python examples/tito_neri_ros/voyage.py

Ten times as fast as real time. Writes `tito_neri_ros.png`, and what was recorded as `tito_neri_ros.nc`.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
from autopilot import WAYPOINTS
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from blocks import Result
from blocks.style import ACTUAL, LEGEND, REFERENCE, SERIES, SETTINGS, WAYPOINT

HERE = Path(__file__).parent
SIMULATOR = ["-m", "blocks.cli", "live", str(HERE / "tito_neri.yaml"), "--ros2", "--quiet", "--factor", "10", "-o", "."]


def sail() -> Result:
    """What the simulator recorded until the autopilot has arrived."""
    pilot = subprocess.Popen([sys.executable, str(HERE / "autopilot.py")], stderr=subprocess.PIPE, text=True)
    try:
        assert pilot.stderr is not None
        sys.stderr.write(pilot.stderr.readline())  # it is there, and waits
        simulator = subprocess.Popen([sys.executable, *SIMULATOR], stderr=subprocess.DEVNULL)
        try:
            for line in pilot.stderr:
                sys.stderr.write(line)
            pilot.wait()
        finally:
            simulator.send_signal(signal.SIGINT)
            simulator.wait()
    finally:
        pilot.kill()
    return Result.load("tito_neri_ros.nc")


def figure(run: Result) -> Figure:
    """Where the tug went, and what its thrusters did."""
    drawn = Figure(figsize=(14.0, 6.6), layout="constrained")
    panels = ("heading", "speed", "aft", "bow", "angle")
    axes = drawn.subplot_mosaic([["chart", panel] for panel in panels], width_ratios=(1.2, 1.0))
    chart = axes["chart"]
    latitude, longitude = (np.degrees(run[f"gnss.{name}"].values) for name in ("latitude", "longitude"))
    chart.plot(WAYPOINTS[1::2], WAYPOINTS[::2], "o:", color=WAYPOINT, label="waypoints")
    chart.plot(longitude, latitude, color=ACTUAL, label="track by the receiver")
    chart.plot(longitude[0], latitude[0], "s", color=REFERENCE, label="adrift at 0 s")
    chart.set_aspect(1.0 / np.cos(np.radians(latitude[0])))
    chart.margins(0.08)
    chart.set(title="Tito Neri in Delft", xlabel="longitude, °", ylabel="latitude, °")
    chart.xaxis.set(major_locator=MultipleLocator(1e-4), major_formatter="{x:.4f}")
    chart.yaxis.set(major_locator=MultipleLocator(5e-5), major_formatter="{x:.5f}")
    chart.legend(loc="lower left")
    time = run["time"].values
    orders, speed = run["orders"].values, run["per_minute.y"].values
    wanted, azimuth = np.degrees(run["angle"].values), np.degrees(run["thrusters.azimuth"].values)
    heading = np.degrees(np.unwrap(run["compass.heading"].values))
    lines = {  # panel: its axis, and what is ordered and what comes of it
        "heading": ("ψ, °", None, heading),
        "speed": ("u, m/s", None, run["vessel.nu"].values[:, 0]),
        "aft": ("n, rev/min", orders[:, 0], speed[:, 0]),
        "bow": ("bow, part", orders[:, 2], speed[:, 2]),
        "angle": ("α, °", wanted[:, 0], azimuth[:, 0]),
    }
    for panel, (label, order, response) in lines.items():
        if order is not None:
            axes[panel].plot(time, order, color=SERIES[1], lw=0.8, label="order, by topic")
        axes[panel].plot(time, response, color=ACTUAL, lw=1.5, label="response")
        axes[panel].set(ylabel=label)
        axes[panel].tick_params(labelbottom=panel == "angle")
    axes["heading"].set_title("Compass, speed, and thrusters (port, and bow)")
    axes["aft"].legend(ncols=2, **LEGEND)
    axes["angle"].set_xlabel("time, s")
    drawn.align_ylabels([axes[panel] for panel in panels])
    return drawn


if __name__ == "__main__":
    with rc_context(SETTINGS):
        figure(sail()).savefig("tito_neri_ros.png")
