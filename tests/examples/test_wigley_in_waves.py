"""A Wigley hull with data of a panel program: runs against the frequency domain, at rest and under way."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np

EXAMPLE = Path(__file__).parents[2] / "examples" / "wigley_in_waves" / "wigley_in_waves.py"


def test_motions_of_runs_are_those_of_the_frequency_domain() -> None:
    example = runpy.run_path(str(EXAMPLE))
    data = example["load"](example["DATA"])
    model = example["vessel_parameters"](data, roll_damping_ratio=0.05)
    assert min(pair.r_squared for pair in model.fit.pairs) > 0.999
    assert model.fit.passivity > -1e-12
    omega = np.array([0.425, 0.8, 0.95])  # waves of 3.4, 1 and 0.7 lengths of the hull
    for speed, tolerance in ((0.0, 0.003), (5.0, 0.01)):
        expected, found = example["motions"](data, model, speed, omega)
        np.testing.assert_allclose(np.abs(found[:, [2, 4]]), np.abs(expected[:, [2, 4]]), rtol=tolerance)
    figure = example["draw"](data, model, {speed: (omega, found)})
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["Heave over wave amplitude", "Pitch over wave slope"]
