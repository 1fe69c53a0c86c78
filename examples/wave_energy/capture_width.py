"""How much power a float takes from regular waves, beside linear theory. Writes `capture_width.png`.

    keelblocks build examples/wave_energy
    python examples/wave_energy/capture_width.py

A capture width is the power that is taken over the power of the wave per metre of crest, J = ρ g² a²/(4 ω). However
large an axisymmetric float that heaves is, it cannot be more than λ/2π: Budal and Falnes (1975), Evans (1976).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from blocks.metrics import measure
from blocks.scenario import Scenario
from blocks.study.file import StudyDocument
from blocks.style import GRID, SERIES, SETTINGS

HERE = Path(__file__).resolve().parent
PERIODS = np.arange(3.0, 10.1, 0.5)  # s
SETTLE, WAVES = 60.0, 20  # s before, and waves of, the mean

scenario = Scenario.load(HERE / "regular_wave.yaml")

from wave_energy.hydrodynamics import read_hydrodynamics  # noqa: E402  the scenario says where the library is
from wave_energy.theory import LinearFloat  # noqa: E402

wave = scenario.diagram["sea"].amplitude
theory = LinearFloat(
    read_hydrodynamics(HERE / "hemisphere.csv"), scenario.diagram["float"].mass, scenario.diagram["float"].stiffness
)


def capture_width(period: float, damping: float, spring: float) -> float:
    """Of a run, m."""
    scenario.diagram["sea"].set(period=period)
    scenario.diagram["pto"].set(damping=damping, stiffness=spring)
    run = scenario.run(end=SETTLE + WAVES * period, every=1)
    (power,) = measure(run, [f"mean(pto.power, after={SETTLE} s)"]).values()
    return float(power) / theory.wave_power(2.0 * np.pi / period, wave)


def controls(period: float) -> dict[str, tuple[float, float]]:
    """Damping, N·s/m, and spring, N/m, of three ways to take power."""
    omega = 2.0 * np.pi / period
    return {
        "tuned spring and damper": theory.tuned(omega),
        "best damper of each period": (theory.best_damping(omega), 0.0),
        "one damper, 90 kN·s/m": (90e3, 0.0),
    }


found = {
    period: {name: capture_width(period, *given) for name, given in controls(period).items()} for period in PERIODS
}
study = StudyDocument.load(HERE / "damping.yaml").study().run().dataset

table = Table("period, s", "λ/2π, m", *controls(4.0), "off theory")
for period in PERIODS[::2]:
    omega = 2.0 * np.pi / period
    exact = [theory.capture_width(omega, *given) for given in controls(period).values()]
    off = max(abs(width / one - 1.0) for width, one in zip(found[period].values(), exact, strict=True))
    widths = (f"{width:.2f} m" for width in found[period].values())
    table.add_row(f"{period:.1f}", f"{theory.greatest_capture_width(omega):.2f}", *widths, f"{off:.2%}")
Console().print(table)

with rc_context(SETTINGS):
    figure = Figure(figsize=(12.0, 4.6), layout="constrained")
    over_period, over_damping = figure.subplots(1, 2)
    fine = np.linspace(PERIODS[0], PERIODS[-1], 200)
    limit = [theory.greatest_capture_width(2.0 * np.pi / period) for period in fine]
    over_period.fill_between(fine, limit, 20.0, color=GRID, label="beyond λ/2π: no heaving float")
    for colour, name in zip(SERIES, controls(4.0), strict=False):
        curve = [theory.capture_width(2.0 * np.pi / period, *controls(period)[name]) for period in fine]
        over_period.plot(fine, curve, color=colour, label=name)
        over_period.plot(PERIODS, [found[period][name] for period in PERIODS], "o", color=colour, ms=5)
    over_period.set(
        title="Capture width over the period", xlabel="period of the wave, s", ylabel="capture width, m",
        xlim=(PERIODS[0] - 0.2, PERIODS[-1] + 0.2), ylim=(0.0, 20.0),
    )  # fmt: skip
    over_period.legend(loc="upper left")

    dampings = np.geomspace(1.5e4, 8e5, 200)
    for colour, period in zip(SERIES[3:], study["period"].values, strict=False):
        omega = 2.0 * np.pi / period
        over_damping.plot(
            dampings / 1e3, [theory.power(omega, wave, damping) / 1e3 for damping in dampings], color=colour,
            label=f"{period:g} s",
        )  # fmt: skip
        points = study["power"].sel(period=period)
        over_damping.plot(study["damping"] / 1e3, points / 1e3, "o", color=colour, ms=5)
    over_damping.set(
        title="Power of a damper in waves of 0.5 m", xlabel="damping, kN·s/m", ylabel="power, kW", xscale="log",
        ylim=(0.0, 7.0),
    )  # fmt: skip
    over_damping.set_xticks(ticks := [20, 50, 100, 200, 500], [str(tick) for tick in ticks])
    over_damping.set_xticks([], minor=True)
    over_damping.legend(title="period")
    figure.savefig("capture_width.png")
