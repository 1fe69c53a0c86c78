"""A Wigley hull in regular head waves, at rest and at 5 m/s: motions from runs beside the frequency domain.

`wigley.nc` has added mass, radiation damping and loads of waves at rest, by Capytaine. The memory is fitted to them and
a `SeakeepingVessel` sails in waves of 1 mm; the frequency domain solves the same data, to which strip theory adds the
speed. Writes `wigley_memory.png` and `wigley_waves.png`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import NDArray

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import SeakeepingVessel
from blocks.environment import RegularWave, WaveForceRAO
from blocks.hydro import SeakeepingModel, load, memory_figure, vessel_parameters
from blocks.hydro.seakeeping import in_body_axes
from blocks.hydro.vessel_file import wave_parameters
from blocks.style import LEGEND, SERIES, SETTINGS

DATA = Path(__file__).with_name("wigley.nc")
SPEEDS = (0.0, 5.0)  # m/s
AHEAD = np.pi  # where waves travel to, seen from the bow
AMPLITUDE = 1e-3  # m: small, so that runs are as linear as the frequency domain
POINTS = 64  # of a period of encounter
GRAVITY = 9.81

Complex = NDArray[np.complex128]


def waves_of(data: xr.Dataset) -> xr.Dataset:
    """What there is at frequencies of waves."""
    waves: xr.Dataset = data.sel(omega=np.isfinite(data["omega"].values))
    return waves


def encounter(omega: float, speed: float, heading: float = AHEAD) -> float:
    """Frequency of encounter, rad/s."""
    return float(omega - omega**2 / GRAVITY * speed * np.cos(heading))


def by_frequency(
    data: xr.Dataset, model: SeakeepingModel, omega: float, speed: float, heading: float = AHEAD
) -> Complex:
    """ξ per metre of wave: [s² M + s Z_U + s D_U + C] ξ = F with s = -iω_e, from the data.

    Radiation is cubic between them: straight lines are 0.6 % off in pitch at 5 m/s.
    """
    waves = waves_of(data)
    at = encounter(omega, speed, heading)
    added, damping = (
        waves[name].interp(omega=at, method="cubic").values for name in ("added_mass", "radiation_damping")
    )
    s = -1j * at
    viscous = model.parameters["linear_damping"]
    # in_body_axes writes time as e^(iωt), and here it is e^(-iωt)
    radiation = np.conj(in_body_axes(at, (damping + 1j * at * added)[None], -speed)[0])
    turning = np.zeros((6, 6))  # of the momentum in surge, A_11(0) U, which strip theory leaves out, and a run has
    turning[2, 4] = turning[5, 1] = -speed * model.fit.memory.added_mass(0.0)[0, 0, 0]
    turning[1, 5] = turning[4, 2] = -turning[2, 4]
    steps = np.zeros((6, 6))
    steps[1, 5], steps[2, 4] = 1.0, -1.0
    radiation += turning @ (np.eye(6) - speed / s * steps)
    body = viscous + s * model.parameters["rigid_body_inertia"]
    total = s * (radiation + body) + model.parameters["stiffness"]
    force = waves["excitation_force"].sel(wave_direction=heading, method="nearest").interp(omega=omega).values
    motion: Complex = np.linalg.solve(total, force)
    return motion


def by_run(
    data: xr.Dataset,
    model: SeakeepingModel,
    omega: float,
    speed: float,
    heading: float = AHEAD,
    end: float = 250.0,
    amplitude: float = AMPLITUDE,
) -> Complex:
    """The same from the last four periods of a run.

    Roll takes longer to settle than heave and pitch, and waves from the side set the hull adrift, so that it turns:
    they have to be smaller.
    """
    diagram = Diagram("wigley")
    wave = diagram.add("wave", RegularWave(amplitude, 2.0 * np.pi / omega, heading))
    force = diagram.add("loads", WaveForceRAO(**wave_parameters(data)))
    thrust = diagram.add("thrust", Constant(np.zeros(6)))
    start = {"initial_nu": [speed, 0.0, 0.0, 0.0, 0.0, 0.0]}
    vessel = diagram.add("vessel", SeakeepingVessel(**(model.parameters | start)))
    diagram.connect(wave.waves, force.waves)
    diagram.connect(vessel.eta, force.eta)
    diagram.connect(force.disturbance, vessel.disturbance)
    diagram.connect(thrust.y, vessel.force)
    at = encounter(omega, speed, heading)
    period = 2.0 * np.pi / at
    run = simulate(diagram, end=round(end / period) * period, step=period / POINTS, record="vessel.eta")
    last = slice(-4 * POINTS - 1, -1)
    turning = np.exp(1j * at * run.time[last])
    motion: Complex = 2.0 / len(turning) * turning @ run.values("vessel.eta")[last] / amplitude
    return motion


def motions(
    data: xr.Dataset, model: SeakeepingModel, speed: float, frequencies: NDArray[np.float64]
) -> tuple[Complex, Complex]:
    """From the frequency domain and from runs: frequencies by degrees of freedom."""
    both = (by_frequency, by_run)
    first, second = (np.array([way(data, model, w, speed) for w in frequencies]) for way in both)
    return first, second


def draw(data: xr.Dataset, model: SeakeepingModel, runs: dict[float, tuple[NDArray[np.float64], Complex]]) -> Figure:
    """Heave and pitch over the wave length: lines from the frequency domain, points from runs."""
    with rc_context(rc=SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(13.0, 4.8), layout="constrained")
        figure.suptitle("Wigley hull in head waves", x=0.01, ha="left")
        heave, pitch = figure.subplots(1, 2)
        omega = np.linspace(0.36, 1.75, 120)
        for colour, (speed, (frequencies, found)) in zip(SERIES, runs.items(), strict=False):
            line = np.array([by_frequency(data, model, w, speed) for w in omega])
            for ax, dof, per in ((heave, 2, 1.0), (pitch, 4, GRAVITY)):
                length = 2.0 * np.pi * GRAVITY / omega**2 / 100.0
                slope = omega**2 if dof == 4 else 1.0
                ax.plot(length, per * np.abs(line[:, dof]) / slope, color=colour, label=f"{speed:g} m/s")
                there = 2.0 * np.pi * GRAVITY / frequencies**2 / 100.0
                ax.plot(there, per * np.abs(found[:, dof]) / (frequencies**2 if dof == 4 else 1.0), "o", color=colour)
        heave.set(title="Heave over wave amplitude", xlabel="wave length over length of the hull", xlim=(0.2, 4.0))
        pitch.set(title="Pitch over wave slope", xlabel="wave length over length of the hull", xlim=(0.2, 4.0))
        for ax in (heave, pitch):
            ax.set_ylim(0.0)
        heave.legend(**(LEGEND | {"ncols": 2}))
        return figure


def main() -> None:
    """Print fit and table, draw both figures."""
    data = load(DATA)
    model = vessel_parameters(data, roll_damping_ratio=0.05)
    print(model.text())
    drawn = ("Sway", "Heave", "Roll", "Pitch")
    memory_figure(model.fit, drawn, title="Memory of the water, Wigley hull").savefig("wigley_memory.png")
    omega = np.array([0.425, 0.5, 0.575, 0.725, 0.8, 0.875, 0.95, 1.1, 1.25, 1.4])
    runs = {}
    for speed in SPEEDS:
        expected, found = motions(data, model, speed, omega)
        runs[speed] = (omega, found)
        apart = np.abs(np.abs(found[:, [2, 4]]) / np.abs(expected[:, [2, 4]]) - 1.0)
        print(f"\n{speed:g} m/s\n ω, rad/s   heave, m/m  pitch, °/m  apart")
        for w, row, off in zip(omega, found, apart, strict=True):
            print(f"{w:9.3f} {abs(row[2]):12.4f} {np.degrees(abs(row[4])):11.4f} {100.0 * off.max():6.2f} %")
    draw(data, model, runs).savefig("wigley_waves.png")


if __name__ == "__main__":
    main()
