"""A Wigley hull with data of a panel program: runs against the frequency domain, at rest and under way."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np

from blocks.hydro import load, vessel_parameters
from blocks.hydro.dofs import DOFS

EXAMPLE = Path(__file__).parents[2] / "examples" / "wigley_in_waves" / "wigley_in_waves.py"
DATA = EXAMPLE.with_name("wigley.nc")


def test_the_memory_moves_the_hull_as_the_data_do() -> None:
    """Motions of the frequency domain with the data and with the memory, in waves from all sides.

    Roll wants the most: beside its resonance, what drives it is a small difference of the loads of waves and of sway.
    """
    model = vessel_parameters(load(DATA), roll_damping_ratio=0.05)
    assert list(model.motions_apart) == list(DOFS)
    assert max(model.motions_apart.values()) < 0.006
    assert model.motions_apart["Roll"] < 0.004
    assert model.fit.memory.states <= 44


def test_motions_of_runs_are_those_of_the_frequency_domain() -> None:
    example = runpy.run_path(str(EXAMPLE))
    data = example["load"](example["DATA"])
    model = example["vessel_parameters"](data, roll_damping_ratio=0.05)
    assert min(pair.r_squared for pair in model.fit.pairs) > 0.999
    assert model.fit.passivity > -1e-12
    omega = np.array([0.425, 0.8, 0.95])  # waves of 3.4, 1 and 0.7 lengths of the hull
    for speed, tolerance in ((0.0, 0.002), (5.0, 0.003)):
        expected, found = example["motions"](data, model, speed, omega)
        np.testing.assert_allclose(np.abs(found[:, [2, 4]]), np.abs(expected[:, [2, 4]]), rtol=tolerance)
    figure = example["draw"](data, model, {speed: (omega, found)})
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["Heave over wave amplitude", "Pitch over wave slope"]


def test_roll_of_runs_is_that_of_the_frequency_domain() -> None:
    """In waves on the beam and on the bow, on both sides of the resonance at 0.41 rad/s, 5 % of critical added."""
    example = runpy.run_path(str(EXAMPLE))
    data = example["load"](example["DATA"])
    model = example["vessel_parameters"](data, roll_damping_ratio=0.05)
    for heading in np.radians([90.0, 120.0]):
        for omega in (0.35, 0.425, 0.5, 0.8, 0.95):
            wanted = example["by_frequency"](data, model, omega, 0.0, heading)
            found = example["by_run"](data, model, omega, 0.0, heading, end=900.0, amplitude=1e-6)
            np.testing.assert_allclose(np.abs(found[2:5]), np.abs(wanted[2:5]), rtol=0.004)
