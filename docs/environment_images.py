"""The images of the pages on wind, waves and their loads: what `make_images.py` makes besides."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from PIL import Image

from blocks import Diagram, simulate
from blocks.environment import (
    BlendermannWindLoad,
    BoxShipMotion,
    EvolvingSea,
    FujiwaraWindLoad,
    IsherwoodWindLoad,
    JonswapSea,
    SeaSurface,
    TorsethaugenSea,
)
from blocks.environment.files.motion_table import tabulate_motion
from blocks.style import SERIES, SETTINGS

WIDTH = 1600
CARGO = {"frontal_area": 300.0, "lateral_area": 900.0, "length": 100.0, "centroid_height": 5.0}
STORM = {
    "times": ["0 h", "3 h", "6 h"],
    "significant_height": [1.0, 4.0, 3.0],
    "peak_period": [5.0, 9.0, 10.0],
    "direction": ["40 deg", "60 deg", "150 deg"],
}


def environment_images(folder: Path) -> list[Path]:
    """Write the images into a folder; their paths."""
    return [
        wind_coefficients(folder / "wind_coefficients.png"),
        seas(folder / "seas.png"),
        motions(folder / "motions.png"),
    ]


def _save(figure: Figure, target: Path) -> Path:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, target.name)
        figure.savefig(path, dpi=WIDTH / 10.0)
        with Image.open(path) as image:
            image.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(target, optimize=True)
    return target


@rc_context(SETTINGS)
def wind_coefficients(target: Path) -> Path:
    """Three methods for one cargo ship, and what sines leave of the yaw moment of a tanker: `currents_and_wind.md`."""
    breadth = {"breadth": 20.0}
    ships = {
        "Blendermann": BlendermannWindLoad(ship_type="cargo-loaded", centroid_forward=2.0, **CARGO),
        "Isherwood": IsherwoodWindLoad(
            **CARGO, **breadth, superstructure_area=100.0, perimeter=130.0, centroid_from_bow=48.0, masts=2
        ),
        "Fujiwara": FujiwaraWindLoad(
            **CARGO, **breadth, superstructure_area=350.0, bridge_height=18.0, centroid_forward=2.0
        ),
    }
    gamma = np.linspace(0.0, np.pi, 181)
    figure = Figure(figsize=(10.0, 6.0), layout="constrained")
    axes = figure.subplots(2, 2, sharex=True)
    titles = ("$C_X$: surge", "$C_Y$: sway", "$C_K$: roll")
    for (name, ship), colour in zip(ships.items(), SERIES, strict=False):
        found = ship.coefficients(gamma)
        for plot, row, title in zip(axes.flat, (0, 1, 2), titles, strict=False):
            plot.plot(np.degrees(gamma), found[row], color=colour, label=name)
            plot.set_title(title)
    axes[0, 0].legend(frameon=False, loc="upper left")
    tanker = BlendermannWindLoad(ship_type="tanker-in-ballast", centroid_forward=-10.0, **CARGO)
    yaw = tanker.coefficients(gamma)[3]
    shape = -np.sin(2.0 * gamma)
    best = shape * (yaw @ shape) / (shape @ shape)
    last = axes[1, 1]
    last.plot(np.degrees(gamma), yaw, color=SERIES[0], label="Blendermann, house aft")
    last.plot(np.degrees(gamma), best, "--", color=SERIES[1], label=r"best $-c_n$ sin 2γ")
    last.fill_between(np.degrees(gamma), yaw, best, color=SERIES[1], alpha=0.15, linewidth=0.0)
    last.set_title("$C_N$: yaw, of a tanker")
    last.legend(frameon=False, loc="upper left")
    for plot in axes[1]:
        plot.set(xlabel="γ, where the wind comes from, deg to starboard", xticks=range(0, 181, 30))
    return _save(figure, target)


@rc_context(SETTINGS)
def seas(target: Path) -> Path:
    """Spectra with peaks by rule and in full, and an hour of a storm: see `waves.md`."""
    figure = Figure(figsize=(10.0, 3.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3, width_ratios=(1.0, 1.0, 1.6))
    for period, colour in zip((6.0, 7.5, 9.0), SERIES, strict=False):
        sea = JonswapSea(4.0, period, peak_enhancement="dnv")
        tables = sea.tables()
        left.plot(tables.frequencies, tables.densities, color=colour, label=f"{period:g} s: γ = {sea.gamma:.1f}")
    left.set(title="JONSWAP, 4 m", xlabel="f, Hz", ylabel="S, m²/Hz", xlim=(0.05, 0.35), ylim=(0.0, 40.0))
    left.legend(frameon=False, loc="upper right")
    for form, style, colour in (("simplified", "--", SERIES[1]), ("full", "-", SERIES[0])):
        tables = TorsethaugenSea(2.0, 13.0, form=form).tables()
        middle.plot(tables.frequencies, tables.densities, style, color=colour, label=form)
    middle.set(title="Torsethaugen, 2 m, 13 s", xlabel="f, Hz", ylabel="S, m²/Hz", xlim=(0.04, 0.4))
    middle.legend(frameon=False)
    diagram = Diagram()
    diagram.add("sea", EvolvingSea(**STORM, seed=4))
    diagram.add("surface", SeaSurface())
    diagram.connect("sea.waves", "surface.waves")
    run = simulate(diagram, "7 h", step=1.0)
    hours = run.time / 3600.0
    right.plot(hours, run.values("surface.elevation"), linewidth=0.3, color=SERIES[0])
    height = np.interp(hours, [0.0, 3.0, 6.0], STORM["significant_height"])
    right.plot(hours, 0.5 * height, color=SERIES[1], label="± $H_s$/2 of the schedule")
    right.plot(hours, -0.5 * height, color=SERIES[1])
    right.set(title="A sea that grows and veers", xlabel="time, h", ylabel="elevation, m", ylim=(-5.0, 5.0))
    right.legend(frameon=False, loc="upper left")
    return _save(figure, target)


@rc_context(SETTINGS)
def motions(target: Path) -> Path:
    """Heave, pitch and roll of a box-shaped ship over the frequency, at rest and under way: see `wave_loads.md`."""
    ship = BoxShipMotion(length=82.8, breadth=19.2, draught=6.0, block_coefficient=0.65, roll_period=11.0)
    omegas = np.linspace(0.2, 1.6, 141)
    figure = Figure(figsize=(10.0, 3.6), layout="constrained")
    plots = figure.subplots(1, 3)
    cases = ((180.0, 0.0, "-"), (180.0, 6.0, "--"), (45.0, 6.0, ":"))
    for (heading, speed, style), colour in zip(cases, SERIES, strict=False):
        found = tabulate_motion(ship, omegas, np.radians([heading]), speed, 1e300)["amplitude"][:, :, 0]
        name = f"{heading:g}°, {speed:g} m/s"
        plots[0].plot(omegas, found[2], style, color=colour, label=name)
        plots[1].plot(omegas, found[4] * 9.81 / omegas**2, style, color=colour, label=name)
    cases = ((90.0, 0.0, "-"), (135.0, 6.0, "--"), (45.0, 6.0, ":"))
    for (heading, speed, style), colour in zip(cases, SERIES, strict=False):
        found = tabulate_motion(ship, omegas, np.radians([heading]), speed, 1e300)["amplitude"][:, :, 0]
        plots[2].plot(omegas, found[3] * 9.81 / omegas**2, style, color=colour, label=f"{heading:g}°, {speed:g} m/s")
    for plot, title in zip(plots, ("Heave by amplitude", "Pitch by slope", "Roll by slope"), strict=True):
        plot.set(title=title, xlabel="ω of the wave, rad/s", ylim=(0.0, None))
        plot.legend(frameon=False)
    return _save(figure, target)
