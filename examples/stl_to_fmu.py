"""From the drawing of a barge to its motions: panels, hydrodynamic data, a vessel with memory, and waves.

`barge.stl` is a pontoon with raked ends, 40 m by 12 m, drawn with 28 triangles. Capytaine computes it once, in a minute
or two; then the data are kept. The vessel that comes of them is put into regular waves from ahead, and its heave and
pitch are compared with those of the frequency domain. Writes `stl_to_fmu.png`.

    python examples/stl_to_fmu.py
    keelblocks hull examples/barge.stl --draught 2.5 --gm 2 -o barge.fmu
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from numpy.typing import NDArray

from blocks import Diagram, hydro, simulate
from blocks.basic import Constant
from blocks.dynamics import SeakeepingVessel
from blocks.environment import JonswapSea, RegularWave, WaveForceRAO
from blocks.hydro.vessel_file import wave_parameters
from blocks.style import ACTUAL, REFERENCE, SERIES, SETTINGS, WAYPOINT

Array = NDArray[np.float64]

MESH = Path(__file__).with_name("barge.stl")
LOADED = {"draught": 2.5, "gm": 2.0, "panels": 900}
ROLL_DAMPING = 0.05  # of critical, viscous
RUNS = slice(6, None, 4)  # of the frequencies of the data
AMPLITUDE = 0.01  # m: small, so that they hardly drift off
AHEAD = np.pi


def afloat(vessel: SeakeepingVessel, loads: WaveForceRAO, sea: JonswapSea | RegularWave) -> Diagram:
    """The vessel in a sea, adrift."""
    diagram = Diagram("afloat", title="A barge adrift in waves")
    for name, block in (("sea", sea), ("loads", loads), ("vessel", vessel), ("none", Constant([0.0] * 6))):
        diagram.add(name, block)
    diagram.connect(sea.waves, loads.waves)
    diagram.connect(vessel.eta, loads.eta)
    diagram.connect(loads.disturbance, vessel.disturbance)
    diagram.connect(diagram.blocks()["none"].y, vessel.force)
    return diagram


def responses(vessel: SeakeepingVessel, loads: WaveForceRAO, period: float) -> tuple[float, float]:
    """Amplitudes of heave and pitch per metre, from a run in regular waves from ahead, once it has settled."""
    sea = RegularWave(AMPLITUDE, period, direction=AHEAD)
    end = 40.0 * period
    run = simulate(afloat(vessel.copy(), loads.copy(), sea), end, step=period / 100.0)
    late = run.time > end - 10.0 * period
    motion = run.values("vessel.eta")[late]
    heave, pitch = (0.5 * float(np.ptp(motion[:, k])) / AMPLITUDE for k in (2, 4))
    return heave, pitch


def parts(data: xr.Dataset) -> tuple[SeakeepingVessel, WaveForceRAO]:
    """Vessel and loads, as the vehicle file of `keelblocks hull` has them."""
    model = hydro.vessel_parameters(data, roll_damping_ratio=ROLL_DAMPING)
    return SeakeepingVessel(**model.parameters), WaveForceRAO(**wave_parameters(data))


def draw_mesh(ax: Axes, hull: hydro.Hull, title: str, colour: str) -> None:
    """Panels in space."""
    whole = hull.whole()
    panels = Poly3DCollection(whole.vertices[whole.panels], facecolor=colour, edgecolor=WAYPOINT, linewidth=0.25)
    panels.set_clip_on(False)
    ax.add_collection3d(panels)  # type: ignore[attr-defined]
    ax.set(xlim=(-20, 20), ylim=(-12, 12), zlim=(-3.0, 5.0), title=title)
    ax.set_box_aspect((40, 24, 8), zoom=1.45)  # type: ignore[call-arg]
    ax.view_init(-18, -52)  # type: ignore[attr-defined]
    ax.set_axis_off()


def draw_memory(ax: Axes, data: xr.Dataset) -> None:
    """Heave: what was computed, and what the memory makes of it."""
    fit = hydro.vessel_parameters(data).fit
    omega = np.linspace(0.05, 3.2, 200)
    waves = data.isel(omega=slice(1, -1))
    heave = {"influenced_dof": "Heave", "radiating_dof": "Heave"}
    for name, fitted, colour, label in (
        ("added_mass", fit.memory.added_mass(omega), ACTUAL, "added mass, kt"),
        ("radiation_damping", fit.memory.radiation_damping(omega), REFERENCE, "damping, kt/s"),
    ):
        ax.plot(waves["omega"], waves[name].sel(heave) * 1e-6, "o", ms=4, color=colour, mfc="none")
        ax.plot(omega, fitted[:, 2, 2] * 1e-6, color=colour, label=label)
    ax.set(title="Heave: panels (circles) and memory", xlabel="ω, rad/s", ylim=(0.0, None))
    ax.legend(loc="upper right")


def draw_responses(axes: tuple[Axes, Axes], data: xr.Dataset) -> None:
    """Heave and pitch in waves from ahead, in both domains."""
    ahead = data["rao"].sel(wave_direction=AHEAD, method="nearest").isel(omega=slice(1, -1))
    omega = ahead["omega"].values
    vessel, loads = parts(data)
    at = omega[RUNS]
    timed = np.array([responses(vessel, loads, 2.0 * np.pi / w) for w in at])
    for ax, dof, column, unit in ((axes[0], "Heave", 0, "m/m"), (axes[1], "Pitch", 1, "°/m")):
        scale = 1.0 if dof == "Heave" else 180.0 / np.pi
        values = np.abs(ahead.sel(radiating_dof=dof).values) * scale
        ax.plot(omega, values, color=ACTUAL, label="frequency domain")
        for w, run, line in zip(at, timed[:, column] * scale, values[RUNS], strict=True):
            print(f"{dof:<6} {w:4.2f} rad/s {run:7.4f} {unit}, apart {100.0 * (run / line - 1.0):+.2f} %")
        ax.plot(at, timed[:, column] * scale, "o", color=REFERENCE, label="runs")
        ax.set(title=f"{dof} in waves from ahead", xlabel="ω, rad/s", ylabel=unit, ylim=(0.0, None))
    axes[0].legend(loc="upper right")


def draw_run(ax: Axes, data: xr.Dataset) -> None:
    """A minute in a sea on the bow."""
    vessel, loads = parts(data)
    sea = JonswapSea(1.0, 5.5, direction=np.radians(215.0), seed=4)
    run = simulate(afloat(vessel, loads, sea), 120.0, step=0.02)
    late = run.time > 60.0
    angles = np.degrees(run.values("vessel.eta")[late][:, 3:5])
    for k, (name, colour) in enumerate((("roll", SERIES[2]), ("pitch", SERIES[3]))):
        ax.plot(run.time[late], angles[:, k], color=colour, label=f"{name}, °")
    ax.plot(run.time[late], 10.0 * run.values("vessel.eta")[late][:, 2], color=ACTUAL, label="heave, dm")
    ax.set(title="A sea of 1 m and 5.5 s on the bow", xlabel="time, s", ylim=(-5.6, 4.4))
    ax.legend(loc="lower left", ncols=3)


def main(folder: str = ".") -> None:
    """Compute, run and draw."""
    data = hydro.open(MESH, roll_damping=ROLL_DAMPING, **LOADED)
    drawn = hydro.read_mesh(MESH).moved((0.0, 0.0, -2.5))
    hull = hydro.prepared(hydro.read_mesh(MESH), draught=2.5, panels=900)
    with rc_context(SETTINGS):
        figure = Figure(figsize=(13.0, 7.2), layout="constrained")
        grid = figure.add_gridspec(2, 6)
        draw_mesh(figure.add_subplot(grid[0, :2], projection="3d"), drawn, "Drawn: 28 triangles", "#dbe4f0")
        title = f"Computed: {hull.count} panels below the waterline"
        draw_mesh(figure.add_subplot(grid[0, 2:4], projection="3d"), hull, title, "#bfd7f2")
        draw_memory(figure.add_subplot(grid[0, 4:]), data)
        draw_responses((figure.add_subplot(grid[1, :2]), figure.add_subplot(grid[1, 2:4])), data)
        draw_run(figure.add_subplot(grid[1, 4:]), data)
        figure.savefig(Path(folder) / "stl_to_fmu.png")
    print(f"wrote {Path(folder) / 'stl_to_fmu.png'}")


if __name__ == "__main__":
    main()
